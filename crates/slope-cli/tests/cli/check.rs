//! `slope check` on small repositories made by git: each rule fires on slop, and none on changes
//! that make nothing worse.

use std::path::Path;
use std::process::Output;

use crate::common::{slope, stderr, stdout};
use serde_json::Value;
use slope_testkit::HELPER;
use slope_testkit::git::{commit, git, repository};
use slope_testkit::write;

/// Paths and texts.
type Files<'a> = &'a [(&'a str, &'a str)];
/// Name, what is in `a.py` before, what is written, and what is told.
type Worse<'a> = (&'a str, &'a str, Files<'a>, &'a str);
/// Name, what is written, and what is removed.
type NoWorse<'a> = (&'a str, Files<'a>, Option<&'a str>);

pub(crate) fn check(dir: &Path, args: &[&str]) -> Output {
    slope()
        .arg("check")
        .args(args)
        .current_dir(dir)
        .output()
        .unwrap()
}

/// The judgement as JSON, and whether it passes.
#[track_caller]
pub(crate) fn judged(dir: &Path, args: &[&str]) -> Value {
    let output = check(dir, &[args, &["--format", "json"]].concat());
    let judgement: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{args:?}: {}", stderr(&output)));
    let passes = judgement["passes"] == true;
    assert_eq!(output.status.code(), Some(i32::from(!passes)));
    judgement
}

/// Rule, level, path and function of each violation.
pub(crate) fn told(judgement: &Value) -> Vec<String> {
    let text = |v: &Value, key: &str| v[key].as_str().unwrap_or("-").to_owned();
    let list = judgement["violations"].as_array().unwrap().iter();
    list.map(|v| {
        ["rule", "level", "path", "function"]
            .map(|key| text(v, key))
            .join(" ")
    })
    .collect()
}

/// A function of complexity `n`, unlike others of another seed.
pub(crate) fn branches(name: &str, n: usize, seed: &str) -> String {
    let mut text = format!("def {name}(value, other):\n    total = {seed}(value)\n");
    for i in 1..n {
        text.push_str(&format!("    if value == {i} * other.{seed}{i}:\n"));
        text.push_str(&format!(
            "        total += other.{seed}_{i}({i}, {seed}=value)\n"
        ));
    }
    text + "    return total\n"
}

#[test]
fn each_rule_fires_on_its_regression() {
    let dead = "import json\n\n\ndef load(path):\n    with open(path) as file:\n        return file.read()\n        print(path)\n";
    let swallowed =
        "def load(path):\n    try:\n        return open(path).read()\n    except:\n        pass\n";
    let cases: [Worse<'_>; 5] = [
        (
            "complexity",
            "",
            &[("b.py", &branches("big", 20, "x"))],
            "new-complexity error b.py big",
        ),
        (
            "growth",
            &branches("big", 20, "x"),
            &[("a.py", &branches("big", 25, "x"))],
            "complexity-growth error a.py big",
        ),
        (
            "clone",
            HELPER,
            &[(
                "b.py",
                &HELPER.replace("normalise", "tidy").replace("rows", "lines"),
            )],
            "new-clone error b.py tidy",
        ),
        ("dead", "", &[("b.py", dead)], "dead-code error b.py load"),
        (
            "finding",
            "",
            &[("b.py", swallowed)],
            "new-finding warning b.py load",
        ),
    ];
    for (name, before, after, expected) in cases {
        let dir = repository(&[("a.py", before)]);
        write(dir.path(), after);
        let found = told(&judged(dir.path(), &[]));
        assert!(found.contains(&expected.to_owned()), "{name}: {found:?}");
    }
}

