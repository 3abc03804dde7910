//! Changes of small repositories, judged.

use crate::common::{Repo, branches, rules};
use slope_gate::{Check, Edit, Head};
use slope_model::gate::{GateRule, Judgement, Level};
use slope_testkit::HELPER;

#[test]
fn new_complex_function_fails_plain_passes() {
    let repo = Repo::new(&[("a.py", "def f():\n    return 1\n")]);
    repo.write(&[
        ("b.py", &branches("big", 20)),
        (
            "c.py",
            "def small(rows):\n    return [row for row in rows if row]\n",
        ),
    ]);
    let judgement = repo.judge(None, Head::Worktree);
    assert_eq!(rules(&judgement), [(GateRule::NewComplexity, Some("big"))]);
    assert!(!judgement.passes);
    assert_eq!(
        (
            judgement.violations[0].path.as_str(),
            judgement.violations[0].line
        ),
        ("b.py", 1)
    );
    repo.git(&["add", "c.py"]);
    let staged = repo.judge(None, Head::Staged);
    assert!(staged.passes && staged.violations.is_empty(), "{staged:?}");
    assert_eq!(staged.files, 1);
}

#[test]
fn top_level_chains_are_judged_too() {
    let chain = |count: usize| {
        let links = (0..count).map(|i| format!("if A == {i}:\n    print(b{i}, {i} + A)\n"));
        format!(
            "import os\n\nA = len(os.sep)\n{}",
            links.collect::<String>()
        )
    };
    let settings: String = (0..40)
        .map(|i| format!("V{i} = os.x{i} or {i}\n"))
        .collect();
    let repo = Repo::new(&[("a.py", &chain(14))]);
    repo.write(&[
        ("b.py", &chain(16)),
        ("c.py", &format!("import os\n\n{settings}")),
    ]);
    let told = |judgement: &Judgement| -> Vec<(GateRule, String, Option<f64>, f64)> {
        let complex = judgement.violations.iter();
        let complex = complex.filter(|v| v.rule != GateRule::NewClone);
        complex
            .map(|v| (v.rule, v.path.clone(), v.before, v.after))
            .collect()
    };
    let judgement = repo.judge(None, Head::Worktree);
    let new = (GateRule::NewComplexity, "b.py".to_owned(), None, 16.0);
    assert_eq!(told(&judgement), [new]);
    repo.git(&["add", "."]);
    repo.git(&["commit", "-qm", "more"]);
    // What was above the limit before does not fail, nor does what it is moved to.
    repo.git(&["mv", "b.py", "d.py"]);
    repo.write(&[("d.py", &chain(18)), ("a.py", &chain(20))]);
    let judgement = repo.judge(None, Head::Worktree);
    let grown = (
        GateRule::ComplexityGrowth,
        "a.py".to_owned(),
        Some(14.0),
        20.0,
    );
    assert_eq!(told(&judgement), [grown]);
}

#[test]
fn dissolved_inner_function_is_not_growth() {
    let indent = |text: &str| text.replace('\n', "\n    ");
    let inner = indent(&branches("inner", 20));
    let outer = "def outer(value, other):\n    ";
    let nested = format!(
        "{outer}{}\n    return inner(value, other)\n",
        inner.trim_end()
    );
    let dissolved = branches("outer", 20);
    let repo = Repo::new(&[("a.py", &nested)]);
    repo.write(&[("a.py", &dissolved)]);
    assert_eq!(rules(&repo.judge(None, Head::Worktree)), []);
    // Where the inner function stays, the outer one has grown.
    let both = format!("{dissolved}\n    {}\n", inner.trim_end());
    repo.write(&[("a.py", &both)]);
    let judged = repo.judge(None, Head::Worktree);
    assert!(
        rules(&judged).contains(&(GateRule::ComplexityGrowth, Some("outer"))),
        "{judged:?}"
    );
}

#[test]
fn closure_that_becomes_a_loop_passes() {
    let step =
        |n: usize, end: &str| format!("    if (x.a{n} && b{n}) {{\n      f{n}(x);\n    }}{end}\n");
    let steps: String = (0..12).map(|n| step(n, "")).collect();
    let code = |open: &str, close: &str| {
        format!("function all(xs) {{\n  {open}\n{steps}  {close}\n  return xs;\n}}\n")
    };
    let closure = code("xs.forEach((x) => {", "});");
    let with_loop = code("for (const x of xs) {", "}");
    for (before, after) in [(&closure, &with_loop), (&with_loop, &closure)] {
        let repo = Repo::new(&[("a.js", before)]);
        repo.write(&[("a.js", after)]);
        assert_eq!(rules(&repo.judge(None, Head::Worktree)), [], "{after}");
    }
    // A closure with as much again is growth.
    let both = with_loop.replace(
        "  return xs;",
        &closure.replace("function all(xs)", "const more = (xs) =>"),
    );
    let repo = Repo::new(&[("a.js", &with_loop)]);
    repo.write(&[("a.js", &both)]);
    assert_ne!(rules(&repo.judge(None, Head::Worktree)), []);
}

