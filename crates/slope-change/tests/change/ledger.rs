//! What a ledger must say, and must not say, of changes whose meaning is known.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use slope_change::Baseline;
use slope_measure::{Content, Measurer, Options};
use slope_model::ledger::{EntryKind, Ledger, LedgerEntry};
use slope_model::measurement::Part;

static MEASURER: LazyLock<Measurer> = LazyLock::new(|| {
    let mut options = Options::trusting("2026-11-22".parse().unwrap()).comparing();
    options.threads = 1;
    Measurer::new(options).unwrap()
});

type Tree = BTreeMap<String, String>;

fn tree(files: &[(&str, &str)]) -> Tree {
    files
        .iter()
        .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()))
        .collect()
}

/// The ledger from one tree to another.
fn ledger(before: &Tree, after: &Tree) -> Ledger {
    let content =
        |(path, text): (&String, &String)| (path.clone(), MEASURER.content(path, text.as_bytes()));
    let mut baseline = Baseline::new(&MEASURER, "before", before.iter().map(content).collect());
    let paths: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let changes = paths
        .into_iter()
        .filter(|path| before.get(*path) != after.get(*path));
    let changes = changes.map(|path| match after.get(path) {
        Some(text) => content((path, text)),
        None => (path.clone(), Content::Nothing),
    });
    let change = baseline.change("after", changes.collect()).unwrap();
    assert_eq!(change.accounts.sum(), change.after - change.before);
    let ledger = change.into_ledger();
    let entries = ledger.entries.iter().chain(&ledger.layout);
    let lines: i64 = entries.map(|entry| entry.change.sloc).sum();
    let parts: i64 = ledger.parts.values().map(|part| part.sloc).sum();
    assert_eq!(lines + ledger.sloc_alone, ledger.balance.change.sloc);
    assert_eq!(parts, ledger.balance.change.sloc);
    ledger
}

fn only(ledger: &Ledger) -> &LedgerEntry {
    assert_eq!(ledger.entries.len(), 1, "{:#?}", ledger.entries);
    &ledger.entries[0]
}

#[track_caller]
fn is_empty(before: &Tree, after: &Tree) {
    let ledger = ledger(before, after);
    assert!(ledger.entries.is_empty(), "{:#?}", ledger.entries);
}

const SCAN: &str = "\
def scan(rows, limit):
    total = 0
    for row in rows:
        if row.size > limit:
            total += row.size * 2
        elif row.name == 'x':
            total -= limit
    return total
";

const PICK: &str = "\
def pick(items, key):
    best = None
    while items:
        item = items.pop()
        if best is None or item[key] > best[key]:
            best = item
    return best
";

const HEAD: &str = "import sys\n\n\n";

fn module(functions: &[&str]) -> String {
    format!(
        "{HEAD}{}\n\nprint(scan([], 1), pick([], 'k'))\n",
        functions.join("\n\n")
    )
}

fn base() -> Tree {
    tree(&[
        ("app/a.py", &module(&[SCAN, PICK])),
        ("app/b.py", "VALUE = 1\n"),
    ])
}

#[test]
fn shifts_and_comments_make_no_entries() {
    let a = module(&[SCAN, PICK]);
    for text in [
        format!("# A note.\n\n\n{a}"),
        a.replace(
            "    best = None\n",
            "    # Nothing yet.\n    best = None  # none\n\n",
        ),
        a.replace(
            "def pick(items, key):\n",
            "def pick(items, key):\n    '''Pick the best.'''\n",
        ),
        module(&[PICK, SCAN]),
    ] {
        assert_ne!(text, a);
        let mut after = base();
        after.insert("app/a.py".to_owned(), text);
        is_empty(&base(), &after);
    }
}

#[test]
fn renames_make_no_entries() {
    let mut after = base();
    let text = after.remove("app/a.py").unwrap();
    after.insert("lib/deep/c.py".to_owned(), text);
    is_empty(&base(), &after);
    let mut after = base();
    let text = module(&[SCAN, PICK])
        .replace("scan", "add_up")
        .replace("pick", "choose");
    after.insert("app/a.py".to_owned(), text);
    is_empty(&base(), &after);
}

