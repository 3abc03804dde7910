//! Loading problem folders in the published layout, and the errors for broken ones.

use std::fs;
use std::path::Path;

use slope_model::problem::{Group, SuiteKind};
use slope_problem::{Error, LoadOptions, load, reference_solution};
use slope_testkit::{folder, write_file};
use tempfile::TempDir;

fn write(root: &Path, path: &str, text: &str) {
    write_file(&root.join(path), text);
}

/// A problem of two checkpoints with everything that the older catalog's fields allow.
const CONFIG: &str = "\
version: 3
name: ledger
description: |
  Keeps a ledger.
tags: [cli, files]
family: security
entry_file: ledger
author: nobody
unknown_key: ignored
category: NOT_SET
difficulty: Medium
timeout: 20
env:
  MODE: plain
  REGION: north
static_assets:
  rates:
    path: data
    save_path: given/rates
markers:
  slow: {description: takes long, group: Functionality}
test_dependencies: [httpx]
checkpoints:
  checkpoint_2:
    version: 2
    order: 2
    state: Full Tests
    include_prior_tests: false
    timeout: 5
    env: {MODE: strict}
  checkpoint_1:
    name: other
    version: 1
    order: 1
";

fn published(config: &str) -> TempDir {
    folder(&[
        ("config.yaml", config),
        (
            "checkpoint_1.md",
            "<!-- canary -->\nWrite `%%%ENTRYPOINT:entry_file%%%`.\n",
        ),
        (
            "checkpoint_2.md",
            "Run `%%%ENTRYPOINT:entry_command%%% sum`.\n",
        ),
        ("tests/conftest.py", "import pytest\n"),
        ("tests/test_checkpoint_1.py", "def test_a(): pass\n"),
        ("tests/test_checkpoint_2.py", "def test_b(): pass\n"),
        ("tests/data/case.json", "{}\n"),
        ("data/rates.csv", "EUR,1\n"),
        ("solutions/checkpoint_1/ledger.py", "pass\n"),
    ])
}

fn load_error(dir: &TempDir) -> Error {
    load(dir.path(), &LoadOptions::default()).unwrap_err()
}

#[test]
fn published_layout_loads_with_defaults() {
    let dir = published(CONFIG);
    let problem = load(dir.path(), &LoadOptions::default()).unwrap();
    assert_eq!((problem.name.as_str(), problem.version), ("ledger", 3));
    assert_eq!(problem.description, "Keeps a ledger.");
    assert_eq!(problem.category, None);
    assert_eq!(problem.difficulty.as_deref(), Some("Medium"));
    assert_eq!(problem.family.as_deref(), Some("security"));
    assert_eq!(problem.tags, ["cli", "files"]);
    assert_eq!(problem.entry_file, "ledger.py");
    assert_eq!(problem.suite, SuiteKind::Pytest);
    assert_eq!(problem.markers["slow"], Group::Functionality);
    assert_eq!(problem.test_dependencies, ["httpx"]);
    assert_eq!(problem.static_assets[0].save_path, Path::new("given/rates"));
    assert!(problem.static_assets[0].source.join("rates.csv").is_file());
}

#[test]
fn checkpoints_are_ordered_with_inherited_settings() {
    let dir = published(CONFIG);
    let problem = load(dir.path(), &LoadOptions::default()).unwrap();
    let [one, two] = problem.checkpoints.as_slice() else {
        panic!("two checkpoints")
    };
    assert_eq!(
        (one.name.as_str(), one.index, one.include_prior_tests),
        ("checkpoint_1", 1, true)
    );
    assert_eq!(one.spec, "Write `ledger.py`.\n");
    assert_eq!(one.test_timeout_s, Some(20.0));
    assert_eq!(one.env["MODE"], "plain");
    assert_eq!(
        (two.name.as_str(), two.index, two.include_prior_tests),
        ("checkpoint_2", 2, false)
    );
    assert_eq!(two.spec, "Run `python ledger.py sum`.\n");
    assert_eq!(two.test_timeout_s, Some(5.0));
    assert_eq!(
        (two.env["MODE"].as_str(), two.env["REGION"].as_str()),
        ("strict", "north")
    );

    assert!(
        reference_solution(&problem, "checkpoint_1")
            .unwrap()
            .join("ledger.py")
            .is_file()
    );
    assert_eq!(reference_solution(&problem, "checkpoint_2"), None);
    assert_eq!(
        reference_solution(&problem, "../solutions/checkpoint_1"),
        None
    );
}

