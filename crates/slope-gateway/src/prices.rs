//! Price tables: token prices of models by start day.

use std::cmp::Reverse;
use std::path::Path;
use std::sync::Arc;

use jiff::civil::Date;
use serde::Deserialize;
use slope_model::usage::{PriceUsed, Prices, Tokens};

use crate::error::GatewayError;

/// Schema of a price file.
const SCHEMA: &str = "slope.prices/1";

/// The prices that come with slope.
const BUILT_IN: &str = include_str!("../data/prices.toml");

/// A price file as written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    schema: String,
    #[serde(default)]
    price: Vec<Price>,
}

/// An entry of a price file.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Price {
    /// Patterns of model names; `*` matches any characters.
    models: Vec<String>,
    /// First day.
    from: Date,
    /// For requests with more input than this, of all kinds together.
    #[serde(default)]
    over_input: u64,
    input: f64,
    cache_read: Option<f64>,
    cache_write: Option<f64>,
    cache_write_1h: Option<f64>,
    output: f64,
    /// Name of the file, set after reading.
    #[serde(skip)]
    source: Arc<str>,
}

/// Prices of models, by day.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PriceTable {
    /// Layers, those that take precedence first.
    layers: Vec<Arc<[Price]>>,
}

impl PriceTable {
    /// A table without prices.
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    /// The prices that come with slope; see `data/prices.toml` for their sources.
    ///
    /// # Errors
    ///
    /// Never, unless this build is broken.
    pub fn built_in() -> Result<Self, GatewayError> {
        Self::parse(BUILT_IN, "built in", Path::new("data/prices.toml"))
    }

    /// Reads a price file.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is not of the shape `slope.prices/1`.
    pub fn load(path: &Path) -> Result<Self, GatewayError> {
        let text = std::fs::read_to_string(path).map_err(|source| GatewayError::Read {
            path: path.to_owned(),
            source,
        })?;
        let name = path.file_name().unwrap_or(path.as_os_str());
        Self::parse(&text, &name.to_string_lossy(), path)
    }

    fn parse(text: &str, source: &str, path: &Path) -> Result<Self, GatewayError> {
        let invalid = |message: String| GatewayError::Prices {
            path: path.to_owned(),
            message,
        };
        let file: File = toml::from_str(text).map_err(|error| invalid(error.to_string()))?;
        if file.schema != SCHEMA {
            return Err(invalid(format!(
                "the schema is {:?} and should be {SCHEMA:?}",
                file.schema
            )));
        }
        let source: Arc<str> = source.into();
        let mut prices = file.price;
        for price in &mut prices {
            let numbers = [price.cache_read, price.cache_write, price.cache_write_1h];
            let numbers = numbers.into_iter().flatten();
            let odd = |number: f64| !number.is_finite() || number < 0.0;
            if numbers.chain([price.input, price.output]).any(odd) {
                return Err(invalid(format!(
                    "the price of {:?} from {} is not a price: give numbers from 0 on",
                    price.models, price.from
                )));
            }
            price.source = source.clone();
        }
        Ok(Self {
            layers: vec![prices.into()],
        })
    }

    /// These prices, and those of `other` for models without one here.
    #[must_use]
    pub fn or(mut self, other: &Self) -> Self {
        self.layers.extend(other.layers.iter().cloned());
        self
    }

    /// Whether the model has a price on a day, for a request of any length.
    #[must_use]
    pub fn knows(&self, model: &str, day: Date) -> bool {
        self.find(model, day, u64::MAX).is_some()
    }

    /// Cost in US dollars of tokens of one request to a model on a day; `None` without a price.
    #[must_use]
    pub fn cost(&self, model: &str, day: Date, tokens: &Tokens) -> Option<f64> {
        self.find(model, day, tokens.input)?.cost(tokens)
    }

