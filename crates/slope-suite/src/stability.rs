//! Combines the runs of a suite into results: accounts for every expected test and finds unstable
//! ones.

use std::collections::{BTreeMap, BTreeSet};

use slope_model::integrity::Sighting;
use slope_model::problem::Group;
use slope_model::verdict::{Outcome, TestResult};
use slope_sandbox::outcome::LimitHit;

use crate::error::Error;
use crate::request::{GradeOptions, Stability};

/// If at least this many tests fail again together, one repeat is enough.
const MANY: usize = 20;

/// Beginning of the message of a test that the suite did not reach.
pub const NOT_REACHED: &str = "not reached";

/// A test that ought to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Expected {
    /// Unique among all suites of a run.
    pub(crate) key: String,
    /// Id inside its checkpoint's suite.
    pub(crate) id: String,
    /// Checkpoint of the suite that contains it.
    pub(crate) checkpoint: String,
    /// Group at the graded checkpoint.
    pub(crate) group: Group,
}

/// One test's result in one run.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Observed {
    pub(crate) outcome: Outcome,
    pub(crate) duration_s: f64,
    pub(crate) message: Option<String>,
}

/// End of one run of a suite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Ended {
    /// By itself, without an error.
    Complete,
    /// By a limit of the whole suite, which only programs under test can reach.
    Limit(LimitHit),
    /// Too early, repeatedly, and only with the program, which therefore caused it; with the
    /// reason.
    Spoiled(String),
    /// In a way that proves nothing about the program; with the reason.
    Broken(String),
}

/// Results of one run of a suite.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RunRecord {
    /// Observed results by key.
    pub(crate) observed: BTreeMap<String, Observed>,
    /// End of the run.
    pub(crate) ended: Ended,
    /// Observed attempts to reach the grader.
    pub(crate) notes: Vec<Sighting>,
}

impl Ended {
    /// The end of a session that hit these limits; `complaint` gives a reason to distrust it.
    pub(crate) fn judge(limits: &[LimitHit], complaint: impl FnOnce() -> Option<String>) -> Self {
        // The suite and its runner stay far below these limits, so programs hit them.
        let by_programs = [
            LimitHit::Wall,
            LimitHit::Memory,
            LimitHit::Processes,
            LimitHit::Cpu,
        ];
        match complaint() {
            None => Self::Complete,
            Some(why) => match by_programs.into_iter().find(|hit| limits.contains(hit)) {
                Some(hit) => Self::Limit(hit),
                None => Self::Broken(why),
            },
        }
    }
}

/// Under which conditions a suite runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Condition {
    /// No process is stopped.
    Calm,
    /// With every process of the program stopped and resumed, over and over (see [`Stalls`]).
    Stalled,
}

/// Rhythm of pauses for programs under test.
///
/// A pause is longer than any limit that a test may sensibly put on something trivial, and the time
/// between pauses is shorter than a program needs for anything that waits. A test whose outcome
/// depends on a second thus fails here every time, whereas on busy processors it fails only
/// sometimes.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Stalls {
    /// Seconds between two pauses.
    pub(crate) run_s: f64,
    /// Seconds of a pause.
    pub(crate) pause_s: f64,
}

impl Stalls {
    /// The rhythm in use.
    pub(crate) const RHYTHM: Self = Self {
        run_s: 0.25,
        pause_s: 1.1,
    };

    /// Factor by which the pauses extend a program's time.
    pub(crate) fn stretch(self) -> f64 {
        (self.run_s + self.pause_s) / self.run_s + 1.0
    }
}

/// Something that can run a suite, or some of its tests, on a fresh copy of the snapshot.
pub(crate) trait SuiteRun {
    /// Runs the tests with these keys, or all of them.
    fn run(
        &self,
        only: Option<&BTreeSet<String>>,
        condition: Condition,
    ) -> Result<RunRecord, Error>;
}

/// Combined result of all runs.
#[derive(Debug)]
pub(crate) struct Assessment {
    /// One result for every expected test.
    pub(crate) results: Vec<TestResult>,
    /// Reason that this verdict is not about the program, if there is one.
    pub(crate) infrastructure: Option<String>,
    /// Observed attempts to reach the grader.
    pub(crate) notes: Vec<Sighting>,
}

