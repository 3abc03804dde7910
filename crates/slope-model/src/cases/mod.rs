//! slope's own declarative suite format: cases for command-line programs and HTTP services.
//!
//! A suite is one YAML file a checkpoint, `suite/<checkpoint>.yaml`. A case
//! gets an empty directory of its own, `files` are laid there, and its steps run
//! the program in it, or ask the service that it is, one after the other.

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
    /// Limit for one step in seconds, where a case sets none.
    #[serde(default = "default_timeout")]
    pub timeout_s: f64,
    /// The service of every case that asks one and names none of its own.
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
    /// Clauses of the spec that it tests, of its own checkpoint or an earlier one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clauses: Vec<String>,
    /// What kind of trouble it looks for.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub tags: BTreeSet<Tag>,
    /// Files to lay down before the first step: path to text.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
    /// Files that are no text: path to content.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub bytes: BTreeMap<String, Bytes>,
    /// The service that is started before the first step; that of the file if absent and a step needs one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service: Option<Service>,
    /// Runs of the program and whatever else is done, in order; the case passes when every step does.
    #[serde(default)]
    pub steps: Vec<Step>,
    /// What makes files and steps from a seed, in place of those written here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generate: Option<Generate>,
    /// What judges all that the steps gave, beside their own expectations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<CheckProgram>,
    /// Limit for one step in seconds.
    #[serde(default)]
    pub timeout_s: Option<f64>,
}

/// What kind of trouble a case looks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tag {
    /// Limits of what is accepted: empty, one, the most, one more.
    Boundary,
    /// Several at a time.
    Concurrency,
    /// More than a naive solution can do in the time.
    Performance,
    /// Input that means harm.
    Security,
}

/// One step: a run of the program unless it says otherwise.
///
/// At most one of `request`, `together`, `stop`, `start` and `restart` is given, and then nothing of a run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// Files to lay first, over whatever is there: path to text.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub write: BTreeMap<String, String>,
    /// Files to lay first that are no text: path to content.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub bytes: BTreeMap<String, Bytes>,
    /// Files and folders to remove first, whole; one that is not there is no fault.
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
    /// What must hold afterwards.
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

/// What a step does once its files are laid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Action<'a> {
    /// Runs the program.
    Run,
    /// Nothing more: the step lays and removes files only.
    Lay,
    /// Asks the service.
    Request(&'a Request),
    /// Asks it several things at once.
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
    /// What the step does; the first of several.
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

    /// What the step does besides running the program; more than one is a mistake.
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

    /// Whether the step says anything of a run.
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

/// A program of the suite's folder that makes a case's files and steps from a seed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Generate {
    /// Python file, relative to the suite's folder; called with the seed as its argument.
    pub program: String,
    /// The seeds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seeds: Vec<u64>,
    /// The seeds from 0, so many, if none are named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u64>,
}

impl Generate {
    /// Most seeds of one case.
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

/// What a generator prints.
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
    /// Whatever the check wants to know.
    #[serde(default)]
    pub facts: serde_json::Value,
}

/// A program of the suite's folder that judges what a program under test did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckProgram {
    /// Python file, relative to the suite's folder.
    pub program: String,
    /// Files of the case's directory that it gets to see.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
}

/// What must hold after a step. What is absent is not checked, except the exit code, which is 0 unless set.
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
    /// It does not exist.
    Absent,
    /// It exists and its text is as expected.
    Text(Box<TextExpect>),
    /// It exists and holds exactly these bytes.
    Bytes(Bytes),
}
