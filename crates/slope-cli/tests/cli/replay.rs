//! A run directory in the published layout, made here, whose snapshots are graded once more.

use std::path::{Path, PathBuf};

use crate::common::{run, sandbox_or_skip, stderr, stdout, text};
use serde_json::{Value, json};
use slope_testkit::write_file;

/// The problem in the published contract that attacks on the grader are graded by.
fn catalog(dir: &Path) -> PathBuf {
    let problem = Path::new(env!("CARGO_MANIFEST_DIR")).join("../slope-cheats/fixtures/problem");
    let catalog = dir.join("catalog");
    std::fs::create_dir_all(&catalog).unwrap();
    std::os::unix::fs::symlink(problem, catalog.join("stock")).unwrap();
    catalog
}

const RECEIVED: [&str; 2] = [
    "test_received_items_are_added[one item]",
    "test_received_items_are_added[seven [items]]",
];
const SOLD: &str = "test_sold_items_are_subtracted";
const ALL_SOLD: &str = "test_selling_all_leaves_nothing";
const TOLD: &str = "test_the_program_is_told_nothing_of_the_test";
const MISSING: &str = "test_a_missing_file_is_refused";
const WORTH: [&str; 2] = [
    "test_prices_lie_in_the_workspace",
    "test_stock_is_worth_its_price",
];

fn evaluation(tests: &Value) -> Value {
    json!({
        "problem_version": 1, "duration": 1.0, "tests": tests, "pytest_exit_code": 1,
        "pytest_collected": 8, "infrastructure_failure": false,
    })
}

/// The verdict on `right` at checkpoint 1.
fn of_right() -> Value {
    evaluation(&json!({
        "checkpoint_1-Core": {"passed": [SOLD, RECEIVED[0], RECEIVED[1]], "failed": [], "skipped": []},
        "checkpoint_1-Functionality": {"passed": [ALL_SOLD, TOLD], "failed": [], "skipped": []},
        "checkpoint_1-Error": {"passed": [MISSING], "failed": [], "skipped": []},
    }))
}

/// The verdict on `wrong`, which does not subtract, at checkpoint 2: in the older layout.
fn of_wrong() -> Value {
    let passed = [RECEIVED[0], RECEIVED[1], TOLD, MISSING];
    evaluation(&json!({
        "checkpoint_1-Regression": {"passed": passed, "failed": [SOLD, ALL_SOLD]},
        "checkpoint_2-Core": {"passed": [], "failed": WORTH},
    }))
}

/// A run of `stock` with a verdict on each checkpoint.
fn published(dir: &Path) -> PathBuf {
    let run = dir.join("outputs/model/run_1");
    let config = "agent: {type: claude_code}\nmodel: {name: m}\nproblems: [stock]\n";
    write_file(&run.join("config.yaml"), config);
    write_file(&run.join("environment.yaml"), "type: docker\n");
    let checkpoints =
        "version: 1\ncheckpoints:\n  checkpoint_1: {order: 1}\n  checkpoint_2: {order: 2}\n";
    write_file(&run.join("stock/problem.yaml"), checkpoints);
    for (name, solution, verdict) in [
        ("checkpoint_1", "right", of_right()),
        ("checkpoint_2", "wrong", of_wrong()),
    ] {
        let folder = run.join("stock").join(name);
        write_file(&folder.join("evaluation.json"), &verdict.to_string());
        let program = dir
            .join("catalog/stock/solutions")
            .join(solution)
            .join("stock.py");
        let program = std::fs::read_to_string(program).unwrap();
        write_file(&folder.join("snapshot/stock.py"), &program);
    }
    run
}

/// The exit code and the JSON of `slope research replay` with these arguments.
fn replay(catalog: &Path, args: &[&str]) -> (Option<i32>, Value) {
    let fixed = ["research", "replay", "--problems", text(catalog)];
    let output = run(&[&fixed, args, &["--format", "json"]].concat());
    let value = serde_json::from_slice(&output.stdout);
    (
        output.status.code(),
        value.unwrap_or_else(|_| panic!("{}", stderr(&output))),
    )
}

/// What differs: test, as stored, and as it is here.
fn differing(value: &Value) -> Vec<Value> {
    let all = value["replayed"].as_array().unwrap().iter();
    let differences = all.flat_map(|of| of["differences"].as_array().unwrap());
    let told = |d: &Value| json!([d["test"], d["stored"], d["here"]]);
    differences.map(told).collect()
}

/// Another outcome, another group, a test that is not there, one that is not stored.
fn of_wrong_otherwise() -> Value {
    let mut other = of_wrong();
    other["tests"]["checkpoint_1-Regression"] =
        json!({"passed": [SOLD, RECEIVED[0], TOLD, MISSING, "test_gone"], "failed": [ALL_SOLD]});
    other["tests"]["checkpoint_2-Core"]["failed"] = json!([WORTH[0]]);
    other["tests"]["checkpoint_2-Error"] = json!({"passed": [], "failed": [WORTH[1]]});
    other
}

