//! `slope track add`, `status` and `plot`, and limits of growth in `slope check`.

use std::path::Path;
use std::process::Output;

use serde_json::Value;
use slope_testkit::git::{commit, commit_as, git, repository};
use tempfile::TempDir;

use crate::common::{run, run_json, stderr, stdout, text};

const TIDY: &str = "RATES = {'letter': 2, 'parcel': 5, 'crate': 12}\n\n\ndef price(kind, weight):\n    return RATES[kind] * weight\n";

/// A long chain of branches.
pub(crate) fn sloppy(name: &str) -> String {
    let mut text = format!("def {name}(kind, weight, a=0, b=0, c=0, d=0, e=0):\n    total = 0\n");
    for (number, kind) in ["letter", "parcel", "crate", "tube", "bag", "pallet"]
        .iter()
        .enumerate()
    {
        let word = if number == 0 { "if" } else { "elif" };
        text.push_str(&format!(
            "    {word} kind == '{kind}':\n        if weight > 1 and a != 0:\n            total = total + {number} * weight\n"
        ));
    }
    text.push_str("    return total\n");
    text
}

/// Commits on a day of November: commits of one second have no order.
fn commit_on(day: u32, at: &Path, who: &str, file: (&str, &str), message: &str) {
    commit_as(at, who, &[file], message);
    let date = format!("2026-11-{day:02}T12:00:00Z");
    let output = std::process::Command::new("git")
        .args(["commit", "-q", "--amend", "--no-edit"])
        .current_dir(at)
        .envs([
            ("GIT_CONFIG_GLOBAL", "/dev/null"),
            ("GIT_CONFIG_SYSTEM", "/dev/null"),
        ])
        .envs([
            ("GIT_COMMITTER_NAME", who),
            ("GIT_COMMITTER_EMAIL", "a@example.com"),
        ])
        .env("GIT_COMMITTER_DATE", date)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
}

/// Three commits on three days, of which an agent signs the second.
fn commits() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path();
    git(at, &["init", "-q"]);
    commit_on(1, at, "Ann", ("app.py", TIDY), "Price");
    commit_on(2, at, "Ann", ("cost.py", &sloppy("cost")), SIGNED);
    commit_on(3, at, "Bob", ("more.py", &sloppy("fee")), "Fee");
    dir
}

const SIGNED: &str = "Cost\n\nCo-Authored-By: Claude <noreply@anthropic.com>";

/// Adds a point in a project.
fn add(at: &Path, args: &[&str]) -> Output {
    run(&[&["track", "add", text(at)], args].concat())
}

#[track_caller]
pub(crate) fn added(at: &Path, args: &[&str]) -> Value {
    run_json(&[&["track", "add", text(at), "--format", "json"], args].concat())
}

fn status(at: &Path) -> (Value, Option<i32>) {
    let output = run(&["track", "status", text(at), "--format", "json"]);
    let found = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
    (found, output.status.code())
}

fn value<'v>(status: &'v Value, name: &str) -> &'v Value {
    let values = status["values"].as_array().unwrap();
    values.iter().find(|it| it["name"] == name).unwrap()
}

#[test]
fn points_of_commits_have_ledgers_and_agents() {
    let repo = commits();
    let at = repo.path();
    let first = added(at, &["--commit", "HEAD~2"]);
    assert_eq!(first["outcome"], "new");
    assert_eq!(first["point"]["change"], Value::Null);
    let second = added(at, &["--commit", "HEAD~1"]);
    assert_eq!(second["point"]["author"]["agent"], "claude");
    assert_eq!(second["point"]["author"]["person"], "Ann");
    // The files on disk are those of the commit.
    let third = added(at, &["--model", "m", "--note", "hello"]);
    assert_eq!(third["point"]["commit"]["subject"], "Fee");
    assert_eq!(third["point"]["author"]["person"], "Bob");
    assert_eq!(third["point"]["author"]["agent"], Value::Null);
    let ledger = run_json(&[
        "diff",
        "HEAD~1..HEAD",
        "--repo",
        text(at),
        "--format",
        "json",
    ]);
    let change = &third["point"]["change"];
    assert_eq!(change["amounts"], ledger["balance"]["change"], "{change:#}");
    let places = change["places"].as_array().unwrap();
    assert!(
        places.iter().any(|it| it["function"] == "fee"),
        "{change:#}"
    );
    assert_eq!(third["point"]["worst"][0]["name"], "cost");
    let again = added(at, &["--model", "m", "--note", "hello"]);
    assert_eq!(again["outcome"], "same");
}

