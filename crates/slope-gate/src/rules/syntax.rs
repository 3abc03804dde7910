//! Files that no longer parse.
//!
//! slope cannot judge code that does not parse, so a change must not break the syntax of a file.

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

fn judge(compared: &Compared<'_>, file: &FileStep) -> Option<Violation> {
    let view = file.after.as_ref()?;
    let now = view.syntax_errors()?;
    let was = file.before.as_ref().map(FileView::syntax_errors);
    let before = match was {
        Some(Some(errors)) => errors.count,
        _ => 0,
    };
    if was.is_some() && now.count <= before {
        return None;
    }
    let (_, level) = compared.level(view.part(), GateRule::BrokenSyntax)?;
    // A new file may use a version of the language that slope does not support yet.
    let stops_parsing = matches!(was, Some(None));
    let level = if stops_parsing { level } else { Level::Warning };
    let places = count(now.count.into(), "place");
    let message = match was {
        Some(None) => format!("The file parsed before and no longer does, in {places}."),
        Some(Some(_)) => format!("The file does not parse in {places}; it was {before} before."),
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
        before: was.is_some().then(|| f64::from(before)),
        after: f64::from(now.count),
        limit: Some(f64::from(before)),
        fingerprint: fingerprint(&[GateRule::BrokenSyntax.id(), view.path()]),
        message,
        advice: "Correct the syntax. slope cannot judge code that does not parse.".to_owned(),
        evidence: Evidence::default(),
    })
}
