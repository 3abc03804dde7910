//! Conditions whose answer the code around them gives.

mod common;

use common::quoted_in_changes;

/// Asserts how many impossible checks slope reports in each body of a function.
fn check(path: &str, wrap: fn(&str) -> String, cases: &[(&str, usize)]) {
    for &(body, expected) in cases {
        let code = wrap(body);
        let found = quoted_in_changes("impossible-check", &[(path, &code)]);
        assert_eq!(found.len(), expected, "{code}");
    }
}

fn python(body: &str) -> String {
    let body = body.replace('\n', "\n    ");
    format!("def f(a, b):\n    {body}\n")
}

fn script(body: &str) -> String {
    format!("const f = (a, b) => {{ {body} }};\n")
}

fn go(body: &str) -> String {
    format!("package a\n\nfunc f(a string, n uint, b []int) {{\n{body}\n}}\n")
}

fn rust(body: &str) -> String {
    format!("fn f(a: &[u8], n: usize, b: Option<u8>) {{ {body} }}\n")
}

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
fn results_of_calls_answer_conditions() {
    let cases = [
        ("c := strings.Split(a, \",\")\nif len(c) == 0 { g() }", 1),
        ("c := strings.Split(a, b)\nif len(c) == 0 { g() }", 0),
        // The field may be empty.
        ("c := strings.Split(a, b.Sign)\nif len(c) == 0 { g() }", 0),
        (
            "c := strings.SplitN(a, \",\", 2)\nif len(c) == 0 { g() }",
            1,
        ),
        (
            "c := strings.SplitN(a, \",\", n)\nif len(c) == 0 { g() }",
            0,
        ),
        ("c := filepath.Join(a, \"b.c\")\nif c == \"\" { g() }", 1),
        ("c := filepath.Join(a, b)\nif c == \"\" { g() }", 0),
        ("c := fmt.Sprintf(\"b%d\", n)\nif c == \"\" { g() }", 1),
        ("c := fmt.Sprintf(\"%s\", a)\nif c == \"\" { g() }", 0),
        ("c := max(d, 0)\nif c < 0 { g() }", 1),
        ("c := max(d, e)\nif c < 0 { g() }", 0),
        ("c := max(d, 0)\nc -= 2\nif c < 0 { g() }", 0),
    ];
    check("a.go", go, &cases);
    let cases = [
        ("const c = a.split('-'); if (c.length === 0) { g(); }", 1),
        ("const c = a.split(b); if (c.length === 0) { g(); }", 0),
        ("const c = a.split('-', b); if (c.length === 0) { g(); }", 0),
        ("const c = Math.max(a, 0); if (c < 0) { g(); }", 1),
        ("const c = Math.min(a, 0); if (c < 0) { g(); }", 0),
    ];
    check("a.ts", script, &cases);
    let cases = [
        ("let c = format!(\"b{n}\"); if c.is_empty() { g(); }", 1),
        ("let c = format!(\"{n}\"); if c.is_empty() { g(); }", 0),
        (
            "let c: Vec<_> = b.split(',').collect(); if c.is_empty() { g(); }",
            1,
        ),
        (
            "let c: Vec<_> = b.split_whitespace().collect(); if c.is_empty() { g(); }",
            0,
        ),
    ];
    check("a.rs", rust, &cases);
}

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
fn declared_types_answer_conditions() {
    let of_go = |kind: &str| {
        format!(
            "package a\n\nfunc countItems() {kind} {{\n\treturn b\n}}\n\nfunc f() {{\n\tc := countItems()\n\tif c < 0 {{\n\t\tg()\n\t}}\n}}\n"
        )
    };
    let of_script = |kind: &str| {
        format!(
            "class A {{\n  all(): {kind} {{\n    return this.b;\n  }}\n  c() {{\n    const d = this.all();\n    if (d === undefined) {{\n      g();\n    }}\n  }}\n}}\n"
        )
    };
    for (path, code, expected) in [
        ("a.go", of_go("uint"), 1),
        ("a.go", of_go("int"), 0),
        ("a.ts", of_script("Array<B>"), 1),
        ("a.ts", of_script("Array<B> | undefined"), 0),
        ("a.ts", of_script("B"), 0),
    ] {
        let found = quoted_in_changes("impossible-check", &[(path, &code)]);
        assert_eq!(found.len(), expected, "{code}");
    }
}

