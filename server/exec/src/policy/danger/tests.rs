use super::*;

fn grade(line: &str) -> Option<Grade> {
    let words: Vec<Word> = line.split(' ').map(Word::exact).collect();
    danger_of(&words).map(|danger| danger.grade)
}

#[test]
fn deleting_without_asking_is_seen_in_every_spelling() {
    for line in [
        "rm -f x",
        "rm -rf x",
        "rm -fr x",
        "rm -r -f x",
        "rm x -f",
        "rm --force x",
        "rm --fo x",
        "/bin/rm -vf x",
        "rm -Rf x",
    ] {
        assert_eq!(grade(line), Some(Grade::Destroys), "{line}");
    }
    assert_eq!(grade("rm -r x"), Some(Grade::Risks));
    assert_eq!(grade("rm x"), None);
    assert_eq!(grade("rm -- -f"), None, "a file of that name");
}

#[test]
fn other_ways_to_lose_work_are_seen() {
    for (line, wanted) in [
        ("find . -name x -delete", Grade::Destroys),
        ("git clean -fdx", Grade::Destroys),
        ("git -C sub clean -f", Grade::Destroys),
        ("git reset --hard HEAD~1", Grade::Destroys),
        ("git --git-dir x reset --hard", Grade::Destroys),
        ("git checkout -- .", Grade::Risks),
        ("git checkout .", Grade::Risks),
        ("git restore src", Grade::Risks),
        ("git push --force", Grade::Risks),
        ("git push -f origin main", Grade::Risks),
        ("git push origin +main", Grade::Risks),
        ("git push origin :main", Grade::Risks),
        ("git branch -D x", Grade::Risks),
        ("git stash drop", Grade::Risks),
        ("shred x", Grade::Destroys),
        ("chmod -R 777 .", Grade::Risks),
        ("chown --recursive me .", Grade::Risks),
        ("truncate -s 0 x", Grade::Risks),
        ("dd if=a of=b", Grade::Risks),
    ] {
        assert_eq!(grade(line), Some(wanted), "{line}");
    }
}

#[test]
fn reaching_beyond_the_workspace_is_seen() {
    for (line, wanted) in [
        ("sudo ls", Grade::Reaches),
        ("su -c ls", Grade::Reaches),
        ("kill 1", Grade::Reaches),
        ("pkill -f x", Grade::Reaches),
        ("chmod u+s x", Grade::Reaches),
        ("chmod 4755 x", Grade::Reaches),
        ("systemctl stop x", Grade::Reaches),
        ("docker rm x", Grade::Reaches),
        ("mkfs.ext4 /dev/sda1", Grade::DestroysMachine),
        ("dd if=a of=/dev/sda", Grade::DestroysMachine),
        ("shutdown -h now", Grade::DestroysMachine),
        ("systemctl --force reboot", Grade::DestroysMachine),
        ("crontab -r", Grade::DestroysMachine),
        ("init 0", Grade::DestroysMachine),
    ] {
        assert_eq!(grade(line), Some(wanted), "{line}");
    }
}

#[test]
fn everyday_commands_are_not_dangerous() {
    for line in [
        "ls -rf",
        "git status",
        "git clean -n",
        "git reset HEAD x",
        "git checkout main",
        "git push",
        "git restore --staged x",
        "git gc",
        "find . -name x",
        "chmod +x x",
        "chmod 755 x",
        "kill -l",
        "mount",
        "dd if=a of=/dev/null",
        "systemctl status x",
        "docker ps",
        "crontab -l",
        "sudo --help",
        "init",
        "git",
        "rmdir x",
        "echo rm -f x",
    ] {
        assert_eq!(grade(line), None, "{line}");
    }
    assert_eq!(danger_of(&[]), None);
}

#[test]
fn deleting_each_file_that_is_found_is_dangerous_without_a_flag() {
    let words = |line: &str| line.split(' ').map(Word::exact).collect::<Vec<_>>();
    let each = |runner: &str, line: &str| danger_of_each(&words(runner), &words(line)).is_some();
    assert!(each("find . -exec rm {} ;", "rm {}"));
    assert!(each("xargs rm", "rm"));
    assert!(!each("xargs cat", "cat"));
    assert!(!each("env rm x", "rm x"));
}

#[test]
fn the_texts_are_sentences() {
    let danger = danger_of(&[Word::exact("rm"), Word::exact("-f")]).expect("it is dangerous");
    assert_eq!(danger.refusal(), "rm -f style commands are not permitted. Use a safer approach");
    assert_eq!(danger.reason(), "rm -f deletes files without asking");
}
