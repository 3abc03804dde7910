//! Code of other languages than Python that signals report, or do not report.

/// Path, code, and the signal that it is reported by.
pub(crate) const REPORTED: &[(&str, &str, &str)] = &[
    (
        "a.ts",
        "import { a, b } from './m';\nexport const c = a;\n",
        "unused-import",
    ),
    (
        "A.java",
        "import java.util.List;\nclass A { }\n",
        "unused-import",
    ),
    (
        "a.ts",
        "import { B } from './m';\n// Blue by default, or $B.\nexport const c = 1;\n",
        "unused-import",
    ),
    (
        "a.ts",
        "import { B } from './m';\n// Bees and a_B.\nexport const c = 1;\n",
        "unused-import",
    ),
    (
        "a.js",
        "function f(a) {\n  return a;\n  g(a);\n}\n",
        "unreachable-code",
    ),
    (
        "a.go",
        "package a\n\nfunc F(x int) int {\n\treturn x\n\tG(x)\n}\n",
        "unreachable-code",
    ),
    (
        "a.go",
        "package a\n\nfunc F(x int) int {\n\tif x > 1 {\n\t\treturn x\n\t} else {\n\t\treturn 1\n\t}\n\tG(x)\n}\n",
        "unreachable-code",
    ),
    (
        "a.go",
        "package a\n\nfunc f(x int) int {\n\treturn g(x)\n}\n\nfunc g(x int) int {\n\tx++\n\treturn h(x)\n}\n\nvar y = f(1)\n",
        "trivial-wrapper",
    ),
    (
        "a.js",
        "function f(a) {\n  try {\n    a();\n  } catch (e) {\n  }\n}\n",
        "catch-all-ignored",
    ),
    (
        "a.js",
        "function f(a) {\n  try {\n    a();\n  } catch (e) {\n    console.error(e);\n    throw e;\n  }\n}\n",
        "handler-only-logs",
    ),
    (
        "A.java",
        "class A { void f() { try { g(); } catch (Exception e) { } } }\n",
        "catch-all-ignored",
    ),
    (
        "a.go",
        "package a\n\n// As requested, this is faster.\nfunc f() {}\n",
        "leftover-comment",
    ),
    (
        "a.rs",
        "// I have updated the parser.\nfn f() {}\n",
        "leftover-comment",
    ),
    (
        "a.rs",
        "pub fn f(a: u8, b: u8, c: u8, d: u8, e: u8, f: u8, g: u8) {}\n",
        "long-parameter-list",
    ),
    (
        "a.go",
        "package a\n\nfunc f(a, b, c, d int, e, f, g string) {}\n",
        "long-parameter-list",
    ),
    (
        "a.ts",
        "import { a } from './m';\nexport const b = a;\nconst f = (x) => x + 1;\n",
        "unused-private-function",
    ),
    (
        "A.java",
        "class A { private int f(int x) { return x + 1; } }\n",
        "unused-private-function",
    ),
    (
        "a.go",
        "package a\n\nfunc helper(x int) int { return x + 1 }\n",
        "unused-private-function",
    ),
    (
        "A.cs",
        "class A { private int F(int x) { return x + 1; } }\n",
        "unused-private-function",
    ),
    (
        "a.js",
        "function f(a, b) { return g(a, b); }\nfunction g(a, b) { return a * b; }\nf(1, 2);\n",
        "trivial-wrapper",
    ),
    (
        "A.java",
        "class A { void f(int a) { g(a); } void g(int a) { a++; h(a); } }\n",
        "trivial-wrapper",
    ),
    (
        "A.cs",
        "class A { void F() { try { G(); } catch { } } }\n",
        "catch-all-ignored",
    ),
    (
        "A.cs",
        "class A { void F() { try { G(); } catch (Exception e) { throw; } } }\n",
        "useless-catch",
    ),
    (
        "a.rb",
        "def f\n  g\nrescue => e\nend\n",
        "catch-all-ignored",
    ),
    (
        "a.rb",
        "def f\n  g\nrescue IOError => e\n  raise e\nend\n",
        "useless-catch",
    ),
    (
        "a.c",
        "void f(int a, char *b, int c, int d, int e, int g, int h) {}\n",
        "long-parameter-list",
    ),
    (
        "a.c",
        "void f(void) {\n    /* create_key(a); */\n    g();\n}\n",
        "commented-out-code",
    ),
    (
        "a.go",
        "package a\n\nfunc F(token string) int {\n\t// split(token)\n\treturn h(token)\n}\n",
        "commented-out-code",
    ),
    (
        "a.py",
        "def f(a):\n    # client.send(a, b)\n    return a.c()\n",
        "commented-out-code",
    ),
    (
        "a.js",
        "export function f(a) {\n  // import { b } from 'c'\n  return a.g('c');\n}\n",
        "commented-out-code",
    ),
    (
        "a.js",
        "export function f(a) {\n  // audit(user);\n  return a.g(a);\n}\n",
        "commented-out-code",
    ),
    (
        "a.go",
        "package a\n\nfunc F(a int) int {\n\t// audit(user)\n\treturn h(a)\n}\n",
        "commented-out-code",
    ),
    (
        "a.py",
        "def f(a):\n    # notify(customer)\n    return a.c()\n",
        "commented-out-code",
    ),
    (
        "a.py",
        "def f(a):\n    # timeout = 30  # seconds\n    # retries = 5  # times\n    return a.c()\n",
        "commented-out-code",
    ),
    (
        "A.cs",
        "class A { void F() { try { G(); } catch (Exception e) when (e.A is B b) { throw e; } } }\n",
        "useless-catch",
    ),
    (
        "a.ts",
        "export function f(put: any) {\n  // put(2, 'more')\n  put(1, ', shape')\n}\n",
        "commented-out-code",
    ),
    (
        "a.js",
        "export function f(put) {\n  // console.log(put)\n  put(1)\n}\n",
        "commented-out-code",
    ),
    (
        "a.c",
        "void f(void) {\n    /* print the value */\n    print_value(item);\n}\n",
        "comment-restates-code",
    ),
];

