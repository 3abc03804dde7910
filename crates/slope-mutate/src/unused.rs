//! Imports, locals, functions and parameters that nothing uses.

use slope_syntax::Construct;

use crate::draft::{Draft, Edit, Site, laid_out};
use crate::flags::with_parameter;
use crate::kind::Kind;
use crate::style::fill;
use crate::unit::Unit;
use crate::utilities::definition;

pub(crate) const KINDS: &[Kind] = &[
    Kind::slop("unused-import", "imports what nothing uses", import).not_in(&["go"]),
    Kind::slop("unused-local", "declares a local that nothing reads", local),
    Kind::slop(
        "unused-function",
        "adds a private function that nothing calls",
        function,
    ),
    Kind::slop(
        "unused-parameter",
        "adds a parameter that nothing reads",
        parameter,
    ),
];

/// The row after the last import that begins at the left, and imports in the file's own form.
pub(crate) fn import_row(unit: &Unit) -> Option<usize> {
    let imports = unit.imports();
    let defines = |&top: &u32| {
        matches!(
            unit.k(top),
            Construct::Function | Construct::Class | Construct::Decorated
        )
    };
    let first = unit.tops().into_iter().find(defines).unwrap_or(u32::MAX);
    let last = imports
        .iter()
        .rev()
        .find(|&&node| node < first && !is_conditional(unit, node))?;
    Some(unit.rows(&unit.range(*last)).1 + 1)
}

fn is_conditional(unit: &Unit, node: u32) -> bool {
    unit.row_text(unit.row(unit.range(node).start))
        .starts_with([' ', '\t'])
}

/// Whether a file imports as this line does.
fn is_form(unit: &Unit, line: &str) -> bool {
    let required = line.contains("require(");
    let requires = unit.text().contains("require(");
    let imports = !unit.imports().is_empty();
    match unit.style.id() {
        "javascript" => required && requires && !imports || !required && imports,
        _ => imports,
    }
}

/// The row for an import in the form of the file.
fn place(unit: &Unit) -> Option<usize> {
    if let Some(row) = import_row(unit) {
        return Some(row);
    }
    let rows = 0..unit.row_count();
    let requires = rows.filter(|&row| {
        let text = unit.row_text(row);
        text.contains("require(")
            && ["const ", "var ", "let "]
                .iter()
                .any(|word| text.starts_with(word))
            && text.trim_end().ends_with([';', ')'])
    });
    requires.last().map(|row| row + 1)
}

fn import(site: &Site<'_>) -> Option<Draft> {
    let unit = site.unit;
    let row = place(unit)?;
    let fits = |(line, word): &&(&str, &str)| {
        is_form(unit, line) && !unit.has_word(word) && !unit.text().contains(word)
    };
    let lines = site
        .pick
        .shuffled(unit.style.unused_imports)
        .into_iter()
        .filter(fits);
    let style = if unit.text().contains("\nvar ") && !unit.text().contains("\nconst ") {
        "var"
    } else {
        "const"
    };
    let lines: Vec<String> = lines
        .take(site.many(1, 4))
        .map(|(line, _)| line.replace("const", style))
        .collect();
    let message = format!("imports without a use: {}", lines.join(" "));
    (!lines.is_empty()).then(|| Draft::of(unit, vec![Edit::insert(unit, row, &lines)], message))?
}

fn local(site: &Site<'_>) -> Option<Draft> {
    let unit = site.unit;
    let f = site.functions().into_iter().next()?;
    let fits = |(_, name): &&(&str, &str)| !unit.has_word(name);
    let all = site
        .pick
        .shuffled(unit.style.unused_locals)
        .into_iter()
        .filter(fits);
    let all: Vec<_> = all.take(site.many(1, 4)).collect();
    let lines: Vec<String> = all
        .iter()
        .flat_map(|(text, _)| laid_out(unit, text, &f.inner))
        .collect();
    let names: Vec<&str> = all.iter().map(|(_, name)| *name).collect();
    let edit = Edit::insert(unit, f.stmts.first()?.rows.0, &lines);
    (!names.is_empty()).then(|| {
        Draft::of(
            unit,
            vec![edit],
            format!(
                "declares {} in {} and never reads it",
                names.join(", "),
                f.name
            ),
        )
    })?
}

fn function(site: &Site<'_>) -> Option<Draft> {
    let f = site.functions().into_iter().next()?;
    let all = site.pick.shuffled(site.unit.style.utilities);
    let added = all
        .into_iter()
        .filter_map(|u| Some((definition(site, f, u)?, u.name)));
    let (edits, names): (Vec<_>, Vec<_>) = added.take(site.many(1, 3)).unzip();
    Draft::of(
        site.unit,
        edits,
        format!("adds functions that nothing calls: {}", names.join(", ")),
    )
}

fn parameter(site: &Site<'_>) -> Option<Draft> {
    let names: &[&str] = &["verbose", "debug", "force"];
    let flag = names.iter().find(|name| !site.unit.has_word(name))?;
    let style = site.unit.style;
    let param = fill(style.flag_param, &[("flag", flag)]);
    let mut found: Option<(Vec<Edit>, Vec<&str>)> = None;
    for f in site.all_functions() {
        let Some(edits) = with_parameter(site, f, &param, &|_| style.flags.0.to_owned()) else {
            continue;
        };
        let (all, names) = found.get_or_insert_default();
        all.extend(edits);
        names.push(&f.name);
        if names.len() == site.many(1, 3) {
            break;
        }
    }
    let (edits, names) = found?;
    Draft::of(
        site.unit,
        edits,
        format!(
            "adds the parameter {flag} to {} and never reads it",
            names.join(", ")
        ),
    )
}
