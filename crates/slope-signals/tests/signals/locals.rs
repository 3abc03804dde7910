//! Unused locals outside Python: what is found in each language, and what is left alone.

use slope_signals::{FileSignals, Options, SignalFinding, classify, facts, findings};
use slope_syntax::{Language, Limits, Profile, callables, parse};

fn signals_of(path: &str, code: &str) -> FileSignals {
    let language = Language::of_path(std::path::Path::new(path)).expect("a suffix");
    let tree = parse(language, code.as_bytes(), &Limits::default()).expect("text");
    let source = tree.source_lines(Profile::Slope);
    facts(&tree, &callables(&tree, Profile::Slope, &source), &source)
}

fn every_signal() -> Options {
    Options {
        every_signal: true,
        ..Options::default()
    }
}

fn found(path: &str, code: &str) -> Vec<SignalFinding> {
    let facts = signals_of(path, code);
    let all = findings(&[(path, &facts)], &every_signal());
    all.into_iter()
        .filter(|f| f.rule == "unused-local")
        .collect()
}

/// The messages of what is found, without the words that all have.
fn names(path: &str, code: &str) -> Vec<String> {
    let messages = found(path, code).into_iter().map(|f| f.message);
    messages
        .map(|m| m.split('`').nth(1).unwrap_or_default().to_owned())
        .collect()
}

#[track_caller]
fn assert_all_found(path: &str, cases: &[(&str, &str)]) {
    for (code, name) in cases {
        assert_eq!(names(path, code), [*name], "{path}: {code}");
    }
}

#[track_caller]
fn assert_none_found(path: &str, cases: &[&str]) {
    for code in cases {
        assert_eq!(names(path, code), [""; 0], "{path}: {code}");
    }
}

#[test]
fn javascript_unread_locals_are_found() {
    assert_all_found(
        "a.js",
        &[
            ("function f(a) { const total = a + 1; return a; }", "total"),
            ("const f = (a) => { let total; return a; };", "total"),
            ("function f(a) { var n = 0; n = a; return a; }", "n"),
            ("class A { m(a) { const n = a.n; return a; } }", "n"),
            ("function f(a) { const n = 1; return a.n; }", "n"),
            ("function f(a) { const n = 1; return { n: a }; }", "n"),
            ("function f(a) { const n = 1; log('n'); }", "n"),
            (
                "function f(a) { const n = 1; } function g(n) { return n; }",
                "n",
            ),
            ("x(function () { if (y) { const n = 1; } });", "n"),
            (
                "function f() { const one = 1, two = 2; return two; }",
                "one",
            ),
        ],
    );
}

#[test]
fn javascript_keeps_read_and_special_locals() {
    assert_none_found(
        "a.jsx",
        &[
            "const total = 1;",
            "function f(a) { const n = 1; return () => n; }",
            "function f(a) { const n = 1; return { n }; }",
            "function f(a) { const n = 1; return `${n}`; }",
            "function f(a) { const N = g(); return <N b={a} />; }",
            "function f(a) { const n = g(); return <n.B />; }",
            "function f(a) { const n = g(); return (a = n) => a; }",
            "function f(a) { const n = g(); return ({ b = n }) => b; }",
            "function f(a) { const { n, ...rest } = a; return rest; }",
            "function f(a) { const [n, m] = a; return m; }",
            "function f(a) { const _n = a(); }",
            "function f(a) { const n = a(); eval('n'); }",
            "function f(a) { for (const n of a) { g(); } }",
            "function f(a) { for (let n = 0; ;) { g(); } }",
            "function f(a) { try { a(); } catch (n) { } }",
            "function f(a) { let n; return (n = a); }",
            "function f(a) { let n; ({ n } = a); }",
            "function f(a) { // eslint-disable-next-line\n const n = a(); }",
            "/* eslint no-unused-vars: 0 */ function f(a) { const n = a(); }",
            "function f(a) { const ignored = a(); }",
            "function f(a) { const n = a(; }",
        ],
    );
}

#[test]
fn typescript_counts_types_as_uses() {
    assert_all_found(
        "a.ts",
        &[("function f(a: N): N { const n: N = a; return a; }", "n")],
    );
    assert_none_found(
        "a.ts",
        &[
            "function f(a: N) { const n = a; let m: typeof n; return m; }",
            "function f(a: N) { const n = a; return a as typeof n; }",
            "namespace A { export const n = 1; }",
            "function f(a: N) { const n = a; type M = typeof n; return g<M>(); }",
            "function f(a: N) { // @ts-expect-error\n const n: M = a; }",
        ],
    );
    assert_none_found(
        "a.tsx",
        &["function F(a: N) { const Sub = a.b; return <Sub<N> c={a} />; }"],
    );
}

