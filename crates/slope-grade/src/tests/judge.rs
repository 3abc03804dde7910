//! From a run to results, by what a request requires.

use std::collections::{BTreeMap, BTreeSet};

use slope_model::grade::{TestFailure, TestOutcome, TestResults, TestSource};
use slope_model::grade_request::Tests;
use slope_model::plural;

use super::names::canonical;
use super::{Case, Ended, Ran, Report};

/// Failures that a grade lists.
const MAX_FAILURES: usize = 20;
/// Bytes of an id that a grade has: the edit can choose it.
const MAX_ID: usize = 500;

/// The results that a request gives.
pub(crate) fn given(tests: &Tests) -> TestResults {
    TestResults {
        source: TestSource::Given,
        pass: tests.pass(),
        reason: None,
        passed: Some(tests.passed),
        failed: Some(tests.failed),
        failures: Vec::new(),
        seconds: None,
        output: None,
    }
}

/// The results of a run.
pub(crate) fn judge(tests: &Tests, ran: &Ran) -> TestResults {
    let mut results = TestResults {
        source: TestSource::Run,
        pass: false,
        reason: None,
        passed: None,
        failed: None,
        failures: Vec::new(),
        seconds: Some((ran.seconds * 1000.0).round() / 1000.0),
        output: None,
    };
    let cases = match &ran.report {
        Some(Report::Cases(cases)) => Some(Cases::of(cases)),
        _ => None,
    };
    if let Some(cases) = &cases {
        cases.count(tests, &mut results);
    }
    results.reason = not_finished(tests, ran)
        .or_else(|| not_reported(ran))
        .or_else(|| match &cases {
            Some(cases) => cases.contradicts(tests, ran),
            None => bad_exit(ran),
        });
    let is_counted = cases.is_none() || results.failed == Some(0) && results.passed != Some(0);
    results.pass = results.reason.is_none() && is_counted;
    if !results.pass && results.reason.is_none() && results.failures.is_empty() {
        results.reason = Some("the report has no test that passes".to_owned());
    }
    results
}

/// Why a run did not come to its end.
fn not_finished(tests: &Tests, ran: &Ran) -> Option<String> {
    let with_limits = |what: String| {
        if ran.limits.is_empty() {
            what
        } else {
            format!("{what}; limits reached: {}", ran.limits.join(", "))
        }
    };
    match ran.ended {
        Ended::Late => Some(with_limits("the tests reached their time limit".to_owned())),
        Ended::Signal(signal) => Some(with_limits(format!(
            "the command was ended by signal {signal}"
        ))),
        Ended::NoProgram => Some("the edited base has no such command".to_owned()),
        Ended::Code(_) if ran.left_processes > 0 && !tests.may_leave_processes => Some(format!(
            "{} outlived the command",
            plural(ran.left_processes as usize, "process")
        )),
        Ended::Code(_) => None,
    }
}

fn not_reported(ran: &Ran) -> Option<String> {
    let why = match ran.report.as_ref()? {
        Report::Missing => "the command wrote no report".to_owned(),
        Report::Unreadable(why) => format!("the report cannot be read: {why}"),
        Report::Cases(cases) if cases.is_empty() => "the report has no tests".to_owned(),
        Report::Cases(_) => return None,
    };
    Some(match ran.ended {
        Ended::Code(code) => format!("{why} (exit code {code})"),
        _ => why,
    })
}

fn bad_exit(ran: &Ran) -> Option<String> {
    match ran.ended {
        Ended::Code(0) => None,
        Ended::Code(code) => Some(format!("exit code {code}")),
        _ => None,
    }
}

/// The tests of a report.
struct Cases<'r> {
    /// By canonical id: its first spelling, and the worst outcome.
    worst: BTreeMap<String, (&'r str, TestOutcome)>,
}

impl<'r> Cases<'r> {
    /// A test that is reported several times has its worst outcome: a forged entry cannot hide a real one.
    fn of(cases: &'r [Case]) -> Self {
        let mut worst: BTreeMap<String, (&str, TestOutcome)> = BTreeMap::new();
        for case in cases {
            let known = worst.entry(canonical(&case.id));
            let known = known.or_insert((&case.id, case.outcome));
            if rank(case.outcome) > rank(known.1) {
                known.1 = case.outcome;
            }
        }
        Self { worst }
    }

    fn outcome(&self, id: &str) -> TestOutcome {
        let known = self.worst.get(&canonical(id));
        known.map_or(TestOutcome::Missing, |(_, outcome)| *outcome)
    }

