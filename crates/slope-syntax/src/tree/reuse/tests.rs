//! Trees with parts of another version against trees of parsing afresh.

use proptest::prelude::*;

use super::super::{parse as parse_bytes, parse_after};
use super::*;

fn python() -> Language {
    Language::by_id("python").unwrap()
}

fn tree(text: &str) -> SyntaxTree {
    parse_bytes(python(), text.as_bytes(), &Limits::default()).unwrap()
}

/// The nodes taken over, if any were, having seen that the tree is that of parsing afresh.
fn reused(before: &str, after: &str) -> Option<usize> {
    let (before, afresh, limits) = (tree(before), tree(after), Limits::default());
    let other = parse_after(python(), after.as_bytes(), &limits, Some(&before)).unwrap();
    assert_eq!(other.nodes(), afresh.nodes());
    assert_eq!(other.kinds(), afresh.kinds());
    assert_eq!(other.errors(), afresh.errors());
    assert_eq!(other.is_whole(), afresh.is_whole());
    let flat = parse(&before, python(), after, afresh.line_starts(), &limits)?;
    assert_eq!(flat.nodes, afresh.nodes);
    let taken = taken(&before, after, afresh.line_starts());
    Some(taken.iter().map(|run| run.nodes.len()).sum())
}

const CLASS: &str = r#"import os


class Store(Base):
    """What is kept."""

    limit = 10

    def put(self, name, value):
        """Keeps a value."""
        if name in self.known:
            raise KeyError(name)
        self.known[name] = value
        return value

    @property
    def size(self):
        total = 0
        for name, value in self.known.items():
            total += len(name) + len(value)
        return total

    async def load(self, path):
        with open(path) as file:
            text = file.read()
        return [line for line in text.split("\n") if line]


def main(arguments):
    store = Store(arguments[0])
    print(store.size, file=sys.stderr)
    return 0


if __name__ == "__main__":
    main(sys.argv)
"#;

#[test]
fn unchanged_code_is_reused() {
    let all = tree(CLASS).nodes().len();
    for (from, to) in [
        ("total = 0", "total = 1"),
        ("limit = 10", "limit = 10\n    other = 20"),
        ("import os\n", "import os\nimport sys\n# a remark\n"),
        ("    @property\n", "    @cached\n    @property\n"),
        ("return 0", "return 0  # fine"),
        ("class Store(Base):", "class Shop(Base):"),
    ] {
        assert!(CLASS.contains(from));
        let taken = reused(CLASS, &CLASS.replace(from, to));
        let taken = taken.unwrap_or_else(|| panic!("nothing is taken over for {to}"));
        assert!(taken > all / 2, "{taken} of {all} for {to}");
    }
}

#[test]
fn moved_definition_is_reused() {
    let (first, second) = (
        CLASS.find("    def put").unwrap(),
        CLASS.find("    @prop").unwrap(),
    );
    let method = &CLASS[first..second];
    let end = CLASS.find("    async").unwrap();
    let moved = [&CLASS[..first], &CLASS[second..end], method, &CLASS[end..]].concat();
    assert!(reused(CLASS, &moved).is_some());
    let twice = [
        &CLASS[..end],
        &method.replace("put", "add"),
        method,
        &CLASS[end..],
    ]
    .concat();
    assert!(reused(CLASS, &twice).is_some());
    // Deeper than before, inside another definition.
    let nested = format!("def outer():\n    class Inner:\n        x = 1\n\n    y = 2\n\n\n{CLASS}");
    assert!(reused(CLASS, &nested).is_some());
}

/// Each text is parsed with the tree of each other one. The tree is always the same.
#[test]
fn similar_but_different_code_is_reparsed() {
    let body = "        total = compute_total(names, values)\n        total = total + another_one(names)\n";
    let texts = [
        format!("class A:\n    def one(self):\n{body}        return total\n\n    x = 1\n"),
        // The same lines within a text.
        format!("class A:\n    s = \"\"\"\n    def one(self):\n{body}        return total\n\n    x = 1\n\"\"\"\nx = 1\n"),
        // With a decorator above, and with a decorator of several lines.
        format!("class A:\n    @deco\n    def one(self):\n{body}        return total\n\n    x = 1\n"),
        format!("class A:\n    @deco(\n        1,\n    )\n    def one(self):\n{body}        return total\n\n    x = 1\n"),
        // Comments that may or may not belong to it.
        format!("class A:\n    def one(self):\n{body}        return total\n        # inside\n\n    x = 1\n"),
        format!("class A:\n    def one(self):\n{body}        return total\n# outside\n    x = 1\n"),
        format!("class A:\n    def one(self):\n{body}        # between\n        return total\n\n    x = 1\n"),
        // At the end of the file, with and without a line end.
        format!("class A:\n    def one(self):\n{body}        return total\n"),
        format!("class A:\n    def one(self):\n{body}        return total"),
        // Going on.
        format!("def f():\n    if names and values:\n{body}    else:\n        pass\n    x = 1\n"),
        format!("def f():\n    if names and values:\n{body}    x = 1\n"),
        format!("def f():\n    try:\n{body}    finally:\n        pass\n    x = 1\n"),
        format!("def f():\n    for x in names and values:\n{body}    else:\n        pass\n    x = 1\n"),
        // After a line that continues.
        format!("def f():\n    if x: \\\n{body}    x = 1\n"),
        "if x: \\\ntotal = compute_total(names, values)\ntotal = total + another_one(names)\nx = 1\n".to_owned(),
        "total = compute_total(names, values)\ntotal = total + another_one(names)\nx = 1\n".to_owned(),
        // In brackets, where lines mean nothing.
        format!("x = (\n{}\n)\nx = 1\n", "        compute_total(names, values, others)"),
        "        compute_total(names, values, others)\nx = 1\n".to_owned(),
        // Indented by tabs.
        format!("class A:\n\tdef one(self):\n{}\t\treturn total\n\n\tx = 1\n", body.replace("        ", "\t\t")),
        // With other indentation than the surroundings, which the grammar accepts.
        format!("class A:\n    def one(self): x\n{body}        return total\n\n    x = 1\n"),
        "class A:\n    a = 1\n        if names and values:\n      total = compute_total(names)\n    x = 1\n".to_owned(),
        "class A:\n    def b():\n        if names and values:\n      total = compute_total(names)\n    x = 1\n".to_owned(),
        // No Python.
        format!("class A:\n    def one(self):\n{body}        return total\n\n    x = = 1\n"),
        format!("class A(:\n    def one(self):\n{body}        return total\n\n    x = 1\n"),
        format!("    def one(self):\n{body}        return total\n  x = 1\n"),
        // Statements that are words elsewhere.
        format!("match x:\n    case 1:\n{body}    case _:\n{body}x = 1\n"),
        format!("print >>f, total_of_all_names, values\nexec code_of_the_names in values\n{}x = 1\n", body.replace("        ", "")),
        CLASS.to_owned(),
    ];
    for before in &texts {
        for after in &texts {
            reused(before, after);
        }
    }
}

