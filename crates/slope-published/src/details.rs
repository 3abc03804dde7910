//! Details of a checkpoint's folder: functions, and test failure messages.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use slope_model::detail::{CheckpointDetail, FunctionFact};
use slope_model::measurement::Totals;
use slope_model::verdict::TestResult;

use super::checkpoint::group_called;
use super::files::{self, Evaluation, Symbol, Tests};

/// Characters of a test's message.
const MAX_MESSAGE: usize = 4000;

/// `evaluation/report.json`, as pytest's plug-in writes it.
#[derive(Debug, Default, Deserialize)]
struct Report {
    #[serde(default)]
    tests: Vec<Ran>,
}

#[derive(Debug, Deserialize)]
struct Ran {
    nodeid: String,
    #[serde(default)]
    setup: Option<Stage>,
    #[serde(default)]
    call: Option<Stage>,
}

#[derive(Debug, Deserialize)]
struct Stage {
    #[serde(default)]
    duration: f64,
    #[serde(default)]
    crash: Option<Crash>,
    #[serde(default)]
    longrepr: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Crash {
    #[serde(default)]
    message: String,
}

/// The details of the checkpoint in `folder`.
pub(crate) fn read(
    folder: &Path,
    evaluation: Option<&Evaluation>,
    symbols: Option<Vec<Symbol>>,
    totals: Option<&Totals>,
) -> CheckpointDetail {
    CheckpointDetail {
        attempts: Vec::new(),
        not_passed: evaluation.map(|evaluation| not_passed(folder, &evaluation.tests)),
        functions: symbols.map(|symbols| symbols.into_iter().map(function).collect()),
        published: totals.cloned(),
        security: None,
    }
}

fn function(symbol: Symbol) -> FunctionFact {
    FunctionFact {
        path: symbol.file_path,
        name: match symbol.parent_class {
            Some(class) => format!("{class}.{}", symbol.name),
            None => symbol.name,
        },
        line: symbol.start,
        end_line: symbol.end,
        complexity: symbol.complexity.unwrap_or(1),
        sloc: symbol.sloc.unwrap_or(0),
    }
}

fn not_passed(folder: &Path, tests: &Tests) -> Vec<TestResult> {
    let mut tests = tests.each();
    tests.retain(|test| test.said != "passed");
    if tests.is_empty() {
        return Vec::new();
    }
    let report = report(folder);
    let ran: BTreeMap<String, &Ran> = report.tests.iter().map(|ran| (ran.place(), ran)).collect();
    let results = tests.into_iter().map(|test| {
        let ran = ran.get(&format!("{}::{}", test.checkpoint, test.id));
        TestResult {
            group: group_called(&test.group),
            outcome: test.outcome(),
            repeats: Vec::new(),
            duration_s: ran
                .and_then(|ran| ran.call.as_ref())
                .map_or(0.0, |call| call.duration),
            message: ran.and_then(|ran| ran.message()),
            checkpoint: test.checkpoint,
            id: test.id,
        }
    });
    results.collect()
}

fn report(folder: &Path) -> Report {
    files::json(&folder.join("evaluation/report.json")).unwrap_or_default()
}

/// Failure messages of tests, by `checkpoint::id`, if pytest's own report exists.
pub(super) fn messages(folder: &Path) -> BTreeMap<String, String> {
    let ran = report(folder).tests;
    let told = ran
        .iter()
        .filter_map(|ran| Some((ran.place(), ran.message()?)));
    told.collect()
}

impl Ran {
    /// `checkpoint::id`, from `…/test_checkpoint.py::id`.
    fn place(&self) -> String {
        let (file, id) = self.nodeid.split_once("::").unwrap_or((&self.nodeid, ""));
        let stem = Path::new(file)
            .file_stem()
            .map(|stem| stem.to_string_lossy());
        let stem = stem.unwrap_or_default();
        format!("{}::{id}", stem.strip_prefix("test_").unwrap_or(&stem))
    }

    /// The exception, then further lines of the trace.
    fn message(&self) -> Option<String> {
        let stages = [&self.call, &self.setup].into_iter().flatten();
        let stage = stages.into_iter().find(|stage| stage.crash.is_some())?;
        let mut text = stage.crash.as_ref()?.message.clone();
        let trace = stage.longrepr.as_deref().unwrap_or("");
        for line in trace.lines().filter_map(|line| line.strip_prefix("E  ")) {
            text.push('\n');
            text.push_str(line.trim_start());
        }
        Some(text.chars().take(MAX_MESSAGE).collect())
    }
}
