//! Exception handlers that ignore errors, or that only log and raise again.

use crate::catalogue::Signal;
use crate::gather::Gatherer;
use crate::words::identifiers;
use slope_syntax::Construct;
use slope_syntax::view::View;

/// A handler: its head and its statements.
struct Handler<'a> {
    node: u32,
    /// The head's first line, which findings point at.
    head: &'a str,
    /// Head with its continuation lines.
    whole: &'a str,
    statements: Vec<u32>,
    explained: bool,
}

/// Reports handlers that ignore all errors, and those that only raise the same one again.
pub(crate) fn find(gatherer: &mut Gatherer<'_>) {
    let nodes: Vec<u32> = gatherer.view.of_kind(Construct::Catch).to_vec();
    for node in nodes {
        let Some(handler) = read(&gatherer.view, node) else {
            continue;
        };
        let Some((signal, message)) = judge(&gatherer.view, &handler) else {
            continue;
        };
        let head = gatherer.view.tree.node(node);
        let end = head.start_byte + u32::try_from(handler.head.len()).unwrap_or(0);
        let symbol = handler.head;
        let place = gatherer
            .view
            .place_between(head.start_byte, end.min(head.end_byte));
        gatherer.report_at(signal, node, place, message.to_owned(), symbol);
    }
}

fn read<'a>(view: &View<'a>, node: u32) -> Option<Handler<'a>> {
    let block = view.last_child(node, Construct::Block);
    let may_lack_body = view.conventions.handlers.may_lack_body;
    if block.is_none() && !may_lack_body {
        return None;
    }
    let at = view.tree.node(node);
    let start = at.start_byte as usize;
    // An empty handler may have no body.
    let body = block.map_or(at.end_byte, |block| view.tree.node(block).start_byte) as usize;
    let head = view.tree.text().get(start..body)?.trim_end();
    let whole = head;
    let head = head.split(['\n', '#']).next().unwrap_or(head).trim_end();
    // Text after the first line of an empty handler without a body is not its head.
    let whole = if may_lack_body { head } else { whole };
    let explained =
        view.has_below(node, Construct::Comment) || trailing_comment(view, node) || says_so(whole);
    Some(Handler {
        node,
        head,
        whole,
        statements: block.map_or_else(Vec::new, |block| view.parts(block).collect()),
        explained,
    })
}

/// Whether the error's name shows that it is not used, as is customary in Java: `ignored` and
/// `expected`.
fn says_so(head: &str) -> bool {
    identifiers(head).next_back().is_some_and(|name| {
        let word = name.trim_start_matches('_');
        let begins = ["ignore", "expected", "unused"];
        word.is_empty() || begins.iter().any(|begin| word.starts_with(begin))
    })
}

/// A comment after the handler's last line belongs to it, even if the grammar attaches it
/// elsewhere.
fn trailing_comment(view: &View<'_>, node: u32) -> bool {
    let row = view.tree.node(node).end_row;
    let text = view.tree.row_text(row);
    let next = view.tree.row_text(row + 1).trim_start();
    text.contains('#') || text.contains("//") || next.starts_with('#')
}

fn judge(view: &View<'_>, handler: &Handler<'_>) -> Option<(Signal, &'static str)> {
    let (last, before) = match handler.statements.split_last() {
        Some((&last, before)) => (Some(last), before),
        None => (None, &[][..]),
    };
    if let Some(last) = last
        && (view.conventions.handlers.raises_same)(view, handler.head, last)
    {
        if handler.explained {
            return None;
        }
        if before.is_empty() {
            return is_last_handler(view, handler.node).then_some((
                Signal::UselessCatch,
                "The handler raises what it caught and does nothing else.",
            ));
        }
        let on_purpose = || {
            let is_meant = view.conventions.handlers.logs_on_purpose;
            is_meant(view, handler.node, handler.whole, before)
        };
        let logs = before.iter().all(|&s| is_log(view, s)) && !on_purpose();
        return logs.then_some((
            Signal::HandlerOnlyLogs,
            "The handler logs and raises the same again, so that it is reported more than once.",
        ));
    }
    // In languages whose handlers cannot name an error, returning nothing is the idiom for "no".
    let named = handler.head.starts_with("except");
    let ignores = handler
        .statements
        .iter()
        .all(|&s| is_nothing(view, s) && (named || view.k(s) != Construct::Return));
    let method = view
        .function(handler.node)
        .and_then(|f| view.name_of(f))
        .map_or("", |n| view.text(n));
    let finalizer = matches!(method, "__del__" | "finalize");
    (ignores
        && (view.conventions.handlers.is_broad)(handler.whole)
        && !handler.explained
        && !finalizer
        && !tries_import(view, handler.node))
    .then_some((
        Signal::CatchAllIgnored,
        "Every error here is silently ignored.",
    ))
}

fn is_nothing(view: &View<'_>, statement: u32) -> bool {
    match view.k(statement) {
        Construct::Pass | Construct::Continue => true,
        Construct::ExprStmt => view
            .only(statement)
            .is_none_or(|e| view.k(e) == Construct::Ellipsis),
        Construct::Return => view
            .only(statement)
            .is_none_or(|value| view.k(value) == Construct::Null),
        _ => false,
    }
}

/// Whether no later handler of the same `try` could have caught the errors that this one raises
/// again.
fn is_last_handler(view: &View<'_>, node: u32) -> bool {
    view.last_child(view.parent(node), Construct::Catch) == Some(node)
}

fn tries_import(view: &View<'_>, handler: u32) -> bool {
    let attempt = view.parent(handler);
    view.child(attempt, Construct::Block).is_some_and(|block| {
        view.parts(block)
            .any(|s| matches!(view.k(s), Construct::Import | Construct::ImportFrom))
    })
}

/// Names that logging is called by, as the first or second last part of a dotted name.
const LOGGERS: &[&str] = &["log", "logger", "logging", "console", "slog", "tracing"];
const PRINTERS: &[&str] = &[
    "print",
    "println",
    "eprintln",
    "printf",
    "print_exc",
    "printStackTrace",
    "puts",
];

/// Whether a statement is a single logging call.
fn is_log(view: &View<'_>, statement: u32) -> bool {
    let call = view.only(statement).unwrap_or(statement);
    if view.k(call) != Construct::Call {
        return false;
    }
    let text = view.text(call);
    let callee = text.split('(').next().unwrap_or(text);
    let mut parts: Vec<&str> = callee.split(['.', ':']).filter(|p| !p.is_empty()).collect();
    let Some(last) = parts.pop() else {
        return false;
    };
    let logger = |part: &&str| {
        let lower = part.trim_start_matches('_').to_ascii_lowercase();
        LOGGERS.contains(&lower.as_str()) || lower.ends_with("logger")
    };
    PRINTERS.contains(&last)
        || parts.iter().any(logger)
        || (parts.is_empty() && matches!(last, "log"))
}