#[test]
fn harmless_changes_pass() {
    let old = format!(
        "{}\n\n{HELPER}\n\ndef copied(rows, key, default):\n{}",
        branches("big", 20, "x"),
        HELPER.split_once('\n').unwrap().1
    );
    let layout = old
        .replace("other):", "other):  # noqa\n\n")
        .replace("    seen = {}\n", "    # Known.\n    seen = {}\n\n");
    let cases: [NoWorse<'_>; 5] = [
        (
            "touched",
            &[("a.py", &old.replace("== 3 *", "== 33 *"))],
            None,
        ),
        (
            "renamed",
            &[(
                "a.py",
                &old.replace("big", "huge").replace("copied", "again"),
            )],
            None,
        ),
        ("moved", &[("pkg/deep/b.py", &old)], Some("a.py")),
        ("laid out and commented", &[("a.py", &layout)], None),
        (
            "shifted",
            &[("a.py", &format!("# One.\n# Two.\n\n{old}"))],
            None,
        ),
    ];
    for (name, after, gone) in cases {
        let dir = repository(&[("a.py", &old)]);
        if let Some(gone) = gone {
            std::fs::remove_file(dir.path().join(gone)).unwrap();
        }
        write(dir.path(), after);
        let judgement = judged(dir.path(), &[]);
        assert_eq!(told(&judgement), Vec::<String>::new(), "{name}");
        assert!(judgement["files"].as_u64().unwrap() > 0, "{name}");
    }
}

#[test]
fn base_is_the_merge_base() {
    let dir = repository(&[("a.py", HELPER)]);
    let at = dir.path();
    git(at, &["checkout", "-q", "-b", "work"]);
    commit(at, &[("b.py", &branches("big", 20, "x"))]);
    git(at, &["checkout", "-q", "main"]);
    commit(at, &[("c.py", &branches("other", 20, "y"))]);
    let clean = check(at, &[]);
    assert!(clean.status.success());
    assert!(
        stdout(&clean).contains("Nothing to judge"),
        "{}",
        stdout(&clean)
    );
    git(at, &["checkout", "-q", "work"]);
    let found = "new-complexity error b.py big";
    let clone = ["--only", "new-clone"];
    assert_eq!(told(&judged(at, &[])), [found]);
    git(at, &["checkout", "-q", "--detach"]);
    assert_eq!(
        told(&judged(at, &["--base", "main", "--head", "work"])),
        [found]
    );
    assert_eq!(told(&judged(at, &["--staged"])), Vec::<String>::new());
    assert_eq!(judged(at, &["--only", "new-clone"])["passes"], true);
    write(at, &[("c.py", &HELPER.replace("normalise", "again"))]);
    git(at, &["add", "c.py"]);
    assert_eq!(
        told(&judged(at, &[&["--staged"][..], &clone].concat())),
        ["new-clone error c.py again"]
    );
    let text = stdout(&check(at, &["--staged"]));
    assert!(text.contains("Call `normalise` (a.py:1)"), "{text}");
    let diff = git(at, &["diff", "--cached"]);
    std::fs::write(at.join("x.diff"), diff).unwrap();
    assert_eq!(
        told(&judged(at, &[&["--diff", "x.diff"][..], &clone].concat())),
        ["new-clone error c.py again"]
    );
}

