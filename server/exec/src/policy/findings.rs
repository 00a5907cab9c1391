//! What the rules and our own knowledge say about a command line. Pure.

use super::command::{CommandLine, Found, shell_script};
use super::danger::{Danger, Grade, after_git_options, danger_of, danger_of_each};
use super::rule::{Decision, Fit, PrefixRule, Rules};
use super::word::Word;

/// A rule that stands in the way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Restriction<'a> {
    /// The rule; none when part of the command cannot be read and any rule may apply.
    pub(super) rule: Option<&'a PrefixRule>,
    pub(super) fit: Fit,
    /// The words that fit.
    pub(super) matched: String,
}

impl Restriction<'_> {
    /// How strict it is: what may be forbidden is asked about.
    pub(super) fn decision(&self) -> Decision {
        match (self.rule, self.fit) {
            (Some(rule), Fit::Yes) => rule.decision,
            _ => Decision::Prompt,
        }
    }
}

/// What the rules and our own knowledge say about a command.
pub(super) struct Findings<'a> {
    pub(super) restriction: Option<Restriction<'a>>,
    /// Place in `CommandLine::found`, and what is dangerous there.
    pub(super) danger: Option<(usize, Danger)>,
    /// Whether the user's rules allow all of it.
    pub(super) allowed: bool,
    /// Whether all of it is known to read only.
    pub(super) reads_only: bool,
    /// The first command that no rule allows.
    unlisted: Option<usize>,
}

impl<'a> Findings<'a> {
    pub(super) fn of(rules: &'a Rules, command: &CommandLine) -> Self {
        let whole_is_allowed = allows_whole(rules, &command.argv);
        let is_allowed = |place| whole_is_allowed || chain_is_allowed(rules, command, place);
        let mut places = command.outermost().map(|(place, _)| place);
        let unlisted = places.find(|place| !covered(rules, command, *place));
        let is_plain = command.plain && !command.hidden;
        Self {
            restriction: restriction(rules, command),
            danger: danger(command, is_allowed).or_else(|| unread(command, whole_is_allowed)),
            allowed: whole_is_allowed || (is_plain && unlisted.is_none()),
            reads_only: command.reads_only(),
            unlisted,
        }
    }

    /// Returns the words of a rule that would allow the command.
    pub(super) fn amendment(&self, command: &CommandLine) -> Vec<String> {
        match self.unlisted {
            Some(place) => amendment_of(command, place),
            None => command.argv.clone(),
        }
    }
}

/// Returns the rule words for the command at `place`; for a script that is not plain, the whole
/// command line, since a rule about a part would not allow the rest.
pub(super) fn amendment_of(command: &CommandLine, place: usize) -> Vec<String> {
    match command.found.get(place) {
        Some(found) if command.plain => found.words.iter().map(|word| word.text.clone()).collect(),
        _ => command.argv.clone(),
    }
}

/// Returns the command of the list that runs the one at `place`, at however many removes.
pub(super) fn outermost(command: &CommandLine, mut place: usize) -> usize {
    while let Some(runner) = command.found.get(place).and_then(|found| found.runner) {
        place = runner;
    }
    place
}

/// Returns the strictest rule that stands in the way; of equal ones, one that gives a reason.
fn restriction<'a>(rules: &'a Rules, command: &CommandLine) -> Option<Restriction<'a>> {
    let strict = || rules.prefix.iter().filter(|rule| rule.decision != Decision::Allow);
    let mut best: Option<Restriction<'a>> = None;
    let rank = |found: &Restriction<'_>| {
        let reason = found.rule.is_some_and(|rule| rule.justification.is_some());
        (found.decision(), found.fit, reason)
    };
    for found in &command.found {
        let plain_git = without_git_options(found);
        for rule in strict() {
            let forms = [Some(found.words.as_slice()), plain_git.as_deref()];
            for words in forms.into_iter().flatten() {
                let fit = rules.fit(rule, words);
                if fit == Fit::No {
                    continue;
                }
                let next = Restriction { rule: Some(rule), fit, matched: matched(rule, words) };
                if best.as_ref().is_none_or(|best| rank(&next) > rank(best)) {
                    best = Some(next);
                }
            }
        }
    }
    let unread = command.hidden && strict().next().is_some();
    best.or_else(|| {
        unread.then(|| Restriction { rule: None, fit: Fit::Maybe, matched: String::new() })
    })
}

