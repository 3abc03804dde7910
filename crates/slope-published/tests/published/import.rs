//! Run directories of the published harness, written here in both layouts.

use std::path::Path;

use crate::layout::{evaluation, inference, row, run};
use serde_json::{Value, json};
use slope_model::problem::Group;
use slope_model::verdict::State;
use slope_published::{Imported, import, is_run, source};
use slope_testkit::write_file;

fn kinds(imported: &Imported) -> Vec<&str> {
    imported.remarks.iter().map(|remark| remark.kind).collect()
}

fn states(imported: &Imported) -> Vec<State> {
    let checkpoints = imported.report.trials.iter().flat_map(|t| &t.checkpoints);
    checkpoints.map(|checkpoint| checkpoint.state).collect()
}

#[test]
fn complete_run_imports_without_differences() {
    let dir = tempfile::tempdir().unwrap();
    assert!(!is_run(dir.path()));
    run(dir.path());
    assert!(is_run(dir.path()));
    let imported = import(dir.path()).unwrap();
    assert_eq!(kinds(&imported), ["quality-missing", "rules-not-run"]);
    assert_eq!(states(&imported), [State::Passed, State::Failed]);
    let config = &imported.report.config;
    assert_eq!(
        (config.agent.as_str(), config.prompt.as_str()),
        ("claude_code", "just-solve")
    );
    let second = &imported.report.trials[0].checkpoints[1];
    assert_eq!(second.not_passed, ["checkpoint_1::test_b"]);
    assert_eq!(second.counts[&Group::Core].passed, 1);
    assert_eq!(second.usage.as_ref().unwrap().cost_usd, Some(0.25));
    let totals = second.totals.as_ref().unwrap();
    assert_eq!(
        (totals.mass, totals.erosion, totals.verbosity),
        (Some(50.0), Some(0.96), None)
    );
    assert!(totals.missing["verbosity"].contains("scorer failed"));
}

#[test]
fn changed_stored_numbers_are_reported() {
    let dir = tempfile::tempdir().unwrap();
    let changes: [(&str, &str, &str, &str); 7] = [
        (
            "checkpoint_results.jsonl",
            "\"core_passed\":2",
            "\"core_passed\":1",
            "core_passed",
        ),
        (
            "checkpoint_results.jsonl",
            "\"mass.cc\":50.0",
            "\"mass.cc\":50.01",
            "mass.cc",
        ),
        (
            "checkpoint_results.jsonl",
            "\"cost\":0.25",
            "\"cost\":0.2",
            "cost",
        ),
        (
            "p/checkpoint_1/evaluation.json",
            "\"Core\":2",
            "\"Core\":3",
            "_counts core",
        ),
        (
            "result.json",
            "\"checkpoints_solved\":1",
            "\"checkpoints_solved\":2",
            "checkpoints_solved",
        ),
        (
            "result.json",
            "\"core\":0.75",
            "\"core\":0.7",
            "pass_rates.checkpoint.core",
        ),
        (
            "result.json",
            "\"total\":0.5",
            "\"total\":0.6",
            "costs.total",
        ),
    ];
    for (file, from, to, named) in changes {
        run(dir.path());
        let path = dir.path().join(file);
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{file}: {from}");
        write_file(&path, &text.replace(from, to));
        let imported = import(dir.path()).unwrap();
        let differing = imported.remarks.iter().filter(|r| r.kind == "difference");
        assert!(
            differing.clone().any(|r| r.text.contains(named)),
            "{named}: {imported:?}"
        );
    }
}

#[test]
fn infrastructure_failures_are_not_agent_failures() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path());
    let first = dir.path().join("p/checkpoint_1");
    write_file(
        &first.join("evaluation.json"),
        &evaluation(2, 126).to_string(),
    );
    let imported = import(dir.path()).unwrap();
    assert_eq!(states(&imported)[0], State::Infrastructure);
    assert!(kinds(&imported).contains(&"infrastructure-counted-as-zero"));
    // No test at all is not a failed suite.
    let empty = json!({"tests": {}, "pytest_exit_code": 0, "infrastructure_failure": false});
    write_file(&first.join("evaluation.json"), &empty.to_string());
    assert_eq!(
        states(&import(dir.path()).unwrap())[0],
        State::Infrastructure
    );
    // Torn, it is not graded, and says so.
    write_file(&first.join("evaluation.json"), "{\"tests\": {");
    let torn = import(dir.path()).unwrap();
    let first = &torn.report.trials[0].checkpoints[0];
    assert_eq!(first.state, State::Ungraded);
    assert!(
        first.reason.as_ref().unwrap().contains("evaluation.json"),
        "{first:?}"
    );
}

