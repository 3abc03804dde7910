//! Every metric, declared once: its names, unit, definition, formula, direction and value.
//!
//! | module | contents |
//! |---|---|
//! | `table` | the metrics, and which of them each command shows |
//! | `declare` | the macros that `table` is written with |
//!
//! Other code looks metrics up here. To add one, declare it in `table` and compute it in
//! `slope-measure`.

mod declare;
mod table;

use std::collections::BTreeMap;
use std::fmt;

use crate::measurement::Part;
use crate::run::CheckpointReport;
use crate::usage::Usage;

pub use table::*;

/// A number that slope reports about a snapshot, a history or an attempt.
///
/// An empty text stands for the default, which the method of the same name returns.
#[derive(Debug)]
pub struct Metric {
    /// The name in JSON, snake case.
    pub id: &'static str,
    /// The name of its column in CSV and Parquet.
    column: &'static str,
    /// Name for users, lower case.
    pub title: &'static str,
    /// The title where there is little room.
    short: &'static str,
    /// The unit of its values.
    pub unit: &'static str,
    /// The meaning in plain words, without a full stop.
    gist: &'static str,
    /// The exact definition, in sentences. The schemas have it, too.
    definition: &'static str,
    /// The formula behind it, and the equation of the paper that it is from.
    pub formula: &'static str,
    /// Number format.
    pub kind: Kind,
    /// Aggregation of values of functions, files or attempts.
    pub aggregation: Aggregation,
    /// The better direction.
    pub direction: Direction,
    /// A metric without which this one is unknown, with the same reason.
    pub needs: Option<&'static Metric>,
    /// Documentation page.
    pub page: &'static str,
    /// The origin of its values.
    pub source: Source,
}

/// A kind of number, which decides its digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A share, 0 to 1.
    Ratio,
    /// A real number.
    Real,
    /// A count of lines, callables or tokens.
    Count,
    /// US dollars.
    Cost,
    /// Seconds.
    Seconds,
}

/// Aggregation of values of functions, files or attempts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aggregation {
    /// Their sum.
    Sum,
    /// The largest of them.
    Largest,
    /// The first metric over the second, both aggregated before.
    Share(&'static str, &'static str),
    /// The mean of files, weighted by their source lines.
    WeightedMean,
}

impl Aggregation {
    /// Whether the result is independent of the amount of code: unmeasured parts then make it
    /// wrong, not low.
    #[must_use]
    pub fn is_relative(self) -> bool {
        matches!(self, Self::Share(..) | Self::WeightedMean)
    }
}

impl fmt::Display for Aggregation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sum => f.write_str("sum"),
            Self::Largest => f.write_str("largest value"),
            Self::Share(part, whole) => write!(f, "{part} over {whole}"),
            Self::WeightedMean => f.write_str("mean of files, weighted by source lines"),
        }
    }
}

/// The better direction of a metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Less is better.
    Lower,
    /// More is better.
    Higher,
    /// Neither: a size.
    Neither,
}

impl Direction {
    /// The direction as one word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Lower => "lower",
            Self::Higher => "higher",
            Self::Neither => "neither",
        }
    }
}

/// The origin of a metric's values.
#[derive(Debug, Clone, Copy)]
pub enum Source {
    /// A field of the totals.
    Field {
        /// The value; `None` if missing.
        value: fn(&Totals) -> Option<f64>,
        /// Makes the value missing; no effect on a field that always has a value.
        clear: fn(&mut Totals),
        /// Whether the field always has a value, so that 0 may also mean that nothing was measured.
        is_plain: bool,
    },
    /// Computed from the totals whenever it is shown.
    Totals(fn(&Totals) -> Option<f64>),
    /// The number of findings of a category.
    Findings(&'static str),
    /// The usage of an attempt.
    Usage {
        /// The value; `None` if missing.
        value: fn(&Usage) -> Option<f64>,
        /// The reason for a missing value.
        missing: &'static str,
    },
    /// A checkpoint of a trial.
    Checkpoint(fn(&CheckpointReport) -> Option<f64>),
}

impl PartialEq for Metric {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Metric {}

impl Metric {
    /// The name of its column in CSV and Parquet.
    #[must_use]
    pub fn column(&self) -> &'static str {
        or(self.column, self.id)
    }

    /// The title where there is little room.
    #[must_use]
    pub fn short(&self) -> &'static str {
        or(self.short, self.title)
    }

