//! Errors that are dropped, logged or caught too widely.

use slope_syntax::Construct;

use crate::draft::{Draft, Edit, Site, laid_out, moved};
use crate::function::{Function, Stmt};
use crate::kind::Kind;
use crate::unit::{Unit, has_word};

const WITHOUT_HANDLERS: &[&str] = &["rust", "go", "c"];

pub(crate) const KINDS: &[Kind] = &[
    Kind::slop(
        "broad-handler-log",
        "catches everything around statements and prints it",
        logged,
    )
    .not_in(WITHOUT_HANDLERS)
    .changing(),
    Kind::slop(
        "broad-handler-swallow",
        "catches everything around statements and drops it",
        swallowed,
    )
    .not_in(WITHOUT_HANDLERS)
    .changing(),
    Kind::slop(
        "ignored-error",
        "drops an error that was passed on",
        ignored,
    )
    .not_in(&["python", "javascript", "typescript", "java", "cpp"])
    .changing(),
    Kind::slop(
        "widened-handler",
        "makes a handler catch everything",
        widened,
    )
    .not_in(&["javascript", "typescript", "c"])
    .changing(),
];

fn logged(site: &Site<'_>) -> Option<Draft> {
    wrapped(site, site.unit.style.logged, "prints")
}

fn swallowed(site: &Site<'_>) -> Option<Draft> {
    wrapped(site, site.unit.style.swallowed, "drops")
}

fn wrapped(site: &Site<'_>, template: &str, verb: &str) -> Option<Draft> {
    let unit = site.unit;
    if template.contains("std::cerr") && !unit.text().contains("<iostream>") {
        return None;
    }
    site.functions().into_iter().find_map(|f| {
        let (first, last) = if site.is_high {
            run(unit, f)?
        } else {
            single(unit, f)?
        };
        let rows = (first.rows.0, last.rows.1);
        let (before, after) = template.split_once("{body}")?;
        let mut lines = laid_out(unit, before.trim_end(), &f.inner);
        lines.extend(moved(
            unit,
            rows,
            &f.inner,
            &format!("{}{}", f.inner, unit.step),
        ));
        lines.extend(laid_out(unit, after.trim_start_matches('\n'), &f.inner));
        let message = format!("catches every error in {} and {verb} it", f.name);
        Draft::of(unit, vec![Edit::rows(unit, rows, &lines)], message)
    })
}

/// Whether a statement may get a block around it.
fn may_wrap(unit: &Unit, s: &Stmt) -> bool {
    let leaves = matches!(
        s.kind,
        Construct::Return
            | Construct::Raise
            | Construct::Break
            | Construct::Continue
            | Construct::Try
            | Construct::Pass
    );
    let declares = matches!(
        s.kind,
        Construct::Declaration
            | Construct::Declarator
            | Construct::Function
            | Construct::Class
            | Construct::Import
            | Construct::ImportFrom
            | Construct::Decorated
            | Construct::Global
    );
    let text = unit.slice(s.range.clone());
    let is_directive = text.starts_with('#')
        || text.contains("\n#")
        || text.contains("super(")
        || text.starts_with("this(");
    let has_text_rows = (s.rows.0..=s.rows.1).any(|row| unit.inside[row]);
    !leaves
        && !is_directive
        && !has_text_rows
        && !(declares && (unit.style.braces || s.kind != Construct::Declaration))
        && unit.is_alone(&s.range)
}

fn single<'f>(unit: &Unit, f: &'f Function) -> Option<(&'f Stmt, &'f Stmt)> {
    let fits =
        |s: &&Stmt| may_wrap(unit, s) && unit.below(s.node).any(|n| unit.k(n) == Construct::Call);
    let touched = |s: &&Stmt| (s.rows.0..=s.rows.1).any(|row| unit.touched.contains(&row));
    let all: Vec<&Stmt> = f.stmts.iter().filter(fits).collect();
    let one = all
        .iter()
        .copied()
        .find(|s| touched(s))
        .or(all.first().copied())?;
    Some((one, one))
}