#[test]
fn status_compares_last_point_with_earlier() {
    let repo = commits();
    let at = repo.path();
    for commit in ["HEAD~2", "HEAD~1", "HEAD"] {
        added(at, &["--commit", commit]);
    }
    let (found, code) = status(at);
    assert_eq!(
        (code, &found["points"], &found["commits_since"]),
        (Some(0), &3.into(), &0.into())
    );
    assert!(
        value(&found, "score.erosion")["change_since_first"].as_f64() < Some(-1.0),
        "{found:#}"
    );
    commit(at, &[("c.py", "x = 1\n")]);
    assert_eq!(status(at).0["commits_since"], 1);
    let human = stdout(&run(&["track", "status", text(at)]));
    assert!(
        human.contains("1 commit since") && human.contains("extensibility score"),
        "{human}"
    );
}

#[test]
fn commits_of_several_authors_name_nobody() {
    let repo = commits();
    let at = repo.path();
    added(at, &["--commit", "HEAD~2"]);
    let point = added(at, &[]);
    assert_eq!(
        point["point"]["author"],
        serde_json::json!({"agent": "claude+none"})
    );
}

#[test]
fn other_numbers_need_replace() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    slope_testkit::write(at, &[("app.py", TIDY)]);
    let first = added(at, &["--iteration", "1"]);
    assert_eq!(added(at, &["--iteration", "1"])["outcome"], "same");
    slope_testkit::write(at, &[("app.py", &sloppy("price"))]);
    let refused = add(at, &["--iteration", "1"]);
    assert_eq!(refused.status.code(), Some(2));
    let message = stderr(&refused);
    assert!(
        message.contains("iteration-1.json") && message.contains("--replace"),
        "{message}"
    );
    assert_eq!(
        added(at, &["--iteration", "1", "--replace"])["outcome"],
        "replaced"
    );
    // Without earlier code, the change is a difference of totals.
    slope_testkit::write(at, &[("more.py", &sloppy("fee"))]);
    let second = added(at, &["--iteration", "2"]);
    let change = &second["point"]["change"];
    assert_eq!(change["since"], "iteration-1");
    assert!(
        change["amounts"]["mass"].as_f64() > Some(50.0),
        "{change:#}"
    );
    assert_eq!(change["places"], Value::Null);
    assert!(
        first["file"]
            .as_str()
            .unwrap()
            .ends_with(".slope/track/main/iteration-1.json")
    );
}

#[test]
fn other_definitions_are_not_compared() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    slope_testkit::write(at, &[("app.py", TIDY)]);
    added(at, &["--iteration", "1"]);
    slope_testkit::write(
        at,
        &[("slope.toml", "cutoff = 5\n[track.growth]\nmass = 1\n")],
    );
    slope_testkit::write(at, &[("app.py", &sloppy("price"))]);
    let second = added(at, &["--iteration", "2"]);
    assert_eq!(second["point"]["change"], Value::Null);
    let (found, code) = status(at);
    assert_eq!((code, &found["before"]), (Some(0), &Value::Null));
    assert_eq!(value(&found, "mass")["change"], Value::Null);
    let note = found["notes"][0].as_str().unwrap();
    assert!(note.contains("1 earlier point"), "{note}");
    let human = stdout(&run(&["track", "plot", text(at)]));
    assert!(human.contains("left out"), "{human}");
}

#[test]
fn branches_add_points_without_conflict() {
    let repo = repository(&[("app.py", TIDY)]);
    let at = repo.path();
    for branch in ["one", "two"] {
        git(at, &["checkout", "-q", "-b", branch, "main"]);
        let name = format!("{branch}.py");
        commit(at, &[(name.as_str(), &sloppy(branch))]);
        added(at, &[]);
        commit(at, &[("note.txt", "x")]);
    }
    git(at, &["merge", "-q", "--no-edit", "one"]);
    assert_eq!(status(at).0["points"], 2);
}

#[test]
fn limits_of_status_come_from_configuration() {
    let repo = repository(&[("app.py", TIDY)]);
    let at = repo.path();
    let toml = "[track]\nmax.erosion = 0.5\nmin.extensibility = 4\n[track.growth]\nmass = 10\n";
    slope_testkit::write(at, &[("slope.toml", toml)]);
    added(at, &["--iteration", "1"]);
    assert_eq!(status(at).1, Some(0));
    slope_testkit::write(at, &[("app.py", &sloppy("price"))]);
    added(at, &["--iteration", "2"]);
    let (found, code) = status(at);
    let exceeded = found["exceeded"].as_array().unwrap();
    let names: Vec<_> = exceeded
        .iter()
        .map(|it| it["limit"].as_str().unwrap())
        .collect();
    assert_eq!(
        (code, names),
        (
            Some(1),
            vec!["max.erosion", "min.extensibility", "growth.mass"]
        )
    );
    slope_testkit::write(at, &[("slope.toml", "[track]\nmax.erosoin = 0.5\n")]);
    let refused = run(&["track", "status", text(at)]);
    assert_eq!(refused.status.code(), Some(2));
    let message = stderr(&refused);
    assert!(
        message.contains("slope.toml:2: ") && message.contains("use `erosion`"),
        "{message}"
    );
    let refused = run(&["check", text(at)]);
    assert_eq!(
        refused.status.code(),
        Some(2),
        "the gate reads the limits, too"
    );
}

