//! What fresh samples showed to be no slop is left alone.

use crate::common::signals_of;
use slope_signals::{Options, findings};

/// How often a signal reports something in a file, when enabled.
fn count(signal: &str, path: &str, code: &str) -> usize {
    let options = Options {
        enabled: vec![signal.to_owned()],
        ..Options::default()
    };
    counted(signal, path, code, &options)
}

fn counted(signal: &str, path: &str, code: &str, options: &Options) -> usize {
    let facts = signals_of(path, code);
    let found = findings(&[(path, &facts)], options);
    found.iter().filter(|f| f.rule == signal).count()
}

#[test]
fn imprecise_signals_are_off_by_default() {
    let (swallowed, rethrown, restated) = (
        "catch-all-ignored",
        "handler-only-logs",
        "comment-restates-code",
    );
    let attempt = "def f(a):\n    try:\n        a.run()\n    except Exception as e:\n";
    let pass = format!("{attempt}        pass\n");
    let log = format!("{attempt}        log.error(e)\n        raise\n");
    let in_script = "try {\n  a();\n} catch (e) {\n  log.error(e);\n  throw e;\n}\n";
    let long = "func f(a, b, c, d int, e, f, g string) {}\n";
    for (signal, path, code) in [
        (swallowed, "a.py", pass.as_str()),
        (swallowed, "a.rb", "def f\n  g\nrescue => e\nend\n"),
        (rethrown, "a.py", log.as_str()),
        (rethrown, "a.js", in_script),
        (restated, "a.py", "# sort the users\nusers.sort()\n"),
        (restated, "a.js", "// sort the users\nusers.sort();\n"),
        (
            "long-parameter-list",
            "a.go",
            &format!("package a\n\n{long}"),
        ),
    ] {
        let by_default = counted(signal, path, code, &Options::default());
        assert_eq!(by_default, 0, "{signal} {path}");
        assert_eq!(count(signal, path, code), 1, "{signal} {path}");
    }
}

/// A handler with a head, what it does before it raises again, and what follows it.
fn rethrown(head: &str, log: &str, rest: &str) -> String {
    format!("def f(a):\n    try:\n        a.run()\n{head}\n{log}\n        raise\n{rest}")
}

#[test]
fn deliberate_log_and_rethrow_is_excused() {
    let (head, log) = ("    except KeyError as e:", "        log.error(e)");
    let guard = "\nif __name__ == \"__main__\":\n    f(1)\n";
    let print = "        print(e)";
    let reported = |head: &str, log: &str, rest: &str| {
        count("handler-only-logs", "a.py", &rethrown(head, log, rest)) == 1
    };
    for (head, log, rest) in [
        (head, log, ""),
        (head, log, guard),
        (head, print, ""),
        (head, "        log.debug(1)\n        log.error(e)", ""),
        (head, "        log.warning(e)", ""),
        (head, "        log.log(logging.ERROR, e)", ""),
        (head, "        print(e)\n        log.error(e)", guard),
        ("    except KeyError as Cancel:", log, ""),
        ("    # why\n\n    except KeyError as e:", log, ""),
        (head, print, "\nif DEBUG:\n    f(\"__main__\")\n"),
    ] {
        assert!(reported(head, log, rest), "{head} {log} {rest}");
    }
    for (head, log, rest) in [
        (head, "        log.debug(e)", ""),
        (head, "        log.info(1)\n        self.log.trace(e)", ""),
        (head, "        logger.log(logging.DEBUG, e)", ""),
        (head, "        logger.opt(exception=True).debug(e)", ""),
        (head, print, guard),
        ("    except asyncio.CancelledError:", log, ""),
        ("    except (KeyError, TaskCancelled) as e:", log, ""),
        (
            "    # the queue wants to know\n    except KeyError as e:",
            log,
            "",
        ),
    ] {
        assert!(!reported(head, log, rest), "{head} {log} {rest}");
    }
}

