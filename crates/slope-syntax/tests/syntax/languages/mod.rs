//! What every language's constructs add, and what its callables are called.

mod bash;
mod compiled;
mod kotlin;
mod lua;
mod macros;
mod php;
mod scala;
mod scripting;
mod swift;

use slope_syntax::{CallableFacts, Language, Limits, Profile, SyntaxTree, callables, parse};

fn tree(language: &str, code: &str) -> SyntaxTree {
    let language = Language::by_id(language).expect(language);
    parse(language, code.as_bytes(), &Limits::default()).expect(code)
}

fn facts(language: &str, code: &str) -> Vec<CallableFacts> {
    let tree = tree(language, code);
    assert_eq!(tree.errors(), None, "{language}: {code}");
    callables(&tree, Profile::Slope, &tree.source_lines(Profile::Slope))
}

/// Each body adds so much to cyclomatic and to cognitive complexity.
fn costs(language: &str, template: &str, cases: &[(&str, u32, u32)]) {
    for (body, cyclomatic, cognitive) in cases {
        let code = template.replace('%', body);
        let found = facts(language, &code);
        let facts = found.first().unwrap_or_else(|| panic!("{code}"));
        let got = (facts.complexity - 1, facts.cognitive);
        assert_eq!(got, (*cyclomatic, *cognitive), "{language}: {body}");
    }
}

/// Name, kind by first letter, parameters, source lines, cyclomatic complexity of each callable.
fn lists(language: &str, code: &str, expected: &[(&str, char, u32, u32, u32)]) {
    let found = facts(language, code);
    let found: Vec<_> = found
        .iter()
        .map(|f| {
            let kind = format!("{:?}", f.kind).chars().next().expect("a kind");
            (f.name.as_str(), kind, f.parameters, f.sloc, f.complexity)
        })
        .collect();
    assert_eq!(found, expected, "{language}: {code}");
}

#[test]
fn cognitive_nesting_includes_lambdas_not_functions() {
    let code =
        "function f() { if (a) { g(() => { if (b) { c(); } }); function h() { if (d) {} } } }";
    let found = facts("javascript", code);
    let cognitive: Vec<_> = found.iter().map(|f| f.cognitive).collect();
    // The arrow is one deep and is one more, so its `if` costs 3.
    assert_eq!(cognitive, [1, 3, 1]);
}

#[test]
fn long_chains_are_linear() {
    for (language, head, link, tail) in [
        (
            "javascript",
            "function f() { if (a) {}",
            " else if (a) {}",
            "}",
        ),
        ("rust", "fn f() { if a {}", " else if a {}", "}"),
        ("zig", "fn f() void { if (a) {}", " else if (a) {}", "}"),
        ("swift", "func f() { if a {}", " else if a {}", "}"),
    ] {
        let links = 1_000;
        let code = format!("{head}{}{tail}", link.repeat(links));
        let found = facts(language, &code);
        let count = u32::try_from(links).expect("small");
        assert_eq!(found[0].complexity, count + 2, "{language}");
        assert_eq!(found[0].cognitive, count + 1, "{language}");
        assert_eq!(found[0].nesting, 1, "{language}");
    }
}

#[test]
fn structure_heads_are_outside_nesting() {
    for (language, code) in [
        ("javascript", "function f() { if (a ? b : c) {} }"),
        ("javascript", "function f() { for (x of a ? b : c) {} }"),
        (
            "java",
            "class A { void f() { switch (a ? b : c) { default: } } }",
        ),
        ("c", "void f() { while (a ? b : c) {} }"),
        ("python", "def f():\n    if (a if b else c): pass\n"),
        ("rust", "fn f() { match if a { b } { _ => {} } }"),
        ("kotlin", "fun f() { while (if (a) b) {} }"),
        ("php", "<?php function f() { if ($a ? $b : $c) {} }"),
        ("scala", "def f() = { if (if (a) b) {} }"),
        ("swift", "func f() { while a ? b : c {} }"),
        (
            "go",
            "package p\nfunc f() {\n if func() bool { if a {\n}; return b }() {\n}\n}\n",
        ),
    ] {
        let found = facts(language, code);
        let sum: u32 = found.iter().map(|f| f.cognitive).sum();
        // The lambda of the last one is one deeper by itself.
        assert_eq!(sum, if language == "go" { 3 } else { 2 }, "{code}");
    }
}

#[test]
fn annotations_add_no_lines() {
    for (language, code) in [
        ("java", "class A {\n@Test\n@X(1)\nvoid f() {\na();\n}\n}\n"),
        (
            "csharp",
            "class A {\n[Test]\n[X(1)]\nvoid F() {\na();\n}\n}\n",
        ),
        ("kotlin", "class A {\n@Test\n@X(1)\nfun f() {\na()\n}\n}\n"),
        ("swift", "class A {\n@Test\n@X(1)\nfunc f() {\na()\n}\n}\n"),
        ("scala", "class A {\n@Test\n@X(1)\ndef f() = {\na()\n}\n}\n"),
        ("python", "@x\n@y(1)\ndef f():\n    a()\n"),
        (
            "php",
            "<?php\nclass A {\n#[Test]\n#[X(1)]\nfunction f() {\na();\n}\n}\n",
        ),
        ("rust", "#[x]\n#[y]\nfn f() {\na();\n}\n"),
        ("typescript", "class A {\n@x()\nf() {\na();\n}\n}\n"),
    ] {
        let found = facts(language, code);
        assert_eq!((found.len(), found[0].sloc), (1, 2), "{code}");
    }
}
