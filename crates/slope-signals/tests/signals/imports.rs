//! Imports of Python code that nothing reads and that are there for a reason.

use crate::common::{self, signals_of};
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
fn reexport_excuses_whole_import_statement() {
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
fn class_level_import_is_an_attribute() {
    check(&[
        ("class A:\n    def g(self):\n        import os", 1),
        ("class A:\n    import os", 0),
        ("class A:\n    from m import b, c\n    x = 1", 0),
    ]);
}

#[test]
fn file_wide_comment_excuses_imports() {
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
fn availability_check_import_is_used() {
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
fn strings_can_use_type_checking_imports() {
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
fn long_quoted_types_count_as_use() {
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
fn import_purpose_follows_from_path() {
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

#[test]
fn comment_above_import_marks_it_wanted() {
    check(&[
        ("# These register the commands.\nimport os\nimport a.c", 0),
        ("# pylint: disable=unused-import\nfrom b import c", 0),
        ("# Needed by plugins,\n# whatever these do.\nimport os", 0),
        ("# Standard library.\nimport os", 1),
        ("# These register the commands.\n\nimport os", 1),
        ("# These register the commands.\nx = 1\nimport os", 1),
    ]);
    // Any line of a statement may say it for all of its names.
    check(&[("from m import (\n    b,\n    c,  # noqa: F401\n)", 0)]);
}

#[test]
fn commented_out_code_keeps_its_imports() {
    check(&[
        ("import pdb\n# pdb.set_trace()", 0),
        ("import runner\nx = {}\n# 'ssh': runner,", 0),
        ("import runner\n# This is the runner.", 1),
        ("import runner\n# It isn't the runner.", 1),
    ]);
}

#[test]
fn star_imported_module_reexports_imports() {
    let code = format!("import os\n{REST}");
    assert_eq!(unused_beside("a.py", &code, "from a import *\n"), 0);
    assert_eq!(unused_beside("a.py", &code, "from b import *\n"), 1);
    // But those only that it exports.
    let exporting = format!("__all__ = ['f']\n{code}");
    assert_eq!(unused_beside("a.py", &exporting, "from a import *\n"), 1);
}

#[test]
fn import_only_files_are_excused() {
    let code = format!("import os\n{REST}");
    for (path, expected) in [
        ("a.py", 1),
        ("project_template/a.py", 0),
        ("app/templates/a.py", 0),
        ("lazy_load_template.py", 0),
        ("template.py", 1),
        ("templating/a.py", 1),
        ("tests/mypy/outputs/a.py", 0),
        ("outputs/a.py", 1),
        ("tests/integration/app.py", 0),
        ("tests/integration/test_app.py", 1),
        ("integration/app.py", 1),
        ("playground/a.py", 0),
        ("src/it/projects/a.py", 0),
        ("projects/a.py", 1),
        ("tests/exceptions/source/a.py", 0),
        ("tests/exceptions/output/a.py", 0),
        ("tests/source/test_a.py", 1),
        ("source/a.py", 1),
    ] {
        assert_eq!(unused(path, &code), expected, "{path}");
    }
    let gathering = |names: &str| format!("from m import {names}\n{REST}");
    assert_eq!(unused("api.py", &gathering("b, c, d, e, g, h")), 0);
    assert_eq!(unused("api.py", &gathering("b, c, d, e, g")), 5);
    assert_eq!(unused("x.py", &gathering("b, c, d, e, g, h")), 6);
}

#[test]
fn import_inside_a_test_is_excused() {
    let inside = "def test_it():\n    import os\n    return 1\n";
    assert_eq!(unused("a.py", inside), 1);
    assert_eq!(unused("test_a.py", inside), 0);
    assert_eq!(unused("test_a.py", &format!("import os\n{REST}")), 1);
}

#[test]
fn dunder_names_and_generated_files_pass() {
    check(&[
        ("from m import __version__", 0),
        (
            "import os\nclass A:\n    # DO NOT EDIT MANUALLY!!!\n    x = 1",
            0,
        ),
    ]);
}

#[test]
fn index_files_reexport_only_their_exports() {
    let unused =
        |path: &str, code: &str| common::quoted_in_changes("unused-import", &[(path, code)]);
    let code = "import { b, c } from './b';\nimport type { D } from './d';\nexport { e } from './e';\nexport const f = () => b;\n";
    assert_eq!(unused("src/index.ts", code), ["c", "D"]);
    assert_eq!(unused("__init__.py", "from .b import c\n"), [""; 0]);
}

#[test]
fn modules_with_side_effects_are_used() {
    let code = format!("import user\n\n{REST}");
    for effect in [
        "import sys\nsys.path.append('a')\n",
        "import m\nm.a['b'] = 1\n",
        "import m\nm.a = 1\n",
        "register()\n",
    ] {
        assert_eq!(unused_beside("a.py", &code, effect), 0, "{effect}");
    }
    for none in ["x = f()\n", "'''Does nothing.'''\n", "def g():\n    f()\n"] {
        assert_eq!(unused_beside("a.py", &code, none), 1, "{none}");
    }
    assert_eq!(unused("a.py", &format!("import _setup\n\n{REST}")), 0);
}
