//! Small trees whose values scb-check 0.2.0 was seen to print, and those on which it fails.

use serde_json::Value;
use slope_compat::scb::{Error, Options, ScbMeasurement, measure, read_rules};
use slope_testkit::write;

fn measured(files: &[(&str, &str)], options: &Options) -> Result<ScbMeasurement, Error> {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join(".git")).unwrap();
    write(dir.path(), files);
    measure(dir.path(), options)
}

fn value(files: &[(&str, &str)], field: &str) -> Value {
    let measured = measured(files, &Options::default()).unwrap();
    serde_json::to_value(&measured.report).unwrap()[field].clone()
}

/// Asserts a field of the report of trees of one file each.
fn check(path: &str, field: &str, cases: &[(&str, u64)]) {
    for (text, expected) in cases {
        assert_eq!(value(&[(path, text)], field), *expected, "{text}");
    }
}

#[test]
fn report_fields_keep_original_order() {
    let report = measured(&[("a.py", "x = 1\n")], &Options::default())
        .unwrap()
        .report;
    let text = serde_json::to_string(&report).unwrap();
    assert_eq!(
        text,
        "{\"verbosity\":0.0,\"erosion\":0.0,\"cog_erosion\":0.0,\"files_scanned\":1,\
         \"total_loc\":1,\"verbosity_flagged_loc\":0,\"clone_loc\":0,\"ast_grep_flagged_loc\":0,\
         \"structural_rule_loc\":0,\"structural_rule_findings\":0,\"total_functions\":0,\
         \"high_cc_functions\":0,\"high_cog_functions\":0,\"total_mass\":0,\"high_cc_mass\":0,\
         \"total_cog_mass\":0,\"high_cog_mass\":0,\"syntax_tree_count\":1,\
         \"syntax_node_count\":6,\"syntax_by_language\":{\"python\":{\"tree_count\":1,\
         \"node_count\":6}}}"
    );
}

#[test]
fn cpp_functions_need_a_name() {
    let member = |text: &str| format!("struct Foo {{ {text} }};\n");
    for (text, expected) in [
        ("operator bool() { return true; }", 0),
        ("Foo operator+(Foo o) { return o; }", 1),
        ("~Foo() {}", 1),
        ("bool operator!() { return x; }", 1),
        ("bool operator!() { return 1; }", 0),
        ("void operator()() {}", 0),
        ("void operator()(int a) {}", 1),
    ] {
        check("a.cpp", "total_functions", &[(&member(text), expected)]);
    }
}

#[test]
fn arrow_functions_borrow_their_name() {
    check(
        "a.js",
        "total_functions",
        &[
            ("a.b = () => 1\n", 0),
            ("b = () => 1\n", 1),
            ("const b = foo(() => 1, (x) => 2)\n", 2),
            ("const {b} = foo(() => 1)\n", 0),
            ("const b = function() { foo(() => 1) }\n", 1),
            ("function c() { foo(() => 1)}\n", 1),
            ("class A { m = () => 1 }\n", 0),
            ("a = function() { b.c = () => 1 }\n", 1),
            ("const g = function*() {}; const h = function() {}\n", 1),
            ("class A { #x() { return 1; }  #y(a) {} }\n", 1),
            ("class A { [x]() { return 1; } \"y\"() {} 1() {} }\n", 1),
        ],
    );
}

#[test]
fn twins_collapse_per_language_rules() {
    for (files, expected) in [
        (&[("a.js", "function foo(){} function foo(){}\n")][..], 1),
        (&[("a.js", "function foo(a){} function foo(b){}\n")], 2),
        (
            &[("a.js", "function f(){}\n"), ("a.ts", "function f(){}\n")],
            1,
        ),
        (
            &[("a.js", "function f(){}\n"), ("a.ts", "\nfunction f(){}\n")],
            2,
        ),
        (
            &[("a.js", "function f(){}\n"), ("a.py", "def f(): pass\n")],
            2,
        ),
        (&[("a.js", "function Foo(){}\nclass Foo{}\n")], 1),
        (&[("a.py", "def Foo(): pass\nclass Foo: pass\n")], 0),
        (&[("a.py", "class Foo: pass\ndef Foo(): pass\n")], 1),
        (
            &[("a.py", "def Foo(): pass\n"), ("a.ts", "class Foo{}\n")],
            0,
        ),
        (
            &[("x/a.py", "def f(): pass\n"), ("y/a.py", "def f(): pass\n")],
            1,
        ),
        (&[("a.py", "if x:\n    def f(): pass\n")], 0),
    ] {
        assert_eq!(value(files, "total_functions"), expected, "{files:?}");
    }
}

