use proptest::prelude::*;

use super::super::parse::parse_rules;
use super::*;

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

#[test]
fn lines_have_the_recorded_form() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let file = dir.path().join("rules/default.rules");
    append_prefix_rule(&file, &words(&["touch"])).expect("it is written");
    append_network_rule(&file, "blocked.example", Protocol::Http, Decision::Allow)
        .expect("written");
    append_network_rule(&file, "Blocked.Example", Protocol::Http, Decision::Forbidden)
        .expect("written");
    let text = fs::read_to_string(&file).expect("it is there");
    assert_eq!(
        text,
        "prefix_rule(pattern=[\"touch\"], decision=\"allow\")\n\
         network_rule(host=\"blocked.example\", protocol=\"http\", decision=\"allow\", \
         justification=\"Allow http access to blocked.example\")\n\
         network_rule(host=\"blocked.example\", protocol=\"http\", decision=\"deny\", \
         justification=\"Deny http access to blocked.example\")\n"
    );
}

#[test]
fn a_rule_is_written_once() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let file = dir.path().join("default.rules");
    assert_eq!(append_prefix_rule(&file, &words(&["a", "b"])).ok(), Some(Appended::Added));
    assert_eq!(append_prefix_rule(&file, &words(&["a", "b"])).ok(), Some(Appended::Present));
    assert_eq!(append_prefix_rule(&file, &words(&["a"])).ok(), Some(Appended::Added));
    assert_eq!(fs::read_to_string(&file).expect("it is there").lines().count(), 2);
    assert!(append_prefix_rule(&file, &[]).is_err());
}

#[test]
fn what_stands_in_the_file_is_kept() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let file = dir.path().join("default.rules");
    fs::write(&file, "# mine").expect("it is written");
    append_prefix_rule(&file, &words(&["a"])).expect("it is written");
    let text = fs::read_to_string(&file).expect("it is there");
    assert_eq!(text, "# mine\nprefix_rule(pattern=[\"a\"], decision=\"allow\")\n");
}

#[test]
fn many_writers_lose_nothing() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let file = dir.path().join("default.rules");
    std::thread::scope(|scope| {
        for writer in 0..4 {
            let file = &file;
            scope.spawn(move || {
                for number in 0..10 {
                    let word = format!("w{}", (writer + number) % 12);
                    append_prefix_rule(file, &[word]).expect("it is written");
                }
            });
        }
    });
    let text = fs::read_to_string(&file).expect("it is there");
    let mut lines: Vec<&str> = text.lines().collect();
    let count = lines.len();
    lines.sort_unstable();
    lines.dedup();
    assert_eq!((count, lines.len()), (12, 12));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn what_is_written_reads_back(words in prop::collection::vec(any::<String>(), 1..4)) {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let file = dir.path().join("default.rules");
        append_prefix_rule(&file, &words).expect("it is written");
        let text = fs::read_to_string(&file).expect("it is there");
        let rules = parse_rules(&file, &text).expect("our own lines are well formed");
        let pattern: Vec<String> = rules.prefix[0].pattern.concat();
        prop_assert_eq!(pattern, words);
    }
}
