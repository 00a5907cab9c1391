//! Who may connect over TCP: those who bear a token.

mod jwt;

use axum::http::{HeaderMap, header};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

pub(crate) use self::jwt::Signed;

/// Knows the tokens that let a client in.
#[derive(Debug)]
pub(crate) enum Guard {
    /// One token, known by its digest alone.
    Capability([u8; 32]),
    /// Tokens signed with a shared secret.
    Signed(Signed),
}

/// Why a client is not let in. The text is the body of the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Refused {
    /// There is no token.
    #[error("missing websocket bearer token")]
    Missing,
    /// The header holds something else.
    #[error("invalid authorization header")]
    Header,
    /// The token is another one.
    #[error("invalid websocket bearer token")]
    Token,
    /// The token is not signed by us, or its claims cannot be read.
    #[error("invalid websocket jwt")]
    Jwt,
    /// The token is too old.
    #[error("expired websocket jwt")]
    Expired,
    /// The token is for later.
    #[error("websocket jwt is not valid yet")]
    NotYet,
    /// Somebody else made the token.
    #[error("websocket jwt issuer mismatch")]
    Issuer,
    /// The token is for somebody else.
    #[error("websocket jwt audience mismatch")]
    Audience,
}

impl Guard {
    /// A guard who lets in whoever knows this token.
    pub(crate) fn of_token(token: &str) -> Self {
        Self::Capability(Sha256::digest(token).into())
    }

    /// Checks a request. `now` is the time in Unix seconds.
    ///
    /// The first `Authorization` header counts. Comparisons take the same time wherever two
    /// tokens differ.
    ///
    /// # Errors
    /// Why the client is not let in.
    pub(crate) fn check(&self, headers: &HeaderMap, now: i64) -> Result<(), Refused> {
        let token = bearer(headers)?;
        match self {
            Self::Capability(digest) => {
                let given: [u8; 32] = Sha256::digest(token).into();
                if bool::from(given.ct_eq(digest)) { Ok(()) } else { Err(Refused::Token) }
            }
            Self::Signed(signed) => signed.check(token, now),
        }
    }
}

fn bearer(headers: &HeaderMap) -> Result<&str, Refused> {
    let value = headers.get(header::AUTHORIZATION).ok_or(Refused::Missing)?;
    let text = value.to_str().map_err(|_| Refused::Header)?;
    let (scheme, token) = text.split_once(' ').ok_or(Refused::Header)?;
    let token = token.trim();
    if scheme.eq_ignore_ascii_case("bearer") && !token.is_empty() {
        Ok(token)
    } else {
        Err(Refused::Header)
    }
}

#[cfg(test)]
mod tests;
