//! Items and lengths of collections.

use super::{check, go, python, rust, script};

#[test]
fn added_items_answer_conditions() {
    let cases = [
        ("let mut c = g(); c.push(n); if c.is_empty() { h(); }", 1),
        (
            "let mut c = g(); c.push(n); c.clear(); if c.is_empty() { h(); }",
            0,
        ),
        (
            "let mut c = g(); c.push_str(b); if c.is_empty() { h(); }",
            0,
        ),
        (
            "let mut c = g(); if d { c.push(n); } if c.is_empty() { h(); }",
            0,
        ),
    ];
    check("a.rs", rust, &cases);
    let cases = [
        ("const c = g(); c.push(a); if (c.length === 0) { h(); }", 1),
        (
            "const c = g(); c.push(...a); if (c.length === 0) { h(); }",
            0,
        ),
    ];
    check("a.ts", script, &cases);
}

#[test]
fn loops_answer_whether_collection_is_empty() {
    check(
        "a.py",
        python,
        &[
            ("for c in a:\n    if len(a) > 0 and c:\n        g()", 1),
            ("for i, c in enumerate(a):\n    if not a:\n        g()", 1),
            ("for c in a:\n    a.pop()\n    if a:\n        g()", 0),
            ("for c in a:\n    if a:\n        g()\n    a = h()", 0),
            ("for c in a:\n    g()\nif a:\n    h()", 0),
            ("for c in a:\n    if b:\n        g()", 0),
            ("for c in a:\n    g()\nelse:\n    if not a:\n        h()", 0),
            (
                "d = a\nfor c in a:\n    d.remove(c)\n    if a:\n        g()",
                0,
            ),
            ("for c in a:\n    yield c\n    if a:\n        g()", 0),
        ],
    );
    check(
        "a.go",
        go,
        &[
            (
                "\tfor i := range b {\n\t\tif len(b) > 0 {\n\t\t\tg(i)\n\t\t}\n\t}",
                0,
            ),
            (
                "\tfor i, c := range b {\n\t\tif len(b) > 0 {\n\t\t\tg(i, c)\n\t\t}\n\t}",
                1,
            ),
            (
                "\tfor _, c := range b {\n\t\tif len(b) > 0 {\n\t\t\tg(c)\n\t\t}\n\t\tb = b[1:]\n\t}",
                0,
            ),
        ],
    );
    check(
        "a.rs",
        rust,
        &[
            ("for c in a { if !a.is_empty() { g(c); } }", 1),
            ("for c in a.iter() { if a.len() > 0 { g(c); } }", 0),
            ("for a in a { if !a.is_empty() { g(a); } }", 0),
            ("for c in b { if !a.is_empty() { g(c); } }", 0),
        ],
    );
}

#[test]
fn collections_filled_by_inner_functions_change() {
    let cases = [(
        "const c = []; const d = (e) => { c.push(e); }; b.forEach(d); if (c.length > 0) { h(c); }",
        0,
    )];
    check("a.ts", script, &cases);
}

#[test]
fn known_lengths_decide_other_lengths() {
    let script_cases = [
        (
            "if (a.length !== 1) { return; } if (a.length > 0) { h(); }",
            1,
        ),
        ("if (a.length < 2) { return; } if (!a.length) { h(); }", 1),
        ("if (a.length > 2) { return; } if (!a.length) { h(); }", 0),
        (
            "if (a.length !== 1) { return; } a.pop(); if (a.length) { h(); }",
            0,
        ),
    ];
    check("a.ts", script, &script_cases);
    let python_cases = [
        ("if len(a) != 2:\n    return\nif len(a) > 2:\n    g()", 1),
        ("if len(a) == 2:\n    return\nif len(a) > 2:\n    g()", 0),
        ("if len(a) > 3 and len(a) > 1:\n    g()", 1),
        (
            "if len(a) > 9223372036854775807:\n    if len(a) > 3:\n        g()",
            1,
        ),
        (
            "if len(a) < 4:\n    yield b\n    if len(a) < 4:\n        g()",
            0,
        ),
        (
            "c = a\nif len(a) < 4:\n    return\nc.pop()\nif len(a) < 4:\n    g()",
            0,
        ),
    ];
    check("a.py", python, &python_cases);
    let go_cases = [
        (
            "\tif len(b) < 2 {\n\t\treturn\n\t}\n\tif len(b) == 0 {\n\t\tg()\n\t}",
            1,
        ),
        (
            "\tif len(b) < 2 {\n\t\treturn\n\t}\n\tif len(b) == 2 {\n\t\tg()\n\t}",
            0,
        ),
    ];
    check("a.go", go, &go_cases);
}

