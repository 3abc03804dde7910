//! A change to violations.
//!
//! | module | what it looks for |
//! |---|---|
//! | `syntax` | files that no longer parse |
//! | `complexity` | functions that are highly complex and new, or grew |
//! | `clones` | new code that is elsewhere |
//! | `resemblance` | new functions that are nearly another one, or do what it does |
//! | `findings` | dead code, reimplementation in full, findings of rules |
//! | `budget` | the change as a whole |
//! | `setup` | what the change does to the gate itself |

pub(crate) mod budget;
mod clones;
mod complexity;
pub(crate) mod findings;
mod resemblance;
pub(crate) mod setup;
pub(crate) mod syntax;
mod tables;

use globset::{Glob, GlobSet, GlobSetBuilder};
use slope_history::FullChange;
use slope_history::ledger::{Followed, UnitAt};
use slope_measure::{FileView, Measurer, Resemblances};
use slope_model::gate::{GateRule, Level, Violation};
use slope_model::measurement::{Callable, NotebookCell, Part};

use crate::trees::is_below;
use crate::{Check, Error, Limits};

/// A change, and how it is judged.
pub(crate) struct Compared<'a> {
    pub(crate) full: &'a FullChange,
    /// Functions of changed files that are like other ones.
    pub(crate) like: &'a Resemblances,
    pub(crate) measurer: &'a Measurer,
    pub(crate) check: &'a Check,
    /// Only paths below are shown.
    pub(crate) below: &'a str,
}

/// What a change makes worse.
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

/// Adds the cell to messages on notebooks: editors do not show the lines of the file.
fn name_cells(compared: &Compared<'_>, found: &mut [Violation]) {
    let files = compared.full.step.files.iter();
    let views = files.filter_map(|file| file.after.as_ref());
    for view in views.filter(|view| !view.cells().is_empty()) {
        for violation in found.iter_mut().filter(|v| v.path == view.path()) {
            let message = std::mem::take(&mut violation.message);
            violation.message = NotebookCell::placed(view.cells(), violation.line, message);
        }
    }
}

/// Errors first, then by place.
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

impl<'a> Compared<'a> {
    /// Units that are not what they were.
    fn changed(&self) -> impl Iterator<Item = &'a Followed> {
        self.full.followed.iter().filter(|f| !f.is_same)
    }

    fn before(&self, at: UnitAt) -> Option<(&'a FileView, Option<&'a Callable>)> {
        let view = self.full.step.files.get(at.file)?.before.as_ref()?;
        Some((
            view,
            at.callable.and_then(|index| view.callables().get(index)),
        ))
    }

    fn after(&self, at: UnitAt) -> Option<(&'a FileView, Option<&'a Callable>)> {
        let view = self.full.step.files.get(at.file)?.after.as_ref()?;
        Some((
            view,
            at.callable.and_then(|index| view.callables().get(index)),
        ))
    }

    /// The limits for a part, and the level of a rule there; `None` if it is off.
    fn level(&self, part: Part, rule: GateRule) -> Option<(&'a Limits, Level)> {
        let limits = self.check.limits(part);
        Some((limits, limits.level(rule)?))
    }
}

/// A name that stays when lines shift, 16 hexadecimal digits.
pub(crate) fn fingerprint(parts: &[&str]) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(part.as_bytes());
        hasher.update(&[0]);
    }
    let mut hex = hasher.finalize().to_hex().to_string();
    hex.truncate(16);
    hex
}
