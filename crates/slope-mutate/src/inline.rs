//! Helpers whose body is written at the call.

use std::ops::Range;

use slope_syntax::Construct;

use crate::copies::calls;
use crate::draft::{Draft, Edit, Site, applied, join};
use crate::function::Function;
use crate::kind::Kind;
use crate::unit::{Unit, has_word, indentation};

pub(crate) const KINDS: &[Kind] = &[Kind::slop(
    "inline-helper",
    "writes the body of a helper at a call of it",
    inlined,
)];

/// Maximum number of rows of an inlined body, for each severity.
const ROWS: [usize; 2] = [3, 30];

/// A call that is all of a statement, besides what it is assigned to.
struct Place {
    call: u32,
    statement: u32,
}

fn inlined(site: &Site<'_>) -> Option<Draft> {
    let unit = site.unit;
    for caller in site.functions() {
        for f in site.pick.shuffled(&unit.functions) {
            let rows = f.stmts.last()?.rows.1 - f.stmts.first()?.rows.0 + 1;
            let fits = if site.is_high {
                rows > ROWS[0] && rows <= ROWS[1]
            } else {
                rows <= ROWS[0]
            };
            if !fits || std::ptr::eq(f, caller) || !is_simple(unit, f) || clashes(unit, f, caller) {
                continue;
            }
            let all = calls(unit, caller, &f.name);
            let draft = all.into_iter().find_map(|name| {
                let place = place(unit, name)?;
                let edit = body_at(unit, f, &place)?;
                Draft::of(
                    unit,
                    vec![edit],
                    format!(
                        "writes the body of {} at its call in {}",
                        f.name, caller.name
                    ),
                )
            });
            if draft.is_some() {
                return draft;
            }
        }
    }
    None
}

/// Whether a function's only way out is its end.
fn is_simple(unit: &Unit, f: &Function) -> bool {
    let leaves = [
        Construct::Return,
        Construct::Yield,
        Construct::Propagate,
        Construct::Global,
        Construct::Macro,
    ];
    let last = f.stmts.last();
    let is_last = |node: u32| last.is_some_and(|l| l.inner == node);
    let out = leaves
        .iter()
        .flat_map(|&kind| unit.within(&f.body, kind))
        .any(|node| !is_last(node));
    let text = unit.slice(f.body.clone());
    let plain = !has_word(text, "self")
        && !has_word(text, "this")
        && !has_word(text, "defer")
        && !text.contains("\n#");
    !out && plain
        && !f.is_suspended
        && !f.is_decorated
        && !f.is_lambda
        && !has_word(text, &f.name)
        && f.param_names().is_some()
        && f.params
            .iter()
            .all(|p| is_kept(unit, f, &p.name) && !p.text.contains(['*', '=']))
}

/// Whether a parameter is never given another value.
fn is_kept(unit: &Unit, f: &Function, name: &str) -> bool {
    let kinds = [
        Construct::Assign,
        Construct::AugAssign,
        Construct::Other,
        Construct::UnaryOp,
    ];
    let mut changes = kinds
        .iter()
        .flat_map(|&kind| unit.within(&f.body, kind))
        .filter(|&n| {
            let kind = unit.kind_name(n);
            matches!(unit.k(n), Construct::Assign | Construct::AugAssign)
                || kind.contains("update")
                || kind.contains("inc_")
                || kind.contains("dec_")
        });
    let is_target = |n: u32| {
        unit.parts(n)
            .next()
            .is_some_and(|t| unit.at(t) == name || unit.at(t).starts_with(&format!("{name},")))
    };
    !f.locals.iter().any(|l| l == name) && !changes.any(is_target)
}

/// Whether locals of a helper are names of the caller.
fn clashes(unit: &Unit, f: &Function, caller: &Function) -> bool {
    let text = unit.slice(caller.head.start..caller.body.end);
    f.locals.iter().any(|name| has_word(text, name))
}

fn place(unit: &Unit, name: u32) -> Option<Place> {
    let call = unit.parent(name);
    if unit.k(call) != Construct::Call {
        return None;
    }
    let mut node = call;
    loop {
        let parent = unit.parent(node);
        let is_block = matches!(unit.k(parent), Construct::Block | Construct::Statements);
        if is_block {
            break;
        }
        let whole = matches!(
            unit.k(parent),
            Construct::Assign
                | Construct::Declarator
                | Construct::Declaration
                | Construct::ExprStmt
                | Construct::Return
        ) || unit.kind_name(parent) == "expression_list"
            && unit.parts(parent).count() == 1;
        if !whole || parent == node {
            return None;
        }
        node = parent;
    }
    unit.is_alone(&unit.range(node)).then_some(Place {
        call,
        statement: node,
    })
}

