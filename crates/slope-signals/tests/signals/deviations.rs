//! Places that differ from the pattern of their file or folder, by language.

use crate::common::quoted_in_changes;

/// Whether a line deviates from some others of its kind, and that they all alone do not.
fn check(path: &str, head: &str, usual: &str, cases: &[(&str, bool)]) {
    let words = [
        "one", "two", "six", "ten", "red", "blue", "gold", "grey", "pink", "rose",
    ];
    let others: String = words
        .iter()
        .map(|word| usual.replace("NAME", word))
        .collect();
    for &(odd, deviates) in cases {
        let code = format!("{head}{others}{odd}\n");
        let found = quoted_in_changes("breaks-local-pattern", &[(path, &code)]);
        assert_eq!(found.len(), usize::from(deviates), "{code}");
        let code = format!("{head}{others}");
        let found = quoted_in_changes("breaks-local-pattern", &[(path, &code)]);
        assert_eq!(found, [""; 0], "{code}");
    }
}

#[test]
fn unusual_python_code_deviates() {
    let raise = "def f_NAME(): raise ConfigError('x')\n";
    check(
        "a.py",
        "",
        raise,
        &[
            ("def g(): raise ValueError('x')", true),
            ("def g(): raise TypeError('x')", false),
            ("def g(): raise OtherError('x')", false),
        ],
    );
    check(
        "a.py",
        "",
        "def f_NAME(a): return f'{a} of NAME'\n",
        &[
            ("def g(a): return '%s of a' % a", true),
            ("def g(a): return '{} of a'.format(a)", true),
            ("def g(a): return a % 2", false),
            ("def g(a): return TEMPLATE.format(a)", false),
        ],
    );
}

#[test]
fn unusual_python_style_deviates() {
    check(
        "a.py",
        "",
        "def f_NAME(a: Path): return Path(a)\n",
        &[
            ("def g(a: str): return os.path.join(a, 'b')", true),
            ("def g(a: str): return os.path.commonpath(a)", false),
        ],
    );
    check(
        "a.py",
        "",
        "def f_NAME(a: int | None): return a\n",
        &[
            ("def g(a: Optional[int]): return a", true),
            ("def g(a: Callable[[], int]): return a", false),
        ],
    );
    check(
        "a.py",
        "",
        "def f_NAME(a):\n    long_NAME = a\n    return g(long_NAME)\n",
        &[
            ("def g(a):\n    longName = a\n    return h(longName)", true),
            ("def g(a):\n    name = a\n    return h(name)", false),
        ],
    );
    check(
        "a.py",
        "",
        "def f_NAME(): logger.info('x')\n",
        &[
            ("def g(): logging.info('x')", true),
            ("def g(): self.logger.info('x')", false),
        ],
    );
    check(
        "a/b.py",
        "",
        "from .NAME import x_NAME\n",
        &[
            ("from a.c import d", true),
            ("from other.c import d", false),
        ],
    );
}

#[test]
fn unusual_typescript_code_deviates() {
    check(
        "a.ts",
        "",
        "const aNAME = 1;\n",
        &[
            ("var b = 1;", true),
            ("declare var b: number;", false),
            ("let b = 1;", false),
        ],
    );
    check(
        "a.ts",
        "",
        "if (a === NAME) f();\n",
        &[("if (a == b) f();", true), ("if (a == null) f();", false)],
    );
    check(
        "a.ts",
        "",
        "f(`${a} of NAME`);\n",
        &[("f('one ' + a + ' two');", true), ("f(a + b);", false)],
    );
    check(
        "a.ts",
        "",
        "import { NAME } from './NAME.js';\n",
        &[
            ("import { a } from './a';", true),
            ("import a from './a.json';", false),
            ("const a = require('a');", true),
        ],
    );
    check(
        "a.ts",
        "",
        "import NAME from 'node:fs';\n",
        &[
            ("import path from 'path';", true),
            ("import other from 'other';", false),
        ],
    );
    check(
        "a.ts",
        "",
        "class ANAME { #a = 1; }\n",
        &[
            ("class B { private a = 1; }", true),
            ("class B { private constructor() {} }", false),
        ],
    );
    check(
        "a.ts",
        "",
        "async function f() { await g(NAME); }\n",
        &[
            ("async function h() { g(a).then(f); }", true),
            ("function h() { return g(a).then(f); }", false),
        ],
    );
}