#[test]
fn split_file_makes_no_entries() {
    let after = tree(&[
        (
            "app/a.py",
            &format!(
                "import sys\n\nfrom app.c import pick\n\n\n{SCAN}\n\nprint(scan([], 1), pick([], 'k'))\n"
            ),
        ),
        ("app/b.py", "VALUE = 1\n"),
        ("app/c.py", PICK),
    ]);
    is_empty(&base(), &after);
    is_empty(&after, &base());
}

#[test]
fn reformatting_is_separated_from_changes() {
    let mut after = base();
    let text = module(&[SCAN, PICK])
        .replace(
            "def pick(items, key):",
            "def pick(\n    items,\n    key,\n):",
        )
        .replace("== 'x'", "== \"x\"");
    after.insert("app/a.py".to_owned(), text);
    let found = ledger(&base(), &after);
    assert!(found.entries.is_empty(), "{:#?}", found.entries);
    assert_eq!(found.layout.len(), 1);
    assert_eq!(found.layout[0].function.as_deref(), Some("pick"));
    assert_eq!(found.layout[0].change.mass, found.balance.change.mass);
    assert!(found.balance.change.mass > 0.0);
}

#[test]
fn pure_line_growth_is_counted_separately() {
    let mut after = base();
    after.insert("app/b.py".to_owned(), "VALUE = 1\nOTHER = 2\n".to_owned());
    let found = ledger(&base(), &after);
    assert!(found.entries.is_empty() && found.layout.is_empty());
    assert_eq!((found.sloc_alone, found.balance.change.sloc), (1, 1));
}

#[test]
fn growth_is_entered_at_its_function() {
    let mut after = base();
    let grown = SCAN.replace(
        "    return total\n",
        "    if total > 9:\n        total = 9\n    return total\n",
    );
    after.insert("app/a.py".to_owned(), module(&[PICK, &grown]));
    let found = ledger(&base(), &after);
    let entry = only(&found);
    assert_eq!(
        (entry.kind, entry.function.as_deref()),
        (EntryKind::Changed, Some("scan"))
    );
    assert_eq!(
        (entry.from[0].complexity, entry.to[0].complexity),
        (Some(4), Some(5))
    );
    assert_eq!(entry.change.mass, found.balance.change.mass);
}

#[test]
fn moved_renamed_changed_function_is_followed() {
    let moved = PICK.replace("pick", "choose").replace(
        "    return best\n",
        "    if best is None:\n        best = key\n    return best\n",
    );
    let mut after = base();
    after.insert("app/a.py".to_owned(), module(&[SCAN]));
    after.insert("app/b.py".to_owned(), format!("VALUE = 1\n\n\n{moved}"));
    let found = ledger(&base(), &after);
    let entry = only(&found);
    assert_eq!(entry.kind, EntryKind::Changed);
    assert_eq!(
        (
            entry.from[0].path.as_str(),
            entry.from[0].function.as_deref()
        ),
        ("app/a.py", Some("pick"))
    );
    assert_eq!(
        (entry.to[0].path.as_str(), entry.to[0].function.as_deref()),
        ("app/b.py", Some("choose"))
    );
}

#[test]
fn copy_is_entered_once() {
    let copy = SCAN
        .replace("scan", "scan_again")
        .replace("total", "sum_of")
        .replace("rows", "lines");
    let mut after = base();
    after.insert("app/b.py".to_owned(), format!("VALUE = 1\n\n\n{copy}"));
    let found = ledger(&base(), &after);
    let entry = only(&found);
    assert_eq!(
        (entry.kind, entry.function.as_deref()),
        (EntryKind::Added, Some("scan_again"))
    );
    assert_eq!(entry.to[0].amounts.clone_lines, 8);
    assert_eq!(entry.change.clone_lines, 16);
    assert_eq!(entry.elsewhere.len(), 1);
    assert_eq!(
        (
            entry.elsewhere[0].function.as_deref(),
            entry.elsewhere[0].clone_lines
        ),
        (Some("scan"), 8)
    );
    let copied = entry.copied.as_ref().unwrap();
    assert_eq!(
        (copied.path.as_str(), copied.function.as_deref()),
        ("app/a.py", Some("scan"))
    );
    // When the copy goes, all of it goes with it.
    let back = ledger(&after, &base());
    let entry = only(&back);
    assert_eq!(
        (entry.kind, entry.change.clone_lines),
        (EntryKind::Removed, -16)
    );
}

