//! Wrappers that a change adds: what they call, and others.

use crate::common::quoted_in_changes;

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
fn constant_argument_in_name_excuses_wrapper() {
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

#[test]
fn pass_through_types_are_reported() {
    let python = |body: &str| {
        format!(
            "class Store:\n    def __init__(self, api):\n        self.api = api\n\n    def get(self, key):\n        return \
             self.api.get(key)\n\n    def drop(self, key):\n        {body}\n"
        )
    };
    check(&[
        ("a.py", &python("return self.api.remove(key)"), true),
        ("a.py", &python("return self.other.remove(key)"), false),
        (
            "a.py",
            &python("return self.api.remove(key.lower())"),
            false,
        ),
    ]);
    let script = |head: &str| {
        format!(
            "export class Store{head} {{\n  constructor(private api: Api) {{}}\n  get(key: K) {{ return this.api.get(key); }}\n  \
             drop(key: K) {{ return this.api.remove(key); }}\n}}\n"
        )
    };
    check(&[
        ("a.ts", &script(""), true),
        ("a.ts", &script(" implements Base"), false),
    ]);
    let go = |name: &str| {
        format!(
            "package a\n\nfunc (s *Store) Get(key K) V {{ return s.api.Get(key) }}\n\nfunc (s *Store) {name}(key K) {{ \
             s.api.Remove(key) }}\n"
        )
    };
    check(&[("a.go", &go("Remove"), true), ("a.go", &go("Close"), false)]);
    let rust = |head: &str| {
        format!(
            "impl {head}Store {{\n    pub fn get(&self, key: K) -> V {{ self.api.get(key) }}\n    pub fn drop_key(&self, key: K) {{ \
             self.api.remove(key) }}\n}}\n"
        )
    };
    check(&[
        ("a.rs", &rust(""), true),
        ("a.rs", &rust("Keys for "), false),
    ]);
}

#[test]
fn wrappers_of_parameter_methods_are_reported() {
    let rust = |wrapper: &str| {
        format!(
            "impl Unit {{\n    pub fn show(self, v: f64) -> String {{ let w = v * 2.0; g(w) }}\n}}\n{wrapper}\n"
        )
    };
    let go = |wrapper: &str| {
        format!(
            "package a\n\nfunc (u Unit) Show(v int) string {{\n\tw := v * 2\n\treturn g(w)\n}}\n\n{wrapper}\n"
        )
    };
    check(&[
        (
            "a.rs",
            &rust("fn text(unit: Unit, v: f64) -> String { unit.show(v) }"),
            true,
        ),
        (
            "a.rs",
            &rust("fn text(unit: Unit, v: f64) -> String { unit.draw(v) }"),
            false,
        ),
        (
            "a.rs",
            &rust("fn text(unit: Unit, v: f64) -> String { unit.show(v + 1.0) }"),
            false,
        ),
        (
            "a.go",
            &go("func text(unit Unit, v int) string { return unit.Show(v) }"),
            true,
        ),
        (
            "a.go",
            &go("func text(unit Unit, v int) string { return unit.Draw(v) }"),
            false,
        ),
    ]);
}

#[test]
fn none_guard_excuses_no_wrapper() {
    let load = "def load(a):\n    b = a + 1\n    return g(b)\n\n";
    let code = |end: &str| {
        format!(
            "{load}def fetch(a):\n    c = load(a)\n    if c is None:\n        return {end}\n    return c\n"
        )
    };
    check(&[("a.py", &code("None"), true), ("a.py", &code("0"), false)]);
}

#[test]
fn forwarded_type_arguments_excuse_no_wrapper() {
    let load = "export function load<S>(a: A): S { const b = a; return g(b); }\n";
    let same = format!("{load}export const read = <S>(a: A) => load<S>(a);\n");
    let other = format!("{load}export const read = <S, T>(a: A): T => load<S>(a);\n");
    check(&[("a.ts", &same, true), ("a.ts", &other, false)]);
}

#[test]
fn parameter_types_excuse_no_wrapper() {
    let load = "export function load<S>(a: A<S>): S { const b = a; return g(b); }\n";
    let told = format!("{load}export const read = <S>(a: A<S>) => load(a);\n");
    let chosen = format!("{load}export const read = <S>(a: A): S => load(a);\n");
    let bounded = format!("{load}export const read = <S extends B>(a: A<S>) => load<S>(a);\n");
    check(&[
        ("a.ts", &told, true),
        ("a.ts", &chosen, false),
        ("a.ts", &bounded, true),
    ]);
}

#[test]
fn wrappers_of_nested_modules_are_reported() {
    let code = "class A:\n    def _join(self, a, b):\n        return os.path.join(a, b)\n\n    def g(self):\n        return self._join(1, 2)\n";
    check(&[("a.py", code, true)]);
}

#[test]
fn private_wrappers_are_always_reported() {
    let go = |body: &str| format!("package a\n\n{body}\n\nfunc G() {{ f(1, 2) }}\n");
    check(&[
        (
            "a.ts",
            "import { g } from 'b';\nconst f = (a) => {\n  g(a);\n};\nf(1);\n",
            true,
        ),
        (
            "a.ts",
            "import { G } from 'b';\nconst f = (a) => G(a);\nf(1);\n",
            false,
        ),
        ("a.py", "def _f(a):\n    return int(a)\n\n_f(1)\n", false),
        (
            "a.go",
            &go("func f(a T, b int) int { return a.run(b) }"),
            false,
        ),
        ("a.go", &go("func f(a T) int { return a.run() }"), false),
        (
            "a.rs",
            "fn f(a: T, b: u8) -> u8 { a.run(b) }\n\npub fn g() { f(1, 2); }\n",
            false,
        ),
        (
            "a.rs",
            "fn f(a: u8) -> T { T(a) }\n\npub fn g() { f(1); }\n",
            false,
        ),
        (
            "a.py",
            "class B:\n    pass\n\nclass A(B):\n    def _f(self, a):\n        return self._c.g(a)\n\n    def h(self, a):\n        return self._f(a)\n",
            true,
        ),
    ]);
}

#[test]
fn wrappers_of_methods_are_reported() {
    let class = "class Codes:\n    @classmethod\n    def get_phrase(cls, a):\n        b = a + 1\n        return g(b)\n";
    let wrapper =
        "from a.codes import Codes\n\n\ndef phrase_of(a):\n    return Codes.get_phrase(a)\n";
    let files = [("a/codes.py", class), ("a/models.py", wrapper)];
    assert_eq!(quoted_in_changes("trivial-wrapper", &files).len(), 1);
}

#[test]
fn variables_of_other_files_hide_nothing() {
    let load = "fn load(a: &str) -> u8 { let b = g(a); b }\n";
    let wrapper = format!("{load}fn closest(a: &str) -> u8 {{ load(a) }}\n");
    let other = "fn h() -> u8 { let closest = k(); closest }\n";
    let files = [("a.rs", wrapper.as_str()), ("b.rs", other)];
    assert_eq!(quoted_in_changes("trivial-wrapper", &files).len(), 1);
    let passed =
        format!("{wrapper}fn h(a: &[&str]) -> Vec<u8> {{ a.iter().map(closest).collect() }}\n");
    let files = [("a.rs", passed.as_str())];
    assert_eq!(quoted_in_changes("trivial-wrapper", &files), [""; 0]);
}

#[test]
fn functions_of_packages_are_followed() {
    let clock = "package htime\n\nfunc Now() int {\n\ta := b()\n\treturn a + 1\n}\n";
    let other =
        "package a\n\ntype T struct{}\n\nfunc (t T) Now() int {\n\ta := c()\n\treturn a\n}\n";
    let wrapper = "package d\n\nfunc current() int {\n\treturn htime.Now()\n}\n";
    let files = [
        ("b/htime/clock.go", clock),
        ("a/a.go", other),
        ("d/d.go", wrapper),
    ];
    assert_eq!(quoted_in_changes("trivial-wrapper", &files).len(), 1);
}