    /// Counts the required tests.
    fn count(&self, tests: &Tests, results: &mut TestResults) {
        let required: BTreeMap<&str, TestOutcome> = if tests.names_tests() {
            let ids = tests.fail_to_pass.iter().chain(&tests.pass_to_pass);
            ids.map(|id| (id.as_str(), self.outcome(id))).collect()
        } else {
            let controls: BTreeSet<String> =
                tests.must_fail.iter().map(|id| canonical(id)).collect();
            let others = self.worst.iter().filter(|(id, _)| !controls.contains(*id));
            // Nobody asked for the tests that are skipped.
            others
                .filter(|(_, (_, outcome))| *outcome != TestOutcome::Skipped)
                .map(|(_, found)| *found)
                .collect()
        };
        let is_passed = |outcome: &TestOutcome| *outcome == TestOutcome::Passed;
        let passed = required
            .values()
            .filter(|outcome| is_passed(outcome))
            .count();
        let count = |number: usize| Some(u32::try_from(number).unwrap_or(u32::MAX));
        results.passed = count(passed);
        results.failed = count(required.len() - passed);
        let failures = required
            .into_iter()
            .filter(|(_, outcome)| !is_passed(outcome));
        let failures = failures.map(|(id, outcome)| TestFailure {
            id: id[..id.floor_char_boundary(MAX_ID)].to_owned(),
            outcome,
        });
        results.failures = failures.take(MAX_FAILURES).collect();
    }

    /// Why the report and the run cannot both be true.
    fn contradicts(&self, tests: &Tests, ran: &Ran) -> Option<String> {
        let is_bad =
            |outcome: TestOutcome| matches!(outcome, TestOutcome::Failed | TestOutcome::Error);
        let control = tests.must_fail.iter().find(|id| !is_bad(self.outcome(id)));
        if let Some(control) = control {
            return Some(format!(
                "the control `{control}` did not fail, so the edit changes how tests run"
            ));
        }
        let bad = self.worst.values().find(|(_, outcome)| is_bad(*outcome));
        match (ran.ended, bad) {
            (Ended::Code(code), None) if code != 0 => Some(format!(
                "the command ended with exit code {code}, but no test of the report fails"
            )),
            // Scripts that judge by a list of tests often end with 0 all the same.
            (Ended::Code(0), Some((id, _)))
                if !tests.names_tests() && tests.must_fail.is_empty() =>
            {
                Some(format!(
                    "the command ended with exit code 0, but `{id}` fails in the report"
                ))
            }
            _ => None,
        }
    }
}

fn rank(outcome: TestOutcome) -> u8 {
    match outcome {
        TestOutcome::Passed => 0,
        TestOutcome::Skipped => 1,
        TestOutcome::Missing => 2,
        TestOutcome::Failed => 3,
        TestOutcome::Error => 4,
    }
}

/// The first test whose outcome on the base is not what the request says.
pub(super) fn wrong_on_base(tests: &Tests, ran: &Ran) -> Option<(&'static str, String)> {
    if let Some(why) = not_reported(ran) {
        return Some(("tests.check_base", format!("on the base, {why}")));
    }
    let cases = match &ran.report {
        Some(Report::Cases(cases)) => cases.as_slice(),
        _ => &[],
    };
    let cases = Cases::of(cases);
    let fails = |id: &String| matches!(cases.outcome(id), TestOutcome::Failed | TestOutcome::Error);
    if let Some(id) = tests.must_fail.iter().find(|id| !fails(id)) {
        let message = format!("the control `{id}` does not fail on the base");
        return Some(("tests.must_fail", message));
    }
    let passes = |id: &&String| cases.outcome(id) == TestOutcome::Passed;
    if let Some(id) = tests.fail_to_pass.iter().find(passes) {
        let message = format!("`{id}` passes on the base already");
        return Some(("tests.fail_to_pass", message));
    }
    let id = tests.pass_to_pass.iter().find(|id| !passes(id))?;
    Some((
        "tests.pass_to_pass",
        format!("`{id}` does not pass on the base"),
    ))
}

#[cfg(test)]
mod tests {
    use super::{judge, wrong_on_base};
    use crate::tests::{Case, Ended, Ran, Report};
    use slope_model::grade::TestOutcome::{self, Failed, Passed, Skipped};
    use slope_model::grade_request::Tests;

    fn ran(code: i32, cases: &[(&str, TestOutcome)]) -> Ran {
        let case = |(id, outcome): &(&str, TestOutcome)| Case {
            id: (*id).to_owned(),
            outcome: *outcome,
        };
        Ran {
            ended: Ended::Code(code),
            report: Some(Report::Cases(cases.iter().map(case).collect())),
            left_processes: 0,
            limits: Vec::new(),
            seconds: 1.0,
            output: String::new(),
        }
    }

