//! Compares the results of reference solutions with their expectations.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use slope_model::plural;
use slope_model::problem::Group;
use slope_model::run::{CheckpointReport, RunReport};
use slope_model::verdict::{Count, State};

use crate::Error;

/// The expected result of a checkpoint's reference.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    core: Option<String>,
    functionality: Option<String>,
    error: Option<String>,
    regression: Option<String>,
    /// Names of tests (without parameters' file) that may be unstable; with repeats of all tests
    /// they must be.
    #[serde(default)]
    unstable: Vec<String>,
}

/// Expectations by problem and checkpoint.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Expectations {
    problems: BTreeMap<String, BTreeMap<String, Checked>>,
    /// Whether passed tests are repeated too. Only then every test in `unstable` must be found
    /// unstable.
    pub all_repeated: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Checked {
    counts: BTreeMap<Group, (u32, u32)>,
    unstable: Vec<String>,
}

impl Expectations {
    /// Reads an expectation file (TOML): a table for each problem and checkpoint, with
    /// `passed/total` for each group and the tests that must be found unstable.
    ///
    /// # Errors
    /// If the file cannot be read or is malformed; the message names the file and the position.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let text = std::fs::read_to_string(path).map_err(|source| Error::Read {
            path: path.to_owned(),
            source,
        })?;
        let raw: BTreeMap<String, BTreeMap<String, Expected>> =
            toml::from_str(&text).map_err(|error| malformed(path, &error.to_string()))?;
        let mut problems = BTreeMap::new();
        for (problem, checkpoints) in raw {
            let mut checked = BTreeMap::new();
            for (name, expected) in checkpoints {
                let place = format!("{problem}.{name}");
                let found = check(expected, &place).map_err(|why| malformed(path, &why))?;
                checked.insert(name, found);
            }
            problems.insert(problem, checked);
        }
        Ok(Self {
            problems,
            all_repeated: false,
        })
    }

    /// Names of the problems that something is expected of.
    pub fn problems(&self) -> impl Iterator<Item = &str> {
        self.problems.keys().map(String::as_str)
    }
}

fn malformed(path: &Path, message: &str) -> Error {
    Error::Malformed {
        path: path.to_owned(),
        message: message.trim_end().to_owned(),
    }
}

fn check(expected: Expected, place: &str) -> Result<Checked, String> {
    let texts = [
        (Group::Core, expected.core),
        (Group::Functionality, expected.functionality),
        (Group::Error, expected.error),
        (Group::Regression, expected.regression),
    ];
    let mut counts = BTreeMap::new();
    for (group, text) in texts {
        let Some(text) = text else { continue };
        let parsed = text
            .split_once('/')
            .and_then(|(passed, total)| {
                Some((passed.trim().parse().ok()?, total.trim().parse().ok()?))
            })
            .filter(|(passed, total): &(u32, u32)| passed <= total);
        let Some(pair) = parsed else {
            return Err(format!(
                "{place}.{}: invalid count \"{text}\"\nhelp: write passed/total, for example \"7/7\"",
                group.name()
            ));
        };
        counts.insert(group, pair);
    }
    Ok(Checked {
        counts,
        unstable: expected.unstable,
    })
}

/// One checkpoint compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Comparison {
    /// Problem.
    pub problem: String,
    /// Checkpoint.
    pub checkpoint: String,
    /// State of the verdict.
    pub state: State,
    /// Counts as they are.
    pub counts: BTreeMap<Group, Count>,
    /// Tests found unstable.
    pub unstable: Vec<String>,
    /// Tests that did not pass.
    pub not_passed: Vec<String>,
    /// Differences from the expectation, as messages; empty if there are none.
    pub differences: Vec<String>,
}

/// Compares the reference solutions' run. Without an expectation for a checkpoint, every test must pass.
#[must_use]
pub fn compare(report: &RunReport, expectations: &Expectations) -> Vec<Comparison> {
    comparisons(report, |problem, checkpoint| {
        let expected = expectations
            .problems
            .get(problem)
            .and_then(|p| p.get(&checkpoint.checkpoint));
        match expected {
            Some(expected) => differences(expected, checkpoint, expectations.all_repeated),
            None if checkpoint.state == State::Passed && checkpoint.unstable.is_empty() => {
                Vec::new()
            }
            None => vec!["not every test passed, and no expectation says otherwise".to_owned()],
        }
    })
}

/// Checks the run of an agent that does nothing: no core test may pass.
#[must_use]
pub fn compare_nop(report: &RunReport) -> Vec<Comparison> {
    comparisons(report, |_, checkpoint| {
        let core = checkpoint
            .counts
            .get(&Group::Core)
            .copied()
            .unwrap_or_default();
        match checkpoint.state {
            State::Passed | State::Failed if core.total == 0 => vec!["no core tests".to_owned()],
            State::Passed | State::Failed if core.passed == 0 => Vec::new(),
            State::Passed | State::Failed => {
                vec![format!(
                    "{} passed without a solution",
                    plural(core.passed, "core test")
                )]
            }
            _ => vec![not_graded(checkpoint)],
        }
    })
}