#[test]
fn check_judges_growth_since_last_point() {
    let repo = repository(&[("app.py", TIDY)]);
    let at = repo.path();
    let check = |extra: &str| {
        let toml = format!(
            "[check]\n{extra}new-complexity = \"off\"\nnew-clone = \"off\"\n[track.growth]\nmass = 100\n"
        );
        slope_testkit::write(at, &[("slope.toml", toml)]);
        let output = run(&[
            "check",
            text(at),
            "--only",
            "track-growth",
            "--format",
            "json",
        ]);
        let found: Value = serde_json::from_slice(&output.stdout).unwrap();
        (found, output.status.code())
    };
    let (found, _) = check("");
    assert_eq!(
        found["violations"],
        serde_json::json!([]),
        "nothing changed"
    );
    added(at, &[]);
    commit(at, &[("cost.py", &sloppy("cost"))]);
    slope_testkit::write(at, &[("more.py", sloppy("fee"))]);
    let (found, code) = check("");
    let violation = &found["violations"][0];
    assert_eq!(
        (code, &violation["level"]),
        (Some(0), &"warning".into()),
        "{found:#}"
    );
    assert_eq!(violation["rule"], "track-growth");
    assert!(found["growth"]["mass"].as_f64() > Some(150.0), "{found:#}");
    let (_, code) = check("track-growth = \"error\"\n");
    assert_eq!(code, Some(1));
    let (found, _) = check("track-growth = \"off\"\n");
    assert_eq!(found["violations"], serde_json::json!([]));
    // A point of the base starts again. One of the change itself would not count.
    let head = git(at, &["rev-parse", "HEAD"]);
    added(at, &["--commit", &head]);
    let (found, _) = check("track-growth = \"error\"\n");
    assert_eq!(
        found["violations"],
        serde_json::json!([]),
        "one function is below the limit"
    );
}

#[test]
fn change_cannot_reset_its_own_growth() {
    let repo = repository(&[("app.py", TIDY)]);
    let at = repo.path();
    slope_testkit::write(at, &[("slope.toml", "[track.growth]\nmass = 50\n")]);
    let check = || {
        run_json(&[
            "check",
            text(at),
            "--only",
            "track-growth",
            "--format",
            "json",
        ])
    };
    commit(at, &[("more.py", "x = 1\n")]);
    git(at, &["checkout", "-q", "-b", "change"]);
    commit(at, &[("cost.py", &sloppy("cost"))]);
    added(at, &[]);
    let found = check();
    let notes = found["notes"].as_array().unwrap();
    assert!(
        notes
            .iter()
            .any(|it| it.as_str().unwrap().contains("slope track add")),
        "{found:#}"
    );
    added(at, &["--commit", "main"]);
    assert_eq!(check()["violations"][0]["rule"], "track-growth");
}

#[test]
fn replay_counts_past_violations() {
    let repo = repository(&[("app.py", TIDY)]);
    let at = repo.path();
    commit(at, &[("cost.py", &sloppy("cost"))]);
    commit(at, &[("more.py", &sloppy("fee"))]);
    commit(at, &[("note.txt", "x")]);
    let found = run_json(&["check", text(at), "--replay", "3", "--format", "json"]);
    is_valid("replay", &found);
    let counts = ["changes", "touching", "failed"].map(|name| found[name].as_u64().unwrap());
    assert_eq!(counts, [3, 2, 2], "{found:#}");
    let rules = found["rules"].as_array().unwrap();
    let errors = |id: &str| rules.iter().find(|it| it["rule"] == id).unwrap()["errors"].clone();
    assert_eq!(
        (errors("new-complexity"), errors("new-clone")),
        (2.into(), 1.into())
    );
    let whole = run_json(&["check", text(at), "--replay", "100", "--format", "json"]);
    assert_eq!(whole["changes"], 4, "with the first commit");
    let human = stdout(&run(&[
        "check",
        text(at),
        "--replay",
        "3",
        "--only",
        "new-clone",
    ]));
    assert!(
        human.contains("1 of 3 changes would not have passed"),
        "{human}"
    );
    assert!(!human.contains("new-complexity"), "{human}");
}

