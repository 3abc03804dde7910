//! Loops written in another way that does the same.

use std::ops::Range;

use slope_syntax::Construct;

use crate::draft::Edit;
use crate::unit::{Unit, indentation};

/// The loops of a range of which a form in another way is known, outer ones only.
pub(crate) fn rewritten(unit: &Unit, range: &Range<usize>) -> Vec<Edit> {
    let mut loops: Vec<u32> = unit.within(range, Construct::For);
    loops.extend(unit.within(range, Construct::While));
    loops.sort_unstable();
    let mut edits = Vec::new();
    let mut done = range.start;
    for node in loops {
        let bytes = unit.range(node);
        if bytes.start < done {
            continue;
        }
        if let Some(mut new) = rewrite(unit, node, range) {
            done = bytes.end;
            edits.append(&mut new);
        }
    }
    edits
}

/// Parts of a loop in rows of their own.
struct Loop<'a> {
    unit: &'a Unit,
    /// From its first byte to the brace or colon that begins the body.
    head: Range<usize>,
    text: String,
    body: Range<usize>,
    indent: String,
    inner: String,
    jumps: bool,
    /// Bytes of the function around.
    around: Range<usize>,
}

fn rewrite(unit: &Unit, node: u32, around: &Range<usize>) -> Option<Vec<Edit>> {
    let block = unit.child(node, Construct::Block)?;
    let (bytes, body) = (unit.range(node), unit.range(block));
    let indent = indentation(unit.row_text(unit.row(bytes.start))).to_owned();
    let statements = unit.statements(block);
    let first = *statements.first()?;
    let inner = indentation(unit.row_text(unit.row(unit.range(first).start))).to_owned();
    let has_else = unit.child(node, Construct::Else).is_some();
    let starts_row = unit
        .slice(unit.start(unit.row(bytes.start))..bytes.start)
        .trim()
        .is_empty();
    let apart = unit.row(unit.range(first).start) > unit.row(bytes.start)
        && unit.is_alone(&unit.range(first));
    if has_else || !starts_row || !apart || inner.len() <= indent.len() {
        return None;
    }
    let head_end = if unit.style.braces {
        body.start + 1
    } else {
        body.start
    };
    let raw = unit.slice(bytes.start..head_end);
    let text = if unit.style.braces {
        raw.strip_suffix('{')?.trim_end()
    } else {
        raw.trim_end().strip_suffix(':')?.trim_end()
    };
    let end = if unit.style.braces {
        head_end
    } else {
        bytes.start + raw.trim_end().len()
    };
    if text.contains('\n') || raw.contains('#') || raw.contains("//") {
        return None;
    }
    let it = Loop {
        unit,
        head: bytes.start..end,
        text: text.to_owned(),
        body,
        indent,
        inner,
        jumps: !unit.within(&bytes, Construct::Continue).is_empty(),
        around: around.clone(),
    };
    [over_items, counted, endless]
        .iter()
        .find_map(|form| form(&it))
}

/// Loops over items of something.
fn over_items(it: &Loop<'_>) -> Option<Vec<Edit>> {
    let style = it.unit.style;
    let text = it.text.strip_prefix("for")?.trim();
    let (indent, inner) = (&it.indent, &it.inner);
    let head = match style.id() {
        "python" => {
            let (name, items) = text.split_once(" in ")?;
            if it.text.starts_with("async") {
                return None;
            }
            let (list, at) = (it.fresh("values")?, it.fresh("position")?);
            format!(
                "{list} = list({items})\n{indent}{at} = 0\n{indent}while {at} < len({list}):\n{inner}{name} = {list}[{at}]\n{inner}{at} += 1"
            )
        }
        "rust" => {
            let (name, items) = text.split_once(" in ")?;
            let iter = it.fresh("iter")?;
            format!(
                "let mut {iter} = ({items}).into_iter();\n{indent}while let Some({name}) = {iter}.next() {{"
            )
        }
        "javascript" | "typescript" => {
            let text = text.strip_prefix('(')?.strip_suffix(')')?;
            let (name, items) = text.split_once(" of ")?;
            let (list, at) = (it.fresh("list")?, it.fresh("index")?);
            format!(
                "const {list} = Array.from({items});\n{indent}for (let {at} = 0; {at} < {list}.length; {at}++) {{\n{inner}{name} = {list}[{at}];"
            )
        }
        "cpp" => {
            let text = text.strip_prefix('(')?.strip_suffix(')')?;
            let (name, items) = text
                .split_once(" : ")
                .filter(|(_, items)| !items.contains('('))?;
            let iter = it.fresh("it")?;
            format!(
                "for (auto {iter} = {items}.begin(); {iter} != {items}.end(); ++{iter}) {{\n{inner}{name} = *{iter};"
            )
        }
        _ => return None,
    };
    Some(vec![Edit::new(it.head.clone(), head)])
}

