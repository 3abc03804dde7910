//! Edits that make the change better.

use slope_syntax::Construct;

use crate::draft::{Draft, Edit, Site, moved};
use crate::function::{Function, Stmt};
use crate::kind::{Family, Kind};
use crate::nesting::negated;
use crate::unit::Unit;

pub(crate) const KINDS: &[Kind] = &[
    Kind::single(
        Family::Improvement,
        "remove-unused-import",
        "removes an import that nothing uses",
        import,
    )
    .not_in(&["rust", "go", "c", "cpp"]),
    Kind::single(
        Family::Improvement,
        "remove-unused-local",
        "removes a local that nothing reads",
        local,
    ),
    Kind::single(
        Family::Improvement,
        "flatten-guard",
        "turns a nest into an early way out",
        flattened,
    ),
    Kind::single(
        Family::Improvement,
        "use-helper",
        "calls a helper where its expression is written",
        helper,
    ),
];

/// Number of places of a word in a file.
fn count(unit: &Unit, word: &str) -> usize {
    let text = unit.text();
    text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$')
        .filter(|w| *w == word)
        .count()
}

fn import(site: &Site<'_>) -> Option<Draft> {
    let unit = site.unit;
    let is_facade = unit.path.ends_with("__init__.py") || unit.has_word("__all__");
    let all = unit.imports();
    let unused = |&&node: &&u32| {
        let text = unit.at(node).trim().trim_end_matches(';');
        let name = text
            .split(" from ")
            .next()
            .filter(|_| text.contains('{'))
            .unwrap_or(text);
        let name = name
            .trim_end_matches(['}', ' '])
            .rsplit([' ', '.', '{'])
            .next()
            .unwrap_or_default();
        let single = !text.contains([',', '*', '\n', '#'])
            && !text.contains("static ")
            && !text.contains("__future__");
        let row = unit.row(unit.range(node).start);
        let side_effect = text.starts_with("import '") || text.starts_with("import \"");
        single
            && !side_effect
            && !name.is_empty()
            && count(unit, name) == 1
            && unit.is_alone(&unit.range(node))
            && !unit.row_text(row).contains("noqa")
    };
    let node = *all.iter().find(unused).filter(|_| !is_facade)?;
    let rows = unit.rows(&unit.range(node));
    Draft::of(
        unit,
        vec![Edit::rows(unit, rows, &[])],
        format!("removes `{}`", unit.at(node).trim()),
    )
}

fn local(site: &Site<'_>) -> Option<Draft> {
    let unit = site.unit;
    site.functions().into_iter().find_map(|f| {
        let s = f.stmts.iter().find(|s| is_idle(unit, f, s))?;
        Draft::of(
            unit,
            vec![Edit::rows(unit, s.rows, &[])],
            format!("removes an unread local of {}", f.name),
        )
    })
}

/// Whether a statement gives a local that is never read a value without effect.
fn is_idle(unit: &Unit, f: &Function, s: &Stmt) -> bool {
    let acts = |n: u32| {
        matches!(
            unit.k(n),
            Construct::Call
                | Construct::New
                | Construct::Await
                | Construct::Macro
                | Construct::Propagate
                | Construct::Yield
        )
    };
    let assigns = matches!(
        s.kind,
        Construct::Assign | Construct::Declaration | Construct::Declarator
    );
    let names = f.locals.iter().filter(|name| count(unit, name) == 1);
    let mut named = names.filter(|name| crate::unit::has_word(unit.slice(s.range.clone()), name));
    let declared = unit
        .parts(s.inner)
        .filter(|&n| unit.k(n) == Construct::Declarator)
        .count();
    let is_one = s.kind != Construct::Declaration || declared == 1;
    is_one
        && assigns
        && !unit.below(s.node).any(acts)
        && named.next().is_some()
        && unit.is_alone(&s.range)
        && f.stmts.len() > 1
}

fn flattened(site: &Site<'_>) -> Option<Draft> {
    let unit = site.unit;
    site.functions().into_iter().find_map(|f| {
        let s = f.stmts.last()?;
        let is_plain = s.kind == Construct::If
            && unit.is_alone(&s.range)
            && !(s.rows.0..=s.rows.1)
                .any(|row| unit.inside[row] || unit.row_text(row).starts_with('#'));
        let edit = is_plain.then(|| without_else(unit, f, s).or_else(|| early(unit, f, s)))??;
        Draft::of(
            unit,
            vec![edit],
            format!("flattens the last branch of {}", f.name),
        )
    })
}