#[test]
fn comment_heading_a_paragraph_is_excused() {
    let sort = "    # sort the users\n    users.sort()\n";
    let in_python = |before: &str, after: &str| format!("def f(users):\n{before}{sort}{after}");
    let restating = |path: &str, code: &str| count("comment-restates-code", path, code);
    for (before, after, expected) in [
        ("", "", 1),
        ("", "    a()\n", 0),
        ("    a = 1\n", "    b()\n", 0),
        ("", "\n    a()\n    b()\n", 1),
        ("", "    # why\n    b()\n", 1),
        ("", "    a()  # why\n", 0),
        ("    if a:\n        b()\n", "    if c:\n        d()\n", 0),
        ("    if a:\n        b()\n", "", 1),
    ] {
        let code = in_python(before, after);
        assert_eq!(restating("a.py", &code), expected, "{code}");
    }
    // Not the statements of a block.
    let code = "f(\n    # sort the users\n    sort(users),\n    a,\n    b,\n)\n";
    assert_eq!(restating("a.py", code), 1);
}

#[test]
fn paragraph_headings_work_in_other_languages() {
    for (path, before, comment, after) in [
        (
            "a.js",
            "function f() {\n",
            "// print the value\nprint_value(item);\n",
            "}\n",
        ),
        (
            "a.ts",
            "switch (a) {\ncase 1:\n",
            "// print the value\nprint_value(item);\n",
            "}\n",
        ),
        (
            "a.c",
            "void f(void) {\n",
            "/* print the value */\nprint_value(item);\n",
            "}\n",
        ),
        (
            "a.go",
            "package a\n\nfunc f() {\n",
            "\t// print the value\n\tprintValue(item)\n",
            "}\n",
        ),
        (
            "a.rs",
            "fn f() {\n",
            "// print the value\nprint_value(item);\n",
            "}\n",
        ),
        (
            "A.java",
            "class A { void f() {\n",
            "// print the value\nprintValue(item);\n",
            "} }\n",
        ),
        (
            "A.cs",
            "class A { void F() {\n",
            "// print the value\nprint_value(item);\n",
            "} }\n",
        ),
    ] {
        let end = if path == "a.go" { "" } else { ";" };
        for (more, expected) in [(0, 1), (1, 0)] {
            let code = format!(
                "{before}{comment}{}{after}",
                format!("g(){end}\n").repeat(more)
            );
            let found = count("comment-restates-code", path, &code);
            assert_eq!(found, expected, "{code}");
        }
    }
}

/// How many unused parameters there are in a file of tests, where public methods count too.
fn unused(code: &str) -> usize {
    count("unused-parameter", "tests/test_a.py", code)
}

#[test]
fn test_doubles_may_ignore_parameters() {
    let code = |class: &str| {
        format!(
            "class {class}:\n    def area(self, width, unit):\n        return width + 1\n\n\
             x = {class}().area(1, 'm')\n"
        )
    };
    for class in ["Shape", "MockingBird", "TheFakeShape", "Stubborn"] {
        assert_eq!(unused(&code(class)), 1, "{class}");
    }
    for class in [
        "FakeShape",
        "_StubShape",
        "ShapeMock",
        "Dummy",
        "Dummy2",
        "fake_shape",
    ] {
        assert_eq!(unused(&code(class)), 0, "{class}");
    }
}

#[test]
fn parameter_named_in_string_is_used() {
    let code = |body: &str| {
        format!("def area(width, unit):\n{body}    return width + 1\n\nx = area(1, 'm')\n")
    };
    for body in [
        "",
        "    \"\"\"Area in unit.\"\"\"\n",
        "    width += len('units, my_unit')\n",
        "    width += 2\n    'in unit'\n",
    ] {
        assert_eq!(unused(&code(body)), 1, "{body}");
    }
    for body in [
        "    width += evaluate('~ unit + 1')\n",
        "    width += evaluate(f'{width} * unit')\n",
        "    \"\"\"Area.\"\"\"\n    width += evaluate(\"unit\")\n",
    ] {
        assert_eq!(unused(&code(body)), 0, "{body}");
    }
}

