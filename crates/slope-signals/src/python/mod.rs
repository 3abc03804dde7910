//! Facts of Python files.

mod annotations;
mod checks;
mod delegates;
mod imports;
mod locals;
pub(crate) mod names;
mod symbols;

use crate::facts::FileSignals;
use crate::gather::Gatherer;

/// Adds what only Python knows to the facts of a file.
pub(crate) fn gather(gatherer: &mut Gatherer<'_>, facts: &mut FileSignals) {
    let classes = symbols::classes(gatherer, facts);
    symbols::functions(gatherer, facts, &classes);
    symbols::calls(gatherer, facts);
    imports::gather(gatherer, facts);
    locals::find(gatherer);
    checks::find(gatherer);
    annotations::find(gatherer);
    delegates::find(gatherer);
}
