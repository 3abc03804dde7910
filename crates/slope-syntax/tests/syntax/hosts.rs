//! Code in files with other text: components and notebooks.

use std::path::Path;

use crate::mutate;
use slope_syntax::{
    CallableFacts, Embedding, Language, Limits, ParseError, Profile, SyntaxTree, callables, parse,
};

fn parsed(path: &str, text: &str) -> Result<SyntaxTree, ParseError> {
    let language = Language::of_path(Path::new(path)).expect(path);
    parse(language, text.as_bytes(), &Limits::default())
}

#[track_caller]
fn tree(path: &str, text: &str) -> SyntaxTree {
    let tree = parsed(path, text).expect(text);
    assert_eq!(tree.errors(), None, "{text}\n{}", tree.text());
    tree
}

fn embedding(tree: &SyntaxTree) -> &Embedding {
    tree.embedding().expect("the code of a file")
}

fn functions(tree: &SyntaxTree) -> Vec<CallableFacts> {
    callables(tree, Profile::Slope, &tree.source_lines(Profile::Slope))
}

/// Names of functions with their first lines, from 1.
fn names(tree: &SyntaxTree) -> Vec<(String, u32)> {
    let line = |facts: &CallableFacts| tree.node(facts.node).start_row + 1;
    let all = functions(tree);
    all.iter().map(|f| (f.name.clone(), line(f))).collect()
}

/// A notebook with a language and cells, each with the lines of its source, as Jupyter writes it.
fn notebook(language: &str, cells: &[&str]) -> String {
    let mut text = String::from("{\n \"cells\": [\n");
    for (index, cell) in cells.iter().enumerate() {
        let separator = if index == 0 { "" } else { ",\n" };
        text.push_str(separator);
        text.push_str("  {\n   \"cell_type\": \"code\",\n   \"outputs\": [],\n   \"source\": [\n");
        let lines: Vec<String> = cell
            .split_inclusive('\n')
            .map(|line| format!("    {}", serde_json::Value::from(line)))
            .collect();
        text.push_str(&lines.join(",\n"));
        text.push_str("\n   ]\n  }");
    }
    text.push_str("\n ],\n \"metadata\": {\"kernelspec\": {\"language\": ");
    text.push_str(&serde_json::Value::from(language).to_string());
    text.push_str("}},\n \"nbformat\": 4\n}\n");
    text
}

const SCRIPT: &str = "function f(a) {\n  return a ? 1 : 2\n}\n";

#[test]
fn component_code_keeps_its_place() {
    let text = format!(
        "<template>\n  <p>{{{{ f(1) }}}}</p>\n</template>\n<script>\n{SCRIPT}</script>\n<style>\np {{}}\n</style>\n"
    );
    let tree = tree("a.vue", &text);
    assert_eq!(names(&tree), [("f".to_owned(), 5)]);
    assert_eq!(tree.source_lines(Profile::Slope).count(), 2);
    assert_eq!(embedding(&tree).rows, 3);
    assert_eq!(embedding(&tree).mentioned, ["f"]);
    assert_eq!(tree.physical_lines(), text.lines().count() as u32);
}

#[test]
fn columns_of_inline_scripts_are_true() {
    for path in ["a.vue", "a.svelte", "a.astro"] {
        let text = "<p>é</p><script>let a = (b) => b</script>\n";
        let tree = tree(path, text);
        let found = functions(&tree);
        let span = tree.node_span(found[0].node);
        let column = text.find("(b)").expect("in the text") + 1;
        assert_eq!(span.start_column as usize, column, "{path}");
    }
}

#[test]
fn script_language_follows_attributes() {
    for (path, text, id) in [
        ("a.vue", "<script>let a = 1</script>", "javascript"),
        (
            "a.vue",
            "<script setup lang=\"ts\">let a: B</script>",
            "typescript",
        ),
        (
            "a.vue",
            "<script lang='tsx' setup>let a: B = <p/></script>",
            "tsx",
        ),
        (
            "a.vue",
            "<script lang=jsx>let a = <p/></script>",
            "javascript",
        ),
        ("a.vue", "<SCRIPT LANG=ts>let a: B</SCRIPT>", "typescript"),
        (
            "a.vue",
            "<script>let a</script>\n<script setup lang=\"ts\">let b: C</script>",
            "typescript",
        ),
        ("a.vue", "<template/>", "javascript"),
        (
            "a.svelte",
            "<script lang=\"ts\" module generics=\"T extends A<B>\">let a: T</script>",
            "typescript",
        ),
        (
            "a.svelte",
            "<script type=\"text/typescript\">let a: T</script>",
            "typescript",
        ),
        ("a.svelte", "<script>let a</script>", "javascript"),
        ("a.astro", "---\nlet a: B\n---\n<p/>", "typescript"),
        ("a.astro", "<script is:inline>let a</script>", "typescript"),
    ] {
        assert_eq!(tree(path, text).language().id(), id, "{text}");
    }
    let refused = parsed("a.vue", "<script lang=\"coffee\">a = 1</script>").err();
    let reason = refused.map(|error| error.to_string()).unwrap_or_default();
    assert_eq!(
        reason,
        "its script is in `coffee`, which slope does not measure"
    );
}

