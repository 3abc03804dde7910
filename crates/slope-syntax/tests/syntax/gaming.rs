//! Ways to hide code from a measurement, none of which hides any; and which rows
//! count as source lines.

use slope_syntax::{CallableFacts, Language, Limits, Profile, SyntaxTree, callables, parse};

fn tree(language: &str, code: &str) -> SyntaxTree {
    let language = Language::by_id(language).expect(language);
    parse(language, code.as_bytes(), &Limits::default()).expect(code)
}

fn facts(language: &str, code: &str) -> Vec<CallableFacts> {
    let tree = tree(language, code);
    callables(&tree, Profile::Slope, &tree.source_lines(Profile::Slope))
}

fn sum(language: &str, code: &str) -> u32 {
    facts(language, code).iter().map(|f| f.complexity - 1).sum()
}

/// Rows, from 1, that count.
fn rows(language: &str, code: &str) -> Vec<u32> {
    let tree = tree(language, code);
    let source = tree.source_lines(Profile::Slope);
    source.rows().map(|row| row + 1).collect()
}

/// A dispatcher over ten names, as `if` and `elif`.
fn branches(indent: &str) -> String {
    let branch = |at| {
        format!(
            "{indent}    {}if a == {at}: return {at}\n",
            if at == 0 { "" } else { "el" }
        )
    };
    (0..10).map(branch).collect()
}

#[test]
fn dispatcher_complexity_is_independent_of_style() {
    let cases: String = (0..10)
        .map(|at| format!("        case {at}: return {at}\n"))
        .collect();
    let ternaries: String = (0..10)
        .map(|at| format!("{at} if a == {at} else "))
        .collect();
    let guards: String = (0..10)
        .map(|at| format!("    if a == {at}: return {at}\n"))
        .collect();
    for code in [
        format!("def f(a):\n{}", branches("")),
        format!("def f(a):\n{guards}"),
        format!("def f(a):\n    match a:\n{cases}        case _: return 0\n"),
        format!("def f(a): return {ternaries}0\n"),
        format!("f = lambda a: {ternaries}0\n"),
        format!("if True:\n    def f(a):\n{}", branches("    ")),
        format!(
            "with x:\n  for y in z:\n    def f(a):\n{}",
            branches("    ")
        ),
        format!("def f(a):\n{}def f(a): pass\n", branches("")),
        format!("\u{c}\ndef f(a):\n    x = '\u{2028}'\n{}", branches("")),
        format!("class A:\n    class B:\n        f = lambda self, a: {ternaries}0\n"),
        format!("x = [lambda a: {ternaries}0][0]\n"),
    ] {
        assert_eq!(sum("python", &code), 10, "{code}");
    }
}

#[test]
fn functions_of_every_form_are_found() {
    let body = "if (a) { return 1; } return b ? 1 : 2;";
    for code in [
        format!("function f() {{ {body} }}"),
        format!("const f = function () {{ {body} }};"),
        format!("(function () {{ {body} }})();"),
        format!("(() => {{ {body} }})();"),
        format!("export default () => {{ {body} }};"),
        format!("x = {{ f() {{ {body} }} }};"),
        format!("new (class {{ #f() {{ {body} }} }})();"),
        format!("class A {{ static f = () => {{ {body} }} }}"),
        format!("define(['a'], function () {{ {body} }});"),
        format!("if (true) {{ function f() {{ {body} }} }}"),
        format!("a=1;function f(){{{body}}}b=2;"),
    ] {
        for language in ["javascript", "typescript", "tsx"] {
            let found = facts(language, &code);
            let sizes = found.iter().map(|f| (f.complexity, f.rows, f.sloc));
            let sizes: Vec<_> = sizes.collect();
            // Three statements and the head, which fill four lines where they are not packed.
            assert_eq!(sizes, [(3, 1, 4)], "{language}: {code}");
        }
    }
}

#[test]
fn functions_sharing_rows_have_nonzero_size() {
    for (language, code) in [
        (
            "c",
            "int f(void) { return 1; } int g(void) { return 2; } int h(void) { return 3; }",
        ),
        (
            "javascript",
            "const f = () => 1, g = () => 2; function h() {}",
        ),
        ("rust", "fn f() {} fn g() {} fn h() {}"),
        ("ruby", "def f; end; def g; end; def h; end"),
        ("kotlin", "fun f() {}; fun g() = 1; fun h() {}"),
        (
            "php",
            "<?php function f() {} function g() { return 1; } function h() {}",
        ),
        (
            "lua",
            "function f() end local g = function() return 1 end local function h() end",
        ),
        ("bash", "f() { a; }; function g { b; }; h() ( c )"),
        ("scala", "def f() = {}; def g = 1; def h() = {}"),
        ("swift", "func f() {}; func g() -> Int { 1 }; func h() {}"),
        ("python", "f = lambda: 1; g = lambda: 2; h = lambda: 3"),
    ] {
        let sizes: Vec<_> = facts(language, code).iter().map(|f| f.sloc).collect();
        assert_eq!(sizes, [1, 1, 1], "{code}");
    }
}

