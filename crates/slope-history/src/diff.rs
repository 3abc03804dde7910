//! The ledger of one change: between two commits, or two folders.

use std::collections::BTreeMap;
use std::path::Path;

use slope_change::Baseline;
use slope_git::{Id, Repo};
use slope_measure::{Content, Measurer};
use slope_model::ledger::Ledger;

use crate::Error;
use crate::source::Source;
use crate::trajectory::Wanted;

/// The ledger between two commits. The ignore files of the later one apply to both.
///
/// # Errors
/// If the repository lacks a commit.
pub fn diff_commits(
    repo: &Repo,
    measurer: &Measurer,
    base: (&str, Id),
    head: (&str, Id),
    paths: &[String],
) -> Result<Ledger, Error> {
    let reader = repo.reader();
    let (old, new) = (reader.commit(base.1)?.tree, reader.commit(head.1)?.tree);
    let source = Source::new(repo, measurer, new)?;
    let wanted = Wanted::new(paths)?;
    let wanted = |path: &str| wanted.has(path);
    let steps = [
        source.changes(&reader, None, old, &wanted)?,
        source.changes(&reader, Some(old), new, &wanted)?,
    ];
    let files = || steps.iter().flat_map(|step| &step.paths);
    for pattern in paths {
        let named = Wanted::new(std::slice::from_ref(pattern))?;
        if !files().any(|(path, _)| named.has(path)) {
            return Err(Error::Empty(format!(
                "--paths {pattern} matches no measured file in {} or {}",
                base.0, head.0
            )));
        }
    }
    let mut baseline = None;
    let mut change = None;
    source.play(&steps, |_, contents| {
        match &mut baseline {
            None => baseline = Some(Baseline::new(measurer, base.0, contents)),
            Some(baseline) => change = Some(baseline.change(head.0, contents)?),
        }
        Ok(())
    })?;
    let nothing = || Error::Empty("nothing was compared".to_owned());
    Ok(change.ok_or_else(nothing)?.into_ledger())
}

/// The ledger between two folders.
///
/// # Errors
/// If one of them cannot be read.
pub fn diff_dirs(measurer: &Measurer, base: &Path, head: &Path) -> Result<Ledger, Error> {
    let old = measurer.contents_of_dir(base)?.files;
    let new = measurer.contents_of_dir(head)?.files;
    let mut changes: BTreeMap<String, Content> = old
        .iter()
        .map(|(path, _)| (path.clone(), Content::Nothing))
        .collect();
    changes.extend(new);
    let name = |path: &Path| path.display().to_string();
    let mut baseline = Baseline::new(measurer, &name(base), old);
    let change = baseline.change(&name(head), changes.into_iter().collect())?;
    Ok(change.into_ledger())
}
