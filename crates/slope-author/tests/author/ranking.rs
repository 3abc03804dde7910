//! Our metrics tell the lineages of every problem of the repository apart.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use slope_author::ranking::Ranked;
use slope_author::{ranking, stage};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The problems with what was measured of their lineages, by name: once for all tests.
fn ranked() -> &'static [(String, Vec<Ranked>)] {
    static RANKED: OnceLock<Vec<(String, Vec<Ranked>)>> = OnceLock::new();
    RANKED.get_or_init(rank_all)
}

fn rank_all() -> Vec<(String, Vec<Ranked>)> {
    let entries = std::fs::read_dir(repository().join("problems")).unwrap();
    let folders = entries.map(|entry| entry.unwrap().path());
    let problems = folders
        .filter(|folder| folder.join("config.yaml").is_file())
        .map(|folder| stage::load(&folder).unwrap());
    let mut ranked: Vec<_> = problems
        .filter(|problem| !problem.is_refactoring())
        .map(|problem| {
            let ranking = ranking::rank(&problem).unwrap();
            (problem.name, ranking.expect("two lineages"))
        })
        .collect();
    ranked.sort_by(|a, b| a.0.cmp(&b.0));
    ranked
}

/// A row of the table in `docs/problems.md`.
fn row(problem: &str, metric: &Ranked) -> String {
    let digits = if metric.metric == "erosion" { 2 } else { 0 };
    let series = |of: &[f64]| {
        let each: Vec<String> = of.iter().map(|value| format!("{value:.digits$}")).collect();
        each.join(", ")
    };
    let (tidy, sloppy) = (series(&metric.tidy), series(&metric.sloppy));
    format!("| `{problem}` | {} | {tidy} | {sloppy} |\n", metric.metric)
}

#[test]
fn metrics_rank_lineages_correctly() {
    let ranked = ranked();
    assert!(ranked.len() >= 6, "problems are missing");
    for (problem, metrics) in ranked {
        for metric in metrics {
            assert!(metric.holds(), "{problem}: {metric:?}");
        }
    }
}

#[test]
fn documented_ranking_table_is_current() {
    let rows = ranked().iter().flat_map(|(problem, metrics)| {
        let each = metrics.iter();
        each.map(move |metric| row(problem, metric))
    });
    let table: String = rows.collect();
    let documents = std::fs::read_to_string(repository().join("docs/problems.md")).unwrap();
    assert!(
        documents.contains(&table),
        "put these rows into the table of docs/problems.md:\n{table}"
    );
}