#[test]
fn unusual_go_code_deviates() {
    let head = "package a\n\n";
    check(
        "a.go",
        head,
        "func fNAME() error { return fmt.Errorf(\"NAME: %w\", err) }\n",
        &[
            ("func g() error { return fmt.Errorf(\"a: %v\", err) }", true),
            (
                "func g() error { return errors.New(\"a: \" + err.Error()) }",
                true,
            ),
            (
                "func g() error { return fmt.Errorf(\"a: %v\", name) }",
                false,
            ),
            ("func g() error { panic(\"no \" + name) }", true),
            ("func g() error { panic(\"bug: no \" + name) }", false),
        ],
    );
    check(
        "a.go",
        head,
        "func (s *S) fNAME() { g(s) }\n",
        &[
            ("func (this *S) other() { g(this) }", true),
            ("func (t *T) other() { g(t) }", false),
            ("func (_ *S) other() { g(1) }", false),
        ],
    );
    check(
        "a.go",
        head,
        "func fNAME(a any) { g(a) }\n",
        &[
            ("func h(a interface{}) { g(a) }", true),
            ("func h(a interface{ M() }) { g(a) }", false),
        ],
    );
    check(
        "a.go",
        head,
        "func fNAME() bool { return errors.Is(err, ErrNo) }\n",
        &[
            ("func g() bool { return err == ErrOther }", true),
            ("func g() bool { return err == io.EOF }", false),
            ("func g() bool { return err != nil }", false),
        ],
    );
    check(
        "a.go",
        head,
        "func fNAME() { s.logger.Info(\"x\") }\n",
        &[
            ("func g() { log.Printf(\"x\") }", true),
            ("func g() { t.logger.Error(\"x\") }", false),
        ],
    );
}

#[test]
fn unusual_rust_code_deviates() {
    check(
        "a.rs",
        "",
        "fn f_NAME() -> Result<u8> { let a = g()?; Ok(a) }\n",
        &[
            ("fn g() -> Result<u8> { panic!(\"no file\") }", true),
            ("fn g() -> Result<u8> { panic!(\"internal error\") }", false),
            (
                "fn g() -> Result<u8> { Ok(fs::read(a).expect(\"no file\")) }",
                true,
            ),
            (
                "fn g() -> Result<u8> { Ok(a.first().expect(\"not empty\")) }",
                false,
            ),
            ("fn g() -> std::result::Result<u8, String> { h() }", true),
            ("fn g() -> std::result::Result<u8, Other> { h() }", false),
            (
                "mod tests { fn g() -> Result<u8> { panic!(\"no file\") } }",
                false,
            ),
        ],
    );
    check(
        "a.rs",
        "",
        "fn f_NAME(a: u8) -> String { format!(\"{a} NAME\") }\n",
        &[
            ("fn g(a: u8) -> String { format!(\"{} b\", a) }", true),
            ("fn g(a: u8) -> String { format!(\"{} b\", a.b()) }", false),
        ],
    );
}

#[test]
fn folder_pattern_spans_small_files() {
    let raise = |error: &str| format!("def f(): raise {error}('x')\n");
    let mut files: Vec<(String, String)> = (0..10)
        .map(|number| (format!("a/m{number}.py"), raise("OwnError")))
        .collect();
    files.push(("a/odd.py".to_owned(), raise("Exception")));
    files.push(("b/other.py".to_owned(), raise("Exception")));
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(p, c)| (p.as_str(), c.as_str()))
        .collect();
    let found = quoted_in_changes("breaks-local-pattern", &files);
    assert_eq!(found, ["raise Exception"]);
    let found = quoted_in_changes("breaks-local-pattern", &files[5..]);
    assert_eq!(found, [""; 0]);
}

#[test]
fn python_documentation_deviates() {
    check(
        "a.py",
        "",
        "def f_NAME(a: int) -> int:\n    \"\"\"Does NAME.\"\"\"\n    return a\n",
        &[
            ("def g(a: int) -> int:\n    return a", true),
            ("def _g(a: int) -> int:\n    return a", false),
            ("def g(a):\n    \"\"\"Does it.\"\"\"\n    return a", true),
            (
                "def g(a: int):\n    \"\"\"Does it.\"\"\"\n    return a",
                false,
            ),
        ],
    );
}

#[test]
fn python_imports_and_classes_deviate() {
    check(
        "a.py",
        "",
        "import NAME\n",
        &[("import a, b", true), ("import a.b", false)],
    );
    check(
        "a.py",
        "",
        "class UpNAME(Error): pass\nclass NAMEError(Error): pass\n",
        &[("class my_error(Error): pass", true)],
    );
}

