//! Regrading of stored snapshots of the published harness, compared with their stored verdicts.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use slope_model::plural;
use slope_model::problem::Problem;
use slope_model::verdict::{Outcome, State, TestResult, Verdict};
use slope_published::{StoredTest, StoredVerdict};
use slope_store::ignore::Ignore;
use slope_suite::NOT_REACHED;

use crate::machine::Machine;
use crate::{Error, evaluate};

/// The result of a test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Said {
    /// Its group.
    pub group: String,
    /// Outcome.
    pub outcome: String,
}

/// A test that is not as stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Difference {
    /// Test, as `checkpoint::id`.
    pub test: String,
    /// Stored result; null if the stored suite had no such test.
    pub stored: Option<Said>,
    /// Result here; null if this suite has no such test.
    pub here: Option<Said>,
    /// Failure message here.
    pub message: Option<String>,
}

/// Snapshot that was graded again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Replayed {
    /// Run directory.
    pub run: PathBuf,
    /// Model of the run.
    pub model: String,
    /// Problem.
    pub problem: String,
    /// Checkpoint.
    pub checkpoint: String,
    /// State of the verdict here.
    pub state: State,
    /// The reason for a missing verdict.
    pub reason: Option<String>,
    /// Python that graded here.
    pub python: String,
    /// Python version of the stored grading, if known.
    pub stored_python: Option<String>,
    /// Reason that the program's requested packages were missing here.
    pub without_packages: Option<String>,
    /// Tests, here and stored.
    pub tests: usize,
    /// Tests with the stored outcome and group.
    pub equal: usize,
    /// Tests that agreed with the stored result in only some of the gradings here.
    pub unstable: Vec<String>,
    /// Tests that are not as stored.
    pub differences: Vec<Difference>,
    /// Seconds of the gradings.
    pub duration_s: f64,
}

impl Replayed {
    /// Whether there is a verdict, and no test in it differs.
    #[must_use]
    pub fn conforms(&self) -> bool {
        self.reason.is_none() && self.differences.is_empty()
    }
}

/// A stored verdict and where it is from.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// Run directory.
    pub run: &'a Path,
    /// Model of the run.
    pub model: &'a str,
    /// Python version of the stored grading, if known.
    pub python: Option<&'a str>,
    /// The verdict.
    pub verdict: &'a StoredVerdict,
}

/// Grades the snapshot of `source` by the suite of `problem` and compares test by test. If a test
/// differs, the snapshot is graded again: a test that then agrees is unstable.
///
/// # Errors
/// If the problem has no such checkpoint, or the snapshot cannot be read.
pub fn replay(
    source: &Source<'_>,
    problem: &Problem,
    machine: &Machine,
) -> Result<Replayed, Error> {
    let stored = source.verdict;
    let mut checkpoints = problem.checkpoints.iter();
    let named = checkpoints.find(|c| c.name == stored.checkpoint);
    let index = named.map(|c| c.index).ok_or_else(|| Error::NoCheckpoint {
        problem: problem.name.clone(),
        checkpoint: stored.checkpoint.clone(),
        count: problem.checkpoints.len(),
    })?;
    // The harness applied its ignore rules when it made the snapshot.
    let all = Ignore::nothing();
    let grade = || evaluate::grade_dir(&stored.snapshot, problem, index, machine, &all);
    let first = grade()?;
    let mut replayed = begun(source, &first, machine);
    replayed.reason = not_graded(&first);
    if replayed.reason.is_some() {
        return Ok(replayed);
    }
    let mut compared = compare(&stored.tests, &first.tests);
    if !compared.differences.is_empty() {
        let second = grade()?;
        replayed.duration_s += second.duration_s;
        if not_graded(&second).is_none() {
            compared.settle(&compare(&stored.tests, &second.tests));
        }
    }
    replayed.tests = compared.tests;
    replayed.equal = compared.tests - compared.differences.len() - compared.unstable.len();
    replayed.unstable = compared.unstable;
    replayed.differences = compared.differences;
    Ok(replayed)
}

/// Reason that the tests prove nothing about the snapshot: they did not run, or not all of them.
fn not_graded(verdict: &Verdict) -> Option<String> {
    if !matches!(verdict.state, State::Passed | State::Failed) {
        let unsaid = || "the grader gave no reason".to_owned();
        return Some(verdict.reason.clone().unwrap_or_else(unsaid));
    }
    let messages = verdict.tests.iter().filter_map(|t| t.message.as_deref());
    let mut unreached = messages.filter(|message| message.starts_with(NOT_REACHED));
    let first = unreached.next()?;
    Some(format!(
        "{}: {first}",
        plural(unreached.count() + 1, "test")
    ))
}

