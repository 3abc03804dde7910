//! Changes that break the syntax of a file.

use crate::common::{Repo, rules};
use slope_gate::Head;
use slope_model::gate::{GateRule, Judgement, Level};

/// Rule, level and path of each violation.
fn told(judgement: &Judgement) -> Vec<(GateRule, Level, &str)> {
    let all = judgement.violations.iter();
    all.map(|v| (v.rule, v.level, v.path.as_str())).collect()
}

#[test]
fn files_that_stop_parsing_are_errors() {
    let files = [
        (
            "a.py",
            "def f(x):\n    return x\n",
            "def f(x:\n    return x\n",
        ),
        (
            "a.ts",
            "function f(x) { return x; }\n",
            "function f(x { return x; }\n",
        ),
        (
            "a.go",
            "package p\n\nfunc f() int { return 1 }\n",
            "package p\n\nfunc f( int { return 1 }\n",
        ),
        ("a.rs", "fn f() -> u8 { 1 }\n", "fn f( -> u8 { 1 }\n"),
        (
            "A.java",
            "class A { int f() { return 1; } }\n",
            "class A { int f( { return 1; } }\n",
        ),
        (
            "a.c",
            "int f(void) { return 1; }\n",
            "int f(void) { return 1; \n",
        ),
        ("a.rb", "def f\n  1\nend\n", "def f(\n  1\nend\n"),
        (
            "tests/test_a.py",
            "def test_f():\n    pass\n",
            "def test_f(:\n    pass\n",
        ),
    ];
    for (path, before, after) in files {
        let repo = Repo::new(&[(path, before)]);
        repo.write(&[(path, after)]);
        let judgement = repo.judge(None, Head::Worktree);
        let expected = [(GateRule::BrokenSyntax, Level::Error, path)];
        assert_eq!(told(&judgement), expected);
        assert!(!judgement.passes, "{path}");
        assert_eq!(judgement.unjudged, [path]);
    }
}

#[test]
fn already_broken_files_are_listed() {
    let broken = "def f(x:\n    return x\n";
    let repo = Repo::new(&[("a.py", broken), ("b.py", "b = 1\n")]);
    repo.write(&[("a.py", &format!("{broken}\n\ndef g():\n    return 1\n"))]);
    let judgement = repo.judge(None, Head::Worktree);
    assert_eq!(told(&judgement), []);
    assert_eq!(
        (judgement.passes, judgement.unjudged),
        (true, vec!["a.py".to_owned()])
    );
    // An unchanged file is not listed.
    let repo = Repo::new(&[("a.py", broken), ("b.py", "b = 1\n")]);
    repo.write(&[("b.py", "b = 2\n")]);
    assert_eq!(
        repo.judge(None, Head::Worktree).unjudged,
        Vec::<String>::new()
    );
}

#[test]
fn moved_broken_files_stay_as_broken() {
    let broken = "def f(x:\n    return x\n";
    let sound = "def f(x):\n    return x\n";
    for (first, second) in [("a.py", "b.py"), ("b.py", "a.py")] {
        let (old, other) = (format!("old/{first}"), format!("old/{second}"));
        let repo = Repo::new(&[(&old, sound), (&other, broken)]);
        repo.git(&["mv", "old", "new"]);
        assert_eq!(told(&repo.judge(None, Head::Worktree)), [], "{first}");
        // Edited on the way, it is still the file of its name.
        let edited = format!("{broken}\n\ndef g():\n    return 1\n");
        repo.write(&[(&format!("new/{second}"), &edited)]);
        assert_eq!(told(&repo.judge(None, Head::Worktree)), [], "{first}");
    }
}

/// In the other languages slope cannot tell an error from syntax that is newer than its grammar.
#[test]
fn new_files_with_errors_are_reported() {
    for (path, text, level) in [
        ("b.py", "def f(x:\n    return x\n", Level::Error),
        ("b.tsx", "const a = <b>1</c>;\n", Level::Error),
        (
            "tests/data/b.py",
            "def f(x:\n    return x\n",
            Level::Warning,
        ),
        ("b.c", "int f(int x {\n    return x;\n}\n", Level::Warning),
    ] {
        let repo = Repo::new(&[("a.py", "a = 1\n")]);
        repo.write(&[(path, text)]);
        let judgement = repo.judge(None, Head::Worktree);
        let expected = [(GateRule::BrokenSyntax, level, path)];
        assert_eq!(told(&judgement), expected);
    }
}

