//! What tests and examples share: problems, snapshots, the cache.
#![allow(dead_code, reason = "each user needs a part")]
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "this is test code without a test harness"
)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use slope_model::problem::{Checkpoint, Problem, StaticAsset, SuiteKind};
use slope_model::verdict::{Outcome, Verdict};
use slope_sandbox::{LocalRuntime, Runtime};
use slope_suite::{Error, GradeOptions, GradeRequest, driver_for};

#[derive(Deserialize)]
struct Config {
    name: String,
    entry_file: String,
    #[serde(default)]
    timeout: Option<f64>,
    #[serde(default)]
    static_assets: BTreeMap<String, Asset>,
    #[serde(default)]
    test_dependencies: Vec<String>,
    checkpoints: BTreeMap<String, Options>,
}

#[derive(Deserialize)]
struct Asset {
    path: PathBuf,
    #[serde(default)]
    save_path: Option<PathBuf>,
}

#[derive(Deserialize)]
struct Options {
    order: u32,
    #[serde(default = "yes")]
    include_prior_tests: bool,
    #[serde(default)]
    timeout: Option<f64>,
}

fn yes() -> bool {
    true
}

/// Reads as much of a problem folder as grading needs.
pub(crate) fn load(root: &Path, suite: SuiteKind) -> Problem {
    let text = fs::read_to_string(root.join("config.yaml")).unwrap();
    let config: Config = serde_saphyr::from_str(&text).unwrap();
    let mut checkpoints: Vec<_> = config
        .checkpoints
        .into_iter()
        .map(|(name, options)| Checkpoint {
            name,
            index: options.order,
            version: 1,
            spec: String::new(),
            include_prior_tests: options.include_prior_tests,
            test_timeout_s: options.timeout.or(config.timeout),
            env: BTreeMap::new(),
            goals: None,
        })
        .collect();
    checkpoints.sort_by_key(|c| c.index);
    let assets = config
        .static_assets
        .into_iter()
        .map(|(name, asset)| StaticAsset {
            name,
            source: root.join(&asset.path),
            save_path: asset.save_path.unwrap_or(asset.path),
        });
    Problem {
        name: config.name,
        version: 1,
        description: String::new(),
        category: None,
        difficulty: None,
        family: None,
        tags: Vec::new(),
        entry_file: format!("{}.py", config.entry_file),
        root: root.to_owned(),
        suite,
        checkpoints,
        static_assets: assets.collect(),
        markers: BTreeMap::new(),
        test_dependencies: config.test_dependencies,
        hash: String::new(),
    }
}

/// Packs a folder as a snapshot.
pub(crate) fn pack(folder: &Path, tar: &Path) {
    let mut builder = tar::Builder::new(fs::File::create(tar).unwrap());
    builder.follow_symlinks(false);
    builder.append_dir_all("", folder).unwrap();
    builder.finish().unwrap();
}

/// A cache that all tests of a machine share, below the build folder.
pub(crate) fn options() -> GradeOptions {
    // Examples have no such folder, and no use for this function.
    let target = option_env!("CARGO_TARGET_TMPDIR").unwrap_or(".");
    let cache = Path::new(target).join("grading-cache");
    fs::create_dir_all(&cache).unwrap();
    GradeOptions::new(cache)
}

/// Grades the snapshot of `folder`.
pub(crate) fn grade(
    problem: &Problem,
    checkpoint: u32,
    folder: &Path,
    options: &GradeOptions,
) -> Result<Verdict, Error> {
    let work = tempfile::tempdir().unwrap();
    let tar = work.path().join("snapshot.tar");
    pack(folder, &tar);
    grade_tar(problem, checkpoint, &tar, work.path(), options)
}

/// Grades a snapshot.
pub(crate) fn grade_tar(
    problem: &Problem,
    checkpoint: u32,
    tar: &Path,
    work_dir: &Path,
    options: &GradeOptions,
) -> Result<Verdict, Error> {
    let runtime: &dyn Runtime = &LocalRuntime;
    let request = GradeRequest {
        problem,
        checkpoint,
        snapshot_tar: tar,
        work_dir,
        runtime,
        options,
    };
    driver_for(problem.suite).grade(&request)
}

/// Id to outcome.
pub(crate) fn outcomes(verdict: &Verdict) -> BTreeMap<String, Outcome> {
    verdict
        .tests
        .iter()
        .map(|t| (format!("{}::{}", t.checkpoint, t.id), t.outcome))
        .collect()
}

/// The result of `grading`, or `None`, said on standard output, if something outside that grading
/// needs is missing: namespaces, a Python, packages.
pub(crate) fn unless_unavailable(
    grading: impl FnOnce() -> Result<Verdict, Error>,
) -> Option<Verdict> {
    let why = match LocalRuntime.probe().require() {
        Err(why) => why.to_string(),
        Ok(()) => match grading() {
            Ok(verdict) => return Some(verdict),
            Err(
                why @ (Error::NoEnsurepip { .. } | Error::Python { .. } | Error::Install { .. }),
            ) => why.to_string(),
            Err(why) => panic!("{why}"),
        },
    };
    println!("skipped: {why}");
    None
}
