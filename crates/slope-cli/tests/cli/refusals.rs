//! Refused settings, rules, diffs and output files: each error names the place and a remedy.

use std::path::Path;
use std::process::Output;

use crate::common::{slope, stderr, stdout};
use slope_testkit::git::repository;
use slope_testkit::write;

fn run_in(dir: &Path, args: &[&str]) -> Output {
    slope().args(args).current_dir(dir).output().unwrap()
}

/// What a command says that must fail for its input.
#[track_caller]
fn refused(dir: &Path, args: &[&str]) -> String {
    let output = run_in(dir, args);
    let said = stderr(&output).trim_end().to_owned();
    assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
    assert_eq!(said.matches("error:").count(), 1, "{said}");
    assert!(said.contains("\nhelp: "), "{said}");
    said
}

/// What a command says of a `slope.toml`.
#[track_caller]
fn of_settings(settings: &str, command: &str) -> String {
    let dir = repository(&[("a.py", "a = 1\n"), ("slope.toml", settings)]);
    refused(dir.path(), &[command, "."])
}

#[test]
fn measurement_settings_name_their_line() {
    for (settings, line, what) in [
        (
            "cutoff = 9\nexclude = [\n  \"a[\",\n]\n",
            3,
            "invalid glob `a[`",
        ),
        ("\nexclude = [\"../a\"]\n", 2, "it leaves the folder"),
        (
            "enable = [\n  \"unused-import\",\n  \"unused-imprt\",\n]\n",
            3,
            "unknown rule or signal `unused-imprt`",
        ),
        (
            "disable = [\"nosuch\"]\n",
            1,
            "unknown rule or signal `nosuch`",
        ),
        ("\nrules = [\"nosuch\"]\n", 2, "cannot read rules from"),
        ("rules = [3]\n", 1, "expected text, found `3`"),
        (
            "cutoff = \"a\"\n",
            1,
            "expected a whole number of at least 0, found the text \"a\"",
        ),
        ("cutof = 1\n", 1, "unknown key `cutof`"),
        ("tests = \"some\"\n", 1, "unknown value `some`"),
        ("\ncutoff = [1\n", 2, "unclosed array"),
    ] {
        let said = of_settings(settings, "measure");
        assert!(said.contains(&format!("slope.toml:{line}: ")), "{said}");
        assert!(said.contains(what), "{said}");
    }
}

#[test]
fn gate_settings_name_their_line() {
    for (settings, line, what) in [
        ("[check]\nignore = [\"[a\"]\n", 2, "invalid glob `[a`"),
        ("[check]\nignore = [\"\"]\n", 2, "it names no path"),
        (
            "[check]\n\nbase = \"nosuch\"\n",
            3,
            "cannot resolve the revision `nosuch`",
        ),
        ("[check]\nbase = \"\"\n", 2, "the revision has no name"),
        ("[check]\nratchet-file = \"\"\n", 2, "it names no file"),
        (
            "[check]\nratchet-file = \"../a\"\n",
            2,
            "in the folder of its configuration",
        ),
        (
            "[check]\ncomplexity = true\n",
            2,
            "expected a whole number of at least 0, found `true`",
        ),
        ("[check.week]\nmass = nan\n", 2, "is not a number"),
        (
            "[check]\nnew-clon = \"off\"\n",
            2,
            "help: use `new-clone` instead",
        ),
    ] {
        let said = of_settings(settings, "check");
        assert!(said.contains(&format!("slope.toml:{line}: ")), "{said}");
        assert!(said.contains(what), "{said}");
    }
}

#[test]
fn near_rules_are_suggested() {
    let said = of_settings("enable = [\"unused-imprt\"]\n", "measure");
    assert!(
        said.contains("help: use unused-import, or list them all with `slope rules`"),
        "{said}"
    );
}

#[test]
fn errors_of_rules_name_line_and_remedy() {
    for (rule, line, what) in [
        (
            "id: a\nlanguage: python\nrule:\n  pattern: [x\n",
            4,
            "unclosed bracket '['\nhelp: correct the syntax",
        ),
        (
            "id: [a]\nlanguage: python\nrule: {pattern: x}\n",
            1,
            "expected text\nhelp: change the value to text",
        ),
        (
            "id: a\nlanguage: python\n",
            2,
            "missing key `rule`\nhelp: add `rule`",
        ),
        (
            "id: a\nlanguage: python\nrule: {patern: x}\n",
            3,
            "help: use `pattern` instead",
        ),
        (
            "id: a\nid: b\nlanguage: python\nrule: {kind: identifier}\n",
            2,
            "duplicate key `id`",
        ),
        (
            "id: a\nlanguage: python\nrule: {kind: nosuch}\n",
            3,
            "does not compile: Invalid Kind: Kind `nosuch` is invalid",
        ),
        (
            "id: a\nlanguage: python\nrule: {kind: identifier, regex: \"(\"}\n",
            3,
            "invalid regular expression: unclosed group",
        ),
    ] {
        let dir = tempfile::tempdir().unwrap();
        write(dir.path(), &[("a.py", "a = 1\n"), ("r.yml", rule)]);
        let said = refused(dir.path(), &["measure", ".", "--rules", "r.yml"]);
        assert!(said.contains(&format!("r.yml:{line}: ")), "{said}");
        assert!(said.contains(what), "{said}");
    }
}