fn arguments(unit: &Unit, call: u32) -> Option<Vec<&str>> {
    let list = unit.child(call, Construct::Arguments)?;
    let all: Vec<u32> = unit.parts(list).collect();
    let plain = |n: &u32| {
        matches!(
            unit.k(*n),
            Construct::Identifier
                | Construct::Number
                | Construct::True
                | Construct::False
                | Construct::Null
        ) || unit.k(*n) == Construct::Attribute && !unit.at(*n).contains(['(', '\n'])
            || unit.k(*n) == Construct::String && unit.at(*n).len() < 30
    };
    all.iter()
        .all(plain)
        .then(|| all.iter().map(|&n| unit.at(n)).collect())
}

fn body_at(unit: &Unit, f: &Function, place: &Place) -> Option<Edit> {
    let names = f.param_names()?;
    let args = arguments(unit, place.call).filter(|args| args.len() == names.len())?;
    // Only names are safe where a parameter is dereferenced or formatted.
    let values: Vec<(&str, &str)> = names.into_iter().zip(args).collect();
    let statement = unit.range(place.statement);
    let rows = unit.rows(&statement);
    let indent = indentation(unit.row_text(rows.0)).to_owned();
    let last = f.stmts.last()?;
    let is_value = last.kind == Construct::Return
        || !f.is_void && unit.style.returns == crate::style::Returns::Arrow;
    let is_used = unit.k(unit.parent(place.call)) != Construct::ExprStmt;
    if is_used && !is_value {
        return None;
    }
    let end_row = if is_value {
        last.rows.0
    } else {
        last.rows.1 + 1
    };
    let first = f.stmts.first()?.rows.0;
    let mut lines = Vec::new();
    if end_row > first {
        let range = unit.start(first)..unit.start(end_row);
        lines = shifted(unit, &range, &values, &f.inner, &indent)?;
    }
    if is_value {
        let value = returned(unit, last.inner, last.kind)?;
        let value = substituted(unit, &value, &values)?;
        let call = unit.range(place.call);
        let before = unit.slice(unit.start(rows.0)..call.start);
        let after = unit
            .slice(call.end..unit.start(rows.1 + 1))
            .trim_end_matches('\n');
        let is_dropped = !is_used;
        if is_dropped && lines.is_empty() {
            return None;
        }
        if !is_dropped {
            lines.push(format!("{before}{value}{after}"));
        }
    }
    Some(Edit::new(unit.row_range(rows), join(&lines)))
}

/// Bytes of the value that a statement returns.
fn returned(unit: &Unit, node: u32, kind: Construct) -> Option<Range<usize>> {
    let value = if kind == Construct::Return {
        unit.parts(node).next()?
    } else {
        node
    };
    let range = unit.range(value);
    (!unit.slice(range.clone()).contains('\n')).then_some(range)
}

fn edits_for(unit: &Unit, range: &Range<usize>, values: &[(&str, &str)]) -> Vec<Edit> {
    let names = unit.names(range).into_iter();
    let edit = |node: u32| {
        let (_, value) = values.iter().find(|(name, _)| *name == unit.at(node))?;
        let bytes = unit.range(node);
        Some(Edit::new(
            bytes.start - range.start..bytes.end - range.start,
            *value,
        ))
    };
    names.filter_map(edit).collect()
}

fn substituted(unit: &Unit, range: &Range<usize>, values: &[(&str, &str)]) -> Option<String> {
    applied(unit.slice(range.clone()), &edits_for(unit, range, values))
}

fn shifted(
    unit: &Unit,
    range: &Range<usize>,
    values: &[(&str, &str)],
    from: &str,
    to: &str,
) -> Option<Vec<String>> {
    let text = substituted(unit, range, values)?;
    let row = |row: &str| match row.strip_prefix(from) {
        Some(rest) => format!("{to}{rest}"),
        None => row.to_owned(),
    };
    Some(text.lines().map(row).collect())
}
