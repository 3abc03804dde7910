//! Parameters that select behaviour, and wrappers that only pass on.

use slope_syntax::Construct;

use crate::copies::{above, calls, spaced, top_row, variant};
use crate::draft::{Draft, Edit, Site, laid_out, moved};
use crate::function::{Function, Stmt};
use crate::kind::Kind;
use crate::style::{Returns, Style, fill};
use crate::unit::Unit;

pub(crate) const KINDS: &[Kind] = &[
    Kind::slop(
        "flag-argument",
        "adds a flag that selects a branch",
        flagged,
    ),
    Kind::slop(
        "pass-through-wrapper",
        "calls a function through another one that only passes on",
        wrapped,
    ),
];

/// Edits that add a parameter to a function and, where the language has no default values, an argument to its calls.
/// `None` if other code may call or replace the function.
pub(crate) fn with_parameter(
    site: &Site<'_>,
    f: &Function,
    param: &str,
    argument: &dyn Fn(&str) -> String,
) -> Option<Vec<Edit>> {
    let unit = site.unit;
    let style = unit.style;
    let list = unit.slice(f.params_at.clone());
    if !may_take(unit, f, list) {
        return None;
    }
    let trimmed = list.trim_end();
    let at = f.params_at.start + trimmed.len();
    let text = match trimmed {
        "" | "void" => param.to_owned(),
        list if list.ends_with(',') => format!(" {param},"),
        _ => format!(", {param}"),
    };
    let start = if trimmed == "void" {
        f.params_at.start
    } else {
        at
    };
    let mut edits = vec![Edit::new(start..at, text)];
    let is_hidden = style.has_defaults && style.id() != "cpp";
    if is_hidden {
        return Some(edits);
    }
    edits.extend(with_argument(site, f, &argument(&f.name))?);
    Some(edits)
}

/// Whether a parameter can be added at the end of a list.
fn may_take(unit: &Unit, f: &Function, list: &str) -> bool {
    let is_special = f.name.starts_with("__") || f.name == "main" || f.name.starts_with("test");
    let stars = !matches!(unit.style.id(), "c" | "cpp" | "java" | "go" | "rust");
    let odd = ["...", "/*", "//", "{"]
        .iter()
        .any(|mark| list.contains(mark));
    let is_assigned = f.is_lambda && f.is_method;
    !(is_special || f.is_decorated || odd || is_assigned || stars && list.contains('*'))
}

/// Edits that add an argument to all calls of a function that only this file uses.
fn with_argument(site: &Site<'_>, f: &Function, argument: &str) -> Option<Vec<Edit>> {
    let unit = site.unit;
    let head = unit.slice(f.head.clone());
    let owner = unit.slice(f.name_at.start.saturating_sub(2)..f.name_at.end);
    let may_be_called = match unit.style.id() {
        "go" | "cpp" | "c" => f.is_method || owner.contains("::"),
        "java" => !head.contains("private "),
        "rust" => f.is_method && is_of_trait(unit, f),
        _ => false,
    };
    if may_be_called || site.subject.mentions(&f.name, &unit.path) {
        return None;
    }
    let mut edits = Vec::new();
    for call in uses(unit, f)? {
        let list = unit.child(call, Construct::Arguments)?;
        let range = unit.range(list);
        let inside = unit.slice(range.start + 1..range.end - 1).trim_end();
        let text = match inside.trim() {
            "" => argument.to_owned(),
            list if list.ends_with(',') => format!(" {argument},"),
            _ => format!(", {argument}"),
        };
        let at = range.start + 1 + inside.len();
        edits.push(Edit::new(at..at, text));
    }
    Some(edits)
}

fn is_of_trait(unit: &Unit, f: &Function) -> bool {
    let head = unit
        .tops()
        .into_iter()
        .find(|&top| unit.range(top).start <= f.head.start && unit.range(top).end >= f.body.end);
    let head = head
        .map_or("", |top| unit.at(top))
        .split('{')
        .next()
        .unwrap_or_default();
    head.contains(" for ") || head.contains("trait ")
}

