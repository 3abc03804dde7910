//! Loads a folder as a checked [`Problem`].

use std::path::{Path, PathBuf};

use slope_model::problem::{Checkpoint, Problem, SuiteKind};

use crate::config::{RawCheckpoint, RawProblem};
use crate::spec::EntryPoint;
use crate::{Error, assets, cases, goals, hash, spec};

/// A language's part in a spec's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadOptions {
    /// The name of the program's file: `{name}.py` gives `tool.py`.
    pub entry_file: String,
    /// The agent's command for starting a program: `python {entry_file}` gives `python tool.py`.
    pub agent_command: String,
    /// Addition to every spec.
    pub note: Option<String>,
}

impl Default for LoadOptions {
    fn default() -> Self {
        Self {
            entry_file: "{name}.py".to_owned(),
            agent_command: "python {entry_file}".to_owned(),
            note: None,
        }
    }
}

impl LoadOptions {
    /// For the `entry_file` of a problem, which is a name with or without the ending that Python's have.
    fn entry(&self, entry_file: &str) -> EntryPoint {
        let (_, ending) = self.entry_file.split_once("{name}").unwrap_or_default();
        let mut endings = [ending, ".py"].into_iter().filter(|e| !e.is_empty());
        let name = endings.find_map(|e| entry_file.strip_suffix(e));
        let file = self
            .entry_file
            .replace("{name}", name.unwrap_or(entry_file));
        EntryPoint {
            command: self.agent_command.replace("{entry_file}", &file),
            file,
        }
    }
}

/// Loads and checks the problem in `dir`.
///
/// All faults that would disturb a later run are detected here: in the specs, the suite's files
/// (declarative suites are read in full), and the assets.
///
/// # Errors
/// [`Error`] if a file is missing, malformed, unreadable, or leads outside the folder.
pub fn load(dir: &Path, options: &LoadOptions) -> Result<Problem, Error> {
    let config_path = dir.join("config.yaml");
    // A missing folder is reported as the files missing in it.
    let root = dir.canonicalize().unwrap_or_else(|_| dir.to_owned());
    assets::check_links(&root, "config.yaml", Path::new("config.yaml"))?;
    let (raw, text) = RawProblem::read(&config_path)?;
    let entry = options.entry(&raw.entry_file);
    let suite = raw.suite.unwrap_or(SuiteKind::Pytest);
    check_links(&root, &raw, suite)?;
    let mut checkpoints = Vec::new();
    for ((name, checkpoint), index) in raw.checkpoints.iter().zip(1..) {
        check_suite_files(dir, suite, name)?;
        if let Some(goals) = &checkpoint.goals {
            let cases = cases::read(&cases::path(dir, name))?;
            goals::check_files(&config_path, &root, name, goals, &cases)?;
        }
        let mut spec = spec::read(&dir.join(format!("{name}.md")), &entry)?;
        if let Some(note) = &options.note {
            spec.push('\n');
            spec.push_str(note);
        }
        checkpoints.push(build_checkpoint(&raw, name, checkpoint, index, spec));
    }
    let static_assets = assets::resolve(&root, &config_path, &text, &raw)?;
    let hash = hash::hash(&root, &hashed_parts(&root, &raw, suite)?)?;
    Ok(Problem {
        name: raw.name,
        version: raw.version,
        description: raw.description.trim().to_owned(),
        category: raw.category.filter(|c| c != "NOT_SET"),
        difficulty: raw.difficulty,
        family: raw.family,
        tags: raw.tags.unwrap_or_default(),
        entry_file: entry.file,
        root,
        suite,
        checkpoints,
        static_assets,
        markers: raw
            .markers
            .into_iter()
            .map(|(name, marker)| (name, marker.group.into()))
            .collect(),
        test_dependencies: raw.test_dependencies,
        hash,
    })
}

/// The folder of the reference solution of `checkpoint`, if the problem has one.
#[must_use]
pub fn reference_solution(problem: &Problem, checkpoint: &str) -> Option<PathBuf> {
    solution_in(problem, "solutions", checkpoint)
}

