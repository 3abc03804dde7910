//! A trial and its checkpoints.

use std::collections::BTreeMap;
use std::path::Path;

use slope_model::detail::{CheckpointDetail, TrialDetail};
use slope_model::error_text::one_line;
use slope_model::problem::Group;
use slope_model::run::{CheckpointReport, TrialReport};
use slope_model::usage::{Tokens, Usage};
use slope_model::verdict::{Count, State};

use super::check::{float, held};
use super::error::ImportError;
use super::files::{self, Evaluation, Inference, Row, Tests};
use super::plan::Planned;
use super::remark::{Remark, remark};
use super::stored::StoredTest;
use super::{details, pass, quality};

/// Maximum number of output tokens of a single-turn attempt that did nothing.
const NO_OP_TOKENS: u64 = 500;

/// A problem and a checkpoint of it.
#[derive(Debug)]
pub(crate) struct Place(String);

impl Place {
    pub(crate) fn summary() -> Self {
        Self("result.json".to_owned())
    }

    /// The refactoring pass after a checkpoint.
    pub(crate) fn after(problem: &str, checkpoint: &str) -> Self {
        Self(format!("{problem}/{checkpoint} after the pass"))
    }

    pub(crate) fn of(row: &Row) -> Self {
        let part = |key| row.text(key).unwrap_or("?");
        Self(format!("{}/{}", part("problem"), part("checkpoint")))
    }

    pub(crate) fn name(&self) -> Option<String> {
        Some(self.0.clone())
    }
}

/// A trial that was read, with its remarks.
pub(crate) struct ReadTrial {
    pub(crate) report: TrialReport,
    pub(crate) detail: TrialDetail,
    pub(crate) remarks: Vec<Remark>,
}

/// Reads the trial in a problem's folder.
pub(crate) fn trial(folder: &Path, problem: &str, planned: &Planned, rows: &[&Row]) -> ReadTrial {
    let mut remarks = Vec::new();
    let mut detail = TrialDetail::default();
    let mut checkpoints = Vec::new();
    for (index, name) in (1..).zip(&planned.names) {
        let of_checkpoint = rows
            .iter()
            .filter(|row| row.text("checkpoint") == Some(name));
        let mut own: Vec<&Row> = of_checkpoint.copied().collect();
        let place = Place(format!("{problem}/{name}"));
        if own.len() > 1 {
            let text = format!("{} rows for one checkpoint, so none is used", own.len());
            remarks.push(remark("duplicate-rows", place.name(), text));
            own.clear();
        }
        let row = own.first().copied();
        let read = Reader {
            folder: &folder.join(name),
            problem,
            version: planned.lost.is_none().then_some(planned.version),
            place,
            row,
        };
        let (checkpoint, details, own) = read.checkpoint(name, index);
        checkpoints.push(checkpoint);
        detail.checkpoints.push(details);
        remarks.extend(own);
    }
    let report = TrialReport {
        problem: problem.to_owned(),
        trial: 1,
        checkpoints,
    };
    ReadTrial {
        report,
        detail,
        remarks,
    }
}

struct Reader<'a> {
    folder: &'a Path,
    problem: &'a str,
    /// Version of the problem, if known.
    version: Option<u32>,
    place: Place,
    row: Option<&'a Row>,
}

