//! How much of an output is told or kept: its first bytes.

/// Counts down.
#[derive(Debug)]
pub(super) struct Cap {
    left: Option<u64>,
    is_reached: bool,
    has_cut: bool,
}

impl Cap {
    /// Lets `bytes` through; `None` lets everything through.
    pub(super) fn new(bytes: Option<u64>) -> Self {
        Self { left: bytes, is_reached: false, has_cut: false }
    }

    /// What of the next bytes passes; `None` when all that may pass has passed before.
    pub(super) fn pass<'a>(&mut self, bytes: &'a [u8]) -> Option<&'a [u8]> {
        if self.is_reached {
            self.has_cut |= !bytes.is_empty();
            return None;
        }
        let Some(left) = self.left else { return Some(bytes) };
        let count = usize::try_from(left).unwrap_or(usize::MAX).min(bytes.len());
        self.left = Some(left - count as u64);
        self.is_reached = left == count as u64;
        self.has_cut |= count < bytes.len();
        Some(&bytes[..count])
    }

    /// Says whether nothing passes any more.
    pub(super) fn is_reached(&self) -> bool {
        self.is_reached
    }

    /// Says whether something did not pass.
    pub(super) fn has_cut(&self) -> bool {
        self.has_cut
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_cap_everything_passes() {
        let mut cap = Cap::new(None);
        assert_eq!(cap.pass(b"abc"), Some(&b"abc"[..]));
        assert!(!cap.is_reached() && !cap.has_cut());
    }

    #[test]
    fn the_first_bytes_pass_and_no_more() {
        let mut cap = Cap::new(Some(4));
        assert_eq!(cap.pass(b"abc"), Some(&b"abc"[..]));
        assert!(!cap.is_reached());
        assert_eq!(cap.pass(b"def"), Some(&b"d"[..]));
        assert!(cap.is_reached() && cap.has_cut());
        assert_eq!(cap.pass(b"ghi"), None);
    }

    #[test]
    fn a_cap_that_is_met_exactly_is_reached_and_has_cut_nothing() {
        let mut cap = Cap::new(Some(3));
        assert_eq!(cap.pass(b"abc"), Some(&b"abc"[..]));
        assert!(cap.is_reached() && !cap.has_cut());
        assert_eq!(cap.pass(b"d"), None);
        assert!(cap.has_cut());
    }

    #[test]
    fn a_cap_of_nothing_is_told_with_the_first_bytes() {
        let mut cap = Cap::new(Some(0));
        assert_eq!(cap.pass(b"abc"), Some(&b""[..]));
        assert!(cap.is_reached());
        assert_eq!(cap.pass(b"abc"), None);
    }
}