/// The whole body if it may end without a value, or the longest run of statements.
fn run<'f>(unit: &Unit, f: &'f Function) -> Option<(&'f Stmt, &'f Stmt)> {
    let has_texts = (f.stmts.first()?.rows.0..=f.stmts.last()?.rows.1).any(|row| unit.inside[row]);
    let text = unit.slice(f.body.clone());
    let is_plain = !text.contains("\n#")
        && !text.contains("super(")
        && !f.stmts.iter().any(|s| s.kind == Construct::Try);
    if is_plain && f.is_void && !has_texts && f.stmts.len() > 1 {
        return Some((f.stmts.first()?, f.stmts.last()?));
    }
    let mut best: &[Stmt] = &[];
    for run in f
        .stmts
        .chunk_by(|a, b| may_wrap(unit, a) && may_wrap(unit, b))
    {
        let has_text = run
            .first()
            .zip(run.last())
            .is_some_and(|(a, b)| (a.rows.0..=b.rows.1).any(|r| unit.inside[r]));
        if run.len() > best.len().max(1) && !has_text {
            best = run;
        }
    }
    Some((best.first()?, best.last()?))
}

fn ignored(site: &Site<'_>) -> Option<Draft> {
    let unit = site.unit;
    let most = site.many(1, 4);
    let mut edits = Vec::new();
    let mut names: Vec<&str> = Vec::new();
    for f in site.functions() {
        let all = match unit.style.id() {
            "rust" => dropped_results(unit, f, site.is_high),
            "go" => logged_errors(unit, f),
            _ => dropped_codes(unit, f),
        };
        let before = edits.len();
        edits.extend(all.into_iter().take(most - before));
        if edits.len() > before {
            names.push(&f.name);
        }
    }
    Draft::of(unit, edits, format!("drops errors in {}", names.join(", ")))
}

/// Statements `f()?;` of Rust, and values with `?`.
fn dropped_results(unit: &Unit, f: &Function, with_values: bool) -> Vec<Edit> {
    let mut edits = Vec::new();
    for node in unit.within(&f.body, Construct::Propagate) {
        let range = unit.range(node);
        let Some(value) = unit.at(node).strip_suffix('?') else {
            continue;
        };
        let is_statement = unit.k(unit.parent(node)) == Construct::ExprStmt
            && unit.is_alone(&unit.range(unit.parent(node)));
        let nested = edits
            .iter()
            .any(|e: &Edit| e.range.start <= range.start && range.end <= e.range.end);
        if nested {
            continue;
        }
        if is_statement {
            edits.push(Edit::new(range, format!("let _ = {value}")));
        } else if with_values && unit.k(unit.parent(node)) == Construct::Declarator {
            edits.push(Edit::new(range, format!("{value}.unwrap_or_default()")));
        }
    }
    edits
}

/// Tests `if err != nil` of Go that return.
fn logged_errors(unit: &Unit, f: &Function) -> Vec<Edit> {
    let text = unit.text();
    let call = if text.contains("\"log\"") {
        "log.Println(err)"
    } else if text.contains("\"fmt\"") {
        "fmt.Println(err)"
    } else {
        "_ = err // ignore"
    };
    let all = unit.within(&f.body, Construct::If).into_iter();
    let edit = |node: u32| {
        let body = unit.child(node, Construct::Block)?;
        let statements = unit.statements(body);
        let [only] = statements.as_slice() else {
            return None;
        };
        let head = unit
            .slice(unit.range(node).start..unit.range(body).start)
            .trim();
        let fits = head == "if err != nil"
            && unit.k(*only) == Construct::Return
            && unit.is_alone(&unit.range(*only));
        (fits && unit.child(node, Construct::Else).is_none() && !unit.at(node).contains("} else"))
            .then(|| Edit::new(unit.range(*only), call))
    };
    all.filter_map(edit).collect()
}

/// Tests of C of what a call returns, which return.
fn dropped_codes(unit: &Unit, f: &Function) -> Vec<Edit> {
    let all = unit.within(&f.body, Construct::If).into_iter();
    let edit = |node: u32| {
        let parts: Vec<u32> = unit.parts(node).collect();
        let &[condition, body] = parts.as_slice() else {
            return None;
        };
        let calls = unit.within(&unit.range(condition), Construct::Call);
        let call = *calls.first().filter(|_| calls.len() == 1)?;
        let leaves = unit.k(body) == Construct::Return
            || matches!(unit.statements(body).as_slice(), [only] if unit.k(*only) == Construct::Return);
        let pure = unit
            .within(&unit.range(condition), Construct::Assign)
            .is_empty()
            && !unit.at(condition).contains("&&")
            && !unit.at(condition).contains("||");
        let is_alone = unit.is_alone(&unit.range(node));
        (leaves && pure && is_alone)
            .then(|| Edit::new(unit.range(node), format!("(void){};", unit.at(call))))
    };
    all.filter_map(edit).collect()
}

