//! Usage: tokens, requests, tool calls, cost, time.

use serde::{Deserialize, Serialize};

/// Token counts, normalised: the input kinds exclude one another, whatever the dialect counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tokens {
    /// Input tokens that came from no cache and were written to none.
    #[serde(default)]
    pub input: u64,
    /// Input tokens read from the provider's cache.
    #[serde(default)]
    pub cache_read: u64,
    /// Input tokens written to the provider's cache.
    #[serde(default)]
    pub cache_write: u64,
    /// Those cache writes that are kept for an hour, for a higher price.
    #[serde(default, skip_serializing_if = "none")]
    pub cache_write_1h: u64,
    /// Output tokens, reasoning included.
    #[serde(default)]
    pub output: u64,
    /// Those output tokens that were reasoning.
    #[serde(default)]
    pub reasoning: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn none(count: &u64) -> bool {
    *count == 0
}

impl std::ops::AddAssign for Tokens {
    fn add_assign(&mut self, other: Self) {
        self.input += other.input;
        self.cache_read += other.cache_read;
        self.cache_write += other.cache_write;
        self.cache_write_1h += other.cache_write_1h;
        self.output += other.output;
        self.reasoning += other.reasoning;
    }
}

/// Prices in US dollars per million tokens.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
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
    /// Cache writes that are kept for an hour; as `cache_write` if `None`.
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

/// What an attempt used, as the gateway counted it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens of all requests.
    pub tokens: Tokens,
    /// Requests that reached the model.
    pub requests: u64,
    /// Requests that the upstream or the gateway refused.
    pub failed_requests: u64,
    /// Tool calls that the model asked for.
    pub tool_calls: u64,
    /// Responses whose upstream reported no usage; their tokens are missing from `tokens`.
    pub unreported: u64,
    /// Cost in US dollars; `None` where no price is known.
    pub cost_usd: Option<f64>,
}

impl std::ops::AddAssign<&Usage> for Usage {
    /// A cost that is not known makes that of the sum unknown, unless nothing was used.
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

/// What the requests to one model cost at one price.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ModelCost {
    /// Model as it was asked for.
    pub model: String,
    /// Requests whose usage was reported.
    pub requests: u64,
    /// Their tokens.
    pub tokens: Tokens,
    /// The price; `None` where none is known.
    pub price: Option<PriceUsed>,
    /// Cost in US dollars; `None` where the price, or the part of it that was needed, is not known.
    pub cost_usd: Option<f64>,
    /// Whether the provider reported the cost in its usage. slope uses that if it knows no price.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reported: bool,
}

/// A price as it was applied, in US dollars per million tokens.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PriceUsed {
    /// Where it is from: `given`, `script`, `built in`, or the name of a file.
    pub source: String,
    /// Pattern that matched the model's name; `None` for a price that holds for any.
    pub pattern: Option<String>,
    /// First day of the price, as `YYYY-MM-DD`; `None` for a price without one.
    pub from: Option<String>,
    /// Uncached input.
    pub input: f64,
    /// Cache reads; `None` where not known.
    pub cache_read: Option<f64>,
    /// Cache writes; `None` where not known.
    pub cache_write: Option<f64>,
    /// Cache writes that are kept for an hour; `None` where not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_write_1h: Option<f64>,
    /// Output.
    pub output: f64,
}
