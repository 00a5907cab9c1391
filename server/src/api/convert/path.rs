//! Paths that rollouts keep as `file://` addresses.

/// The path of a `file://` address; any other text stays as it is.
pub(in crate::api) fn of_url(url: &str) -> String {
    let Some(path) = url.strip_prefix("file://") else { return url.to_owned() };
    if !path.contains('%') {
        return path.to_owned();
    }
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        match escaped(rest) {
            Some(byte) => {
                bytes.push(byte);
                rest = &rest[3..];
            }
            None => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The byte that `%XX` at the start stands for.
fn escaped(text: &[u8]) -> Option<u8> {
    let [b'%', high, low, ..] = text else { return None };
    let digit = |byte: u8| char::from(byte).to_digit(16);
    u8::try_from(digit(*high)? * 16 + digit(*low)?).ok()
}

#[cfg(test)]
mod tests {
    use super::of_url;

    #[test]
    fn an_address_becomes_a_path() {
        assert_eq!(of_url("file:///a/b"), "/a/b");
        assert_eq!(of_url("file:///a%20b/%E4%B8%AD%25"), "/a b/中%");
        assert_eq!(of_url("file:///a%2"), "/a%2");
        assert_eq!(of_url("file:///%zz"), "/%zz");
        assert_eq!(of_url("/plain"), "/plain");
    }
}