/// The calls that are all uses of a function in its file; `None` if it is used in another way.
pub(crate) fn uses(unit: &Unit, f: &Function) -> Option<Vec<u32>> {
    let whole = 0..unit.text().len();
    let mut found = Vec::new();
    let names = [Construct::Identifier, Construct::Member]
        .iter()
        .flat_map(|&kind| unit.within(&whole, kind));
    for node in names.filter(|&node| unit.at(node) == f.name && unit.range(node) != f.name_at) {
        let parent = unit.parent(node);
        let call = if unit.k(parent) == Construct::Attribute {
            unit.parent(parent)
        } else {
            parent
        };
        let after = unit.slice(unit.range(node).end..unit.text().len());
        if unit.k(call) != Construct::Call || !after.starts_with('(') {
            return None;
        }
        found.push(call);
    }
    Some(found)
}

fn flagged(site: &Site<'_>) -> Option<Draft> {
    let unit = site.unit;
    let style = unit.style;
    let flags = ["strict mode", "debug mode", "skip checks"].map(|words| style.name(words));
    let flag = flags.iter().find(|flag| !unit.has_word(flag))?;
    let param = fill(style.flag_param, &[("flag", flag)]);
    site.all_functions().into_iter().find_map(|f| {
        let mut edits = with_parameter(site, f, &param, &|_| style.flags.0.to_owned())?;
        edits.push(if site.is_high {
            both_ways(unit, f, flag)?
        } else {
            extra(unit, f, flag)?
        });
        Draft::of(unit, edits, format!("adds the flag {flag} to {}", f.name))
    })
}

/// A branch for the flag, with another one in it.
fn extra(unit: &Unit, f: &Function, flag: &str) -> Option<Edit> {
    let style = unit.style;
    let may_print = style.print_needs.is_empty() || unit.text().contains(style.print_needs);
    let print = fill(
        style.print,
        &[(
            "text",
            &format!("{}: {}", f.name, crate::style::words(flag)),
        )],
    );
    let inner = match may_print {
        true => print,
        false => f.is_void.then(|| style.leave.to_owned())?,
    };
    let lines = style.block(&style.head("if", flag), &[inner]);
    Some(Edit::insert(
        unit,
        f.stmts.first()?.rows.0,
        &laid_out(unit, &lines.join("\n"), &f.inner),
    ))
}

/// Some statements in both branches of the flag.
fn both_ways(unit: &Unit, f: &Function, flag: &str) -> Option<Edit> {
    let style = unit.style;
    let fits = |s: &Stmt| {
        let declares = matches!(
            s.kind,
            Construct::Declaration | Construct::Declarator | Construct::Function | Construct::Class
        );
        let is_plain = !unit.slice(s.range.clone()).contains("\n#")
            && !(s.rows.0..=s.rows.1).any(|row| unit.inside[row]);
        is_plain && unit.is_alone(&s.range) && !(declares && style.braces)
    };
    let run = f
        .stmts
        .chunk_by(|a, b| fits(a) && fits(b))
        .filter(|run| run.iter().all(&fits))
        .max_by_key(|run| run.len())?;
    let run = &run[..run.len().min(3)];
    let rows = (run.first()?.rows.0, run.last()?.rows.1);
    // A value at the end of a function of Rust has no `;`.
    let (inner, step) = (&f.inner, &unit.step);
    let body = moved(unit, rows, inner, &format!("{inner}{step}"));
    let mut lines = vec![format!(
        "{inner}{}{}",
        style.head("if", flag),
        if style.braces { " {" } else { ":" }
    )];
    let words = crate::style::words(flag);
    let may_print = style.print_needs.is_empty() || unit.text().contains(style.print_needs);
    if may_print && !f.params.is_empty() && style.returns == Returns::Dynamic {
        let name = f
            .params
            .iter()
            .map(|p| p.name.as_str())
            .find(|name| !name.is_empty())?;
        let inner_block = style.block(
            &style.head("if", name),
            &[fill(style.print, &[("text", &words)])],
        );
        lines.extend(laid_out(
            unit,
            &inner_block.join("\n"),
            &format!("{inner}{step}"),
        ));
    }
    lines.extend(body.clone());
    lines.push(format!(
        "{inner}{}",
        if style.braces { "} else {" } else { "else:" }
    ));
    lines.extend(body);
    if style.braces {
        lines.push(format!("{inner}}}"));
    }
    Some(Edit::rows(unit, rows, &lines))
}

