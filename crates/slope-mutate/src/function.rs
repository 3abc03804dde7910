//! Callables with the facts that edits need.

use std::ops::Range;

use slope_syntax::Construct;
use slope_syntax::view::View;

use crate::style::{Returns, Style};
use crate::unit::indentation;

/// A parameter.
#[derive(Debug, Clone)]
pub struct Param {
    /// Its name; empty for a pattern.
    pub name: String,
    /// Its whole text.
    pub text: String,
}

/// A statement of a function's body.
#[derive(Debug, Clone)]
pub struct Stmt {
    /// Its node.
    pub node: u32,
    /// The node inside if it is only an expression.
    pub inner: u32,
    /// Construct of the inner node.
    pub kind: Construct,
    /// Its bytes.
    pub range: Range<usize>,
    /// First and last row.
    pub rows: (usize, usize),
}

/// A function, method, or lambda with a name.
#[derive(Debug, Clone)]
pub struct Function {
    /// Its node.
    pub node: u32,
    /// Its own name.
    pub name: String,
    /// Bytes of the name.
    pub name_at: Range<usize>,
    /// First and last row of the whole item, with decorators, without comments above.
    pub rows: (usize, usize),
    /// Bytes of the item from its first word to the start of its body.
    pub head: Range<usize>,
    /// Bytes of its body, braces included.
    pub body: Range<usize>,
    /// Bytes between the brackets of its parameters.
    pub params_at: Range<usize>,
    /// Its parameters, receivers left out.
    pub params: Vec<Param>,
    /// Statements of its body, documentation left out.
    pub stmts: Vec<Stmt>,
    /// Indentation of its first row.
    pub indent: String,
    /// Indentation of its statements.
    pub inner: String,
    /// Whether it belongs to a type.
    pub is_method: bool,
    /// Whether it is at the top level of its file, or of a class if its language has no others.
    pub is_top: bool,
    /// Whether it has decorators, attributes or annotations.
    pub is_decorated: bool,
    /// Whether it is an expression that a declaration names.
    pub is_lambda: bool,
    /// Whether it yields no value, or its language lets every function do so.
    pub is_void: bool,
    /// Whether it is a generator or asynchronous.
    pub is_suspended: bool,
    /// Names of its locals that a simple statement declares, without parameters.
    pub locals: Vec<String>,
}

impl Function {
    /// Whether all its statements have rows of their own.
    #[must_use]
    pub fn is_laid_out(&self) -> bool {
        !self.stmts.is_empty()
    }

    /// Names of parameters, if each has one.
    #[must_use]
    pub fn param_names(&self) -> Option<Vec<&str>> {
        let names = self.params.iter().map(|p| p.name.as_str());
        let names: Vec<_> = names.collect();
        (!names.contains(&"")).then_some(names)
    }
}

/// The callables of a file that have a body of statements in rows of their own.
pub(crate) fn functions(view: &View<'_>, style: &'static Style) -> Vec<Function> {
    let mut all = view.definitions();
    if view.conventions.naming.lambdas_define {
        all.extend(assigned(view));
        all.sort_unstable();
    }
    all.into_iter()
        .filter_map(|(node, name)| function(view, style, node, name))
        .collect()
}

/// Lambdas that a statement assigns: `exports.f = function () { … }`.
fn assigned(view: &View<'_>) -> Vec<(u32, u32)> {
    let lambdas = view.of_kind(Construct::Lambda).iter();
    let named = lambdas.filter_map(|&lambda| {
        let parent = view.parent(lambda);
        let target = view.first(parent).filter(|&t| t != lambda)?;
        let is_named =
            view.k(parent) == Construct::Assign && view.k(target) == Construct::Attribute;
        let name = view.last_child(target, Construct::Member)?;
        is_named.then_some((lambda, name))
    });
    named.collect()
}

fn range(view: &View<'_>, node: u32) -> Range<usize> {
    let node = view.tree.node(node);
    node.start_byte as usize..node.end_byte as usize
}