#[test]
fn only_code_is_taken_from_components() {
    for (path, text) in [
        (
            "a.vue",
            "<script src=\"./a.js\"></script>\n<script src=\"b.js\" />\n<p/>",
        ),
        (
            "a.vue",
            "<template>\n<!-- <script>f(</script> -->\n<template #a><b/></template>\n</template>",
        ),
        ("a.vue", "<!-- <script>f(</script> -->"),
        ("a.vue", "<docs>\n<template>\n# f(\n</docs>\n"),
        (
            "a.vue",
            "<template lang=\"pug\">\np(a=\"<script>\")\n</template>",
        ),
        (
            "a.svelte",
            "<svelte:head>{@html `<script>${f(}</script>`}</svelte:head>",
        ),
        (
            "a.svelte",
            "<script type=\"application/ld+json\">{\"a\": (}</script>",
        ),
        ("a.astro", "<style>p { color: red }</style>\n<p>{a < b}</p>"),
        ("a.astro", "<p set:html={\"<script>f(\"} />"),
    ] {
        let tree = tree(path, text);
        assert_eq!(tree.text().trim(), "", "{text}");
        assert_eq!(embedding(&tree).rows, 0, "{text}");
    }
}

#[test]
fn scripts_end_where_browsers_end_them() {
    let tree = tree(
        "a.vue",
        "<script>\nlet a = '<\\/script>' // <script>\nlet b\n</script>\n<p>'</p>",
    );
    assert_eq!(tree.source_lines(Profile::Slope).count(), 2);
    // The string is cut, as by the compiler.
    let cut = parsed("a.vue", "<script>\nlet a = '</script>'\nlet b\n</script>").unwrap();
    assert!(cut.errors().is_some() && !cut.text().contains("let b"));
}

#[test]
fn unclosed_scripts_are_read_to_the_end() {
    for text in [
        "<script>\nlet a = 1\n",
        "<script\nlet a = 1\n",
        "<script setup lang=\"ts>\nlet a = 1\n",
        "<template>\n<p>\n<script>\nlet a\n</script>",
        "<template><script>let a</script>",
        "<",
        "<!--",
        "<script",
        "</script>",
        "---\nlet a",
        "---",
    ] {
        for path in ["a.vue", "a.svelte", "a.astro"] {
            assert!(parsed(path, text).is_ok(), "{path}: {text}");
        }
    }
    assert_eq!(
        names(&parsed("a.vue", &format!("<script>\n{SCRIPT}")).unwrap()).len(),
        1
    );
}

#[test]
fn several_scripts_are_separate_programs() {
    let text = format!(
        "<script>\nexport const a = 1\n</script>\n<script setup>\n(() => a)()\n{SCRIPT}</script>\n"
    );
    let found = tree("a.vue", &text);
    assert_eq!(names(&found), [("f".to_owned(), 6)]);
    let nodes = found.nodes().iter().skip(1);
    assert_eq!(
        nodes.filter(|node| node.parent == 0 && node.named).count(),
        3
    );
    let text = format!(
        "---\nif (a) return b\n{SCRIPT}---\n<p/>\n<script>\n{SCRIPT}</script>\n<script>{SCRIPT}</script>"
    );
    let found = tree("a.astro", &text);
    let lines: Vec<u32> = names(&found).iter().map(|name| name.1).collect();
    assert_eq!(lines, [3, 9, 13]);
}

#[test]
fn windows_files_have_the_same_code() {
    let text = format!("<template/>\n<script>\n{SCRIPT}</script>\n");
    let windows = format!("\u{feff}{}", text.replace('\n', "\r\n"));
    assert_eq!(tree("a.vue", &text).text(), tree("a.vue", &windows).text());
    let text = notebook("python", &["def f():\n    return 1\n", "f()"]);
    let windows = format!("\u{feff}{}", text.replace('\n', "\r\n"));
    assert_eq!(
        tree("a.ipynb", &text).text(),
        tree("a.ipynb", &windows).text()
    );
}

