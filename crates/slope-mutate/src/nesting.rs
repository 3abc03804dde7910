//! Guards that become nests.

use slope_syntax::Construct;

use crate::draft::{Draft, Edit, Site, applied, moved};
use crate::function::{Function, Stmt};
use crate::kind::Kind;
use crate::style::{Style, fill};
use crate::unit::Unit;

pub(crate) const KINDS: &[Kind] = &[Kind::slop(
    "deep-nesting",
    "nests the rest of a function in the inverse of a guard",
    nested,
)];

/// An early way out: `if condition: way out`.
pub(crate) struct Guard {
    pub(crate) condition: String,
    /// The statement in it, without what wraps it.
    pub(crate) way_out: u32,
    /// Rows of its body.
    pub(crate) rows: (usize, usize),
}

/// The guard that a statement is.
pub(crate) fn guard(unit: &Unit, s: &Stmt) -> Option<Guard> {
    let parts: Vec<u32> = unit.parts(s.inner).collect();
    let &[condition, block] = parts.as_slice() else {
        return None;
    };
    if s.kind != Construct::If || unit.k(block) != Construct::Block || !unit.is_alone(&s.range) {
        return None;
    }
    let statements = unit.statements(block);
    let &[only] = statements.as_slice() else {
        return None;
    };
    let inner = match unit.k(only) {
        Construct::ExprStmt => unit.parts(only).next()?,
        _ => only,
    };
    let rows = unit.rows(&unit.range(only));
    let text = unit.at(condition);
    let text = match unit.style.bracketed {
        true => text.strip_prefix('(')?.strip_suffix(')')?,
        false => text,
    };
    let head = unit.slice(unit.range(s.inner).start..unit.range(block).start);
    let leaves = matches!(unit.k(inner), Construct::Return | Construct::Raise);
    let apart = rows.0 > s.rows.0 && unit.is_alone(&unit.range(only));
    let no_texts = !(s.rows.0..=s.rows.1).any(|row| unit.inside[row]);
    let fits = leaves && apart && no_texts && is_plain(text, head.trim_end());
    fits.then(|| Guard {
        condition: text.trim().to_owned(),
        way_out: inner,
        rows,
    })
}

/// Whether a condition only tests, in one row.
fn is_plain(condition: &str, head: &str) -> bool {
    let marks = ["\n", ";", "let ", ":="];
    !marks.iter().any(|mark| condition.contains(mark)) && !head.contains(['\n', ';'])
}

/// The opposite of a condition.
pub(crate) fn negated(style: &Style, condition: &str) -> String {
    let is_whole = !condition.contains(" and ")
        && !condition.contains(" or ")
        && !condition.contains("&&")
        && !condition.contains("||")
        && !condition.contains(" if ");
    if is_whole {
        let pairs = [
            (" is not ", " is "),
            (" is ", " is not "),
            (" not in ", " in "),
            (" !== ", " === "),
            (" === ", " !== "),
            (" != ", " == "),
            (" == ", " != "),
        ];
        if let Some((from, to)) = pairs
            .iter()
            .find(|(from, _)| condition.matches(from).count() == 1 && !condition.contains('('))
        {
            return condition.replacen(from, to, 1);
        }
        let not = fill(style.not, &[("x", "")]);
        let is_name = |text: &str| {
            text.chars()
                .all(|c| c.is_alphanumeric() || "_.():\"'".contains(c))
        };
        if let Some(rest) = condition.strip_prefix(&not).filter(|rest| is_name(rest)) {
            return rest.to_owned();
        }
        if is_name(condition) {
            return fill(style.not, &[("x", condition)]);
        }
    }
    fill(style.not, &[("x", &format!("({condition})"))])
}

fn nested(site: &Site<'_>) -> Option<Draft> {
    let unit = site.unit;
    site.functions().into_iter().find_map(|f| {
        let first = nest(unit, f)?;
        let line = first.range.start;
        let mut text = applied(unit.text(), &[first])?;
        for _ in 1..site.many(1, 3) {
            let Some(next) = Unit::read(&unit.path, &text) else {
                break;
            };
            let Some(again) = next
                .functions
                .iter()
                .find(|o| o.name == f.name && o.rows.0 == f.rows.0)
            else {
                break;
            };
            let Some(edit) = nest(&next, again) else {
                break;
            };
            text = applied(next.text(), &[edit])?;
        }
        let mut draft = Draft::file(
            unit.path.clone(),
            text,
            format!("nests {} in the inverse of its guard", f.name),
        );
        draft.line = unit.row(line) + 1;
        Some(draft)
    })
}

/// The last guard of a function with the rest of the body in its inverse.
fn nest(unit: &Unit, f: &Function) -> Option<Edit> {
    let last = f.stmts.last()?;
    let may_move = |rows: (usize, usize)| {
        !(rows.0..=rows.1).any(|row| unit.inside[row] || unit.row_text(row).starts_with('#'))
    };
    let guards = f.stmts.iter().enumerate().rev();
    guards.into_iter().find_map(|(at, s)| {
        let next = f.stmts.get(at + 1)?;
        let guard = guard(unit, s)?;
        let rest = (s.rows.1 + 1, last.rows.1);
        if !may_move(rest) || next.rows.0 < rest.0 {
            return None;
        }
        let style = unit.style;
        let (inner, step) = (&f.inner, &unit.step);
        let head = style.head("if", &negated(style, &guard.condition));
        let mut lines = vec![format!(
            "{inner}{head}{}",
            if style.braces { " {" } else { ":" }
        )];
        let start = (rest.0..=rest.1).find(|&row| !unit.row_text(row).trim().is_empty())?;
        lines.extend(moved(
            unit,
            (start, rest.1),
            inner,
            &format!("{inner}{step}"),
        ));
        lines.push(format!(
            "{inner}{}",
            if style.braces { "} else {" } else { "else:" }
        ));
        lines.extend(unit.lines(guard.rows));
        if style.braces {
            lines.push(format!("{inner}}}"));
        }
        Some(Edit::rows(unit, (s.rows.0, last.rows.1), &lines))
    })
}