/// Path and code that nothing is reported of.
pub(crate) const QUIET: &[(&str, &str)] = &[
    // Calls that the file does not make show the form of a text.
    (
        "a.ts",
        "export function f(put: any) {\n  // toFit({ size: any(Number) })\n  put(1, ', shape')\n}\n",
    ),
    (
        "a.js",
        "export function read(t) {\n  // it('', () => {}, 1000)\n  return typeof t === 'number'\n}\n",
    ),
    (
        "a.tsx",
        "export const a = () => {\n  // app.use(handler)\n  return 1\n}\n",
    ),
    // Examples of syntax.
    (
        "a.ts",
        "export function f(a: any) {\n  if (a.b) {\n    // class A { oldName() {} }\n    return false;\n  }\n  // class A { oldName = 3 }\n  return true;\n}\n",
    ),
    (
        "a.rs",
        "pub fn f(a: A) -> bool {\n    // fn g() {}\n    a.is_function()\n}\n",
    ),
    // Signatures.
    (
        "a.go",
        "package a\n\nfunc F(token string) int {\n\t// SplitFromLeft(token, position)\n\tif x := SplitFromLeft(token, 1); x > 0 {\n\t\treturn x\n\t}\n\treturn h(token)\n}\n",
    ),
    (
        "a.js",
        "export function put(a) {\n  // put(key, value)\n  return a.g(a);\n}\n",
    ),
    (
        "a.py",
        "def f(client, a):\n    # client.send(selectors, name, lifted)\n    return client.send((a.b, a.c, False))\n",
    ),
    // Values in words.
    (
        "a.py",
        "def f(a):\n    # a.b = \"as found on disk\"\n    # a.c = \"as rebuilt in memory\"\n    return len(a.b) == len(a.c)\n",
    ),
    (
        "a.py",
        "x = f(\n    24,\n    # width=[2, 0, 2, 0],  # Draw the borders\n    # color=[\"ff00ff\", \"000000\"],  # Borders are magenta\n)\n",
    ),
    // Another error than the one caught.
    (
        "A.cs",
        "class A { void F() { try { G(); } catch (Exception ex) when (ex.InnerException is B b) { throw b; } } }\n",
    ),
    (
        "a.py",
        "def f(a):\n    try:\n        return a.b()\n    except KeyError:\n        raise KeyError\n",
    ),
    (
        "a.ts",
        "import type { A } from './m';\nimport React from 'react';\nexport const c: A = 1;\n",
    ),
    (
        "A.java",
        "import java.util.List;\n/** See {@link List}. */\nclass A { }\n",
    ),
    (
        "a.ts",
        "import { B } from './m';\n/** Blue, see {@link B}. */\nexport const c = 1;\n",
    ),
    (
        "A.java",
        "class A { void f() { try { g(); } catch (IllegalStateException e) { } } }\n",
    ),
    (
        "a.js",
        "function f(a) {\n  return g();\n  function g() { return a; }\n}\n",
    ),
    (
        "a.go",
        "package a\n\nfunc F() {\n\tfor {\n\t\tg()\n\t}\n}\n",
    ),
    (
        "a.rs",
        "pub fn f() {\n    loop {\n        select! { _ = x => break }\n    }\n    g();\n}\n",
    ),
];

