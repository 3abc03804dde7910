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

/// The names that a parameter declares, given with its identifiers.
type Names = fn(&Look<'_>, u32, &[u32]) -> Vec<u32>;

/// The checks of a language.
pub(crate) struct Checks {
    at: Check,
    order: Order,
    names: Names,
}

pub(crate) use csharp::CHECKS as CSHARP;
pub(crate) use go::CHECKS as GO;
pub(crate) use java::CHECKS as JAVA;
pub(crate) use rust::CHECKS as RUST;

pub(crate) fn refusals(tree: &SyntaxTree, checks: &'static Checks) -> Vec<Refusal> {
    // Where the grammar has lost its way, nothing is certain.
    if tree.errors().is_some() {
        return Vec::new();
    }
    let look = Look::new(tree, checks);
    let refusal = |(node, message): (u32, String)| Refusal {
        line: tree.node(node).start_row + 1,
        message,
    };
    let nodes = 0..tree.node(0).end;
    let at = |node: u32| {
        let found = (checks.at)(&look, node)
            .or_else(|| jumps::at(&look, node))
            .or_else(|| names::at(&look, node))
            .or_else(|| left_out(&look, node));
        found.map(|message| (node, message))
    };
    let found = (checks.order)(&look)
        .into_iter()
        .chain(nodes.filter_map(at));
    found.map(refusal).take(MAX_PLACES).collect()
}

/// A name that the grammar has put in.
fn left_out(look: &Look<'_>, node: u32) -> Option<String> {
    let here = look.tree.node(node);
    let is_empty = here.named && here.start_byte == here.end_byte && here.parent != node;
    (is_empty && look.kind(node) == "identifier").then(|| "a name or a value is missing".to_owned())
}
