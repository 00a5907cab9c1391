use super::super::rule::Decision;
use super::*;

fn folder() -> (tempfile::TempDir, RuleBook) {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let book = RuleBook::new(vec![dir.path().join("rules"), dir.path().join("more")]);
    (dir, book)
}

fn write(dir: &tempfile::TempDir, name: &str, text: &str) {
    let path = dir.path().join(name);
    fs::create_dir_all(path.parent().expect("a folder")).expect("folders are made");
    // A new file each time, as editors do: the stamp then differs even within one tick.
    let _ = fs::remove_file(&path);
    fs::write(path, text).expect("files are made");
}

fn programs(book: &mut RuleBook) -> Vec<String> {
    let rules = book.current();
    rules.prefix.iter().filter_map(|rule| rule.pattern.first()?.first().cloned()).collect()
}

#[test]
fn every_rules_file_of_every_folder_counts_and_nothing_else() {
    let (dir, mut book) = folder();
    assert!(programs(&mut book).is_empty(), "folders need not be there");
    write(&dir, "rules/b.rules", "prefix_rule([\"b\"])");
    write(&dir, "rules/a.rules", "prefix_rule([\"a\"])");
    write(&dir, "rules/c.txt", "prefix_rule([\"c\"])");
    write(&dir, "rules/sub/d.rules", "prefix_rule([\"d\"])");
    write(&dir, "more/e.rules", "prefix_rule([\"e\"])");
    let mut found = programs(&mut book);
    found.sort();
    assert_eq!(found, ["a", "b", "e"]);
}

#[test]
fn named_files_count_alone_and_have_to_be_there() {
    let (dir, _) = folder();
    write(&dir, "rules/a.rules", "prefix_rule([\"a\"])");
    write(&dir, "other.txt", "prefix_rule([\"b\"])\n\nprefix_rule(1)");
    write(&dir, "fine", "prefix_rule([\"c\"])");
    let named = ["other.txt", "fine", "missing"].map(|name| dir.path().join(name));
    let mut book = RuleBook::of_files(named.to_vec());
    assert_eq!(programs(&mut book), ["c"]);
    let shown: Vec<String> = book.errors().map(LoadError::brief).collect();
    let [missing, other] = shown.as_slice() else { panic!("{shown:?}") };
    let begins = |name: &str, rest: &str| format!("{}{rest}", dir.path().join(name).display());
    assert!(missing.starts_with(&begins("missing", ": ")), "{missing}");
    assert!(other.starts_with(&begins("other.txt", ":3:")), "{other}");
    assert_eq!(book.files(), 3);
}

#[test]
fn a_change_counts_from_the_next_look_on() {
    let (dir, mut book) = folder();
    write(&dir, "rules/a.rules", "prefix_rule([\"a\"])");
    assert_eq!(programs(&mut book), ["a"]);
    let same = book.current();
    assert!(Arc::ptr_eq(&same, &book.current()), "an unchanged folder is not read again");
    write(&dir, "rules/a.rules", "prefix_rule([\"z\"], \"forbidden\")");
    assert_eq!(programs(&mut book), ["z"]);
    assert_eq!(book.current().prefix.first().map(|rule| rule.decision), Some(Decision::Forbidden));
    fs::remove_file(dir.path().join("rules/a.rules")).expect("it was there");
    assert!(programs(&mut book).is_empty());
}

#[test]
fn a_bad_file_disables_only_itself_and_is_told_once() {
    let (dir, mut book) = folder();
    write(&dir, "rules/a.rules", "prefix_rule([\"a\"])");
    write(&dir, "rules/bad.rules", "prefix_rule([\"b\"])\nprefix_rule([])");
    fs::write(dir.path().join("rules/bytes.rules"), b"\xff\xfe").expect("files are made");
    assert_eq!(programs(&mut book), ["a"]);
    let errors = book.take_errors();
    let names: Vec<_> = errors.iter().filter_map(|e| e.path().file_name()?.to_str()).collect();
    assert_eq!(names, ["bad.rules", "bytes.rules"]);
    assert!(errors.iter().any(|e| e.to_string().contains("pattern cannot be empty")));
    programs(&mut book);
    assert!(book.take_errors().is_empty());
    assert_eq!(book.errors().count(), 2, "they can still be asked for");
    write(&dir, "rules/bad.rules", "prefix_rule([\"b\"])");
    assert_eq!(programs(&mut book), ["a", "b"]);
    assert!(book.take_errors().is_empty());
}
