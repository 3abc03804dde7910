//! Indentation: what one level adds.

use super::counter::Counter;
use crate::facts::Habit;
use slope_syntax::Construct;
use slope_syntax::view::View;

/// Maximum number of spaces that one level adds.
const MAX_SPACES: usize = 8;

/// Counts blocks by what their first row adds to the row at which their statement begins.
pub(super) fn count(view: &View<'_>, counter: &mut Counter) {
    for &block in view.of_kind(Construct::Block) {
        if let Some(way) = step(view, block) {
            counter.silent(Habit::Indents, &way);
        }
    }
}

fn step(view: &View<'_>, block: u32) -> Option<String> {
    let row = |node: u32| view.tree.node(node).start_row;
    let owner = row(view.parent(block));
    let first = view.parts(block).map(row).find(|&first| first > owner)?;
    // A string that goes on in the row would not be code.
    let inner = view.tree.row_text(first);
    let added = indentation(inner).strip_prefix(indentation(view.tree.row_text(owner)))?;
    match added.len() {
        1 if added == "\t" => Some("are indented by a tab".to_owned()),
        count @ 1..=MAX_SPACES if added.bytes().all(|byte| byte == b' ') => {
            Some(format!("are indented by {count} spaces"))
        }
        _ => None,
    }
}

fn indentation(row: &str) -> &str {
    &row[..row.len() - row.trim_start().len()]
}
