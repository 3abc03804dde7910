//! Helpers that are copied: as they are, renamed, in another order, with other loops.

use std::collections::BTreeSet;
use std::ops::Range;

use slope_syntax::Construct;

use crate::draft::{Draft, Edit, Site, applied};
use crate::function::Function;
use crate::kind::Kind;
use crate::loops;
use crate::style::{Style, camel};
use crate::subject::folder;
use crate::unit::{Unit, has_word};

pub(crate) const KINDS: &[Kind] = &[
    Kind::slop(
        "copy-helper-exact",
        "copies a helper under another name",
        exact,
    ),
    Kind::slop(
        "copy-helper-renamed",
        "copies a helper and renames its locals",
        renamed,
    ),
    Kind::slop(
        "copy-helper-shuffled",
        "copies a helper and swaps statements that do not depend on each other",
        shuffled,
    ),
    Kind::slop(
        "copy-helper-loops",
        "copies a helper and writes its loops in another way",
        looped,
    ),
    Kind::slop(
        "reimplement-helper",
        "writes a helper again, with other names and other loops",
        rewritten,
    ),
];

/// Minimum and maximum number of rows of a helper, for each severity.
const ROWS: [(usize, usize); 2] = [(4, 14), (10, 60)];

/// Maximum number of helpers to consider.
const MAX_HELPERS: usize = 150;

/// Words at the end of the name of a copy.
const ENDINGS: &[&str] = &["internal", "local", "impl", "copy", "v2"];

/// Names that say little, for locals of a copy.
const NAMES: &[&str] = &[
    "value", "data", "entry", "current", "output", "temp", "info", "element", "source", "target",
    "payload", "holder",
];

/// A helper, where it is from, and the function that calls it.
struct Helper<'a> {
    unit: &'a Unit,
    function: &'a Function,
    caller: &'a Function,
    /// Names of the helper in the caller's calls.
    calls: Vec<u32>,
}

/// How a copy differs: edits of the helper's unit within its function.
type Change<'c> = &'c dyn Fn(&Unit, &Function) -> Option<Vec<Edit>>;

fn exact(site: &Site<'_>) -> Option<Draft> {
    copied(site, "copies", &|_, _| Some(Vec::new()))
}

fn renamed(site: &Site<'_>) -> Option<Draft> {
    let most = site.many(3, NAMES.len());
    copied(site, "copies and renames", &|unit, f| {
        local_names(unit, f, most)
    })
}

fn shuffled(site: &Site<'_>) -> Option<Draft> {
    let most = site.many(1, 9);
    copied(site, "copies and reorders", &|unit, f| {
        Some(swaps(unit, f, most)).filter(|e| !e.is_empty())
    })
}

fn looped(site: &Site<'_>) -> Option<Draft> {
    copied(site, "copies, with other loops,", &|unit, f| {
        Some(loops::rewritten(unit, &f.body)).filter(|e| !e.is_empty())
    })
}

fn rewritten(site: &Site<'_>) -> Option<Draft> {
    copied(site, "writes again", &|unit, f| {
        let loops = Some(loops::rewritten(unit, &f.body)).filter(|e| !e.is_empty())?;
        let hidden = |e: &Edit| {
            loops
                .iter()
                .any(|l| l.range.start < e.range.end && e.range.start < l.range.end)
        };
        let names = local_names(unit, f, NAMES.len())?;
        if names.iter().any(hidden) {
            // The heads of loops name locals, so rename only what no loop names.
            return with_names(unit, f, loops);
        }
        Some(loops.into_iter().chain(names).collect())
    })
}

/// Loops in another way, and other names for locals that no head of a loop has.
fn with_names(unit: &Unit, f: &Function, loops: Vec<Edit>) -> Option<Vec<Edit>> {
    let mut all = loops;
    let heads: Vec<Range<usize>> = all.iter().map(|e| e.range.clone()).collect();
    let is_free = |name: &&str| !heads.iter().any(|h| has_word(unit.slice(h.clone()), name));
    let names: Vec<&str> = renamable(unit, f).into_iter().filter(is_free).collect();
    all.extend(new_names(unit, f, &names)?);
    Some(all)
}

fn copied(site: &Site<'_>, verb: &str, change: Change<'_>) -> Option<Draft> {
    let (called, others): (Vec<_>, Vec<_>) =
        helpers(site).into_iter().partition(|h| !h.calls.is_empty());
    let mut order = called.iter().chain(&others);
    order.find_map(|helper| copy(site, helper, verb, change))
}

