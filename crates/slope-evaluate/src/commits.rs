//! Edits that people made, from git histories.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;
use slope_git::{Change, Commit, Kind, Line, Reader, Repo};
use slope_syntax::Language;
use slope_syntax::paths::is_test;

use crate::grading::Error;

/// Most files of an edit, and most lines that it adds and removes.
const MAX_FILES: usize = 15;
const MAX_LINES: usize = 600;
/// Fewest lines that it adds and removes.
const MIN_LINES: usize = 3;
/// Largest file of an edit in bytes.
const MAX_BYTES: usize = 400_000;
/// Commits that are looked at for each wanted one.
const LOOKED_AT: usize = 200;
/// Share of the lines of the touched files by which a refactoring may change their number.
const SAME_LENGTH: f64 = 0.1;
/// Share of its own lines by which a refactoring may change their number: more is a feature or a removal.
const BALANCED: f64 = 0.25;
/// Fewest lines that a refactoring adds and removes.
const MIN_REFACTORED: usize = 10;

/// A file's text before and after; `None` if it is not there.
pub(crate) type Texts = (Option<String>, Option<String>);

/// An edit that a person made.
#[derive(Debug, Clone)]
pub struct RealEdit {
    /// The commit.
    pub commit: String,
    /// Its parent.
    pub parent: String,
    /// The first line of its message.
    pub subject: String,
    /// Id of the language that most of its changed lines are in.
    pub language: String,
    /// Text of each changed file before and after.
    pub files: BTreeMap<String, Texts>,
}

/// Which commits are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// All that change production code.
    Any,
    /// Those whose message says that they restructure code, that change no test, and after which the files are
    /// nearly as long as before.
    Refactoring,
}

/// The newest edits of a repository, at most `most`.
///
/// # Errors
/// If the repository cannot be read.
pub fn real_edits(repo: &Repo, choice: Choice, most: usize) -> Result<Vec<RealEdit>, Error> {
    let reader = repo.reader();
    let head = reader.head()?;
    // Many projects merge, so that the first parents have no edits of their own.
    let walk = reader.walk(head, Line::All, None)?;
    let commits = walk.commits.iter().rev();
    let looked_at = commits.take(most.saturating_mul(LOOKED_AT));
    let mut found = Vec::new();
    for commit in looked_at {
        if found.len() == most {
            break;
        }
        found.extend(edit_of(&reader, commit)?.filter(|edit| edit.is_chosen(choice)));
    }
    Ok(found)
}

fn edit_of(reader: &Reader, commit: &Commit) -> Result<Option<RealEdit>, Error> {
    let [parent] = commit.parents[..] else {
        return Ok(None);
    };
    // Beyond the border of a shallow clone.
    let Ok(before) = reader.commit(parent) else {
        return Ok(None);
    };
    let changes = reader.changes(Some(before.tree), commit.tree, &|_| true)?;
    if changes.len() > MAX_FILES {
        return Ok(None);
    }
    let mut files = BTreeMap::new();
    for change in &changes {
        let Some(texts) = texts(reader, change)? else {
            return Ok(None);
        };
        files.insert(change.path.clone(), texts);
    }
    let Some(language) = language_of(&files) else {
        return Ok(None);
    };
    Ok(Some(RealEdit {
        commit: commit.id.to_string(),
        parent: parent.to_string(),
        subject: commit.subject().to_owned(),
        language,
        files,
    }))
}

/// Texts of a changed file; `None` if it is a link, binary or large.
fn texts(reader: &Reader, change: &Change) -> Result<Option<Texts>, Error> {
    let text = |entry: Option<(Kind, slope_git::Id)>| -> Result<Option<Option<String>>, Error> {
        let Some((kind, id)) = entry else {
            return Ok(Some(None));
        };
        if kind != Kind::File {
            return Ok(None);
        }
        // A partial clone lacks some.
        let Ok(bytes) = reader.blob(id, &change.path) else {
            return Ok(None);
        };
        let text = (bytes.len() <= MAX_BYTES).then(|| String::from_utf8(bytes).ok());
        Ok(text.flatten().map(Some))
    };
    let (before, after) = (text(change.old)?, text(change.new)?);
    Ok(before.zip(after))
}

/// The language with most changed lines of production code; `None` without any.
fn language_of(files: &BTreeMap<String, Texts>) -> Option<String> {
    let mut lines: BTreeMap<&str, usize> = BTreeMap::new();
    for (path, texts) in files.iter().filter(|(path, _)| !is_test(path)) {
        if let Some(language) = Language::of_path(path.as_ref()) {
            *lines.entry(language.id()).or_default() += changed_lines(texts);
        }
    }
    let most = lines.into_iter().max_by_key(|(id, count)| (*count, *id))?;
    (most.1 > 0).then(|| most.0.to_owned())
}

/// Lines that are added and removed.
pub(crate) fn changed_lines((before, after): &Texts) -> usize {
    let (before, after) = (lines(before), lines(after));
    let ops = similar::capture_diff_slices(similar::Algorithm::Myers, &before, &after);
    ops.iter()
        .map(|op| match *op {
            similar::DiffOp::Equal { .. } => 0,
            similar::DiffOp::Delete { old_len, .. } => old_len,
            similar::DiffOp::Insert { new_len, .. } => new_len,
            similar::DiffOp::Replace {
                old_len, new_len, ..
            } => old_len + new_len,
        })
        .sum()
}

/// Lines that are not blank.
pub(crate) fn lines(text: &Option<String>) -> Vec<&str> {
    let lines = text.as_deref().unwrap_or_default().lines();
    lines.filter(|line| !line.trim().is_empty()).collect()
}

static REFACTORS: LazyLock<Regex> = LazyLock::new(|| {
    let words = r"(?i)\b(refactor\w*|restructur\w*|simplif\w*|extract(s|ed)?|dedup\w*|de-duplicat\w*|consolidat\w*|untangl\w*|factor(ed|s)? out|reus(e|ed|es)|split (up|out|into)|flatten\w*|remove duplicat\w*)\b";
    Regex::new(words).unwrap_or_else(|error| panic!("{error}"))
});

impl RealEdit {
    fn is_chosen(&self, choice: Choice) -> bool {
        let changed: usize = self.files.values().map(changed_lines).sum();
        if !(MIN_LINES..=MAX_LINES).contains(&changed) {
            return false;
        }
        choice == Choice::Any || self.is_refactoring(changed)
    }

    fn is_refactoring(&self, changed: usize) -> bool {
        let code = || {
            let paths = self.files.iter();
            paths.filter(|(path, _)| Language::of_path(path.as_ref()).is_some())
        };
        let count = |pick: fn(&Texts) -> &Option<String>| -> usize {
            code().map(|(_, texts)| lines(pick(texts)).len()).sum()
        };
        let (before, after) = (count(|texts| &texts.0), count(|texts| &texts.1));
        #[expect(clippy::cast_precision_loss, reason = "an edit has few lines")]
        let is_within = |share: f64, of: usize| before.abs_diff(after) as f64 <= share * of as f64;
        changed >= MIN_REFACTORED
            && is_within(SAME_LENGTH, before)
            && is_within(BALANCED, changed)
            && !code().any(|(path, _)| is_test(path))
            && REFACTORS.is_match(&self.subject)
    }
}
