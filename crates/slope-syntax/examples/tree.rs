//! Prints the flat tree of a file: `tree LANGUAGE FILE`.

use std::io::Write;

use slope_syntax::{Language, Limits, parse};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let language = arguments.next().and_then(|id| Language::by_id(&id));
    let bytes = arguments.next().and_then(|path| std::fs::read(path).ok());
    let mut out = std::io::stdout().lock();
    let (Some(language), Some(bytes)) = (language, bytes) else {
        let _ = writeln!(out, "usage: tree LANGUAGE FILE");
        std::process::exit(2);
    };
    let tree = match parse(language, &bytes, &Limits::default()) {
        Ok(tree) => tree,
        Err(error) => {
            let _ = writeln!(out, "{error}");
            std::process::exit(1);
        }
    };
    let mut depth = Vec::new();
    for (index, node) in (0u32..).zip(tree.nodes()) {
        while depth.last().is_some_and(|&end| end <= index) {
            depth.pop();
        }
        let indent = "  ".repeat(depth.len());
        let name = language.kind_name(node.kind);
        let text = tree.node_text(index).lines().next().unwrap_or_default();
        let shown: String = text.chars().take(60).collect();
        let mark = if node.named { "" } else { "'" };
        let _ = writeln!(
            out,
            "{}: {indent}{mark}{name}{mark}  {shown}",
            node.start_row + 1
        );
        depth.push(node.end);
    }
}
