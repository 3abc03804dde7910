//! Limits of a server, and who may ask without a token.

use std::time::Duration;

use crate::work::Program;

/// Limits of a server, and who may ask without a token.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Whether requests without a token may do everything: on an address that only this machine reaches.
    pub is_open: bool,
    /// Sites whose pages may ask, as `https://host`; for CORS.
    pub origins: Vec<String>,
    /// Largest body, in bytes.
    pub body_bytes: usize,
    /// Time that a client may take for its headers, and between two parts of its body.
    pub patience: Duration,
    /// Requests that are answered at the same time. More are refused with 429.
    pub requests: usize,
    /// Requests that work on code at the same time, each in a process of its own.
    pub workers: usize,
    /// The program of these processes.
    pub worker: Program,
    /// Memory of such a process, in bytes.
    pub worker_bytes: u64,
    /// Longest time of the work on one request.
    pub work_limit: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            is_open: false,
            origins: Vec::new(),
            body_bytes: 8 << 20,
            patience: Duration::from_secs(30),
            requests: 512,
            workers: std::thread::available_parallelism().map_or(1, usize::from),
            worker: Program::default(),
            worker_bytes: 2 << 30,
            work_limit: Duration::from_secs(60),
        }
    }
}
