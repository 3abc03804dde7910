//! Private functions that nothing uses, and those that are used where no code names them.

use crate::common::quoted_in_changes;

/// Names of the private functions that are reported in a tree, in a change.
fn unused(files: &[(&str, &str)]) -> Vec<String> {
    quoted_in_changes("unused-private-function", files)
}

#[test]
fn csharp_compiler_calls_methods_by_convention() {
    let method = |head: &str| format!("class A {{ int Edge {{ get; set; }} {head} {{ G(); }} }}\n");
    for head in [
        "private protected void F()",
        "protected private void F()",
        "private protected override void F()",
        "private bool PrintMembers(StringBuilder b)",
        "private bool ShouldSerializeEdge()",
        "private void OnEdgeChanged()",
        "private void ResetEdge()",
        "private void Deconstruct(out int x)",
        "private void Add(int x)",
        "private Awaiter GetAwaiter()",
        "private A Where(Func<int, bool> f)",
        "private A Select(Func<int, int> f)",
        "private void Page_Load(object sender, EventArgs e)",
        "\n// Called by the plugin host.\nprivate void F()",
    ] {
        let code = method(head);
        assert_eq!(unused(&[("A.cs", &code)]), [""; 0], "{head}");
    }
    for (head, name) in [
        ("private void F()", "F"),
        (
            "private bool ShouldSerializeOther()",
            "ShouldSerializeOther",
        ),
        ("private void Reset()", "Reset"),
    ] {
        let code = method(head);
        let found = unused(&[("A.cs", &code)]);
        // Unity calls `Reset`, but only of what has a base.
        assert_eq!(found, [name], "{head}");
    }
}

#[test]
fn code_in_strings_counts_as_use() {
    let class = "class A:\n    def _f(self):\n        a = 1\n        return a\n";
    for (text, expected) in [
        ("'return \"x=\" + self._f(1)'", 0),
        ("\"\"\"\nimport a\n\ndef b(c):\n    return c._f\n\"\"\"", 0),
        ("'the method _f is slow!'", 1),
        ("'x._fg(1)'", 1),
    ] {
        let code = format!("{class}\nBUILD = {text}\n");
        assert_eq!(unused(&[("a.py", &code)]).len(), expected, "{text}");
    }
    let script = "import a from 'a';\nfunction f() { return a; }\n";
    for (text, expected) in [("`let x = 1;\nf(x)`", 0), ("'f of x'", 0), ("'xf(1)'", 1)] {
        let code = format!("{script}export const b = {text};\n");
        assert_eq!(unused(&[("a.ts", &code)]).len(), expected, "{text}");
    }
}

#[test]
fn framework_hooks_count_as_used() {
    for (path, code) in [
        (
            "a.py",
            "def _jupyter_labextension_paths():\n    a = b\n    return a\n",
        ),
        (
            "a.py",
            "class AMixin:\n    def _get(self):\n        a = b\n        return a\n",
        ),
        ("a.ts", "class A {\n  private toJSON() { return 1; }\n}\n"),
        (
            "A.java",
            "class A { private void afterUnmarshal(U u, Object p) { g(); } }\n",
        ),
        (
            "A.java",
            "class A {\n  // Called by native code.\n  private void f() { g(); } }\n",
        ),
    ] {
        assert_eq!(unused(&[(path, code)]), [""; 0], "{code}");
    }
    let code = "class A { private void f(int x) { g(x); } }\n";
    assert_eq!(unused(&[("A.java", code)]), ["f"]);
}

#[test]
fn uses_in_go_package_count() {
    let code = "package a\n\nfunc helper(x int) int { return x + 1 }\n\n\
                type T struct{}\n\nfunc (t *T) size() int { return 1 }\n";
    assert_eq!(unused(&[("a/a.go", code)]), ["helper", "size"]);
    for (path, used, left) in [
        ("a/b.go", "func G() int { return helper(1) }", &["size"][..]),
        ("a/a_test.go", "func TestG(t *T) { helper(t.size()) }", &[]),
        ("a/b.go", "type S interface{ size() int }", &["helper"]),
        ("a/b.go", "var _ = map[string]any{\"f\": helper}", &["size"]),
        ("a/b.go", "//go:linkname helper other.helper", &["size"]),
        (
            "a/b.go",
            "func G() int { return a.helper(\"helper of x\") }",
            &["helper", "size"],
        ),
        // Assembly may call anything of its package.
        ("a/b.go", "func sum(x []int) int", &[]),
        ("a/b.go", "//go:generate goyacc -o y.go y.y", &[]),
        (
            "a/b.go",
            "//go:generate stringer -type T",
            &["helper", "size"],
        ),
        // Another package cannot see it.
        (
            "b/b.go",
            "func G() int { return helper(1) }",
            &["helper", "size"],
        ),
    ] {
        let other = format!("package a\n\n{used}\n");
        assert_eq!(unused(&[("a/a.go", code), (path, &other)]), left, "{used}");
    }
}

