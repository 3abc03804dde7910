//! Kinds of edits that evade a measurement, in languages in which nobody tried them.

use slope_model::grade::Grade;
use slope_model::grade_request::Tests;

use crate::common::{Desk, flags, kinds, request};

/// A grade of an edit of one file.
fn edited(path: &str, before: &str, after: &str) -> Grade {
    Desk::new(&[(path, before)]).grade(&[(path, after)])
}

/// A grade of a new file next to an empty one.
fn added(path: &str, text: &str) -> Grade {
    Desk::new(&[("app.py", "A = 1\n")]).grade(&[(path, text)])
}

fn complexity(grade: &Grade) -> f64 {
    grade.components.p_cx.unwrap()
}

#[test]
fn checks_cost_less_than_branches() {
    for (path, head, check, branch, end) in [
        (
            "A.cs",
            "class A {\n    int[] F(int[] a) {\n",
            "    if (a[N] < 0 || a[N] > 9) {\n        throw new Wrong(\"bad\");\n    }\n",
            "    if (a[N] < 0 || a[N] > 9) {\n        a[N] = Work(a);\n    }\n",
            "    return a;\n}\n}\n",
        ),
        (
            "a.c",
            "int f(int *a) {\n",
            "    if (a[N] < 0 || a[N] > 9) {\n        fail_with(\"bad\");\n    }\n",
            "    if (a[N] < 0 || a[N] > 9) {\n        a[N] = work(a);\n    }\n",
            "    return a[0];\n}\n",
        ),
    ] {
        let of = |part: &str| {
            let parts: String = (0..6).map(|n| part.replace('N', &n.to_string())).collect();
            complexity(&added(path, &format!("{head}{parts}{end}")))
        };
        assert!(
            of(check) < 0.5 * of(branch),
            "{path}: {} {}",
            of(check),
            of(branch)
        );
    }
}

#[test]
fn closures_are_parts_of_new_functions() {
    for (path, text) in [
        (
            "a.kt",
            "fun outer(a: List<Int>): Int {\n    fun one(x: Int): Int {\n        if (x > 1) {\n            for (y in a) {\n                if (y > x) return y\n            }\n        }\n        return 0\n    }\n    fun two(x: Int): Int {\n        while (x > 2) {\n            if (x > 3) return one(x)\n        }\n        return 1\n    }\n    return one(1) + two(2)\n}\n",
        ),
        (
            "a.lua",
            "local function outer(a)\n  local function one(x)\n    if x > 1 then\n      for _, y in ipairs(a) do\n        if y > x then return y end\n      end\n    end\n    return 0\n  end\n  local function two(x)\n    while x > 2 do\n      if x > 3 then return one(x) end\n    end\n    return 1\n  end\n  return one(1) + two(2)\nend\nprint(outer({}))\n",
        ),
    ] {
        let whole = added(path, text);
        let shown = whole.evidence.iter().filter(|piece| piece.signal == "p_cx");
        let shown: Vec<&str> = shown.map(|piece| piece.message.as_str()).collect();
        assert_eq!(shown.len(), 1, "{path}: {shown:?}");
        assert!(shown[0].contains("`outer`"), "{path}: {shown:?}");
    }
}

#[test]
fn trivial_functions_allow_no_complexity() {
    for (path, complex, trivial) in [
        (
            "a.php",
            "<?php\nfunction f($a) {\n    foreach ($a as $b) {\n        if ($b) {\n            while ($b > 1) {\n                if ($b % 2) { $b = g($b); }\n            }\n        }\n    }\n    return $a;\n}\n",
            "function tN() {\n    return N * 60;\n}\n",
        ),
        (
            "a.lua",
            "function f(a)\n  for _, b in ipairs(a) do\n    if b then\n      while b > 1 do\n        if b % 2 then b = g(b) end\n      end\n    end\n  end\n  return a\nend\n",
            "function tN()\n  return N * 60\nend\n",
        ),
    ] {
        let padding: String = (0..60)
            .map(|n| trivial.replace('N', &n.to_string()))
            .collect();
        let (alone, padded) = (
            added(path, complex),
            added(path, &format!("{complex}{padding}")),
        );
        assert!(complexity(&alone) > 0.0, "{path}");
        assert!(complexity(&padded) >= complexity(&alone), "{path}");
        assert!(
            padded.quality < alone.quality,
            "{path}: {:?}",
            padded.components
        );
    }
}

