//! Grades: what an edit is worth, and why.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The grade of one edit. Every key is always there.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct Grade {
    /// Name of the request.
    pub id: String,
    /// Whether it could be graded.
    pub status: Status,
    /// The reward to learn from, from 0 to 1. `null` if the tests' results are missing or something failed
    /// that is not the edit's fault.
    pub reward: Option<f64>,
    /// The same without quality, for filters that look for solved tasks: 1 or 0.
    pub score: Option<f64>,
    /// 1 if the required tests pass and nothing was tampered with, else 0.
    pub correctness: Option<f64>,
    /// Quality from 0 to 1, whether the tests pass or not. `null` if nothing could be judged.
    pub quality: Option<f64>,
    /// Quality if the edit is correct, else 0. For trainers that normalise each component.
    pub quality_conditioned: Option<f64>,
    /// Results of the tests. `null` if they are not known.
    pub tests: Option<TestResults>,
    /// Tokens of code that the edit adds and removes, for requests with a `task.group`.
    pub size: Option<f64>,
    /// Checks of inputs that the edit adds, less those that it removes, for requests with a `task.group`.
    pub checks: Option<i64>,
    /// Weighted slop that the edit adds; below 0 if it removes some. For requests with a `task.trajectory`.
    pub debt: Option<f64>,
    /// Reward for the step from the checkpoint before, from `slope grade group`. To be added to `reward`.
    pub shaping: Option<Shaping>,
    /// The components.
    pub components: Components,
    /// Why a component is `null`.
    pub missing: BTreeMap<String, String>,
    /// By what a component was measured where there are several ways: `p_min` has `R` for a
    /// reference and `S` for the edit alone. `T` (tests of parts of the edit) and `G` (other attempts that pass) are the
    /// larger of their own number and that of `S`.
    pub tiers: BTreeMap<String, String>,
    /// Share of the edit's code that could be read, from 0 to 1.
    pub coverage: Option<f64>,
    /// Signs of tampering and of hidden code.
    pub flags: Vec<Flag>,
    /// What the components rest on, the heaviest first.
    pub evidence: Vec<Evidence>,
    /// Why it could not be graded; `null` if it could.
    pub error: Option<Fault>,
    /// Name and version of the pack.
    pub pack: String,
    /// Version of slope, and of the definitions behind the numbers.
    pub engine: String,
}

/// Whether an edit could be graded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It is graded.
    Ok,
    /// Parts of it could not be read; `coverage` says how much was.
    Partial,
    /// It is graded, and the reward is 0 because of a flag.
    Refused,
    /// The time limit ended first.
    Timeout,
    /// The request cannot be graded; `error` says why.
    Error,
}

/// Reward for a step of a trajectory.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct Shaping {
    /// From -0.2 to 0.2: above 0 if the step removes slop.
    pub reward: f64,
    /// What the limits of `reward` cut off.
    pub residual: f64,
}

/// Results of tests.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct TestResults {
    /// Where they come from.
    pub source: TestSource,
    /// Whether the required tests pass.
    pub pass: bool,
    /// Why they do not pass, if it is not only the tests in `failures`.
    pub reason: Option<String>,
    /// Number of required tests that pass. `null` if no report was asked for.
    pub passed: Option<u32>,
    /// Number of required tests that do not.
    pub failed: Option<u32>,
    /// The first required tests that do not pass.
    pub failures: Vec<TestFailure>,
    /// Seconds that the tests took. The only number here that differs from run to run.
    pub seconds: Option<f64>,
    /// The end of what the command printed, with `options.evidence` = `full`.
    pub output: Option<String>,
}

/// Where results of tests come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TestSource {
    /// From the request.
    Given,
    /// From a run in the grader's sandbox.
    Run,
}

/// A required test that does not pass.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize, JsonSchema)]
pub struct TestFailure {
    /// Id of the test: that of the request, or that of the report if the request names no tests.
    pub id: String,
    /// What happened.
    pub outcome: TestOutcome,
}

/// What happened to a test.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum TestOutcome {
    /// It passes.
    Passed,
    /// It fails.
    Failed,
    /// It ends with an error, or was not finished.
    Error,
    /// It was skipped.
    Skipped,
    /// The report does not have it.
    Missing,
}

/// Components of quality. Penalties (`p_`) are 0 if nothing is worse and at most 1; bonuses (`b_`) are 0 if
/// there is nothing to praise. `null` means not measured.
#[derive(Debug, Clone, Copy, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct Components {
    /// Structural complexity that the edit adds.
    pub p_cx: Option<f64>,
    /// Code that the base or the edit already has.
    pub p_dup: Option<f64>,
    /// Code that nothing uses or reaches.
    pub p_dead: Option<f64>,
    /// Deviation from the surrounding code.
    pub p_dev: Option<f64>,
    /// Checks and error handling of existing functions that the edit weakens, widens or reroutes.
    pub p_contract: Option<f64>,
    /// Changes that the task does not need.
    pub p_min: Option<f64>,
    /// Use of what the base already has.
    pub b_reuse: Option<f64>,
}

impl Components {
    /// Their keys in order.
    pub const KEYS: [&'static str; 7] = [
        "p_cx",
        "p_dup",
        "p_dead",
        "p_dev",
        "p_contract",
        "p_min",
        "b_reuse",
    ];
}

/// A sign of tampering, or of code that is hidden from the measurement.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize, JsonSchema)]
pub struct Flag {
    /// Id.
    pub id: String,
    /// Whether it makes the reward 0.
    pub is_hard: bool,
    /// Path; empty for the edit as a whole.
    pub path: String,
    /// Line after the edit, from 1; 0 for the file as a whole.
    pub line: u32,
    /// What happened.
    pub message: String,
}

/// A piece of evidence.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct Evidence {
    /// The component.
    pub signal: String,
    /// Kind in kebab case: a rule of the gate, or a finding.
    pub kind: String,
    /// Place after the edit: `path:line` or `path:first-last`.
    pub at: String,
    /// Place of the other code, if there is one.
    pub of: Option<String>,
    /// Description, with counts.
    pub message: String,
    /// How much it adds to its component before saturation, in the component's unit.
    pub amount: f64,
}

/// Why a request cannot be graded.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct Fault {
    /// The field of the request, for example `change.data`; empty for the record as a whole.
    pub field: String,
    /// The reason.
    pub message: String,
    /// What to do.
    pub help: String,
}
