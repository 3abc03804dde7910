//! Files that no longer parse.
//!
//! slope judges code that does not parse only in part, so a change must not break the syntax of a file.

use slope_measure::{FileStep, FileView};
use slope_model::gate::{Evidence, GateRule, Level, Violation};
use slope_model::measurement::SyntaxErrors;

use super::{Compared, count, fingerprint};

pub(super) fn find(compared: &Compared<'_>, found: &mut Vec<Violation>) {
    let files = compared.full.step.files.iter();
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

/// The removed file that a new file with syntax errors most likely was: one of the same language and of similar size.
///
/// The content cannot decide, because a broken file may hold nothing that slope can compare.
fn replaced<'a>(compared: &Compared<'a>, new: &FileView) -> Option<&'a FileView> {
    let removed = compared.full.step.files.iter();
    let removed = removed.filter(|file| file.after.is_none());
    removed.filter_map(|file| file.before.as_ref()).find(|old| {
        let (old_size, new_size) = (old.source().count(), new.source().count());
        old.language() == new.language() && new_size <= 2 * old_size && old_size <= 2 * new_size
    })
}

fn judge(compared: &Compared<'_>, file: &FileStep) -> Option<Violation> {
    let view = file.after.as_ref()?;
    let now = view.syntax_errors()?;
    let before = file.before.as_ref();
    let replaced = before.or_else(|| replaced(compared, view));
    let was = replaced.map(FileView::syntax_errors);
    let errors_before = match was {
        Some(Some(errors)) => errors.count,
        _ => 0,
    };
    if was.is_some() && now.count <= errors_before {
        return None;
    }
    let (_, level) = compared.level(view.part(), GateRule::BrokenSyntax)?;
    // A new file may use a version of the language that slope does not support yet.
    let stops_parsing = matches!(was, Some(None));
    let level = if stops_parsing { level } else { Level::Warning };
    let places = count(now.count.into(), "place");
    let message = match was {
        Some(None) if before.is_none() => {
            let old = replaced.map_or("", FileView::path);
            format!("The file replaces {old}, which parsed, and does not parse in {places}.")
        }
        Some(None) => format!("The file parsed before and no longer does, in {places}."),
        Some(Some(_)) => {
            format!("The file does not parse in {places}; it was {errors_before} before.")
        }
        None => format!("The new file does not parse in {places}."),
    };
    Some(Violation {
        rule: GateRule::BrokenSyntax,
        level,
        part: view.part(),
        path: view.path().to_owned(),
        function: None,
        line: now.first_line,
        end_line: now.first_line,
        before: was.is_some().then(|| f64::from(errors_before)),
        after: f64::from(now.count),
        limit: Some(f64::from(errors_before)),
        fingerprint: fingerprint(&[GateRule::BrokenSyntax.id(), view.path()]),
        message,
        advice: "Correct the syntax. slope judges code that does not parse only in part."
            .to_owned(),
        evidence: Evidence::default(),
    })
}
