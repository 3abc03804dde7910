//! Scala.

use slope_syntax::Profile;

use super::{costs, lists, tree};

#[test]
fn scala_decisions_follow_the_definitions() {
    costs(
        "scala",
        "def f() = { % }",
        &[
            ("if (a) {}", 1, 1),
            ("if (a) {} else if (b) {} else {}", 2, 3),
            ("val x = if (a) 1 else 2", 1, 2),
            ("for (x <- a) { while (b) { do {} while (c) } }", 3, 6),
            ("for (x <- a if b; y <- x) yield y", 2, 1),
            (
                "x match { case 1 | 2 => a; case b: B => b; case _ => c }",
                2,
                1,
            ),
            ("x match { case 1 if a && b => c; case d => e }", 3, 2),
            (
                "try { a() } catch { case e: E => b(); case e => c() } finally { d() }",
                2,
                1,
            ),
            ("try a() catch handler", 1, 1),
            ("val x = a && b || c", 2, 2),
            ("val x = a + b * c", 0, 0),
            ("val x = a.getOrElse(b)", 0, 0),
        ],
    );
}

#[test]
fn scala_indented_code_is_counted_alike() {
    lists(
        "scala",
        "\
def f(x: Int): Int =
  if x > 1 then
    a
  else if x > 2 then b
  else c
  x match
    case 1 => 2
    case y => 3
end f
",
        &[("f", 'F', 1, 8, 4)],
    );
}

#[test]
fn scala_callables_have_names_from_surroundings() {
    lists(
        "scala",
        "\
package a.b
class A(val x: Int) extends B(x) {
  def this() = this(1)
  def without(): Int
  def m(a: Int, b: => Int)(implicit c: C): Int = 1
  def + (o: A): A = this
  val add = (x: Int, y: Int) => x + y
  val part: P = { case 1 => a; case _ => b }
}
object A { def make = new A }
trait T { def t() = 1 }
enum E { case X; def e = 1 }
given ord: Ordering[Int] with
  def compare(a: Int, b: Int) = 1
extension [T](xs: List[T])
  def second = 1
  def third(n: Int) = 2
def outer(a: Int) = {
  def local() = 1
  xs.map { x => x.a }.filter(x => x.b || x.c)
  xs.foreach { x =>
    a(x)
    b(x)
  }
  xs.foldLeft(0) { (acc, x) => a(x); acc + x }
  xs.map { case (k, v) => k }
  xs.collect { case Some(k) => k; case None => 1 }
  new Runnable { def run() = 1 }
  xs.each: x =>
    a(x)
    b(x)
}
",
        &[
            ("A.this", 'M', 0, 1, 1),
            ("A.m", 'M', 3, 1, 1),
            ("A.+", 'M', 1, 1, 1),
            ("A.add", 'M', 2, 1, 1),
            ("A.part", 'M', 0, 1, 2),
            ("A.make", 'M', 0, 1, 1),
            ("T.t", 'M', 0, 1, 1),
            ("E.e", 'M', 0, 1, 1),
            ("ord.compare", 'M', 2, 1, 1),
            ("List.second", 'M', 0, 1, 1),
            ("List.third", 'M', 1, 1, 1),
            ("outer", 'F', 1, 8, 1),
            ("outer.local", 'F', 0, 1, 1),
            ("outer.filter.<lambda>", 'L', 1, 1, 2),
            ("outer.foreach.<lambda>", 'L', 1, 3, 1),
            ("outer.foldLeft.<lambda>", 'L', 2, 1, 1),
            ("outer.collect.<cases>", 'L', 0, 1, 3),
            ("outer.Runnable.run", 'M', 0, 1, 1),
            ("outer.each.<lambda>", 'L', 0, 3, 1),
        ],
    );
}

#[test]
fn scala_comments_are_not_source_lines() {
    let code = "#!/usr/bin/env scala\n/** a\n */\nval s = \"\"\"one\n\n two\"\"\" // b\n";
    let source = tree("scala", code).source_lines(Profile::Slope);
    assert_eq!(source.rows().collect::<Vec<_>>(), [3, 5]);
}
