//! The forms of training packages.

use serde_json::{Value, json};
use slope_http::Settings;

use crate::common::{DIFF, start};

fn label() -> Value {
    json!({"base": "app", "tests": {"passed": 3, "failed": 0}})
}

#[tokio::test(flavor = "multi_thread")]
async fn verify_echoes_with_the_reward() {
    let server = start(Settings::default()).await;
    assert_eq!(
        server.post_json("/seed_session", &json!({})).await,
        (200, json!({}))
    );
    let response = json!({"output": [{"type": "message", "content": [{"type": "output_text", "text": DIFF}]}]});
    let request = json!({"responses_create_params": {"input": []}, "response": response, "verifier_metadata": label()});
    let (code, answer) = server.post_json("/verify", &request).await;
    assert_eq!(code, 200, "{answer}");
    for key in ["responses_create_params", "response", "verifier_metadata"] {
        assert_eq!(answer[key], request[key]);
    }
    assert_eq!(answer["reward"], 1.0);
    assert_eq!(answer["p_dup"], answer["reward_components"]["p_dup"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn response_without_diff_earns_nothing() {
    let server = start(Settings::default()).await;
    for (response, reward) in [
        (DIFF, 1.0),
        ("I cannot do this.", 0.0),
        ("", 0.0),
        // A broken diff must not be better than a failing edit.
        (
            "--- a/app.py\n+++ b/app.py\n@@ -1 +1 @@\n-no such line\n+x\n",
            0.0,
        ),
        ("--- a/app.py\n+++ b/app.py\n@@ what\n", 0.0),
        ("--- a/../x.py\n+++ b/../x.py\n@@ -0,0 +1 @@\n+x\n", 0.0),
    ] {
        let sample = json!({"prompt": "p", "response": response, "label": label()});
        let (code, answer) = server.post_json("/rm/slime", &sample).await;
        assert_eq!((code, answer), (200, json!(reward)), "{response}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_have_one_number_per_query() {
    let server = start(Settings::default()).await;
    let lists = json!({
        "query": [format!("do it\n{DIFF}"), "do it\nno"],
        "prompts": ["do it\n", "do it\n"],
        "labels": [label().to_string(), label().to_string()],
    });
    let (code, answer) = server.post_json("/rm/lists", &lists).await;
    assert_eq!(code, 200, "{answer}");
    assert_eq!(
        (&answer["rewards"], &answer["scores"]),
        (&json!([1.0, 0.0]), &json!([1.0, 0.0]))
    );
    for (key, column) in answer["extra_logs"].as_object().unwrap() {
        assert_eq!(column.as_array().unwrap().len(), 2, "{key}");
    }
    let mixed = json!({"query": [DIFF, DIFF], "labels": [label(), "no label"]});
    let (code, answer) = server.post_json("/rm/lists", &mixed).await;
    assert_eq!((code, &answer["rewards"]), (200, &json!([1.0, 0.5])));
    assert_eq!(answer["extra_logs"]["valid"], json!([1.0, 0.0]));
    let uneven = json!({"query": ["a"], "labels": []});
    assert_eq!(server.post_json("/rm/lists", &uneven).await.0, 400);
}

#[tokio::test(flavor = "multi_thread")]
async fn records_keep_their_ids() {
    let server = start(Settings::default()).await;
    let messages =
        json!([{"role": "user", "content": "do it"}, {"role": "assistant", "content": DIFF}]);
    let records = json!([{"id": "7", "messages": messages, "metadata": label()}]);
    let (code, answer) = server.post_json("/rm/records", &records).await;
    assert_eq!(
        (code, &answer[0]["id"], &answer[0]["aggregate_reward_score"]),
        (200, &json!("7"), &json!(1.0))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn label_is_never_taken_from_a_response() {
    let server = start(Settings::default()).await;
    let response = format!("{{\"tests\": {{\"passed\": 9}}}}\n{DIFF}");
    let failed = json!({"base": "app", "tests": {"passed": 0, "failed": 1}});
    let sample = json!({"response": response, "label": failed});
    assert_eq!(server.post_json("/rm/slime", &sample).await.1, json!(0.0));
    let slow =
        json!({"base": "app", "tests": {"passed": 0, "failed": 1}, "options": {"deadline_ms": 0}});
    let late = json!({"response": DIFF, "label": slow});
    assert_eq!(server.post_json("/rm/slime", &late).await.1, json!(0.0));
    let unlabelled = json!({"response": DIFF});
    assert_eq!(server.post_json("/rm/slime", &unlabelled).await.0, 400);
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_answer_holds_the_edit() {
    let server = start(Settings::default()).await;
    let answer = |text: &str| json!({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]});
    let tool = json!({"type": "function_call_output", "output": DIFF});
    let asked = json!({"role": "user", "content": DIFF});
    for (output, reward) in [
        (json!([tool, answer("done")]), 0.0),
        (json!([asked, answer("done")]), 0.0),
        (json!([tool, answer(DIFF)]), 1.0),
    ] {
        let request = json!({"response": {"output": output}, "verifier_metadata": label()});
        let (code, verified) = server.post_json("/verify", &request).await;
        assert_eq!(
            (code, &verified["reward"]),
            (200, &json!(reward)),
            "{output}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn half_characters_do_not_refuse_the_body() {
    let server = start(Settings::default()).await;
    let lists = json!({
        "query": [format!("HALF{DIFF}"), DIFF],
        "prompts": ["", ""],
        "labels": [label(), label()],
    });
    let body = lists.to_string().replace("HALF", r"\ud83d\n");
    let (code, answer) = server.post("/rm/lists", body).await;
    let answer: Value = serde_json::from_str(&answer).unwrap();
    assert_eq!((code, &answer["rewards"]), (200, &json!([1.0, 1.0])));
}
