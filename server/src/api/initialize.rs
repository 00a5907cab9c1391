//! `initialize`: who the client is, and who we are.

use std::path::Path;

use axum::http::HeaderValue;
use spindle_schema::v2::{AbsolutePathBuf, ClientInfo, InitializeParams, InitializeResponse};

use super::PROTOCOL_VERSION;
use super::errors::Refusal;
use super::platform::Platform;
use crate::rpc::{Identity, RpcError};

/// Answers a client's introduction. Touches neither threads nor configuration.
pub(super) fn greet(
    params: InitializeParams,
    home: &Path,
    platform: &Platform,
) -> Result<(InitializeResponse, Identity), RpcError> {
    let InitializeParams { client_info, capabilities } = params;
    let capabilities = capabilities.unwrap_or_default();
    if HeaderValue::from_str(&client_info.name).is_err() {
        return Err(Refusal::ClientName(&client_info.name).into());
    }
    let user_agent = user_agent(&client_info, platform);
    let identity = Identity {
        name: client_info.name.into(),
        user_agent: user_agent.as_str().into(),
        is_experimental: capabilities.experimental_api,
        unwanted: capabilities
            .opt_out_notification_methods
            .unwrap_or_default()
            .into_iter()
            .map(Into::into)
            .collect(),
    };
    let result = InitializeResponse {
        user_agent,
        codex_home: AbsolutePathBuf(home.to_string_lossy().into_owned()),
        platform_family: std::env::consts::FAMILY.to_owned(),
        platform_os: std::env::consts::OS.to_owned(),
    };
    Ok((result, identity))
}

/// Clients read the version behind the first slash, and decide by it what they may use.
fn user_agent(client: &ClientInfo, platform: &Platform) -> String {
    format!(
        "{name}/{PROTOCOL_VERSION} ({os}; {arch}) {terminal} ({name}; {version}) spindle/{own}",
        name = client.name,
        os = platform.system(),
        arch = std::env::consts::ARCH,
        terminal = platform.terminal(),
        version = client.version,
        own = env!("CARGO_PKG_VERSION"),
    )
}

#[cfg(test)]
mod tests;
