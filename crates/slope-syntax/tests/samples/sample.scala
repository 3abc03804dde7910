#!/usr/bin/env scala
package a.b

import c.{D, E => F}
import g._

/** Doc. */
@Attr(1)
sealed abstract class X[+T <: Any](private val a: Int, var b: String = "x") extends Y(a) with Z {
  self: W =>
  type S = List[T]
  lazy val lazily: Int => Int = x => { val z = x; z + 1 }
  var p: Option[Int] = None
  def this() = this(1)
  def without(x: Int): Unit
  protected def m[A: Ordering](x: Int, y: => A)(implicit c: C): Int = x match {
    case 1 | 2 if a > 0 => 3
    case n: Int => n
    case Some(v) => v; 4
    case _ => 5
  }
  def n(): Unit = {
    if (a && b || !c) d else if (e) f else { g() }
    for (x <- xs; y <- ys if x > y) yield x
    for { i <- 0 until 3 } { println(i) }
    while (a) { b = b + 1 }
    do { a() } while (b)
    try { a() } catch { case e: E => 1; case NonFatal(e) => throw e } finally { b() }
    xs.map { case (a, b) => a }
    xs.foreach { x =>
      a(x)
      b(x)
    }
    xs.foldLeft(0) { (acc, x) => acc + x }
    xs.map(x => x + 1).filter(_.y)
    val o = new T(1) { override def z = 1 }
    val s = s"a $x ${y + 1}"
    val t = """
      text $x
    """
    val nothing = null; val c = 'c'; val d = 1.5; val f = true
    return ()
  }
  def +(o: X): X = this
}
object X { implicit def conv(x: Int): String = x.toString }
trait Q { def q: Int = 1 }
enum Color(val rgb: Int) { case Red extends Color(1); case Green; def e = 1 }
given ord: Ordering[Int] with
  def compare(a: Int, b: Int) = a - b
extension [T](xs: List[T])
  def second: T = xs.tail.head
def top(x: Int): Int =
  if x > 1 then
    x
  else
    x match
      case 1 => 2
      case y => 3
end top
