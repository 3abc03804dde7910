//! Checks that the variants of a problem are valid problems, and differ.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde::Serialize;
use slope_model::error_text::one_line;
use slope_model::problem::{Group, Problem};
use slope_model::verdict::{Outcome, TestResult};
use slope_problem::{Level, reference_solution};
use slope_suite::Wanted;

use super::{render, template};
use crate::Error;
use crate::stage::{self, Stage};
use crate::workspace::Workspace;

/// The result of one seed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Checked {
    /// Seed.
    pub seed: u64,
    /// Hash of the problem; absent if it does not load.
    pub hash: Option<String>,
    /// Number of core cases of all checkpoints, and of those that the published form's solution
    /// passes. Absent for seed 0, and if the variant does not load.
    pub published_passes: Option<(usize, usize)>,
    /// Its faults, one line each.
    pub faults: Vec<String>,
}

/// Renders the variants of `problem` for `seeds`, and checks each: it loads, lint finds no errors,
/// its reference solutions pass, its hash is unique, and the solutions of the published form fail
/// core cases. Seed 0 must be byte-identical to the published form, if the template is a folder of
/// that.
///
/// # Errors
/// If a template is malformed, or the sandbox fails.
pub fn check(
    stage: &Stage<'_>,
    problem: &Path,
    seeds: std::ops::Range<u64>,
) -> Result<Vec<Checked>, Error> {
    let template = template(problem)?;
    let scratch = tempfile::tempdir().map_err(Error::io("make a folder in", problem))?;
    let published = laid(&template, 0, scratch.path())?;
    let mut hashes = BTreeSet::new();
    let mut all = Vec::new();
    for seed in seeds {
        let folder = if seed == 0 {
            published.clone()
        } else {
            laid(&template, seed, scratch.path())?
        };
        let mut checked = Checked {
            seed,
            hash: None,
            published_passes: None,
            faults: Vec::new(),
        };
        if seed == 0 && template != problem {
            same_as_published(&folder, problem, &mut checked.faults)?;
        }
        match stage::load(&folder) {
            Ok(variant) => tried(stage, &variant, &published, &mut checked)?,
            Err(why) => checked.faults.push(one_line(&why)),
        }
        if checked.hash.iter().any(|hash| !hashes.insert(hash.clone())) {
            checked
                .faults
                .push("another seed gives the same problem".to_owned());
        }
        all.push(checked);
    }
    Ok(all)
}

/// The variant's folder.
fn laid(template: &Path, seed: u64, scratch: &Path) -> Result<PathBuf, Error> {
    let folder = scratch.join(format!("seed-{seed}"));
    render(template, seed)?.create(&folder)?;
    Ok(folder)
}

fn same_as_published(
    rendered: &Path,
    problem: &Path,
    faults: &mut Vec<String>,
) -> Result<(), Error> {
    let (rendered, there) = (Workspace::read(rendered)?, Workspace::read(problem)?);
    for (path, file) in &rendered.files {
        if there.files.get(path) != Some(file) {
            faults.push(format!(
                "{} is not what the template gives for seed 0",
                path.display()
            ));
        }
    }
    Ok(())
}

fn tried(
    stage: &Stage<'_>,
    variant: &Problem,
    published: &Path,
    checked: &mut Checked,
) -> Result<(), Error> {
    checked.hash = Some(variant.hash.clone());
    let lints = slope_problem::lint(&variant.root)?;
    let errors = lints.iter().filter(|lint| lint.level == Level::Error);
    let told = errors.map(|l| format!("{}: {}: {}", l.path.display(), l.rule, l.text));
    checked.faults.extend(told);
    let (mut core, mut passed) = (0, 0);
    for checkpoint in &variant.checkpoints {
        let Some(solution) = reference_solution(variant, &checkpoint.name) else {
            let why = format!("{} has no reference solution", checkpoint.name);
            checked.faults.push(why);
            continue;
        };
        let all = play(stage, variant, checkpoint.index, &solution, |_| true)?;
        let failed = all.iter().filter(|r| r.outcome != Outcome::Passed);
        let told = failed.map(|r| format!("its solution of {} fails {}", checkpoint.name, r.id));
        checked.faults.extend(told);
        if checked.seed != 0 {
            let other = published.join("solutions").join(&checkpoint.name);
            let cores = play(stage, variant, checkpoint.index, &other, |group| {
                group == Group::Core
            })?;
            core += cores.len();
            passed += cores
                .iter()
                .filter(|r| r.outcome == Outcome::Passed)
                .count();
        }
    }
    if checked.seed != 0 {
        checked.published_passes = Some((passed, core));
        if passed == core {
            let why = "the solutions of the published form pass all its core cases";
            checked.faults.push(why.to_owned());
        }
    }
    Ok(())
}

fn play(
    stage: &Stage<'_>,
    problem: &Problem,
    index: u32,
    solution: &Path,
    chosen: impl Fn(Group) -> bool,
) -> Result<Vec<TestResult>, Error> {
    let rehearsal = stage.rehearsal(problem, index)?;
    let wanted: Vec<Wanted> = rehearsal
        .cases()
        .filter(|case| chosen(case.group))
        .map(|case| Wanted {
            key: case.key,
            at_most_s: None,
        })
        .collect();
    let workspace = Workspace::read(solution)?;
    stage::play(
        &rehearsal,
        &workspace,
        &wanted,
        stage.options.workers,
        false,
    )
}
