//! Model gateway: a loopback proxy between an agent and a model.
//!
//! An agent in a sandbox reaches only one thing: the gateway's socket. The gateway speaks four
//! [dialects](Dialect), requires the attempt's token, counts tokens and tool calls from the
//! responses, enforces caps, removes tools that the provider would run on its own side, and writes
//! every exchange to a log, which is the attempt's trajectory. The key of the real model stays on
//! the host. A [script](LoadedScript) can replace the model: its replies are a function of the
//! request alone.
//!
//! ```no_run
//! use slope_gateway::{AttemptAuth, Caps, Gateway, GatewayConfig, LoadedScript, Upstream};
//!
//! let script = LoadedScript::load("script.yaml".as_ref())?;
//! let gateway = Gateway::new(GatewayConfig::new(Upstream::Scripted(script.into())))?;
//! let serving = gateway.serve_loopback(AttemptAuth {
//!     token: slope_gateway::random_token()?,
//!     trial: "demo".into(),
//!     checkpoint_index: 1,
//!     log_path: "requests.jsonl".into(),
//!     caps: Caps::default(),
//!     prices: None,
//! })?;
//! // Run the agent against `serving.base_url()`, then:
//! let record = serving.finish();
//! assert_eq!(record.usage.unreported, 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod account;
mod answer;
mod atif;
mod attempt;
mod body;
mod conduct;
mod config;
mod costs;
mod dialect;
mod error;
mod events;
mod exchange;
mod gateway;
mod limiter;
mod log;
mod normal;
mod plain;
mod prices;
mod recording;
mod reply;
mod route;
mod script;
mod server;
mod sse;
mod upstream;

pub use account::{Books, CapHit, CapKind, CapScope};
pub use atif::{TrajectoryOf, logged_time, logged_usage, trajectory};
pub use attempt::AttemptRecord;
pub use conduct::{Conduct, RequestHashes, conduct};
pub use config::{
    AttemptAuth, Caps, GatewayConfig, HttpUpstream, KeyHeader, KeySource, Limits, Notify,
    RetryPolicy, Upstream,
};
pub use dialect::Dialect;
pub use error::GatewayError;
pub use gateway::{Gateway, Serving, random_token};
pub use limiter::RateLimits;
pub use prices::PriceTable;
pub use recording::Recordings;
pub use route::WRONG_TOKEN;
pub use script::LoadedScript;
