//! Records of a grading besides the results.

use std::collections::{BTreeMap, BTreeSet};

use super::calibrate;
use super::usage::UsageByCase;
use crate::inside;

/// The records of a grading beyond results.
#[derive(Debug, Default)]
pub(super) struct GradingMetadata {
    /// Seconds that an interpreter took to start, one entry per session.
    pub(super) starts_s: Vec<Option<f64>>,
    /// CPU seconds of the runner, one entry per session.
    pub(super) runner_cpu_s: Vec<Option<f64>>,
    /// Case key, then seed, to the hashes of the generated inputs: one hash, if the generator is
    /// sound.
    pub(super) inputs: BTreeMap<String, BTreeMap<String, BTreeSet<String>>>,
    /// CPU time and memory of the programs, one entry per session.
    pub(super) usage: Vec<UsageByCase>,
}

impl GradingMetadata {
    /// The metadata as entries of a verdict. `reference` is the suite's start time for its limits,
    /// if it sets one.
    pub(super) fn describe(&self, reference: Option<f64>) -> Vec<(String, String)> {
        let shown = |starts: &mut dyn Iterator<Item = String>| starts.collect::<Vec<_>>().join(" ");
        let mut starts = self
            .starts_s
            .iter()
            .map(|s| s.map_or_else(|| "none".to_owned(), |s| format!("{s:.3}")));
        let stretches = self
            .starts_s
            .iter()
            .map(|s| calibrate::stretch(*s, reference));
        let mut all = vec![
            inside::runner_cpu(&self.runner_cpu_s),
            ("interpreter_start_s".to_owned(), shown(&mut starts)),
            (
                "time_scale".to_owned(),
                shown(&mut stretches.map(|s| format!("{s:.2}"))),
            ),
        ];
        if !self.inputs.is_empty() {
            let inputs = serde_json::to_string(&self.inputs).unwrap_or_default();
            all.push(("inputs".to_owned(), inputs));
        }
        all
    }
}
