//! Copies of tables.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic")]

mod common;

use common::Repo;
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

    /// The levels of what the gate says of clones in a table beside `Ports`.
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
fn a_table_with_other_values_is_none() {
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
        // One value more, and it is another table.
        let other = function.replacen("\"eas\"", "\"eas\", \"w\"", 1);
        let other = other.replacen("'eas'", "'eas', 'w'", 1);
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
fn moved_tables_are_no_copies() {
    let (_, table, function) = SHORT[0];
    let old = [("a.py", table), ("b.py", "x = 1\n")];
    assert_eq!(messages(&old, &[("a.py", ""), ("b.py", table)]), [""; 0]);
    // Nor are those that were there twice.
    let twice = [("a.py", table), ("b.py", function)];
    let more = format!("{function}\nx = f(1)\n");
    assert_eq!(messages(&twice, &[("b.py", &more)]), [""; 0]);
}

#[test]
fn lists_of_variables_are_no_tables() {
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
