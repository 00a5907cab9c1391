use super::*;

fn bind(path: &str, access: Access) -> Bind {
    Bind { path: path.into(), access }
}

fn plan() -> Plan {
    Plan {
        roots: vec!["/w".into(), "/w/.git/tmp".into()],
        binds: vec![
            bind("/w", Access::Write),
            bind("/w/a", Access::Write),
            bind("/w/.git", Access::Read),
            bind("/w/a/home", Access::Read),
            bind("/w/.git/tmp", Access::Write),
        ],
        covers: vec![Cover::Folder("/run".into()), Cover::File("/s.sock".into())],
        ..Plan::default()
    }
}

/// The rules with paths in the place of parameters.
fn rules(plan: &Plan) -> Vec<String> {
    let Profile { text, values } = Profile::of(plan);
    let text = values.iter().enumerate().fold(text, |text, (number, path)| {
        let path = format!("\"{}\"", path.display());
        text.replace(&format!("(param \"P{number}\")"), &path)
    });
    text.lines().map(str::to_owned).collect()
}

fn place(rules: &[String], rule: &str) -> usize {
    let place = rules.iter().rposition(|line| line == rule);
    place.unwrap_or_else(|| panic!("{rule} is not in\n{}", rules.join("\n")))
}

#[test]
fn what_is_not_allowed_is_refused_and_inner_rules_come_after_outer_ones() {
    let rules = rules(&plan());
    assert_eq!(rules[..2], ["(version 1)", "(deny default)"]);
    let workspace = place(&rules, "(allow file-write* (subpath \"/w\"))");
    let repository = place(&rules, "(deny file-write* (subpath \"/w/.git\"))");
    let inside = place(&rules, "(allow file-write* (subpath \"/w/.git/tmp\"))");
    assert!(workspace < repository && repository < inside);
}

#[test]
fn folders_above_a_protected_one_stay_where_they_are() {
    let rules = rules(&plan());
    for path in ["/w", "/w/a", "/w/.git", "/w/a/home"] {
        place(&rules, &format!("(deny file-write-unlink (literal \"{path}\"))"));
    }
    assert!(!rules.contains(&"(allow file-write* (subpath \"/w/a\"))".to_owned()));
}

#[test]
fn covered_sockets_cannot_be_reached_whatever_else_is_allowed() {
    let rules = rules(&Plan { network: true, ..plan() });
    let network = place(&rules, "(allow network* system-socket)");
    for rule in ["(subpath \"/run\")", "(literal \"/s.sock\")"] {
        let rule = format!("(deny file-read* file-write* network-outbound {rule})");
        assert!(place(&rules, &rule) > network);
    }
    assert!(!rules_text(&plan()).contains("network*"));
}

fn rules_text(plan: &Plan) -> String {
    rules(plan).join("\n")
}

#[test]
fn no_name_of_a_folder_becomes_a_rule() {
    let evil = "/w\") (allow default) (\"";
    let plan = Plan { roots: vec![evil.into()], ..Plan::default() };
    let line = arguments(&plan);
    assert_eq!(line[0], PROGRAM);
    assert!(!line[2].to_string_lossy().contains("allow default"));
    assert_eq!(line[3..], ["-D", &format!("P0={evil}"), "--"]);
}

#[test]
fn every_bracket_of_a_profile_is_closed() {
    let text = rules_text(&Plan { network: true, ..plan() });
    assert_eq!(text.matches('(').count(), text.matches(')').count());
    assert!(text.matches('"').count().is_multiple_of(2));
}
