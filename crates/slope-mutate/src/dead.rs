//! Code that never runs: after a return, and in comments.

use slope_syntax::Construct;

use crate::copies::above;
use crate::draft::{Draft, Edit, Site, laid_out};
use crate::function::{Function, Stmt};
use crate::kind::Kind;
use crate::style::fill;
use crate::unit::{Unit, indentation};

pub(crate) const KINDS: &[Kind] = &[
    // Java refuses unreachable statements.
    Kind::slop("unreachable-tail", "adds statements after a return", tail).not_in(&["java"]),
    Kind::slop(
        "commented-out-code",
        "keeps old code as a comment",
        commented,
    ),
];

fn tail(site: &Site<'_>) -> Option<Draft> {
    let unit = site.unit;
    for f in site.functions() {
        let last = f.stmts.last()?;
        let leaves = matches!(last.kind, Construct::Return | Construct::Raise);
        let ends = unit.slice(last.range.clone()).ends_with(';')
            || !unit.style.end.is_empty() && unit.style.id() != "rust"
            || unit.style.end.is_empty();
        if !leaves || !ends || !unit.is_alone(&last.range) {
            continue;
        }
        let lines = if site.is_high {
            again(unit, f)
        } else {
            one(site, f)
        };
        if let Some(lines) = lines {
            let edit = Edit::insert(unit, last.rows.1 + 1, &lines);
            return Draft::of(
                unit,
                vec![edit],
                format!("adds code after the last return of {}", f.name),
            );
        }
    }
    None
}

/// One statement that nothing reaches.
fn one(site: &Site<'_>, f: &Function) -> Option<Vec<String>> {
    let style = site.unit.style;
    let may_print = style.print_needs.is_empty() || site.unit.text().contains(style.print_needs);
    if may_print {
        let text = fill(style.print, &[("text", &format!("{} done", f.name))]);
        return Some(laid_out(site.unit, &text, &f.inner));
    }
    f.is_void
        .then(|| vec![format!("{}{}", f.inner, style.leave)])
}

/// Statements of the function once more, without declarations.
fn again(unit: &Unit, f: &Function) -> Option<Vec<String>> {
    let declares = |node: u32| {
        let kinds = [
            Construct::Declaration,
            Construct::Declarator,
            Construct::Function,
            Construct::Class,
        ];
        unit.below(node).any(|n| kinds.contains(&unit.k(n)))
    };
    let fits = |s: &&Stmt| unit.is_alone(&s.range) && (!unit.style.braces || !declares(s.node));
    let all: Vec<_> = f.stmts.iter().filter(fits).collect();
    let chosen = &all[all.len().saturating_sub(3)..];
    let lines: Vec<String> = chosen.iter().flat_map(|s| unit.lines(s.rows)).collect();
    (lines.len() > 1).then_some(lines)
}

fn commented(site: &Site<'_>) -> Option<Draft> {
    let unit = site.unit;
    site.functions().into_iter().find_map(|f| {
        let (row, lines) = if site.is_high {
            whole(site, f)?
        } else {
            part(site, f)?
        };
        let indent = indentation(unit.row_text(row.min(unit.row_count() - 1)));
        let note = |line: &String| match line.strip_prefix(indent).unwrap_or(line).trim_end() {
            "" => String::new(),
            text => format!("{indent}{}", unit.style.note(text)),
        };
        let is_plain = |line: &String| !line.contains("*/") && !line.contains("/*");
        let lines: Vec<String> = lines.iter().filter(|l| is_plain(l)).map(note).collect();
        let edit = Edit::insert(unit, row, &lines);
        let message = format!("keeps old code of {} as a comment", f.name);
        Draft::of(unit, vec![edit], message)
    })
}

/// The version of a function before the change.
fn old<'o>(old: &'o Unit, f: &Function) -> Option<&'o Function> {
    old.functions
        .iter()
        .find(|o| o.name == f.name && o.is_method == f.is_method)
}

/// The whole old function, or the new one if it is new.
fn whole(site: &Site<'_>, f: &Function) -> Option<(usize, Vec<String>)> {
    let unit = site.unit;
    let before = site
        .subject
        .before(&unit.path)
        .and_then(|text| Unit::read(&unit.path, text));
    let lines = before.as_ref().and_then(|b| Some(b.lines(old(b, f)?.rows)));
    let lines = lines.unwrap_or_else(|| unit.lines(f.rows));
    let lines: Vec<String> = lines.into_iter().take(40).collect();
    Some((above(unit, f.rows.0), lines))
}

/// Rows that the change removed, or a statement of the function.
fn part(site: &Site<'_>, f: &Function) -> Option<(usize, Vec<String>)> {
    let unit = site.unit;
    let before = site
        .subject
        .before(&unit.path)
        .and_then(|text| Unit::read(&unit.path, text));
    let here = unit.slice(unit.row_range(f.rows));
    let is_gone = |line: &&String| {
        line.trim().len() > 8
            && !here.contains(line.trim())
            && !line.trim_start().starts_with(unit.style.comment.trim())
    };
    let gone = before.as_ref().and_then(|b| {
        let lines = b.lines(old(b, f)?.rows);
        let gone: Vec<String> = lines.iter().filter(is_gone).take(3).cloned().collect();
        Some(gone)
    });
    let is_short = |s: &&Stmt| s.rows.0 == s.rows.1 && unit.is_alone(&s.range);
    let is_touched = |s: &&Stmt| unit.touched.contains(&s.rows.0);
    let short: Vec<&Stmt> = f.stmts.iter().filter(is_short).collect();
    let touched = short.iter().copied().find(is_touched);
    let statement = touched.or(short.first().copied())?;
    let row = statement.rows.0;
    let indent = |line: &String| format!("{}{}", f.inner, line.trim_start());
    match gone.filter(|lines| !lines.is_empty()) {
        Some(lines) => Some((row, lines.iter().map(indent).collect())),
        None => Some((row, unit.lines((row, row)))),
    }
}
