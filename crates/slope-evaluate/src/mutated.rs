//! Commits of people, and known edits of each: slop, improvements, hard negatives and neutral ones.
//!
//! The edits come from `slope-mutate`, whose authors do not know the detectors.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use slope_git::{Kind, Reader};
use slope_mutate::{Family, Files, Mutation, Subject, mutations};
use slope_syntax::Language;

use crate::accuracy::COMPONENTS;
use crate::commits::{Choice, RealEdit, real_edits};
use crate::grading::{Desk, Error};
use crate::pair::{Pair, Side};

/// Largest file of a base that edits take material from, in bytes.
const MAX_BYTES: usize = 400_000;
/// Largest change of a component by a neutral edit.
const NEUTRAL: f64 = 0.02;

/// A commit and a known edit of it.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
pub struct Mutated {
    /// The repository.
    pub group: String,
    /// The commit.
    pub id: String,
    /// What the edit is for.
    pub family: String,
    /// Kind of edit.
    pub kind: String,
    /// How much it adds.
    pub severity: String,
    /// Id of its language.
    pub language: String,
    /// Its place.
    pub at: String,
    /// The commit as it is.
    pub honest: Side,
    /// The commit with the edit.
    pub mutated: Side,
}

/// Known edits of the newest commits of a repository. `watch` gets how many of how many commits are done.
///
/// # Errors
/// If the repository cannot be read.
pub fn mutated(
    desk: &mut Desk,
    most: usize,
    watch: &dyn Fn(usize, usize),
) -> Result<Vec<Mutated>, Error> {
    let edits = real_edits(&desk.repo, Choice::Any, most)?;
    let mut found = Vec::new();
    for (done, edit) in edits.iter().enumerate() {
        watch(done, edits.len());
        let base = base_files(&desk.repo.reader(), edit)?;
        let change = edit.files.iter();
        let change = change.map(|(path, (_, after))| (path.clone(), after.clone()));
        let subject = Subject::new(&base, change.collect());
        if !subject.is_editable() {
            continue;
        }
        let Some(honest) = desk.side(&edit.parent, &edit.files)? else {
            continue;
        };
        for mutation in mutations(&subject, &|_, _| true, seed(edit)) {
            found.extend(graded(desk, edit, &base, &honest, &mutation)?);
        }
    }
    Ok(found)
}

/// The same commit has the same edits.
fn seed(edit: &RealEdit) -> u64 {
    u64::from_str_radix(edit.commit.get(..15).unwrap_or("0"), 16).unwrap_or_default()
}

fn base_files(reader: &Reader, edit: &RealEdit) -> Result<Files, Error> {
    let parent = reader.resolve(&edit.parent)?;
    let tree = reader.commit(parent)?.tree;
    let entries = reader.files(tree, &|_| true)?.into_iter();
    let code = entries.filter(|entry| {
        let is_touched = edit.files.contains_key(&entry.path);
        entry.kind == Kind::File && (is_touched || Language::of_path(entry.path.as_ref()).is_some())
    });
    let text = |entry: slope_git::Entry| {
        // A partial clone lacks some.
        let bytes = reader.blob(entry.id, &entry.path).ok()?;
        let text = (bytes.len() <= MAX_BYTES).then(|| String::from_utf8(bytes).ok());
        Some((entry.path, text.flatten()?))
    };
    Ok(code.filter_map(text).collect())
}

fn graded(
    desk: &mut Desk,
    edit: &RealEdit,
    base: &Files,
    honest: &Side,
    mutation: &Mutation,
) -> Result<Option<Mutated>, Error> {
    let before = |path: &String| match edit.files.get(path) {
        Some((before, _)) => before.clone(),
        None => base.get(path).cloned(),
    };
    let after = mutation.files.iter();
    let files: BTreeMap<String, _> = after
        .map(|(path, after)| (path.clone(), (before(path), after.clone())))
        .collect();
    let side = desk.side(&edit.parent, &files)?;
    Ok(side.map(|side| Mutated {
        group: desk.name.clone(),
        id: edit.commit.clone(),
        family: name(mutation.family),
        kind: mutation.kind.to_owned(),
        severity: mutation.severity.name().to_owned(),
        language: mutation.language.to_owned(),
        at: format!("{}:{}", mutation.path, mutation.line),
        honest: honest.clone(),
        mutated: side,
    }))
}

/// The name that a family has in JSON.
fn name(family: Family) -> String {
    let name = serde_json::to_value(family).ok();
    let name = name.and_then(|name| name.as_str().map(str::to_owned));
    name.unwrap_or_default()
}

impl Mutated {
    /// The commit and its slop, or the improvement and the commit; `None` for other families.
    #[must_use]
    pub fn pair(&self) -> Option<Pair> {
        let (better, worse) = match self.family.as_str() {
            "slop" => (&self.honest, &self.mutated),
            "improvement" => (&self.mutated, &self.honest),
            _ => return None,
        };
        Some(Pair {
            group: self.group.clone(),
            language: self.language.clone(),
            kind: format!("{} {}", self.kind, self.severity),
            id: format!("{} {}", self.id, self.at),
            better: better.clone(),
            worse: worse.clone(),
        })
    }

    /// Whether a neutral edit changes a component by more than 0.02.
    #[must_use]
    pub fn moves(&self) -> Vec<&'static str> {
        let pair = Pair {
            group: String::new(),
            language: String::new(),
            kind: String::new(),
            id: String::new(),
            better: self.honest.clone(),
            worse: self.mutated.clone(),
        };
        let moved = COMPONENTS
            .iter()
            .filter(|(_, measure)| measure(&pair).abs() > NEUTRAL);
        moved.map(|(key, _)| *key).collect()
    }
}
