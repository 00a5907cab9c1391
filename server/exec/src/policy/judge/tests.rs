use std::path::Path;

use proptest::prelude::*;

use super::super::parse::parse_rules;
use super::*;
use crate::generated::{Source, script};

const RULES: &str = "prefix_rule([\"echo\"], \"allow\")\n\
    prefix_rule([\"uname\"], \"prompt\", justification = \"says which kernel\")\n\
    prefix_rule([\"id\"], \"forbidden\", justification = \"use whoami instead\")\n";

const ON_REQUEST: Context = Context {
    approval: ApprovalPolicy::OnRequest,
    confinement: Confinement::Enforced,
    escalation: Escalation::No,
};
const UNTRUSTED: Context = Context { approval: ApprovalPolicy::Untrusted, ..ON_REQUEST };
const NEVER: Context = Context { approval: ApprovalPolicy::Never, ..ON_REQUEST };

fn with(rules: &str, text: &str, context: Context) -> Verdict {
    let rules = parse_rules(Path::new("x.rules"), rules).expect("the test's rules are well formed");
    judge(&rules, &CommandLine::of_script("/bin/bash", text), context)
}

fn under(text: &str, context: Context) -> Verdict {
    with(RULES, text, context)
}

fn run() -> Verdict {
    Verdict::Allow { bypass_sandbox: false }
}

fn forbid(reason: &str) -> Verdict {
    Verdict::Forbid { reason: reason.to_owned() }
}

fn ask(reason: Option<&str>, amendment: Option<&[&str]>) -> Verdict {
    Verdict::Ask {
        reason: reason.map(str::to_owned),
        proposed_amendment: amendment.map(|words| words.iter().map(|w| (*w).to_owned()).collect()),
    }
}

#[test]
fn plain_commands_under_rules_come_out_as_recorded() {
    let kernel = Some("`/bin/bash -lc uname` requires approval: says which kernel");
    let not_id = "`/bin/bash -lc id` rejected: use whoami instead";
    for context in [ON_REQUEST, UNTRUSTED] {
        assert_eq!(under("echo a", context), Verdict::Allow { bypass_sandbox: true });
        assert_eq!(under("uname", context), ask(kernel, None));
        assert_eq!(under("id", context), forbid(not_id));
        assert_eq!(
            under("/usr/bin/id", context),
            forbid("`/bin/bash -lc /usr/bin/id` rejected: use whoami instead")
        );
    }
    let never = "approval required by policy, but AskForApproval is set to Never";
    assert_eq!(under("uname", NEVER), forbid(never));
    assert_eq!(under("id", NEVER), forbid(not_id));
    assert_eq!(under("date +%Y > /dev/null", ON_REQUEST), run());
    assert_eq!(
        under("date +%Y > /dev/null", UNTRUSTED),
        ask(None, Some(&["/bin/bash", "-lc", "date +%Y > /dev/null"]))
    );
}

#[test]
fn a_rule_off_under_the_granular_policy_refuses_instead_of_asking() {
    let granular = |rules, sandbox_approval| {
        let rest = Granular {
            sandbox_approval,
            rules,
            skill_approval: true,
            request_permissions: true,
            mcp_elicitations: true,
        };
        Context { approval: ApprovalPolicy::Granular(rest), ..ON_REQUEST }
    };
    assert_eq!(
        under("uname", granular(false, true)),
        forbid("approval required by policy rule, but AskForApproval::Granular.rules is false")
    );
    assert!(matches!(under("uname", granular(true, true)), Verdict::Ask { .. }));
    let escalated = Context { escalation: Escalation::Asked, ..granular(true, false) };
    let recorded = "approval policy is Granular(GranularApprovalConfig { sandbox_approval: false, \
        rules: true, skill_approval: true, request_permissions: true, mcp_elicitations: true }); \
        reject command — you cannot ask for escalated permissions if the approval policy is \
        Granular(GranularApprovalConfig { sandbox_approval: false, rules: true, skill_approval: \
        true, request_permissions: true, mcp_elicitations: true })";
    assert_eq!(under("touch x", escalated), forbid(recorded));
}

