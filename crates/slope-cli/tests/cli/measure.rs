//! `slope measure`, `slope rules` and `slope explain` through the binary.

use std::path::Path;
use std::process::Output;

use crate::common::{run, run_json, slope, stderr, stdout, text};
use serde_json::{Value, json};

const CODE: &str = "\
def f(x):
    # a comment
    if x == None:
        return 1
    return 2


def total(items):
    result = 0
    for item in items:
        if item.price > 0:
            result += item.price * item.count
        else:
            result -= item.fee
    return result


def sum_of(things):
    result = 0
    for thing in things:
        if thing.price > 0:
            result += thing.price * thing.count
        else:
            result -= thing.fee
    return result
";

/// A folder with a file of Python, one of Go, and one that is ignored.
fn tree() -> tempfile::TempDir {
    slope_testkit::folder(&[
        ("src/a.py", CODE),
        ("src/main.go", "package main\n\nfunc main() {\n}\n"),
        (".gitignore", "out/\n"),
        (".git/HEAD", "ref: refs/heads/main\n"),
        ("out/b.py", CODE),
    ])
}

/// Runs the binary in a folder.
fn run_in(dir: &Path, args: &[&str]) -> Output {
    slope().args(args).current_dir(dir).output().unwrap()
}

#[test]
fn json_output_is_complete() {
    let dir = tree();
    let found = run_json(&["measure", text(dir.path()), "--format", "json"]);
    assert_eq!(found["schema"], "slope.measurement/1");
    assert_eq!(found["totals"]["callables"], 4);
    assert_eq!(found["skipped"][0]["path"], "out/");
    let rules: Vec<&Value> = found["findings"].as_array().unwrap().iter().collect();
    assert!(
        rules.iter().any(|f| f["rule"] == "none-equality"),
        "{rules:?}"
    );
}

#[test]
fn summary_paths_open_from_current_folder() {
    let dir = tree();
    let said = stdout(&run_in(dir.path(), &["measure", "src", "--findings"]));
    assert!(said.contains("src/a.py:3:"), "{said}");
    assert!(said.contains("Heaviest functions"), "{said}");
    assert!(said.contains("[none-equality]"), "{said}");
}

#[test]
fn several_formats_write_at_once() {
    let dir = tree();
    let args = [
        "measure",
        ".",
        "-o",
        "a.html",
        "-o",
        "b.sarif",
        "-o",
        "csv=c.data",
        "-o",
        "d.json",
        "-o",
        "github=-",
    ];
    let output = run_in(dir.path(), &args);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stdout(&output).starts_with("::"), "{}", stdout(&output));
    let read = |name: &str| std::fs::read_to_string(dir.path().join(name)).unwrap();
    assert!(read("a.html").starts_with("<!doctype html>"));
    let log: Value = serde_json::from_str(&read("b.sarif")).unwrap();
    let first = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(first["artifactLocation"]["uri"], "src/a.py");
    assert!(first["region"]["startColumn"].is_u64(), "{first}");
    assert!(read("c.data").starts_with("path,language,"));
    let whole: Value = serde_json::from_str(&read("d.json")).unwrap();
    assert_eq!(whole["schema"], "slope.measurement/1");
}

#[test]
fn summary_is_printed_without_stdout_format() {
    let dir = tree();
    let output = run_in(dir.path(), &["measure", "-o", "x.md"]);
    assert!(stdout(&output).contains("Totals"), "{}", stdout(&output));
    assert!(dir.path().join("x.md").is_file());
}

