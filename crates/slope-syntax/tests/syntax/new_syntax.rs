//! Syntax of language versions that the grammars lack, and code that only one branch of a conditional makes whole.

use slope_syntax::{Language, Limits, Profile, parse};

/// Callables with their complexities; asserts that the code parses without an error.
fn callables(language: &str, code: &str) -> Vec<(String, u32)> {
    let language = Language::by_id(language).unwrap();
    let tree = parse(language, code.as_bytes(), &Limits::default()).unwrap();
    assert_eq!(tree.errors(), None, "{code}");
    let source = tree.source_lines(Profile::Slope);
    let found = slope_syntax::callables(&tree, Profile::Slope, &source);
    let found = found.into_iter();
    found.map(|c| (c.name, c.complexity)).collect()
}

#[track_caller]
fn expect(language: &str, code: &str, expected: &[(&str, u32)]) {
    let found = callables(language, code);
    let found: Vec<_> = found.iter().map(|(name, n)| (name.as_str(), *n)).collect();
    assert_eq!(found, expected, "{code}");
}

#[test]
fn keywords_may_name_attributes() {
    let code = "function f(a) {\n  return a ? <i class=\"a\" id=\"b\" /> : <label for={a} class={['b']}>c</label>\n}\n";
    expect("javascript", code, &[("f", 2)]);
    expect("tsx", code, &[("f", 2)]);
}

#[test]
fn newer_typescript_syntax_parses() {
    for code in [
        "export type * from './t';",
        "export type * as types from './t';",
        "interface A<in T, out U, in out V> { x: T }",
        "const a: import('./b').C<string> = f();",
        "class A { accessor a = 1; static accessor b = 2; private accessor #c = 3; }",
        "import defer * as ns from './ns';",
        "import source x from './x.wasm';",
    ] {
        expect("typescript", code, &[]);
    }
    let code = "async function f() { await using a = g(); using b = h(); for (using x of b) { if (x) x.go(); } }";
    expect("typescript", code, &[("f", 3)]);
    expect("javascript", "class B { accessor k = 1; }", &[]);
}

#[test]
fn script_export_attributes_parse() {
    for code in [
        "export { a } from './a' with { type: 'json' };",
        "export * from './a' with { type: 'json' };",
        "export * as b from './a' with {\n  type: 'json',\n};",
        "const m = await import.defer('./a');",
        "const m = await import.source('./a');",
    ] {
        expect("javascript", code, &[]);
        expect("typescript", code, &[]);
    }
}

#[test]
fn ruby_command_methods_parse() {
    for (code, name) in [
        ("def g = puts 'x'\n", "g"),
        ("def g(x) = puts x, 1, a: [1, 2]\n", "g"),
        ("def g = raise ArgumentError, \"a, b\" # why, then\n", "g"),
        ("private def g = log.puts :x\n", "g"),
        ("def self.g! = puts 'x'\n", "self.g!"),
    ] {
        expect("ruby", code, &[(name, 1)]);
    }
}

#[test]
fn newer_compiled_language_syntax_parses() {
    expect(
        "go",
        "package p\nfunc f() { new([]int{1}); new(g()) }\n",
        &[("f", 1)],
    );
    let code = "class A { int f(Object o) { return switch (o) { case A.B(var x) -> 1; case int i when i > 0 -> 2; default -> 3; }; } }";
    expect("java", code, &[("A.f", 4)]);
    expect("rust", "fn f() { A { c, .. } = d; if x {} }", &[("f", 2)]);
    expect(
        "c",
        "typedef enum : unsigned { A } E;\nint f(void) { goto *p; L: }\n",
        &[("f", 1)],
    );
}

#[test]
fn cpp_lambdas_without_parentheses_parse() {
    for lambda in [
        "[] static { return 1; }",
        "[x = 1] mutable { return x; }",
        "[] constexpr noexcept { return 1; }",
        "[] -> int { return 1; }",
        "[] [[nodiscard]] { return 1; }",
        "[] [[nodiscard]] (int x) { return 1; }",
    ] {
        expect("cpp", &format!("auto f = {lambda};\n"), &[("f", 1)]);
    }
    expect(
        "cpp",
        "enum class E : int { A [[deprecated]] = 1 };\nint f(int x) pre(x > 0) post(r: r > 0) { return x; }\n",
        &[("f", 1)],
    );
}

