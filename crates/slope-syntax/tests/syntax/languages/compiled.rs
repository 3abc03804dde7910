//! Rust, Go, Java, C, C++, C#, Haskell, Zig.

use super::{costs, lists, tree};

#[test]
fn rust() {
    costs(
        "rust",
        "fn f() { % }",
        &[
            ("if a {}", 1, 1),
            ("if a {} else if b {} else {}", 2, 3),
            ("if let Some(x) = a && b && c {}", 3, 2),
            ("let Some(x) = a else { return };", 1, 1),
            ("for x in a { while b { loop {} } }", 3, 6),
            ("match a { 1 | 2 => {} n if n > 3 => {} _ => {} }", 3, 1),
            ("match a { Some(_) => {} None => {} }", 2, 1),
            ("match a { true => {} other => {} }", 1, 1),
            ("a?; b.c()?;", 0, 0),
            ("let x = a && b || c;", 2, 2),
            ("'a: loop { break 'a; }", 1, 2),
            ("assert!(a && b, \"{}\", if c { 1 } else { 2 });", 2, 0),
            ("matches!(a, Some(1) if true || false);", 2, 0),
            ("m!(a[1] || b() && \"c\" || d? || 1);", 4, 0),
            ("m!(a, || 1, move || 2);", 0, 0),
            ("spawn!(|| 1);", 0, 0),
            ("unsafe { a() }", 0, 0),
            ("async { if a {} }", 1, 1),
        ],
    );
    lists(
        "rust",
        "\
mod inner {
    impl<T: Clone> Trait for super::Bar<T> {
        fn m(&mut self, a: u8, (b, c): (u8, u8)) -> impl Fn(u8) {
            let add = |x: u8, y| x + y;
            xs.iter().map(|x| x.a).filter(|x| {
                x.b || x.c
            });
        }
    }
    trait T { fn without(&self); fn with(&self) {} }
}
/// Documentation.
#[inline]
fn free<const N: usize>() {
    fn nested() {}
}
",
        &[
            ("inner.super::Bar.m", 'M', 2, 3, 1),
            ("inner.super::Bar.m.add", 'F', 2, 1, 1),
            ("inner.super::Bar.m.filter.<closure>", 'L', 1, 2, 2),
            ("inner.T.with", 'M', 0, 1, 1),
            ("free", 'F', 0, 1, 1),
            ("free.nested", 'F', 0, 1, 1),
        ],
    );
}

#[test]
fn rust_receivers_and_raw_texts() {
    lists(
        "rust",
        "\
impl A {
    fn boxed(self: Box<Self>) {}
    fn pinned(mut self: Pin<&mut Self>, x: u8) {}
    fn other(this: &Self) {}
}
fn raw() -> &'static str {
    r#\"
 a

\"#
}
",
        &[
            ("A.boxed", 'M', 0, 1, 1),
            ("A.pinned", 'M', 1, 1, 1),
            ("A.other", 'M', 1, 1, 1),
            ("raw", 'F', 0, 4, 1),
        ],
    );
}

#[test]
fn java_null_default_arm_adds_nothing() {
    costs(
        "java",
        "class A { void f() { % } }",
        &[(
            "switch (o) { case A a -> b(); case null, default -> c(); }",
            1,
            1,
        )],
    );
}

#[test]
fn java_anonymous_classes_use_type_name() {
    lists(
        "java",
        "class A { void d() {
    f(new Comparator<>() { public int compare() { return 1; } });
    f(new a.b.C<T>() { int g() { return 1; } });
    f(new a.b.D() { int g() { return 1; } });
    f(new Outer<T>.Inner() { int g() { return 1; } });
} }",
        &[
            ("A.d", 'M', 0, 5, 1),
            ("A.d.Comparator.compare", 'M', 0, 1, 1),
            ("A.d.C.g", 'M', 0, 1, 1),
            ("A.d.D.g", 'M', 0, 1, 1),
            ("A.d.Inner.g", 'M', 0, 1, 1),
        ],
    );
}

