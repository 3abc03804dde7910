//! How an attempt ends: requests that were given up or cut off, and whose trouble that is.

use std::time::{Duration, Instant};

use crate::common::{Bench, Client};
use serde_json::json;
use slope_gateway::{
    AttemptAuth, CapKind, Caps, Dialect, Gateway, GatewayConfig, HttpUpstream, KeyHeader,
    KeySource, Upstream, random_token,
};

/// An agent that gives up a request which is held back for the upstream's sake, and lives on.
#[tokio::test]
async fn early_failure_does_not_explain_end() {
    for (later, troubled) in [(Duration::ZERO, true), (Duration::from_secs(60), false)] {
        let dir = tempfile::tempdir().unwrap();
        let gateway = Gateway::new(GatewayConfig::new(Upstream::Http(HttpUpstream {
            // Nothing listens there, so that every request is held back.
            base_url: format!("http://127.0.0.1:9/{}", later.as_secs()),
            dialect: Dialect::Messages,
            key: KeySource::None,
            key_header: KeyHeader::Dialect,
            model: None,
        })))
        .unwrap();
        let token = random_token().unwrap();
        let serving = gateway
            .serve_loopback(AttemptAuth {
                token: token.clone(),
                trial: "trial".into(),
                checkpoint_index: 1,
                log_path: dir.path().join("log.jsonl"),
                caps: Caps::default(),
                prices: None,
            })
            .unwrap();
        let client = Client::new(Dialect::Messages, &serving, &token);
        let body = client.request(&[json!({ "role": "user", "content": "hello" })], false);
        let gone = tokio::time::timeout(Duration::from_millis(300), client.post(&body)).await;
        assert!(gone.is_err(), "it is held back for minutes");
        drop(client);
        while serving.record().usage.failed_requests == 0 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        assert!(gateway.backing_off().is_some());
        let record = serving.finish_ended(Instant::now() + later);
        assert_eq!(record.infrastructure.is_some(), troubled, "{record:?}");
        assert_eq!(record.infrastructure_s.is_some(), troubled);
    }
}

#[tokio::test]
async fn wall_cap_cuts_off_running_requests() {
    for stream in [false, true] {
        let bench = Bench::scripted();
        let auth = AttemptAuth {
            caps: Caps {
                wall_s: Some(1),
                ..Caps::default()
            },
            ..bench.auth()
        };
        let serving = bench.gateway.serve_loopback(auth).unwrap();
        let client = Client::new(Dialect::Messages, &serving, &bench.token);
        // The script waits a minute with its answer.
        let body = client.request(&[json!({ "role": "user", "content": "wait" })], stream);
        assert_eq!(client.post(&body).await.status(), 400);
        let record = serving.finish();
        let hit = record.budget_hit.unwrap();
        assert_eq!(hit.kind, CapKind::Wall, "{hit}");
        assert_eq!(record.infrastructure, None);
        assert!(
            bench.log()[0]["error"]
                .as_str()
                .unwrap()
                .contains("cut off: cap of 1 seconds")
        );
    }
}