#[test]
fn java_keeps_resources_and_annotated_locals() {
    assert_all_found(
        "A.java",
        &[
            ("class A { int f(int a) { int n = a; return a; } }", "n"),
            ("class A { void f(B a) { B n; a.n(); } }", "n"),
            ("class A { B b = () -> { B n = g(); h(); }; }", "n"),
            ("class A { void f() { int n = 0; n = g(); } }", "n"),
        ],
    );
    assert_none_found(
        "A.java",
        &[
            "class A { int n = 1; void f() { } }",
            "class A { void f() { assertThrows(() -> { B n = g(); }); } }",
            "class A { @SuppressWarnings(\"checkstyle:UnusedLocalVariable\") void f() { B n = g(); } }",
            "class A { void f() { try (B n = g()) { h(); } } }",
            "class A { void f() { @Cleanup B n = g(); } }",
            "class A { void f() { @SuppressWarnings(\"unused\") B n = g(); } }",
            "class A { void f(B b) { for (B n : b) { h(); } } }",
            "class A { void f() { for (int n = 0; ; ) { h(); } } }",
            "class A { void f() { B n = g(); h(() -> n); } }",
            "class A { void f() { B n = g(); h(n::m); } }",
            "class A { B f() { B n = g(); return n.m; } }",
            "class A { B f() { return new B() { int n = 1; }; } }",
            "class A { void f() { int[] n = g(); n[0] = 1; } }",
            "class A { void f() { B n = g(); n.m = 1; } }",
        ],
    );
}

#[test]
fn csharp_reports_locals_except_using() {
    assert_all_found(
        "A.cs",
        &[
            ("class A { int F(int a) { var n = a; return a; } }", "n"),
            ("class A { void F() { int n; G(); } }", "n"),
            ("class A { void F() { B n = null; n = G(); } }", "n"),
        ],
    );
    assert_none_found(
        "A.cs",
        &[
            "class A { int n = 1; }",
            "class A { void F() { using var n = G(); H(); } }",
            "class A { void F() { using (var n = G()) { H(); } } }",
            "class A { void F() { foreach (var n in b) { H(); } } }",
            "class A { string F() { var n = G(); return $\"{n}\"; } }",
            "class A { string F() { var n = G(); return nameof(n); } }",
            "class A { void F() { var n = G(); H(out n); } }",
            "class A { void F() { H(out var n); } }",
            "class A { void F() { Throws(() => { var n = a.Data; }); } }",
            "class A { void F() { var (n, m) = G(); H(m); } }",
            "class A { void F() { var n = G(); var m = new { n }; H(m); } }",
            "class A { void F() { var n = G(); H(() => n.M); } }",
            "class A { void F() {\n#pragma warning disable CS0219\n int n = 1; } }",
            "class A { void F() { int n = 1;\n#if B\n H(n);\n#endif\n } }",
        ],
    );
}

#[test]
fn c_reports_locals_unless_macros_intervene() {
    assert_all_found(
        "a.c",
        &[
            ("int f(int a) { int n = a; return a; }", "n"),
            ("int f(int a) { char *n = g(a); return a; }", "n"),
            ("int f(int a) { char n[10]; return a; }", "n"),
            ("int f(int a) { b_t *n; return a; }", "n"),
            ("int f(int a) { b_t n; n = g(a); return a; }", "n"),
            ("int f(int a) { struct b *n; n = g(a); return a; }", "n"),
            ("int f(int a) { int n, m = a; return m; }", "n"),
            ("int f(struct b *a) { int n = 1; return a->n; }", "n"),
        ],
    );
    assert_none_found(
        "a.c",
        &[
            "int n = 1;",
            "#define G(x) h(n, x)\nint f(int a) { int n = a; return G(a); }",
            "int f(int a) { int n = a;\n#ifdef B\n a = n;\n#endif\n return a; }",
            "int f(int a) { int n = a; (void)n; return a; }",
            "int f(int a) { int n; g(&n); return a; }",
            "int f(int a) { int n; return sizeof(n); }",
            "int f(int a) { static char n[] = \"id\"; return a; }",
            "int f(int a) { extern int n; return a; }",
            "int f(int a) { volatile int n = a; return a; }",
            "int f(int a) { g_autofree char *n = g(a); return a; }",
            "int f(int a) { int n __attribute__((unused)) = a; return a; }",
            "int f(int a) { char *n = g(a); *n = 'a'; return a; }",
            "int f(int a) { char n[2]; n[0] = a; return a; }",
            "int f(int a) { int n = 2; int m[n]; return g(m); }",
            "int f(n) int n; { return 1; }",
            "int f(int a) { for (int n = 0; ; ) { g(a); } }",
            "int f(int a) { int n(int); return a; }",
            "int f(int a) { b_t *n = g(a); return n->a; }",
            "int f(int a) { b_t n = a; return n; }",
            "int f(int a) { char n[10]; ADD_STAT(a, 1); return a; }",
            "int f(int a) { int n; CHECK_IT; return a; }",
            "int f(int a) { int n = a;\n return a; }\n a) { (n);\nint g(int a) { return a; }",
        ],
    );
}

