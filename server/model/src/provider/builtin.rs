//! Providers that need no entry in the settings.

use super::{Auth, Provider, ProviderSettings, WireApi};
use crate::retry::RetrySettings;

/// The key of the stand-in.
pub const OFFLINE_ID: &str = "offline";
/// The stand-in's model.
pub const OFFLINE_MODEL: &str = "spindle-offline";
/// The address of the stand-in inside this process.
pub const OFFLINE_URL: &str = "offline:";

/// The keys of the providers that are always there, the usual one first.
pub const BUILT_IN: [&str; 5] = ["openai", "anthropic", "ollama", "lmstudio", OFFLINE_ID];

/// The settings of a built-in provider. `oss` is another word for `ollama`.
pub(super) fn settings(id: &str) -> Option<ProviderSettings> {
    match id {
        "openai" => Some(openai()),
        "anthropic" => Some(anthropic()),
        "oss" | "ollama" => Some(local("Ollama", "http://localhost:11434/v1")),
        "lmstudio" => Some(local("LM Studio", "http://localhost:1234/v1")),
        _ => None,
    }
}

fn openai() -> ProviderSettings {
    let env_headers =
        [("OpenAI-Organization", "OPENAI_ORGANIZATION"), ("OpenAI-Project", "OPENAI_PROJECT")];
    ProviderSettings {
        name: Some("OpenAI".into()),
        base_url: Some("https://api.openai.com/v1".into()),
        env_key: Some("OPENAI_API_KEY".into()),
        env_key_instructions: Some(
            "Set it to a key of the OpenAI API, or choose another model provider.".into(),
        ),
        http_headers: Some([("version".into(), env!("CARGO_PKG_VERSION").into())].into()),
        env_http_headers: Some(
            env_headers.map(|(name, var)| (name.to_owned(), var.to_owned())).into(),
        ),
        requires_openai_auth: true,
        supports_websockets: true,
        ..ProviderSettings::default()
    }
}

fn anthropic() -> ProviderSettings {
    ProviderSettings {
        name: Some("Anthropic".into()),
        base_url: Some("https://api.anthropic.com/v1".into()),
        env_key: Some("ANTHROPIC_API_KEY".into()),
        env_key_instructions: Some(
            "Set it to a key of the Anthropic API, or choose another model provider.".into(),
        ),
        wire_api: WireApi::Messages,
        ..ProviderSettings::default()
    }
}

fn local(name: &str, base_url: &str) -> ProviderSettings {
    ProviderSettings {
        name: Some(name.into()),
        base_url: Some(base_url.into()),
        ..ProviderSettings::default()
    }
}

pub(super) fn offline() -> Provider {
    Provider {
        id: OFFLINE_ID.into(),
        name: "Offline stand-in".into(),
        base_url: OFFLINE_URL.into(),
        wire: WireApi::Responses,
        auth: Auth::None,
        headers: Vec::new(),
        query: Vec::new(),
        retry: RetrySettings {
            request_max_retries: 1,
            stream_max_retries: 1,
            unbounded_connection_retries: false,
            ..RetrySettings::default()
        },
        supports_websockets: false,
        requires_openai_auth: false,
    }
}
