//! One run of a command over a base, an edit and the files of the tests.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use slope_model::grade::Fault;
use slope_model::grade_request::{ReportFormat, TestCommand, TestSuite, Tests};

use super::rules::{REPORT, TestRules};
use crate::base::{Base, Layout};
use crate::edit::{Edit, Text, fault};

/// One run of a command over a base, an edit and the files of the tests.
#[derive(Clone)]
pub struct Job {
    /// The files of the base.
    pub layout: Arc<Layout>,
    /// Files that differ from the base; `None` for one that is not there.
    pub files: BTreeMap<String, Option<Arc<[u8]>>>,
    /// Program and arguments.
    command: Vec<String>,
    /// Tests of a problem, in place of a command.
    pub suite: Option<TestSuite>,
    /// Format and place of the report.
    pub report: Option<(ReportFormat, ReportPlace)>,
    /// The environment.
    pub env: BTreeMap<String, String>,
    /// Time limit.
    pub timeout: Duration,
}

/// Where a report is found.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ReportPlace {
    /// In a new file whose path the command has.
    File,
    /// In a folder of the base, which is empty when the command starts.
    Folder(String),
    /// In the output of the command.
    Output,
}

impl Job {
    /// The run for an edit. The files of the tests replace those of the edit.
    pub(super) fn new(
        base: &Base,
        edit: &Edit,
        tests: &Tests,
        rules: &TestRules,
    ) -> Result<Self, Fault> {
        let patch = tests.patch.as_ref();
        let patch = patch.map(|patch| Edit::of(base, patch, "tests.patch.data"));
        let patch = patch.transpose()?.unwrap_or_default();
        let after = |edit: &Edit| -> BTreeMap<String, Text> {
            let files = edit.files.iter();
            let files = files.map(|(path, (_, after))| (path.clone(), after.clone()));
            files.collect()
        };
        let mut files = after(edit);
        files.extend(after(&patch));
        // A file of the tests that equals the base's replaces that of the edit, too.
        for path in tests.patch.iter().flat_map(named_files) {
            files.entry(path.clone()).and_modify(|text| {
                if !patch.files.contains_key(path) {
                    *text = base.bytes(path);
                }
            });
        }
        let layout = base.layout().map_err(|error| {
            let message = format!("the files of the base cannot be read: {error}");
            fault(
                "base",
                message,
                "leave the base as it is while edits are graded",
            )
        })?;
        let limit = tests.timeout_s.unwrap_or(rules.timeout_s);
        Ok(Self {
            layout,
            files,
            command: argv(tests.command.as_ref()),
            suite: tests.suite.clone(),
            report: tests.report.map(|format| (format, place(format, tests))),
            env: tests.env.clone(),
            timeout: Duration::from_secs_f64(limit.min(rules.timeout_s)),
        })
    }

    /// Program and arguments, with the path of the report's file.
    #[must_use]
    pub fn command(&self, report: &str) -> Vec<String> {
        let words = self.command.iter();
        words.map(|word| word.replace(REPORT, report)).collect()
    }

    /// What makes two runs the same.
    #[must_use]
    pub fn key(&self) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new();
        let mut add = |part: &[u8]| {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        };
        add(&self.layout.number().to_le_bytes());
        add(&self.timeout.as_nanos().to_le_bytes());
        add(format!("{:?}", self.report).as_bytes());
        add(format!("{:?}", self.suite).as_bytes());
        for word in &self.command {
            add(word.as_bytes());
        }
        add(b"env");
        for (name, value) in &self.env {
            add(name.as_bytes());
            add(value.as_bytes());
        }
        add(b"files");
        for (path, text) in &self.files {
            add(path.as_bytes());
            add(&[u8::from(text.is_some())]);
            add(text.as_deref().unwrap_or_default());
        }
        *hasher.finalize().as_bytes()
    }
}

/// Paths that a change of files names.
fn named_files(change: &slope_model::grade_request::Change) -> Vec<&String> {
    match change {
        slope_model::grade_request::Change::Files(files) => files.keys().collect(),
        _ => Vec::new(),
    }
}

fn argv(command: Option<&TestCommand>) -> Vec<String> {
    match command {
        Some(TestCommand::Line(line)) => ["/bin/sh", "-c", line].map(str::to_owned).to_vec(),
        Some(TestCommand::Words(words)) => words.clone(),
        None => Vec::new(),
    }
}

fn place(format: ReportFormat, tests: &Tests) -> ReportPlace {
    match (&tests.report_folder, format) {
        (Some(folder), _) => ReportPlace::Folder(folder.trim_end_matches('/').to_owned()),
        (None, ReportFormat::Junit) => ReportPlace::File,
        (None, _) => ReportPlace::Output,
    }
}
