//! The further numbers of a row and of the summary, by the definitions of the harness's newer version.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use super::check::{ByProblem, float, held};
use super::checkpoint::Place;
use super::files::{self, MeasuredFile, Row, Symbol};
use super::remark::{Remark, remark};

/// The least that complexities are normalised by.
const LEAST_COMPLEXITY: f64 = 50.0;

/// `diff.json`, without its text.
#[derive(Deserialize)]
struct Diff {
    file_diffs: BTreeMap<String, FileDiff>,
}

#[derive(Deserialize)]
struct FileDiff {
    lines_added: u64,
    lines_removed: u64,
}

/// Whether the row is from the newer version, which uses other names than the older one.
pub(crate) fn is_newer(row: &Row) -> bool {
    row.number("strict_pass_rate").is_some()
}

/// Counts and rates of one checkpoint's code.
pub(crate) fn of_code(
    symbols: &[Symbol],
    measured: &[MeasuredFile],
    row: &Row,
) -> Vec<(&'static str, f64)> {
    let kinds = [
        ("functions", "function"),
        ("methods", "method"),
        ("classes", "class"),
    ];
    let mut computed: Vec<(&str, f64)> = kinds
        .map(|(key, kind)| {
            let own = symbols.iter().filter(|s| s.kind == kind);
            (key, float(own.count() as u64))
        })
        .into();
    let statements = symbols.iter().filter_map(|s| s.statements).sum();
    computed.push(("statements", float(statements)));
    computed.push(("symbols_total", float(symbols.len() as u64)));
    computed.extend(of_files(measured, row));
    computed.extend(of_callables(symbols));
    computed
}

/// A number of a measured file.
type OfFile = fn(&MeasuredFile) -> u64;

fn of_files(measured: &[MeasuredFile], row: &Row) -> Vec<(&'static str, f64)> {
    let sum = |of: OfFile| float(measured.iter().map(of).sum());
    let sums: [(&str, OfFile); 8] = [
        ("loc", |f| f.total_lines),
        ("single_comments", |f| f.single_comment),
        ("lint_errors", |f| f.lint_errors),
        ("lint_fixable", |f| f.lint_fixable),
        ("single_use_functions", |f| f.single_use_count),
        ("trivial_wrappers", |f| f.trivial_wrapper_count),
        ("unused_variables", |f| f.unused_variable_count),
        ("ast_grep_violations", |f| f.ast_grep_violation_count),
    ];
    let mut computed: Vec<(&str, f64)> = sums.map(|(key, of)| (key, sum(of))).into();
    let lines = sum(|f| f.total_lines);
    let per_line = |count: f64| if lines > 0.0 { count / lines } else { 0.0 };
    computed.push(("lint_per_loc", per_line(sum(|f| f.lint_errors))));
    let violations = sum(|f| f.ast_grep_violation_count);
    computed.push(("violation_pct", per_line(violations)));
    for (key, count) in [
        ("cloned_pct", "cloned_sloc_lines"),
        ("verbosity_flagged_pct", "verbosity_flagged_sloc_lines"),
    ] {
        // Their counts are only stored in the row.
        let count = row.number(count);
        computed.extend(count.map(|count| (key, per_line(count))));
    }
    computed
}

fn of_callables(symbols: &[Symbol]) -> Vec<(&'static str, f64)> {
    let own = symbols.iter().filter(|s| s.is_function());
    let own: Vec<&Symbol> = own.collect();
    let complexities: Vec<f64> = own
        .iter()
        .map(|s| f64::from(s.complexity.unwrap_or(0)))
        .collect();
    let lines: Vec<f64> = own.iter().map(|s| float(s.lines.unwrap_or(0))).collect();
    let deepest = own.iter().filter_map(|s| s.max_nesting_depth).max();
    let high: Vec<f64> = complexities.iter().copied().filter(|c| *c > 10.0).collect();
    let not_zero: Vec<f64> = complexities.iter().copied().filter(|c| *c > 0.0).collect();
    let mean = |values: &[f64]| slope_stats::mean(values).unwrap_or(0.0);
    vec![
        ("cc_mean", mean(&complexities)),
        ("cc_std", slope_stats::stddev(&complexities).unwrap_or(0.0)),
        ("high_cc_mean", mean(&high)),
        ("cc_normalized", normalized(&complexities)),
        (
            "cc_concentration",
            slope_stats::gini(&not_zero).unwrap_or(0.0),
        ),
        ("cc_top20", of_top_fifth(&complexities)),
        ("max_nesting_depth", float(deepest.unwrap_or(0))),
        ("lines_per_symbol", mean(&lines)),
        ("mean_func_loc", mean(&lines)),
    ]
}

fn normalized(complexities: &[f64]) -> f64 {
    let n = float(complexities.len() as u64);
    let sum: f64 = complexities.iter().sum();
    let squares: f64 = complexities.iter().map(|c| c * c).sum();
    let of_mean = if n > 0.0 { sum * sum / n } else { 0.0 };
    let most = sum.max(LEAST_COMPLEXITY).powi(2) - of_mean;
    if most > 0.0 {
        (squares - of_mean) / most
    } else {
        0.0
    }
}

/// Share of the complexity in the most complex fifth of the functions.
fn of_top_fifth(complexities: &[f64]) -> f64 {
    let mut sorted = complexities.to_vec();
    sorted.sort_by(|a, b| b.total_cmp(a));
    let sum: f64 = sorted.iter().sum();
    let top: f64 = sorted.iter().take(sorted.len().div_ceil(5)).sum();
    if sum > 0.0 { top / sum } else { 0.0 }
}