/// A small closure beside it, or one that is deleted, does not pay for growth.
#[test]
fn closures_do_not_pay_for_growth() {
    let ifs = |name: &str, count: usize| -> String {
        (0..count)
            .map(|n| format!("    if ({name}{n}) {{\n      run{name}{n}();\n    }}\n"))
            .collect()
    };
    let function = |inner: &str, count: usize| {
        format!(
            "function outer(k) {{\n{inner}{}  return 1;\n}}\n",
            ifs("x", count)
        )
    };
    let other = format!("  const other = () => {{\n{}  }};\n", ifs("o", 14));
    for (before, after) in [
        (
            function("", 20),
            function("  const t = () => { f(); };\n", 40),
        ),
        (function(&other, 15), function("", 29)),
    ] {
        let repo = Repo::new(&[("a.js", &before)]);
        repo.write(&[("a.js", &after)]);
        let judged = repo.judge(None, Head::Worktree);
        let growth = (GateRule::ComplexityGrowth, Some("outer"));
        assert!(rules(&judged).contains(&growth), "{judged:?}");
    }
}

#[test]
fn complex_function_must_not_grow() {
    let repo = Repo::new(&[("a.py", &branches("big", 20))]);
    let touched = branches("big", 20).replace("total = 0", "total = 1");
    repo.write(&[("a.py", &touched)]);
    assert_eq!(repo.judge(None, Head::Worktree).violations, []);
    repo.write(&[("a.py", &branches("big", 25))]);
    let judgement = repo.judge(None, Head::Worktree);
    assert_eq!(
        rules(&judgement),
        [(GateRule::ComplexityGrowth, Some("big"))]
    );
    let violation = &judgement.violations[0];
    assert_eq!((violation.before, violation.after), (Some(20.0), 25.0));
}

#[test]
fn unreachable_code_is_reported_once() {
    let repo = Repo::new(&[("a.py", "def f(a):\n    return a\n")]);
    repo.write(&[("a.py", "def f(a):\n    return a\n    a.g()\n    return 1\n")]);
    let judgement = repo.judge(None, Head::Worktree);
    let told: Vec<_> = judgement
        .violations
        .iter()
        .map(|v| (v.rule, v.line))
        .collect();
    assert_eq!(told, [(GateRule::DeadCode, 3)], "{judgement:?}");
    assert!(!judgement.violations[0].advice.contains("use it"));
}

#[test]
fn more_severe_rule_reports_unreachable_code() {
    let repo = Repo::new(&[
        ("a.py", "def f(a):\n    return a\n"),
        (
            "slope.toml",
            "[check]\ndead-code = \"warning\"\nnew-finding = \"error\"\n",
        ),
    ]);
    repo.write(&[("a.py", "def f(a):\n    return a\n    a.g()\n    return 1\n")]);
    let judgement = repo.judge(None, Head::Worktree);
    assert!(!judgement.passes, "{judgement:?}");
}

#[test]
fn inline_tests_have_test_limits() {
    let case = |name: &str, number: usize| {
        let lines = "        let mut shop = Shop::open();\n        shop.add(1, \"a\");\n        shop.add(2, \"b\");\n        \
             shop.sort_by(|a, b| a.cmp(b));\n        let found = shop.find(\"a\");\n        let other = shop.find(\"b\");\n";
        format!(
            "    #[test]\n    fn {name}() {{\n{lines}        assert_eq!(found + other, {number});\n    }}\n"
        )
    };
    let file = |tests: &str| {
        format!("pub fn f() -> u8 {{ 1 }}\n\n#[cfg(test)]\nmod tests {{\n{tests}}}\n")
    };
    let repo = Repo::new(&[("src/lib.rs", &file(&case("one", 1)))]);
    repo.write(&[("src/lib.rs", &file(&(case("one", 1) + &case("two", 2))))]);
    assert_eq!(rules(&repo.judge(None, Head::Worktree)), []);
    // Outside of tests it is a clone.
    let product = |tests: &str| {
        file(tests)
            .replace("#[cfg(test)]\n", "")
            .replace("    #[test]\n", "")
    };
    repo.write(&[("src/lib.rs", &product(&(case("one", 1) + &case("two", 2))))]);
    let judgement = repo.judge(None, Head::Worktree);
    let is_clone = |v: &slope_model::gate::Violation| v.rule == GateRule::NewClone;
    assert!(judgement.violations.iter().any(is_clone), "{judgement:?}");
}

