//! The native part of the Python package: requests and grades as JSON texts, without Python's lock.
//!
//! It has no logic of its own. `codeslope/__init__.py` turns the texts into dictionaries.

use std::collections::BTreeMap;
use std::path::PathBuf;

use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use slope_grade::{BadRecord, Base, Engine, Error, Pack, group, read_request};
use slope_model::assessment::Assessment;
use slope_model::grade::Grade;

/// Grades edits of one base. Threads can share it.
#[pyclass(frozen, module = "codeslope._native")]
struct Grader(slope_grade::Grader);

#[pymethods]
impl Grader {
    /// Opens a folder, a revision of a repository as PATH@REVISION, or a tar archive.
    #[staticmethod]
    #[pyo3(signature = (base, pack=None, threads=0, strip=0))]
    fn open(
        py: Python<'_>,
        base: &str,
        pack: Option<&str>,
        threads: usize,
        strip: usize,
    ) -> PyResult<Self> {
        py.detach(|| {
            let base = engine(threads)?.open(base, strip);
            grader(base.map_err(|error| raised(&error))?, pack)
        })
    }

    /// A base of files in memory, by path.
    #[staticmethod]
    #[pyo3(signature = (files, pack=None, threads=0))]
    fn of_files(
        py: Python<'_>,
        files: BTreeMap<String, Vec<u8>>,
        pack: Option<&str>,
        threads: usize,
    ) -> PyResult<Self> {
        py.detach(|| {
            let base = engine(threads)?.of_files("the base", files);
            grader(base.map_err(|error| raised(&error))?, pack)
        })
    }

    /// Hash of the base's code.
    #[getter]
    fn base_id(&self) -> &str {
        self.0.base().id()
    }

    /// Number of the base's files.
    #[getter]
    fn file_count(&self) -> usize {
        self.0.base().file_count()
    }

    /// Name and version of the pack.
    #[getter]
    fn pack_id(&self) -> String {
        self.0.pack().id()
    }

    /// The grade of one request, both as JSON.
    fn grade(&self, py: Python<'_>, request: &str) -> PyResult<String> {
        py.detach(|| text(&self.0.install(|_| self.graded(request, 0)).0))
    }

    /// The grades of requests, in their order. With `in_groups`, rewards are set by `task.group`.
    #[pyo3(signature = (requests, in_groups=false))]
    fn grade_all(
        &self,
        py: Python<'_>,
        requests: Vec<String>,
        in_groups: bool,
    ) -> PyResult<Vec<String>> {
        py.detach(|| {
            let records = self.0.install(|_| {
                use rayon::prelude::*;
                let each = requests.into_par_iter().enumerate().with_max_len(1);
                each.map(|(number, request)| self.graded(&request, number))
                    .collect::<Vec<_>>()
            });
            let (mut grades, groups): (Vec<Grade>, Vec<_>) = records.into_iter().unzip();
            if in_groups {
                group::apply(&mut grades, &groups, self.0.pack());
            }
            grades.iter().map(text).collect()
        })
    }
}

impl Grader {
    /// A grade, and the group of its request.
    fn graded(&self, request: &str, number: usize) -> (Grade, Option<String>) {
        match read_request(request.as_bytes(), &format!("request {}", number + 1)) {
            Ok(request) => (self.0.grade(&request), request.task.group),
            Err(BadRecord { id, fault }) => (self.0.faulty(&id, fault), None),
        }
    }
}

fn engine(threads: usize) -> PyResult<Engine> {
    Engine::new(threads).map_err(|error| raised(&error))
}

fn grader(base: Base, pack: Option<&str>) -> PyResult<Grader> {
    let pack = match pack {
        Some(text) => Pack::read(text, "the pack").map_err(|error| raised(&error))?,
        None => Pack::default(),
    };
    Ok(Grader(slope_grade::Grader::new(base, pack)))
}

fn text(grade: &Grade) -> PyResult<String> {
    serde_json::to_string(grade).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// An error with its cause, as Python's own kind.
fn raised(error: &Error) -> PyErr {
    let cause = std::error::Error::source(error).map(|cause| format!(" ({cause})"));
    let message = error
        .to_string()
        .replacen('\n', &format!("{}\n", cause.unwrap_or_default()), 1);
    match error {
        Error::Folder { .. } | Error::Archive { .. } | Error::Git(_) => PyOSError::new_err(message),
        _ => PyValueError::new_err(message),
    }
}

/// The static assessment of a folder or a file, as JSON.
#[pyfunction]
#[pyo3(signature = (path, most))]
fn judge_path(py: Python<'_>, path: PathBuf, most: usize) -> PyResult<String> {
    assessed(py, |measurer| {
        slope_judge::Snapshot::of_path(measurer, &path).map(|code| slope_judge::judge(&code, most))
    })
}

/// The static assessment of files in memory, by path, as JSON.
#[pyfunction]
#[pyo3(signature = (files, most))]
fn judge_files(py: Python<'_>, files: BTreeMap<String, Vec<u8>>, most: usize) -> PyResult<String> {
    assessed(py, |measurer| {
        let code = slope_judge::Snapshot::of_files(measurer, files, "files");
        Ok(slope_judge::judge(&code, most))
    })
}

/// The same for a change of files in memory: both sides, and the issues that it adds.
#[pyfunction]
#[pyo3(signature = (before, after, most))]
fn judge_change(
    py: Python<'_>,
    before: BTreeMap<String, Vec<u8>>,
    after: BTreeMap<String, Vec<u8>>,
    most: usize,
) -> PyResult<String> {
    assessed(py, |measurer| {
        let code = |files, name| slope_judge::Snapshot::of_files(measurer, files, name);
        let (before, after) = (code(before, "before"), code(after, "after"));
        Ok(slope_judge::judge_change(&before, &after, most))
    })
}

fn assessed(
    py: Python<'_>,
    judge: impl FnOnce(&slope_measure::Measurer) -> Result<Assessment, slope_judge::Error> + Send,
) -> PyResult<String> {
    py.detach(|| {
        let assessment = slope_judge::measurer().and_then(|measurer| judge(&measurer));
        let assessment = assessment.map_err(|error| PyOSError::new_err(error.to_string()))?;
        serde_json::to_string(&assessment).map_err(|error| PyValueError::new_err(error.to_string()))
    })
}

/// The unified diff in a model's response, or None.
#[pyfunction]
fn diff_in(response: &str) -> Option<&str> {
    slope_grade::diff_in(response)
}

/// The numbers of a grade by name, always with the same keys.
#[pyfunction]
fn flat(grade: &str) -> PyResult<BTreeMap<&'static str, f64>> {
    let grade: Grade =
        serde_json::from_str(grade).map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(slope_grade::flat(&grade).into_iter().collect())
}

/// The reward pack that slope comes with.
#[pyfunction]
fn default_pack() -> &'static str {
    Pack::DEFAULT_TEXT
}

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Grader>()?;
    module.add_function(wrap_pyfunction!(judge_path, module)?)?;
    module.add_function(wrap_pyfunction!(judge_files, module)?)?;
    module.add_function(wrap_pyfunction!(judge_change, module)?)?;
    module.add_function(wrap_pyfunction!(diff_in, module)?)?;
    module.add_function(wrap_pyfunction!(flat, module)?)?;
    module.add_function(wrap_pyfunction!(default_pack, module)?)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))
}
