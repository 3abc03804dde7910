//! A real change and its base.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use similar::{Algorithm, DiffOp, capture_diff_slices};
use slope_syntax::paths;

use crate::unit::{Unit, has_word};

/// Files with their texts by path.
pub type Files = BTreeMap<String, String>;

/// Maximum number of files to read for material besides those that the change touches.
const MAX_PEERS: usize = 80;

/// Folders of code that other people maintain, and of output.
const FOREIGN: &[&str] = &[
    "vendor",
    "third_party",
    "node_modules",
    "dist",
    "build",
    "external",
    "deps",
];

/// A change to be mutated.
pub struct Subject<'a> {
    base: &'a Files,
    change: BTreeMap<String, Option<String>>,
    units: Vec<Unit>,
    peers: OnceCell<Vec<Unit>>,
}

impl<'a> Subject<'a> {
    /// A change: paths with their new text, `None` for removed files.
    #[must_use]
    pub fn new(base: &'a Files, change: BTreeMap<String, Option<String>>) -> Self {
        let unit = |(path, text): (&String, &Option<String>)| {
            let text = text.as_ref()?;
            let mut unit = Unit::read(path, text).filter(is_production)?;
            let before = base
                .get(path)
                .map_or("", String::as_str)
                .replace("\r\n", "\n");
            unit.touched = touched(&before, unit.text());
            Some(unit)
        };
        let units = change.iter().filter_map(unit).collect();
        Self {
            base,
            change,
            units,
            peers: OnceCell::new(),
        }
    }

    /// Production files that the change touches and that can be edited, in order of path.
    #[must_use]
    pub fn units(&self) -> &[Unit] {
        &self.units
    }

    /// The change itself.
    #[must_use]
    pub fn change(&self) -> &BTreeMap<String, Option<String>> {
        &self.change
    }

    /// Whether the change touches a function that can be edited.
    #[must_use]
    pub fn is_editable(&self) -> bool {
        self.units
            .iter()
            .any(|unit| !unit.touched_functions().is_empty())
    }

    /// Text of a file before the change.
    #[must_use]
    pub fn before(&self, path: &str) -> Option<&str> {
        self.base.get(path).map(String::as_str)
    }

    /// Text of a file after the change.
    #[must_use]
    pub fn after(&self, path: &str) -> Option<&str> {
        match self.change.get(path) {
            Some(text) => text.as_deref(),
            None => self.before(path),
        }
    }

    /// Whether there is a file or folder at a path after the change.
    #[must_use]
    pub fn has(&self, path: &str) -> bool {
        self.after(path).is_some()
    }

    /// Whether another file has a word.
    #[must_use]
    pub fn mentions(&self, word: &str, except: &str) -> bool {
        let old = self
            .base
            .iter()
            .filter(|(path, _)| !self.change.contains_key(*path));
        let new = self
            .change
            .iter()
            .filter_map(|(path, text)| Some((path, text.as_ref()?)));
        old.chain(new)
            .any(|(path, text)| path != except && has_word(text, word))
    }

    /// Production files of the base that the change does not touch, nearest to the touched ones first.
    #[must_use]
    pub fn peers(&self) -> &[Unit] {
        self.peers.get_or_init(|| {
            let suffixes: BTreeSet<&str> = self.units.iter().map(|u| suffix(&u.path)).collect();
            let folders: BTreeSet<&str> = self.units.iter().map(|u| folder(&u.path)).collect();
            let fits = |path: &&String| {
                suffixes.contains(suffix(path)) && !self.change.contains_key(*path)
            };
            let mut paths: Vec<&String> = self.base.keys().filter(fits).collect();
            paths.sort_by_key(|path| !folders.contains(folder(path)));
            let units = paths
                .into_iter()
                .filter_map(|path| Unit::read(path, &self.base[path]));
            units.filter(is_production).take(MAX_PEERS).collect()
        })
    }
}

/// Whether a file is production code of the project itself.
fn is_production(unit: &Unit) -> bool {
    let path = unit.path.as_str();
    let is_foreign = path.split('/').any(|part| FOREIGN.contains(&part));
    !is_foreign && !paths::is_test_in(path, unit.style.id()) && !paths::is_example(path)
}

/// The suffix of a path with its dot.
#[must_use]
pub(crate) fn suffix(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rfind('.').map_or("", |dot| &name[dot..])
}

/// The folder of a path, without a final `/`.
#[must_use]
pub(crate) fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The name of a file without its suffix.
#[must_use]
pub(crate) fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.split('.').next().unwrap_or(name)
}

/// A path in the same folder.
#[must_use]
pub(crate) fn beside(path: &str, name: &str) -> String {
    match folder(path) {
        "" => name.to_owned(),
        folder => format!("{folder}/{name}"),
    }
}

/// The rows of the new text that differ from the old one.
fn touched(before: &str, after: &str) -> BTreeSet<usize> {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let mut rows = BTreeSet::new();
    for op in capture_diff_slices(Algorithm::Myers, &old, &new) {
        match op {
            DiffOp::Insert {
                new_index, new_len, ..
            }
            | DiffOp::Replace {
                new_index, new_len, ..
            } => {
                rows.extend(new_index..new_index + new_len);
            }
            DiffOp::Delete { new_index, .. } => {
                rows.insert(new_index);
            }
            DiffOp::Equal { .. } => {}
        }
    }
    rows
}
