//! Signed tokens: three parts in base64, of which only `HS256` is known.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use serde::Deserialize;
use sha2::Sha256;

use super::Refused;

/// What a signed token must say.
pub(crate) struct Signed {
    /// The shared secret.
    secret: Box<[u8]>,
    /// Who must have made it; `None` is anybody who knows the secret.
    issuer: Option<String>,
    /// Whom it must be for; `None` is anybody.
    audience: Option<String>,
    /// How far clocks may differ, in seconds.
    skew: i64,
}

impl std::fmt::Debug for Signed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Signed")
    }
}

#[derive(Deserialize)]
struct Head {
    alg: String,
}

#[derive(Deserialize)]
struct Claims {
    exp: i64,
    nbf: Option<i64>,
    iss: Option<String>,
    aud: Option<Audience>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Audience {
    One(String),
    Many(Vec<String>),
}

impl Signed {
    /// Takes tokens that are signed with this secret.
    pub(crate) fn new(
        secret: Box<[u8]>,
        issuer: Option<String>,
        audience: Option<String>,
        skew: i64,
    ) -> Self {
        Self { secret, issuer, audience, skew }
    }

    pub(super) fn check(&self, token: &str, now: i64) -> Result<(), Refused> {
        let claims = self.claims(token).ok_or(Refused::Jwt)?;
        if now > claims.exp.saturating_add(self.skew) {
            return Err(Refused::Expired);
        }
        if claims.nbf.is_some_and(|start| now < start.saturating_sub(self.skew)) {
            return Err(Refused::NotYet);
        }
        if self.issuer.is_some() && claims.iss != self.issuer {
            return Err(Refused::Issuer);
        }
        let is_for = |audience: &String| match &claims.aud {
            None => false,
            Some(Audience::One(one)) => one == audience,
            Some(Audience::Many(many)) => many.contains(audience),
        };
        if self.audience.as_ref().is_some_and(|audience| !is_for(audience)) {
            return Err(Refused::Audience);
        }
        Ok(())
    }

    /// The claims of a token whose signature is ours.
    fn claims(&self, token: &str) -> Option<Claims> {
        let (signed, signature) = token.rsplit_once('.')?;
        let (head, claims) = signed.split_once('.')?;
        let head: Head = decode(head)?;
        if head.alg != "HS256" {
            return None;
        }
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.secret).ok()?;
        mac.update(signed.as_bytes());
        mac.verify_slice(&URL_SAFE_NO_PAD.decode(signature).ok()?).ok()?;
        decode(claims)
    }
}

fn decode<T: serde::de::DeserializeOwned>(part: &str) -> Option<T> {
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(part).ok()?).ok()
}
