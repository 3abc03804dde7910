//! What people should know of a judgement beside its violations.

use std::collections::BTreeSet;

use slope_change::ScopeChanges;

/// The note if a budget is set for the week and there is no history to count it by.
pub(crate) const NO_WEEK: &str = "the week's budget is not judged: the base is not a commit";

/// Notes about files that a change touches and that are not judged.
pub(crate) fn of_scope(scope: &ScopeChanges) -> Vec<String> {
    let notes = [
        left_out_note(&scope.left_out),
        other_languages_note(&scope.others),
        unused_settings_note(&scope.configs),
    ];
    notes.into_iter().flatten().collect()
}

/// Names files that differ and are left out by no word of the configuration, in order.
fn left_out_note(paths: &[String]) -> Option<String> {
    let named = named(paths)?;
    Some(format!(
        "{named}: not judged, because they look generated, vendored or minified"
    ))
}

/// Lists changed files in unsupported languages.
fn other_languages_note(paths: &[String]) -> Option<String> {
    let named = named(paths)?;
    Some(format!(
        "{named}: not judged, because slope does not support the language"
    ))
}

/// Names configurations that do not apply, since one applies to all judged files.
fn unused_settings_note(paths: &BTreeSet<String>) -> Option<String> {
    let paths: Vec<String> = paths.iter().cloned().collect();
    let named = named(&paths)?;
    Some(format!("{named}: {}", slope_measure::config::NOT_USED))
}

/// The first few paths, and how many more there are; `None` for no path.
fn named(paths: &[String]) -> Option<String> {
    const MOST: usize = 3;
    let more = match paths.len().saturating_sub(MOST) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let named = paths[..paths.len().min(MOST)].join(", ");
    (!paths.is_empty()).then(|| format!("{named}{more}"))
}
