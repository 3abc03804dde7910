//! A gateway for one judgement.

use std::path::PathBuf;
use std::time::Duration;

use jiff::civil::Date;
use slope_gateway::{
    AttemptAuth, AttemptRecord, Caps, Gateway, GatewayConfig, PriceTable, RetryPolicy, Serving,
    Upstream, random_token,
};
use slope_model::usage::Tokens;

use crate::{Client, Error, ModelDialect};

/// Longest time that a request waits while the server fails. Somebody is waiting.
const OUTAGE: Duration = Duration::from_secs(20);

/// Where a model is, and what it may cost.
pub struct Endpoint {
    /// The server, script or recording that answers.
    pub upstream: Upstream,
    /// Its API.
    pub dialect: ModelDialect,
    /// The requested model.
    pub model: String,
    /// Prices.
    pub prices: PriceTable,
    /// Most that the judgement may use.
    pub caps: Caps,
    /// Folder of the log of requests.
    pub folder: PathBuf,
    /// Whether to record them, so that they can be replayed.
    pub is_recorded: bool,
    /// Receives messages about the server.
    pub notify: slope_gateway::Notify,
}

/// A gateway that serves one judgement.
pub struct Session {
    // The gateway serves as long as it is there.
    _gateway: Gateway,
    serving: Serving,
    client: Client,
}

impl Session {
    /// Starts a gateway.
    ///
    /// # Errors
    /// If its settings cannot be used, or it cannot listen.
    pub fn open(endpoint: Endpoint) -> Result<Self, Error> {
        let config = GatewayConfig {
            model: Some(endpoint.model.clone()),
            prices: Some(endpoint.prices),
            record: endpoint.is_recorded,
            notify: endpoint.notify,
            retry: RetryPolicy {
                outage: OUTAGE,
                ..RetryPolicy::default()
            },
            ..GatewayConfig::new(endpoint.upstream)
        };
        let gateway = Gateway::new(config)?;
        let token = random_token().map_err(Error::Random)?;
        let serving = gateway.serve_loopback(AttemptAuth {
            token: token.clone(),
            trial: "judge".to_owned(),
            checkpoint_index: 1,
            log_path: endpoint.folder.join("requests.jsonl"),
            caps: endpoint.caps,
            prices: None,
        })?;
        let client = Client::new(serving.base_url(), token, endpoint.dialect, endpoint.model);
        Ok(Self {
            _gateway: gateway,
            serving,
            client,
        })
    }

    /// The client of the gateway.
    #[must_use]
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// Ends the gateway; what it counted.
    #[must_use]
    pub fn finish(self) -> AttemptRecord {
        self.serving.finish()
    }
}

/// Cost of tokens in US dollars; `None` if the model has no price.
#[must_use]
pub fn estimated_cost(
    prices: &PriceTable,
    model: &str,
    day: Date,
    tokens: (u64, u64),
) -> Option<f64> {
    let tokens = Tokens {
        input: tokens.0,
        output: tokens.1,
        ..Tokens::default()
    };
    prices.cost(model, day, &tokens)
}

/// Refuses a limit in US dollars that the estimated cost exceeds already.
///
/// # Errors
/// If it does, or the model has no price.
pub fn check_limit(cost: Option<f64>, most: Option<f64>, model: &str) -> Result<(), Error> {
    match (cost, most) {
        (Some(cost), Some(most)) if cost > most => Err(Error::Limit(format!(
            "the estimate is above --max-usd {most}\nhelp: raise it, or judge fewer files or with fewer --repeats"
        ))),
        (None, Some(_)) => Err(Error::Limit(format!(
            "--max-usd needs a price, and slope knows none of {model}\nhelp: give prices in a file with --price-file"
        ))),
        _ => Ok(()),
    }
}
