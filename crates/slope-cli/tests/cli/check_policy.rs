//! `slope check --policy`: a change cannot relax the gate that judges it.

use std::path::Path;

use slope_testkit::git::{commit, git, repository};
use slope_testkit::{HELPER, write};
use tempfile::TempDir;

use crate::check::{branches, check, judged, told};
use crate::common::stderr;

/// A repository with a rule that a copy breaks, and the branch `work` that adds a copy.
fn with_copy(config: (&str, &str), more: &[(&str, &str)]) -> TempDir {
    let dir = repository(&[("src/a.py", HELPER), config]);
    git(dir.path(), &["checkout", "-q", "-b", "work"]);
    let copy = HELPER.replace("normalise", "tidy");
    commit(
        dir.path(),
        &[[("src/b.py", &*copy)].as_slice(), more].concat(),
    );
    dir
}

const BY_MAIN: [&str; 4] = ["--base", "main", "--policy", "main"];

#[test]
fn relaxed_settings_do_not_apply() {
    let strict = "[check]\nnew-clone = \"error\"\n";
    let off = "[check]\nnew-clone = \"off\"\n";
    let dir = with_copy(("slope.toml", strict), &[("slope.toml", off)]);
    let own = judged(dir.path(), &["--base", "main"]);
    assert_eq!(own["passes"], true, "{own}");
    let by_main = judged(dir.path(), &BY_MAIN);
    assert_eq!(by_main["passes"], false, "{by_main}");
    let found = told(&by_main);
    assert!(
        found
            .iter()
            .any(|one| one.starts_with("new-clone error src/b.py")),
        "{found:?}"
    );
    assert!(
        found.iter().any(|one| one.starts_with("gate-setup")),
        "{found:?}"
    );
    assert!(
        by_main["notes"].to_string().contains("those of main ("),
        "{by_main}"
    );
}

#[test]
fn files_that_a_change_excludes_are_judged() {
    let excluded = [("slope.toml", "exclude = [\"src/b.py\"]\n")];
    let dir = with_copy(("README.md", "x\n"), &excluded);
    assert_eq!(judged(dir.path(), &["--base", "main"])["passes"], true);
    assert_eq!(judged(dir.path(), &BY_MAIN)["passes"], false);
}

#[test]
fn settings_of_the_nearest_folder_apply() {
    let dir = with_copy(
        (
            "src/pyproject.toml",
            "[tool.slope.check]\nnew-clone = \"off\"\n",
        ),
        &[("src/pyproject.toml", "[tool.other]\n")],
    );
    let src = dir.path().join("src");
    assert_eq!(judged(&src, &["--base", "main"])["passes"], false);
    assert_eq!(judged(&src, &BY_MAIN)["passes"], true);
    // From the top, the settings of a folder below do not apply.
    assert_eq!(judged(dir.path(), &BY_MAIN)["passes"], false);
}

#[test]
fn waivers_of_a_change_do_not_apply() {
    let dir = repository(&[("a.py", &branches("big", 20, "x"))]);
    let at = dir.path();
    assert!(check(at, &["--ratchet", "--update"]).status.success());
    commit(at, &[("b.py", "x = 1\n")]);
    git(at, &["checkout", "-q", "-b", "work"]);
    write(at, &[("a.py", &branches("big", 22, "x"))]);
    let worse = judged(at, &["--ratchet"]);
    let file = at.join("slope-ratchet.txt");
    let mut ratchet = std::fs::read_to_string(&file).unwrap();
    for violation in worse["violations"].as_array().unwrap() {
        let print = violation["fingerprint"].as_str().unwrap();
        ratchet.push_str(&format!("waive\t{print}\t9999-12-31\tmine\n"));
    }
    std::fs::write(&file, ratchet).unwrap();
    assert_eq!(judged(at, &["--ratchet"])["passes"], true);
    let by_main = judged(at, &["--ratchet", "--policy", "main"]);
    assert_eq!(by_main["passes"], false, "{by_main}");
    // A ratchet that lists more does not help either.
    std::fs::remove_file(&file).unwrap();
    assert!(check(at, &["--ratchet", "--update"]).status.success());
    assert_eq!(judged(at, &["--ratchet"])["passes"], true);
    assert_eq!(
        judged(at, &["--ratchet", "--policy", "main"])["passes"],
        false
    );
}

#[test]
fn faulty_policies_are_named() {
    let dir = with_copy(("slope.toml", "[check]\nnew-clone = 7\n"), &[]);
    let at: &Path = dir.path();
    let unknown = check(at, &["--policy", "nowhere"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(stderr(&unknown).contains("nowhere"), "{}", stderr(&unknown));
    let faulty = check(at, &BY_MAIN);
    assert_eq!(faulty.status.code(), Some(2));
    assert!(
        stderr(&faulty).contains("slope.toml:2"),
        "{}",
        stderr(&faulty)
    );
    let both = check(at, &["--policy", "main", "--config", "slope.toml"]);
    assert_eq!(both.status.code(), Some(2));
}
