//! slope's own agent against a server of a few answers, in both dialects.

use std::path::Path;

use crate::replies::{messages, reply};
use crate::server::{self, Answer, Server};
use serde_json::{Value, json};
use slope_agent::own::{Payload, exit, run};
use slope_agent::{
    Agent, AgentOptions, Conclusion, Dialect, Evidence, InstallContext, Launch, LaunchContext,
    OwnAgent, ProcessExit, Program, by_name,
};
use slope_model::run::AttemptState;
use slope_model::usage::Tokens;

/// The results of a run.
struct Left {
    code: i32,
    out: String,
    err: String,
    workspace: tempfile::TempDir,
}

impl Left {
    fn events(&self, kind: &str) -> Vec<Value> {
        let events = self
            .out
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap());
        events.filter(|event| event["type"] == kind).collect()
    }

    fn conclude(&self, requests: u64) -> Conclusion {
        let dir = tempfile::tempdir().unwrap();
        let (out, err) = (dir.path().join("out"), dir.path().join("err"));
        std::fs::write(&out, &self.out).unwrap();
        std::fs::write(&err, &self.err).unwrap();
        OwnAgent::default().conclude(&Evidence {
            exit: ProcessExit::Code(self.code),
            stdout: &out,
            stderr: &err,
            stdout_cut: false,
            gateway_requests: requests,
        })
    }
}

fn payload(dialect: Dialect, url: &str, workspace: &Path) -> Payload {
    Payload {
        dialect,
        base_url: url.to_owned(),
        token: "token-1".to_owned(),
        model: "model-1".to_owned(),
        prompt: "Build it.".to_owned(),
        workspace: workspace.to_owned(),
        max_turns: None,
        max_output_tokens: None,
        command_timeout_s: 60,
        command_timeout_max_s: 100,
        stream: true,
        tries: 4,
        retry_pause_ms: 1,
        hook: None,
        conversation: workspace.with_extension("conversation"),
        continues: false,
    }
}

fn play(dialect: Dialect, answers: Vec<Answer>) -> (Left, Vec<server::Request>) {
    play_with(dialect, answers, |_| {})
}

fn play_with(
    dialect: Dialect,
    answers: Vec<Answer>,
    change: impl FnOnce(&mut Payload),
) -> (Left, Vec<server::Request>) {
    let server = Server::start(answers);
    let workspace = tempfile::tempdir().unwrap();
    let mut payload = payload(dialect, &server.url, workspace.path());
    change(&mut payload);
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let code = run(
        &serde_json::to_string(&payload).unwrap(),
        &mut out,
        &mut err,
    );
    let left = Left {
        code,
        out: String::from_utf8(out).unwrap(),
        err: String::from_utf8(err).unwrap(),
        workspace,
    };
    (left, server.requests())
}

/// The tool results of a request, in order.
fn results(request: &server::Request) -> Vec<String> {
    let messages = request.body["messages"].as_array().unwrap();
    let words = |value: &Value| value["content"].as_str().unwrap().to_owned();
    let mut results = Vec::new();
    for message in messages {
        if message["role"] == "tool" {
            results.push(words(message));
        }
        for block in message["content"].as_array().into_iter().flatten() {
            if block["type"] == "tool_result" {
                results.push(words(block));
            }
        }
    }
    results
}

const BOTH: [Dialect; 2] = [Dialect::Messages, Dialect::Chat];

#[test]
fn two_turns_in_both_dialects() {
    for dialect in BOTH {
        let command = r#"{"command": "echo made > file; pwd"}"#;
        let (left, requests) = play(
            dialect,
            vec![
                reply(dialect, "I begin.", &[("c1", "bash", command)]),
                reply(dialect, "Done.", &[]),
            ],
        );
        assert_eq!((left.code, left.err.as_str()), (exit::DONE, ""));
        let workspace = left.workspace.path();
        assert_eq!(
            std::fs::read_to_string(workspace.join("file")).unwrap(),
            "made\n"
        );
        assert_eq!(
            results(&requests[1]),
            [format!("exit code 0\n{}\n", workspace.display())]
        );
        let usage = left.conclude(2).reported.unwrap();
        let reasoning = if dialect == Dialect::Chat { 10 } else { 0 };
        let expected = Tokens {
            input: 20,
            cache_read: 8,
            cache_write: 4,
            cache_write_1h: 0,
            output: 40,
            reasoning,
        };
        assert_eq!(usage.tokens, expected);
        assert_eq!(
            (usage.requests, usage.tool_calls, usage.unreported),
            (2, 1, 0)
        );
        assert_eq!(left.conclude(2).state, AttemptState::Completed);
        let said: Vec<Value> = left
            .events("text")
            .iter()
            .map(|e| e["text"].clone())
            .collect();
        assert_eq!(said, ["I begin.", "Done."]);
        assert!(!left.out.contains("token-1"), "the token is in no event");
    }
}

