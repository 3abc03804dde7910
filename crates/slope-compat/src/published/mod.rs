//! Run directories of the published benchmark's harness, read as runs.
//!
//! Both of its versions are read; what they write differs in small things only, and
//! `docs/reports.md` says how each state is told. What the harness counted as zero though it
//! says nothing of the agent (infrastructure failures, suites without tests) is
//! infrastructure here; what it did not store is missing. Every stored number that can be
//! computed again from the files beside it is, and differences are [`Remark`]s.

mod check;
mod checkpoint;
mod files;
mod quality;
mod stored;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use slope_model::measurement::Definitions;
use slope_model::run::{AllAttempts, ProblemRef, RunConfig, RunReport, TrialReport};
use slope_model::schema;

pub use stored::{findings, spec, steps, tests};

use files::{Catalog, Config, Problem, Row};

/// Name of the definitions that imported quality numbers are by.
const DEFINITIONS: &str = "published-harness/1";

/// A run directory that cannot be read as a run.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// A file cannot be read.
    #[error("cannot read {path}: {source}")]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file is not what it should be.
    #[error("{path}: {reason}; restore the file, or take the run away")]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        reason: String,
    },
}

/// Something that a reader of the run's own numbers must know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// Kind of thing; the names are in `docs/reports.md`.
    pub kind: &'static str,
    /// Problem and checkpoint, where it is about one.
    pub place: Option<String>,
    /// What.
    pub text: String,
}

/// A run, and what must be known of its stored numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Imported {
    /// The run.
    pub report: RunReport,
    /// Remarks, by problem and checkpoint.
    pub remarks: Vec<Remark>,
}

/// Whether `dir` looks like a run directory of the published harness.
#[must_use]
pub fn is_run(dir: &Path) -> bool {
    dir.join("config.yaml").is_file() && dir.join("environment.yaml").is_file()
}

/// Reads the run in `dir`.
///
/// # Errors
/// When its configuration cannot be read. Anything else that is missing or malformed is told
/// in the reasons of what it leaves without a value, and in the remarks.
pub fn import(dir: &Path) -> Result<Imported, ImportError> {
    let config: Config = files::yaml(&dir.join("config.yaml"))?;
    let mut remarks = Vec::new();
    let rows = match files::rows(&dir.join("checkpoint_results.jsonl")) {
        Ok(rows) => rows,
        Err(error) => {
            remarks.push(remark("results-missing", None, error.to_string()));
            Vec::new()
        }
    };
    let catalog: Catalog = files::json(&dir.join("problem_catalog.json")).unwrap_or_default();
    let mut problems = BTreeMap::new();
    let mut trials = Vec::new();
    let mut not_begun = Vec::new();
    for name in problem_names(dir, &config) {
        let folder = dir.join(&name);
        let (checkpoint_names, version) = checkpoints(&folder);
        if checkpoint_names.is_empty() {
            not_begun.push(name.clone());
        } else {
            let own: Vec<&Row> = rows.iter().filter(|row| row.is_of(&name)).collect();
            let read = checkpoint::trial(&folder, &name, &checkpoint_names, &own);
            trials.push(read.0);
            remarks.extend(read.1);
        }
        let reference = ProblemRef {
            path: folder,
            hash: format!("{} {} v{version}", catalog.version, catalog.commit),
            checkpoint_names,
        };
        problems.insert(name, reference);
    }
    if !not_begun.is_empty() {
        let places = check::listed(&not_begun);
        let text = format!(
            "configured and not begun, so that how many checkpoints they have is not stored and \
             coverage is without them: {places}"
        );
        remarks.push(remark("problem-missing", None, text));
    }
    remarks.extend(check::run(dir, &rows, &trials));
    Ok(Imported {
        report: report(dir, &config, &catalog, problems, trials),
        remarks,
    })
}

fn remark(kind: &'static str, place: Option<String>, text: String) -> Remark {
    Remark { kind, place, text }
}

/// Problems that were configured or have a folder, by name. A name that is no plain folder's
/// (`../x`) is none.
fn problem_names(dir: &Path, config: &Config) -> BTreeSet<String> {
    let plain = |name: &String| {
        let mut parts = Path::new(name).components();
        let first = parts.next();
        matches!(first, Some(std::path::Component::Normal(_))) && parts.next().is_none()
    };
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    let folders = entries
        .filter(|entry| {
            let path = entry.path();
            path.join("problem.yaml").is_file() || path.join("checkpoint_1").is_dir()
        })
        .filter_map(|entry| entry.file_name().into_string().ok());
    let configured = config.problems.iter().filter(|name| plain(name)).cloned();
    configured.chain(folders).collect()
}

/// Names of a problem's checkpoints in their order, and the problem's version. Where its
/// description is lost, the folders that there are.
fn checkpoints(folder: &Path) -> (Vec<String>, u32) {
    if let Ok(problem) = files::yaml::<Problem>(&folder.join("problem.yaml")) {
        let mut ordered: Vec<(u32, String)> = problem
            .checkpoints
            .into_iter()
            .map(|(name, checkpoint)| (checkpoint.order, name))
            .collect();
        ordered.sort();
        return (
            ordered.into_iter().map(|(_, name)| name).collect(),
            problem.version,
        );
    }
    let names = (1..).map(|number| format!("checkpoint_{number}"));
    let there = names.take_while(|name| folder.join(name).is_dir());
    (there.collect(), 1)
}

fn report(
    dir: &Path,
    config: &Config,
    catalog: &Catalog,
    problems: BTreeMap<String, ProblemRef>,
    trials: Vec<TrialReport>,
) -> RunReport {
    let stem = Path::new(&config.prompt_path).file_stem();
    let label = dir.file_name().unwrap_or(dir.as_os_str());
    let mut options = BTreeMap::from([
        ("imported".to_owned(), "published harness".into()),
        ("catalog".to_owned(), catalog.commit.clone().into()),
    ]);
    if config.post_checkpoint_skill.is_some() {
        // Whatever the skill is called: the harness stores its text alone.
        options.insert("intervention".to_owned(), "post-checkpoint skill".into());
    }
    RunReport {
        schema: schema::RUN_REPORT.to_owned(),
        run: dir.to_owned(),
        config: RunConfig {
            schema: schema::RUN.to_owned(),
            slope_version: env!("CARGO_PKG_VERSION").to_owned(),
            label: label.to_string_lossy().into_owned(),
            agent: config.agent.kind.clone(),
            agent_version: config.agent.version.clone().unwrap_or_default(),
            model: config.model.name.clone(),
            prompt: stem.map_or_else(String::new, |s| s.to_string_lossy().into_owned()),
            prompt_hash: blake3::hash(config.prompt_content.as_bytes())
                .to_hex()
                .to_string(),
            problems,
            trials: 1,
            isolation: config.environment.kind.clone(),
            capabilities: BTreeMap::new(),
            options,
        },
        definitions: vec![Definitions {
            version: DEFINITIONS.to_owned(),
            hash: blake3::hash(DEFINITIONS.as_bytes()).to_hex().to_string(),
            grammars: BTreeMap::new(),
            rules: BTreeMap::new(),
        }],
        all_attempts: AllAttempts::default(),
        trials,
    }
}
