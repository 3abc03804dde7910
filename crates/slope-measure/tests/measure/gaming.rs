//! The gaming suite: tricks that make other measuring devices look away. None of
//! them may make code look better than the code that it was made from.
//!
//! Ratios can be diluted by adding good code; what a trick may never lower is the
//! absolute amount: complexity mass above the cut-off, verbose lines, clone lines.

use std::fmt::Write;

use slope_measure::{Options, measure_dir, measure_files};
use slope_model::measurement::{Measurement, Totals};

/// A function with thirty branches.
fn dispatcher() -> String {
    let mut code = String::from("def dispatch(kind, value):\n");
    for n in 0..30 {
        let word = if n == 0 { "if" } else { "elif" };
        let _ = writeln!(code, "    {word} kind == {n}:\n        return value + {n}");
    }
    code.push_str("    return None\n");
    code
}

fn indented(code: &str) -> String {
    code.lines().fold(String::new(), |mut out, line| {
        let _ = writeln!(out, "    {line}");
        out
    })
}

fn measured(path: &str, code: &str) -> Measurement {
    measure_files([(path, code)], &Options::default()).expect("rules")
}

fn totals(code: &str) -> Totals {
    measured("a.py", code).totals
}

fn high_mass(code: &str) -> f64 {
    let totals = totals(code);
    totals.high_complexity_mass.expect("there are callables")
}

#[test]
fn complexity_cannot_be_hidden_in_another_construct() {
    let honest = high_mass(&dispatcher());
    assert!(honest > 200.0);
    let mut arms = String::from("def dispatch(kind, value):\n    match kind:\n");
    for n in 0..30 {
        let _ = writeln!(arms, "        case {n}:\n            return value + {n}");
    }
    let under_if = format!("if True:\n{}", indented(&dispatcher()));
    let redefined = format!("{}\n\ndef dispatch(kind, value):\n    pass\n", dispatcher());
    let in_try = format!("try:\n{}finally:\n    pass\n", indented(&dispatcher()));
    let nested = format!(
        "def outer():\n{}    return dispatch\n",
        indented(&dispatcher())
    );
    for (trick, code) in [
        ("match", arms),
        ("if True", under_if),
        ("redefinition", redefined),
        ("try", in_try),
        ("nested", nested),
    ] {
        assert!(
            high_mass(&code) >= honest * 0.99,
            "{trick}: {} < {honest}",
            high_mass(&code)
        );
    }
}

#[test]
fn complexity_cannot_be_hidden_in_a_lambda() {
    let chain = (0..30).fold(String::from("None"), |rest, n| {
        format!("value + {n} if kind == {n} else {rest}")
    });
    let lambda = totals(&format!("dispatch = lambda kind, value: {chain}\n"));
    assert_eq!(lambda.high_complexity_callables, 1);
    let script = format!(
        "const dispatch = function (kind, value) {{\n{}  return null;\n}};\n",
        (0..30).fold(String::new(), |mut out, n| {
            let _ = writeln!(out, "  if (kind === {n}) {{ return value + {n}; }}");
            out
        })
    );
    let expression = measured("a.js", &script).totals;
    assert_eq!(expression.high_complexity_callables, 1);
}

#[test]
fn packed_lines_hide_no_size() {
    let honest = dispatcher();
    let branches = (0..30).map(|n| format!("r = value + {n} if kind == {n} else r; "));
    let branches: String = branches.collect();
    let packed = format!("def dispatch(kind, value): r = None; {branches}return r\n");
    let (one, many) = (totals(&packed), totals(&honest));
    // A branch is one statement here and two there.
    let least = many.high_complexity_mass.unwrap() * 0.7;
    assert!(
        one.high_complexity_mass.unwrap() >= least,
        "{one:?} {many:?}"
    );
    let found = measured("a.py", &packed).findings;
    assert!(found.iter().any(|f| f.rule == "packed-lines"), "{found:?}");
    let found = measured("a.py", &honest).findings;
    assert!(found.iter().all(|f| f.rule != "packed-lines"), "{found:?}");
}

#[test]
fn empty_helpers_do_not_lower_mass() {
    let mut padded = dispatcher();
    for n in 0..100 {
        let _ = write!(padded, "\n\ndef helper_{n}(x):\n    y = x\n    return y\n");
    }
    assert!(high_mass(&padded) >= high_mass(&dispatcher()));
}

const VERBOSE: &str = "\
def due(rows):
    total = 0
    for row in rows:
        if row.open == None:
            total += row.cost
    return total
";

