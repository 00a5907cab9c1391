use super::{KeyError, join, split};

#[test]
fn a_dotted_name_falls_into_its_parts() {
    assert_eq!(split("model").as_deref(), Ok(&["model".to_owned()][..]));
    assert_eq!(split("a.b-c.d_1").map(|p| join(&p)), Ok("a.b-c.d_1".into()));
}

#[test]
fn a_quoted_part_may_hold_dots_and_quotes() {
    assert_eq!(
        split(r#"projects."/tmp/a.b".trust_level"#),
        Ok(vec!["projects".into(), "/tmp/a.b".into(), "trust_level".into()])
    );
    assert_eq!(split(r#"x."say \"hi\"""#), Ok(vec!["x".into(), r#"say "hi""#.into()]));
}

#[test]
fn a_name_with_a_missing_part_is_refused() {
    assert_eq!(split(""), Err(KeyError::Empty));
    assert_eq!(split("  "), Err(KeyError::Empty));
    assert_eq!(split("a..b"), Err(KeyError::EmptySegment));
    assert_eq!(split(".a"), Err(KeyError::EmptySegment));
    assert_eq!(split("a."), Err(KeyError::EmptySegment));
    assert_eq!(split(r#""a"b"#), Err(KeyError::EmptySegment));
    assert_eq!(split(r#"a."b"#), Err(KeyError::OpenQuote));
}
