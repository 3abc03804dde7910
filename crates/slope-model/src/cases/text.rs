//! Expectations on texts.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::JsonPath;

/// Expectations of a text. All given conditions must be true.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TextExpect {
    /// Equal after the trailing white space of the whole text is removed on both sides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub equals: Option<String>,
    /// Texts that must all occur.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contains: Vec<String>,
    /// None occurs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_contains: Vec<String>,
    /// A regular expression that matches somewhere (multi-line).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matches: Option<String>,
    /// A regular expression that must not match anywhere (multi-line).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_matches: Option<String>,
    /// Equal as JSON (key order does not matter).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub json: Option<Value>,
    /// For each path, the value at it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub json_at: BTreeMap<JsonPath, Value>,
    /// For each path, the number of entries of the array or object at it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub json_length: BTreeMap<JsonPath, usize>,
    /// For each path, values that each equal an item of their own in the array at it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub json_includes: BTreeMap<JsonPath, Vec<Value>>,
    /// The non-empty lines must each be JSON; together they equal this list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub json_lines: Option<Vec<Value>>,
    /// JSON Schema (draft 2020-12) that the JSON must match; nothing is fetched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<Value>,
    /// Options of the JSON comparison.
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

/// Options for comparing JSON. Numbers are equal if their values are, in any notation.
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
    /// Whether all options have their defaults.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        *self == Self::default()
    }
}
