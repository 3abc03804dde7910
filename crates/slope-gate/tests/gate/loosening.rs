//! Code that a change takes from the gate, and rules that it takes back.

use std::path::Path;

use slope_gate::{Gate, Head, Setup, Subject};
use slope_model::gate::{GateRule, Judgement};
use slope_testkit::git::{commit, git, repository};
use slope_testkit::write;

const CODE: &str = "import os\n\nprint(os.sep)\n";

/// A function of eight lines.
fn function(name: &str) -> String {
    let steps: Vec<String> = (0..6)
        .map(|at| format!("    {name}_{at} = {name}_{at} + {at}\n"))
        .collect();
    format!("def {name}():\n{}    return {name}_0\n", steps.concat())
}

fn judged(at: &Path, base: &str, head: Head) -> Judgement {
    let setup = Setup::find(at, None).unwrap();
    let measurer = setup.measurer().unwrap();
    let gate = Gate::new(&measurer, setup.check).with_ratchet_beside(setup.config.as_deref());
    gate.judge(&Subject::git(at, Some(base), head)).unwrap()
}

/// Paths and messages of reports on the gate itself.
fn reports(judged: &Judgement) -> Vec<(String, String)> {
    let all = judged.violations.iter();
    let of_gate = all.filter(|v| v.rule == GateRule::GateSetup);
    of_gate
        .map(|v| (v.path.clone(), v.message.clone()))
        .collect()
}

/// The reports on all that differs from the last commit: in the worktree, staged and committed.
#[track_caller]
fn all_reports(at: &Path) -> Vec<(String, String)> {
    git(at, &["add", "-A"]);
    let staged = reports(&judged(at, "HEAD", Head::Staged));
    assert_eq!(reports(&judged(at, "HEAD", Head::Worktree)), staged);
    git(at, &["commit", "-qm", "change"]);
    let head = Head::Commit("HEAD".to_owned());
    assert_eq!(reports(&judged(at, "HEAD~1", head)), staged);
    staged
}

fn hidden(path: &str, reason: &str) -> (String, String) {
    let message = format!("It would be judged but for this change: {reason}.");
    (path.to_owned(), message)
}

#[test]
fn folders_that_become_submodules_are_reported() {
    let dir = repository(&[("a.py", CODE), ("lib/b.py", CODE), ("lib/c/d.py", CODE)]);
    let at = dir.path();
    let commit = git(at, &["rev-parse", "HEAD"]);
    git(at, &["rm", "-rq", "lib"]);
    let entry = format!("160000,{},lib", commit.trim());
    git(at, &["update-index", "--add", "--cacheinfo", &entry]);
    let reason = "lib is now a submodule, which slope does not judge";
    let expected = [hidden("lib/b.py", reason), hidden("lib/c/d.py", reason)];
    for head in [Head::Staged, Head::Worktree] {
        assert_eq!(reports(&judged(at, "HEAD", head)), expected);
    }
    git(at, &["commit", "-qm", "change"]);
    let head = Head::Commit("HEAD".to_owned());
    assert_eq!(reports(&judged(at, "HEAD~1", head)), expected);
}

#[test]
fn code_under_unmeasured_names_is_reported() {
    let names = ["a", "b", "c"];
    let files = names.map(|name| (format!("{name}.py"), function(name)));
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(path, text)| (&**path, &**text))
        .collect();
    let dir = repository(&files);
    let at = dir.path();
    for (old, new) in [("a.py", "a.py.txt"), ("b.py", "b.pyx"), ("c.py", "c")] {
        git(at, &["mv", old, new]);
    }
    write(at, &[("b.pyx", &*format!("{}more = 1\n", function("b")))]);
    // New texts that no code was in.
    write(at, &[("notes.txt", &*function("notes"))]);
    let expected = ["a", "b", "c"].map(|name| {
        let new = match name {
            "a" => "a.py.txt",
            "b" => "b.pyx",
            _ => "c",
        };
        let reason = format!("it was {name}.py, and has a name that slope does not measure");
        hidden(new, &reason)
    });
    let mut found = all_reports(at);
    found.sort();
    let mut expected = expected.to_vec();
    expected.sort();
    assert_eq!(found, expected);
}

