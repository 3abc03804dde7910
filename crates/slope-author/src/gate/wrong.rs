//! Wrong solutions that an author keeps, to prove that the cases find what they are meant to find.

use std::fs;
use std::path::PathBuf;

use slope_model::problem::{Checkpoint, Problem};

use crate::Error;

/// Folder of a problem with its wrong solutions: `wrong/NAME/CHECKPOINT/` is a workspace.
const FOLDER: &str = "wrong";

/// Names and workspaces of the wrong solutions for a checkpoint, by name; empty if there are none.
///
/// # Errors
/// If a folder cannot be read.
pub(super) fn for_checkpoint(
    problem: &Problem,
    checkpoint: &Checkpoint,
) -> Result<Vec<(String, PathBuf)>, Error> {
    let folder = problem.root.join(FOLDER);
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for entry in fs::read_dir(&folder).map_err(Error::io("read", &folder))? {
        let entry = entry.map_err(Error::io("read", &folder))?;
        let workspace = entry.path().join(&checkpoint.name);
        if workspace.is_dir() {
            found.push((entry.file_name().to_string_lossy().into_owned(), workspace));
        }
    }
    found.sort();
    Ok(found)
}
