use super::*;

fn reads(line: &str) -> bool {
    is_read_only(&line.split(' ').map(Word::exact).collect::<Vec<_>>())
}

#[test]
fn reading_is_known() {
    for line in [
        "ls -la",
        "cat x",
        "/usr/bin/cat x",
        "head -n 3 x",
        "grep -rn x .",
        "rg -n x",
        "find . -name x",
        "fd x",
        "sed -n 1,20p x",
        "git status",
        "git -C sub log -3",
        "git --no-pager diff",
        "git branch",
        "git branch --show-current",
        "git remote -v",
        "sort x",
        "uniq x",
        "date",
        "date +%s",
        "wc -l",
        "git stash list",
        "hostname",
        "git config --get user.name",
    ] {
        assert!(reads(line), "{line}");
    }
}

#[test]
fn what_may_write_or_run_is_not_taken_for_reading() {
    for line in [
        "rm x",
        "touch x",
        "/tmp/cat x",
        "./ls",
        "find . -delete",
        "find . -exec rm {} ;",
        "fd -x rm",
        "find . -fprint x",
        "sed -i s/a/b/ x",
        "sed -n 1,2w x",
        "sed -n 1p -i x",
        "rg --pre sh x",
        "rg --pre=sh x",
        "rg -nz x",
        "sort -o x y",
        "sort -uo x y",
        "sort --output=x y",
        "uniq a b",
        "git commit",
        "git branch x",
        "git -c core.pager=sh log",
        "git log --output=x",
        "git grep -O x",
        "git diff --ext-diff",
        "git remote add a b",
        "date -s x",
        "hostname x",
        "git config a b",
        "git",
        "env ls",
        "bash -c ls",
        "base64 -o x",
        "tree -o x",
    ] {
        assert!(!reads(line), "{line}");
    }
    assert!(!is_read_only(&[]));
}

#[test]
fn words_that_only_the_shell_knows_count_against_commands_with_options_that_write() {
    let word = Word { text: "*".to_owned(), known: super::super::word::Known::AnyWords };
    assert!(is_read_only(&[Word::exact("cat"), word.clone()]));
    assert!(!is_read_only(&[Word::exact("find"), word.clone()]));
    assert!(!is_read_only(&[word]));
}
