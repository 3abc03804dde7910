//! The scripted upstream over real sockets, in each dialect.

use crate::common::{Bench, Client, MAIN, data, parse};
use serde_json::{Value, json};
use slope_gateway::{AttemptAuth, Caps, Dialect};
use slope_model::usage::Usage;

const PROMPT: &str = "Please add a file with a greeting.";

#[tokio::test]
async fn conversation_plays_alike_in_each_dialect() {
    let mut commands_seen = Vec::new();
    for dialect in Dialect::ALL {
        for stream in [false, true] {
            let bench = Bench::scripted();
            let serving = bench.serve();
            let client = Client::new(dialect, &serving, &bench.token);
            let (commands, seen) = client.converse(stream, PROMPT).await;
            let record = serving.finish();
            let name = format!("{} stream {stream}", dialect.name());
            assert_eq!(record.usage.tokens, MAIN, "{name}");
            assert_eq!(
                (record.usage.requests, record.usage.tool_calls),
                (3, 2),
                "{name}"
            );
            assert_eq!(
                (record.usage.failed_requests, record.usage.unreported),
                (0, 0),
                "{name}"
            );
            assert!(
                (record.usage.cost_usd.unwrap() - 0.010_466_25).abs() < 1e-12,
                "{name}"
            );
            assert_eq!(
                (record.errors, record.budget_hit),
                (Vec::<String>::new(), None),
                "{name}"
            );
            assert!(seen.contains("Done."), "{name}");
            assert_eq!(commands.len(), 2, "{name}");
            commands_seen.push(commands);
        }
    }
    commands_seen.dedup();
    assert_eq!(
        commands_seen.len(),
        1,
        "every dialect gives the same commands"
    );
}

#[tokio::test]
async fn script_commands_write_the_files() {
    let bench = Bench::scripted();
    let serving = bench.serve();
    let client = Client::new(Dialect::ChatCompletions, &serving, &bench.token);
    let (commands, _) = client.converse(true, PROMPT).await;
    drop(serving.finish());
    let workspace = tempfile::tempdir().unwrap();
    for command in commands {
        let mut bash = std::process::Command::new("bash");
        let status = bash
            .arg("-c")
            .arg(command)
            .current_dir(workspace.path())
            .status()
            .unwrap();
        assert!(status.success());
    }
    let read = |path: &str| std::fs::read_to_string(workspace.path().join(path)).unwrap();
    assert_eq!(read("sub/a.py"), "print('it''s $HOME')\n");
    assert_eq!(read("note"), "é");
}

#[tokio::test]
async fn log_matches_trajectory_without_secrets() {
    let mut logs = Vec::new();
    for _ in 0..2 {
        let bench = Bench::scripted();
        let serving = bench.serve();
        let client = Client::new(Dialect::Messages, &serving, &bench.token);
        let prompt = format!("{PROMPT} My environment says {}.", bench.token);
        client.converse(true, &prompt).await;
        let record = serving.finish();
        assert_eq!(record.tools, ["Bash"]);
        assert_eq!(record.stripped, ["tool web_search_20250305"]);
        let text = std::fs::read_to_string(bench.log_path()).unwrap();
        assert!(!text.contains(&bench.token));
        let mut lines = bench.log();
        for (at, line) in lines.iter_mut().enumerate() {
            assert_eq!(line["seq"], at + 1);
            assert_eq!(line["status"], 200);
            assert!(line["time"].take()["unix_ms"].as_u64().unwrap() > 0);
        }
        assert_eq!(lines.len(), 3);
        assert_eq!(lines[0]["request"]["tools"].as_array().unwrap().len(), 1);
        assert_eq!(lines[0]["tokens"]["cache_write"], 800);
        assert_eq!(lines[0]["tool_calls"][0]["name"], "Bash");
        assert_eq!(
            lines[0]["response"]["content"][1]["input"],
            lines[0]["tool_calls"][0]["input"]
        );
        assert_eq!(lines[2]["response"]["content"][0]["text"], "Done.");
        logs.push(lines);
    }
    assert_eq!(logs[0], logs[1], "equal runs leave equal logs");
}

#[tokio::test]
async fn reply_depends_only_on_request() {
    let bench = Bench::scripted();
    let serving = bench.serve();
    for dialect in Dialect::ALL {
        let client = Client::new(dialect, &serving, &bench.token);
        let body = client.request(&[json!({ "role": "user", "content": PROMPT })], true);
        let first = client.post(&body).await.bytes().await.unwrap();
        client.converse(false, PROMPT).await;
        assert_eq!(first, client.post(&body).await.bytes().await.unwrap());
    }
}

#[tokio::test]
async fn checkpoint_selects_the_conversation() {
    let bench = Bench::scripted();
    let auth = AttemptAuth {
        checkpoint_index: 2,
        ..bench.auth()
    };
    let serving = bench.gateway.serve_loopback(auth).unwrap();
    let client = Client::new(Dialect::Responses, &serving, &bench.token);
    let (_, seen) = client.converse(false, PROMPT).await;
    assert_eq!(parse(&seen)["output"][0]["content"][0]["text"], "two");
    drop(serving.finish());
}

