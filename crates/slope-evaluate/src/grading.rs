//! Grades of edits, with the sizes that baselines need.

use std::collections::BTreeMap;
use std::path::Path;

use slope_git::Repo;
use slope_grade::{Engine, Pack, Revisions};
use slope_model::grade::{Grade, Status};
use slope_model::grade_request::{Change, Request, RequestOptions, Task, Tests};

use crate::commits::{Texts, changed_lines, lines};
use crate::pair::Side;

/// Why an experiment fails.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The repository cannot be read.
    #[error(transparent)]
    Git(Box<slope_git::Error>),
    /// The code cannot be graded.
    #[error(transparent)]
    Grade(Box<slope_grade::Error>),
    /// A file of pairs cannot be read.
    #[error(
        "{path}, line {line}: {message}\nhelp: each line is a pair as `slope research rewards` writes it"
    )]
    Pairs {
        /// Path of the file.
        path: String,
        /// Line from 1.
        line: usize,
        /// The reason.
        message: String,
    },
    /// There is too little to fit.
    #[error(
        "there are {pairs} pairs from {groups} groups, which is too little to fit weights\nhelp: give pairs of at least two groups"
    )]
    TooFew {
        /// Pairs.
        pairs: usize,
        /// Groups.
        groups: usize,
    },
}

impl From<slope_git::Error> for Error {
    fn from(error: slope_git::Error) -> Self {
        Self::Git(Box::new(error))
    }
}

impl From<slope_grade::Error> for Error {
    fn from(error: slope_grade::Error) -> Self {
        Self::Grade(Box::new(error))
    }
}

/// Grades edits of the revisions of one repository, without rounding.
pub struct Desk {
    /// The repository.
    pub repo: Repo,
    /// Its path as given.
    pub name: String,
    revisions: Revisions,
}

impl Desk {
    /// Opens a repository. Quality is not rounded to the pack's grid: the experiments look for small differences.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn open(path: &Path, engine: &Engine, pack: &Pack) -> Result<Self, Error> {
        let mut pack = pack.clone();
        pack.reward.grid = 0.0;
        let repo = Repo::open(path)?;
        let top = repo.path().display().to_string();
        Ok(Self {
            name: path.display().to_string(),
            revisions: Revisions::new(engine.clone(), pack, &top),
            repo,
        })
    }

    /// The grade of changed files of a revision; `None` if they cannot be graded.
    ///
    /// # Errors
    /// If the revision cannot be read.
    pub fn grade(
        &mut self,
        revision: &str,
        after: BTreeMap<String, Option<String>>,
    ) -> Result<Option<Grade>, Error> {
        let grader = match self.revisions.grader(revision) {
            Ok(grader) => grader,
            Err(slope_grade::Error::NoCode { .. }) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let request = Request {
            id: String::new(),
            base: None,
            change: Change::Files(after),
            reference: None,
            task: Task::default(),
            // People change tests with the code.
            tests: Some(Tests {
                passed: 1,
                may_change: true,
                ..Tests::default()
            }),
            options: RequestOptions::default(),
        };
        let grade = grader.install(|grader| grader.grade(&request));
        Ok((grade.status != Status::Error).then_some(grade))
    }

    /// The grade of an edit as a side of a pair.
    ///
    /// # Errors
    /// If the revision cannot be read.
    pub fn side(
        &mut self,
        revision: &str,
        files: &BTreeMap<String, Texts>,
    ) -> Result<Option<Side>, Error> {
        let after = files.iter();
        let after = after.map(|(path, (_, after))| (path.clone(), after.clone()));
        let Some(grade) = self.grade(revision, after.collect())? else {
            return Ok(None);
        };
        let Some(quality) = grade.quality else {
            return Ok(None);
        };
        Ok(Some(Side {
            quality,
            components: grade.components,
            flags: grade.flags.iter().map(|flag| flag.id.clone()).collect(),
            lines: added_lines(files),
            diff: files.values().map(changed_lines).sum(),
        }))
    }
}

/// Lines that an edit adds, less those that it removes. Blank lines do not count.
fn added_lines(files: &BTreeMap<String, Texts>) -> i64 {
    let count = |text: &Option<String>| i64::try_from(lines(text).len()).unwrap_or(i64::MAX);
    files
        .values()
        .map(|(before, after)| count(after) - count(before))
        .sum()
}

/// The same files in the other direction.
pub(crate) fn reversed(files: &BTreeMap<String, Texts>) -> BTreeMap<String, Texts> {
    let swap = |(path, (before, after)): (&String, &Texts)| {
        (path.clone(), (after.clone(), before.clone()))
    };
    files.iter().map(swap).collect()
}
