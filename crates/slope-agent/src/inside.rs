//! Places in an agent's sandbox.

/// Folder inside the sandbox that contains an agent's own files, read-only.
pub const AGENT_ROOT: &str = "/opt/agent";

/// Search path inside the sandbox.
pub const INNER_PATH: &str = "/usr/local/bin:/usr/bin:/bin";
