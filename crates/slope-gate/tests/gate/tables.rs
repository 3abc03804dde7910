//! Copies of tables.

use crate::common::Repo;
use slope_gate::Head;
use slope_model::gate::{GateRule, Level};

/// A table of a language: what begins it, given its name, what a row is, given a key and a value,
/// and what ends it.
struct Kind {
    path: &'static str,
    begin: &'static str,
    row: &'static str,
    end: &'static str,
}

const KINDS: [Kind; 6] = [
    Kind {
        path: "py",
        begin: "NAME = {\n",
        row: "    \"KEY\": (\"VALUE\", 7),\n",
        end: "}\n",
    },
    Kind {
        path: "ts",
        begin: "export const NAME: Record<string, string> = {\n",
        row: "  KEY: \"VALUE\",\n",
        end: "};\n",
    },
    Kind {
        path: "go",
        begin: "package sea\n\nvar NAME = map[string]string{\n",
        row: "\t\"KEY\": \"VALUE\",\n",
        end: "}\n",
    },
    Kind {
        path: "rs",
        begin: "pub const NAME: &[(&str, &str)] = &[\n",
        row: "    (\"KEY\", \"VALUE\"),\n",
        end: "];\n",
    },
    Kind {
        path: "java",
        begin: "class NAME {\n  static final String[][] ALL = {\n",
        row: "    {\"KEY\", \"VALUE\"},\n",
        end: "  };\n}\n",
    },
    Kind {
        path: "cs",
        begin: "class NAME {\n  static string[,] All = {\n",
        row: "    {\"KEY\", \"VALUE\"},\n",
        end: "  };\n}\n",
    },
];

impl Kind {
    fn table(&self, name: &str, word: &str) -> String {
        let row = |n: usize| {
            self.row
                .replace("KEY", &format!("key{n}"))
                .replace("VALUE", &format!("{word} {n}"))
        };
        let rows: String = (0..26).map(row).collect();
        self.begin.replace("NAME", name) + &rows + self.end
    }

    /// The levels of the gate's results on clones in a table by `Ports`.
    fn judged(&self, new: &str) -> Vec<Level> {
        let repo = Repo::new(&[(&format!("base.{}", self.path), &self.table("Ports", "port"))]);
        repo.write(&[(&format!("copy.{}", self.path), new)]);
        let violations = repo.judge(None, Head::Worktree).violations.into_iter();
        let clones = violations.filter(|v| v.rule == GateRule::NewClone);
        clones.map(|v| v.level).collect()
    }
}

#[test]
fn renamed_tables_are_copies() {
    for kind in KINDS {
        assert_eq!(
            kind.judged(&kind.table("Harbours", "port")),
            [Level::Error],
            "{}",
            kind.path
        );
    }
}

#[test]
fn table_with_other_values_passes() {
    for kind in KINDS {
        assert_eq!(
            kind.judged(&kind.table("Harbours", "haven")),
            [],
            "{}",
            kind.path
        );
    }
}

