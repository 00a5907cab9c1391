use super::*;

const ID: &str = "0199a213-81c0-7800-8aa1-bbab2a035a53";

#[test]
fn a_made_name_reads_back() {
    let id = ThreadId::parse(ID).unwrap();
    let created: Timestamp = "2025-10-02T10:00:07.123Z".parse().unwrap();
    let path = live(Path::new("/h"), id, created);
    let name = FileName::parse(&path).unwrap();
    assert_eq!(name.id, id);
    assert_eq!(name.made_ms(), created.as_millisecond() / 1000 * 1000);
    assert!(is_rollout(path.file_name().unwrap().to_str().unwrap()));
}

#[test]
fn a_segment_belongs_to_its_thread() {
    let path =
        format!("rollout-2025-10-02T10-00-07-{ID}_0199a213-81c0-7800-8aa1-bbab2a035a54.jsonl");
    assert_eq!(FileName::parse(Path::new(&path)).unwrap().id.to_string(), ID);
}

#[test]
fn other_names_say_nothing() {
    for name in [
        "rollout-renamed.jsonl",
        "rollout-2025-10-02T10-00-07.jsonl",
        "rollout-2025-13-02T10-00-07-0199a213-81c0-7800-8aa1-bbab2a035a53.jsonl",
        "notes.txt",
        "rollout-é025-10-02T10-00-0é7-x.jsonl",
    ] {
        assert_eq!(FileName::parse(Path::new(name)), None, "{name}");
    }
}

#[test]
fn archiving_and_back_gives_the_same_place() {
    let id = ThreadId::parse(ID).unwrap();
    let home = Path::new("/h");
    let path = live(home, id, "2025-10-02T10:00:07Z".parse().unwrap());
    let away = archived(home, &path);
    assert_eq!(away.parent().unwrap(), home.join(ARCHIVED));
    assert_eq!(unarchived(home, &away), path);
}
