//! Known edits of code: slop, improvements, hard negatives and neutral ones.
//!
//! A [`Subject`] is a real change of a code base. [`mutate`] makes another change from it that differs from the real
//! one in a known way. Detectors are evaluated with such pairs, so this crate shares no code with them.
//!
//! | module | contents |
//! |---|---|
//! | [`style`] | habits of languages: how each writes what is inserted |
//! | `unit`, `function` | a file with the facts that edits need |
//! | `subject` | a change and its base |
//! | `draft` | edits of a text, and the check that they parse |
//! | `kind` | a kind of edit |
//! | `kinds` | the table of kinds |
//! | `copies`, `inline`, `utilities` | code that exists already |
//! | `unused`, `dead` | code without effect |
//! | `handlers`, `checks`, `nesting` | errors, conditions |
//! | `flags`, `merges` | parameters, wrappers, merged functions |
//! | `names`, `idioms` | another style than the file's |
//! | `neighbours`, `additions`, `comments` | more than the task needs |
//! | `improve`, `good`, `neutral` | edits that are no slop |
//! | `normal` | code whose local names say nothing |
//! | [`ledger`] | edits of Python whose effect on a ledger is known |

mod additions;
mod checks;
mod comments;
mod copies;
mod dead;
mod draft;
mod flags;
mod function;
mod good;
mod handlers;
mod idioms;
mod improve;
mod inline;
mod kind;
mod kinds;
pub mod ledger;
mod loops;
mod merges;
mod names;
mod neighbours;
mod nesting;
mod neutral;
mod normal;
mod pick;
pub mod style;
mod subject;
mod unit;
mod unused;
mod utilities;

pub use kind::{Family, Kind, Severity};
pub use kinds::{KINDS, Mutation, mutate, mutations};
pub use normal::with_numbered_locals;
pub use pick::{Pick, seed};
pub use subject::{Files, Subject};
