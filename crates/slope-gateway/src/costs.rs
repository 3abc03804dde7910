//! Costs of an attempt's models.

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use slope_model::usage::{ModelCost, Tokens};

use crate::prices::{PriceTable, Rate};

/// Source of an attempt's prices.
#[derive(Debug, Clone)]
pub(crate) enum Pricing {
    /// One price for every request.
    Fixed(Rate),
    /// By model and day.
    Listed(PriceTable),
}

impl Pricing {
    /// The price of a request.
    pub(crate) fn rate(&self, model: &str, day: Date, input: u64) -> Option<Rate> {
        match self {
            Self::Fixed(rate) => Some(rate.clone()),
            Self::Listed(table) => table.find(model, day, input),
        }
    }
}

/// Sums by model and price.
#[derive(Debug, Default)]
pub(crate) struct Costs {
    /// By model, by the price as JSON, and by whether the provider reported the cost.
    sums: BTreeMap<(String, String, bool), (Option<Rate>, ModelCost)>,
}

impl Costs {
    /// Adds a response. Returns its cost.
    pub(crate) fn add(
        &mut self,
        pricing: &Pricing,
        model: &str,
        day: Date,
        tokens: Tokens,
        reported: Option<f64>,
    ) -> Option<f64> {
        let input = [tokens.cache_read, tokens.cache_write];
        let input = input.into_iter().fold(tokens.input, u64::saturating_add);
        let rate = pricing.rate(model, day, input);
        let price = rate.as_ref().map(|rate| rate.0.clone());
        // A configured price takes precedence over the reported cost.
        let reported = reported.filter(|_| rate.is_none());
        let key = (
            serde_json::to_string(&price).unwrap_or_default(),
            reported.is_some(),
        );
        let cost = reported.or_else(|| rate.as_ref().and_then(|rate| rate.cost(&tokens)));
        let (_, sum) = self
            .sums
            .entry((model.to_owned(), key.0, key.1))
            .or_insert_with(|| {
                let none = ModelCost {
                    model: model.to_owned(),
                    requests: 0,
                    tokens: Tokens::default(),
                    price,
                    cost_usd: None,
                    reported: reported.is_some(),
                };
                (rate, none)
            });
        sum.requests += 1;
        sum.tokens += tokens;
        if let Some(reported) = reported {
            *sum.cost_usd.get_or_insert_default() += reported;
        }
        cost
    }

    /// The sums with their costs, by model.
    pub(crate) fn list(&self) -> Vec<ModelCost> {
        let priced = self.sums.values().map(|(rate, cost)| ModelCost {
            cost_usd: match rate {
                Some(rate) => rate.cost(&cost.tokens),
                None => cost.cost_usd,
            },
            ..cost.clone()
        });
        priced.collect()
    }
}

/// The day of a time, in UTC.
pub(crate) fn day_of(unix_ms: u64) -> Date {
    let ms = i64::try_from(unix_ms).unwrap_or(i64::MAX);
    let time = Timestamp::from_millisecond(ms).unwrap_or(Timestamp::MAX);
    time.to_zoned(TimeZone::UTC).date()
}
