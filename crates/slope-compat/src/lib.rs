//! The definitions of other tools, written out in full, and the comparison with them.
//!
//! slope's own definitions may evolve; these may not, because their only purpose is to reproduce
//! another tool's numbers. So this crate does not use slope's own tables of grammar kinds: each
//! profile lists the kinds it needs.
//!
//! | module | contents |
//! |---|---|
//! | [`scb`] | profile `scb-0.2.0`: the report of scb-check 0.2.0 |
//! | [`compare`] | running scb-check and slope, field by field |
//! | [`runs`] | profile `published-runs`: the numbers that published runs store |

pub mod compare;
pub mod runs;
pub mod scb;
