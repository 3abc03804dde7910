//! Comparison of stored numbers with recomputed ones.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;
use slope_model::error_text::one_line;
use slope_model::run::TrialReport;
use slope_model::verdict::State;

use super::checkpoint::Place;
use super::files::{self, Row};
use super::recount;
use super::remark::{Remark, remark};

/// Places that a remark about many names.
const MAX_PLACES: usize = 3;

#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
pub(crate) fn float(count: u64) -> f64 {
    count as f64
}

/// Remarks on the numbers of `row` that differ from `computed` by more than `tolerance` of their
/// size. Numbers that the row lacks are not compared.
pub(crate) fn held(
    row: &Row,
    computed: &[(&str, f64)],
    tolerance: f64,
    place: &Place,
) -> Vec<Remark> {
    let differing = computed.iter().filter_map(|(key, computed)| {
        let stored = row.number(key)?;
        let near = (stored - computed).abs() <= tolerance * computed.abs().max(1.0);
        let text = format!("{key}: stored {stored}, computed {computed}");
        (!near).then(|| remark("difference", place.name(), text))
    });
    differing.collect()
}

/// Remarks on the run as a whole: its summary, and missing values of its rows.
pub(crate) fn run(dir: &Path, rows: &[Row], trials: &[TrialReport]) -> Vec<Remark> {
    let mut remarks = Vec::new();
    let without = |key: &str| rows.iter().filter(|row| row.number(key).is_none()).count();
    let (verbosity, erosion) = (without("verbosity"), without("erosion"));
    if verbosity + erosion > 0 {
        let text = format!(
            "of {} rows {verbosity} have no verbosity and {erosion} no erosion; erosion is \
             computed from the stored symbols instead",
            rows.len()
        );
        remarks.push(remark("quality-missing", None, text));
    }
    let silent = |row: &Row| row.number("ast_grep_violations") == Some(0.0);
    if rows.len() > 1 && rows.iter().all(silent) {
        let text = "no rule matched in any checkpoint: the rule engine did not run";
        remarks.push(remark("rules-not-run", None, text.to_owned()));
    }
    remarks.extend(zeros(rows, trials));
    remarks.extend(recount::deltas(&by_problem(rows)));
    remarks.extend(recount::unknown(rows, |problem, checkpoint| {
        let own = |trial: &&TrialReport| trial.problem == problem;
        let of = trials.iter().filter(own).flat_map(|t| &t.checkpoints);
        of.into_iter().any(|c| c.checkpoint == checkpoint)
    }));
    let path = dir.join("result.json");
    match files::json::<Value>(&path) {
        Ok(result) if !rows.is_empty() => remarks.extend(summary(&result, rows)),
        Ok(_) => {}
        Err(error) => remarks.push(remark("summary-missing", None, one_line(&error))),
    }
    remarks
}

/// Remarks on rows that count infrastructure failures, or failures of the agent, as rates of 0.
fn zeros(rows: &[Row], trials: &[TrialReport]) -> Vec<Remark> {
    let of = |kind: &'static str, state: State, what: &str| {
        let places: Vec<String> = trials
            .iter()
            .flat_map(|trial| trial.checkpoints.iter().map(move |c| (trial, c)))
            .filter(|(trial, c)| {
                let has_row = |row: &Row| {
                    row.is_of(&trial.problem) && row.text("checkpoint") == Some(&c.checkpoint)
                };
                c.state == state && rows.iter().any(has_row)
            })
            .map(|(trial, c)| format!("{}/{}", trial.problem, c.checkpoint))
            .collect();
        (!places.is_empty()).then(|| remark(kind, None, format!("{what}: {}", listed(&places))))
    };
    let infrastructure = "stored rates count infrastructure failures as unsolved";
    let errors = "stored rates count by its leftovers what an agent error cut short";
    [
        of(
            "infrastructure-counted-as-zero",
            State::Infrastructure,
            infrastructure,
        ),
        of("agent-error-counted", State::AgentError, errors),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Number of places, and the first of them.
pub(crate) fn listed(places: &[String]) -> String {
    let first: Vec<&str> = places.iter().take(MAX_PLACES).map(String::as_str).collect();
    let more = if places.len() > MAX_PLACES {
        ", …"
    } else {
        ""
    };
    format!("{} ({}{more})", places.len(), first.join(", "))
}

/// Test groups of the summary's means, and the names of their counts in a row.
const GROUPS: [(&str, &str, &str); 5] = [
    ("core", "core_passed", "core_total"),
    (
        "functionality",
        "functionality_passed",
        "functionality_total",
    ),
    ("error", "error_passed", "error_total"),
    ("regression", "regression_passed", "regression_total"),
    ("total", "passed_tests", "total_tests"),
];

/// Rows by problem.
pub(crate) type ByProblem<'a> = BTreeMap<&'a str, Vec<&'a Row>>;

fn by_problem(rows: &[Row]) -> ByProblem<'_> {
    let mut by_problem = ByProblem::new();
    for row in rows {
        let problem = row.text("problem").unwrap_or_default();
        by_problem.entry(problem).or_default().push(row);
    }
    by_problem
}

