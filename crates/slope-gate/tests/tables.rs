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
fn a_table_under_another_name_is_a_copy() {
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