#[test]
fn go() {
    costs(
        "go",
        "package p\nfunc f() {\n%\n}\n",
        &[
            ("if a := b(); a && c {\n}", 2, 2),
            ("if a {\n} else if b {\n} else {\n}", 2, 3),
            ("for {\n for i := range x {\n for a {\n}\n}\n}", 3, 6),
            ("switch a {\ncase 1, 2:\n b()\ncase 3:\ndefault:\n}", 2, 1),
            ("switch a := b.(type) {\ncase int:\ncase string:\n}", 2, 1),
            ("select {\ncase <-a:\ncase b <- 1:\ndefault:\n}", 2, 1),
            ("L:\nfor {\n continue L\n}", 1, 2),
            ("goto L\nL:\n a()", 0, 1),
            ("x := a || b && c", 2, 2),
        ],
    );
    lists(
        "go",
        "\
package p
type S struct{}
func (s *S) M(a, b int, c ...string) (int, error) {
	f := func(a int) int { return a }
	go func() {
		f()
		f()
	}()
	x := T{Run: func() { f() }}
	return sort(a, func(i, j int) bool { return i < j }), nil
}
func (l List[T]) Len() int { return 0 }
func G[T any](a, _ int) {}
func H(int, string)     {}
func external(a int)
",
        &[
            ("S.M", 'M', 3, 5, 1),
            ("S.M.f", 'F', 1, 1, 1),
            ("S.M.<func>", 'L', 0, 3, 1),
            ("S.M.Run", 'F', 0, 1, 1),
            ("List.Len", 'M', 0, 1, 1),
            ("G", 'F', 2, 1, 1),
            ("H", 'F', 2, 1, 1),
        ],
    );
}

#[test]
fn java() {
    costs(
        "java",
        "class A { void f() { % } }",
        &[
            ("if (a) {} else if (b) {} else c();", 2, 3),
            (
                "for (;;) { for (A a : b) { while (c) { do {} while (d); } } }",
                4,
                10,
            ),
            ("switch (a) { case 1: case 2: b(); break; default: }", 2, 1),
            (
                "int r = switch (a) { case 1, 2 -> 3; case B b when b.c -> 4; default -> 5; };",
                3,
                1,
            ),
            ("try { } catch (A | B e) { } finally { }", 1, 1),
            ("try (A a = b()) { if (a) {} } catch (A e) { }", 2, 2),
            ("return a ? b && c : d || e;", 3, 3),
            ("x: for (;;) { break x; }", 1, 2),
            ("assert a;", 1, 0),
            ("synchronized (a) { if (b) {} }", 1, 1),
        ],
    );
    lists(
        "java",
        "\
class A {
  A(int a) { super(a); }
  abstract Foo q();
  <T> Foo m(@X A this, final int a, String... b) {
    Runnable f = () -> x.y();
    g(x -> x.a, (a, b) -> {
      h();
      return 1;
    });
    new T(1) {
      void z() { if (a) b(); }
    };
  }
  interface I { default void d() {} void e(); }
  record R(int a) { R { a(); } }
  enum E { X { void y() {} }; void z() {} }
}
",
        &[
            ("A.A", 'M', 1, 1, 1),
            ("A.m", 'M', 2, 4, 1),
            ("A.m.f", 'F', 0, 1, 1),
            ("A.m.g.<lambda>", 'L', 2, 3, 1),
            ("A.m.T.z", 'M', 0, 1, 2),
            ("A.I.d", 'M', 0, 1, 1),
            ("A.R.R", 'M', 0, 1, 1),
            ("A.E.y", 'M', 0, 1, 1),
            ("A.E.z", 'M', 0, 1, 1),
        ],
    );
}

const C: &[(&str, u32, u32)] = &[
    ("if (a) {} else if (b) {} else c();", 2, 3),
    ("for (;;) { while (a) { do {} while (b); } }", 3, 6),
    (
        "switch (a) { case 1: case 2: b(); break; default: c(); }",
        2,
        1,
    ),
    ("return a && b || c ? d : e;", 3, 3),
    ("goto out; out: a();", 0, 1),
    ("int x = a & b;", 0, 0),
    ("\n#if A && B\nif (a) {}\n#else\nif (b) {}\n#endif\n", 2, 2),
];

