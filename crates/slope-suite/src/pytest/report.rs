//! The runner's report, line by line, and the results of its tests.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};
use slope_model::verdict::Outcome;

use crate::error::Error;
use crate::stability::Observed;

/// A collected test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Collected {
    /// Node id.
    pub(super) key: String,
    /// Names of its markers, the closest first.
    pub(super) markers: Vec<String>,
}

/// A line of the runner.
#[derive(Debug, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
enum Line {
    Start {
        python: String,
        pytest: String,
        tests_hash: String,
    },
    Collected {
        tests: Vec<Collected>,
    },
    CollectError {
        key: String,
        message: String,
    },
    Phase(Phase),
    Finished {
        key: String,
    },
    End {
        status: i32,
        finished: usize,
        tests_hash: String,
        cpu_s: f64,
    },
}

/// One phase (set-up, call, tear-down) of one test.
#[derive(Debug, Deserialize)]
struct Phase {
    key: String,
    when: String,
    outcome: String,
    expected_failure: bool,
    timed_out: bool,
    duration_s: f64,
    message: String,
}

/// The end marker.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct End {
    /// pytest's exit status.
    pub(super) status: i32,
    /// Tests that it finished.
    pub(super) finished: usize,
    /// CPU seconds of the runner itself, without the programs that it started.
    pub(super) cpu_s: f64,
}

/// The full report of one session of the runner.
#[derive(Debug, Default)]
pub(super) struct Report {
    /// Versions of Python and pytest.
    pub(super) versions: Option<(String, String)>,
    /// Hash of the tests before the session.
    pub(super) hash_before: Option<String>,
    /// Hash of the tests after the session.
    pub(super) hash_after: Option<String>,
    /// The collected tests in order.
    pub(super) collected: Option<Vec<Collected>>,
    /// Tests that could not be collected, and the reason.
    pub(super) collect_errors: Vec<(String, String)>,
    /// Finished tests.
    pub(super) observed: BTreeMap<String, Observed>,
    /// Number of lines that mark a finished test.
    pub(super) finished: usize,
    /// The end marker, if the runner wrote it.
    pub(super) end: Option<End>,
}

impl Report {
    /// Reads the runner's standard output.
    pub(super) fn read(path: &Path) -> Result<Self, Error> {
        let bytes = fs::read(path).map_err(Error::io("read", path))?;
        Ok(Self::parse(&String::from_utf8_lossy(&bytes)))
    }

    /// Reads lines up to the first that is cut off or not the runner's.
    fn parse(text: &str) -> Self {
        let mut report = Self::default();
        let mut open: BTreeMap<String, Vec<Phase>> = BTreeMap::new();
        for line in text.split_inclusive('\n') {
            let Ok(line) = serde_json::from_str::<Line>(line) else {
                break;
            };
            report.take(line, &mut open);
        }
        report
    }

    fn take(&mut self, line: Line, open: &mut BTreeMap<String, Vec<Phase>>) {
        match line {
            Line::Start {
                python,
                pytest,
                tests_hash,
            } => {
                self.versions = Some((python, pytest));
                self.hash_before = Some(tests_hash);
            }
            Line::Collected { tests } => self.collected = Some(tests),
            Line::CollectError { key, message } => self.collect_errors.push((key, message)),
            Line::Phase(phase) => open.entry(phase.key.clone()).or_default().push(phase),
            Line::Finished { key } => {
                self.finished += 1;
                let phases = open.remove(&key).unwrap_or_default();
                self.observed.insert(key, conclude(&phases));
            }
            Line::End {
                status,
                finished,
                tests_hash,
                cpu_s,
            } => {
                self.end = Some(End {
                    status,
                    finished,
                    cpu_s,
                });
                self.hash_after = Some(tests_hash);
            }
        }
    }
}

