//! The MCP server: tools that an agent may call while it works.
//!
//! | module | contents |
//! |---|---|
//! | [`ToolService`] | the tools themselves, without a protocol |
//! | [`serve_stdio`] | the protocol, by the official SDK, on standard input and output |
//! | `arguments`, `answers` | arguments and results of tools, with their schemas |
//! | `similar` | an index of the functions of the root, kept up to date |
//! | `paths` | paths that stay below the root |
//!
//! The server writes nothing, runs no program and uses no network. Every path is below the root in
//! which it was started.

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
pub use workshop::{Setup, ToolInfo, ToolService};
