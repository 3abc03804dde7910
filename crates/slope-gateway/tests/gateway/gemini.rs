//! What is particular to Gemini: its address, its ways to carry a key, and its counts.

use crate::common::{Bench, Client, data, parse};
use serde_json::{Value, json};
use slope_gateway::Dialect;

const PROMPT: &str = "Please add a file with a greeting.";

fn request() -> Value {
    json!({
        "contents": [{ "role": "user", "parts": [{ "text": PROMPT }] }],
        "tools": [{ "functionDeclarations": [{ "name": "run_shell_command", "parameters": {
            "type": "OBJECT",
            "properties": { "command": { "type": "STRING" }, "is_background": { "type": "BOOLEAN" } },
            "required": ["command", "is_background"],
        } }] }, { "googleSearch": {} }, { "codeExecution": {} }],
    })
}

#[tokio::test]
async fn gemini_token_works_in_header_or_address() {
    let bench = Bench::scripted();
    let serving = bench.serve();
    let http = Client::new(Dialect::Gemini, &serving, "").http;
    let url = format!("{}{}", serving.base_url(), Dialect::Gemini.path("m", false));
    let refused = http.post(&url).json(&request()).send().await.unwrap();
    assert_eq!(refused.status(), 401);
    let body = parse(&refused.text().await.unwrap());
    assert_eq!(body["error"]["status"], "UNAUTHENTICATED");
    assert_eq!(body["error"]["code"], 401);
    let wrong = format!("{url}?key={}x", bench.token);
    let refused = http.post(wrong).json(&request()).send().await.unwrap();
    assert_eq!(refused.status(), 401);

    let by_header = http.post(&url).header("x-goog-api-key", &bench.token);
    let by_query = http.post(format!("{url}?key={}", bench.token));
    for request in [by_header, by_query].map(|way| way.json(&request())) {
        let reply = parse(&request.send().await.unwrap().text().await.unwrap());
        let call = &reply["candidates"][0]["content"]["parts"][1]["functionCall"];
        assert_eq!(call["name"], "run_shell_command");
        assert_eq!(call["args"]["is_background"], false);
    }
    let record = serving.finish();
    assert_eq!(record.tools, ["run_shell_command"]);
    assert_eq!(record.stripped, ["tool codeExecution", "tool googleSearch"]);
    assert_eq!(bench.log()[0]["model"], "m");
    let log = std::fs::read_to_string(bench.log_path()).unwrap();
    assert!(!log.contains(&bench.token));
}

#[tokio::test]
async fn gemini_stream_reports_usage_last() {
    let bench = Bench::scripted();
    let serving = bench.serve();
    let client = Client::new(Dialect::Gemini, &serving, &bench.token);
    let mut body = request();
    body["stream"] = json!(true);
    let response = client.post(&body).await;
    let kind = response.headers()["content-type"].to_str().unwrap();
    assert!(kind.starts_with("text/event-stream"), "{kind}");
    let events = data(&response.text().await.unwrap());
    let last = events.last().unwrap();
    assert_eq!(last["candidates"][0]["finishReason"], "STOP");
    // 1200 and 800 written to the cache; 90 with 20 of reasoning.
    let usage = &last["usageMetadata"];
    assert_eq!(
        (&usage["promptTokenCount"], &usage["candidatesTokenCount"]),
        (&json!(2000), &json!(70))
    );
    assert_eq!(usage["totalTokenCount"], 2090);

    // Without `alt=sse` the service would send a JSON array.
    let url = format!("{}/v1beta/models/m:streamGenerateContent", client.base);
    let array = client.http.post(url).bearer_auth(&bench.token).json(&body);
    let refused = array.send().await.unwrap();
    assert_eq!(refused.status(), 400);
    assert!(refused.text().await.unwrap().contains("alt=sse"));
    assert_eq!(serving.finish().usage.unreported, 0);
}

#[tokio::test]
async fn gemini_counts_tokens_and_lists_models() {
    let bench = Bench::scripted();
    let serving = bench.serve();
    let client = Client::new(Dialect::Gemini, &serving, &bench.token);
    let ask = |path: &str| {
        let url = format!("{}{path}", client.base);
        (client.http.post(&url), client.http.get(&url))
    };
    let send = |request: reqwest::RequestBuilder| async {
        let request = request.header("x-goog-api-key", &bench.token);
        parse(&request.send().await.unwrap().text().await.unwrap())
    };
    let (count, _) = ask("/v1beta/models/m:countTokens");
    let counted = send(count.json(&request())).await;
    assert!(counted["totalTokens"].as_u64().unwrap() > 20, "{counted}");
    let (_, models) = ask("/v1beta/models");
    assert_eq!(send(models).await["models"][0]["name"], "models/scripted");
    assert_eq!(serving.finish().usage.requests, 0);
}

#[tokio::test]
async fn cached_provider_content_is_refused() {
    let bench = Bench::scripted();
    let serving = bench.serve();
    let client = Client::new(Dialect::Gemini, &serving, &bench.token);
    let mut body = request();
    body["cachedContent"] = json!("cachedContents/1");
    let response = client.post(&body).await;
    assert_eq!(response.status(), 400);
    let body = parse(&response.text().await.unwrap());
    assert_eq!(body["error"]["status"], "INVALID_ARGUMENT");
    let message = body["error"]["message"].as_str().unwrap();
    assert!(message.contains("cachedContent"), "{message}");
}
