//! The common key of versions to compare.

use serde_json::{Map, Value};
use slope_model::run::{DEFAULT_TRACK, RunReport};

use crate::arms::arm;

/// Options shown elsewhere, or without effect on results of a trial.
const APART: [&str; 17] = [
    "agent",
    "catalog",
    "imported",
    "intervention",
    "label",
    "model",
    "offline",
    "price_file",
    "prices",
    "prompt",
    "python",
    "rates",
    "record",
    "retries",
    "trials",
    "unconfined",
    "wheels",
];

/// A configuration without its versions.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    pub(super) model: String,
    pub(super) agent: String,
    pub(super) prompt: String,
    pub(super) prompt_hash: String,
    pub(super) arm: String,
    /// Other options, as JSON with sorted names.
    pub(super) options: String,
}

impl Key {
    pub(super) fn of(report: &RunReport) -> Self {
        let config = &report.config;
        Self {
            model: config.model.clone(),
            agent: config.agent.clone(),
            prompt: config.prompt.clone(),
            prompt_hash: config.prompt_hash.clone(),
            arm: arm(report),
            options: options(report).to_string(),
        }
    }
}

fn options(report: &RunReport) -> Value {
    let mut all: Map<String, Value> = Map::new();
    for (name, value) in &report.config.options {
        let is_apart = APART.contains(&name.as_str());
        // The implicit value of runs from before there were tracks.
        let is_default = name == "track" && value == DEFAULT_TRACK;
        if !is_apart && !is_default {
            all.insert(name.clone(), value.clone());
        }
    }
    if let Some(environment) = all.get_mut("environment").and_then(Value::as_object_mut) {
        // The isolation implies it.
        environment.remove("runtime");
    }
    let isolation = report.config.isolation.as_str().into();
    all.insert("isolation".to_owned(), isolation);
    canonical(Value::Object(all)).unwrap_or_default()
}

/// With sorted names, and without unset values: `None` counts as absent.
fn canonical(value: Value) -> Option<Value> {
    match value {
        Value::Null => None,
        Value::Object(fields) => {
            let fields = fields.into_iter();
            let set = fields.filter_map(|(name, value)| Some((name, canonical(value)?)));
            let mut set: Vec<(String, Value)> = set.collect();
            set.sort_by(|one, other| one.0.cmp(&other.0));
            (!set.is_empty()).then(|| set.into_iter().collect())
        }
        other => Some(other),
    }
}