/// Files of a language: a table at the top, and a function that has the same values in another layout.
const SHORT: [(&str, &str, &str); 5] = [
    (
        "py",
        "DAYS = [\n  'mo', 'tu', 'we', 'th', 'fr', 'sa',\n  'su', 'hol', 'eve', 'ny', 'xm', 'eas',\n]\n",
        "def f(a):\n    return a in {'mo', 'tu', 'we', 'th', 'fr', 'sa', 'su', 'hol', 'eve', 'ny', 'xm', 'eas'}\n",
    ),
    (
        "ts",
        "const days = [\n  'mo', 'tu', 'we', 'th', 'fr', 'sa',\n  'su', 'hol', 'eve', 'ny', 'xm', 'eas',\n];\n",
        "function f(a) {\n  return [\"mo\", \"tu\", \"we\", \"th\", \"fr\", \"sa\", \"su\", \"hol\", \"eve\", \"ny\", \"xm\", \"eas\"].includes(a);\n}\n",
    ),
    (
        "go",
        "package a\n\nvar days = []string{\n\t\"mo\", \"tu\", \"we\", \"th\", \"fr\", \"sa\",\n\t\"su\", \"hol\", \"eve\", \"ny\", \"xm\", \"eas\",\n}\n",
        "package a\n\nfunc f(a string) bool {\n\treturn has([12]string{\"mo\", \"tu\", \"we\", \"th\", \"fr\", \"sa\", \"su\", \"hol\", \"eve\", \"ny\", \"xm\", \"eas\"}, a)\n}\n",
    ),
    (
        "rs",
        "const DAYS: [&str; 12] = [\n    \"mo\", \"tu\", \"we\", \"th\", \"fr\", \"sa\",\n    \"su\", \"hol\", \"eve\", \"ny\", \"xm\", \"eas\",\n];\n",
        "fn f(a: &str) -> bool {\n    [\"mo\", \"tu\", \"we\", \"th\", \"fr\", \"sa\", \"su\", \"hol\", \"eve\", \"ny\", \"xm\", \"eas\"].contains(&a)\n}\n",
    ),
    (
        "java",
        "class A {\n  static final String[] DAYS = {\n    \"mo\", \"tu\", \"we\", \"th\", \"fr\", \"sa\",\n    \"su\", \"hol\", \"eve\", \"ny\", \"xm\", \"eas\",\n  };\n}\n",
        "class B {\n  boolean f(String a) {\n    String[] all = {\"mo\", \"tu\", \"we\", \"th\", \"fr\", \"sa\", \"su\", \"hol\", \"eve\", \"ny\", \"xm\", \"eas\"};\n    return has(all, a);\n  }\n}\n",
    ),
];

/// Messages about clones of a change.
fn messages(old: &[(&str, &str)], new: &[(&str, &str)]) -> Vec<String> {
    let repo = Repo::new(old);
    repo.write(new);
    let violations = repo.judge(None, Head::Worktree).violations.into_iter();
    let clones = violations.filter(|v| v.rule == GateRule::NewClone);
    clones.map(|v| v.message).collect()
}

#[test]
fn short_tables_are_copies_in_any_layout() {
    for (suffix, table, function) in SHORT {
        let (old, new) = (format!("src/old.{suffix}"), format!("src/new.{suffix}"));
        let said = messages(&[(&old, table)], &[(&new, function)]);
        assert_eq!(said.len(), 1, "{suffix}: {said:?}");
        assert!(said[0].starts_with("The table has the same 12 values as the one at src/old."));
        // Three values more, and it is another table.
        let other = function.replacen("\"eas\"", "\"eas\", \"wa\", \"wb\", \"wc\"", 1);
        let other = other.replacen("'eas'", "'eas', 'wa', 'wb', 'wc'", 1);
        assert_eq!(
            messages(&[(&old, table)], &[(&new, &other)]),
            [""; 0],
            "{suffix}"
        );
    }
}

#[test]
fn long_tables_of_few_values_are_copies() {
    let row = "0, 1, 1, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 0, 1,\n";
    let table = |name: &str, rows: usize| format!("{name} = [\n{}]\n", row.repeat(rows));
    let said = |rows| {
        messages(
            &[("a.py", &table("CLASSES", rows))],
            &[("b.py", &table("KINDS", rows))],
        )
    };
    assert_eq!(said(4).len(), 1);
    assert_eq!(said(1), [""; 0]);
}

#[test]
fn moved_tables_are_not_copies() {
    let (_, table, function) = SHORT[0];
    let old = [("a.py", table), ("b.py", "x = 1\n")];
    assert_eq!(messages(&old, &[("a.py", ""), ("b.py", table)]), [""; 0]);
    // Nor are those that were there twice.
    let twice = [("a.py", table), ("b.py", function)];
    let more = format!("{function}\nx = f(1)\n");
    assert_eq!(messages(&twice, &[("b.py", &more)]), [""; 0]);
}

#[test]
fn variable_lists_are_not_tables() {
    let of = |name: &str| {
        format!(
            "def {name}(a, b, c, d, e, f, g, h, i, j):\n    return [a, b, c, d, e, f, g, h, i, j]\n"
        )
    };
    assert_eq!(
        messages(&[("a.py", &of("f"))], &[("b.py", &of("z"))]),
        [""; 0]
    );
}

