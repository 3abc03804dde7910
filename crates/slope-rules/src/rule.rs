//! Facts about a rule.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use slope_model::finding::Severity;
use slope_syntax::Language;

/// Category of slope's own rules about security. Their matches are not verbose code.
pub const SECURITY: &str = "security";

/// A rule, without its program.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Rule {
    /// Id; kebab case in slope's own pack.
    pub id: String,
    /// The language it is for; the first if there are several.
    #[serde(with = "by_id")]
    pub language: Language,
    /// All its languages: that of `language`, then those of `metadata.languages`. A rule of
    /// ast-grep has only one.
    #[serde(with = "by_ids")]
    pub languages: Vec<Language>,
    /// Category; `other` by default.
    pub category: String,
    /// Severity; hint by default.
    pub severity: Severity,
    /// The problem, with the rule's variables in it; the id for a rule without a message.
    pub message: String,
    /// Reason that it is slop, and the better alternative. May be empty in foreign packs.
    pub note: String,
    /// Address of further documentation.
    pub url: Option<String>,
    /// Code in which the rule must have no hit.
    pub valid: Vec<String>,
    /// Code in which the rule must find something.
    pub invalid: Vec<String>,
    /// Whether it is matched by default; `metadata.default: off` if not.
    pub default_on: bool,
    /// Minimum number of hits in one file that count; fewer are dropped (`metadata.threshold`, or
    /// `min_file_count` in scb-check). 0 for no limit.
    pub threshold: u32,
    /// Its names in well-known linters (`metadata.linters`), as used in their directives.
    pub linters: Vec<String>,
    /// The first version of a language in which its advice can be followed
    /// (`metadata.since`), by language id.
    pub since: BTreeMap<String, String>,
    /// Whether it counts towards the published definitions' verbosity: rules of slope's own pack
    /// that implement published ones (`metadata.paper`), and every rule that a user adds.
    pub published: bool,
    /// Source file.
    pub path: PathBuf,
    /// Line of its begin in the file, from 1.
    pub line: usize,
    /// The rule as written.
    pub yaml: String,
}

mod by_id {
    use serde::{Deserialize, Deserializer, Serializer};
    use slope_syntax::Language;

    pub(super) fn serialize<S: Serializer>(language: &Language, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(language.id())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Language, D::Error> {
        let id = String::deserialize(d)?;
        Language::by_id(&id)
            .ok_or_else(|| serde::de::Error::custom(format!("unknown language {id}")))
    }
}

mod by_ids {
    use serde::{Deserialize, Deserializer, Serializer};
    use slope_syntax::Language;

    pub(super) fn serialize<S: Serializer>(
        languages: &[Language],
        s: S,
    ) -> Result<S::Ok, S::Error> {
        s.collect_seq(languages.iter().map(|language| language.id()))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Vec<Language>, D::Error> {
        let ids = Vec::<String>::deserialize(d)?;
        let known = |id: &String| {
            Language::by_id(id)
                .ok_or_else(|| serde::de::Error::custom(format!("unknown language {id}")))
        };
        ids.iter().map(known).collect()
    }
}