#[test]
fn failed_agent_loses_remaining_checkpoints() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path());
    let first = dir.path().join("p/checkpoint_1");
    let error = inference(
        Some("Traceback\n  File x\nAgentError: retry failed\n"),
        0,
        0,
    );
    write_file(&first.join("inference_result.json"), &error.to_string());
    std::fs::remove_dir_all(dir.path().join("p/checkpoint_2")).unwrap();
    let imported = import(dir.path()).unwrap();
    assert_eq!(states(&imported), [State::AgentError, State::Ungraded]);
    let reason = imported.report.trials[0].checkpoints[0].reason.clone();
    assert_eq!(reason.as_deref(), Some("AgentError: retry failed"));
    for kind in ["agent-error-counted", "checkpoint-missing"] {
        assert!(kinds(&imported).contains(&kind), "{kind}");
    }
}

#[test]
fn idle_attempts_are_named() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path());
    let first = dir.path().join("p/checkpoint_1");
    write_file(
        &first.join("inference_result.json"),
        &inference(None, 1, 40).to_string(),
    );
    assert!(kinds(&import(dir.path()).unwrap()).contains(&"one-turn-no-op"));
}

#[test]
fn installed_packages_are_not_agent_code() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path());
    let quality = dir.path().join("p/checkpoint_1/quality_analysis");
    let path = "env/lib/python3.12/site-packages/x.py";
    for (file, line) in [
        (
            "files.jsonl",
            json!({"file_path": path, "loc": 9, "total_lines": 9, "clone_lines": 9}),
        ),
        (
            "symbols.jsonl",
            json!({"type": "function", "complexity": 99, "sloc": 9, "file_path": path}),
        ),
    ] {
        let text = std::fs::read_to_string(quality.join(file)).unwrap();
        write_file(&quality.join(file), &format!("{text}\n{line}\n"));
    }
    let imported = import(dir.path()).unwrap();
    assert!(kinds(&imported).contains(&"nested-virtual-environment"));
    let totals = imported.report.trials[0].checkpoints[0]
        .totals
        .clone()
        .unwrap();
    assert_eq!(
        (totals.mass, totals.sloc, totals.max_complexity),
        (Some(50.0), 40, Some(12))
    );
}

#[test]
fn older_layout_is_read() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path());
    let test = |id: &str, group: &str, status: &str| json!({"id": id, "checkpoint": "checkpoint_1", "group_type": group, "status": status});
    let listed = json!({
        "tests": [test("a", "Core", "passed"), test("b", "Core", "skipped"), test("c", "Error", "passed")],
        "pytest_exit_code": 1, "pytest_collected": 3, "infrastructure_failure": false,
    });
    write_file(
        &dir.path().join("p/checkpoint_2/evaluation.json"),
        &listed.to_string(),
    );
    // `duration` was that of the evaluation.
    let mut old = row("checkpoint_2", 1);
    old["elapsed"] = json!(12.5);
    old["duration"] = json!(3.0);
    let rows = [row("checkpoint_1", 2), old];
    let rows = rows.map(|r| r.to_string()).join("\n");
    write_file(&dir.path().join("checkpoint_results.jsonl"), &rows);
    let imported = import(dir.path()).unwrap();
    assert_eq!(kinds(&imported), ["quality-missing", "rules-not-run"]);
    assert_eq!(states(&imported), [State::Passed, State::Failed]);
}

#[test]
fn torn_and_hostile_files_are_reported() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path());
    let rows = dir.path().join("checkpoint_results.jsonl");
    let twice = [row("checkpoint_1", 2), row("checkpoint_1", 2)];
    write_file(&rows, &twice.map(|r| r.to_string()).join("\n"));
    assert!(kinds(&import(dir.path()).unwrap()).contains(&"duplicate-rows"));
    write_file(
        &rows,
        &format!("{}\n{{\"problem\": ", row("checkpoint_1", 2)),
    );
    let torn = import(dir.path()).unwrap();
    let remark = torn.remarks.iter().find(|r| r.kind == "results-missing");
    assert!(remark.unwrap().text.contains("line 2"), "{torn:?}");
    let config = "agent: {type: a}\nmodel: {name: m}\nproblems: [../../etc, p, q]\n";
    write_file(&dir.path().join("config.yaml"), config);
    let names: Vec<String> = import(dir.path())
        .unwrap()
        .report
        .config
        .problems
        .into_keys()
        .collect();
    assert_eq!(names, ["p", "q"]);
    write_file(&dir.path().join("config.yaml"), "agent: [");
    let error = import(dir.path()).unwrap_err().to_string();
    assert!(error.contains("config.yaml"), "{error}");
}

