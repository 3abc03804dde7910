//! Observations that cast doubt on the honesty of a verdict.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Weight of an observation.
#[derive(
    Debug,
    Clone,
    Copy,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Weight {
    /// Honest work does this, too: a project's own `conftest.py`, a server left running.
    #[default]
    Noted,
    /// Honest work does not do this: it ended the runner, or requested an address that is never
    /// allowed.
    Violation,
}

impl Weight {
    /// The name in every output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Noted => "noted",
            Self::Violation => "violation",
        }
    }
}

/// One observation. It is not an accusation, and no verdict depends on it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(from = "Written")]
pub struct Sighting {
    /// Weight.
    pub weight: Weight,
    /// Kind, as a stable word: `test-configuration`, `left-processes`, ….
    pub kind: String,
    /// Description, in a sentence of one line.
    pub text: String,
    /// Evidence, one line each: paths, addresses, output.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<String>,
}

/// Stored form of an observation; older ones have only the sentence.
#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum Written {
    Text(String),
    Whole {
        #[serde(default)]
        weight: Weight,
        kind: String,
        text: String,
        #[serde(default)]
        evidence: Vec<String>,
    },
}

impl From<Written> for Sighting {
    fn from(written: Written) -> Self {
        match written {
            Written::Text(text) => Self::noted("unsorted", text),
            Written::Whole {
                weight,
                kind,
                text,
                evidence,
            } => Self {
                weight,
                kind,
                text,
                evidence,
            },
        }
    }
}

impl From<&str> for Sighting {
    /// An observation with only a sentence.
    fn from(text: &str) -> Self {
        Written::Text(text.to_owned()).into()
    }
}

impl Sighting {
    /// An observation that honest work causes, too.
    #[must_use]
    pub fn noted(kind: &str, text: impl Into<String>) -> Self {
        Self {
            weight: Weight::Noted,
            kind: kind.to_owned(),
            text: text.into(),
            evidence: Vec::new(),
        }
    }

    /// An observation that honest work does not cause.
    #[must_use]
    pub fn violation(kind: &str, text: impl Into<String>) -> Self {
        Self {
            weight: Weight::Violation,
            ..Self::noted(kind, text)
        }
    }

    /// Adds evidence.
    #[must_use]
    pub fn showing(mut self, evidence: impl IntoIterator<Item = String>) -> Self {
        self.evidence.extend(evidence);
        self
    }
}

impl fmt::Display for Sighting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.weight.name(), self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_plain_sightings_become_notes() {
        let old: Sighting = serde_json::from_str("\"there is a conftest.py\"").unwrap();
        assert_eq!(old.weight, Weight::Noted);
        assert_eq!(old.to_string(), "noted: there is a conftest.py");
        let new = Sighting::violation("outside-link", "a link").showing(["x -> /".to_owned()]);
        let text = serde_json::to_string(&new).unwrap();
        assert!(text.contains("\"violation\""), "{text}");
        assert_eq!(serde_json::from_str::<Sighting>(&text).unwrap(), new);
    }
}