#[test]
fn loops_over_keys_answer_membership() {
    let python_cases = [
        ("for k in a:\n    if k in a:\n        g()", 1),
        ("for k, v in a.items():\n    if k not in a:\n        g()", 1),
        ("for k in sorted(a):\n    if k in b:\n        g()", 0),
        ("for k in list(a):\n    if k in a:\n        a.pop(b)", 0),
        ("for k in sorted(a):\n    if k in a:\n        a.pop(b)", 0),
        (
            "for k in sorted(a, key=b):\n    if k in a:\n        h(k)",
            1,
        ),
        ("c = a\nfor k in a:\n    if k in a:\n        c.pop(b)", 0),
        ("for k, v in a:\n    if k in a:\n        g()", 0),
        ("for k in a.values():\n    if k in a:\n        g()", 0),
        ("for k in a:\n    k = b\n    if k in a:\n        g()", 0),
    ];
    check("a.py", python, &python_cases);
    let script_cases = [
        (
            "for (const k of Object.keys(a)) { if (k in a) { h(); } }",
            1,
        ),
        ("for (const k in a) { if (k in a) { h(); } }", 1),
        ("for (const k of a) { if (k in a) { h(); } }", 0),
    ];
    check("a.ts", script, &script_cases);
}

#[test]
fn several_lengths_decide_together() {
    let cases = [
        (
            "if not a:\n    return\nif len(a) == 1:\n    return\nif len(a) < 2:\n    g()",
            1,
        ),
        ("if len(a) == 1:\n    return\nif len(a) < 2:\n    g()", 0),
        (
            "if len(a) == 0:\n    return\nif len(a) == 1:\n    return\nif len(a) == 2:\n    g()",
            0,
        ),
    ];
    check("a.py", python, &cases);
}

#[test]
fn lists_that_only_grow_stay_filled() {
    let cases = [
        ("c = [a]\nc.append(b)\nif len(c) > 0:\n    g()", 1),
        ("c = [a]\nc.remove(b)\nif len(c) > 0:\n    g()", 0),
        ("c = [a]\nfor d in b:\n    c.append(d)\nif c:\n    g()", 0),
    ];
    check("a.py", python, &cases);
}

#[test]
fn bounds_and_put_keys_answer_questions() {
    let go_cases = [
        (
            "\tif n <= 0 {\n\t\treturn\n\t}\n\tif n != 0 {\n\t\tg()\n\t}",
            1,
        ),
        (
            "\tif n <= 0 {\n\t\treturn\n\t}\n\tif n != 1 {\n\t\tg()\n\t}",
            0,
        ),
    ];
    check("a.go", go, &go_cases);
    let python_cases = [
        ("c = {}\nc[a] = b\nif a not in c:\n    g()", 1),
        ("c = {}\nc[a] = b\na = b\nif a not in c:\n    g()", 0),
        ("c = {}\nc[b] = a\nif a not in c:\n    g()", 0),
        ("c = [0] * 9\nc[a] = b\nif a in c:\n    g()", 0),
        (
            "for c in map(d, a.split()):\n    if c == '':\n        g()",
            0,
        ),
    ];
    check("a.py", python, &python_cases);
    let script_cases = [
        (
            "const c = b.split('x').map(g); if (c.length === 0) { h(); }",
            1,
        ),
        ("const c = b.map(g); if (c.length === 0) { h(); }", 0),
    ];
    check("a.ts", script, &script_cases);
}
