//! Code near the change and elsewhere that the task does not concern.

use slope_syntax::Construct;

use crate::draft::{Draft, Edit, Site};
use crate::function::Function;
use crate::kind::Kind;
use crate::unit::{Unit, indentation};

pub(crate) const KINDS: &[Kind] = &[
    Kind::slop(
        "reformat-neighbours",
        "reformats functions that the change does not touch",
        reformatted,
    ),
    Kind::slop(
        "unrelated-file",
        "edits a file that the change does not concern",
        unrelated,
    ),
];

fn reformatted(site: &Site<'_>) -> Option<Draft> {
    let unit = site.unit;
    let is_touched = |f: &&Function| unit.touched.range(f.rows.0..=f.rows.1).next().is_some();
    let all: Vec<&Function> = unit.functions.iter().filter(|f| !is_touched(f)).collect();
    let mut edits: Vec<Edit> = Vec::new();
    let mut names: Vec<&str> = Vec::new();
    for f in site.pick.shuffled(&all) {
        let more = layout(unit, f);
        let known = more.iter().any(|m| {
            edits
                .iter()
                .any(|e| e.range.start <= m.range.end && m.range.start <= e.range.end)
        });
        if more.is_empty() || known {
            continue;
        }
        edits.extend(more);
        names.push(&f.name);
        if names.len() == site.many(1, 8) {
            break;
        }
    }
    Draft::of(unit, edits, format!("reformats {}", names.join(", ")))
}

/// Edits that put the arguments of calls in rows of their own, or blank rows between statements.
pub(crate) fn layout(unit: &Unit, f: &Function) -> Vec<Edit> {
    let mut edits: Vec<Edit> = Vec::new();
    let mut until = 0;
    for list in unit.within(&f.body, Construct::Arguments) {
        let range = unit.range(list);
        let parts: Vec<u32> = unit.parts(list).collect();
        let row = unit.row(range.start);
        let plain = range.start >= until
            && parts.len() > 1
            && unit.row(range.end - 1) == row
            && unit.at(list).starts_with('(')
            && !unit.inside[row];
        if !plain || unit.row_text(row).trim_start().starts_with('#') || in_text(unit, list) {
            continue;
        }
        until = unit.start(row + 1);
        let indent = indentation(unit.row_text(row));
        let inner = format!("\n{indent}{}", unit.step);
        let texts: Vec<&str> = parts.iter().map(|&p| unit.at(p)).collect();
        if texts.join("").len() + 2 * (texts.len() - 1) + 2 != unit.at(list).len() {
            continue;
        }
        let last = if unit.style.id() == "go" { "," } else { "" };
        edits.push(Edit::new(
            range,
            format!(
                "({inner}{}{last}\n{indent})",
                texts.join(&format!(",{inner}"))
            ),
        ));
    }
    if !edits.is_empty() {
        return edits;
    }
    let pairs = f
        .stmts
        .windows(2)
        .filter(|w| w[1].rows.0 == w[0].rows.1 + 1);
    pairs
        .map(|w| Edit::new(unit.start(w[1].rows.0)..unit.start(w[1].rows.0), "\n"))
        .collect()
}

/// Whether a node is code in a text, where rows may not be broken.
fn in_text(unit: &Unit, node: u32) -> bool {
    let around = std::iter::successors(Some(node), |&n| Some(unit.parent(n)).filter(|&p| p != n));
    let mut around = around.take(60);
    around.any(|n| {
        matches!(
            unit.k(n),
            Construct::String | Construct::Interpolation | Construct::Tokens | Construct::Macro
        )
    })
}

fn unrelated(site: &Site<'_>) -> Option<Draft> {
    let peers: Vec<&Unit> = site
        .subject
        .peers()
        .iter()
        .filter(|p| p.style.id() == site.unit.style.id() && !p.functions.is_empty())
        .collect();
    let mut found: Option<Draft> = None;
    let mut count = 0;
    for peer in site.pick.shuffled(&peers) {
        let Some(draft) = small_edit(site, peer) else {
            continue;
        };
        found = Some(match found {
            Some(first) => first.and(draft),
            None => draft,
        });
        count += 1;
        if count == site.many(1, 4) {
            break;
        }
    }
    found
}

/// A small edit of a file that changes nothing: another layout of a function, or blank rows.
fn small_edit(site: &Site<'_>, peer: &Unit) -> Option<Draft> {
    let all: Vec<&Function> = peer.functions.iter().collect();
    let f = site.pick.one(&all)?;
    let mut edits = layout(peer, f);
    edits.truncate(site.many(1, 3));
    if edits.is_empty() {
        let row = f.stmts.first()?.rows.0;
        edits.push(Edit::insert(peer, row, &[String::new()]));
    }
    Draft::of(
        peer,
        edits,
        format!("edits {}, which the change does not concern", peer.path),
    )
}
