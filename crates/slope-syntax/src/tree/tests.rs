//! The flat tree against the grammar's own, and bad input.

use super::*;

fn python(bytes: &[u8]) -> Result<SyntaxTree, ParseError> {
    parse(
        Language::by_id("python").unwrap(),
        bytes,
        &Limits::default(),
    )
}

#[test]
fn flat_tree_covers_text_in_preorder() {
    let tree = python(b"def f(a):\n    return a + 1\n").unwrap();
    assert_eq!(tree.node(0).end as usize, tree.nodes().len());
    for (index, node) in tree.nodes().iter().enumerate().skip(1) {
        let parent = tree.node(node.parent);
        assert!((node.parent as usize) < index && node.end <= parent.end);
    }
    let top: Vec<_> = tree.children(0).map(|i| tree.node_text(i)).collect();
    assert_eq!(top, ["def f(a):\n    return a + 1"]);
}

#[test]
fn line_endings_and_bom_change_nothing() {
    let plain = python(b"a = 1\nb = 2\n").unwrap();
    for other in [&b"\xef\xbb\xbfa = 1\r\nb = 2\r\n"[..], b"a = 1\rb = 2\r"] {
        let tree = python(other).unwrap();
        assert_eq!(tree.text(), plain.text());
        assert_eq!(tree.physical_lines(), 2);
    }
}

#[test]
fn nul_byte_is_refused_with_line() {
    assert_eq!(
        python(b"a\nb\0").err(),
        Some(ParseError::NulByte { line: 2 })
    );
}

#[test]
fn syntax_errors_are_counted_and_located() {
    let tree = python(b"a = 1\ndef (:\n").unwrap();
    assert_eq!(tree.errors().map(|e| e.first_line), Some(2));
    assert_eq!(python(b"a = 1\n").unwrap().errors(), None);
}

#[test]
fn hostile_depth_is_refused_without_recursion() {
    let deep = format!("a = {}1{}\n", "(".repeat(100_000), ")".repeat(100_000));
    assert!(matches!(
        python(deep.as_bytes()).err(),
        Some(ParseError::TooDeep { .. } | ParseError::TooCostly { .. })
    ));
    let open = "(".repeat(200_000);
    let _refused_or_erroneous = python(open.as_bytes());
    let brackets = "[{(".repeat(50_000);
    let _refused_or_erroneous = python(brackets.as_bytes());
}

#[test]
fn files_above_the_size_limit_are_refused() {
    let limits = Limits {
        max_bytes: 3,
        ..Limits::default()
    };
    let error = parse(Language::by_id("python").unwrap(), b"a = 1", &limits).err();
    assert_eq!(error, Some(ParseError::TooLarge { limit: 3 }));
}

#[test]
fn form_feed_does_not_end_line() {
    let tree = python(b"a = 1\n\x0c\nb = 2\n").unwrap();
    assert_eq!(tree.physical_lines(), 3);
    assert_eq!(tree.errors(), None);
}

/// Code of each language that brings in fields, comments, made-up nodes and errors.
const SAMPLES: &[(&str, &str)] = &[
    (
        "python",
        "@d\ndef f(a, *b: int = 1) -> c:\n    # note\n    return f'{a!r:>{b}}' if a else (yield)\n\nx = [\n",
    ),
    (
        "javascript",
        "class A { #b = 1; get c() { return this?.d ?? `x${e}` } } // f\nif (a) b(\n",
    ),
    (
        "typescript",
        "type A<T> = { [k in keyof T]?: T[k] }; /* b */ enum C { D = 1 }\nlet x: = 3\n",
    ),
    ("tsx", "const a = <b c={d}>{/* e */}text</b>;\n"),
    (
        "rust",
        "/// d\nfn f<'a>(x: &'a str) -> Option<u8> { match x { _ if a => 1, // c\n _ => { } } }\nfn g( {\n",
    ),
    (
        "go",
        "package a\n\nfunc (r *R) f(a, b int) (int, error) { // c\n\treturn a << 1, nil\n}\nvar x = \n",
    ),
    (
        "java",
        "class A<T> extends B { /* c */ @D int e(int... f) { return switch (f) { case 1 -> 2; default -> 3; }; } int = ; }\n",
    ),
    (
        "c",
        "#define A(x) \\\n  x\nint f(void) { /* b */ for (;;) { a->b = c ? d : e; } }\nint g( {\n",
    ),
    (
        "cpp",
        "template <class T> auto f(T&& a) -> decltype(a) { return [&](int b) { return b; }; } // c\n#if X\nint\n",
    ),
    (
        "csharp",
        "class A { int B { get; set; } = 1; void C() { var d = $\"x{e:0.0}\"; } } // f\nclass {\n",
    ),
    (
        "ruby",
        "def a(b, *c, d: 1, &e)\n  x = <<~T\n    t #{b}\n  T\nend # f\nif x\n",
    ),
    (
        "haskell",
        "module A where\n-- c\nf :: Int -> Int\nf x | x > 0 = x\n    | otherwise = let y = 1 in y\ng = (\n",
    ),
    (
        "zig",
        "const a = 1;\npub fn f(b: u8) !void {\n    // c\n    if (b) |d| { } else { }\n}\nfn (\n",
    ),
    (
        "kotlin",
        "class A<T>(val b: T) : C() {\n  // c\n  fun d(e: Int = 1) = when (e) {\n    1 -> \"$b ${e}\"\n    else -> f { it }\n  }\n}\nfun (\n",
    ),
    (
        "php",
        "<?php\nclass A extends B {\n  // c\n  public function d(int $e = 1) { return match ($e) { 1 => \"a $e\", default => fn() => 2 }; }\n}\nfunction (\n",
    ),
    (
        "lua",
        "#!/usr/bin/lua\nlocal a <const> = { b = 1, [2] = [[\nx]] } -- c\nfunction a:d(...) return function() return self.b and 'y' end end\nlocal function (\n",
    ),
    (
        "bash",
        "#!/bin/sh\na=\"$b ${c:-$(d)}\" # e\nf() { cat <<E && g\nh $i\nE\ncase $1 in j|*) ;; esac; }\nif [[ -n $k\n",
    ),
    (
        "scala",
        "object A extends B {\n  // c\n  def d[T](e: Int = 1)(implicit f: T) = e match { case 1 if g => s\"a $e ${f}\"; case _ => xs.map { x => x } }\n}\ndef (\n",
    ),
    (
        "swift",
        "struct A: B {\n  // c\n  func d<T>(_ e: Int = 1) throws -> T? { guard let f = e else { return nil }; return xs.map { $0 ?? \"a \\(f)\" } }\n}\nfunc (\n",
    ),
];

