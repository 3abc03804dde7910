//! Another way of quoting, indenting, importing, raising and logging than the file's.

use slope_syntax::Construct;

use crate::draft::{Draft, Edit, Site, laid_out};
use crate::function::Function;
use crate::kind::Kind;
use crate::style::fill;
use crate::unit::{Unit, has_word, indentation};

pub(crate) const KINDS: &[Kind] = &[
    Kind::slop("quote-style", "uses the other quotes than the file", quotes)
        .not_in(&["rust", "go", "java", "c", "cpp"]),
    Kind::slop(
        "indent-style",
        "indents functions by another step than the file",
        indents,
    ),
    Kind::slop(
        "import-style",
        "imports a name in another way than the file",
        imports,
    )
    .not_in(&["c", "cpp", "go"]),
    Kind::slop(
        "error-style",
        "raises another kind of error than the code around",
        errors,
    )
    .changing(),
    Kind::slop("log-style", "prints where the project logs", logs).changing(),
];

fn quotes(site: &Site<'_>) -> Option<Draft> {
    let unit = site.unit;
    let (single, double) = (
        unit.text().matches('\'').count(),
        unit.text().matches('"').count(),
    );
    let (from, to) = if single > double {
        ('\'', '"')
    } else {
        ('"', '\'')
    };
    site.functions().into_iter().find_map(|f| {
        let all = unit
            .within(&(f.head.start..f.body.end), Construct::String)
            .into_iter();
        let edit = |node: u32| {
            let text = unit.at(node);
            let inner = text.strip_prefix(from)?.strip_suffix(from)?;
            let plain = !inner.is_empty() && !inner.contains(['\'', '"', '\\', '\n', '{']);
            plain.then(|| Edit::new(unit.range(node), format!("{to}{inner}{to}")))
        };
        let edits: Vec<Edit> = all.filter_map(edit).take(site.many(1, 40)).collect();
        Draft::of(
            unit,
            edits,
            format!("uses {to} in {} where the file has {from}", f.name),
        )
    })
}

fn indents(site: &Site<'_>) -> Option<Draft> {
    let unit = site.unit;
    let new = match unit.step.as_str() {
        "    " if unit.style.braces => "\t",
        "    " => "  ",
        "\t" if !unit.style.braces => return None,
        "  " | "\t" => "    ",
        _ => "  ",
    };
    let mut edits: Vec<Edit> = Vec::new();
    let mut names: Vec<&str> = Vec::new();
    for f in site.functions() {
        let rows = unit.row_range(f.rows);
        let known = edits.iter().any(|e| rows.contains(&e.range.start));
        if let Some(edit) =
            indented(unit, f, new).filter(|_| !known && names.len() < site.many(1, 4))
        {
            edits.push(edit);
            names.push(&f.name);
        }
    }
    Draft::of(
        unit,
        edits,
        format!("indents {} by another step", names.join(", ")),
    )
}

/// The body of a function with another step; `None` if it stays as it is.
fn indented(unit: &Unit, f: &Function, new: &str) -> Option<Edit> {
    let body = unit.row(f.head.end.saturating_sub(1)) + 1;
    let start = if unit.style.braces {
        f.rows.0 + 1
    } else {
        body
    };
    let mixes = f.indent.contains('\t') && unit.step != "\t";
    if mixes || f.rows.1 < start || f.rows.1 <= f.rows.0 + 1 {
        return None;
    }
    let rows: Vec<String> = (start..=f.rows.1)
        .map(|row| stepped(unit, row, f, new))
        .collect();
    let edit = Edit::rows(unit, (start, f.rows.1), &rows);
    (unit.slice(edit.range.clone()) != edit.text).then_some(edit)
}

/// A row of a function with another step of indentation.
fn stepped(unit: &Unit, row: usize, f: &Function, new: &str) -> String {
    let text = unit.row_text(row);
    let Some(rest) = text.strip_prefix(&f.indent).filter(|_| !unit.inside[row]) else {
        return text.to_owned();
    };
    let (mut depth, mut inner) = (0, rest);
    while let Some(more) = inner.strip_prefix(unit.step.as_str()) {
        depth += 1;
        inner = more;
    }
    format!("{}{}{inner}", f.indent, new.repeat(depth))
}

