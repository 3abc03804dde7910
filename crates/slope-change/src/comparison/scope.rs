//! What a change does to the files that are judged, and to the settings by which they are.

use std::collections::BTreeSet;

use slope_measure::{Content, Measurer};

use crate::below::is_below;
use crate::impact::Impact;

/// Names of configuration files.
pub(super) const CONFIGS: [&str; 2] = ["slope.toml", "pyproject.toml"];

/// A configuration or ratchet, before and after a change of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rewritten {
    /// Its path.
    pub path: String,
    /// Its content before; `None` if it is new.
    pub before: Option<Vec<u8>>,
    /// Its content after; `None` if it is removed.
    pub after: Option<Vec<u8>>,
}

/// What a change does to the files that are judged, and to the settings by which they are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ScopeChanges {
    /// Configurations and ratchets that differ, in order of path.
    pub rewritten: Vec<Rewritten>,
    /// Code that was judged, or would have been, and that the change leaves out; each with the reason.
    pub hidden: Vec<(String, String)>,
    /// Code that was judged and cannot be measured any more, each with the reason.
    pub unreadable: Vec<(String, String)>,
    /// Code that differs and is left out by its name or text, as generated or vendored.
    pub left_out: Vec<String>,
    /// Changed files in unsupported languages.
    pub others: Vec<String>,
    /// Configurations in the folders of changed files that do not apply, in order of path.
    pub configs: BTreeSet<String>,
}

impl ScopeChanges {
    /// Adds files whose contents are left out or unreadable, and keeps the paths below the requested one.
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
        // The configuration of the judged folder, or of one around it, applies.
        let is_unused = |path: &String| {
            let folder = path.rfind('/').map_or("", |end| &path[..=end]);
            folder != below && is_below(below, folder)
        };
        scope.configs.retain(is_unused);
        scope
    }
}

/// Whether a path is that of a configuration.
#[must_use]
pub fn is_config(path: &str) -> bool {
    CONFIGS.contains(&last_of(path))
}

/// The name of a file without its folders.
pub(super) fn last_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