#[test]
fn cpp_reports_only_trivial_locals() {
    assert_all_found(
        "a.cpp",
        &[
            ("int f(int a) { const int n = a; return a; }", "n"),
            ("int A::f(int a) { B *n = g(a); return a; }", "n"),
            ("int f(int a) { std::size_t n = a; return a; }", "n"),
        ],
    );
    assert_none_found(
        "a.cpp",
        &[
            "int f(int a) { std::lock_guard<std::mutex> n(m); return a; }",
            "int f(int a) { Guard n; return a; }",
            "int f(int a) { auto n = g(a); return a; }",
            "int f(int a) { std::string n = g(a); return a; }",
            "int f(int a) { B &n = g(a); return a; }",
            "int f(int a) { [[maybe_unused]] int n = a; return a; }",
            "int f(int a) { int n = a; return [&n] { return 1; }(); }",
            "int f(int a) { if (int n = g(a)) { return 1; } return a; }",
            "int f(int a) { static int n = g(a); return a; }",
            "struct API a\n{\n    const char* n;\n    a();\n};",
        ],
    );
}

#[test]
fn ruby_unread_assignments_are_found() {
    assert_all_found(
        "a.rb",
        &[
            ("def f(a)\n  n = a\n  a\nend\n", "n"),
            (
                "def f(a)\n  a.each do |b|\n    n = b\n    b.n\n  end\nend\n",
                "n",
            ),
        ],
    );
    assert_none_found(
        "a.rb",
        &[
            "n = 1\nputs 2\n",
            "def f(a)\n  n = a\nend\n",
            "def f(a)\n  n = <<~B\n    b\n  B\nend\n",
            "def f(a)\n  n = a\n  # done\nend\n",
            "def f(a)\n  n = a\nrescue B\n  raise\nend\n",
            "def f(a)\n  if a\n    n = a\n  else\n    n = 2\n  end\nend\n",
            "def f(a)\n  n = a\n  \"#{n}\"\nend\n",
            "def f(a)\n  n = a\n  g(n:)\nend\n",
            "def f(a)\n  n = a\n  binding\nend\n",
            "def f(a)\n  n = a\n  <<~B\n    #{n}\n  B\nend\n",
            "def f(a)\n  n = nil\n  g { n = 1 }\n  n\nend\n",
            "def f(a)\n  n = a\n  def n.g\n  end\n  a\nend\n",
            "def f(a)\n  n, m = a\n  m\nend\n",
            "def f(a)\n  @n = a\n  self.n = a\n  a\nend\n",
            "def f(a)\n  _n = a\n  a\nend\n",
        ],
    );
}

#[test]
fn ruby_super_uses_parameters() {
    assert_none_found(
        "a.rb",
        &[
            "def f(a)\n  a = 1\n  super\nend\n",
            "def f(a:)\n  a = 1\n  g { super }\n  nil\nend\n",
            "def self.f(*a)\n  a = 1\n  super if g\n  nil\nend\n",
            "def f(a)\n  a = 1\n  super do |b|\n    b.c\n  end\n  nil\nend\n",
        ],
    );
    assert_all_found(
        "a.rb",
        &[
            ("def f(a)\n  a = 1\n  super()\n  nil\nend\n", "a"),
            ("def f(a)\n  a = 1\n  super nil\n  nil\nend\n", "a"),
            ("def f(a)\n  n = a\n  super\n  nil\nend\n", "n"),
        ],
    );
}

