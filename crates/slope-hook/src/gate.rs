//! The gate as a judge.

use std::path::{Path, PathBuf};

use slope_gate::{EMPTY_TREE, Head, Subject};
use slope_model::error_text::one_line;
use slope_model::gate::{Level, Violation};

use crate::{Base, Judge, Worse};

/// Judges changes with the gate and the project's own configuration.
#[derive(Debug, Clone)]
pub struct GateJudge {
    cache: Option<PathBuf>,
}

impl GateJudge {
    /// A judge that caches facts of files in a folder, if there is one.
    #[must_use]
    pub fn new(cache: Option<PathBuf>) -> Self {
        Self { cache }
    }
}

impl Judge for GateJudge {
    fn worse(&self, top: &Path, base: &Base) -> Result<Vec<Worse>, String> {
        let subject = match base {
            // Compare with the files of the commit, not with a merge base: the session may be on
            // another branch.
            Base::Commit(id) => {
                let files = format!("{id}^{{tree}}");
                Subject::git(top, Some(&files), Head::Worktree)
            }
            Base::Nothing => Subject::git(top, Some(EMPTY_TREE), Head::Worktree),
            Base::Dir(dir) => Subject::Folders {
                base: dir.clone(),
                head: top.to_owned(),
            },
        };
        let judged = slope_gate::judge(&subject, self.cache.clone());
        let judged = judged.map_err(|error| one_line(&error))?;
        Ok(judged.violations.into_iter().map(worse).collect())
    }
}

fn worse(violation: Violation) -> Worse {
    Worse {
        fingerprint: violation.fingerprint,
        path: violation.path,
        line: violation.line,
        is_error: violation.level == Level::Error,
        message: violation.message,
        advice: violation.advice,
    }
}