#[test]
fn namesakes_answer_no_conditions() {
    for (path, code) in [
        (
            "a.py",
            "class A:\n    def find_user(self, key) -> dict:\n        user = self.remote.find_user(key)\n        \
             if user is None:\n            raise KeyError(key)\n        return user\n",
        ),
        (
            "a.py",
            "from b import load_all\n\n\nclass A:\n    def load_all(self) -> dict:\n        all = load_all(self)\n        \
             if all is None:\n            raise KeyError()\n        return all\n",
        ),
        (
            "a.py",
            "def user_name(row) -> str:\n    return row.a\n\n\ndef f(plugin, row):\n    name = plugin.user_name(row)\n    \
             if name is None:\n        return 1\n    return name\n",
        ),
        (
            "a.ts",
            "class A { userTags(id: string): string[] { const tags = db.userTags(id); if (tags === undefined) { g(); } \
             return tags; } }\n",
        ),
        (
            "a.go",
            "package a\n\nfunc (c *Counter) ErrorCount() uint { return c.n }\n\nfunc f(remote I) {\n\t\
             count := remote.ErrorCount()\n\tif count < 0 {\n\t\tg()\n\t}\n}\n",
        ),
        (
            "a.rs",
            "impl A { fn file_size(&self) -> u64 { self.a } }\nfn f(b: &dyn B) { let size = b.file_size(); if size < 0 { \
             g(); } }\n",
        ),
    ] {
        let found = quoted_in_changes("impossible-check", &[(path, code)]);
        assert_eq!(found, [""; 0], "{code}");
    }
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
fn rest_parameters_have_known_types() {
    let cases = [
        (
            "def f(*a):\n    if not isinstance(a, tuple):\n        a = (a,)\n    g(a)\n",
            1,
        ),
        ("def f(**a):\n    if a is not None:\n        g(a)\n", 1),
        (
            "def f(*a):\n    a = h(a)\n    if isinstance(a, tuple):\n        g(a)\n",
            0,
        ),
        ("def f(*a):\n    if isinstance(a, dict):\n        g(a)\n", 0),
        ("def f(a):\n    if isinstance(a, tuple):\n        g(a)\n", 0),
        ("def f(*a):\n    if a:\n        g(a)\n", 0),
    ];
    for (code, expected) in cases {
        let found = quoted_in_changes("impossible-check", &[("a.py", code)]);
        assert_eq!(found.len(), expected, "{code}");
    }
    let scripts = [
        (
            "function f(...a) { if (!Array.isArray(a)) { return; } g(a); }\n",
            1,
        ),
        (
            "function f(a) { if (!Array.isArray(a)) { return; } g(a); }\n",
            0,
        ),
    ];
    for (code, expected) in scripts {
        let found = quoted_in_changes("impossible-check", &[("a.js", code)]);
        assert_eq!(found.len(), expected, "{code}");
    }
}

#[test]
fn parts_of_texts_are_there() {
    let slice = "a = a.lower()\nfor c in b:\n    if a is not None and a.endswith(c):\n        a = a[: -len(c)]";
    let call = slice.replace("a[: -len(c)]", "h(a)");
    check("a.py", python, &[(slice, 1), (&call, 0)]);
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
fn collections_filled_by_inner_functions_change() {
    let cases = [(
        "const c = []; const d = (e) => { c.push(e); }; b.forEach(d); if (c.length > 0) { h(c); }",
        0,
    )];
    check("a.ts", script, &cases);
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
fn results_of_libraries_have_types() {
    let python_cases = [
        ("c = int(a)\nif not isinstance(c, int):\n    g()", 1),
        ("c = int(a)\nif isinstance(c, str):\n    g()", 0),
        ("c = b.Requirement(a)\nif c is None:\n    g()", 0),
        ("for c in a.split():\n    if c == '':\n        g()", 1),
        ("for c in a.split(','):\n    if c == '':\n        g()", 0),
        ("c = a or 'x'\nif not c:\n    g()", 1),
        ("c = a or b\nif not c:\n    g()", 0),
    ];
    check("a.py", python, &python_cases);
    let script_cases = [
        (
            "for (const c of Object.keys(a)) { if (typeof c !== 'string') { h(); } }",
            1,
        ),
        (
            "for (const [c, d] of Object.entries(a)) { if (typeof d !== 'string') { h(); } }",
            0,
        ),
        (
            "const c = a.has(b); if (typeof c !== 'boolean') { h(); }",
            0,
        ),
        (
            "const c = Boolean(b); if (typeof c !== 'boolean') { h(); }",
            1,
        ),
        ("const c = a.length; if (c === undefined) { h(); }", 0),
        ("const c = b || '/'; if (!c) { h(); }", 1),
        ("const c = b ?? '/'; if (!c) { h(); }", 0),
        ("const c = [...a, 1]; if (c.length === 0) { h(); }", 1),
        ("const c = [...a]; if (c.length === 0) { h(); }", 0),
    ];
    check("a.ts", script, &script_cases);
    let go_cases = [(
        "\tfor _, c := range strings.Fields(a) {\n\t\tif c == \"\" {\n\t\t\tg()\n\t\t}\n\t}",
        1,
    )];
    check("a.go", go, &go_cases);
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

#[test]
fn types_that_bodies_contradict_answer_nothing() {
    let user = "\n\ndef g(a):\n    c = f(a)\n    if c is None:\n        return 1\n    return c\n";
    let sound = "def f(a) -> str:\n    return a.b\n";
    let contradicted = "def f(a) -> str:\n    if a:\n        return None\n    return a.b\n";
    let decorated = format!("@safe\n{sound}");
    let own = user.replace("g(a)", "g(f, a)");
    for (definition, user, expected) in [
        (sound, user, 1),
        (contradicted, user, 0),
        (decorated.as_str(), user, 0),
        (sound, own.as_str(), 0),
        ("def f(a) -> str:\n    return a.b.call(a)\n", user, 0),
        (
            "async def f(a) -> str:\n    return await a.run()\n",
            user,
            0,
        ),
        (
            "def f(a) -> str:\n    try:\n        b = a.call()\n    except KeyError:\n        raise\n    return b\n",
            user,
            0,
        ),
        ("def f(a) -> str:\n    return ', '.join(a)\n", user, 1),
        (
            "import json\n\ndef f(a) -> str:\n    return json.dumps(a)\n",
            user,
            1,
        ),
        (
            "import os\n\ndef f(a) -> str:\n    b = os.path.join(a, a)\n    return b\n",
            user,
            1,
        ),
        (
            "def f(a) -> str:\n    b = a.call()\n    b = f'{b}'\n    return b\n",
            user,
            1,
        ),
    ] {
        let code = format!("{definition}{user}");
        let found = quoted_in_changes("impossible-check", &[("a.py", &code)]);
        assert_eq!(found.len(), expected, "{code}");
    }
    let clone = "\tv := append([]int(nil), b...)\n\tif v == nil {\n\t\tg()\n\t}";
    check("a.go", go, &[(clone, 0)]);
}

#[test]
fn many_returned_calls_take_linear_time() {
    let returns =
        (0..20_000).map(|n| format!("    b{n} = a.c()\n    if b{n}:\n        return b{n}\n"));
    let code = format!("def f(a) -> str:\n{}", returns.collect::<String>());
    let start = std::time::Instant::now();
    assert!(quoted_in_changes("impossible-check", &[("a.py", &code)]).is_empty());
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}