#[test]
fn rust_counts_macros_and_format_strings() {
    assert_all_found(
        "a.rs",
        &[
            ("fn f(a: u8) -> u8 { let n = a; a }", "n"),
            ("fn f(a: u8) -> u8 { let mut n = a; n = 1; a }", "n"),
        ],
    );
    assert_none_found(
        "a.rs",
        &[
            "fn f(a: u8) { let n = a; println!(\"{n}\"); }",
            "fn f(a: u8) { let n = a; println!(\"{n:?}\"); }",
            "fn f(a: f64) -> String { let n = 2; format!(\"{a:.n$}\") }",
            "fn f(a: f64) -> String { let n = 2; format!(\"{a:>n$}\") }",
            "fn f(a: f64) -> String { let n = 2; let m = 9; format!(\"{a:+0m$.n$} %\") }",
            "fn f(a: f64) { let n = 2; println!(\"{:.n$}\", a); }",
            "fn f(a: u8) { let n = a; g!(b => n); }",
            "fn f(a: u8) -> B { let n = a; B { n } }",
            "fn f(a: u8) { let _n = a.lock(); }",
            "fn f(a: B) { let B { n, .. } = a; }",
            "fn f(a: B) { let n = a; g(|| n); }",
            "fn f(a: B) { #[allow(unused)] let n = a; }",
        ],
    );
}

#[test]
fn go_compiler_reports_unused_locals() {
    assert_none_found(
        "a.go",
        &[
            "package a\nfunc f(a int) int { n := a; return a }",
            "package a\nfunc f(a int) int { const n = 1; return a + n }",
            "package a\nfunc f(a int) int { const (\n\tn = iota\n\tm\n)\nreturn a + m }",
            "package a\nconst n = 1\nfunc f(a int) int { return a }",
        ],
    );
    // It compiles constants that nothing reads.
    assert_all_found(
        "a.go",
        &[(
            "package a\nfunc f(a int) int { const n = 1; return a }",
            "n",
        )],
    );
}

#[test]
fn message_distinguishes_declared_and_assigned_locals() {
    let code = "function f(a) {\n  let n;\n  const total = a;\n}\n";
    let found = found("a.js", code);
    let told: Vec<_> = found
        .iter()
        .map(|f| (f.message.as_str(), f.span.start_line, f.callable.as_str()))
        .collect();
    assert_eq!(
        told,
        [
            ("`n` is declared and never read.", 2, "f"),
            ("`total` is assigned and never read.", 3, "f"),
        ]
    );
    assert!(found.iter().all(|f| f.category == "dead-code"));
}

#[test]
fn local_origins_match_dead_code() {
    let cases = [
        (
            "a.ts",
            "function f(a) { const n = a; return n; }",
            "return n",
            "return a",
        ),
        (
            "a.c",
            "int f(int a) { char *n = g(a); return n; }",
            "return n",
            "return a",
        ),
        (
            "a.rs",
            "fn f(a: u8) -> u8 { let mut n = a; n }",
            "; n }",
            "; a }",
        ),
        (
            "a.rb",
            "def f(a)\n  n = a\n  n\nend\n",
            "  n\nend",
            "  a\nend",
        ),
    ];
    for (path, used, read, other) in cases {
        let unused = used.replace(read, other);
        let (used, unused) = (signals_of(path, used), signals_of(path, &unused));
        let origin = |base: &FileSignals| {
            let all = classify(&[(path, base)], &[(path, &unused)], &every_signal());
            let mut of_local = all.into_iter().filter(|(f, _)| f.rule == "unused-local");
            of_local.next().map(|(_, origin)| format!("{origin:?}"))
        };
        let empty = signals_of(path, "");
        assert_eq!(origin(&empty).as_deref(), Some("Born"), "{path}");
        assert_eq!(origin(&used).as_deref(), Some("Orphaned"), "{path}");
        assert_eq!(origin(&unused).as_deref(), Some("Inherited"), "{path}");
    }
}

#[test]
fn reads_that_advance_keep_their_local() {
    for (path, code, expected) in [
        (
            "a.cs",
            "class A { void M(R r) { int rate = r.ReadInt32(); } }",
            0,
        ),
        (
            "A.java",
            "class A { void m(R r) { int rate = r.readInt(); } }",
            0,
        ),
        ("a.js", "function f(it) { const first = it.next(); }", 0),
        ("a.js", "function f() { const text = readFile(); }", 1),
        (
            "a.js",
            "function f(fs) { const text = fs.readFile(path); }",
            1,
        ),
        (
            "A.java",
            "class A { void m(R r) { int rate = r.rate(); } }",
            1,
        ),
    ] {
        assert_eq!(names(path, code).len(), expected, "{path}: {code}");
    }
}

