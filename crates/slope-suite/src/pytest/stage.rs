//! The layout of the grader's sandbox, and the tar files for it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde::Serialize;
use slope_model::problem::{Checkpoint, Problem};

use crate::archive::{Packer, sorted_names};
use crate::error::Error;
use crate::stability::Stalls;

/// Tests of checkpoints 1..N, their data and the assets.
pub(super) const TESTS: &str = "/grader/tests";
/// The runner, its job and pytest's configuration.
pub(super) const RUNNER: &str = "/grader/runner";
/// The runner's own environment.
pub(super) const ENVIRONMENT: &str = "/opt/grader";
/// Path of the launcher of programs under test.
pub(super) const LAUNCHER: &str = "/opt/launch/slope-enter";

/// The runner's source.
pub(super) const RUNNER_SOURCE: &str = include_str!("runner.py");

/// The tests as one tar file.
#[derive(Debug)]
pub(super) struct TestTree {
    /// Tar file.
    pub(super) tar: PathBuf,
    /// Hash of its content.
    pub(super) hash: String,
    /// Names of files with test code, which a program never sees.
    pub(super) code: BTreeSet<String>,
}

/// The runner's job. Paths are arguments instead, so that a runtime may translate them.
#[derive(Debug, Serialize)]
pub(super) struct Job<'a> {
    pub(super) checkpoint: &'a str,
    pub(super) timeout_s: Option<u64>,
    pub(super) collect: bool,
    pub(super) only: Option<&'a BTreeSet<String>>,
    pub(super) stalls: Option<Stalls>,
}

/// Packs the tests for a grader of `suites`, the last of which is current.
///
/// As the contract requires, that is `conftest.py`, every file but tests, every folder, and
/// `test_<checkpoint>.py` for the given checkpoints. Later checkpoints' files stay on the host.
pub(super) fn pack_tests(
    problem: &Problem,
    suites: &[&Checkpoint],
    tar: &Path,
) -> Result<TestTree, Error> {
    let root = problem.root.join("tests");
    if !root.join("conftest.py").is_file() {
        return Err(Error::suite(
            &root.join("conftest.py"),
            "missing file that registers `--entrypoint` and `--checkpoint`",
        ));
    }
    let owned: BTreeSet<String> = suites
        .iter()
        .map(|c| format!("test_{}.py", c.name))
        .collect();
    let mut packer = Packer::create(tar)?;
    let mut code = BTreeSet::from([
        "conftest.py".to_owned(),
        "test_*.py".to_owned(),
        "*.pyc".to_owned(),
    ]);
    let mut present = BTreeSet::new();
    for name in sorted_names(&root)? {
        let is_test =
            name.starts_with("test_") && name.ends_with(".py") && root.join(&name).is_file();
        if name == "__pycache__" || (is_test && !owned.contains(&name)) {
            continue;
        }
        packer.tree(Path::new(&name), &root.join(&name))?;
        if name.ends_with(".py") {
            code.insert(name.clone());
        }
        present.insert(name);
    }
    if let Some(missing) = owned.difference(&present).next() {
        return Err(Error::suite(
            &root.join(missing),
            "missing file, so its checkpoint has no suite",
        ));
    }
    for asset in &problem.static_assets {
        let name = Path::new("assets").join(&asset.name);
        if !present.contains("assets") || !root.join(&name).exists() {
            packer.tree(&name, &asset.source)?;
        }
    }
    Ok(TestTree {
        tar: tar.to_owned(),
        hash: packer.finish()?,
        code,
    })
}

/// Packs the runner with its job.
pub(super) fn pack_runner(problem: &Problem, job: &Job<'_>, tar: &Path) -> Result<(), Error> {
    let mut packer = Packer::create(tar)?;
    let job = serde_json::to_vec(job).map_err(|e| Error::suite(&problem.root, e.to_string()))?;
    packer.bytes(Path::new("runner.py"), RUNNER_SOURCE.as_bytes(), false)?;
    packer.bytes(
        Path::new("pytest.ini"),
        configuration(problem).as_bytes(),
        false,
    )?;
    packer.bytes(Path::new("job.json"), &job, false)?;
    packer.finish().map(|_| ())
}

