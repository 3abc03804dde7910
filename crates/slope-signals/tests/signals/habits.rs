//! Code that differs from what is around it, comments that narrate, and wrappers that a change adds.

use crate::common::quoted_in_changes;

/// A signal's reports on a change to one file, by the quotes of messages.
fn found(signal: &str, path: &str, code: &str) -> Vec<String> {
    quoted_in_changes(signal, &[(path, code)])
}

/// Some lines, each with the number of its place.
fn lines(count: usize, line: &str) -> String {
    let words = ["one", "two", "six", "ten", "red", "blue"];
    words[..count]
        .iter()
        .map(|word| line.replace('N', word))
        .collect()
}

#[test]
fn differently_styled_name_deviates() {
    for (path, usual, odd) in [
        ("a.py", "def read_N(): f()\n", "def readFile(): f()\n"),
        (
            "a.ts",
            "function readN_() { f(); }\nfunction getN() { f(); }\nfunction parseN() {}\n",
            "function read_file() { f(); }\n",
        ),
        (
            "a.go",
            "func getN() { f() }\nfunc readThe() { f() }\n",
            "func read_file() { f() }\n",
        ),
    ] {
        let package = if path == "a.go" { "package a\n\n" } else { "" };
        let usual = usual
            .replace("getN", "getTheN")
            .replace("parseN", "parseTheN");
        let name = odd.split([' ', '(']).nth(1).unwrap_or_default();
        let code = |count: usize, odd: &str| format!("{package}{}{odd}", lines(count, &usual));
        assert_eq!(
            found("breaks-local-pattern", path, &code(5, odd)),
            [name],
            "{path}"
        );
        assert_eq!(
            found("breaks-local-pattern", path, &code(5, "")),
            [""; 0],
            "{path}"
        );
        let few = code(1, odd);
        assert_eq!(found("breaks-local-pattern", path, &few), [""; 0], "{few}");
    }
    // Names that others prescribe.
    let class = "class A(Base):\n    def formatTime(self): f()\n";
    let code = format!("{}{class}", lines(6, "def read_N(): f()\n"));
    assert_eq!(found("breaks-local-pattern", "a.py", &code), [""; 0]);
}

/// Whether each odd line deviates from five usual ones. With five odd ones nothing does.
fn deviate(path: &str, usual: &str, cases: &[(&str, bool)]) {
    let package = if path == "a.go" { "package a\n\n" } else { "" };
    let usual = lines(5, usual);
    for (odd, deviates) in cases {
        let code = format!("{package}{usual}{odd}");
        let count = found("breaks-local-pattern", path, &code).len();
        assert_eq!(count, usize::from(*deviates), "{code}");
        let others = lines(5, odd).replace("g(", "gN(");
        let code = format!("{package}{usual}{others}");
        let count = found("breaks-local-pattern", path, &code).len();
        assert_eq!(count, 0, "{code}");
    }
}

#[test]
fn differently_typed_error_deviates() {
    deviate(
        "a.py",
        "def f_N(): raise MyNError('x')\n",
        &[
            ("def g(): raise Exception('x')\n", true),
            ("def g(): raise ValueError('x')\n", false),
        ],
    );
    deviate(
        "a.ts",
        "function fN() { throw new MyNError('x'); }\n",
        &[
            ("function g() { throw new Error('x'); }\n", true),
            ("function g() { throw new TypeError('x'); }\n", false),
        ],
    );
}

#[test]
fn panic_among_returned_errors_deviates() {
    deviate(
        "a.go",
        "func fN() error { return fmt.Errorf(\"x\") }\n",
        &[
            ("func g() error { panic(err) }\n", true),
            (
                "func g() error { h(func() { panic(err) }); return nil }\n",
                false,
            ),
            ("func g() error { panic(\"no such state\") }\n", false),
            ("func mustG() int { panic(err) }\n", false),
        ],
    );
    deviate(
        "a.rs",
        "fn f_N() -> Result<u8> { let a = g()?; Ok(a) }\n",
        &[
            (
                "fn g() -> Result<u8> { Ok(fs::read(\"a\").unwrap()) }\n",
                true,
            ),
            ("fn g() -> Result<u8> { Ok(a.first().unwrap()) }\n", false),
            ("fn g() -> u8 { fs::read(\"a\").unwrap() }\n", true),
            ("fn main() { fs::read(\"a\").unwrap(); h(g(1)) }\n", false),
        ],
    );
}

