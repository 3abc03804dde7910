//! One file per language: what its grammar's kinds mean to the signals.

mod c;
mod cpp;
mod csharp;
mod go;
mod java;
mod javascript;
mod python;
mod ruby;
mod rust;

use crate::kind::K;

/// A kind's name and what it means.
pub(crate) type Kinds = &'static [(&'static str, K)];

/// The kinds of a language that mean something, in one or two lists; `None` if
/// signals do not know it.
pub(crate) fn kinds(id: &str) -> Option<[Kinds; 2]> {
    match id {
        "python" => Some([python::KINDS, &[]]),
        "javascript" => Some([javascript::KINDS, &[]]),
        "typescript" | "tsx" => Some([javascript::KINDS, javascript::TYPED]),
        "rust" => Some([rust::KINDS, &[]]),
        "go" => Some([go::KINDS, &[]]),
        "java" => Some([java::KINDS, &[]]),
        "c" => Some([c::KINDS, &[]]),
        "cpp" => Some([c::KINDS, cpp::KINDS]),
        "csharp" => Some([csharp::KINDS, &[]]),
        "ruby" => Some([ruby::KINDS, &[]]),
        _ => None,
    }
}
