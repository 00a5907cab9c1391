use std::path::Path;

use spindle_schema::settings::ApprovalPolicy;

use super::super::parse::parse_rules;
use super::*;

fn explained(text: &str) -> Explanation {
    let rules = "prefix_rule([\"id\"], \"forbidden\", justification = \"use whoami\")\nprefix_rule([\"echo\"])";
    let rules = parse_rules(Path::new("x.rules"), rules).expect("the rules are well formed");
    let context = Context {
        approval: ApprovalPolicy::OnRequest,
        confinement: Confinement::Enforced,
        escalation: Escalation::No,
    };
    explain(&rules, &CommandLine::of_script("bash", text), context)
}

#[test]
fn the_way_to_a_verdict_is_shown() {
    let text = explained("echo a && env id; rm -f x; ls").to_string();
    assert_eq!(
        text,
        "command: bash -lc 'echo a && env id; rm -f x; ls'\n  \
         runs: echo a\n    rule allow `echo` (x.rules:2)\n    only reads\n  \
         runs: env id\n  \
         runs: rm -f x\n    dangerous: rm -f deletes files without asking\n  \
         runs: ls\n    only reads\n    \
         runs: id\n      rule forbidden `id` (x.rules:1)\n      only reads\n\
         verdict: forbid: `bash -lc 'echo a && env id; rm -f x; ls'` rejected: use whoami\n"
    );
}

#[test]
fn what_is_unsure_is_said() {
    let hidden = explained("$X > f").to_string();
    assert!(hidden.contains("rule forbidden `id` (x.rules:1, may fit)"), "{hidden}");
    assert!(hidden.contains("more than plain commands"), "{hidden}");
    assert!(!hidden.contains("rule allow"), "{hidden}");
    let unread = explained("echo 'open").to_string();
    assert!(
        unread.contains("a part of it cannot be read") && unread.contains("verdict: ask"),
        "{unread}"
    );
    assert!(explained("echo a").to_string().contains("verdict: allow: rules allow it"));
    assert!(explained("date").to_string().ends_with("verdict: allow: the sandbox holds it\n"));
}

#[test]
fn programs_get_it_as_json() {
    let json = serde_json::to_value(explained("id")).expect("an explanation is plain data");
    assert_eq!(json["decision"], "forbidden");
    assert_eq!(json["verdict"], "forbid");
    let rule = serde_json::json!({
        "pattern": "id", "decision": "forbidden", "certain": true, "origin": "x.rules:1",
        "justification": "use whoami",
    });
    assert_eq!(json["commands"][0]["matchedRules"][0], rule);
    assert_eq!(
        serde_json::to_value(explained("date")).expect("plain data")["decision"],
        serde_json::Value::Null
    );
}