/// The same in languages that were added later.
pub(crate) const QUIET_TOO: &[(&str, &str)] = &[
    (
        "a.ts",
        "import { a } from './m';\nconst f = (x) => x + a;\nexport { f };\n",
    ),
    ("a.js", "function used_by_a_page(x) { return x + 1; }\n"),
    (
        "A.java",
        "class A { private void readObject(In in) { in.x(); } @Hook private void f() { g(); } }\n",
    ),
    (
        "a.go",
        "//go:build linux\n\npackage a\n\nfunc helper(x int) int { return x + 1 }\n",
    ),
    (
        "a.go",
        "// +build linux\n\npackage a\n\nfunc helper(x int) int { return x + 1 }\n",
    ),
    (
        "A.cs",
        "partial class A { private int F(int x) { return x + 1; } }\n",
    ),
    (
        "A.java",
        "class A { private int f(int x) { return x; } private int f(long x) { return 1; } }\n",
    ),
    (
        "a.ts",
        "import { a$b } from './m';\n// Is there for (a$b).\nexport const c = 1;\n",
    ),
    (
        "a.js",
        "var g = (a) => a * 2;\nfunction f(a) { return g(a); }\nf(1);\n",
    ),
    (
        "A.cs",
        "class A { void F() { try { G(); } catch (IOException) { } } }\n",
    ),
    (
        "A.cs",
        "class A { void F() { try { G(); } catch (Exception e) when (e.Ok) { } } }\n",
    ),
    ("a.rb", "def f\n  g\nrescue IOError\nend\n"),
    (
        "A.cs",
        "class A { void F(Foo a, Bar b, Baz c, Qux d) { G(a); } }\n",
    ),
    (
        "a.cpp",
        "int f(int a) {\n  switch (a) { case 1: return 2; default: return 3; }\n}\n",
    ),
    (
        "A.java",
        "class A {\n  void f() {\n    try {\n      g();\n    } catch (Exception ignored) {\n    }\n  }\n}\n",
    ),
    (
        "a.go",
        "package a\n\n// Stop stops the server.\nfunc Stop() {\n\tg()\n}\n",
    ),
    (
        "a.js",
        "function f(a) {\n  // Model.remove()\n  a.remove(1);\n\n  // fill(value, start=0)\n  a.fill(2);\n}\n",
    ),
    (
        "a.c",
        "/* Free the reply. */\nvoid free_reply(void *reply) { g(reply); }\n",
    ),
    (
        "a.rb",
        "# A thing::Name provides a convenient interface (to it).\ndef f; end\n",
    ),
];
