//! Parameters that a change adds and nothing reads, and imports of Rust.

use crate::common::quoted_in_changes;

/// Names of the functions with unused parameters that are reported in a change to one file.
fn unused(path: &str, code: &str) -> Vec<String> {
    quoted_in_changes("unused-parameter", &[(path, code)])
}

#[test]
fn functions_that_ignore_parameters_are_reported() {
    for (path, code) in [
        (
            "a.py",
            "def f(a, unit):\n    b = g(a)\n    return b\n\nx = f(1, 2)\n",
        ),
        (
            "a.py",
            "class A:\n    def f(self, unit):\n        b = g(self)\n        return b\n\nx = A().f(2)\n",
        ),
        (
            "a.ts",
            "function f(a: number, unit = 1) { return g(a); }\nf(1, 2);\n",
        ),
        ("a.ts", "const f = (a, unit) => g(a);\nf(1, 2);\n"),
        (
            "a.ts",
            "class A {\n  private f(unit: string) { return g(this.a); }\n  h() { this.f('a'); }\n}\n",
        ),
        (
            "a.go",
            "package a\n\nfunc f(a, unit int) int { return g(a) }\n\nvar x = f(1, 2)\n",
        ),
        (
            "a.go",
            "package a\n\nfunc (t T) f(unit int) int { return t.a }\n\nfunc G(t T) { t.f(1) }\n",
        ),
        (
            "a.rs",
            "fn f(a: u8, unit: u8) -> u8 { g(a) }\n\npub fn h() -> u8 { f(1, 2) }\n",
        ),
        (
            "a.rs",
            "impl A {\n    pub fn f(&self, unit: u8) -> u8 { self.a }\n}\npub fn h(a: A) { a.f(1); }\n",
        ),
        (
            "a.rs",
            "fn f(a: u8, unit: u8) -> u8 { g(a) }\n\npub fn h() { assert!(f(1, 2) == 3); }\n",
        ),
        // The name of a test.
        (
            "a.ts",
            "function f(a, unit) { return g(a); }\nf(1, 2);\ndescribe('f', () => { h(); });\n",
        ),
        // A local of the same name elsewhere is not a use of it as a value.
        (
            "a.go",
            "package a\n\nfunc f(unit int) int { return g(a) }\n\nvar x = f(1)\n\n\
             func h() int {\n\tf, err := k()\n\treturn f + err\n}\n",
        ),
    ] {
        assert_eq!(unused(path, code), ["f"], "{code}");
    }
}

fn none_unused(cases: &[(&str, &str)]) {
    for (path, code) in cases {
        assert_eq!(unused(path, code), [""; 0], "{code}");
    }
}

#[test]
fn used_parameters_are_not_reported() {
    none_unused(&[
        ("a.ts", "function f(unit) { return { unit }; }\nf(1);\n"),
        ("a.ts", "function f(unit) { return g(arguments); }\nf(1);\n"),
        (
            "a.rs",
            "fn f(unit: u8) { println!(\"{unit}\"); }\npub fn h() { f(1); }\n",
        ),
        (
            "a.rs",
            "fn f(a: f64, unit: usize) { println!(\"{a:.unit$}\"); }\npub fn h() { f(1.0, 2); }\n",
        ),
        (
            "a.rs",
            "fn f(a: f64, unit: usize) { println!(\"{a:0unit$}\"); }\npub fn h() { f(1.0, 2); }\n",
        ),
        (
            "a.rs",
            "fn f(unit: u8) { log!(a, unit); }\npub fn h() { f(1); }\n",
        ),
        (
            "a.go",
            "package a\n\nfunc f(unit int) { g(func() { h(unit) }) }\n\nvar x = f(1)\n",
        ),
        // Named as unused, or said to be.
        (
            "a.rs",
            "fn f(_unit: u8) -> u8 { g() }\npub fn h() { f(1); }\n",
        ),
        (
            "a.ts",
            "// eslint-disable-next-line no-unused-vars\nfunction f(unit) { return g(a); }\nf(1);\n",
        ),
    ]);
}

#[test]
fn parameters_of_passed_functions_are_excused() {
    none_unused(&[
        (
            "a.ts",
            "function f(unit) { return g(a); }\nf(1);\nh.on('x', f);\n",
        ),
        (
            "a.go",
            "package a\n\nfunc f(unit int) { g(a) }\n\nvar x = h(f)\n\nvar y = f(1)\n",
        ),
        (
            "a.rs",
            "fn f(unit: u8) -> u8 { g() }\npub fn h() { f(1); b.map(f); }\n",
        ),
    ]);
}

