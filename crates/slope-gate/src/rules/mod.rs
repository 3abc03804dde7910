//! Finds violations in a change.
//!
//! | module | contents |
//! |---|---|
//! | `compared` | impact of a change, and the settings |
//! | `syntax` | files that no longer parse |
//! | `complexity` | new or grown complexity of functions |
//! | `clones` | new code that repeats other code |
//! | `resemblance` | new functions that are similar to others, or do the same |
//! | `findings` | dead code, complete reimplementations, findings of rules |
//! | `budget` | budgets of a change and of a week |
//! | `setup` | changes to the gate itself |

pub(crate) mod budget;
mod clones;
mod compared;
mod complexity;
pub(crate) mod findings;
mod resemblance;
pub(crate) mod setup;
pub(crate) mod syntax;
mod tables;

use globset::{Glob, GlobSet, GlobSetBuilder};
use slope_change::is_below;
use slope_model::gate::Violation;
use slope_model::measurement::NotebookCell;

use crate::Error;

pub(crate) use compared::{Compared, fingerprint};

/// Everything that a change makes worse.
pub(crate) fn violations(compared: &Compared<'_>) -> Result<Vec<Violation>, Error> {
    let mut found = Vec::new();
    syntax::find(compared, &mut found);
    complexity::find(compared, &mut found);
    clones::find(compared, &mut found);
    findings::find(compared, &mut found);
    resemblance::find(compared, &mut found);
    tables::find(compared, &mut found);
    let ignored = globs(&compared.check.ignore)?;
    found.retain(|v| is_below(compared.below, &v.path) && !ignored.is_match(&v.path));
    budget::find(compared, &mut found);
    name_cells(compared, &mut found);
    Ok(found)
}

/// Adds the cell to messages about notebooks, because editors do not show line numbers of the file.
fn name_cells(compared: &Compared<'_>, found: &mut [Violation]) {
    let files = compared.impact.step.files.iter();
    let views = files.filter_map(|file| file.after.as_ref());
    for view in views.filter(|view| !view.cells().is_empty()) {
        for violation in found.iter_mut().filter(|v| v.path == view.path()) {
            let message = std::mem::take(&mut violation.message);
            violation.message = NotebookCell::placed(view.cells(), violation.line, message);
            violation.line = NotebookCell::line_in_file(view.cells(), violation.line);
            violation.end_line = NotebookCell::line_in_file(view.cells(), violation.end_line);
        }
    }
}

/// Sorts violations: errors first, then by place.
pub(crate) fn sort(found: &mut [Violation]) {
    found.sort_by(|a, b| {
        let key = |v: &Violation| (std::cmp::Reverse(v.level), v.path.clone(), v.line, v.rule);
        key(a)
            .cmp(&key(b))
            .then_with(|| a.fingerprint.cmp(&b.fingerprint))
    });
}

fn globs(patterns: &[String]) -> Result<GlobSet, Error> {
    let failed = |pattern: &str, error: &globset::Error| Error::Glob {
        pattern: pattern.to_owned(),
        message: error.kind().to_string(),
    };
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        set.add(Glob::new(pattern).map_err(|error| failed(pattern, &error))?);
    }
    set.build().map_err(|error| failed("", &error))
}
