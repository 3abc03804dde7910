//! Effect of a change on the judged files and the settings.

use std::collections::{BTreeMap, BTreeSet};

use slope_measure::{Content, FileView, Measurer};
use slope_model::measurement::Part;

use super::moved::Move;
use super::steering::Steering;
use crate::below::is_below;
use crate::impact::Impact;

/// Names of configuration files.
pub(super) const CONFIGS: [&str; 2] = ["slope.toml", "pyproject.toml"];

/// A file that steers judging, before and after a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rewritten {
    /// Path of the file.
    pub path: String,
    /// Its content.
    pub steering: Steering,
    /// Content before; `None` for a new file.
    pub before: Option<Vec<u8>>,
    /// Content after; `None` for a removed file.
    pub after: Option<Vec<u8>>,
}

/// Effect of a change on the judged files and the settings.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ScopeChanges {
    /// Files that steer judging and differ, sorted by path.
    pub rewritten: Vec<Rewritten>,
    /// Code that the change excludes although it was judged, or would have been, each with the reason.
    pub hidden: Vec<(String, String)>,
    /// Code that counts as tests and was production code before, each with the reason.
    pub eased: Vec<(String, String)>,
    /// Files with lines that were in other judged files.
    pub(super) moves: Vec<Move>,
    /// Code that was judged and can no longer be measured, each with the reason.
    pub unreadable: Vec<(String, String)>,
    /// Changed code that is skipped by its name or text, for example as generated or vendored.
    pub left_out: Vec<String>,
    /// Changed files in unsupported languages.
    pub others: Vec<String>,
    /// Configurations in the folders of changed files that do not apply, sorted by path.
    pub configs: BTreeSet<String>,
}

impl ScopeChanges {
    /// Adds files that are skipped or unreadable by their content, and keeps only paths below the requested one.
    pub(super) fn with_contents<'c>(
        &self,
        measurer: &Measurer,
        after: impl Iterator<Item = (&'c String, &'c Content)>,
        impact: &Impact,
        below: &str,
    ) -> Self {
        let mut scope = self.clone();
        for (path, content) in after {
            if let Content::Unmeasured(reason) = content
                && impact.had(path)
            {
                scope.unreadable.push((path.clone(), reason.clone()));
            }
            match measurer.left_out(content) {
                Some(sign) if impact.had(path) => {
                    scope.hidden.push((path.clone(), sign.to_owned()));
                }
                Some(_) => scope.left_out.push(path.clone()),
                None => {}
            }
        }
        scope.add_moved(impact);
        scope.left_out.sort();
        scope.left_out.retain(|path| is_below(below, path));
        for judged in [&mut scope.hidden, &mut scope.eased, &mut scope.unreadable] {
            judged.retain(|(path, _)| is_below(below, path));
        }
        scope.others.retain(|path| is_below(below, path));
        // The nearest configuration at or above the judged folder applies.
        let is_unused = |path: &String| {
            let folder = path.rfind('/').map_or("", |end| &path[..=end]);
            folder != below && is_below(below, folder)
        };
        scope.configs.retain(is_unused);
        scope
    }
}

impl ScopeChanges {
    /// Adds code that moves into files with a sign of generated code, and code that now counts as tests.
    fn add_moved(&mut self, impact: &Impact) {
        let files = &impact.step.files;
        let before: BTreeMap<&str, Part> = parts(files.iter().filter_map(|it| it.before.as_ref()));
        let after: BTreeMap<&str, Part> = parts(files.iter().filter_map(|it| it.after.as_ref()));
        for found in std::mem::take(&mut self.moves) {
            let (from, to) = (found.from, found.to);
            if self.left_out.contains(&to) {
                let reason = format!("it was {from}, and has a sign of generated or minified code");
                let part = format!(
                    "most of its lines were in {from}, and it has a sign of generated or minified code"
                );
                self.hidden
                    .push((to, if found.is_whole { reason } else { part }));
            } else if found.is_whole
                && before.get(&*from) == Some(&Part::Product)
                && after.get(&*to) == Some(&Part::Tests)
            {
                self.eased.push((to, format!("it was {from}")));
            }
        }
        for file in files {
            if let (Some(before), Some(after)) = (&file.before, &file.after)
                && before.path() == after.path()
                && (before.part(), after.part()) == (Part::Product, Part::Tests)
            {
                let reason = "its text has signs of tests".to_owned();
                self.eased.push((after.path().to_owned(), reason));
            }
        }
        self.hidden.sort();
        self.eased.sort();
    }
}

/// The part of the code base of each file.
fn parts<'v>(views: impl Iterator<Item = &'v FileView>) -> BTreeMap<&'v str, Part> {
    views.map(|view| (view.path(), view.part())).collect()
}

/// Whether a path is a configuration.
pub(super) fn is_config(path: &str) -> bool {
    CONFIGS.contains(&last_of(path))
}

/// File name of a path.
pub(super) fn last_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
