//! Graders of many revisions of one repository.

use std::sync::Arc;

use rayon::prelude::*;
use slope_model::grade::{Fault, Grade};
use slope_model::grade_request::Request;

use crate::base::Engine;
use crate::edit::fault;
use crate::grader::{Grader, faulty};
use crate::pack::Pack;
use crate::shaping::Place;
use crate::stream::{Graders, Line, Record};
use crate::tests::{TestService, finish_all};

/// Graders that are kept open.
const MOST_OPEN: usize = 4;

/// Grades edits of the revisions of a repository. Each request names its revision in `base`.
///
/// A revision is opened when it is first needed. Only files that differ from the revision before are measured.
pub struct Revisions {
    engine: Engine,
    pack: Pack,
    repo: String,
    tests: Option<Arc<TestService>>,
    /// The last graders with their revisions, the newest last.
    open: Vec<(String, Arc<Grader>)>,
}

impl Revisions {
    /// The revisions of the repository at a path.
    #[must_use]
    pub fn new(engine: Engine, pack: Pack, repo: &str) -> Self {
        Self {
            engine,
            pack,
            repo: repo.to_owned(),
            tests: None,
            open: Vec::new(),
        }
    }

    /// The graders with what runs the tests of requests.
    #[must_use]
    pub fn with_tests(mut self, tests: Option<Arc<TestService>>) -> Self {
        self.tests = tests;
        self
    }

    /// The grader of edits of a revision.
    ///
    /// # Errors
    /// If the revision cannot be read, or has no code.
    pub fn grader(&mut self, revision: &str) -> Result<Arc<Grader>, crate::Error> {
        if let Some(at) = self.open.iter().position(|(known, _)| known == revision) {
            let known = self.open.remove(at);
            self.open.push(known);
        } else {
            let name = format!("{}@{revision}", self.repo);
            let near = self.open.last().map(|(_, grader)| grader.base());
            let base = self.engine.open_near(&name, near)?;
            if self.open.len() >= MOST_OPEN {
                self.open.remove(0);
            }
            let grader = Grader::new(base, self.pack.clone()).with_tests(self.tests.clone());
            let grader = Arc::new(grader);
            self.open.push((revision.to_owned(), grader));
        }
        let (_, grader) = &self.open[self.open.len() - 1];
        Ok(grader.clone())
    }

    /// Grades of requests for the same revision.
    fn grade_same(&mut self, revision: Option<&str>, requests: &[Request]) -> Vec<Grade> {
        let grader = match revision {
            Some(revision) => self.grader(revision).map_err(|error| in_parts(&error)),
            None => Err((
                "the request names no base".to_owned(),
                "give a revision of the repository in `base`".to_owned(),
            )),
        };
        match grader {
            Ok(grader) => {
                let begun = grader.install(|grader| {
                    let each = requests.par_iter().with_max_len(1);
                    each.map(|request| grader.begin(request)).collect()
                });
                finish_all(&grader, begun)
            }
            Err((message, help)) => {
                let refused = |request: &Request| {
                    let fault = fault("base", message.clone(), &help);
                    faulty(&request.id, fault, &self.pack, &self.engine)
                };
                requests.iter().map(refused).collect()
            }
        }
    }
}

/// Message and help of an error.
fn in_parts(error: &crate::Error) -> (String, String) {
    let text = error.to_string();
    let (message, help) = text.split_once("\nhelp: ").unwrap_or((&text, ""));
    (message.to_owned(), help.to_owned())
}

/// A request, or its id and what is wrong with it.
type Read = Result<Request, (String, Fault)>;

impl Graders for Revisions {
    fn grade(&mut self, lines: Vec<Line>) -> Vec<Record> {
        let read: Vec<Read> = lines.iter().map(Line::request).collect();
        let mut records = Vec::with_capacity(read.len());
        let base = |read: &Read| read.as_ref().ok().map(|request| request.base.clone());
        for same in read.chunk_by(|one, other| base(one) == base(other)) {
            let requests: Vec<Request> = same.iter().flatten().cloned().collect();
            let Some(first) = requests.first() else {
                let bad = same.iter().filter_map(|read| read.as_ref().err());
                records.extend(bad.map(|(id, fault)| {
                    let grade = faulty(id, fault.clone(), &self.pack, &self.engine);
                    (grade, Place::default())
                }));
                continue;
            };
            let grades = self.grade_same(first.base.clone().as_deref(), &requests);
            let places = requests.iter().map(Place::from);
            records.extend(grades.into_iter().zip(places));
        }
        records
    }

    fn pack(&self) -> &Pack {
        &self.pack
    }
}
