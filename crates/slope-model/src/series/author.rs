//! The author of code: a person, an agent, or both.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::LONGEST_TEXT;

/// Who or what wrote code. Everything is optional.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Author {
    /// Name of a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = LONGEST_TEXT))]
    pub person: Option<String>,
    /// Name of an agent, for example `claude-code`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = LONGEST_TEXT))]
    pub agent: Option<String>,
    /// Version of the agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = LONGEST_TEXT))]
    pub agent_version: Option<String>,
    /// Name of the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = LONGEST_TEXT))]
    pub model: Option<String>,
    /// Id of the agent's session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = LONGEST_TEXT))]
    pub session: Option<String>,
}

impl Author {
    /// Whether nothing is known.
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        *self == Self::default()
    }

    pub(super) fn texts(&self) -> impl Iterator<Item = &String> {
        let all = [
            &self.person,
            &self.agent,
            &self.agent_version,
            &self.model,
            &self.session,
        ];
        all.into_iter().flatten()
    }
}
