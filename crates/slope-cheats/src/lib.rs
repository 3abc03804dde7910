//! Attacks on slope. An agent, or a program under test, tries to read, forge or reach something.
//! The attacks run for real in the runtime of an environment, and success is judged from outside.
//!
//! | module | contents |
//! |---|---|
//! | [`catalogue`] | the table of attacks, with the results if they fail |
//! | `bait` | bait on the host for an attack to find, and its detection |
//! | `agent` | attacks of agents: complete trials of the bench |
//! | `program` | attacks of programs: workspaces and archives to grade |
//! | [`suite`] | runs attacks in parallel |
//!
//! The attacks are Python programs below `fixtures/`. Their problem is there, too.

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