#[test]
fn typescript_throws_and_loops_deviate() {
    check(
        "a.ts",
        "",
        "function fNAME() { throw new Error(`NAME`); }\n",
        &[
            ("function g() { throw 'no ' + a; }", true),
            ("function g() { throw error; }", false),
        ],
    );
    check(
        "a.ts",
        "",
        "for (const a of NAME) f(a);\n",
        &[
            ("b.forEach(f);", true),
            ("for (let i = 0; i < 2; i++) f(i);", false),
        ],
    );
    check(
        "a.ts",
        "",
        "class NAMEError extends Error {}\n",
        &[
            ("class Failure extends Error {}", true),
            ("class Failure extends Base {}", false),
        ],
    );
}

#[test]
fn go_errors_and_outputs_deviate() {
    check(
        "a.go",
        "package a\n",
        "func fNAME(w io.Writer) error {\n\tfmt.Fprintln(w, 1)\n\treturn fmt.Errorf(\"pkg: no %s\", NAME)\n}\n",
        &[
            (
                "func g(a string) error { return errors.New(\"pkg: no \" + a) }",
                true,
            ),
            (
                "func g(a string) error { return fmt.Errorf(\"none of %s\", a) }",
                true,
            ),
            ("func g(a string) { fmt.Println(a) }", true),
            ("func g() error { return errors.New(\"pkg: none\") }", false),
            ("func showIt(a string) { fmt.Println(a) }", false),
        ],
    );
}

#[test]
fn go_documentation_deviates() {
    check(
        "a.go",
        "package a\n",
        "// GetNAME does it.\nfunc GetNAME() {}\n",
        &[("func Other() {}", true), ("func other() {}", false)],
    );
}

#[test]
fn rust_strings_and_failures_deviate() {
    check(
        "a.rs",
        "",
        "/// Does it.\npub fn f_NAME() -> String { \"NAME\".to_string() }\n",
        &[
            (
                "/// Does it.\npub fn g() -> String { String::from(\"a\") }",
                true,
            ),
            (
                "/// Does it.\npub fn g(a: &str) -> String { String::from(a) }",
                false,
            ),
            ("pub fn g() {}", true),
            ("fn g() {}", false),
        ],
    );
    check(
        "a.rs",
        "",
        "fn f_NAME() -> Result<u8> { g(a?) }\n",
        &[
            ("fn g(a: &str) -> u8 { a.parse().unwrap() }", true),
            ("#[test]\nfn g(a: &str) -> u8 { a.parse().unwrap() }", false),
        ],
    );
    let unwrapping = [("fn g(a: &str) -> u8 { a.parse().unwrap() }", true)];
    let parser = "fn f_NAME(p: &mut P) -> Result<u8> { p.expect(NAME)? }\n";
    check("a.rs", "", parser, &unwrapping);
}

#[test]
fn test_assertion_style_deviates() {
    check(
        "tests/a_test.py",
        "",
        "def test_NAME(): assert NAME\n",
        &[
            ("def test_it(self): self.assertEqual(a, b)", true),
            ("def test_it(): assert a", false),
        ],
    );
}

#[test]
fn required_forms_do_not_deviate() {
    check(
        "a.py",
        "",
        "def read_N():\n    return f(\"N\")\n\n\n",
        &[
            ("def h(a):\n    return f('b')\n", true),
            // Before 3.12 the quotes of the text around it cannot be used.
            ("def h(a):\n    return f(f\"{', '.join(a)}\")\n", false),
        ],
    );
    let imports = "from .a import b\nfrom .c import d\nfrom .e import g\nfrom .h import i\nfrom .j import k\nfrom .l import m\n";
    for (line, expected) in [
        ("from own.n import o\n", 1),
        ("if TYPE_CHECKING:\n    from own.n import o\n", 0),
    ] {
        let code = format!("{imports}{line}\nx = [b, d, g, i, k, m, o]\n");
        let files = [("own/x.py", code.as_str()), ("own/n.py", "o = 1\n")];
        let found = quoted_in_changes("breaks-local-pattern", &files);
        assert_eq!(found.len(), expected, "{code}");
    }
}

#[test]
fn error_message_style_deviates() {
    check(
        "a.go",
        "package a\n\n",
        "func f_NAME() error { return errors.New(\"no NAME\") }\n",
        &[
            (
                "func g() error { return errors.New(\"No such file\") }",
                true,
            ),
            (
                "func g() error { return errors.New(\"HTTP is off\") }",
                false,
            ),
            (
                "func g() error { return errors.New(\"NewReader failed\") }",
                false,
            ),
        ],
    );
    check(
        "a.rs",
        "",
        "fn f_NAME() { print_error!(\"no NAME\"); }\n",
        &[
            ("fn g() { eprintln!(\"no file\"); }", true),
            ("fn print_help() { eprintln!(\"no file\"); }", false),
        ],
    );
}
