//! The pages of trials, as data for the page's script.

use std::collections::BTreeMap;

use serde::Serialize;
use slope_model::exhibit::{CheckpointExhibit, TrialExhibit};
use slope_model::integrity::Sighting;
use slope_model::json_text;
use slope_model::run::{CheckpointReport, RunReport, TrialReport};

use super::HtmlError;
use crate::format;
use crate::metric::Metric;
use crate::view;

/// Largest size of the data of all trials, in bytes; the rest of the page is small.
const MAX_BYTES: usize = 3_700_000;

/// A trial for the page's script.
#[derive(Serialize)]
struct TrialPage<'a> {
    name: &'a str,
    problem: &'a str,
    /// Reason for missing details.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    checkpoints: Vec<CheckpointPage<'a>>,
}

#[derive(Serialize)]
struct CheckpointPage<'a> {
    name: &'a str,
    state: &'static str,
    reason: Option<&'a str>,
    /// Passed, all and unstable tests by group.
    counts: BTreeMap<&'static str, [u32; 3]>,
    /// Values of [`Metric::all`].
    metrics: Vec<Option<f64>>,
    integrity: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<&'a CheckpointExhibit>,
}

/// A trial's data: its name, and the content of its script element.
pub(super) struct Embedded {
    pub(super) name: String,
    pub(super) json: String,
}

/// The data of all trials in their order.
pub(super) fn embedded(
    reports: &[RunReport],
    labels: &[String],
    details: &[TrialExhibit],
) -> Result<Vec<Embedded>, HtmlError> {
    let mut all = Vec::new();
    let mut used = 0;
    for (report, label) in reports.iter().zip(labels) {
        for trial in &report.trials {
            let name = format!("{label} · {}", view::trial_name(report, trial));
            let detail = details.iter().find(|detail| {
                detail.run == report.run
                    && detail.problem == trial.problem
                    && detail.trial == trial.trial
            });
            let mut json = page(report, trial, &name, detail)?;
            if used + json.len() > MAX_BYTES && detail.is_some() {
                json = page(report, trial, &name, None)?;
            }
            used += json.len();
            all.push(Embedded { name, json });
        }
    }
    Ok(all)
}

fn page(
    report: &RunReport,
    trial: &TrialReport,
    name: &str,
    detail: Option<&TrialExhibit>,
) -> Result<String, HtmlError> {
    let note = detail.is_none().then(|| {
        format!(
            "Spec, changes, tests, findings and steps are not on this page; `slope report {} --html \
             FILE` has those of this run.",
            report.run.display()
        )
    });
    let of = |at: usize| detail.and_then(|detail| detail.checkpoints.get(at));
    let checkpoints = trial.checkpoints.iter().enumerate();
    let page = TrialPage {
        name,
        problem: &trial.problem,
        note,
        checkpoints: checkpoints.map(|(at, c)| checkpoint(c, of(at))).collect(),
    };
    let mut value = serde_json::to_value(&page)?;
    json_text::for_each(&mut value, &mut cleaned);
    embeddable(&value)
}

fn checkpoint<'a>(
    checkpoint: &'a CheckpointReport,
    detail: Option<&'a CheckpointExhibit>,
) -> CheckpointPage<'a> {
    let counts = checkpoint.counts.iter();
    let seen = |sighting: &Sighting| format!("{}: {}", sighting.kind, sighting.text);
    CheckpointPage {
        name: &checkpoint.checkpoint,
        state: checkpoint.state.name(),
        reason: checkpoint.reason.as_deref(),
        counts: counts
            .map(|(group, c)| (group.name(), [c.passed, c.total, c.unstable]))
            .collect(),
        metrics: Metric::all()
            .map(|metric| metric.value(checkpoint).ok())
            .collect(),
        integrity: checkpoint.integrity.iter().map(seen).collect(),
        detail,
    }
}

/// Spells out control and invisible characters of a text, line by line.
fn cleaned(text: &mut String) {
    let lines: Vec<String> = text.split('\n').map(format::code_line).collect();
    *text = lines.join("\n");
}

/// JSON that is safe in a script element: no text in it can end the element.
pub(super) fn embeddable(value: &impl Serialize) -> Result<String, HtmlError> {
    Ok(serde_json::to_string(value)?.replace('<', "\\u003c"))
}
