//! The verdict that a run directory stores of a snapshot, test by test.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use slope_model::error_text::one_line;
use slope_model::verdict::Outcome;

use super::checkpoint::not_graded;
use super::error::ImportError;
use super::files::{self, Catalog, Config, Grader, Ids, Listed, Tests};
use super::plan::{checkpoints, problem_names};

/// Outcomes of failed tests, which the harness does not distinguish.
const FAILED: [Outcome; 3] = [Outcome::Failed, Outcome::Error, Outcome::Timeout];
/// The older version has no list of skipped tests and lists them as failed.
const NOT_PASSED: [Outcome; 4] = [
    Outcome::Failed,
    Outcome::Error,
    Outcome::Timeout,
    Outcome::Skipped,
];

/// One test as stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredTest {
    /// Checkpoint of the test's suite.
    pub checkpoint: String,
    /// The part of the node id after the file.
    pub id: String,
    /// Group at the graded checkpoint, in small letters: `core`, or a custom marker's name.
    pub group: String,
    /// The outcome: `passed`, `failed` or `skipped`.
    pub said: &'static str,
    /// Equivalent outcomes of slope.
    pub same: &'static [Outcome],
}

impl StoredTest {
    /// The outcome as one of slope's. The harness does not distinguish failures, errors and
    /// timeouts.
    pub(crate) fn outcome(&self) -> Outcome {
        match self.said {
            "passed" => Outcome::Passed,
            "skipped" => Outcome::Skipped,
            _ => Outcome::Failed,
        }
    }
}

/// A stored snapshot with the verdict on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredVerdict {
    /// Problem.
    pub problem: String,
    /// Checkpoint.
    pub checkpoint: String,
    /// Folder with the snapshot's files.
    pub snapshot: PathBuf,
    /// Version of the problem that graded, where it is stored.
    pub problem_version: Option<u32>,
    /// Its tests, by group and in the order of the file.
    pub tests: Vec<StoredTest>,
}

/// The stored verdicts of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredRun {
    /// Requested model.
    pub model: String,
    /// Commit of the catalog of problems; empty where it is not stored.
    pub catalog: String,
    /// Python version of the grading container, for example `3.12`, if its image's name contains
    /// it.
    pub python: Option<String>,
    /// Verdicts, by problem and checkpoint.
    pub verdicts: Vec<StoredVerdict>,
    /// Problem and checkpoint of folders without a verdict, with the reason.
    pub left_out: BTreeMap<(String, String), String>,
}

/// Reads the stored verdicts of the run in `dir`, without their quality numbers.
///
/// # Errors
/// If the run's configuration cannot be read. A checkpoint whose verdict is missing, truncated or
/// an infrastructure failure is in [`StoredRun::left_out`].
pub fn stored(dir: &Path) -> Result<StoredRun, ImportError> {
    let config: Config = files::yaml(&dir.join("config.yaml"))?;
    let catalog: Catalog = files::json(&dir.join("problem_catalog.json")).unwrap_or_default();
    let grader: Grader = files::yaml(&dir.join("environment.yaml")).unwrap_or_default();
    let mut run = StoredRun {
        python: grader.docker.and_then(|docker| python_of(&docker.image)),
        model: config.model.name.clone(),
        catalog: catalog.commit,
        verdicts: Vec::new(),
        left_out: BTreeMap::new(),
    };
    for problem in problem_names(dir, &config) {
        let folder = dir.join(&problem);
        for checkpoint in checkpoints(&folder).names {
            let own = folder.join(&checkpoint);
            if !own.is_dir() {
                continue;
            }
            match verdict(&own, &problem, &checkpoint) {
                Ok(verdict) => run.verdicts.push(verdict),
                Err(why) => {
                    run.left_out.insert((problem.clone(), checkpoint), why);
                }
            }
        }
    }
    Ok(run)
}