#[test]
fn print_bypassing_logger_deviates() {
    for (path, usual, odd) in [
        (
            "a.py",
            "def f_N():\n    logger.info('x')\n",
            "def g():\n    print('x')\n",
        ),
        (
            "a.ts",
            "function fN() { this.logger.warn('x'); }\n",
            "function g() { console.log('x'); }\n",
        ),
        (
            "a.go",
            "func fN() { slog.Info(\"x\") }\n",
            "func g() { fmt.Println(\"x\") }\n",
        ),
        (
            "a.rs",
            "fn f_N() { tracing::info!(\"x\"); }\n",
            "fn g() { println!(\"x\"); }\n",
        ),
    ] {
        let package = if path == "a.go" { "package a\n\n" } else { "" };
        let code = |count: usize, odd: &str| format!("{package}{}{odd}", lines(count, usual));
        assert_eq!(
            found("breaks-local-pattern", path, &code(5, odd)).len(),
            1,
            "{path}"
        );
        assert_eq!(
            found("breaks-local-pattern", path, &code(4, odd)).len(),
            0,
            "{path}"
        );
        // Prints on purpose.
        let shows = odd.replace(" g(", " show(");
        assert_eq!(
            found("breaks-local-pattern", path, &code(5, &shows)).len(),
            0,
            "{path}"
        );
        let tests = format!("tests/{path}").replace(".go", "_test.go");
        let in_tests = found("breaks-local-pattern", &tests, &code(5, odd));
        assert_eq!(in_tests.len(), 0, "{tests}");
    }
}

#[test]
fn loosely_restating_comments_narrate() {
    let code = |comments: [&str; 3], more: &str| {
        let [a, b, c] = comments;
        format!(
            "def f(lst, limit):\n    # {a}\n    total = len(lst)\n    # {b}\n    if total > limit:\n        \
             # {c}\n        lst.append(limit)\n{more}    return lst\n"
        )
    };
    let said = [
        "Get the total length of the list",
        "Check if the total is greater than the limit",
        "Append the limit at the end",
    ];
    let count = |code: String| found("narrated-code", "a.py", &code).len();
    assert_eq!(count(code(said, "")), 1);
    // One that gives a reason.
    let reason = [said[0], "Check the total, because pagers need it", said[2]];
    assert_eq!(count(code(reason, "")), 0);
    // One that is about something else.
    let other = [said[0], said[1], "The pager looks for it"];
    assert_eq!(count(code(other, "")), 0);
    // Few comments for many lines.
    assert_eq!(count(code(said, &"    g(lst)\n".repeat(12))), 0);
}

#[test]
fn three_restating_comments_narrate() {
    let python = |comments: &[&str; 3]| {
        let [a, b, c] = comments;
        format!(
            "def f(items):\n    {a}\n    result = []\n\n    {b}\n    result.sort()\n\n    {c}\n    return result\n"
        )
    };
    let told = [
        "# Initialize the result list",
        "# Sort the result",
        "# Return the result",
    ];
    assert_eq!(found("narrated-code", "a.py", &python(&told)).len(), 1);
    let reason = [
        "# Initialize the result list",
        "# The pager needs an order",
        "# Return the result",
    ];
    assert_eq!(found("narrated-code", "a.py", &python(&reason)).len(), 0);
    for (path, head, end) in [
        ("a.ts", "function f(result) {", "}"),
        ("a.go", "package a\n\nfunc f(result T) T {", "}"),
        ("a.rs", "fn f(result: T) -> T {", "}"),
    ] {
        let body = "// Sort the result\nresult.sort();\n\n// Print the result\nprint(result);\n\n// Return the result\nreturn result;\n";
        let code = format!("{head}\n{body}{end}\n");
        assert_eq!(found("narrated-code", path, &code).len(), 1, "{code}");
        let code = code.replace("// Print the result\n", "print();\nprint(1);\nprint(2);\n");
        assert_eq!(found("narrated-code", path, &code).len(), 0, "{code}");
    }
}

#[test]
fn newly_added_wrappers_are_reported() {
    for (path, code, expected) in [
        (
            "a.py",
            "def load(a, b):\n    c = a + b\n    return c\n\ndef read(a, b):\n    return load(a, b)\n\nread(1, 2)\n",
            1,
        ),
        (
            "a.py",
            "def load(a, b):\n    c = a + b\n    return c\n\ndef read(a):\n    return load(a, 1)\n\nread(1)\n",
            0,
        ),
        (
            "a.ts",
            "function read(a) { return load(a); }\nfunction load(a) { const b = a; return g(b); }\nread(1);\n",
            1,
        ),
        // What others import may have a signature of its own.
        (
            "a.ts",
            "export function read(a) { return load(a); }\nfunction load(a) { const b = a; return g(b); }\n",
            0,
        ),
        (
            "a.rs",
            "fn read(a: u8) -> u8 { load(a) }\nfn load(a: u8) -> u8 { a + 1 }\npub fn h() -> u8 { read(1) }\n",
            1,
        ),
        (
            "a.rs",
            "pub fn read(a: u8) -> u8 { load(a) }\nfn load(a: u8) -> u8 { a + 1 }\n",
            0,
        ),
    ] {
        assert_eq!(
            found("trivial-wrapper", path, code).len(),
            expected,
            "{code}"
        );
    }
    // In another file of the package.
    let files = [
        (
            "a/a.go",
            "package a\n\nfunc read(x int) int { return load(x) }\n\nvar y = read(1)\n",
        ),
        (
            "a/b.go",
            "package a\n\nfunc load(x int) int {\n\tx++\n\treturn g(x)\n}\n",
        ),
    ];
    assert_eq!(quoted_in_changes("trivial-wrapper", &files), ["read"]);
}
