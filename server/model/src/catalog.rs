//! What models there are, and what each of them can do (SPEC M8).
//!
//! A catalogue is a list in the form of the file that the setting `model_catalog_json` names:
//! `{"models":[{"slug":"gpt-5.5",…}]}`. The built-in one is such a file too.

use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use crate::provider::{OFFLINE_ID, OFFLINE_MODEL};

mod model;

pub use model::{
    ApplyPatch, Effort, Modality, ModelInfo, Notice, ServiceTier, TruncationMode, TruncationPolicy,
    Upgrade, Visibility,
};

/// A list of models, the default one first. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Catalog {
    models: Arc<[Arc<ModelInfo>]>,
}

/// A model as it is used: from the list, or made up because the list does not have it.
#[derive(Debug, Clone)]
pub struct Resolved {
    /// What it can do. `slug` is the name that was asked for.
    pub info: Arc<ModelInfo>,
    /// Whether the catalogue has it. If not, clients are warned with [`unknown_warning`].
    pub known: bool,
}

/// A catalogue that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CatalogError {
    /// It is no JSON of the expected form.
    #[error("model catalogue cannot be read")]
    Unreadable(#[source] serde_json::Error),
    /// It has no models.
    #[error("model catalogue is empty")]
    Empty,
}

#[derive(Deserialize)]
struct File {
    models: Vec<Arc<ModelInfo>>,
}

#[derive(Serialize)]
struct FileRef<'a> {
    models: &'a [Arc<ModelInfo>],
}

impl Catalog {
    /// Returns the list that is part of the program.
    pub fn built_in() -> Self {
        static BUILT_IN: OnceLock<Catalog> = OnceLock::new();
        let read = || {
            Self::from_json(include_str!("catalog/built_in.json"))
                .expect("a test reads the file that is part of the program")
        };
        BUILT_IN.get_or_init(read).clone()
    }

    /// Returns the list of the stand-in inside this process.
    pub fn offline() -> Self {
        static OFFLINE: OnceLock<Catalog> = OnceLock::new();
        let make = || Self { models: Arc::new([Arc::new(ModelInfo::offline())]) };
        OFFLINE.get_or_init(make).clone()
    }

    /// Reads a catalogue file.
    pub fn from_json(text: &str) -> Result<Self, CatalogError> {
        let file: File = serde_json::from_str(text).map_err(CatalogError::Unreadable)?;
        if file.models.is_empty() {
            return Err(CatalogError::Empty);
        }
        Ok(Self { models: file.models.into() })
    }

    /// Writes the catalogue as [`Catalog::from_json`] reads it.
    pub fn to_json(&self) -> String {
        serde_json::to_string(&FileRef { models: &self.models })
            .expect("text, numbers and flags always serialise")
    }

    /// Returns the list for a provider: the stand-in has its own, every other one this.
    #[must_use]
    pub fn for_provider(&self, id: &str) -> Self {
        if id == OFFLINE_ID { Self::offline() } else { self.clone() }
    }

    /// Returns all models, those that no list shows too.
    pub fn models(&self) -> &[Arc<ModelInfo>] {
        &self.models
    }

    /// Returns the model that is used when nobody names one: the first that lists show.
    pub fn default_model(&self) -> &Arc<ModelInfo> {
        let shown = self.models.iter().find(|model| model.visibility == Visibility::List);
        shown.unwrap_or(&self.models[0])
    }

    /// Returns a model by its name. A dated release (`gpt-5.5-2026-04-23`) and a name with
    /// its maker before it (`openai/gpt-5.5`) count as the model itself.
    pub fn find(&self, slug: &str) -> Option<&Arc<ModelInfo>> {
        let exact = |name: &str| self.models.iter().find(|model| model.slug == name);
        let last = slug.rsplit('/').next().unwrap_or(slug);
        exact(slug).or_else(|| exact(last)).or_else(|| {
            let of_release = |model: &&Arc<ModelInfo>| is_release_of(last, &model.slug);
            self.models.iter().filter(of_release).max_by_key(|model| model.slug.len())
        })
    }

    /// Returns what is to be assumed about a model, whether the list has it or not.
    pub fn resolve(&self, slug: &str) -> Resolved {
        if slug == OFFLINE_MODEL {
            return Resolved { info: Self::offline().models[0].clone(), known: true };
        }
        match self.find(slug) {
            Some(info) if info.slug == slug => Resolved { info: info.clone(), known: true },
            Some(info) => {
                let info = ModelInfo { slug: slug.into(), ..ModelInfo::clone(info) };
                Resolved { info: Arc::new(info), known: true }
            }
            None => Resolved { info: Arc::new(ModelInfo::fallback(slug)), known: false },
        }
    }
}

fn is_release_of(name: &str, slug: &str) -> bool {
    let date = name.strip_prefix(slug).and_then(|rest| rest.strip_prefix("-20"));
    date.is_some_and(|date| date.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-'))
}

/// What clients are told about a model that no catalogue has.
pub fn unknown_warning(slug: &str) -> String {
    format!(
        "Model metadata for `{slug}` not found. Defaulting to fallback metadata; this can degrade performance and cause issues."
    )
}

#[cfg(test)]
mod tests;
