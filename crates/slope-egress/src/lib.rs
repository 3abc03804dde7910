//! The way out of a sandbox to hosts that an environment lists, where it lists any.
//!
//! It is an HTTP proxy that knows one method, `CONNECT`. Names are resolved here, outside, and the rules
//! apply to the resolved address: a listed name that points at this machine, at a private network or at a
//! cloud's metadata service is refused. Every request is a line of a log.
//!
//! | module | what |
//! |---|---|
//! | [`rules`] | hosts and addresses that may be reached |
//! | `request` | reads what a client asks for |
//! | [`proxy`] | serves a listening socket, which may come from another network namespace |

pub mod proxy;
mod request;
pub mod rules;

pub use proxy::{Record, Refusal, Serving, serve};
pub use rules::{RuleError, Rules};
