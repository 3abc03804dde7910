//! Refactoring commits against their reverse.

use crate::commits::{Choice, real_edits};
use crate::grading::{Desk, Error, reversed};
use crate::pair::Pair;

/// Pairs of a repository: each refactoring, and the edit that takes it back. `watch` gets how many of how many are
/// done.
///
/// # Errors
/// If the repository cannot be read.
pub fn refactorings(
    desk: &mut Desk,
    most: usize,
    watch: &dyn Fn(usize, usize),
) -> Result<Vec<Pair>, Error> {
    let edits = real_edits(&desk.repo, Choice::Refactoring, most)?;
    let mut pairs = Vec::new();
    for (done, edit) in edits.iter().enumerate() {
        watch(done, edits.len());
        let forward = desk.side(&edit.parent, &edit.files)?;
        let back = desk.side(&edit.commit, &reversed(&edit.files))?;
        if let (Some(better), Some(worse)) = (forward, back) {
            pairs.push(Pair {
                group: desk.name.clone(),
                language: edit.language.clone(),
                kind: "refactoring".to_owned(),
                id: edit.commit.clone(),
                better,
                worse,
            });
        }
    }
    Ok(pairs)
}
