//! `grade`: rewards for edits.

use std::collections::BTreeMap;

use rayon::prelude::*;
use slope_grade::{BadRecord, Base, Engine, Pack, group, read_request};
use slope_model::grade::Grade;

use crate::{Code, Error, ErrorKind};

/// Grades edits of one base. Threads can share it.
pub struct Grader(slope_grade::Grader);

impl Grader {
    /// A grader of a base: texts, a folder, a revision of a repository as `PATH@REVISION`, or a tar archive, from whose
    /// paths `strip` folders are removed. `pack` is the text of a reward pack, `threads` is 0 for one per processor.
    ///
    /// # Errors
    /// If the base cannot be read or has no code, or the pack is invalid.
    pub fn open(
        base: &Code,
        pack: Option<&str>,
        threads: usize,
        strip: usize,
    ) -> Result<Self, Error> {
        let engine = Engine::new(threads).map_err(|error| refused(&error))?;
        let base = match base {
            Code::Path(path) => engine.open(&path.to_string_lossy(), strip),
            Code::Files(files) => engine.of_files("the base", files.clone()),
        };
        let pack = pack.map_or_else(
            || Ok(Pack::default()),
            |text| Pack::read(text, "the pack").map_err(|error| refused(&error)),
        );
        let base: Base = base.map_err(|error| refused(&error))?;
        Ok(Self(slope_grade::Grader::new(base, pack?)))
    }

    /// The grader of the library.
    #[must_use]
    pub fn inner(&self) -> &slope_grade::Grader {
        &self.0
    }

    /// The grade of a request, both as JSON. A request that is not valid has a grade with an error.
    ///
    /// # Errors
    /// Only through a fault of slope.
    pub fn grade(&self, request: &str) -> Result<String, Error> {
        text(&self.0.install(|_| self.graded(request, 0)).0)
    }

    /// The grades of requests, in their order. With `in_groups`, rewards are set by `task.group`.
    ///
    /// # Errors
    /// Only through a fault of slope.
    pub fn grade_all(&self, requests: &[String], in_groups: bool) -> Result<Vec<String>, Error> {
        let records = self.0.install(|_| {
            let each = requests.par_iter().enumerate().with_max_len(1);
            each.map(|(number, request)| self.graded(request, number))
                .collect::<Vec<_>>()
        });
        let (mut grades, groups): (Vec<Grade>, Vec<_>) = records.into_iter().unzip();
        if in_groups {
            group::apply(&mut grades, &groups, self.0.pack());
        }
        grades.iter().map(text).collect()
    }

    /// A grade, and the group of its request.
    fn graded(&self, request: &str, number: usize) -> (Grade, Option<String>) {
        match read_request(request.as_bytes(), &format!("request {}", number + 1)) {
            Ok(request) => (self.0.grade(&request), request.task.group),
            Err(BadRecord { id, fault }) => (self.0.faulty(&id, fault), None),
        }
    }
}

/// The grades of requests in a base, as a list: lines of `slope grade`, or of `slope grade group`. `pack` is the text of
/// a reward pack.
///
/// # Errors
/// As [`Grader::open`].
pub fn grade(
    base: &Code,
    requests: &[String],
    pack: Option<&str>,
    in_groups: bool,
) -> Result<Vec<String>, Error> {
    Grader::open(base, pack, 0, 0)?.grade_all(requests, in_groups)
}

/// The numbers of a grade by name, always with the same keys.
///
/// # Errors
/// If the text is not a grade.
pub fn flat(grade: &str) -> Result<BTreeMap<&'static str, f64>, Error> {
    let grade: Grade = serde_json::from_str(grade)
        .map_err(|error| Error::of(ErrorKind::Argument, "grade", &error))?;
    Ok(slope_grade::flat(&grade).into_iter().collect())
}

fn text(grade: &Grade) -> Result<String, Error> {
    serde_json::to_string(grade).map_err(|error| Error::of(ErrorKind::Internal, "", &error))
}

fn refused(error: &slope_grade::Error) -> Error {
    use slope_grade::Error::{Archive, Folder, Git, NoCode, Pack, PackValue};
    let (kind, field) = match error {
        Folder { .. } | Archive { .. } | Git(_) => (ErrorKind::Unreadable, "base"),
        Pack { .. } | PackValue { .. } => (ErrorKind::Policy, "pack"),
        NoCode { .. } => (ErrorKind::NoCode, "base"),
        _ => (ErrorKind::Argument, "base"),
    };
    Error::of(kind, field, error)
}
