//! The tests of `slope-embed`. `slope-cli` has those that compare its functions with the commands.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod hostile;
mod project;

use std::collections::BTreeMap;

use project::{SLOPPY, TIDY, project, write};
use serde_json::Value;
use slope_embed::{Code, Error, ErrorKind, Settings};

fn read(document: Result<String, Error>) -> Value {
    serde_json::from_str(&document.unwrap()).unwrap()
}

fn files(list: &[(&str, &str)]) -> Code {
    let each = list.iter();
    Code::Files(
        each.map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec()))
            .collect(),
    )
}

/// The project before and after, as texts and as folders.
struct Sides {
    texts: (Code, Code),
    paths: (Code, Code),
    folder: tempfile::TempDir,
}

fn sides() -> Sides {
    let folder = tempfile::tempdir().unwrap();
    let make = |name: &str, app| {
        let path = folder.path().join(name);
        // The settings of folders end here, as those of texts do.
        std::fs::create_dir_all(path.join(".git")).unwrap();
        write(&path, &project(app));
        (Code::Files(project(app)), Code::Path(path))
    };
    let (before, old) = make("old", TIDY);
    let (after, new) = make("new", SLOPPY);
    Sides {
        texts: (before, after),
        paths: (old, new),
        folder,
    }
}

/// A document in which folders have the names of texts.
fn named(sides: &Sides, document: &str) -> String {
    let name = |side: &str| sides.folder.path().join(side).display().to_string();
    document
        .replace(&(name("new") + "/"), "")
        .replace(&name("old"), "before")
        .replace(&name("new"), "after")
}