#[test]
fn directories_are_compared_in_every_format() {
    let (old, new) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    write(old.path(), &[("a.py", HELPER)]);
    let copy = HELPER.replace("normalise", "tidy");
    write(new.path(), &[("a.py", HELPER), ("b.py", &copy)]);
    let dirs = [old.path().to_str().unwrap(), new.path().to_str().unwrap()];
    let run = |form: &str| {
        let output = check(
            new.path(),
            &[&dirs[..], &["--only", "new-clone", "--format", form]].concat(),
        );
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
        stdout(&output)
    };
    assert!(run("human").contains("b.py:1: error[new-clone]"));
    assert!(run("github").starts_with("::error file=b.py,line=1,endLine=12,"));
    assert!(run("markdown").starts_with("<!-- slope-check -->\n"));
    assert_eq!(run("jsonl").lines().count(), 2);
    let sarif: Value = serde_json::from_str(&run("sarif")).unwrap();
    let result = &sarif["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "new-clone");
    let uri = &result["relatedLocations"][0]["physicalLocation"]["artifactLocation"]["uri"];
    assert_eq!(uri, "a.py");
    let gitlab: Value = serde_json::from_str(&run("gitlab")).unwrap();
    assert_eq!(gitlab[0]["location"]["path"], "b.py");
    assert_eq!(gitlab[0]["other_locations"][0]["path"], "a.py");
    let junit = run("junit");
    assert!(junit.contains("tests=\"1\" failures=\"1\""), "{junit}");
    let case =
        "<testcase name=\"new-clone at line 1\" classname=\"b.py\" file=\"b.py\" line=\"1\">";
    assert!(junit.contains(case), "{junit}");
}

#[test]
fn budgets_apply_and_configuration_is_strict() {
    let config = "[check]\nnew-clone = \"off\"\nnew-complexity = \"off\"\n\n[check.change]\nmass = 20\n\n[check.week]\nmass = 60\n";
    let dir = repository(&[("slope.toml", config), ("a.py", &branches("a", 3, "p"))]);
    let at = dir.path();
    write(at, &[("b.py", &branches("b", 4, "q"))]);
    assert_eq!(told(&judged(at, &[])), Vec::<String>::new());
    git(at, &["add", "-A"]);
    git(at, &["commit", "-q", "-m", "b"]);
    write(at, &[("c.py", &branches("c", 12, "r"))]);
    let found = told(&judged(at, &[]));
    assert_eq!(found, ["change-budget error  -", "week-budget error  -"]);
    for (text, line, word) in [
        ("[check]\nnew_clone = \"off\"\n", 2, "help: use `new-clone`"),
        ("[check]\nnew-clone = \"fatal\"\n", 2, "fatal"),
        (
            "cutoff = 9\n[check.tests]\nclone-line = 3\n",
            3,
            "help: use `clone-lines`",
        ),
    ] {
        write(at, &[("slope.toml", text)]);
        let output = check(at, &[]);
        assert_eq!(output.status.code(), Some(2));
        let said = stderr(&output);
        assert!(
            said.contains(&format!("slope.toml:{line}:")) && said.contains(word),
            "{said}"
        );
    }
}

#[test]
fn ratchet_accepts_improvements_only() {
    let dir = repository(&[("a.py", &branches("big", 20, "x"))]);
    let at = dir.path();
    let none = check(at, &["--ratchet"]);
    assert_eq!(none.status.code(), Some(2));
    assert!(stderr(&none).contains("--update"), "{}", stderr(&none));
    assert!(check(at, &["--ratchet", "--update"]).status.success());
    let file = at.join("slope-ratchet.txt");
    let first = std::fs::read_to_string(&file).unwrap();
    assert!(first.contains("\ncomplexity\t20\ta.py\tbig\t"), "{first}");
    assert!(check(at, &["--ratchet"]).status.success());
    write(at, &[("a.py", &branches("big", 22, "x"))]);
    let worse = judged(at, &["--ratchet", "--update"]);
    assert!(
        told(&worse).contains(&"ratchet error a.py big".to_owned()),
        "{worse}"
    );
    assert_eq!(std::fs::read_to_string(&file).unwrap(), first);
    std::fs::write(&file, &first).unwrap();
    write(at, &[("a.py", &branches("big", 17, "x"))]);
    assert!(check(at, &["--ratchet", "--update"]).status.success());
    let better = std::fs::read_to_string(&file).unwrap();
    assert!(better.contains("\ncomplexity\t17\ta.py\tbig\t"), "{better}");
    std::fs::write(&file, format!("<<<<<<< HEAD\n{better}")).unwrap();
    assert!(stderr(&check(at, &["--ratchet"])).contains("both sides"));
    std::fs::write(&file, "slope-ratchet 9\n").unwrap();
    assert!(stderr(&check(at, &["--ratchet"])).contains("update slope"));
}

#[test]
fn waivers_apply_through_last_day() {
    let dir = repository(&[("a.py", &branches("big", 20, "x"))]);
    let at = dir.path();
    assert!(check(at, &["--ratchet", "--update"]).status.success());
    let file = at.join("slope-ratchet.txt");
    let first = std::fs::read_to_string(&file).unwrap();
    write(at, &[("a.py", &branches("big", 22, "x"))]);
    let worse = judged(at, &["--ratchet"]);
    let print = |v: &Value| v["fingerprint"].as_str().unwrap().to_owned();
    let prints: Vec<String> = worse["violations"]
        .as_array()
        .unwrap()
        .iter()
        .map(print)
        .collect();
    let waive = |day: &str| {
        let lines = prints
            .iter()
            .map(|p| format!("waive\t{p}\t{day}\tuntil the rewrite\n"));
        std::fs::write(&file, first.clone() + &lines.collect::<String>()).unwrap();
    };
    waive("9999-12-31");
    let waived = judged(at, &["--ratchet"]);
    assert_eq!(waived["passes"], true);
    assert_eq!(waived["waived"][0]["reason"], "until the rewrite");
    waive("2000-01-01");
    let ended = judged(at, &["--ratchet"]);
    assert_eq!(ended["passes"], false);
    assert!(
        ended["notes"].to_string().contains("no longer applies"),
        "{ended}"
    );
}

#[test]
fn unusable_repositories_get_a_remedy() {
    let dir = repository(&[("a.py", HELPER)]);
    let at = dir.path();
    commit(at, &[("b.py", "x = 1\n")]);
    let place = tempfile::tempdir().unwrap();
    let url = format!("file://{}", at.display());
    let shallow = place.path().join("shallow");
    git(
        place.path(),
        &["clone", "-q", "--depth", "1", &url, "shallow"],
    );
    git(place.path(), &["clone", "-q", "--bare", &url, "bare.git"]);
    std::fs::create_dir(place.path().join("plain")).unwrap();
    git(at, &["checkout", "-q", "--orphan", "alone"]);
    commit(at, &[("c.py", "y = 1\n")]);
    std::fs::write(
        at.join("bad.diff"),
        "--- a/c.py\n+++ b/c.py\n@@ -1 +1 @@\n-z = 1\n+z = 2\n",
    )
    .unwrap();
    let bare = place.path().join("bare.git");
    let cases: [(&Path, &[&str], &str); 6] = [
        (&shallow, &["--base", "HEAD~1"], "git fetch --unshallow"),
        (
            &place.path().join("plain"),
            &[],
            "slope check OLD_DIR NEW_DIR",
        ),
        (&bare, &[], "pass a commit"),
        (at, &[], "unrelated"),
        (at, &["--base", "nonsense"], "git branch --all"),
        (
            at,
            &["--base", "HEAD", "--diff", "bad.diff"],
            "does not fit c.py",
        ),
    ];
    for (folder, args, words) in cases {
        let output = check(folder, args);
        let code = if words == "unrelated" { 5 } else { 2 };
        assert_eq!(
            output.status.code(),
            Some(code),
            "{args:?}: {}",
            stdout(&output)
        );
        assert!(
            stderr(&output).contains(words),
            "{args:?}: {}",
            stderr(&output)
        );
    }
    assert!(
        check(&bare, &["--base", "HEAD~1", "--head", "HEAD"])
            .status
            .success()
    );
}

#[test]
fn everything_is_new_without_commits() {
    let empty = tempfile::tempdir().unwrap();
    git(empty.path(), &["init", "-q"]);
    write(empty.path(), &[("b.py", &branches("big", 20, "x"))]);
    assert_eq!(
        told(&judged(empty.path(), &[])),
        ["new-complexity error b.py big"]
    );
}

#[test]
fn cached_base_gives_the_same_judgement() {
    let user = "from a import _kept\n\n\ndef use(rows):\n    return _kept(rows)\n";
    let kept = "def _kept(rows):\n    return [row for row in rows if row]\n";
    let copy = HELPER.replace("normalise", "copied");
    let dir = repository(&[
        ("a.py", kept),
        ("b.py", user),
        ("c.py", HELPER),
        ("d.py", &copy),
    ]);
    let at = dir.path();
    let third = HELPER
        .replace("normalise", "third")
        .replace("rows", "lines");
    write(
        at,
        &[
            ("b.py", "def use(rows):\n    return rows\n"),
            ("e.py", &third),
        ],
    );
    std::fs::remove_file(at.join("d.py")).unwrap();
    let cache = tempfile::tempdir().unwrap();
    let run = |args: &[&str]| {
        let mut command = slope();
        command.env("SLOPE_CACHE_DIR", cache.path()).current_dir(at);
        stdout(
            &command
                .args(["check", "--format", "json"])
                .args(args)
                .output()
                .unwrap(),
        )
    };
    let (without, cold, warm) = (run(&["--no-cache"]), run(&[]), run(&[]));
    assert_eq!(without, cold);
    assert_eq!(cold, warm);
    lose_facts(cache.path());
    assert_eq!(run(&[]), warm, "a known tree whose facts are lost");
    assert_eq!(run(&[]), warm, "and known again");
    let judgement: Value = serde_json::from_str(&warm).unwrap();
    let found = told(&judgement);
    assert!(
        found.contains(&"dead-code error a.py _kept".to_owned()),
        "{found:?}"
    );
    assert_eq!(judgement["balance"]["change"]["clone_lines"], 0, "{warm}");
}

/// Removes the store of facts from a cache, but not what is kept of whole trees.
fn lose_facts(cache: &Path) {
    let names = ["facts.sqlite", "facts.sqlite-wal", "facts.sqlite-shm"];
    let gone = names.map(|name| std::fs::remove_file(cache.join(name)).is_ok());
    assert!(gone[0], "there is no store in {}", cache.display());
    let trees = std::fs::read_dir(cache.join("trees")).unwrap();
    assert!(trees.count() > 0, "no tree is kept");
}

#[cfg(unix)]
#[test]
fn path_cannot_start_a_comment_line() {
    let repo = repository(&[("a.py", "a = 1\n")]);
    let copy = HELPER.replace("normalise", "group_again");
    write(
        repo.path(),
        &[("a.py", HELPER), ("x\n::error::pwned.py", &copy)],
    );
    let output = check(repo.path(), &["--format", "markdown"]);
    let text = stdout(&output);
    assert!(text.contains("x\\\\u\\{a\\}::error::pwned.py:1"), "{text}");
    assert!(!text.lines().any(|line| line.starts_with("::")), "{text}");
}

#[test]
fn files_of_other_languages_are_noted() {
    let page = "main = text 1\n";
    let (old, new) = (
        repository(&[("App.elm", page), ("a.py", "a = 1\n")]),
        tempfile::tempdir().unwrap(),
    );
    write(
        new.path(),
        &[("App.elm", "main = text\n"), ("a.py", "a = 1\n")],
    );
    let both = [old.path(), new.path()].map(|path| path.to_str().unwrap());
    let folders = judged(old.path(), &both);
    write(old.path(), &[("App.elm", "main = text\n")]);
    let worktree = judged(old.path(), &[]);
    for judgement in [folders, worktree] {
        let notes = judgement["notes"].to_string();
        assert!(notes.contains("App.elm: not judged"), "{judgement}");
    }
}

#[test]
fn unchanged_tables_are_not_reported() {
    let rows: Vec<String> = (0..24).map(|i| format!("\"k{i}\": \"v{i}\"")).collect();
    let table = |name: &str| format!("{name} = {{{}}}\n", rows.join(", "));
    let (old, new) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    write(old.path(), &[("z.py", table("T"))]);
    write(new.path(), &[("z.py", table("T")), ("a.py", table("U"))]);
    let both = [old.path(), new.path()].map(|path| path.to_str().unwrap());
    let judgement = judged(old.path(), &both);
    assert_eq!(told(&judgement), ["new-clone warning a.py -"]);
}

#[test]
fn large_and_linked_files_are_compared() {
    let (old, new) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let long = "x".repeat(100_000);
    write(old.path(), &[("Same.php", &long), ("Late.php", &long)]);
    let late = format!("{}y", &long[1..]);
    write(new.path(), &[("Same.php", &long), ("Late.php", &late)]);
    for dir in [&old, &new] {
        std::os::unix::fs::symlink("/dev/zero", dir.path().join("Endless.php")).unwrap();
    }
    let both = [old.path(), new.path()].map(|path| path.to_str().unwrap());
    let notes = judged(old.path(), &both)["notes"].to_string();
    assert!(notes.contains("Late.php: not judged"), "{notes}");
    assert!(!notes.contains("Same.php"), "{notes}");
}
