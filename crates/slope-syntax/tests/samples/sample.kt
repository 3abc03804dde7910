#!/usr/bin/env kotlin
@file:JvmName("Sample")
package p
import a.B
import a.c.*
import a.D as E

/** Doc. */
@Ann(1)
private inline fun <T> String?.f(vararg a: Int = 1, crossinline b: (T) -> Unit): Int = a ?: b
fun interface Done { fun done() }
class A private constructor(val x: Int) : B(1), C by d(x) {
    companion object { const val N = 1 }
    init {
        if (x) g()
    }
    constructor(a: Int, b: Int) : this(a) { h() }
    var p: Int
        get() = field
        private set(value) { field = value }
    val q by lazy { a || b }
    fun without(): Int
}
enum class F(val x: Int) {
    X(1), Y(2) {
        override fun m() {}
    };

    open fun m() {}
}
fun outer() {
    val l = { a: Int, b -> a + b }
    val m = fun(x: Int): Int { return x }
    xs.map { it.a }.forEach(label@{ return@label })
    outer@ for ((i, j) in 1..2) { if (a && b || c) break@outer else if (d) continue@outer else break }
    do { x++ } while (a)
    while (x) y()
    when (x) {
        1, 2 -> a
        is B -> b
        !in 1..2 -> c
        else -> { d }
    }
    val t = try { a() } catch (e: E) { b } finally { c() }
    val o = object : R<Int>(1) { override fun run() { if (a) b() } }
    a.b?.c()!!.d; a[1] = 2; a += 1; x to y; f<Int>(a = 1, *b) { }
    val s = "a $x ${y + 1} \n"
    val r = """
      a ${b}
    """
    val z = suspend { dynamic && final }
    println('c'); 1L; 1.0f; true; null; this; 0x1F
    throw E()
}
fun h() = if (a) 1 else if (b) 2 else 3