#[test]
fn parameter_documented_for_plugins_is_excused() {
    let code = |text: &str| {
        format!(
            "def area(width, unit):\n    \"\"\"{text}\"\"\"\n    return width + 1\n\n\
             x = area(1, 'm')\n"
        )
    };
    for text in [
        "Its size.",
        "Applies the patch to all plugins.",
        "For what dispatches.",
    ] {
        assert_eq!(unused(&code(text)), 1, "{text}");
    }
    for text in [
        "Its size. Can be patched by plugins.",
        "Takes a unit for plug-ins.",
        "Kept for other plugins.",
        "There for monkey-patching.",
    ] {
        assert_eq!(unused(&code(text)), 0, "{text}");
    }
}

/// A private function with one parameter more, and as many calls of it as there are arguments.
fn varied(parameter: &str, arguments: &[&str]) -> String {
    let calls = arguments.iter().map(|more| format!("_pad('a'{more})\n"));
    let name = parameter.split('=').next().unwrap_or(parameter);
    let head = format!("def _pad(text, {parameter}):\n    return text if {name} else 'b'\n\n");
    head + &calls.collect::<String>()
}

#[test]
fn descriptive_values_excuse_constant_parameter() {
    let never = ["", ""];
    for (parameter, arguments) in [
        ("left=False", &never[..]),
        ("left=None", &never),
        ("left=0", &never),
        ("left=''", &never),
        ("left", &[", 2.0", ", 2.0", ", 2.0"]),
    ] {
        let code = varied(parameter, arguments);
        assert_eq!(count("constant-parameter", "a.py", &code), 1, "{code}");
    }
    for (parameter, arguments) in [
        ("width=30", &never[..]),
        ("fill=' '", &never),
        ("limit=LIMIT", &never),
        ("config_path=None", &never),
        ("left=False", &["", ", True"]),
        ("left", &[", 'x'", ", 'x'", ", 'x'"]),
        ("left", &[", None", ", None", ", None"]),
    ] {
        let code = varied(parameter, arguments);
        assert_eq!(count("constant-parameter", "a.py", &code), 0, "{code}");
    }
}

/// How many checks are impossible in a file.
fn impossible(code: &str) -> usize {
    count("impossible-check", "a.py", code)
}

/// A class that asks for an attribute that its constructor may set.
fn asking(set: &str, asked: &str, more: &str) -> String {
    format!(
        "class A:\n    def __init__(self):\n        {set}\n\n    def f(self, name):\n        \
         return {asked}\n{more}"
    )
}

#[test]
fn hasattr_check_needs_an_assigned_attribute() {
    let (has, get) = ("hasattr(self, 'name')", "getattr(self, \"name\", 2)");
    for (set, asked) in [
        ("self.name = 1", has),
        ("self.name = 1", get),
        ("self.name: int = 1", has),
    ] {
        assert_eq!(impossible(&asking(set, asked, "")), 1, "{set} {asked}");
    }
    for (set, asked) in [
        ("self.name = 1", "hasattr(self, name)"),
        ("self.name = 1", "getattr(self, name, 2)"),
        ("self.name: int", has),
    ] {
        assert_eq!(impossible(&asking(set, asked, "")), 0, "{set} {asked}");
    }
}

#[test]
fn attribute_hooks_excuse_hasattr_checks() {
    let code = |method: &str| {
        let more = format!("\n    def {method}(self, a):\n        self.g(a)\n");
        asking("self.b = 1", "hasattr(self, 'b')", &more)
    };
    for method in ["g", "__enter__", "__getitem__"] {
        assert_eq!(impossible(&code(method)), 1, "{method}");
    }
    for method in [
        "__del__",
        "__getattr__",
        "__getattribute__",
        "__delattr__",
        "__setstate__",
    ] {
        assert_eq!(impossible(&code(method)), 0, "{method}");
    }
    let other = "\nclass B:\n    def __del__(self):\n        self.g()\n";
    let code = asking("self.b = 1", "hasattr(self, 'b')", other);
    assert_eq!(impossible(&code), 1);
}