/// An `else` after a branch that leaves, without its nest.
fn without_else(unit: &Unit, f: &Function, s: &Stmt) -> Option<Edit> {
    let parts: Vec<u32> = unit.parts(s.inner).collect();
    let &[_, then, other] = parts.as_slice() else {
        return None;
    };
    let last = *unit.statements(then).last()?;
    let inner = if unit.k(last) == Construct::ExprStmt {
        unit.parts(last).next()?
    } else {
        last
    };
    let leaves = matches!(unit.k(inner), Construct::Return | Construct::Raise);
    let block = if unit.k(other) == Construct::Block {
        other
    } else {
        unit.child(other, Construct::Block)?
    };
    let statements = unit.statements(block);
    let (first, end) = (
        unit.range(*statements.first()?).start,
        unit.range(*statements.last()?).end,
    );
    let is_chain = unit.k(other) == Construct::Elif
        || unit
            .at(other)
            .trim_start_matches("else")
            .trim_start()
            .starts_with("if");
    let declares = unit
        .within(&unit.range(block), Construct::Declarator)
        .is_empty();
    if !leaves || is_chain || !declares {
        return None;
    }
    let rows = (unit.row(first), unit.rows(&(first..end)).1);
    let else_row = (unit.rows(&unit.range(then)).1..rows.0)
        .find(|&row| unit.row_text(row).contains("else"))?;
    let head = (
        s.rows.0,
        if unit.style.braces {
            else_row
        } else {
            else_row - 1
        },
    );
    let mut lines = unit.lines(head);
    if unit.style.braces {
        *lines.last_mut()? = format!("{}}}", f.inner);
    }
    lines.extend(moved(
        unit,
        (else_row + 1, rows.1),
        &format!("{}{}", f.inner, unit.step),
        &f.inner,
    ));
    Some(Edit::rows(unit, s.rows, &lines))
}

/// A function that ends with a branch leaves early instead.
fn early(unit: &Unit, f: &Function, s: &Stmt) -> Option<Edit> {
    let parts: Vec<u32> = unit.parts(s.inner).collect();
    let &[condition, then] = parts.as_slice() else {
        return None;
    };
    let style = unit.style;
    let text = unit.at(condition);
    let text = if style.bracketed {
        text.strip_prefix('(')?.strip_suffix(')')?
    } else {
        text
    };
    let head = unit
        .slice(unit.range(s.inner).start..unit.range(then).start)
        .trim_end();
    let statements = if unit.k(then) == Construct::Block {
        unit.statements(then)
    } else {
        return None;
    };
    let plain = !head.contains(['\n', ';'])
        && !head.contains("let ")
        && !head.contains(":=")
        && statements.len() > 1
        && !crate::unit::has_word(text, "err");
    let returns = unit
        .within(&f.body, Construct::Return)
        .iter()
        .any(|&r| unit.parts(r).next().is_some());
    if !plain
        || !f.is_void
        || returns
        || f.is_suspended
        || style.id() == "rust"
            && !unit
                .at(then)
                .trim_end_matches(['}', ' ', '\n'])
                .ends_with([';', '}'])
    {
        return None;
    }
    let (first, end) = (
        unit.range(*statements.first()?).start,
        unit.range(*statements.last()?).end,
    );
    let rows = (unit.row(first), unit.rows(&(first..end)).1);
    let leave = match style.returns {
        crate::style::Returns::Dynamic => format!("return{}", style.end),
        _ => style.leave.to_owned(),
    };
    let lines = style.block(&style.head("if", &negated(style, text.trim())), &[leave]);
    let mut lines = crate::draft::laid_out(unit, &lines.join("\n"), &f.inner);
    lines.extend(moved(
        unit,
        rows,
        &format!("{}{}", f.inner, unit.step),
        &f.inner,
    ));
    Some(Edit::rows(unit, s.rows, &lines))
}

fn helper(site: &Site<'_>) -> Option<Draft> {
    let unit = site.unit;
    for f in unit
        .functions
        .iter()
        .filter(|f| f.stmts.len() == 1 && f.is_top && !f.is_method && !f.is_lambda)
    {
        let s = &f.stmts[0];
        let value = match s.kind {
            Construct::Return => unit.parts(s.inner).next(),
            _ if unit.style.id() == "rust" && !f.is_void => Some(s.inner),
            _ => None,
        };
        let Some((value, names)) = value.zip(f.param_names()) else {
            continue;
        };
        let pattern = unit.leaves(value);
        if pattern.len() < 6 || names.is_empty() {
            continue;
        }
        for caller in site.functions().into_iter().filter(|c| c.node != f.node) {
            let mut nodes = unit.within(&caller.body, unit.k(value)).into_iter();
            let found = nodes.find_map(|node| Some((node, bound(unit, &pattern, node, &names)?)));
            if let Some((node, arguments)) = found {
                let call = format!("{}({})", f.name, arguments.join(", "));
                return Draft::of(
                    unit,
                    vec![Edit::new(unit.range(node), call)],
                    format!("calls {} in {}", f.name, caller.name),
                );
            }
        }
    }
    None
}

/// The arguments with which an expression equals a pattern.
fn bound<'u>(unit: &'u Unit, pattern: &[u32], node: u32, names: &[&str]) -> Option<Vec<&'u str>> {
    let leaves = unit.leaves(node);
    let mut values: Vec<Option<&str>> = vec![None; names.len()];
    if leaves.len() != pattern.len() {
        return None;
    }
    for (&wanted, &leaf) in pattern.iter().zip(&leaves) {
        let (wanted_text, text) = (unit.at(wanted), unit.at(leaf));
        let slot = names
            .iter()
            .position(|name| *name == wanted_text && !unit.is_member(wanted));
        match slot {
            Some(slot)
                if unit.k(leaf) == Construct::Identifier
                    && values[slot].is_none_or(|v| v == text) =>
            {
                values[slot] = Some(text)
            }
            None if wanted_text == text => {}
            _ => return None,
        }
    }
    values.into_iter().collect()
}
