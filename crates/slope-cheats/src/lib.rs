//! Attacks on slope: attempts of an agent, or of a program under test, to read, forge or reach
//! something, run for real in the runtime of an environment, and judged from outside.
//!
//! | module | contents |
//! |---|---|
//! | [`catalogue`] | the table of attacks, with the evidence of their failure |
//! | `bait` | bait on the host for an attack to find, and its detection |
//! | `agent` | attacks of agents: complete trials of the bench |
//! | `program` | attacks of programs: workspaces and archives that are graded |
//! | [`suite`] | runs rows of the table in parallel |
//!
//! The attacks are Python programs below `fixtures/`, which also contains the problem for grading
//! them.

mod agent;
mod bait;
pub mod catalogue;
mod embedded;
mod error;
mod program;
pub mod suite;

pub use catalogue::{Attack, By};
pub use error::Error;
pub use suite::{Finding, Suite};
