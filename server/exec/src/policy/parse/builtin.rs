//! The functions that a rule file may call.

use std::rc::Rc;

use super::super::command::join;
use super::super::rule::{Decision, Protocol, normal_host};
use super::error::{Fault, Span, Stage};
use super::eval::{bind, missing};
use super::value::{Items, Value};

/// A function of the language, or of the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Builtin {
    PrefixRule,
    NetworkRule,
    HostExecutable,
    Len,
    Range,
}

/// What the calls of a file have asked for, in their order.
#[derive(Debug, Default)]
pub(super) struct Collected {
    pub(super) prefix: Vec<PrefixCall>,
    pub(super) network: Vec<NetworkCall>,
    pub(super) hosts: Vec<(String, Vec<String>)>,
}

#[derive(Debug)]
pub(super) struct PrefixCall {
    pub(super) pattern: Vec<Vec<String>>,
    pub(super) decision: Decision,
    pub(super) justification: Option<String>,
    /// Commands that the rule must fit, and commands that it must not.
    pub(super) fits: Vec<Vec<String>>,
    pub(super) fits_not: Vec<Vec<String>>,
    pub(super) span: Span,
}

#[derive(Debug)]
pub(super) struct NetworkCall {
    pub(super) host: String,
    pub(super) protocol: Protocol,
    pub(super) decision: Decision,
    pub(super) justification: Option<String>,
    pub(super) span: Span,
}

/// Longest list that `range` makes.
const MAX_RANGE: i64 = 10_000;

impl Builtin {
    pub(super) const ALL: [Builtin; 5] = [
        Builtin::PrefixRule,
        Builtin::NetworkRule,
        Builtin::HostExecutable,
        Builtin::Len,
        Builtin::Range,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Builtin::PrefixRule => "prefix_rule",
            Builtin::NetworkRule => "network_rule",
            Builtin::HostExecutable => "host_executable",
            Builtin::Len => "len",
            Builtin::Range => "range",
        }
    }

    fn params(self) -> &'static [&'static str] {
        match self {
            Builtin::PrefixRule => &["pattern", "decision", "match", "not_match", "justification"],
            Builtin::NetworkRule => &["host", "protocol", "decision", "justification"],
            Builtin::HostExecutable => &["name", "paths"],
            Builtin::Len => &["x"],
            Builtin::Range => &["start", "stop"],
        }
    }

    pub(super) fn call(
        self,
        given: Vec<(Option<String>, Value)>,
        into: &mut Collected,
        span: Span,
    ) -> Result<Value, Fault> {
        let values = bind(self.name(), self.params(), given, span)?;
        let args = Args { function: self, values, span };
        match self {
            Builtin::PrefixRule => into.prefix.push(prefix_rule(&args)?),
            Builtin::NetworkRule => into.network.push(network_rule(&args)?),
            Builtin::HostExecutable => into.hosts.push(host_executable(&args)?),
            Builtin::Len => return len(&args),
            Builtin::Range => return range(&args),
        }
        Ok(Value::None)
    }
}

/// The arguments of one call.
struct Args {
    function: Builtin,
    values: Vec<Option<Value>>,
    span: Span,
}

impl Args {
    fn fault(&self, message: impl Into<String>) -> Fault {
        Fault::running(self.span, message)
    }

    /// Returns an argument; `None` counts as left out.
    fn get(&self, name: &str) -> Option<&Value> {
        let place = self.function.params().iter().position(|param| *param == name)?;
        self.values.get(place)?.as_ref().filter(|value| !matches!(value, Value::None))
    }

    fn need(&self, name: &str) -> Result<&Value, Fault> {
        self.get(name).ok_or_else(|| missing(name, self.function.name(), self.span))
    }

    fn unfit(&self, name: &str, wanted: &str, value: &Value) -> Fault {
        self.fault(format!(
            "Type of parameter `{name}` doesn't match, expected `{wanted}`, actual `{} (repr: {})`",
            value.type_name(),
            value.repr()
        ))
    }

    fn string(&self, name: &str) -> Result<&Rc<str>, Fault> {
        match self.need(name)? {
            Value::Str(text) => Ok(text),
            other => Err(self.unfit(name, "str", other)),
        }
    }

    fn list(&self, name: &str) -> Result<&[Value], Fault> {
        match self.need(name)? {
            Value::List(items) => Ok(items),
            other => Err(self.unfit(name, "list", other)),
        }
    }

    fn justification(&self) -> Result<Option<String>, Fault> {
        let Some(_) = self.get("justification") else { return Ok(None) };
        let text = self.string("justification")?;
        if text.trim().is_empty() {
            return Err(self.fault("invalid rule: justification cannot be empty"));
        }
        Ok(Some(text.to_string()))
    }
}

fn prefix_rule(args: &Args) -> Result<PrefixCall, Fault> {
    let mut pattern = Vec::new();
    for element in args.list("pattern")? {
        pattern.push(pattern_element(args, element)?);
    }
    if pattern.is_empty() {
        return Err(args.fault("invalid pattern element: pattern cannot be empty"));
    }
    let decision = match args.get("decision") {
        None => Decision::Allow,
        Some(_) => {
            let word = args.string("decision")?;
            Decision::from_word(word)
                .ok_or_else(|| args.fault(format!("invalid decision: {word}")))?
        }
    };
    Ok(PrefixCall {
        pattern,
        decision,
        justification: args.justification()?,
        fits: examples(args, "match")?,
        fits_not: examples(args, "not_match")?,
        span: args.span,
    })
}