/// As [`reference_solution`], in another folder of solutions, such as `solutions-rust`.
#[must_use]
pub fn solution_in(problem: &Problem, solutions: &str, checkpoint: &str) -> Option<PathBuf> {
    let known = problem.checkpoints.iter().any(|c| c.name == checkpoint);
    let path = problem.root.join(solutions).join(checkpoint);
    (known && path.is_dir() && is_in(&problem.root, &path)).then_some(path)
}

/// Whether a path resolves to something in the folder `root`, with all links followed.
fn is_in(root: &Path, path: &Path) -> bool {
    let [root, path] = [root, path].map(Path::canonicalize);
    matches!((root, path), (Ok(root), Ok(path)) if path.starts_with(&root))
}

/// Refuses links that lead out of the problem's folder, in specs, tests and the folders of
/// solutions. Assets are checked when they are resolved.
fn check_links(root: &Path, raw: &RawProblem, suite: SuiteKind) -> Result<(), Error> {
    let check = |path: &Path| assets::check_links(root, &path.display().to_string(), path);
    check(Path::new(suite_dir(suite)))?;
    for (name, _) in raw.checkpoints.iter() {
        check(Path::new(&format!("{name}.md")))?;
    }
    for entry in root.read_dir().map_err(Error::io(root, "cannot list"))? {
        let folder = entry.map_err(Error::io(root, "cannot list"))?.file_name();
        let steps = raw.checkpoints.iter();
        for solution in steps.map(|(name, _)| Path::new(&folder).join(name)) {
            // Readers of a solution do not follow links inside it.
            if root.join(&solution).is_dir() {
                let what = solution.display().to_string();
                assets::check_link(root, &what, &solution)?;
            }
        }
    }
    Ok(())
}

fn build_checkpoint(
    raw: &RawProblem,
    name: &str,
    own: &RawCheckpoint,
    index: u32,
    spec: String,
) -> Checkpoint {
    let mut env = raw.env.clone();
    env.extend(own.env.clone());
    Checkpoint {
        name: name.to_owned(),
        index,
        version: own.version,
        spec,
        include_prior_tests: own.include_prior_tests,
        test_timeout_s: own.timeout.or(raw.timeout),
        env,
        goals: own.goals.clone(),
    }
}

fn check_suite_files(dir: &Path, suite: SuiteKind, checkpoint: &str) -> Result<(), Error> {
    if suite == SuiteKind::Cases {
        return cases::read(&cases::path(dir, checkpoint)).map(drop);
    }
    let tests = dir.join("tests");
    let conftest = tests.join("conftest.py");
    if !conftest.is_file() {
        let remedy = "add tests/conftest.py, or set `suite: cases` if the tests are in suite/";
        return Err(Error::missing(&conftest, "the tests' conftest.py", remedy));
    }
    let file = tests.join(format!("test_{checkpoint}.py"));
    if !file.is_file() {
        let remedy = format!("add the tests of {checkpoint}, or take it out of config.yaml");
        return Err(Error::missing(&file, "a checkpoint's test file", remedy));
    }
    Ok(())
}

/// Parts of the problem that can change a verdict or a prompt. Solutions and design notes cannot.
fn hashed_parts(root: &Path, raw: &RawProblem, suite: SuiteKind) -> Result<Vec<PathBuf>, Error> {
    let specs = raw
        .checkpoints
        .iter()
        .map(|(name, _)| PathBuf::from(format!("{name}.md")));
    let assets = raw.static_assets.values().map(|asset| asset.path.clone());
    let parts = ["config.yaml", suite_dir(suite)].map(PathBuf::from);
    let mut parts = Vec::from_iter(parts.into_iter().chain(specs).chain(assets));
    if raw.checkpoints.iter().any(|(_, own)| own.goals.is_some()) {
        parts.extend(goals::folders(root)?);
    }
    Ok(parts)
}

/// The folder of the tests.
fn suite_dir(suite: SuiteKind) -> &'static str {
    match suite {
        SuiteKind::Pytest => "tests",
        SuiteKind::Cases => "suite",
    }
}
