//! A change does not pass unseen by asking for less.

use std::path::Path;

use slope_gate::{Gate, Head, Setup, Subject};
use slope_measure::config::NOT_USED;
use slope_model::gate::{GateRule, Judgement, Level};
use slope_testkit::git::{commit, git, repository};
use slope_testkit::write;

const CODE: &str = "import os\n\nprint(os.sep)\n";

fn judge(path: &Path, head: Head) -> Judgement {
    let setup = Setup::find(path, None).unwrap();
    let measurer = setup.measurer().unwrap();
    let gate = Gate::new(&measurer, setup.check);
    gate.judge(&Subject::git(path, Some("HEAD"), head)).unwrap()
}

/// Level, path and message of reports on the gate itself.
fn told(judged: &Judgement) -> Vec<(Level, &str, &str)> {
    let all = judged.violations.iter();
    let of_gate = all.filter(|v| v.rule == GateRule::GateSetup);
    of_gate
        .map(|v| (v.level, v.path.as_str(), v.message.as_str()))
        .collect()
}

#[test]
fn configuration_change_is_reported() {
    let dir = repository(&[("a.py", CODE), ("pyproject.toml", "[tool.other]\na = 1\n")]);
    let at = dir.path();
    write(at, &[("pyproject.toml", "[tool.other]\na = 2\n")]);
    assert_eq!(told(&judge(at, Head::Worktree)), []);
    let said = "[tool.slope.check]\ncomplexity = 50\n";
    write(at, &[("pyproject.toml", said)]);
    let judged = judge(at, Head::Worktree);
    let message = "This change says what is judged, and how.";
    assert_eq!(told(&judged), [(Level::Warning, "pyproject.toml", message)]);
    assert!(judged.passes);
    git(at, &["checkout", "-q", "."]);
    // One that was not added yet says so already, unless git is to overlook it.
    write(at, &[("slope.toml", "[check]\ncomplexity = 50\n")]);
    assert_eq!(told(&judge(at, Head::Worktree)).len(), 1);
    write(at, &[(".gitignore", "slope.toml\n")]);
    assert_eq!(told(&judge(at, Head::Worktree)), []);
    std::fs::remove_file(at.join(".gitignore")).unwrap();
    // A change does not decide itself what it costs.
    write(at, &[("slope.toml", "[check]\ngate-setup = \"off\"\n")]);
    assert_eq!(told(&judge(at, Head::Worktree)).len(), 1);
    commit(at, &[("slope.toml", "[check]\ngate-setup = \"error\"\n")]);
    write(at, &[("slope.toml", "[check]\ngate-setup = \"off\"\n")]);
    let judged = judge(at, Head::Worktree);
    let message = "This change changes what is judged, and how.";
    assert_eq!(told(&judged), [(Level::Error, "slope.toml", message)]);
    assert!(!judged.passes);
    commit(at, &[("slope.toml", "[check]\ngate-setup = \"off\"\n")]);
    write(
        at,
        &[("slope.toml", "[check]\ngate-setup = \"off\"\ngrowth = 1\n")],
    );
    assert_eq!(told(&judge(at, Head::Worktree)), []);
    write(
        at,
        &[
            ("pyproject.toml", "[tool.other]\na = 3\n"),
            (".slopeignore", "a.py\n"),
        ],
    );
    assert_eq!(told(&judge(at, Head::Worktree)), []);
}

#[test]
fn newly_hidden_code_is_reported() {
    let dir = repository(&[
        ("a.py", CODE),
        ("b/b.py", CODE),
        ("tool", "#!/usr/bin/awk -f\n"),
    ]);
    let at = dir.path();
    write(at, &[(".gitignore", "/dist\n*.log\n")]);
    assert_eq!(told(&judge(at, Head::Worktree)), []);
    write(
        at,
        &[
            (".gitignore", "/b\n"),
            (".slopeignore", "a.py\ntool\nc.py\n"),
        ],
    );
    write(at, &[("c.py", CODE)]);
    git(at, &["add", "-f", "."]);
    for head in [Head::Worktree, Head::Staged] {
        let judged = judge(at, head);
        let paths: Vec<&str> = told(&judged).iter().map(|(_, path, _)| *path).collect();
        assert_eq!(paths, ["a.py", "b/b.py", "c.py"]);
        let message = "It would be judged but for this change: ignored by .slopeignore.";
        assert_eq!(told(&judged)[0].2, message);
    }
    git(at, &["commit", "-qm", "hidden"]);
    write(at, &[("c.py", "x = 1\n")]);
    assert_eq!(told(&judge(at, Head::Worktree)), []);
}

