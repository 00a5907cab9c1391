//! A provider as it stands in the settings: `[model_providers.ID]`.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Auth, Provider, WireApi, builtin};
use crate::retry::RetrySettings;
use crate::secret::Secret;

/// More tries than this are a mistake in the settings.
const MOST_RETRIES: u64 = 100;

/// The keys of one provider. All but the address have a meaning when they are absent.
///
/// The token is text here, because settings files hold text; it becomes a secret in
/// [`ProviderSettings::build`].
#[derive(Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default)]
pub struct ProviderSettings {
    /// Name for people; the key when absent.
    pub name: Option<String>,
    /// The address before `/responses` or `/chat/completions`.
    pub base_url: Option<String>,
    /// Environment variable that holds the key.
    pub env_key: Option<String>,
    /// What to tell a person when that variable is not set.
    pub env_key_instructions: Option<String>,
    /// The key itself. Better in the environment.
    pub experimental_bearer_token: Option<String>,
    /// The form in which it is spoken to.
    pub wire_api: WireApi,
    /// Query parameters for every request.
    pub query_params: Option<BTreeMap<String, String>>,
    /// Headers for every request.
    pub http_headers: Option<BTreeMap<String, String>>,
    /// Headers whose values are in the environment: header to variable. Left out when unset.
    pub env_http_headers: Option<BTreeMap<String, String>>,
    /// How often a refused request is sent again. 4 when absent.
    pub request_max_retries: Option<u64>,
    /// How often a broken sampling is tried again. 5 when absent.
    pub stream_max_retries: Option<u64>,
    /// How long it may be silent, in milliseconds. 300,000 when absent.
    pub stream_idle_timeout_ms: Option<u64>,
    /// How long opening a WebSocket may take, in milliseconds.
    pub websocket_connect_timeout_ms: Option<u64>,
    /// Whether an OpenAI login is used where there is one.
    pub requires_openai_auth: bool,
    /// Whether it takes the Responses API over a WebSocket.
    pub supports_websockets: bool,
}

/// A provider that cannot be asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProviderError {
    /// Neither the settings nor the built-in table have it.
    #[error("model provider `{0}` not found")]
    Unknown(String),
    /// It has no address.
    #[error("model provider `{0}` has no base_url")]
    NoAddress(String),
    /// Its address is none.
    #[error("base_url of model provider `{id}` is not an http or https address: {url}")]
    BadAddress {
        /// The provider.
        id: String,
        /// The address.
        url: String,
    },
}

impl ProviderSettings {
    /// Returns the settings of a provider that is always there, for example to list them.
    pub fn built_in(id: &str) -> Option<Self> {
        builtin::settings(id)
    }

    /// Makes the provider `id` from the entries of `[model_providers]` and the built-in table.
    ///
    /// An entry of the settings hides a built-in one of the same key. `env` reads a variable;
    /// an empty one counts as unset.
    pub fn resolve(
        id: &str,
        entries: &BTreeMap<String, Self>,
        env: impl Fn(&str) -> Option<String>,
    ) -> Result<Provider, ProviderError> {
        if let Some(settings) = entries.get(id) {
            return settings.build(id, env);
        }
        if id == builtin::OFFLINE_ID {
            return Ok(Provider::offline());
        }
        let settings = builtin::settings(id).ok_or_else(|| ProviderError::Unknown(id.into()))?;
        settings.build(id, env)
    }

    /// Makes a provider of these settings. `env` reads a variable.
    pub fn build(
        &self,
        id: &str,
        env: impl Fn(&str) -> Option<String>,
    ) -> Result<Provider, ProviderError> {
        let env = |var: &str| env(var).filter(|value| !value.trim().is_empty());
        Ok(Provider {
            id: id.into(),
            name: self.name.clone().unwrap_or_else(|| id.into()),
            base_url: self.address(id)?,
            wire: self.wire_api,
            auth: self.auth(env),
            headers: self.headers(env),
            query: pairs(self.query_params.as_ref()).collect(),
            retry: self.retry(),
            supports_websockets: self.supports_websockets,
            requires_openai_auth: self.requires_openai_auth,
        })
    }

    fn address(&self, id: &str) -> Result<String, ProviderError> {
        let url = self.base_url.as_deref().ok_or_else(|| ProviderError::NoAddress(id.into()))?;
        let url = url.trim().trim_end_matches('/');
        let known = reqwest::Url::parse(url)
            .is_ok_and(|parsed| matches!(parsed.scheme(), "http" | "https"));
        if known || url == builtin::OFFLINE_URL {
            return Ok(url.to_owned());
        }
        Err(ProviderError::BadAddress { id: id.into(), url: url.into() })
    }

    fn auth(&self, env: impl Fn(&str) -> Option<String>) -> Auth {
        if let Some(token) = &self.experimental_bearer_token {
            return Auth::Bearer(Secret::new(token));
        }
        let Some(var) = self.env_key.as_deref() else { return Auth::None };
        match env(var) {
            Some(key) => Auth::Bearer(Secret::new(&key)),
            None => Auth::EnvKey {
                var: var.into(),
                instructions: self.env_key_instructions.as_deref().map(Into::into),
            },
        }
    }

    fn headers(&self, env: impl Fn(&str) -> Option<String>) -> Vec<(String, String)> {
        let from_env = pairs(self.env_http_headers.as_ref())
            .filter_map(|(name, var)| env(&var).map(|value| (name, value)));
        pairs(self.http_headers.as_ref()).chain(from_env).collect()
    }

    fn retry(&self) -> RetrySettings {
        let usual = RetrySettings::default();
        let tries =
            |set: Option<u64>, usual: u32| set.map_or(usual, |set| set.min(MOST_RETRIES) as u32);
        RetrySettings {
            request_max_retries: tries(self.request_max_retries, usual.request_max_retries),
            stream_max_retries: tries(self.stream_max_retries, usual.stream_max_retries),
            stream_idle_timeout: self
                .stream_idle_timeout_ms
                .map_or(usual.stream_idle_timeout, Duration::from_millis),
            ..usual
        }
    }
}

fn pairs(map: Option<&BTreeMap<String, String>>) -> impl Iterator<Item = (String, String)> + '_ {
    map.into_iter().flatten().map(|(key, value)| (key.clone(), value.clone()))
}

/// The token is left out.
impl std::fmt::Debug for ProviderSettings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ProviderSettings")
            .field("name", &self.name)
            .field("base_url", &self.base_url)
            .field("wire_api", &self.wire_api)
            .finish_non_exhaustive()
    }
}