fn imports(site: &Site<'_>) -> Option<Draft> {
    let unit = site.unit;
    let all = unit.imports();
    let nodes = site.pick.shuffled(&all);
    let mut edits: Vec<Edit> = Vec::new();
    let mut lines: Vec<&str> = Vec::new();
    for &node in nodes {
        let Some(more) = other_import(unit, node) else {
            continue;
        };
        if edits.iter().any(|e| {
            more.iter()
                .any(|m| m.range.start < e.range.end && e.range.start < m.range.end)
        }) {
            continue;
        }
        edits.extend(more);
        lines.push(unit.at(node).trim());
        if lines.len() == site.many(1, 3) {
            break;
        }
    }
    Draft::of(
        unit,
        edits,
        format!("imports in another way: {}", lines.join(" ")),
    )
}

/// Edits that import one name in another way, and change its uses.
fn other_import(unit: &Unit, node: u32) -> Option<Vec<Edit>> {
    let text = unit.at(node).trim();
    let range = unit.range(node).start..unit.range(node).start + text.len();
    let (import, name, use_as) = other_form(unit, text)?;
    let everywhere = 0..unit.text().len();
    let all: Vec<u32> = [Construct::Identifier, Construct::TypeName]
        .iter()
        .flat_map(|&kind| unit.within(&everywhere, kind))
        .collect();
    let used = all
        .into_iter()
        .filter(|&n| unit.at(n) == name && !range.contains(&unit.range(n).start));
    let used: Vec<u32> = used.collect();
    let odd = used.iter().any(|&n| unit.is_member(n) || is_odd(unit, n));
    // A name in a macro, text or other import may be the imported one.
    let count = unit.text().matches(name).count();
    if odd || used.is_empty() || used.len() > 8 || count != used.len() + text.matches(name).count()
    {
        return None;
    }
    let row = unit.row_range(unit.rows(&range));
    let line = if import.is_empty() {
        Edit::new(row, "")
    } else {
        Edit::new(range, import)
    };
    let mut edits = vec![line];
    edits.extend(
        used.into_iter()
            .map(|n| Edit::new(unit.range(n), use_as.clone())),
    );
    Some(edits)
}

/// Another import of the one name that an import binds, the name, and its uses afterwards.
fn other_form<'u>(unit: &Unit, text: &'u str) -> Option<(String, &'u str, String)> {
    match unit.style.id() {
        "python" => {
            let (module, name) = text.strip_prefix("from ")?.split_once(" import ")?;
            let plain = is_path(module, '.')
                && !module.starts_with('.')
                && is_word(name)
                && module != "__future__";
            plain.then(|| (format!("import {module}"), name, format!("{module}.{name}")))
        }
        "rust" => {
            let path = text.strip_prefix("use ")?.strip_suffix(';')?;
            let name = path.rsplit("::").next()?;
            let plain = is_word(name)
                && path.contains("::")
                && !path.contains(['{', '*', ' '])
                && name != "self";
            plain.then(|| (String::new(), name, path.to_owned()))
        }
        "java" => {
            let path = text.strip_prefix("import ")?.strip_suffix(';')?;
            let name = path.rsplit('.').next()?;
            let plain = is_word(name) && !path.starts_with("static ");
            plain.then(|| (String::new(), name, path.to_owned()))
        }
        _ => {
            let (names, module) = text.strip_prefix("import {")?.split_once("} from ")?;
            let name = names.trim();
            let short = module
                .trim_matches([';', '\'', '"'])
                .rsplit('/')
                .next()?
                .split('.')
                .next()?;
            let whole = crate::style::camel(&short.replace('-', " "));
            let plain = is_word(name) && is_word(&whole) && !unit.has_word(&whole);
            plain.then(|| {
                (
                    format!("import * as {whole} from {module}"),
                    name,
                    format!("{whole}.{name}"),
                )
            })
        }
    }
}