    /// The exact definition, in sentences.
    #[must_use]
    pub fn definition(&self) -> &'static str {
        self.definition.trim_start()
    }

    /// The meaning in plain words, without a full stop; the definition if there are no simpler words.
    #[must_use]
    pub fn gist(&self) -> &'static str {
        or(self.gist, self.definition().trim_end_matches('.'))
    }

    /// The unit to write behind a title; empty if the title ends with it.
    #[must_use]
    pub fn unit_after(&self, title: &str) -> &'static str {
        if title.ends_with(self.unit) {
            ""
        } else {
            self.unit
        }
    }

    /// The name of its trend by the published definitions.
    #[must_use]
    pub fn published_id(&self) -> String {
        format!("published.{}", self.id)
    }

    /// The id as words, for example `clone lines`.
    #[must_use]
    pub fn words(&self) -> String {
        self.id.replace('_', " ")
    }

    /// Whether `name` is its id, column or title.
    fn is_called(&self, name: &str) -> bool {
        [self.id, self.column(), self.title].contains(&name)
    }

    /// The value in totals; `None` if it is missing or not a number of totals.
    #[must_use]
    pub fn of_totals(&self, totals: &Totals) -> Option<f64> {
        match self.source {
            Source::Field { value, .. } | Source::Totals(value) => value(totals),
            Source::Findings(_) | Source::Usage { .. } | Source::Checkpoint(_) => None,
        }
    }

    /// The value in one part of a code base, or in all of it. Findings, by category, are counted only in all of it.
    #[must_use]
    pub fn of_code(
        &self,
        (totals, parts): (&Totals, &BTreeMap<Part, Totals>),
        findings: &BTreeMap<String, u64>,
        part: Option<Part>,
    ) -> Option<f64> {
        #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
        if let Source::Findings(category) = self.source {
            return Some(findings.get(category).copied().unwrap_or(0) as f64);
        }
        self.of_totals(match part {
            None => totals,
            Some(part) => parts.get(&part)?,
        })
    }

    /// The reason for a missing value in totals.
    #[must_use]
    pub fn missing_in<'a>(&self, totals: &'a Totals) -> Option<&'a str> {
        let ids = [Some(self.id), self.needs.map(|needed| needed.id)];
        let reason = ids.iter().flatten().find_map(|id| totals.missing.get(*id));
        reason.map(String::as_str)
    }
}

/// `text`, or `default` if it is empty.
fn or(text: &'static str, default: &'static str) -> &'static str {
    if text.is_empty() { default } else { text }
}

/// Every metric: those of totals in the order of the fields, then the others.
pub fn all() -> impl Iterator<Item = &'static Metric> {
    FIELDS.iter().chain(OTHERS).copied()
}

/// Finds a metric by `name`: an id, a column or a title, in any case, with hyphens or underscores.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static Metric> {
    let name = name.to_lowercase();
    let snake = name.replace('-', "_");
    all().find(|metric| metric.is_called(&name) || metric.is_called(&snake))
}

/// The commands that show a metric.
pub fn commands(metric: &Metric) -> impl Iterator<Item = &'static str> {
    let shown = VIEWS.iter().filter(move |(_, view)| view.contains(&metric));
    shown.map(|(command, _)| *command)
}

/// Records why metrics are missing. The first reason of each stays.
pub fn miss(totals: &mut Totals, metrics: &[&Metric], reason: &str) {
    for metric in metrics {
        let entry = totals.missing.entry(metric.id.to_owned());
        entry.or_insert_with(|| reason.to_owned());
    }
}

/// Records a reason for each missing field of the totals without one.
pub fn explain_missing(totals: &mut Totals, reason: &str) {
    for metric in FIELDS {
        if metric.of_totals(totals).is_none() {
            miss(totals, &[metric], reason);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn metric_names_are_unique() {
        let mut names = BTreeSet::new();
        for metric in all() {
            let own = BTreeSet::from([metric.id, metric.column(), metric.title]);
            for name in own {
                assert!(names.insert(name), "{name} is the name of two metrics");
            }
        }
    }

    #[test]
    fn names_ignore_case_and_hyphens() {
        for name in [
            "sloc",
            "source_lines",
            "source lines",
            "Source-Lines",
            "SLOC",
        ] {
            assert_eq!(by_name(name), Some(&SLOC), "{name}");
        }
        assert_eq!(by_name("near-miss clone lines"), Some(&NEAR_CLONE_LINES));
        assert_eq!(by_name("no such metric"), None);
    }

    #[test]
    fn definitions_are_sentences() {
        for metric in all() {
            let text = metric.definition();
            assert!(text.ends_with('.') && !text.contains("  "), "{text}");
            assert!(!metric.gist().ends_with('.'), "{}", metric.gist());
        }
    }

    #[test]
    fn shares_name_other_metrics() {
        let ids: BTreeSet<&str> = all().map(|metric| metric.id).collect();
        for metric in all() {
            if let Aggregation::Share(part, whole) = metric.aggregation {
                assert!(ids.contains(part) && ids.contains(whole), "{}", metric.id);
            }
        }
    }

    #[test]
    fn every_total_is_a_metric() {
        let totals = serde_json::to_value(Totals::default()).unwrap();
        let mut fields: Vec<&String> = totals.as_object().unwrap().keys().collect();
        fields.retain(|field| *field != "missing");
        let mut ids: Vec<&str> = FIELDS.iter().map(|metric| metric.id).collect();
        fields.sort_unstable();
        ids.sort_unstable();
        assert_eq!(fields, ids);
    }

    #[test]
    fn missing_fields_get_one_reason() {
        let mut totals = Totals {
            mass: Some(1.0),
            ..Totals::default()
        };
        let first = "first reason".to_owned();
        totals.missing.insert(EROSION.id.to_owned(), first);
        explain_missing(&mut totals, "second reason");
        assert_eq!(EROSION.missing_in(&totals), Some("first reason"));
        assert_eq!(VERBOSITY.missing_in(&totals), Some("second reason"));
        assert_eq!(MASS.missing_in(&totals), None);
        assert_eq!(FILES.missing_in(&totals), None);
    }
}