#[test]
fn flat_nodes_match_the_grammar() {
    assert_eq!(SAMPLES.len(), Language::all().count());
    for (id, code) in SAMPLES {
        let language = Language::by_id(id).unwrap();
        for cut in [code.len(), code.len() / 2, code.len() / 3] {
            let tree = parse(language, &code.as_bytes()[..cut], &Limits::default()).unwrap();
            compare(&tree);
        }
    }
}

fn compare(tree: &SyntaxTree) {
    let grammar = tree.grammar_tree().unwrap();
    let mut cursor = grammar.walk();
    for index in 0..tree.node(0).end {
        if index > 0 && tree.node(index).parent == index - 1 {
            assert!(cursor.goto_first_child());
        } else if index > 0 {
            while !cursor.goto_next_sibling() {
                assert!(cursor.goto_parent());
            }
        }
        compare_node(tree, index, &cursor);
        compare_siblings(tree, index);
    }
}

fn compare_node(tree: &SyntaxTree, index: u32, cursor: &tree_sitter::TreeCursor<'_>) {
    let node = cursor.node();
    let flat = tree.node(index);
    let (start, end) = (node.start_position(), node.end_position());
    assert_eq!(
        (flat.kind, flat.named, flat.field),
        (
            node.kind_id(),
            node.is_named(),
            cursor.field_id().map_or(0, std::num::NonZero::get)
        ),
        "{node:?}"
    );
    assert_eq!(
        [flat.is_extra(), flat.is_missing(), flat.is_error()],
        [node.is_extra(), node.is_missing(), node.is_error()],
        "{node:?}"
    );
    assert_eq!(
        [flat.start_row, flat.end_row, flat.start_byte, flat.end_byte].map(|n| n as usize),
        [start.row, end.row, node.start_byte(), node.end_byte()],
        "{node:?}"
    );
    let children = tree.children(index).count();
    assert_eq!(
        (children, flat.has_named_child()),
        (node.child_count() as usize, node.named_child_count() > 0),
        "{node:?}"
    );
}

fn compare_siblings(tree: &SyntaxTree, index: u32) {
    let mut before = None;
    for child in tree.children(index) {
        assert_eq!(tree.node(child).parent, index);
        assert_eq!(tree.previous_sibling(child), before);
        if let Some(before) = before {
            assert_eq!(tree.next_sibling(before), Some(child));
        }
        before = Some(child);
    }
}

#[test]
fn error_rows_are_known() {
    let tree = python(b"a = 1\nb = ) ) 3\nc = 4\n").unwrap();
    assert_eq!(tree.error_rows().rows().collect::<Vec<_>>(), [1]);
    assert_eq!(python(b"a = 1\n").unwrap().error_rows().count(), 0);
}

#[test]
fn declared_and_marked_encodings_are_decoded() {
    let note = |bytes: &[u8]| {
        let tree = python(bytes).unwrap();
        let note = tree.encoding_note().map(ToString::to_string);
        (tree.text().to_owned(), note.unwrap_or_default())
    };
    let (text, said) = note(b"# -*- coding: latin-1 -*-\nx = '\xe4'\n");
    assert!(text.ends_with("x = '\u{e4}'\n"));
    assert_eq!(said, "decoded from windows-1252");
    let (text, said) = note(b"\n# vim: set fileencoding=koi8_r :\nx = '\xc1'\n");
    assert!(text.ends_with("x = '\u{430}'\n"), "{text}");
    assert_eq!(said, "decoded from KOI8-R");
    let (text, said) = note(b"\xff\xfea\0 \0=\0 \x001\0\r\0\n\0");
    assert_eq!(
        (text.as_str(), said.as_str()),
        ("a = 1\n", "decoded from UTF-16LE")
    );
    let (text, said) = note(b"a = 1\nb = '\xff'\nc = '\xe4'\n");
    assert_eq!(text, "a = 1\nb = '\u{fffd}'\nc = '\u{fffd}'\n");
    assert_eq!(said, "not UTF-8: 2 places replaced, the first in line 2");
    assert_eq!(note(b"# coding: utf-8\na = 1\n").1, "");
}

#[test]
fn long_node_rows_are_found() {
    let mut code = String::from("x = [\n");
    for line in 0..3000 {
        code.push_str(if line % 7 == 0 {
            "\n"
        } else {
            "  (1,\n 2), '''a\nb''',\n"
        });
    }
    code.push_str("]\n");
    compare(&python(code.as_bytes()).unwrap());
}
