//! Hashes of what the requests of an agent have in common.

use regex::Regex;
use serde_json::Value;
use std::sync::LazyLock;

use crate::dialect::{Dialect, Item};

/// Fields of a request that decide how the model answers.
const PARAMETERS: [&str; 20] = [
    "temperature",
    "top_p",
    "top_k",
    "max_tokens",
    "max_completion_tokens",
    "max_output_tokens",
    "reasoning",
    "reasoning_effort",
    "thinking",
    "output_config",
    "verbosity",
    "text",
    "parallel_tool_calls",
    "tool_choice",
    "generationConfig",
    "service_tier",
    "seed",
    "stop",
    "stop_sequences",
    "context_management",
];

/// Dates, times and ids, which differ from day to day without any change of the prompt.
static VOLATILE: LazyLock<Regex> = LazyLock::new(|| {
    let month = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*";
    let weekday = "(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,?";
    let patterns = [
        r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?Z?)?".to_owned(),
        r"\d{1,2}/\d{1,2}/\d{4}".to_owned(),
        format!(r"(?i)\b{weekday} {month} \d{{1,2}}(?:,? \d{{4}})?"),
        format!(r"(?i)\b{month} \d{{1,2}},? \d{{4}}"),
        format!(r"(?i)\b(?:{weekday} )?\d{{1,2}} {month},? \d{{4}}"),
        r"\b\d{2}:\d{2}:\d{2}\b".to_owned(),
        r"\b[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}\b".to_owned(),
        r"127\.0\.0\.1:\d+".to_owned(),
    ];
    Regex::new(&patterns.join("|")).expect("a test compiles the pattern")
});

/// Hashes of what the requests of an agent have in common. `None` for what they do not have.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RequestHashes {
    /// The system prompt, without dates and ids.
    pub system: Option<String>,
    /// Definitions of the tools.
    pub tools: Option<String>,
    /// Effort, temperature, lengths and the like.
    pub parameters: Option<String>,
}

impl RequestHashes {
    pub(super) fn of(dialect: Dialect, request: &Value) -> Self {
        let system = dialect.conversation(request).into_iter();
        let system = system.filter_map(|item| match item {
            Item::System(text) => Some(text),
            _ => None,
        });
        let system = Vec::from_iter(system).join("\n");
        let tools = request.get("tools").map(Value::to_string);
        let parameters = PARAMETERS
            .into_iter()
            .filter_map(|name| Some((name, request.get(name)?)));
        let parameters = Vec::from_iter(parameters);
        Self {
            system: Some(system)
                .filter(|text| !text.is_empty())
                .map(|text| hash(&text)),
            tools: tools.map(|text| hash(&text)),
            parameters: (!parameters.is_empty())
                .then(|| hash(&serde_json::to_string(&parameters).unwrap_or_default())),
        }
    }
}

/// The hash of a text without dates and ids.
fn hash(text: &str) -> String {
    let lasting = VOLATILE.replace_all(text, "…");
    blake3::hash(lasting.as_bytes()).to_hex()[..16].to_owned()
}

#[cfg(test)]
mod tests {
    use super::hash;

    #[test]
    fn dates_do_not_change_hashes() {
        let same = [
            "Today's date: 2026-11-30 at 12:30:00.",
            "Today's date: 2027-01-02 at 09:01:59.",
        ];
        assert_eq!(hash(same[0]), hash(same[1]));
        let words = ["Now: Monday, November 30, 2026", "Now: Sat Jan 2 2027"];
        assert_eq!(hash(words[0]), hash(words[1]));
        assert_ne!(hash("at most 25 words"), hash("at most 100 words"));
        assert_ne!(hash("you may 2 times"), hash("you may 3 times"));
    }
}