#[test]
fn comments_do_not_silence_rules() {
    let flagged = |code: &str| totals(code).flagged_lines.unwrap_or(0);
    let honest = flagged(VERBOSE);
    assert!(honest > 0);
    for (trick, code) in [
        (
            "engine's own mark",
            format!("# ast-grep-ignore\n\n{VERBOSE}"),
        ),
        (
            "comment in the body",
            VERBOSE.replace("    total = 0\n", "    # sums up\n    total = 0\n"),
        ),
        ("noqa", VERBOSE.replace("None:", "None:  # noqa")),
        (
            "other tool's mark",
            VERBOSE.replace("def due(rows):", "def due(rows):  # scbc boundary"),
        ),
        (
            "suppression",
            VERBOSE.replace("None:", "None:  # slope: ignore[none-equality] fine"),
        ),
        (
            "form feed",
            VERBOSE.replace("    total = 0\n", "\x0c    total = 0\n"),
        ),
    ] {
        assert!(flagged(&code) >= honest, "{trick}");
    }
}

#[test]
fn suppression_hides_no_verbose_line() {
    let findings = measured("a.py", VERBOSE).findings;
    let found = findings.iter().find(|f| f.span.start_line == 4);
    let rule = &found.expect("the comparison is found").rule;
    let code = VERBOSE.replace("None:", &format!("None:  # slope: ignore[{rule}] known"));
    let options = Options::trusting("2026-11-22".parse().expect("a date"));
    let obeyed = measure_files([("a.py", code)], &options).expect("rules");
    assert!(!obeyed.suppressed.is_empty());
    assert_eq!(obeyed.totals.verbose_lines, totals(VERBOSE).verbose_lines);
}

#[test]
fn syntax_error_hides_no_code() {
    let broken = format!("{}\n\nthis is no python (\n", dispatcher());
    let measured = measured("a.py", &broken);
    assert_eq!(measured.totals.files_with_syntax_errors, 1);
    assert!(measured.totals.sloc >= 60);
    assert!(measured.findings.iter().any(|f| f.rule == "syntax-error"));
    let perfect = measured.totals.erosion == Some(0.0) && measured.totals.verbosity == Some(0.0);
    assert!(!perfect);
}

#[test]
fn skipped_folders_and_ignores_are_listed() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path();
    for name in ["build", "env", "dist", "vendor", "hidden"] {
        std::fs::create_dir(root.join(name)).expect("a folder");
        std::fs::write(root.join(name).join("a.py"), dispatcher()).expect("a file");
    }
    std::fs::write(root.join(".gitignore"), "hidden/\n").expect("a file");
    std::fs::write(root.join("env/pyvenv.cfg"), "").expect("a file");
    // In an untrusted workspace everything counts.
    let all = measure_dir(root, &Options::default()).expect("a measurement");
    assert_eq!(all.totals.files, 5);
    // In one's own tree they are listed.
    let trusting = Options::trusting("2026-11-22".parse().expect("a date"));
    let own = measure_dir(root, &trusting).expect("a measurement");
    let skipped: Vec<_> = own.skipped.iter().map(|s| s.path.as_str()).collect();
    assert_eq!(own.totals.files, 2);
    assert_eq!(skipped, ["env/", "hidden/", "vendor/"]);
}

#[test]
fn nested_repositories_hide_no_untrusted_code() {
    for nested in [".git", "src/.git"] {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().join("workspace");
        std::fs::create_dir_all(root.join("src")).expect("a folder");
        std::fs::write(root.join("src/a.py"), dispatcher()).expect("a file");
        // A run's folder may be in somebody's repository.
        std::fs::create_dir(folder.path().join(".git")).expect("a folder");
        std::fs::write(root.join(nested), "gitdir: elsewhere\n").expect("a file");
        let all = measure_dir(&root, &Options::default()).expect("a measurement");
        assert_eq!(all.totals.files, 1, "{nested}");
    }
}

#[test]
fn generated_sign_hides_nothing_by_default() {
    let code = format!("# Code generated by me. DO NOT EDIT.\n{}", dispatcher());
    assert!(high_mass(&code) >= high_mass(&dispatcher()));
}

#[test]
fn copy_with_added_statement_is_detected() {
    let body = "    total = 0\n    names = []\n    for row in rows:\n        if row.open:\n            total += row.cost * row.count\n            names.append(row.name)\n        else:\n            total -= row.credit\n    return total, names\n";
    let copied = format!("def due(rows):\n{body}\n\ndef owed(rows):\n    log('owed')\n{body}");
    let totals = totals(&copied);
    let seen = totals.clone_lines.unwrap_or(0) + totals.near_clone_lines.unwrap_or(0);
    assert!(seen >= 18, "{seen}");
}

#[test]
fn script_without_extension_is_measured() {
    let script = format!("#!/usr/bin/env python3\n{}", dispatcher());
    let measured = measured("tool", &script);
    assert_eq!(measured.totals.files, 1);
    assert_eq!(measured.totals.high_complexity_callables, 1);
}