/// The result before tests are compared.
fn begun(source: &Source<'_>, verdict: &Verdict, machine: &Machine) -> Replayed {
    let without_packages = verdict.grader.get("program_environment_failure");
    Replayed {
        run: source.run.to_owned(),
        model: source.model.to_owned(),
        problem: source.verdict.problem.clone(),
        checkpoint: source.verdict.checkpoint.clone(),
        state: verdict.state,
        reason: None,
        python: machine.interpreter.version.clone(),
        stored_python: source.python.map(str::to_owned),
        without_packages: without_packages.cloned(),
        tests: source.verdict.tests.len(),
        equal: 0,
        unstable: Vec::new(),
        differences: Vec::new(),
        duration_s: verdict.duration_s,
    }
}

/// Differences between tests and their stored results.
#[derive(Debug, Default, PartialEq, Eq)]
struct Compared {
    tests: usize,
    unstable: Vec<String>,
    differences: Vec<Difference>,
}

/// Stored result and new result of a test.
type Pair<'a> = (Option<&'a StoredTest>, Option<&'a TestResult>);

fn compare(stored: &[StoredTest], here: &[TestResult]) -> Compared {
    let name = |checkpoint: &str, id: &str| format!("{checkpoint}::{id}");
    let stored = stored.iter();
    let stored = stored.map(|test| (name(&test.checkpoint, &test.id), (Some(test), None)));
    let here = here.iter();
    let here = here.map(|test| (name(&test.checkpoint, &test.id), (None, Some(test))));
    let mut pairs: BTreeMap<String, Pair<'_>> = BTreeMap::new();
    for (test, (then, now)) in stored.chain(here) {
        let pair = pairs.entry(test).or_default();
        *pair = (pair.0.or(then), pair.1.or(now));
    }
    let mut compared = Compared {
        tests: pairs.len(),
        ..Compared::default()
    };
    for (test, pair) in pairs {
        let is_unstable = pair.1.is_some_and(|here| here.outcome == Outcome::Unstable);
        if is_unstable && pair.0.is_some() {
            compared.unstable.push(test);
        } else if !agrees(pair) {
            compared.differences.push(difference(test, pair));
        }
    }
    compared
}

fn agrees(pair: Pair<'_>) -> bool {
    let (Some(stored), Some(here)) = pair else {
        return false;
    };
    stored.group == here.group.name() && stored.same.contains(&here.outcome)
}

fn difference(test: String, (stored, here): Pair<'_>) -> Difference {
    let said = |group: &str, outcome: &str| Said {
        group: group.to_owned(),
        outcome: outcome.to_owned(),
    };
    Difference {
        test,
        stored: stored.map(|stored| said(&stored.group, stored.said)),
        here: here.map(|here| said(here.group.name(), here.outcome.name())),
        message: here.and_then(|here| here.message.clone()),
    }
}

impl Compared {
    /// Moves tests that differ here but not in another grading to the unstable ones.
    fn settle(&mut self, again: &Self) {
        let still: BTreeSet<&str> = again.differences.iter().map(|d| d.test.as_str()).collect();
        let (stay, settled): (Vec<_>, Vec<_>) = std::mem::take(&mut self.differences)
            .into_iter()
            .partition(|difference| still.contains(difference.test.as_str()));
        self.differences = stay;
        self.unstable.extend(settled.into_iter().map(|d| d.test));
        self.unstable.sort();
    }
}

