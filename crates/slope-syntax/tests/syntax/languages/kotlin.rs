//! Kotlin.

use slope_syntax::Profile;

use super::{costs, lists, tree};

#[test]
fn kotlin_decisions_follow_the_definitions() {
    costs(
        "kotlin",
        "fun f() { % }",
        &[
            ("if (a) {}", 1, 1),
            ("if (a) {} else if (b) {} else {}", 2, 3),
            ("val x = if (a) 1 else 2", 1, 2),
            ("for (x in a) { while (b) { do {} while (c) } }", 3, 6),
            ("when (x) { 1, 2 -> a; is B -> b; else -> c }", 2, 1),
            ("when { a && b -> c; else -> d }", 2, 2),
            ("when (x) { is B if y -> a\n else -> c\n }", 1, 1),
            ("try { a() } catch (e: E) { b() } finally { c() }", 1, 1),
            ("val x = a && b || c", 2, 2),
            ("val x = a ?: b ?: c", 2, 1),
            ("a?.b()?.c", 0, 0),
            ("a!!.b as? C", 0, 0),
            ("o@ for (x in a) { break@o }", 1, 2),
            ("o@ for (x in a) { continue }", 1, 1),
            ("a.forEach { if (it) return@forEach }", 0, 0),
        ],
    );
}

#[test]
fn kotlin_callables_have_qualified_names() {
    lists(
        "kotlin",
        "\
class A(val x: Int) : B by x {
    init { a() }
    constructor(a: Int, b: Int) : this(a) { c() }
    constructor() : this(1)
    var p: Int
        get() = 1
        private set(value) { field = value }
    val q: Int get() { return 1 }
    var r = 1
        private set
    fun without(): Int
    override fun m(vararg a: Int, b: (Int) -> Int = { it }): Int = 1
    companion object {
        fun make() = A(1)
    }
    object Named { fun n() {} 
    }
}
enum class E { X { override fun m() {} 
    } }
fun <T> List<T>?.second(): T = get(1)
fun a.b.C.ext() {}
fun outer(a: Int) {
    fun local() {}
    val add = { x: Int, (y, z) -> x + y }
    val inc = fun(x: Int): Int { return x + 1 }
    xs.map { it.a }.filter(a) { it.b || it.c }
    run(object : Runnable { override fun run() {} })
    run({ a(); b() })
}
",
        &[
            ("A.init", 'M', 0, 1, 1),
            ("A.constructor", 'M', 2, 1, 1),
            ("A.p.get", 'M', 0, 1, 1),
            ("A.p.set", 'M', 1, 1, 1),
            ("A.q.get", 'M', 0, 1, 1),
            ("A.m", 'M', 2, 1, 1),
            ("A.Companion.make", 'M', 0, 1, 1),
            ("A.Named.n", 'M', 0, 1, 1),
            ("E.X.m", 'M', 0, 1, 1),
            ("List.second", 'F', 0, 1, 1),
            ("C.ext", 'F', 0, 1, 1),
            ("outer", 'F', 1, 6, 1),
            ("outer.local", 'F', 0, 1, 1),
            ("outer.add", 'F', 2, 1, 1),
            ("outer.inc", 'F', 1, 1, 1),
            ("outer.filter.<lambda>", 'L', 0, 1, 2),
            ("outer.Runnable.run", 'M', 0, 1, 1),
            ("outer.run.<lambda>", 'L', 0, 1, 1),
        ],
    );
}

#[test]
fn kotlin_syntax_that_the_grammar_lacks_parses() {
    for code in [
        "fun interface A { fun b() }\n",
        "interface A { val x: Int }\n",
        "class A { companion object { fun z() {} } }\n",
        "class A\ninternal actual constructor(val x: Int) {\n val y = 1\n}\n",
        "fun f(dynamic: dynamic): dynamic = g(dynamic)\n",
        "fun f() {\n when (x) {\n is A if b -> c\n else if d -> e\n else -> g\n }\n}\n",
        "val x = suspend { a() }\n",
        "val x = $$\"a $b $$c\"\n",
        "fun f() {\n final = true\n if (!final) g(open)\n}\n",
    ] {
        assert_eq!(tree("kotlin", code).errors(), None, "{code}");
    }
}

#[test]
fn kotlin_comments_are_not_source_lines() {
    let code = "#!/usr/bin/env kotlin\n/** a\n */\nval s = \"\"\"one\n\n two\"\"\" // b\n";
    let source = tree("kotlin", code).source_lines(Profile::Slope);
    assert_eq!(source.rows().collect::<Vec<_>>(), [3, 5]);
}
