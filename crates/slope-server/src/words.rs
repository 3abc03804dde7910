//! Answers in a few lines of text.

use slope_model::metrics::{CLONE_LINES, DEAD_CODE, FLAGGED_LINES, MASS, SLOC};
use std::fmt::Write;

use crate::answers::{Added, Checked, Differs, Explained, Match, Matches, Measured};
use slope_model::plural;

/// Words of a measurement.
pub(crate) fn measured(answer: &Measured) -> String {
    let mut text = format!(
        "{}: {}, {}, {}, {} of them highly complex.\n",
        answer.path,
        plural(answer.files, "file"),
        plural(answer.sloc, "source line"),
        plural(answer.functions, "function"),
        answer.high_complexity_functions
    );
    let share = |value: Option<f64>| match value {
        Some(value) => format!("{value:.3}"),
        None => "not measured".to_owned(),
    };
    let lines = |value: Option<u64>| match value {
        Some(value) => value.to_string(),
        None => "not measured".to_owned(),
    };
    let _ = writeln!(
        text,
        "erosion {}, verbosity {}, clone lines {}, flagged lines {}",
        share(answer.erosion),
        share(answer.verbosity),
        lines(answer.clone_lines),
        lines(answer.flagged_lines)
    );
    if answer.unmeasured > 0 {
        let files = plural(answer.unmeasured, "file");
        let _ = writeln!(text, "{files} could not be measured.");
    }
    for worst in &answer.most_complex {
        let place = &worst.place;
        let _ = writeln!(
            text,
            "{}:{} `{}`: complexity {}, {}",
            place.path,
            place.line,
            place.name,
            worst.complexity,
            plural(worst.sloc, "line")
        );
    }
    for found in &answer.findings {
        let _ = writeln!(
            text,
            "{}:{} {}: {}",
            found.path, found.line, found.rule, found.message
        );
    }
    text.truncate(text.trim_end().len());
    text
}

/// Description of similar functions.
pub(crate) fn matches(answer: &Matches) -> String {
    let mut text = answer.advice.clone();
    for one in &answer.matches {
        let Match { place, .. } = one;
        let _ = write!(
            text,
            "\n{}:{} `{}` ({:.2}): {}\n    {}",
            place.path,
            place.line,
            place.name,
            one.similarity,
            one.why.join("; "),
            one.signature
        );
    }
    text
}

/// Words of a rule.
pub(crate) fn explained(answer: &Explained) -> String {
    let of = [std::slice::from_ref(&answer.category), &answer.languages].concat();
    let (rule, of) = (&answer.rule, of.join(", "));
    let mut text = format!("{rule} ({of}): {}\n{}", answer.message, answer.why);
    if let Some(example) = answer.instead_of.first() {
        let _ = write!(text, "\nInstead of:\n{}", example.trim_end());
    }
    if let Some(example) = answer.write.first() {
        let _ = write!(text, "\nWrite:\n{}", example.trim_end());
    }
    text
}

/// Words of a judgement.
pub(crate) fn checked(answer: &Checked) -> String {
    let files = plural(answer.files, "changed file");
    let verdict = match (answer.passes, answer.worse.is_empty()) {
        (true, true) => "Nothing is worse".to_owned(),
        (true, false) => "It passes, with warnings".to_owned(),
        (false, _) => "It does not pass: fix what follows".to_owned(),
    };
    let mut text = format!(
        "{verdict} ({files} from {}; {}).",
        answer.base,
        added(answer.added)
    );
    for worse in &answer.worse {
        let place = match (worse.path.as_str(), worse.line) {
            ("", _) => String::new(),
            (path, line) => format!("{path}:{line}: "),
        };
        let _ = write!(
            text,
            "\n{} {}: {place}{} {}",
            worse.level, worse.rule, worse.message, worse.advice
        );
    }
    for note in &answer.notes {
        let _ = write!(text, "\nnote: {note}");
    }
    text
}

/// Words of a ledger.
pub(crate) fn differs(answer: &Differs) -> String {
    let mut text = format!(
        "{} to {}: {}; {}.",
        answer.base,
        answer.head,
        added(answer.added),
        plural(answer.functions, "changed function")
    );
    for one in &answer.heaviest {
        let name = one.function.as_deref().unwrap_or("outside of functions");
        let _ = write!(
            text,
            "\n{} {}:{} {name}: {}",
            one.kind,
            one.path,
            one.line,
            added(one.added)
        );
    }
    text
}

fn added(amounts: Added) -> String {
    let mut parts = vec![format!("{} {:+.1}", MASS.short(), amounts.complexity_mass)];
    let counts = [
        (CLONE_LINES.title, amounts.clone_lines),
        (FLAGGED_LINES.title, amounts.flagged_lines),
        (DEAD_CODE.title, amounts.dead_code),
        (SLOC.title, amounts.sloc),
    ];
    let counts = counts.iter().filter(|(_, count)| *count != 0);
    parts.extend(counts.map(|(name, count)| format!("{name} {count:+}")));
    parts.join(", ")
}
