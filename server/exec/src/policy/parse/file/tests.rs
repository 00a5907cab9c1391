use proptest::prelude::*;

use super::super::super::rule::{Decision, Protocol};
use super::super::error::Position;
use super::*;

fn parse(text: &str) -> Result<Rules, RuleError> {
    parse_rules(Path::new("$HOME/rules/default.rules"), text)
}

/// What `id`, `id -u` and `ls` come to under the rules in `text`.
fn decisions(text: &str) -> Vec<Option<Decision>> {
    let rules = parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let decide = |line: &&str| {
        let words: Vec<Word> = line.split(' ').map(Word::exact).collect();
        let fits = |rule: &&PrefixRule| rules.fit(rule, &words) == Fit::Yes;
        rules.prefix.iter().filter(fits).map(|rule| rule.decision).max()
    };
    ["id", "id -u", "ls"].iter().map(decide).collect()
}

#[test]
fn every_recorded_file_is_accepted() {
    for text in [
        "prefix_rule([\"id\"], \"forbidden\")",
        "x = [\"id\"]\nprefix_rule(pattern = x, decision = \"forbidden\")",
        "def f(d):\n    prefix_rule(pattern = [d], decision = \"forbidden\")\nf(\"id\")",
        "[prefix_rule(pattern = [d], decision = \"forbidden\") for d in [\"id\"]]",
        "for d in [\"id\"]:\n    prefix_rule(pattern = [d], decision = \"forbidden\")",
        "# comment\nprefix_rule(pattern = [(\"id\" if True else \"x\")], decision = \"forbidden\",)",
        "prefix_rule(pattern = [\"id\"], decision = \"forbidden\", match = [\"id\", [\"id\", \"-u\"]], not_match = [\"ls\"])",
        "prefix_rule(pattern = [\"i\" + \"d\"], decision = \"forbidden\")",
        "host_executable(name = \"id\", paths = [\"/usr/bin/id\"])\nprefix_rule(pattern = [\"id\"], decision = \"forbidden\")",
        "network_rule(host = \"a.example\", protocol = \"https\", decision = \"deny\", justification = \"no\")\nprefix_rule(pattern = [\"id\"], decision = \"forbidden\")",
    ] {
        let forbidden = Some(Decision::Forbidden);
        assert_eq!(decisions(text), [forbidden, forbidden, None], "{text}");
    }
    assert_eq!(parse(""), Ok(Rules::default()));
}

#[test]
fn the_language_goes_a_little_further() {
    for text in [
        "def f(d, how = \"forbidden\"):\n    if d == \"id\":\n        prefix_rule([d], how)\n    elif d:\n        pass\n    else:\n        return\nf(\"id\")\nf(\"\")",
        "for a, b in [(\"id\", \"forbidden\")]:\n\tprefix_rule([a], b)",
        "words = [\"x\"]\nwords += [\"id\"]\nprefix_rule([words[-1]], \"forbidden\")",
        "prefix_rule(\n    pattern = [\n        \"id\", # the program\n    ],\n    decision = 'forbidden',\n)",
        "a, b = 'i', 'd'; prefix_rule([a + b], \"forbidden\")",
        "[prefix_rule([x], \"forbidden\") for x in [\"id\", \"ls\"] if x != \"ls\" and not x in [\"y\"]]",
        "def name():\n    return \"id\"\nprefix_rule([name()], \"forbidden\")",
        "for i in range(3):\n    if i == 1:\n        continue\n    if i > 1:\n        break\n    prefix_rule([\"id\"], \"forbidden\")",
        "prefix_rule([\"i\" \"d\"], \"forb\" + \"idden\") if len([1]) == 1 else None",
        "prefix_rule([\"\\x69\\u0064\"], r'forbidden')",
        "prefix_rule([\"\"\"id\"\"\"], \"forbidden\", justification = None)",
        "\u{feff}prefix_rule([[\"id\", \"who\"]], \"forbidden\")\r\n",
    ] {
        let forbidden = Some(Decision::Forbidden);
        assert_eq!(decisions(text), [forbidden, forbidden, None], "{text}");
    }
}