impl Reader<'_> {
    fn checkpoint(
        &self,
        name: &str,
        index: u32,
    ) -> (CheckpointReport, CheckpointDetail, Vec<Remark>) {
        let mut report = CheckpointReport::ungraded(name, index, "not reached");
        if !self.folder.is_dir() {
            let remarks = self.row.map(|_| {
                let text = "a row without its folder; nothing of it is used".to_owned();
                remark("checkpoint-missing", self.place.name(), text)
            });
            let nothing = CheckpointDetail::default();
            return (report, nothing, remarks.into_iter().collect());
        }
        let inference = files::json::<Inference>(&self.folder.join("inference_result.json"));
        let evaluation = files::evaluation(self.folder, self.problem, name);
        let mut remarks = self.unreadable(&inference, &evaluation);
        if let Ok(inference) = &inference {
            report.agent_s = Some(inference.elapsed);
            report.usage = Some(usage(inference));
            remarks.extend(self.of_inference(inference));
        }
        if let Ok(evaluation) = &evaluation {
            let tests = Tallied::of(&evaluation.tests);
            remarks.extend(self.of_evaluation(evaluation, &tests));
            report.grade_s = Some(evaluation.duration);
            report.not_passed = tests.not_passed;
            report.counts = tests.counts;
        }
        (report.state, report.reason) = state(&inference, &evaluation, &report.counts);
        let (totals, of_quality) = quality::totals(self.folder, self.row, &self.place);
        // An empty snapshot has a remark already.
        let is_empty = of_quality.iter().any(|said| said.kind == "empty-snapshot");
        remarks.extend(of_quality);
        let mut functions = None;
        match totals {
            Ok((totals, symbols)) => {
                report.totals = Some(totals);
                functions = Some(symbols);
            }
            Err(why) if report.reason.is_none() && !is_empty => {
                remarks.push(remark("quality-unreadable", self.place.name(), why))
            }
            Err(_) => {}
        }
        report.after_pass = pass::after_pass(self.folder, self.problem, &report).map(Box::new);
        let totals = report.totals.as_ref();
        let detail = details::read(self.folder, evaluation.as_ref().ok(), functions, totals);
        (report, detail, remarks)
    }

    /// Remarks on existing but unusable files, whose values are therefore missing.
    fn unreadable(
        &self,
        inference: &Result<Inference, ImportError>,
        evaluation: &Result<Evaluation, ImportError>,
    ) -> Vec<Remark> {
        let files = [
            ("inference-unreadable", inference.as_ref().err()),
            ("evaluation-unreadable", evaluation.as_ref().err()),
        ];
        let torn = files.into_iter().filter_map(|(kind, error)| match error {
            Some(error @ ImportError::Malformed { .. }) => {
                Some(remark(kind, self.place.name(), one_line(error)))
            }
            _ => None,
        });
        torn.collect()
    }

    fn of_inference(&self, inference: &Inference) -> Vec<Remark> {
        let usage = &inference.usage;
        let tokens = &usage.net_tokens;
        let computed = [
            ("cost", usage.cost),
            ("duration", inference.elapsed),
            ("steps", float(usage.steps)),
            ("input", float(tokens.input)),
            ("output", float(tokens.output)),
            ("cache_read", float(tokens.cache_read)),
            ("cache_write", float(tokens.cache_write)),
            ("reasoning", float(tokens.reasoning)),
        ];
        // The older version stores the seconds of the evaluation as `duration`.
        let is_old = self.row.is_some_and(|row| row.number("elapsed").is_some());
        let held_here = computed
            .iter()
            .filter(|(key, _)| !(is_old && *key == "duration"));
        let computed: Vec<(&str, f64)> = held_here.copied().collect();
        let mut remarks = self
            .row
            .map_or_else(Vec::new, |row| held(row, &computed, 1e-9, &self.place));
        if !inference.had_error && usage.steps <= 1 && tokens.output < NO_OP_TOKENS {
            let text = format!(
                "{} turns and {} output tokens: the agent did nothing, and was graded on what it \
                 found",
                usage.steps, tokens.output
            );
            remarks.push(remark("one-turn-no-op", self.place.name(), text));
        }
        remarks
    }

    /// Counts of the file versus its lists, and those of the row versus both.
    fn of_evaluation(&self, evaluation: &Evaluation, tests: &Tallied) -> Vec<Remark> {
        let mut remarks = Vec::new();
        if let (Some(of_run), Some(graded)) = (self.version, evaluation.problem_version)
            && of_run != graded
        {
            let text = format!("graded by version {graded} of the problem, the run has {of_run}");
            remarks.push(remark("version-differs", self.place.name(), text));
        }
        for group in Group::ALL {
            let count = tests.counts.get(&group).copied().unwrap_or_default();
            let name = group.name();
            let stored = |of: &BTreeMap<String, u32>| {
                let own = of.iter().find(|(key, _)| is_called(group, key));
                own.map_or(0, |(_, count)| *count)
            };
            let pairs = [
                ("pass_counts", stored(&evaluation.pass_counts), count.passed),
                (
                    "total_counts",
                    stored(&evaluation.total_counts),
                    count.total,
                ),
            ];
            for (key, stored, listed) in pairs {
                // The oldest files have only the list.
                if stored != listed && !evaluation.total_counts.is_empty() {
                    let text = format!("{key} {name}: stored {stored}, {listed} listed");
                    remarks.push(remark("difference", self.place.name(), text));
                }
            }
        }
        if let Some(row) = self.row {
            let computed = rates(evaluation, tests);
            remarks.extend(held(row, &computed, 1e-9, &self.place));
        }
        remarks
    }
}