fn wrapped(site: &Site<'_>) -> Option<Draft> {
    site.functions().into_iter().find_map(|caller| {
        let all = site.pick.shuffled(&site.unit.functions).into_iter();
        let mut others = all.filter(|f| f.node != caller.node);
        others.find_map(|f| wrap(site, f, caller))
    })
}

/// Calls of a function through a new one.
fn wrap(site: &Site<'_>, f: &Function, caller: &Function) -> Option<Draft> {
    let unit = site.unit;
    let calls = calls(unit, caller, &f.name);
    let outer = variant(&f.name, "wrapper", unit.style);
    let inner = variant(&f.name, "helper", unit.style);
    if calls.is_empty() || unit.has_word(&outer) || unit.has_word(&inner) {
        return None;
    }
    let names: &[&str] = if site.is_high {
        &[&inner, &outer]
    } else {
        &[&outer]
    };
    let lines = layers(unit, f, names)?;
    let mut edits = vec![layer_edit(unit, f, caller, lines)];
    edits.extend(
        calls
            .into_iter()
            .map(|node| Edit::new(unit.range(node), outer.clone())),
    );
    let message = format!("calls {} through {outer}, which only passes on", f.name);
    Draft::of(unit, edits, message)
}

/// The definitions of layers, before the caller and after the function.
fn layer_edit(unit: &Unit, f: &Function, caller: &Function, lines: Vec<String>) -> Edit {
    if f.is_method {
        return spaced(unit, f.rows.1 + 1, lines, true);
    }
    let row = top_row(unit, caller).max(above(unit, f.rows.0));
    if row <= f.rows.1 + 1 {
        return after(unit, f.rows.1 + 1, lines);
    }
    spaced(unit, row, lines, false)
}

/// A definition after another one, with blank rows before it.
fn after(unit: &Unit, row: usize, lines: Vec<String>) -> Edit {
    let mut all = vec![String::new(); unit.style.gap];
    all.extend(lines);
    Edit::insert(unit, row, &all)
}

/// Whether a function can be called through another one.
fn may_pass(unit: &Unit, f: &Function) -> bool {
    let style = unit.style;
    let head = unit.slice(f.head.clone()).trim_end();
    let list = unit.slice(f.params_at.clone());
    let plain = !list.contains('*') || matches!(style.id(), "c" | "cpp" | "go" | "rust");
    let is_private = !f.is_method || head.contains("private ") || head.contains("static ");
    let special = f.is_lambda || f.is_decorated || f.is_suspended || !f.is_top;
    plain && is_private && !special && !list.contains("...") && !head.contains('\n')
}

/// Functions that pass on to each other, the first to `f`.
fn layers(unit: &Unit, f: &Function, names: &[&str]) -> Option<Vec<String>> {
    let style = unit.style;
    let head = unit.slice(f.head.clone()).trim_end();
    let params = f.param_names().filter(|_| may_pass(unit, f))?;
    let mut lines = Vec::new();
    let mut callee = f.name.as_str();
    for name in names {
        let at = f.name_at.start - f.head.start..f.name_at.end - f.head.start;
        let head = format!("{}{name}{}", &head[..at.start], &head[at.end..]);
        let head = head
            .trim_end_matches(['{', ':'])
            .trim_end()
            .trim_start_matches("export ");
        let call = format!("{callee}({})", params.join(", "));
        if !lines.is_empty() {
            lines.extend(vec![String::new(); if f.is_method { 1 } else { style.gap }]);
        }
        let block = style.block(head, &[passed_on(style, f, call)]);
        lines.extend(laid_out(unit, &block.join("\n"), &f.indent));
        callee = name;
    }
    Some(lines)
}

/// The statement that calls and gives the result on.
fn passed_on(style: &Style, f: &Function, call: String) -> String {
    match style.returns {
        Returns::Arrow if !f.is_void => call,
        Returns::Dynamic => format!("return {call}{}", style.end),
        _ if f.is_void => format!("{call}{}", style.end),
        _ => format!("return {call}{}", style.end),
    }
}