fn comparisons(
    report: &RunReport,
    differences: impl Fn(&str, &CheckpointReport) -> Vec<String>,
) -> Vec<Comparison> {
    let mut all = Vec::new();
    for trial in &report.trials {
        for checkpoint in &trial.checkpoints {
            all.push(Comparison {
                problem: trial.problem.clone(),
                checkpoint: checkpoint.checkpoint.clone(),
                state: checkpoint.state,
                counts: checkpoint.counts.clone(),
                unstable: checkpoint.unstable.clone(),
                not_passed: checkpoint.not_passed.clone(),
                differences: differences(&trial.problem, checkpoint),
            });
        }
    }
    all
}

fn not_graded(checkpoint: &CheckpointReport) -> String {
    format!(
        "not graded: {}",
        checkpoint.reason.as_deref().unwrap_or("no reason given")
    )
}

fn differences(
    expected: &Checked,
    checkpoint: &CheckpointReport,
    all_repeated: bool,
) -> Vec<String> {
    if !matches!(checkpoint.state, State::Passed | State::Failed) {
        return vec![not_graded(checkpoint)];
    }
    let mut found = Vec::new();
    for group in Group::ALL {
        let (passed, total) = expected.counts.get(&group).copied().unwrap_or_default();
        let got = checkpoint.counts.get(&group).copied().unwrap_or_default();
        // An unstable test is neither passed nor failed, so it agrees with either count.
        let agrees =
            got.total == total && (got.passed..=got.passed + got.unstable).contains(&passed);
        if !agrees {
            found.push(format!(
                "{}: expected {passed}/{total}, got {}/{}",
                group.name(),
                got.passed,
                got.total
            ));
        }
    }
    let named = |id: &String, name: &String| id.rsplit("::").next() == Some(name.as_str());
    let to_find = expected.unstable.iter().filter(|_| all_repeated);
    for name in to_find {
        if !checkpoint.unstable.iter().any(|id| named(id, name)) {
            found.push(format!(
                "{name} was expected to be found unstable, and was not"
            ));
        }
    }
    for id in &checkpoint.unstable {
        if !expected.unstable.iter().any(|name| named(id, name)) {
            found.push(format!("{id} was found unstable, which was not expected"));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checkpoint(passed: u32, total: u32, unstable: &[&str]) -> CheckpointReport {
        let count = Count {
            passed,
            total,
            unstable: u32::try_from(unstable.len()).unwrap_or_default(),
        };
        CheckpointReport {
            state: State::Failed,
            reason: None,
            counts: [(Group::Core, count)].into(),
            unstable: unstable
                .iter()
                .map(|u| format!("checkpoint_1::{u}"))
                .collect(),
            ..CheckpointReport::ungraded("checkpoint_1", 1, "")
        }
    }

    fn expected(text: &str, unstable: &[&str]) -> Checked {
        let unstable = unstable.iter().map(|&u| u.to_owned()).collect();
        check(
            Expected {
                core: Some(text.into()),
                unstable,
                ..Expected::default()
            },
            "x",
        )
        .unwrap()
    }

    #[test]
    fn unstable_test_allows_either_count() {
        for text in ["4/5", "5/5"] {
            let none = differences(&expected(text, &["t"]), &checkpoint(4, 5, &["t"]), true);
            assert_eq!(none, Vec::<String>::new(), "{text}");
        }
        assert_eq!(
            differences(&expected("3/5", &["t"]), &checkpoint(4, 5, &["t"]), true).len(),
            1
        );
        assert_eq!(
            differences(&expected("4/5", &[]), &checkpoint(4, 5, &["t"]), true).len(),
            1
        );
        for (all_repeated, found) in [(true, 1), (false, 0)] {
            let stable = checkpoint(5, 5, &[]);
            let differences = differences(&expected("5/5", &["t"]), &stable, all_repeated);
            assert_eq!(differences.len(), found);
        }
    }

    #[test]
    fn unexpected_group_is_a_difference() {
        let mut surplus = checkpoint(1, 1, &[]);
        surplus.counts.insert(
            Group::Error,
            Count {
                passed: 1,
                total: 1,
                unstable: 0,
            },
        );
        assert_eq!(differences(&expected("1/1", &[]), &surplus, true).len(), 1);
    }

    #[test]
    fn malformed_counts_are_named() {
        let bad = Expected {
            core: Some("8/7".into()),
            ..Expected::default()
        };
        let message = check(bad, "p.c").unwrap_err();
        assert!(
            message.contains("p.c.core") && message.contains("8/7"),
            "{message}"
        );
    }
}