#[test]
fn csharp_extensions_are_named_after_types() {
    for (receiver, name) in [
        ("string s", "E.string.M"),
        ("int", "E.int.M"),
        ("int[] xs", "E.int.M"),
        ("ref Span<int> s", "E.Span.M"),
        ("System.Text.Rune r", "E.Rune.M"),
        ("(int a, int b) t", "E.t.M"),
    ] {
        let code = format!(
            "static class E {{ extension({receiver}) {{ public int M() {{ return 1; }} }} }}"
        );
        expect("csharp", &code, &[(name, 1)]);
    }
    let code = "class A<T> where T : IFoo, allows ref struct { }\nclass B<T> where T : allows ref struct { int F() { return 1; } }";
    expect("csharp", code, &[("B.F", 1)]);
}

#[test]
fn newer_python_syntax_parses() {
    expect(
        "python",
        "lazy import json\nlazy from a import (b, c)\n",
        &[],
    );
    let code = "class Box[T = str, *Ts = *tuple[int, str], **P = [int]]:\n    def get[U: int = bool](self) -> U:\n        return self.value if self else None\n\ntype Pair[A, B = dict[str, int]] = tuple[A, B]\n";
    expect("python", code, &[("Box.get", 2)]);
    expect(
        "python",
        "def f(x):\n    return t'{x} there'\n",
        &[("f", 1)],
    );
}

#[test]
fn newer_csharp_syntax_parses() {
    let code = "static class E { extension<T>(IEnumerable<T> s) where T : class { public T? S() { return s.Any() ? s.First() : null; } } extension(Order o) { public int D => o.D; } }";
    expect("csharp", code, &[("E.IEnumerable.S", 2), ("E.Order.D", 1)]);
    let code = "class C { public static C operator checked +(C a, C b) => a; public void operator +=(int x) { } public void operator >>>=(int x) { } }";
    expect(
        "csharp",
        code,
        &[
            ("C.operator +", 1),
            ("C.operator +", 1),
            ("C.operator >>>", 1),
        ],
    );
    expect(
        "csharp",
        "class C { void A(C c) { c?.L = 3; c?.M?.N += 1; c?[0] = 2; } }",
        &[("C.A", 1)],
    );
    expect(
        "csharp",
        "class C { void A() { var g = (text, out result) => int.TryParse(text, out result); } }",
        &[("C.A", 1), ("C.A.g", 1)],
    );
    expect(
        "csharp",
        "class C { string N(object o) => o switch { int and > 3 => \"b\", [1, .., var l] when l > 2 => \"l\", { Length: > 2 } s => \"s\", null => \"n\", _ => \"o\" }; }",
        &[("C.N", 6)],
    );
    expect(
        "csharp",
        "#!/usr/bin/env dotnet run\n#:package Foo@1.0\nusing System;\nConsole.WriteLine(1);\n",
        &[],
    );
}

#[test]
fn newer_cpp_syntax_parses() {
    let code = "module;\n#include <vector>\nexport module shop.cart;\nimport std;\nexport import :part;\nexport namespace s {\nint f(int x) { return x ? 1 : 2; }\n}\nexport template <class T> T g(T x) { return x; }\n";
    expect("cpp", code, &[("s.f", 2), ("g", 1)]);
    let code = "struct P { bool eq(this P const& s, int y) { return s.x == y; } };";
    expect("cpp", code, &[("P.eq", 1)]);
    let code = "constexpr int f() { if consteval { return 1; } else { return 2; } }\nconstexpr int g() { if !consteval { return 1; } return 2; }";
    expect("cpp", code, &[("f", 2), ("g", 2)]);
    let code = "[[using gnu: const, always_inline]] int f(int x) { return x; }\nauto l = []<typename T>(T x) static noexcept -> int { return 1; };";
    expect("cpp", code, &[("f", 1), ("l", 1)]);
}

#[test]
fn newer_c_syntax_parses() {
    for code in [
        "enum E : unsigned char { A };",
        "static const unsigned char d[] = {\n#embed \"x.bin\"\n};\n",
        "typeof_unqual(int) a;",
    ] {
        expect("c", code, &[]);
    }
    let code = "[[nodiscard]] int f(void) { auto x = nullptr; return x ? 1 : 0b1'0; }\n";
    expect("c", code, &[("f", 2)]);
}

#[test]
fn list_patterns_can_contain_slices() {
    for pattern in [
        "[_, .. { Length: 2 }]",
        "[.. var r, 1]",
        "[.., 1]",
        "[1, ..]",
        "[.. [1, 2], 3]",
        "[.. > 5]",
    ] {
        let code =
            format!("class C {{ int F(object o) => o switch {{ {pattern} => 1, _ => 0 }}; }}");
        expect("csharp", &code, &[("C.F", 2)]);
    }
}