#[test]
fn special_go_functions_are_kept() {
    for code in [
        "//go:build linux\n\npackage a\n\nfunc f() { G() }\n",
        "package a\n\nfunc init() { G() }\n",
        "package a\n\nfunc main() { G() }\n",
        "package a\n\n//export f\nfunc f() { G() }\n",
        "package a\n\n// f is here.\n//go:noinline\nfunc f() { G() }\n",
        "package a\n\n//nolint:unused\nfunc f() { G() }\n",
        "package a\n\nfunc F() { G() }\n",
        "package a\n\nfunc _() { G() }\n",
    ] {
        assert_eq!(unused(&[("a.go", code)]), [""; 0], "{code}");
    }
}

#[test]
fn uses_in_rust_modules_count() {
    let code = "pub struct T;\n\nfn helper(x: u8) -> u8 { x + 1 }\n\n\
                impl T {\n    #[inline]\n    fn size(&self) -> u8 { 1 }\n}\n";
    assert_eq!(unused(&[("src/a.rs", code)]), ["helper", "size"]);
    for (path, used, left) in [
        (
            "src/b.rs",
            "pub fn g(t: &T) -> u8 { helper(t.size()) }",
            &[][..],
        ),
        ("src/a/b.rs", "use super::helper;", &["size"]),
        (
            "src/b.rs",
            "macro_rules! m { () => { helper(1) } }",
            &["size"],
        ),
        (
            "src/b.rs",
            "#[serde(default = \"helper\")]\nstruct S;",
            &["size"],
        ),
        (
            "src/b.rs",
            "pub fn g() { f(\"helper of size\", x.helper()); }",
            &["helper", "size"],
        ),
        (
            "src/b.rs",
            "include!(concat!(env!(\"OUT_DIR\"), \"/c.rs\"));",
            &[],
        ),
        (
            "other/src/b.rs",
            "pub fn g() -> u8 { helper(1) }",
            &["helper", "size"],
        ),
    ] {
        assert_eq!(unused(&[("src/a.rs", code), (path, used)]), left, "{used}");
    }
}

#[test]
fn same_named_local_hides_no_use() {
    let code = "fn helper(x: u8) -> P { P(x) }\n\npub fn f() { let helper = helper.parse(1); g(helper); }\n";
    assert_eq!(unused(&[("src/a.rs", code)]), [""; 0]);
    let code = "package a\n\nfunc helper() {}\n\nfunc F() {\n\thelper, x := run(helper)\n\tg(helper, x)\n}\n";
    assert_eq!(unused(&[("a.go", code)]), [""; 0]);
    let code = "fn helper(x: u8) -> P { P(x) }\n\npub fn f() { let helper = g(1); h(helper); }\n";
    assert_eq!(unused(&[("src/a.rs", code)]), ["helper"]);
}

#[test]
fn externally_callable_rust_functions_are_kept() {
    for code in [
        "pub fn f() { g() }\n",
        "pub(crate) fn f() { g() }\n",
        "fn main() { g() }\n",
        "#[test]\nfn f() { g() }\n",
        "#[unsafe(no_mangle)]\nextern \"C\" fn f() { g() }\n",
        "#[cfg(unix)]\nfn f() { g() }\n",
        "#[allow(dead_code)]\nfn f() { g() }\n",
        "#[pymethods]\nimpl A {\n    fn f(&self) { g() }\n}\n",
        "#[rtic::app]\nmod app {\n    fn f() { g() }\n}\n",
        "impl B for A {\n    fn f(&self) { g() }\n}\n",
        "trait B {\n    fn f(&self) { g() }\n}\n",
        "#![allow(dead_code)]\nfn f() { g() }\n",
        "/// Called by the linker.\nfn f() { g() }\n",
    ] {
        assert_eq!(unused(&[("src/a.rs", code)]), [""; 0], "{code}");
    }
    let code = "#[cfg(test)]\nmod tests {\n    fn f() { g() }\n}\n";
    assert_eq!(unused(&[("src/a.rs", code)]), ["f"]);
}

#[test]
fn qualified_paths_use_functions_despite_locals() {
    let code = "struct A;\n\nimpl A {\n    fn bytes(&self) -> u8 { let bytes = g(); bytes }\n}\n\n\
                pub fn f(all: &[A]) {\n    let bytes: Vec<u8> = all.iter().map(A::bytes).collect();\n    g(bytes);\n}\n";
    let found = |code: &str| quoted_in_changes("unused-private-function", &[("src/a.rs", code)]);
    assert_eq!(found(code), [""; 0]);
    assert_eq!(found(&code.replace("A::bytes", "h")), ["bytes"]);
}

