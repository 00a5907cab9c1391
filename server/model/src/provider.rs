//! Where a model lives: address, wire form, credentials, patience.

use crate::retry::RetrySettings;
use crate::secret::Secret;

mod builtin;
mod settings;

pub use builtin::{BUILT_IN, OFFLINE_ID, OFFLINE_MODEL, OFFLINE_URL};
pub use settings::{ProviderError, ProviderSettings};

/// The form in which a provider is spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Deserialize, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum WireApi {
    /// `POST base_url/responses`.
    #[default]
    Responses,
    /// `POST base_url/chat/completions`, which most local servers speak.
    Chat,
    /// `POST base_url/messages`, with the key in `x-api-key`.
    Messages,
}

/// How the provider knows us.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Auth {
    /// It does not ask.
    None,
    /// A key: `Authorization: Bearer …`, or where the wire form has its place for it.
    Bearer(Secret),
    /// A key that should be in the environment and is not. Nothing is sent; the sampling
    /// fails and names the variable.
    EnvKey {
        /// The variable.
        var: Box<str>,
        /// What the person should do.
        instructions: Option<Box<str>>,
    },
}

/// A host of models, ready to be asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Provider {
    /// Its key in the settings.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// The address that the wire form's path is added to. [`OFFLINE_URL`] means the stand-in
    /// inside this process.
    pub base_url: String,
    /// The form in which it is spoken to.
    pub wire: WireApi,
    /// How it knows us.
    pub auth: Auth,
    /// Headers for every request.
    pub headers: Vec<(String, String)>,
    /// Query parameters for every request.
    pub query: Vec<(String, String)>,
    /// How often and how long it is tried.
    pub retry: RetrySettings,
    /// Whether it takes the Responses API over a WebSocket.
    pub supports_websockets: bool,
    /// Whether an OpenAI login is used where there is one.
    pub requires_openai_auth: bool,
}

impl Provider {
    /// The rule-based stand-in inside this process: no key, no network.
    pub fn offline() -> Self {
        builtin::offline()
    }

    /// Whether the address is one of Azure's, which keeps responses (`store` is true there).
    pub fn is_azure(&self) -> bool {
        let url = self.base_url.to_ascii_lowercase();
        self.name.eq_ignore_ascii_case("azure")
            || [
                "openai.azure.",
                "cognitiveservices.azure.",
                "aoai.azure.",
                "azure-api.",
                "azurefd.",
            ]
            .iter()
            .any(|part| url.contains(part))
    }
}

#[cfg(test)]
mod tests;
