//! The MCP server: what an agent may ask slope while it works.
//!
//! | module | what it holds |
//! |---|---|
//! | [`Workshop`] | the tools themselves, without a protocol |
//! | [`serve_stdio`] | the protocol, by the official SDK, on standard input and output |
//! | `arguments`, `answers` | what tools take and give, with their schemas |
//! | `similar` | an index of the functions of the root, kept up to date |
//! | `paths` | paths that stay below the root |
//!
//! Nothing is written, no program is run and no network asked. Every path is below the root that
//! the server was started in.

mod answers;
mod arguments;
mod changes;
mod measured;
mod paths;
mod protocol;
mod schema;
mod similar;
mod snippet;
mod words;
mod workshop;

pub use answers::{Answer, Refusal};
pub use protocol::{Error, serve_stdio};
pub use workshop::{Setup, ToolInfo, Workshop};
