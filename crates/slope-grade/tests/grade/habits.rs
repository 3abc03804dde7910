//! Habits of the code around an edit that only the edit can break.

use crate::common::{Desk, kinds};

/// A file of functions, and the same with a text replaced.
struct Case {
    path: &'static str,
    text: String,
    from: &'static str,
    to: &'static str,
    /// A replacement that fits.
    tidy: &'static str,
}

impl Case {
    fn new(
        path: &'static str,
        text: &str,
        from: &'static str,
        [to, tidy]: [&'static str; 2],
    ) -> Self {
        assert!(text.contains(from), "{path} has no {from}");
        Self {
            path,
            text: text.to_owned(),
            from,
            to,
            tidy,
        }
    }

    /// Whether the replacement has a kind of evidence and the tidy one does not.
    fn tells(&self, signal: &str, kind: &str) {
        let desk = Desk::new(&[(self.path, &self.text)]);
        for (to, wanted) in [(self.to, true), (self.tidy, false)] {
            let after = self.text.replace(self.from, to);
            let grade = desk.grade(&[(self.path, &after)]);
            let found = kinds(&grade, signal);
            assert_eq!(
                found.contains(&kind),
                wanted,
                "{}: {to}\n{:?}",
                self.path,
                grade.evidence
            );
        }
    }
}

const VERBS: [&str; 9] = [
    "read", "write", "parse", "merge", "split", "count", "clear", "check", "print",
];

/// Functions by a template with their verb.
fn functions(head: &str, template: &str, tail: &str) -> String {
    let all = VERBS.map(|verb| template.replace("VERB", verb));
    format!("{head}{}{tail}", all.join("\n"))
}

fn java() -> String {
    let function = "  int VERBAll(int first) {\n    int nextItem = first + 1;\n    return nextItem * 2;\n  }\n";
    functions("class Store {\n", function, "}\n")
}

fn c() -> String {
    let function =
        "int VERB_all(int first) {\n  int next_item = first + 1;\n  return next_item * 2;\n}\n";
    functions("#include <stdio.h>\n\n", function, "")
}

fn rust() -> String {
    let function = "pub fn VERB_all(first: u32) -> u32 {\n    let VERB_item = first + 1;\n    VERB_item * 2\n}\n";
    functions("", function, "")
}

fn go() -> String {
    let function =
        "func VERBAll(first int) int {\n\tnextItem := first + 1\n\treturn nextItem * 2\n}\n";
    functions("package store\n\n", function, "")
}

fn python() -> String {
    let function = "def VERB_all(first):\n    next_item = first + 1\n    return next_item * 2\n\n";
    functions("", function, "")
}

#[test]
fn names_against_the_habit_deviate() {
    let kind = "deviating-style";
    Case::new("S.java", &java(), "mergeAll", ["merge_all", "mergeEach"]).tells("p_dev", kind);
    Case::new("s.c", &c(), "merge_all", ["mergeAll", "merge_each"]).tells("p_dev", kind);
    Case::new("s.rs", &rust(), "merge_item", ["mergeItem", "merge_one"]).tells("p_dev", kind);
    Case::new("s.go", &go(), "mergeAll", ["merge_all", "mergeEach"]).tells("p_dev", kind);
    Case::new("s.py", &python(), "merge_all", ["mergeAll", "merge_each"]).tells("p_dev", kind);
}

#[test]
fn moved_names_do_not_deviate() {
    let odd = "def OddOne(first):\n    return first + 2\n";
    let other = format!("{}{odd}", python());
    let desk = Desk::new(&[("a.py", &other), ("b.py", &python().replace("all", "each"))]);
    let moved = format!("{}{odd}", python().replace("all", "each"));
    let grade = desk.grade(&[("a.py", &python()), ("b.py", &moved)]);
    assert_eq!(kinds(&grade, "p_dev"), Vec::<&str>::new());
}

#[test]
fn names_without_a_habit_are_free() {
    let few = "int read_all(int a) {\n  return a + 1;\n}\n";
    let desk = Desk::new(&[("s.c", few)]);
    let more = format!("{few}\nint writeAll(int a) {{\n  return a + 2;\n}}\n");
    let grade = desk.grade(&[("s.c", &more)]);
    assert_eq!(kinds(&grade, "p_dev"), Vec::<&str>::new());
}

#[test]
fn other_indentation_deviates() {
    let kind = "deviating-style";
    let of = |path, text: &str, from, to| Case::new(path, text, from, to).tells("p_dev", kind);
    let from = "def merge_all(first):\n    next_item = first + 1\n    return next_item * 2";
    let odd = "def merge_all(first):\n  next_item = first + 1\n  return next_item * 2";
    let same = "def merge_all(first):\n    next_item = first + 3\n    return next_item * 2";
    of("s.py", &python(), from, [odd, same]);
    let from = "mergeAll(first int) int {\n\tnextItem";
    let odd = "mergeAll(first int) int {\n    nextItem";
    of(
        "s.go",
        &go(),
        from,
        [odd, "mergeAll(last int) int {\n\tnextItem"],
    );
}

#[test]
fn printing_where_nothing_prints_deviates() {
    let kind = "deviating-style";
    let of = |path, text: &str, from, to| Case::new(path, text, from, to).tells("p_dev", kind);
    let from = "int merge_all(int first) {\n";
    let prints = "int merge_all(int first) {\n  printf(\"here\\n\");\n";
    of("s.c", &c(), from, [prints, "int merge_all(int last) {\n"]);
    let from = "  int mergeAll(int first) {\n";
    let prints = "  int mergeAll(int first) {\n    System.out.println(first);\n";
    of(
        "S.java",
        &java(),
        from,
        [prints, "  int mergeAll(int last) {\n"],
    );
    let from = "fn merge_all(first: u32) -> u32 {\n";
    let prints = "fn merge_all(first: u32) -> u32 {\n    println!(\"{first}\");\n";
    // `print_all` prints on purpose.
    let own = "fn merge_all(first: u32) -> u32 {\n    drop(first);\n";
    of("s.rs", &rust(), from, [prints, own]);
}

#[test]
fn code_in_comments_is_dead() {
    let kind = "commented-out-code";
    let of = |path, text: &str, from, to| Case::new(path, text, from, to).tells("p_dead", kind);
    let from = "def merge_all(first):\n    next_item = first + 1\n";
    let old = "def merge_all(first):\n    # next_item = first + 1\n    next_item = first + 2\n";
    let prose =
        "def merge_all(first):\n    # Two, as both ends count.\n    next_item = first + 2\n";
    of("s.py", &python(), from, [old, prose]);
    let from = "int merge_all(int first) {\n";
    let old = "/* int merge_all(int first) { */\nint merge_all(int last) {\n";
    of(
        "s.c",
        &c(),
        from,
        [
            old,
            "/* Merges (all of) them. */\nint merge_all(int last) {\n",
        ],
    );
    let from = "    let merge_item = first + 1;\n";
    let old = "    // let merge_item = first + 1;\n    let merge_item = first + 2;\n";
    let example = "    /// let merge_item = first + 1;\n    let merge_item = first + 2;\n";
    of("s.rs", &rust(), from, [old, example]);
}

#[test]
fn comment_that_names_its_statement_deviates() {
    let kind = "narrating-comment";
    let of = |path, text: &str, from, to| Case::new(path, text, from, to).tells("p_dev", kind);
    let from = "def merge_all(first):\n    next_item";
    let odd = "def merge_all(first):\n    # Set next item\n    next_item";
    let why = "def merge_all(first):\n    # Callers count from zero.\n    next_item";
    of("s.py", &python(), from, [odd, why]);
    let from = "func mergeAll(first int) int {\n\tnextItem := first + 1\n";
    let odd = "func mergeAll(first int) int {\n\tnextItem := first + 1\n\t// Return the result\n";
    let why =
        "func mergeAll(first int) int {\n\tnextItem := first + 1\n\t// Twice: it has two ends.\n";
    of("s.go", &go(), from, [odd, why]);
}

#[test]
fn imports_written_in_another_way_deviate() {
    let kind = "rewritten-import";
    let of = |path, text: &str, from, to| Case::new(path, text, from, to).tells("p_dev", kind);
    let text = "from itertools import chain\n\n\ndef flat(rows):\n    return list(chain(*rows))\n";
    let odd = "import itertools\n\n\ndef flat(rows):\n    return list(itertools.chain(*rows))\n";
    let gone = "def flat(rows):\n    return [item for row in rows for item in row]\n";
    of(
        "a.py",
        text,
        "from itertools import chain\n\n\ndef flat(rows):\n    return list(chain(*rows))\n",
        [odd, gone],
    );
    let text = "use std::path::Path;\n\npub fn has(path: &Path) -> bool {\n    path.exists()\n}\n";
    let odd = "pub fn has(path: &std::path::Path) -> bool {\n    path.exists()\n}\n";
    let gone = "pub fn has(path: &str) -> bool {\n    !path.is_empty()\n}\n";
    of(
        "a.rs",
        text,
        "use std::path::Path;\n\npub fn has(path: &Path) -> bool {\n    path.exists()\n}\n",
        [odd, gone],
    );
}

#[test]
fn package_for_the_standard_library_deviates() {
    let kind = "replaced-standard";
    let of = |path, text: &str, from, to| Case::new(path, text, from, to).tells("p_dev", kind);
    let text = "import json\n\n\ndef read(text):\n    return json.loads(text)\n";
    of(
        "a.py",
        text,
        "import json",
        ["import simplejson as json", "import json as json"],
    );
    let text = "use std::collections::HashMap;\n\npub type Table = HashMap<u8, u8>;\n";
    let (from, own) = (
        "use std::collections::HashMap;",
        "use crate::table::HashMap;",
    );
    of("a.rs", text, from, ["use hashbrown::HashMap;", own]);
    let text = "const fs = require('fs');\n\nfunction read(path) {\n  return fs.readFileSync(path);\n}\n\nmodule.exports = { read };\n";
    of(
        "a.js",
        text,
        "require('fs')",
        ["require('fs-extra')", "require('./fs')"],
    );
}

#[test]
fn includes_and_modules_without_use_are_dead() {
    let kind = "unused-import";
    let of = |path, text: &str, from, to| Case::new(path, text, from, to).tells("p_dead", kind);
    let (from, used) = (
        "#include <stdio.h>\n",
        "#include <stdio.h>\n#include \"time.h\"\n",
    );
    of(
        "s.c",
        &c(),
        from,
        ["#include <stdio.h>\n#include <time.h>\n", used],
    );
    let text =
        "'use strict';\n\nfunction read(path) {\n  return path;\n}\n\nmodule.exports = { read };\n";
    let odd = "'use strict';\n\nvar util = require('util');\n\n";
    of(
        "a.js",
        text,
        "'use strict';\n\n",
        [odd, "'use strict';\n\nvar read;\n\n"],
    );
}

#[test]
fn parameters_without_use_are_dead_anywhere() {
    let kind = "unused-parameter";
    let of = |path, text: &str, from, to| Case::new(path, text, from, to).tells("p_dead", kind);
    let from = "int merge_all(int first) {\n  int next_item = first + 1;";
    let odd = "int merge_all(int first, const char *mode) {\n  int next_item = first + 1;";
    let used = "int merge_all(int first, int mode) {\n  int next_item = first + mode;";
    of("s.c", &c(), from, [odd, used]);
    let from = "  int mergeAll(int first) {\n    int nextItem = first + 1;";
    let odd = "  int mergeAll(int first, boolean fast) {\n    int nextItem = first + 1;";
    let used = "  int mergeAll(int first, int step) {\n    int nextItem = first + step;";
    of("S.java", &java(), from, [odd, used]);
}

#[test]
fn new_wrapper_of_old_function_is_needless() {
    let of = |path, text: &str, from, to| Case::new(path, text, from, to).tells("p_cx", "wrapper");
    let from = "int print_all(";
    let odd = "int total_all(int first) {\n  return merge_all(first);\n}\n\nint print_all(";
    let own = "int total_all(int first) {\n  return merge_all(first + 1);\n}\n\nint print_all(";
    of("s.c", &c(), from, [odd, own]);
}

#[test]
fn errors_that_are_dropped_drift() {
    let kind = "dropped-error";
    let of = |path, text: &str, from, to| Case::new(path, text, from, to).tells("p_contract", kind);
    let text = "pub fn read(path: &str) -> std::io::Result<u64> {\n    let text = std::fs::read(path)?;\n    Ok(text.len() as u64)\n}\n";
    let odd = "let text = std::fs::read(path).unwrap_or_default();";
    of(
        "a.rs",
        text,
        "let text = std::fs::read(path)?;",
        [odd, "let text = std::fs::read(path.trim())?;"],
    );
    let text = "package a\n\nimport \"os\"\n\nfunc size(path string) (int, error) {\n\ttext, err := os.ReadFile(path)\n\tif err != nil {\n\t\treturn 0, err\n\t}\n\treturn len(text), nil\n}\n";
    let from = "text, err := os.ReadFile(path)\n\tif err != nil {\n\t\treturn 0, err\n\t}\n";
    of(
        "a.go",
        text,
        from,
        [
            "text, _ := os.ReadFile(path)\n",
            "text, err := os.ReadFile(path)\n\tif err != nil {\n\t\treturn 1, err\n\t}\n",
        ],
    );
}

#[test]
fn dropped_guards_drift() {
    let kind = "dropped-guard";
    let of = |path, text: &str, from, to| Case::new(path, text, from, to).tells("p_contract", kind);
    let text = "def first(rows):\n    if not rows:\n        return None\n    row = rows[0]\n    return row.strip()\n";
    let from = "    if not rows:\n        return None\n    row = rows[0]\n";
    let other = "    if len(rows) == 0:\n        return None\n    row = rows[0]\n";
    of("a.py", text, from, ["    row = rows[0]\n", other]);
    let text = "int head(const int *rows, int count) {\n  if (count == 0) {\n    return -1;\n  }\n  return rows[0] + count;\n}\n";
    let from = "  if (count == 0) {\n    return -1;\n  }\n";
    of(
        "a.c",
        text,
        from,
        ["", "  if (count <= 0) {\n    return -1;\n  }\n"],
    );
}

#[test]
fn guard_of_several_functions_is_moved() {
    let guarded = |name: &str| {
        format!(
            "def {name}(rows):\n    if not rows:\n        return None\n    return rows.{name}()\n\n\n"
        )
    };
    let plain = |name: &str| format!("def {name}(rows):\n    return known(rows).{name}()\n\n\n");
    let before = format!("{}{}", guarded("first"), guarded("last"));
    let after = format!("{}{}", plain("first"), plain("last"));
    let grade = Desk::new(&[("a.py", &before)]).grade(&[("a.py", &after)]);
    assert_eq!(kinds(&grade, "p_contract"), Vec::<&str>::new());
}

#[test]
fn blank_lines_of_untouched_code_are_churn() {
    let text = python();
    let from = "def merge_all(first):\n    next_item = first + 1\n";
    let spaced = text.replace(from, &format!("{from}\n"));
    let and_more = spaced.replace("def read_all(first):", "def read_some(first):");
    let grade = Desk::new(&[("s.py", &text)]).grade(&[("s.py", &and_more)]);
    assert_eq!(kinds(&grade, "p_min"), ["layout"]);
    assert!(grade.components.p_min.unwrap() < 0.02, "{grade:?}");
    let desk = Desk::new(&[("s.py", &text), ("t.py", "LIMIT = 1\n")]);
    let grade = desk.grade(&[("s.py", &spaced), ("t.py", "LIMIT = 2\n")]);
    assert!(kinds(&grade, "p_min").contains(&"layout"));
}

#[test]
fn names_of_scratch_files_are_churn() {
    let desk = Desk::new(&[("s.py", &python())]);
    let is_stray = |path: &str| {
        let grade = desk.grade(&[(path, "# quick check\n"), ("s.py", "LIMIT = 1\n")]);
        kinds(&grade, "p_min").contains(&"stray-file")
    };
    for path in [
        "tmp-read.js",
        "src/ReadScratch.java",
        "read_scratch_test.go",
    ] {
        assert!(is_stray(path), "{path}");
    }
    for path in ["TempFile.java", "template.js", "starch.py"] {
        assert!(!is_stray(path), "{path}");
    }
}
