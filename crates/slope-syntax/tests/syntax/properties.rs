//! Renaming, comments and layout change only what they should.

use std::collections::BTreeSet;

use crate::mutate;
use proptest::prelude::*;
use slope_syntax::{
    Language, Limits, Profile, Roles, SyntaxTree, callables, maintainability, parse,
};

fn tree(language: Language, text: &str) -> SyntaxTree {
    let tree = parse(language, text.as_bytes(), &Limits::default()).expect("a tree");
    assert_eq!(tree.errors(), None, "{language:?}: {text}");
    tree
}

/// What must stay: source lines, and for each callable all its numbers.
fn numbers(tree: &SyntaxTree) -> (u32, Vec<[u32; 5]>) {
    let source = tree.source_lines(Profile::Slope);
    let found = callables(tree, Profile::Slope, &source);
    let of = |f: &slope_syntax::CallableFacts| {
        [f.complexity, f.cognitive, f.parameters, f.nesting, f.sloc]
    };
    (source.count(), found.iter().map(of).collect())
}

/// Names that mean something to the language or to a metric.
fn is_special(name: &str) -> bool {
    let special = [
        "_",
        "self",
        "cls",
        "otherwise",
        "else",
        "match",
        "type",
        "var",
        "value",
        "defined",
        "assert",
    ];
    special.contains(&name)
}

/// The text with every name but special ones followed by a suffix.
fn renamed(tree: &SyntaxTree, suffix: &str) -> String {
    let mut out = String::new();
    let mut at = 0;
    for (index, node) in (0u32..).zip(tree.nodes()) {
        let is_name = tree.info(index).roles.any(Roles::IDENTIFIER) && node.end == index + 1;
        if is_name && !is_special(tree.node_text(index)) {
            out.push_str(&tree.text()[at..node.end_byte as usize]);
            out.push_str(suffix);
            at = node.end_byte as usize;
        }
    }
    out + &tree.text()[at..]
}

/// Rows after which another row can be put: no token or text goes over the line end.
fn gaps(tree: &SyntaxTree) -> BTreeSet<u32> {
    let mut gaps: BTreeSet<u32> = (0..tree.physical_lines()).collect();
    for (index, node) in (0u32..).zip(tree.nodes()) {
        let is_token = node.named || !tree.node_text(index).trim().is_empty();
        let is_whole = node.end == index + 1 || tree.roles(index).any(Roles::STRING);
        if is_whole && is_token {
            for row in node.start_row..node.end_row {
                gaps.remove(&row);
            }
        }
    }
    gaps.retain(|&row| !tree.row_text(row).ends_with('\\'));
    gaps
}

fn comment(language: Language) -> &'static str {
    match language.id() {
        "python" | "ruby" | "bash" => "# if a and b: c",
        "haskell" | "lua" => "-- if a && b",
        _ => "// if (a && b) { c(); }",
    }
}

/// The text with comments, blank lines and trailing spaces put in.
fn relaid(tree: &SyntaxTree, edits: &[(u16, u8)]) -> String {
    let gaps: Vec<u32> = gaps(tree).into_iter().collect();
    let mut after: Vec<(u32, u8)> = edits
        .iter()
        .map(|&(at, kind)| (gaps[at as usize % gaps.len()], kind))
        .collect();
    after.sort_unstable();
    let mut out = String::new();
    for row in 0..tree.physical_lines() {
        out.push_str(tree.row_text(row));
        let mut here = after.iter().filter(|edit| edit.0 == row).peekable();
        if here.peek().is_some_and(|edit| edit.1 % 3 == 0) {
            out.push_str("  ");
        }
        out.push('\n');
        for (_, kind) in here {
            match kind % 3 {
                1 => out.push('\n'),
                2 => {
                    // As far in as what follows, as people write it.
                    let next = (row + 1..tree.physical_lines()).map(|next| tree.row_text(next));
                    let next = next.into_iter().find(|text| !text.trim().is_empty());
                    let next = next.unwrap_or_default();
                    out.push_str(&next[..next.len() - next.trim_start().len()]);
                    out.push_str(comment(tree.language()));
                    out.push('\n');
                }
                _ => {}
            }
        }
    }
    out
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn numbers_are_independent_of_names(sample in 0..mutate::SAMPLES.len(), suffix in "q[a-z]{1,5}") {
        let (id, text) = mutate::SAMPLES[sample];
        let language = Language::by_id(id).expect(id);
        let before = tree(language, text);
        let after = tree(language, &renamed(&before, &suffix));
        prop_assert_eq!(numbers(&before), numbers(&after));
        let index = |tree: &SyntaxTree| maintainability(tree, &tree.source_lines(Profile::Slope));
        prop_assert_eq!(index(&before), index(&after));
    }

    #[test]
    fn numbers_ignore_comments_and_layout(
        sample in 0..mutate::SAMPLES.len(),
        edits in prop::collection::vec((any::<u16>(), any::<u8>()), 1..12),
    ) {
        let (id, text) = mutate::SAMPLES[sample];
        let language = Language::by_id(id).expect(id);
        let before = tree(language, text);
        let after = tree(language, &relaid(&before, &edits));
        prop_assert_eq!(numbers(&before), numbers(&after));
        let index = |tree: &SyntaxTree| maintainability(tree, &tree.source_lines(Profile::Slope));
        prop_assert_eq!(index(&before), index(&after));
    }
}
