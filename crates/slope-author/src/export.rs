//! Export of a problem: the published layout with pytest, and one JSON document.
//!
//! The published layout contains its cases as data in `tests/test_<checkpoint>.py`, so that the
//! grader of an early checkpoint never sees those of a later one, and two modules of slope's that
//! run them.

mod patterns;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

use serde::Serialize;
use serde_json::{Map, Value, json};
use slope_model::cases::{Bytes, CaseFile};
use slope_problem::{Problem, load_cases, published_spec};

use crate::Error;
use crate::workspace::{Workspace, WorkspaceFile};

/// Version of the JSON form.
pub const SCHEMA: &str = "slope.problem-export/1";

/// The modules in `tests/` of the published layout.
const MODULES: [(&str, &str); 3] = [
    ("conftest.py", include_str!("export/conftest.py")),
    ("slope_cases.py", include_str!("export/slope_cases.py")),
    ("slope_expect.py", include_str!("export/slope_expect.py")),
];

/// All parts of a problem in one document, except solutions.
#[derive(Debug, Serialize)]
pub struct Document {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// Plain name.
    pub name: String,
    /// Raised when tests change.
    pub version: u32,
    /// The hash over all that can change a verdict or a prompt.
    pub hash: String,
    /// `config.yaml`.
    pub config: Value,
    /// The checkpoints, in order.
    pub checkpoints: Vec<Part>,
    /// Programs of the suite, which generate inputs and judge outputs: path below the suite's folder to text.
    pub programs: BTreeMap<String, String>,
    /// Files of the static assets: path below the problem's folder to content.
    pub assets: BTreeMap<String, Bytes>,
}

/// One checkpoint.
#[derive(Debug, Serialize)]
pub struct Part {
    /// The checkpoint's key.
    pub name: String,
    /// The spec, with its placeholders.
    pub spec: String,
    /// The cases.
    pub suite: CaseFile,
}

/// The problem as one document.
///
/// # Errors
/// If the problem has no declarative cases, or a file cannot be read.
pub fn document(problem: &Problem) -> Result<Document, Error> {
    let part = |name: &String| {
        Ok(Part {
            name: name.clone(),
            spec: published_spec(problem, name)?,
            suite: load_cases(problem, name)?,
        })
    };
    let names = problem
        .checkpoints
        .iter()
        .map(|checkpoint| &checkpoint.name);
    Ok(Document {
        schema: SCHEMA,
        name: problem.name.clone(),
        version: problem.version,
        hash: problem.hash.clone(),
        config: config(problem)?.1,
        checkpoints: names.map(part).collect::<Result<_, Error>>()?,
        programs: programs(problem)?,
        assets: assets(problem)?
            .into_iter()
            .map(|(path, file)| (path, Bytes(file.bytes)))
            .collect(),
    })
}

/// Writes the problem in the published layout to the folder `out`, which must not exist. On failure
/// nothing is left.
///
/// # Errors
/// If the folder exists or cannot be written, the problem has no declarative cases or one with a
/// pattern that Python interprets differently, a file cannot be read, or two files would have the
/// same path.
pub fn pytest(problem: &Problem, out: &Path) -> Result<(), Error> {
    published_files(problem)?.create(out)
}

/// The files of the published layout.
fn published_files(problem: &Problem) -> Result<Workspace, Error> {
    let mut files = Workspace::default();
    for (name, text) in MODULES {
        add(&mut files, format!("tests/{name}"), text.to_owned())?;
    }
    let (head, config) = config(problem)?;
    let config = format!("{head}{}", yaml(problem, &published(config))?);
    add(&mut files, "config.yaml".to_owned(), config)?;
    for part in document(problem)?.checkpoints {
        patterns::check(problem, &part)?;
        let test = test_file(&part)?;
        add(&mut files, format!("tests/test_{}.py", part.name), test)?;
        add(&mut files, format!("{}.md", part.name), part.spec)?;
    }
    for (path, text) in programs(problem)? {
        add(&mut files, format!("tests/programs/{path}"), text)?;
    }
    let solutions = problem.root.join("solutions");
    if solutions.is_dir() {
        for (path, file) in Workspace::read(&solutions)?.files {
            files.add(Path::new("solutions").join(path), file)?;
        }
    }
    for (path, file) in assets(problem)? {
        files.add(path.into(), file)?;
    }
    Ok(files)
}

/// Adds a text file that must not exist yet.
fn add(files: &mut Workspace, path: String, text: String) -> Result<(), Error> {
    let file = WorkspaceFile {
        bytes: text.into_bytes(),
        executable: false,
    };
    files.add(path.into(), file)
}