#[test]
fn source_lines_match_original_splitting() {
    check(
        "a.js",
        "total_loc",
        &[
            ("function f(){\n{\na;\n} }\n", 3),
            ("const f = [\n{\na: 1\n} , {\n b:2}\n];\n", 4),
            ("let a = \"x\u{2028}y\"; let c = 1;\n", 2),
            ("{ /* \u{e9}\u{e9}\u{e9}\u{e9} */ a }\n", 0),
            ("#!/usr/bin/env node\n// a\n", 1),
            ("<!-- hello\nlet a = 1;\n", 2),
        ],
    );
    let noqa = "\"\"\"eeeeeeeeeeee\"\"\" #noqa";
    check(
        "a.py",
        "total_loc",
        &[
            (&format!("def f():\n  {noqa}\n  b = 2\n"), 3),
            (
                &format!("def f():\n  {}\n  b = 2\n", noqa.replace('e', "\u{e9}")),
                2,
            ),
            ("a = 1\n# x \u{c} y\ndef f():\n  b = 2\n  return b\n", 5),
            (
                "a = 1\n\u{c}\ndef f():\n  \"\"\"x\n  \"\"\"\n  b = 2\n  return b\nb=1\n",
                6,
            ),
            ("x = f\"\"\"a\n{b\n + c!r:>{w\n}} {{ d\n e }}\"\"\"\n", 5),
        ],
    );
}

#[test]
fn form_feed_shifts_lines_against_functions() {
    let js = "let a;\n\u{c}\n\u{c}\nfunction f() {\n b;\n b;\n}\n";
    assert_eq!(value(&[("a.js", js)], "total_mass"), 2.0_f64.sqrt());
    let py = "a = 1\n\u{c}\ndef f():\n  b = 2\n  return b\n";
    assert_eq!(value(&[("a.py", py)], "total_mass"), 2.0_f64.sqrt());
}

#[test]
fn zig_complexity_counts_jumps_and_chains() {
    let text = "pub fn foo(a: u32) u32 {\n    var i: u32 = 0;\n    while (i < 10) : (i += 1) {\n\
        \x20       if (i == 3) continue;\n        if (i == 5) { break; } else if (i == 4) { return 2; }\n\
        \x20   }\n    const x = if (a > 2) 1 else 2;\n    for (0..3) |k| { _ = k; }\n\
        \x20   switch (a) { 1 => return 1, else => {} }\n    return x;\n}\n";
    assert_eq!(value(&[("a.zig", text)], "total_cog_mass"), 36.0);
}

#[test]
fn clones_compare_kinds_names_and_literals() {
    let python = |x: &str| format!("def f(a):\n  b = {x}\n  return b\n");
    let rust = |x: &str| format!("fn f(a: u8) -> u32 {{\n let b = {x};\n let c = 2;\n b\n}}\n");
    let cpp = |x: &str| format!("int f(int a) {{\n auto b = {x};\n int c = 2;\n return b;\n}}\n");
    let haskell = |x: &str| format!("f x =\n  let y = {x}\n      z = 2\n  in y\n");
    let clone = |ext: &str, a: String, b: String| {
        value(
            &[(&format!("a.{ext}"), &a), (&format!("b.{ext}"), &b)],
            "clone_loc",
        ) != 0
    };
    for (x, y, expected) in [
        ("1", "2", true),
        ("1", "1.0", false),
        ("True", "False", true),
        ("True", "None", false),
        ("f'{x}'", "b'a'", true),
        ("'a' 'b'", "'c'", false),
        ("-1", "1", false),
    ] {
        assert_eq!(clone("py", python(x), python(y)), expected, "{x} {y}");
    }
    for (x, y, expected) in [
        ("1", "1u8", true),
        ("'a'", "\"a\"", true),
        ("1", "true", false),
    ] {
        assert_eq!(clone("rs", rust(x), rust(y)), expected, "{x} {y}");
    }
    for (x, y, expected) in [("nullptr", "NULL", true), ("x::a", "y::b", false)] {
        assert_eq!(clone("cpp", cpp(x), cpp(y)), expected, "{x} {y}");
    }
    for (x, y, expected) in [("a + b", "a - b", false), ("Just 1", "Left 'a'", true)] {
        assert_eq!(clone("hs", haskell(x), haskell(y)), expected, "{x} {y}");
    }
}

const WRAPPER: &str = "structural_rule_findings";

