//! What `slope judge` remembers: issues that edits do not touch, answers about unchanged files, and rubrics.

use std::path::Path;

use serde_json::{Value, json};
use slope_testkit::git::{commit, repository};

use crate::common::{run, slope, stderr, text};
use crate::judge::{ask, code, judged, message};
use crate::model_server::{Said, Server};

/// A model that reports lines with `waste` once, and nothing later.
fn forgetful() -> Server {
    Server::start(|number, request| {
        let lines = request.split("\\n");
        let line = lines
            .filter(|line| line.contains("| ") && line.contains("waste"))
            .find_map(|line| line.split('|').next()?.trim().parse::<u32>().ok());
        let issue = line.filter(|_| number <= 5).map(|line| {
            json!({"criterion": "noise", "file": "F1", "start_line": line, "end_line": line, "message": "It is waste."})
        });
        let issues: Vec<Value> = issue.into_iter().collect();
        let scores = json!({"verbosity": 6, "erosion": 6, "extensibility": 6});
        let files: Vec<Value> = (1..=5)
            .map(|n| json!({"file": format!("F{n}"), "scores": scores}))
            .collect();
        Said::Whole(
            200,
            message(&json!({"files": files, "issues": issues}).to_string()),
        )
    })
}

fn places(found: &Value) -> Vec<(String, u64, Value)> {
    let issues = found["issues"].as_array().unwrap().iter();
    issues
        .map(|it| {
            let path = it["path"].as_str().unwrap().to_owned();
            (
                path,
                it["start_line"].as_u64().unwrap(),
                it["carried"].clone(),
            )
        })
        .collect()
}

const CODE: &str = "def f(a):\n    waste = 1\n    return a\n";

#[test]
fn untouched_issues_are_carried() {
    let server = forgetful();
    let folder = code(CODE);
    let judge = || judged(&server, folder.path(), &["--repeats", "1"]);
    let write = |text: &str| std::fs::write(folder.path().join("app.py"), text).unwrap();
    assert_eq!(places(&judge()), [("app.py".to_owned(), 2, Value::Null)]);
    // The same code needs no request, and the issue is the model's.
    assert_eq!(places(&judge()), [("app.py".to_owned(), 2, Value::Null)]);
    write(&format!("import os\nimport re\n{CODE}"));
    let found = judge();
    assert_eq!(places(&found), [("app.py".to_owned(), 4, json!(1))]);
    assert_eq!(found["model"]["carried_issues"], 1);
    write(&format!("def g(b):\n    return b\n\n\n{CODE}"));
    assert_eq!(places(&judge()), [("app.py".to_owned(), 6, json!(2))]);
    write(&CODE.replace("= 1", "= 2"));
    assert_eq!(places(&judge()), []);
}

#[test]
fn carried_issues_are_marked_in_text() {
    let server = forgetful();
    let folder = code(CODE);
    judged(&server, folder.path(), &["--repeats", "1"]);
    std::fs::write(folder.path().join("app.py"), format!("import os\n{CODE}")).unwrap();
    let args = [
        "judge",
        text(folder.path()),
        "--model",
        "m",
        "--repeats",
        "1",
    ];
    let output = slope()
        .args([&args[..], &["--upstream", &server.address]].concat())
        .env("SLOPE_CACHE_DIR", folder.path().join("cache"))
        .output()
        .unwrap();
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(
        shown.contains("app.py:3: It is waste. [noise] (carried from an earlier judgement)"),
        "{shown}"
    );
    let found = judged(&server, folder.path(), &["--repeats", "1", "--no-cache"]);
    assert_eq!(found["model"]["carried_issues"], 0);
}

#[test]
fn changes_carry_issues_of_the_base() {
    let server = forgetful();
    let repo = repository(&[("app.py", CODE)]);
    std::fs::write(repo.path().join(".git/info/exclude"), "cache\n").unwrap();
    commit(repo.path(), &[("app.py", &format!("import os\n{CODE}"))]);
    let of = |range: &str| {
        let args = ["--repeats", "1", "--diff", range];
        judged(&server, repo.path(), &args)
    };
    let found = of("HEAD~1..HEAD");
    assert_eq!(places(&found), [("app.py".to_owned(), 3, Value::Null)]);
    assert_eq!(found["before"]["erosion"], 6.0);
    commit(
        repo.path(),
        &[("app.py", &format!("import os\nimport re\n{CODE}"))],
    );
    assert_eq!(
        places(&of("HEAD~1..HEAD")),
        [("app.py".to_owned(), 4, json!(1))]
    );
}