#[test]
fn code_moved_to_excluded_folders_is_reported() {
    let dir = repository(&[
        ("a.py", &*function("a")),
        ("b.py", &*function("b")),
        ("slope.toml", "exclude = [\"old/**\"]\n"),
        (".slopeignore", "/gone\n"),
        ("old/x.py", CODE),
    ]);
    let at = dir.path();
    std::fs::create_dir(at.join("gone")).unwrap();
    git(at, &["mv", "a.py", "old/a.py"]);
    git(at, &["mv", "b.py", "gone/b.py"]);
    let found = all_reports(at);
    let reason = "it was a.py, and is excluded by the configuration";
    assert!(found.contains(&hidden("old/a.py", reason)), "{found:?}");
    let paths: Vec<&str> = found.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(paths, ["gone/b.py", "old/a.py"], "{found:?}");
}

#[test]
fn parts_moved_to_skipped_files_are_reported() {
    let both = format!("{}\n{}", function("stay"), function("go"));
    let dir = repository(&[
        ("a.py", &*both),
        (
            "b.py",
            &*both.replace("stay", "keep").replace("go", "leave"),
        ),
        ("vendor/v.py", CODE),
    ]);
    let at = dir.path();
    let signed = format!("# @generated\n{}", function("go"));
    let grown = format!("{CODE}{}", function("leave"));
    let (stay, keep) = (function("stay"), function("keep"));
    write(at, &[("a.py", &stay), ("made.py", &signed)]);
    write(at, &[("b.py", &keep), ("vendor/v.py", &grown)]);
    let expected = [
        hidden(
            "made.py",
            "most of its lines were in a.py, and it has a sign of generated or minified code",
        ),
        hidden(
            "vendor/v.py",
            "most of its new lines were in b.py, and it is skipped because of its new name",
        ),
    ];
    assert_eq!(all_reports(at), expected);
}

#[test]
fn scripts_without_interpreters_are_reported() {
    let script = format!("#!/usr/bin/env python3\n{}", function("run"));
    let dir = repository(&[("a.py", CODE), ("tool", &*script)]);
    let at = dir.path();
    write(
        at,
        &[(
            "tool",
            &*script.replace("#!/usr/bin/env python3\n", "# a tool\n"),
        )],
    );
    let reason = "its first line no longer says which language it is in";
    assert_eq!(all_reports(at), [hidden("tool", reason)]);
}

#[test]
fn production_code_that_becomes_tests_is_reported() {
    let dir = repository(&[("src/a.py", &*function("a")), ("src/b.py", &*function("b"))]);
    let at = dir.path();
    std::fs::create_dir(at.join("tests")).unwrap();
    git(at, &["mv", "src/a.py", "tests/a.py"]);
    write(
        at,
        &[(
            "tests/test_b.py",
            "from src.b import b\n\n\ndef test_b():\n    assert b() == 0\n",
        )],
    );
    let message = "It was production code, and limits of tests apply to it now: it was src/a.py.";
    assert_eq!(
        all_reports(at),
        [("tests/a.py".to_owned(), message.to_owned())]
    );
}

#[test]
fn changed_rules_are_reported() {
    let rule = |id: &str, pattern: &str| {
        format!(
            "id: {id}\nlanguage: python\nmessage: no\nseverity: warning\nrule:\n  pattern: {pattern}\n"
        )
    };
    let (first, second) = (rule("no-print", "print($A)"), rule("no-eval", "eval($A)"));
    let dir = repository(&[
        ("a.py", CODE),
        ("conf/slope-rules/first.yml", &*first),
        ("conf/slope-rules/second.yml", &*second),
        ("slope.toml", "rules = [\"conf/slope-rules\"]\n"),
    ]);
    let at = dir.path();
    write(
        at,
        &[("conf/slope-rules/third.yml", &*rule("no-exec", "exec($A)"))],
    );
    assert_eq!(all_reports(at), []);
    write(
        at,
        &[("conf/slope-rules/first.yml", &*rule("no-print", "none($A)"))],
    );
    std::fs::remove_file(at.join("conf/slope-rules/second.yml")).unwrap();
    let expected = [("first", "changes"), ("second", "removes")].map(|(name, verb)| {
        let message = format!("This change {verb} rules by which it is judged.");
        (format!("conf/slope-rules/{name}.yml"), message)
    });
    assert_eq!(all_reports(at), expected);
}