#[test]
fn trivial_wrappers_depend_on_resolved_target() {
    let main = |text: &str| {
        let module = "def g(x): return 1\nclass K: pass\ndef h(a,b): return 2\n";
        let files = [
            ("pkg/__init__.py", ""),
            ("pkg/m.py", module),
            ("pkg/main.py", text),
        ];
        value(&files, WRAPPER)
    };
    for (text, expected) in [
        ("import pkg.m\ndef f(x): return pkg.m.g(x)\n", 0),
        ("import pkg.m as q\ndef f(x): return q.g(x)\n", 1),
        ("from pkg.m import g as z\ndef f(x): return z(x)\n", 1),
        ("from .m import g\ndef f(x): return g(x)\n", 0),
        ("from .m import pkg, m\ndef f(x): return m.g(x)\n", 1),
        ("def f(x): return pkg.m.g(x)\n", 1),
        ("def f(x): return f(x)\n", 0),
        (
            "class A:\n  def f(self): return self\n  def g(self, y): return y\n",
            1,
        ),
        ("class A(B):\n  def f(self, x): return x\n", 0),
        ("class A():\n  def f(self, x): return x\n", 1),
        ("def g(x): return 1\ndef f(*x): return g(x)\n", 1),
        ("def g(x): return 1\ndef f(*x: int): return g(x)\n", 0),
        ("def f(x): return (x)\n", 0),
        ("def f(x): return x\ndef f(x):\n  raise x\n", 0),
        ("def f(x): return x\ndef f(x):\n  y = open(x)\n", 1),
        ("from pkg.m import h\ndef f(a,b): return h(b,a)\n", 1),
        ("from pkg.m import h\ndef f(a,b): return h(a,b=b)\n", 0),
    ] {
        assert_eq!(main(text), expected, "{text}");
    }
}

#[test]
fn directives_silence_findings_or_fail_the_run() {
    let text = |directive: &str| format!("y = 1\n{directive}\ndef f(x): return x\n");
    for (directive, expected) in [
        ("# scbc", 1),
        ("# scbc foo", 1),
        ("# scbc ignore[trivial-wrapper]", 0),
        ("#scbc ignore[trivial-wrapper] because", 0),
        ("# scbc ignore [trivial-wrapper]", 1),
        ("# scbc ignore[trivial-wrapper", 1),
        ("# scbc boundaryx", 1),
    ] {
        assert_eq!(
            value(&[("a.py", &text(directive))], WRAPPER),
            expected,
            "{directive}"
        );
    }
    for directive in [
        "# scbc ignore[]",
        "# scbc ignore[*]",
        "# scbc boundary: hello",
    ] {
        let text = text(directive);
        let files = [("a.py", text.as_str())];
        let error = measured(&files, &Options::default()).unwrap_err();
        assert!(error.to_string().starts_with("a.py:2: "), "{error}");
        let all = Options {
            include_all: true,
            ..Options::default()
        };
        assert!(measured(&files, &all).is_ok());
    }
}

const RULE: &str = "id: bool-comparison\nlanguage: python\nseverity: warning\nmessage: m\n\
    rule:\n  kind: comparison_operator\n  regex: '== True'\n---\nid: twice\nlanguage: python\n\
    severity: warning\nmessage: m\nmetadata:\n  min_file_count: 2\nrule:\n  kind: pass_statement\n\
    ---\nid: info-only\nlanguage: python\nseverity: info\nmessage: m\nrule:\n  kind: delete_statement\n";

fn flagged(path: &str, text: &str, include_all: bool) -> u64 {
    let dir = tempfile::tempdir().unwrap();
    let rules = dir.path().join("rules.yaml");
    std::fs::write(&rules, RULE).unwrap();
    let options = Options {
        rules: Some(read_rules(&[rules]).unwrap()),
        include_all,
        ..Options::default()
    };
    let measured = measured(&[(path, text)], &options).unwrap();
    measured.report.ast_grep_flagged_loc
}

#[test]
fn rule_hits_respect_mutes_and_bounds() {
    let body = |first: &str| format!("def f(x):\n{first}  if x == True:\n    return 1\n");
    for (text, default, all) in [
        (body(""), 1, 1),
        (body("  # scbc boundary\n"), 0, 1),
        (body("  # ast-grep-ignore\n"), 0, 0),
        (body("  # ast-grep-ignore: other\n"), 1, 1),
        (format!("# ast-grep-ignore\n\n{}", body("")), 0, 0),
        (format!("# ast-grep-ignore\n{}", body("")), 1, 1),
        ("pass\n".to_owned(), 0, 1),
        ("pass\npass\n".to_owned(), 2, 2),
        ("del x\n".to_owned(), 0, 1),
    ] {
        assert_eq!(flagged("a.py", &text, false), default, "{text}");
        assert_eq!(flagged("a.py", &text, true), all, "{text}");
    }
    assert_eq!(flagged("a.pyw", &body(""), true), 0);
}