fn row_text<'a>(view: &View<'a>, byte: usize) -> &'a str {
    let starts = view.tree.line_starts();
    let row = starts
        .partition_point(|&start| start as usize <= byte)
        .saturating_sub(1);
    view.tree.row_text(u32::try_from(row).unwrap_or(0))
}

fn function(view: &View<'_>, style: &'static Style, node: u32, name: u32) -> Option<Function> {
    let block = view.child(node, Construct::Block)?;
    let is_lambda = view.k(node) == Construct::Lambda;
    let item = item(view, node, is_lambda);
    let stmts = stmts(view, block)?;
    let parameters = parameters(view, node, block)?;
    let at = range(view, parameters);
    let whole = range(view, item);
    let body = range(view, block);
    let rows = |bytes: &Range<usize>| rows(view, bytes);
    let inner = stmts
        .first()
        .map(|s| indentation(row_text(view, s.range.start)).to_owned())?;
    let head = range(view, if is_lambda { item } else { node }).start..body.start;
    let is_method =
        view.is_method(node) || is_lambda && view.k(view.parent(node)) == Construct::Assign;
    let text = view.tree.text();
    let suspended = [Construct::Yield, Construct::Await]
        .iter()
        .any(|&k| view.has_below(node, k));
    Some(Function {
        node,
        name: view.text(name).to_owned(),
        name_at: range(view, name),
        rows: rows(&whole),
        is_void: is_void(
            style.returns,
            &text[head.clone()],
            head.start,
            &at,
            view.text(name),
        ),
        is_suspended: suspended || text[head.clone()].contains("async "),
        indent: indentation(row_text(view, whole.start)).to_owned(),
        is_decorated: view.decorated(node)
            || text[head.clone()].trim_start().starts_with('@')
            || view
                .rows_above(item)
                .any(|row| row.starts_with(['@', '#']) && row.contains('[')),
        head,
        body,
        params_at: at.start + 1..at.end - 1,
        params: params(view, parameters, style),
        locals: locals(view, block, !style.braces),
        stmts,
        inner,
        is_method,
        is_top: is_top(view, item, style.has_free_functions),
        is_lambda,
    })
}

/// The statement that defines a callable, with decorators and `export`.
fn item(view: &View<'_>, node: u32, is_lambda: bool) -> u32 {
    let mut item = view.outer(node);
    if is_lambda {
        let holders = [Construct::Declaration, Construct::ExprStmt];
        let mut around = std::iter::successors(Some(view.parent(node)), |&n| {
            Some(view.parent(n)).filter(|&p| p != n)
        });
        item = around
            .find(|&n| holders.contains(&view.k(n)))
            .unwrap_or(item);
    }
    if view.k(view.parent(item)) == Construct::Export {
        view.parent(item)
    } else {
        item
    }
}

fn is_top(view: &View<'_>, item: u32, has_free_functions: bool) -> bool {
    let parent = view.parent(item);
    if has_free_functions {
        return parent == 0
            || view
                .tree
                .language()
                .kind_name(view.tree.node(view.parent(parent)).kind)
                == "namespace_definition";
    }
    view.k(view.parent(parent)) == Construct::Class && view.parent(view.parent(parent)) == 0
}

/// The node of the parameters that the body follows.
fn parameters(view: &View<'_>, node: u32, block: u32) -> Option<u32> {
    let all = view.kind_within(Construct::Parameters, node + 1, block);
    let name = view.name_of(node).unwrap_or(node);
    let first = all
        .iter()
        .copied()
        .find(|&p| p > name && view.text(p).starts_with('('))?;
    Some(first)
}

fn rows(view: &View<'_>, bytes: &Range<usize>) -> (usize, usize) {
    let starts = view.tree.line_starts();
    let row = |byte: usize| {
        starts
            .partition_point(|&s| s as usize <= byte)
            .saturating_sub(1)
    };
    let text = view.tree.text()[bytes.clone()].trim_end();
    (
        row(bytes.start),
        row((bytes.start + text.len())
            .saturating_sub(1)
            .max(bytes.start)),
    )
}