#[test]
fn checkpoint_order_defaults_to_file_order() {
    let config = "version: 1\nname: p\ndescription: d\nentry_file: p\ncheckpoints:\n  \
                  checkpoint_2: {version: 1}\n  checkpoint_1: {version: 1}\n";
    let problem = load(published(config).path(), &LoadOptions::default()).unwrap();
    let names: Vec<_> = problem
        .checkpoints
        .iter()
        .map(|c| c.name.as_str())
        .collect();
    assert_eq!(names, ["checkpoint_2", "checkpoint_1"]);
}

#[test]
fn language_specific_text_is_an_option() {
    let dir = published(CONFIG);
    let spec = |entry_file: &str, agent_command: &str, note: Option<&str>| {
        let options = LoadOptions {
            entry_file: entry_file.into(),
            agent_command: agent_command.into(),
            note: note.map(str::to_owned),
        };
        let problem = load(dir.path(), &options).unwrap();
        (problem.entry_file, problem.checkpoints[1].spec.clone())
    };
    assert_eq!(
        spec("{name}.js", "node {entry_file}", Some("## Note\n")),
        (
            "ledger.js".into(),
            "Run `node ledger.js sum`.\n\n## Note\n".into()
        )
    );
    assert_eq!(
        spec("src/main.rs", "cargo run --", None),
        ("src/main.rs".into(), "Run `cargo run -- sum`.\n".into())
    );
}

#[test]
fn hash_depends_only_on_content() {
    let hash = |dir: &TempDir| load(dir.path(), &LoadOptions::default()).unwrap().hash;
    let dir = published(CONFIG);
    let before = hash(&dir);
    assert_eq!(
        before,
        hash(&published(CONFIG)),
        "the folder's place does not matter"
    );
    write(dir.path(), "solutions/checkpoint_1/ledger.py", "print()\n");
    write(dir.path(), "design_doc.md", "notes\n");
    write(dir.path(), "tests/__pycache__/x.pyc", "cache");
    assert_eq!(
        before,
        hash(&dir),
        "neither solutions nor notes nor caches matter"
    );
    let inputs = [
        "checkpoint_2.md",
        "tests/test_checkpoint_1.py",
        "tests/data/case.json",
        "tests/conftest.py",
        "data/rates.csv",
    ];
    let mut seen = vec![before];
    for path in inputs {
        write(dir.path(), path, "changed\n");
        let now = hash(&dir);
        assert!(!seen.contains(&now), "{path} must matter");
        seen.push(now);
    }
}

#[test]
fn missing_files_are_named() {
    let empty = tempfile::tempdir().unwrap();
    assert!(
        load_error(&empty)
            .to_string()
            .contains("config.yaml is missing")
    );
    for (path, says) in [
        ("checkpoint_2.md", "the spec of a checkpoint is missing"),
        ("tests/conftest.py", "conftest.py is missing"),
        ("tests/test_checkpoint_2.py", "test file is missing"),
        ("data/rates.csv", ""),
    ] {
        let dir = published(CONFIG);
        fs::remove_file(dir.path().join(path)).unwrap();
        if says.is_empty() {
            fs::remove_dir(dir.path().join("data")).unwrap();
        }
        let error = load_error(&dir);
        assert!(matches!(error, Error::Missing { .. }), "{error}");
        assert!(error.to_string().contains(says), "{error}");
        assert!(error.to_string().contains("help: "), "{error}");
    }
}