/// `result.json` compared with rows, by the harness's own definitions.
fn summary(result: &Value, rows: &[Row]) -> Vec<Remark> {
    let by_problem = by_problem(rows);
    let rows_in_all = float(rows.len() as u64);
    // The older version divides by the number of existing rows, and does not require the last
    // checkpoint.
    let expected = result.get("expected_checkpoints").and_then(Value::as_f64);
    let all = float(by_problem.len() as u64);
    let has_last = |own: &[&Row]| {
        let last = |row: &&Row| row.0.get("is_last") == Some(&Value::Bool(true));
        expected.is_none() || own.iter().any(last)
    };
    let of_problems = |holds: &dyn Fn(&[&Row]) -> bool| {
        float(by_problem.values().filter(|own| holds(own)).count() as u64)
    };
    let solved =
        of_problems(&|own| own.iter().all(|row| is_full(row, "strict_pass_rate")) && has_last(own));
    let partial = of_problems(&|own| own.iter().any(|row| is_full(row, "strict_pass_rate")));
    let cost: f64 = rows.iter().filter_map(|row| row.number("cost")).sum();
    let mut computed = vec![
        ("num_checkpoints".to_owned(), rows_in_all),
        ("num_problems".to_owned(), all),
        ("problem_solved".to_owned(), solved),
        ("problem_partial".to_owned(), partial),
        ("pct_problems_solved".to_owned(), 100.0 * solved / all),
        ("pct_problems_partial".to_owned(), 100.0 * partial / all),
        ("costs.total".to_owned(), cost),
    ];
    for (rule, key) in [
        ("", "strict_pass_rate"),
        ("iso_", "isolated_pass_rate"),
        ("core_", "core_pass_rate"),
    ] {
        let count = float(rows.iter().filter(|row| is_full(row, key)).count() as u64);
        let percent = 100.0 * count / expected.unwrap_or(rows_in_all);
        computed.push((format!("checkpoints_{rule}solved"), count));
        computed.push((format!("pct_checkpoints_{rule}solved"), percent));
    }
    for (group, passed, total) in GROUPS {
        let (checkpoints, problems) = mean_rates(&by_problem, passed, total);
        computed.extend(checkpoints.map(|mean| (format!("pass_rates.checkpoint.{group}"), mean)));
        computed.push((format!("pass_rates.problem.{group}"), problems));
    }
    if expected.is_some() {
        computed.extend(recount::of_summary(rows, &by_problem));
    }
    let keys: Vec<(&str, f64)> = computed.iter().map(|(k, v)| (k.as_str(), *v)).collect();
    held(&flattened(result, &keys), &keys, 1e-9, &Place::summary())
}

fn is_full(row: &Row, key: &str) -> bool {
    row.number(key)
        .is_some_and(|rate| (rate - 1.0).abs() <= 1e-9)
}

/// Means of a group's rates: over the checkpoints with such tests, and over problems of the mean in
/// each, with 0 for a problem without such tests.
fn mean_rates(by_problem: &ByProblem<'_>, passed: &str, total: &str) -> (Option<f64>, f64) {
    let rates = |own: &[&Row]| -> Vec<f64> {
        let rate = |row: &&Row| {
            let total = row.number(total).filter(|total| *total > 0.0)?;
            Some(row.number(passed)? / total)
        };
        own.iter().filter_map(rate).collect()
    };
    let mean = |values: &[f64]| {
        let sum: f64 = values.iter().sum();
        (!values.is_empty()).then(|| sum / float(values.len() as u64))
    };
    let own: Vec<Vec<f64>> = by_problem.values().map(|own| rates(own)).collect();
    let problems: Vec<f64> = own.iter().map(|own| mean(own).unwrap_or(0.0)).collect();
    (mean(&own.concat()), mean(&problems).unwrap_or(0.0))
}

/// The summary with the values at `a.b.c` under that key, as the rows have theirs.
fn flattened(result: &Value, keys: &[(&str, f64)]) -> Row {
    let at = |key: &str| result.pointer(&format!("/{}", key.replace('.', "/")));
    let found = keys
        .iter()
        .filter_map(|(key, _)| Some(((*key).to_owned(), at(key)?.clone())));
    Row(Value::Object(found.collect()))
}