#[tokio::test]
async fn replies_of_earlier_checkpoints_do_not_count() {
    let bench = Bench::scripted();
    let auth = AttemptAuth {
        checkpoint_index: 2,
        ..bench.auth()
    };
    let serving = bench.gateway.serve_loopback(auth).unwrap();
    let client = Client::new(Dialect::ChatCompletions, &serving, &bench.token);
    let user = json!({ "role": "user", "content": PROMPT });
    let reply = json!({ "role": "assistant", "content": "Done." });
    let history = [user.clone(), reply.clone(), user.clone(), reply, user];
    let response = client.post(&client.request(&history, false)).await;
    let answer = parse(&response.text().await.unwrap());
    assert_eq!(answer["choices"][0]["message"]["content"], "two");
    drop(serving.finish());
}

#[tokio::test]
async fn unmatched_requests_are_refused_by_name() {
    let bench = Bench::scripted();
    let serving = bench.serve();
    for dialect in Dialect::ALL {
        let client = Client::new(dialect, &serving, &bench.token);
        let user = json!({ "role": "user", "content": PROMPT });
        let mut history = vec![user.clone()];
        for _ in 0..3 {
            history.push(json!({ "role": "assistant", "content": "Done." }));
            history.push(user.clone());
        }
        let response = client.post(&client.request(&history, true)).await;
        assert_eq!(response.status(), 400);
        assert_eq!(response.headers()["x-should-retry"], "false");
        let text = response.text().await.unwrap();
        for part in [
            "script.yaml",
            r#"conversation \"main\" has 3 turns"#,
            "turn 4",
        ] {
            assert!(text.contains(part), "{text}");
        }
        let stranger = json!({ "role": "user", "content": "something else" });
        let response = client.post(&client.request(&[stranger], false)).await;
        assert_eq!(response.status(), 400);
        let message = parse(&response.text().await.unwrap())["error"]["message"].clone();
        assert!(
            message
                .as_str()
                .unwrap()
                .contains("no conversation matches"),
            "{message}"
        );
    }
    let record = serving.finish();
    let each_twice = 2 * Dialect::ALL.len();
    assert_eq!(record.errors.len(), each_twice);
    assert!(
        record.errors[0].contains("\"main\" has 3 turns"),
        "{:?}",
        record.errors
    );
    assert_eq!(
        (record.usage.requests, record.usage.failed_requests),
        (0, each_twice as u64)
    );
    assert_eq!(record.infrastructure, None);
}

#[tokio::test]
async fn requests_without_shell_get_aside() {
    let bench = Bench::scripted();
    let serving = bench.serve();
    for dialect in Dialect::ALL {
        let client = Client::new(dialect, &serving, &bench.token);
        let mut body = client.request(&[json!({ "role": "user", "content": "title?" })], false);
        body.as_object_mut().unwrap().remove("tools");
        let text = client.post(&body).await.text().await.unwrap();
        assert!(text.contains("a title"), "{text}");
    }
    let output = serving.finish().usage.tokens.output;
    assert_eq!(output, 5 * Dialect::ALL.len() as u64);
}

#[tokio::test]
async fn scripted_failure_uses_dialect_error_format() {
    let bench = Bench::scripted();
    let serving = bench.serve();
    let client = Client::new(Dialect::Messages, &serving, &bench.token);
    let body = client.request(&[json!({ "role": "user", "content": "fail" })], true);
    let response = client.post(&body).await;
    assert_eq!(response.status(), 503);
    assert_eq!(
        parse(&response.text().await.unwrap())["error"]["type"],
        "api_error"
    );
    assert_eq!(serving.finish().usage.failed_requests, 1);
    assert_eq!(bench.log()[0]["status"], 503);
}

#[tokio::test]
async fn chat_usage_appears_only_on_request() {
    let bench = Bench::scripted();
    let serving = bench.serve();
    let client = Client::new(Dialect::ChatCompletions, &serving, &bench.token);
    let mut body = client.request(&[json!({ "role": "user", "content": PROMPT })], true);
    let usage = |text: &str| {
        data(text)
            .into_iter()
            .filter(|chunk| chunk["usage"].is_object())
            .count()
    };
    assert_eq!(usage(&client.post(&body).await.text().await.unwrap()), 0);
    body["stream_options"] = json!({ "include_usage": true });
    assert_eq!(usage(&client.post(&body).await.text().await.unwrap()), 1);
    let record = serving.finish();
    assert_eq!(
        (record.usage.requests, record.usage.tokens.input),
        (2, 2400)
    );
}