/// A test file: its cases as JSON, and one test that runs them all.
fn test_file(part: &Part) -> Result<String, Error> {
    // Apostrophes occur only in strings, where they can be escaped, so the literal cannot end
    // early.
    let cases = serde_json::to_string_pretty(&part.suite)
        .map_err(|e| Error::Request(format!("the cases of {} are not JSON: {e}", part.name)))?;
    let cases = cases.replace('\'', "\\u0027");
    Ok(format!(
        "\"\"\"Cases of {}, as data.\"\"\"\n\nimport json\n\nimport pytest\n\n\
         from slope_cases import carry_out, parameters\n\n\
         SUITE = json.loads(r'''{cases}''')\n\n\n\
         @pytest.mark.parametrize(\"case\", parameters(SUITE[\"cases\"]))\n\
         def test_case(case, entrypoint_argv, tmp_path):\n    carry_out(SUITE, case, entrypoint_argv, tmp_path)\n",
        part.name
    ))
}

/// The comment at the start of `config.yaml`, and its value.
fn config(problem: &Problem) -> Result<(String, Value), Error> {
    let path = problem.root.join("config.yaml");
    let text = fs::read_to_string(&path).map_err(Error::io("read", &path))?;
    let head = text
        .split_inclusive('\n')
        .take_while(|line| line.starts_with('#'));
    let value = serde_saphyr::from_str(&text);
    let value = value.map_err(|e| Error::Request(format!("{}: {e}", path.display())))?;
    Ok((head.collect(), value))
}

/// A configuration for the published loader. The cases contain the limits of steps; a limit of a
/// whole test would end cases with many steps.
fn published(config: Value) -> Value {
    let Value::Object(mut config) = config else {
        return config;
    };
    config.shift_remove("suite");
    config.shift_remove("timeout");
    let checkpoints = config.get_mut("checkpoints").and_then(Value::as_object_mut);
    for checkpoint in checkpoints.into_iter().flat_map(Map::values_mut) {
        checkpoint
            .as_object_mut()
            .map(|entry| entry.shift_remove("timeout"));
    }
    let tags = config.get("tags").and_then(Value::as_array);
    if tags.is_none_or(Vec::is_empty) {
        let category = config.get("category").cloned();
        config.insert(
            "tags".to_owned(),
            json!([category.unwrap_or_else(|| json!("program"))]),
        );
    }
    Value::Object(config)
}

fn yaml(problem: &Problem, value: &Value) -> Result<String, Error> {
    let text = serde_saphyr::to_string(value);
    text.map_err(|e| Error::Request(format!("{}: config.yaml: {e}", problem.root.display())))
}

/// Files of the suite's folder except cases.
fn programs(problem: &Problem) -> Result<BTreeMap<String, String>, Error> {
    let files = Workspace::read(&problem.root.join("suite"))?.files;
    let is_suite = |path: &Path| {
        let named = |name: &str| path == Path::new(&format!("{name}.yaml"));
        problem
            .checkpoints
            .iter()
            .any(|checkpoint| named(&checkpoint.name))
    };
    let others = files.into_iter().filter(|(path, _)| !is_suite(path));
    let text = |(path, file): (PathBuf, WorkspaceFile)| {
        let name = path.to_string_lossy().into_owned();
        let text = String::from_utf8(file.bytes);
        let text = text.map_err(|_| Error::Request(format!("suite/{name} is not UTF-8 text")))?;
        Ok((name, text))
    };
    others.map(text).collect()
}

/// Files of the static assets by their paths below the problem's folder.
fn assets(problem: &Problem) -> Result<BTreeMap<String, WorkspaceFile>, Error> {
    let mut found = BTreeMap::new();
    for asset in &problem.static_assets {
        let source = &asset.source;
        let below = source.strip_prefix(&problem.root).unwrap_or(source);
        // Without `.`, so that each place has only one path.
        let name = |part: &Component<'_>| matches!(part, Component::Normal(_));
        let below: PathBuf = below.components().filter(name).collect();
        // Loading has checked that links lead into the problem's folder.
        let source = source
            .canonicalize()
            .map_err(Error::io("resolve", source))?;
        if source.is_dir() {
            for (path, file) in Workspace::read(&source)?.files {
                found.insert(below.join(path).to_string_lossy().into_owned(), file);
            }
        } else {
            let path = below.to_string_lossy().into_owned();
            found.insert(path, WorkspaceFile::read(&source)?);
        }
    }
    Ok(found)
}
