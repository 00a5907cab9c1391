//! Pages of short lists that are made on the spot. The cursor is the number of the next entry.

use super::errors::Refusal;
use crate::rpc::RpcError;

/// A page of a list, and where the next one begins. A limit of 0 counts as 1.
pub(super) fn page<T>(
    mut entries: Vec<T>,
    cursor: Option<&str>,
    limit: Option<u32>,
) -> Result<(Vec<T>, Option<String>), RpcError> {
    let start = match cursor {
        None => 0,
        Some(text) => {
            let number = text.parse::<usize>().ok().filter(|start| *start <= entries.len());
            number.ok_or(Refusal::Cursor(text))?
        }
    };
    let limit = limit.map_or(usize::MAX, |limit| limit.max(1) as usize);
    let end = start.saturating_add(limit).min(entries.len());
    let next = (end < entries.len()).then(|| end.to_string());
    entries.truncate(end);
    Ok((entries.split_off(start), next))
}

/// A page of a list whose cursors are texts of its entries. A cursor of an entry that is gone
/// since is no fault if `is_before` can still tell where it stood.
pub(super) fn page_after<T>(
    mut entries: Vec<T>,
    is_behind: impl Fn(&T) -> bool,
    limit: Option<u32>,
    cursor: impl Fn(&T) -> String,
) -> (Vec<T>, Option<String>) {
    entries.retain(is_behind);
    let limit = limit.map_or(usize::MAX, |limit| limit.max(1) as usize);
    let more = entries.len() > limit;
    entries.truncate(limit);
    let next = entries.last().filter(|_| more).map(cursor);
    (entries, next)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(cursor: Option<&str>, limit: Option<u32>) -> (Vec<u32>, Option<String>) {
        page(vec![1, 2, 3], cursor, limit).expect("a cursor of ours")
    }

    #[test]
    fn pages_join_to_the_whole() {
        assert_eq!(numbers(None, None), (vec![1, 2, 3], None));
        assert_eq!(numbers(None, Some(2)), (vec![1, 2], Some("2".into())));
        assert_eq!(numbers(Some("2"), Some(2)), (vec![3], None));
        assert_eq!(numbers(Some("3"), None), (vec![], None));
        assert_eq!(numbers(None, Some(0)), (vec![1], Some("1".into())));
    }

    #[test]
    fn a_cursor_that_is_none_is_refused() {
        for cursor in ["junk", "-1", "4", ""] {
            let error = page(vec![1, 2, 3], Some(cursor), None).expect_err("not a place");
            assert_eq!(error.message(), format!("invalid cursor: {cursor}"));
        }
    }
}