#[tokio::test]
async fn caps_end_attempt_with_final_refusal() {
    for (caps, allowed) in [
        (
            Caps {
                requests: Some(2),
                ..Caps::default()
            },
            2,
        ),
        (
            Caps {
                tokens: Some(2000),
                ..Caps::default()
            },
            1,
        ),
        (
            Caps {
                cost_usd: Some(0.009),
                ..Caps::default()
            },
            2,
        ),
    ] {
        for dialect in Dialect::ALL {
            run_into_cap(caps, allowed, dialect).await;
        }
    }
}

async fn run_into_cap(caps: Caps, allowed: u64, dialect: Dialect) {
    let bench = Bench::scripted();
    let serving = bench
        .gateway
        .serve_loopback(AttemptAuth {
            caps,
            ..bench.auth()
        })
        .unwrap();
    let client = Client::new(dialect, &serving, &bench.token);
    let mut history = vec![json!({ "role": "user", "content": PROMPT })];
    for _ in 0..allowed {
        assert_eq!(
            client.post(&client.request(&history, false)).await.status(),
            200
        );
        history.push(json!({ "role": "assistant", "content": "x" }));
        history.push(json!({ "role": "user", "content": "go on" }));
    }
    let response = client.post(&client.request(&history, true)).await;
    assert_eq!(response.status(), 400, "{caps:?} {}", dialect.name());
    assert_eq!(response.headers()["x-should-retry"], "false");
    let body = parse(&response.text().await.unwrap());
    assert!(
        body["error"]["message"]
            .as_str()
            .unwrap()
            .starts_with("cap of"),
        "{body}"
    );
    let record = serving.finish();
    assert!(record.budget_hit.unwrap().message.starts_with("cap of"));
    assert_eq!(
        (record.usage.requests, record.usage.failed_requests),
        (allowed, 1)
    );
    assert_eq!(bench.log().len() as u64, allowed + 1);
}

#[tokio::test]
async fn models_and_counts_cost_nothing() {
    let bench = Bench::scripted();
    let serving = bench.serve();
    let client = Client::new(Dialect::Messages, &serving, &bench.token);
    let url = |path: &str| format!("{}{path}", serving.base_url());
    let head = client.http.head(url("/")).send().await.unwrap();
    assert_eq!(head.status(), 200);
    let models = client
        .http
        .get(url("/v1/models"))
        .bearer_auth(&bench.token)
        .send()
        .await
        .unwrap();
    assert_eq!(
        models.json::<Value>().await.unwrap()["data"][0]["id"],
        "scripted"
    );
    let request = client
        .http
        .get(url("/v1/models"))
        .header("x-api-key", &bench.token);
    let models = request
        .header("anthropic-version", "2023-06-01")
        .send()
        .await
        .unwrap();
    assert_eq!(
        models.json::<Value>().await.unwrap()["data"][0]["type"],
        "model"
    );
    let count = client.http.post(url("/v1/messages/count_tokens?beta=true"));
    let count = count
        .header("x-api-key", &bench.token)
        .json(&json!({ "messages": [] }));
    let count: Value = count.send().await.unwrap().json().await.unwrap();
    assert!(count["input_tokens"].as_u64().unwrap() > 0);
    assert_eq!(serving.finish().usage.requests, 0);
    assert!(bench.log().is_empty());
}

#[tokio::test]
async fn trial_and_run_caps_are_shared() {
    let one = Caps {
        requests: Some(1),
        ..Caps::default()
    };
    for (run_wide, whose) in [
        (false, "the trial's cap of 1"),
        (true, "the run's cap of 1"),
    ] {
        let bench = Bench::tuned(|config| {
            let caps = if run_wide {
                &mut config.run_caps
            } else {
                &mut config.trial_caps
            };
            *caps = one;
        });
        let ask = |trial: &'static str| {
            let auth = AttemptAuth {
                trial: trial.into(),
                ..bench.auth()
            };
            let serving = bench.gateway.serve_loopback(auth).unwrap();
            let client = Client::new(Dialect::Gemini, &serving, &bench.token);
            async move {
                let user = json!({ "role": "user", "content": PROMPT });
                let response = client.post(&client.request(&[user], false)).await;
                (response.status().as_u16(), serving.finish().budget_hit)
            }
        };
        assert_eq!(ask("a").await, (200, None));
        let (status, hit) = ask("a").await;
        assert_eq!(status, 400);
        assert!(hit.unwrap().message.starts_with(whose));
        let (status, hit) = ask("b").await;
        assert_eq!(
            (status, hit.is_some()),
            if run_wide { (400, true) } else { (200, false) }
        );
        assert_eq!(bench.gateway.run_exhausted().is_some(), run_wide);
        // What was used before a run was interrupted counts as well.
        let usage = Usage {
            requests: 1,
            ..Usage::default()
        };
        bench
            .gateway
            .book_earlier("c", &usage, std::time::Duration::ZERO);
        assert_eq!(ask("c").await.0, 400);
    }
}