fn pattern_element(args: &Args, element: &Value) -> Result<Vec<String>, Fault> {
    let wrong = |value: &Value| {
        let name = value.type_name();
        args.fault(format!(
            "invalid pattern element: pattern element must be a string or list of strings (got {name})"
        ))
    };
    match element {
        Value::Str(text) => Ok(vec![text.to_string()]),
        Value::List(items) if items.is_empty() => {
            Err(args.fault("invalid pattern element: pattern alternatives cannot be empty"))
        }
        Value::List(items) => items
            .iter()
            .map(|item| match item {
                Value::Str(text) => Ok(text.to_string()),
                other => Err(wrong(other)),
            })
            .collect(),
        other => Err(wrong(other)),
    }
}

/// Commands as texts or as lists of words.
fn examples(args: &Args, name: &str) -> Result<Vec<Vec<String>>, Fault> {
    if args.get(name).is_none() {
        return Ok(Vec::new());
    }
    let wrong = || args.fault("invalid example: example must be a string or list of strings");
    let words = |item: &Value| match item {
        Value::Str(text) => shlex::split(text).filter(|words| !words.is_empty()).ok_or_else(wrong),
        Value::List(items) if !items.is_empty() => items
            .iter()
            .map(|item| match item {
                Value::Str(text) => Ok(text.to_string()),
                _ => Err(wrong()),
            })
            .collect(),
        _ => Err(wrong()),
    };
    args.list(name)?.iter().map(words).collect()
}

fn network_rule(args: &Args) -> Result<NetworkCall, Fault> {
    let host = normal_host(args.string("host")?);
    if host.contains('*') {
        return Err(args.fault(
            "invalid rule: network_rule host must be a specific host; wildcards are not allowed",
        ));
    }
    if host.is_empty() || host.contains(|c: char| c.is_whitespace() || c == '/') {
        return Err(
            args.fault(format!("invalid rule: network_rule host must be a host name (got {host})"))
        );
    }
    let protocol = args.string("protocol")?;
    let protocol = Protocol::from_word(protocol).ok_or_else(|| {
        args.fault(format!(
            "invalid rule: network_rule protocol must be one of http, https, socks5_tcp, socks5_udp \
             (got {protocol})"
        ))
    })?;
    let word = args.string("decision")?;
    let decision = match &**word {
        "deny" => Some(Decision::Forbidden),
        word => Decision::from_word(word),
    };
    let decision = decision.ok_or_else(|| args.fault(format!("invalid decision: {word}")))?;
    let justification = args.justification()?;
    Ok(NetworkCall { host, protocol, decision, justification, span: args.span })
}

fn host_executable(args: &Args) -> Result<(String, Vec<String>), Fault> {
    let name = args.string("name")?.to_string();
    if name.is_empty() || name.contains('/') {
        return Err(args.fault(format!(
            "invalid rule: host_executable name must be a bare name (got {name})"
        )));
    }
    let mut paths = Vec::new();
    for item in args.list("paths")? {
        let Value::Str(path) = item else { return Err(args.unfit("paths", "list of str", item)) };
        if !path.starts_with('/') {
            return Err(args.fault(format!(
                "invalid rule: host_executable paths must be absolute (got {path})"
            )));
        }
        if path.rsplit('/').next() != Some(name.as_str()) {
            return Err(args.fault(format!(
                "invalid rule: host_executable path `{path}` must have basename `{name}`"
            )));
        }
        paths.push(path.to_string());
    }
    Ok((name, paths))
}

fn len(args: &Args) -> Result<Value, Fault> {
    let length = match args.need("x")? {
        Value::Str(text) => text.chars().count(),
        Value::List(items) | Value::Tuple(items) => items.len(),
        other => return Err(args.unfit("x", "list", other)),
    };
    Ok(Value::Int(i64::try_from(length).unwrap_or(i64::MAX)))
}

fn range(args: &Args) -> Result<Value, Fault> {
    let number = |name: &str| match args.need(name)? {
        Value::Int(number) => Ok(*number),
        other => Err(args.unfit(name, "int", other)),
    };
    let first = number("start")?;
    let (start, stop) =
        if args.get("stop").is_some() { (first, number("stop")?) } else { (0, first) };
    if stop.saturating_sub(start) > MAX_RANGE {
        return Err(args.fault("the range is too long"));
    }
    Ok(Value::List(Items::new((start..stop).map(Value::Int).collect(), args.span)?))
}

/// Makes the fault of a rule whose examples say something else than its pattern.
pub(super) fn example_fault(call: &PrefixCall, unmatched: &[&Vec<String>]) -> Option<Fault> {
    if unmatched.is_empty() {
        return None;
    }
    let examples: Vec<String> = unmatched.iter().map(|words| join(words)).collect();
    let message = format!(
        "expected every example to match at least one rule; unmatched examples: {examples:?}"
    );
    Some(Fault { stage: Stage::Examples, span: call.span, message })
}

/// Makes the fault of a rule that fits a command which it must not.
pub(super) fn counter_example_fault(call: &PrefixCall, words: &[String]) -> Fault {
    let first: Vec<String> = call.pattern.iter().map(|element| element.join("|")).collect();
    let message =
        format!("expected example to not match rule `{}`: {}", first.join(" "), join(words));
    Fault { stage: Stage::Examples, span: call.span, message }
}