#[test]
fn unparsable_files_count_in_no_number() {
    let files = [
        ("a.py", "x = f(\n"),
        ("b.py", "x = 1\n"),
        ("c.py", "x = \"\0\"\n"),
    ];
    let measured = measured(&files, &Options::default()).unwrap();
    assert_eq!(measured.report.files_scanned, 1);
    let left_out: Vec<_> = measured
        .unmeasured
        .iter()
        .map(|u| u.path.as_str())
        .collect();
    assert_eq!(left_out, ["a.py", "c.py"]);
    let none = measure_one("x = f(\n");
    assert!(matches!(none, Err(Error::Nothing { refused: 1, .. })));
}

fn measure_one(text: &str) -> Result<ScbMeasurement, Error> {
    measured(&[("a.py", text)], &Options::default())
}

#[test]
fn inputs_crashing_the_original_are_measured() {
    let branches: String = (0..300)
        .map(|i| format!("if (a == {i}) {{ b({i}); }} else "))
        .collect();
    let chain = format!("function f(a) {{\n{branches}{{ c(); }}\n}}\n");
    let measured = measured(&[("a.js", &chain)], &Options::default()).unwrap();
    // A chain of n branches costs 1 + 2 + ... + n.
    assert_eq!(measured.files[0].functions[0].cognitive, 300 * 301 / 2);
    let sum = format!("x = {}1\n", "1 + ".repeat(5_000));
    let brackets = format!("x = {}1{}\n", "(".repeat(2_000), ")".repeat(2_000));
    for text in [
        sum.as_str(),
        brackets.as_str(),
        "x = \"a\u{2028}b\"\ny = \"a\u{c}b\"\n",
        "if x:\n\ty\n        z\n",
    ] {
        assert_eq!(measure_one(text).unwrap().report.files_scanned, 1);
    }
}

#[test]
fn ignored_and_excluded_files_match_original() {
    let files = [
        (".gitignore", "gen/\n*_pb2.py\n"),
        (
            "pyproject.toml",
            "[tool.ruff]\nextend-exclude = [\"docs\"]\n",
        ),
        ("a.py", "x = 1\n"),
        ("a_pb2.py", "x = 1\n"),
        ("gen/b.py", "x = 1\n"),
        ("docs/c.py", "x = 1\n"),
        ("build/d.py", "x = 1\n"),
        (".hidden/e.py", "x = 1\n"),
    ];
    let paths = |include_all: bool| -> Vec<String> {
        let options = Options {
            include_all,
            ..Options::default()
        };
        let measured = measured(&files, &options).unwrap();
        measured.files.into_iter().map(|file| file.path).collect()
    };
    assert_eq!(paths(false), [".hidden/e.py", "a.py"]);
    assert_eq!(
        paths(true),
        [".hidden/e.py", "a.py", "a_pb2.py", "gen/b.py"]
    );
}

#[test]
fn result_is_independent_of_threads() {
    let text = "def f(a):\n    if a:\n        b = 1\n    return a\n";
    let files: Vec<(String, String)> = (0..40)
        .map(|i| {
            (
                format!("d{}/f{i}.py", i % 7),
                text.replace("def f", &format!("def f{}", i % 9)),
            )
        })
        .collect();
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(a, b)| (a.as_str(), b.as_str()))
        .collect();
    let with = |threads: usize| {
        let options = Options {
            threads,
            ..Options::default()
        };
        measured(&files, &options).unwrap()
    };
    assert_eq!(with(1), with(2));
    assert_eq!(with(1).to_measurement(), with(4).to_measurement());
}

#[test]
fn measurement_agrees_with_report() {
    let files = [
        (
            "a.py",
            "def f(x):\n    return x\n\ndef g(a):\n    if a and f(a):\n        b = 1\n    return b\n",
        ),
        ("b.js", "function f(a) {\n  if (a) {\n    b();\n  }\n}\n"),
    ];
    let measured = measured(&files, &Options::default()).unwrap();
    let (report, converted) = (&measured.report, measured.to_measurement());
    let totals = &converted.totals;
    assert_eq!(totals.sloc, report.total_loc);
    assert_eq!(u64::from(totals.callables), report.total_functions);
    assert_eq!(totals.mass, Some(report.total_mass.value));
    assert_eq!(totals.cognitive_mass, Some(report.total_cog_mass.value));
    assert_eq!(totals.verbose_lines, Some(report.verbosity_flagged_loc));
    assert_eq!(totals.verbosity, Some(report.verbosity));
    assert_eq!(
        converted.findings.len() as u64,
        report.structural_rule_findings
    );
    assert_eq!(converted.definitions.version, "scb-0.2.0/1");
    assert_eq!(
        converted.languages.keys().collect::<Vec<_>>(),
        ["javascript", "python"]
    );
    let sloc: u64 = converted.languages.values().map(|t| t.sloc).sum();
    assert_eq!(sloc, report.total_loc);
}