#[test]
fn callbacks_are_judged_as_functions() {
    let handler = |cases: usize| {
        let case =
            |n: usize| format!("    if (req.kind === {n} * res.base) {{ res.send({n}); }}\n");
        let cases: String = (1..cases).map(case).collect();
        format!(
            "export function routes(app) {{\n  app.get('/a', (req, res) => {{\n{cases}  }});\n}}\n"
        )
    };
    let repo = Repo::new(&[("a.js", "export const a = 1;\n")]);
    repo.write(&[("b.js", &handler(20))]);
    let name = Some("routes.get.<arrow>");
    let new = repo.judge(None, Head::Worktree);
    assert_eq!(rules(&new), [(GateRule::NewComplexity, name)]);
    repo.git(&["add", "."]);
    repo.git(&["commit", "-qm", "routes"]);
    repo.write(&[("b.js", &handler(40))]);
    let grown = repo.judge(None, Head::Worktree);
    assert_eq!(rules(&grown), [(GateRule::ComplexityGrowth, name)]);
    assert_eq!(grown.violations.len(), 1, "{grown:?}");
}

const LOADER: &str = r#"import json


def load_users(path, strict):
    with open(path) as handle:
        rows = json.load(handle)
    users = []
    for row in rows:
        if strict and "name" not in row:
            raise ValueError("missing name")
        users.append(row["name"].strip().lower())
    users.sort()
    return users
"#;

const READER: &str = r#"import json


def read_users(filename, check):
    result = []
    with open(filename) as stream:
        for entry in json.load(stream):
            if check and "name" not in entry:
                raise ValueError("missing name")
            result.append(entry["name"].strip().lower())
    result.sort()
    return result
"#;

#[test]
fn balance_counts_flagged_lines_in_copies() {
    // Lines that are flagged already do not become verbose by being copied.
    let flagged = HELPER.replace(
        "        name = name.strip()",
        "        if name == None:\n            name = ''\n        name = name.strip()",
    );
    let repo = Repo::new(&[("lib/a.py", &flagged), ("lib/other.py", &branches("f", 3))]);
    repo.write(&[("lib/b.py", &flagged.replace("normalise", "tidy"))]);
    let change = repo.judge(None, Head::Worktree).balance.change;
    assert!(change.flagged_lines > 0, "{change:?}");
    let new = i64::from(u32::try_from(flagged.lines().count()).unwrap());
    assert_eq!((change.clone_lines, change.sloc), (2 * new, new));
    assert_eq!(change.verbose_lines, 2 * new - change.flagged_lines);
}

#[test]
fn reimplementation_level_is_configurable() {
    for (said, expected) in [
        ("", Some(Level::Warning)),
        ("reimplementation = \"error\"", Some(Level::Error)),
        ("reimplementation = \"off\"", None),
    ] {
        let config = format!("[check]\n{said}\n");
        let repo = Repo::new(&[("lib/a.py", LOADER), ("slope.toml", &config)]);
        repo.write(&[("lib/b.py", READER)]);
        let judgement = repo.judge(None, Head::Worktree);
        let found = judgement.violations.iter().map(|v| (v.rule, v.level));
        let expected = expected.map(|level| (GateRule::Reimplementation, level));
        assert_eq!(
            found.collect::<Vec<_>>(),
            Vec::from_iter(expected),
            "{said}"
        );
        for violation in &judgement.violations {
            let told = format!("{} {}", violation.message, violation.advice);
            assert!(told.contains("load_users"), "{told}");
        }
    }
}

#[test]
fn moves_renames_layout_and_comments_pass() {
    let repo = Repo::new(&[("a.py", &(branches("big", 20) + "\n\n" + HELPER))]);
    let moved = format!("# A comment.\n{HELPER}\n\n\n{}", branches("huge", 20));
    std::fs::remove_file(repo.path().join("a.py")).unwrap();
    repo.write(&[("pkg/b.py", &moved)]);
    let judgement = repo.judge(None, Head::Worktree);
    assert_eq!(judgement.violations, []);
    assert_eq!(judgement.files, 2);
}

