//! Functions that are like one that is about to be written.
//!
//! [`forms`] keeps of each function of a file what it is compared by; [`Index`] holds
//! the forms of a code base and ranks them against a snippet or a description.
//! Unlike the signal of reimplementation this is a search: it looks at small
//! functions too, and gives the nearest with how near they are and why, for
//! somebody to judge.

mod form;
mod rank;

pub use form::{Form, forms};
pub(crate) use rank::FILLERS;
pub use rank::{Index, Like};
