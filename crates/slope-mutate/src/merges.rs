//! Two functions that become one with a mode.

use slope_syntax::Construct;

use crate::copies::above;
use crate::draft::{Draft, Edit, Site, moved};
use crate::flags::uses;
use crate::function::Function;
use crate::kind::Kind;
use crate::style::{fill, words};
use crate::unit::{Unit, indentation};

pub(crate) const KINDS: &[Kind] = &[Kind::single(
    crate::kind::Family::Slop,
    "merged-functions",
    "merges two functions into one with a mode",
    merged,
)];

fn merged(site: &Site<'_>) -> Option<Draft> {
    let unit = site.unit;
    for f in site.all_functions() {
        for g in site.pick.shuffled(&unit.functions) {
            if f.node == g.node || !pairs(unit, f, g) {
                continue;
            }
            let both = [f, g];
            let elsewhere = both
                .iter()
                .any(|h| site.subject.mentions(&h.name, &unit.path));
            if !elsewhere && let Some(draft) = merge(unit, f, g) {
                return Some(draft);
            }
        }
    }
    None
}

/// Whether two functions have the same parameters and result.
fn pairs(unit: &Unit, f: &Function, g: &Function) -> bool {
    let without_name = |h: &Function| {
        let head = unit.slice(h.head.clone());
        let at = h.name_at.start - h.head.start..h.name_at.end - h.head.start;
        [&head[..at.start], &head[at.end..]].concat()
    };
    let plain = |h: &Function| {
        let text = unit.slice(h.body.clone());
        let special = ["main", "init", "new"].contains(&&*h.name)
            || h.name.starts_with("__")
            || h.name.starts_with("test");
        !h.is_lambda
            && !h.is_decorated
            && !h.is_suspended
            && h.is_top
            && !special
            && !text.contains("\n#")
            && (!h.is_method || unit.style.id() == "java")
            && !(h.rows.0..=h.rows.1).any(|row| unit.inside[row] && row >= h.stmts[0].rows.0)
            && !unit.slice(h.params_at.clone()).contains(['*', '=']) | unit.style.types_first
    };
    plain(f)
        && plain(g)
        && without_name(f) == without_name(g)
        && f.indent == g.indent
        && (unit.style.id() != "java" || unit.slice(f.head.clone()).contains("private "))
}

fn merge(unit: &Unit, f: &Function, g: &Function) -> Option<Draft> {
    let style = unit.style;
    let name = style.name(&format!("{} or {}", words(&f.name), words(&g.name)));
    if unit.has_word(&name) || unit.has_word("mode") || unit.has_word(&f.name) && f.name == g.name {
        return None;
    }
    let head = merged_head(unit, f, &name);
    let (inner, step) = (&f.inner, &unit.step);
    let deeper = format!("{inner}{step}");
    let test = fill(style.mode_test, &[("name", &f.name), ("n", "0")]);
    let (open, close) = if style.braces {
        (" {", "} else {")
    } else {
        (":", "else:")
    };
    let body = |h: &Function| {
        let (first, last) = h.stmts.first().zip(h.stmts.last())?;
        Some(moved(unit, (first.rows.0, last.rows.1), &h.inner, &deeper))
    };
    let mut lines = vec![
        format!("{}{head}{open}", f.indent),
        format!("{inner}{}{open}", style.head("if", &test)),
    ];
    lines.extend(body(f)?);
    lines.push(format!("{inner}{close}"));
    lines.extend(body(g)?);
    if style.braces {
        lines.extend([format!("{inner}}}"), format!("{}}}", f.indent)]);
    }
    let gone = rows_gone(unit, g);
    let mut edits = vec![
        Edit::rows(unit, f.rows, &lines),
        Edit::rows(unit, gone, &[]),
    ];
    for (number, h) in [f, g].into_iter().enumerate() {
        let argument = fill(
            style.mode_arg,
            &[("name", &h.name), ("n", &number.to_string())],
        );
        for call in uses(unit, h)? {
            edits.extend(with_mode(unit, call, h, &name, &argument, &[f.rows, gone])?);
        }
    }
    debug_assert!(indentation(&lines[0]) == f.indent);
    Draft::of(
        unit,
        edits,
        format!("merges {} and {} into {name}", f.name, g.name),
    )
}

/// The rows of a function with the comments above it and the blank rows after it.
fn rows_gone(unit: &Unit, g: &Function) -> (usize, usize) {
    let is_blank = |row: &usize| unit.row_text(*row).trim().is_empty();
    let blank = (g.rows.1 + 1..unit.row_count())
        .take_while(is_blank)
        .count();
    (above(unit, g.rows.0), g.rows.1 + blank)
}

/// The head of a function with another name and a mode.
fn merged_head(unit: &Unit, f: &Function, name: &str) -> String {
    let style = unit.style;
    let at = f.name_at.start - f.head.start..f.name_at.end - f.head.start;
    let head = unit.slice(f.head.clone());
    let params = unit.slice(f.params_at.clone());
    let is_empty = params.trim().is_empty() || params.trim() == "void";
    let new_params = if is_empty {
        style.mode_param.to_owned()
    } else {
        format!(
            "{}, {}",
            params.trim_end().trim_end_matches(','),
            style.mode_param
        )
    };
    let end = f.params_at.end - f.head.start;
    let head = format!(
        "{}{name}{}{new_params}{}",
        &head[..at.start],
        &head[at.end..f.params_at.start - f.head.start],
        &head[end..]
    );
    head.trim_end()
        .trim_end_matches(['{', ':'])
        .trim_end()
        .to_owned()
}

/// Edits of a call; `None` if it is in one of the functions.
fn with_mode(
    unit: &Unit,
    call: u32,
    h: &Function,
    name: &str,
    argument: &str,
    gone: &[(usize, usize)],
) -> Option<[Edit; 2]> {
    let list = unit.range(unit.child(call, Construct::Arguments)?);
    let row = unit.row(list.start);
    if gone.iter().any(|rows| (rows.0..=rows.1).contains(&row)) {
        return None;
    }
    let end = list.end - 1;
    let count = unit
        .child(call, Construct::Arguments)
        .map_or(0, |n| unit.parts(n).count());
    if count != h.params.len() {
        return None;
    }
    let is_empty = unit.slice(list.start + 1..end).trim().is_empty();
    let text = if is_empty {
        argument.to_owned()
    } else {
        format!(", {argument}")
    };
    let start = list.start - h.name.len();
    let named = unit.slice(start..list.start) == h.name;
    let ends_plainly = !unit
        .slice(list.clone())
        .trim_end_matches(')')
        .trim_end()
        .ends_with(',');
    (named && ends_plainly).then(|| {
        [
            Edit::new(start..list.start, name),
            Edit::new(end..end, text),
        ]
    })
}
