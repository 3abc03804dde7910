//! Reports as JSON: the reports, results derived from them, and definitions.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::Write;

use serde::{Deserialize, Serialize};
use slope_model::run::RunReport;

use crate::arms::{Arms, arms};
use crate::metric::Metric;
use crate::study::Study;
use crate::summary::{RunSummary, summary};

/// Schema of [`Envelope`].
pub const SCHEMA: &str = slope_model::schema::REPORT;

/// Output of `--format json`: the reports themselves, unchanged, and their summaries in the same
/// order.
///
/// Unavailable values are `null` here and everywhere below, each with its reason. Numbers have the
/// shortest form that parses as the same number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Envelope<'a> {
    /// [`SCHEMA`].
    pub schema: String,
    /// Version of slope that wrote this.
    pub slope_version: String,
    /// Definition of a metric, rate or count by name, one sentence each.
    pub definitions: BTreeMap<String, String>,
    /// The runs.
    pub runs: Cow<'a, [RunReport]>,
    /// The summary of each run.
    pub summaries: Vec<RunSummary>,
    /// Arms versus the baseline, if the runs are of several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arms: Option<Arms>,
    /// The runs grouped by agent, model and arm, if requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub study: Option<Cow<'a, Study>>,
}

/// Definitions of terms that are not metrics.
pub(crate) const DEFINITIONS: [(&str, &str); 12] = [
    (
        "strict",
        "Checkpoints where every stable test passed, including tests of earlier checkpoints.",
    ),
    (
        "isolated",
        "Checkpoints where every stable test outside the regression group passed.",
    ),
    ("core", "Checkpoints where every stable core test passed."),
    ("solved", "Trials with every checkpoint strictly solved."),
    (
        "partial",
        "Trials with at least one checkpoint strictly solved.",
    ),
    (
        "graded",
        "Checkpoints with state passed, failed, agent-error, budget or timeout. The last three count as unsolved.",
    ),
    (
        "lost",
        "Checkpoints that the agent never reached, because its trial ended. They count as unsolved.",
    ),
    (
        "infrastructure",
        "Checkpoints at which the harness failed. They are missing and in no rate.",
    ),
    (
        "ungraded",
        "Checkpoints that are not graded yet, or not reached because the harness failed. They are missing and in no rate.",
    ),
    (
        "conservative",
        "Solved checkpoints divided by graded and lost checkpoints.",
    ),
    (
        "interval",
        "Wilson score interval, 95 %, for independent observations.",
    ),
    (
        "slope",
        "Ordinary least squares of the value on the checkpoint's position, without missing values. For a run, the mean over trials.",
    ),
];

/// Combines `reports` and their summaries in one envelope.
#[must_use]
pub fn envelope(reports: &[RunReport]) -> Envelope<'_> {
    let words = DEFINITIONS
        .iter()
        .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
    let metrics = Metric::all().map(|m| (m.key().to_owned(), m.definition().to_owned()));
    let summaries: Vec<RunSummary> = reports.iter().map(summary).collect();
    Envelope {
        schema: SCHEMA.to_owned(),
        slope_version: env!("CARGO_PKG_VERSION").to_owned(),
        definitions: words.chain(metrics).collect(),
        runs: Cow::Borrowed(reports),
        arms: arms(reports, &summaries),
        summaries,
        study: None,
    }
}

/// Writes `reports` and their study as indented JSON, ending in a line break.
///
/// # Errors
///
/// As for [`render_json`], and if `out` cannot be written.
pub fn write_study_json(
    mut out: impl Write,
    reports: &[RunReport],
    study: &Study,
) -> std::io::Result<()> {
    let mut envelope = envelope(reports);
    envelope.study = Some(Cow::Borrowed(study));
    serde_json::to_writer_pretty(&mut out, &envelope)?;
    out.write_all(b"\n")
}

/// Renders `reports` as indented JSON, ending in a line break.
///
/// # Errors
///
/// Only where a report cannot be JSON: a path in it that is not UTF-8.
pub fn render_json(reports: &[RunReport]) -> Result<String, serde_json::Error> {
    let mut text = serde_json::to_string_pretty(&envelope(reports))?;
    text.push('\n');
    Ok(text)
}
