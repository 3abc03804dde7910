//! Search for functions similar to one that is about to be written.
//!
//! [`forms`] computes the comparable form of each function of a file. [`Index`] contains the forms
//! of a code base and ranks them against a snippet or a description. Unlike the reimplementation
//! signal, this is a search: it includes small functions, and returns the most similar ones with
//! score and reasons, and the user decides.

mod form;
mod rank;

pub use form::{Form, forms};
pub(crate) use rank::FILLERS;
pub use rank::{Index, Like};
