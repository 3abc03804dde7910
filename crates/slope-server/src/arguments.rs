//! Arguments of tools.

use schemars::JsonSchema;
use serde::Deserialize;

/// Arguments of `measure`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Measure {
    /// File or folder relative to the root. Default: the root.
    #[serde(default)]
    pub(crate) path: Option<String>,
    /// Maximum number of functions and findings to list, 1 to 50. Default: 5.
    #[serde(default)]
    pub(crate) top: Option<usize>,
}

/// Arguments of `explain`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Explain {
    /// Id of a rule or signal, as in findings, for example `swallowed-exception`.
    pub(crate) rule: String,
}

/// Arguments of `find_similar`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FindSimilar {
    /// Draft of the function that you are about to write. Pass this or `description`.
    #[serde(default)]
    pub(crate) code: Option<String>,
    /// Description of the function: its purpose or its signature.
    #[serde(default)]
    pub(crate) description: Option<String>,
    /// Language of `code`, for example `python`. Required with `code`.
    #[serde(default)]
    pub(crate) language: Option<String>,
    /// Maximum number of functions to list, 1 to 20. Default: 5.
    #[serde(default)]
    pub(crate) limit: Option<usize>,
    /// Whether to search tests, too. Default: false.
    #[serde(default)]
    pub(crate) include_tests: bool,
}

/// Arguments of `check`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Check {
    /// Revision to compare the files on disk with. `HEAD` judges uncommitted changes. Default: the
    /// commit where the branch left the default branch.
    #[serde(default)]
    pub(crate) base: Option<String>,
    /// Folder to report, relative to the root. Default: the root.
    #[serde(default)]
    pub(crate) path: Option<String>,
}

/// Arguments of `diff`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Diff {
    /// Earlier revision. Default: the commit where the branch left the default branch.
    #[serde(default)]
    pub(crate) base: Option<String>,
    /// Later revision. Uncommitted changes are not included. Default: `HEAD`.
    #[serde(default)]
    pub(crate) head: Option<String>,
    /// Maximum number of functions to list, 1 to 50. Default: 5.
    #[serde(default)]
    pub(crate) top: Option<usize>,
}