#[test]
fn folder_hiding_itself_is_reported() {
    for hiding in [".gitignore", ".slopeignore", "pyvenv.cfg"] {
        let dir = repository(&[("a.py", CODE), ("lib/b.py", CODE)]);
        let at = dir.path();
        let hiding = format!("lib/{hiding}");
        write(at, &[(hiding.as_str(), "*\n"), ("lib/b.py", "x = 1\n")]);
        write(at, &[("lib/new/c.py", CODE)]);
        git(at, &["add", "-f", "."]);
        for head in [Head::Staged, Head::Worktree] {
            let judged = judge(at, head);
            let paths: Vec<&str> = told(&judged).iter().map(|(_, path, _)| *path).collect();
            assert_eq!(paths, ["lib/b.py", "lib/new/c.py"], "{hiding}");
        }
    }
}

#[test]
fn new_ignore_file_hiding_code_warns() {
    let dir = repository(&[("a.py", CODE)]);
    let at = dir.path();
    write(at, &[("b.py", CODE), ("c/d.py", CODE), ("e.txt", "x\n")]);
    write(at, &[(".slopeignore", "b.py\nc\ne.txt\n")]);
    let judged = judge(at, Head::Worktree);
    let message = "It would be judged but for this change: ignored by .slopeignore.";
    let expected = ["b.py", "c/d.py"].map(|path| (Level::Warning, path, message));
    assert_eq!(told(&judged), expected);
    // Files that git does not add are left out.
    write(at, &[(".gitignore", "/b.py\n/c\n")]);
    assert_eq!(told(&judge(at, Head::Worktree)), []);
}

#[test]
fn moving_code_to_excluded_name_warns() {
    let long = "def f(a):\n    b = a + 1\n    return b\n";
    let dir = repository(&[("a.py", CODE), ("b.py", long), ("c/__init__.py", "x = 1\n")]);
    let at = dir.path();
    std::fs::create_dir_all(at.join("vendor")).unwrap();
    git(at, &["mv", "a.py", "a_pb2.py"]);
    git(at, &["mv", "b.py", "vendor/b.py"]);
    git(at, &["rm", "-q", "c/__init__.py"]);
    write(at, &[("vendor/b.py", format!("{long}\nf(2)\n"))]);
    write(at, &[("vendor/__init__.py", "import this\n")]);
    git(at, &["add", "."]);
    for head in [Head::Staged, Head::Worktree] {
        let judged = judge(at, head);
        let expected = [("a_pb2.py", "a.py"), ("vendor/b.py", "b.py")].map(|(path, old)| {
            let reason = format!("it was {old}, and is skipped because of its new name");
            let message = format!("It would be judged but for this change: {reason}.");
            (path.to_owned(), message)
        });
        let told = told(&judged).into_iter();
        let told: Vec<_> = told
            .map(|(_, path, said)| (path.to_owned(), said.to_owned()))
            .collect();
        assert_eq!(told, expected);
    }
}

#[test]
fn new_generated_sign_is_reported() {
    let dir = repository(&[("a.py", CODE)]);
    let at = dir.path();
    let signed = format!("# @generated\n{CODE}");
    write(
        at,
        &[
            ("a.py", &signed),
            ("b.py", &signed),
            ("vendor/c.py", &signed),
        ],
    );
    git(at, &["add", "."]);
    let judged = judge(at, Head::Worktree);
    let paths: Vec<&str> = told(&judged).iter().map(|(_, path, _)| *path).collect();
    assert_eq!(paths, ["a.py"]);
    let notes = judged.notes.join("\n");
    let note = "b.py, vendor/c.py: not judged, because they look generated, vendored or minified";
    assert!(notes.contains(note), "{notes}");
    // Files left out before get a note only.
    git(at, &["commit", "-qm", "signed"]);
    write(at, &[("a.py", format!("{signed}\nx = 1\n"))]);
    let judged = judge(at, Head::Worktree);
    assert_eq!((told(&judged), judged.notes.len()), (vec![], 1));
}