/// A check of a call's result, with code before it and in the function.
fn checked(head: &str, call: &str, before: &str) -> String {
    format!(
        "{head}def f(a):\n{before}    x = {call}\n    if x is None:\n        return a\n    return x\n"
    )
}

#[test]
fn none_check_needs_a_known_class() {
    let class = "class Part:\n    x = 1\n\n";
    for (head, call) in [(class, "Part()"), ("", "ValueError(a)"), ("", "dict(a)")] {
        let code = checked(head, call, "");
        assert_eq!(impossible(&code), 1, "{code}");
    }
    let from = "from parts import Part\n\n";
    let loops = "    for Part in a:\n        a.b()\n";
    let local = "    Part = a.part\n";
    let function = "def Part():\n    return g()\n\n";
    let rebound = "class Part:\n    x = 1\n\nPart = g(Part)\n";
    for (head, call, before) in [
        ("", "NSApp()", ""),
        ("", "GetStdHandle(a)", ""),
        (from, "Part()", ""),
        (class, "Part()", loops),
        (class, "Part()", local),
        (function, "Part()", ""),
        (rebound, "Part()", ""),
    ] {
        let code = checked(head, call, before);
        assert_eq!(impossible(&code), 0, "{code}");
    }
    // What is used must be there, whatever made it.
    let used = "def f(a):\n    x = Part()\n    x.run()\n    if x is None:\n        return a\n";
    assert_eq!(impossible(used), 1);
}

#[test]
fn header_binding_creates_new_value() {
    let asked = "        if v is None:\n            return a\n        return v\n";
    let code = |header: &str| format!("def f(v, a):\n    v.open()\n    {header}:\n{asked}");
    for header in ["with g(a)", "if a", "with g(a) as w"] {
        assert_eq!(impossible(&code(header)), 1, "{header}");
    }
    for header in [
        "with g(a) as v",
        "with a, g(a) as (w, v)",
        "async with g(a) as v",
        "if (v := g(a)) or a",
        "for v in a",
        "while v := g(a)",
        "if a:\n        pass\n    elif (v := g(a)) or a",
    ] {
        assert_eq!(impossible(&code(header)), 0, "{header}");
    }
    let code = "def f(v, a):\n    v.open()\n    if (v := g(a)) and v is None:\n        return a\n";
    assert_eq!(impossible(code), 0);
}

#[test]
fn none_check_sees_classes_across_files() {
    let options = Options::default();
    let reported = |head: &str, call: &str, parts: &str| {
        let (parts, code) = (
            signals_of("parts.py", parts),
            signals_of("a.py", &checked(head, call, "")),
        );
        let found = findings(&[("a.py", &code), ("parts.py", &parts)], &options);
        found.iter().any(|f| f.rule == "impossible-check")
    };
    let class = "class Part:\n    x = 1\n";
    let (plain, renamed) = (
        "from parts import Part\n\n",
        "from parts import Part as Piece\n\n",
    );
    assert!(reported(plain, "Part()", class));
    assert!(reported(renamed, "Piece()", class));
    assert!(!reported(plain, "Part()", "def Part():\n    return g()\n"));
}

/// How many private functions are unused in a file with a private function `_part_one`, given the
/// code above it, its documentation, and the code after.
fn unused_private(above: &str, text: &str, rest: &str) -> usize {
    let code = format!(
        "{above}def _part_one(a):\n    \"\"\"{text}\"\"\"\n    return a + 1\n\n\
         def f(a, x):\n{rest}    return a\n"
    );
    count("unused-private-function", "a.py", &code)
}