fn widened(site: &Site<'_>) -> Option<Draft> {
    let unit = site.unit;
    let order = site.all_functions();
    let mut edits: Vec<Edit> = Vec::new();
    let mut names: Vec<&str> = Vec::new();
    for f in order {
        for edit in wider(unit, f) {
            let known = edits
                .iter()
                .any(|e| e.range.start < edit.range.end && edit.range.start < e.range.end);
            if !known && edits.len() < site.many(1, 3) {
                edits.push(edit);
                names.push(&f.name);
            }
        }
    }
    names.dedup();
    Draft::of(
        unit,
        edits,
        format!("makes handlers catch everything in {}", names.join(", ")),
    )
}

fn wider(unit: &Unit, f: &Function) -> Vec<Edit> {
    match unit.style.id() {
        "go" => wider_tests(unit, f),
        "rust" => wider_arms(unit, f),
        _ => unit
            .within(&f.body, Construct::Catch)
            .into_iter()
            .filter_map(|node| wider_catch(unit, node))
            .collect(),
    }
}

fn wider_catch(unit: &Unit, node: u32) -> Option<Edit> {
    let block = unit.child(node, Construct::Block)?;
    let range = unit.range(node).start..unit.range(block).start;
    let head = unit.slice(range.clone());
    let siblings: Vec<u32> = unit
        .parts(unit.parent(node))
        .filter(|&n| unit.k(n) == Construct::Catch)
        .collect();
    if [
        "Exception ",
        "Exception:",
        "Throwable",
        "...",
        "std::exception",
    ]
    .iter()
    .any(|wide| head.contains(wide))
        && !head.contains("IOException")
        || siblings.last() != Some(&node)
    {
        return None;
    }
    let (end, new) = match unit.style.id() {
        "python" => {
            let types = head.strip_prefix("except ")?.split(':').next()?;
            let named = types.split(" as ").nth(1).map(str::trim);
            let named = named.map_or(String::new(), |name| format!(" as {name}"));
            (
                "except ".len() + types.len(),
                format!("except Exception{named}"),
            )
        }
        "java" => {
            let name = caught(head)?;
            (head.trim_end().len(), format!("catch (Exception {name})"))
        }
        _ => {
            let name = caught(head).filter(|name| has_word(unit.at(block), name));
            let everything = || "catch (...)".to_owned();
            let new = name.map(|name| format!("catch (const std::exception& {name})"));
            (head.trim_end().len(), new.unwrap_or_else(everything))
        }
    };
    Some(Edit::new(range.start..range.start + end, new))
}

/// The name of the error in a head with brackets.
fn caught(head: &str) -> Option<&str> {
    let inside = head.trim_end().trim_end_matches(')');
    inside
        .split([' ', '&'])
        .next_back()
        .filter(|name| !name.is_empty())
}

/// Tests for one error of Go.
fn wider_tests(unit: &Unit, f: &Function) -> Vec<Edit> {
    let calls = unit.within(&f.body, Construct::Call).into_iter();
    let fits = |&node: &u32| {
        let text = unit.at(node);
        text.starts_with("errors.Is(err, ")
            && unit.k(unit.parent(node)) == Construct::If
            && unit.text().matches("errors.").count() > 1
    };
    calls
        .filter(fits)
        .map(|node| Edit::new(unit.range(node), "err != nil"))
        .collect()
}

/// Arms of Rust for one error.
fn wider_arms(unit: &Unit, f: &Function) -> Vec<Edit> {
    let cases = unit.within(&f.body, Construct::Case).into_iter();
    let edit = |node: u32| {
        let pattern = unit.parts(node).next()?;
        let inner = unit.at(pattern).strip_prefix("Err(")?.strip_suffix(')')?;
        let binds = inner.contains(['(', '{', '_', '@']) || !inner.contains("::");
        let arms: Vec<u32> = unit
            .parts(unit.parent(node))
            .filter(|&n| unit.k(n) == Construct::Case)
            .collect();
        let rest = arms
            .iter()
            .filter(|&&arm| arm > node)
            .any(|&arm| unit.at(arm).starts_with("Err("));
        (!binds && !rest).then(|| Edit::new(unit.range(pattern), "Err(_)"))
    };
    cases.filter_map(edit).collect()
}
