//! Settings of a server, and why it cannot start.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

/// Limits of a server, its token, and what it may open.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Requests must have it as `Authorization: Bearer TOKEN`. `None` for no check.
    pub token: Option<String>,
    /// Folders in which bases may be opened by path.
    pub roots: Vec<PathBuf>,
    /// Edits that may wait or run at the same time.
    pub queue: usize,
    /// Bytes of request bodies that may be held at the same time.
    pub held_bytes: u64,
    /// Time limit of a grade in milliseconds, without the wait; a request may set its own.
    pub deadline_ms: u64,
    /// Bases that may be open at the same time.
    pub bases: usize,
    /// Time that a client may take for its headers, and between two parts of its body.
    pub patience: Duration,
    /// Number of edits that are graded at the same time.
    pub workers: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            token: None,
            roots: Vec::new(),
            queue: 32_768,
            held_bytes: 2 << 30,
            deadline_ms: 2_000,
            bases: 64,
            patience: Duration::from_secs(30),
            workers: std::thread::available_parallelism().map_or(1, usize::from),
        }
    }
}

/// Why a server cannot start.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The address is taken or not allowed.
    #[error("could not listen on {address}\nhelp: choose another address with --listen")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The cause.
        #[source]
        source: std::io::Error,
    },
}
