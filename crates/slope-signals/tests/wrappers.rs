//! Wrappers that a change adds: what they call, and what is no wrapper.

mod common;

use common::quoted_in_changes;

/// Whether slope reports a wrapper in each of some files.
fn check(cases: &[(&str, &str, bool)]) {
    for &(path, code, is_reported) in cases {
        let found = quoted_in_changes("trivial-wrapper", &[(path, code)]);
        assert_eq!(found.len(), usize::from(is_reported), "{code}");
    }
}

#[test]
fn python_wrappers_are_reported() {
    let load = "def load(a, b=1, c=True):\n    d = a + b\n    return g(d, c)\n\n";
    let code = |wrapper: &str| format!("import json\n\n{load}{wrapper}\n");
    for (wrapper, is_reported) in [
        // By keyword, in another order, with a default, by a variable.
        ("def fetch_a(a, b):\n    return load(a, b=b)\n", true),
        ("def fetch_a(b, a):\n    return load(a, b)\n", true),
        ("def fetch_a(a, b=1):\n    return load(a, b)\n", true),
        (
            "def fetch_a(a, b):\n    result = load(a, b)\n    return result\n",
            true,
        ),
        // A private one of another module or a field.
        ("def _parse(text):\n    return json.loads(text)\n", true),
        ("def parse(text):\n    return json.loads(text)\n", false),
        (
            "class A:\n    def _send(self, a):\n        self.client.post(a)\n",
            true,
        ),
        (
            "class A:\n    def send(self, a):\n        self.client.post(a)\n",
            false,
        ),
        // It does more.
        ("def fetch_a(a, b):\n    return load(a, b + 1)\n", false),
        (
            "def fetch_a(a, b):\n    result = load(a, b)\n    return h(result)\n",
            false,
        ),
        ("def fetch_a(a, b):\n    return load(a, b)[0]\n", false),
        (
            "class A(Base):\n    def _send(self, a):\n        self.client.post(a)\n",
            false,
        ),
    ] {
        check(&[("a.py", &code(wrapper), is_reported)]);
    }
}

#[test]
fn constants_add_meaning_to_names() {
    let load = "def load_rows(a, b):\n    c = a + b\n    return g(c)\n\n";
    let same = format!("{load}def get_rows(a):\n    return load_rows(a, True)\n");
    let other = format!("{load}def load_sorted_rows(a):\n    return load_rows(a, True)\n");
    check(&[("a.py", &same, true), ("a.py", &other, false)]);
}

#[test]
fn typescript_wrappers_are_reported() {
    let load = "export function load(a: A, b?: B) { const c = a; return g(c, b); }\n";
    let code = |wrapper: &str| format!("{load}{wrapper}\nread(1);\n");
    for (wrapper, is_reported) in [
        ("const read = (a: A, b?: B) => load(a, b);", true),
        (
            "async function read(a: A, b?: B) { return await load(a, b); }",
            true,
        ),
        ("function read(a: A) { const c = load(a); return c; }", true),
        ("function read(b: B, a: A) { return load(a, b); }", true),
        ("export function read(a: A) { return load(a); }", true),
        (
            "class C { private read(a: A) { return this.client.get(a); } }",
            true,
        ),
        (
            "export class C { read(a: A) { return this.client.get(a); } }",
            false,
        ),
        ("function read(a: A) { return load(a) as B; }", false),
        ("function read(a: A) { return load({ ...a }); }", false),
        ("function read(a: A) { return a.load(a); }", false),
    ] {
        check(&[("a.ts", &code(wrapper), is_reported)]);
    }
    // What shows others the files of its folder.
    let files = [
        ("a/b.ts", load),
        (
            "a/index.ts",
            "import { load } from './b';\nexport function read(a: A) { return load(a); }\n",
        ),
    ];
    assert_eq!(quoted_in_changes("trivial-wrapper", &files), [""; 0]);
}

#[test]
fn go_wrappers_are_reported() {
    let load = "func Load(a int) (int, error) {\n\ta++\n\treturn g(a)\n}\n\n";
    let code = |wrapper: &str| format!("package a\n\n{load}{wrapper}\n");
    for (wrapper, is_reported) in [
        ("func read(a int) (int, error) { return Load(a) }", true),
        ("func Read(a int) (int, error) { return Load(a) }", true),
        (
            "func read(a int) (int, error) {\n\tb, err := Load(a)\n\tif err != nil {\n\t\treturn 0, err\n\t}\n\treturn b, nil\n}",
            true,
        ),
        ("func read(a ...any) { log.Print(a...) }", true),
        (
            "func (s *S) read(a int) error { return s.store.Load(a) }",
            true,
        ),
        (
            "func (s *S) Read(a int) error { return s.store.Load(a) }",
            false,
        ),
        (
            "func read(a int) (int, error) {\n\tb, err := Load(a)\n\tif err != nil {\n\t\treturn 0, wrap(err)\n\t}\n\treturn b, nil\n}",
            false,
        ),
        (
            "func read(a int) string { return strings.Repeat(\"-\", a) }",
            false,
        ),
    ] {
        check(&[("a.go", &code(wrapper), is_reported)]);
    }
}

#[test]
fn rust_wrappers_are_reported() {
    let load = "fn load(a: &str) -> Result<u8> { let b = g(a)?; Ok(b) }\n";
    let code = |wrapper: &str| format!("{load}{wrapper}\n");
    for (wrapper, is_reported) in [
        ("fn read(a: &str) -> Result<u8> { load(a) }", true),
        ("fn read(a: &str) -> Result<u8> { Ok(load(a)?) }", true),
        ("fn read(a: String) -> Result<u8> { load(&a) }", true),
        (
            "fn read(a: &str) -> Result<u8> { let b = load(a)?; Ok(b) }",
            true,
        ),
        (
            "impl A { fn read(a: &str) -> u8 { Self::get(a) }\nfn get(a: &str) -> u8 { g(a, 1) } }",
            true,
        ),
        (
            "fn read(a: &Path) -> io::Result<String> { fs::read_to_string(a) }",
            true,
        ),
        (
            "pub fn read(a: &Path) -> io::Result<String> { fs::read_to_string(a) }",
            false,
        ),
        (
            "impl Read for A { fn read(&self, a: &str) -> u8 { load(a) } }",
            false,
        ),
        ("fn read(a: u8) -> A { A::Read(a) }", false),
        ("fn read(a: &str) -> Result<u8> { load(a.trim()) }", false),
        ("#[test]\nfn read(a: &str) { load(a); }", false),
    ] {
        check(&[("a.rs", &code(wrapper), is_reported)]);
    }
}