#[test]
fn dynamically_built_names_keep_private_functions() {
    for rest in [
        "",
        "    a = getattr(a, x + '_part')\n",
        "    a = getattr(a, f'_whole{x}')\n",
        "    a = getattr(a, f'{x}_part')\n",
        "    a = '-' + x\n",
        "    a.b('_' + x)\n",
        "    return '_' + x\n",
        "    return f'_{x}'\n",
    ] {
        assert_eq!(unused_private("", "Part.", rest), 1, "{rest}");
    }
    for rest in [
        "    a = getattr(a, '_pa' + x)\n",
        "    a = getattr(a, '_' + x + '_one', None)\n",
        "    a = getattr(a, f'_{x}')\n",
        "    a = getattr(a, '_%s' % x)\n",
        "    a = getattr(a, '_{}'.format(x))\n",
        "    if hasattr(a, '_' + x):\n        return 1\n",
        "    name = f'_{x}'\n",
        "    name = '_pa' + x\n",
        "    a.name = ('_' + x)\n",
    ] {
        assert_eq!(unused_private("", "Part.", rest), 0, "{rest}");
    }
}

#[test]
fn call_in_comment_counts_as_use() {
    for rest in [
        "    # the part one\n",
        "    # _part_one is slow\n",
        "    # my_part_one(a)\n",
        "    # f(_part_one\n",
    ] {
        assert_eq!(unused_private("", "Part.", rest), 1, "{rest}");
    }
    for rest in [
        "    # self._part_one(a) is slow\n",
        "    # g(_part_one(a))\n",
    ] {
        assert_eq!(unused_private("", "Part.", rest), 0, "{rest}");
    }
    let nested = |comment: &str| {
        let code =
            format!("def f(a):\n    def part(b):\n        return b + 1\n{comment}    return a\n");
        count("unused-private-function", "a.py", &code)
    };
    assert_eq!(nested("    # no part\n"), 1);
    assert_eq!(nested("    # a = part(a)\n"), 0);
}

#[test]
fn documented_reason_keeps_private_function() {
    for (above, text) in [
        ("", "Unused in tests."),
        ("", "For a webhook."),
        ("# Hook.\n\n", "Part."),
        ("# Calls by name.\n", "Part."),
    ] {
        assert_eq!(unused_private(above, text, ""), 1, "{above} {text}");
    }
    for (above, text) in [
        ("", "Used in tests."),
        ("", "Only in\n    tests."),
        ("", "Here for tests."),
        ("", "Mainly for testing."),
        ("", "The entry point of the script."),
        ("", "For backwards-compatibility."),
        ("", "Backward compatible name."),
        ("", "Deprecated."),
        ("", "Called by the server."),
        ("", "A hook."),
        ("# Only called\n# by the server.\n", "Part."),
        ("# Hook.\n", "Part."),
    ] {
        assert_eq!(unused_private(above, text, ""), 0, "{above} {text}");
    }
}

#[test]
fn mangled_name_counts_as_use() {
    let class = "class _Part:\n    def __f(self):\n        return self.a + 1\n\nx = _Part()\n";
    let unused = |more: &str| {
        let code = format!("{class}{more}");
        count("unused-private-function", "a.py", &code)
    };
    assert_eq!(unused("x.f()\n"), 1);
    assert_eq!(unused("x._Part__f()\n"), 0);
}

#[test]
fn example_above_signature_is_not_dead() {
    let interface = "interface A {\n  // app.get(path, handler)\n  (a: string): void\n}\n";
    assert_eq!(count("commented-out-code", "a.ts", interface), 0);
    let function = "function f() {\n  // app.get(path, handler)\n  app.listen()\n}\n";
    assert_eq!(count("commented-out-code", "a.ts", function), 1);
    let class = "class A {\n  // app.get(path, handler);\n  g() {}\n}\n";
    assert_eq!(count("commented-out-code", "a.ts", class), 1);
}
