//! From the text of a rule file to its rules.

use std::path::Path;
use std::sync::Arc;

use super::super::rule::{Fit, NetworkRule, Origin, PrefixRule, Rules};
use super::super::word::Word;
use super::builtin::{Collected, PrefixCall, counter_example_fault, example_fault};
use super::error::{Fault, RuleError, Span};
use super::{eval, syntax};

/// Reads the rules in `text`, which stands in the file `path`. All or nothing: a file with a
/// fault has no rules.
pub fn parse_rules(path: &Path, text: &str) -> Result<Rules, RuleError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    rules(path, text).map_err(|fault| RuleError::new(path.to_owned(), text, fault))
}

fn rules(path: &Path, text: &str) -> Result<Rules, Fault> {
    let statements = syntax::parse(text)?;
    let Collected { prefix, network, hosts } = eval::run(&statements)?;
    let file: Arc<Path> = path.into();
    let origin = |span: Span| {
        let line = text.get(..span.start).unwrap_or(text).matches('\n').count() + 1;
        Origin { file: Arc::clone(&file), line }
    };
    let mut rules = Rules::default();
    for (name, paths) in hosts {
        rules.hosts.entry(name).or_default().extend(paths);
    }
    for call in network {
        rules.network.push(NetworkRule {
            host: call.host,
            protocol: call.protocol,
            decision: call.decision,
            justification: call.justification,
            origin: origin(call.span),
        });
    }
    for call in prefix {
        let rule = PrefixRule {
            pattern: call.pattern.clone(),
            decision: call.decision,
            justification: call.justification.clone(),
            origin: origin(call.span),
        };
        try_examples(&rules, &rule, &call)?;
        rules.prefix.push(rule);
    }
    Ok(rules)
}

/// Holds a rule against the commands that it says it fits, and does not fit.
fn try_examples(rules: &Rules, rule: &PrefixRule, call: &PrefixCall) -> Result<(), Fault> {
    let fits = |words: &Vec<String>| {
        let words: Vec<Word> = words.iter().map(Word::exact).collect();
        rules.fit(rule, &words) == Fit::Yes
    };
    let unmatched: Vec<&Vec<String>> = call.fits.iter().filter(|words| !fits(words)).collect();
    if let Some(fault) = example_fault(call, &unmatched) {
        return Err(fault);
    }
    match call.fits_not.iter().find(|words| fits(words)) {
        Some(words) => Err(counter_example_fault(call, words)),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests;
