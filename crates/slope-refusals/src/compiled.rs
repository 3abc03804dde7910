//! Java, C#, Rust and Go: code in places where it is not allowed.
//!
//! | module | what it holds |
//! |---|---|
//! | `csharp`, `go`, `java`, `rust` | checks of one language each |
//! | `jumps` | `break` and `continue` without a loop |
//! | `look` | questions about nodes |
//! | `names` | names that are declared twice |

mod csharp;
mod go;
mod java;
mod jumps;
mod look;
mod names;
mod rust;

use slope_syntax::SyntaxTree;

use crate::{MAX_PLACES, Refusal};
use look::Look;

/// A check of one language at a node.
type Check = fn(&Look<'_>, u32) -> Option<String>;

/// The first part of a file in a wrong place.
type Order = fn(&Look<'_>) -> Option<(u32, String)>;

pub(crate) fn refusals(tree: &SyntaxTree) -> Vec<Refusal> {
    let (check, order): (Check, Order) = match tree.language().id() {
        "csharp" => (csharp::at, csharp::order),
        "go" => (go::at, go::order),
        "java" => (java::at, java::order),
        "rust" => (rust::at, rust::order),
        _ => return Vec::new(),
    };
    // Where the grammar has lost its way, nothing is certain.
    if tree.errors().is_some() {
        return Vec::new();
    }
    let look = Look::new(tree);
    let refusal = |(node, message): (u32, String)| Refusal {
        line: tree.node(node).start_row + 1,
        message,
    };
    let nodes = 0..tree.node(0).end;
    let at = |node: u32| {
        let found = check(&look, node)
            .or_else(|| jumps::at(&look, node))
            .or_else(|| names::at(&look, node))
            .or_else(|| left_out(&look, node));
        found.map(|message| (node, message))
    };
    let found = order(&look).into_iter().chain(nodes.filter_map(at));
    found.map(refusal).take(MAX_PLACES).collect()
}

/// A name that the grammar has put in.
fn left_out(look: &Look<'_>, node: u32) -> Option<String> {
    let here = look.tree.node(node);
    let is_empty = here.named && here.start_byte == here.end_byte && here.parent != node;
    (is_empty && look.kind(node) == "identifier").then(|| "a name or a value is missing".to_owned())
}