/// Sets `keys` in the first row.
fn set(dir: &Path, keys: &[(&str, f64)]) {
    let mut first = row("checkpoint_1", 2);
    for (key, value) in keys {
        first[*key] = json!(value);
    }
    let rows = [first, row("checkpoint_2", 1)].map(|r| r.to_string());
    write_file(&dir.join("checkpoint_results.jsonl"), &rows.join("\n"));
}

fn differences(dir: &Path) -> Vec<String> {
    let remarks = import(dir).unwrap().remarks.into_iter();
    let differing = remarks.filter(|remark| remark.kind == "difference");
    differing.map(|remark| remark.text).collect()
}

/// The first checkpoint with everything of its code that is counted.
fn counted_code(dir: &Path) {
    let quality = dir.join("p/checkpoint_1/quality_analysis");
    let symbols = [
        json!({"type": "function", "complexity": 12, "sloc": 16, "lines": 20, "statements": 5,
            "max_nesting_depth": 3, "file_path": "main.py"}),
        json!({"type": "method", "complexity": 1, "sloc": 4, "lines": 4, "statements": 1,
            "max_nesting_depth": 0, "file_path": "main.py"}),
        json!({"type": "class", "complexity": 99, "sloc": 99, "file_path": "main.py"}),
    ];
    let lines = symbols.map(|symbol| symbol.to_string()).join("\n");
    write_file(&quality.join("symbols.jsonl"), &lines);
    let file = json!({
        "file_path": "main.py", "loc": 40, "total_lines": 50, "clone_lines": 6, "single_comment": 2,
        "lint_errors": 5, "lint_fixable": 1, "single_use_count": 3, "trivial_wrapper_count": 4,
        "unused_variable_count": 7, "ast_grep_violation_count": 8,
    });
    write_file(&quality.join("files.jsonl"), &file.to_string());
    let changed = |added: u32| json!({"lines_added": added, "lines_removed": 1, "diff_text": ""});
    let diff = json!({"file_diffs": {"main.py": changed(9), "data.csv": changed(1000)}});
    write_file(&dir.join("p/checkpoint_1/diff.json"), &diff.to_string());
}

#[test]
fn other_code_numbers_are_recomputed() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path());
    counted_code(dir.path());
    let right = [
        ("functions", 1.0),
        ("methods", 1.0),
        ("classes", 1.0),
        ("symbols_total", 3.0),
        ("statements", 6.0),
        ("loc", 50.0),
        ("single_comments", 2.0),
        ("lint_errors", 5.0),
        ("lint_fixable", 1.0),
        ("single_use_functions", 3.0),
        ("trivial_wrappers", 4.0),
        ("unused_variables", 7.0),
        ("ast_grep_violations", 8.0),
        ("lint_per_loc", 0.1),
        ("violation_pct", 0.16),
        ("cloned_sloc_lines", 5.0),
        ("cloned_pct", 0.1),
        ("cc_mean", 6.5),
        ("cc_std", 60.5_f64.sqrt()),
        ("high_cc_mean", 12.0),
        ("cc_normalized", 60.5 / 2415.5),
        ("cc_concentration", 11.0 / 26.0),
        ("cc_top20", 12.0 / 13.0),
        ("max_nesting_depth", 3.0),
        ("lines_per_symbol", 12.0),
        ("mean_func_loc", 12.0),
        ("lines_added", 9.0),
        ("lines_removed", 1.0),
    ];
    set(dir.path(), &right);
    assert_eq!(differences(dir.path()), Vec::<String>::new());
    for (key, value) in right {
        if key == "cloned_sloc_lines" {
            // This one is nowhere else; the share of it is compared with it.
            continue;
        }
        let wrong: Vec<_> = right
            .iter()
            .map(|(name, value)| (*name, if *name == key { value + 1.0 } else { *value }))
            .collect();
        set(dir.path(), &wrong);
        let told = differences(dir.path());
        let named = format!("{key}: stored {}, computed", value + 1.0);
        assert!(
            told.len() == 1 && told[0].starts_with(&named),
            "{key}: {told:?}"
        );
    }
}

