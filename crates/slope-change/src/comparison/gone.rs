//! Files that a change removes.

use slope_measure::{Choice, Selection};

use crate::base_files::{Files, Place};

/// Measured files of the earlier side that the later side does not have.
pub(super) fn gone<'s>(
    (old, new): (&'s Files, &'s Files),
    selection: &'s Selection,
) -> impl Iterator<Item = (&'s String, &'s Place)> {
    let gone = old.iter().filter(|(path, _)| !new.contains_key(*path));
    gone.filter(|(path, _)| selection.choice(path) == Choice::Measured)
}
