//! `explain`: what a rule, signal or metric means.

use slope_judge::{TERMS, Term};
use slope_model::gate::GateRule;
use slope_model::metrics::{self, Metric};
use slope_model::near_names;
use slope_report::{MetricInfo, RuleInfo};
use slope_rules::RuleSet;

use crate::document::indented;
use crate::{Error, ErrorKind, catalogue};

/// The meaning of an id.
#[derive(Debug)]
pub enum Explanation {
    /// Rules and signals with the id, one for each group of languages.
    Rules(Vec<RuleInfo>),
    /// A rule of the gate, which no finding of a measurement names.
    Gate(GateRule),
    /// A metric, which is a number and not a finding.
    Metric(&'static Metric),
    /// A score of the judge, or an issue that only the judge has.
    Judge(&'static Term),
}

/// The explanation of slope's own rule, signal or metric with an id, for all languages or for one.
///
/// # Errors
/// If there is no such id or language, or the rule is not for the language.
pub fn explain(id: &str, language: Option<&str>) -> Result<String, Error> {
    let rules = RuleSet::embedded().map_err(|error| Error::of(ErrorKind::Internal, "", &error))?;
    explanation(catalogue::of_rules(&rules), id, language)?.document()
}

/// The meaning of an id among rules and signals, the rules of the gate, and metrics.
///
/// # Errors
/// As [`explain`].
pub fn explanation(
    mut rules: Vec<RuleInfo>,
    id: &str,
    language: Option<&str>,
) -> Result<Explanation, Error> {
    if !rules.iter().any(|rule| rule.id == id) {
        return GateRule::by_id(id)
            .map(Explanation::Gate)
            .or_else(|| metrics::by_name(id).map(Explanation::Metric))
            .or_else(|| Term::by_id(id).map(Explanation::Judge))
            .ok_or_else(|| unexplained(&rules, id));
    }
    rules.retain(|rule| rule.id == id);
    if let Some(language) = language {
        let all = languages(&rules);
        catalogue::keep_language(&mut rules, language)?;
        if rules.is_empty() {
            let message = format!("`{id}` is not for {language}: expected one of {all}");
            return Err(Error::new(ErrorKind::Argument, "language", message, ""));
        }
    }
    Ok(Explanation::Rules(rules))
}

impl Explanation {
    /// Its JSON document: a list.
    ///
    /// # Errors
    /// Only through a fault of slope.
    pub fn document(&self) -> Result<String, Error> {
        match self {
            Self::Rules(rules) => indented(rules),
            Self::Gate(rule) => indented(&serde_json::json!([{
                "id": rule.id(), "origin": "gate", "message": rule.meaning(), "keys": rule.keys()
            }])),
            Self::Metric(metric) => indented(&[MetricInfo::from(*metric)]),
            Self::Judge(term) => indented(&serde_json::json!([{
                "id": term.id, "origin": "judge", "message": term.meaning, "note": term.instead
            }])),
        }
    }
}

/// The languages of rules, for a sentence.
fn languages(rules: &[RuleInfo]) -> String {
    let all = rules.iter();
    let all = all.flat_map(|rule| rule.languages.iter().chain(&rule.in_changes));
    let all: Vec<&str> = all.map(String::as_str).collect();
    all.join(", ")
}

/// The error for an id that slope cannot explain, with rules and metrics that look like it.
fn unexplained(rules: &[RuleInfo], id: &str) -> Error {
    let names = rules.iter().map(|rule| rule.id.as_str());
    let names = names.chain(metrics::all().map(|metric| metric.id));
    let names = names.chain(TERMS.iter().map(|term| term.id));
    let near = near_names(names, id);
    let message = format!("unknown rule, signal or metric `{id}`");
    let all =
        "list rules and signals with `slope rules`, and see docs/metrics/README.md for metrics";
    let help = match near.as_slice() {
        [] => all.to_owned(),
        near => format!("use {}, or {all}", near.join(" or ")),
    };
    Error::new(ErrorKind::Argument, "id", message, help)
}
