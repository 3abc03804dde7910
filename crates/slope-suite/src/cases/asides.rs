//! The records of a grading beyond results.

use std::collections::{BTreeMap, BTreeSet};

use super::calibrate;
use crate::inside;

/// The records of a grading beyond results.
#[derive(Debug, Default)]
pub(super) struct Asides {
    /// Seconds that starting an interpreter took, one a session.
    pub(super) starts_s: Vec<Option<f64>>,
    /// CPU seconds of the runner, one a session.
    pub(super) runner_cpu_s: Vec<Option<f64>>,
    /// Key of a case and seed to hashes of the inputs that it gave: one, if the generator is sound.
    pub(super) inputs: BTreeMap<String, BTreeMap<String, BTreeSet<String>>>,
}

impl Asides {
    /// A verdict's text about them, where limits are meant for `reference` (a suite's own, or none).
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