/// A table with six to eight values, and another one that repeats it in another order or form.
const FORMS: &[(&str, &str, &str)] = &[
    (
        "py",
        "KINDS = [\"ant\", \"bee\", \"cat\", \"dog\", \"eel\", \"fox\"]\n",
        "NAMES = frozenset({\"fox\", \"eel\", \"dog\", \"cat\", \"bee\", \"ant\"})\n",
    ),
    (
        "py",
        "KINDS = {\"ant\": 6, \"bee\": 5, \"cat\": 4, \"dog\": 3, \"eel\": 2, \"fox\": 9}\n",
        "ROWS = (\n    (\"fox\", 9),\n    (\"eel\", 2),\n    (\"dog\", 3),\n    (\"cat\", 4),\n    (\"bee\", 5),\n    (\"ant\", 6),\n)\n",
    ),
    (
        "ts",
        "export enum Kind {\n  A = \"ant\",\n  B = \"bee\",\n  C = \"cat\",\n  D = \"dog\",\n  E = \"eel\",\n  F = \"fox\",\n}\n",
        "export const names = new Set([\"fox\", \"eel\", \"dog\", \"cat\", \"bee\", \"ant\"]);\n",
    ),
    (
        "ts",
        "export const kinds: Record<string, boolean> = { ant: true, bee: true, cat: true, dog: true, eel: true, fox: true };\n",
        "export const names = [\"fox\", \"eel\", \"dog\", \"cat\", \"bee\", \"ant\"];\n",
    ),
    (
        "go",
        "package sea\n\nvar Kinds = map[string]struct{}{\"ant\": {}, \"bee\": {}, \"cat\": {}, \"dog\": {}, \"eel\": {}, \"fox\": {}}\n",
        "package sea\n\nvar Names = []string{\"fox\", \"eel\", \"dog\", \"cat\", \"bee\", \"ant\"}\n",
    ),
    (
        "rs",
        "pub fn kind(n: u8) -> &'static str {\n    match n {\n        1 => \"ant\",\n        2 => \"bee\",\n        3 => \"cat\",\n        4 => \"dog\",\n        5 => \"eel\",\n        6 => \"fox\",\n        _ => \"\",\n    }\n}\n",
        "pub const NAMES: [&str; 6] = [\"fox\", \"eel\", \"dog\", \"cat\", \"bee\", \"ant\"];\n",
    ),
    (
        "rs",
        "pub fn kind(n: &str) -> Kind {\n    match n {\n        \"ant\" => Kind::Ant,\n        \"bee\" => Kind::Bee,\n        \"cat\" => Kind::Cat,\n        \"dog\" => Kind::Dog,\n        \"eel\" => Kind::Eel,\n        \"fox\" => Kind::Fox,\n        _ => Kind::None,\n    }\n}\n",
        "pub const NAMES: [(&str, Kind); 6] = [\n    (\"fox\", Kind::Fox),\n    (\"eel\", Kind::Eel),\n    (\"dog\", Kind::Dog),\n    (\"cat\", Kind::Cat),\n    (\"bee\", Kind::Bee),\n    (\"ant\", Kind::Ant),\n];\n",
    ),
];

#[test]
fn tables_match_in_any_order_and_form() {
    for (suffix, table, other) in FORMS {
        let (old, new) = (format!("src/old.{suffix}"), format!("src/new.{suffix}"));
        for (one, two) in [(table, other), (other, table)] {
            let said = messages(&[(&old, one)], &[(&new, two)]);
            let is_list = two.len() < one.len() || one.contains(", 9)");
            if is_list || suffix == &"py" {
                assert_eq!(said.len(), 1, "{two}: {said:?}");
                let begin = "6 of the 6 values of the table are in the one at src/old.";
                assert!(said[0].starts_with(begin), "{said:?}");
            }
            // It is moved, and not repeated.
            let moved = messages(&[(&old, one)], &[(&old, ""), (&new, two)]);
            assert_eq!(moved, [""; 0], "{two}");
        }
    }
}