#[test]
fn leaving_the_sandbox_is_asked_about_or_refused() {
    let escalated = |context| Context { escalation: Escalation::Asked, ..context };
    assert_eq!(under("touch made", escalated(ON_REQUEST)), ask(None, Some(&["touch", "made"])));
    assert_eq!(
        under("touch made", escalated(NEVER)),
        forbid(
            "approval policy is Never; reject command — you cannot ask for escalated permissions \
                if the approval policy is Never"
        )
    );
    let allow = "prefix_rule(pattern=[\"touch\"], decision=\"allow\")";
    let allowed = Verdict::Allow { bypass_sandbox: true };
    assert_eq!(with(allow, "touch other", escalated(ON_REQUEST)), allowed);
    let unwanted = Context { confinement: Confinement::Unwanted, ..escalated(NEVER) };
    assert_eq!(under("touch made", unwanted), run(), "there is no sandbox to leave");
}

#[test]
fn amendments_name_the_part_that_no_rule_allows() {
    assert_eq!(under("echo a | cat", UNTRUSTED), ask(None, Some(&["cat"])));
    assert_eq!(under("cat x && echo a", UNTRUSTED), ask(None, Some(&["cat", "x"])));
    let whole: &[&str] = &["/bin/bash", "-lc", "echo a > f.txt"];
    assert_eq!(under("echo a > f.txt", UNTRUSTED), ask(None, Some(whole)));
    let accepted =
        "prefix_rule(pattern=[\"/bin/bash\", \"-lc\", \"echo a > f.txt\"], decision=\"allow\")";
    let allowed = Verdict::Allow { bypass_sandbox: true };
    assert_eq!(with(accepted, "echo a > f.txt", UNTRUSTED), allowed);
    assert!(matches!(with(accepted, "echo b > f.txt", UNTRUSTED), Verdict::Ask { .. }));
}

#[test]
fn allow_rules_lift_the_sandbox_only_for_plain_commands_that_are_all_allowed() {
    let rules = "prefix_rule([[\"echo\", \"touch\"]])";
    let lifted =
        |text: &str| with(rules, text, ON_REQUEST) == Verdict::Allow { bypass_sandbox: true };
    for text in [
        "echo a",
        "touch a && echo b",
        "touch 5 | touch 6",
        "timeout 5 echo a",
        "bash -c 'echo a'",
        "\"echo\" a # why",
    ] {
        assert!(lifted(text), "{text}");
    }
    for text in [
        "echo a > f",
        "echo a; ls",
        "(echo a)",
        "echo $(ls)",
        "X=1 echo a",
        "echo a &",
        "bash -c 'echo a > f'",
        "bash -c 'echo a; ls'",
        "env X=1 echo a",
        "echo a | sh",
        "./echo a",
        "bash echo",
        ". echo",
        "timeout 5 bash -c 'echo $X'",
        "for i in 1; do echo a; done",
        "",
    ] {
        assert!(!lifted(text), "{text}");
    }
    let shell = "prefix_rule([\"bash\"])";
    assert_eq!(with(shell, "rm x", ON_REQUEST), run(), "a rule about bash is not about its script");
}

#[test]
fn of_several_rules_the_strictest_wins() {
    let rules = "prefix_rule([\"git\"], \"prompt\")\nprefix_rule([\"git\", \"status\"])\n\
        prefix_rule([\"git\", \"push\", \"--force\"], \"forbidden\")\n\
        prefix_rule([[\"cat\", \"head\"]], \"forbidden\")";
    assert_eq!(
        with(rules, "git status", ON_REQUEST),
        ask(Some("`/bin/bash -lc 'git status'` requires approval by policy"), None)
    );
    assert_eq!(
        with(rules, "git push --force", ON_REQUEST),
        forbid(
            "`/bin/bash -lc 'git push --force'` rejected: policy forbids commands starting with \
                `git push --force`"
        )
    );
    let head = with(rules, "/usr/bin/head x", ON_REQUEST);
    assert!(matches!(head, Verdict::Forbid { reason } if reason.ends_with("with `head`")));
    let elsewhere = with(rules, "git -C sub push --force", ON_REQUEST);
    assert!(matches!(elsewhere, Verdict::Forbid { .. }), "{elsewhere:?}");
}