#[test]
fn changes_and_spreads_are_recomputed() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path());
    let mut first = row("checkpoint_1", 2);
    let mut second = row("checkpoint_2", 1);
    for (index, row) in [(1, &mut first), (2, &mut second)] {
        row["idx"] = json!(index);
        row["loc"] = json!(50);
        row["lines_added"] = json!(20);
        row["lines_removed"] = json!(5);
    }
    second["delta.loc"] = json!(0.0);
    second["delta.churn_ratio"] = json!(0.5);
    let rows = |second: &Value| format!("{first}\n{second}");
    let path = dir.path().join("checkpoint_results.jsonl");
    write_file(&path, &rows(&second));
    let summary = dir.path().join("result.json");
    let mut result: Value =
        serde_json::from_str(&std::fs::read_to_string(&summary).unwrap()).unwrap();
    result["costs"]["checkpoint"] = json!({
        "mean": 0.25, "stddev": 0.0, "min": 0.25, "max": 0.25, "median": 0.25, "count": 2,
    });
    result["costs"]["problem"] = json!({"mean": 0.5, "stddev": 0.0, "count": 1});
    result["tokens"] = json!({"input": 1800, "checkpoint": {"output": 5000.0}});
    result["erosion"] = json!({"mean": null, "count": 0});
    write_file(&summary, &result.to_string());
    assert_eq!(differences(dir.path()), Vec::<String>::new());

    second["delta.churn_ratio"] = json!(0.6);
    write_file(&path, &rows(&second));
    result["costs"]["problem"]["mean"] = json!(0.4);
    result["tokens"]["checkpoint"]["output"] = json!(4999.0);
    write_file(&summary, &result.to_string());
    let told = differences(dir.path());
    let named = [
        "delta.churn_ratio",
        "costs.problem.mean",
        "tokens.checkpoint.output",
    ];
    assert_eq!(told.len(), named.len(), "{told:?}");
    for (told, named) in told.iter().zip(named) {
        assert!(told.starts_with(named), "{told}");
    }
}

#[test]
fn contradicting_files_are_named_and_unused() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path());
    // A copy of the first checkpoint's verdict, a torn inference, a row of nothing, a lost file.
    let second = dir.path().join("p/checkpoint_2");
    let mut copied = evaluation(2, 0);
    copied["problem_name"] = json!("p");
    copied["checkpoint_name"] = json!("checkpoint_1");
    write_file(&second.join("evaluation.json"), &copied.to_string());
    write_file(&second.join("inference_result.json"), "{\"elapsed\": 1");
    let mut stray = row("checkpoint_9", 1);
    stray["problem"] = json!("q");
    let rows = [row("checkpoint_1", 2), row("checkpoint_2", 1), stray];
    let rows = rows.map(|r| r.to_string()).join("\n");
    write_file(&dir.path().join("checkpoint_results.jsonl"), &rows);
    std::fs::remove_file(dir.path().join("environment.yaml")).unwrap();
    assert!(is_run(dir.path()));
    let imported = import(dir.path()).unwrap();
    assert_eq!(states(&imported), [State::Passed, State::Ungraded]);
    for (kind, part) in [
        ("evaluation-unreadable", "it is of p/checkpoint_1"),
        ("inference-unreadable", "inference_result.json"),
        ("row-unknown", "q/checkpoint_9"),
    ] {
        let told = imported.remarks.iter().find(|remark| remark.kind == kind);
        assert!(told.unwrap().text.contains(part), "{kind}: {told:?}");
    }
    let checkpoint = &imported.report.trials[0].checkpoints[1];
    assert!(checkpoint.counts.is_empty() && checkpoint.usage.is_none());
}

#[test]
fn mixed_versions_and_lost_descriptions_are_named() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path());
    let mut graded = evaluation(2, 0);
    graded["problem_version"] = json!(2);
    let first = dir.path().join("p/checkpoint_1/evaluation.json");
    write_file(&first, &graded.to_string());
    let told = import(dir.path()).unwrap().remarks;
    let told = told.iter().find(|remark| remark.kind == "version-differs");
    assert!(told.unwrap().text.contains("version 2"), "{told:?}");
    write_file(&dir.path().join("p/problem.yaml"), "version: [");
    let imported = import(dir.path()).unwrap();
    assert_eq!(states(&imported), [State::Passed, State::Failed]);
    let lost = imported
        .remarks
        .iter()
        .find(|r| r.kind == "problem-unreadable");
    assert_eq!(lost.unwrap().place.as_deref(), Some("p"));
    assert!(!kinds(&imported).contains(&"version-differs"));
}

