use super::{Paint, Style};

#[test]
fn bare_text_has_no_escape_sequences() {
    assert_eq!(Paint::Bare.label("run", Style::Error), "run      ");
    assert_eq!(Paint::Bare.paint("x", Style::Strong), "x");
}

#[test]
fn colours_are_ended_where_the_label_ends() {
    assert_eq!(Paint::Colored.label("run", Style::Error), "\x1b[31mrun      \x1b[0m");
    assert_eq!(Paint::Colored.paint("x", Style::Plain), "x");
}

#[test]
fn a_file_is_no_terminal() {
    let file = tempfile::tempfile().unwrap();
    assert_eq!(Paint::for_stream(&file), Paint::Bare);
}

#[test]
fn what_continues_a_line_stands_under_its_text() {
    assert_eq!(Paint::Bare.label("a", Style::Plain).len(), Paint::INDENT.len());
}
