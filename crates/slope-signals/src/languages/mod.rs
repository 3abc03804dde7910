//! One file per language: what its grammar's kinds mean to the signals.

mod python;

use crate::kind::K;

/// The kinds of a language that mean something; `None` if signals do not know it.
pub(crate) fn kinds(id: &str) -> Option<&'static [(&'static str, K)]> {
    match id {
        "python" => Some(python::KINDS),
        _ => None,
    }
}
