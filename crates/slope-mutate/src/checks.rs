//! Checks that cannot fail, and checks that are lost.

use slope_syntax::Construct;

use crate::draft::{Draft, Edit, Site, laid_out};
use crate::function::{Function, Stmt};
use crate::kind::Kind;
use crate::nesting::guard;
use crate::style::fill;
use crate::unit::{Unit, has_word};

pub(crate) const KINDS: &[Kind] = &[
    Kind::slop(
        "redundant-check",
        "tests a value for absence that is always there",
        redundant,
    )
    .not_in(&["rust"]),
    Kind::slop(
        "weakened-check",
        "drops a test of the input of a function",
        weakened,
    )
    .changing(),
];

fn redundant(site: &Site<'_>) -> Option<Draft> {
    let unit = site.unit;
    for f in site.functions() {
        let made = f.stmts.iter().filter_map(|s| after_value(unit, s));
        let used = f
            .params
            .iter()
            .filter_map(|p| after_use(unit, f, &p.name, &p.text));
        let edits: Vec<Edit> = made.chain(used).take(site.many(1, 4)).collect();
        if !edits.is_empty() {
            return Draft::of(
                unit,
                edits,
                format!("tests values in {} that are never absent", f.name),
            );
        }
    }
    None
}

/// A test after a statement that gives a name a literal or a new object.
fn after_value(unit: &Unit, s: &Stmt) -> Option<Edit> {
    let assignment = match s.kind {
        Construct::Assign | Construct::Declarator => s.inner,
        Construct::Declaration => unit
            .parts(s.inner)
            .find(|&n| unit.k(n) == Construct::Declarator)?,
        _ => return None,
    };
    let parts: Vec<u32> = unit.parts(assignment).collect();
    let (&target, &value) = parts.first().zip(parts.last()).filter(|(a, b)| a != b)?;
    let name = unit.at(target).trim_start_matches('*');
    let text = unit.at(value);
    let is_new = matches!(
        unit.k(value),
        Construct::List | Construct::Dict | Construct::New | Construct::String
    );
    let fits = match unit.style.id() {
        "go" => ["[]", "map[", "&", "make("]
            .iter()
            .any(|start| text.starts_with(start)),
        "c" | "cpp" => unit.k(target) == Construct::Pointer && unit.k(value) == Construct::String,
        "java" => matches!(unit.k(value), Construct::New | Construct::String),
        _ => is_new,
    };
    let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_');
    if !fits || !is_name || text.contains('\n') || !unit.is_alone(&s.range) {
        return None;
    }
    let style = unit.style;
    let is_fixed = unit.slice(s.range.clone()).starts_with("const ")
        && style.returns == crate::style::Returns::Dynamic;
    let end = style.end;
    let inner = if is_fixed {
        style.leave.to_owned()
    } else {
        format!("{name} = {text}{end}")
    };
    checked(unit, s, &fill(style.nil?, &[("x", name)]), &inner)
}

/// A test after the first statement that uses a member of a parameter.
fn after_use(unit: &Unit, f: &Function, name: &str, text: &str) -> Option<Edit> {
    let style = unit.style;
    let members = [format!("{name}."), format!("{name}->")];
    let uses = |s: &&Stmt| {
        let text = unit.slice(s.range.clone());
        let is_plain = !text.contains(&format!("{name} is "))
            && !matches!(s.kind, Construct::Return | Construct::Raise | Construct::If);
        is_plain
            && unit.is_alone(&s.range)
            && members
                .iter()
                .any(|m| text.starts_with(m.as_str()) || text.contains(&format!("= {m}")))
    };
    let s = f.stmts.iter().find(uses)?;
    let can_be_absent = match style.id() {
        "python" | "javascript" | "typescript" => true,
        "java" => text
            .trim_start_matches("final ")
            .starts_with(char::is_uppercase),
        _ => text.contains('*'),
    };
    let may_leave = f.is_void || style.id() == "python";
    if !can_be_absent || !may_leave || name.is_empty() {
        return None;
    }
    checked(unit, s, &fill(style.nil?, &[("x", name)]), style.leave)
}

fn checked(unit: &Unit, s: &Stmt, condition: &str, inner: &str) -> Option<Edit> {
    let lines = unit
        .style
        .block(&unit.style.head("if", condition), &[inner.to_owned()]);
    let indent = crate::unit::indentation(unit.row_text(s.rows.0));
    let lines = laid_out(unit, &lines.join("\n"), indent);
    Some(Edit::insert(unit, s.rows.1 + 1, &lines))
}

fn weakened(site: &Site<'_>) -> Option<Draft> {
    let unit = site.unit;
    site.all_functions().into_iter().find_map(|f| {
        let all: Vec<&Stmt> = f.stmts.iter().filter(|s| validates(unit, f, s)).collect();
        if f.stmts.len() <= all.len() || all.is_empty() {
            return None;
        }
        let edits = all
            .iter()
            .take(site.many(1, 9))
            .map(|s| Edit::rows(unit, s.rows, &[]))
            .collect();
        Draft::of(
            unit,
            edits,
            format!("drops checks of the input of {}", f.name),
        )
    })
}

/// Whether a statement only tests a parameter and raises or returns an error.
fn validates(unit: &Unit, f: &Function, s: &Stmt) -> bool {
    let Some(guard) = guard(unit, s) else {
        return false;
    };
    let condition = guard.condition.as_str();
    let names = f
        .params
        .iter()
        .any(|p| !p.name.is_empty() && has_word(condition, &p.name));
    let way_out = unit.at(guard.way_out);
    let is_error = unit.k(guard.way_out) == Construct::Raise
        || [
            "Err(", "-1", "NULL", "null", "error", "Error", "false", "None", "nil",
        ]
        .iter()
        .any(|e| way_out.contains(e));
    names && is_error && !has_word(condition, "err")
}
