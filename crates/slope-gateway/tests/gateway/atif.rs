//! The trajectory of a session, in every dialect.

use crate::common::{Bench, Client, MAIN};
use serde_json::{Value, json};
use slope_gateway::{Dialect, GatewayError, TrajectoryOf, logged_usage, trajectory};
use slope_model::usage::Usage;

const PROMPT: &str = "Please add a file with a greeting.";

const OF: TrajectoryOf<'static> = TrajectoryOf {
    agent: "tester",
    version: "1.2.3",
    model: "scripted",
    id: "trial/1/1",
};

/// Fields that the format's models allow, which reject all others.
fn check_fields(value: &Value, allowed: &[&str]) {
    for key in value.as_object().unwrap().keys() {
        assert!(allowed.contains(&key.as_str()), "{key} in {value}");
    }
}

fn check_steps(steps: &[Value]) {
    for (at, step) in steps.iter().enumerate() {
        assert_eq!(step["step_id"], at + 1);
        let allowed = [
            "step_id",
            "timestamp",
            "source",
            "model_name",
            "message",
            "tool_calls",
            "observation",
            "metrics",
            "extra",
            "llm_call_count",
        ];
        check_fields(step, &allowed);
    }
}

#[tokio::test]
async fn trajectory_is_equal_in_every_dialect() {
    for dialect in Dialect::ALL {
        let bench = Bench::scripted();
        let serving = bench.serve();
        let client = Client::new(dialect, &serving, &bench.token);
        client.converse(true, PROMPT).await;
        // Refused: no step.
        let stranger = json!({ "role": "user", "content": "something else" });
        client.post(&client.request(&[stranger], false)).await;
        let record = serving.finish();
        let name = dialect.name();
        let logged = logged_usage(&bench.log_path()).unwrap();
        let apart = logged.cost_usd.unwrap() - record.usage.cost_usd.unwrap();
        assert!(apart.abs() < 1e-12, "{name}");
        let logged = Usage {
            cost_usd: record.usage.cost_usd,
            ..logged
        };
        assert_eq!(logged, record.usage, "{name}");
        let atif = trajectory(&bench.log_path(), &OF).unwrap();
        assert_eq!(atif["schema_version"], "ATIF-v1.8");
        assert_eq!(atif["session_id"], "trial");
        check_fields(
            &atif,
            &[
                "schema_version",
                "session_id",
                "trajectory_id",
                "agent",
                "steps",
                "final_metrics",
            ],
        );
        let steps = atif["steps"].as_array().unwrap();
        let sources: Vec<&str> = steps
            .iter()
            .map(|s| s["source"].as_str().unwrap())
            .collect();
        assert_eq!(sources, ["user", "agent", "agent", "agent"], "{name}");
        assert_eq!(steps[0]["message"], PROMPT);
        assert_eq!(steps[1]["message"], "I write it.");
        check_steps(steps);
        for step in &steps[1..3] {
            let (call, result) = (&step["tool_calls"][0], &step["observation"]["results"][0]);
            assert!(call["arguments"].is_object(), "{name}");
            assert_eq!(call["tool_call_id"], result["source_call_id"], "{name}");
            assert_eq!(result["content"], "ok", "{name}");
        }
        assert!(steps[3].get("tool_calls").is_none(), "{name}");
        assert_eq!(steps[1]["metrics"]["prompt_tokens"], 2000, "{name}");
        let total = &atif["final_metrics"];
        let prompt = MAIN.input + MAIN.cache_read + MAIN.cache_write;
        assert_eq!(total["total_prompt_tokens"], prompt, "{name}");
        assert_eq!(total["total_cached_tokens"], MAIN.cache_read, "{name}");
        assert_eq!(total["total_completion_tokens"], MAIN.output, "{name}");
        assert_eq!(total["extra"]["failed_requests"], 1, "{name}");
        assert!(total["total_cost_usd"].as_f64().unwrap() > 0.0, "{name}");
        let tools = atif["agent"]["tool_definitions"].as_array().unwrap();
        assert_eq!(tools.len(), 1, "what was taken out is not there: {name}");
    }
}

#[test]
fn invalid_log_refused_torn_line_skipped() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("requests.jsonl");
    std::fs::write(&path, "{\"seq\":1}\n").unwrap();
    let error = trajectory(&path, &OF).unwrap_err();
    assert!(
        matches!(error, GatewayError::LogLine { line: 1, .. }),
        "{error}"
    );
    std::fs::write(&path, "{\"seq\":1,\"tri").unwrap();
    let atif = trajectory(&path, &OF).unwrap();
    assert_eq!(atif["steps"], json!([]));
    assert!(trajectory(&dir.path().join("none"), &OF).is_err());
}