#[test]
fn invalid_outputs_are_refused_before_work() {
    let dir = tree();
    for (args, words) in [
        (vec!["-o", "report"], vec!["FORMAT=FILE", "sarif"]),
        (vec!["-o", "html="], vec!["missing file name"]),
        (vec!["-o", "html=src"], vec!["is a directory"]),
        (
            vec!["-o", "json=-", "-o", "sarif=-"],
            vec!["only one format"],
        ),
        (
            vec!["-o", "a.json", "-o", "sarif=a.json"],
            vec!["given twice"],
        ),
        (vec!["--cutoff", "x"], vec!["--cutoff"]),
        (vec!["--config", "none.toml"], vec!["none.toml"]),
        (vec!["--exclude", "a[", "--isolated"], vec!["a["]),
        (vec!["--enable", "non-equality"], vec!["none-equality"]),
    ] {
        let output = run_in(dir.path(), &[&["measure", "."], &args[..]].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        for word in words {
            assert!(
                stderr(&output).contains(word),
                "{args:?}: {}",
                stderr(&output)
            );
        }
    }
}

#[test]
fn colour_follows_options_and_environment() {
    let dir = tree();
    let colored = |args: &[&str], no_color: Option<&str>| {
        let mut command = slope();
        command
            .args(args)
            .current_dir(dir.path())
            .env_remove("NO_COLOR");
        if let Some(value) = no_color {
            command.env("NO_COLOR", value);
        }
        stdout(&command.output().unwrap()).contains('\u{1b}')
    };
    assert!(!colored(&["measure"], None), "a pipe is no terminal");
    assert!(colored(&["measure", "--color", "always"], None));
    assert!(!colored(&["measure", "--color", "never"], None));
    assert!(!colored(&["measure"], Some("1")));
    assert!(!colored(
        &["measure", "--color", "always", "--format", "json"],
        None
    ));
}

#[test]
fn measuring_nothing_is_an_error() {
    let dir = tree();
    let empty = dir.path().join("empty");
    std::fs::create_dir(&empty).unwrap();
    std::fs::write(empty.join("README"), "text\n").unwrap();
    let output = run(&["measure", text(&empty)]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stdout(&output).is_empty());
    let said = stderr(&output);
    assert!(
        said.contains("nothing was measured") && said.contains("python"),
        "{said}"
    );

    std::fs::create_dir(empty.join("gone")).unwrap();
    std::fs::write(empty.join("gone/a.py"), CODE).unwrap();
    let output = run(&[
        "measure",
        text(&empty),
        "--exclude",
        "gone",
        "--format",
        "json",
    ]);
    assert_eq!(output.status.code(), Some(2));
    let said = stderr(&output);
    assert!(
        said.contains("left out") && said.contains("gone/"),
        "{said}"
    );
}

#[test]
fn line_report_explains_its_findings() {
    let dir = tree();
    let said = stdout(&run_in(dir.path(), &["measure", "src/a.py:3", "--why"]));
    for word in [
        "src/a.py:3",
        "if x == None:",
        "a source line of python",
        "  f  lines 1–5",
        "[none-equality]",
    ] {
        assert!(said.contains(word), "{word}: {said}");
    }
    let comment = run_in(dir.path(), &["measure", "src/a.py:2", "--format", "json"]);
    let facts: Value = serde_json::from_slice(&comment.stdout).unwrap();
    assert_eq!(facts["source"], false);
    assert_eq!(facts["callables"][0]["callable"]["name"], "f");
    // The same code is written twice, with other names.
    let clone = run_in(
        &dir.path().join("src"),
        &["measure", "a.py:12", "--format", "json"],
    );
    let facts: Value = serde_json::from_slice(&clone.stdout).unwrap();
    assert_eq!(facts["path"], "src/a.py");
    assert!(!facts["clones"].as_array().unwrap().is_empty(), "{facts}");
}

#[test]
fn nonexistent_line_is_refused() {
    let dir = tree();
    for (args, word) in [
        (vec!["src/a.py:99", "--why"], "line 99 does not exist"),
        (vec!["src/a.py:0", "--why"], "count from 1"),
        (vec!["src/a.py", "--why"], "src/a.py:10"),
        (vec!["src/b.py:3", "--why"], "src/b.py:3 does not exist"),
        (vec![".gitignore:1", "--why"], "language"),
        (vec!["src/a.py:3", "--format", "sarif"], "human or json"),
    ] {
        let output = run_in(dir.path(), &[&["measure"], &args[..]].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(
            stderr(&output).contains(word),
            "{args:?}: {}",
            stderr(&output)
        );
    }
}

#[test]
fn command_line_overrides_configuration() {
    let dir = tree();
    let config = "cutoff = 1\nexclude = [\"**/*.go\"]\ndisable = [\"none-equality\"]\n";
    std::fs::write(dir.path().join("slope.toml"), config).unwrap();
    let measured = |args: &[&str]| -> Value {
        let args = [&["measure", "--format", "json"], args].concat();
        let output = run_in(dir.path(), &args);
        assert!(output.status.success(), "{}", stderr(&output));
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let found = |m: &Value| m["findings"].to_string().contains("none-equality");
    let configured = measured(&[]);
    assert_eq!(configured["totals"]["files"], 1);
    assert_eq!(configured["totals"]["high_complexity_callables"], 3);
    assert!(!found(&configured));
    let said = measured(&["--cutoff", "2", "--enable", "none-equality"]);
    assert_eq!(said["totals"]["high_complexity_callables"], 2);
    assert!(found(&said));
    let isolated = measured(&["--isolated"]);
    assert_eq!(isolated["totals"]["files"], 2);
    assert_ne!(
        isolated["definitions"]["hash"],
        configured["definitions"]["hash"]
    );
}

#[test]
fn cache_and_threads_keep_output_identical() {
    let dir = tree();
    let of = |args: &[&str]| {
        let args = [&["measure", "--format", "json"], args].concat();
        run_in(dir.path(), &args).stdout
    };
    let cold = of(&["--no-cache", "--threads", "1"]);
    assert_eq!(cold, of(&["--threads", "2"]));
    assert_eq!(cold, of(&[]));
}

#[test]
fn rules_are_listed_by_language() {
    let said = stdout(&run(&["rules", "--language", "python"]));
    assert!(
        said.contains("none-equality") && said.contains("unused-import"),
        "{said}"
    );
    let rules = run_json(&["rules", "--format", "json"]);
    let rules = rules.as_array().unwrap();
    assert!(
        rules
            .iter()
            .all(|r| r["message"].as_str().is_some_and(|m| !m.is_empty()))
    );
    let unknown = run(&["rules", "--language", "cobol"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(stderr(&unknown).contains("python"), "{}", stderr(&unknown));
}

#[test]
fn explain_shows_rule_and_suggests_spelling() {
    let said = stdout(&run(&["explain", "none-equality"]));
    for word in [
        "none-equality",
        "category",
        "severity",
        "Found",
        "Not found",
    ] {
        assert!(said.contains(word), "{word}: {said}");
    }
    // What `check` names is told as well.
    let said = stdout(&run(&["explain", "new-clone"]));
    assert!(
        said.contains("a rule of the gate") && said.contains("clone-lines-outside"),
        "{said}"
    );
    let told = run_json(&["explain", "gate-setup", "--format", "json"]);
    assert_eq!(told[0]["keys"][0], "gate-setup");
    let slip = run(&["explain", "none-equalty"]);
    assert_eq!(slip.status.code(), Some(2));
    assert!(
        stderr(&slip).contains("help: use none-equality"),
        "{}",
        stderr(&slip)
    );
    let form = run(&["explain", "none-equality", "--format", "sarif"]);
    assert_eq!(form.status.code(), Some(2));
}

#[test]
fn explain_shows_metrics() {
    let said = stdout(&run(&["explain", "erosion"]));
    for part in [
        "erosion  metric of slope measure, slope history, slope report\n",
        "Share of complexity mass in highly complex functions.\n",
        "Complexity mass of callables above the complexity cut-off, over the mass of all.\n",
        "unit       0–1\n",
        "better     lower\n",
        "formula    high_complexity_mass / mass",
        "read more  docs/metrics/README.md\n",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    // Column and title name a metric as well.
    for name in ["sloc", "source_lines", "source lines", "Source-Lines"] {
        let said = stdout(&run(&["explain", name]));
        assert!(said.starts_with("sloc  metric of "), "{name}: {said}");
    }
    let told = run_json(&["explain", "cost", "--format", "json"]);
    assert_eq!(
        (&told[0]["id"], &told[0]["unit"], &told[0]["direction"]),
        (&json!("cost"), &json!("USD"), &json!("lower"))
    );
    let slip = run(&["explain", "max-complexty"]);
    assert_eq!(slip.status.code(), Some(2));
    let slip = stderr(&slip);
    assert!(slip.contains("help: use max_complexity"), "{slip}");
}

#[test]
fn explain_prefers_rule_to_metric() {
    let dir = tempfile::tempdir().unwrap();
    let rule = "id: erosion\nlanguage: python\nmessage: A rule of ours.\nseverity: warning\n\
                rule: {pattern: eval($X)}\nmetadata: {category: ours}\n";
    std::fs::write(dir.path().join("erosion.yml"), rule).unwrap();
    let said = stdout(&run(&["explain", "erosion", "--rules", text(dir.path())]));
    assert!(said.contains("A rule of ours."), "{said}");
}

#[test]
fn explain_of_shared_ids_prints_a_choice() {
    let choice = stdout(&run(&["explain", "swallowed-exception"]));
    assert!(
        choice.contains("rules have the id swallowed-exception"),
        "{choice}"
    );
    assert!(
        choice.contains("\n  java ") && choice.lines().count() < 15,
        "{choice}"
    );
    let java = ["explain", "swallowed-exception", "--language", "java"];
    let java = stdout(&run(&java));
    assert!(
        java.contains("rule for java") && !java.contains("rule for cpp"),
        "{java}"
    );
    let zig = run(&["explain", "swallowed-exception", "--language", "zig"]);
    assert_eq!(zig.status.code(), Some(2));
    assert!(stderr(&zig).contains("is not for zig"), "{}", stderr(&zig));
}

#[test]
fn outside_paths_start_at_repository_root() {
    let (dir, here) = (tree(), tempfile::tempdir().unwrap());
    let root = dir.path().join("src");
    let output = run_in(here.path(), &["measure", text(&root), "--format", "sarif"]);
    let log: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let run = &log["runs"][0];
    let base = run["originalUriBaseIds"]["%SRCROOT%"]["uri"]
        .as_str()
        .unwrap();
    let top = dir.path().canonicalize().unwrap();
    assert_eq!(base, format!("file://{}/", top.display()));
    let place = &run["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "src/a.py");
    let said = stdout(&run_in(
        here.path(),
        &["measure", text(&root), "--format", "github"],
    ));
    assert!(said.contains("file=src/a.py"), "{said}");
    // Where slope runs is known to viewers by another name.
    let output = run_in(dir.path(), &["measure", "src", "--format", "sarif"]);
    let log: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let base = &log["runs"][0]["originalUriBaseIds"]["%SRCROOT%"];
    assert!(base.get("uri").is_none(), "{base}");
}

#[test]
fn message_paths_match_location_paths() {
    let dir = tree();
    for form in ["github", "gitlab", "junit"] {
        let said = stdout(&run_in(dir.path(), &["measure", "src", "--format", form]));
        assert!(said.contains("also at src/a.py:"), "{form}: {said}");
        assert!(!said.contains("also at a.py:"), "{form}: {said}");
    }
}

#[test]
fn line_argument_accepts_a_column() {
    let dir = tree();
    let said = |place: &str| run_in(dir.path(), &["measure", place, "--why"]);
    for place in ["src/a.py:3", "src/a.py:3:10"] {
        assert!(stdout(&said(place)).contains("none-equality"), "{place}");
    }
    for place in [
        "src/a.py:2-5",
        "src/a.py:99999999999999999999",
        "src/a.py:x",
    ] {
        let output = said(place);
        assert_eq!(output.status.code(), Some(2), "{place}");
        assert!(
            stderr(&output).contains("name one line"),
            "{}",
            stderr(&output)
        );
    }
}

#[test]
fn named_pipe_is_refused_without_waiting() {
    let dir = tempfile::tempdir().unwrap();
    let made = std::process::Command::new("mkfifo")
        .arg(dir.path().join("a.py"))
        .status();
    assert!(made.unwrap().success());
    let output = run_in(dir.path(), &["measure", "a.py"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("plain file"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn huge_thread_count_is_accepted() {
    let dir = tree();
    let output = run_in(dir.path(), &["measure", ".", "--threads", "100000"]);
    assert!(output.status.success(), "{}", stderr(&output));
}

#[test]
fn rules_accept_short_language_names() {
    let short = stdout(&run(&["rules", "--language", "ts"]));
    assert!(!short.is_empty());
    assert_eq!(short, stdout(&run(&["rules", "--language", "typescript"])));
}

#[test]
fn explain_avoids_ignore_for_stale_suppressions() {
    let said = stdout(&run(&["explain", "stale-suppression"]));
    assert!(!said.contains("ignore[stale-suppression]"), "{said}");
    assert!(said.contains("--disable stale-suppression"), "{said}");
}

#[test]
fn disabled_rule_makes_no_suppression_stale() {
    let dir = tree();
    // The rule finds nothing here, so the comment is stale where it was looked for.
    let code = "def f(x):\n    return x is None  # slope: ignore[none-equality] known\n";
    std::fs::write(dir.path().join("src/a.py"), code).unwrap();
    let args = ["measure", ".", "--findings", "--disable"];
    for (off, told) in [("none-equality", false), ("swallowed-exception", true)] {
        let said = stdout(&run_in(dir.path(), &[&args[..], &[off]].concat()));
        assert_eq!(said.contains("[stale-suppression]"), told, "{off}: {said}");
    }
}

#[test]
fn unusual_file_names_stay_distinct_everywhere() {
    let dir = tempfile::tempdir().unwrap();
    let names = [
        "a b.py",
        "a  b.py",
        "a\tb.py",
        "a\nb.py",
        "a\rb.py",
        "a\u{7f}\u{1b}[31mb.py",
    ];
    for name in names {
        std::fs::write(dir.path().join(name), "def f(:\n").unwrap();
    }
    let path = text(dir.path());
    for form in ["json", "jsonl", "sarif", "gitlab"] {
        let told = run(&["measure", path, "--format", form]).stdout;
        let file = dir.path().join("out");
        let said = run(&["measure", path, "-o", &format!("{form}={}", text(&file))]);
        assert_eq!(stderr(&said), "");
        let written = std::fs::read_to_string(&file).unwrap();
        std::fs::remove_file(&file).unwrap();
        let told = String::from_utf8(told).unwrap();
        // What is printed has escapes for what a terminal could obey.
        assert!(!told.contains(|c: char| c.is_control() && c != '\n'));
        let whole = |text: &str| -> Vec<serde_json::Value> {
            let values = serde_json::Deserializer::from_str(text).into_iter();
            values.map(Result::unwrap).collect()
        };
        assert_eq!(whole(&told), whole(&written), "{form}");
    }
    let told = stdout(&run(&["measure", path, "--format", "json"]));
    let told: serde_json::Value = serde_json::from_str(&told).unwrap();
    let files = told["files"].as_array().unwrap().iter();
    let mut found: Vec<&str> = files.map(|file| file["path"].as_str().unwrap()).collect();
    found.sort_unstable();
    let mut names = names;
    names.sort_unstable();
    assert_eq!(found, names);
    let told = stdout(&run(&["measure", path, "--findings"]));
    for name in [
        "a b.py",
        "a  b.py",
        "a\\tb.py",
        "a\\nb.py",
        "a\\rb.py",
        "a\\u{7f}\\u{1b}[31mb.py",
    ] {
        assert!(told.contains(name), "{name}: {told}");
    }
}

#[test]
fn output_creates_folders_and_replaces_links() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("a.py"), CODE).unwrap();
    let kept = dir.path().join("kept.txt");
    std::fs::write(&kept, "mine").unwrap();
    let link = dir.path().join("new/folder/out.json");
    let args = ["measure", text(dir.path()), "-o", text(&link)];
    assert!(run(&args).status.success());
    std::fs::remove_file(&link).unwrap();
    std::os::unix::fs::symlink(&kept, &link).unwrap();
    assert!(run(&args).status.success());
    assert!(!link.is_symlink());
    assert_eq!(std::fs::read_to_string(&kept).unwrap(), "mine");
}

#[test]
fn messages_escape_file_names_like_lists() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("a.py"), CODE).unwrap();
    std::fs::write(dir.path().join("b\n c.py"), CODE).unwrap();
    let told = stdout(&run(&["measure", text(dir.path()), "--findings"]));
    assert!(told.contains("also at "), "{told}");
    assert!(told.contains("b\\n c.py:"), "{told}");
    assert!(!told.contains("also at b c.py"), "{told}");
    let other = told
        .lines()
        .find(|row| row.contains("a.py:") && row.contains("also at"));
    assert!(
        other.is_some_and(|row| row.contains("b\\n c.py:")),
        "{told}"
    );
}