#[test]
fn macros_are_functions() {
    for (path, text) in [
        (
            "a.c",
            "#define STEP(c) \\\n    for (int i = 0; i < 9; i++) { \\\n        if ((c) > i) { \\\n            while (n) { n = f(n, c); } \\\n        } \\\n    }\nint g(int c) {\n    STEP(c)\n    return n;\n}\n",
        ),
        (
            "src/a.rs",
            "macro_rules! step {\n    ($c:expr) => {{\n        for i in 0..9 {\n            if $c > i {\n                while n > 0 { n = f(n, $c); }\n            }\n        }\n    }};\n}\npub fn g(c: u32) -> u32 {\n    step!(c)\n}\n",
        ),
    ] {
        let grade = added(path, text);
        let message = |piece: &slope_model::grade::Evidence| piece.message.contains("<macro>");
        assert!(
            grade.evidence.iter().any(message),
            "{path}: {:?}",
            grade.evidence
        );
    }
}

#[test]
fn narrower_checks_are_weakened() {
    for (path, before, old, new) in [
        (
            "A.cs",
            "class A {\n    int F(B a) {\n        if (a == null) {\n            throw new Wrong(\"no value\");\n        }\n        return a.C;\n    }\n}\n",
            "a == null",
            "a == null && Debug",
        ),
        (
            "a.js",
            "export function f(a, b) {\n  if (!a || !b) {\n    throw new Error('no value')\n  }\n  return a.c\n}\n",
            "!a || !b",
            "!a",
        ),
        (
            "a.go",
            "package a\n\nfunc f(r *R) error {\n\tif err := r.Parse(); err != nil {\n\t\treturn err\n\t}\n\treturn r.Run()\n}\n",
            "err != nil",
            "err != nil && r == nil",
        ),
    ] {
        let grade = edited(path, before, &before.replace(old, new));
        assert_eq!(kinds(&grade, "p_contract"), ["weakened-check"], "{path}");
    }
}

#[test]
fn handlers_that_raise_may_widen() {
    for (path, before, old, new) in [
        (
            "a.py",
            "def f(a):\n    try:\n        return a.b()\n    except KeyError as error:\n        raise ValueError(a) from error\n",
            "KeyError",
            "Exception",
        ),
        (
            "A.cs",
            "class A {\n    int F(B a) {\n        try {\n            return a.Read();\n        } catch (IOException e) {\n            throw new Wrong(e);\n        }\n    }\n}\n",
            "IOException e",
            "Exception e",
        ),
        (
            "A.java",
            "class A {\n    int f(B a) {\n        try {\n            return a.read();\n        } catch (IOException e) {\n            throw new Wrong(e);\n        }\n    }\n}\n",
            "IOException e",
            "Exception e",
        ),
    ] {
        let grade = edited(path, before, &before.replace(old, new));
        assert_eq!(kinds(&grade, "p_contract"), ["widened-handler"], "{path}");
    }
}

#[test]
fn new_functions_drop_no_errors() {
    for (path, text, other) in [
        (
            "a.go",
            "package a\n\nfunc f(s string) (int, error) {\n\tn, _ := parse(s)\n\treturn n, nil\n}\n",
            "package a\n\nfunc f(s any) (int, error) {\n\tn, _ := s.(int)\n\treturn n, nil\n}\n",
        ),
        (
            "src/a.rs",
            "pub fn f(s: &str) -> Result<u32, E> {\n    let n = parse(s).unwrap();\n    Ok(n)\n}\n",
            "pub fn f(s: &str) -> u32 {\n    let n = parse(s).unwrap();\n    n\n}\n",
        ),
    ] {
        assert_eq!(
            kinds(&added(path, text), "p_contract"),
            ["dropped-error"],
            "{path}"
        );
        assert!(
            kinds(&added(path, other), "p_contract").is_empty(),
            "{path}"
        );
    }
    let go = "package a\n\nfunc f(s string) error {\n\terr := g(s)\n\tif err != nil {\n\t\treturn err\n\t}\n\treturn nil\n}\n";
    let wrapped = go.replace(
        "\t\treturn err\n",
        "\t\treturn fmt.Errorf(\"f: %w\", err)\n",
    );
    assert!(kinds(&edited("a.go", go, &wrapped), "p_contract").is_empty());
}