/// A random sample of `most` snapshots, one of each problem before a second of any. A smaller
/// sample of the same seed is the beginning of a larger one, wherever the runs are stored.
#[must_use]
pub fn sample<'a>(all: &[Source<'a>], most: usize, seed: u64) -> Vec<Source<'a>> {
    let mut drawn: Vec<([u8; 32], Source<'a>)> = Vec::new();
    for source in all {
        let run = source.run.file_name().unwrap_or_default().to_string_lossy();
        let (problem, checkpoint) = (&source.verdict.problem, &source.verdict.checkpoint);
        let ticket = format!("{seed}\0{}\0{run}\0{problem}\0{checkpoint}", source.model);
        drawn.push((blake3::hash(ticket.as_bytes()).into(), *source));
    }
    drawn.sort_by_key(|(chance, _)| *chance);
    let mut of_problem: BTreeMap<&str, usize> = BTreeMap::new();
    let mut ranked: Vec<(usize, Source<'a>)> = Vec::new();
    for (_, source) in drawn {
        let rank = of_problem.entry(&source.verdict.problem).or_default();
        ranked.push((*rank, source));
        *rank += 1;
    }
    // Stable, so that chance stays the order within a rank.
    ranked.sort_by_key(|(rank, _)| *rank);
    ranked.truncate(most);
    ranked.into_iter().map(|(_, source)| source).collect()
}

/// A name for the result of replaying `source`, which changes with every input that could affect
/// the result.
#[must_use]
pub fn result_name(source: &Source<'_>, problem: &Problem, machine: &Machine) -> String {
    let run = std::path::absolute(source.run);
    let run = run.as_deref().unwrap_or(source.run).to_string_lossy();
    let tests = format!("{:?}", source.verdict.tests);
    let stability = format!("{:?}", machine.grade.stability);
    let parts = [
        env!("CARGO_PKG_VERSION"),
        &run,
        &source.verdict.problem,
        &source.verdict.checkpoint,
        &tests,
        &problem.hash,
        &machine.interpreter.identity,
        &machine.runtime.identity(),
        &stability,
    ];
    blake3::hash(parts.join("\0").as_bytes()).to_hex()[..24].to_owned()
}

#[cfg(test)]
mod tests {
    use slope_model::problem::Group;

    use super::*;

    fn stored(id: &str, group: &str, said: &'static str, same: &'static [Outcome]) -> StoredTest {
        StoredTest {
            checkpoint: "c".to_owned(),
            id: id.to_owned(),
            group: group.to_owned(),
            said,
            same,
        }
    }

    fn here(id: &str, outcome: Outcome) -> TestResult {
        TestResult {
            id: id.to_owned(),
            checkpoint: "c".to_owned(),
            group: Group::Core,
            outcome,
            repeats: Vec::new(),
            duration_s: 0.1,
            message: Some("said".to_owned()),
        }
    }

    const PASSED: (&str, &[Outcome]) = ("passed", &[Outcome::Passed]);
    const FAILED: (&str, &[Outcome]) = ("failed", &[Outcome::Failed, Outcome::Timeout]);

    fn then() -> Vec<StoredTest> {
        let tests = [
            ("broke", "core", FAILED),
            ("gone", "core", PASSED),
            ("grouped", "error", PASSED),
            ("lost", "core", PASSED),
            ("passes", "core", PASSED),
            ("wavers", "core", FAILED),
        ];
        let tests = tests.map(|(id, group, (said, same))| stored(id, group, said, same));
        tests.into()
    }

    fn now(lost: Outcome) -> Vec<TestResult> {
        let tests = [
            ("broke", Outcome::Timeout),
            ("grouped", Outcome::Passed),
            ("lost", lost),
            ("new", Outcome::Passed),
            ("passes", Outcome::Passed),
            ("wavers", Outcome::Unstable),
        ];
        tests.map(|(id, outcome)| here(id, outcome)).into()
    }

    fn names(compared: &Compared) -> Vec<&str> {
        let tests = compared.differences.iter();
        tests.map(|difference| difference.test.as_str()).collect()
    }

    #[test]
    fn replay_reports_every_kind_of_difference() {
        let compared = compare(&then(), &now(Outcome::Failed));
        assert_eq!(
            names(&compared),
            ["c::gone", "c::grouped", "c::lost", "c::new"]
        );
        assert_eq!(compared.unstable, ["c::wavers"]);
        assert_eq!(compared.tests, 7);
        let lost = &compared.differences[2];
        assert_eq!(lost.stored.as_ref().unwrap().outcome, "passed");
        assert_eq!(lost.here.as_ref().unwrap().outcome, "failed");
        assert_eq!(lost.message.as_deref(), Some("said"));
        assert_eq!(
            (
                &compared.differences[0].here,
                &compared.differences[3].stored
            ),
            (&None, &None)
        );
    }

    #[test]
    fn recheck_marks_matching_tests_unstable() {
        let mut compared = compare(&then(), &now(Outcome::Failed));
        compared.settle(&compare(&then(), &now(Outcome::Passed)));
        assert_eq!(names(&compared), ["c::gone", "c::grouped", "c::new"]);
        assert_eq!(compared.unstable, ["c::lost", "c::wavers"]);
    }

    #[test]
    fn sample_covers_every_problem_first() {
        let of = |problem: &str, checkpoint: u32| StoredVerdict {
            problem: problem.to_owned(),
            checkpoint: format!("checkpoint_{checkpoint}"),
            snapshot: PathBuf::new(),
            problem_version: None,
            tests: Vec::new(),
        };
        let verdicts = [("a", 1), ("a", 2), ("a", 3), ("b", 1), ("c", 1), ("c", 2)];
        let verdicts = verdicts.map(|(problem, checkpoint)| of(problem, checkpoint));
        let all = verdicts.each_ref().map(|verdict| Source {
            run: Path::new("somewhere/run"),
            model: "m",
            python: None,
            verdict,
        });
        let drawn = |most, seed| -> Vec<String> {
            let of = |source: Source<'_>| {
                format!("{}/{}", source.verdict.problem, source.verdict.checkpoint)
            };
            sample(&all, most, seed).into_iter().map(of).collect()
        };
        let three = drawn(3, 7);
        let problems: BTreeSet<&str> = three.iter().map(|place| &place[..1]).collect();
        assert_eq!(problems.len(), 3, "{three:?}");
        assert_eq!(drawn(5, 7)[..3], three);
        assert_eq!(drawn(99, 7).len(), 6);
        assert!((0..20).any(|seed| drawn(3, seed) != three));
    }
}
