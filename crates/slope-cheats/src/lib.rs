//! Attacks on slope: what an agent, or a program under test, would try to read, forge or reach, run for
//! real in the runtime of an environment, and judged from outside.
//!
//! | module | what |
//! |---|---|
//! | [`catalogue`] | the table: who tries what, and how its failure shows |
//! | `bait` | bait on the host for an attack to find, and whether it was found |
//! | `agent` | attacks of agents: whole trials of the bench |
//! | `program` | attacks of programs: workspaces and archives that are graded |
//! | [`suite`] | runs rows of the table side by side |
//!
//! The attacks are Python programs below `fixtures/`, which also holds the problem that they are graded by.

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
