//! Descriptions of rules and signals, in the form used by reports.

use slope_model::finding::Severity;
use slope_model::near_names;
use slope_report::{Origin, RuleInfo};
use slope_rules::{Rule, RuleSet};
use slope_signals::{SIGNALS, SignalInfo};
use slope_syntax::Language;

use crate::{Error, ErrorKind};

/// Rules, then signals.
#[must_use]
pub fn of_rules(rules: &RuleSet) -> Vec<RuleInfo> {
    let rules = rules.rules().iter().map(of_rule);
    let signals = SIGNALS.iter().map(of_signal);
    rules.chain(signals).chain(own_findings()).collect()
}

/// Leaves out rules and signals that are not for a language.
///
/// # Errors
/// If there is no such language.
pub fn keep_language(rules: &mut Vec<RuleInfo>, name: &str) -> Result<(), Error> {
    let Some(language) = Language::by_name(name) else {
        let known: Vec<_> = Language::all().map(Language::id).collect();
        let near = near_names(known.iter().copied(), name);
        let help = match near.first() {
            Some(near) => format!("use `{near}`"),
            None => "name one of these".to_owned(),
        };
        let message = format!(
            "unknown language `{name}`: expected one of {}",
            known.join(", ")
        );
        return Err(Error::new(ErrorKind::Argument, "language", message, help));
    };
    let has = |rule: &RuleInfo| {
        let mut languages = rule.languages.iter().chain(&rule.in_changes);
        languages.any(|id| id == language.id())
    };
    rules.retain(has);
    Ok(())
}

fn of_rule(rule: &Rule) -> RuleInfo {
    RuleInfo {
        id: rule.id.clone(),
        origin: Origin::Rule,
        languages: rule.languages.iter().map(|l| l.id().to_owned()).collect(),
        category: rule.category.clone(),
        severity: rule.severity,
        on_by_default: rule.default_on,
        in_changes: Vec::new(),
        message: rule.message.clone(),
        note: rule.note.clone(),
        bad: rule.invalid.clone(),
        good: rule.valid.clone(),
        precision: None,
    }
}

fn of_signal(signal: &SignalInfo) -> RuleInfo {
    let example = |text: Option<&str>| text.map(str::to_owned).into_iter().collect();
    RuleInfo {
        id: signal.id.to_owned(),
        origin: Origin::Signal,
        languages: signal.languages.iter().map(|&l| l.to_owned()).collect(),
        category: signal.category.to_owned(),
        severity: signal.severity,
        on_by_default: signal.default_on,
        in_changes: signal.in_changes.iter().map(|&l| l.to_owned()).collect(),
        message: signal.message.to_owned(),
        note: signal.why.to_owned(),
        bad: example(signal.bad),
        good: example(signal.good),
        precision: signal
            .precision
            .filter(|(_, judged)| *judged > 0)
            .map(|(right, judged)| f64::from(right) / f64::from(judged)),
    }
}

/// Findings of the measurement itself: id, category, severity, message and reason.
const FINDINGS: &[(&str, &str, Severity, &str, &str)] = &[
    (
        "clone",
        "duplication",
        Severity::Warning,
        "The same code appears in several places.",
        "A change has to be made in each of them, and is forgotten in one. Keep the code in one \
         function; what differs becomes a parameter. Equal but for layout, comments, names and \
         literals counts; its lines count as verbose.",
    ),
    (
        "near-clone",
        "duplication",
        Severity::Hint,
        "Nearly the same code appears in several places.",
        "Statements are inserted, deleted or changed. Look whether the differences are meant, and \
         keep what is common in one function. Its lines do not count as verbose.",
    ),
    (
        "high-complexity",
        "complexity",
        Severity::Warning,
        "A function is more complex than the cut-off.",
        "Its mass is what erosion counts. Take parts out that can be named and tested by \
         themselves. --cutoff sets the limit. A function whose branches are only a table, with a cognitive \
         complexity of 2 or less, is not reported.",
    ),
    (
        "packed-lines",
        "layout",
        Severity::Warning,
        "A function has more on its lines than anybody reads there.",
        "It has more than two statements a line, or more than 32 tokens, brackets and separators left \
         out. It counts as a line for each statement, so nothing gets smaller by it. Give each \
         statement a line of its own.",
    ),
    (
        "syntax-error",
        "syntax",
        Severity::Hint,
        "A file does not parse in full.",
        "The code at the error is not measured in full. Functions with an error inside have lower bounds \
         in place of exact numbers. Correct \
         the syntax, unless slope's grammar lacks a new form of the language. The gate reports a file \
         that no longer parses as an error of its own, `broken-syntax`.",
    ),
    (
        "unfinished-rule",
        "limits",
        Severity::Warning,
        "A rule takes too many steps in a file.",
        "The rule was looked for up to the line that is told, so the file may hold more of what it \
         finds. It is a rule that searches far from each place, in a file that has very many of \
         them: bound the search with `stopBy`, or divide the file.",
    ),
    (
        "stale-suppression",
        "suppression",
        Severity::Warning,
        "A comment suppresses nothing, or cannot be obeyed.",
        "What it silenced is gone, its expiry has passed, or it lacks rules or a reason. Remove \
         it, or say `slope: ignore[RULE] REASON`.",
    ),
];

fn own_findings() -> impl Iterator<Item = RuleInfo> {
    let languages: Vec<String> = Language::all().map(|l| l.id().to_owned()).collect();
    FINDINGS
        .iter()
        .map(move |&(id, category, severity, message, note)| RuleInfo {
            id: id.to_owned(),
            origin: Origin::Metric,
            languages: languages.clone(),
            category: category.to_owned(),
            severity,
            on_by_default: true,
            in_changes: Vec::new(),
            message: message.to_owned(),
            note: note.to_owned(),
            bad: Vec::new(),
            good: Vec::new(),
            precision: None,
        })
}