#[test]
fn changed_neighbours_cost_nothing() {
    let server = forgetful();
    let folder = code(CODE);
    for name in ["b.py", "c.py", "d.py"] {
        let text = CODE.replace("f(a)", &format!("{}(a)", &name[..1]));
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    judged(&server, folder.path(), &["--repeats", "1"]);
    std::fs::write(folder.path().join("a.py"), "x = 1\n").unwrap();
    std::fs::write(folder.path().join("c.py"), "def c():\n    return 1\n").unwrap();
    let seen = server.requests().len();
    judged(&server, folder.path(), &["--repeats", "1"]);
    let requests = server.requests();
    for request in &requests[seen + 2..] {
        assert!(request.contains("x = 1") || request.contains("def c()"));
        assert!(
            !request.contains("def b(") && !request.contains("def d("),
            "{request}"
        );
    }
}

const RUBRIC: &str = "name = \"ours\"\nversion = 3\n\n[[criterion]]\nid = \"waste\"\nscore = \"erosion\"\ndescription = \"Values that are waste.\"\n";

fn rubric(folder: &Path, text: &str) -> String {
    let file = folder.join("ours.toml");
    std::fs::write(&file, text).unwrap();
    file.to_str().unwrap().to_owned()
}

/// A model that knows one criterion.
fn of_criterion(id: &'static str) -> Server {
    Server::start(move |_, _| {
        let issue = json!({"criterion": id, "file": "F1", "start_line": 1, "end_line": 1, "message": "why"});
        let scores = json!({"verbosity": 6, "erosion": 6, "extensibility": 6});
        Said::Whole(
            200,
            message(&json!({"scores": scores, "issues": [issue]}).to_string()),
        )
    })
}

#[test]
fn own_rubrics_replace_the_criteria() {
    let server = of_criterion("waste");
    let folder = code(CODE);
    let file = rubric(folder.path(), RUBRIC);
    let found = judged(
        &server,
        folder.path(),
        &["--repeats", "1", "--rubric", &file],
    );
    assert_eq!(found["model"]["rubric"], "ours@3");
    let issue = &found["issues"][0];
    assert_eq!(
        (&issue["id"], &issue["score"]),
        (&json!("waste"), &json!("erosion"))
    );
    assert!(server.requests()[0].contains("Values that are waste."));
    // Another rubric has other answers, also under the same name.
    let file = rubric(folder.path(), &format!("{RUBRIC}# another one\n"));
    let again = judged(
        &server,
        folder.path(),
        &["--repeats", "1", "--rubric", &file],
    );
    assert_ne!(again["model"]["rubric_hash"], found["model"]["rubric_hash"]);
    assert_eq!(again["model"]["from_cache"], 0);
    // The criterion is not one of slope's.
    let found = judged(&server, folder.path(), &["--repeats", "1"]);
    assert_eq!(
        (&found["issues"], &found["model"]["dropped_issues"]),
        (&json!([]), &json!(2))
    );
}

#[test]
fn settings_name_a_rubric() {
    let server = of_criterion("waste");
    let folder = code(CODE);
    rubric(folder.path(), RUBRIC);
    let settings = folder.path().join("slope.toml");
    std::fs::write(&settings, "[judge]\nrubric = \"ours.toml\"\n").unwrap();
    let found = judged(&server, folder.path(), &["--repeats", "1"]);
    assert_eq!(found["model"]["rubric"], "ours@3");
    std::fs::write(&settings, "[judge]\nrubrik = \"ours.toml\"\n").unwrap();
    let output = ask(&server, folder.path(), &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("use `rubric` instead"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn wrong_rubrics_name_file_and_line() {
    let server = of_criterion("waste");
    let folder = code(CODE);
    let file = rubric(folder.path(), &RUBRIC.replace("erosion", "speed"));
    let output = ask(&server, folder.path(), &["--rubric", &file]);
    assert_eq!(output.status.code(), Some(2));
    let said = stderr(&output);
    assert!(
        said.contains("ours.toml:6: ") && said.contains("help: "),
        "{said}"
    );
    let output = ask(&server, folder.path(), &["--rubric", "/nowhere.toml"]);
    assert!(
        stderr(&output).contains("cannot read the rubric"),
        "{}",
        stderr(&output)
    );
    assert!(server.requests().is_empty());
    // slope's own rubric is such a file.
    let output = run(&["judge", "rubric"]);
    let file = rubric(folder.path(), &String::from_utf8(output.stdout).unwrap());
    let found = judged(
        &server,
        folder.path(),
        &["--repeats", "1", "--rubric", &file],
    );
    let own = judged(&server, folder.path(), &["--repeats", "1"]);
    assert_eq!(found["model"]["rubric_hash"], own["model"]["rubric_hash"]);
}

#[test]
fn replays_need_the_recorded_rubric() {
    let server = of_criterion("waste");
    let folder = code(CODE);
    let file = rubric(folder.path(), RUBRIC);
    let kept = folder.path().join("kept");
    let record = ["--repeats", "1", "--rubric", &file, "--record", text(&kept)];
    judged(&server, folder.path(), &record);
    let replay = |more: &[&str]| {
        let common = [
            "judge",
            text(folder.path()),
            "--model",
            "m",
            "--replay",
            text(&kept),
        ];
        run(&[&common[..], &["--format", "json"], more].concat())
    };
    let output = replay(&["--repeats", "1"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("rubric ours@3"),
        "{}",
        stderr(&output)
    );
    let output = replay(&["--rubric", &file]);
    assert!(
        stderr(&output).contains("--repeats 1"),
        "{}",
        stderr(&output)
    );
    let output = replay(&["--repeats", "1", "--rubric", &file]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}
