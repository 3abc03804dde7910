//! Answers in a few lines of text.

use slope_model::metrics::{CLONE_LINES, DEAD_CODE, FLAGGED_LINES, MASS, SLOC};
use std::fmt::Write;

use crate::answers::{Added, Checked, Differs, Explained, Match, Matches, Measured};
use slope_model::plural;

/// Words of a measurement.
pub(crate) fn measured(told: &Measured) -> String {
    let mut text = format!(
        "{}: {}, {}, {}, {} of them highly complex.\n",
        told.path,
        plural(told.files, "file"),
        plural(told.sloc, "source line"),
        plural(told.functions, "function"),
        told.high_complexity_functions
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
        share(told.erosion),
        share(told.verbosity),
        lines(told.clone_lines),
        lines(told.flagged_lines)
    );
    if told.unmeasured > 0 {
        let files = plural(told.unmeasured, "file");
        let _ = writeln!(text, "{files} could not be measured.");
    }
    for worst in &told.most_complex {
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
    for found in &told.findings {
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
pub(crate) fn matches(told: &Matches) -> String {
    let mut text = told.advice.clone();
    for one in &told.matches {
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
pub(crate) fn explained(told: &Explained) -> String {
    let of = [std::slice::from_ref(&told.category), &told.languages].concat();
    let (rule, of) = (&told.rule, of.join(", "));
    let mut text = format!("{rule} ({of}): {}\n{}", told.message, told.why);
    if let Some(example) = told.instead_of.first() {
        let _ = write!(text, "\nInstead of:\n{}", example.trim_end());
    }
    if let Some(example) = told.write.first() {
        let _ = write!(text, "\nWrite:\n{}", example.trim_end());
    }
    text
}

/// Words of a judgement.
pub(crate) fn checked(told: &Checked) -> String {
    let files = plural(told.files, "changed file");
    let verdict = match (told.passes, told.worse.is_empty()) {
        (true, true) => "Nothing is worse".to_owned(),
        (true, false) => "It passes, with warnings".to_owned(),
        (false, _) => "It does not pass: fix what follows".to_owned(),
    };
    let mut text = format!(
        "{verdict} ({files} from {}; {}).",
        told.base,
        added(told.added)
    );
    for worse in &told.worse {
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
    for note in &told.notes {
        let _ = write!(text, "\nnote: {note}");
    }
    text
}

/// Words of a ledger.
pub(crate) fn differs(told: &Differs) -> String {
    let mut text = format!(
        "{} to {}: {}; {}.",
        told.base,
        told.head,
        added(told.added),
        plural(told.functions, "changed function")
    );
    for one in &told.heaviest {
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