#[test]
fn c() {
    costs("c", "void f(void) { % }", C);
    lists(
        "c",
        "\
struct s { int a; };
static int *one(int (*cb)(int), char **p, ...) { return 0; }
int (*two(int a))(int)
{
    return 0;
}
void declared(int a);
#ifdef X
void three(void) {}
#else
void three(int a) {}
#endif
",
        &[
            ("one", 'F', 3, 1, 1),
            ("two", 'F', 1, 2, 1),
            ("three", 'F', 0, 1, 1),
            ("three", 'F', 1, 1, 1),
        ],
    );
}

#[test]
fn cpp() {
    costs("cpp", "void f() { % }", C);
    costs(
        "cpp",
        "void f() { % }",
        &[
            ("for (auto x : y) {}", 1, 1),
            ("try {} catch (A) {} catch (...) {}", 2, 2),
            ("if (a and b or c) {}", 3, 3),
            ("if (auto x = a(); x && b) {}", 2, 2),
            ("auto g = [](T&& a) { return a; };", 0, 0),
            ("if constexpr (a) {}", 1, 1),
        ],
    );
    lists(
        "cpp",
        "\
namespace n {
template <typename T> class A : B {
 public:
  A() = default;
  A(const A&) = delete;
  ~A() {}
  void m(int a, int b = 1, ...) const override {}
  operator bool() const { return 1; }
  T& operator=(T&& o) { return o; }
  virtual void v() = 0;
};
}
namespace { void hidden() {} }
template <typename T> int A<T>::b(void) {
  auto f = [&](int a) { return a; };
  each(x, [](auto a) { a(); a(); });
  return 1;
}
n::A::A(int x) : a(x), b(y) {}
",
        &[
            ("n.A.~A", 'M', 0, 1, 1),
            ("n.A.m", 'M', 3, 1, 1),
            ("n.A.operator bool", 'M', 0, 1, 1),
            ("n.A.operator=", 'M', 1, 1, 1),
            ("hidden", 'F', 0, 1, 1),
            ("A<T>.b", 'M', 0, 4, 1),
            ("A<T>.b.f", 'F', 1, 1, 1),
            ("A<T>.b.each.<lambda>", 'L', 1, 1, 1),
            ("n.A.A", 'M', 1, 1, 1),
        ],
    );
}

#[test]
fn csharp() {
    costs(
        "csharp",
        "class A { void F() { % } }",
        &[
            ("if (a && b || c) { } else if (d) { } else { }", 4, 5),
            (
                "for (;;) { foreach (var a in b) { while (c) { do { } while (d); } } }",
                4,
                10,
            ),
            (
                "switch (a) { case 1: case 2 when b: c(); break; default: break; }",
                3,
                1,
            ),
            (
                "var r = a switch { 1 => 2, > 3 and < 5 => 3, _ when b => 4, _ => 5 };",
                4,
                1,
            ),
            ("try { } catch (E e) when (e.x) { } finally { }", 2, 1),
            ("a ??= b ?? c;", 2, 1),
            ("a?.b();", 0, 0),
            ("var r = a ? 1 : 2;", 1, 1),
            ("goto L; L: a();", 0, 1),
            ("var q = from x in y where x > 1 select x;", 1, 0),
            ("using (a) { lock (b) { } }", 0, 0),
            ("\n#if A && B\na();\n#endif\n", 0, 0),
        ],
    );
}

#[test]
fn csharp_names() {
    lists(
        "csharp",
        "\
namespace N;
class A : B {
  int P { get { return 1; } set => x = value; }
  int Q => a ? 1 : 2;
  int R { get; set; }
  int this[int i] => i;
  public A(int a) : base(a) { }
  ~A() { }
  abstract Foo Abs();
  Foo E(int a, params int[] b) => a;
  static A operator +(A a, A b) => a;
  void M() {
    Func<int, int> f = x => x;
    xs.Where(x => x.a).Select((a, b) => { c(); return a; });
    void Local(int q) { }
  }
}
",
        &[
            ("N.A.P.get", 'M', 0, 1, 1),
            ("N.A.P.set", 'M', 0, 1, 1),
            ("N.A.Q", 'M', 0, 1, 2),
            ("N.A.this", 'M', 1, 1, 1),
            ("N.A.A", 'M', 1, 1, 1),
            ("N.A.~A", 'M', 0, 1, 1),
            ("N.A.E", 'M', 2, 1, 1),
            ("N.A.operator +", 'M', 2, 1, 1),
            ("N.A.M", 'M', 0, 3, 1),
            ("N.A.M.f", 'F', 1, 1, 1),
            ("N.A.M.Select.<lambda>", 'L', 2, 1, 1),
            ("N.A.M.Local", 'F', 1, 1, 1),
        ],
    );
}

