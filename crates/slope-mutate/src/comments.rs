//! Comments that say what the code says.

use slope_syntax::Construct;

use crate::draft::{Draft, Edit, Site};
use crate::function::{Function, Stmt};
use crate::kind::Kind;
use crate::style::words;
use crate::unit::{Unit, indentation};

pub(crate) const KINDS: &[Kind] = &[Kind::slop(
    "narrating-comments",
    "adds comments that only repeat the statements",
    narrated,
)];

fn narrated(site: &Site<'_>) -> Option<Draft> {
    let unit = site.unit;
    site.functions().into_iter().find_map(|f| {
        let fits = |s: &&Stmt| unit.is_alone(&s.range) && !is_commented(unit, s.rows.0);
        let notes = f
            .stmts
            .iter()
            .filter(fits)
            .filter_map(|s| Some((s.rows.0, said(unit, f, s)?)));
        let notes: Vec<(usize, String)> = notes.take(site.many(1, 30)).collect();
        if notes.len() < site.many(1, 2) {
            return None;
        }
        let edit = |(row, text): &(usize, String)| {
            let indent = indentation(unit.row_text(*row));
            Edit::insert(unit, *row, &[format!("{indent}{}", unit.style.note(text))])
        };
        Draft::of(
            unit,
            notes.iter().map(edit).collect(),
            format!("adds comments in {} that repeat its code", f.name),
        )
    })
}

fn is_commented(unit: &Unit, row: usize) -> bool {
    let mark = unit.style.comment.trim();
    row > 0
        && [mark, "//", "/*", "*"]
            .iter()
            .any(|m| unit.row_text(row - 1).trim_start().starts_with(m))
}

/// What a statement does, in words.
fn said(unit: &Unit, f: &Function, s: &Stmt) -> Option<String> {
    let text = unit.slice(s.range.clone());
    let target = || {
        let node = if s.kind == Construct::Declaration {
            unit.parts(s.inner)
                .find(|&n| unit.k(n) == Construct::Declarator)?
        } else {
            s.inner
        };
        let first = unit.parts(node).next()?;
        let name = unit
            .at(first)
            .trim_start_matches('*')
            .rsplit(['.', '>'])
            .next()?
            .to_owned();
        name.chars()
            .all(|c| c.is_alphanumeric() || c == '_')
            .then(|| words(&name))
    };
    let said = match s.kind {
        Construct::Return => "Return the result".to_owned(),
        Construct::Raise => "Raise an error".to_owned(),
        Construct::For => "Loop over the items".to_owned(),
        Construct::While => "Loop while the condition holds".to_owned(),
        Construct::If => {
            let head = text
                .lines()
                .next()?
                .trim_start_matches("if")
                .trim()
                .trim_end_matches(['{', ':'])
                .trim();
            let head = head.trim_start_matches('(').trim_end_matches(')');
            if head.len() > 40 || head.contains("*/") {
                "Check the condition".to_owned()
            } else {
                format!("Check if {head}")
            }
        }
        Construct::Try => "Try to do it and handle errors".to_owned(),
        Construct::With => "Open the resource".to_owned(),
        Construct::Assign | Construct::Declaration | Construct::Declarator => {
            format!("Set {}", target()?)
        }
        Construct::AugAssign => format!("Update {}", target()?),
        Construct::Call | Construct::Await | Construct::Macro => {
            let name = text
                .split('(')
                .next()?
                .rsplit(['.', ':', '>', ' '])
                .next()?
                .trim_end_matches('!');
            format!("Call {}", words(name))
        }
        _ => return None,
    };
    let _ = f;
    said.is_ascii().then_some(said)
}