/// Text, message, column after its end.
const FAULTS: &[(&str, &str, usize)] = &[
    ("prefix_rule(pattern=[\"git\"], decision=\"nope\")", "invalid decision: nope", 46),
    ("prefix_rule(pattern=[])", "invalid pattern element: pattern cannot be empty", 24),
    (
        "prefix_rule(pattern=\"git\")",
        "Type of parameter `pattern` doesn't match, expected `list`, actual `string (repr: \"git\")`",
        27,
    ),
    (
        "prefix_rule(pattern=[\"git\"], nope=1)",
        "Found `nope` extra named parameter(s) for call to prefix_rule",
        37,
    ),
    (
        "prefix_rule(pattern=[\"git\"], match=[\"ls x\"])",
        "expected every example to match at least one rule; unmatched examples: [\"ls x\"]",
        45,
    ),
    (
        "prefix_rule(pattern=[\"git\"], not_match=[\"git x\"])",
        "expected example to not match rule `git`: git x",
        50,
    ),
    ("foo(1)", "Variable `foo` not found", 4),
    ("load(\"x.star\", \"y\")", "No imports are available, you tried `x.star`", 20),
    (
        "network_rule(host=\"*\", protocol=\"http\", decision=\"allow\")",
        "invalid rule: network_rule host must be a specific host; wildcards are not allowed",
        58,
    ),
    (
        "network_rule(host=\"a.example\", protocol=\"nope\", decision=\"allow\")",
        "invalid rule: network_rule protocol must be one of http, https, socks5_tcp, socks5_udp (got nope)",
        66,
    ),
    (
        "network_rule(host=\"a.example\", protocol=\"https\", decision=\"nope\")",
        "invalid decision: nope",
        66,
    ),
    (
        "host_executable(name=\"git\", paths=[\"git\"])",
        "invalid rule: host_executable paths must be absolute (got git)",
        43,
    ),
    (
        "host_executable(name=\"git\", paths=[\"/usr/bin/hg\"])",
        "invalid rule: host_executable path `/usr/bin/hg` must have basename `git`",
        51,
    ),
    (
        "prefix_rule(pattern=[\"git\", 5])",
        "invalid pattern element: pattern element must be a string or list of strings (got int)",
        32,
    ),
    (
        "prefix_rule(pattern=[[\"a\"], []])",
        "invalid pattern element: pattern alternatives cannot be empty",
        33,
    ),
    ("import os", "Parse error: cannot use reserved keyword `import`", 7),
    ("while True: pass", "Parse error: cannot use reserved keyword `while`", 6),
];

#[test]
fn recorded_faults_have_the_recorded_words_and_places() {
    for (text, message, end) in FAULTS {
        let error = parse(text).expect_err(text);
        assert_eq!(error.message, *message, "{text}");
        assert_eq!(error.start, Position { line: 1, column: 1 }, "{text}");
        assert_eq!(error.end, Position { line: 1, column: *end }, "{text}");
    }
    let open = parse("prefix_rule(pattern=[\"git\"]\n").expect_err("a bracket is open");
    assert_eq!(open.message, "Parse error: unexpected new line, expected symbol ')'");
    assert_eq!(open.start, Position { line: 2, column: 1 });
}

#[test]
fn the_details_are_written_as_recorded() {
    let error = parse("prefix_rule(pattern=[])").expect_err("the pattern is empty");
    assert_eq!(
        error.to_string(),
        "failed to parse rules file $HOME/rules/default.rules: starlark error: Traceback (most \
         recent call last):\n  * $HOME/rules/default.rules:1, in <module>\n      \
         prefix_rule(pattern=[])\nerror: invalid pattern element: pattern cannot be empty\n --> \
         $HOME/rules/default.rules:1:1\n  |\n1 | prefix_rule(pattern=[])\n  | \
         ^^^^^^^^^^^^^^^^^^^^^^^\n  |\n"
    );
    let error = parse("import os").expect_err("import is reserved");
    assert_eq!(
        error.to_string(),
        "failed to parse rules file $HOME/rules/default.rules: starlark error: error: Parse error: \
         cannot use reserved keyword `import`\n --> $HOME/rules/default.rules:1:1\n  |\n1 | import \
         os\n  | ^^^^^^\n  |\n"
    );
}