#[test]
fn loosened_ratchet_is_reported() {
    let item = |value: u32| format!("complexity\t{value}\ta.py\tf\t0123456789abcdef\n");
    let ratchet = |text: String| format!("slope-ratchet 1\n{text}");
    let dir = repository(&[
        ("a.py", CODE.to_owned()),
        ("slope-ratchet.txt", ratchet(item(20))),
    ]);
    let at = dir.path();
    write(at, &[("slope-ratchet.txt", ratchet(item(19)))]);
    assert_eq!(told(&judge(at, Head::Worktree)), []);
    let waiver = "waive\t0123456789abcdef\t2099-01-01\tno time\n";
    write(
        at,
        &[(
            "slope-ratchet.txt",
            ratchet(format!("{waiver}{}", item(21))),
        )],
    );
    let judged = judge(at, Head::Worktree);
    let message = "The ratchet has 1 item more or worse than before, and 1 new waiver.";
    assert_eq!(
        told(&judged),
        [(Level::Warning, "slope-ratchet.txt", message)]
    );
}

#[test]
fn unused_folder_settings_are_named() {
    let said = "disable = [\"none-equality\"]\n";
    let dir = repository(&[
        ("packages/a/x.py", CODE),
        ("packages/a/slope.toml", said),
        ("packages/b/x.py", CODE),
        ("packages/b/pyproject.toml", "[tool.slope]\ncutoff = 9\n"),
        ("packages/c/x.py", CODE),
        ("packages/c/pyproject.toml", "[tool.other]\na = 1\n"),
        ("packages/d/slope.toml", said),
    ]);
    let at = dir.path();
    for package in ["a", "b", "c"] {
        write(at, &[(&format!("packages/{package}/x.py"), "print(1)\n")]);
    }
    let notes = |path: &Path| judge(path, Head::Worktree).notes.join("\n");
    let expected = format!("packages/a/slope.toml, packages/b/pyproject.toml: {NOT_USED}");
    assert_eq!(notes(at), expected);
    assert_eq!(notes(&at.join("packages/a")), "");
}

/// A line of numbers that is as long as a minified script.
fn long_line() -> String {
    let numbers: Vec<String> = (0..3000).map(|n| n.to_string()).collect();
    format!("const table=[{}];\n", numbers.join(","))
}

#[test]
fn long_lines_do_not_stop_judging() {
    let plain = "export function f(a) {\n  if (a) {\n    g(a);\n  }\n  return a;\n}\n";
    let branches = "  if (a > 1) { a -= 1; }\n".repeat(20);
    let new = format!("export function h(a) {{\n{branches}  return a;\n}}\n");
    let repo = repository(&[("a.js", plain)]);
    write(
        repo.path(),
        &[("a.js", &format!("{plain}{}{new}", long_line()))],
    );
    let judgement = judge(repo.path(), Head::Worktree);
    let mut told = judgement.violations.iter().map(|v| v.rule);
    assert!(told.any(|rule| rule == GateRule::NewComplexity));
}

#[test]
fn files_that_become_minified_fail() {
    let repo = repository(&[("a.js", "export const a = 1;\n")]);
    write(repo.path(), &[("a.js", &long_line())]);
    let judgement = judge(repo.path(), Head::Worktree);
    let told = judgement.violations.iter();
    let told: Vec<_> = told.map(|v| (v.rule, v.level, v.path.as_str())).collect();
    assert_eq!(told, [(GateRule::GateSetup, Level::Error, "a.js")]);
    assert!(!judgement.passes);
}

#[test]
fn files_that_become_unreadable_fail() {
    let nul = "export const a = 1; // \0\n".to_owned();
    let deep = format!(
        "export const a = {}{};\n",
        "[".repeat(6_000),
        "]".repeat(6_000)
    );
    let large = format!("// {}\nexport const a = 1;\n", "x".repeat(6 << 20));
    for text in [nul, deep, large] {
        let repo = repository(&[("a.js", "export const a = 1;\n")]);
        write(repo.path(), &[("a.js", &text)]);
        let judgement = judge(repo.path(), Head::Worktree);
        let violations = judgement.violations.iter();
        let found: Vec<_> = violations
            .map(|v| (v.rule, v.level, v.path.as_str()))
            .collect();
        assert_eq!(found, [(GateRule::GateSetup, Level::Error, "a.js")]);
        assert!(!judgement.passes);
    }
}

#[test]
fn new_unreadable_files_are_only_noted() {
    let repo = repository(&[("a.js", "export const a = 1;\n")]);
    write(repo.path(), &[("b.js", "export const b = 1; // \0\n")]);
    let judgement = judge(repo.path(), Head::Worktree);
    assert!(judgement.passes);
    assert!(
        judgement
            .notes
            .iter()
            .any(|note| note.starts_with("b.js was not judged"))
    );
}

