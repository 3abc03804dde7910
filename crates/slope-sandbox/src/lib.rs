//! Runtime interface and the local namespace sandbox.
//!
//! A sandbox runs one command over trees that are *copied in* before and
//! *copied out* after it, so that no host path is visible inside and nothing inside
//! can reach the host. See [`spec`] for what is asked, [`outcome`] for what is told.

pub mod outcome;
pub mod spec;
