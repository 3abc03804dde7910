//! slope's own declarative suite format: cases for command-line programs and HTTP services.
//!
//! A suite is one YAML file per checkpoint, `suite/<checkpoint>.yaml`. A case gets an empty
//! directory of its own, `files` are written there, and its steps run the program in it, or send
//! requests to it as a service, one after the other.

mod bytes;
mod http;
mod path;
mod text;

pub use bytes::Bytes;
pub use http::{
    Capture, CountExpect, Ending, Ready, Request, ResponseExpect, Service, Start, Stop, Target,
    Together, TogetherExpect,
};
pub use path::{JsonPath, Location, Place, at, at_mut, show};
pub use text::{Compare, TextExpect};

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::problem::Group;

/// One suite file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaseFile {
    /// [`crate::schema::CASES`].
    pub schema: String,
    /// Default time limit of one step, in seconds.
    #[serde(default = "default_timeout")]
    pub timeout_s: f64,
    /// Default service of cases that need one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service: Option<Service>,
    /// Seconds that starting the track's interpreter takes on the machine that limits are meant for;
    /// where it takes longer, limits are stretched as much. A figure of slope's own if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference_s: Option<f64>,
    /// The cases.
    pub cases: Vec<Case>,
}

fn default_timeout() -> f64 {
    10.0
}

/// One test.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Id, unique in its file.
    pub id: String,
    /// Group; `regression` is never written, it follows from the checkpoint.
    pub group: Group,
    /// Clauses of the spec that it tests, of the same checkpoint or an earlier one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clauses: Vec<String>,
    /// Kinds of defects that it tests for.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub tags: BTreeSet<Tag>,
    /// Files to write before the first step: path to text.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
    /// Files that are no text: path to content.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub bytes: BTreeMap<String, Bytes>,
    /// The service that is started before the first step; if absent and a step needs one, that of
    /// the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service: Option<Service>,
    /// Steps in order, most of them runs of the program; the case passes if every step does.
    #[serde(default)]
    pub steps: Vec<Step>,
    /// Generator of files and steps from a seed, in place of those written here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generate: Option<Generate>,
    /// Program that judges the results of all steps, in addition to their own expectations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<CheckProgram>,
    /// Time limit of one step, in seconds.
    #[serde(default)]
    pub timeout_s: Option<f64>,
}

/// Kind of defects that a case tests for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tag {
    /// Limits of accepted values: empty, one, the maximum, one more.
    Boundary,
    /// Several at a time.
    Concurrency,
    /// More than a naive solution can do in the time.
    Performance,
    /// Input that means harm.
    Security,
}

/// One step: a run of the program unless it has another action.
///
/// At most one of `request`, `together`, `stop`, `start` and `restart` may be set, and then none of
/// the fields of a run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// Files to write first, replacing existing ones: path to text.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub write: BTreeMap<String, String>,
    /// Binary files to write first: path to content.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub bytes: BTreeMap<String, Bytes>,
    /// Files and folders to remove first, with their content; missing ones are ignored.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remove: Vec<String>,
    /// Arguments after the program's own name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    /// Standard input; empty if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stdin: Option<String>,
    /// Extra environment.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// Expectations after the step.
    #[serde(default)]
    pub expect: Expect,
    /// A request to the service.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<Request>,
    /// Requests to the service at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub together: Option<Together>,
    /// The end of the service.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop: Option<Stop>,
    /// A new start of the service.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<Start>,
    /// The end of the service and a new start as before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restart: Option<Stop>,
}

/// Action of a step after its files are written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Action<'a> {
    /// Runs the program.
    Run,
    /// None: the step only writes and removes files.
    Lay,
    /// Asks the service.
    Request(&'a Request),
    /// Sends concurrent requests.
    Together(&'a Together),
    /// Ends it.
    Stop(&'a Stop),
    /// Starts it again.
    Start(&'a Start),
    /// Ends it and starts it again.
    Restart(&'a Stop),
}

impl Action<'_> {
    /// Whether a service is needed for it.
    #[must_use]
    pub fn needs_service(self) -> bool {
        !matches!(self, Self::Run | Self::Lay)
    }
}

impl Step {
    /// The step's action; the first one if there are several.
    #[must_use]
    pub fn action(&self) -> Action<'_> {
        self.actions().first().copied().unwrap_or_else(|| {
            let lays = !(self.write.is_empty() && self.bytes.is_empty() && self.remove.is_empty());
            if lays && !self.says_run() {
                Action::Lay
            } else {
                Action::Run
            }
        })
    }

    /// The step's actions besides running the program; more than one is a mistake.
    #[must_use]
    pub fn actions(&self) -> Vec<Action<'_>> {
        let all = [
            self.request.as_ref().map(Action::Request),
            self.together.as_ref().map(Action::Together),
            self.stop.as_ref().map(Action::Stop),
            self.start.as_ref().map(Action::Start),
            self.restart.as_ref().map(Action::Restart),
        ];
        all.into_iter().flatten().collect()
    }

    /// Whether the step sets any field of a run.
    #[must_use]
    pub fn says_run(&self) -> bool {
        let none = self.args.is_empty() && self.stdin.is_none() && self.env.is_empty();
        !none || self.expect != Expect::default()
    }
}

impl Case {
    /// Whether a service has to run for it.
    #[must_use]
    pub fn needs_service(&self) -> bool {
        self.service.is_some() || self.steps.iter().any(|s| s.action().needs_service())
    }
}

/// A program in the suite's folder that generates a case's files and steps from a seed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Generate {
    /// Python file, relative to the suite's folder; called with the seed as its argument.
    pub program: String,
    /// The seeds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seeds: Vec<u64>,
    /// Number of seeds, from 0, if none are named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u64>,
}

impl Generate {
    /// Maximum number of seeds of one case.
    pub const MOST: usize = 1000;

    /// The seeds to use, in order.
    #[must_use]
    pub fn all_seeds(&self) -> Vec<u64> {
        if self.seeds.is_empty() {
            (0..self.count.unwrap_or(0)).collect()
        } else {
            self.seeds.clone()
        }
    }
}

/// Output of a generator.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Generated {
    /// As in [`Case`].
    #[serde(default)]
    pub files: BTreeMap<String, String>,
    /// As in [`Case`].
    #[serde(default)]
    pub bytes: BTreeMap<String, Bytes>,
    /// As in [`Case`].
    pub steps: Vec<Step>,
    /// Data for the check program, in any form.
    #[serde(default)]
    pub facts: serde_json::Value,
}

/// A program in the suite's folder that judges the results of a program under test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckProgram {
    /// Python file, relative to the suite's folder.
    pub program: String,
    /// Files of the case's directory that it gets to see.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
}

/// Expectations after a step. Absent ones are not checked, except the exit code, which is 0 by
/// default.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expect {
    /// Exit code; 0 if absent.
    #[serde(default)]
    pub exit: Option<i32>,
    /// Standard output.
    #[serde(default)]
    pub stdout: Option<TextExpect>,
    /// Standard error.
    #[serde(default)]
    pub stderr: Option<TextExpect>,
    /// Files relative to the case's directory.
    #[serde(default)]
    pub files: BTreeMap<String, FileExpect>,
}

/// An expectation on a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileExpect {
    /// It must not exist.
    Absent,
    /// Its text must be as expected.
    Text(Box<TextExpect>),
    /// Its content must be exactly these bytes.
    Bytes(Bytes),
}