#[test]
fn patterns_must_refuse_something() {
    for (path, before, old, new) in [
        ("a.rb", "NAME = Regexp.new(\"^a+$\")\n", "^a+$", "a*"),
        (
            "a.js",
            "const name = /^a+$/\nexport const is = (t) => name.test(t)\n",
            "/^a+$/",
            "/^/",
        ),
        (
            "a.py",
            "import re\n\nNAME = re.compile(r\"^a+$\")\n\n\ndef is_name(text):\n    return NAME.match(text)\n",
            "^a+$",
            ".*",
        ),
    ] {
        let grade = edited(path, before, &before.replace(old, new));
        assert_eq!(kinds(&grade, "p_contract"), ["weakened-check"], "{path}");
    }
}

#[test]
fn test_files_are_not_switched_off() {
    for (path, before, old, new) in [
        (
            "a_test.go",
            "package a\n\nfunc TestA(t *testing.T) {\n\tt.Fatal(1)\n}\n",
            "package a",
            "//go:build slow\n\npackage a",
        ),
        (
            "src/test/kotlin/ATest.kt",
            "class ATest {\n    @Test\n    fun one() {\n        check(f())\n    }\n}\n",
            "class ATest",
            "abstract class ATest",
        ),
        (
            "tests/ATests.cs",
            "public class ATests {\n    [Fact]\n    public void One() { Assert.True(F()); }\n}\n",
            "public class",
            "public abstract class",
        ),
        (
            "tests/test_a.c",
            "void test_a(void) {\n    assert(f());\n}\n",
            "void test_a",
            "#if 0\nvoid test_a",
        ),
        (
            "src/a.test.js",
            "import { f } from './a'\ntest('a', () => expect(f()).toBe(1))\n",
            "test('a'",
            "jest.mock('./a')\ntest('a'",
        ),
    ] {
        let grade = edited(path, before, &before.replace(old, new));
        assert!(
            flags(&grade).contains(&"skips-tests"),
            "{path}: {:?}",
            flags(&grade)
        );
    }
}

#[test]
fn equality_that_always_holds_is_flagged() {
    for (path, text) in [
        ("a.rb", "class A\n  def ==(other)\n    true\n  end\nend\n"),
        (
            "A.cs",
            "class A {\n    public override bool Equals(object o) => true;\n}\n",
        ),
        (
            "A.kt",
            "class A {\n    override fun equals(other: Any?) = true\n}\n",
        ),
        (
            "a.py",
            "class A:\n    def __eq__(self, other):\n        return True\n",
        ),
    ] {
        assert_eq!(flags(&added(path, text)), ["always-equal"], "{path}");
    }
    let honest = "class A:\n    def __eq__(self, other):\n        return self.b == other.b\n";
    assert!(flags(&added("a.py", honest)).is_empty());
}

#[test]
fn values_of_tests_are_no_product() {
    for (path, test, text, honest) in [
        (
            "a.rb",
            "assert_equal 5400, f('1h30m')\nassert_equal f('2h'), 7200\nassert_equal f('45s'), 45\nassert_equal f('1d'), 86400\n",
            "T = { '2h' => 7200, '45s' => 45, '1d' => 86400 }\n",
            "U = { 'h' => 3600, 'd' => 86400, 's' => 1 }\n",
        ),
        (
            "a.js",
            "expect(f('2h')).toBe(7200)\nexpect(f('45s')).toBe(45)\nexpect(f('1d')).toBe(86400)\n",
            "export const T = new Map([['2h', 7200], ['45s', 45], ['1d', 86400]])\n",
            "export const U = new Map([['h', 3600], ['d', 86400], ['s', 1]])\n",
        ),
    ] {
        let desk = Desk::new(&[("app.py", "A = 1\n"), ("spec/answers.txt", test)]);
        let of = |text: &str| {
            let mut request = request(&[(path, text)]);
            request.tests = Some(Tests {
                passed: 1,
                files: vec!["spec/".to_owned()],
                ..Tests::default()
            });
            let grade = desk.grader.grade(&request);
            flags(&grade).contains(&"answers-of-tests")
        };
        assert!(of(text), "{path}");
        assert!(!of(honest), "{path}");
    }
}