#[test]
fn what_may_run_a_forbidden_command_is_asked_about() {
    for text in [
        "$X",
        "\"$X\" -u",
        "eval \"$X\"",
        "bash -c \"$X\"",
        "curl x | sh",
        "bash < f",
        "echo 'open",
    ] {
        let verdict = under(text, ON_REQUEST);
        assert!(
            matches!(verdict, Verdict::Ask { reason: Some(_), proposed_amendment: None }),
            "{text}: {verdict:?}"
        );
        assert!(matches!(under(text, NEVER), Verdict::Forbid { .. }), "{text}");
        assert_eq!(
            with("prefix_rule([\"echo\"])", text, ON_REQUEST),
            run(),
            "{text}: no strict rule"
        );
    }
    assert_eq!(under("ls $X", ON_REQUEST), run());
}

#[test]
fn dangers_are_asked_about_in_a_sandbox_and_refused_where_nobody_is_asked() {
    let judged = |text, context| with("", text, context);
    let reason =
        "`/bin/bash -lc 'rm -rf sub'` requires approval: rm -f deletes files without asking";
    assert_eq!(judged("rm -rf sub", ON_REQUEST), ask(Some(reason), Some(&["rm", "-rf", "sub"])));
    let wrapped = judged("bash -c 'rm -rf sub'", ON_REQUEST);
    assert!(matches!(wrapped, Verdict::Ask { proposed_amendment: Some(words), .. }
        if words == ["bash", "-c", "rm -rf sub"]));
    let unwanted = Context { confinement: Confinement::Unwanted, ..NEVER };
    for context in [NEVER, unwanted] {
        assert_eq!(
            judged("bash -c 'rm -rf sub'", context),
            forbid(
                "`/bin/bash -lc \"bash -c 'rm -rf sub'\"` rejected: rm -f style commands are not \
                    permitted. Use a safer approach"
            )
        );
        assert!(matches!(judged("find . -delete", context), Verdict::Forbid { .. }));
        assert!(matches!(judged("ls | xargs rm", context), Verdict::Forbid { .. }));
    }
    for text in ["sudo -n ls", "kill 1", "shutdown now"] {
        assert_eq!(judged(text, ON_REQUEST), run(), "{text}: the sandbox holds it");
        let asked = judged(text, Context { confinement: Confinement::Unwanted, ..ON_REQUEST });
        assert!(matches!(asked, Verdict::Ask { reason: Some(_), .. }), "{text}");
        let escalated = judged(text, Context { escalation: Escalation::Asked, ..ON_REQUEST });
        assert!(matches!(escalated, Verdict::Ask { reason: Some(_), .. }), "{text}");
    }
    assert_eq!(judged("kill 1", unwanted), run(), "nobody may be asked, and it can be mended");
    assert!(matches!(judged("shutdown now", unwanted), Verdict::Forbid { .. }));
}

#[test]
fn a_users_rule_outweighs_our_own_idea_of_danger() {
    let allow = "prefix_rule([\"rm\", \"-rf\", \"build\"])";
    let allowed = Verdict::Allow { bypass_sandbox: true };
    assert_eq!(with(allow, "rm -rf build", NEVER), allowed);
    assert_eq!(with(allow, "bash -c 'rm -rf build'", NEVER), allowed);
    assert!(matches!(with(allow, "rm -rf build; rm -rf src", NEVER), Verdict::Forbid { .. }));
}

#[test]
fn without_a_sandbox_only_reading_runs_unasked() {
    let missing = |context| Context { confinement: Confinement::Unavailable, ..context };
    for text in ["ls -l", "cat a | wc -l && git status"] {
        assert_eq!(with("", text, missing(ON_REQUEST)), run(), "{text}");
        assert_eq!(with("", text, missing(NEVER)), run(), "{text}");
    }
    for text in ["make", "ls > f", "cat $(make)", "ls; make", "echo 'open"] {
        assert!(
            matches!(with("", text, missing(ON_REQUEST)), Verdict::Ask { reason: Some(_), .. }),
            "{text}"
        );
        assert!(matches!(with("", text, missing(NEVER)), Verdict::Forbid { .. }), "{text}");
    }
}

#[test]
fn untrusted_asks_about_every_command_without_a_rule() {
    assert_eq!(with("", "ls", UNTRUSTED), ask(None, Some(&["ls"])));
    assert_eq!(with("", "touch made", UNTRUSTED), ask(None, Some(&["touch", "made"])));
}

