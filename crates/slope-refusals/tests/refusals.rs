//! Code that a language refuses, and code that it takes.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use slope_refusals::{Refusal, refusals};
use slope_syntax::{Language, Limits, parse};

fn found(language: &str, bytes: &[u8]) -> Vec<Refusal> {
    let language = Language::by_id(language).unwrap();
    refusals(&parse(language, bytes, &Limits::default()).unwrap())
}

#[track_caller]
fn refused(language: &str, line: u32, code: &str) {
    let found = found(language, code.as_bytes());
    assert_eq!(
        found.first().map(|first| first.line),
        Some(line),
        "{code}: {found:?}"
    );
}

#[track_caller]
fn taken(language: &str, code: &str) {
    assert_eq!(found(language, code.as_bytes()), [], "{code}");
}

#[test]
fn refused_python_matches_cpython() {
    for (line, code) in [
        (2, "def f():\nreturn 1\n"),
        (3, "def f():\n        x = 1\n    return x\n"),
        (3, "def f(x):\n\tif x:\n        return 1\n"),
        (1, "print 'a'\n"),
        (1, "return 1\n"),
        (1, "x = yield 1\n"),
        (1, "await x\n"),
        (2, "if x:\n    break\n"),
        (3, "for x in y:\n    def f():\n        continue\n"),
        (2, "def f(x):\n    global x\n"),
        (2, "def f():\n    x = 1\n    global x\n"),
        (1, "def f(a, a):\n    pass\n"),
        (2, "def f():\n    await g()\n"),
        (2, "def f():\n    nonlocal x\n"),
        (2, "class A:\n    return 1\n"),
        (
            3,
            "try:\n    pass\nexcept:\n    pass\nexcept A:\n    pass\n",
        ),
        (1, "x = 08\n"),
        (1, "f() = 1\n"),
    ] {
        refused("python", line, code);
    }
    let latin = found("python", b"a = 1\nx = '\xe9'\n");
    assert_eq!(latin.first().map(|first| first.line), Some(2));
}

#[test]
fn new_python_syntax_is_accepted() {
    for code in [
        "try:\n    pass\nexcept A, B:\n    pass\n",
        "x = t'{a}'\ntype X[T = int] = list[T]\n",
        "x = f'{a!r:>{w}} {'b'}'\n",
        "async def f():\n    return [x async for x in y if await z]\n",
        "def f():\n    x = 1\n    def g():\n        nonlocal x\n        x = 2\n",
        "for x in y:\n    break\nelse:\n    pass\n",
        "class A:\n    def f(self):\n        def g():\n            nonlocal __class__\n",
        "if x:\n\ty = 1\n\tif z:\n\t    y = 2\n",
        "#!/usr/bin/env python2\nprint 'a'\n",
        "# coding: latin-1\nx = 1\n",
        "{% if x %}\ny = 1\n{% endif %}\n",
    ] {
        taken("python", code);
    }
    assert_eq!(found("python", b"# coding: latin-1\nx = '\xe9'\n"), []);
}

#[test]
fn invalid_scripts_are_refused() {
    for code in [
        "const a;",
        "let x; let x;",
        "function f() { await g(); }",
        "import a from 'a';\nreturn 1;",
        "class A { m() { this.#b; } }",
        "while (1) { function f() { break; } }",
        "const { a, a } = b;",
        "x++ = 1;",
    ] {
        assert_ne!(found("javascript", code.as_bytes()), [], "{code}");
        assert_ne!(found("typescript", code.as_bytes()), [], "{code}");
    }
    for code in [
        "const a = <b>1</c>;",
        "const a = <A.B>1</A.C>;",
        "const a = <b c={1}>{1}</d>;",
    ] {
        refused("tsx", 1, code);
        refused("javascript", 1, code);
    }
}

#[test]
fn valid_script_forms_are_accepted() {
    for code in [
        "if (x) { return; }\nmodule.exports = 1;",
        "await f();\nexport {};",
        "with (a) { b; }",
        "// @flow\nfunction f(x: number) { }",
        "export { a } from './a' with { type: 'json' };",
    ] {
        taken("javascript", code);
    }
    for code in [
        "export const a: string;\nexport function f(x: number): void;",
        "declare const a: number;\nfunction f(x: 1): void;\nfunction f(x: 2): void;\nfunction f(x: any) {}",
        "class A { accessor x = 1; }\nenum E { A }\nnamespace E { export const b = 1; }",
    ] {
        taken("typescript", code);
    }
}

