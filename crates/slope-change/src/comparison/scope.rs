//! Effect of a change on the judged files and the settings.

use std::collections::BTreeSet;

use slope_measure::{Content, Measurer};

use crate::below::is_below;
use crate::impact::Impact;

/// Names of configuration files.
pub(super) const CONFIGS: [&str; 2] = ["slope.toml", "pyproject.toml"];

/// A configuration or ratchet before and after a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rewritten {
    /// Path of the file.
    pub path: String,
    /// Content before; `None` for a new file.
    pub before: Option<Vec<u8>>,
    /// Content after; `None` for a removed file.
    pub after: Option<Vec<u8>>,
}

/// Effect of a change on the judged files and the settings.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ScopeChanges {
    /// Configurations and ratchets that differ, sorted by path.
    pub rewritten: Vec<Rewritten>,
    /// Code that the change excludes although it was judged, or would have been, each with the reason.
    pub hidden: Vec<(String, String)>,
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
        scope.left_out.sort();
        scope.left_out.retain(|path| is_below(below, path));
        for judged in [&mut scope.hidden, &mut scope.unreadable] {
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

/// Whether a path is a configuration.
#[must_use]
pub fn is_config(path: &str) -> bool {
    CONFIGS.contains(&last_of(path))
}

/// File name of a path.
pub(super) fn last_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