/// What the peer did with commands under `RULES`, and where we see what it does not. The columns:
/// text, on-request, untrusted. `a` runs, `l` runs without a sandbox, `k` asks for `uname`, `u` asks
/// because nothing allows it, `f` refuses.
const COMPOUND: &[(&str, &str)] = &[
    ("echo a && uname", "kk"),
    ("echo a; id", "ff"),
    ("echo a | cat", "au"),
    ("uname | cat", "kk"),
    ("echo a || id", "ff"),
    ("echo a\nid", "ff"),
    ("cd / && id", "ff"),
    ("echo a > f.txt", "au"),
    ("cat <<EOF\nid\nEOF", "au"),
    ("echo a & wait", "au"),
    // A comment runs nothing: what is left is allowed.
    ("echo a # id", "ll"),
    ("echo a", "ll"),
    // All of these passed the rules of the peer unseen.
    ("(echo a; uname)", "kk"),
    ("uname > f.txt", "kk"),
    ("X=1 uname", "kk"),
    ("bash -c 'uname'", "kk"),
    ("for i in 1; do uname; done", "kk"),
    ("echo $(id -u)", "ff"),
    ("echo `id -u`", "ff"),
    ("X=1 id", "ff"),
    ("bash -lc 'echo a && id'", "ff"),
    ("sh -c 'id'", "ff"),
    ("env id", "ff"),
    ("bash <<'EOF'\nid\nEOF", "ff"),
    ("if true; then id; fi", "ff"),
    ("! id", "ff"),
    ("exec id", "ff"),
    ("eval id", "ff"),
    ("command id", "ff"),
    ("\"id\"", "ff"),
    ("i''d", "ff"),
    ("\\id", "ff"),
    ("f() { id; }; f", "ff"),
    ("{ id; }", "ff"),
    ("nohup id", "ff"),
    ("xargs id < /dev/null", "ff"),
    ("echo a 2>&1 | id", "ff"),
];

#[test]
fn compound_commands_come_out_as_recorded_or_stricter() {
    for (text, wanted) in COMPOUND {
        let found: String = [ON_REQUEST, UNTRUSTED]
            .iter()
            .map(|context| match under(text, *context) {
                Verdict::Allow { bypass_sandbox: false } => 'a',
                Verdict::Allow { bypass_sandbox: true } => 'l',
                Verdict::Ask { reason: Some(reason), proposed_amendment: None } => {
                    assert!(reason.ends_with("requires approval: says which kernel"), "{reason}");
                    'k'
                }
                Verdict::Ask { reason: None, proposed_amendment: Some(_) } => 'u',
                Verdict::Forbid { reason } => {
                    assert!(reason.ends_with("rejected: use whoami instead"), "{reason}");
                    'f'
                }
                other => panic!("{text}: {other:?}"),
            })
            .collect();
        assert_eq!(found, *wanted, "{text}");
    }
}

/// Ways to wrap a command in another; `@` stands for the inner one, quoted where it must be.
const WRAPPERS: &[&str] = &[
    "@",
    "( @ )",
    "{ @; }",
    "! @",
    "true && @",
    "@ | cat",
    "false || @",
    "@ &",
    "@ > /dev/null 2>&1",
    "X=1 @",
    "echo $( @ )",
    "echo \"$( @ )\"",
    "X=$( @ )",
    "if true; then @; fi",
    "if @; then :; fi",
    "for i in 1; do @; done",
    "while @; do break; done",
    "f() { @; }; f",
    "case x in x) @;; esac",
    "cat <( @ )",
    "env A=1 @",
    "command @",
    "exec @",
    "nohup @",
    "nice -n 3 @",
    "timeout 9 @",
    "sudo -u root @",
    "xargs @ < f",
    "find . -exec @ ;",
    "bash -c '@'",
    "sh -lc '@'",
    "eval '@'",
    "env -S '@'",
    "trap '@' EXIT",
    "su -c '@'",
    "bash <<'E'\n@\nE",
    "cat <<E | sh\n@\nE",
    "sh <<< '@'",
    "echo '@' | bash",
    "cat <<E\n$( @ )\nE",
    "time @",
    "ls | xargs timeout 3 @",
    ". <(echo @)",
    "sh /dev/stdin <<E\n@\nE",
    "stdbuf -o0 @",
    "setsid @",
    "# note\n@",
    "`@`",
    "echo \"`@`\"",
    "echo ${A:-`@`}",
    "echo `echo \\`@\\``",
    "cat <<E\n`@`\nE",
    "[[ -n $( @ ) ]]",
    "export A=$( @ )",
    "a=(1 $( @ ))",
    "echo ${A:-$( @ )}",
];

