//! Run reports built in code, one for each thing that a report must show.

pub(crate) mod measured;

use std::collections::BTreeMap;
use std::path::PathBuf;

use slope_model::measurement::{Definitions, Totals};
use slope_model::problem::Group;
use slope_model::run::{CheckpointReport, ProblemRef, RunConfig, RunReport, TrialReport};
use slope_model::usage::{Tokens, Usage};
use slope_model::verdict::{Count, State};
use slope_report::{RowForm, RowTable, RowWriter};

/// A label, a test id and a reason by somebody who wants more than to be read.
pub(crate) const HOSTILE: &str = "<script>alert('x')</script>\"&{{ 7*7 }}|`*_\u{1b}[31m\u{202e}";

pub(crate) fn config(label: &str, trials: u32, checkpoints: u32) -> RunConfig {
    let problem = ProblemRef {
        path: PathBuf::from("/problems/line_stats"),
        hash: "b3:11".into(),
        checkpoint_names: (1..=checkpoints)
            .map(|n| format!("checkpoint_{n}"))
            .collect(),
    };
    RunConfig {
        schema: slope_model::schema::RUN.into(),
        slope_version: "0.1.0".into(),
        label: label.into(),
        agent: "slope".into(),
        agent_version: "0.1.0".into(),
        model: "scripted".into(),
        prompt: "just-solve".into(),
        prompt_hash: "b3:22".into(),
        problems: BTreeMap::from([("line_stats".to_owned(), problem)]),
        trials,
        start: slope_model::run::Start::Own,
        isolation: "namespaces".into(),
        capabilities: BTreeMap::new(),
        options: BTreeMap::new(),
    }
}

pub(crate) fn run(label: &str, trials: Vec<TrialReport>) -> RunReport {
    let number = u32::try_from(trials.len()).unwrap();
    RunReport {
        schema: slope_model::schema::RUN_REPORT.into(),
        run: PathBuf::from(format!(
            "runs/{}",
            label.split_whitespace().next().unwrap_or("run")
        )),
        config: config(label, number, 4),
        definitions: vec![Definitions {
            version: "slope/1".into(),
            hash: "0123456789abcdef".into(),
            grammars: BTreeMap::new(),
            rules: BTreeMap::new(),
        }],
        all_attempts: slope_model::run::AllAttempts::default(),
        trials,
    }
}

/// The part of the page before the scripts that run.
pub(crate) fn before_scripts(reports: &[RunReport]) -> String {
    let page = page(reports, &[]);
    page.split("<script>").next().unwrap_or_default().to_owned()
}

/// The HTML page of `reports`.
pub(crate) fn page(
    reports: &[RunReport],
    details: &[slope_model::exhibit::TrialExhibit],
) -> String {
    let mut options = slope_report::StudyOptions::default();
    options.bootstrap.resamples = 200;
    let study = slope_report::study(reports, &options);
    let page = slope_report::Page {
        reports,
        study: &study,
        details,
    };
    slope_report::render_html(&page).unwrap()
}

pub(crate) fn trial(number: u32, checkpoints: Vec<CheckpointReport>) -> TrialReport {
    TrialReport {
        problem: "line_stats".into(),
        trial: number,
        checkpoints,
    }
}

/// A checkpoint without anything.
pub(crate) fn bare(index: u32, state: State, reason: Option<&str>) -> CheckpointReport {
    CheckpointReport {
        state,
        reason: reason.map(str::to_owned),
        ..CheckpointReport::ungraded(&format!("checkpoint_{index}"), index, "")
    }
}

pub(crate) fn usage(scale: u64, cost: Option<f64>) -> Usage {
    Usage {
        tokens: Tokens {
            input: 2_000 * scale,
            cache_read: 9_000 * scale,
            cache_write: 1_500 * scale,
            cache_write_1h: 0,
            output: 800 * scale,
            reasoning: 100 * scale,
        },
        requests: 6 * scale,
        failed_requests: 0,
        tool_calls: 5 * scale,
        unreported: 0,
        cost_usd: cost,
    }
}

pub(crate) fn counts(index: u32) -> BTreeMap<Group, Count> {
    let all = |total| Count {
        passed: total,
        total,
        unstable: 0,
    };
    let mut counts = BTreeMap::from([
        (Group::Core, all(4 + index)),
        (Group::Functionality, all(6)),
        (Group::Error, all(3)),
    ]);
    if index > 1 {
        counts.insert(Group::Regression, all(13 * (index - 1)));
    }
    counts
}

