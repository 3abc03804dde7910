//! Types that declarations and calls give.

use super::{check, go, python, rust, script};
use crate::common::quoted_in_changes;

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