#[test]
fn errors_of_diffs_name_the_file() {
    let dir = repository(&[("a.py", "a = 1\n")]);
    let other = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-foo\n+bar\n";
    write(
        dir.path(),
        &[("no.diff", "garbage\n"), ("other.diff", other)],
    );
    for (file, cause) in [
        ("no.diff", "contains no diff"),
        ("other.diff", "does not have"),
    ] {
        let said = refused(dir.path(), &["check", "--diff", file]);
        assert!(
            said.contains(&format!("cannot use the diff {file}: ")),
            "{said}"
        );
        assert!(said.contains(cause), "{said}");
    }
}

#[test]
fn output_below_a_file_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), &[("a.py", "a = 1\n"), ("t.txt", "")]);
    let said = refused(dir.path(), &["measure", "a.py", "-o", "t.txt/x.json"]);
    assert!(
        said.contains("help: a part of the path is a file"),
        "{said}"
    );
}

#[test]
fn gate_offers_its_profiles_only() {
    let dir = repository(&[("a.py", "a = 1\n")]);
    let help = stdout(&run_in(dir.path(), &["check", "--help"]));
    assert!(
        !help.contains("published-runs") && help.contains("strict"),
        "{help}"
    );
    let said = refused(dir.path(), &["check", "--profile", "paper"]);
    assert!(said.contains("expected slope or strict"), "{said}");
}

#[test]
fn folder_of_tests_counts_as_tests() {
    let dir = repository(&[
        ("tests/unit/helpers.py", "def f():\n    return 1\n"),
        ("a.py", "a = 1\n"),
    ]);
    for path in ["tests/unit", "tests/unit/helpers.py", "."] {
        let output = run_in(dir.path(), &["measure", path, "--format", "json"]);
        let measured: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let files = measured["files"].as_array().unwrap();
        let helpers = files
            .iter()
            .find(|file| file["path"].as_str().unwrap().ends_with("helpers.py"));
        assert_eq!(helpers.unwrap()["part"], "tests", "{path}");
    }
}

#[test]
fn explanations_name_rules_of_the_gate() {
    let dir = tempfile::tempdir().unwrap();
    for (name, rule) in [
        ("reimplementation", "reimplementation"),
        ("unused-import", "dead-code"),
        ("high-complexity", "complexity-growth"),
        ("clone_lines", "new-clone"),
        ("syntax-error", "broken-syntax"),
    ] {
        let said = stdout(&run_in(
            dir.path(),
            &["explain", name, "--language", "python"],
        ));
        assert!(
            said.contains(&format!("The rule {rule} of `slope check`")),
            "{name}: {said}"
        );
    }
    let said = stdout(&run_in(
        dir.path(),
        &["explain", "bool-ternary", "--language", "python"],
    ));
    assert!(!said.contains("of `slope check`"), "{said}");
}

#[test]
fn precision_says_where_it_was_judged() {
    let dir = tempfile::tempdir().unwrap();
    let said = stdout(&run_in(dir.path(), &["explain", "trivial-wrapper"]));
    assert!(said.contains("not judged in changes"), "{said}");
}

#[test]
fn panels_need_the_listed_commits() {
    let dir = tempfile::tempdir().unwrap();
    let repos = dir.path().join("repos");
    std::fs::create_dir(&repos).unwrap();
    let own = repository(&[("a.py", "a = 1\n")]);
    std::os::unix::fs::symlink(own.path(), repos.join("own")).unwrap();
    let list =
        "panel,languages,repository,commit,name,exclude\nx,python,o/own,0123456789abcdef,own,\n";
    write(dir.path(), &[("list.csv", list)]);
    let said = refused(
        dir.path(),
        &["research", "reference", "list.csv", "--repos", "repos"],
    );
    assert!(said.contains("not at 0123456789"), "{said}");
}