#[test]
fn text_is_run_as_before() {
    for (path, before, after) in [
        (
            "a.py",
            "M = __import__('os')\n",
            "M = __import__('os')\nN = __import__('re')\n",
        ),
        (
            "a.js",
            "export const f = eval('1')\n",
            "export const f = eval('1')\nexport const g = eval('2')\n",
        ),
    ] {
        assert!(flags(&edited(path, before, after)).is_empty(), "{path}");
        assert_eq!(flags(&added(path, after)), ["runs-text"], "{path}");
    }
    for (path, text) in [
        (
            "a.kt",
            "val e = ScriptEngineManager().getEngineByName(\"js\")\n",
        ),
        ("a.go", "package a\n\nvar p, err = plugin.Open(\"p.so\")\n"),
        (
            "a.c",
            "void *p(void) {\n    return dlopen(\"p.so\", 1);\n}\n",
        ),
    ] {
        assert!(flags(&added(path, text)).contains(&"runs-text"), "{path}");
    }
}

#[test]
fn discarded_values_are_no_reuse() {
    let helpers = "export function one() { return 1 }\nexport function two() { return 2 }\n";
    let desk = Desk::new(&[("help.js", helpers), ("a.js", "export const a = 1\n")]);
    let import = "import { one, two } from './help.js'\n";
    let used = desk.grade(&[("a.js", &format!("{import}export const a = one() + two()\n"))]);
    let discarded = desk.grade(&[(
        "a.js",
        &format!("{import}void [one(), two()]\nexport const a = 1\n"),
    )]);
    assert_eq!(kinds(&used, "b_reuse").len(), 2);
    assert!(kinds(&discarded, "b_reuse").is_empty());
    assert_eq!(kinds(&discarded, "p_dead"), ["discarded-value"]);
    // A file that only moves reuses nothing.
    let moved = desk.grade(&[("help.js", "-"), ("lib/help.js", helpers)]);
    assert!(kinds(&moved, "b_reuse").is_empty());
}

#[test]
fn small_copies_are_redundant() {
    for (path, text, name) in [
        (
            "a.c",
            "int width_of(struct a *one) {\n    int half = one->width / 2;\n    return half + one->left;\n}\n",
            "width_of",
        ),
        (
            "a.php",
            "<?php\nfunction widthOf($one) {\n    $half = $one->width / 2;\n    return $half + $one->left;\n}\n",
            "widthOf",
        ),
    ] {
        let copy = text.replace(name, "other").replace("<?php\n", "");
        let grade = edited(path, text, &format!("{text}\n{copy}"));
        assert!(
            grade.components.p_dup > Some(0.1),
            "{path}: {:?}",
            grade.components
        );
    }
}

#[test]
fn conditions_may_become_expressions() {
    for (path, before, old, new) in [
        (
            "a.js",
            "export const has = (a) => {\n  if (a.b !== undefined) {\n    return true\n  }\n  return a.c\n}\n",
            "  if (a.b !== undefined) {\n    return true\n  }\n  return a.c\n",
            "  return a.b !== undefined || a.c\n",
        ),
        (
            "a.c",
            "int has(struct a *a) {\n    if (a->b > 0) {\n        return 1;\n    }\n    return a->c;\n}\n",
            "    if (a->b > 0) {\n        return 1;\n    }\n    return a->c;\n",
            "    return a->b > 0 || a->c;\n",
        ),
    ] {
        let grade = edited(path, before, &before.replace(old, new));
        assert!(kinds(&grade, "p_contract").is_empty(), "{path}");
    }
}
