//! A text that must not be seen.

/// A credential. It can be used, but not printed, logged or serialised.
///
/// There is no `Debug` or `Serialize` of its content on purpose: whoever needs the text
/// calls [`Secret::reveal`], which is easy to find in a review.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(Box<str>);

impl Secret {
    /// Wraps a credential. White space at its ends, which key files tend to have, is cut off.
    pub fn new(text: &str) -> Self {
        Self(text.trim().into())
    }

    /// Returns the credential itself.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::Secret;

    #[test]
    fn debug_output_does_not_hold_the_content() {
        let secret = Secret::new(" sk-very-private\n");
        assert_eq!(secret.reveal(), "sk-very-private");
        assert_eq!(format!("{secret:?}"), "Secret(…)");
    }
}