/// Ways to write `id` itself.
const SPELLINGS: &[&str] =
    &["id", "id -u", "/usr/bin/id", "\"id\"", "\\id", "i\"d\"", "$\"id\"", "./id", "i\\\nd"];

fn wrap(inner: &str, wrapper: &str) -> String {
    if wrapper.contains("'@'") {
        wrapper.replace("'@'", &shlex::try_quote(inner).expect("there is no zero byte"))
    } else {
        wrapper.replace('@', inner)
    }
}

#[test]
fn a_forbidden_command_is_found_in_every_wrapper_and_spelling() {
    for wrapper in WRAPPERS {
        for spelling in SPELLINGS {
            let text = wrap(spelling, wrapper);
            let verdict = under(&text, ON_REQUEST);
            // A translated text inside a here-document cannot be read; then a person is asked.
            let unread = *spelling == "$\"id\"" && matches!(verdict, Verdict::Ask { .. });
            assert!(unread || matches!(verdict, Verdict::Forbid { .. }), "{text}: {verdict:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]
    #[test]
    fn a_forbidden_command_is_never_let_through_however_deep(
        wrappers in prop::collection::vec(prop::sample::select(WRAPPERS), 1..4),
        spelling in prop::sample::select(&["id", "id -u", "/usr/bin/id"][..]),
    ) {
        let text = wrappers.iter().fold(spelling.to_owned(), |inner, wrapper| wrap(&inner, wrapper));
        // Backticks do not nest: inside each other they end one another.
        prop_assume!(text.matches('`').count() <= 2);
        // Not every pile of wrappers is a script that can be read: then a person is asked.
        let verdict = under(&text, ON_REQUEST);
        prop_assert!(!matches!(verdict, Verdict::Allow { .. }), "{}", text);
        prop_assert!(matches!(under(&text, NEVER), Verdict::Forbid { .. }), "{}", text);
    }

    #[test]
    fn any_text_is_judged_without_a_panic(text in any::<String>()) {
        under(&text, ON_REQUEST);
    }

    #[test]
    fn never_asks_nobody(text in "[a-z $|;&()<>'\"{}=-]{0,40}") {
        let asked = matches!(under(&text, NEVER), Verdict::Ask { .. });
        prop_assert!(!asked);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn a_forbidden_command_is_never_let_through_wherever_a_script_runs_it(
        bytes in prop::collection::vec(any::<u8>(), 0..48),
    ) {
        const RULES: &str = "prefix_rule([[\"echo\", \"cat\", \"bash\", \"env\", \"sudo\"]])\n\
            prefix_rule([\"id\"], \"forbidden\")";
        let text = script(&mut Source(&bytes));
        let verdict = with(RULES, &text, ON_REQUEST);
        prop_assert!(!matches!(verdict, Verdict::Allow { .. }), "{}", text);
        let unasked = with(RULES, &text, NEVER);
        prop_assert!(matches!(unasked, Verdict::Forbid { .. }), "{}: {:?}", text, unasked);
    }

    #[test]
    fn a_rule_more_that_forbids_makes_no_verdict_milder(text in "[a-z $|;&()<>'\"{}=\\\\\n-]{0,60}") {
        let strictness = |verdict| match verdict {
            Verdict::Allow { bypass_sandbox: true } => 0,
            Verdict::Allow { bypass_sandbox: false } => 1,
            Verdict::Ask { .. } => 2,
            Verdict::Forbid { .. } => 3,
        };
        let allow = "prefix_rule([[\"a\", \"b\"]])\n";
        let strict = format!("{allow}prefix_rule([[\"c\", \"d\"]], \"forbidden\")");
        for context in [ON_REQUEST, UNTRUSTED, NEVER] {
            let (mild, strict) = (with(allow, &text, context), with(&strict, &text, context));
            prop_assert!(strictness(strict) >= strictness(mild), "{}", text);
        }
    }
}
