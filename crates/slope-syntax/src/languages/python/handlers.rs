//! Handlers that log and raise again for a reason.

use crate::construct::Construct;
use crate::view::View;

/// Logger methods that trace execution instead of reporting errors.
const QUIET: &[&str] = &["debug", "info", "trace"];

/// Whether a handler logs, by the calls `logs`, and raises the same error on purpose: it traces at
/// a low level, lets a cancellation through, is the last output before the traceback, or has a
/// comment above it. `head` is the whole head.
pub(super) fn raises_on_purpose(view: &View<'_>, handler: u32, head: &str, logs: &[u32]) -> bool {
    let calls = logs.iter().map(|&log| view.only(log).unwrap_or(log));
    let prints = |call: u32| view.text(call + 1) == "print";
    calls.clone().all(|call| is_quiet(view, call))
        || handles_cancellation(head)
        || calls.clone().all(prints) && is_program(view)
        || has_comment_above(view, handler)
}

/// `log.debug(...)`, also with a number after the name, and `log.log(DEBUG, ...)`.
fn is_quiet(view: &View<'_>, call: u32) -> bool {
    let name = view.last_part(call + 1);
    if name == "log" {
        let level = view
            .child(call, Construct::Arguments)
            .and_then(|a| view.first(a));
        let level = level.map_or("", |level| view.last_part(level));
        return QUIET.contains(&level.to_ascii_lowercase().as_str());
    }
    QUIET.contains(&name.trim_end_matches(|c: char| c.is_ascii_digit()))
}

/// Whether the head names an error for cancellation, which must be passed on.
fn handles_cancellation(head: &str) -> bool {
    let kinds = head.split(" as ").next().unwrap_or(head);
    kinds.contains("Cancel")
}

/// Whether a file is run as a program: it has an `if __name__ == "__main__"`.
fn is_program(view: &View<'_>) -> bool {
    let branches = view.of_kind(Construct::If).iter();
    branches
        .filter(|&&node| view.parent(node) == 0)
        .any(|&node| {
            let condition = view.first(node).map_or("", |first| view.text(first));
            condition.contains("__name__") && condition.contains("__main__")
        })
}

fn has_comment_above(view: &View<'_>, handler: u32) -> bool {
    let row = view.tree.node(handler).start_row;
    row > 0 && view.tree.row_text(row - 1).trim_start().starts_with('#')
}
