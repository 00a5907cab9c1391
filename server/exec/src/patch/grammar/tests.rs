use super::*;

/// Headers that the grammar spells must be those that the parser reads.
#[test]
fn the_grammar_spells_every_header_that_is_read() {
    let text = "*** Begin Patch\n*** Add File: a\n+x\n*** Delete File: b\n*** Update File: c\n\
                *** Move to: d\n@@ f\n-x\n*** End of File\n*** End Patch\n";
    let patch = super::super::parse::Patch::parse(text).expect("it is well formed");
    assert_eq!(patch.ops.len(), 3);
    for header in text.lines().filter(|line| line.starts_with("*** ")) {
        let words = header.split_once(": ").map_or(header, |(words, _)| words);
        assert!(GRAMMAR.contains(&format!("\"{words}")), "{words}");
    }
}

#[test]
fn every_name_that_is_used_is_defined() {
    let rules: Vec<(&str, &str)> =
        GRAMMAR.lines().filter_map(|line| line.split_once(": ")).collect();
    let defined = |name: &str| name == "LF" || rules.iter().any(|(rule, _)| *rule == name);
    for (rule, body) in rules.iter().filter(|(_, body)| !body.starts_with('/')) {
        let outside_quotes = body.split('"').step_by(2).collect::<Vec<_>>().join(" ");
        let names = outside_quotes.split(|c: char| !c.is_alphanumeric());
        for name in names.filter(|name| !name.is_empty()) {
            assert!(defined(name), "{name} in {rule}");
        }
    }
}
