//! Python, JavaScript, TypeScript, Ruby.

use super::{costs, facts, lists};

#[test]
fn python() {
    costs(
        "python",
        "def f():\n    %\n",
        &[
            ("if a: pass", 1, 1),
            ("if a: pass\n    else: pass", 1, 2),
            ("if a: pass\n    elif b: pass\n    else: pass", 2, 3),
            ("for x in a:\n        if x: pass", 2, 3),
            ("for x in a: pass\n    else: pass", 1, 2),
            ("while a and b or c: pass", 3, 3),
            ("return a and b and c", 2, 1),
            ("return a and not (b and c)", 2, 2),
            ("return a and (b or c) and d", 3, 3),
            ("return (a and b) == (c and d)", 2, 2),
            ("return 1 if a else 2", 1, 1),
            (
                "try: pass\n    except A: pass\n    else: pass\n    finally: pass",
                1,
                1,
            ),
            (
                "match a:\n        case 1: pass\n        case x if y: pass\n        case _: pass",
                3,
                1,
            ),
            ("return [x for x in a if x]", 2, 0),
            ("assert a", 1, 0),
            ("with a: pass", 0, 0),
        ],
    );
    lists(
        "python",
        "\
class A:
    def m(self, a, /, b: int = 1, *c, d, **e):
        def inner(x):
            return x or 1
        return sorted(c, key=lambda v: v.a)
    @classmethod
    def n(cls, *, a): return [
        x for x in a
    ]
key = lambda a, b=1: a
def f(xs):
    return xs.map(lambda x: x if x else 1)
def f(xs): pass
if True:
    def hidden(): pass
",
        &[
            ("A.m", 'M', 5, 2, 1),
            ("A.m.inner", 'F', 1, 2, 2),
            ("A.n", 'M', 1, 3, 2),
            ("key", 'F', 2, 1, 1),
            ("f", 'F', 1, 2, 1),
            ("f.map.<lambda>", 'L', 1, 1, 2),
            ("f", 'F', 1, 1, 1),
            ("hidden", 'F', 0, 1, 1),
        ],
    );
}

const JAVASCRIPT: &[(&str, u32, u32)] = &[
    ("if (a) {}", 1, 1),
    ("if (a) {} else {}", 1, 2),
    ("if (a) {} else if (b) {} else {}", 2, 3),
    ("if (a) {} else { if (b) {} }", 2, 4),
    ("for (;;) { for (x of y) { for (x in y) {} } }", 3, 6),
    ("while (a) { do {} while (b); }", 2, 3),
    (
        "switch (a) { case 1: case 2: b(); break; default: c(); }",
        2,
        1,
    ),
    ("try {} catch (e) { if (a) {} } finally {}", 2, 3),
    ("return a && b && c || d;", 3, 2),
    ("return a && (b || c) && d;", 3, 3),
    ("return a ?? b;", 1, 1),
    ("a ||= b; a &&= b; a ??= b;", 3, 0),
    ("return a?.b;", 0, 0),
    ("return a ? b : c ? d : e;", 2, 3),
    ("x: for (;;) { for (;;) { continue x; } break x; }", 2, 5),
    ("return a + b;", 0, 0),
    ("g(function () { return 1; });", 0, 0),
];

#[test]
fn javascript_and_typescript() {
    for language in ["javascript", "typescript", "tsx"] {
        costs(language, "function f() { % }", JAVASCRIPT);
        lists(
            language,
            "\
class A {
  constructor(a, { b, c } = {}, ...d) { super(); }
  get p() { return 1; }
  #q = (a) => a && a;
}
const o = { m() {}, n: { k: function () {} }, 'q-r': x => 1, async *g() {} };
module.exports.h = function named(a) {
  if (a) return 1;
};
export default () => 1;
items.filter(x => x.a).map(x => {
  const y = x;
  return y ? 1 : 2;
}, 100);
items.map(x => x || 1).map(x => x || 2);
function* gen() {
  const late = async function () {};
}
",
            &[
                ("A.constructor", 'M', 3, 1, 1),
                ("A.p", 'M', 0, 1, 1),
                ("A.#q", 'M', 1, 1, 2),
                ("o.m", 'M', 0, 1, 1),
                ("o.n.k", 'F', 0, 1, 1),
                ("o.q-r", 'F', 1, 1, 1),
                ("o.g", 'M', 0, 1, 1),
                ("named", 'F', 1, 2, 2),
                ("default", 'F', 0, 1, 1),
                ("map.<arrow>", 'L', 1, 3, 2),
                ("map.<arrow>#2", 'L', 1, 1, 2),
                ("map.<arrow>#3", 'L', 1, 1, 2),
                ("gen", 'F', 0, 2, 1),
                ("gen.late", 'F', 0, 1, 1),
            ],
        );
    }
}