#[test]
fn tables_with_only_equal_keys_pass() {
    let table = |name: &str, by: usize| {
        let rows: String = ["ant", "bee", "cat", "dog", "eel", "fox", "gnu"]
            .iter()
            .zip(1..)
            .map(|(key, n)| format!("    \"{key}\": {},\n", n * by))
            .collect();
        format!("{name} = {{\n{rows}}}\n")
    };
    let old = [("a.py", table("A", 3)), ("b.py", "x = 1\n".to_owned())];
    let old: Vec<(&str, &str)> = old
        .iter()
        .map(|(path, text)| (*path, text.as_str()))
        .collect();
    assert_eq!(messages(&old, &[("b.py", &table("B", 5))]), [""; 0]);
    assert_eq!(messages(&old, &[("b.py", &table("B", 3))]).len(), 1);
    // One more value in an existing table is not a copy.
    let twice = [("a.py", table("A", 3)), ("b.py", table("B", 3))];
    let twice: Vec<(&str, &str)> = twice
        .iter()
        .map(|(path, text)| (*path, text.as_str()))
        .collect();
    let more = table("B", 3).replace("}", "    \"hen\": 1,\n}");
    assert_eq!(messages(&twice, &[("b.py", &more)]), [""; 0]);
}

#[test]
fn tables_in_another_shape_are_copies() {
    let keys = ["ant", "bee", "cat", "dog", "eel", "fox", "gnu", "hen"];
    let lines = |line: &str| {
        let all = keys.iter().zip(1..).map(|(key, n)| {
            let line = line.replace("KEY", key).replace("UP", &key.to_uppercase());
            line.replace('#', &n.to_string())
        });
        all.collect::<String>()
    };
    let list = format!("KINDS = [\n{}]\n", lines("    \"KEY\",\n"));
    let words = format!("NAMES = \"\"\"\n{}\"\"\".split()\n", lines("KEY\n"));
    let ranks = format!("RANKS = {{\n{}}}\n", lines("    \"KEY\": #,\n"));
    let upper = format!("CODES = {{\n{}}}\n", lines("    \"UP\": code.UP,\n"));
    let lower = format!("PAIRS = [\n{}]\n", lines("    (\"KEY\", code.UP),\n"));
    let map = format!("A = {{\n{}}}\n", lines("    \"KEY\": \"of UP\",\n"));
    let inverse = format!("B = {{\n{}}}\n", lines("    \"of UP\": \"KEY\",\n"));
    let rows = format!(
        "C = {{\n{}}}\n",
        lines("    \"key#\": [\"KEY\", \"of UP\"],\n")
    );
    let other = format!("D = {{\n{}}}\n", lines("    \"KEY\": \"to UP\",\n"));
    for (old, new, is_copy) in [
        (&list, &words, true),
        (&list, &ranks, true),
        (&upper, &lower, true),
        (&map, &inverse, true),
        (&rows, &map, true),
        (&map, &other, false),
    ] {
        let said = messages(&[("a.py", old)], &[("b.py", new)]);
        assert_eq!(said.len(), usize::from(is_copy), "{old}{new}: {said:?}");
    }
}

#[test]
fn tables_of_names_are_copies() {
    let signs = "    \"+\": op.add,\n    \"-\": op.sub,\n    \"*\": op.mul,\n    \"/\": op.div,\n    \"%\": op.mod,\n    \"**\": op.pow,\n";
    let operators = |name: &str| format!("{name} = {{\n{signs}}}\n");
    let types = "bool,\n    bytes,\n    complex,\n    float,\n    int,\n    str,\n    range,\n";
    let list = format!("PLAIN = (\n    {types})\n");
    let set = format!("SIMPLE = frozenset({{\n    {types}}})\n");
    let local =
        format!("def f(bool, bytes, complex, float, int, str, range):\n    return ({types})\n");
    let keys = [
        "DATA", "BEGIN", "END", "NAME", "NUMBER", "TEXT", "SPACE", "EOF",
    ];
    let row = |key: &&str| {
        format!(
            "        TOKEN_{key}: \"a {} of text\",\n",
            key.to_lowercase()
        )
    };
    let labels = format!(
        "def f(kind):\n    return {{\n{}    }}[kind]\n",
        keys.iter().map(row).collect::<String>()
    );
    let text_row = |key: &&str| format!("    \"{0}\": \"a {0} of text\",\n", key.to_lowercase());
    let texts = format!(
        "LABELS = {{\n{}}}\n",
        keys.iter().map(text_row).collect::<String>()
    );
    for (old, new, is_copy) in [
        (&operators("A"), &operators("B"), true),
        (&list, &set, true),
        (&list, &local, false),
        (&labels, &texts, true),
    ] {
        let said = messages(&[("a.py", old)], &[("b.py", new)]);
        assert_eq!(said.len(), usize::from(is_copy), "{old}{new}: {said:?}");
    }
}