/// Loops with a counter.
fn counted(it: &Loop<'_>) -> Option<Vec<Edit>> {
    let style = it.unit.style;
    let text = it.text.strip_prefix("for")?.trim();
    if !style.braces || it.jumps {
        return None;
    }
    let text = if style.bracketed {
        text.strip_prefix('(')?.strip_suffix(')')?
    } else {
        text
    };
    let parts: Vec<&str> = text.split(';').map(str::trim).collect();
    let &[init, condition, step] = parts.as_slice() else {
        return None;
    };
    if init.is_empty() || condition.is_empty() || step.is_empty() || !init.contains('=') {
        return None;
    }
    let (indent, end) = (&it.indent, style.end);
    // The counter now lives as long as the block around, so no other code may have its name.
    let name = init
        .split('=')
        .next()?
        .trim_end_matches([':', ' '])
        .rsplit(' ')
        .next()?;
    let unit = it.unit;
    let all = it.around.clone();
    let count = |range: Range<usize>| {
        unit.names(&range)
            .iter()
            .filter(|&&n| unit.at(n) == name)
            .count()
    };
    let is_declared = init.split('=').next()?.trim().contains(' ') || init.contains(":=");
    if is_declared && count(all) != count(it.head.start..it.body.end) {
        return None;
    }
    let word = if style.id() == "go" { "for" } else { "while" };
    let head = style.head(word, condition);
    let last = unit.start(unit.row(it.body.end - 1));
    let head = format!("{init}{end}\n{indent}{head} {{");
    Some(vec![
        Edit::new(it.head.clone(), head),
        Edit::new(last..last, format!("{}{step}{end}\n", it.inner)),
    ])
}

/// Loops with only a condition, which become endless ones with a way out.
fn endless(it: &Loop<'_>) -> Option<Vec<Edit>> {
    let unit = it.unit;
    let style = unit.style;
    let word = if style.id() == "go" { "for" } else { "while" };
    let condition = it.text.strip_prefix(word)?.trim();
    let condition = if style.bracketed {
        condition.strip_prefix('(')?.strip_suffix(')')?
    } else {
        condition
    };
    let is_plain = !condition.is_empty()
        && !condition.contains([';', '{'])
        && !condition.contains("let ")
        && !condition.contains("range ")
        && condition != "True";
    if !is_plain {
        return None;
    }
    let (inner, step) = (&it.inner, &unit.step);
    let head = match style.id() {
        "python" => format!("while True:\n{inner}if not ({condition}):\n{inner}{step}break"),
        "rust" => format!("loop {{\n{inner}if !({condition}) {{\n{inner}{step}break;\n{inner}}}"),
        "go" => format!("for {{\n{inner}if !({condition}) {{\n{inner}{step}break\n{inner}}}"),
        _ => format!("for (;;) {{\n{inner}if (!({condition})) {{\n{inner}{step}break;\n{inner}}}"),
    };
    Some(vec![Edit::new(it.head.clone(), head)])
}

impl Loop<'_> {
    /// A name that the file does not have.
    fn fresh(&self, word: &str) -> Option<String> {
        let style = self.unit.style;
        let names = ["", " left", " now", " here"]
            .iter()
            .map(|more| style.name(&format!("{word}{more}")));
        names.into_iter().find(|name| !self.unit.has_word(name))
    }
}
