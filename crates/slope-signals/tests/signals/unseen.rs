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