#[test]
fn base_classes_cannot_call_private_methods() {
    for (path, code, expected) in [
        (
            "a.ts",
            "export class A extends B {\n  private f() { g(); }\n}\n",
            1,
        ),
        (
            "a.ts",
            "export class A extends B {\n  protected f() { g(); }\n}\n",
            0,
        ),
        (
            "A.java",
            "class A extends B {\n  private void f() { g(); }\n}\n",
            1,
        ),
        ("A.cs", "class A : B { private void F() { G(); } }\n", 1),
        (
            "a.py",
            "class A(dict):\n    def _f(self):\n        g(self)\n",
            1,
        ),
        (
            "a.py",
            "class A(Exception):\n    def _f(self):\n        g(self)\n",
            1,
        ),
        (
            "a.py",
            "class A(B):\n    def _f(self):\n        g(self)\n",
            0,
        ),
    ] {
        assert_eq!(unused(&[(path, code)]).len(), expected, "{code}");
    }
}

#[test]
fn self_recursive_functions_are_unused() {
    let python = |caller: &str| format!("def _f(a):\n    return _f(a[1:])\n{caller}\n");
    assert_eq!(unused(&[("a.py", &python(""))]), ["_f"]);
    assert_eq!(unused(&[("a.py", &python("\n_f(b)"))]), [""; 0]);
    let go = |caller: &str| {
        format!(
            "package a\n\nfunc (n *Node) f(a int) int {{\n\treturn n.next.f(a - 1)\n}}\n{caller}\n"
        )
    };
    assert_eq!(unused(&[("a.go", &go(""))]), ["f"]);
    assert_eq!(unused(&[("a.go", &go("\nvar b = c.f(1)"))]), [""; 0]);
    // A method of another type may call it.
    let other = "func (o *Other) f(a int) int { return o.node.f(a) }";
    assert_eq!(unused(&[("a.go", &go(other))]), [""; 0]);
    // What a method calls by its own name is a function.
    let method = "package a\n\nfunc (n *Node) F(a int) int { return f(a) }\n\nfunc f(a int) int {\n\treturn a + 1\n}\n";
    assert_eq!(unused(&[("a.go", method)]), [""; 0]);
    let rust = "fn f(a: u8) -> u8 { if a == 0 { 1 } else { f(a - 1) } }\n";
    assert_eq!(unused(&[("src/a.rs", rust)]), ["f"]);
    let script =
        "function f(a: number): number { return a ? f(a - 1) : 0; }\nexport const b = 1;\n";
    assert_eq!(unused(&[("a.ts", script)]), ["f"]);
}

#[test]
fn field_lookups_use_no_methods() {
    let class = |body: &str| {
        format!("export class A {{\n  private f() {{ g(); }}\n  h(a) {{ {body} }}\n}}\n")
    };
    assert_eq!(unused(&[("a.ts", &class("return this.b[a];"))]), ["f"]);
    assert_eq!(unused(&[("a.ts", &class("return this[a];"))]), [""; 0]);
    // Another file makes names of its own methods.
    let other = (
        "b.ts",
        "export class B { h(a) { return this[`f${a}`]; } }\n",
    );
    let files = [
        ("a.ts", class("g();").replace("f()", "fo()")),
        (other.0, other.1.to_owned()),
    ];
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(path, code)| (*path, code.as_str()))
        .collect();
    assert_eq!(unused(&files), ["fo"]);
}

#[test]
fn paths_of_rust_are_uses() {
    let code = |used: &str| {
        format!(
            "fn f<T: Default>(a: T) -> T {{\n    a\n}}\n\nmod b {{\n    pub fn g() {{\n        {used};\n    }}\n}}\n"
        )
    };
    for used in [
        "super::f::<u8>(1)",
        "let h = super::f; h(1)",
        "super::f(1)",
        "crate::f::<u8>(1)",
    ] {
        assert_eq!(unused(&[("src/lib.rs", &code(used))]), [""; 0], "{used}");
    }
    assert_eq!(unused(&[("src/lib.rs", &code("a.f = 1"))]), ["f"]);
}

#[test]
fn functions_of_macros_are_spared() {
    let code = |name: &str| {
        format!("{name}! {{\n    fn f(a: u8) -> bool {{\n        a == 1\n    }}\n}}\n")
    };
    for name in ["quickcheck", "quickcheck::quickcheck", "proptest"] {
        assert_eq!(unused(&[("src/lib.rs", &code(name))]), [""; 0], "{name}");
    }
}