#[test]
fn template_words_are_mentioned() {
    let text = "<script setup>\nimport MyList from 'a'\nimport { vFocus, gone } from 'b'\nconst color = 'red'\n</script>\n<template><my-list v-focus/></template>\n<style>p { color: v-bind(color) }</style>";
    let found = tree("a.vue", text);
    assert!(found.is_mentioned_around("MyList") && found.is_mentioned_around("color"));
    assert!(found.is_mentioned_around("vFocus") && !found.is_mentioned_around("gone"));
    let text = "<script>\nimport { store, other } from 'a'\nlet b = $other\n</script>\n{$store}";
    let found = tree("a.svelte", text);
    assert!(found.is_mentioned_around("store") && found.is_mentioned_around("other"));
}

#[test]
fn svelte_statements_parse() {
    let text = "<script>\nexport let a\n$: b = a * 2\n$: if (b) { f() }\n$: ({ c } = $store)\nlet d = $state(0)\n</script>";
    tree("a.svelte", text);
}

#[test]
fn notebook_lines_are_those_of_the_file() {
    let text = notebook(
        "python",
        &[
            "import os\n",
            "def f(a):\n    return 1 if a else 2\n\n",
            "f(\"x\\n\")",
        ],
    );
    let found = tree("a.ipynb", &text);
    let line = |code: &str| text.lines().position(|line| line.contains(code)).unwrap() as u32 + 1;
    assert_eq!(names(&found), [("f".to_owned(), line("def f"))]);
    let rows: Vec<u32> = found
        .source_lines(Profile::Slope)
        .rows()
        .map(|row| row + 1)
        .collect();
    assert_eq!(
        rows,
        [line("import"), line("def f"), line("return"), line("x")]
    );
    let cells: Vec<u32> = embedding(&found)
        .cells
        .iter()
        .map(|cell| cell.first_row + 1)
        .collect();
    assert_eq!(cells, [line("import"), line("def f"), line("x")]);
    assert_eq!(embedding(&found).rows, 5);
}

#[test]
fn compact_notebooks_have_consecutive_lines() {
    let text = "{\"cells\":[{\"cell_type\":\"code\",\"source\":\"a = 1\\nb = 2\"},{\"cell_type\":\"markdown\",\"source\":\"# f(\"},{\"source\":[\"c\",\" = 3\\n\",\"d = 4\"],\"cell_type\":\"code\"}],\"metadata\":{}}";
    let found = tree("a.ipynb", text);
    assert_eq!(found.text(), "a = 1\nb = 2\nc = 3\nd = 4\n");
    let cells: Vec<_> = embedding(&found)
        .cells
        .iter()
        .map(|cell| (cell.number, cell.first_row, cell.end_row))
        .collect();
    assert_eq!(cells, [(1, 0, 2), (3, 2, 4)]);
}

#[test]
fn kernel_decides_notebook_language() {
    for (name, id) in [
        ("python", "python"),
        ("Python3", "python"),
        ("C++17", "cpp"),
        ("rust", "rust"),
        ("typescript", "typescript"),
        ("ipython", "python"),
    ] {
        assert_eq!(
            tree("a.ipynb", &notebook(name, &["", "\n"]))
                .language()
                .id(),
            id
        );
    }
    let reason = |text: &str| {
        parsed("a.ipynb", text)
            .err()
            .map(|error| error.to_string())
            .unwrap_or_default()
    };
    assert_eq!(
        reason(&notebook("R", &["x <- 1"])),
        "its kernel's language is `R`, which slope does not measure"
    );
    assert!(reason("{}").contains("no list of cells"));
    assert!(reason("{\"worksheets\": []}").contains("format 3"));
    assert!(reason("").starts_with("not a notebook"));
    assert!(reason("<<<<<<< HEAD\n{}").starts_with("not a notebook"));
    assert!(reason("[1, 2]").contains("no list of cells"));
    assert!(reason(&notebook("python", &["x = '\u{0}'"])).contains("NUL"));
    assert!(reason("{\"cells\": \u{0}}").contains("NUL"));
}

#[test]
fn magics_and_other_cells_are_not_code() {
    let text = notebook(
        "python",
        &[
            "%matplotlib inline\nimport numpy as np\n!pip install x",
            "%%bash\nif [ x ]; then\nfi",
            "if a:\n    %timeit np.sum(a)\n",
            "files = !ls {path}",
        ],
    );
    let found = tree("a.ipynb", &text);
    assert_eq!(found.source_lines(Profile::Slope).count(), 4);
    assert!(found.is_mentioned_around("np"));
}

