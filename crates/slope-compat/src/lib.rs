//! The definitions of other tools, written out in full, and the comparison with them.
//!
//! slope's own definitions may evolve; those here may not, because their only
//! purpose is to give the numbers that another tool gives. So nothing here uses
//! slope's own tables of what a grammar kind means: each profile spells out the
//! kinds it needs.
//!
//! | module | what it holds |
//! |---|---|
//! | [`scb`] | profile `scb-0.2.0`: the report of scb-check 0.2.0 |
//! | [`compare`] | running scb-check and slope, field by field |
//! | [`runs`] | profile `published-runs`: the numbers that published runs store |
//! | [`published`] | run directories of the published harness, read as runs |

pub mod compare;
pub mod published;
pub mod runs;
pub mod scb;
