//! Checks of inputs that an edit adds, compared with those of a reference or of other attempts at the task: nothing in an
//! edit alone shows that a check is missing.

use slope_measure::Content;
use slope_model::grade::Evidence;
use slope_syntax::paths::is_test;

use super::judged::Judged;
use crate::edit::Edit;

/// What a missing check counts, as a check that an edit weakens counts 1.
const MISSING: f64 = 0.3;
/// Missing checks that count nothing: one check may ask for two things.
const FREE: i64 = 1;

/// Checks that the judged edit adds, less those that it removes.
pub(crate) fn checks(judged: &Judged<'_>) -> i64 {
    of(judged, judged.edit)
}

fn of(judged: &Judged<'_>, edit: &Edit) -> i64 {
    let base = judged.base;
    let is_own = std::ptr::eq(edit, judged.edit);
    let files = edit.files.iter();
    let files = files.filter(|(path, _)| base.measures(path) && !is_test(path));
    files
        .map(|(path, (_, after))| {
            let count = |content: Option<&Content>| content.map_or(0, Content::check_count);
            let before = count(base.code.content(path).as_ref());
            let now = match (judged.after.get(path).filter(|_| is_own), after) {
                (Some(known), _) => known.check_count(),
                (None, Some(text)) => base.measurer.content(path, text).check_count(),
                (None, None) => 0,
            };
            now.cast_signed() as i64 - before.cast_signed() as i64
        })
        .sum()
}

/// The amount of checks that others have beyond an edit.
pub(crate) fn missing(others: i64, own: i64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "few checks")]
    let count = (others - own - FREE).max(0) as f64;
    MISSING * count
}

/// Checks that the reference has and the edit does not.
pub(super) fn beyond_edit(judged: &Judged<'_>, signal: &str) -> Option<Evidence> {
    let reference = of(judged, judged.reference?);
    let own = checks(judged);
    let amount = missing(reference, own);
    (amount > 0.0).then(|| Evidence {
        signal: signal.to_owned(),
        kind: "missing-check".to_owned(),
        at: judged.edit.files.keys().next().cloned().unwrap_or_default(),
        of: None,
        message: format!("The edit adds {own} checks of inputs, and the reference {reference}."),
        amount,
    })
}
