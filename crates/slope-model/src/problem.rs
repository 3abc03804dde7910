//! Problems: ordered checkpoints, each a spec and a hidden suite.

use std::collections::BTreeMap;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The group of a test.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Group {
    /// Tests that every solution of a checkpoint must pass.
    Core,
    /// Further behaviour of the spec.
    Functionality,
    /// Behaviour on wrong input.
    Error,
    /// Tests of earlier checkpoints.
    Regression,
}

impl Group {
    /// All groups in the order in which they are printed.
    pub const ALL: [Group; 4] = [
        Group::Core,
        Group::Functionality,
        Group::Error,
        Group::Regression,
    ];

    /// The name used in every output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Group::Core => "core",
            Group::Functionality => "functionality",
            Group::Error => "error",
            Group::Regression => "regression",
        }
    }
}

/// Driver of a problem's suites.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SuiteKind {
    /// The published pytest contract: `tests/` with `conftest.py` and `test_checkpoint_N.py`.
    Pytest,
    /// slope's own declarative cases: `suite/checkpoint_N.yaml`.
    Cases,
}

/// A file or folder that the spec promises to the agent and to the tests.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StaticAsset {
    /// Key in `config.yaml`.
    pub name: String,
    /// Absolute path on the host.
    pub source: PathBuf,
    /// Path in the workspace, relative.
    pub save_path: PathBuf,
}

/// Goals of a refactoring. Each is a share of what the code that it starts from has, above 0 and below 1.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Goals {
    /// Largest complexity mass.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub complexity_mass: Option<f64>,
    /// Largest number of clone lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clone_lines: Option<f64>,
    /// Most CPU time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_time: Option<CpuGoal>,
}

impl Goals {
    /// The shares that are set, by the name of their key.
    pub fn shares(&self) -> impl Iterator<Item = (&'static str, f64)> {
        let cpu_time = self.cpu_time.as_ref().map(|goal| goal.share);
        let all = [
            ("complexity_mass", self.complexity_mass),
            ("clone_lines", self.clone_lines),
            ("cpu_time", cpu_time),
        ];
        all.into_iter()
            .filter_map(|(name, share)| Some((name, share?)))
    }
}

/// The most CPU time of a refactored program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CpuGoal {
    /// Share of the CPU time of the program that it starts from.
    pub share: f64,
    /// Cases of the checkpoint whose CPU time counts, together.
    pub cases: Vec<String>,
}

/// One checkpoint of a problem.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// Key in `config.yaml`, for example `checkpoint_1`.
    pub name: String,
    /// Position, from 1.
    pub index: u32,
    /// Version of the checkpoint.
    pub version: u32,
    /// Spec text as the agent sees it: canary removed, placeholders replaced.
    pub spec: String,
    /// Whether the tests of earlier checkpoints run too, as regression tests.
    pub include_prior_tests: bool,
    /// Time limit of one test in seconds, if the problem sets one.
    pub test_timeout_s: Option<f64>,
    /// Environment of the test process.
    pub env: BTreeMap<String, String>,
    /// Goals of a refactoring, which starts from the problem's legacy code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goals: Option<Goals>,
}

/// A problem folder, loaded and checked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Problem {
    /// Name, unique in its catalog.
    pub name: String,
    /// Version, raised when tests change.
    pub version: u32,
    /// Description for people.
    pub description: String,
    /// Category, if the catalog gives one.
    pub category: Option<String>,
    /// Difficulty, if the catalog gives one.
    pub difficulty: Option<String>,
    /// Family: the kind of difficulty that all checkpoints have in common, for example `concurrency`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub family: Option<String>,
    /// Tags for readers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Entry file as the agent must name it, for example `code_search.py`.
    pub entry_file: String,
    /// Folder on the host.
    pub root: PathBuf,
    /// Driver of the suites.
    pub suite: SuiteKind,
    /// Checkpoints in order.
    pub checkpoints: Vec<Checkpoint>,
    /// Assets promised to agent and tests.
    pub static_assets: Vec<StaticAsset>,
    /// Custom pytest marker to group.
    pub markers: BTreeMap<String, Group>,
    /// Extra requirements of the tests.
    pub test_dependencies: Vec<String>,
    /// Hash over all files of the folder that can change a verdict or a prompt.
    pub hash: String,
}

impl Problem {
    /// Whether it has a refactoring: a checkpoint with goals.
    #[must_use]
    pub fn is_refactoring(&self) -> bool {
        self.checkpoints.iter().any(|one| one.goals.is_some())
    }
}
