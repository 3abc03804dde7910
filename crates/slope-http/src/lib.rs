//! The HTTP server of slope. It grades edits of code bases.
//!
//! | module | what it holds |
//! |---|---|
//! | [`Settings`] | limits, the token, and what may be opened |
//! | `app` | routes, and what surrounds them: token, limits, counts |
//! | `routes` | one file per group of routes |
//! | `bases` | the bases by id and name |
//! | `queue` | how many requests wait and run |
//! | `metrics` | counts for Prometheus |
//! | `answer` | responses and errors |
//! | `sender` | tokens in headers, names of this machine |
//! | `listen` | connections: time limits, and the end |
//!
//! Each request passes through a queue with an end. If it is full, the answer is 429 with `Retry-After`, and
//! nothing is accepted that cannot be graded.

mod answer;
mod app;
mod bases;
mod listen;
mod metrics;
mod queue;
mod routes;
mod sender;
mod settings;

pub use app::App;
pub use bases::Bases;
pub use listen::{Server, raise_file_limit};
pub use sender::{bearer, is_loopback_name};
pub use settings::{Error, Settings};
