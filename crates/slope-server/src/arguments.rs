//! Arguments of tools.

use schemars::JsonSchema;
use serde::Deserialize;

/// Of `measure`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Measure {
    /// File or folder relative to the root; the root if left out.
    #[serde(default)]
    pub(crate) path: Option<String>,
    /// How many functions and findings to name, 1 to 50; 5 if left out.
    #[serde(default)]
    pub(crate) top: Option<usize>,
}

/// Of `explain`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Explain {
    /// Id of a rule or signal, as findings name it, for example `swallowed-exception`.
    pub(crate) rule: String,
}

/// Of `find_similar`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FindSimilar {
    /// The function that you are about to write, or a draft of it. Give this or `description`.
    #[serde(default)]
    pub(crate) code: Option<String>,
    /// What the function does, or its signature, in words.
    #[serde(default)]
    pub(crate) description: Option<String>,
    /// Language, such as `python`; needed with `code`.
    #[serde(default)]
    pub(crate) language: Option<String>,
    /// How many functions to name, 1 to 20; 5 if left out.
    #[serde(default)]
    pub(crate) limit: Option<usize>,
    /// Whether to search tests too.
    #[serde(default)]
    pub(crate) include_tests: bool,
}

/// Of `check`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Check {
    /// Revision to hold the files on disk against; where the branch left the default branch if left
    /// out. `HEAD` judges what is not committed.
    #[serde(default)]
    pub(crate) base: Option<String>,
    /// Folder relative to the root to tell of; all of it if left out.
    #[serde(default)]
    pub(crate) path: Option<String>,
}

/// Of `diff`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Diff {
    /// The earlier revision; where the branch left the default branch if left out.
    #[serde(default)]
    pub(crate) base: Option<String>,
    /// The later revision; `HEAD` if left out. What is not committed is not in it.
    #[serde(default)]
    pub(crate) head: Option<String>,
    /// How many functions to name, 1 to 50; 5 if left out.
    #[serde(default)]
    pub(crate) top: Option<usize>,
}
