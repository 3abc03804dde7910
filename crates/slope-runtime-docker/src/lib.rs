//! Sandboxes in containers of a Docker Engine, or of podman, which supports the same protocol.
//!
//! The engine creates namespaces, root, mounts, limits and rights; the first process of each
//! container is slope's own binary ([`slope_sandbox::hosted`]), which fills the volumes, starts the
//! command, supervises it and packs the volumes, as in the local runtime. So both behave the same,
//! and neither the workspace nor the outputs pass through the engine. See `docs/runtimes.md`.
//!
//! # Map
//! [`Engine`] is the connection, [`DockerRuntime`] the [`Runtime`](slope_sandbox::Runtime),
//! [`DockerKind`] its entry in the list of runtimes; `image`
//! builds images from a declared base and content-keyed layers, `body` configures containers,
//! `keeper` supervises a running one, [`gc`] removes leftovers.

mod archive;
mod body;
mod engine;
mod error;
pub mod gc;
mod image;
mod keeper;
mod kind;
mod labels;
mod room;
mod runtime;
mod seat;

pub use engine::Engine;
pub use error::Error;
pub use kind::DockerKind;
pub use room::Room;
pub use runtime::{Config, DockerRuntime};
