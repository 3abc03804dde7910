//! Numbers within known bounds.

use super::{check, go, python, rust, script};
use crate::common::quoted_in_changes;

#[test]
fn rust_numbers_keep_to_their_types() {
    let cases = [
        ("let c = b as u64; if c < 0 { g(); }", 1),
        ("let c = b as i64; if c < 0 { g(); }", 0),
        ("if b > u64::MAX { g(); }", 1),
        ("if b >= u64::MAX { g(); }", 0),
        ("if b > LIMIT::MAX { g(); }", 0),
        (
            "if let Some(d) = self.c { if self.c.is_none() { g(d); } }",
            1,
        ),
        (
            "if let Some(d) = self.c { self.h(); if self.c.is_none() { g(d); } }",
            0,
        ),
    ];
    check("a.rs", rust, &cases);
    let field = |kind: &str| {
        format!(
            "struct A {{ c: {kind} }}\nimpl A {{ fn f(&self) {{ if self.c < 0 {{ g(); }} }} }}\n"
        )
    };
    for (kind, expected) in [("u32", 1), ("i32", 0)] {
        let found = quoted_in_changes("impossible-check", &[("a.rs", &field(kind))]);
        assert_eq!(found.len(), expected, "{kind}");
    }
}

#[test]
fn results_of_unsigned_numbers_are_unsigned() {
    check(
        "a.rs",
        rust,
        &[
            ("let c = n.saturating_sub(1); if c >= 0 { g(c); }", 1),
            ("let c = n.min(4); let d = c.max(2); if d < 0 { g(d); }", 1),
            ("let n = n.max(2); if n < 0 { g(n); }", 1),
            ("let m = m.min(2); if m < 0 { g(m); }", 0),
            ("let c = m.saturating_sub(1); if c >= 0 { g(c); }", 0),
            ("let c = n.checked_sub(1); if c >= 0 { g(c); }", 0),
        ],
    );
}

#[test]
fn bounds_answer_questions_of_order() {
    let cases = [
        ("if a > 5:\n    if a < 3:\n        g()", 1),
        ("if a > 5:\n    if a >= 5:\n        g()", 1),
        ("if a > 5:\n    if a < 7:\n        g()", 0),
        ("if a >= 5:\n    if a > 5:\n        g()", 0),
        ("if a >= 5 and a >= 5:\n    g()", 1),
        ("if a > 5:\n    a = g()\n    if a > 5:\n        h()", 0),
        ("if a > 5:\n    if b > 5:\n        h()", 0),
        // `NaN` is neither below nor above.
        ("if a < 1:\n    return\nif a >= 1:\n    g()", 0),
    ];
    check("a.py", python, &cases);
    check(
        "a.rs",
        rust,
        &[
            ("if n > 3 { if n >= 2 { g(n); } }", 1),
            ("if n > 3 { if n >= 5 { g(n); } }", 0),
        ],
    );
}

