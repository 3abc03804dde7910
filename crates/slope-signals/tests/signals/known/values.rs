//! Values that the code above gives.

use super::{check, go, python, rust, script};

#[test]
fn python_values_decide_conditions() {
    let cases = [
        ("a = str(a)\nif isinstance(a, str):\n    g()", 1),
        ("a = str(a)\nif isinstance(a, bytes):\n    g()", 0),
        (
            "c = [d for d in a]\nif not isinstance(c, list):\n    g()",
            1,
        ),
        (
            "c = {'d': a}\nc = g(c)\nif isinstance(c, dict):\n    g()",
            0,
        ),
        ("ok = True\nif ok:\n    g()", 1),
        ("ok = True\nfor c in a:\n    ok = False\nif ok:\n    g()", 0),
        (
            "ok = True\nfor c in a:\n    if ok:\n        g()\n    ok = False",
            0,
        ),
        ("c = f'{a} d'\nif c == '':\n    g()", 1),
        ("c = f'{a}{b}'\nif c == '':\n    g()", 0),
    ];
    check("a.py", python, &cases);
}

#[test]
fn script_values_decide_conditions() {
    let cases = [
        ("const c = a.map(g); if (!c) { h(); }", 1),
        ("const c = a?.map(g); if (!c) { h(); }", 0),
        ("const c = `${a} d`; if (typeof c !== 'string') { h(); }", 1),
        ("const c = { d: a }; return c?.d;", 1),
        ("const c = g(a); return c?.d;", 0),
        ("return String(a) ?? b;", 1),
        ("return a ?? b;", 0),
        ("const c = [...a]; if (Array.isArray(c)) { h(); }", 1),
        (
            "let c; g(() => { c = 1; }); if (c === undefined) { h(); }",
            0,
        ),
        ("let c = false; g(() => { c = true; }); if (c) { h(); }", 0),
    ];
    check("a.ts", script, &cases);
}

#[test]
fn go_values_decide_conditions() {
    let cases = [
        ("var err error\nif err != nil {\n\tg()\n}", 1),
        (
            "var err error\nc, err := g()\nif err != nil {\n\th(c)\n}",
            0,
        ),
        ("ok := true\nif !ok {\n\tg()\n}", 1),
        ("ok := true\ng(&ok)\nif !ok {\n\tg()\n}", 0),
        ("c := fmt.Sprintf(\"%s d\", a)\nif c == \"\" {\n\tg()\n}", 1),
        ("c := fmt.Sprintf(\"%s\", a)\nif c == \"\" {\n\tg()\n}", 0),
        (
            "c := make([]int, 0)\nc = append(c, 1)\nif c == nil {\n\tg()\n}",
            1,
        ),
        ("c := make([]int, 0)\nc = d()\nif c == nil {\n\tg()\n}", 0),
        ("if n < 0 {\n\tg()\n}", 1),
        ("if a < 0 {\n\tg()\n}", 0),
    ];
    check("a.go", go, &cases);
}

#[test]
fn rust_values_decide_conditions() {
    let cases = [
        ("let c = Some(n); if let Some(d) = c { g(d); }", 1),
        (
            "let mut c = Some(n); c.take(); if let Some(d) = c { g(d); }",
            0,
        ),
        ("let c = Some(n); if let Some(3) = c { g(); }", 0),
        (
            "let c: Result<u8, D> = Ok(1); match c { Ok(d) => g(d), Err(_) => h() }",
            1,
        ),
        ("let c = g(); match c { Ok(d) => g(d), Err(_) => h() }", 0),
        ("let c = Some(n); g(c.unwrap_or(0));", 1),
        ("g(b.unwrap_or(0));", 0),
        ("let c = format!(\"{n} d\"); if c.is_empty() { g(); }", 1),
        ("let c = vec![n]; if c.is_empty() { g(); }", 1),
        (
            "let mut c = vec![n]; c.clear(); if c.is_empty() { g(); }",
            0,
        ),
        ("if n >= 0 { g(); }", 1),
        ("let n = g(); if n >= 0 { g(); }", 0),
    ];
    check("a.rs", rust, &cases);
}

#[test]
fn python_instances_are_never_none() {
    let cases = [
        ("c = Path(a)\nif c is None:\n    g()", 1),
        ("c = Path(a).absolute()\nif c is None:\n    g()", 1),
        ("c = Path(a)\nif not isinstance(c, Path):\n    g()", 1),
        ("c = Path(a)\nif not isinstance(c, Other):\n    g()", 0),
        ("c = Path(a)\nif not c:\n    g()", 0),
        ("c = find(a)\nif c is None:\n    g()", 0),
        ("c = CACHE(a)\nif c is None:\n    g()", 0),
        (
            "if (c := g(a)) is None:\n    return\nif c is None:\n    h()",
            1,
        ),
        (
            "if (c := g(a)) is None:\n    return\nc = h()\nif c is None:\n    h()",
            0,
        ),
    ];
    check("a.py", python, &cases);
}

#[test]
fn questions_of_methods_are_answered_once() {
    let go_cases = [
        (
            "\tif !b.IsDir() {\n\t\treturn\n\t}\n\tif b.IsDir() && n > 2 {\n\t\tg()\n\t}",
            1,
        ),
        (
            "\tif !b.IsDir() {\n\t\treturn\n\t}\n\tg()\n\tif b.IsDir() && n > 2 {\n\t\tg()\n\t}",
            0,
        ),
        (
            "\tif b.IsOpen() {\n\t\t<-done\n\t\tif b.IsOpen() {\n\t\t\tg()\n\t\t}\n\t}",
            0,
        ),
        (
            "\tif !b.Next() {\n\t\treturn\n\t}\n\tif b.Next() {\n\t\tg()\n\t}",
            0,
        ),
    ];
    check("a.go", go, &go_cases);
}

#[test]
fn parts_of_texts_are_there() {
    let slice = "a = a.lower()\nfor c in b:\n    if a is not None and a.endswith(c):\n        a = a[: -len(c)]";
    let call = slice.replace("a[: -len(c)]", "h(a)");
    check("a.py", python, &[(slice, 1), (&call, 0)]);
}