#[test]
fn split_function_is_one_entry() {
    let names = "    names = []\n    for row in rows:\n        if row.name:\n            \
                 names.append(row.name.strip())\n    names.sort(key=str.lower)\n";
    let long = SCAN.replace(
        "    return total\n",
        &format!("{names}    return total, names\n"),
    );
    let split = format!("{SCAN}\n\ndef names_of(rows):\n{names}    return names\n");
    let before = tree(&[("a.py", &long)]);
    let after = tree(&[("a.py", &split)]);
    let found = ledger(&before, &after);
    let entry = only(&found);
    assert_eq!(
        (entry.kind, entry.from.len(), entry.to.len()),
        (EntryKind::Split, 1, 2)
    );
    let back = ledger(&after, &before);
    let entry = only(&back);
    assert_eq!(
        (entry.kind, entry.from.len(), entry.to.len()),
        (EntryKind::Merged, 2, 1)
    );
}

#[test]
fn dead_code_is_entered_when_orphaned() {
    let helper = "def _helper(a):\n    return a + 1\n";
    let used = tree(&[
        ("a.py", helper),
        ("b.py", "from a import _helper\n\nprint(_helper(1))\n"),
    ]);
    let unused = tree(&[("a.py", helper), ("b.py", "print(2)\n")]);
    let found = ledger(&used, &unused);
    let entry = only(&found);
    assert_eq!(
        (entry.kind, entry.function.as_deref()),
        (EntryKind::Affected, Some("_helper"))
    );
    assert_eq!((entry.change.dead_code, entry.dead_code.len()), (1, 1));
    let swallowed =
        "def read(path):\n    try:\n        return open(path).read()\n    except:\n        pass\n";
    let mut after = used.clone();
    after.insert("c.py".to_owned(), swallowed.to_owned());
    let found = ledger(&used, &after);
    assert!(only(&found).change.flagged_lines > 0);
}

#[test]
fn part_sums_balance_when_code_moves() {
    let before = tree(&[
        ("app/a.py", SCAN),
        ("tests/test_b.py", "def test_b():\n    assert 1\n"),
    ]);
    let after = tree(&[
        ("tests/helper.py", SCAN),
        ("tests/test_b.py", "def test_b():\n    assert 1\n"),
    ]);
    let found = ledger(&before, &after);
    assert_eq!(found.balance.change.mass, 0.0);
    assert!(found.parts[&Part::Product].mass < 0.0);
    assert_eq!(
        found.parts[&Part::Product].mass,
        -found.parts[&Part::Tests].mass
    );
}

#[test]
fn top_level_code_gets_file_entry() {
    let mut after = base();
    after.insert(
        "app/b.py".to_owned(),
        "VALUE = 1\ntry:\n    import fast\nexcept:\n    pass\n".to_owned(),
    );
    let found = ledger(&base(), &after);
    let entry = only(&found);
    assert_eq!(
        (entry.kind, entry.path.as_str(), entry.function.as_deref()),
        (EntryKind::Outside, "app/b.py", None)
    );
}

/// A method `fmt` of a trait for `T`, in which one of `arms` arms and a number may differ.
fn rust_method(of: &str, arms: usize, number: usize) -> String {
    let arms: String = (0..arms)
        .map(|arm| format!("            {arm} => write!(f, \"k{}\"),\n", arm + number))
        .collect();
    format!(
        "impl fmt::{of} for T {{\n    fn fmt(&self, f: &mut F) -> R {{\n        let q = {number};\n        \
         match self.k {{\n{arms}            _ => Ok(()),\n        }}\n    }}\n}}\n"
    )
}

