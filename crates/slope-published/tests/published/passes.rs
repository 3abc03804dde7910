//! Refactoring passes of published runs.

use crate::layout::{evaluation, run};
use serde_json::json;
use slope_model::verdict::State;
use slope_published::import;
use slope_testkit::write_file;

#[test]
fn refactoring_passes_are_read_with_costs() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path());
    let before = import(dir.path()).unwrap();
    let checkpoint = dir.path().join("p/checkpoint_1");
    let pass = checkpoint.join("after_skill");
    for name in ["symbols.jsonl", "files.jsonl"] {
        let text = std::fs::read_to_string(checkpoint.join("quality_analysis").join(name));
        let text = text.unwrap().replace(":12,", ":11,").replace(":6}", ":2}");
        write_file(&pass.join("quality_analysis").join(name), &text);
    }
    write_file(&pass.join("evaluation.json"), &evaluation(1, 1).to_string());
    let result = json!({
        "type": "result", "duration_ms": 2000, "num_turns": 3, "total_cost_usd": 0.5,
        "usage": {"input_tokens": 7, "cache_read_input_tokens": 5, "output_tokens": 2},
    });
    let output = format!("{{\"type\":\"system\"}}\n{result}\n");
    write_file(&pass.join("agent/stdout.jsonl"), &output);

    let imported = import(dir.path()).unwrap();
    assert_eq!(imported.remarks, before.remarks);
    let checkpoints = &imported.report.trials[0].checkpoints;
    assert!(checkpoints[1].after_pass.is_none());
    let after = checkpoints[0].after_pass.as_ref().unwrap();
    assert_eq!(
        (checkpoints[0].state, after.state),
        (State::Passed, State::Failed)
    );
    let (totals, usage) = (
        after.totals.as_ref().unwrap(),
        after.usage.as_ref().unwrap(),
    );
    assert_eq!((totals.clone_lines, totals.mass), (Some(2), Some(46.0)));
    assert_eq!(
        (usage.cost_usd, usage.tokens.input, usage.requests),
        (Some(0.5), 7, 3)
    );
    assert_eq!(after.agent_s, Some(2.0));
}

#[test]
fn passes_without_results_are_ungraded() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path());
    std::fs::create_dir(dir.path().join("p/checkpoint_1/after_skill")).unwrap();
    let imported = import(dir.path()).unwrap();
    let after = imported.report.trials[0].checkpoints[0].after_pass.clone();
    let after = after.unwrap();
    assert_eq!(
        (after.state, after.usage, after.totals),
        (State::Ungraded, None, None)
    );
    assert!(after.reason.unwrap().starts_with("not graded: "));
}

#[test]
fn impossible_costs_are_missing() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path());
    let pass = dir.path().join("p/checkpoint_1/after_skill");
    let usage = json!({"input_tokens": 7});
    let summary = |cost: f64, ms: f64| {
        json!({
            "type": "result", "duration_ms": ms, "num_turns": 3, "total_cost_usd": cost, "usage": usage,
        })
    };
    // Of several summaries the last one counts, and invalid JSON lines are skipped.
    let output = format!("{}\n{}\n", summary(0.5, 2000.0), summary(-0.5, -1.0));
    write_file(&pass.join("agent/stdout.jsonl"), &output);
    let after = |dir: &std::path::Path| {
        let trial = import(dir).unwrap().report.trials.remove(0);
        trial.checkpoints[0].after_pass.clone().unwrap()
    };
    let read = after(dir.path());
    assert_eq!((read.usage.unwrap().cost_usd, read.agent_s), (None, None));
    write_file(
        &pass.join("agent/stdout.jsonl"),
        "{\"type\":\"result\", torn\n",
    );
    assert_eq!(after(dir.path()).usage, None);
}
