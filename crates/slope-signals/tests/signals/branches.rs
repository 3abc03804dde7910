//! Long chains of comparisons, needless handlers and checks, and tests that check nothing.

use crate::common::quoted_in_changes;

/// How often a signal reports something of a change to one file.
fn count(signal: &str, path: &str, code: &str) -> usize {
    quoted_in_changes(signal, &[(path, code)]).len()
}

/// Ten texts.
const TEXTS: &[&str] = &["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];

/// One branch a text, joined.
fn branches(texts: &[&str], between: &str, branch: &dyn Fn(&str) -> String) -> String {
    let all: Vec<String> = texts.iter().map(|text| branch(text)).collect();
    all.join(between)
}

#[test]
fn eight_text_comparisons_are_a_chain() {
    let chain = |texts: &[&str]| {
        let python = branches(texts, "el", &|t| {
            format!("if a.b == '{t}':\n        return 1\n    ")
        });
        let script = branches(texts, " else ", &|t| {
            format!("if (a === '{t}') {{ return 1; }}")
        });
        let one_line = branches(texts, "\n", &|t| format!("if (a.b === '{t}') return 1;"));
        let go = branches(texts, " else ", &|t| {
            format!("if a == \"{t}\" {{\n\t\treturn 1\n\t}}")
        });
        let rust = branches(texts, " else ", &|t| format!("if a == \"{t}\" {{ 1 }}"));
        let in_row = branches(texts, " ", &|t| format!("if \"{t}\" == a {{ return 1; }}"));
        [
            ("a.py", format!("def f(a):\n    {python}\n    return 2\n")),
            ("a.ts", format!("function f(a) {{ {script} return 2; }}\n")),
            (
                "a.ts",
                format!("function f(a) {{ {one_line} return 2; }}\n"),
            ),
            (
                "a.go",
                format!("package a\n\nfunc f(a string) int {{\n\t{go}\n\treturn 2\n}}\n"),
            ),
            (
                "a.rs",
                format!("fn f(a: &str) -> u8 {{ {rust} else {{ 2 }} }}\n"),
            ),
            ("a.rs", format!("fn f(a: &str) -> u8 {{ {in_row} 2 }}\n")),
        ]
    };
    for (texts, expected) in [(&TEXTS[2..], 1), (&TEXTS[3..], 0)] {
        for (path, code) in chain(texts) {
            assert_eq!(
                count("text-comparison-chain", path, &code),
                expected,
                "{code}"
            );
        }
    }
}

/// A `switch` with one case a text, in four languages.
fn switches(texts: &[&str], value: &dyn Fn(&str) -> String) -> [(&'static str, String); 4] {
    let python = branches(texts, "", &|t| {
        format!("        case '{t}':\n            return {}\n", value(t))
    });
    let script = branches(texts, " ", &|t| format!("case '{t}': return {};", value(t)));
    let go = branches(texts, "", &|t| {
        format!("\tcase \"{t}\":\n\t\treturn {}\n", value(t))
    });
    let rust = branches(texts, ", ", &|t| format!("\"{t}\" => {}", value(t)));
    [
        (
            "a.py",
            format!("def f(a):\n    match a:\n{python}    return 0\n"),
        ),
        (
            "a.ts",
            format!("function f(a) {{ switch (a) {{ {script} }} return 0; }}\n"),
        ),
        (
            "a.go",
            format!(
                "package a\n\nfunc f(a string) int {{\n\tswitch a {{\n{go}\t}}\n\treturn 0\n}}\n"
            ),
        ),
        (
            "a.rs",
            format!("fn f(a: &str) -> u8 {{ match a {{ {rust}, _ => 0 }} }}\n"),
        ),
    ]
}

#[test]
fn text_to_constant_switches_are_chains() {
    for (path, code) in switches(TEXTS, &|t| (t.len() + 1).to_string()) {
        assert_eq!(count("text-comparison-chain", path, &code), 1, "{code}");
    }
    // Rust has no tables of its own, so that fewer are left alone there.
    for (path, code) in switches(&TEXTS[2..], &|_| "1".to_owned()) {
        let expected = usize::from(path != "a.rs");
        assert_eq!(
            count("text-comparison-chain", path, &code),
            expected,
            "{code}"
        );
    }
}

#[test]
fn switches_doing_work_are_excused() {
    let few = switches(&TEXTS[3..], &|_| "1".to_owned());
    let calls = switches(TEXTS, &|t| format!("g(a, \"{t}\")"));
    let computed = switches(TEXTS, &|_| "a + 1".to_owned());
    for (path, code) in few.iter().chain(&calls).chain(&computed) {
        assert_eq!(count("text-comparison-chain", path, code), 0, "{code}");
    }
    let conversion = switches(TEXTS, &|_| "1".to_owned())[3]
        .1
        .replace("fn f", "fn from_str");
    assert_eq!(count("text-comparison-chain", "a.rs", &conversion), 0);
}

#[test]
fn chains_over_different_subjects_are_excused() {
    let many = branches(TEXTS, "el", &|t| {
        format!("if {t} == 'x':\n        return 1\n    ")
    });
    let numbers = branches(
        &["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"],
        "el",
        &|t| format!("if a == {t}:\n        return 1\n    "),
    );
    let parted = branches(TEXTS, "g()\n    ", &|t| {
        format!("if a == '{t}':\n        h()\n    ")
    });
    for body in [many, numbers, parted] {
        let code = format!("def f(a):\n    {body}\n    return 2\n");
        assert_eq!(count("text-comparison-chain", "a.py", &code), 0, "{code}");
    }
}

#[test]
fn try_around_safe_code_is_needless() {
    let python = |body: &str, error: &str| {
        format!(
            "def f(a):\n    try:\n        {body}\n    except {error}:\n        b = None\n    return b\n"
        )
    };
    let script = |body: &str| {
        format!("function f(a) {{ let b; try {{ {body} }} catch (e) {{ b = 1; }} return b; }}\n")
    };
    for (body, expected) in [
        ("b = a", 1),
        ("return a", 1),
        ("b = 'x'", 1),
        ("b = int(a)", 0),
        ("b = a.c", 0),
        ("b = a[0]", 0),
        ("b, c = a", 0),
        ("b = a / 2", 0),
        // Whether the language has that name.
        ("b = unicode", 0),
        ("import b", 0),
    ] {
        assert_eq!(
            count("needless-try", "a.py", &python(body, "ValueError")),
            expected,
            "{body}"
        );
    }
    for (body, expected) in [
        ("b = a;", 1),
        ("return a;", 1),
        ("b = g(a);", 0),
        ("b = a.c;", 0),
    ] {
        assert_eq!(
            count("needless-try", "a.ts", &script(body)),
            expected,
            "{body}"
        );
    }
}

#[test]
fn check_of_new_value_is_impossible() {
    for (path, code, expected) in [
        (
            "a.ts",
            "function f() { const a = []; if (a !== null) { g(a); } }\n",
            1,
        ),
        (
            "a.ts",
            "function f() { const a = new B(); if (a === undefined) { g(a); } }\n",
            1,
        ),
        (
            "a.ts",
            "function f() { const a = b(); if (a === undefined) { g(a); } }\n",
            0,
        ),
        (
            "a.ts",
            "function f() { let a = []; a = b(); if (a === null) { g(a); } }\n",
            0,
        ),
        (
            "a.go",
            "package a\n\nfunc f() {\n\ta := &B{}\n\tif a == nil {\n\t\tg(a)\n\t}\n}\n",
            1,
        ),
        (
            "a.go",
            "package a\n\nfunc f() {\n\ta := make([]int, 1)\n\tif a != nil {\n\t\tg(a)\n\t}\n}\n",
            1,
        ),
        (
            "a.go",
            "package a\n\nfunc f() {\n\ta := b()\n\tif a == nil {\n\t\tg(a)\n\t}\n}\n",
            0,
        ),
        (
            "a.rs",
            "fn f() { let a = Some(1); if a.is_none() { g(a); } }\n",
            1,
        ),
        (
            "a.rs",
            "fn f() { let a = b(); if a.is_none() { g(a); } }\n",
            0,
        ),
        ("a.py", "def f(a):\n    if a.b == a.b:\n        g()\n", 1),
        ("a.py", "def f(a):\n    if a != a:\n        g()\n", 0),
        ("a.py", "def f(a):\n    if a() == a():\n        g()\n", 0),
    ] {
        assert_eq!(count("impossible-check", path, code), expected, "{code}");
    }
}

#[test]
fn values_are_known_across_comments() {
    for (path, code, expected) in [
        (
            "a.ts",
            "function f() { const a = new B();\n// It has to be there.\nif (a === undefined || a === null) { g(a); } }\n",
            1,
        ),
        (
            "a.ts",
            "function f() { const a = new B(); if (a === undefined || c === null) { g(a); } }\n",
            1,
        ),
        (
            "a.rs",
            "fn f() { let a = Vec::new();\n// None yet.\nif !a.is_empty() { g(a); } }\n",
            1,
        ),
        (
            "a.rs",
            "fn f() { let a = b(); if !a.is_empty() { g(a); } }\n",
            0,
        ),
        (
            "a_test.go",
            "package a\n\nfunc TestF(t *testing.T) {\n\ta := f()\n\tif a != a {\n\t\tt.Fail()\n\t}\n}\n",
            1,
        ),
        (
            "a.go",
            "package a\n\nfunc isNumber(a float64) bool {\n\tif a != a {\n\t\treturn false\n\t}\n\treturn true\n}\n",
            0,
        ),
    ] {
        assert_eq!(count("impossible-check", path, code), expected, "{code}");
    }
}

#[test]
fn equality_tests_may_compare_with_itself() {
    let signal = "assertion-cannot-fail";
    let code = |name: &str| format!("def {name}():\n    a = f()\n    assert a == a\n");
    let of = |name: &str| count(signal, "tests/test_a.py", &code(name));
    assert_eq!(of("test_sum"), 1);
    for name in ["test_eq", "test_comparison", "test_hash_and_equality"] {
        assert_eq!(of(name), 0, "{name}");
    }
}

#[test]
fn always_true_assertions_are_reported() {
    let signal = "assertion-cannot-fail";
    for (assertion, expected) in [
        ("assert True", 1),
        ("assert a == a", 1),
        ("assert 1 == 1, 'x'", 1),
        ("self.assertTrue(True)", 1),
        ("self.assertEqual(a.b, a.b)", 1),
        ("assert a", 0),
        ("assert False, 'not here'", 0),
        ("assert a() == a()", 0),
        ("assert a == b", 0),
        ("self.assertEqual(a(), a())", 0),
    ] {
        let code = format!("def test_x(self):\n    {assertion}\n");
        assert_eq!(count(signal, "test_a.py", &code), expected, "{code}");
    }
    for (assertion, expected) in [
        ("expect(true).toBe(true)", 1),
        ("expect(a.b).toEqual(a.b)", 1),
        ("expect(true).toBeTruthy()", 1),
        ("assert.ok(true)", 1),
        ("expect(a).toBe(b)", 0),
        ("expect(f(a)).toEqual(f(a))", 0),
        ("expect(a).not.toBe(a)", 0),
        ("expect(a).toBeTruthy()", 0),
        ("ok(true)", 0),
    ] {
        let code = format!("it('x', () => {{ {assertion}; }});\n");
        assert_eq!(count(signal, "a.test.ts", &code), expected, "{code}");
    }
    for (assertion, expected) in [
        ("assert.True(t, true)", 1),
        ("require.Equal(t, a, a)", 1),
        ("assert.True(t, a)", 0),
        ("assert.Equal(t, a(), a())", 0),
        ("assert.Equal(t, a, b)", 0),
    ] {
        let code = format!("package a\n\nfunc TestX(t *testing.T) {{\n\t{assertion}\n}}\n");
        assert_eq!(count(signal, "a_test.go", &code), expected, "{code}");
    }
    for (assertion, expected) in [
        ("assert!(true)", 1),
        ("assert!(true, \"x\")", 1),
        ("assert_eq!(a, a)", 1),
        ("assert!(1 == 1)", 1),
        ("assert!(a)", 0),
        ("assert_eq!(a(), a())", 0),
        ("assert_eq!(a, b)", 0),
    ] {
        let code = format!("#[test]\nfn x() {{ {assertion}; }}\n");
        assert_eq!(count(signal, "src/a.rs", &code), expected, "{code}");
    }
}

#[test]
fn python_tests_without_checks_are_vacuous() {
    let signal = "vacuous-test";
    let python = |name: &str, body: &str| format!("def {name}():\n    {body}\n");
    for (name, body, expected) in [
        ("test_sum", "a = f(1)\n    print(a)", 1),
        ("test_sum", "a = f(1)\n    b = g(a)", 1),
        ("test_sum", "a = f(1)\n    assert a", 0),
        ("test_sum", "f(1)", 0),
        ("test_sum", "a = f(1)\n    check_sum(a)", 0),
        ("test_sum", "with raises(E):\n        a = f(1)", 0),
        ("test_does_not_crash", "a = f(1)", 0),
        ("test_sum", "pass", 0),
    ] {
        let code = python(name, body);
        assert_eq!(count(signal, "tests/test_a.py", &code), expected, "{code}");
        assert_eq!(count(signal, "src/a.py", &code), 0, "no test: {code}");
    }
}

#[test]
fn tests_without_checks_are_vacuous() {
    let signal = "vacuous-test";
    for (path, code, expected) in [
        (
            "a.test.ts",
            "it('sums', () => { const a = f(1); console.log(a); });\n",
            1,
        ),
        (
            "a.test.ts",
            "it('sums', () => { const a = f(1); expect(a).toBe(1); });\n",
            0,
        ),
        (
            "a.test.ts",
            "it('sums', () => { const a: B = f(1); });\n",
            0,
        ),
        ("a.test.ts", "it('sums', () => { f(1); });\n", 0),
        (
            "a_test.go",
            "package a\n\nfunc TestX(t *testing.T) {\n\ta := f(1)\n\tt.Log(a)\n}\n",
            1,
        ),
        (
            "a_test.go",
            "package a\n\nfunc TestX(t *testing.T) {\n\ta := f(1)\n\tcheckA(t, a)\n}\n",
            0,
        ),
        (
            "src/a.rs",
            "#[test]\nfn sums() { let a = f(1); println!(\"{a}\"); }\n",
            1,
        ),
        (
            "src/a.rs",
            "#[test]\nfn sums() { let a = f(1).unwrap(); }\n",
            0,
        ),
        (
            "src/a.rs",
            "#[test]\n#[should_panic]\nfn sums() { let a = f(1); }\n",
            0,
        ),
        ("src/a.rs", "fn sums() { let a = f(1); }\n", 0),
    ] {
        assert_eq!(count(signal, path, code), expected, "{code}");
    }
}

#[test]
fn joined_text_comparisons_are_a_chain() {
    let joined = |texts: &[&str], sign: &str, equal: &str| {
        branches(texts, sign, &|t| format!("a {equal} \"{t}\""))
    };
    for (texts, expected) in [(&TEXTS[2..], 1), (&TEXTS[3..], 0)] {
        let either = joined(texts, " || ", "==");
        let neither = joined(texts, " && ", "!=");
        for (path, code) in [
            (
                "a.py",
                format!("def f(a):\n    return {}\n", joined(texts, " or ", "==")),
            ),
            (
                "a.py",
                format!(
                    "def f(a):\n    if ({}):\n        g()\n",
                    joined(texts, " and ", "!=")
                ),
            ),
            (
                "a.ts",
                format!(
                    "const f = (a: string) => {};\n",
                    joined(texts, " || ", "===")
                ),
            ),
            (
                "a.ts",
                format!("function f(a) {{ if ({neither}) {{ g(); }} }}\n"),
            ),
            (
                "a.go",
                format!("package a\n\nfunc f(a string) bool {{\n\treturn {either}\n}}\n"),
            ),
            ("a.rs", format!("fn f(a: &str) -> bool {{ {either} }}\n")),
        ] {
            assert_eq!(
                count("text-comparison-chain", path, &code),
                expected,
                "{code}"
            );
        }
    }
    let mixed = joined(TEXTS, " && ", "==");
    let code = format!("def f(a):\n    return {}\n", mixed.replace("&&", "and"));
    assert_eq!(count("text-comparison-chain", "a.py", &code), 0, "{code}");
}

#[test]
fn values_from_earlier_lines_are_known() {
    for (code, expected) in [
        (
            "const a = new Map(); g(); if (!(a instanceof Map)) { h(); }",
            1,
        ),
        (
            "const a = new Map<B, C>(); if (a instanceof Map) { h(a); }",
            1,
        ),
        ("const a = new Map(); if (a instanceof Set) { h(a); }", 0),
        (
            "const a = new B(); g(a); h(); if (a !== null && a !== undefined) { h(a); }",
            1,
        ),
        (
            "let a = new B(); g(); a = h(); if (a !== null) { h(a); }",
            0,
        ),
        (
            "let a = new B(); for (const b of c) { a = b; } if (a !== null) { h(a); }",
            0,
        ),
    ] {
        let code = format!("function f() {{ {code} }}\n");
        assert_eq!(count("impossible-check", "a.ts", &code), expected, "{code}");
    }
}

#[test]
fn lengths_are_never_below_zero() {
    for (path, code, expected) in [
        ("a.rs", "fn f(a: &str) { if a.len() >= 0 { g(); } }\n", 1),
        ("a.rs", "fn f(a: &str) { if a.len() > 0 { g(); } }\n", 0),
        (
            "a.go",
            "package a\n\nfunc f(a string) bool {\n\treturn len(a) < 0\n}\n",
            1,
        ),
        ("a.py", "def f(a):\n    return len(a) >= 0\n", 1),
        ("a.py", "def f(a):\n    return len(a) >= 0.5\n", 0),
        ("a.ts", "const f = (a: string[]) => a.length >= 0;\n", 1),
        ("a.ts", "const f = (a: B) => a.size >= 0;\n", 0),
    ] {
        assert_eq!(count("impossible-check", path, code), expected, "{code}");
    }
}

#[test]
fn guards_inform_later_checks() {
    let go = |between: &str| {
        format!(
            "package a\n\nfunc f() error {{\n\tb, err := g()\n\tif err != nil {{\n\t\treturn err\n\t}}\n\t{between}\n\tif err \
             != nil {{\n\t\treturn err\n\t}}\n\treturn h(b)\n}}\n"
        )
    };
    for (between, expected) in [
        ("c := i(b)", 1),
        ("c, err := i(b)", 0),
        ("err = i(b)", 0),
        ("i(&err)", 0),
        ("defer func() { err = i(b) }()", 0),
    ] {
        let code = go(between);
        assert_eq!(count("impossible-check", "a.go", &code), expected, "{code}");
    }
    for (guard, expected) in [
        ("if (!a) { return; }", 1),
        ("if (!a) { g(); }", 0),
        ("if (!a) { return; } else { a = b; }", 0),
        ("if (!c) { return; }", 0),
    ] {
        let code = format!("function f(a, c) {{ {guard} h(); if (!a) {{ return 1; }} }}\n");
        assert_eq!(count("impossible-check", "a.ts", &code), expected, "{code}");
    }
    let changed = "function f() { let a = g(); const h = () => { a = 1; }; if (!a) { return; } h(); if (!a) { return 1; } }\n";
    assert_eq!(count("impossible-check", "a.ts", changed), 0);
}

#[test]
fn text_comparing_calls_are_a_chain() {
    let rust = branches(TEXTS, " else ", &|t| {
        format!("if a.eq_ignore_ascii_case(\"{t}\") {{ 1 }}")
    });
    let go = branches(TEXTS, " else ", &|t| {
        format!("if strings.EqualFold(a, \"{t}\") {{\n\t\treturn 1\n\t}}")
    });
    let rust = format!("fn f(a: &str) -> u8 {{ {rust} else {{ 2 }} }}\n");
    let go = format!("package a\n\nfunc f(a string) int {{\n\t{go}\n\treturn 2\n}}\n");
    assert_eq!(count("text-comparison-chain", "a.rs", &rust), 1, "{rust}");
    assert_eq!(count("text-comparison-chain", "a.go", &go), 1, "{go}");
}