    fn required(fail_to_pass: &[&str], pass_to_pass: &[&str]) -> Tests {
        let ids = |ids: &[&str]| ids.iter().map(|id| (*id).to_owned()).collect();
        Tests {
            fail_to_pass: ids(fail_to_pass),
            pass_to_pass: ids(pass_to_pass),
            ..Tests::default()
        }
    }

    #[test]
    fn required_tests_must_all_pass() {
        let tests = required(&["a.py::x"], &["a.py::y"]);
        let passes = |code, cases: &[(&str, TestOutcome)]| judge(&tests, &ran(code, cases)).pass;
        assert!(passes(0, &[("a.x", Passed), ("a.y", Passed)]));
        assert!(
            passes(1, &[("a.x", Passed), ("a.y", Passed), ("a.z", Failed)]),
            "others may fail"
        );
        assert!(!passes(0, &[("a.x", Passed)]), "missing");
        assert!(!passes(0, &[("a.x", Passed), ("a.y", Skipped)]), "skipped");
        assert!(
            !passes(1, &[("a.x", Passed), ("a.y", Passed)]),
            "exit code without a reason"
        );
        let twice = [("a.x", Failed), ("a.x", Passed), ("a.y", Passed)];
        assert!(!passes(1, &twice), "the worst counts");
    }

    #[test]
    fn report_and_exit_code_must_agree() {
        let all = Tests::default();
        let passes = |code, cases: &[(&str, TestOutcome)]| judge(&all, &ran(code, cases)).pass;
        assert!(passes(0, &[("x", Passed), ("y", Skipped)]));
        assert!(!passes(1, &[("x", Passed)]));
        assert!(!passes(0, &[("x", Passed), ("y", Failed)]));
        assert!(!passes(0, &[]));
        assert!(!passes(0, &[("x", Skipped)]));
    }

    #[test]
    fn missing_report_fails() {
        for report in [Report::Missing, Report::Unreadable("cut off".to_owned())] {
            let forged = Ran {
                report: Some(report),
                ..ran(0, &[])
            };
            assert!(!judge(&Tests::default(), &forged).pass);
        }
    }

    #[test]
    fn control_that_passes_is_tampering() {
        let tests = Tests {
            must_fail: vec!["a.control".to_owned()],
            ..Tests::default()
        };
        let results = judge(&tests, &ran(0, &[("a.x", Passed), ("a.control", Passed)]));
        assert!(!results.pass && results.reason.unwrap().contains("control"));
        assert!(judge(&tests, &ran(1, &[("a.x", Passed), ("a.control", Failed)])).pass);
        assert!(!judge(&tests, &ran(0, &[("a.x", Passed)])).pass);
    }

    #[test]
    fn processes_that_outlive_fail() {
        let left = Ran {
            left_processes: 1,
            ..ran(0, &[("x", Passed)])
        };
        assert!(!judge(&Tests::default(), &left).pass);
        let may = Tests {
            may_leave_processes: true,
            ..Tests::default()
        };
        assert!(judge(&may, &left).pass);
    }

    #[test]
    fn controls_must_fail_on_the_base() {
        let tests = Tests {
            must_fail: vec!["a.control".to_owned()],
            ..Tests::default()
        };
        let wrong = |ran: &Ran| wrong_on_base(&tests, ran).map(|(field, _)| field);
        assert_eq!(wrong(&ran(1, &[("a.control", Failed)])), None);
        assert_eq!(
            wrong(&ran(0, &[("a.control", Passed)])),
            Some("tests.must_fail")
        );
        assert_eq!(
            wrong(&ran(0, &[("a.other", Passed)])),
            Some("tests.must_fail")
        );
        let silent = Ran {
            report: Some(Report::Missing),
            ..ran(3, &[])
        };
        assert_eq!(wrong(&silent), Some("tests.check_base"));
    }

    #[test]
    fn base_must_fail_as_said() {
        let tests = required(&["x"], &["y"]);
        let of = |cases: &[(&str, TestOutcome)]| wrong_on_base(&tests, &ran(1, cases));
        assert_eq!(of(&[("x", Failed), ("y", Passed)]), None);
        assert!(
            of(&[("x", Passed), ("y", Passed)])
                .unwrap()
                .1
                .contains("`x` passes")
        );
        assert!(of(&[("x", Failed)]).unwrap().1.contains("`y` does not"));
    }
}