#[test]
fn texts_and_folders_have_equal_measurements() {
    let sides = sides();
    let settings = Settings::default();
    let texts = slope_embed::measure(&sides.texts.1, &settings).unwrap();
    let paths = slope_embed::measure(&sides.paths.1, &settings).unwrap();
    assert_eq!(texts, named(&sides, &paths));
    let found: Value = serde_json::from_str(&texts).unwrap();
    let paths: Vec<&str> = found["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file["path"].as_str().unwrap())
        .collect();
    assert_eq!(paths, ["src/app.py", "tests/test_app.py"]);
    assert!(texts.contains("no-eval"), "the project's rule applies");
}

#[test]
fn texts_and_folders_have_equal_changes() {
    let sides = sides();
    let settings = Settings::default();
    for function in [slope_embed::diff, slope_embed::check] {
        let of_texts = function(&sides.texts.0, &sides.texts.1, &settings).unwrap();
        let of_paths = function(&sides.paths.0, &sides.paths.1, &settings).unwrap();
        assert_eq!(of_texts, named(&sides, &of_paths));
    }
    let judged = |(before, after): &(Code, Code)| {
        slope_embed::judge_change(before, after, 0, &settings).unwrap()
    };
    assert_eq!(judged(&sides.texts), named(&sides, &judged(&sides.paths)));
}

#[test]
fn check_applies_the_policy_it_gets() {
    let (before, after) = sides().texts;
    let check = |policy: Option<&str>| {
        let policy = policy.map(str::to_owned);
        read(slope_embed::check(&before, &after, &Settings { policy }))
    };
    let found = check(None);
    assert_eq!(found["passes"], false, "{found:#}");
    let rules = |found: &Value| found["violations"].to_string();
    assert!(rules(&found).contains("complexity-growth"), "{found:#}");
    let off = "[check]\ncomplexity-growth = \"off\"\nnew-finding = \"off\"\n";
    let found = check(Some(off));
    assert_eq!(found["passes"], true, "{found:#}");
    assert!(!rules(&found).contains("complexity-growth"), "{found:#}");
}

#[test]
fn judge_scores_fall_with_sloppy_code() {
    let (before, after) = sides().texts;
    let settings = Settings::default();
    let found = read(slope_embed::judge_change(&before, &after, 2, &settings));
    let score = |of: &Value| of["erosion"].as_f64().unwrap();
    assert!(
        score(&found["before"]) > score(&found["scores"]),
        "{found:#}"
    );
    assert_eq!(found["issues"].as_array().unwrap().len(), 2);
    let alone = read(slope_embed::judge(&after, 2, &settings));
    assert_eq!(alone["scores"], found["scores"]);
}

#[test]
fn requests_are_graded_in_their_order() {
    let base = files(&[("a.py", TIDY)]);
    let request = |id: &str, text: &str| {
        let change = serde_json::json!({"kind": "files", "data": {"a.py": text}});
        serde_json::json!({"id": id, "change": change, "tests": {"passed": 1, "failed": 0}})
            .to_string()
    };
    let requests = [
        request("tidy", &TIDY.replace("weight", "grams")),
        "{".to_owned(),
        request("sloppy", SLOPPY),
    ];
    let grades = slope_embed::grade(&base, &requests, None, false).unwrap();
    let grades: Vec<Value> = grades
        .iter()
        .map(|grade| serde_json::from_str(grade).unwrap())
        .collect();
    assert_eq!(grades[0]["id"], "tidy");
    assert!(
        grades[1]["error"]["message"]
            .as_str()
            .unwrap()
            .contains("request 2")
    );
    assert!(
        grades[0]["reward"].as_f64() > grades[2]["reward"].as_f64(),
        "{grades:#?}"
    );
}

#[test]
fn explanations_are_lists_of_one_id() {
    for id in ["swallowed-exception", "new-clone", "erosion"] {
        assert_eq!(read(slope_embed::explain(id, None))[0]["id"], id);
    }
    let error = slope_embed::explain("swallowed-exceptoin", None).unwrap_err();
    assert_eq!(
        (error.kind, error.field.as_str()),
        (ErrorKind::Argument, "id")
    );
    assert!(error.help.contains("swallowed-exception"), "{error}");
}

/// Asserts the kind and field of an error, and a part of its message.
#[track_caller]
fn assert_error(result: Result<String, Error>, kind: ErrorKind, field: &str, part: &str) {
    let error = result.unwrap_err();
    assert_eq!((error.kind, error.field.as_str()), (kind, field), "{error}");
    assert!(error.message.contains(part), "{error}");
    let temporary = std::env::temp_dir().display().to_string();
    assert!(!error.to_string().contains(&temporary), "{error}");
}

#[test]
fn unreadable_code_is_named_by_argument() {
    use slope_embed::{check, diff, judge, measure};
    let nowhere = Code::Path("nowhere".into());
    let code = files(&[("a.py", "x = 1\n")]);
    let settings = Settings::default();
    let kind = ErrorKind::Unreadable;
    assert_error(measure(&nowhere, &settings), kind, "code", "nowhere");
    assert_error(judge(&nowhere, 0, &settings), kind, "code", "nowhere");
    assert_error(diff(&nowhere, &code, &settings), kind, "before", "nowhere");
    assert_error(check(&code, &nowhere, &settings), kind, "after", "nowhere");
}

#[test]
fn invalid_texts_are_named_by_path() {
    let measure = |list: &[(&str, &str)]| slope_embed::measure(&files(list), &Settings::default());
    let kind = ErrorKind::Argument;
    assert_error(measure(&[("../a.py", "")]), kind, "code", "../a.py");
    assert_error(
        measure(&[("a", ""), ("a/b.py", "")]),
        kind,
        "code",
        "a/b.py",
    );
    let long = "a".repeat(300) + ".py";
    assert_error(measure(&[(&long, "")]), kind, "code", "aaa");
    let prose = measure(&[("notes.txt", "hello\n")]);
    assert_error(prose, ErrorKind::NoCode, "code", "in code");
}

#[test]
fn invalid_policies_are_named_by_line() {
    let code = files(&[("a.py", "x = 1\n")]);
    let policy = |text: &str| Settings {
        policy: Some(text.to_owned()),
    };
    let kind = ErrorKind::Policy;
    let unknown = slope_embed::measure(&code, &policy("cutof = 3\n"));
    assert_error(unknown, kind, "policy", "slope.toml:1");
    let limit = slope_embed::check(&code, &code, &policy("[check]\ngrowth = -1\n"));
    assert_error(limit, kind, "policy", "slope.toml:2");
    let paper = slope_embed::check(&code, &code, &policy("profile = \"paper\"\n"));
    assert_error(paper, kind, "policy", "paper");
    let own = files(&[("a.py", "x = 1\n"), ("slope.toml", "cutof = 3\n")]);
    let own = slope_embed::measure(&own, &Settings::default());
    assert_error(own, kind, "code", "slope.toml:1");
}

#[test]
fn texts_cannot_read_other_files() {
    let secret = tempfile::tempdir().unwrap();
    let file = secret.path().join("secret.yml");
    std::fs::write(&file, "id: secret\n").unwrap();
    let absolute = file.display().to_string();
    for rules in [absolute.as_str(), "../secret.yml", "a/../../x"] {
        let policy = format!("rules = [\"{rules}\"]\n");
        let code = files(&[("a.py", "x = 1\n"), ("slope.toml", &policy)]);
        let error = slope_embed::measure(&code, &Settings::default()).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Policy, "{error}");
        assert!(error.message.contains("not among the files"), "{error}");
    }
}

#[test]
fn texts_leave_nothing_on_disk() {
    let mut list = BTreeMap::new();
    list.insert("left-by-a-test.py".to_owned(), b"x = 1\n".to_vec());
    let code = Code::Files(list);
    slope_embed::measure(&code, &Settings::default()).unwrap();
    let left = std::fs::read_dir(std::env::temp_dir()).unwrap();
    let mut left = left.flatten().map(|entry| entry.path());
    assert!(!left.any(|path| path.join("left-by-a-test.py").exists()));
}
