//! What of a repository is judged, and against what, where it is no plain working tree.

use std::collections::BTreeSet;
use std::path::Path;

use slope_gate::{Budget, Check, EMPTY_TREE, Error, Gate, Head, Setup, Subject};
use slope_model::gate::{GateRule, Judgement};
use slope_testkit::git::{commit, git, repository};
use slope_testkit::write;

/// A function that is over the limit of a new one.
fn tangle(name: &str) -> String {
    let branches = (0..20).map(|i| format!("    if a == {i}:\n        r += b{i}\n"));
    format!(
        "def {name}(a):\n    r = 0\n{}    return r\n",
        branches.collect::<String>()
    )
}

fn judge(path: &Path, base: Option<&str>, head: Head) -> Result<Judgement, Error> {
    let setup = Setup::find(path, None)?;
    let measurer = setup.measurer()?;
    let gate = Gate::new(&measurer, Check::default());
    gate.judge(&Subject::git(path, base, head))
}

fn of_worktree(path: &Path) -> Judgement {
    judge(path, None, Head::Worktree).unwrap()
}

#[track_caller]
fn refused(path: &Path, base: Option<&str>, head: Head) -> String {
    judge(path, base, head).unwrap_err().to_string()
}

/// The paths of what is worse, each once.
fn told(judgement: &Judgement) -> Vec<&str> {
    let worse = judgement.violations.iter();
    let paths: BTreeSet<&str> = worse.map(|violation| violation.path.as_str()).collect();
    paths.into_iter().collect()
}

#[test]
fn non_diff_text_is_refused() {
    let dir = repository(&[("a.py", "x = 1\n")]);
    let at = dir.path();
    let said = refused(at, None, Head::Diff(b"garbage\n".to_vec()));
    assert!(said.contains("contains no diff"), "{said}");
    assert_eq!(judge(at, None, Head::Diff(Vec::new())).unwrap().files, 0);
    write(at, &[("a.py", tangle("knot"))]);
    for settings in [
        ["-c", "diff.mnemonicPrefix=true", "diff", "--color=never"],
        ["-c", "diff.noprefix=true", "diff", "--color=never"],
        ["-c", "color.diff.meta=blue", "diff", "--color=always"],
    ] {
        let diff = git(at, &settings) + "\n";
        let judged = judge(at, None, Head::Diff(diff.into_bytes())).unwrap();
        assert_eq!(told(&judged), ["a.py"], "{settings:?}");
    }
}

#[test]
fn diff_names_agree_and_patches_chain() {
    let dir = repository(&[("a.py", "x = 1\n"), ("notes.txt", "x\n")]);
    let at = dir.path();
    let two = "diff --git a/notes.txt b/notes.txt\n--- /dev/null\n+++ b/new.py\n@@ -0,0 +1,1 @@\n+x = 1\n";
    let said = refused(at, None, Head::Diff(two.into()));
    assert!(
        said.contains("differ from those of its `diff --git`"),
        "{said}"
    );
    let first = git(at, &["rev-parse", "HEAD"]);
    commit(at, &[("a.py", tangle("knot"))]);
    commit(at, &[("a.py", format!("y = 2\n{}", tangle("knot")))]);
    let series = git(at, &["format-patch", "-q", "--stdout", &first]) + "\n";
    let judged = judge(at, Some(&first), Head::Diff(series.into_bytes())).unwrap();
    assert_eq!(told(&judged), ["a.py"]);
}

#[test]
fn untracked_ignore_file_hides_nothing_tracked() {
    let dir = repository(&[("s/a.py", "x = 1\n")]);
    let at = dir.path();
    write(at, &[("s/a.py", tangle("knot"))]);
    for hiding in ["s/.gitignore", ".slopeignore", "s/pyvenv.cfg"] {
        write(at, &[(hiding, "*\n")]);
        assert_eq!(told(&of_worktree(at)), ["s/a.py"], "{hiding}");
    }
}

#[test]
fn non_utf8_name_is_judged_and_ratcheted() {
    use std::os::unix::ffi::OsStrExt;

    let dir = repository(&[("a.py", "x = 1\n")]);
    let at = dir.path();
    let folder = at.join(std::ffi::OsStr::from_bytes(b"d\xff"));
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("b.py"), "x = 1\n").unwrap();
    git(at, &["add", "."]);
    git(at, &["commit", "-qm", "A folder"]);
    assert_eq!(of_worktree(at).files, 0);
    std::fs::write(folder.join("b.py"), tangle("knot")).unwrap();
    for path in [at, &folder] {
        assert_eq!(told(&of_worktree(path)), ["d\\xff/b.py"]);
    }
    let ratchet = |update| {
        let measurer = Setup::find(at, None).unwrap().measurer().unwrap();
        let gate = Gate::new(&measurer, Check::default());
        gate.judge_ratchet(&folder, update)
            .unwrap()
            .violations
            .len()
    };
    assert_eq!((ratchet(true), ratchet(false)), (0, 0));
    std::fs::write(folder.join("c.py"), tangle("other")).unwrap();
    assert_ne!(ratchet(false), 0);
}

