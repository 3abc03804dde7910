//! Whether the quality of one checkpoint predicts the next: in published run directories, beyond what passing, size and
//! the problem already predict.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use slope_grade::{Engine, Grader, Pack};
use slope_model::grade::{Components, Status};
use slope_model::grade_request::{Change, Request, RequestOptions, Task, Tests};
use slope_model::run::{CheckpointReport, RunReport, TrialReport};
use slope_stats::{Bootstrap, Interval, Observation, partial_within};
use slope_syntax::Language;

use crate::commits::{Texts, changed_lines, lines};
use crate::grading::Error;

/// Largest file that is read, in bytes.
const MAX_BYTES: u64 = 400_000;
/// Resamples of intervals.
const RESAMPLES: usize = 2_000;

/// A checkpoint and the one after it.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
pub struct Link {
    /// The run directory.
    pub run: String,
    /// Problem.
    pub problem: String,
    /// Number of the checkpoint, from 1.
    pub checkpoint: u32,
    /// Quality of its edit, not rounded.
    pub quality: f64,
    /// Components of its edit.
    pub components: Components,
    /// Share of its tests that pass.
    pub passed: f64,
    /// Lines of code after it.
    pub lines: usize,
    /// Share of the next checkpoint's tests that pass.
    pub next_passed: f64,
    /// Cost of the next checkpoint in US dollars, where it is stored.
    pub next_cost: Option<f64>,
    /// Lines that the next checkpoint adds and removes.
    pub next_churn: usize,
}

/// The links of a run directory. `watch` gets how many of how many problems are done.
///
/// # Errors
/// If a snapshot cannot be graded for a reason other than its own.
pub fn links(
    report: &RunReport,
    dir: &Path,
    engine: &Engine,
    watch: &dyn Fn(usize, usize),
) -> Result<Vec<Link>, Error> {
    let mut found = Vec::new();
    for (done, trial) in report.trials.iter().enumerate() {
        watch(done, report.trials.len());
        let states = states(trial, dir);
        for three in states.windows(3) {
            let [before, own, next] = three else { continue };
            let (Some(before), Some(own), Some(next)) = (before, own, next) else {
                continue;
            };
            let Some(graded) = grade(before, own, engine)? else {
                continue;
            };
            found.push(Link {
                run: dir.display().to_string(),
                problem: trial.problem.clone(),
                checkpoint: own.index,
                quality: graded.0,
                components: graded.1,
                passed: own.passed,
                lines: own.files.values().map(|text| lines(text).len()).sum(),
                next_passed: next.passed_first,
                next_cost: next.cost,
                next_churn: edit(&own.files, &next.first)
                    .values()
                    .map(changed_lines)
                    .sum(),
            });
        }
    }
    Ok(found)
}

type Files = BTreeMap<String, Option<String>>;

/// The code at a checkpoint, and what was stored of it.
struct State {
    index: u32,
    /// Code files that the next checkpoint starts from.
    files: Files,
    /// Code files before a refactoring pass, if there was one.
    first: Files,
    passed: f64,
    passed_first: f64,
    cost: Option<f64>,
}

/// States by checkpoint; `None` where something is missing.
fn states(trial: &TrialReport, dir: &Path) -> Vec<Option<State>> {
    let state = |report: &CheckpointReport| {
        let folder = dir.join(&trial.problem).join(&report.checkpoint);
        let first = code_files(&folder.join("snapshot"))?;
        let after = report.after_pass.as_deref();
        let files = match after {
            Some(_) => code_files(&pass_folder(&folder))?,
            None => first.clone(),
        };
        let passed_first = share_passed(report)?;
        Some(State {
            index: report.index,
            passed: after.map_or(Some(passed_first), share_passed)?,
            passed_first,
            cost: report.usage.as_ref().and_then(|usage| usage.cost_usd),
            files,
            first,
        })
    };
    trial.checkpoints.iter().map(state).collect()
}

fn pass_folder(checkpoint: &Path) -> PathBuf {
    checkpoint
        .join(slope_published::PASS_FOLDER)
        .join("snapshot")
}

/// Share of tests that pass; `None` without tests.
fn share_passed(report: &CheckpointReport) -> Option<f64> {
    let (passed, all) = report.counts.values().fold((0, 0), |(passed, all), count| {
        (passed + count.passed, all + count.total)
    });
    (all > 0).then(|| f64::from(passed) / f64::from(all))
}

/// Text of the code files in a folder, by path; `None` without any.
fn code_files(folder: &Path) -> Option<Files> {
    let mut files = Files::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in std::fs::read_dir(&next).ok()?.flatten() {
            let (path, Ok(kind)) = (entry.path(), entry.file_type()) else {
                continue;
            };
            let name = entry.file_name();
            if kind.is_dir() && !name.to_string_lossy().starts_with(['.', '_']) {
                open.push(path);
            } else if kind.is_file()
                && Language::of_path(&path).is_some()
                && entry.metadata().is_ok_and(|meta| meta.len() <= MAX_BYTES)
                && let Ok(text) = std::fs::read_to_string(&path)
                && let Ok(inner) = path.strip_prefix(folder)
            {
                files.insert(inner.to_string_lossy().into_owned(), Some(text));
            }
        }
    }
    (!files.is_empty()).then_some(files)
}

