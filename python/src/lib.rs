//! The native part of the Python package: requests and grades as JSON texts, without Python's lock.
//!
//! It has no logic of its own. `codeslope/__init__.py` turns the texts into dictionaries.

use std::collections::BTreeMap;
use std::path::PathBuf;

use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use slope_embed::{Code, Error, ErrorKind, Model, Settings};

/// Grades edits of one base. Threads can share it.
#[pyclass(frozen, module = "codeslope._native")]
struct Grader(slope_embed::Grader);

#[pymethods]
impl Grader {
    /// Opens texts by path, a folder, a revision of a repository as PATH@REVISION, or a tar archive.
    #[staticmethod]
    #[pyo3(signature = (base, pack=None, threads=0, strip=0))]
    fn open(
        py: Python<'_>,
        base: Given,
        pack: Option<&str>,
        threads: usize,
        strip: usize,
    ) -> PyResult<Self> {
        let grader = py.detach(|| slope_embed::Grader::open(&base.code(), pack, threads, strip));
        grader.map(Self).map_err(|error| raised(&error))
    }

    /// Hash of the base's code.
    #[getter]
    fn base_id(&self) -> &str {
        self.0.inner().base().id()
    }

    /// Number of the base's files.
    #[getter]
    fn file_count(&self) -> usize {
        self.0.inner().base().file_count()
    }

    /// Name and version of the pack.
    #[getter]
    fn pack_id(&self) -> String {
        self.0.inner().pack().id()
    }

    /// The grade of one request, both as JSON.
    fn grade(&self, py: Python<'_>, request: &str) -> PyResult<String> {
        document(py, || self.0.grade(request))
    }

    /// The grades of requests, in their order. With `in_groups`, rewards are set by `task.group`.
    #[pyo3(signature = (requests, in_groups=false))]
    fn grade_all(
        &self,
        py: Python<'_>,
        requests: Vec<String>,
        in_groups: bool,
    ) -> PyResult<Vec<String>> {
        let grades = py.detach(|| self.0.grade_all(&requests, in_groups));
        grades.map_err(|error| raised(&error))
    }
}

/// Code as Python gives it.
#[derive(FromPyObject)]
enum Given {
    Path(PathBuf),
    Files(BTreeMap<String, Vec<u8>>),
}

impl Given {
    fn code(self) -> Code {
        match self {
            Self::Path(path) => Code::Path(path),
            Self::Files(files) => Code::Files(files),
        }
    }
}

/// A document, made without Python's lock.
fn document(
    py: Python<'_>,
    make: impl FnOnce() -> Result<String, Error> + Send,
) -> PyResult<String> {
    py.detach(make).map_err(|error| raised(&error))
}

/// An error as Python's own kind.
fn raised(error: &Error) -> PyErr {
    match error.kind {
        ErrorKind::Unreadable | ErrorKind::Internal | ErrorKind::NoAnswer => {
            PyOSError::new_err(error.to_string())
        }
        _ => PyValueError::new_err(error.to_string()),
    }
}

/// The measurement of code, as JSON.
#[pyfunction]
fn measure(py: Python<'_>, code: Given, policy: Option<String>) -> PyResult<String> {
    document(py, || {
        slope_embed::measure(&code.code(), &Settings { policy })
    })
}

/// The ledger of a change, as JSON.
#[pyfunction]
fn diff(py: Python<'_>, before: Given, after: Given, policy: Option<String>) -> PyResult<String> {
    document(py, || {
        slope_embed::diff(&before.code(), &after.code(), &Settings { policy })
    })
}

/// The judgement of the gate on a change, as JSON.
#[pyfunction]
fn check(py: Python<'_>, before: Given, after: Given, policy: Option<String>) -> PyResult<String> {
    document(py, || {
        slope_embed::check(&before.code(), &after.code(), &Settings { policy })
    })
}

/// The assessment of code, as JSON: static, or by a model that is given as JSON.
#[pyfunction]
fn judge(
    py: Python<'_>,
    code: Given,
    top: usize,
    policy: Option<String>,
    model: Option<&str>,
) -> PyResult<String> {
    document(py, || {
        let (code, settings) = (code.code(), Settings { policy });
        match model {
            None => slope_embed::judge(&code, top, &settings),
            Some(model) => {
                slope_embed::judge_by_model(&code, top, &settings, &Model::parse(model)?)
            }
        }
    })
}

/// The same for a change: both sides, and the issues that it adds.
#[pyfunction]
fn judge_change(
    py: Python<'_>,
    before: Given,
    after: Given,
    top: usize,
    policy: Option<String>,
    model: Option<&str>,
) -> PyResult<String> {
    document(py, || {
        let (before, after, settings) = (before.code(), after.code(), Settings { policy });
        match model {
            None => slope_embed::judge_change(&before, &after, top, &settings),
            Some(model) => {
                let model = Model::parse(model)?;
                slope_embed::judge_change_by_model(&before, &after, top, &settings, &model)
            }
        }
    })
}

/// What a rule, signal or metric means, as JSON.
#[pyfunction]
fn explain(py: Python<'_>, id: &str, language: Option<&str>) -> PyResult<String> {
    document(py, || slope_embed::explain(id, language))
}

/// The unified diff in a model's response, or None.
#[pyfunction]
fn diff_in(response: &str) -> Option<&str> {
    slope_grade::diff_in(response)
}

/// The numbers of a grade by name, always with the same keys.
#[pyfunction]
fn flat(grade: &str) -> PyResult<BTreeMap<&'static str, f64>> {
    slope_embed::flat(grade).map_err(|error| raised(&error))
}

/// The reward pack that slope comes with.
#[pyfunction]
fn default_pack() -> &'static str {
    slope_grade::Pack::DEFAULT_TEXT
}

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Grader>()?;
    module.add_function(wrap_pyfunction!(measure, module)?)?;
    module.add_function(wrap_pyfunction!(diff, module)?)?;
    module.add_function(wrap_pyfunction!(check, module)?)?;
    module.add_function(wrap_pyfunction!(judge, module)?)?;
    module.add_function(wrap_pyfunction!(judge_change, module)?)?;
    module.add_function(wrap_pyfunction!(explain, module)?)?;
    module.add_function(wrap_pyfunction!(diff_in, module)?)?;
    module.add_function(wrap_pyfunction!(flat, module)?)?;
    module.add_function(wrap_pyfunction!(default_pack, module)?)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))
}
