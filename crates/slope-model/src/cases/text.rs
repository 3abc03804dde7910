//! Expectations on texts.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::JsonPath;

/// An expectation on a text. All given conditions must hold.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TextExpect {
    /// Equal after the trailing white space of the whole text is removed on both sides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub equals: Option<String>,
    /// Every one occurs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contains: Vec<String>,
    /// None occurs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_contains: Vec<String>,
    /// A regular expression that matches somewhere (multi-line).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matches: Option<String>,
    /// A regular expression that matches nowhere (multi-line).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_matches: Option<String>,
    /// Equal as JSON (key order does not matter).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub json: Option<Value>,
    /// Each path leads to one value, which is equal to this one.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub json_at: BTreeMap<JsonPath, Value>,
    /// Each path leads to one array or object with so many entries.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub json_length: BTreeMap<JsonPath, usize>,
    /// Each path leads to one array, which has for each of these values an item of its own that is equal.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub json_includes: BTreeMap<JsonPath, Vec<Value>>,
    /// Each line that is not empty is JSON; the list of them is equal to this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub json_lines: Option<Vec<Value>>,
    /// JSON that is valid against this JSON Schema (draft 2020-12, nothing is fetched).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<Value>,
    /// How JSON is compared.
    #[serde(default, skip_serializing_if = "Compare::is_exact")]
    pub compare: Compare,
}

impl TextExpect {
    /// Whether there is no condition at all.
    #[must_use]
    pub fn checks_nothing(&self) -> bool {
        let conditions = Self {
            compare: Compare::default(),
            ..self.clone()
        };
        conditions == Self::default()
    }
}

/// How JSON is compared. Numbers are equal when their values are, whatever the notation.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Compare {
    /// Whether objects may have more keys than expected, at any depth.
    #[serde(default)]
    pub subset: bool,
    /// Largest difference of two numbers that count as equal; 0 or more.
    #[serde(default)]
    pub tolerance: f64,
    /// Arrays whose order does not matter.
    #[serde(default)]
    pub unordered: Vec<JsonPath>,
    /// Arrays of objects that are sorted first, by the value at this dotted path in each.
    #[serde(default)]
    pub sort_by: BTreeMap<JsonPath, String>,
    /// Values that are removed first, from both sides.
    #[serde(default)]
    pub ignore: Vec<JsonPath>,
}

impl Compare {
    /// Whether nothing is set.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        *self == Self::default()
    }
}