#[test]
fn lists_repeat_alternatives_of_a_branch() {
    let go = "package sea\n\nfunc isWhole(k reflect.Kind) bool {\n\tswitch k {\n\tcase reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Uint8, reflect.Uint16:\n\t\treturn true\n\t}\n\treturn false\n}\n";
    let go_list = "package sea\n\nvar whole = map[reflect.Kind]bool{\n\treflect.Int:    true,\n\treflect.Int8:   true,\n\treflect.Int16:  true,\n\treflect.Int32:  true,\n\treflect.Uint8:  true,\n\treflect.Uint16: true,\n}\n";
    assert_eq!(messages(&[("a.go", go)], &[("b.go", go_list)]).len(), 1);
    // Branches often repeat each other.
    let other = go.replace("isWhole", "fits");
    assert_eq!(messages(&[("a.go", go)], &[("b.go", &other)]), [""; 0]);
    let rust = "pub fn fits(k: Kind) -> bool {\n    match k {\n        Kind::Ant | Kind::Bee | Kind::Cat | Kind::Dog | Kind::Eel | Kind::Fox => true,\n        _ => false,\n    }\n}\n";
    let rust_list = "pub const FITTING: [Kind; 6] = [Kind::Ant, Kind::Bee, Kind::Cat, Kind::Dog, Kind::Eel, Kind::Fox];\n";
    assert_eq!(messages(&[("a.rs", rust)], &[("b.rs", rust_list)]).len(), 1);
}

#[test]
fn tables_with_the_same_words_pass() {
    let rows = |start: &str| -> String {
        let names = [
            "host", "port", "user", "path", "depth", "color", "theme", "level", "limit",
        ];
        let row = |name: &&str| format!("    \"{start}{}\": \"{name}\",\n", name.to_uppercase());
        names.iter().map(row).collect()
    };
    let variables = format!("VARIABLES = {{\n{}}}\n", rows("APP_"));
    let options = format!("OPTIONS = {{\n{}}}\n", rows("--"));
    let signs = |sign: &str| {
        let numbers = (11..23).map(|n| format!("{}{n}, ", if n % 2 == 0 { sign } else { "" }));
        format!("STEPS = [{}]\n", numbers.collect::<String>())
    };
    let series = |name: &str| {
        format!("{name} = [100, 200, 300, 400, 500, 600, 700, 800, 900, 1000, 1100, 1200]\n")
    };
    let types = "u8, u16, u32, u64, u128, i8, i16, i32, i64, i128";
    let sizes = format!("impl_size!({types});\n");
    let codes = format!("impl_code!({types});\n");
    let branch = "pub fn is_warm(k: Kind) -> bool {\n    match k {\n        Kind::Ant | Kind::Bee | Kind::Cat | Kind::Dog | Kind::Eel | Kind::Fox | Kind::Gnu => true,\n        _ => false,\n    }\n}\n";
    let all = "pub const ALL: [Kind; 8] = [Kind::Ant, Kind::Bee, Kind::Cat, Kind::Dog, Kind::Eel, Kind::Fox, Kind::Gnu, Kind::Hen];\n";
    for (suffix, old, new) in [
        ("py", variables.as_str(), options.as_str()),
        ("py", &signs("-"), &signs("")),
        ("py", &series("SHADES"), &series("WEIGHTS")),
        ("rs", &sizes, &codes),
        ("rs", branch, all),
    ] {
        let (a, b) = (format!("a.{suffix}"), format!("b.{suffix}"));
        assert_eq!(messages(&[(&a, old)], &[(&b, new)]), [""; 0], "{old}{new}");
    }
}