#[test]
fn functions_around_syntax_errors_are_found() {
    for (language, code) in [
        (
            "python",
            "def f(a):\n    return a or 1\n\nx = = 2\n\ndef g(b):\n    return b or 2\n",
        ),
        (
            "javascript",
            "function f(a) { return a || 1; }\nx = = 2;\nfunction g(b) { return b || 2; }\n",
        ),
        (
            "go",
            "package p\nfunc f() bool { return a || b }\nx y z\nfunc g() bool { return a || b }\n",
        ),
        (
            "rust",
            "fn f() -> bool { a || b }\nfn (;\nfn g() -> bool { a || b }\n",
        ),
        (
            "java",
            "class A { int f() { return a || b; } int x = = ; int g() { return a || b; } }",
        ),
    ] {
        assert!(tree(language, code).errors().is_some(), "{code}");
        let found = facts(language, code);
        let seen = |name: &str| {
            let ends = |f: &&CallableFacts| f.name.ends_with(name);
            found.iter().find(ends).map(|f| f.complexity)
        };
        assert_eq!((seen("f"), seen("g")), (Some(2), Some(2)), "{code}");
    }
}

#[test]
fn brace_style_adds_no_lines() {
    for (language, compact, spread) in [
        (
            "c",
            "void f(int a) {\nif (a) {\nb();\n} else {\nc();\n}\n}\n",
            "void f(int a)\n{\nif (a)\n{\nb();\n}\nelse {\nc();\n}\n}\n;\n",
        ),
        (
            "javascript",
            "f(a, [\nb,\n], {\nc: 1 });\n",
            "f(a, [\nb\n,\n], {\nc: 1\n}\n);\n",
        ),
        (
            "java",
            "class A { void f() {\na();\n} }\n",
            "class A { void f()\n{\n\na();\n\n}\n}\n",
        ),
        ("ruby", "def f\na\nend\n", "def f\na\n\nend\n\n"),
        ("rust", "fn f() {\na();\n}\n", "fn f()\n{\na()\n;\n}\n"),
    ] {
        let count = |code: &str| rows(language, code).len();
        assert_eq!(count(compact), count(spread), "{language}");
    }
}

#[test]
fn source_lines_count_text_not_comments() {
    for (language, code, expected) in [
        (
            "javascript",
            "#!/usr/bin/env node\n/** doc\n * more */\na(); // b\n/* c */ d();\n",
            &[4, 5][..],
        ),
        (
            "javascript",
            "a = `one\n\n  two ${b}\n}\n`;\n",
            &[1, 3, 4, 5],
        ),
        (
            "rust",
            "//! doc\n/// doc\n/* a\n /* b */ */\nfn f() {}\n",
            &[5],
        ),
        ("rust", "a = \"one\n\ntwo\";\n", &[1, 3]),
        (
            "go",
            "// a\npackage p\n/* b\n*/\nvar s = `one\n\n}`\n",
            &[2, 5, 7],
        ),
        (
            "java",
            "/** doc */\nclass A {\n// a\nString s = \"\"\"\n  one\n\n  \"\"\";\n}\n",
            &[2, 4, 5, 7],
        ),
        (
            "c",
            "/* a */\n#include <a.h>\n#define A \\\n  1\n// b\nint a;\n",
            &[2, 3, 4, 6],
        ),
        ("cpp", "// a\nauto s = R\"(one\n\ntwo)\";\n", &[2, 4]),
        (
            "csharp",
            "/// doc\n#region A\nclass A { }\n#endregion\n/* b */\n",
            &[2, 3, 4],
        ),
        (
            "ruby",
            "# a\n=begin\nb\n=end\nx = <<~A\n  one\n\n  #{b}\nA\ny\n__END__\nz\n",
            &[5, 6, 8, 9, 10],
        ),
        (
            "haskell",
            "-- a\n{- b\n-}\nmodule A where\n-- | doc\nx = 1\n",
            &[4, 6],
        ),
        (
            "zig",
            "//! a\n/// b\nconst a = 1; // c\nconst s =\n    \\\\one\n    \\\\\n;\n",
            &[3, 4, 5, 6],
        ),
    ] {
        assert_eq!(rows(language, code), expected, "{language}: {code}");
    }
}
