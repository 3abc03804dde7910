//! The parts of a rule file that decide its matches, in their YAML form.
//!
//! ast-grep's own reader parses them, so that a file means the same to both.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::IgnoredAny;

/// A rule file's matching part.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct CoreYaml {
    pub(crate) rule: RuleYaml,
    #[serde(default)]
    pub(crate) constraints: Option<BTreeMap<String, RuleYaml>>,
    #[serde(default)]
    pub(crate) utils: Option<BTreeMap<String, RuleYaml>>,
}

/// A condition on a node; all fields must match.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct RuleYaml {
    pub(crate) pattern: Option<PatternYaml>,
    pub(crate) kind: Option<String>,
    pub(crate) regex: Option<String>,
    pub(crate) nth_child: Option<NthChildYaml>,
    pub(crate) range: Option<RangeYaml>,
    pub(crate) inside: Option<Box<RelationYaml>>,
    pub(crate) has: Option<Box<RelationYaml>>,
    pub(crate) precedes: Option<Box<RelationYaml>>,
    pub(crate) follows: Option<Box<RelationYaml>>,
    pub(crate) all: Option<Vec<RuleYaml>>,
    pub(crate) any: Option<Vec<RuleYaml>>,
    pub(crate) not: Option<Box<RuleYaml>>,
    pub(crate) matches: Option<MatchesYaml>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub(crate) enum PatternYaml {
    Text(String),
    Contextual {
        context: String,
        selector: Option<String>,
        strictness: Option<StrictnessYaml>,
    },
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum StrictnessYaml {
    Cst,
    Smart,
    Ast,
    Relaxed,
    Signature,
    Template,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub(crate) enum PositionYaml {
    Number(u32),
    Formula(String),
}

#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub(crate) enum NthChildYaml {
    Simple(PositionYaml),
    #[serde(rename_all = "camelCase")]
    Complex {
        position: PositionYaml,
        of_rule: Option<Box<RuleYaml>>,
        #[serde(default)]
        reverse: bool,
    },
}

#[derive(Debug, Clone, Copy, Deserialize)]
pub(crate) struct PlaceYaml {
    pub(crate) line: u32,
    pub(crate) column: Option<u32>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
pub(crate) struct RangeYaml {
    pub(crate) start: PlaceYaml,
    pub(crate) end: PlaceYaml,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RelationYaml {
    #[serde(flatten)]
    pub(crate) rule: RuleYaml,
    #[serde(default)]
    pub(crate) stop_by: Option<StopByYaml>,
    #[serde(default)]
    pub(crate) field: Option<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub(crate) enum StopByYaml {
    Word(String),
    Rule(Box<RuleYaml>),
}

#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub(crate) enum MatchesYaml {
    Id(String),
    Call(IgnoredAny),
}