/// pytest's configuration: markers, nothing else.
fn configuration(problem: &Problem) -> String {
    let known = ["core", "error", "functionality", "regression"].map(String::from);
    let markers = known.into_iter().chain(problem.markers.keys().cloned());
    let lines: String = markers
        .map(|m| format!("    {m}: a group of the contract\n"))
        .collect();
    format!("[pytest]\nmarkers =\n{lines}")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::fs;

    use slope_model::problem::{StaticAsset, SuiteKind};

    use super::*;
    use crate::archive::SnapshotIndex;
    use crate::inside::pack_workspace;

    fn checkpoint(name: &str, index: u32) -> Checkpoint {
        Checkpoint {
            name: name.to_owned(),
            index,
            version: 1,
            spec: String::new(),
            include_prior_tests: true,
            test_timeout_s: None,
            env: BTreeMap::new(),
            goals: None,
        }
    }

    fn problem(root: &Path) -> Problem {
        Problem {
            name: "p".to_owned(),
            version: 1,
            description: String::new(),
            category: None,
            difficulty: None,
            family: None,
            tags: Vec::new(),
            entry_file: "p.py".to_owned(),
            root: root.to_owned(),
            suite: SuiteKind::Pytest,
            checkpoints: vec![checkpoint("checkpoint_1", 1), checkpoint("checkpoint_2", 2)],
            static_assets: vec![StaticAsset {
                name: "files".to_owned(),
                source: root.join("files"),
                save_path: "in/files".into(),
            }],
            markers: BTreeMap::new(),
            test_dependencies: Vec::new(),
            hash: String::new(),
        }
    }

    #[test]
    fn only_contract_files_are_packed() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        for path in ["tests/data/deep", "tests/__pycache__", "files"] {
            fs::create_dir_all(root.join(path)).unwrap();
        }
        for path in [
            "tests/conftest.py",
            "tests/helpers.py",
            "tests/test_checkpoint_1.py",
            "tests/test_checkpoint_2.py",
            "tests/test_utils.py",
            "tests/data/deep/case.py",
            "tests/__pycache__/x.pyc",
            "files/a.txt",
        ] {
            fs::write(root.join(path), path).unwrap();
        }
        let problem = problem(root);
        let tar = root.join("tests.tar");
        let tree = pack_tests(&problem, &[&problem.checkpoints[0]], &tar).unwrap();
        let index = SnapshotIndex::read(&tar, "").unwrap();
        let paths: Vec<_> = index
            .paths
            .iter()
            .map(|p| p.to_string_lossy().into_owned())
            .collect();
        assert_eq!(
            paths,
            [
                "assets/files",
                "assets/files/a.txt",
                "conftest.py",
                "data",
                "data/deep",
                "data/deep/case.py",
                "helpers.py",
                "test_checkpoint_1.py"
            ]
        );
        assert!(tree.code.contains("helpers.py") && !tree.code.contains("case.py"));

        let empty = root.join("empty.tar");
        Packer::create(&empty).unwrap().finish().unwrap();
        let workspace = root.join("workspace.tar");
        pack_workspace(&problem, &empty, &SnapshotIndex::default(), &workspace).unwrap();
        assert!(
            SnapshotIndex::read(&workspace, "")
                .unwrap()
                .has(Path::new("in/files/a.txt"))
        );

        fs::remove_file(root.join("tests/test_checkpoint_2.py")).unwrap();
        let why = pack_tests(&problem, &[&problem.checkpoints[1]], &tar)
            .unwrap_err()
            .to_string();
        assert!(why.contains("test_checkpoint_2.py"), "{why}");
    }
}
