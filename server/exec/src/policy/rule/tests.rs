use super::*;

fn rule(pattern: &[&[&str]], decision: Decision) -> PrefixRule {
    PrefixRule {
        pattern: pattern.iter().map(|p| p.iter().map(|s| (*s).to_owned()).collect()).collect(),
        decision,
        justification: None,
        origin: Origin { file: Path::new("x.rules").into(), line: 1 },
    }
}

fn fit(rule: &PrefixRule, line: &str) -> Fit {
    fit_words(rule, &line.split(' ').map(Word::exact).collect::<Vec<_>>())
}

fn fit_words(rule: &PrefixRule, words: &[Word]) -> Fit {
    Rules::default().fit(rule, words)
}

#[test]
fn a_rule_fits_commands_that_start_with_its_words() {
    let push = rule(&[&["git"], &["push", "pull"]], Decision::Prompt);
    for (line, wanted) in [
        ("git push", Fit::Yes),
        ("git pull --force", Fit::Yes),
        ("git", Fit::No),
        ("git status push", Fit::No),
        ("hg push", Fit::No),
        ("/usr/bin/git push", Fit::Yes),
    ] {
        assert_eq!(fit(&push, line), wanted, "{line}");
    }
    assert_eq!(fit_words(&push, &[]), Fit::No);
}

#[test]
fn words_that_only_the_shell_knows_may_fit() {
    let push = rule(&[&["git"], &["push"]], Decision::Forbidden);
    let word = |text: &str, known| Word { text: text.to_owned(), known };
    let one = || word("$X", Known::OneWord);
    let many = || word("$X", Known::AnyWords);
    let git = || Word::exact("git");
    assert_eq!(fit_words(&push, &[git(), one()]), Fit::Maybe);
    assert_eq!(fit_words(&push, &[git(), many()]), Fit::Maybe);
    assert_eq!(fit_words(&push, &[many()]), Fit::Maybe);
    assert_eq!(fit_words(&push, &[one(), Word::exact("push")]), Fit::Maybe);
    assert_eq!(fit_words(&push, &[one(), Word::exact("pull")]), Fit::No);
    assert_eq!(fit_words(&push, &[Word::exact("ls"), many()]), Fit::No);
    let path = || word("$HOME/bin/git", Known::OneWord);
    assert_eq!(fit_words(&push, &[path(), Word::exact("push")]), Fit::Maybe);
    let other = || word("$HOME/bin/hg", Known::OneWord);
    assert_eq!(fit_words(&push, &[other(), Word::exact("push")]), Fit::No);
}

#[test]
fn a_bare_name_allows_only_the_systems_program() {
    let allow = rule(&[&["git"]], Decision::Allow);
    let forbid = rule(&[&["git"]], Decision::Forbidden);
    for path in ["/tmp/x/git", "./git", "bin/git"] {
        assert_eq!(fit(&allow, path), Fit::No, "{path}");
        assert_eq!(fit(&forbid, path), Fit::Yes, "{path}");
    }
    assert_eq!(fit(&allow, "/usr/bin/git"), Fit::Yes);
}

#[test]
fn host_executable_names_the_paths_that_count() {
    let mut rules = Rules::default();
    rules.hosts.insert("git".to_owned(), vec!["/opt/git/git".to_owned()]);
    let at = |decision, path: &str| rules.fit(&rule(&[&["git"]], decision), &[Word::exact(path)]);
    for decision in [Decision::Allow, Decision::Forbidden] {
        assert_eq!(at(decision, "/opt/git/git"), Fit::Yes);
        assert_eq!(at(decision, "/usr/bin/git"), Fit::No);
        assert_eq!(at(decision, "git"), Fit::Yes);
    }
    assert_eq!(at(Decision::Forbidden, "./git"), Fit::Yes);
}

#[test]
fn the_strictest_network_rule_counts() {
    let rule = |host: &str, decision| NetworkRule {
        host: host.to_owned(),
        protocol: Protocol::Https,
        decision,
        justification: None,
        origin: Origin { file: Path::new("x.rules").into(), line: 1 },
    };
    let network = vec![rule("a.example", Decision::Allow), rule("a.example", Decision::Forbidden)];
    let rules = Rules { network, ..Rules::default() };
    let found = |host: &str, protocol| rules.network_rule(host, protocol).map(|rule| rule.decision);
    assert_eq!(found("A.example.", Protocol::Https), Some(Decision::Forbidden));
    assert_eq!(found("a.example", Protocol::Http), None);
    assert_eq!(found("b.a.example", Protocol::Https), None);
}

#[test]
fn decisions_are_ordered_by_strictness_and_read_back() {
    assert!(Decision::Allow < Decision::Prompt && Decision::Prompt < Decision::Forbidden);
    for decision in [Decision::Allow, Decision::Prompt, Decision::Forbidden] {
        assert_eq!(Decision::from_word(decision.as_str()), Some(decision));
    }
    assert_eq!(Protocol::from_word("socks5_udp"), Some(Protocol::Socks5Udp));
    assert_eq!(Decision::from_word("deny"), None);
}