/// Runs the suite, repeats tests as needed, and accounts for every expected test.
pub(crate) fn assess(
    expected: &[Expected],
    suite: &dyn SuiteRun,
    options: &GradeOptions,
) -> Result<Assessment, Error> {
    let first = suite.run(None, Condition::Calm)?;
    let mut history = History::new(expected, &first);
    let mut notes = first.notes;
    let infrastructure = match &first.ended {
        Ended::Broken(why) => Some(why.clone()),
        Ended::Complete => history.missing(),
        Ended::Limit(_) => None,
        Ended::Spoiled(why) => {
            let text = "the program made the runner end early, which it does not without it";
            let said = why.lines().map(str::to_owned);
            notes.push(Sighting::violation("ended-runner", text).showing(said));
            None
        }
    };
    if infrastructure.is_none() && options.stability != Stability::Off {
        history.repeat_failing(suite, options.repeats, &mut notes)?;
        if options.stability == Stability::All {
            history.stall_passing(suite, &mut notes)?;
        }
    }
    notes.sort();
    notes.dedup();
    Ok(Assessment {
        results: history.results(expected),
        infrastructure,
        notes,
    })
}

/// All that was observed of each test, the first run first.
struct History {
    runs: BTreeMap<String, Vec<Observed>>,
    /// Tests that the first run reached.
    reached: BTreeSet<String>,
}

impl History {
    fn new(expected: &[Expected], first: &RunRecord) -> Self {
        let unreached = match &first.ended {
            Ended::Limit(LimitHit::Wall) => (
                Outcome::Timeout,
                format!("{NOT_REACHED} before the time limit of the whole suite"),
            ),
            Ended::Limit(hit) => (
                Outcome::Error,
                format!("{NOT_REACHED}: programs went over a limit of the whole suite ({hit:?})"),
            ),
            Ended::Spoiled(_) => (
                Outcome::Error,
                format!("{NOT_REACHED}: the program made the runner end early"),
            ),
            _ => (Outcome::Missing, "expected, but never reported".to_owned()),
        };
        let of = |test: &Expected| {
            let absent = || Observed {
                outcome: unreached.0,
                duration_s: 0.0,
                message: Some(unreached.1.clone()),
            };
            (
                test.key.clone(),
                vec![
                    first
                        .observed
                        .get(&test.key)
                        .cloned()
                        .unwrap_or_else(absent),
                ],
            )
        };
        Self {
            runs: expected.iter().map(of).collect(),
            reached: first.observed.keys().cloned().collect(),
        }
    }

    /// Description of tests that a run missed although it claims to be complete.
    fn missing(&self) -> Option<String> {
        let missing: Vec<_> = self
            .keys_where(|o| o == Outcome::Missing)
            .into_iter()
            .collect();
        let first = missing.first()?;
        Some(format!(
            "{} expected tests were never reported, the first is {first}",
            missing.len()
        ))
    }

    /// Keys of tests all of whose outcomes satisfy `holds`.
    fn keys_where(&self, holds: impl Fn(Outcome) -> bool) -> BTreeSet<String> {
        let all = |runs: &Vec<Observed>| runs.iter().all(|r| holds(r.outcome));
        self.runs
            .iter()
            .filter(|(_, runs)| all(runs))
            .map(|(key, _)| key.clone())
            .collect()
    }

    fn repeat_failing(
        &mut self,
        suite: &dyn SuiteRun,
        repeats: u32,
        notes: &mut Vec<Sighting>,
    ) -> Result<(), Error> {
        let mut failing = self.failing();
        for _ in 0..repeats {
            if !self.again(suite, &failing, Condition::Calm, notes)? {
                break;
            }
            let still = self.failing();
            if still == failing && failing.len() > MANY {
                break;
            }
            failing = still;
        }
        Ok(())
    }

    /// Tests that were reached and never passed.
    fn failing(&self) -> BTreeSet<String> {
        let never = |o| matches!(o, Outcome::Failed | Outcome::Error | Outcome::Timeout);
        self.keys_where(never)
            .intersection(&self.reached)
            .cloned()
            .collect()
    }

    fn stall_passing(
        &mut self,
        suite: &dyn SuiteRun,
        notes: &mut Vec<Sighting>,
    ) -> Result<(), Error> {
        let passing = self.keys_where(|o| o == Outcome::Passed);
        self.again(suite, &passing, Condition::Stalled, notes)
            .map(|_| ())
    }

