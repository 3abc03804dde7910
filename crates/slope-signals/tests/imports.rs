//! Imports of Python code that nothing reads and that are there for a reason.

mod common;

use common::signals_of;
use slope_signals::{Options, findings};

/// Below the imports of a file, so that it holds more than these.
const REST: &str = "def f(a):\n    return a + 1\n";

/// How many imports of a file are reported as unused.
fn unused(path: &str, code: &str) -> usize {
    unused_beside(path, code, "x = 1\n")
}

/// The same with another file, `user.py`.
fn unused_beside(path: &str, code: &str, user: &str) -> usize {
    let (here, user) = (signals_of(path, code), signals_of("user.py", user));
    let found = findings(&[(path, &here), ("user.py", &user)], &Options::default());
    found.iter().filter(|f| f.rule == "unused-import").count()
}

#[test]
fn what_is_handed_on_together_is_handed_on() {
    let code = format!("from lib import b, c\nfrom other import d\n\n{REST}");
    assert_eq!(unused_beside("a.py", &code, "x = 1\n"), 3);
    assert_eq!(
        unused_beside("a.py", &code, "from a import b\n\nprint(b)\n"),
        1
    );
    assert_eq!(
        unused_beside("a.py", &code, "from a import f\n\nprint(f)\n"),
        3
    );
}

fn check(cases: &[(&str, usize)]) {
    for (code, expected) in cases {
        let code = format!("{code}\n{REST}");
        assert_eq!(unused("a.py", &code), *expected, "{code}");
    }
}

#[test]
fn an_import_in_a_class_is_an_attribute() {
    check(&[
        ("class A:\n    def g(self):\n        import os", 1),
        ("class A:\n    import os", 0),
        ("class A:\n    from m import b, c\n    x = 1", 0),
    ]);
}

#[test]
fn a_comment_may_be_for_all_imports_of_a_file() {
    check(&[
        ("import os\n\n\n# flake8: noqa", 0),
        ("#RUFF:NoQA\n\nimport os", 0),
        ("#  flake8 :  noqa \n\nimport os", 0),
        ("# flake8: noqa: E501, F401\n\nimport os", 0),
        ("# ruff: noqa: F\n\nimport os", 0),
        ("# flake8: noqa: E501\n\nimport os", 1),
        ("# ruff: noqa: F841\n\nimport os", 1),
        ("# see flake8: noqa\n\nimport os", 1),
        ("# flake8: noqa why\n\nimport os", 1),
        ("# noqa\n\nimport os", 1),
        ("import os\nif x:\n    # flake8: noqa\n    g()", 1),
        ("# Do not remove these.\n\nimport os", 0),
        ("# Remove these.\n\nimport os", 1),
        ("x = 'do not remove'\nimport os", 1),
    ]);
}

#[test]
fn an_import_that_asks_whether_a_module_is_there_is_used() {
    let asks = |caught: &str, body: &str| {
        format!("try:\n    g()\n    if x:\n        {body}\nexcept {caught}:\n    x = 1\n{REST}")
    };
    let deep = "def h():\n            import os";
    for (caught, body, expected) in [
        ("ImportError", "import os", 0),
        ("ModuleNotFoundError as e", "import os", 0),
        ("(KeyError, ImportError)", "import os", 0),
        ("ImportError", deep, 0),
        ("KeyError", "import os", 1),
        ("KeyError", deep, 1),
    ] {
        let code = asks(caught, body);
        assert_eq!(unused("a.py", &code), expected, "{code}");
    }
    check(&[
        (
            "try:\n    g()\nexcept ImportError:\n    if x:\n        import os",
            0,
        ),
        (
            "try:\n    g()\nexcept KeyError:\n    if ImportError:\n        import os",
            1,
        ),
        ("try:\n    g()\nexcept ImportError:\n    pass\nimport os", 1),
    ]);
}

#[test]
fn a_string_may_name_what_only_types_need() {
    check(&[
        (
            "if TYPE_CHECKING:\n    import os\nx = 'or so, it is <os>!'",
            0,
        ),
        (
            "if typing.TYPE_CHECKING:\n    import os\nx = 'or so, it is <os>!'",
            0,
        ),
        (
            "if TYPE_CHECKING:\n    import os\nx = 'or so, it is <close>!'",
            1,
        ),
        (
            "if not t.TYPE_CHECKING:\n    import os\nx = 'or so, it is <os>!'",
            1,
        ),
        ("import os\nx = 'or so, it is <os>!'", 1),
    ]);
}

#[test]
fn a_quoted_type_of_any_length_is_read() {
    let long = |name: &str| {
        let others = "Another.Thing, ".repeat(10);
        format!("import os\nx: 'Union[{others}{name}.Thing]' = 1\n{REST}")
    };
    assert_eq!(unused("a.py", &long("os")), 0);
    assert_eq!(unused("a.py", &long("so")), 1);
    check(&[
        (
            "import os\nX = \"Union[os.A, tuple[float, *tuple[float, ...]]]\"",
            0,
        ),
        (
            "import os\ndef g(x: \"os.A | *tuple[float, ...]\"):\n    return x",
            0,
        ),
        (
            "import os\nX = \"Union[so.A, tuple[float, *tuple[float, ...]]]\"",
            1,
        ),
        ("import os\nX = \"in os.A, *tuple[float, ...], of so\"", 1),
    ]);
}

#[test]
fn paths_tell_what_an_import_is_for() {
    for (path, import, expected) in [
        ("a.py", "import os", 1),
        ("app/migrations/a.py", "import os", 0),
        ("app/my_migrations/a.py", "import os", 1),
        ("app/migrations.py", "import os", 1),
        ("lib/app/a.py", "import app.models", 0),
        ("lib/app/a.py", "import app", 1),
        ("lib/app/a.py", "import app.models as models", 1),
        ("lib/app/a.py", "import urllib.error", 1),
        ("lib/myapp/app.py", "import app.models", 1),
    ] {
        let code = format!("{import}\n\n{REST}");
        assert_eq!(unused(path, &code), expected, "{path} {import}");
    }
}
