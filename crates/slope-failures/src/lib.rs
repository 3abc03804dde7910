//! How an assistant fails: a class for each failed test and for each attempt.
//!
//! Rules are data (`rules.toml`): the first one that fits gives the class. They need only what a run directory
//! keeps of a test: its outcome, group and message, and whether it passed at the checkpoint before. No rule sees a
//! score, and a class never changes one.

mod attempt;
mod evidence;
mod label;
mod rules;
mod run;
mod same;

pub use attempt::{AttemptClass, Classified, of_attempt};
pub use evidence::{Answer, Circumstances, Evidence};
pub use label::{Agreement, ClassAgreement, Label, agreement};
pub use rules::{Assigned, Rules};
pub use run::{FailedAttempt, GradedCheckpoint};

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests;
