//! The quickstart: both scripts pass all tests, and their slopes differ in the expected direction.

use crate::common::{assert_same, run_json, runs, sandbox_or_skip, text};
use std::path::Path;

use serde_json::Value;

/// Metrics that a report gives a slope for and that sloppier code must make worse.
const WORSE_WHEN_SLOPPY: &[&str] = &[
    "erosion",
    "verbosity",
    "mass",
    "clone_lines",
    "flagged_lines",
    "high_complexity_callables",
    "max_complexity",
    "sloc",
];

/// Least-squares slope of `values` over 1, 2, …
fn slope(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let mean_x = (n + 1.0) / 2.0;
    let mean_y = values.iter().sum::<f64>() / n;
    let xs = (1..=values.len()).map(|x| x as f64 - mean_x);
    let above: f64 = xs.clone().zip(values).map(|(x, y)| x * (y - mean_y)).sum();
    above / xs.map(|x| x * x).sum::<f64>()
}

fn series(run: &Value, of: impl Fn(&Value) -> Option<f64>) -> Vec<f64> {
    let checkpoints = run["trials"][0]["checkpoints"]
        .as_array()
        .expect("checkpoints");
    checkpoints
        .iter()
        .map(|c| of(c).unwrap_or_else(|| panic!("missing in {c}")))
        .collect()
}

/// The erosion score of the static judge after the last checkpoint.
fn last_score(run: &Path) -> f64 {
    let found = run_json(&["judge", "--static", "--run", text(run), "--format", "json"]);
    let checkpoints = found["trials"][0]["checkpoints"].as_array().unwrap();
    let last = &checkpoints.last().unwrap()["assessment"];
    last["scores"]["erosion"].as_f64().unwrap()
}

#[test]
fn quickstart_lineages_pass_but_slopes_differ() {
    if !sandbox_or_skip() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("runs");
    let html = dir.path().join("report.html");
    let args = [
        "quickstart",
        "--out",
        text(&out),
        "--html",
        text(&html),
        "--format",
        "json",
        "--quiet",
    ];
    let envelope = run_json(&args);
    let [sloppy, tidy] = &runs(&envelope)[..] else {
        panic!("two runs")
    };
    for run in [tidy, sloppy] {
        let checkpoints = run["trials"][0]["checkpoints"].as_array().unwrap();
        assert!(checkpoints.len() >= 3);
        for checkpoint in checkpoints {
            assert_eq!(checkpoint["state"], "passed", "{checkpoint}");
            assert_eq!(
                checkpoint["integrity"],
                serde_json::json!([]),
                "{checkpoint}"
            );
        }
    }
    assert!(last_score(&out.join("tidy")) > last_score(&out.join("sloppy")) + 2.0);
    for metric in WORSE_WHEN_SLOPPY {
        let of = |c: &Value| c["totals"][metric].as_f64();
        let (tidy, sloppy) = (slope(&series(tidy, of)), slope(&series(sloppy, of)));
        assert!(
            sloppy > tidy,
            "{metric}: sloppy {sloppy} must rise faster than tidy {tidy}"
        );
    }
    let cost = |c: &Value| c["usage"]["cost_usd"].as_f64();
    assert!(
        slope(&series(sloppy, cost)) > slope(&series(tidy, cost)),
        "cost"
    );

    let page = std::fs::read_to_string(&html).unwrap();
    assert!(page.contains("data-plot=") && page.contains("sloppy"));
    for fetched in ["src=\"http", "href=\"http", "url(http", "@import"] {
        assert!(
            !page.contains(fetched),
            "the page fetches something: {fetched}"
        );
    }
    assert_same(
        &run_json(&args),
        &envelope,
        "a finished quickstart is not run again",
    );
}