#[test]
fn links_and_pipes_are_not_followed() {
    let dir = repository(&[("a.py", "x = 1\n"), ("b.py", "x = 1\n")]);
    let at = dir.path();
    let outside = tempfile::tempdir().unwrap();
    write(outside.path(), &[("c.py", tangle("knot"))]);
    for file in ["a.py", "b.py"] {
        std::fs::remove_file(at.join(file)).unwrap();
    }
    std::os::unix::fs::symlink(outside.path().join("c.py"), at.join("a.py")).unwrap();
    let pipe = std::process::Command::new("mkfifo")
        .arg(at.join("b.py"))
        .status();
    assert!(pipe.unwrap().success());
    let judged = of_worktree(at);
    assert_eq!((judged.files, told(&judged)), (2, vec!["a.py"]));
    // The link itself is reported, and not the code behind it.
    assert_eq!(judged.violations[0].rule, GateRule::GateSetup);
}

#[test]
fn ratchet_outside_repository_is_refused() {
    for file in ["../outside.txt", "/tmp/outside.txt", "a/../../b.txt"] {
        let config = format!("[check]\nratchet-file = \"{file}\"\n");
        let dir = repository(&[("slope.toml", &config)]);
        let said = Setup::find(dir.path(), None)
            .err()
            .map(|error| error.to_string());
        let said = said.unwrap_or_default();
        assert!(
            said.contains("slope.toml:2") && said.contains("`..`"),
            "{file}: {said}"
        );
    }
}

/// A clone of one commit of the branch `feat`, which leaves `main` by one commit.
fn shallow_clone(origin: &Path, place: &Path) -> std::path::PathBuf {
    git(origin, &["checkout", "-q", "-b", "feat"]);
    commit(origin, &[("b.py", tangle("knot"))]);
    git(origin, &["checkout", "-q", "main"]);
    let url = format!("file://{}", origin.display());
    let clone = ["clone", "-q", "--depth", "1", "-b", "feat", &url, "shallow"];
    git(place, &clone);
    place.join("shallow")
}

#[test]
fn shallow_clone_without_base_is_refused() {
    let origin = repository(&[("a.py", "x = 1\n")]);
    let place = tempfile::tempdir().unwrap();
    let shallow = shallow_clone(origin.path(), place.path());
    for head in [Head::Worktree, Head::Commit("HEAD".to_owned())] {
        let said = refused(&shallow, None, head);
        assert!(said.contains("git fetch --deepen=200"), "{said}");
        assert!(said.contains("--base FETCH_HEAD"), "{said}");
    }
    git(&shallow, &["fetch", "-q", "--deepen=200", "origin", "main"]);
    let judged = judge(&shallow, Some("FETCH_HEAD"), Head::Worktree).unwrap();
    assert_eq!(told(&judged), ["b.py"]);
    write(&shallow, &[("c.py", tangle("other"))]);
    let judged = of_worktree(&shallow);
    assert!(told(&judged).contains(&"c.py"), "{judged:?}");
    assert!(judged.notes[0].contains("--base"), "{judged:?}");
}

#[test]
fn missing_default_branch_is_noted() {
    let dir = repository(&[("a.py", "x = 1\n")]);
    let at = dir.path();
    git(at, &["branch", "-m", "main", "unusual"]);
    let alone = of_worktree(at);
    assert_eq!(
        (alone.notes.len(), alone.base.name.as_str()),
        (0, "unusual")
    );
    git(at, &["checkout", "-q", "-b", "work"]);
    commit(at, &[("b.py", tangle("knot"))]);
    let judged = of_worktree(at);
    assert!(judged.notes[0].contains("no default branch"), "{judged:?}");
    git(at, &["checkout", "-q", "--detach"]);
    assert_eq!(of_worktree(at).base.name, "HEAD");
}

