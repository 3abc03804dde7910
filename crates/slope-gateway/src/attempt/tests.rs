use super::*;
use crate::account::MAX_UNREPORTED;
use crate::config::Caps;
use crate::dialect::Dialect;
use crate::exchange::Asked;
use serde_json::Value;
use slope_model::usage::{Prices, Tokens};
use std::path::Path;

fn auth(folder: &Path, caps: Caps) -> AttemptAuth {
    AttemptAuth {
        token: "0123456789abcdef".into(),
        trial: "t".into(),
        checkpoint_index: 1,
        log_path: folder.join("log.jsonl"),
        caps,
        prices: None,
    }
}

fn open(auth: AttemptAuth, table: PriceTable) -> Result<Attempt, GatewayError> {
    let ledger = Ledger::new(Caps::default(), Caps::default());
    let pricing = Pricing::Listed(table);
    Attempt::open(auth, pricing, None, &Limits::default(), &ledger, false)
}

fn attempt(caps: Caps, prices: Option<Prices>) -> (tempfile::TempDir, Arc<Attempt>) {
    let dir = tempfile::tempdir().unwrap();
    let auth = AttemptAuth {
        prices,
        ..auth(dir.path(), caps)
    };
    (dir, Arc::new(open(auth, PriceTable::none()).unwrap()))
}

fn begin(attempt: &Arc<Attempt>) -> Exchange {
    begin_model(attempt, "m")
}

fn begin_model(attempt: &Arc<Attempt>, model: &str) -> Exchange {
    let asked = Asked {
        dialect: Dialect::Messages,
        path: "/v1/messages".into(),
        model: model.into(),
        stream: false,
        request: Value::Null,
        stripped: Vec::new(),
    };
    Exchange::begin(attempt, asked)
}

fn good(tokens: Option<Tokens>) -> Outcome {
    Outcome {
        status: 200,
        tokens,
        complete: tokens.is_some(),
        reached: true,
        ..Outcome::default()
    }
}

#[test]
fn exhausted_cap_refuses_next_request() {
    let used = Tokens {
        input: 60,
        output: 40,
        ..Tokens::default()
    };
    let prices = Some(Prices {
        input: 1.0,
        cache_read: 0.0,
        cache_write: 0.0,
        cache_write_1h: None,
        output: 1.0,
    });
    for (caps, expected) in [
        (
            Caps {
                tokens: Some(100),
                ..Caps::default()
            },
            "100 tokens",
        ),
        (
            Caps {
                requests: Some(1),
                ..Caps::default()
            },
            "1 requests",
        ),
        (
            Caps {
                cost_usd: Some(0.0001),
                ..Caps::default()
            },
            "USD",
        ),
    ] {
        let (_dir, attempt) = attempt(caps, prices);
        let mut first = begin(&attempt);
        assert_eq!(first.over_cap, None);
        first.settle(&good(Some(used)));
        assert_eq!(attempt.record().budget_hit, None);
        let hit = begin(&attempt).over_cap.clone().unwrap();
        assert!(hit.message.contains(expected));
        assert_eq!(attempt.record().budget_hit, Some(hit));
    }
}

#[test]
fn requests_in_flight_count_towards_cap() {
    let (_dir, attempt) = attempt(
        Caps {
            requests: Some(2),
            ..Caps::default()
        },
        None,
    );
    let (first, second, third) = (begin(&attempt), begin(&attempt), begin(&attempt));
    assert!(first.over_cap.is_none() && second.over_cap.is_none());
    assert!(third.over_cap.is_some());
}

#[test]
fn too_many_unreported_requests_reach_cap() {
    let (_dir, attempt) = attempt(
        Caps {
            tokens: Some(1000),
            ..Caps::default()
        },
        None,
    );
    for _ in 0..MAX_UNREPORTED {
        let mut exchange = begin(&attempt);
        assert_eq!(exchange.over_cap, None);
        exchange.settle(&good(None));
    }
    assert_eq!(attempt.record().usage.unreported, MAX_UNREPORTED);
    assert!(
        begin(&attempt)
            .over_cap
            .clone()
            .unwrap()
            .message
            .contains("cannot be kept")
    );
}

#[test]
fn dollar_cap_and_token_are_validated() {
    let dir = tempfile::tempdir().unwrap();
    let caps = Caps {
        cost_usd: Some(1.0),
        ..Caps::default()
    };
    let error = open(auth(dir.path(), caps), PriceTable::none());
    assert!(matches!(error, Err(GatewayError::CapWithoutPrices { .. })));
    let weak = AttemptAuth {
        token: String::new(),
        ..auth(dir.path(), Caps::default())
    };
    let error = open(weak, PriceTable::none());
    assert!(matches!(error, Err(GatewayError::WeakToken)));
}

#[test]
fn unpriced_model_has_no_cost() {
    let used = Tokens {
        input: 1_000_000,
        output: 100_000,
        ..Tokens::default()
    };
    let dir = tempfile::tempdir().unwrap();
    let table = PriceTable::built_in().unwrap();
    let open = |caps| Arc::new(open(auth(dir.path(), caps), table.clone()).unwrap());
    let ask = |attempt: &Arc<Attempt>, model: &str| {
        let mut exchange = begin_model(attempt, model);
        if exchange.over_cap.is_none() {
            exchange.settle(&good(Some(used)));
        }
        exchange.over_cap.clone()
    };
    let free = open(Caps::default());
    assert_eq!(ask(&free, "claude-sonnet-4-5"), None);
    assert_eq!(free.record().usage.cost_usd, Some(4.5));
    assert_eq!(ask(&free, "unheard-of"), None);
    let record = free.record();
    assert_eq!(
        record.usage.cost_usd, None,
        "missing, not what is known of it"
    );
    let [known, unknown] = &record.costs[..] else {
        panic!("{:?}", record.costs)
    };
    let price = known.price.as_ref().unwrap();
    assert_eq!(price.from.as_deref(), Some("2025-09-29"));
    assert_eq!(price.source, "built in");
    assert_eq!((known.cost_usd, &unknown.price), (Some(4.5), &None));

    let capped = open(Caps {
        cost_usd: Some(4.0),
        ..Caps::default()
    });
    let hit = ask(&capped, "unheard-of").unwrap();
    assert!(hit.message.contains("no price is known"), "{hit}");
    assert_eq!(ask(&capped, "claude-sonnet-4-5"), None);
    assert!(ask(&capped, "claude-sonnet-4-5").is_some());
}

#[test]
fn dropped_exchange_is_booked_if_sent() {
    let (_dir, attempt) = attempt(Caps::default(), None);
    drop(begin(&attempt));
    let mut out = begin(&attempt);
    out.out = true;
    drop(out);
    let usage = attempt.record().usage;
    assert_eq!(
        (usage.requests, usage.unreported, usage.failed_requests),
        (1, 1, 1)
    );
    assert_eq!(usage.cost_usd, None);
}

#[test]
fn error_messages_are_bounded() {
    let (_dir, attempt) = attempt(Caps::default(), None);
    (0..250).for_each(|_| attempt.refused("no"));
    let record = attempt.record();
    assert_eq!(record.errors.len(), MAX_MESSAGES + 1);
    assert_eq!(record.errors.last().unwrap(), "and 150 more");
    assert_eq!(record.usage.failed_requests, 250);
}