/// A test's outcome from its phases.
fn conclude(phases: &[Phase]) -> Observed {
    let worst = phases
        .iter()
        .map(|phase| (outcome_of(phase), phase))
        .max_by_key(|(outcome, _)| rank(*outcome));
    let duration_s = phases.iter().map(|p| p.duration_s).sum();
    match worst {
        None => Observed {
            outcome: Outcome::Error,
            duration_s,
            message: Some("no phase was reported".to_owned()),
        },
        Some((Outcome::Passed, _)) => Observed {
            outcome: Outcome::Passed,
            duration_s,
            message: None,
        },
        Some((outcome, phase)) => Observed {
            outcome,
            duration_s,
            message: Some(phase.message.clone()),
        },
    }
}

fn rank(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Passed => 0,
        Outcome::Skipped => 1,
        Outcome::Error => 2,
        _ => 3,
    }
}

fn outcome_of(phase: &Phase) -> Outcome {
    match (phase.outcome.as_str(), phase.when.as_str()) {
        ("passed", _) => Outcome::Passed,
        // An expected failure that failed is reported as skipped, too: not passed.
        ("skipped", _) => Outcome::Skipped,
        _ if phase.timed_out => Outcome::Timeout,
        ("failed", "call") => Outcome::Failed,
        _ if phase.expected_failure => Outcome::Skipped,
        _ => Outcome::Error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phase(key: &str, when: &str, outcome: &str, timed_out: bool) -> String {
        format!(
            r#"{{"event":"phase","key":"{key}","when":"{when}","outcome":"{outcome}","expected_failure":false,"timed_out":{timed_out},"duration_s":0.5,"message":"why {when}"}}"#
        )
    }

    /// Phase, outcome, whether the limit ended it.
    type Given = (&'static str, &'static str, bool);

    fn lines(parts: &[String]) -> String {
        parts.iter().map(|p| format!("{p}\n")).collect()
    }

    #[test]
    fn phases_add_up_to_outcomes() {
        let finished = |key: &str| format!(r#"{{"event":"finished","key":"{key}"}}"#);
        let cases: [(&str, &[Given], Outcome); 6] = [
            (
                "ok [a b]",
                &[
                    ("setup", "passed", false),
                    ("call", "passed", false),
                    ("teardown", "passed", false),
                ],
                Outcome::Passed,
            ),
            (
                "bad",
                &[
                    ("setup", "passed", false),
                    ("call", "failed", false),
                    ("teardown", "passed", false),
                ],
                Outcome::Failed,
            ),
            (
                "fixture",
                &[("setup", "failed", false), ("teardown", "passed", false)],
                Outcome::Error,
            ),
            (
                "cleanup",
                &[
                    ("setup", "passed", false),
                    ("call", "passed", false),
                    ("teardown", "failed", false),
                ],
                Outcome::Error,
            ),
            (
                "slow",
                &[("setup", "passed", false), ("call", "failed", true)],
                Outcome::Timeout,
            ),
            (
                "skip",
                &[("setup", "skipped", false), ("teardown", "passed", false)],
                Outcome::Skipped,
            ),
        ];
        for (key, phases, outcome) in cases {
            let mut text: Vec<_> = phases
                .iter()
                .map(|&(when, outcome, late)| phase(key, when, outcome, late))
                .collect();
            text.push(finished(key));
            let report = Report::parse(&lines(&text));
            assert_eq!(report.observed[key].outcome, outcome, "{key}");
            assert_eq!(
                report.observed[key].message.is_none(),
                outcome == Outcome::Passed
            );
        }
    }

    #[test]
    fn unfinished_test_is_not_observed() {
        let report = Report::parse(&lines(&[
            phase("t", "setup", "passed", false),
            phase("t", "call", "passed", false),
        ]));
        assert!(report.observed.is_empty() && report.end.is_none());
    }

    #[test]
    fn lines_after_broken_one_are_ignored() {
        let text = lines(&[
            r#"{"event":"end","status":0,"#.to_owned(),
            r#"{"event":"end","status":0,"finished":1,"tests_hash":"x","cpu_s":0.5}"#.to_owned(),
        ]);
        assert!(Report::parse(&text).end.is_none());
    }
}
