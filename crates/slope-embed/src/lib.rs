//! slope's commands as functions, for bindings of other languages and for servers.
//!
//! Each function takes [`Code`], a path or texts by path, and returns the JSON document that the command prints with
//! `--format json`. For the same folder both are equal byte for byte.
//!
//! | function | command |
//! |---|---|
//! | [`measure`] | `slope measure PATH` |
//! | [`diff`] | `slope diff BASE HEAD` |
//! | [`check`] | `slope check BASE HEAD` |
//! | [`judge`] | `slope judge --static PATH` |
//! | [`judge_change`] | the same for a change, as `--diff` |
//! | [`judge_by_model`], [`judge_change_by_model`] | the same with `--model` |
//! | [`grade`], [`Grader`] | `slope grade --base PATH` |
//! | [`explain`] | `slope explain ID` |
//!
//! | module | contents |
//! |---|---|
//! | `code` | texts in a folder of their own, so that all code is measured in the same way |
//! | `settings` | options of a measurement, from a policy or the project's configuration |
//! | `model` | a language model that judges |
//! | [`catalogue`] | descriptions of rules and signals |
//! | `document` | JSON as commands print it |

pub mod catalogue;
mod change;
mod code;
mod document;
mod error;
mod explain;
mod grade;
mod judge;
mod measure;
mod model;
mod settings;

pub use change::{check, diff};
pub use code::Code;
pub use document::printable;
pub use error::{Error, ErrorKind};
pub use explain::{Explanation, explain, explanation};
pub use grade::{Grader, flat, grade};
pub use judge::{judge, judge_by_model, judge_change, judge_change_by_model};
pub use measure::measure;
pub use model::Model;
pub use settings::Settings;
