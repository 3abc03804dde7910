//! Quality of commits of well-kept repositories: what people write should rarely be marked down.

use serde::{Deserialize, Serialize};

use crate::commits::{Choice, real_edits};
use crate::grading::{Desk, Error};
use crate::pair::Side;

/// A commit with its grade.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
pub struct Honest {
    /// The repository.
    pub group: String,
    /// Id of the language.
    pub language: String,
    /// The commit.
    pub id: String,
    /// The first line of its message.
    pub subject: String,
    /// Its grade and size.
    pub edit: Side,
}

/// The newest commits of a repository with their grades. `watch` gets how many of how many are done.
///
/// # Errors
/// If the repository cannot be read.
pub fn honest(
    desk: &mut Desk,
    most: usize,
    watch: &dyn Fn(usize, usize),
) -> Result<Vec<Honest>, Error> {
    let edits = real_edits(&desk.repo, Choice::Any, most)?;
    let mut found = Vec::new();
    for (done, edit) in edits.iter().enumerate() {
        watch(done, edits.len());
        if let Some(side) = desk.side(&edit.parent, &edit.files)? {
            found.push(Honest {
                group: desk.name.clone(),
                language: edit.language.clone(),
                id: edit.commit.clone(),
                subject: edit.subject.clone(),
                edit: side,
            });
        }
    }
    Ok(found)
}