    /// Runs `only` again and adds the results. Returns false if there was nothing to run or the run
    /// broke.
    fn again(
        &mut self,
        suite: &dyn SuiteRun,
        only: &BTreeSet<String>,
        condition: Condition,
        notes: &mut Vec<Sighting>,
    ) -> Result<bool, Error> {
        if only.is_empty() {
            return Ok(false);
        }
        let record = suite.run(Some(only), condition)?;
        notes.extend(record.notes);
        for (key, observed) in record.observed {
            if let Some(runs) = self.runs.get_mut(&key).filter(|_| only.contains(&key)) {
                runs.push(observed);
            }
        }
        if let Ended::Broken(why) | Ended::Spoiled(why) = record.ended {
            let text = "a repeat ended early and was used as far as it went";
            let said = why.lines().map(str::to_owned);
            notes.push(Sighting::noted("ended-repeat", text).showing(said));
            return Ok(false);
        }
        Ok(true)
    }

    fn results(mut self, expected: &[Expected]) -> Vec<TestResult> {
        let mut results = Vec::with_capacity(expected.len());
        for test in expected {
            let runs = self.runs.remove(&test.key).unwrap_or_default();
            results.push(result(test, &runs));
        }
        results
    }
}

/// One test's result from all its runs.
fn result(test: &Expected, runs: &[Observed]) -> TestResult {
    let passed = runs.iter().filter(|r| r.outcome == Outcome::Passed).count();
    let unstable = passed > 0 && passed < runs.len();
    let first = runs.first();
    let outcome = if unstable {
        Outcome::Unstable
    } else {
        first.map_or(Outcome::Missing, |r| r.outcome)
    };
    TestResult {
        id: test.id.clone(),
        checkpoint: test.checkpoint.clone(),
        group: test.group,
        outcome,
        repeats: if runs.len() > 1 {
            runs.iter().map(|r| r.outcome).collect()
        } else {
            Vec::new()
        },
        duration_s: first.map_or(0.0, |r| r.duration_s),
        message: runs.iter().find_map(|r| r.message.clone()),
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::path::PathBuf;

    use super::*;

    /// A suite whose tests a, b, c have the outcomes of `scripts`, run after run.
    struct Scripted {
        runs: RefCell<Vec<RunRecord>>,
        asked: RefCell<Vec<(Option<Vec<String>>, Condition)>>,
    }

    impl SuiteRun for Scripted {
        fn run(
            &self,
            only: Option<&BTreeSet<String>>,
            condition: Condition,
        ) -> Result<RunRecord, Error> {
            self.asked
                .borrow_mut()
                .push((only.map(|o| o.iter().cloned().collect()), condition));
            Ok(self.runs.borrow_mut().remove(0))
        }
    }

    fn record(outcomes: &[(&str, Outcome)], ended: Ended) -> RunRecord {
        let seen = |o| Observed {
            outcome: o,
            duration_s: 0.1,
            message: None,
        };
        let observed = outcomes
            .iter()
            .map(|&(k, o)| (k.to_owned(), seen(o)))
            .collect();
        RunRecord {
            observed,
            ended,
            notes: Vec::new(),
        }
    }

    fn expected(keys: &[&str]) -> Vec<Expected> {
        let of = |k: &&str| Expected {
            key: (*k).to_owned(),
            id: (*k).to_owned(),
            checkpoint: "checkpoint_1".to_owned(),
            group: Group::Core,
        };
        keys.iter().map(of).collect()
    }

    fn run(keys: &[&str], stability: Stability, runs: Vec<RunRecord>) -> (Assessment, Scripted) {
        let suite = Scripted {
            runs: RefCell::new(runs),
            asked: RefCell::default(),
        };
        let options = GradeOptions {
            stability,
            ..GradeOptions::new(PathBuf::new())
        };
        let assessment = assess(&expected(keys), &suite, &options).unwrap();
        (assessment, suite)
    }

    fn outcomes(assessment: &Assessment) -> Vec<Outcome> {
        assessment.results.iter().map(|r| r.outcome).collect()
    }

    use Outcome::{Failed, Missing, Passed, Timeout, Unstable};

    #[test]
    fn failing_tests_are_repeated_until_they_differ() {
        let runs = vec![
            record(
                &[("a", Passed), ("b", Failed), ("c", Failed)],
                Ended::Complete,
            ),
            record(&[("b", Failed), ("c", Passed)], Ended::Complete),
            record(&[("b", Timeout)], Ended::Complete),
        ];
        let (assessment, suite) = run(&["a", "b", "c"], Stability::Failing, runs);
        assert_eq!(outcomes(&assessment), [Passed, Failed, Unstable]);
        assert_eq!(assessment.results[1].repeats, [Failed, Failed, Timeout]);
        assert_eq!(assessment.results[2].repeats, [Failed, Passed]);
        assert_eq!(
            suite.asked.borrow()[2].0.as_deref(),
            Some(&["b".to_owned()][..])
        );
    }

    #[test]
    fn many_failing_tests_repeat_once() {
        let keys: Vec<String> = (0..=MANY).map(|n| format!("t{n:02}")).collect();
        let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
        let all: Vec<_> = keys.iter().map(|k| (*k, Failed)).collect();
        let runs = vec![record(&all, Ended::Complete), record(&all, Ended::Complete)];
        let (assessment, suite) = run(&keys, Stability::Failing, runs);
        assert_eq!(suite.asked.borrow().len(), 2);
        assert!(assessment.results.iter().all(|r| r.repeats == [Failed; 2]));
    }

    #[test]
    fn passing_tests_repeat_only_on_request() {
        let runs = vec![
            record(&[("a", Passed), ("b", Passed)], Ended::Complete),
            record(&[("a", Passed), ("b", Failed)], Ended::Complete),
        ];
        let (assessment, suite) = run(&["a", "b"], Stability::All, runs);
        assert_eq!(outcomes(&assessment), [Passed, Unstable]);
        assert_eq!(suite.asked.borrow()[1].1, Condition::Stalled);
        let (_, suite) = run(
            &["a"],
            Stability::Failing,
            vec![record(&[("a", Passed)], Ended::Complete)],
        );
        assert_eq!(suite.asked.borrow().len(), 1);
    }

    #[test]
    fn suite_limit_marks_unrun_tests_timeout() {
        let runs = vec![
            record(&[("a", Failed)], Ended::Limit(LimitHit::Wall)),
            record(&[("a", Failed)], Ended::Complete),
        ];
        let suite = Scripted {
            runs: RefCell::new(runs),
            asked: RefCell::default(),
        };
        let options = GradeOptions {
            repeats: 1,
            ..GradeOptions::new(PathBuf::new())
        };
        let assessment = assess(&expected(&["a", "b"]), &suite, &options).unwrap();
        assert_eq!(outcomes(&assessment), [Failed, Timeout]);
        assert_eq!(assessment.infrastructure, None);
        assert_eq!(
            suite.asked.borrow()[1].0.as_deref(),
            Some(&["a".to_owned()][..])
        );
    }

    #[test]
    fn limit_counts_only_after_failure() {
        let memory = [LimitHit::Memory];
        assert_eq!(Ended::judge(&memory, || None), Ended::Complete);
        assert_eq!(
            Ended::judge(&memory, || Some("died".into())),
            Ended::Limit(LimitHit::Memory)
        );
        assert_eq!(
            Ended::judge(&[LimitHit::Disk], || Some("died".into())),
            Ended::Broken("died".into())
        );
        let (assessment, _) = run(
            &["a"],
            Stability::Off,
            vec![record(&[], Ended::Limit(LimitHit::Memory))],
        );
        assert_eq!(
            (outcomes(&assessment), assessment.infrastructure),
            (vec![Outcome::Error], None)
        );
    }

    #[test]
    fn unreported_test_is_infrastructure_failure() {
        let (assessment, _) = run(
            &["a", "b"],
            Stability::Failing,
            vec![record(&[("a", Passed)], Ended::Complete)],
        );
        assert_eq!(outcomes(&assessment), [Passed, Missing]);
        assert!(
            assessment
                .infrastructure
                .unwrap()
                .contains("1 expected tests")
        );
        let broken = record(&[("a", Passed)], Ended::Broken("exit code 4".to_owned()));
        let (assessment, suite) = run(&["a", "b"], Stability::All, vec![broken]);
        assert_eq!(assessment.infrastructure.as_deref(), Some("exit code 4"));
        assert_eq!(suite.asked.borrow().len(), 1);
    }
}
