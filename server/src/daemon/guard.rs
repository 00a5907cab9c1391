//! What the command line says about tokens, as a guard.

use std::fs;
use std::path::{Path, PathBuf};

use super::args::{AuthMode, AuthOptions};
use crate::transport::auth::{Guard, Signed};

/// A shared secret that is shorter can be guessed.
const MIN_SECRET_BYTES: usize = 32;
/// How far clocks may differ when nobody says.
const USUAL_SKEW_SECS: i64 = 30;

/// What is wrong with the options about tokens.
#[derive(Debug, thiserror::Error)]
pub enum GuardError {
    /// Options without a mode.
    #[error(
        "websocket auth flags require `--ws-auth capability-token` or `--ws-auth \
         signed-bearer-token`"
    )]
    NoMode,
    /// No token is named.
    #[error(
        "`--ws-token-file` or `--ws-token-sha256` is required when `--ws-auth capability-token` \
         is set"
    )]
    NoToken,
    /// Two tokens are named.
    #[error("`--ws-token-file` and `--ws-token-sha256` are mutually exclusive")]
    TwoTokens,
    /// The digest is none.
    #[error("--ws-token-sha256 must be a 64-character hex SHA-256 digest")]
    Digest,
    /// Options of the other mode.
    #[error(
        "`--ws-shared-secret-file`, `--ws-issuer`, `--ws-audience`, and \
         `--ws-max-clock-skew-seconds` require `--ws-auth signed-bearer-token`"
    )]
    OnlyForSigned,
    /// Options of the other mode.
    #[error("`--ws-token-file` and `--ws-token-sha256` require `--ws-auth capability-token`")]
    OnlyForCapability,
    /// No secret is named.
    #[error("`--ws-shared-secret-file` is required when `--ws-auth signed-bearer-token` is set")]
    NoSecret,
    /// The file of a token or secret cannot be read.
    #[error("failed to read websocket auth secret {}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file of a token or secret is empty.
    #[error("websocket auth secret {} must not be empty", .0.display())]
    Empty(PathBuf),
    /// The secret can be guessed.
    #[error("signed websocket bearer secret {} must be at least 32 bytes", .0.display())]
    Short(PathBuf),
}

/// The guard that the options ask for; `None` when they ask for none.
pub(super) fn of(options: &AuthOptions) -> Result<Option<Guard>, GuardError> {
    let has_token = options.token_file.is_some() || options.token_sha256.is_some();
    let has_signed = options.shared_secret_file.is_some()
        || options.issuer.is_some()
        || options.audience.is_some()
        || options.max_clock_skew.is_some();
    match options.mode {
        None if has_token || has_signed => Err(GuardError::NoMode),
        None => Ok(None),
        Some(AuthMode::CapabilityToken) if has_signed => Err(GuardError::OnlyForSigned),
        Some(AuthMode::CapabilityToken) => capability(options).map(Some),
        Some(AuthMode::SignedBearerToken) if has_token => Err(GuardError::OnlyForCapability),
        Some(AuthMode::SignedBearerToken) => signed(options).map(Some),
    }
}

fn capability(options: &AuthOptions) -> Result<Guard, GuardError> {
    match (&options.token_file, &options.token_sha256) {
        (None, None) => Err(GuardError::NoToken),
        (Some(_), Some(_)) => Err(GuardError::TwoTokens),
        (Some(path), None) => Ok(Guard::of_token(&secret(path)?)),
        (None, Some(hex)) => digest(hex).map(Guard::Capability).ok_or(GuardError::Digest),
    }
}

fn signed(options: &AuthOptions) -> Result<Guard, GuardError> {
    let path = options.shared_secret_file.as_deref().ok_or(GuardError::NoSecret)?;
    let secret = secret(path)?;
    if secret.len() < MIN_SECRET_BYTES {
        return Err(GuardError::Short(path.to_path_buf()));
    }
    let skew = options.max_clock_skew.map_or(USUAL_SKEW_SECS, |skew| skew.as_secs() as i64);
    let (issuer, audience) = (options.issuer.clone(), options.audience.clone());
    Ok(Guard::Signed(Signed::new(secret.into_bytes().into(), issuer, audience, skew)))
}

/// A file's text without the blanks around it.
fn secret(path: &Path) -> Result<String, GuardError> {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    match fs::read_to_string(&path) {
        Ok(text) if text.trim().is_empty() => Err(GuardError::Empty(path)),
        Ok(text) => Ok(text.trim().to_owned()),
        Err(source) => Err(GuardError::Unreadable { path, source }),
    }
}

fn digest(hex: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    if hex.len() != 64 || !hex.is_ascii() {
        return None;
    }
    for (index, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(hex.get(index * 2..index * 2 + 2)?, 16).ok()?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests;
