#!/usr/bin/env python3
"""Finds what takes more than its share of time on long files: a shape of code 5,000 and 20,000 times.

    cargo build --release
    benches/scaling.py [--slope target/release/slope] [WORD]

Each row is a file of one shape (imports, methods, branches, ...; only those whose name holds WORD) with the
CPU seconds of `slope measure --profile strict` for both lengths and their ratio. Four is linear; a row above
six that takes more than a second is marked, and the exit code is 1; 2 if nothing could be timed.
"""

import argparse
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile

LENGTHS = (5_000, 20_000)
MOST_SECONDS = 120

# Extension of the file; what it begins with, holds again and again (`@` is the number), and closes with.
SHAPES = {
    "ts private methods": ("ts", "class A {\n", "  private m@(a) { return a[@]; }\n", "}\n"),
    "rs tests": ("rs", "mod t {\n", "    #[allow(x)]\n    #[test]\n    fn t@() { f(@); }\n", "}\n"),
    "cpp tests": ("cpp", "", 'TEST_CASE("name @") {\n  check(@);\n}\n', ""),
    "py imports": ("py", "", "# about thing@\nimport mod@\n", ""),
    "py names of one line": ("py", "from m import a", ", b@", "\nx = 1\ndef f():\n    return x\n"),
    "js locals of one line": ("js", "function f(a) { const x = 1", ", b@ = a()", "; return a; }\n"),
    "py classes": ("py", "", "class C@(Base):\n    def m(self):\n        return self.x@\n", ""),
    "py private functions": ("py", "", '# a helper\ndef _f@(a):\n    return getattr(a, "_" + a)\n', ""),
    "py methods": ("py", "class A:\n", "    def _m@(self, a=None):\n        return self.x.m@(a)\n", ""),
    "py branches": ("py", "def f(a):\n", "    if a is None:\n        x@ = a\n    print('%s' % a)\n", ""),
    "py elif": ("py", "def f(a):\n    if a:\n        pass\n", "    elif a == @:\n        return v@\n", ""),
    "py handlers": ("py", "def f(a):\n", "    try:\n        a()\n    except E as e@:\n        raise\n", ""),
    "py nested functions": ("py", "def f(a):\n", "    def g@(b, c=1):\n        return b + c\n", ""),
    "py dict": ("py", "X = {\n", '  "k@": [v@, lambda a: a],\n', "}\n"),
    "py decorators": ("py", "", '@dec\ndef _f@(a):\n    """Doc @."""\n    return a\n', ""),
    "py parameters": ("py", "def f(\n", "   p@=None,\n", "): pass\n"),
    "py attributes": ("py", "class A:\n    def f(self):\n", '        self.x@ = hasattr(self, "x@")\n', ""),
    "py unreachable": ("py", "def f():\n    return 1\n", "    x(@)\n", ""),
    "py statements of one line": ("py", "def f():\n    ", "x@ = 1;", "\n"),
    "py wrappers": ("py", "", "def _f@(a): return _f0(a)\n", ""),
    "py comments at the end": ("py", "def f():\n    x = 1\n", "# about thing @\n", ""),
    "py clauses": ("py", "x = [a ", "for a in b@ if c ", "]\n"),
    "js imports": ("js", "", 'import { a@ } from "m@";\n// a comment @\n', ""),
    "js functions": ("js", "", "function f@(a, b) {\n  // do\n  const x@ = a;\n  return b;\n}\n", ""),
    "js lambdas": ("js", "", "const f@ = (a, b) => { let y = 1; return a; };\n", ""),
    "js methods": ("js", "class A {\n", "  #m@(a) { try { a(); } catch (e) { throw e; } }\n", "}\n"),
    "ts classes": ("ts", "", 'interface I@ { a: string; }\nclass C@ implements I@ { private m() {} }\n', ""),
    "java imports": ("java", "", "import a.b.C@;\n/** About C */\n", ""),
    "java methods": ("java", "class A {\n", "  // does @\n  private void m@(int a) { int x@ = a; }\n", "}\n"),
    "go functions": ("go", "package p\n", "// f@ does.\nfunc f@(a int) int {\n\treturn a\n}\n", ""),
    "rust functions": ("rs", "", "/// Does.\nfn f@(a: i32) -> i32 {\n    let y@ = a;\n    a\n}\n", ""),
    "rust statements": ("rs", "fn f() {\n", "    g(@, 1);\n", "}\n"),
    "rust arms": ("rs", "fn f(a: u32) { match a {\n", "    @ => 1,\n", "} }\n"),
    "c# methods": ("cs", "class A {\n", "  private int M@(int a) { int x@ = a; return a; }\n", "}\n"),
    "c functions": ("c", "", "/* does @ */\nstatic int f@(int a) { int x@ = a; return a; }\n", ""),
    "c cases": ("c", "int f(int a) { switch (a) {\n", "  case @: g@(a); break;\n", "} }\n"),
    "c++ classes": ("cpp", "", "class C@ : public B { int m(int a) { int y = a; return a; } };\n", ""),
    "ruby locals of one line": ("rb", "def f\n", "x@ = 1;", "\nend\n"),
    "ruby methods": ("rb", "", "# does @\ndef f@(a)\n  x@ = a\n  a\nend\n", ""),
}


def fail(message):
    print(f"scaling.py: {message}", file=sys.stderr)
    sys.exit(2)


def seconds(slope, folder):
    """CPU seconds of measuring a folder, in user mode."""
    command = [slope, "measure", str(folder), "--isolated", "--no-cache", "--profile", "strict"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=MOST_SECONDS)
    except subprocess.TimeoutExpired:
        return float(MOST_SECONDS)
    if done.returncode:
        fail(f"{' '.join(command)} ended with {done.returncode}: {done.stderr.strip()}")
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def taken(slope, shape):
    """Seconds of a shape for each of the lengths."""
    ending, head, part, tail = shape
    times = []
    for length in LENGTHS:
        with tempfile.TemporaryDirectory() as folder:
            parts = "".join(part.replace("@", str(number)) for number in range(length))
            pathlib.Path(folder, f"a.{ending}").write_text(head + parts + tail)
            times.append(seconds(slope, folder))
    return times


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("word", nargs="?", default="")
    parser.add_argument("--slope", default="target/release/slope")
    args = parser.parse_args()
    if not shutil.which(args.slope):
        fail(f"there is no program {args.slope}; build it with `cargo build --release`, or name it with --slope")
    chosen = {name: shape for name, shape in SHAPES.items() if args.word in name}
    if not chosen:
        fail(f"no shape has {args.word!r} in its name; there are: {', '.join(SHAPES)}")
    slow = 0
    for name, shape in chosen.items():
        short, long = taken(args.slope, shape)
        ratio = long / max(short, 0.01)
        is_slow = ratio > 6 and long > 1
        slow += is_slow
        print(f"{name:22} {short:6.2f} {long:6.2f} {ratio:5.1f}{'  more than linear' if is_slow else ''}", flush=True)
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