/// The longest branch is shown: an unbalanced brace must not hide code.
#[test]
fn short_unbalanced_branches_hide_no_code() {
    let code = "int f(int x) {\n#if A\n  if (x) {\n#else\n  if (x && y) {\n    while (x) { if (x > 1) { x--; } }\n#endif\n    x--;\n  }\n  return x;\n}\n";
    expect("c", code, &[("f", 5)]);
}

/// Unclosed lists of type parameters end in linear time: this takes hours if each is searched to the end of the file.
#[test]
fn unclosed_type_parameters_terminate() {
    let code = "class A[T = 1\n".repeat(60_000);
    let language = Language::by_id("python").unwrap();
    let _ = parse(language, code.as_bytes(), &Limits::default());
}

#[test]
fn newer_other_language_syntax_parses() {
    let java = "import module java.base;\nimport module java.sql;\nclass P { P(int x) { if (x < 0) throw new E(); super(); } int f(Object o) { return switch (o) { case R(int a, _) when a > 1 -> 1; case Integer _ -> 2; default -> 3; }; } }";
    expect("java", java, &[("P.P", 2), ("P.f", 4)]);
    let go = "package a\nfunc f() { p := new(3 + 4); q := new(g()); r := new([]int); s := new(*T); _, _, _, _ = p, q, r, s }\n";
    expect("go", go, &[("f", 1)]);
    expect(
        "rust",
        "unsafe extern \"C\" { pub safe fn sq(x: f64) -> f64; safe static B: u8; }",
        &[],
    );
    let rust = "fn a(p: P) { let P { #[cfg(unix)] x, #[allow(unused)] ref y, .. } = p; let T(#[cfg(a)] z, _) = q; }\n\
        fn b(p: P) -> R<-1, 1> { match p { P { #[cfg(a)] x: 1, .. } => N::<-1>::n(), _ => R::<2, -2>(0) } }\n\
        fn c() { str!(\"x\"); f(str![[r#\"y\"#]], u8!{1}); if a { bool!() } }";
    expect("rust", rust, &[("a", 1), ("b", 2), ("c", 2)]);
    let ruby = "def f(a, b)\n  if a\n     && b\n     || c\n    1\n  end\n  z = a # why\nend\n";
    expect("ruby", ruby, &[("f", 4)]);
}

/// Two openers of one block under `#if` and `#else`.
#[test]
fn split_conditionals_show_one_branch() {
    let body = "        if (x) return 1;\n    }\n    while (x) {\n        x--;\n        if (x > 3 && x < 5) return 2;\n    }\n    return 0;\n}\n";
    for (language, head, split) in [
        (
            "c",
            "int parse(int x) {\n",
            "#ifdef WIN\n    if (x == 1) {\n#else\n    if (x == 2) {\n#endif\n",
        ),
        (
            "cpp",
            "int parse(int x) {\n",
            "#if WIN\n    if (x == 1) {\n#elif MAC\n    if (x == 2) {\n#else\n    if (x == 3) {\n#endif\n",
        ),
        (
            "cpp",
            "int parse(int x)\n",
            "#ifdef WIN\n noexcept {\n    if (x == 1) {\n#else\n {\n    if (x == 2) {\n#endif\n",
        ),
    ] {
        let code = format!("{head}{split}{body}\nint after(int y) {{\n    return y ? 1 : 0;\n}}\n");
        expect(language, &code, &[("parse", 6), ("after", 2)]);
    }
    let code = format!(
        "class C {{\nint Parse(int x) {{\n#if WIN\n    if (x == 1) {{\n#else\n    if (x == 2) {{\n#endif\n{body}}}\n"
    );
    let code = code
        .replace("if (x) return", "if (x > 0) return")
        .replace("while (x)", "while (x > 0)");
    expect("csharp", &code, &[("C.Parse", 6)]);
}

/// Conditionals in the middle of a statement, and openers and closers of a block in conditionals of their own.
#[test]
fn conditionals_inside_statements_show_one_branch() {
    for (split, complexity) in [
        (
            "#ifdef A\n  n =\n#else\n  (void)\n#endif\n  insert(x);\n",
            1,
        ),
        ("#ifdef A\n  if (x)\n#else\n  if (y)\n#endif\n    f();\n", 2),
        (
            "  if (x) {\n    f();\n#ifdef A\n  } else {\n    g();\n#endif\n  }\n",
            2,
        ),
        (
            "  if (x) f();\n#ifdef A\n  else if (y) g();\n#endif\n  else h();\n",
            3,
        ),
        (
            "#ifdef A\n  if (x) {\n#endif\n    f();\n#ifdef A\n  }\n#endif\n",
            2,
        ),
        ("  n = x +\n#ifdef A\n    1;\n#else\n    2;\n#endif\n", 1),
        (
            "#if B\n  r = ioctl(x,\n#ifdef A\n    GET,\n#else\n    EXT,\n#endif\n    &y);\n#endif\n",
            1,
        ),
        (
            "#ifdef A\n  if (x) /* first */\n#endif\n  {\n    f();\n  }\n",
            2,
        ),
    ] {
        let code = format!(
            "int one(int x) {{\n{split}  return 0;\n}}\nint after(int y) {{\n  return y ? 1 : 0;\n}}\n"
        );
        expect("c", &code, &[("one", complexity), ("after", 2)]);
        expect("cpp", &code, &[("one", complexity), ("after", 2)]);
    }
}

