//! `slope check --policy`: a change cannot relax the gate that judges it.

use std::path::Path;

use slope_testkit::git::{commit, git, repository};
use slope_testkit::{HELPER, write};
use tempfile::TempDir;

use crate::check::{branches, check, judged, told};
use crate::common::{slope, stderr};

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

#[test]
fn linked_settings_apply() {
    let off = "[check]\nnew-clone = \"off\"\n";
    let dir = repository(&[("src/a.py", HELPER), ("conf/gate.toml", off)]);
    let at = dir.path();
    std::os::unix::fs::symlink("conf/gate.toml", at.join("slope.toml")).unwrap();
    commit(at, &[("README.md", "x\n")]);
    git(at, &["checkout", "-q", "-b", "work"]);
    let copy = HELPER.replace("normalise", "tidy");
    commit(at, &[("src/b.py", &*copy), ("conf/gate.toml", "")]);
    assert_eq!(judged(at, &["--base", "main"])["passes"], false);
    assert_eq!(judged(at, &BY_MAIN)["passes"], true);
    git(at, &["checkout", "-q", "main"]);
    std::fs::remove_file(at.join("slope.toml")).unwrap();
    std::os::unix::fs::symlink("/etc/hostname", at.join("slope.toml")).unwrap();
    commit(at, &[("README.md", "y\n")]);
    let outside = check(at, &["--policy", "main", "--base", "HEAD~1"]);
    assert_eq!(outside.status.code(), Some(2));
    assert!(
        stderr(&outside).contains("leads out of the commit"),
        "{}",
        stderr(&outside)
    );
}

#[test]
fn changes_cannot_reset_growth() {
    let strict = "[check]\ntrack-growth = \"error\"\n[track.growth]\nmass = 8\n";
    let dir = repository(&[("a.py", "x = 1\n"), ("slope.toml", strict)]);
    let at = dir.path();
    let added = slope()
        .args(["track", "add"])
        .current_dir(at)
        .output()
        .unwrap();
    assert!(added.status.success(), "{}", stderr(&added));
    commit(at, &[("b.py", branches("b", 5, "b"))]);
    git(at, &["checkout", "-q", "-b", "work"]);
    commit(at, &[("c.py", branches("c", 3, "c"))]);
    let grows = |judgement: &serde_json::Value| {
        told(judgement)
            .iter()
            .any(|one| one.starts_with("track-growth error"))
    };
    assert!(grows(&judged(at, &BY_MAIN)));
    std::fs::remove_dir_all(at.join(".slope/track")).unwrap();
    commit(at, &[("d.py", "y = 2\n")]);
    assert!(!grows(&judged(at, &["--base", "main"])));
    assert!(grows(&judged(at, &BY_MAIN)));
}
