//! Usage: tokens, requests, tool calls, cost, time.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Token counts, normalised: the kinds of input do not overlap, in any dialect.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Tokens {
    /// Input tokens that were neither read from a cache nor written to one.
    #[serde(default)]
    pub input: u64,
    /// Input tokens read from the provider's cache.
    #[serde(default)]
    pub cache_read: u64,
    /// Input tokens written to the provider's cache.
    #[serde(default)]
    pub cache_write: u64,
    /// Cache writes that are kept for an hour, at a higher price.
    #[serde(default, skip_serializing_if = "none")]
    pub cache_write_1h: u64,
    /// Output tokens, reasoning included.
    #[serde(default)]
    pub output: u64,
    /// Output tokens that were reasoning.
    #[serde(default)]
    pub reasoning: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn none(count: &u64) -> bool {
    *count == 0
}

impl std::ops::AddAssign for Tokens {
    // A server can report any number.
    fn add_assign(&mut self, other: Self) {
        self.input = self.input.saturating_add(other.input);
        self.cache_read = self.cache_read.saturating_add(other.cache_read);
        self.cache_write = self.cache_write.saturating_add(other.cache_write);
        self.cache_write_1h = self.cache_write_1h.saturating_add(other.cache_write_1h);
        self.output = self.output.saturating_add(other.output);
        self.reasoning = self.reasoning.saturating_add(other.reasoning);
    }
}

/// Prices in US dollars per million tokens.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Prices {
    /// Uncached input.
    pub input: f64,
    /// Cache reads.
    #[serde(default)]
    pub cache_read: f64,
    /// Cache writes.
    #[serde(default)]
    pub cache_write: f64,
    /// Cache writes that are kept for an hour; `None` for the same price as `cache_write`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_write_1h: Option<f64>,
    /// Output.
    pub output: f64,
}

impl Prices {
    /// Cost of `tokens` in US dollars.
    #[must_use]
    pub fn cost(&self, tokens: &Tokens) -> f64 {
        #[expect(
            clippy::cast_precision_loss,
            reason = "token counts stay far below 2^53"
        )]
        let part = |count: u64, price: f64| count as f64 * price / 1e6;
        let hour = tokens.cache_write_1h.min(tokens.cache_write);
        part(tokens.input, self.input)
            + part(tokens.cache_read, self.cache_read)
            + part(tokens.cache_write.saturating_sub(hour), self.cache_write)
            + part(hour, self.cache_write_1h.unwrap_or(self.cache_write))
            + part(tokens.output, self.output)
    }
}

/// Usage of an attempt, counted by the gateway.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Usage {
    /// Tokens of all requests.
    pub tokens: Tokens,
    /// Requests that reached the model.
    pub requests: u64,
    /// Requests that the upstream or the gateway refused.
    pub failed_requests: u64,
    /// Tool calls requested by the model.
    pub tool_calls: u64,
    /// Responses whose upstream reported no usage; their tokens are missing from `tokens`.
    pub unreported: u64,
    /// Cost in US dollars; `None` if a price is unknown.
    pub cost_usd: Option<f64>,
}

impl std::ops::AddAssign<&Usage> for Usage {
    /// An unknown cost makes the sum unknown, unless nothing was used.
    fn add_assign(&mut self, other: &Self) {
        let nothing = |usage: &Self| usage.requests == 0 && usage.tokens == Tokens::default();
        self.cost_usd = match (self.cost_usd, other.cost_usd) {
            (Some(a), Some(b)) => Some(a + b),
            (Some(cost), None) if nothing(other) => Some(cost),
            (None, Some(cost)) if nothing(self) => Some(cost),
            _ => None,
        };
        self.tokens += other.tokens;
        self.requests += other.requests;
        self.failed_requests += other.failed_requests;
        self.tool_calls += other.tool_calls;
        self.unreported += other.unreported;
    }
}

/// Cost of the requests to one model at one price.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ModelCost {
    /// Requested model.
    pub model: String,
    /// Requests with reported usage.
    pub requests: u64,
    /// Their tokens.
    pub tokens: Tokens,
    /// The price; `None` if unknown.
    pub price: Option<PriceUsed>,
    /// Cost in US dollars; `None` if the price, or a needed part of it, is unknown.
    pub cost_usd: Option<f64>,
    /// Whether the provider reported the cost in its usage. slope uses that if it has no price.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reported: bool,
}

/// A price as it was applied, in US dollars per million tokens.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PriceUsed {
    /// Source: `given`, `script`, `built in`, or the name of a file.
    pub source: String,
    /// Pattern that matched the model's name; `None` for a price of any model.
    pub pattern: Option<String>,
    /// First day of the price, as `YYYY-MM-DD`; `None` for an undated price.
    pub from: Option<String>,
    /// Uncached input.
    pub input: f64,
    /// Cache reads; `None` if unknown.
    pub cache_read: Option<f64>,
    /// Cache writes; `None` if unknown.
    pub cache_write: Option<f64>,
    /// Cache writes that are kept for an hour; `None` if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_write_1h: Option<f64>,
    /// Output.
    pub output: f64,
}