/// The grammars take this; the languages do not.
#[test]
fn code_refused_by_language_fails() {
    let files = [
        ("a.py", "def f():\n    return 1\n", "def f():\nreturn 1\n"),
        ("a.py", "x = 1\n", "print 'a'\n"),
        ("a.ts", "let x = 1;\n", "let x = 1; let x = 2;\n"),
        ("a.go", "package p\n", "func f() {}\n"),
        ("b.go", "package p\n", "package p\n\nfunc f() {}\nfoo()\n"),
        ("A.java", "class A { }\n", "class A { void f(); }\n"),
        ("A.cs", "class A { }\n", "class A { }\nusing System;\n"),
        ("a.rs", "fn f() { }\n", "fn f() { break; }\n"),
    ];
    for (path, before, after) in files {
        let repo = Repo::new(&[(path, before)]);
        repo.write(&[(path, after)]);
        let judgement = repo.judge(None, Head::Worktree);
        let expected = [(GateRule::BrokenSyntax, Level::Error, path)];
        assert_eq!(told(&judgement), expected, "{after}");
        assert!(
            judgement.violations[0].message.contains("ine "),
            "{judgement:?}"
        );
        // What was refused before may go on.
        let repo = Repo::new(&[(path, after)]);
        repo.write(&[(path, &format!("{after}\n\n"))]);
        assert_eq!(told(&repo.judge(None, Head::Worktree)), [], "{after}");
    }
}

#[test]
fn renamed_files_must_keep_parsing() {
    let files = [
        (
            "a.py",
            "b.py",
            "def f(x):\n    return x\n",
            "def f(x:\n    return x\n",
        ),
        (
            "a.ts",
            "lib/a.ts",
            "function f(x) { return x; }\n",
            "function f(x { return x; }\n",
        ),
        (
            "a.tsx",
            "b.tsx",
            "const a = () => <b>1</b>;\n",
            "const a = () => <b>1</c;\n",
        ),
        (
            "a.cpp",
            "b.cc",
            "int f() { return 1; }\n",
            "int f() { return 1; }}}\n",
        ),
        (
            "A.cs",
            "B.cs",
            "class A { int F() { return 1; } }\n",
            "class A { int F( { return 1; } }\n",
        ),
        (
            "a.zig",
            "b.zig",
            "fn f() u8 {\n    return 1;\n}\n",
            "fn f( u8 {\n    return 1;\n}\n",
        ),
        (
            "a.rs",
            "b.rs",
            "fn f() -> u8 { 1 }\n",
            "fn f( -> u8 { 1 }\n",
        ),
    ];
    for (old, new, before, after) in files {
        let repo = Repo::new(&[(old, before), ("other.go", "package p\n")]);
        repo.git(&["rm", "-q", old]);
        repo.write(&[(new, after)]);
        let judgement = repo.judge(None, Head::Worktree);
        let expected = [(GateRule::BrokenSyntax, Level::Error, new)];
        assert_eq!(told(&judgement), expected, "{old}");
    }
    // A much larger file is not the one that was removed.
    let repo = Repo::new(&[("a.py", "a = 1\n")]);
    repo.git(&["rm", "-q", "a.py"]);
    repo.write(&[("b.py", &format!("{}def f(:\n", "b = 1\n".repeat(9)))]);
    let judgement = repo.judge(None, Head::Worktree);
    assert!(judgement.violations[0].message.contains("new file"));
}

#[test]
fn broken_syntax_follows_the_configuration() {
    for (level, passes, count) in [("warning", true, 1), ("off", true, 0), ("error", false, 1)] {
        let config = format!("[check]\nbroken-syntax = \"{level}\"\n");
        let repo = Repo::new(&[("a.py", "a = 1\n"), ("slope.toml", &config)]);
        repo.write(&[("a.py", "a = (1\n")]);
        let judgement = repo.judge(None, Head::Worktree);
        let found = (judgement.passes, judgement.violations.len());
        assert_eq!(found, (passes, count), "{level}");
    }
}