/// Helpers that a touched function calls or could call.
fn helpers<'a>(site: &Site<'a>) -> Vec<Helper<'a>> {
    let (least, most) = ROWS[usize::from(site.is_high)];
    let here = site.unit.functions.iter().map(|f| (site.unit, f));
    let peers = site
        .subject
        .peers()
        .iter()
        .filter(|peer| peer.style.id() == site.unit.style.id());
    let there = peers.flat_map(|peer| peer.functions.iter().map(move |f| (peer, f)));
    let fits = |(unit, f): &(&Unit, &Function)| {
        (least..=most).contains(&(f.rows.1 - f.rows.0 + 1)) && is_helper(unit, f)
    };
    let all: Vec<_> = here.chain(there).filter(fits).collect();
    let pool: Vec<_> = site
        .pick
        .shuffled(&all)
        .into_iter()
        .take(MAX_HELPERS)
        .copied()
        .collect();
    let callers = site.functions().into_iter();
    callers
        .flat_map(|caller| helpers_of(site, caller, &pool))
        .collect()
}

/// Those of a pool that one function calls or could call.
fn helpers_of<'a>(
    site: &Site<'a>,
    caller: &'a Function,
    pool: &[(&'a Unit, &'a Function)],
) -> Vec<Helper<'a>> {
    let names = called(site.unit, caller);
    let helper = |&(unit, function): &(&'a Unit, &'a Function)| {
        let is_near = std::ptr::eq(unit, site.unit);
        let is_around = is_inside(function, caller) || is_inside(caller, function);
        let mut touched = unit.touched.range(function.rows.0..=function.rows.1);
        let is_called = names.contains(function.name.as_str());
        let calls = match is_called {
            true => calls(site.unit, caller, &function.name),
            false => Vec::new(),
        };
        let is_new = is_near && touched.next().is_some() && calls.is_empty();
        (!(is_new || is_near && is_around)).then_some(Helper {
            unit,
            function,
            caller,
            calls,
        })
    };
    pool.iter().filter_map(helper).collect()
}

/// Names that a function calls.
fn called<'u>(unit: &'u Unit, caller: &Function) -> BTreeSet<&'u str> {
    let names = unit.names(&caller.body).into_iter();
    names.map(|node| unit.at(node)).collect()
}

fn is_inside(one: &Function, other: &Function) -> bool {
    one.body.start >= other.head.start && one.body.end <= other.body.end
}

/// Whether a function can be copied: it is free, or a private or static method.
fn is_helper(unit: &Unit, f: &Function) -> bool {
    let head = unit.slice(f.head.clone());
    let is_free = f.is_top
        && !f.is_lambda
        && (!f.is_method || head.contains("static ") || head.contains("private "));
    let is_special = f.name.starts_with("__")
        || f.name.starts_with("test")
        || ["main", "init", "new"].contains(&&*f.name);
    is_free && !f.is_decorated && !is_special && !unit.slice(f.body.clone()).contains("\n#")
}

/// Whether a function of another file needs nothing that the file does not have.
fn may_move(to: &Unit, from: &Unit, f: &Function) -> bool {
    if !from.style.has_free_functions || f.is_method || !f.is_top {
        return false;
    }
    let is_package = from.style.id() == "go" && folder(&from.path) == folder(&to.path);
    let words: Vec<&str> = from
        .within(&(f.head.start..f.body.end), Construct::Identifier)
        .into_iter()
        .chain(from.within(&(f.head.start..f.body.end), Construct::TypeName))
        .map(|node| from.at(node))
        .collect();
    from.tops().into_iter().all(|top| {
        let is_import = matches!(from.k(top), Construct::Import | Construct::ImportFrom);
        if from.range(top).start <= f.head.start && from.range(top).end >= f.body.end
            || is_package && !is_import
        {
            return true;
        }
        let text = from.at(top);
        let is_used = words
            .iter()
            .any(|word| has_word(text.split("\n    ").next().unwrap_or(text), word));
        !is_used || is_import && to.text().contains(text.trim_end())
    })
}

/// Names of a function in the calls of another one.
pub(crate) fn calls(unit: &Unit, caller: &Function, name: &str) -> Vec<u32> {
    let names = unit.names(&caller.body).into_iter();
    let is_called = |&node: &u32| {
        let after = unit.slice(unit.range(node).end..unit.text().len());
        unit.at(node) == name && after.starts_with('(')
    };
    names.filter(is_called).collect()
}

