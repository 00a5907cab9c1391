use std::path::Path;

use super::*;
use crate::policy::parse_rules;

fn target(host: &str) -> Target {
    let host = Host::parse(host).expect("a host");
    Target { protocol: Protocol::Http, host, port: 80 }
}

fn patterns(texts: &[&str]) -> Vec<Pattern> {
    texts.iter().map(|text| Pattern::parse(text).expect("a pattern")).collect()
}

fn limits(allow: &[&str], deny: &[&str]) -> Limits {
    Limits { allow: patterns(allow), deny: patterns(deny), ..Limits::default() }
}

fn rules(text: &str) -> Rules {
    parse_rules(Path::new("test.rules"), text).expect("rules")
}

fn judge(limits: &Limits, host: &str) -> Verdict {
    limits.judge(&Rules::default(), &target(host))
}

#[test]
fn a_host_is_allowed_denied_or_asked_about() {
    let limits = limits(&["allowed.example", "*.wild.example"], &["denied.example"]);
    assert_eq!(judge(&limits, "allowed.example"), Verdict::Allow);
    assert_eq!(judge(&limits, "a.wild.example"), Verdict::Allow);
    assert_eq!(judge(&limits, "denied.example"), Verdict::Refuse(Refusal::Denied));
    assert_eq!(judge(&limits, "other.example"), Verdict::Ask);
}

#[test]
fn a_denial_weighs_more_than_a_permission() {
    let limits = limits(&["*", "a.example"], &["*.example"]);
    assert_eq!(judge(&limits, "a.example"), Verdict::Refuse(Refusal::Denied));
    assert_eq!(judge(&limits, "a.test"), Verdict::Allow);
}

#[test]
fn what_is_local_is_refused_and_not_asked_about() {
    for host in ["127.0.0.1", "localhost", "10.0.0.1", "192.0.2.1", "[::ffff:127.0.0.1]"] {
        assert_eq!(judge(&limits(&["*"], &[]), host), Verdict::Refuse(Refusal::Local), "{host}");
    }
    let open = Limits { local: true, ..Limits::default() };
    assert_eq!(judge(&open, "127.0.0.1"), Verdict::Ask);
}

#[test]
fn a_local_address_that_is_named_itself_is_meant() {
    let limits = limits(&["127.0.0.1", "inside.example"], &[]);
    assert_eq!(judge(&limits, "127.0.0.1"), Verdict::Allow);
    assert_eq!(judge(&limits, "127.0.0.2"), Verdict::Refuse(Refusal::Local));
    let address = "127.0.0.1:80".parse().expect("an address");
    assert!(limits.allows_address(&target("127.0.0.1").host, address));
    assert!(!limits.allows_address(&target("inside.example").host, address), "a name may lie");
}

#[test]
fn rules_allow_deny_and_ask_for_their_protocol_only() {
    let rules = rules(
        "network_rule(\"yes.example\", \"http\", \"allow\")\n\
         network_rule(\"no.example\", \"http\", \"deny\")\n\
         network_rule(\"ask.example\", \"http\", \"prompt\")\n",
    );
    let limits = limits(&["no.example", "ask.example"], &[]);
    assert_eq!(limits.judge(&rules, &target("yes.example")), Verdict::Allow);
    assert_eq!(limits.judge(&rules, &target("no.example")), Verdict::Refuse(Refusal::Denied));
    assert_eq!(limits.judge(&rules, &target("ask.example")), Verdict::Ask);
    let secure = Target { protocol: Protocol::Https, port: 443, ..target("yes.example") };
    assert_eq!(limits.judge(&rules, &secure), Verdict::Ask);
}

#[test]
fn a_closed_list_leaves_nothing_to_rules_and_people() {
    let rules = rules("network_rule(\"yes.example\", \"http\", \"allow\")\n");
    let limits = Limits { closed: true, ..limits(&["a.example"], &[]) };
    let refused = Verdict::Refuse(Refusal::NotListed);
    assert_eq!(limits.judge(&rules, &target("a.example")), Verdict::Allow);
    assert_eq!(limits.judge(&rules, &target("yes.example")), refused);
}

#[test]
fn a_limited_reach_takes_only_requests_that_can_be_seen_to_ask() {
    let limits = Limits { reach: Reach::Limited, ..limits(&["a.example"], &[]) };
    assert_eq!(judge(&limits, "a.example"), Verdict::Allow);
    for protocol in [Protocol::Https, Protocol::Socks5Tcp] {
        let hidden = Target { protocol, ..target("a.example") };
        let verdict = limits.judge(&Rules::default(), &hidden);
        assert_eq!(verdict, Verdict::Refuse(Refusal::Reach));
    }
    assert!(limits.allows_method("GET") && !limits.allows_method("POST"));
    assert!(!limits.allows_method("get"), "methods have a case");
    assert!(Limits::default().allows_method("POST"));
}

#[test]
fn a_name_may_lead_only_to_public_addresses() {
    let allowed = |address: &str| {
        let address = address.parse().expect("an address");
        limits(&["a.example"], &[]).allows_address(&target("a.example").host, address)
    };
    assert!(allowed("1.1.1.1:80") && allowed("[2606:4700::1111]:80"));
    assert!(!allowed("127.0.0.1:80") && !allowed("[::ffff:10.0.0.1]:80"));
    assert!(!allowed("169.254.169.254:80") && !allowed("0.0.0.0:80"));
}

#[test]
fn a_refusal_names_host_and_reason() {
    let target = target("Blocked.Example");
    assert_eq!(
        target.refused(Refusal::NotListed),
        "Network access to \"blocked.example\" was blocked: domain is not on the allowlist for \
         the current sandbox mode."
    );
    assert_eq!(
        target.refused(Refusal::Unasked),
        "Network access to \"http://blocked.example:80\" was blocked by policy."
    );
    assert_eq!(target.refused(Refusal::Rejected), "rejected by user");
}
