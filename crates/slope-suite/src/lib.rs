//! Suite drivers that turn a snapshot into a verdict.
//!
//! The workspace is hostile: the grader is outside it, in folders that the program under test
//! cannot see, and the only code of a workspace that ever runs is the program, as a child in a
//! nested sandbox. See `docs/grading.md`.
//!
//! [`driver_for`] gives the driver of a problem's kind of suite, [`Driver::grade`] the
//! verdict. A binary that grades must pass [`BUILTINS`] to `slope_sandbox::dispatch`
//! before it does anything else.

mod archive;
mod cases;
mod driver;
mod error;
mod inside;
mod pytest;
mod request;
mod stability;
pub mod track;
mod verdict;

pub use cases::{BUILTINS, Cases, Listed, Rehearsal, Wanted};
pub use driver::driver_for;
pub use error::Error;
pub use pytest::Pytest;
pub use request::{Driver, GradeOptions, GradeRequest, Stability, default_suite_limit};
pub use stability::NOT_REACHED;
