use super::*;

fn place() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(".git");
    (folder, path)
}

fn hold(path: &Path) -> Option<Placeholder> {
    Placeholder::hold(path).expect("it can be made")
}

#[test]
fn a_placeholder_is_there_while_somebody_holds_it() {
    let (_folder, path) = place();
    let (first, second) = (hold(&path), hold(&path));
    assert!(first.is_some() && second.is_some() && is_placeholder(&path));
    drop(first);
    assert!(path.is_dir());
    drop(second);
    assert!(!path.exists() && !is_placeholder(&path));
}

#[tokio::test]
async fn a_program_that_ends_takes_away_what_lingers_and_nothing_else() {
    let ((one, idle), (two, held)) = (place(), place());
    drop(hold(&idle));
    let holder = hold(&held);
    assert!(idle.is_dir(), "it stays a moment for the next command");
    clear_below(one.path());
    clear_below(two.path());
    assert!(!idle.exists() && held.is_dir());
    drop(holder);
}

#[test]
fn what_is_there_by_itself_is_left_alone() {
    let (_folder, path) = place();
    std::fs::create_dir(&path).expect("a folder");
    assert!(hold(&path).is_none() && !is_placeholder(&path));
    assert!(path.is_dir());
}

#[test]
fn what_the_user_has_filled_meanwhile_stays() {
    let (_folder, path) = place();
    let held = hold(&path);
    std::fs::write(path.join("config"), "mine").expect("a file");
    drop(held);
    assert!(path.join("config").exists() && !is_placeholder(&path));
}

#[test]
fn a_placeholder_that_was_removed_is_made_again_for_the_next() {
    let (_folder, path) = place();
    let first = hold(&path);
    std::fs::remove_dir(&path).expect("it is empty");
    let second = hold(&path);
    assert!(path.is_dir());
    drop((first, second));
    assert!(!path.exists());
}

#[test]
fn a_place_that_cannot_be_written_says_so() {
    let refused = Placeholder::hold(Path::new("/proc/.git")).expect_err("it is refused");
    assert!(refused.raw_os_error().is_some());
}

#[tokio::test(start_paused = true)]
async fn between_two_commands_a_placeholder_stays_for_a_moment() {
    let (_folder, path) = place();
    drop(hold(&path));
    tokio::time::sleep(LINGER / 2).await;
    assert!(path.is_dir());
    let again = hold(&path);
    tokio::time::sleep(LINGER * 2).await;
    assert!(path.is_dir());
    drop(again);
    tokio::time::sleep(LINGER * 2).await;
    assert!(!path.exists());
}