fn copy(site: &Site<'_>, helper: &Helper<'_>, verb: &str, change: Change<'_>) -> Option<Draft> {
    let (unit, from, f) = (site.unit, helper.unit, helper.function);
    let ending = site.pick.one(ENDINGS)?;
    let name = variant(&f.name, ending, unit.style);
    if unit.has_word(&name) {
        return None;
    }
    let mut edits = change(from, f)?;
    if !std::ptr::eq(unit, from) && !may_move(unit, from, f) {
        return None;
    }
    let is_changed = !edits.is_empty();
    edits.push(Edit::new(f.name_at.clone(), name.clone()));
    edits.extend(
        calls(from, f, &f.name)
            .into_iter()
            .map(|node| Edit::new(from.range(node), name.clone())),
    );
    let text = text_with(from, f, edits)?;
    let lines: Vec<String> = unexported(&text).lines().map(str::to_owned).collect();
    let row = if f.is_method {
        f.rows.1 + 1
    } else {
        top_row(unit, helper.caller)
    };
    let mut edits = vec![spaced(unit, row, lines, f.is_method)];
    let keywords = |node: &u32| is_changed && call_text(unit, *node).contains('=');
    if !helper.calls.iter().any(keywords) {
        edits.extend(
            helper
                .calls
                .iter()
                .map(|&node| Edit::new(unit.range(node), name.clone())),
        );
    }
    let origin = if std::ptr::eq(unit, from) {
        "the same file".to_owned()
    } else {
        from.path.clone()
    };
    Draft::of(
        unit,
        edits,
        format!("{verb} {} of {origin} as {name}", f.name),
    )
}

fn call_text(unit: &Unit, name: u32) -> &str {
    let call = unit.parent(name);
    if unit.k(call) == Construct::Call {
        unit.at(call)
    } else {
        ""
    }
}

/// A copy of a function has no marks that export it.
fn unexported(text: &str) -> &str {
    let marks = [
        "export default ",
        "export ",
        "pub(crate) ",
        "pub(super) ",
        "pub ",
    ];
    let mark = marks.iter().find_map(|mark| text.strip_prefix(mark));
    mark.unwrap_or(text)
}

/// The rows of a function with edits.
pub(crate) fn text_with(unit: &Unit, f: &Function, mut edits: Vec<Edit>) -> Option<String> {
    let rows = unit.row_range(f.rows);
    edits.sort_by_key(|e| (e.range.start, e.range.end));
    for edit in &mut edits {
        edit.range =
            edit.range.start.checked_sub(rows.start)?..edit.range.end.checked_sub(rows.start)?;
    }
    applied(unit.slice(rows), &edits)
}

/// The first row of the top-level item around a function, with the comments above it.
pub(crate) fn top_row(unit: &Unit, f: &Function) -> usize {
    let around = unit.tops().into_iter().find(|&top| {
        let range = unit.range(top);
        range.start <= f.head.start && range.end >= f.body.end
    });
    let row = around.map_or(f.rows.0, |top| unit.row(unit.range(top).start));
    above(unit, row)
}

/// The first of the rows of comments and attributes directly above a row.
pub(crate) fn above(unit: &Unit, row: usize) -> usize {
    let belongs = |row: usize| {
        let text = unit.row_text(row).trim_start();
        let starts = ["//", "/*", "*", "#[", "@", "# "];
        starts.iter().any(|start| text.starts_with(start)) && !text.starts_with("#include")
            || unit.style.braces && text.starts_with('#') && text.starts_with("#[")
    };
    (0..row)
        .rev()
        .take_while(|&row| belongs(row))
        .last()
        .unwrap_or(row)
}

/// A definition with blank rows around it, before a row.
pub(crate) fn spaced(unit: &Unit, row: usize, mut lines: Vec<String>, is_member: bool) -> Edit {
    let gap = if is_member { 1 } else { unit.style.gap };
    let before = (0..row)
        .rev()
        .take_while(|&r| unit.row_text(r).trim().is_empty())
        .count();
    if is_member {
        lines.insert(0, String::new());
    } else {
        for _ in before..gap.min(row) {
            lines.insert(0, String::new());
        }
        lines.extend(vec![String::new(); gap]);
    }
    Edit::insert(unit, row, &lines)
}

/// A name with one more word, in the name's own style.
pub(crate) fn variant(name: &str, ending: &str, style: &Style) -> String {
    let has_humps =
        name.chars().skip(1).any(char::is_uppercase) && name.chars().any(char::is_lowercase);
    let is_snake = name.trim_matches('_').contains('_') || !has_humps && style.snake;
    if is_snake {
        return format!("{name}_{ending}");
    }
    let humps = camel(&format!("x {ending}"));
    let lower = if style.id() == "go" {
        name[..1].to_lowercase() + &name[1..]
    } else {
        name.to_owned()
    };
    format!("{lower}{}", &humps[1..])
}