    /// The price of a request: from the first layer with a match, the most specific pattern, then
    /// the latest day, then the highest threshold.
    pub(crate) fn find(&self, model: &str, day: Date, input: u64) -> Option<Rate> {
        self.layers.iter().find_map(|layer| {
            let fitting = layer.iter().filter(|price| {
                price.from <= day && (price.over_input == 0 || price.over_input < input)
            });
            let matched = fitting.filter_map(|price| {
                let patterns = price.models.iter().filter(|p| matches(p, model));
                let best = patterns.max_by_key(|pattern| specificity(pattern))?;
                Some((specificity(best), price.from, price.over_input, best, price))
            });
            // The first of equals, so that the file's order decides ties.
            let (_, _, _, pattern, price) = matched
                .min_by_key(|(specific, from, over, _, _)| Reverse((*specific, *from, *over)))?;
            Some(Rate::of(price, pattern))
        })
    }
}

/// Literal characters of a pattern.
fn specificity(pattern: &str) -> usize {
    pattern.chars().filter(|c| *c != '*').count()
}

/// Whether a name matches a pattern, ignoring case.
fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name) = (pattern.to_ascii_lowercase(), name.to_ascii_lowercase());
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = name.strip_prefix(first) else {
        return false;
    };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else {
        return rest.is_empty();
    };
    for part in parts {
        let Some(at) = rest.find(part) else {
            return false;
        };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

/// Price applied to a request.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Rate(pub(crate) PriceUsed);

impl Rate {
    fn of(price: &Price, pattern: &str) -> Self {
        Self(PriceUsed {
            source: price.source.to_string(),
            pattern: Some(pattern.to_owned()),
            from: Some(price.from.to_string()),
            input: price.input,
            cache_read: price.cache_read,
            cache_write: price.cache_write,
            cache_write_1h: price.cache_write_1h,
            output: price.output,
        })
    }

    /// A price for any model at any time.
    pub(crate) fn fixed(prices: Prices, source: &str) -> Self {
        Self(PriceUsed {
            source: source.to_owned(),
            pattern: None,
            from: None,
            input: prices.input,
            cache_read: Some(prices.cache_read),
            cache_write: Some(prices.cache_write),
            cache_write_1h: Some(prices.cache_write_1h.unwrap_or(prices.cache_write)),
            output: prices.output,
        })
    }

    /// Cost in US dollars; `None` if used tokens have no known price.
    pub(crate) fn cost(&self, tokens: &Tokens) -> Option<f64> {
        let price = &self.0;
        let hour = tokens.cache_write_1h.min(tokens.cache_write);
        let known = |count: u64, price: Option<f64>| {
            if count == 0 { Some(0.0) } else { price }
        };
        let prices = Prices {
            input: price.input,
            cache_read: known(tokens.cache_read, price.cache_read)?,
            cache_write: known(tokens.cache_write.saturating_sub(hour), price.cache_write)?,
            cache_write_1h: Some(known(hour, price.cache_write_1h)?),
            output: price.output,
        };
        Some(prices.cost(tokens))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(entries: &str) -> PriceTable {
        let text = format!("schema = \"{SCHEMA}\"\n{entries}");
        PriceTable::parse(&text, "test", Path::new("test.toml")).unwrap()
    }

    fn entry(model: &str, from: &str, more: &str, input: f64) -> String {
        format!(
            "[[price]]\nmodels = [\"{model}\"]\nfrom = \"{from}\"\n{more}input = {input}\noutput = 10.0\n"
        )
    }

    fn input_of(table: &PriceTable, model: &str, day: &str, input: u64) -> Option<f64> {
        let found = table.find(model, day.parse().unwrap(), input)?;
        Some(found.0.input)
    }

    #[test]
    fn model_pattern_matches_whole_name() {
        assert!(matches("gpt-5", "GPT-5") && !matches("gpt-5", "gpt-5.5"));
        assert!(matches("gpt-5-20*", "gpt-5-2025-08-07") && !matches("gpt-5-20*", "gpt-5-mini"));
        assert!(matches("*sonnet*", "a-sonnet-b") && matches("a*b*c", "abbc"));
        assert!(!matches("a*b", "ab-") && matches("*", "") && !matches("aa*aa", "aaa"));
    }

    #[test]
    fn day_length_and_pattern_choose_price() {
        let entries = [
            entry("m*", "2026-01-01", "", 9.0),
            entry("m-1", "2026-01-01", "", 1.0),
            entry("m-1", "2026-06-01", "", 2.0),
            entry("m-1", "2026-06-01", "over_input = 1000\n", 4.0),
        ];
        let table = table(&entries.concat());
        for (model, day, input, expected) in [
            ("m-1", "2025-12-31", 1, None),
            ("m-1", "2026-05-31", 5000, Some(1.0)),
            ("m-1", "2026-06-01", 1000, Some(2.0)),
            ("m-1", "2026-06-01", 1001, Some(4.0)),
            ("m-2", "2026-06-01", 1, Some(9.0)),
            ("n", "2026-06-01", 1, None),
        ] {
            assert_eq!(
                input_of(&table, model, day, input),
                expected,
                "{model} {day}"
            );
        }
    }

    #[test]
    fn user_price_overrides_built_in_one() {
        let user = table(&entry("claude-opus-4-6", "2026-01-01", "", 77.0));
        let both = user.or(&PriceTable::built_in().unwrap());
        assert_eq!(
            input_of(&both, "claude-opus-4-6", "2026-11-22", 1),
            Some(77.0)
        );
        assert_eq!(
            input_of(&both, "claude-sonnet-4-5", "2026-11-22", 1),
            Some(3.0)
        );
        assert_eq!(
            input_of(&both, "gemini-2.5-pro", "2026-11-22", 300_000),
            Some(2.5)
        );
        assert_eq!(input_of(&both, "no-such-model", "2026-11-22", 1), None);
    }

    #[test]
    fn partial_price_covers_only_needed_parts() {
        let table = table(&entry("m", "2026-01-01", "cache_read = 1.0\n", 2.0));
        let rate = table.find("m", "2026-01-01".parse().unwrap(), 1).unwrap();
        let mut tokens = Tokens {
            input: 1_000_000,
            cache_read: 1_000_000,
            output: 100_000,
            ..Tokens::default()
        };
        assert_eq!(rate.cost(&tokens), Some(4.0));
        tokens.cache_write = 1;
        assert_eq!(rate.cost(&tokens), None);
    }

    #[test]
    fn hour_cache_writes_have_own_price() {
        let day = "2026-11-22".parse().unwrap();
        let built_in = PriceTable::built_in().unwrap();
        let rate = built_in.find("claude-sonnet-4-5", day, 1).unwrap();
        let tokens = Tokens {
            cache_write: 3_000_000,
            cache_write_1h: 1_000_000,
            ..Tokens::default()
        };
        assert_eq!(rate.cost(&tokens), Some(2.0 * 3.75 + 6.0));
        let none = table(&entry("m", "2026-01-01", "cache_write = 1.0\n", 2.0));
        let rate = none.find("m", day, 1).unwrap();
        assert_eq!(rate.cost(&tokens), None, "not known is not the other price");
        let given = Prices {
            input: 1.0,
            cache_read: 1.0,
            cache_write: 1.25,
            cache_write_1h: None,
            output: 1.0,
        };
        assert_eq!(Rate::fixed(given, "given").cost(&tokens), Some(3.75));
    }

    #[test]
    fn malformed_price_file_names_its_fault() {
        let parse = |text: &str| PriceTable::parse(text, "x", Path::new("x.toml")).unwrap_err();
        assert!(
            parse("schema = \"slope.prices/9\"")
                .to_string()
                .contains("slope.prices/9")
        );
        let negative = format!(
            "schema = \"{SCHEMA}\"\n{}",
            entry("m", "2026-01-01", "", -1.0)
        );
        assert!(parse(&negative).to_string().contains("is not a price"));
        let unknown = format!(
            "schema = \"{SCHEMA}\"\n{}",
            entry("m", "2026-01-01", "inptu = 1\n", 1.0)
        );
        let message = parse(&unknown).to_string();
        assert!(
            message.contains("x.toml") && message.contains("inptu"),
            "{message}"
        );
    }
}