#[test]
fn unreadable_files_are_reported_once() {
    let large = "a = 1\n".repeat(1 << 20);
    for (text, advice) in [("a = '\0'\n", "Correct the file"), (&*large, "Divide it")] {
        let repo = repository(&[("a.py", "a = 1\n")]);
        write(repo.path(), &[("a.py", text)]);
        let judgement = judge(repo.path(), Head::Worktree);
        assert_eq!(judgement.notes, [""; 0]);
        let violation = &judgement.violations[0];
        assert!(violation.advice.starts_with(advice), "{violation:?}");
    }
}

#[test]
fn links_out_of_judged_code_warn() {
    let folder = tempfile::tempdir().unwrap();
    let outside = folder.path().join("a.py");
    std::fs::write(&outside, CODE).unwrap();
    let repo = repository(&[
        ("a.py", CODE),
        ("b.py", CODE),
        ("src/c.py", CODE),
        ("vendor/v.py", CODE),
        ("lib/e.py", CODE),
    ]);
    let at = repo.path();
    std::fs::remove_dir_all(at.join("lib")).unwrap();
    for path in ["a.py", "b.py", "src/c.py"] {
        std::fs::remove_file(at.join(path)).unwrap();
    }
    let link = |to: &Path, path: &str| std::os::unix::fs::symlink(to, at.join(path)).unwrap();
    link(&outside, "a.py");
    link(Path::new("vendor/v.py"), "b.py");
    link(Path::new("vendor"), "lib");
    write(at, &[("src/d.py", CODE)]);
    link(Path::new("d.py"), "src/c.py");
    let expected = |path: &str, link: &str, target: &str| {
        let message = format!(
            "It would be judged but for this change: {link} is now a symbolic link to {target}, which slope does not judge."
        );
        (Level::Warning, path.to_owned(), message)
    };
    let expected = [
        expected("a.py", "a.py", outside.to_str().unwrap()),
        expected("b.py", "b.py", "vendor/v.py"),
        expected("lib/e.py", "lib", "vendor"),
    ];
    let found = |head: Head, base: &str| {
        let setup = Setup::find(at, None).unwrap();
        let measurer = setup.measurer().unwrap();
        let gate = Gate::new(&measurer, setup.check);
        let judged = gate.judge(&Subject::git(at, Some(base), head)).unwrap();
        let found = told(&judged).into_iter();
        let found =
            found.map(|(level, path, message)| (level, path.to_owned(), message.to_owned()));
        found.collect::<Vec<_>>()
    };
    assert_eq!(found(Head::Worktree, "HEAD"), expected);
    git(at, &["add", "."]);
    assert_eq!(found(Head::Worktree, "HEAD"), expected);
    assert_eq!(found(Head::Staged, "HEAD"), expected);
    git(at, &["commit", "-qm", "links"]);
    assert_eq!(found(Head::Commit("HEAD".to_owned()), "HEAD~1"), expected);
}

#[test]
fn links_to_judged_code_pass() {
    let files = ["a.py", "b.py", "c.py", "d.py", "e.py", "src/f.py"];
    let repo = repository(&files.map(|path| (path, CODE)));
    let at = repo.path();
    let link = |to: &Path, path: &str| {
        std::fs::remove_file(at.join(path)).unwrap();
        std::os::unix::fs::symlink(to, at.join(path)).unwrap();
    };
    link(Path::new("b.py"), "a.py");
    link(Path::new("src/f.py"), "b.py");
    link(&at.join("src/f.py"), "c.py");
    assert_eq!(told(&judge(at, Head::Worktree)), []);
    // Links in a circle, and a target that writes to the terminal.
    link(Path::new("e.py"), "d.py");
    link(Path::new("d.py"), "e.py");
    link(Path::new("\u{1b}[2Jgone"), "a.py");
    let judged = judge(at, Head::Worktree);
    let paths: Vec<&str> = told(&judged).iter().map(|(_, path, _)| *path).collect();
    assert_eq!(paths, ["a.py", "d.py", "e.py"]);
}

#[test]
fn untracked_files_with_generated_names_are_noted() {
    let repo = repository(&[("a.py", CODE), (".gitignore", "*_pb2.py\n")]);
    let names = ["b.min.js", "c_pb2.py", "d_pb2_grpc.py"];
    write(repo.path(), &names.map(|name| (name, "a = 1\n")));
    let judged = judge(repo.path(), Head::Worktree);
    let note =
        "b.min.js, d_pb2_grpc.py: not judged, because they look generated, vendored or minified";
    assert_eq!(judged.notes, [note]);
}