#[test]
fn fully_renamed_function_is_followed() {
    let repo = Repo::new(&[("a.py", &branches("big", 20))]);
    let renamed = branches("huge", 20);
    let names = [("value", "price"), ("total", "sum"), ("other", "rate")];
    let renamed = names
        .iter()
        .fold(renamed, |text, (old, new)| text.replace(old, new));
    repo.write(&[("a.py", &renamed)]);
    assert_eq!(repo.judge(None, Head::Worktree).violations, []);
    // Nothing distinguishes two of one shape.
    repo.write(&[("a.py", &(renamed.clone() + "\n\n" + &branches("vast", 20)))]);
    let judgement = repo.judge(None, Head::Worktree);
    assert!(rules(&judgement).contains(&(GateRule::NewComplexity, Some("huge"))));
}

#[test]
fn newly_unused_code_is_reported() {
    let left = "export function f(a) {\n  return a;\n}\n";
    let dead = "export function f(a) {\n  const old = a;\n  return a;\n  f(a);\n}\n";
    let repo = Repo::new(&[("a.js", left), ("b.js", dead)]);
    // An input of tests may be as it likes.
    repo.write(&[("a.js", dead), ("fixtures/c.js", dead)]);
    let judgement = repo.judge(None, Head::Worktree);
    let told: Vec<_> = judgement
        .violations
        .iter()
        .map(|v| (v.rule, v.path.as_str()))
        .collect();
    assert_eq!(told, [(GateRule::DeadCode, "a.js"); 2]);
    let whole = slope_measure::Measurer::new(slope_measure::Options::default()).unwrap();
    let whole = whole.measure_files([("a.js", dead)]);
    let dead = whole.findings.iter().filter(|f| f.category == "dead-code");
    assert_eq!(dead.count(), 0);
}

#[test]
fn edits_are_judged_against_disk() {
    let repo = Repo::new(&[("a.py", HELPER)]);
    let edit = Edit {
        path: repo.path().join("b.py"),
        before: None,
        after: Some(HELPER.replace("normalise", "again").into_bytes()),
    };
    let judgement = repo.judge(None, Head::Edits(vec![edit]));
    assert_eq!(rules(&judgement), [(GateRule::NewClone, Some("again"))]);
}

#[test]
fn unknown_key_error_suggests_near_key() {
    let repo = Repo::new(&[(
        "slope.toml",
        "cutoff = 9\n\n[check]\nnew-clones = \"off\"\n",
    )]);
    let error = Check::read(&repo.path().join("slope.toml")).unwrap_err();
    let text = error.to_string();
    assert!(
        text.contains("slope.toml:4:") && text.contains("help: use `new-clone`"),
        "{text}"
    );
}

/// A call in one row, and the same call with a row for each argument.
const IN_A_ROW: &str =
    "def f(a, b, c):\n    if a and b > 2:\n        return g(a, b, c, 1)\n    return c\n";
const IN_ROWS: &str = "def f(a, b, c):\n    if a and b > 2:\n        return g(\n            a,\n            b,\n            c,\n            1,\n        )\n    return c\n";

#[test]
fn reformatting_uses_no_budget() {
    let config = "[check.change]\nmass = 0.5\n";
    let repo = Repo::new(&[("a.py", IN_A_ROW), ("slope.toml", config)]);
    repo.write(&[("a.py", IN_ROWS)]);
    let judgement = repo.judge(None, Head::Worktree);
    assert!(judgement.balance.change.mass > 0.5);
    assert_eq!(judgement.balance.layout, judgement.balance.change);
    assert_eq!(rules(&judgement), []);
    repo.write(&[("a.py", &IN_ROWS.replace("b > 2", "b > 2 and c"))]);
    let judgement = repo.judge(None, Head::Worktree);
    assert_eq!(rules(&judgement), [(GateRule::ChangeBudget, None)]);
}

#[test]
fn vacuous_tests_warn_without_failing() {
    let helper = "def helper():\n    value = 1\n    return value\n";
    let repo = Repo::new(&[("tests/helpers.py", helper)]);
    repo.write(&[(
        "tests/test_a.py",
        "from helpers import helper\n\n\n\
         def test_value():\n    value = helper()\n    print(value)\n\n\n\
         def test_again():\n    value = helper()\n    assert value == value\n\n\n\
         def test_none():\n    value = helper()\n    assert value\n    if value is None:\n        print(value)\n",
    )]);
    let judgement = repo.judge(None, Head::Worktree);
    let found: Vec<&str> = judgement
        .violations
        .iter()
        .filter(|v| v.rule == GateRule::NewFinding)
        .map(|v| v.evidence.findings[0].rule.as_str())
        .collect();
    assert_eq!(found, ["vacuous-test", "assertion-cannot-fail"]);
    assert!(judgement.passes, "they are warnings");
}
