//! The file that a conversation is kept in.

use std::io;
use std::path::Path;

use serde_json::Value;

/// Reads the messages of a conversation.
pub(super) fn read(file: &Path) -> io::Result<Vec<Value>> {
    let bytes = std::fs::read(file)?;
    Ok(serde_json::from_slice(&bytes)?)
}

/// Keeps the messages of a conversation.
pub(super) fn write(file: &Path, history: &[Value]) -> io::Result<()> {
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(file, serde_json::to_vec(history)?)
}