#[test]
fn damaged_points_are_named_and_kept() {
    let repo = repository(&[("app.py", TIDY)]);
    let at = repo.path();
    let point = added(at, &["--iteration", "1"]);
    let file = point["file"].as_str().unwrap();
    let whole = std::fs::read_to_string(file).unwrap();
    let merged = format!("{{\n<<<<<<< HEAD\n{}", &whole[1..]);
    let newer = whole.replace("slope.point/1", "slope.point/7");
    for (broken, words) in [(merged, ".json:2: "), (newer, "update slope")] {
        std::fs::write(file, &broken).unwrap();
        for args in [
            vec!["track", "status", text(at)],
            vec!["track", "plot", text(at)],
            vec!["track", "add", text(at), "--iteration", "1", "--replace"],
        ] {
            let refused = run(&args);
            assert_eq!(refused.status.code(), Some(2), "{args:?}");
            let message = stderr(&refused);
            assert!(
                message.contains(words) && message.contains("help: "),
                "{message}"
            );
        }
        assert_eq!(std::fs::read_to_string(file).unwrap(), broken);
    }
}

#[test]
fn missing_points_and_bases_exit_with_5() {
    let repo = repository(&[("app.py", TIDY)]);
    let at = repo.path();
    for command in ["status", "plot"] {
        let output = run(&["track", command, text(at)]);
        assert_eq!(output.status.code(), Some(5), "{}", stderr(&output));
    }
    added(at, &["--series", "other"]);
    let output = run(&["track", "status", text(at)]);
    assert!(stderr(&output).contains("has other"), "{}", stderr(&output));
    git(at, &["checkout", "-q", "--orphan", "unrelated"]);
    commit(at, &[("b.py", TIDY)]);
    let output = run(&["check", text(at), "--base", "main"]);
    assert_eq!(output.status.code(), Some(5), "{}", stderr(&output));
}

#[test]
fn invalid_additions_get_a_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let at = text(folder.path());
    for (args, word) in [
        (vec![at], "code"),
        (vec!["no/such/folder"], "name the directory"),
        (vec![at, "--commit", "HEAD"], "git init"),
        (vec![at, "--series", "pushed"], "reserved"),
        (vec![at, "--series", "a/b"], "letters"),
        (vec![at, "--push"], "SLOPE_SERVER"),
    ] {
        let output = run(&[vec!["track", "add"], args.clone()].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(
            stderr(&output).contains(word),
            "{args:?}: {}",
            stderr(&output)
        );
    }
}

#[test]
fn series_are_drawn_and_exported() {
    let repo = repository(&[("app.py", TIDY)]);
    let at = repo.path();
    added(at, &["--iteration", "1", "--agent", "<b>bot</b>"]);
    commit(at, &[("cost.py", &sloppy("cost"))]);
    added(at, &["--iteration", "2", "--note", "=cmd()"]);
    let human = stdout(&run(&["track", "plot", text(at)]));
    assert!(
        human.contains("2 points") && human.contains("extensibility"),
        "{human}"
    );
    let csv = stdout(&run(&["track", "plot", text(at), "--format", "csv"]));
    assert!(
        csv.starts_with("series,key,time") && csv.contains("'=cmd()"),
        "{csv}"
    );
    let page = at.join("out/track.html");
    assert!(
        run(&["track", "plot", text(at), "--html", text(&page)])
            .status
            .success()
    );
    let page = std::fs::read_to_string(page).unwrap();
    for part in [
        "slope track: ",
        "id=\"score-erosion\"",
        "<svg",
        "&lt;b&gt;bot",
        "cost.py:1 cost",
    ] {
        assert!(page.contains(part), "{part}");
    }
    assert!(!page.contains("<b>bot"));
    let series = run_json(&["track", "plot", text(at), "--format", "json"]);
    is_valid("series", &series);
    is_valid("point", &series["points"][1]);
    is_valid("track-status", &status(at).0);
}

#[track_caller]
fn is_valid(name: &str, value: &Value) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schemas");
    let text = std::fs::read_to_string(folder.join(format!("{name}.schema.json"))).unwrap();
    let schema: Value = serde_json::from_str(&text).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<String> = validator
        .iter_errors(value)
        .map(|it| it.to_string())
        .collect();
    assert!(errors.is_empty(), "{name}: {errors:?}");
}