#[test]
fn interface_parameters_are_excused() {
    none_unused(&[
        (
            "a.go",
            "package a\n\nfunc (t T) F(unit int) int { return t.a }\n\nfunc G(t T) { t.F(1) }\n",
        ),
        (
            "a.go",
            "package a\n\nfunc (t T) f(unit int) int { return t.a }\n\nfunc G(t T) { t.f(1) }\n\n\
             type I interface{ f(int) int }\n",
        ),
        (
            "a.rs",
            "impl B for A {\n    fn f(&self, unit: u8) -> u8 { self.a }\n}\npub fn h(a: A) { a.f(1); }\n",
        ),
        (
            "a.ts",
            "class A implements B {\n  private f(unit) { return g(this.a); }\n  h() { this.f(1); }\n}\n",
        ),
        (
            "a.ts",
            "class A {\n  f(unit) { return g(this.a); }\n  h() { this.f(1); }\n}\n",
        ),
        (
            "a.py",
            "import b\n\nclass A(b.C):\n    def f(self, unit):\n        b = g(self)\n        return b\n\nx = A().f(2)\n",
        ),
        (
            "a.rs",
            "trait B {\n    fn f(&self, unit: u8) -> u8 { self.a() }\n}\npub fn h(a: A) { a.f(1); }\n",
        ),
    ]);
}

#[test]
fn parameters_in_patterns_count_as_used() {
    none_unused(&[
        (
            "a.rs",
            "fn f(unit: bool) -> u8 { match g() { 1 if unit => 2, _ => 3 } }\npub fn h() { f(true); }\n",
        ),
        (
            "a.rs",
            "fn f(unit: usize) { println!(\"{a:.unit$}\"); }\npub fn h() { f(1); }\n",
        ),
        (
            "a.rs",
            "fn f(unit: usize) { let _ = unit; g(); }\npub fn h() { f(1); }\n",
        ),
        (
            "a.rs",
            "fn f(r#type: u8) -> String { format!(\"{type}\") }\npub fn h() { f(1); }\n",
        ),
    ]);
}

#[test]
fn placeholder_function_parameters_are_excused() {
    none_unused(&[
        (
            "a.ts",
            "function f(unit) { throw new Error('later'); }\nf(1);\n",
        ),
        (
            "a.go",
            "package a\n\nfunc f(unit int) error { return nil }\n\nvar x = f(1)\n",
        ),
        ("a.rs", "fn f(unit: u8) { todo!() }\npub fn h() { f(1); }\n"),
        (
            "a.rs",
            "#[tauri::command]\nfn f(unit: u8) -> u8 { g() }\npub fn h() { f(1); }\n",
        ),
    ]);
}

#[test]
fn unused_rust_imports_are_reported() {
    let unused = |code: &str| quoted_in_changes("unused-import", &[("src/a.rs", code)]);
    for (code, names) in [
        ("use std::fs;\npub fn f() {}\n", &["fs"][..]),
        (
            "use std::collections::{BTreeMap, HashMap};\npub fn f(a: BTreeMap) {}\n",
            &["HashMap"],
        ),
        ("use std::fmt::{self, Write};\npub fn f() {}\n", &["fmt"]),
        ("use a::b as c;\npub fn f() { b(); }\n", &["c"]),
        (
            "use a::helper;\npub fn f() { a.g(\"helper of f\"); }\n",
            &["helper"],
        ),
        // Perhaps a trait.
        ("use a::Helper;\npub fn f() { a.g(); }\n", &[]),
        ("pub use a::helper;\n", &[]),
        ("use a::*;\n", &[]),
        ("use a::HashMap;\npub fn f() {}\n", &[]),
        ("use a::main;\n", &[]),
        ("use crate as a;\n", &[]),
        ("use a::B as _;\n", &[]),
        ("#[cfg(test)]\nuse a::helper;\n", &[]),
        ("use a::helper;\npub fn f() { b!(helper); }\n", &[]),
        (
            "use a::helper;\n#[b(with = \"helper\")]\npub struct S;\n",
            &[],
        ),
        ("use a::helper;\n/// See [`helper`].\npub fn f() {}\n", &[]),
    ] {
        assert_eq!(unused(code), names, "{code}");
    }
    // A module below takes what its parent imports.
    for (path, all, left) in [
        ("src/a/b.rs", "use super::*;", 0),
        ("src/a/b.rs", "use super::g;", 1),
        ("src/b.rs", "use super::*;", 1),
    ] {
        let child = format!("{all}\npub fn f() {{ g(helper()); }}\n");
        let files = [
            ("src/a.rs", "use a::helper;\npub fn f() {}\n"),
            (path, &child),
        ];
        assert_eq!(
            quoted_in_changes("unused-import", &files).len(),
            left,
            "{all}"
        );
    }
}

