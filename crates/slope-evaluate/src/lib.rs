//! Experiments with rewards: whether they tell better edits from worse ones.
//!
//! | module | what it holds |
//! |---|---|
//! | `commits` | edits that people made, from git histories |
//! | `grading` | grades of edits, with the sizes that baselines need |
//! | [`pair`] | two edits, one better than the other |
//! | [`accuracy`] | how often the better one has the higher quality, beside *fewer lines* and *smaller diff* |
//! | `refactorings` | refactoring commits against their reverse |
//! | `mutated` | commits of people against known edits of them |
//! | `honest` | quality of commits of well-kept repositories |
//! | [`trajectories`] | whether the quality of a checkpoint predicts the next one |
//! | [`calibrate`] | weights of components, fitted to pairs |

pub mod accuracy;
pub mod calibrate;
mod commits;
mod grading;
mod honest;
mod mutated;
pub mod pair;
mod refactorings;
pub mod trajectories;

pub use commits::{Choice, RealEdit, real_edits};
pub use grading::{Desk, Error};
pub use honest::{Honest, honest};
pub use mutated::{Mutated, mutated};
pub use refactorings::refactorings;
