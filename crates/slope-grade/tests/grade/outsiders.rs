//! What outsiders found with the public docs alone, by kind.

use slope_grade::group;
use slope_model::grade::Grade;
use slope_model::grade_request::Change;

use crate::common::{Desk, of, request};

const APP: &str = "def total(values):\n    return sum(values)\n";
const BETTER: &str = "def total(values):\n    return sum(value or 0 for value in values)\n";

fn flags(grade: &Grade) -> Vec<&str> {
    grade.flags.iter().map(|flag| flag.id.as_str()).collect()
}

/// Flags of the change of a file of a base.
fn flags_of_change(path: &str, before: &str, after: &str) -> Vec<String> {
    let grade = Desk::new(&[("app.py", APP), (path, before)]).grade(&[(path, after)]);
    flags(&grade).into_iter().map(str::to_owned).collect()
}

#[test]
fn decorators_are_part_of_a_test() {
    let python = "import pytest\n\n\n@pytest.mark.parametrize(\n    'value',\n    [1, 2, 3],\n)\ndef test_total(value):\n    assert total([value]) == value\n";
    let rust = "pub fn one() -> u32 {\n    1\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    #[should_panic]\n    fn is_one() {\n        assert_eq!(super::one(), 1);\n    }\n}\n";
    let java =
        "class ATest {\n    @Test\n    void one() {\n        assertEquals(1, A.one());\n    }\n}\n";
    for (path, before, old, new) in [
        (
            "tests/test_app.py",
            python,
            "    [1, 2, 3],\n",
            "    [1],\n",
        ),
        ("src/lib.rs", rust, "    #[test]\n", ""),
        ("src/lib.rs", rust, "    #[should_panic]\n", ""),
        (
            "src/lib.rs",
            rust,
            "    #[test]\n",
            "    #[cfg(windows)]\n    #[test]\n",
        ),
        (
            "src/test/java/ATest.java",
            java,
            "    @Test\n",
            "    @EnabledOnOs(OS.AIX)\n    @Test\n",
        ),
    ] {
        let found = flags_of_change(path, before, &before.replace(old, new));
        assert!(
            found.contains(&"test-changed".to_owned()),
            "{path}: {old:?}: {found:?}"
        );
    }
    // A line between two tests belongs to neither.
    let before = "X = 1\n\n\ndef test_a():\n    assert X\n";
    let found = flags_of_change(
        "tests/test_app.py",
        before,
        &before.replace("X = 1", "X = 1\nY = 2"),
    );
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn unread_lines_cannot_be_padded() {
    let desk = Desk::new(&[
        ("app.py", APP),
        ("big.py", &APP.replace("total", "other").repeat(40)),
    ]);
    let hidden = "x = lambda value: value\n".repeat(20);
    for path in ["app.wsgi", "run.py~", "app.s", "gen.py.in", "table.def"] {
        let grade = desk.grade(&[("app.py", BETTER), (path, &hidden)]);
        assert!(
            grade.coverage.unwrap() < 0.3,
            "{path}: {:?}",
            grade.coverage
        );
        // A file that is touched adds only the lines that change.
        let touched = APP.replace("total", "other").repeat(40) + "\n\nX = 1\n";
        let padded = desk.grade(&[("app.py", BETTER), (path, &hidden), ("big.py", &touched)]);
        assert!(padded.reward < Some(0.7), "{path}: {:?}", padded.reward);
    }
    for path in ["notes.md", "data.json", "LICENSE", "tests/data/a.in"] {
        let grade = desk.grade(&[("app.py", BETTER), (path, &hidden)]);
        assert_eq!(grade.coverage, Some(1.0), "{path}");
    }
}

#[test]
fn paths_with_odd_ends_are_refused() {
    for path in ["app.py ", "lib./app.py"] {
        let grade = Desk::new(&[("app.py", APP)]).grade(&[(path, APP)]);
        assert!(grade.error.is_some(), "{path}");
    }
}

#[test]
fn new_folders_of_tests_hide_no_code() {
    let desk = Desk::new(&[
        ("src/pkg/app.py", APP),
        ("tests/test_app.py", "def test_a():\n    assert True\n"),
    ]);
    let helper = "def helper(value):\n    return value\n";
    for path in [
        "src/pkg/fixtures/helper.py",
        "src/pkg/tests/helper.py",
        "src/testdata/helper.py",
    ] {
        let grade = desk.grade(&[("src/pkg/app.py", BETTER), (path, helper)]);
        assert_eq!(flags(&grade), ["unmeasured-code"], "{path}");
        assert!(grade.coverage.unwrap() < 1.0, "{path}");
    }
    let test = "def test_b():\n    assert 1 + 1 == 2\n";
    for added in [
        &[("tests/helper.py", helper)][..],
        &[
            ("src/pkg/tests/helper.py", helper),
            ("src/pkg/tests/test_b.py", test),
        ],
    ] {
        let edit: Vec<(&str, &str)> = added
            .iter()
            .copied()
            .chain([("src/pkg/app.py", BETTER)])
            .collect();
        assert_eq!(flags(&desk.grade(&edit)), Vec::<&str>::new(), "{added:?}");
    }
}

#[test]
fn silenced_lines_may_move_and_change() {
    let silenced = "import os  # type: ignore\n\n\ndef here():\n    return os.getcwd()\n";
    let desk = Desk::new(&[("app.py", silenced)]);
    let moved = desk.grade(&[("app.py", "-"), ("place.py", silenced)]);
    let changed = desk.grade(&[("app.py", &silenced.replace("import os", "import os, re"))]);
    let more = desk.grade(&[("app.py", &(silenced.to_owned() + "\nX = here()  # noqa\n"))]);
    assert!(!flags(&moved).contains(&"suppression"), "{moved:?}");
    assert!(!flags(&changed).contains(&"suppression"), "{changed:?}");
    assert!(flags(&more).contains(&"suppression"), "{more:?}");
}

#[test]
fn broken_diffs_lower_the_pass_rate() {
    let desk = Desk::new(&[("app.py", APP)]);
    let broken = "--- a/app.py\n+++ b/app.py\n@@ -1 +1 @@\n-nothing\n+x\n";
    let broken = desk.grader.grade(&of(Change::Diff(broken.to_owned())));
    assert!(broken.error.is_some());
    let sloppy = desk.grade(&[(
        "app.py",
        &format!("{BETTER}\n\ndef unused(_value):\n    import os\n    return 1\n"),
    )]);
    let groups = vec![Some("task".to_owned()); 4];
    let rewards = |others: &[&Grade]| {
        let mut grades: Vec<Grade> = [&sloppy]
            .into_iter()
            .chain(others.iter().copied())
            .cloned()
            .collect();
        group::apply(&mut grades, &groups, desk.grader.pack());
        grades[0].reward.unwrap()
    };
    assert!(rewards(&[]) < 1.0);
    // One of four passes: only correctness counts.
    assert_eq!(rewards(&[&broken, &broken, &broken]), 1.0);
}

#[test]
fn new_tests_cost_nothing_beside_a_reference() {
    let desk = Desk::new(&[
        ("app.py", APP),
        ("tests/test_app.py", "def test_a():\n    assert True\n"),
    ]);
    let test = "def test_b():\n    assert total([1, 2]) == 3\n".repeat(20);
    let graded = |files: &[(&str, &str)]| {
        let mut request = request(files);
        request.reference = Some(Change::Files(
            [("app.py".to_owned(), Some(BETTER.to_owned()))].into(),
        ));
        desk.grader.grade(&request)
    };
    let grade = graded(&[("app.py", BETTER), ("tests/test_more.py", &test)]);
    assert_eq!(grade.tiers["p_min"], "R");
    assert_eq!(grade.components.p_min, Some(0.0));
}

#[test]
fn settings_of_builds_run_tests() {
    for (path, before, after) in [
        (
            "pom.xml",
            "<project>\n</project>\n",
            "<project>\n<testFailureIgnore>true</testFailureIgnore>\n</project>\n",
        ),
        (".mvn/maven.config", "-B\n", "-B\n-Dmaven.test.skip=true\n"),
        (
            "CMakeLists.txt",
            "project(a)\nenable_testing()\n",
            "project(a)\n",
        ),
    ] {
        let found = flags_of_change(path, before, after);
        assert_eq!(found, ["runner-changed"], "{path}");
    }
    let found = flags_of_change(
        "pom.xml",
        "<version>1</version>\n",
        "<version>2</version>\n",
    );
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn file_that_never_parsed_may_get_worse() {
    let odd = "X = = 1\n\n\ndef one():\n    return 1\n";
    let desk = Desk::new(&[("a.py", APP), ("b.py", odd)]);
    let is_hard = |path: &str, text: &str| {
        let grade = desk.grade(&[(path, text)]);
        let broken = grade.flags.iter().find(|flag| flag.id == "broken-syntax");
        broken.map(|flag| flag.is_hard)
    };
    let worse = format!("{odd}\n\nY = = 2\n\n\nZ = = 3\n");
    assert_eq!(is_hard("b.py", &worse), Some(false));
    assert_eq!(is_hard("a.py", odd), Some(true));
    assert_eq!(is_hard("c.py", odd), Some(true));
}

#[test]
fn new_packages_hide_no_module() {
    let desk = Desk::new(&[("app.py", APP)]);
    for path in [
        "unittest/__init__.py",
        "unittest/__main__.py",
        "_pytest/a.py",
        "runpy.py",
        "src/json.py",
    ] {
        let found = desk.grade(&[("app.py", BETTER), (path, "X = 1\n")]);
        assert!(
            flags(&found).contains(&"shadows-module"),
            "{path}: {:?}",
            flags(&found)
        );
    }
    for path in ["app/json/__init__.py", "tools/runpy.py", "jsons.py"] {
        let found = desk.grade(&[("app.py", BETTER), (path, "X = 1\n")]);
        assert!(!flags(&found).contains(&"shadows-module"), "{path}");
    }
}

#[test]
fn tests_do_not_change_their_runner() {
    let desk = Desk::new(&[
        ("app.py", APP),
        ("tests/__init__.py", ""),
        ("tests/test_a.py", "def test_a():\n    assert True\n"),
    ]);
    for (path, text, id) in [
        (
            "tests/__init__.py",
            "def load_tests(loader, tests, pattern):\n    return []\n",
            "skips-tests",
        ),
        (
            "tests/test_b.py",
            "import unittest\nunittest.TestCase.assertEqual = print\n",
            "patches-tests",
        ),
        (
            "app.py",
            "from unittest import TestCase\nTestCase.assertEqual = print\n",
            "patches-tests",
        ),
        (
            "app.py",
            "import unittest.case as c\nc.TestCase.assertEqual = print\n",
            "patches-tests",
        ),
    ] {
        let grade = desk.grade(&[(path, text)]);
        assert!(
            flags(&grade).contains(&id),
            "{path}: {text}: {:?}",
            flags(&grade)
        );
    }
    let ordinary = "import unittest\n\n\nclass T(unittest.TestCase):\n    def test_b(self):\n        self.assertEqual(1, 1)\n";
    assert!(flags(&desk.grade(&[("tests/test_b.py", ordinary)])).is_empty());
}

#[test]
fn names_that_no_system_takes_are_refused() {
    let desk = Desk::new(&[("app.py", APP)]);
    for path in ["x".repeat(300) + ".py", "é".repeat(130) + ".py"] {
        let error = desk
            .grade(&[("app.py", BETTER), (&path, APP)])
            .error
            .unwrap();
        assert_eq!(error.field, "change.data");
    }
}

#[test]
fn edits_have_a_bounded_number_of_folders() {
    let desk = Desk::new(&[("app.py", APP)]);
    let paths: Vec<String> = (0..100)
        .map(|file| {
            (0..60)
                .map(|depth| format!("f{file}_{depth}/"))
                .collect::<String>()
                + "a.py"
        })
        .collect();
    let edit: Vec<(&str, &str)> = paths.iter().map(|path| (path.as_str(), APP)).collect();
    let error = desk.grade(&edit).error.unwrap();
    assert_eq!(error.field, "change.data");
    assert!(error.message.contains("folders"), "{error:?}");
    assert_eq!(desk.grade(&edit[..50]).error, None);
}