#[test]
fn faults_name_line_and_column() {
    let text = "x = 1\nprefix_rule([\"a\"])\n\n  \nif x:\n    y = \"ü\" + z\n";
    let error = parse(text).expect_err("z is not there");
    assert_eq!(error.message, "Variable `z` not found");
    assert_eq!((error.start.line, error.start.column), (6, 15));
    for (text, words) in [
        ("prefix_rule()", "Missing parameter `pattern`"),
        ("prefix_rule([\"a\"], pattern=[\"a\"])", "occurs more than once"),
        ("len(1, 2)", "extra positional"),
        ("prefix_rule(pattern=[\"a\"], \"allow\")", "positional argument after named"),
        ("\"a\" + 1", "Operation `+` not supported for types `string` and `int`"),
        ("[1][3]", "out of bound"),
        ("for x in 1: pass", "not iterable"),
        ("a, b = [1]", "expected 2 values"),
        ("1 = x", "only a variable"),
        ("\"open", "not closed"),
        ("\"\\q\"", "escape sequence `\\q`"),
        ("x = 1.5", "whole number"),
        ("x = §", "unexpected character"),
        ("if True:\n    pass\n  pass", "indentation"),
        ("if True:\npass", "expected indentation"),
        ("x = lambda: 1", "lambda"),
        ("\"a\".upper()", "methods"),
        ("prefix_rule([\"a\"], justification = \" \")", "justification cannot be empty"),
        ("def f(): f()\nf()", "too deeply"),
        ("network_rule(\"https://a\", \"http\", \"allow\")", "host name"),
        ("host_executable(\"/bin/id\", [])", "bare name"),
    ] {
        let error = parse(text).expect_err(text);
        assert!(error.message.contains(words), "{text}: {}", error.message);
    }
}

#[test]
fn a_file_cannot_keep_the_server_busy() {
    for text in [
        "for a in range(9999):\n  for b in range(9999):\n    pass".to_owned(),
        "x = \"a\"\nfor i in range(60):\n  x += x".to_owned(),
        "x = []\nfor i in range(9999):\n  x = [x]".to_owned(),
        "x = [1]\nfor i in range(60):\n  x = x + x".to_owned(),
        "[".repeat(10_000),
        "x = ".to_owned() + &"(".repeat(10_000),
        "x = ".to_owned() + &"1 + ".repeat(10_000) + "1",
        "x = ".to_owned() + &"not ".repeat(10_000) + "1",
        "x = ".to_owned() + &"-".repeat(10_000) + "1",
        "x = 1".to_owned() + &" if 1 else 1".repeat(10_000),
        "f".to_owned() + &"()".repeat(10_000),
        "if 1: ".repeat(10_000),
        (0..500).map(|depth| " ".repeat(depth) + "if 1:\n").collect::<String>(),
    ] {
        assert!(parse(&text).is_err(), "{}", text.chars().take(40).collect::<String>());
    }
}

#[test]
fn network_rules_and_hosts_are_kept() {
    let rules = parse(
        "network_rule(\"A.Example.\", \"https\", \"prompt\")\nhost_executable(\"git\", [\"/opt/git\"])\n\
         host_executable(\"git\", [\"/usr/bin/git\"])\n",
    );
    let rules = rules.expect("the rules are well formed");
    let rule = rules.network_rule("a.example", Protocol::Https).expect("there is one");
    assert_eq!((rule.decision, rule.origin.line), (Decision::Prompt, 1));
    assert_eq!(rules.hosts.get("git").map(Vec::len), Some(2));
}

proptest! {
    #[test]
    fn any_text_is_read_without_a_panic(text in any::<String>()) {
        if let Err(error) = parse(&text) {
            let _ = error.to_string();
        }
    }

    #[test]
    fn any_mix_of_the_language_is_read_without_a_panic(
        parts in prop::collection::vec(
            prop::sample::select(vec![
                "prefix_rule", "(", ")", "[", "]", "\"a\"", ",", "=", "\n", "\n  ", "def f", ":", "for ",
                " in ", "if ", "else", " not ", "x", "1", "+", "-", "pattern", "decision=\"allow\"", "#",
                "'", "\\", "return ", "é", "\t", "and ", "range(9)", "+=", "==", "None", "f(", ";",
            ]),
            0..40,
        ),
    ) {
        if let Err(error) = parse(&parts.concat()) {
            let _ = error.to_string();
        }
    }
}