/// The same as text: the line of a test, and the sums.
fn assert_table(stored: &Path, catalog: &Path, results: &Path) {
    let fixed = [
        "research",
        "replay",
        text(stored),
        "--problems",
        text(catalog),
    ];
    let output = run(&[&fixed[..], &["--results", text(results)]].concat());
    assert_eq!(output.status.code(), Some(1));
    let said = stdout(&output);
    let line = format!("checkpoint_1::{SOLD}: regression passed then, regression failed here: ");
    assert!(said.contains(&line), "{said}");
    assert!(
        said.contains("of 15 tests 11 equal, 0 unstable, 4 different"),
        "{said}"
    );
}

#[test]
fn replay_reproduces_verdicts_and_lists_differences() {
    if !sandbox_or_skip() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let catalog = catalog(dir.path());
    let stored = published(dir.path());
    let outputs = dir.path().join("outputs");
    let results = dir.path().join("results");
    let args = [text(&outputs), "--results", text(&results)];
    let (code, first) = replay(&catalog, &args);
    assert_eq!(code, Some(0), "{first:#}");
    let counts = first["replayed"].as_array().unwrap().iter();
    let counts = counts.map(|of| (of["tests"].as_u64(), of["equal"].as_u64()));
    assert_eq!(
        counts.collect::<Vec<_>>(),
        [(Some(6), Some(6)), (Some(8), Some(8))]
    );
    assert_eq!(first["left_out"], json!([]));
    // Seconds and all: nothing was graded again.
    assert_eq!(replay(&catalog, &args).1, first);

    let second = stored.join("stock/checkpoint_2/evaluation.json");
    write_file(&second, &of_wrong_otherwise().to_string());
    let (code, changed) = replay(
        &catalog,
        &[&args[..], &["--checkpoint", "checkpoint_2"]].concat(),
    );
    assert_eq!(code, Some(1));
    let said = |group: &str, outcome: &str| json!({"group": group, "outcome": outcome});
    let expected = [
        json!([
            format!("checkpoint_1::{}", RECEIVED[1]),
            null,
            said("regression", "passed")
        ]),
        json!([
            "checkpoint_1::test_gone",
            said("regression", "passed"),
            null
        ]),
        json!([
            format!("checkpoint_1::{SOLD}"),
            said("regression", "passed"),
            said("regression", "failed")
        ]),
        json!([
            format!("checkpoint_2::{}", WORTH[1]),
            said("error", "failed"),
            said("core", "failed")
        ]),
    ];
    let mut told = differing(&changed);
    told.sort_by_key(|d| d[0].to_string());
    let mut sorted = expected.to_vec();
    sorted.sort_by_key(|d| d[0].to_string());
    assert_eq!(told, sorted);
    assert_table(&stored, &catalog, &results);
}

#[test]
fn unreplayable_verdicts_are_listed_with_reasons() {
    let dir = tempfile::tempdir().unwrap();
    let catalog = catalog(dir.path());
    let stored = published(dir.path());
    let first = stored.join("stock/checkpoint_1/evaluation.json");
    let mut failed = of_right();
    failed["pytest_exit_code"] = json!(126);
    write_file(&first, &failed.to_string());
    let mut other = of_wrong();
    other["problem_version"] = json!(2);
    write_file(
        &stored.join("stock/checkpoint_2/evaluation.json"),
        &other.to_string(),
    );
    let torn = dir.path().join("outputs/model/run_2");
    write_file(&torn.join("config.yaml"), "agent: [");
    write_file(&torn.join("environment.yaml"), "type: docker\n");
    let missing = dir.path().join("outputs/model/run_3");
    write_file(
        &missing.join("config.yaml"),
        "agent: {type: a}\nmodel: {name: m}\n",
    );
    write_file(&missing.join("environment.yaml"), "type: docker\n");
    write_file(
        &missing.join("other/checkpoint_1/evaluation.json"),
        &of_right().to_string(),
    );
    write_file(&missing.join("other/checkpoint_1/snapshot/x.py"), "");
    write_file(
        &missing.join("other/checkpoint_2/evaluation.json"),
        &of_right().to_string(),
    );
    let outputs = dir.path().join("outputs");
    let output = run(&[
        "research",
        "replay",
        text(&outputs),
        "--problems",
        text(&catalog),
    ]);
    assert_eq!(output.status.code(), Some(2));
    let said = stderr(&output);
    for part in [
        "nothing to replay: 5",
        "run_1/stock/checkpoint_1: the harness's test run failed, exit code 126",
        "run_1/stock/checkpoint_2: graded by version 2 of the problem, but --problems has version 1",
        "run_2: ",
        "config.yaml",
        "run_3/other/checkpoint_1: ",
        "run_3/other/checkpoint_2: there is no ",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let none = run(&[
        "research",
        "replay",
        text(&catalog),
        "--problems",
        text(&catalog),
    ]);
    assert_eq!(none.status.code(), Some(2));
}
