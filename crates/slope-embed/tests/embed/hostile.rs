//! Code that is written to take long: much of one kind in one place. Each text takes time in proportion to its length.

use std::time::{Duration, Instant};

use slope_embed::{Code, Settings, measure};

/// How many of a kind.
const MANY: usize = 20_000;
/// Deeper than code of people, but not too deep for a measurement.
const DEEP: usize = 2_000;
/// Much more than an unoptimised build takes. Work that grows with the square takes longer.
const LONGEST: Duration = Duration::from_secs(15);

/// Numbered parts with a separator.
fn many(part: impl Fn(usize) -> String, separator: &str) -> String {
    let parts: Vec<String> = (0..MANY).map(part).collect();
    parts.join(separator)
}

/// Measures a text as a file of that name, in time.
#[track_caller]
fn in_time(file: &str, text: String) {
    let files = [(file.to_owned(), text.into_bytes())].into();
    let start = Instant::now();
    let measured = measure(&Code::Files(files), &Settings::default());
    let took = start.elapsed();
    assert!(took < LONGEST, "{file}: {took:?}");
    measured.unwrap_or_else(|error| panic!("{file}: {error}"));
}

#[test]
fn parameters_take_linear_time() {
    let plain = many(|at| format!("p{at}"), ", ");
    in_time("a.js", format!("function f({plain}) {{\n  return 1;\n}}\n"));
    in_time("a.rb", format!("def f({plain})\n  1\nend\n"));
    let typed = many(|at| format!("int p{at}"), ", ");
    in_time("a.c", format!("int f({typed}) {{ return 1; }}\n"));
    let named = many(|at| format!("p{at} int"), ", ");
    in_time(
        "a.go",
        format!("package a\nfunc f({named}) int {{ return 1 }}\n"),
    );
}

#[test]
fn names_of_one_statement_take_linear_time() {
    let valued = many(|at| format!("a{at} = {at}"), ", ");
    in_time("a.c", format!("void f() {{ int {valued}; }}\n"));
    in_time("a.js", format!("function f() {{\n  let {valued};\n}}\n"));
    let plain = many(|at| format!("a{at}"), ", ");
    in_time(
        "b.js",
        format!("function f(x) {{\n  const [{plain}] = x;\n}}\n"),
    );
    in_time("a.ts", format!("import {{ {plain} }} from 'm';\n"));
    let assigned = many(|at| format!("  x{at} = a"), "\n");
    in_time("b.rb", format!("def f(a)\n{assigned}\nend\n"));
}

#[test]
fn broken_functions_take_linear_time() {
    in_time("a.py", "def f(:\n".repeat(MANY));
    in_time("a.c", "int f(a) {\n".repeat(DEEP));
    in_time("a.rs", "fn ( {\n".repeat(MANY));
    let deeper = (0..DEEP).map(|at| format!("{}def f(:\n", " ".repeat(at)));
    in_time("b.py", deeper.collect());
}

#[test]
fn comments_of_one_line_take_linear_time() {
    in_time("a.c", many(|at| format!("/* c{at} */"), " ") + " int x;\n");
}

#[test]
fn branches_and_functions_take_linear_time() {
    let cases = many(
        |at| format!("        case {at}:\n            g({at})\n"),
        "",
    );
    in_time("a.py", format!("def f(a):\n    match a:\n{cases}"));
    in_time(
        "b.py",
        many(|at| format!("def f{at}(a):\n    return a\n"), "\n\n"),
    );
    let cases = many(|at| format!("case {at}: return {at};\n"), "");
    in_time(
        "a.java",
        format!("class A {{ int f(int a) {{ switch (a) {{\n{cases}}}\nreturn 0; }} }}\n"),
    );
    in_time(
        "a.js",
        many(|at| format!("function f{at}(a) {{\n  return a;\n}}\n"), ""),
    );
}

#[test]
fn deep_code_takes_linear_time() {
    let (open, close) = ("(".repeat(DEEP), ")".repeat(DEEP));
    in_time("a.py", format!("def f():\n    return {open}1{close}\n"));
    in_time("a.go", format!("package a\n\nvar x = {open}1{close}\n"));
    let (open, close) = ("if (a) {\n".repeat(DEEP), "}\n".repeat(DEEP));
    in_time(
        "a.java",
        format!("class A {{ void f(boolean a) {{\n{open}g();\n{close}}} }}\n"),
    );
}
