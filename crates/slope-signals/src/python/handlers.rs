//! Handlers of Python that log and raise again for a reason.

use crate::kind::K;
use crate::view::View;

/// Methods of loggers that tell who looks for it what happened, and report no error.
const QUIET: &[&str] = &["debug", "info", "trace"];

/// Whether a handler that only logs, by `calls`, and raises the same again is meant:
/// it traces at a low level, lets a cancellation through, is a program's last word before
/// the traceback, or is explained by a comment above it. `head` is all of the handler's head.
pub(crate) fn raises_on_purpose(view: &View<'_>, handler: u32, head: &str, calls: &[u32]) -> bool {
    calls.iter().all(|&call| is_quiet(view.text(call)))
        || handles_cancellation(head)
        || calls.iter().all(|&call| callee(view.text(call)) == "print") && is_program(view)
        || has_comment_above(view, handler)
}

fn callee(call: &str) -> &str {
    call.split('(').next().unwrap_or(call).trim()
}

/// `log.debug(...)`, also with a number after the name, and `log.log(DEBUG, ...)`.
fn is_quiet(call: &str) -> bool {
    let name = callee(call).rsplit('.').next().unwrap_or_default();
    if QUIET.contains(&name.trim_end_matches(|c: char| c.is_ascii_digit())) {
        return true;
    }
    let passed = call.split_once('(').map_or("", |(_, passed)| passed);
    let level = passed.split([',', ')']).next().unwrap_or_default();
    let level = level.rsplit('.').next().unwrap_or_default().trim();
    name == "log" && QUIET.contains(&level.to_ascii_lowercase().as_str())
}

/// Whether the head names a type for what is cancelled, which has to be passed on.
fn handles_cancellation(head: &str) -> bool {
    let kinds = head.split(" as ").next().unwrap_or(head);
    kinds.contains("Cancel")
}

/// Whether a file is run as a program: it has an `if __name__ == "__main__"`.
fn is_program(view: &View<'_>) -> bool {
    let branches = view.of_kind(K::If).iter();
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