#[test]
fn stored_verdicts_list_each_test() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path());
    let image = "docker: {image: 'ghcr.io/astral-sh/uv:python3.12-trixie-slim'}\n";
    write_file(&dir.path().join("environment.yaml"), image);
    for name in ["checkpoint_1", "checkpoint_2"] {
        let program = dir.path().join("p").join(name).join("snapshot/p.py");
        write_file(&program, "print(1)\n");
    }
    write_file(
        &dir.path().join("p/checkpoint_2/evaluation.json"),
        &evaluation(1, 126).to_string(),
    );
    let stored = slope_published::stored(dir.path()).unwrap();
    assert_eq!(stored.python.as_deref(), Some("3.12"));
    let said: Vec<_> = stored.verdicts[0]
        .tests
        .iter()
        .map(|test| {
            format!(
                "{}::{} {} {}",
                test.checkpoint, test.id, test.group, test.said
            )
        })
        .collect();
    assert_eq!(
        said,
        [
            "checkpoint_1::test_a core passed",
            "checkpoint_1::test_b core passed",
            "checkpoint_1::test_c error passed"
        ]
    );
    let why = &stored.left_out[&("p".to_owned(), "checkpoint_2".to_owned())];
    assert!(why.contains("exit code 126"), "{why}");
}

#[test]
fn remaining_folder_contents_are_read() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path());
    let folder = dir.path().join("p/checkpoint_2");
    let ran = json!({"tests": [
        {"nodeid": ".evaluation_tests/test_checkpoint_1.py::test_b", "outcome": "failed",
         "call": {"duration": 0.5, "crash": {"message": "AssertionError: 1 != 2"},
                  "longrepr": "    assert run() == 2\nE   AssertionError: 1 != 2\nE   stderr: boom"}},
    ]});
    write_file(&folder.join("evaluation/report.json"), &ran.to_string());
    let symbols = [
        json!({"type": "function", "name": "main", "start": 3, "end": 20, "complexity": 12,
               "sloc": 16, "file_path": "main.py"}),
        json!({"type": "method", "name": "run", "parent_class": "App", "start": 22, "end": 26,
               "complexity": 1, "sloc": 4, "file_path": "main.py"}),
        json!({"type": "function", "name": "other", "start": 1, "end": 2, "complexity": 40,
               "sloc": 4, "file_path": "lib/site-packages/x.py"}),
    ];
    let lines = symbols.map(|symbol| symbol.to_string()).join("\n");
    write_file(&folder.join("quality_analysis/symbols.jsonl"), &lines);
    let imported = import(dir.path()).unwrap();
    let detail = &imported.detail.trials[0].checkpoints;
    assert_eq!(detail.len(), 2);
    assert!(detail[0].not_passed.as_ref().unwrap().is_empty());
    let failed = &detail[1].not_passed.as_ref().unwrap()[0];
    assert_eq!((failed.id.as_str(), failed.group), ("test_b", Group::Core));
    let message = failed.message.as_deref().unwrap();
    assert_eq!(message.lines().last(), Some("stderr: boom"));
    let functions = detail[1].functions.as_ref().unwrap();
    let names: Vec<&str> = functions.iter().map(|f| f.name.as_str()).collect();
    // What was installed is somebody else's.
    assert_eq!(names, ["main", "App.run"]);
    assert_eq!((functions[0].line, functions[0].end_line), (3, 20));
    assert!(detail[1].published.as_ref().unwrap().erosion.is_some());
}

#[test]
fn sources_are_read_only_inside_snapshot() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path());
    write_file(
        &dir.path().join("p/checkpoint_1/snapshot/main.py"),
        "x = 1\n",
    );
    write_file(&dir.path().join("p/secret"), "no");
    let read = |path| source(dir.path(), "p", "checkpoint_1", path);
    assert_eq!(read("main.py").unwrap(), b"x = 1\n");
    let outside = read("../../secret").unwrap_err().to_string();
    assert!(outside.contains("outside of the snapshot") || outside.contains("../../secret"));
    assert!(read("none.py").is_err());
}

#[test]
fn definitions_are_named_by_version() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path());
    let version = || {
        import(dir.path()).unwrap().report.definitions[0]
            .version
            .clone()
    };
    assert_eq!(version(), "published-harness/1");
    let catalog = json!({"version": "1.0", "commit": "abc"});
    write_file(
        &dir.path().join("problem_catalog.json"),
        &catalog.to_string(),
    );
    assert_eq!(version(), "published-runs/1");
}