/// Whether a name is where a path may not be.
fn is_odd(unit: &Unit, node: u32) -> bool {
    let parent = unit.parent(node);
    let kind = unit.kind_name(parent);
    let is_first = unit.parts(parent).next() == Some(node);
    let is_target = matches!(
        unit.k(parent),
        Construct::Assign | Construct::Declarator | Construct::Param
    ) && is_first
        && unit.k(node) == Construct::Identifier;
    kind.contains("shorthand")
        || kind.contains("pair")
        || unit.kind_name(node).contains("shorthand")
        || is_target
        || matches!(
            unit.k(parent),
            Construct::Import
                | Construct::Alias
                | Construct::Class
                | Construct::Function
                | Construct::Decorator
        )
        || kind == "use_list"
        || kind == "marker_annotation"
        || kind == "annotation"
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

fn is_path(text: &str, separator: char) -> bool {
    text.split(separator).all(is_word)
}

fn errors(site: &Site<'_>) -> Option<Draft> {
    let what = "raises errors in another way in";
    replaced(site, site.unit.style.raises, what).or_else(|| unwrapped(site))
}

/// Errors of Rust that end the program instead of being passed on.
fn unwrapped(site: &Site<'_>) -> Option<Draft> {
    let unit = site.unit;
    site.functions().into_iter().find_map(|f| {
        let all = unit.within(&f.body, Construct::Propagate).into_iter();
        let marks = all
            .map(|node| unit.range(node).end)
            .filter(|&end| unit.slice(end - 1..end) == "?");
        let edits = marks.map(|end| Edit::new(end - 1..end, ".unwrap()"));
        let edits = edits.take(site.many(1, 9)).collect();
        Draft::of(
            unit,
            edits,
            format!("unwraps instead of passing errors on in {}", f.name),
        )
    })
}

fn logs(site: &Site<'_>) -> Option<Draft> {
    replaced(site, site.unit.style.logs, "prints instead of logging in").or_else(|| printed(site))
}

/// Calls at the start of statements replaced by others.
fn replaced(site: &Site<'_>, pairs: &[(&str, &str)], what: &str) -> Option<Draft> {
    let unit = site.unit;
    site.all_functions().into_iter().find_map(|f| {
        let rows =
            (f.rows.0..=f.rows.1).filter(|&row| !unit.inside[row] && unit.row(f.body.start) <= row);
        let edits: Vec<Edit> = rows
            .filter_map(|row| in_row(unit, row, pairs))
            .take(site.many(1, 9))
            .collect();
        Draft::of(unit, edits, format!("{what} {}", f.name))
    })
}

/// The edit of a row that begins with one of the texts and has one argument.
fn in_row(unit: &Unit, row: usize, pairs: &[(&str, &str)]) -> Option<Edit> {
    let text = unit.row_text(row);
    let start = indentation(text).len();
    let (from, to) = pairs
        .iter()
        .find(|(from, _)| text[start..].starts_with(from))?;
    let rest = &text[start + from.len()..];
    // Calls over several rows, or with levels and formats of their own, stay.
    let nested = from.matches('(').count();
    let is_closed = !from.ends_with('(')
        || rest.matches('(').count() + 1 == rest.matches(')').count() + usize::from(nested > 1);
    let is_statement = to.ends_with('(') || rest.trim().is_empty() || to.ends_with("<< ");
    let is_joined = nested > to.matches('(').count();
    let at = unit.start(row) + start;
    let fits = is_closed && is_statement && !is_joined && rest.is_ascii();
    (fits && may_call(unit, to, rest)).then(|| Edit::new(at..at + from.len(), *to))
}

/// Whether a file can call a function with these arguments.
fn may_call(unit: &Unit, to: &str, arguments: &str) -> bool {
    let needs = [
        ("fmt.", "\"fmt\""),
        ("exit(", "stdlib.h"),
        ("cout", "<iostream>"),
    ];
    let lacks = needs
        .iter()
        .any(|(call, import)| to.contains(call) && !unit.text().contains(import));
    let formats = to.starts_with("print") && unit.style.id() == "python" && arguments.contains('%');
    let unformatted = to.ends_with("!(") && !arguments.starts_with('"');
    !(lacks || formats || unformatted)
}

/// Prints of progress in a project that logs.
fn printed(site: &Site<'_>) -> Option<Draft> {
    let unit = site.unit;
    let style = unit.style;
    let receivers = [
        "logger", "logging", "log", "LOGGER", "debug", "slog", "tracing", "spdlog", "winston",
        "pino",
    ];
    let here = receivers.iter().any(|name| unit.has_word(name));
    let there = || {
        site.subject.peers().iter().any(|peer| {
            receivers[..4]
                .iter()
                .any(|name| has_word(peer.text(), name))
        })
    };
    let may_print = style.print_needs.is_empty() || unit.text().contains(style.print_needs);
    if !may_print || !(here || there()) {
        return None;
    }
    let f = site.functions().into_iter().next()?;
    let fits = |s: &&crate::function::Stmt| unit.is_alone(&s.range);
    let all: Vec<_> = f.stmts.iter().filter(fits).collect();
    let edits = all
        .into_iter()
        .take(site.many(1, 4))
        .enumerate()
        .map(|(number, s)| {
            let what = if number == 0 {
                format!("{} started", crate::style::words(&f.name))
            } else {
                format!("{} step {number}", crate::style::words(&f.name))
            };
            let line = fill(style.print, &[("text", &what)]);
            Edit::insert(unit, s.rows.0, &laid_out(unit, &line, &f.inner))
        });
    Draft::of(
        unit,
        edits.collect(),
        format!("prints in {} where the project logs", f.name),
    )
}