#[test]
fn equal_parameter_lists_excuse_nothing() {
    let of = |file: &str| unused("a.ts", file);
    let code = "function f(a: string, unit: B) { return g(a); }\nexport const h = (a: string, unit: B) => f(a, unit);\n";
    assert_eq!(of(code), ["f"]);
    // A function that is passed on has to take what it is given.
    let passed = format!("{code}i(f);\n");
    assert_eq!(of(&passed), [""; 0]);
    let path =
        "fn f(a: u8, config: &config::Config) -> u8 { g(a) }\n\npub fn h() -> u8 { f(1, 2) }\n";
    assert_eq!(unused("a.rs", path), ["f"]);
}

#[test]
fn uncalled_functions_are_checked_too() {
    for (path, code) in [
        ("a.py", "def f(a, unit=1):\n    b = g(a)\n    return b\n"),
        (
            "a.go",
            "package a\n\nfunc F(a, unit int) int { return g(a) }\n",
        ),
        (
            "a.rs",
            "impl A {\n    pub fn f(&self, a: u8, unit: u8) -> u8 { self.a + a }\n}\n",
        ),
    ] {
        assert_eq!(unused(path, code).len(), 1, "{code}");
    }
    none_unused(&[
        // Somebody who is not seen may prescribe all of them.
        ("a.py", "def f(unit):\n    b = g()\n    return b\n"),
        ("a.py", "def f(a, request):\n    b = g(a)\n    return b\n"),
        (
            "a.py",
            "def on_start(a, unit):\n    b = g(a)\n    return b\n",
        ),
        (
            "a.py",
            "def f(a, unit):\n    b = g(a)\n    return b\n\nh(f)\n",
        ),
        (
            "a.go",
            "package a\n\nfunc (t T) F(a, unit int) int { return g(a) }\n",
        ),
    ]);
}

#[test]
fn recursion_alone_uses_no_parameter() {
    for (path, code) in [
        (
            "a.py",
            "def f(a, unit):\n    return [f(b, unit) for b in a] or g(a)\n\nx = f(1, 2)\n",
        ),
        (
            "a.py",
            "def f(a, unit):\n    return [f(b, unit=unit) for b in a] or g(a)\n\nx = f(1, 2)\n",
        ),
        (
            "a.ts",
            "function f(a, unit) { return a ? f(a.b, unit) : g(a); }\nf(1, 2);\n",
        ),
        (
            "a.go",
            "package a\n\nfunc f(a, unit int) int {\n\tif a == 0 {\n\t\treturn 0\n\t}\n\treturn f(a-1, unit)\n}\n\n\
             var x = f(1, 2)\n",
        ),
        (
            "a.rs",
            "fn f(a: u8, unit: u8) -> u8 { if a == 0 { 0 } else { f(a - 1, unit) } }\n\npub fn h() -> u8 { f(1, 2) }\n",
        ),
    ] {
        assert_eq!(unused(path, code), ["f"], "{code}");
    }
}

#[test]
fn calls_of_namesakes_use_parameters() {
    none_unused(&[
        (
            "a.py",
            "class A:\n    def _f(self, unit):\n        return super()._f(unit)\n\n    def g(self):\n        return self._f(1)\n",
        ),
        (
            "a.py",
            "class A:\n    def _f(self, unit):\n        return self.inner._f(unit)\n\n    def g(self):\n        \
             return self._f(1)\n",
        ),
        (
            "a.go",
            "package a\n\nfunc (t T) f(unit int) int { return f(unit) }\n\nfunc G(t T) { t.f(1) }\n",
        ),
        (
            "a.py",
            "def f(a, unit):\n    return f(a + 1, unit + 1)\n\nx = f(1, 2)\n",
        ),
    ]);
}

#[test]
fn modules_below_use_private_rust_imports() {
    let unused = |files: &[(&str, &str)]| quoted_in_changes("unused-import", files);
    let root = ("src/lib.rs", "mod a;\nuse b::helper;\npub fn f() {}\n");
    for below in [
        "use crate::helper;\npub fn g() { helper(); }\n",
        "use crate::{c, helper};\npub fn g() { c(); helper(); }\n",
        "use super::helper as h;\npub fn g() { h(); }\n",
        "pub fn g() { crate::helper(); }\n",
        "pub fn g() { super::helper(); }\n",
    ] {
        assert_eq!(unused(&[root, ("src/a.rs", below)]), [""; 0], "{below}");
    }
    let other = ("src/a.rs", "use d::helper;\npub fn g() { helper(); }\n");
    assert_eq!(unused(&[root, other]), ["helper"]);
    let own = (
        "src/lib.rs",
        "mod a;\nuse crate::a::helper;\npub fn f() {}\n",
    );
    assert_eq!(unused(&[own]), ["helper"]);
}
