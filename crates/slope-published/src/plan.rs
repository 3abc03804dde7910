//! The problems of a run, and their checkpoints.

use std::collections::BTreeSet;
use std::path::Path;

use slope_model::error_text::one_line;

use super::files::{self, Config, Problem};

/// Problems that were configured or have a folder, by name. Invalid folder names (`../x`) are
/// skipped.
pub(super) fn problem_names(dir: &Path, config: &Config) -> BTreeSet<String> {
    let plain = |name: &String| {
        let mut parts = Path::new(name).components();
        let first = parts.next();
        matches!(first, Some(std::path::Component::Normal(_))) && parts.next().is_none()
    };
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    let folders = entries
        .filter(|entry| {
            let path = entry.path();
            path.join("problem.yaml").is_file() || path.join("checkpoint_1").is_dir()
        })
        .filter_map(|entry| entry.file_name().into_string().ok());
    let configured = config.problems.iter().filter(|name| plain(name)).cloned();
    configured.chain(folders).collect()
}

/// The checkpoints of a problem.
pub(super) struct Planned {
    /// Their names in their order.
    pub(super) names: Vec<String>,
    /// Version of the problem.
    pub(super) version: u32,
    /// Reason that the problem's description cannot be read, if so.
    pub(super) lost: Option<String>,
}

/// The checkpoints of the problem in `folder`. Where its description is lost, the folders that there are.
pub(super) fn checkpoints(folder: &Path) -> Planned {
    let problem = files::yaml::<Problem>(&folder.join("problem.yaml"));
    match problem {
        Ok(problem) => {
            let checkpoints = problem.checkpoints.into_iter();
            let mut ordered: Vec<(u32, String)> = checkpoints
                .map(|(name, checkpoint)| (checkpoint.order, name))
                .collect();
            ordered.sort();
            Planned {
                names: ordered.into_iter().map(|(_, name)| name).collect(),
                version: problem.version,
                lost: None,
            }
        }
        Err(error) => {
            let names = (1..).map(|number| format!("checkpoint_{number}"));
            let there = names.take_while(|name| folder.join(name).is_dir());
            Planned {
                names: there.collect(),
                version: 1,
                lost: Some(one_line(&error)),
            }
        }
    }
}
