//! A code base in a folder, and grades of edits of it.

use std::collections::BTreeMap;

use slope_grade::{Engine, Grader, Pack};
use slope_model::grade::Grade;
use slope_model::grade_request::{Change, EvidenceDetail, Request, RequestOptions, Task, Tests};

pub(crate) struct Desk {
    pub(crate) grader: Grader,
}

impl Desk {
    /// A grader of edits of these files.
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let files = files.iter();
        let files = files.map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec()));
        let engine = Engine::new(1).unwrap();
        let base = engine.of_files("the base", files.collect()).unwrap();
        Self {
            grader: Grader::new(base, Pack::default()),
        }
    }

    /// The grade of an edit whose tests pass.
    pub(crate) fn grade(&self, files: &[(&str, &str)]) -> Grade {
        self.grader.grade(&request(files))
    }
}

/// A request for files with their text after the edit; `-` removes one.
pub(crate) fn request(files: &[(&str, &str)]) -> Request {
    let text = |text: &str| (text != "-").then(|| text.to_owned());
    let files: BTreeMap<String, Option<String>> = files
        .iter()
        .map(|(path, after)| ((*path).to_owned(), text(after)))
        .collect();
    of(Change::Files(files))
}

/// A request for a change whose tests pass.
pub(crate) fn of(change: Change) -> Request {
    Request {
        base: None,
        id: "edit".to_owned(),
        change,
        reference: None,
        task: Task::default(),
        tests: Some(Tests {
            passed: 3,
            ..Tests::default()
        }),
        options: RequestOptions {
            evidence: EvidenceDetail::Full,
            deadline_ms: None,
            minimize: false,
        },
    }
}

/// Ids of its flags.
pub(crate) fn flags(grade: &Grade) -> Vec<&str> {
    grade.flags.iter().map(|flag| flag.id.as_str()).collect()
}

/// Kinds of the evidence of a component.
pub(crate) fn kinds<'g>(grade: &'g Grade, signal: &str) -> Vec<&'g str> {
    let pieces = grade.evidence.iter().filter(|piece| piece.signal == signal);
    pieces.map(|piece| piece.kind.as_str()).collect()
}