#[test]
fn macros_before_return_types_name_nothing() {
    let code = "really_inline result<int> walker::kind() const noexcept {\n  return {3};\n}\n\
        warn_unused simdjson_inline error_code K::next() noexcept {\n  return {};\n}\n\
        MY_API(int) int open_it(void) {\n  return 1;\n}\n\
        fast_path static bool is_it(int a) {\n  return a && a > 1;\n}\n";
    let expected = [
        ("walker.kind", 1),
        ("K.next", 1),
        ("open_it", 1),
        ("is_it", 2),
    ];
    expect("cpp", code, &expected);
}

#[test]
fn macros_before_declarations_are_not_types() {
    for code in [
        "static JSON_INLINE int f(int a) { return a ? 1 : 2; }",
        "API_EXPORT const char *\nf(int a) { return a ? 0 : g(); }",
        "const char *f(va_list *ap) { return x ? va_arg(*ap, const char *) : 0; }",
        "int f(int a) { chaos_loop(g(), , ); return a ? 1 : 2; }",
        "int f(int a) ATTRS((nonnull(1)));\nint f(int a) { return a ? 1 : 2; }",
    ] {
        expect("c", code, &[("f", 2)]);
    }
    for code in [
        "typedef BOOL(WINAPI *F)(int *p, int q);",
        "static_assert(1, \"a\" VERSION \"b\");",
        "#if __has_include(<regex.h>)\nint a;\n#endif\n",
    ] {
        expect("c", code, &[]);
    }
}

#[test]
fn macros_of_cpp_hide_no_members() {
    for code in [
        "INL constexpr int n{1 << 29};",
        "class A {\npublic:\n    int a;\n    NODISCARD const B<int> &b() const;\n};",
        "auto f() -> decltype(std::declval<A>().find(1), std::true_type());",
    ] {
        expect("cpp", code, &[]);
    }
    let code = "INL std::ptrdiff_t\nfind(std::string name) { return name.empty() ? 0 : 1; }";
    expect("cpp", code, &[("find", 2)]);
}

#[test]
fn generic_function_types_are_type_arguments() {
    let code = "const x = e(c).toBe<<C extends number>(s: C) => R<C>>();";
    expect("typescript", code, &[]);
    expect("typescript", "const y = a << b;", &[]);
}

/// A compiler sees one of the heads, so slope does too, and counts the body once.
#[test]
fn functions_can_have_two_heads() {
    for (language, first, second, name) in [
        (
            "c",
            "static int f(int x)",
            "static int f(int x, int y)",
            "f",
        ),
        ("c", "f(int x)", "f(long x)", "f"),
        (
            "cpp",
            "W::W(int x) : Q(x)",
            "W::W(int x, int y) : Q(x), z(y)",
            "W.W",
        ),
        (
            "cpp",
            "template <class T> T f(T x)",
            "template <class T> T f(T x) noexcept",
            "f",
        ),
    ] {
        let code =
            format!("#ifdef A\n{first}\n#else\n{second}\n#endif\n{{\n  if (x) {{ g(); }}\n}}\n");
        let code = if first == "f(int x)" {
            format!("static int\n{code}")
        } else {
            code
        };
        expect(language, &code, &[(name, 2)]);
    }
}

#[test]
fn directives_between_parameters_parse() {
    let code = "int z(int a,\n#ifdef A\n  int b,\n#else\n  long bb,\n#endif\n  int c\n#ifdef B\n  , int d\n#endif\n)\n{\n  if (a) { g(x,\n#ifdef A\n y\n#else\n zz\n#endif\n); }\n  return 0;\n}\n";
    expect("c", code, &[("z", 2)]);
}

#[test]
fn qt_loop_macros_are_loops() {
    let code = "void W::run() {\n  foreach (auto x, xs) { if (x) y(); }\n  Q_FOREACH (const QString &s, list) { g(s); }\n  forever { g(1); }\n}\n";
    expect("cpp", code, &[("W.run", 5)]);
    expect("c", "int (max)(int a) { return a; }\n", &[("max", 1)]);
}