/// The line counts of measured files from `diff.json` in `folder`; empty if there is none.
pub(crate) fn of_diff(folder: &Path, measured: &[MeasuredFile]) -> Vec<(&'static str, f64)> {
    let Ok(diff) = files::json::<Diff>(&folder.join("diff.json")) else {
        return Vec::new();
    };
    let own = measured
        .iter()
        .filter_map(|f| diff.file_diffs.get(&f.file_path));
    let (added, removed) = own.fold((0, 0), |(added, removed), file| {
        (added + file.lines_added, removed + file.lines_removed)
    });
    vec![
        ("lines_added", float(added)),
        ("lines_removed", float(removed)),
    ]
}

/// Remarks on the changes that rows report relative to the previous one. There is no rate relative
/// to 0.
pub(crate) fn deltas(by_problem: &ByProblem<'_>) -> Vec<Remark> {
    let mut remarks = Vec::new();
    for rows in by_problem.values() {
        let newer = rows.iter().filter(|row| is_newer(row)).copied();
        let newer: Vec<&Row> = newer.collect();
        for pair in newer.windows(2) {
            let [before, row] = pair else { continue };
            let position = |row: &Row| row.number("idx");
            let follows = position(before).map(|at| at + 1.0) == position(row);
            if follows && position(row).is_some() {
                remarks.extend(held(row, &since(before, row), 1e-9, &Place::of(row)));
            }
        }
    }
    remarks
}

fn since(before: &Row, row: &Row) -> Vec<(&'static str, f64)> {
    let mut computed = Vec::new();
    for (key, of) in [
        ("delta.loc", "loc"),
        ("delta.ast_grep_violations", "ast_grep_violations"),
    ] {
        let (then, now) = (before.number(of), row.number(of));
        if let (Some(then), Some(now)) = (then.filter(|then| *then > 0.0), now) {
            computed.push((key, 100.0 * (now - then) / then));
        }
    }
    let lines = before.number("total_lines").filter(|lines| *lines > 0.0);
    let (added, removed) = (row.number("lines_added"), row.number("lines_removed"));
    if let (Some(lines), Some(added), Some(removed)) = (lines, added, removed) {
        computed.push(("delta.churn_ratio", (added + removed) / lines));
    }
    computed
}

/// The summary's spreads and sums over rows and problems.
pub(crate) fn of_summary(rows: &[Row], by_problem: &ByProblem<'_>) -> Vec<(String, f64)> {
    let all: Vec<&Row> = rows.iter().collect();
    let of_problems = |key: &str| -> Vec<f64> {
        let sums = by_problem
            .values()
            .map(|own| numbers(own, key).iter().sum());
        sums.collect()
    };
    let mut computed = Vec::new();
    for (name, key) in [("costs", "cost"), ("time", "duration"), ("steps", "steps")] {
        computed.extend(spread(&format!("{name}.checkpoint"), &numbers(&all, key)));
        computed.extend(spread(&format!("{name}.problem"), &of_problems(key)));
    }
    for (name, key) in [
        ("cc.high_count", "cc_high_count"),
        ("cc.high_mean", "high_cc_mean"),
        ("cc.max", "cc_max"),
        ("verbosity", "verbosity"),
        ("erosion", "erosion"),
    ] {
        computed.extend(spread(name, &numbers(&all, key)));
    }
    let with_code = all.iter().filter(|row| row.number("loc") > Some(0.0));
    let with_code: Vec<&Row> = with_code.copied().collect();
    for (name, key) in [("lint", "lint_per_loc"), ("violation_pct", "violation_pct")] {
        computed.extend(spread(&format!("ratios.{name}"), &numbers(&with_code, key)));
    }
    for kind in ["input", "output", "cache_read", "cache_write", "reasoning"] {
        let sum: f64 = numbers(&all, kind).iter().sum();
        let (of_rows, of_problems) = (float(all.len() as u64), float(by_problem.len() as u64));
        computed.push((format!("tokens.{kind}"), sum));
        computed.push((format!("tokens.checkpoint.{kind}"), sum / of_rows));
        computed.push((format!("tokens.problem.{kind}"), sum / of_problems));
    }
    computed
}

fn numbers(rows: &[&Row], key: &str) -> Vec<f64> {
    rows.iter().filter_map(|row| row.number(key)).collect()
}

/// The summary's numbers of values; nulls without any.
fn spread(name: &str, values: &[f64]) -> Vec<(String, f64)> {
    let (Some(mean), Some(median)) = (slope_stats::mean(values), slope_stats::median(values))
    else {
        return vec![(format!("{name}.count"), 0.0)];
    };
    let computed = [
        ("mean", mean),
        ("stddev", slope_stats::stddev(values).unwrap_or(0.0)),
        ("min", values.iter().copied().fold(f64::INFINITY, f64::min)),
        (
            "max",
            values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        ),
        ("median", median),
        ("count", float(values.len() as u64)),
    ];
    let named = computed.map(|(key, value)| (format!("{name}.{key}"), value));
    named.into()
}

/// A remark on rows of unknown checkpoints, if there are any.
pub(crate) fn unknown(rows: &[Row], is_known: impl Fn(&str, &str) -> bool) -> Option<Remark> {
    let places: Vec<String> = rows
        .iter()
        .map(|row| (row.text("problem"), row.text("checkpoint")))
        .map(|(problem, checkpoint)| (problem.unwrap_or("?"), checkpoint.unwrap_or("?")))
        .filter(|(problem, checkpoint)| !is_known(problem, checkpoint))
        .map(|(problem, checkpoint)| format!("{problem}/{checkpoint}"))
        .collect();
    let text = format!(
        "rows of what the run has no folder of, not used: {}",
        super::check::listed(&places)
    );
    (!places.is_empty()).then(|| remark("row-unknown", None, text))
}