#[test]
fn large_outputs_cost_little() {
    let image = "A".repeat(20_000_000);
    let text = notebook("python", &["def f(): pass\n"])
        .replace("\"outputs\": []", &format!("\"outputs\": [\"{image}\"]"));
    let found = tree("a.ipynb", &text);
    assert!(found.text().len() < 100);
    let code = "a = 1\n".repeat(1_000_000);
    assert!(matches!(
        parsed("a.ipynb", &notebook("python", &[&code])),
        Err(ParseError::TooLarge { .. })
    ));
    let huge = format!("<script>\n{}</script>", "a = 1\n".repeat(1_000_000));
    assert!(matches!(
        parsed("a.vue", &huge),
        Err(ParseError::TooLarge { .. })
    ));
}

#[test]
fn hostile_files_take_linear_time() {
    let many = 50_000;
    for (path, part) in [
        ("a.vue", "<template>"),
        ("a.vue", "<a "),
        ("a.vue", "<a {>"),
        ("a.vue", "<a '>"),
        ("a.vue", "<script '>"),
        ("a.vue", "<script>"),
        ("a.vue", "<a>"),
        ("a.vue", "<!--"),
        ("a.svelte", "<script>"),
        ("a.svelte", "<script "),
        ("a.svelte", "<style>"),
        ("a.svelte", "\"<script"),
        ("a.svelte", "   <script a='"),
        ("a.astro", "---"),
        ("a.ipynb", "["),
        ("a.ipynb", "{\"cells\":["),
    ] {
        drop(parsed(path, &part.repeat(many)));
    }
    let deep = format!("{{\"cells\": {}{}}}", "[".repeat(many), "]".repeat(many));
    assert!(parsed("a.ipynb", &deep).is_ok());
}

#[test]
fn mutated_files_break_nothing() {
    let component = format!(
        "---\nconst a = 1\n---\n<script setup lang=\"ts\">\n{SCRIPT}</script>\n<template><p :a='b'>{{{{ f(1) }}}}</p></template>\n<!-- x -->\n<style>p {{}}</style>\n"
    );
    let cells = ["%time f(\n  1)\nx = !ls\n", "def f(a):\n    return 'é'\n"];
    for (path, text) in [
        ("a.vue", component.clone()),
        ("a.svelte", component.clone()),
        ("a.astro", component),
        ("a.ipynb", notebook("python", &cells)),
    ] {
        let language = Language::of_path(Path::new(path)).expect(path);
        for iteration in 0..200 {
            let mut random = mutate::Random(iteration);
            mutate::check(language, &mutate::mutate(text.as_bytes(), &mut random));
        }
    }
}

/// The line of the first syntax error, from 1.
#[track_caller]
fn first_error(path: &str, text: &str) -> u32 {
    let tree = parsed(path, text).expect(text);
    let errors = tree.errors();
    errors
        .unwrap_or_else(|| panic!("no error:\n{}", tree.text()))
        .first_line
}

#[test]
fn cells_do_not_complete_each_other() {
    for (language, first, second) in [
        ("python", "foo(", ")"),
        ("python", "x = [", "]"),
        ("python", "x = '''", "'''"),
        ("rust", "fn f() {", "}"),
        ("javascript", "f(`", "`)"),
        ("go", "func f() {", "}"),
        ("bash", "if a; then", "fi"),
    ] {
        let text = notebook(language, &["x", first, second]);
        let line = text
            .lines()
            .position(|line| line.contains(&first[..2]))
            .expect(first)
            + 1;
        assert_eq!(first_error("a.ipynb", &text) as usize, line, "{first}");
    }
}

#[test]
fn cells_may_end_with_a_value() {
    for (language, cell) in [
        ("rust", "let x = 1;\nx"),
        ("java", "int x = 1;\nx"),
        ("C++", "int x = 1;\nx"),
        ("php", "$x = 1;\n$x"),
    ] {
        tree("a.ipynb", &notebook(language, &[cell, cell]));
    }
}

#[test]
fn scripts_do_not_complete_each_other() {
    for path in ["a.vue", "a.svelte", "a.astro"] {
        for (first, second) in [
            ("foo(", ")"),
            ("if (a) {", "}"),
            ("x = `", "`"),
            ("let a =", "1"),
        ] {
            let text =
                format!("<script>\n\n{first}\n\n</script>\n<script setup>\n{second}\n</script>\n");
            assert_eq!(first_error(path, &text), 3, "{path}: {first}");
        }
    }
}