/// The statements of a block; `None` if they share rows with each other or with its braces.
fn stmts(view: &View<'_>, block: u32) -> Option<Vec<Stmt>> {
    let mut found = Vec::new();
    let around = rows(view, &range(view, block));
    let is_braced = view.text(block).starts_with('{');
    let mut last_row = if is_braced { Some(around.0) } else { None };
    for part in view.parts(block) {
        if view.tree.is_documentation(part) || view.text(part) == ";" {
            continue;
        }
        let bytes = range(view, part);
        let here = rows(view, &bytes);
        if last_row.is_some_and(|last| here.0 <= last) || is_braced && here.1 >= around.1 {
            return None;
        }
        last_row = Some(here.1);
        let inner = inner(view, part);
        found.push(Stmt {
            node: part,
            inner,
            kind: view.k(inner),
            range: bytes,
            rows: here,
        });
    }
    let first = found.first()?;
    row_text(view, first.range.start)[..]
        .trim_start()
        .starts_with(view.text(first.node).lines().next()?)
        .then_some(found)
}

/// What an expression statement is.
fn inner(view: &View<'_>, statement: u32) -> u32 {
    if view.k(statement) != Construct::ExprStmt {
        return statement;
    }
    view.parts(statement).next().unwrap_or(statement)
}

fn params(view: &View<'_>, parameters: u32, style: &Style) -> Vec<Param> {
    let mut found = Vec::new();
    for part in view.parts(parameters) {
        let text = view.text(part).to_owned();
        let is_receiver =
            view.tree.language().kind_name(view.tree.node(part).kind) == "self_parameter";
        if is_receiver || matches!(&*text, "self" | "cls" | "/" | "*" | "void") {
            continue;
        }
        let is_name = |n: &u32| view.k(*n) == Construct::Identifier;
        let below: Vec<u32> = std::iter::once(part)
            .chain(view.below(part).map(|b| b.0))
            .filter(is_name)
            .collect();
        let is_pattern =
            view.has_below(part, Construct::PatternList) || view.k(part) == Construct::PatternList;
        let is_shared = view.parts(part).filter(is_name).count() > 1 && style.shares_types;
        if is_shared {
            let names = view.parts(part).filter(is_name);
            found.extend(names.map(|n| Param {
                name: view.text(n).to_owned(),
                text: text.clone(),
            }));
            continue;
        }
        let name = if style.types_first {
            below.last()
        } else {
            below.first()
        };
        let name = name.filter(|_| !is_pattern).map_or("", |&n| view.text(n));
        found.push(Param {
            name: name.to_owned(),
            text,
        });
    }
    found
}

/// Names that simple statements declare.
fn locals(view: &View<'_>, block: u32, declares: bool) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for (node, kind) in view.below(block) {
        let is_declarator = kind == Construct::Declarator || kind == Construct::Assign && declares;
        if !is_declarator {
            continue;
        }
        let Some(first) = view.first(node) else {
            continue;
        };
        let target = match view.k(first) {
            Construct::Identifier => Some(first),
            Construct::Pointer => view
                .below(first)
                .find(|(_, k)| *k == Construct::Identifier)
                .map(|b| b.0),
            _ if view.tree.language().kind_name(view.tree.node(first).kind)
                == "expression_list" =>
            {
                view.only(first)
            }
            _ => None,
        };
        let name = target
            .filter(|&t| view.k(t) == Construct::Identifier)
            .map(|t| view.text(t));
        if let Some(name) = name.filter(|n| !found.iter().any(|f| f == n) && *n != "_") {
            found.push(name.to_owned());
        }
    }
    found
}

fn is_void(returns: Returns, head: &str, start: usize, params: &Range<usize>, name: &str) -> bool {
    let after = head
        .get((params.end.saturating_sub(start)).min(head.len())..)
        .unwrap_or_default()
        .trim();
    match returns {
        Returns::Dynamic => {
            let result = after.trim_end_matches(':').trim();
            !result.starts_with(':') || result.contains("void")
        }
        Returns::Arrow => !after.contains("->"),
        Returns::After => after.is_empty(),
        Returns::Before => {
            let before = head.split(name).next().unwrap_or_default().trim_end();
            before.ends_with("void")
        }
    }
}