/// Locals and parameters that can get other names.
pub(crate) fn renamable<'f>(unit: &Unit, f: &'f Function) -> Vec<&'f str> {
    let range = f.head.start..f.body.end;
    let text = unit.slice(range.clone());
    let names = f
        .params
        .iter()
        .map(|p| p.name.as_str())
        .chain(f.locals.iter().map(String::as_str));
    let is_safe = |name: &&str| {
        let all = unit.within(&range, Construct::Identifier);
        let shorthand = all.iter().any(|&n| {
            unit.at(n) == *name
                && (unit.kind_name(n).contains("shorthand")
                    || unit.kind_name(unit.parent(n)).contains("shorthand"))
        });
        let in_text = [
            format!("{{{name}}}"),
            format!("{{{name}:"),
            format!("{name}="),
        ];
        let in_texts = in_text.iter().any(|t| {
            text.contains(t.as_str())
                && (unit.style.id() == "rust" || t.ends_with('='))
                && unit.style.id() != "go"
        });
        !name.is_empty()
            && *name != "self"
            && *name != "this"
            && *name != "_"
            && !shorthand
            && !(in_texts && matches!(unit.style.id(), "rust" | "python"))
            && !text.contains("locals()")
            && !text.contains("global ")
    };
    let mut found: Vec<&str> = Vec::new();
    for name in names.filter(is_safe) {
        if !found.contains(&name) {
            found.push(name);
        }
    }
    found
}

/// Edits that give some locals other names.
fn local_names(unit: &Unit, f: &Function, most: usize) -> Option<Vec<Edit>> {
    let names = renamable(unit, f);
    new_names(unit, f, &names[..names.len().min(most)])
}

fn new_names(unit: &Unit, f: &Function, names: &[&str]) -> Option<Vec<Edit>> {
    let range = f.head.start..f.body.end;
    let text = unit.slice(range.clone());
    let mut free = NAMES
        .iter()
        .map(|name| unit.style.name(name))
        .filter(|name| !has_word(text, name));
    let mut edits = Vec::new();
    for name in names {
        let new = free.next()?;
        edits.extend(renames(unit, &range, name, &new));
    }
    (!edits.is_empty()).then_some(edits)
}

/// Edits that rename a local in a range.
pub(crate) fn renames(unit: &Unit, range: &Range<usize>, name: &str, new: &str) -> Vec<Edit> {
    let all = unit
        .names(range)
        .into_iter()
        .filter(|&node| unit.at(node) == name);
    all.map(|node| Edit::new(unit.range(node), new)).collect()
}

/// Swaps of statements next to each other that do not depend on each other.
fn swaps(unit: &Unit, f: &Function, most: usize) -> Vec<Edit> {
    let mut edits = Vec::new();
    let mut at = 0;
    while at + 1 < f.stmts.len() && edits.len() < most * 2 {
        let (one, two) = (&f.stmts[at], &f.stmts[at + 1]);
        let both = [one, two];
        let simple = both
            .iter()
            .all(|s| is_pure(unit, s.inner, s.kind) && unit.is_alone(&s.range));
        let (a, b) = (unit.slice(one.range.clone()), unit.slice(two.range.clone()));
        if simple && a != b && !depends(unit, a, b, f) {
            edits.push(Edit::new(one.range.clone(), b));
            edits.push(Edit::new(two.range.clone(), a));
            at += 2;
        } else {
            at += 1;
        }
    }
    edits
}

/// Whether a statement only gives a name a value that nothing else can see.
fn is_pure(unit: &Unit, node: u32, kind: Construct) -> bool {
    let is_assignment = matches!(
        kind,
        Construct::Assign | Construct::Declaration | Construct::Declarator
    );
    let acts = |n: u32| {
        matches!(
            unit.k(n),
            Construct::Call
                | Construct::New
                | Construct::Await
                | Construct::Yield
                | Construct::Macro
                | Construct::Propagate
                | Construct::Attribute
                | Construct::Subscript
                | Construct::Lambda
        )
    };
    is_assignment && !unit.below(node).any(acts)
}

/// Whether one of two statements has a name that the other gives a value.
fn depends(unit: &Unit, one: &str, two: &str, f: &Function) -> bool {
    let names = f.locals.iter().chain(f.params.iter().map(|p| &p.name));
    let _ = unit;
    names
        .into_iter()
        .any(|name| has_word(one, name) && has_word(two, name))
}