#[test]
fn requests_match_snapshots_in_both_dialects() {
    for dialect in BOTH {
        let call = [("c1", "bash", r#"{"command": "true"}"#)];
        let answers = vec![reply(dialect, "", &call), reply(dialect, "Done.", &[])];
        let (_, requests) = play(dialect, answers);
        let second = &requests[1];
        let headers: Vec<&String> = second
            .headers
            .iter()
            .filter(|header| !header.starts_with("host") && !header.starts_with("content-length"))
            .collect();
        insta::assert_json_snapshot!(
            format!("wire_{}", dialect.name()),
            json!({"path": second.path, "headers": headers, "body": second.body})
        );
    }
}

#[test]
fn malformed_calls_get_an_error_reply() {
    for dialect in BOTH {
        let calls = [
            ("c1", "bash", r#"{"command": "echo"#),
            ("c2", "bash", r#"{"cmd": "echo"}"#),
            ("c3", "python", r#"{"command": "echo"}"#),
            ("c4", "bash", r#"{"command": ["echo"]}"#),
            ("c5", "bash", r#"["echo"]"#),
            ("c6", "bash", r#"{"command": "echo", "timeout_s": "soon"}"#),
            (
                "c7",
                "bash",
                r#"{"command": "echo here", "timeout_s": "7"}"#,
            ),
            ("c8", "bash", ""),
        ];
        let (left, requests) = play(
            dialect,
            vec![reply(dialect, "", &calls), reply(dialect, "Done.", &[])],
        );
        assert_eq!(left.code, exit::DONE);
        let results = results(&requests[1]);
        assert_eq!(results.len(), calls.len(), "every call is answered");
        assert!(results[0].starts_with("the arguments of the call are not valid JSON"));
        assert_eq!(results[1], "the argument `command` must be a string");
        assert_eq!(
            results[2],
            "there is no tool `python`: the only tool is `bash`"
        );
        assert_eq!(
            results[4],
            "the arguments of the call are not a JSON object"
        );
        assert_eq!(results[6], "exit code 0\nhere\n");
        assert_eq!(left.events("tool_error").len(), 7);
        // What is repeated to the server is well-formed, whatever came.
        for message in requests[1].body["messages"].as_array().unwrap() {
            for call in message["tool_calls"].as_array().into_iter().flatten() {
                let arguments = call["function"]["arguments"].as_str().unwrap();
                assert!(
                    serde_json::from_str::<Value>(arguments).is_ok(),
                    "{arguments}"
                );
            }
            for block in message["content"].as_array().into_iter().flatten() {
                assert!(
                    block["type"] != "tool_use" || block["input"].is_object(),
                    "{block}"
                );
            }
        }
    }
}

#[test]
fn long_output_and_timeout_are_cut() {
    for dialect in BOTH {
        let calls = [
            ("c1", "bash", r#"{"command": "seq 1 200000"}"#),
            (
                "c2",
                "bash",
                r#"{"command": "echo begun; sleep 300", "timeout_s": 1}"#,
            ),
        ];
        let (left, requests) = play(
            dialect,
            vec![reply(dialect, "", &calls), reply(dialect, "Done.", &[])],
        );
        let results = results(&requests[1]);
        assert!(results[0].starts_with("exit code 0\n1\n2\n"));
        assert!(results[0].ends_with("199999\n200000\n"));
        assert!(results[0].contains(" bytes left out]"));
        assert!(results[0].len() < 30_000);
        assert_eq!(results[1], "killed after 1 s\nbegun\n");
        let told = left.events("tool_result");
        assert_eq!(
            (&told[1]["timed_out"], &told[1]["code"]),
            (&json!(true), &Value::Null)
        );
    }
}

#[test]
fn failing_servers_are_retried() {
    for dialect in BOTH {
        let mut limited = Answer::refusal(429, "slow down");
        limited.extra = "retry-after: 0\r\n";
        let mut broken = reply(dialect, "Not yet", &[]);
        broken.body.truncate(150);
        let (left, requests) = play(
            dialect,
            vec![
                Answer::refusal(500, "boom"),
                limited,
                broken,
                reply(dialect, "Done.", &[]),
            ],
        );
        assert_eq!((left.code, requests.len()), (exit::DONE, 4));
        let retries = left.events("retry");
        let statuses: Vec<&Value> = retries.iter().map(|event| &event["status"]).collect();
        assert_eq!(statuses, [&json!(500), &json!(429), &Value::Null]);
        assert_eq!(left.conclude(4).reported.unwrap().failed_requests, 3);
        assert_eq!(left.events("text").len(), 1, "half a reply is not told");
    }
}

#[test]
fn retries_end_at_the_limit() {
    for dialect in BOTH {
        let answers = (0..9).map(|_| Answer::refusal(529, "overloaded")).collect();
        let (left, requests) = play(dialect, answers);
        assert_eq!((left.code, requests.len()), (exit::REQUEST, 4));
        assert_eq!(
            left.err,
            "the model's server answered with status 529: overloaded\n"
        );
        let conclusion = left.conclude(4);
        assert_eq!(conclusion.state, AttemptState::AgentError);
        assert_eq!(conclusion.reason.as_deref(), Some(left.err.trim()));

        // A refusal that will not pass is not tried again.
        let (left, requests) = play(dialect, vec![Answer::refusal(401, "no such key")]);
        assert_eq!((left.code, requests.len()), (exit::REQUEST, 1));
        assert_eq!(
            left.err,
            "the model's server answered with status 401: no such key\n"
        );
    }
}

#[test]
fn refused_connection_is_reported() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let workspace = tempfile::tempdir().unwrap();
    let payload = payload(Dialect::Messages, &url, workspace.path());
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let code = run(
        &serde_json::to_string(&payload).unwrap(),
        &mut out,
        &mut err,
    );
    assert_eq!(code, exit::REQUEST);
    assert!(
        String::from_utf8(err)
            .unwrap()
            .starts_with("no answer from http://127.0.0.1:")
    );
}

#[test]
fn unstreamed_replies_are_understood() {
    let whole_messages = |content: Value, stop: &str| {
        Answer::json(
            &json!({"type": "message", "content": content, "stop_reason": stop,
            "usage": {"input_tokens": 5, "output_tokens": 7}}),
        )
    };
    let call = json!([{"type": "tool_use", "id": "c1", "name": "bash",
        "input": {"command": "echo one"}}]);
    let done = json!([{"type": "text", "text": "Done."}]);
    let (left, requests) = play(
        Dialect::Messages,
        vec![
            whole_messages(call, "tool_use"),
            whole_messages(done, "end_turn"),
        ],
    );
    assert_eq!(
        (left.code, results(&requests[1])),
        (exit::DONE, vec!["exit code 0\none\n".to_owned()])
    );

    let whole_chat = |message: Value, stop: &str| {
        Answer::json(&json!({"choices": [{"message": message, "finish_reason": stop}]}))
    };
    let call = json!({"content": null, "tool_calls": [{"id": "c1", "type": "function",
        "function": {"name": "bash", "arguments": "{\"command\": \"echo one\"}"}}]});
    let done = json!({"content": "Done."});
    let (left, requests) = play(
        Dialect::Chat,
        vec![whole_chat(call, "tool_calls"), whole_chat(done, "stop")],
    );
    assert_eq!(
        (left.code, results(&requests[1])),
        (exit::DONE, vec!["exit code 0\none\n".to_owned()])
    );
    let usage = left.conclude(2).reported.unwrap();
    assert_eq!(usage.unreported, 2, "missing usage is counted as missing");
}

#[test]
fn streaming_is_dropped_if_unsupported() {
    let refusal = Answer::refusal(400, "stream_options is not supported");
    let done = Answer::json(
        &json!({"choices": [{"message": {"content": "Done."}, "finish_reason": "stop"}]}),
    );
    let (left, requests) = play(Dialect::Chat, vec![refusal, done]);
    assert_eq!(left.code, exit::DONE);
    let streams: Vec<&Value> = requests
        .iter()
        .map(|request| &request.body["stream"])
        .collect();
    assert_eq!(streams, [&json!(true), &json!(false)]);
    assert!(requests[1].body.get("stream_options").is_none());
}

#[test]
fn turn_cap_ends_as_budget() {
    for dialect in BOTH {
        let call = [("c1", "bash", r#"{"command": "true"}"#)];
        let answers = (0..5).map(|_| reply(dialect, "", &call)).collect();
        let (left, requests) = play_with(dialect, answers, |payload| payload.max_turns = Some(3));
        assert_eq!((left.code, requests.len()), (exit::TURNS, 3));
        let conclusion = left.conclude(3);
        assert_eq!(conclusion.state, AttemptState::Budget);
        assert_eq!(
            conclusion.reason.as_deref(),
            Some("the turn cap of 3 ended it")
        );
    }
}

#[test]
fn cut_replies_continue_up_to_limit() {
    let cut = || {
        Answer::json(&json!({"content": [{"type": "text", "text": "Long"}],
            "stop_reason": "max_tokens", "usage": {"input_tokens": 1, "output_tokens": 1}}))
    };
    let (left, requests) = play(
        Dialect::Messages,
        vec![cut(), cut(), messages("Done.", &[])],
    );
    assert_eq!((left.code, requests.len()), (exit::DONE, 3));
    let (left, requests) = play(Dialect::Messages, vec![cut(), cut(), cut(), cut()]);
    assert_eq!((left.code, requests.len()), (exit::REQUEST, 3));
    assert_eq!(left.err, "3 replies in a row reached the length limit\n");
}

#[test]
fn thinking_blocks_are_sent_back_unchanged() {
    let first = Answer::events(&[
        json!({"type": "message_start", "message": {"usage": {"input_tokens": 1}}}),
        json!({"type": "content_block_start", "index": 0,
            "content_block": {"type": "thinking", "thinking": "", "signature": ""}}),
        json!({"type": "content_block_delta", "index": 0,
            "delta": {"type": "thinking_delta", "thinking": "Hm."}}),
        json!({"type": "content_block_delta", "index": 0,
            "delta": {"type": "signature_delta", "signature": "sig"}}),
        json!({"type": "content_block_start", "index": 1,
            "content_block": {"type": "tool_use", "id": "c1", "name": "bash", "input": {}}}),
        json!({"type": "content_block_delta", "index": 1,
            "delta": {"type": "input_json_delta", "partial_json": "{\"command\": \"true\"}"}}),
        json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"},
            "usage": {"output_tokens": 2}}),
        json!({"type": "message_stop"}),
    ]);
    let (_, requests) = play(Dialect::Messages, vec![first, messages("Done.", &[])]);
    assert_eq!(
        requests[1].body["messages"][1]["content"][0],
        json!({"type": "thinking", "thinking": "Hm.", "signature": "sig"})
    );
}

#[test]
fn malformed_payload_is_reported() {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    assert_eq!(
        run("{\"dialect\": \"chat\"}", &mut out, &mut err),
        exit::PAYLOAD
    );
    let words = String::from_utf8(err).unwrap();
    assert!(
        words.starts_with("the payload is malformed: missing field"),
        "{words}"
    );
}

#[test]
fn missing_last_event_is_an_error() {
    let left = Left {
        code: 137,
        out: "{\"type\":\"start\"}\n{\"type\":\"text\",\"turn\":1,\"text\":\"a\"}\n".to_owned(),
        err: String::new(),
        workspace: tempfile::tempdir().unwrap(),
    };
    let conclusion = left.conclude(1);
    assert_eq!(conclusion.state, AttemptState::AgentError);
    assert_eq!(
        conclusion.reason.as_deref(),
        Some("its events stop before the end (exit code 137)")
    );
    assert_eq!(conclusion.reported, None);
}

#[test]
fn launch_keeps_token_in_payload() {
    let dir = tempfile::tempdir().unwrap();
    let config = dir.path().join("slope.toml");
    std::fs::write(
        &config,
        "dialect = \"chat\"\nmax_turns = 9\ncommand_timeout_s = 5\n",
    )
    .unwrap();
    let agent = by_name("slope", &AgentOptions::with_config(&config)).unwrap();
    assert_eq!(agent.dialect(), Some(Dialect::Chat));
    let context = InstallContext {
        cache_dir: dir.path(),
        offline: true,
        python: Path::new("python3"),
        progress: &|_| {},
    };
    let installed = agent.install(&context).unwrap();
    let launch = agent
        .launch(&LaunchContext {
            prompt: "Build it.",
            model: "m",
            gateway_url: "http://127.0.0.1:9",
            token: "token-1",
            installed: &installed,
            workspace: Path::new("/workspace"),
            home: Path::new("/home/user"),
            reference_solution: None,
            hooks: None,
            continues: false,
        })
        .unwrap();
    let Launch::Process(process) = launch else {
        panic!("a process")
    };
    assert!(!format!("{:?}{:?}", process.env, process.home_files).contains("token-1"));
    let Program::Builtin { name, payload } = process.program else {
        panic!("a builtin")
    };
    assert!(
        slope_agent::BUILTINS
            .iter()
            .any(|(known, _)| *known == name)
    );
    let payload: Payload = serde_json::from_str(&payload).unwrap();
    assert_eq!(
        (payload.token.as_str(), payload.max_turns),
        ("token-1", Some(9))
    );
    assert_eq!(
        (payload.command_timeout_s, payload.command_timeout_max_s),
        (5, 600)
    );
}
