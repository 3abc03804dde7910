//! Notes of a judgement besides its violations.

use std::collections::BTreeSet;

use slope_change::ScopeChanges;

/// Note for a weekly budget without a history.
pub(crate) const NO_WEEK: &str = "the week's budget is not judged: the base is not a commit";

/// Notes about changed files that are not judged.
pub(crate) fn of_scope(scope: &ScopeChanges) -> Vec<String> {
    let notes = [
        left_out_note(&scope.left_out),
        other_languages_note(&scope.others),
        unused_settings_note(&scope.configs),
    ];
    notes.into_iter().flatten().collect()
}

/// Lists changed files that are skipped without an entry in the configuration, in order.
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

/// Lists configurations that do not apply, because one configuration applies to all judged files.
fn unused_settings_note(paths: &BTreeSet<String>) -> Option<String> {
    let paths: Vec<String> = paths.iter().cloned().collect();
    let named = named(&paths)?;
    Some(format!("{named}: {}", slope_measure::config::NOT_USED))
}

/// The first few paths, and the number of others; `None` without paths.
fn named(paths: &[String]) -> Option<String> {
    const MAX_NAMED: usize = 3;
    let more = match paths.len().saturating_sub(MAX_NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let named = paths[..paths.len().min(MAX_NAMED)].join(", ");
    (!paths.is_empty()).then(|| format!("{named}{more}"))
}