#[test]
fn test_declaration_may_be_the_check() {
    let java = |value: &str| format!("class A {{ void m() {{ int n = {value}; g(); }} }}");
    let ts = |local: &str| format!("function f(a) {{ {local}; return 1; }}");
    for (path, code, expected) in [
        ("src/main/java/A.java", java("b.size()"), 1),
        ("src/test/java/A.java", java("b.size()"), 0),
        ("src/intTest/java/A.java", java("new B()"), 0),
        ("src/test/java/A.java", java("1"), 1),
        ("src/latest/java/A.java", java("b.size()"), 1),
        ("App.Tests/a.ts", ts("const b: B = a"), 0),
        ("unit-tests/a.ts", ts("const b: B = a"), 0),
        ("test/a.ts", ts("const b = a"), 1),
        ("lib/a.ts", ts("const b: B = a"), 1),
        ("lib/a.spec.ts", ts("const b: B = a"), 0),
        ("test/a.ts", ts("const b = a;\n// Bad Boys\n"), 0),
        ("lib/a.ts", ts("const b = a;\n// Bad Boys\n"), 1),
    ] {
        assert_eq!(names(path, &code).len(), expected, "{path}: {code}");
    }
}

#[test]
fn documentation_snippets_are_excused() {
    let code = "class A { void m() { int n = b.size(); g(); } }";
    assert_eq!(names("src/A.java", code).len(), 1);
    for path in [
        "docs/A.java",
        "framework-docs/src/A.java",
        "code/snippets/A.java",
        "Examples/A.java",
    ] {
        assert_eq!(names(path, code), [""; 0], "{path}");
    }
    let cited = format!("// tag::use[]\n{code}\n// end::use[]\n");
    assert_eq!(names("src/A.java", &cited), [""; 0]);
    let named = "void f() { int n = 1; g(tag::x, end::y[0]); }";
    assert_eq!(names("src/a.cpp", named), ["n"]);
}

#[test]
fn commented_out_code_keeps_its_locals() {
    assert_none_found(
        "a.js",
        &["function f(a) { const n = 1; /* return n(a); */ return a; }"],
    );
    assert_all_found(
        "a.js",
        &[("function f(a) { const n = 1; /* with n */ return a; }", "n")],
    );
}

#[test]
fn deliberately_shadowing_locals_are_excused() {
    assert_none_found(
        "a.js",
        &["(function () { var define, module, exports; g(); })();"],
    );
    let java = "class A { void m() { int module = 1; g(); } }";
    assert_eq!(names("A.java", java), ["module"]);
}

#[test]
fn csharp_refs_and_primary_constructors_pass() {
    assert_none_found(
        "a.cs",
        &["class A { void M() { ref var q = ref G(); q = 4; } }"],
    );
    // The grammar takes this struct for a function.
    let code = "{\n    public readonly struct Team(string name, List<string> members)\n    {\n        public readonly List<string> Members = members;\n    }\n";
    assert_none_found("a.cs", &[code]);
}

#[test]
fn java_suppress_all_is_obeyed() {
    let code = |word: &str| {
        format!("@SuppressWarnings({word}) class A {{ void m() {{ int n = 1; g(); }} }}")
    };
    assert_eq!(names("A.java", &code("\"all\"")), [""; 0]);
    assert_eq!(names("A.java", &code("\"rawtypes\"")), ["n"]);
}

#[test]
fn python_unread_locals_are_found() {
    assert_all_found(
        "a.py",
        &[
            ("def f(a):\n    total = len(a)\n    return a\n", "total"),
            (
                "def f(a):\n    skipped = 0\n    g(a)\n    return a\n",
                "skipped",
            ),
        ],
    );
    assert_none_found(
        "a.py",
        &[
            "def f(a):\n    _total = len(a)\n    return a\n",
            "def f(a):\n    total = len(a)\n    return g(locals())\n",
            "def f(a):\n    Total = g(a)\n    h: 'Total' = a\n    return h\n",
            "def f(a):\n    total = 0\n    for b in a:\n        total += b\n    return total\n",
        ],
    );
}
