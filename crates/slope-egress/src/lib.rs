//! Egress proxy of a sandbox for the hosts that an environment lists.
//!
//! It is an HTTP proxy with a single method, `CONNECT`. Names are resolved here, outside, and the
//! rules apply to the resolved address: a listed name that points to this machine, to a private
//! network or to a cloud's metadata service is refused. Every request is a line of a log.
//!
//! | module | contents |
//! |---|---|
//! | [`rules`] | hosts and addresses that may be reached |
//! | `request` | reads a client's request |
//! | [`proxy`] | serves a listening socket, which may come from another network namespace |

pub mod proxy;
mod request;
pub mod rules;

pub use proxy::{Record, Refusal, Serving, serve};
pub use rules::{RuleError, Rules};