/// `git -C DIR push` is a push as well.
fn without_git_options(found: &Found) -> Option<Vec<Word>> {
    let (first, rest) = found.words.split_first()?;
    let plain = after_git_options(rest);
    let is_other = first.base_name() == Some("git") && plain.len() < rest.len();
    is_other.then(|| [std::slice::from_ref(first), plain].concat())
}

/// Returns the words that fit; where the command's are unknown, the first of the rule's.
fn matched(rule: &PrefixRule, words: &[Word]) -> String {
    let word = |(at, wanted): (usize, &'_ Vec<String>)| {
        let given = words.get(at).and_then(Word::as_exact).unwrap_or_default();
        // A rule about `id` stands for `/usr/bin/id` too.
        let base = given.rsplit('/').next().filter(|_| at == 0).unwrap_or_default();
        let fits = |word: &&String| **word == given || (!base.is_empty() && **word == base);
        wanted.iter().find(fits).or(wanted.first()).cloned().unwrap_or_default()
    };
    rule.pattern.iter().enumerate().map(word).collect::<Vec<_>>().join(" ")
}

fn allows(rules: &Rules, words: &[Word]) -> bool {
    let allow = rules.prefix.iter().filter(|rule| rule.decision == Decision::Allow);
    allow.into_iter().any(|rule| rules.fit(rule, words) == Fit::Yes)
}

/// Tells whether a rule allows the whole command line, as a person does who says yes for good to
/// a script that is not plain. A rule about the shell alone does not: it would allow everything.
fn allows_whole(rules: &Rules, argv: &[String]) -> bool {
    let whole: Vec<Word> = argv.iter().map(Word::exact).collect();
    let allow = rules.prefix.iter().filter(|rule| rule.decision == Decision::Allow);
    let mut complete = allow.filter(|rule| rule.pattern.len() == argv.len());
    shell_script(argv).is_some() && complete.any(|rule| rules.fit(rule, &whole) == Fit::Yes)
}

/// Commands that only run another one, with the same rights and surroundings.
const TRANSPARENT: &[&str] = &[
    "bash", "sh", "zsh", "dash", "ksh", "command", "builtin", "nice", "ionice", "timeout",
    "stdbuf", "setsid", "eval",
];

/// Tells whether rules allow the command at `place`, or all that it runs when it does no more.
fn covered(rules: &Rules, command: &CommandLine, place: usize) -> bool {
    let Some(found) = command.found.get(place) else { return false };
    if allows(rules, &found.words) {
        return true;
    }
    let name = found.words.first().and_then(Word::as_exact).unwrap_or_default();
    let name = name.strip_prefix("/usr/bin/").or(name.strip_prefix("/bin/")).unwrap_or(name);
    let is_exact = found.words.iter().all(|word| word.as_exact().is_some());
    let mut inner = command.run_by(place).peekable();
    TRANSPARENT.contains(&name)
        && is_exact
        && found.plain_inside
        && inner.peek().is_some()
        && inner.all(|(inner, _)| covered(rules, command, inner))
}

/// Tells whether the command at `place`, or one that runs it, is allowed by a rule.
fn chain_is_allowed(rules: &Rules, command: &CommandLine, place: usize) -> bool {
    let mut at = Some(place);
    while let Some(found) = at.and_then(|at| command.found.get(at)) {
        if allows(rules, &found.words) {
            return true;
        }
        at = found.runner;
    }
    false
}

/// What cannot be read may be dangerous, unless the user allows the whole of it.
fn unread(command: &CommandLine, is_allowed: bool) -> Option<(usize, Danger)> {
    let danger = Danger {
        form: "the script",
        effect: "runs something that cannot be read beforehand",
        grade: Grade::Reaches,
    };
    (command.hidden && !is_allowed).then_some((0, danger))
}

/// Returns the weightiest danger that no rule allows.
fn danger(command: &CommandLine, is_allowed: impl Fn(usize) -> bool) -> Option<(usize, Danger)> {
    let weight = |grade: Grade| match grade {
        Grade::Destroys => 3,
        Grade::DestroysMachine => 2,
        Grade::Risks => 1,
        Grade::Reaches => 0,
    };
    let each = |found: &Found| {
        let runner = command.found.get(found.runner?)?;
        danger_of_each(&runner.words, &found.words)
    };
    let dangers = command.found.iter().enumerate().filter_map(|(place, found)| {
        let danger = danger_of(&found.words).or_else(|| each(found))?;
        (!is_allowed(place)).then_some((place, danger))
    });
    dangers.rev().max_by_key(|(_, danger)| weight(danger.grade))
}
