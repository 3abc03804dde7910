//! Swift.

use slope_syntax::Profile;

use super::{costs, lists, tree};

#[test]
fn swift_decisions_follow_the_definitions() {
    costs(
        "swift",
        "func f() { % }",
        &[
            ("if a {}", 1, 1),
            ("if a {} else if b {} else {}", 2, 3),
            ("if a {} else { if b {} }", 2, 4),
            ("if a {} else if b { if c {} }", 3, 4),
            ("if let x = y, z {}", 1, 1),
            ("guard let x = y else { return }", 1, 1),
            ("let x = if a { 1 } else { 2 }", 1, 2),
            ("for x in a { while b { repeat {} while c } }", 3, 6),
            ("for x in a where b {}", 2, 1),
            (
                "switch x { case 1, 2: a()\n case let y where z: b()\n default: c() }",
                3,
                1,
            ),
            ("switch x { case .a(let y): b()\n case _: c() }", 1, 1),
            (
                "do { try a() } catch let e as E { b() } catch { c() }",
                2,
                2,
            ),
            ("do { a() }", 0, 0),
            ("let x = a && b || c", 2, 2),
            ("let x = a && (b || c)", 2, 2),
            ("let x = a ?? b ?? c", 2, 1),
            ("let x = a ? b : c", 1, 1),
            ("a?.b()?.c; try? d(); e!", 0, 0),
            ("o: for x in a { break o }", 1, 2),
            ("for x in a { continue }", 1, 1),
            ("defer { if a {} }", 1, 1),
        ],
    );
}

#[test]
fn swift_callables_have_qualified_names() {
    lists(
        "swift",
        "\
class A: B {
  init(a: Int, _ b: String) { c() }
  deinit { c() }
  var p: Int { return 1 }
  var q: Int {
    get { 1 }
    set(v) { a(v) }
  }
  var r = 1 { didSet { b() } }
  lazy var s: Int = { 1 }()
  let plain = 1
  subscript(i: Int) -> Int { get { 1 } }
  static func m(_ a: Int, with b: inout Int, c: Int...) throws -> Int { 1 }
  static func == (l: A, r: A) -> Bool { true }
}
protocol P { func without() }
extension A.Inner where T == B { func e() {} }
enum E { case x; func f() {} }
actor Act { func g() async {} }
func outer(a: Int) {
  func local() {}
  let add = { (x: Int, y: Int) in x + y }
  xs.map { $0.a }.filter { $0.b || $0.c }
  run(a) { x in
    b(x)
    c()
  }
  run { e in b(); c() }
  let x = { [weak self] in a() }
}
",
        &[
            ("A.init", 'M', 2, 1, 1),
            ("A.deinit", 'M', 0, 1, 1),
            ("A.p.get", 'M', 0, 1, 1),
            ("A.q.get", 'M', 0, 1, 1),
            ("A.q.set", 'M', 1, 1, 1),
            ("A.r.didSet", 'M', 0, 1, 1),
            ("A.subscript.get", 'M', 0, 1, 1),
            ("A.m", 'M', 3, 1, 1),
            ("A.==", 'M', 2, 1, 1),
            ("Inner.e", 'M', 0, 1, 1),
            ("E.f", 'M', 0, 1, 1),
            ("Act.g", 'M', 0, 1, 1),
            ("outer", 'F', 1, 6, 1),
            ("outer.local", 'F', 0, 1, 1),
            ("outer.add", 'F', 2, 1, 1),
            ("outer.filter.<closure>", 'L', 0, 1, 2),
            ("outer.run.<closure>", 'L', 1, 3, 1),
            ("outer.run.<closure>#2", 'L', 1, 1, 1),
            ("outer.x", 'F', 0, 1, 1),
        ],
    );
}

#[test]
fn swift_syntax_that_the_grammar_lacks_parses() {
    for code in [
        "func f() { promise.succeed(()) }\n",
        "func f() { g(value: (), x) }\n",
        "func f() -> Void { return () }\n",
        "func f() {\n  switch x {\n  case .a:\n    ()  // b\n  case .c: d()\n  }\n}\n",
        "#if a\nlet x = 1\n#else\n#error(\"b\")\n#endif\n",
        "@_specialize(where T == Int)\nfunc f<T>(a: T) {}\n",
        "func f() { for x in try a() { b() } }\n",
    ] {
        assert_eq!(tree("swift", code).errors(), None, "{code}");
    }
}

#[test]
fn swift_comments_are_not_source_lines() {
    let code = "#!/usr/bin/env swift\n/** a\n */\nlet s = \"\"\"\n  one\n\n  two\n  \"\"\" // b\n";
    let source = tree("swift", code).source_lines(Profile::Slope);
    assert_eq!(source.rows().collect::<Vec<_>>(), [3, 4, 6, 7]);
}