#[test]
fn ranges_of_numbers_decide_comparisons() {
    let python_cases = [
        ("c = int(a) % 24\nif c < 24:\n    g()", 1),
        ("c = int(a) % 24\nif c < 23:\n    g()", 0),
        // `-1e-20 % 360` is 360.0.
        ("c = a % 360\nif c == 360:\n    g()", 0),
        ("c = '%02d' % 60\nif c > 60:\n    g()", 0),
        (
            "def max(c, d):\n    return g()\nc = max(a, 5)\nif c < 5:\n    g()",
            0,
        ),
        ("c = a % b\nif c < 24:\n    g()", 0),
        ("c = min(a, 5)\nif c > 5:\n    g()", 1),
        ("c = min(a, 5)\nc += b\nif c > 5:\n    g()", 0),
        ("c = min(a, key=b)\nif c > 5:\n    g()", 0),
        ("if a & 0xff > 255:\n    g()", 1),
    ];
    check("a.py", python, &python_cases);
    let script_cases = [
        ("const c = Math.min(a, 5); if (c > 5) { h(); }", 1),
        ("const c = Math.min(a, 5); if (c <= 5) { h(); }", 0),
        ("const c = Math.min(a, 5); if (c > 4) { h(); }", 0),
        ("const c = a % 60; if (c >= 60) { h(); }", 1),
        ("const c = a % 60; if (c > 59) { h(); }", 0),
        ("if ((a & 0x80000000) < 0) { h(); }", 0),
    ];
    check("a.ts", script, &script_cases);
    let go_cases = [
        ("\tc := n % 12\n\tif c < 12 {\n\t\tg()\n\t}", 1),
        ("\tc := byte(n)\n\tif c > 255 {\n\t\tg()\n\t}", 1),
        ("\tc := int(n)\n\tif c > 255 {\n\t\tg()\n\t}", 0),
        (
            "\tc := n % 5\nretry:\n\tif c > 10 {\n\t\treturn\n\t}\n\tc++\n\tgoto retry",
            0,
        ),
        (
            "\tfor _, c := range []byte(a) {\n\t\tif c > 255 {\n\t\t\tg()\n\t\t}\n\t}",
            0,
        ),
    ];
    check("a.go", go, &go_cases);
    let rust_cases = [
        ("for &c in a { if (c as usize) < 256 { g(); } }", 1),
        ("for &c in a { if (c as usize) < 255 { g(); } }", 0),
        ("for c in n { if (c as usize) < 256 { g(); } }", 0),
        ("let c = n.clamp(1, 9); if c == 0 { g(); }", 1),
        ("let c = n.clamp(0, 9); if c == 0 { g(); }", 0),
        ("let mut c = n % 10; advance!(c); if c >= 10 { g(); }", 0),
        (
            "let mut c = n % 10; println!(\"{}\", c); if c >= 10 { g(); }",
            1,
        ),
        ("let c: u8 = g(); if c > 255 { g(); }", 1),
        (
            "let c = n as u16; let c = c as u32; if c < 65536 { g(); }",
            1,
        ),
    ];
    check("a.rs", rust, &rust_cases);
}

#[test]
fn library_calls_have_ranges() {
    let script_cases = [
        ("if (a.getHours() > 23) { h(); }", 1),
        ("if (a.getHours() > 22) { h(); }", 0),
        ("const c = a.indexOf(b); if (c < -1) { h(); }", 1),
    ];
    check("a.ts", script, &script_cases);
    check("a.rs", rust, &[("if a.subsec_millis() < 1000 { g(); }", 1)]);
    check(
        "a.go",
        go,
        &[("\tif strings.Index(a, b) < -1 {\n\t\tg()\n\t}", 1)],
    );
    let python_cases = [
        ("c = a.find(b)\nif c >= -1:\n    g()", 1),
        ("c = a.find(b)\nif c >= 0:\n    g()", 0),
    ];
    check("a.py", python, &python_cases);
}

#[test]
fn arithmetic_keeps_types_and_ranges() {
    let rust_cases = [
        (
            "let k: u8 = g(); let c = 10 * k + 8; if c > 255 { g(); }",
            1,
        ),
        (
            "let k: u16 = g(); let c = 10 * k + 8; if c > 255 { g(); }",
            0,
        ),
        (
            "let k = x.clamp(0.0, 100.0); let c = k.round() as u8; if c > 100 { g(); }",
            1,
        ),
    ];
    check("a.rs", rust, &rust_cases);
}

#[test]
fn sums_of_counts_are_never_negative() {
    let cases = [
        (
            "c = 0\nfor d in a:\n    c += len(d)\nif c >= 0:\n    g()",
            1,
        ),
        ("c = 0\nfor d in a:\n    c += d\nif c >= 0:\n    g()", 0),
        (
            "c = 0\nfor d in a:\n    c -= len(d)\nif c >= 0:\n    g()",
            0,
        ),
        ("c = 0\nfor d in a:\n    c += len(d)\nif c > 0:\n    g()", 0),
    ];
    check("a.py", python, &cases);
    let rust_cases = [
        ("let c = n.clamp(1, k); if c == 0 { g(); }", 1),
        ("let c = n.clamp(k, 9); if c == 0 { g(); }", 0),
        (
            "let mut c = 0; let mut d = 1; while k() { (c, d) = (c + 1, d * 2); } if c > 5 { g(); }",
            0,
        ),
    ];
    check("a.rs", rust, &rust_cases);
}
