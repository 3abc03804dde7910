//! Reads run directories. The rest of the crate makes them; nothing here starts anything.

pub mod assemble;
pub mod exhibit;
pub mod gather;
pub mod outgoing;
pub(crate) mod recordings;
pub mod workspaces;
