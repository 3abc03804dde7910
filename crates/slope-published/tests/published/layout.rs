//! The file layout of a run directory of the published harness.

use std::path::Path;

use serde_json::{Value, json};
use slope_testkit::write_file;

pub(crate) fn inference(error: Option<&str>, steps: u64, output: u64) -> Value {
    json!({
        "elapsed": 12.5, "had_error": error.is_some(), "error_message": error,
        "usage": {"cost": 0.25, "steps": steps, "net_tokens": {"input": 900, "output": output}},
    })
}

/// An evaluation of two core tests, of which `passed` passed, and one error test that did.
pub(crate) fn evaluation(passed: usize, exit: i64) -> Value {
    let ids = ["test_a", "test_b"];
    json!({
        "duration": 3.0,
        "tests": {
            "checkpoint_1-Core": {"passed": ids[..passed], "failed": ids[passed..], "skipped": []},
            "checkpoint_1-Error": {"passed": ["test_c"], "failed": [], "skipped": []},
        },
        "pass_counts": {"Core": passed, "Functionality": 0, "Regression": 0, "Error": 1},
        "total_counts": {"Core": 2, "Functionality": 0, "Regression": 0, "Error": 1},
        "pytest_exit_code": exit, "pytest_collected": 3, "infrastructure_failure": exit > 1,
    })
}

pub(crate) fn row(name: &str, passed: u32) -> Value {
    let rate = f64::from(passed + 1) / 3.0;
    json!({
        "problem": "p", "checkpoint": name, "state": "ran", "is_last": name == "checkpoint_2",
        "strict_pass_rate": rate, "isolated_pass_rate": rate,
        "core_pass_rate": f64::from(passed) / 2.0, "total_tests": 3, "passed_tests": passed + 1,
        "core_total": 2, "core_passed": passed, "error_total": 1, "error_passed": 1,
        "duration": 12.5, "cost": 0.25, "steps": 9, "input": 900, "output": 5000,
        "cc_max": 12, "cc_high_count": 1, "mass.cc": 50.0, "mass.high_cc_pct": 0.96,
        "files": 1, "sloc": 40, "total_lines": 50, "clone_lines": 6, "ast_grep_violations": 0,
    })
}

fn quality(checkpoint: &Path) {
    let quality = checkpoint.join("quality_analysis");
    // Masses 12·√16 = 48 and 1·√4 = 2.
    let symbols = [
        json!({"type": "function", "complexity": 12, "sloc": 16, "file_path": "main.py"}),
        json!({"type": "method", "complexity": 1, "sloc": 4, "file_path": "main.py"}),
        json!({"type": "class", "complexity": 99, "sloc": 99, "file_path": "main.py"}),
    ];
    let lines = symbols.map(|symbol| symbol.to_string()).join("\n");
    write_file(&quality.join("symbols.jsonl"), &lines);
    let file = json!({"file_path": "main.py", "loc": 40, "total_lines": 50, "clone_lines": 6});
    write_file(&quality.join("files.jsonl"), &file.to_string());
}

/// A run of problem `p`, both of whose checkpoints are there: solved, and half solved.
pub(crate) fn run(dir: &Path) {
    let config = "agent: {type: claude_code, version: 2.0.51}\nmodel: {name: m}\n\
        environment: {type: docker}\nproblems: [p]\nprompt_path: /x/just-solve.jinja\n\
        prompt_content: solve it\n";
    write_file(&dir.join("config.yaml"), config);
    write_file(&dir.join("environment.yaml"), "type: docker\n");
    let problem =
        "version: 1\ncheckpoints:\n  checkpoint_2: {order: 2}\n  checkpoint_1: {order: 1}\n";
    write_file(&dir.join("p/problem.yaml"), problem);
    for (name, passed) in [("checkpoint_1", 2), ("checkpoint_2", 1)] {
        let folder = dir.join("p").join(name);
        let result = inference(None, 9, 5000).to_string();
        write_file(&folder.join("inference_result.json"), &result);
        let exit = i64::from(passed < 2);
        write_file(
            &folder.join("evaluation.json"),
            &evaluation(passed, exit).to_string(),
        );
        quality(&folder);
    }
    let rows = [row("checkpoint_1", 2), row("checkpoint_2", 1)];
    write_file(
        &dir.join("checkpoint_results.jsonl"),
        &rows.map(|r| r.to_string()).join("\n"),
    );
    let result = json!({
        "num_checkpoints": 2, "expected_checkpoints": 2, "checkpoints_solved": 1,
        "pct_checkpoints_solved": 50.0, "problem_solved": 0.0, "problem_partial": 1.0,
        "costs": {"total": 0.5},
        "pass_rates": {"checkpoint": {"core": 0.75}, "problem": {"error": 1.0}},
    });
    write_file(&dir.join("result.json"), &result.to_string());
}