/// Texts of files that differ.
fn edit(before: &Files, after: &Files) -> BTreeMap<String, Texts> {
    let paths = before.keys().chain(after.keys());
    let text = |files: &Files, path: &String| files.get(path).cloned().flatten();
    paths
        .map(|path| (path.clone(), (text(before, path), text(after, path))))
        .filter(|(_, (before, after))| before != after)
        .collect()
}

/// Quality and components of the edit from one state to the next; `None` if it has none.
fn grade(
    before: &State,
    after: &State,
    engine: &Engine,
) -> Result<Option<(f64, Components)>, Error> {
    let texts = before.files.iter();
    let texts = texts.filter_map(|(path, text)| Some((path.clone(), text.clone()?.into_bytes())));
    let base = match engine.of_files("the checkpoint before", texts.collect()) {
        Ok(base) => base,
        Err(slope_grade::Error::NoCode { .. }) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let mut pack = Pack::default();
    pack.reward.grid = 0.0;
    let grader = Grader::new(base, pack);
    let changed = edit(&before.files, &after.files).into_iter();
    let request = Request {
        id: String::new(),
        base: None,
        change: Change::Files(changed.map(|(path, (_, after))| (path, after)).collect()),
        reference: None,
        task: Task::default(),
        tests: Some(Tests {
            passed: 1,
            may_change: true,
            ..Tests::default()
        }),
        options: RequestOptions::default(),
    };
    let grade = grader.install(|grader| grader.grade(&request));
    let known = grade.quality.filter(|_| grade.status != Status::Error);
    Ok(known.map(|quality| (quality, grade.components)))
}

/// How a predictor and an outcome of the next checkpoint go together.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Effect {
    /// Quality, or the key of a component.
    pub predictor: &'static str,
    /// The predicted number of the next checkpoint.
    pub outcome: &'static str,
    /// Links that have both.
    pub links: usize,
    /// Correlation within problem and checkpoint, with passing and the logarithm of lines taken out.
    pub correlation: Option<f64>,
    /// Its 95 % interval; problems are resampled.
    pub interval: Option<Interval>,
}

type Number = fn(&Link) -> Option<f64>;

/// Predictors by name.
const PREDICTORS: [(&str, Number); 8] = [
    ("quality", |link| Some(link.quality)),
    ("p_cx", |link| link.components.p_cx),
    ("p_dup", |link| link.components.p_dup),
    ("p_dead", |link| link.components.p_dead),
    ("p_dev", |link| link.components.p_dev),
    ("p_contract", |link| link.components.p_contract),
    ("p_min", |link| link.components.p_min),
    ("b_reuse", |link| link.components.b_reuse),
];

/// Outcomes by name.
const OUTCOMES: [(&str, Number); 3] = [
    ("passing", |link| Some(link.next_passed)),
    ("cost", |link| {
        link.next_cost.filter(|cost| *cost > 0.0).map(f64::ln)
    }),
    ("churn", |link| Some(float(link.next_churn).ln_1p())),
];

#[expect(clippy::cast_precision_loss, reason = "counts are small")]
fn float(count: usize) -> f64 {
    count as f64
}

/// The effect of each predictor on each outcome.
#[must_use]
pub fn effects(links: &[Link]) -> Vec<Effect> {
    let each = PREDICTORS.iter().flat_map(|predictor| {
        let outcomes = OUTCOMES.iter();
        outcomes.map(move |outcome| effect(links, *predictor, *outcome))
    });
    each.collect()
}

fn effect(
    links: &[Link],
    (predictor, x): (&'static str, Number),
    (outcome, y): (&'static str, Number),
) -> Effect {
    let mut problems: BTreeMap<&str, Vec<Observation>> = BTreeMap::new();
    let mut count = 0;
    for link in links {
        if let (Some(x), Some(y)) = (x(link), y(link)) {
            count += 1;
            let observation = Observation {
                group: format!("{} {}", link.problem, link.checkpoint),
                x,
                y,
                others: vec![link.passed, float(link.lines).ln_1p()],
            };
            problems.entry(&link.problem).or_default().push(observation);
        }
    }
    let problems: Vec<Vec<Observation>> = problems.into_values().collect();
    let bootstrap = Bootstrap {
        resamples: RESAMPLES,
        ..Bootstrap::default()
    };
    let drawn = bootstrap.run(&problems, |drawn| {
        let all: Vec<&Observation> = drawn.iter().flat_map(|problem| problem.iter()).collect();
        partial_within(&all)
    });
    Effect {
        predictor,
        outcome,
        links: count,
        correlation: drawn.as_ref().map(|drawn| drawn.estimate),
        interval: drawn.and_then(|drawn| drawn.percentile()),
    }
}
