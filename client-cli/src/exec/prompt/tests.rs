use super::{joined, read_text, whole};

#[test]
fn words_and_piped_text_become_one_prompt() {
    assert_eq!(joined("sum up", "a\nb\n"), "sum up\n\n<stdin>\na\nb\n</stdin>");
    assert_eq!(joined("sum up", "a"), "sum up\n\n<stdin>\na\n</stdin>");
}

#[test]
fn an_empty_pipe_adds_nothing() {
    assert_eq!(joined("ask", " \n"), "ask");
}

#[test]
fn an_empty_stdin_is_no_prompt() {
    assert!(whole("\n".into()).is_err());
    assert_eq!(whole("hi\n".into()).unwrap(), "hi\n");
}

#[test]
fn bytes_that_are_no_text_are_replaced_and_a_byte_order_mark_is_dropped() {
    assert_eq!(read_text(&b"\xef\xbb\xbfa\xffb"[..]).unwrap(), "a\u{fffd}b");
}