/// A solved checkpoint of a trial whose code grows by `growth` of slop at each step.
pub(crate) fn solved(index: u32, growth: f64) -> CheckpointReport {
    let step = f64::from(index);
    let mass = 40.0 + 30.0 * step + growth * 55.0 * step;
    let high = growth * 48.0 * (step - 1.0);
    let sloc = 60 + 45 * u64::from(index);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let lines = |n: f64| n.round() as u64;
    let totals = Totals {
        files: 1 + index,
        unmeasured_files: 0,
        lines: sloc + 20,
        sloc: sloc + lines(growth * 40.0 * step),
        callables: 4 + 3 * index,
        high_complexity_callables: u32::from(high > 0.0) * (index - 1),
        max_complexity: Some(5 + u32::from(high > 0.0) * 4 * index),
        mass: Some(mass),
        high_complexity_mass: Some(high),
        erosion: Some(high / mass),
        flagged_lines: Some(lines(2.0 + growth * 9.0 * step)),
        clone_lines: Some(lines(growth * 14.0 * (step - 0.5))),
        verbose_lines: Some(lines(2.0 + growth * 20.0 * step)),
        verbosity: Some((2.0 + growth * 20.0 * step) / (80.0 + 45.0 * step)),
        missing: BTreeMap::new(),
        ..Totals::default()
    };
    CheckpointReport {
        counts: counts(index),
        totals: Some(totals),
        usage: Some(usage(
            u64::from(index),
            Some(0.0123 * step * (1.0 + growth)),
        )),
        agent_s: Some(2.4 + 0.7 * step + growth),
        grade_s: Some(1.1),
        snapshot: Some(format!("b3:{index:04}")),
        efficiency: None,
        ..bare(index, State::Passed, None)
    }
}

pub(crate) fn tidy() -> RunReport {
    run(
        "tidy",
        vec![trial(1, (1..=4).map(|i| solved(i, 0.0)).collect())],
    )
}

pub(crate) fn sloppy() -> RunReport {
    run(
        "sloppy",
        vec![trial(1, (1..=4).map(|i| solved(i, 1.0)).collect())],
    )
}

/// The agent dies at checkpoint 2 and so ends its trial.
fn dies(number: u32) -> TrialReport {
    let second = CheckpointReport {
        usage: Some(usage(2, None)),
        agent_s: Some(7.5),
        ..bare(
            2,
            State::AgentError,
            Some("the agent exited with status 137"),
        )
    };
    let rest = "the agent ended the trial at checkpoint_2";
    trial(
        number,
        vec![
            solved(1, 0.5),
            second,
            bare(3, State::Ungraded, Some(rest)),
            bare(4, State::Ungraded, Some(rest)),
        ],
    )
}

/// The harness fails at checkpoint 3.
fn harness_fails(number: u32) -> TrialReport {
    let third = bare(
        3,
        State::Infrastructure,
        Some("no space left on device: snapshot of checkpoint_3"),
    );
    trial(
        number,
        vec![
            solved(1, 0.4),
            solved(2, 0.4),
            third,
            bare(4, State::Ungraded, Some("not reached")),
        ],
    )
}

/// Failing and unstable tests, a cheat, and a snapshot that no parser takes.
fn odd(number: u32) -> TrialReport {
    let mut first = solved(1, 0.3);
    first.state = State::Failed;
    first.counts.insert(
        Group::Functionality,
        Count {
            passed: 4,
            total: 6,
            unstable: 1,
        },
    );
    first.unstable = vec!["test_timeout[slow disk]".into()];
    first.not_passed = vec!["test_empty_input".into()];
    let mut second = solved(2, 0.3);
    second.integrity = vec!["the workspace holds a conftest.py; it was not loaded".into()];
    second.totals.as_mut().unwrap().unmeasured_files = 1;
    let mut third = solved(3, 0.3);
    let why = "main.py: line 14: the parser found no valid syntax";
    let names = [
        "mass",
        "erosion",
        "max_complexity",
        "clone_lines",
        "flagged_lines",
        "verbosity",
    ];
    third.totals = Some(Totals {
        files: 0,
        unmeasured_files: 3,
        missing: names
            .into_iter()
            .map(|n| (n.to_owned(), why.to_owned()))
            .collect(),
        ..Totals::default()
    });
    let mut fourth = solved(4, 0.3);
    fourth.usage.as_mut().unwrap().unreported = 2;
    trial(number, vec![first, second, third, fourth])
}

pub(crate) fn trouble() -> RunReport {
    run("trouble", vec![dies(1), harness_fails(2), odd(3)])
}

/// Planned and not begun.
pub(crate) fn empty() -> RunReport {
    let mut report = run("empty", Vec::new());
    report.config.trials = 2;
    report
}

/// Everything that others can write, written by somebody hostile.
pub(crate) fn hostile() -> RunReport {
    let mut report = tidy();
    report.config.label = HOSTILE.into();
    report.config.model = HOSTILE.into();
    report.config.agent_version = HOSTILE.into();
    report.run = PathBuf::from(HOSTILE);
    let trial = &mut report.trials[0];
    trial.problem = HOSTILE.into();
    let checkpoint = &mut trial.checkpoints[1];
    checkpoint.checkpoint = HOSTILE.into();
    checkpoint.state = State::Timeout;
    checkpoint.reason = Some(HOSTILE.into());
    checkpoint.unstable = vec![HOSTILE.into()];
    checkpoint.integrity = vec![HOSTILE.into()];
    report
}

pub(crate) fn all() -> Vec<RunReport> {
    vec![tidy(), sloppy(), trouble(), empty()]
}

/// A table as a file.
pub(crate) fn rows(table: &RowTable, form: RowForm) -> Vec<u8> {
    let mut writer = RowWriter::new(Vec::new(), form, table).unwrap();
    writer.put(form.encode(table.clone()).unwrap()).unwrap();
    let (file, count) = writer.finish().unwrap();
    assert_eq!(count, table.rows.len() as u64);
    file
}