#[test]
fn settings_behind_links_are_reported() {
    let dir = repository(&[
        ("a.py", CODE),
        ("conf/gate.toml", "[check]\ncomplexity = 9\n"),
    ]);
    let at = dir.path();
    std::os::unix::fs::symlink("conf/gate.toml", at.join("slope.toml")).unwrap();
    commit(at, &[("b.py", CODE)]);
    write(at, &[("conf/gate.toml", "[check]\ncomplexity = 90\n")]);
    let message = "This change changes what is judged, and how.".to_owned();
    assert_eq!(all_reports(at), [("conf/gate.toml".to_owned(), message)]);
}

#[test]
fn settings_of_folders_are_reported() {
    let dir = repository(&[("a.py", CODE), ("lib/b.py", CODE)]);
    let at = dir.path();
    write(at, &[("lib/slope.toml", "[check]\nnew-clone = \"off\"\n")]);
    let message = "This change says what is judged, and how.".to_owned();
    assert_eq!(all_reports(at), [("lib/slope.toml".to_owned(), message)]);
}

#[test]
fn removed_points_are_reported_with_growth() {
    let point = ".slope/track/main/iteration-1.json";
    for (settings, expected) in [
        ("[track.growth]\nmass = 9\n", 1),
        ("[track.max]\nerosion = 1\n", 0),
    ] {
        let dir = repository(&[("a.py", CODE), (point, "{}\n"), ("slope.toml", settings)]);
        let at = dir.path();
        git(at, &["rm", "-q", point]);
        write(at, &[(".slope/track/main/iteration-2.json", "{}\n")]);
        git(at, &["add", "-A"]);
        let found = reports(&judged(at, "HEAD", Head::Staged));
        assert_eq!(found.len(), expected, "{found:?}");
        if let Some((path, message)) = found.first() {
            assert_eq!(path, point);
            assert!(
                message.contains("removes or rewrites 1 point,"),
                "{message}"
            );
        }
    }
}

/// Names and attributes that change nothing: the code stays judged, so its new clone is an error.
#[test]
fn attributes_and_encodings_hide_nothing() {
    let text = function("total");
    let dir = repository(&[("a.py", &*text)]);
    let at = dir.path();
    let copy = text.replace("total", "sum");
    write(
        at,
        &[
            (
                ".gitattributes",
                "*.py linguist-generated linguist-vendored binary -diff export-ignore\n",
            ),
            (".ignore", "*.py\n"),
            ("b.PY", &*copy.replace("sum", "other")),
        ],
    );
    let latin = [copy.as_bytes(), b"# caf\xe9\n"].concat();
    std::fs::write(at.join("c.py"), latin).unwrap();
    let wide = copy.replace("sum", "wide");
    let wide: Vec<u8> = wide.encode_utf16().flat_map(u16::to_le_bytes).collect();
    std::fs::write(at.join("d.py"), [b"\xff\xfe".to_vec(), wide].concat()).unwrap();
    git(at, &["add", "-A"]);
    let judgement = judged(at, "HEAD", Head::Staged);
    assert_eq!(reports(&judgement), []);
    let clones = judgement
        .violations
        .iter()
        .filter(|v| v.rule == GateRule::NewClone);
    let paths: Vec<&str> = clones.map(|v| v.path.as_str()).collect();
    assert_eq!(paths, ["b.PY", "c.py", "d.py"], "{judgement:?}");
}

#[test]
fn pointers_in_place_of_code_fail() {
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 12345\n";
    let dir = repository(&[("a.py", CODE)]);
    let at = dir.path();
    write(at, &[("a.py", pointer)]);
    let judgement = judged(at, "HEAD", Head::Worktree);
    assert_eq!(reports(&judgement).len(), 1, "{judgement:?}");
    assert!(!judgement.passes);
}

#[test]
fn ignore_files_of_plain_folders_are_reported() {
    let (before, after) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let files = [("a.py", CODE), ("b.py", CODE), ("c.py", CODE)];
    write(before.path(), &files);
    write(after.path(), &files);
    write(after.path(), &[(".slopeignore", "a.py\n")]);
    std::fs::remove_file(after.path().join("b.py")).unwrap();
    let setup = Setup::find(after.path(), None).unwrap();
    let measurer = setup.measurer().unwrap();
    let subject = Subject::Folders {
        base: before.path().to_owned(),
        head: after.path().to_owned(),
    };
    let judgement = Gate::new(&measurer, setup.check).judge(&subject).unwrap();
    let found = reports(&judgement);
    let paths: Vec<&str> = found.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(paths, ["a.py"]);
}
