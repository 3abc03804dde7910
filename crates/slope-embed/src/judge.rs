//! `judge`: scores from 0 to 10.

use slope_judge::Snapshot;
use slope_measure::Measurer;

use crate::code::Tree;
use crate::document::indented;
use crate::settings::measurer;
use crate::{Code, Error, ErrorKind, Model, Settings};

/// The static assessment of code, with at most `top` issues, 0 for all.
///
/// Code that slope does not measure has no scores, and reasons for that.
///
/// # Errors
/// If the code or its configuration cannot be read.
pub fn judge(code: &Code, top: usize, settings: &Settings) -> Result<String, Error> {
    let tree = Tree::of(code, "code")?;
    let measurer = comparing(&tree, settings)?;
    let snapshot = snapshot(&measurer, &tree)?;
    indented(&slope_judge::judge(&snapshot, most(top)))
}

/// The static assessment of both sides of a change, with at most `top` of the issues that it adds, 0 for all.
///
/// # Errors
/// If the code or its configuration cannot be read.
pub fn judge_change(
    before: &Code,
    after: &Code,
    top: usize,
    settings: &Settings,
) -> Result<String, Error> {
    let (before, after) = (Tree::of(before, "before")?, Tree::of(after, "after")?);
    let measurer = comparing(&after, settings)?;
    let (before, after) = (snapshot(&measurer, &before)?, snapshot(&measurer, &after)?);
    indented(&slope_judge::judge_change(&before, &after, most(top)))
}

/// The assessment of code by a model, next to that by measures.
///
/// # Errors
/// If the code or its configuration cannot be read, or the model gives no answer.
pub fn judge_by_model(
    code: &Code,
    top: usize,
    settings: &Settings,
    model: &Model,
) -> Result<String, Error> {
    let tree = Tree::of(code, "code")?;
    let snapshot = snapshot(&comparing(&tree, settings)?, &tree)?;
    let of_measures = slope_judge::judge(&snapshot, most(top));
    indented(&model.judge(None, &snapshot, &of_measures, most(top))?)
}

/// The assessment of a change by a model: of the files that differ, before and after.
///
/// # Errors
/// If the code or its configuration cannot be read, or the model gives no answer.
pub fn judge_change_by_model(
    before: &Code,
    after: &Code,
    top: usize,
    settings: &Settings,
    model: &Model,
) -> Result<String, Error> {
    let (before, after) = (Tree::of(before, "before")?, Tree::of(after, "after")?);
    let measurer = comparing(&after, settings)?;
    let (before, after) = (snapshot(&measurer, &before)?, snapshot(&measurer, &after)?);
    let of_measures = slope_judge::judge_change(&before, &after, most(top));
    let (base, head) = Snapshot::differing(&before, &after);
    indented(&model.judge(Some(&base), &head, &of_measures, most(top))?)
}

fn most(top: usize) -> usize {
    if top == 0 { usize::MAX } else { top }
}

fn comparing(tree: &Tree, settings: &Settings) -> Result<Measurer, Error> {
    let config = settings.config(tree)?;
    let options = settings.options(tree, config.as_ref())?;
    measurer(tree, options.comparing().with_separate_tests())
}

fn snapshot(measurer: &Measurer, tree: &Tree) -> Result<Snapshot, Error> {
    let mut snapshot = Snapshot::of_path(measurer, tree.path())
        .map_err(|error| tree.error(ErrorKind::Unreadable, &error))?;
    snapshot.name.clone_from(&tree.name);
    Ok(snapshot)
}