#[test]
fn inserted_namesake_above_is_new() {
    let debug = "impl fmt::Debug for T {\n    fn fmt(&self, f: &mut F) -> R {\n        \
                 fmt::Display::fmt(self, f)\n    }\n}\n";
    let before = tree(&[("t.rs", &rust_method("Display", 9, 1))]);
    let after = tree(&[("t.rs", &format!("{debug}{}", rust_method("Display", 9, 2)))]);
    // Every statement of the old one has changed: it is known by its size.
    let found = ledger(&before, &after);
    let entry = only(&found);
    assert_eq!(entry.kind, EntryKind::Added);
    assert_eq!((entry.line, entry.to[0].complexity), (2, Some(1)));
}

#[test]
fn reordered_edited_namesakes_are_followed() {
    let (display, debug) = (rust_method("Display", 9, 1), rust_method("Debug", 0, 1));
    let before = tree(&[("t.rs", &format!("{display}{debug}"))]);
    let (display, debug) = (rust_method("Display", 9, 2), rust_method("Debug", 0, 2));
    let after = tree(&[("t.rs", &format!("{debug}{display}"))]);
    is_empty(&before, &after);
    is_empty(&after, &before);
}

#[test]
fn closure_inserted_above_is_new() {
    let ifs: String = (0..9)
        .map(|i| format!("    if (v.k{i}) {{\n      v.a({i});\n    }}\n"))
        .collect();
    let long = |number: usize| format!("list.map((v) => {{\n    const q = {number};\n{ifs}}});\n");
    let short = "list.map((v) => {\n    const a = v.b ? 1 : 2;\n    return a;\n});\n";
    let before = tree(&[("t.js", &long(1))]);
    let after = tree(&[("t.js", &format!("{short}{}", long(2)))]);
    let found = ledger(&before, &after);
    let entry = only(&found);
    assert_eq!((entry.kind, entry.line), (EntryKind::Added, 1));
    assert_eq!(entry.to[0].complexity, Some(2));
}

#[test]
fn many_namesakes_match_by_rare_statements() {
    let method = |index: usize, edit: usize| {
        let tests: String = (0..index % 7)
            .map(|i| format!("        if self.a == {i}:\n            b()\n"))
            .collect();
        format!("    def same(self):\n        c{index}()\n        d({edit})\n{tests}")
    };
    let many = |edit: usize, order: &mut dyn Iterator<Item = usize>| {
        let methods: String = order.map(|index| method(index, edit)).collect();
        tree(&[("a.py", &format!("class T:\n{methods}"))])
    };
    let before = many(1, &mut (0..120));
    let after = many(2, &mut (0..120).rev());
    let found = ledger(&before, &after);
    let moved = found
        .entries
        .iter()
        .filter(|entry| entry.change.mass != 0.0);
    assert_eq!(moved.count(), 0, "{:#?}", found.entries);
}

#[test]
fn rust_test_items_count_as_tests() {
    let file = |constant: &str, in_tests: &str| {
        tree(&[(
            "src/a.rs",
            &format!(
                "use std::fs;\n{constant}\npub fn f() -> u8 {{\n    1\n}}\n\n#[cfg(test)]\nmod tests {{\n    \
                 use super::*;\n{in_tests}\n    #[test]\n    fn one() {{\n        assert_eq!(f(), 1);\n    }}\n}}\n"
            ),
        )])
    };
    let rows =
        "    const ROWS: [&str; 3] = [\n        \"a\",\n        \"b\",\n        \"c\",\n    ];\n";
    let before = file("", "");
    for (after, part) in [
        (file("", rows), Part::Tests),
        (file(rows, ""), Part::Product),
    ] {
        let grown = ledger(&before, &after).parts;
        assert_eq!(grown.len(), 1, "{grown:?}");
        assert_eq!(grown[&part].sloc, 4);
    }
    // From one part of the file to the other.
    let moved = ledger(&file(rows, ""), &file("", rows)).parts;
    assert_eq!(
        (moved[&Part::Product].sloc, moved[&Part::Tests].sloc),
        (-4, 4)
    );
}
