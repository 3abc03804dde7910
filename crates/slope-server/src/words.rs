//! Answers in a few lines of text.

use std::fmt::Write;

use crate::answers::{Explained, Match, Matches, Measured};

/// Words of a measurement.
pub(crate) fn measured(told: &Measured) -> String {
    let mut text = format!(
        "{}: {} files, {} source lines, {} functions, {} of them highly complex.\n",
        told.path, told.files, told.sloc, told.functions, told.high_complexity_functions
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
        let _ = writeln!(text, "{} files could not be measured.", told.unmeasured);
    }
    for worst in &told.most_complex {
        let place = &worst.place;
        let _ = writeln!(
            text,
            "{}:{} `{}`: complexity {}, {} lines",
            place.path, place.line, place.name, worst.complexity, worst.sloc
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

/// Words of what was found to be alike.
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
    let mut text = format!(
        "{} ({}; {}): {}\n{}",
        told.rule,
        told.category,
        told.languages.join(", "),
        told.message,
        told.why
    );
    if let Some(example) = told.instead_of.first() {
        let _ = write!(text, "\nInstead of:\n{}", example.trim_end());
    }
    if let Some(example) = told.write.first() {
        let _ = write!(text, "\nWrite:\n{}", example.trim_end());
    }
    text
}
