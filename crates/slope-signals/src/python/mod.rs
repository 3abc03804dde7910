//! Facts of Python files.

mod annotations;
pub(crate) mod checks;
mod delegates;
mod hints;
mod imports;
mod locals;
pub(crate) mod names;
mod symbols;
mod wanted;

use crate::facts::FileSignals;
use crate::gather::Gatherer;
use crate::unreachable::Ends;

/// Adds the facts that only Python has.
pub(crate) fn gather(gatherer: &mut Gatherer<'_>, facts: &mut FileSignals, ends: &Ends) {
    let classes = symbols::classes(gatherer, facts);
    symbols::functions(gatherer, facts, &classes);
    symbols::calls(gatherer, facts);
    imports::gather(gatherer, facts);
    locals::find(gatherer);
    checks::find(gatherer, ends);
    annotations::find(gatherer);
    delegates::find(gatherer);
}