#[test]
fn haskell() {
    costs(
        "haskell",
        "f x =\n  %\n",
        &[
            ("if a then b else c", 1, 1),
            ("if a then b else if c then d else e", 2, 2),
            ("case x of { 1 -> a; _ -> b }", 1, 1),
            (
                "case x of { y | y > 1 -> a | otherwise -> b; _ -> c }",
                2,
                2,
            ),
            ("a && b || c", 2, 2),
            ("[y | y <- x, y > 1]", 2, 0),
            ("map (\\y -> y) x", 0, 0),
        ],
    );
    lists(
        "haskell",
        "\
module Main where

-- | Documentation.
main :: IO ()
main = do
  x <- getLine
  print x

fact :: (a -> b) -> Int -> Int
fact _ 0 = 1
-- in between
fact g n | n > 0 = go n
         | otherwise = 2
  where
    go 1 = 2
    go m = m

instance Show Foo where
  show (Foo a) = a

a <+> b = a
limit = 3
g = \\case
  1 -> 2
  _ -> 3
",
        &[
            ("main", 'F', 0, 3, 1),
            ("fact", 'F', 2, 4, 3),
            ("fact.go", 'F', 1, 2, 2),
            ("Show Foo.show", 'M', 1, 1, 1),
            ("<+>", 'F', 2, 1, 1),
            ("limit", 'F', 0, 1, 1),
            ("g", 'F', 0, 3, 2),
        ],
    );
}

#[test]
fn zig() {
    costs(
        "zig",
        "fn f() void { % }",
        &[
            ("if (a and b) |x| {} else if (c) {} else {}", 3, 4),
            ("for (a) |x| { while (b) {} else {} }", 2, 4),
            ("const x = if (a) 1 else 2;", 1, 2),
            ("const x = a() catch |e| return e;", 1, 1),
            ("const x = a orelse 1;", 1, 0),
            (
                "const x = switch (a) { 1, 2 => 3, .b => 4, else => 5 };",
                2,
                1,
            ),
            ("try a();", 0, 0),
            ("x: while (a) { continue :x; }", 1, 2),
            ("const x = y: { break :y 3; };", 0, 0),
        ],
    );
    lists(
        "zig",
        "\
const Foo = struct {
    a: u8,
    pub fn init(self: *Foo, b: u8) !u8 {
        return b;
    }
};
extern fn outside(a: u8) void;
fn free(comptime T: type) void {}
test \"a b\" {
    try x();
}
",
        &[
            ("Foo.init", 'M', 1, 2, 1),
            ("free", 'F', 1, 1, 1),
            ("test \"a b\"", 'F', 0, 2, 1),
        ],
    );
}

#[test]
fn cpp_export_macros_keep_type_names() {
    lists(
        "cpp",
        "\
class API Foo { void a() { b(); } };
class QT_EXPORT(x) Bar : public Foo { public: int c() { return 1; } };
struct API
Last final { int d() { return 2; } };
",
        &[
            ("Foo.a", 'M', 0, 1, 1),
            ("Bar.c", 'M', 0, 1, 1),
            ("Last.d", 'M', 0, 1, 1),
        ],
    );
}

#[test]
fn cpp_only_sections_are_valid_c() {
    let guard = "#ifdef __cplusplus\nextern \"C\" {\n#endif\nint f(int a);\n#ifdef __cplusplus\n}\n#endif\n";
    for code in [
        guard.to_owned(),
        format!("#ifndef A_H\n#define A_H\n\n{guard}\n#endif\n"),
        format!("#pragma once\n#include <a.h>\n{guard}int g(void) {{ return 1; }}\n"),
        "#if defined(__cplusplus)\nclass A { public: int b() const; };\n#else\ntypedef struct A A;\n#endif\n"
            .to_owned(),
    ] {
        assert_eq!(tree("c", &code).errors(), None, "{code}");
    }
    let broken = format!("{guard}int g(void {{\n");
    assert!(tree("c", &broken).errors().is_some());
}
