//! Gathers the facts of one file.

use crate::catalogue::Signal;
use crate::facts::{Local, NO_NAME};
use crate::occurrences::Occurrences;
use slope_syntax::view::{Place, View};

/// A file whose facts are being gathered.
pub(crate) struct Gatherer<'a> {
    pub(crate) view: View<'a>,
    pub(crate) names: Occurrences<'a>,
    pub(crate) local: Vec<Local>,
}

impl Gatherer<'_> {
    /// Adds a finding about a node; `symbol` names its subject for `classify`.
    pub(crate) fn report(&mut self, signal: Signal, node: u32, message: String, symbol: &str) {
        let place = self.view.place(node);
        self.report_at(signal, node, place, message, symbol);
    }

    /// Adds a finding about a node, valid only if `class` is the name of a class.
    pub(crate) fn report_if_class(
        &mut self,
        class: u32,
        signal: Signal,
        node: u32,
        message: String,
    ) {
        let text = self.view.text(node);
        self.report(signal, node, message, text);
        if let Some(local) = self.local.last_mut() {
            local.class = class;
        }
    }

    /// Adds a finding about a node with the first line of it, or a beginning of that, as its place.
    pub(crate) fn report_line(&mut self, signal: Signal, node: u32, message: String, line: &str) {
        let start = self.view.tree.node(node).start_byte;
        let end = start + u32::try_from(line.len()).unwrap_or(0);
        let place = self.view.place_between(start, end);
        self.report_at(signal, node, place, message, line);
    }

    /// Adds a finding about a place in or at a node.
    pub(crate) fn report_at(
        &mut self,
        signal: Signal,
        node: u32,
        place: Place,
        message: String,
        symbol: &str,
    ) {
        let callable = self.view.callable(node);
        self.local.push(Local {
            signal,
            place,
            callable: callable.to_owned(),
            message,
            symbol: symbol_hash(callable, symbol),
            class: NO_NAME,
            tried: false,
        });
    }
}

/// Hash of a symbol inside a callable (FNV-1a, 32 bits: a rare collision only makes an origin less
/// precise).
pub(crate) fn symbol_hash(callable: &str, symbol: &str) -> u32 {
    let bytes = callable.bytes().chain([0]).chain(symbol.bytes());
    bytes.fold(0x811c_9dc5, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}
