//! Any script is judged without a panic; a rule that forbids never makes a verdict milder; and a
//! forbidden command where a shell would run it is never allowed.
#![no_main]

#[expect(dead_code, reason = "each target uses a part of it")]
#[path = "../../server/exec/src/generated.rs"]
mod generated;

use std::path::Path;
use std::sync::LazyLock;

use generated::{Source, script};
use libfuzzer_sys::fuzz_target;
use spindle_exec::policy::{
    CommandLine, Confinement, Context, Escalation, Rules, Verdict, explain, judge, parse_rules,
};
use spindle_schema::settings::ApprovalPolicy;

const ALLOW: &str = "prefix_rule([[\"echo\", \"cat\", \"ls\", \"true\", \"bash\", \"env\", \"sudo\"]])\n";
const FORBID: &str = "prefix_rule([\"id\"], \"forbidden\")\nprefix_rule([\"ls\", \"-l\"], \"prompt\")";

static MILD: LazyLock<Rules> = LazyLock::new(|| rules(ALLOW));
static STRICT: LazyLock<Rules> = LazyLock::new(|| rules(&format!("{ALLOW}{FORBID}")));

fn rules(text: &str) -> Rules {
    parse_rules(Path::new("x.rules"), text).expect("the rules are well formed")
}

fn strictness(verdict: &Verdict) -> u8 {
    match verdict {
        Verdict::Allow { bypass_sandbox: true } => 0,
        Verdict::Allow { bypass_sandbox: false } => 1,
        Verdict::Ask { .. } => 2,
        Verdict::Forbid { .. } => 3,
    }
}

fuzz_target!(|data: &[u8]| {
    let mut source = Source(data);
    let approval = source.pick(&[
        ApprovalPolicy::OnRequest,
        ApprovalPolicy::Never,
        ApprovalPolicy::Untrusted,
    ]);
    let confinement = source.pick(&[
        Confinement::Enforced,
        Confinement::Unwanted,
        Confinement::Unavailable,
    ]);
    let escalation = source.pick(&[Escalation::No, Escalation::Asked]);
    let context = Context { approval, confinement, escalation };
    let is_made = source.below(2) == 1;
    let text =
        if is_made { script(&mut source) } else { String::from_utf8_lossy(source.0).into_owned() };
    let command = CommandLine::of_script("/bin/bash", &text);
    let strict = judge(&STRICT, &command, context);
    let mild = judge(&MILD, &command, context);
    assert!(strictness(&strict) >= strictness(&mild), "{text}: {mild:?} became {strict:?}");
    assert!(!is_made || strictness(&strict) >= 2, "{text}: {strict:?}");
    let _ = explain(&STRICT, &command, context).to_string();
});
