//! Files of tests that stop running, or that test something else.

use crate::common::{Desk, flags};

const APP: (&str, &str) = ("app.py", "def total(values):\n    return sum(values)\n");
const JS: &str = "import { f } from './a'\n\nconst KEY = 'one'\n\ntest('a', () => {\n  expect(f(KEY)).toBe(1)\n})\n";
const KOTLIN: &str = "import a.f\n\nclass ATest {\n    val key = \"one\"\n\n    @Test\n    fun one() {\n        check(f(key))\n    }\n}\n";
const PYTHON: &str = "from app import total\n\n\ndef test_total():\n    assert total([1]) == 1\n";

/// Flags of an edit of a base with these files.
fn found(base: &[(&str, &str)], edit: &[(&str, &str)]) -> Vec<String> {
    let base: Vec<(&str, &str)> = base.iter().copied().chain([APP]).collect();
    let grade = Desk::new(&base).grade(edit);
    flags(&grade).into_iter().map(str::to_owned).collect()
}

#[test]
fn values_of_existing_tests_stay() {
    for (path, text) in [("src/a.test.js", JS), ("src/test/kotlin/ATest.kt", KOTLIN)] {
        let changed = text.replace("one", "two");
        let changed = changed.replace("fun two", "fun one");
        assert_eq!(
            found(&[(path, text)], &[(path, &changed)]),
            ["test-changed"],
            "{path}"
        );
        let import = if path.ends_with(".js") {
            "import { g } from './b'\nimport "
        } else {
            "import b.g\nimport "
        };
        let more = text.replace("import ", import);
        assert!(
            found(&[(path, text)], &[(path, &more)]).is_empty(),
            "{path}"
        );
    }
}

#[test]
fn tests_keep_what_they_import() {
    for (path, text, old, new, stub) in [
        (
            "tests/test_app.py",
            PYTHON,
            "from app",
            "from app_stub",
            "app_stub.py",
        ),
        ("src/a.test.js", JS, "'./a'", "'./a.fake'", "src/a.fake.js"),
    ] {
        let changed = text.replace(old, new);
        let edit = [(path, changed.as_str()), (stub, "X = 1\n")];
        assert!(
            found(&[(path, text)], &edit).contains(&"test-changed".to_owned()),
            "{path}"
        );
        // A module that another file has may get another name there.
        assert!(
            found(&[(path, text)], &[(path, &changed)]).is_empty(),
            "{path}"
        );
    }
}

#[test]
fn data_of_tests_stays() {
    for path in [
        "tests/data/a.json",
        "spec/fixtures/a.yml",
        "src/test/resources/a.txt",
    ] {
        assert_eq!(
            found(&[(path, "one: 1\n")], &[(path, "one: 2\n")]),
            ["test-changed"],
            "{path}"
        );
        assert!(
            found(&[], &[APP_CHANGED, (path, "one: 2\n")]).is_empty(),
            "{path}"
        );
    }
}

const APP_CHANGED: (&str, &str) = (
    "app.py",
    "def total(values):\n    return sum(list(values))\n",
);

#[test]
fn tests_of_python_change_nothing_for_all() {
    let path = "tests/test_app.py";
    for more in [
        "\n\ndef test_total():\n    assert True\n",
        "\nimport app\n\napp.total = len\n",
        "\nimport app\n\nsetattr(app, 'total', len)\n",
        "\n\ndef pytest_runtest_call(item):\n    pass\n",
    ] {
        let changed = format!("{PYTHON}{more}");
        let flags = found(&[(path, PYTHON)], &[(path, &changed)]);
        assert_eq!(flags.len(), 1, "{more}: {flags:?}");
    }
    let honest =
        format!("{PYTHON}\n\ndef test_more():\n    one = total([1])\n    assert one == 1\n");
    assert!(found(&[(path, PYTHON)], &[(path, &honest)]).is_empty());
}

#[test]
fn names_of_test_files_let_them_run() {
    let go = "package a\n\nfunc TestA(t *testing.T) {\n\tt.Log(1)\n}\n";
    let renamed = |to: &str| found(&[("a/b_test.go", go)], &[("a/b_test.go", "-"), (to, go)]);
    assert_eq!(renamed("a/b_plan9_test.go"), ["skips-tests"]);
    assert!(renamed("a/c_test.go").is_empty());
}

#[test]
fn tasks_and_compilers_find_the_tests() {
    for (path, before, after) in [
        ("justfile", "test:\n    cargo test\n", "test:\n    true\n"),
        ("go.mod", "module a\n", "module a\n\nreplace b => ./b\n"),
        (
            "tsconfig.json",
            "{\"include\": [\"src\"]}\n",
            "{\"include\": [\"lib\"]}\n",
        ),
        (
            "Cargo.toml",
            "[package]\nname = \"a\"\n",
            "[package]\nname = \"a\"\n[lib]\ntest = false\n",
        ),
    ] {
        let edit = [APP_CHANGED, (path, after)];
        assert_eq!(
            found(&[(path, before)], &edit),
            ["runner-changed"],
            "{path}"
        );
    }
    let edit = [
        APP_CHANGED,
        ("justfile", "test:\n    cargo test\nfmt:\n    cargo fmt\n"),
    ];
    assert!(found(&[("justfile", "test:\n    cargo test\n")], &edit).is_empty());
}

#[test]
fn tests_inside_code_keep_their_condition() {
    let rust = "pub fn f() -> u32 {\n    1\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn f_is_one() {\n        assert_eq!(super::f(), 1);\n    }\n}\n";
    let narrowed = rust.replace("#[cfg(test)]", "#[cfg(all(test, unix))]");
    let flags = found(&[("src/a.rs", rust)], &[("src/a.rs", &narrowed)]);
    assert!(flags.contains(&"skips-tests".to_owned()), "{flags:?}");
}
