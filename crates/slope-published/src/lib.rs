//! Imports run directories of the published benchmark's harness.
//!
//! Both of its versions are supported; their outputs differ only in details, and `docs/reports.md`
//! describes how each state is determined. Zeros of the harness that are not the agent's
//! (infrastructure failures, suites without tests) become infrastructure failures; values that were
//! not stored are missing. Every stored number that can be recomputed from its files is, and
//! differences are [`Remark`]s.

mod check;
mod checkpoint;
mod details;
mod error;
mod exhibit;
mod files;
mod numbers;
mod pass;
mod plan;
mod quality;
mod recount;
mod remark;
mod stored;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use slope_model::detail::RunDetail;
use slope_model::error_text::one_line;
use slope_model::measurement::Definitions;
use slope_model::run::{AllAttempts, ProblemRef, RunConfig, RunReport, TrialReport};
use slope_model::schema;

pub use error::ImportError;
pub use exhibit::{findings, spec, steps, tests};
pub use numbers::{FileNumbers, StoredNumbers, stored_numbers};

pub use pass::FOLDER as PASS_FOLDER;

use files::{Catalog, Config, Row};
use plan::{checkpoints, problem_names};
pub use remark::Remark;
use remark::remark;
pub use stored::{StoredRun, StoredTest, StoredVerdict, stored};

/// Name of the definitions that the quality numbers of runs since version 1.0 are by. It is also a
/// profile (`slope_compat::runs`).
pub const DEFINITIONS: &str = "published-runs";

/// Version of these definitions. Raise it whenever a change there changes a number.
pub const REVISION: &str = "1";

/// Name of the definitions that the quality numbers of runs before version 1.0 are by.
const OLD_DEFINITIONS: &str = "published-harness/1";

/// A run, and remarks on its stored numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Imported {
    /// The run.
    pub report: RunReport,
    /// Other data of its directory.
    pub detail: RunDetail,
    /// Remarks, by problem and checkpoint.
    pub remarks: Vec<Remark>,
}

/// Whether `dir` looks like a run directory of the published harness, even if one of its files is
/// missing.
#[must_use]
pub fn is_run(dir: &Path) -> bool {
    let files = [
        "config.yaml",
        "environment.yaml",
        "problem_catalog.json",
        "checkpoint_results.jsonl",
    ];
    files.iter().filter(|name| dir.join(name).is_file()).count() > 1
}

/// Imports the run in `dir`.
///
/// # Errors
/// If its configuration cannot be read. Other missing or malformed parts are reported in the
/// reasons of missing values, and in the remarks.
pub fn import(dir: &Path) -> Result<Imported, ImportError> {
    let config: Config = files::yaml(&dir.join("config.yaml"))?;
    let mut remarks = Vec::new();
    let rows = match files::rows(&dir.join("checkpoint_results.jsonl")) {
        Ok(rows) => rows,
        Err(error) => {
            remarks.push(remark("results-missing", None, one_line(&error)));
            Vec::new()
        }
    };
    let catalog: Catalog = files::json(&dir.join("problem_catalog.json")).unwrap_or_default();
    let mut problems = BTreeMap::new();
    let mut trials = Vec::new();
    let mut detail = RunDetail::default();
    let mut not_begun = Vec::new();
    for name in problem_names(dir, &config) {
        let folder = dir.join(&name);
        let planned = checkpoints(&folder);
        if planned.names.is_empty() {
            not_begun.push(name.clone());
        } else {
            let own: Vec<&Row> = rows.iter().filter(|row| row.is_of(&name)).collect();
            let lost = planned.lost.iter().map(|why| {
                let text = format!("its checkpoints are the folders that there are: {why}");
                remark("problem-unreadable", Some(name.clone()), text)
            });
            remarks.extend(lost);
            let read = checkpoint::trial(&folder, &name, &planned, &own);
            trials.push(read.report);
            detail.trials.push(read.detail);
            remarks.extend(read.remarks);
        }
        let reference = ProblemRef {
            path: folder,
            hash: edition(&catalog, planned.version),
            checkpoint_names: planned.names,
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
        detail,
        remarks,
    })
}

/// Identifies the texts and tests of a problem among others of its name; empty if the run does not
/// name its catalog.
fn edition(catalog: &Catalog, version: u32) -> String {
    if catalog.version.is_empty() && catalog.commit.is_empty() {
        return String::new();
    }
    format!("{} {} v{version}", catalog.version, catalog.commit)
}

/// Reads the first mebibyte of a file in a checkpoint's snapshot.
///
/// # Errors
/// If it cannot be read, or `path` leads out of the snapshot.
pub fn source(
    dir: &Path,
    problem: &str,
    checkpoint: &str,
    path: &str,
) -> Result<Vec<u8>, ImportError> {
    files::head(&dir.join(problem).join(checkpoint).join("snapshot"), path)
}

/// The snapshot folders of the run in `dir`: of checkpoints, and of refactoring passes after them.
///
/// # Errors
/// If the run's configuration cannot be read.
pub fn snapshot_folders(dir: &Path) -> Result<Vec<PathBuf>, ImportError> {
    let config: Config = files::yaml(&dir.join("config.yaml"))?;
    let mut folders = Vec::new();
    for problem in problem_names(dir, &config) {
        let problem = dir.join(&problem);
        for checkpoint in checkpoints(&problem).names {
            let checkpoint = problem.join(&checkpoint);
            let pass = checkpoint.join(pass::FOLDER);
            folders.extend([checkpoint, pass]);
        }
    }
    folders.retain(|folder| folder.join("snapshot").is_dir());
    Ok(folders)
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
        // Whatever the skill's name: the harness stores only its text.
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
            start: slope_model::run::Start::Own,
            isolation: config.environment.kind.clone(),
            capabilities: BTreeMap::new(),
            options,
        },
        definitions: vec![definitions(catalog)],
        all_attempts: AllAttempts::default(),
        trials,
    }
}

/// The definitions that the run's quality numbers are by. Only newer runs name a catalog.
fn definitions(catalog: &Catalog) -> Definitions {
    let is_old = catalog.version.is_empty() && catalog.commit.is_empty();
    let version = if is_old {
        OLD_DEFINITIONS.to_owned()
    } else {
        format!("{DEFINITIONS}/{REVISION}")
    };
    Definitions {
        hash: blake3::hash(version.as_bytes()).to_hex().to_string(),
        version,
        grammars: BTreeMap::new(),
        rules: BTreeMap::new(),
    }
}
