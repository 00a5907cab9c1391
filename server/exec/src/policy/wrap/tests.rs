use super::*;

fn run(line: &[&str]) -> Vec<String> {
    let words: Vec<Word> = line.iter().map(|word| Word::exact(*word)).collect();
    inside(&words)
        .into_iter()
        .map(|inside| match inside {
            Inside::Words(words) => format!("[{}]", join(&words).trim_end()),
            Inside::Script(text) => format!("<{text}>"),
            Inside::File(words) => format!("file {}", join(&words)),
            Inside::Stdin => "stdin".to_owned(),
            Inside::Unseen => "unseen".to_owned(),
        })
        .collect()
}

#[test]
fn wrappers_give_the_command_behind_their_options() {
    for (line, wanted) in [
        ("env id", "[id]"),
        ("env -i X=1 Y=2 id -u", "[id -u]"),
        ("env -u HOME -- id", "[id]"),
        ("command id", "[id]"),
        ("command -p id", "[id]"),
        ("exec -a name id", "[id]"),
        ("nohup id", "[id]"),
        ("nice -n 5 id", "[id]"),
        ("nice -5 id", "[id]"),
        ("timeout 5 id", "[id]"),
        ("timeout -k 5 --signal=KILL 10s id", "[id]"),
        ("sudo id", "[id]"),
        ("sudo -u root -n id", "[id]"),
        ("sudo -nu root X=1 id", "[id]"),
        ("doas -u root id", "[id]"),
        ("xargs id", "[id]"),
        ("xargs -0 -n 1 -I {} id", "[id]"),
        ("xargs -n1 -P4 id", "[id]"),
        ("stdbuf -oL id", "[id]"),
        ("setsid -f id", "[id]"),
        ("time -p id", "[id]"),
        ("busybox id", "[id]"),
        ("chroot / id", "[id]"),
        ("flock /tmp/l id", "[id]"),
        ("/usr/bin/env id", "[id]"),
        ("find . -name x -exec id {} ;", "[id {}]"),
        ("find . -ok id ; -exec uname +", "[id]"),
    ] {
        let words: Vec<&str> = line.split(' ').collect();
        let found = run(&words);
        assert_eq!(found.first().map(String::as_str), Some(wanted), "{line}: {found:?}");
    }
}

#[test]
fn an_unknown_option_is_read_both_ways() {
    let found = run(&["nice", "-z", "5", "id"]);
    assert_eq!(found, ["[id]", "[5 id]"]);
    assert_eq!(run(&["sudo", "--new-option", "x", "id"]), ["[id]", "[x id]"]);
}

#[test]
fn scripts_in_words_are_found() {
    for (line, wanted) in [
        (vec!["bash", "-c", "id"], "<id>"),
        (vec!["bash", "-lc", "id"], "<id>"),
        (vec!["bash", "-l", "-c", "id", "name"], "<id>"),
        (vec!["bash", "-c", "-", "id"], "<id>"),
        (vec!["bash", "+", "-c", "id"], "<id>"),
        (vec!["bash", "-o", "pipefail", "-ec", "id"], "<id>"),
        (vec!["/bin/sh", "-c", "id"], "<id>"),
        (vec!["zsh", "--no-rcs", "-c", "id"], "<id>"),
        (vec!["su", "-", "root", "-c", "id"], "<id>"),
        (vec!["su", "--command=id"], "<id>"),
        (vec!["eval", "i", "d"], "<i d>"),
        (vec!["env", "-S", "id -u"], "<id -u>"),
        (vec!["env", "-iSid"], "<id>"),
        (vec!["trap", "id", "EXIT"], "<id>"),
        (vec!["alias", "x=id"], "<id>"),
        (vec!["watch", "-n", "1", "id", "-u"], "<id -u>"),
        (vec!["parallel", "id {}", ":::", "a"], "<id {}>"),
        (vec!["flock", "/tmp/l", "-c", "id"], "<id>"),
    ] {
        let found = run(&line);
        assert!(found.iter().any(|inside| inside == wanted), "{line:?}: {found:?}");
    }
}

#[test]
fn a_shell_without_a_script_reads_its_input() {
    assert_eq!(run(&["bash"]), ["stdin"]);
    assert_eq!(run(&["sh", "-s", "arg"]), ["stdin"]);
    assert_eq!(run(&["bash", "-x", "-"]), ["stdin"]);
    assert_eq!(run(&["sh", "/dev/stdin"]), ["stdin"]);
    assert_eq!(run(&[".", "/dev/fd/3"]), ["stdin"]);
    assert_eq!(run(&["bash", "-x", "build.sh", "all"]), ["file build.sh all"]);
    assert_eq!(run(&["source", "env.sh"]), ["file env.sh"]);
    assert_eq!(run(&["bash", "-c"]), ["unseen"]);
}

#[test]
fn ordinary_commands_run_nothing_else() {
    for line in ["ls -l", "git status", "find . -name x", "command -v id", "echo env id"] {
        let words: Vec<&str> = line.split(' ').collect();
        assert!(run(&words).is_empty(), "{line}");
    }
    assert!(inside(&[]).is_empty());
}
