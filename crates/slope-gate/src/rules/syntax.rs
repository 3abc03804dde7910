//! Files that stop parsing.
//!
//! slope can judge unparsable code only in part, so a change must not break the syntax of a file.

use slope_measure::{FileStep, FileView};
use slope_model::gate::{Evidence, GateRule, Level, Violation};
use slope_model::measurement::{Part, SyntaxErrors};
use slope_model::plural;
use slope_refusals::decides;

use super::compared::{Compared, fingerprint};

pub(super) fn find(compared: &Compared<'_>, found: &mut Vec<Violation>) {
    let files = compared.impact.step.files.iter();
    found.extend(files.filter_map(|file| judge(compared, file)));
}

/// The changed files with syntax errors.
pub(crate) fn broken<'a>(
    files: impl Iterator<Item = &'a FileStep>,
) -> impl Iterator<Item = (&'a FileView, SyntaxErrors)> {
    files.filter_map(|file| {
        let view = file.after.as_ref()?;
        let is_same = file
            .before
            .as_ref()
            .is_some_and(|before| before.is_same_content(view));
        Some((view, view.syntax_errors()?)).filter(|_| !is_same)
    })
}

/// The removed file that a new file with syntax errors probably was: one with the same content, or one of the same
/// language and similar size whose path has the longest common end.
///
/// Other contents cannot decide, because slope may be unable to parse anything in a broken file.
fn replaced<'a>(compared: &Compared<'a>, new: &FileView) -> Option<&'a FileView> {
    let removed = compared.impact.step.files.iter();
    let removed = removed.filter(|file| file.after.is_none());
    let alike = removed
        .filter_map(|file| file.before.as_ref())
        .filter(|old| {
            let (old_size, new_size) = (old.source().count(), new.source().count());
            old.language() == new.language() && new_size <= 2 * old_size && old_size <= 2 * new_size
        });
    // Among equals, the first one counts.
    alike.min_by_key(|old| {
        let place = std::cmp::Reverse(common_end(old.path(), new.path()));
        (!old.is_same_content(new), place)
    })
}

/// Number of equal path components at the ends of two paths.
fn common_end(one: &str, other: &str) -> usize {
    let parts = one.rsplit('/').zip(other.rsplit('/'));
    parts.take_while(|(one, other)| one == other).count()
}

/// Earlier state of a changed file.
struct Was<'a> {
    /// The file, or the one that it replaces; `None` for a new file.
    file: Option<&'a FileView>,
    /// The replaced file, if it has another name.
    replaced: Option<&'a FileView>,
}

impl Was<'_> {
    fn errors(&self) -> u32 {
        let errors = self.file.and_then(FileView::syntax_errors);
        errors.map_or(0, |errors| errors.count)
    }

    fn refusals(&self) -> usize {
        self.file.map_or(0, |file| file.refusals().len())
    }
}

fn judge(compared: &Compared<'_>, file: &FileStep) -> Option<Violation> {
    let view = file.after.as_ref()?;
    if view.syntax_errors().is_none() && view.refusals().is_empty() {
        return None;
    }
    let before = file.before.as_ref();
    let replaced = match before {
        Some(_) => None,
        None => replaced(compared, view),
    };
    let was = Was {
        file: before.or(replaced),
        replaced,
    };
    refused(compared, view, &was).or_else(|| unparsed(compared, view, &was))
}

/// Judges a file by the errors of the language's own parser.
fn refused(compared: &Compared<'_>, view: &FileView, was: &Was<'_>) -> Option<Violation> {
    let now = view.refusals();
    let first = now.first()?;
    let refusals_before = was.refusals();
    if was.file.is_some() && now.len() <= refusals_before {
        return None;
    }
    let (_, level) = compared.level(view.part(), GateRule::BrokenSyntax)?;
    // Test inputs may be wrong on purpose.
    let may_be_meant = was.file.is_none() && view.part() == Part::Tests;
    let is_worse_only = was.file.is_some() && (refusals_before > 0 || was.errors() > 0);
    let level = if may_be_meant || is_worse_only {
        Level::Warning
    } else {
        level
    };
    let why = format!(
        "line {}: {}",
        first.line,
        first.message.trim_end_matches('.')
    );
    let message = match (was.file, was.replaced) {
        (_, Some(old)) => format!(
            "The file replaces {}, which parsed, and does not parse. {}.",
            old.path(),
            capital(&why)
        ),
        (Some(_), None) if is_worse_only => {
            format!(
                "The file has more syntax errors than before. {}.",
                capital(&why)
            )
        }
        (Some(_), None) => format!(
            "The file parsed before and no longer does. {}.",
            capital(&why)
        ),
        (None, None) => format!("The new file does not parse. {}.", capital(&why)),
    };
    let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let counts = Counts {
        before: count(refusals_before),
        now: count(now.len()),
    };
    let advice = "Correct the syntax. No interpreter or compiler of the language accepts the file.";
    Some(violation(
        view,
        was,
        level,
        first.line,
        counts,
        (message, advice),
    ))
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|first| first.to_uppercase().to_string());
    first.unwrap_or_default() + chars.as_str()
}

/// Numbers of errors.
struct Counts {
    before: u32,
    now: u32,
}

/// Judges a file by the errors of slope's grammar.
fn unparsed(compared: &Compared<'_>, view: &FileView, was: &Was<'_>) -> Option<Violation> {
    let now = view.syntax_errors()?;
    let errors_before = was.errors();
    if was.file.is_some() && now.count <= errors_before {
        return None;
    }
    let (_, level) = compared.level(view.part(), GateRule::BrokenSyntax)?;
    // New files, and files that the language's own parser accepts, may use a version of the language that slope does
    // not support yet.
    let stops_parsing = was.file.is_some() && errors_before == 0;
    let is_accepted = decides(view.language()) && view.refusals().is_empty();
    let level = if stops_parsing && !is_accepted {
        level
    } else {
        Level::Warning
    };
    let places = plural(now.count, "place");
    let message = match (was.file, was.replaced) {
        (None, _) => format!("The new file does not parse in {places}."),
        (Some(_), _) if errors_before > 0 => {
            format!("The file does not parse in {places}; it was {errors_before} before.")
        }
        (_, Some(old)) => format!(
            "The file replaces {}, which parsed, and does not parse in {places}.",
            old.path()
        ),
        _ => format!("The file parsed before and no longer does, in {places}."),
    };
    let counts = Counts {
        before: errors_before,
        now: now.count,
    };
    let advice = "Correct the syntax. slope judges code that does not parse only in part.";
    Some(violation(
        view,
        was,
        level,
        now.first_line,
        counts,
        (message, advice),
    ))
}

fn violation(
    view: &FileView,
    was: &Was<'_>,
    level: Level,
    line: u32,
    counts: Counts,
    (message, advice): (String, &str),
) -> Violation {
    Violation {
        rule: GateRule::BrokenSyntax,
        level,
        part: view.part(),
        path: view.path().to_owned(),
        function: None,
        line,
        end_line: line,
        before: was.file.is_some().then(|| f64::from(counts.before)),
        after: f64::from(counts.now),
        limit: Some(f64::from(counts.before)),
        fingerprint: fingerprint(&[GateRule::BrokenSyntax.id(), view.path()]),
        message,
        advice: advice.to_owned(),
        evidence: Evidence::default(),
    }
}
