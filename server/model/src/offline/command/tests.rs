use super::{End, Outcome, Wish, command_of};

fn command(wish: &Wish) -> String {
    command_of(wish, false).expect("the wish needs a command")
}

fn create(file: &str, content: &str) -> Wish {
    Wish::Create { file: file.into(), content: content.into() }
}

#[test]
fn a_created_file_ends_with_a_line_end_and_tells_its_size() {
    assert_eq!(
        command(&create("a.txt", "it's")),
        "printf '%s\\n' 'it'\\''s' > 'a.txt' && wc -c < 'a.txt'"
    );
    assert_eq!(command(&create("a.txt", "x\n")), "printf '%s' 'x\n' > 'a.txt' && wc -c < 'a.txt'");
    assert_eq!(command(&create("a.txt", "")), ": > 'a.txt' && wc -c < 'a.txt'");
}

#[test]
fn folders_on_the_way_are_made() {
    assert!(command(&create("a/b/c.txt", "x")).starts_with("mkdir -p 'a/b' && printf"));
    assert!(command(&create("/c.txt", "x")).starts_with("printf"));
}

#[test]
fn a_protected_file_is_not_overwritten() {
    let command = command_of(&create("a.txt", "x"), true).expect("needs a command");
    assert!(command.starts_with("set -C; printf"));
}

#[test]
fn a_path_is_never_an_option() {
    assert_eq!(command(&Wish::Show("-rf".into())), "cat './-rf'");
    assert_eq!(command(&Wish::List(Some("$(x)".into()))), "ls -1Ap '$(x)'");
    assert_eq!(command(&Wish::List(None)), "ls -1Ap");
}

#[test]
fn words_need_no_command() {
    assert_eq!(command_of(&Wish::Explain, false), None);
    assert_eq!(command_of(&Wish::Plan(vec!["a".into()]), false), None);
}

#[test]
fn the_facts_of_a_command_are_read_from_its_output() {
    let text = "Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 3\nOriginal token count: 1\nOutput:\na\nOutput:\nb\n";
    let expected = Outcome { end: End::Exit(3), printed: "a\nOutput:\nb".into() };
    assert_eq!(Outcome::read(Some(text)), expected);
}

#[test]
fn a_running_command_is_followed_to_its_end() {
    let mut outcome = Outcome::read(Some(
        "Wall time: 1 seconds\nProcess running with session ID 71\nOutput:\na\n",
    ));
    assert_eq!(outcome.end, End::Running(71));
    outcome.follow(Outcome::read(Some("Process exited with code 0\nOutput:\nb\n")));
    assert_eq!(outcome, Outcome { end: End::Exit(0), printed: "a\nb".into() });
    assert!(outcome.is_success());
}

#[test]
fn a_refusal_is_no_run() {
    let text = "exec_command failed: rejected by user";
    assert_eq!(Outcome::read(Some(text)), Outcome { end: End::NotRun, printed: text.into() });
    assert_eq!(Outcome::read(None).end, End::NotRun);
}