#[test]
fn untracked_ignore_files_apply() {
    let dir = repository(&[("a.py", "x = 1\n")]);
    let at = dir.path();
    let files = ["build/b.py", "sub/out/c.py", "sub/d.py", "env/lib/e.py"];
    write(at, &files.map(|path| (path, tangle("knot"))));
    assert_eq!(of_worktree(at).files, 4);
    let ignoring = [
        (".gitignore", "build/\n"),
        ("sub/.slopeignore", "/out/\n"),
        // As Python's own environments have it.
        ("env/.gitignore", "*\n"),
    ];
    write(at, &ignoring);
    let judged = of_worktree(at);
    // Files that git adds all the same are only listed.
    assert_eq!(told(&judged), ["sub/d.py", "sub/out/c.py"]);
    assert_eq!(judged.violations[1].rule, GateRule::GateSetup);
}

#[test]
fn single_file_is_judged_alone() {
    let dir = repository(&[("b.py", "x = 1\n")]);
    let at = dir.path();
    let files = ["b.py", "b.pyi", "c.py"];
    write(
        at,
        &files.map(|path| (path, tangle(&path.replace('.', "_")))),
    );
    assert_eq!(told(&of_worktree(&at.join("b.py"))), ["b.py"]);
    let said = refused(&at.join("none.py"), None, Head::Worktree);
    assert!(said.contains("none.py does not exist"), "{said}");
    let alone = tempfile::tempdir().unwrap();
    write(alone.path(), &[("b.py", "x = 1\n")]);
    let said = refused(&alone.path().join("b.py"), None, Head::Worktree);
    assert!(said.contains("slope check OLD_DIR NEW_DIR"), "{said}");
}

#[test]
fn named_base_counts_without_commits() {
    let dir = repository(&[("a.py", tangle("knot"))]);
    let at = dir.path();
    git(at, &["checkout", "-q", "--orphan", "fresh"]);
    write(at, &[("b.py", "x = 1\n")]);
    assert_eq!(told(&of_worktree(at)), ["a.py"]);
    for head in [Head::Worktree, Head::Staged] {
        let judged = judge(at, Some("main"), head).unwrap();
        assert_eq!((told(&judged), judged.base.name.as_str()), (vec![], "main"));
    }
    let said = refused(at, Some("none"), Head::Worktree);
    assert!(
        said.contains("cannot resolve the revision `none` in /"),
        "{said}"
    );
    let diff = b"--- /dev/null\n+++ b/c.py\n@@ -0,0 +1 @@\n+x = 1\n";
    let judged = judge(at, None, Head::Diff(diff.to_vec())).unwrap();
    assert_eq!((judged.files, judged.base.name.as_str()), (1, "nothing"));
}

#[test]
fn empty_tree_base_makes_everything_new() {
    let dir = repository(&[("a.py", tangle("knot"))]);
    for head in [
        Head::Worktree,
        Head::Staged,
        Head::Commit("HEAD".to_owned()),
    ] {
        let judged = judge(dir.path(), Some(EMPTY_TREE), head).unwrap();
        assert_eq!(told(&judged), ["a.py"]);
    }
}

#[test]
fn unjudged_budget_is_noted() {
    let dir = repository(&[("a.py", "x = 1\n")]);
    write(dir.path(), &[("b.py", "y = 1\n")]);
    let setup = Setup::find(dir.path(), None).unwrap();
    let measurer = setup.measurer().unwrap();
    let week = Budget {
        dead_code: Some(1),
        ..Budget::default()
    };
    let check = Check {
        week,
        ..Check::default()
    };
    let gate = Gate::new(&measurer, check);
    for (base, is_said) in [(EMPTY_TREE, true), ("HEAD", false)] {
        let subject = Subject::git(dir.path(), Some(base), Head::Worktree);
        let judged = gate.judge(&subject).unwrap();
        let notes = judged.notes.join("\n");
        assert_eq!(notes.contains("the week's budget"), is_said, "{notes}");
        assert_eq!(judged.week.is_none(), is_said);
    }
}

#[test]
fn line_ending_conversion_is_not_change() {
    let dir = repository(&[("a.py", "x = 1\ny = 2\n"), ("b.py", "x = 1\n")]);
    write(
        dir.path(),
        &[("a.py", "x = 1\r\ny = 2\r\n"), ("b.py", "x = 2\r\n")],
    );
    assert_eq!(of_worktree(dir.path()).files, 1);
}

#[test]
fn linked_worktree_file_is_not_change() {
    let dir = repository(&[("a.py", "x = 1\n")]);
    let place = tempfile::tempdir().unwrap();
    let linked = place.path().join("linked");
    let add = ["worktree", "add", "-q", "-b", "work"].map(std::ffi::OsStr::new);
    git(dir.path(), &[&add[..], &[linked.as_os_str()]].concat());
    assert_eq!(of_worktree(&linked).files, 0);
}