#[test]
fn invalid_compiled_code_is_refused() {
    for (language, line, code) in [
        ("go", 1, "func f() {}\n"),
        ("go", 3, "package p\nfunc f() {}\nimport \"a\"\n"),
        ("go", 2, "package p\nx := 1\n"),
        ("go", 3, "package p\nfunc f()\n{\n}\n"),
        (
            "go",
            2,
            "package p\nfunc f() { for { func() { break }() } }\n",
        ),
        ("go", 2, "package p\nfunc f(a int, a string) {}\n"),
        ("go", 2, "package p\nfunc f() { 1 + 2 }\n"),
        ("java", 2, "class A {}\nimport a.B;\n"),
        ("java", 2, "class A {}\nx = 1;\n"),
        ("java", 1, "class A { f() { } }\n"),
        ("java", 1, "class A { void f(); }\n"),
        ("java", 1, "class A { void f() { break; } }\n"),
        ("java", 1, "class A { void f() { int x; int x; } }\n"),
        ("java", 1, "class A { public public int x; }\n"),
        ("java", 1, "class A { void f() { x + 1; } }\n"),
        ("java", 1, "class A { void f() { int class = 1; } }\n"),
        ("java", 1, "interface I { void f() { } }\n"),
        ("csharp", 2, "class A { }\nusing System;\n"),
        ("csharp", 1, "class A { if (x) {} }\n"),
        ("csharp", 1, "class A { F() { } }\n"),
        ("csharp", 1, "class A { void F(); }\n"),
        ("csharp", 1, "class A { void F() { x = ; } }\n"),
        ("csharp", 1, "class A { void F() { try { } } }\n"),
        ("csharp", 1, "class A { void F(int a, int a) { } }\n"),
        ("csharp", 1, "namespace A; namespace B; class C {}\n"),
        ("rust", 1, "let x = 1;\n"),
        ("rust", 1, "fn f();\n"),
        ("rust", 1, "fn f(a) {}\n"),
        ("rust", 1, "fn f() { break; }\n"),
        ("rust", 1, "fn f() { a < b < c; }\n"),
        ("rust", 1, "fn f() { x.await; }\n"),
        ("rust", 1, "fn f(a: u8, a: u8) {}\n"),
        ("rust", 1, "impl A { fn f(a: u8, self) {} }\n"),
    ] {
        refused(language, line, code);
    }
}

#[test]
fn valid_compiled_code_is_accepted() {
    for (language, code) in [
        (
            "go",
            "// Package p.\npackage p\n\nimport \"a\"\n\nfunc f(a, b int, _ string, _ int)\n",
        ),
        (
            "go",
            "package p\nfunc f() { select { case <-c: break }; for range 3 { continue } }\n",
        ),
        ("go", "package p\nconst (\n\tA = iota\n\tB\n)\n"),
        ("java", "int x = 1;\nvoid main() { g(); }\n"),
        (
            "java",
            "class A { A(int x) { f(); super(x); } int f(int y) { return switch (y) { case 1 -> 2; default -> { break; } }; } }\n",
        ),
        (
            "java",
            "class A { void f(Object o) { switch (o) { case P(int x, _) -> g(x); default -> { } } } native void h(); }\n",
        ),
        (
            "java",
            "enum E { A { void f() { } }; abstract void f(); }\ninterface I { default void f() { } private int g() { return 1; } }\n",
        ),
        (
            "csharp",
            "using System;\nConsole.WriteLine(1);\nclass A { public A() { } static A() { } partial void F(); extern void G(); }\n",
        ),
        (
            "csharp",
            "static class E { extension(string s) { public int F() { return 1; } } }\n",
        ),
        (
            "csharp",
            "interface I { void F(); }\nabstract class A { protected abstract void F(); }\n",
        ),
        (
            "rust",
            "trait T { fn f(&self); const X: u8; }\nextern \"C\" { fn g(); static Y: u8; }\n",
        ),
        (
            "rust",
            "#[a]\nfn f();\n#[b]\nfn g() { x.await; }\nfoo! { let x = 1; }\nbar!(y);\n",
        ),
        (
            "rust",
            "fn f() { let g = async || x.await; loop { break; } 'a: { break 'a; } }\n",
        ),
        ("rust", "async fn f() { (a < b) == (c < d); x.await; }\n"),
    ] {
        taken(language, code);
    }
}

#[test]
fn deeply_nested_code_is_checked() {
    let code = format!("x = {}1{}\nreturn\n", "(".repeat(150), ")".repeat(150));
    refused("python", 2, &code);
    let code = format!("let x = {}1{}; let x;\n", "[".repeat(400), "]".repeat(400));
    refused("javascript", 1, &code);
}