#[test]
fn front_matter_and_scripts_are_apart() {
    let text = "---\nconst a = (\n---\n<p/>\n<script>\n1)\n</script>\n";
    assert_eq!(first_error("a.astro", text), 2);
}

#[test]
fn parts_of_a_row_keep_their_columns() {
    let tree = tree(
        "a.svelte",
        "<script>let a = (b) => b</script><script>let d = (c) => c</script>\n",
    );
    let columns: Vec<u32> = functions(&tree)
        .iter()
        .map(|found| tree.node_span(found.node).start_column)
        .collect();
    assert_eq!(columns, [17, 50]);
}

#[test]
fn parts_that_are_all_errors_are_kept() {
    for cells in [["§ §", "def f(): pass"], ["def f(): pass", "§ §"]] {
        let text = notebook("python", &cells);
        let tree = parsed("a.ipynb", &text).expect("a tree");
        assert!(tree.errors().is_some());
        assert_eq!(names(&tree).len(), 1, "{cells:?}");
    }
}

#[test]
fn php_cells_need_no_tag() {
    for code in [
        "function f($a) { return $a; }",
        "<?php\nfunction f($a) { return $a; }",
    ] {
        let tree = tree("a.ipynb", &notebook("php", &["$x = 1;", code]));
        assert_eq!(functions(&tree).len(), 1, "{code}");
        let facts = &functions(&tree)[0];
        assert!(
            tree.node_text(facts.node).starts_with("function f("),
            "{code}"
        );
    }
}

/// A notebook whose kernel has names and no language.
fn named_notebook(name: &str, display: &str) -> String {
    let kernel = serde_json::json!({"name": name, "display_name": display}).to_string();
    notebook("?", &["x;"]).replace("{\"language\": \"?\"}", &kernel)
}

#[test]
fn kernel_names_decide_without_language() {
    for (name, display, id) in [
        ("python3", "Python 3 (ipykernel)", "python"),
        ("conda-env-r-tools-py", "R tools", "python"),
        ("myenv", "My project", "python"),
        ("", "", "python"),
        ("ruby", "Ruby 3.3.0", "ruby"),
        ("xcpp17", "C++17", "cpp"),
        (".net-csharp", ".NET (C#)", "csharp"),
        ("gophernotes", "Go", "go"),
        ("apache_toree_scala", "Apache Toree - Scala", "scala"),
    ] {
        let tree = parsed("a.ipynb", &named_notebook(name, display)).expect(name);
        assert_eq!(tree.language().id(), id, "{name}");
    }
}

#[test]
fn other_kernel_names_are_refused() {
    for (name, display) in [
        ("julia-1.9", "Julia 1.9.3"),
        ("ir", "R"),
        ("ir43", "R 4.3"),
        ("conda-env-stats-r", "R [conda env:stats]"),
        ("matlab", "MATLAB"),
        ("octave", "Octave"),
        (".net-fsharp", ".NET (F#)"),
        ("sagemath", "SageMath 9.5"),
    ] {
        assert!(
            parsed("a.ipynb", &named_notebook(name, display)).is_err(),
            "{name}"
        );
    }
}

#[test]
fn cell_commands_may_follow_each_other() {
    let rows = |cell: &str| {
        let tree = tree("a.ipynb", &notebook("python", &[cell]));
        tree.source_lines(Profile::Slope).count()
    };
    assert_eq!(rows("%%capture out\n%%time\nx = 1"), 1);
    assert_eq!(rows("%%time\n%%bash\nls | wc"), 0);
    assert_eq!(rows("%%writefile a.py\nx = ("), 0);
    assert_eq!(rows("%%html\n<p>"), 0);
    assert_eq!(rows("#!html\nx = 1"), 1);
}

#[test]
fn other_kernels_have_commands() {
    for (language, cell) in [
        ("rust", ":dep serde\nfn f() {}"),
        ("kotlin", "%use dataframe\nfun f() {}"),
        ("C#", "#!time\nvoid f() {}"),
        ("go", "%%\nfunc f() {}"),
    ] {
        let tree = tree("a.ipynb", &notebook(language, &[cell]));
        assert_eq!(functions(&tree).len(), 1, "{cell}");
    }
    for (language, cell) in [
        ("C#", "#!markdown\n# Title ("),
        ("scala", "%python\ndef f("),
        ("go", "%%html\n<p>"),
    ] {
        let tree = tree("a.ipynb", &notebook(language, &[cell]));
        assert_eq!(tree.source_lines(Profile::Slope).count(), 0, "{cell}");
    }
}