/// The row's rates and counts by the harness's own rule.
fn rates(evaluation: &Evaluation, tests: &Tallied) -> Vec<(&'static str, f64)> {
    let sum = |counts: &dyn Fn(Group) -> bool| {
        let own = tests.counts.iter().filter(|(group, _)| counts(**group));
        own.fold((0, 0), |(passed, total), (_, c)| {
            (passed + c.passed, total + c.total)
        })
    };
    let rate = |(passed, total): (u32, u32)| {
        if total == 0 {
            0.0
        } else {
            f64::from(passed) / f64::from(total)
        }
    };
    let all = sum(&|_| true);
    let total = if all.1 == 0 {
        evaluation.pytest_collected
    } else {
        all.1
    };
    let mut computed = vec![
        ("strict_pass_rate", rate((all.0, total))),
        ("isolated_pass_rate", rate(sum(&|g| g != Group::Regression))),
        ("core_pass_rate", rate(sum(&|g| g == Group::Core))),
        ("passed_tests", f64::from(all.0)),
        ("total_tests", f64::from(total)),
    ];
    let names = [
        (Group::Core, "core_passed", "core_total"),
        (
            Group::Functionality,
            "functionality_passed",
            "functionality_total",
        ),
        (Group::Error, "error_passed", "error_total"),
        (Group::Regression, "regression_passed", "regression_total"),
    ];
    for (group, passed, total) in names {
        let count = sum(&|g| g == group);
        computed.extend([(passed, f64::from(count.0)), (total, f64::from(count.1))]);
    }
    computed
}

/// Tests of an evaluation, counted from its lists.
pub(crate) struct Tallied {
    pub(crate) counts: BTreeMap<Group, Count>,
    pub(crate) not_passed: Vec<String>,
}

impl Tallied {
    pub(crate) fn of(tests: &Tests) -> Self {
        let mut tallied = Self {
            counts: BTreeMap::new(),
            not_passed: Vec::new(),
        };
        for test in tests.each() {
            tallied.add(&test);
        }
        tallied.not_passed.sort();
        tallied
    }

    fn add(&mut self, test: &StoredTest) {
        let count = self.counts.entry(group_called(&test.group)).or_default();
        let passed = test.said == "passed";
        count.total += 1;
        count.passed += u32::from(passed);
        if !passed {
            let name = format!("{}::{}", test.checkpoint, test.id);
            self.not_passed.push(name);
        }
    }
}

/// The group that the harness calls so. Custom markers are groups of their own there; here they are
/// functionality.
pub(crate) fn group_called(name: &str) -> Group {
    let known = Group::ALL.into_iter().find(|group| is_called(*group, name));
    known.unwrap_or(Group::Functionality)
}

/// Whether the harness calls a group so: its names begin with capitals.
pub(crate) fn is_called(group: Group, name: &str) -> bool {
    group.name().eq_ignore_ascii_case(name)
}

fn usage(inference: &Inference) -> Usage {
    let tokens = &inference.usage.net_tokens;
    Usage {
        tokens: Tokens {
            input: tokens.input,
            cache_read: tokens.cache_read,
            cache_write: tokens.cache_write,
            cache_write_1h: 0,
            output: tokens.output,
            reasoning: tokens.reasoning,
        },
        requests: inference.usage.steps,
        cost_usd: Some(inference.usage.cost),
        ..Usage::default()
    }
}

/// State of a checkpoint, with a reason if it is neither passed nor failed.
fn state(
    inference: &Result<Inference, ImportError>,
    evaluation: &Result<Evaluation, ImportError>,
    counts: &BTreeMap<Group, Count>,
) -> (State, Option<String>) {
    if let Ok(Inference {
        had_error: true,
        error_message,
        ..
    }) = inference
    {
        let last = error_message
            .as_deref()
            .unwrap_or("")
            .trim()
            .lines()
            .next_back();
        let reason = last.unwrap_or("the agent reported an error").to_owned();
        return (State::AgentError, Some(reason));
    }
    let evaluation = match (inference, evaluation) {
        (_, Ok(evaluation)) => evaluation,
        (Err(error), Err(_)) => return (State::Ungraded, Some(one_line(&error))),
        (Ok(_), Err(error)) => {
            return (
                State::Ungraded,
                Some(format!("not graded: {}", one_line(&error))),
            );
        }
    };
    graded_state(evaluation, counts)
}

/// The tests' results for a checkpoint, or the reason that they are missing.
pub(crate) fn graded_state(
    evaluation: &Evaluation,
    counts: &BTreeMap<Group, Count>,
) -> (State, Option<String>) {
    if let Some(why) = not_graded(evaluation) {
        return (State::Infrastructure, Some(why));
    }
    let passed: u32 = counts.values().map(|count| count.passed).sum();
    let total: u32 = counts.values().map(|count| count.total).sum();
    match (total, passed) {
        (0, _) => (State::Infrastructure, Some("no test was run".to_owned())),
        (total, passed) if passed == total => (State::Passed, None),
        _ => (State::Failed, None),
    }
}

/// Reason that the harness's test run proves nothing about the snapshot; `None` if it is valid.
pub(crate) fn not_graded(evaluation: &Evaluation) -> Option<String> {
    let exit = evaluation.pytest_exit_code;
    (evaluation.infrastructure_failure || !matches!(exit, None | Some(0 | 1))).then(|| {
        let exit = exit.map_or_else(|| "unknown".to_owned(), |code| code.to_string());
        format!("the harness's test run failed, exit code {exit}")
    })
}
