//! Uses without a name: by frameworks, compilers, and names that are made.

use crate::common::signals_of;
use slope_signals::{Options, findings};

/// How often a signal reports something in a file.
fn count(signal: &str, path: &str, code: &str) -> usize {
    let options = Options {
        enabled: vec![signal.to_owned()],
        ..Options::default()
    };
    let facts = signals_of(path, code);
    let found = findings(&[(path, &facts)], &options);
    found.iter().filter(|f| f.rule == signal).count()
}

#[test]
fn jsx_uses_its_factory_imports() {
    let element = "export const a = () => <b>c</b>;\n";
    for name in ["h", "Fragment", "createElement"] {
        let code = format!("import {{ {name} }} from 'preact';\n{element}");
        for path in ["a.jsx", "a.tsx"] {
            assert_eq!(count("unused-import", path, &code), 0, "{path} {name}");
        }
        let code = format!("import {{ {name} }} from 'preact';\nexport const a = 1;\n");
        assert_eq!(count("unused-import", "a.tsx", &code), 1, "{name}");
    }
    let code = format!("import {{ render }} from 'preact';\n{element}");
    assert_eq!(count("unused-import", "a.jsx", &code), 1);
}

#[test]
fn frameworks_call_decorated_methods() {
    let code = |decorator: &str| {
        format!("class A {{\n  {decorator}\n  // Why.\n  private onX() {{ return 1; }}\n}}\n")
    };
    let signal = "unused-private-function";
    assert_eq!(count(signal, "a.ts", &code("")), 1);
    assert_eq!(count(signal, "a.ts", &code("@HostListener('x', [])")), 0);
    // Attributes of other languages say nothing of who calls.
    let code = "impl A {\n    #[inline]\n    fn f(&self, a: u8) { self.g(a) }\n    \
                fn g(&self, a: u8) { h(a, 1) }\n}\n";
    assert_eq!(count("trivial-wrapper", "a.rs", code), 1);
}

#[test]
fn computed_member_access_keeps_private_methods() {
    let code = |lookup: &str| {
        format!(
            "class A {{\n  private onX() {{ return 1; }}\n  run(k: string) {{ return {lookup}; }}\n}}\n\
             class B {{ run(k: string) {{ return this.b[k]; }} }}\n"
        )
    };
    let signal = "unused-private-function";
    for lookup in [
        "this['handle' + k]()",
        "(this as any)[k]()",
        "this[`on${k}`]()",
    ] {
        assert_eq!(count(signal, "a.ts", &code(lookup)), 0, "{lookup}");
    }
    for lookup in ["this['other']()", "this[0]", "k[this.a]"] {
        assert_eq!(count(signal, "a.ts", &code(lookup)), 1, "{lookup}");
    }
}

#[test]
fn unity_calls_methods_of_components() {
    let code = |class: &str, name: &str| {
        format!("class {class} {{ private void {name}() {{ a.b(); }} }}\n")
    };
    let signal = "unused-private-function";
    for (class, name) in [
        ("A : MonoBehaviour", "Update"),
        ("A : UnityEngine.MonoBehaviour", "OnTriggerEnter2D"),
        ("A : Editor", "OnEnable"),
        ("A : Actor", "Start"),
    ] {
        assert_eq!(
            count(signal, "a.cs", &code(class, name)),
            0,
            "{class} {name}"
        );
    }
    for (class, name) in [
        ("A", "Update"),
        ("A : MonoBehaviour", "Move"),
        ("A : Actor", "OnEnable"),
    ] {
        assert_eq!(
            count(signal, "a.cs", &code(class, name)),
            1,
            "{class} {name}"
        );
    }
}

#[test]
fn kotlin_imports_are_used_without_a_name() {
    for (name, code, expected) in [
        ("a.used", "fun f() = used()", 0),
        ("a.used", "fun f() = \"see $used\"", 0),
        ("a.used", "/** See [used]. */\nfun f() = 1", 0),
        ("a.b as used", "fun f() = used()", 0),
        ("a.`in`", "fun f() = x.`in`()", 0),
        ("a.*", "fun f() = 1", 0),
        ("a.plus", "fun f() = x + y", 0),
        ("a.getValue", "val f by x", 0),
        ("a.component4", "val (a, b, c, d) = x", 0),
        ("a.used", "fun f() = usedUp()", 1),
        ("a.used as other", "fun f() = used()", 1),
    ] {
        let code = format!("import {name}\n\n{code}\n");
        let count = count("unused-import", "a.kt", &code);
        assert_eq!(count, expected, "{code}");
    }
    let code = "@file:Suppress(\"UNUSED_IMPORT\")\n\nimport a.used\n\nfun f() = 1\n";
    assert_eq!(count("unused-import", "a.kt", code), 0);
}

#[test]
fn kotlin_private_functions_are_used_unseen() {
    for (head, expected) in [
        ("private fun helper()", 1),
        ("private suspend fun <T> List<T>.helper()", 1),
        ("fun helper()", 0),
        ("private operator fun plus(a: A)", 0),
        ("@Subscribe private fun helper()", 0),
        ("private fun readResolve()", 0),
    ] {
        let code = format!("class A {{\n  val a = 1\n  {head}: Int = 1\n}}\n");
        let count = count("unused-private-function", "a.kt", &code);
        assert_eq!(count, expected, "{head}");
    }
    let code = "private fun helper() = 1\nval text = \"now $helper\"\n";
    assert_eq!(count("unused-private-function", "a.kt", code), 0);
}

#[test]
fn php_imports_are_used_in_any_case() {
    for (name, code, expected) in [
        ("A\\B", "new B();", 0),
        ("A\\B", "new b();", 0),
        ("A\\B", "f(B\\C::class);", 0),
        ("A\\B", "/** @var B $x */ $x = 1;", 0),
        ("function A\\b", "b();", 0),
        ("A\\B as D", "new D();", 0),
        ("A\\{B, D as E}", "new B(); new E();", 0),
        ("A\\B", "f();", 1),
        ("A\\B as D", "new B();", 1),
        ("A\\{B, D as E}", "f();", 2),
    ] {
        let code = format!("<?php\nuse {name};\n{code}\n");
        let count = count("unused-import", "a.php", &code);
        assert_eq!(count, expected, "{code}");
    }
}

#[test]
fn php_private_methods_are_used_unseen() {
    for (class, rest, expected) in [
        ("class A {", "", 1),
        ("class A {", "f([$this, 'HELPER']);", 0),
        ("class A {", "$this->helper();", 0),
        ("class A {", "$this->$name();", 0),
        ("class A { use T;", "", 0),
        ("trait A {", "", 0),
        ("class A { #[Required]", "", 0),
    ] {
        let code = format!(
            "<?php\n{class} private function helper() {{ return 1; }}\npublic function f($name) {{ {rest} }} }}\n"
        );
        let count = count("unused-private-function", "a.php", &code);
        assert_eq!(count, expected, "{code}");
    }
}