fn verdict(folder: &Path, problem: &str, checkpoint: &str) -> Result<StoredVerdict, String> {
    let evaluation = files::evaluation(folder, problem, checkpoint)
        .map_err(|error| format!("not graded: {}", one_line(&error)))?;
    if let Some(why) = not_graded(&evaluation) {
        return Err(why);
    }
    let tests = evaluation.tests.each();
    if tests.is_empty() {
        return Err("no test was run".to_owned());
    }
    let snapshot = folder.join("snapshot");
    if !snapshot.is_dir() {
        return Err(format!("there is no {}", snapshot.display()));
    }
    Ok(StoredVerdict {
        problem: problem.to_owned(),
        checkpoint: checkpoint.to_owned(),
        snapshot,
        problem_version: evaluation.problem_version,
        tests,
    })
}

impl Tests {
    /// The tests one by one.
    pub(crate) fn each(&self) -> Vec<StoredTest> {
        match self {
            Self::Listed(tests) => tests.iter().map(Listed::test).collect(),
            Self::Grouped(groups) => {
                let each = groups.iter().flat_map(|(key, ids)| ids.tests(key));
                each.collect()
            }
        }
    }
}

impl Listed {
    fn test(&self) -> StoredTest {
        let (said, same): (_, &[Outcome]) = match self.status.as_str() {
            "passed" => ("passed", &[Outcome::Passed]),
            "skipped" => ("skipped", &[Outcome::Skipped]),
            _ => ("failed", &FAILED),
        };
        StoredTest {
            checkpoint: self.checkpoint.clone(),
            id: self.id.clone(),
            group: self.group_type.to_ascii_lowercase(),
            said,
            same,
        }
    }
}

impl Ids {
    /// The tests of the lists under `key`, which is a checkpoint's and a group's name.
    fn tests(&self, key: &str) -> Vec<StoredTest> {
        let failed: &[Outcome] = match self.skipped {
            Some(_) => &FAILED,
            None => &NOT_PASSED,
        };
        let none = Vec::new();
        let skipped = self.skipped.as_ref().unwrap_or(&none);
        let lists: [(&str, &[Outcome], &Vec<String>); 3] = [
            ("passed", &[Outcome::Passed], &self.passed),
            ("failed", failed, &self.failed),
            ("skipped", &[Outcome::Skipped], skipped),
        ];
        let (checkpoint, group) = key.rsplit_once('-').unwrap_or(("", key));
        let mut tests = Vec::new();
        for (said, same, ids) in lists {
            tests.extend(ids.iter().map(|id| StoredTest {
                checkpoint: checkpoint.to_owned(),
                id: id.clone(),
                group: group.to_ascii_lowercase(),
                said,
                same,
            }));
        }
        tests
    }
}

/// The Python version in an image's name: `3.12` for `uv:python3.12-slim` and for `python:3.12`.
fn python_of(image: &str) -> Option<String> {
    let (_, after) = image.rsplit_once("python")?;
    let after = after.trim_start_matches([':', '-']);
    let end = after.find(|c: char| !c.is_ascii_digit() && c != '.');
    let version = &after[..end.unwrap_or(after.len())];
    let mut parts = version.split('.');
    let (major, minor) = (parts.next()?, parts.next()?);
    let is_number = |part: &str| part.parse::<u32>().is_ok();
    (is_number(major) && is_number(minor)).then(|| format!("{major}.{minor}"))
}

#[cfg(test)]
mod tests {
    use super::python_of;

    #[test]
    fn image_name_gives_python_version() {
        let of = |image: &str| python_of(image);
        let uv = of("ghcr.io/astral-sh/uv:python3.12-trixie-slim");
        assert_eq!(uv.as_deref(), Some("3.12"));
        assert_eq!(of("python:3.13.1-slim").as_deref(), Some("3.13"));
        for unknown in ["python:latest", "debian:12", "python:3", "python"] {
            assert_eq!(of(unknown), None, "{unknown}");
        }
    }
}