#[test]
fn typescript_names() {
    lists(
        "typescript",
        "\
abstract class A { abstract q(): void; private f = (a: number, b?: string) => a; }
function over(a: string): void;
function over(this: A, a: any) {}
namespace N { export const z = <T,>(a: T) => 1; }
declare function outside(a: number): void;
",
        &[
            ("A.f", 'M', 2, 1, 1),
            ("over", 'F', 1, 1, 1),
            ("N.z", 'F', 1, 1, 1),
        ],
    );
    lists(
        "tsx",
        "const C = () => <div onClick={() => { if (a) b(); }}>{a && <b/>}</div>;",
        &[("C", 'F', 0, 1, 2), ("C.<arrow>", 'L', 0, 1, 2)],
    );
}

#[test]
fn ruby() {
    costs(
        "ruby",
        "def f\n%\nend\n",
        &[
            ("if a && b\nelsif c\nelse\nend", 3, 4),
            ("unless a\nelse\nend", 1, 2),
            ("a if b\na unless c", 2, 2),
            ("a while b\na until c", 2, 2),
            ("while a\nuntil b\nfor x in y\nend\nend\nend", 3, 6),
            ("case a\nwhen 1, 2 then b\nwhen 3 then c\nelse d\nend", 2, 1),
            ("case a\nin 1 if b then c\nin _ then d\nend", 2, 1),
            (
                "begin\na\nrescue A\nb\nrescue B\nc\nelse\nd\nensure\ne\nend",
                2,
                2,
            ),
            ("a\nrescue\nb", 1, 1),
            ("a rescue b", 1, 1),
            ("a and b or c", 2, 2),
            ("a ||= b\na &&= c", 2, 0),
            ("a&.b", 0, 0),
            ("a ? b : c", 1, 1),
            ("a.each do |x|\nif x\nend\nend", 1, 2),
        ],
    );
}

#[test]
fn ruby_names() {
    lists(
        "ruby",
        "\
module A
  class B < C
    def m(a, b = 1, *c, k: 2, **o, &blk)
      a.each { |x| x ? 1 : 2 }
      t = ->(x) { x || 1 }
    end
    def self.n; end
    def x=(v) = @x = v
    def ==(other) = a && b
    attr_reader :q
  end
end
task :x do
  a
  b
end
describe 'a' do
  it { is_expected }
  it 'b' do
    c if d
  end
end
",
        &[
            ("A.B.m", 'M', 6, 3, 2),
            ("A.B.m.t", 'F', 1, 1, 2),
            ("A.B.self.n", 'M', 0, 1, 1),
            ("A.B.x=", 'M', 1, 1, 1),
            ("A.B.==", 'M', 1, 1, 2),
            ("task.<block>", 'L', 0, 3, 1),
            ("describe.<block>", 'L', 0, 3, 1),
            ("describe.<block>.it.<block>", 'L', 0, 2, 2),
        ],
    );
}

#[test]
fn lambdas_in_decorators_have_lines() {
    let code = "@dec(lambda x: x if x else 1)\ndef f(a):\n    return a\n";
    lists(
        "python",
        code,
        &[("dec.<lambda>", 'L', 1, 1, 2), ("f", 'F', 1, 2, 1)],
    );
}

#[test]
fn default_lambdas_use_parameter_name() {
    let code = "function f(cb = (x) => x ? 1 : 2) {}\n";
    let typed = "function f(cb: F = (x: number) => x ? 1 : 2) {}\n";
    let field = "class A { constructor(private cb = (x) => x ? 1 : 2) {} }\n";
    for (language, code, outer) in [
        ("javascript", code, "f"),
        ("typescript", typed, "f"),
        ("tsx", field, "A.constructor"),
    ] {
        let names: Vec<_> = facts(language, code).into_iter().map(|f| f.name).collect();
        assert_eq!(names, [outer.to_owned(), format!("{outer}.cb")], "{code}");
    }
}