#[test]
fn distant_code_is_reparsed() {
    let body = "    first = compute(names)\n    second = compute(first, names)\n";
    let near = format!("def f(names):\n{body}\n\nx = 1\n");
    assert!(reused(&near, &near.replace("x = 1", "x = 2")).is_some());
    let far = near.replace("\n\nx", &format!("{}x", "\n".repeat(NEAR)));
    assert_eq!(reused(&far, &far.replace("x = 1", "x = 2")), None);
}

#[test]
fn other_languages_are_reparsed() {
    let rust = Language::by_id("rust").unwrap();
    let text = "fn one(names: &[u32]) -> u32 {\n    names.iter().sum::<u32>() + names.len() as u32\n}\n\nfn two() {}\n";
    let before = parse_bytes(rust, text.as_bytes(), &Limits::default()).unwrap();
    assert!(!before.is_reusable());
    assert!(
        parse(
            &before,
            rust,
            text,
            before.line_starts(),
            &Limits::default()
        )
        .is_none()
    );
    // A tree of another language is not older.
    assert!(
        parse(
            &tree(CLASS),
            rust,
            text,
            before.line_starts(),
            &Limits::default()
        )
        .is_none()
    );
}

#[test]
fn limits_apply_to_reused_code() {
    let deep = |names: usize| {
        let sum = "(".repeat(names) + "x" + &")".repeat(names);
        format!("def deep(x):\n    first = compute(x)\n    return {sum}\n\n\ny = 1\n")
    };
    let limits = Limits {
        max_depth: 60,
        ..Limits::default()
    };
    let before = tree(&deep(100));
    let after = deep(100).replace("y = 1", "y = 2");
    let refused = parse_after(python(), after.as_bytes(), &limits, Some(&before));
    assert_eq!(
        refused.err(),
        Some(super::super::ParseError::TooDeep { limit: 60 })
    );
    // The maximum depth of a series of versions is never too low.
    let mut before = tree(&deep(20));
    for number in 0..400 {
        let after = deep(20).replace("y = 1", &format!("y = {number}"));
        let limits = Limits {
            max_depth: 100,
            ..Limits::default()
        };
        before = parse_after(python(), after.as_bytes(), &limits, Some(&before)).unwrap();
    }
}

/// Lines of a module, some of them removed, doubled, moved or changed.
fn edited() -> impl Strategy<Value = String> {
    let lines: Vec<String> = CLASS.lines().map(str::to_owned).collect();
    let change = (0..4_usize, any::<usize>(), any::<usize>());
    prop::collection::vec(change, 0..6).prop_map(move |changes| {
        let mut lines = lines.clone();
        for (kind, at, to) in changes {
            let (at, to) = (at % lines.len(), to % lines.len());
            match kind {
                0 => drop(lines.remove(at)),
                1 => lines.insert(to, lines[at].clone()),
                2 => lines.swap(at, to),
                _ => lines[at] = format!("{}x", lines[at]),
            }
        }
        lines.join("\n") + "\n"
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn reused_trees_match_fresh_parsing(before in edited(), after in edited()) {
        reused(&before, &after);
    }

    /// A series of versions, each parsed with the tree of the previous one.
    #[test]
    fn successive_versions_match_fresh_parsing(
        versions in prop::collection::vec(edited(), 2..6),
    ) {
        let mut before = tree(&versions[0]);
        for text in &versions[1..] {
            let limits = Limits::default();
            let after = parse_after(python(), text.as_bytes(), &limits, Some(&before)).unwrap();
            let afresh = tree(text);
            prop_assert_eq!(after.nodes(), afresh.nodes());
            prop_assert_eq!(after.kinds(), afresh.kinds());
            before = after;
        }
    }
}