/// `CONFIG` with `from` replaced, and what the error says, with its line.
#[track_caller]
fn refuses(from: &str, to: &str, says: &str, line: Option<u64>) {
    assert!(CONFIG.contains(from));
    let error = load_error(&published(&CONFIG.replacen(from, to, 1)));
    assert!(matches!(error, Error::Malformed { .. }), "{error}");
    assert!(error.to_string().contains(says), "{error}");
    assert!(error.path().ends_with("config.yaml"), "{error}");
    if line.is_some() {
        assert_eq!(error.line(), line, "{error}");
    }
}

#[test]
fn malformed_configs_name_the_line() {
    refuses("version: 3", "version: [", "", None);
    refuses("version: 3", "version: three", "", Some(1));
    refuses("name: ledger", "title: ledger", "name", None);
    refuses("name: ledger", "name: a/b", "plain name", Some(2));
    refuses("timeout: 20", "timeout: -1", "timeout", Some(12));
    refuses("state: Full Tests", "state: Complete", "Complete", Some(27));
    refuses(
        "state: Full Tests",
        "regressions: []",
        "regressions",
        Some(27),
    );
    refuses("group: Functionality", "group: Nice", "Nice", Some(21));
    refuses(
        "  checkpoint_1:",
        "  checkpoint_2:",
        "checkpoint_2",
        Some(31),
    );
    let start = CONFIG.find("checkpoints:").unwrap();
    refuses(
        &CONFIG[start..],
        "checkpoints: {}\n",
        "at least one checkpoint",
        Some(23),
    );
}

#[test]
fn assets_that_point_outside_are_refused() {
    refuses("path: data", "path: ../data", "points outside", Some(17));
    refuses("path: data", "path: /etc", "points outside", Some(17));
    refuses(
        "save_path: given/rates",
        "save_path: ../rates",
        "points outside",
        Some(17),
    );
}

#[cfg(unix)]
#[test]
fn links_pointing_outside_are_refused() {
    let outside = folder(&[("secret.txt", "s")]);
    let dir = published(CONFIG);
    std::os::unix::fs::symlink(outside.path(), dir.path().join("data/link")).unwrap();
    assert!(
        load_error(&dir)
            .to_string()
            .contains("points outside the problem's folder")
    );
    fs::remove_file(dir.path().join("data/link")).unwrap();
    std::os::unix::fs::symlink("rates.csv", dir.path().join("data/link")).unwrap();
    load(dir.path(), &LoadOptions::default()).unwrap();
}

#[cfg(unix)]
#[test]
fn links_outside_problem_folder_are_refused() {
    let outside = published(CONFIG);
    for part in [
        "config.yaml",
        "checkpoint_1.md",
        "tests",
        "tests/conftest.py",
        "tests/test_checkpoint_2.py",
        "solutions",
        "solutions/checkpoint_1",
        "sloppy/checkpoint_1",
    ] {
        let dir = published(CONFIG);
        for root in [dir.path(), outside.path()] {
            write(root, "solutions/checkpoint_1/ledger.py", "");
            write(root, "sloppy/checkpoint_1/ledger.py", "");
        }
        let problem = load(dir.path(), &LoadOptions::default()).unwrap();
        let path = dir.path().join(part);
        if path.is_dir() {
            fs::remove_dir_all(&path).unwrap();
        } else {
            fs::remove_file(&path).unwrap();
        }
        std::os::unix::fs::symlink(outside.path().join(part), &path).unwrap();
        let told = load_error(&dir).to_string();
        assert!(
            told.contains("points outside the problem's folder"),
            "{part}: {told}"
        );
        // Nor is it followed when the folder changes afterwards.
        let solution = reference_solution(&problem, "checkpoint_1");
        assert_eq!(solution.is_none(), part.starts_with("solutions"), "{part}");
    }
}

#[test]
fn whole_folder_asset_is_refused() {
    refuses("path: data", "path: .", "whole folder", Some(17));
    refuses("path: data", "path: ./", "whole folder", Some(17));
}