/// A function that is one switch from constants to constants, or to calls, in each language.
#[test]
fn tables_written_as_branches_are_not_complex() {
    let rows = |row: &dyn Fn(usize) -> String| (0..24).map(row).collect::<String>();
    let files = [
        (
            "a.rs",
            format!(
                "pub fn text(key: &str) -> &str {{\n    match key {{\n{}        _ => \"\",\n    }}\n}}\n",
                rows(&|i| format!("        \"k{i}\" => \"value {i}\",\n"))
            ),
        ),
        (
            "a.go",
            format!(
                "package p\n\nfunc Text(key string) string {{\n\tswitch key {{\n{}\t}}\n\treturn \"\"\n}}\n",
                rows(&|i| format!("\tcase \"k{i}\":\n\t\treturn \"value {i}\"\n"))
            ),
        ),
        (
            "a.ts",
            format!(
                "export function run(key: string): void {{\n  switch (key) {{\n{}  }}\n}}\n",
                rows(&|i| format!("    case 'k{i}':\n      step{i}();\n      break;\n"))
            ),
        ),
        (
            "A.cs",
            format!(
                "class A {{\n  public string Text(string key) => key switch {{\n{}    _ => \"\" }};\n}}\n",
                rows(&|i| format!("    \"k{i}\" => \"value {i}\",\n"))
            ),
        ),
    ];
    for (path, text) in &files {
        let repo = Repo::new(&[("z.py", "z = 1\n")]);
        repo.write(&[(path, text)]);
        assert_eq!(rules(&repo.judge(None, Head::Worktree)), [], "{path}");
    }
    // Nested branches do not make a table.
    let text = format!(
        "package p\n\nfunc Text(key string, n int) int {{\n\tswitch key {{\n{}\t}}\n\treturn n\n}}\n",
        rows(&|i| format!("\tcase \"k{i}\":\n\t\tif n > {i} {{\n\t\t\treturn n - {i}\n\t\t}}\n"))
    );
    let repo = Repo::new(&[("z.py", "z = 1\n")]);
    repo.write(&[("b.go", &text)]);
    let judgement = repo.judge(None, Head::Worktree);
    let expected = [(GateRule::NewComplexity, Some("Text"))];
    assert_eq!(rules(&judgement), expected);
}

/// A function in this language of complexity 21 or more, with a place in it that does not parse.
fn unparsed(head: &str, branch: &str, tail: &str) -> String {
    let branches: String = (0..20)
        .map(|n| branch.replace("N", &n.to_string()))
        .collect();
    format!("{head}\n{branches}{tail}\n")
}

const BRANCH: &str = "    if (x == N) { x += N; }\n";

/// Functions of languages whose places do not parse: head, branch and end.
const UNPARSED: &[(&str, [&str; 3])] = &[
    ("a.ts", ["function run(x) {\n  let § y = 1;", BRANCH, "}"]),
    (
        "a.js",
        ["class A {\n  run(x) {\n  let y = x |>>;", BRANCH, "}\n}"],
    ),
    (
        "a.c",
        [
            "int run(int x)\n{\n    @@ BAD [[y]] z;",
            BRANCH,
            "return x;\n}",
        ],
    ),
    (
        "a.cpp",
        [
            "int A::run(int x) {\n    auto @@ z = ^^y;",
            BRANCH,
            "return x;\n}",
        ],
    ),
    (
        "A.java",
        [
            "class A {\n  int run(int x) {\n    var § y = 1;",
            BRANCH,
            "return x;\n}\n}",
        ],
    ),
    (
        "a.cs",
        [
            "class A {\n  int run(int x) {\n    var § y = ] 1;",
            BRANCH,
            "return x;\n}\n}",
        ],
    ),
    (
        "a.go",
        [
            "package a\n\nfunc run(x int) int {\n\ty := § 1 ]",
            "\tif x == N {\n\t\tx += N\n\t}\n",
            "\treturn x\n}",
        ],
    ),
    (
        "a.rs",
        [
            "pub fn run(mut x: i32) -> i32 {\n    let § y = ];",
            "    if x == N { x += N; }\n",
            "    x\n}",
        ],
    ),
    (
        "a.py",
        [
            "def run(x):\n    y = § ]",
            "    if x == N:\n        x += N\n",
            "    return x",
        ],
    ),
    (
        "a.rb",
        [
            "def run(x)\n  y = @@@ ]",
            "  if x == N\n    x += N\n  end\n",
            "  x\nend",
        ],
    ),
];

#[test]
fn complex_functions_behind_unparsed_places_fail() {
    for (path, [head, branch, tail]) in UNPARSED {
        let text = unparsed(head, branch, tail);
        let repo = Repo::new(&[("README.md", "Nothing.\n")]);
        repo.write(&[(*path, text.as_str())]);
        repo.git(&["add", "."]);
        let judgement = repo.judge(None, Head::Worktree);
        let complex = judgement
            .violations
            .iter()
            .find(|v| v.rule == GateRule::NewComplexity);
        let complex = complex.unwrap_or_else(|| panic!("{path}: {judgement:#?}"));
        assert!(
            complex.message.contains("complexity at least 2"),
            "{}",
            complex.message
        );
        assert!(!judgement.passes, "{path}");
    }
}
