//! Conditions that outer conditions and guards answer.

use super::{check, go, python, rust, script};

#[test]
fn outer_conditions_decide_inner_ones() {
    let cases = [
        ("if a:\n    if a:\n        g()", 1),
        ("if a:\n    a = g()\n    if a:\n        g()", 0),
        ("if not a:\n    return\nif b and a is not None:\n    g()", 1),
        ("if a is None:\n    g()\nelif a is not None:\n    h()", 1),
        ("if a and len(a) > 0:\n    g()", 1),
        ("if a in b:\n    if a in b:\n        g()", 1),
        (
            "if a in b:\n    b.remove(a)\n    if a in b:\n        g()",
            0,
        ),
        ("if self.a:\n    if self.a:\n        g()", 1),
        ("if self.a:\n    self.g()\n    if self.a:\n        g()", 0),
        (
            "if c is None:\n    with lock:\n        if c is None:\n            g()",
            0,
        ),
    ];
    check("a.py", python, &cases);
}

#[test]
fn outer_script_conditions_decide_inner_ones() {
    let cases = [
        (
            "if (a === undefined) { return; } g(a); if (a !== undefined) { h(); }",
            1,
        ),
        (
            "if (a === undefined) { return; } if (a !== null) { h(); }",
            0,
        ),
        ("if (!a || a.length === 0) { h(); }", 0),
        ("if (a && a) { h(); }", 1),
        ("if (a) { h(); } else if (!a) { g(); }", 1),
        ("if (a || true) { h(); }", 1),
        ("g(a || false);", 0),
        ("if (a) { for (;;) { if (a) { h(); } a = g(); } }", 0),
    ];
    check("a.js", script, &cases);
}

#[test]
fn outer_typed_conditions_decide_inner_ones() {
    let cases = [
        (
            "if a == \"\" {\n\treturn\n}\ng(a)\nif a != \"\" {\n\th()\n}",
            1,
        ),
        (
            "if len(b) == 0 {\n\treturn\n}\nif len(b) > 0 {\n\th()\n}",
            1,
        ),
        (
            "if len(b) == 0 {\n\treturn\n}\nb = b[1:]\nif len(b) > 0 {\n\th()\n}",
            0,
        ),
        (
            "if err := g(); err != nil {\n\treturn\n}\nif err != nil {\n\th()\n}",
            0,
        ),
        (
            "switch c := b.(type) {\ncase int:\n\tif c == nil {\n\t\tg()\n\t}\n}",
            0,
        ),
    ];
    check("a.go", go, &cases);
    let cases = [
        (
            "if a.is_empty() { return; } g(a); if !a.is_empty() { h(); }",
            1,
        ),
        (
            "if b.is_none() { return; } match b { Some(c) => g(c), None => h() }",
            1,
        ),
        (
            "if b.is_none() { g(); } match b { Some(c) => g(c), None => h() }",
            0,
        ),
        (
            "if n == 0 { return; } match b { Some(n) => if n == 0 { g(); }, None => h() }",
            0,
        ),
    ];
    check("a.rs", rust, &cases);
}

#[test]
fn calls_that_end_the_program_are_guards() {
    let go_cases = [
        (
            "\tif n < 1 {\n\t\tpanic(\"x\")\n\t}\n\tif n < 1 {\n\t\tg()\n\t}",
            1,
        ),
        (
            "\tif n < 1 {\n\t\tlog(\"x\")\n\t}\n\tif n < 1 {\n\t\tg()\n\t}",
            0,
        ),
    ];
    check("a.go", go, &go_cases);
    let rust_cases = [
        ("if n < 5 { panic!(\"x\"); } if n < 5 { g(); }", 1),
        ("if n >= 1 { if n == 0 { g(); } }", 1),
        ("if n >= 1 { if n == 1 { g(); } }", 0),
    ];
    check("a.rs", rust, &rust_cases);
}
