//! Places where a solution can be changed.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Serialize;
use slope_syntax::{Language, Limits, parse};

use super::python;
use crate::Error;
use crate::workspace::Workspace;

/// A kind of change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Operator {
    /// Replaces a comparison by its neighbour or its opposite: `<` by `<=` and `>=`.
    Comparison,
    /// Replaces `and` by `or`, and vice versa.
    Connective,
    /// A condition is negated, or its negation is lost.
    Condition,
    /// Replaces an arithmetic operator by its opposite.
    Arithmetic,
    /// Increments or decrements an integer.
    Number,
    /// Replaces true by false, and vice versa.
    Truth,
    /// Adds a letter to a text.
    Text,
    /// A statement is left out.
    Statement,
    /// Nothing is returned in place of a value.
    Return,
    /// Two neighbouring arguments are swapped.
    Arguments,
}

impl Operator {
    /// The name in outputs, and a description of a case that distinguishes such a mutant from the
    /// original.
    fn words(self) -> [&'static str; 2] {
        match self {
            Self::Comparison => [
                "comparison",
                "add a case that sits on the limit: both sides equal",
            ],
            Self::Connective => [
                "connective",
                "add a case in which exactly one of the two sides is true",
            ],
            Self::Condition => [
                "condition",
                "add a case for each of the two branches whose outputs differ",
            ],
            Self::Arithmetic => [
                "arithmetic",
                "add a case whose operands make sum, difference and product differ",
            ],
            Self::Number => [
                "number",
                "add a case on the limit that this number sets, and one step beyond",
            ],
            Self::Truth => ["truth", "add a case whose output depends on this switch"],
            Self::Text => [
                "text",
                "check this text: the exact message, key, format or separator",
            ],
            Self::Statement => [
                "statement",
                "add a case that shows what this statement does, also after it",
            ],
            Self::Return => [
                "return",
                "add a case whose output depends on what this function returns",
            ],
            Self::Arguments => ["arguments", "add a case in which the two arguments differ"],
        }
    }

    /// The name in every output.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.words()[0]
    }

    /// Description of a case that would detect such a mutant.
    #[must_use]
    pub fn hint(self) -> &'static str {
        self.words()[1]
    }
}

/// One change of one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Site {
    /// File, relative to the workspace.
    pub file: PathBuf,
    /// Bytes that are replaced, in the text with `\n` line ends.
    pub range: std::ops::Range<usize>,
    /// The new text there.
    pub replacement: String,
    /// Kind of change.
    pub operator: Operator,
    /// Line from 1.
    pub line: u32,
    /// The same as long as the line's text and its file's name are: twelve hexadecimal digits.
    pub fingerprint: String,
}

/// A change within a file.
pub(super) struct Change {
    pub(super) range: std::ops::Range<usize>,
    pub(super) replacement: String,
    pub(super) operator: Operator,
}

/// A file that can be changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    language: Language,
    text: String,
}

/// All sites of a workspace in path order, and the texts of their files.
///
/// Only Python is supported so far; other files are ignored.
///
/// # Errors
/// If a source file has syntax errors.
pub fn sites(workspace: &Workspace) -> Result<(Vec<Site>, BTreeMap<PathBuf, Source>), Error> {
    let (mut sites, mut sources) = (Vec::new(), BTreeMap::new());
    for (path, file) in &workspace.files {
        let Some(language) = Language::of_path(path).filter(|l| l.id() == "python") else {
            continue;
        };
        let bad = |why: String| Error::Request(format!("{}: {why}", path.display()));
        let tree =
            parse(language, &file.bytes, &Limits::default()).map_err(|e| bad(e.to_string()))?;
        if let Some(errors) = tree.errors() {
            return Err(bad(format!("syntax error in line {}", errors.first_line)));
        }
        let mut seen = BTreeMap::new();
        for change in python::changes(&tree) {
            let span = tree.span(change.range.start, change.range.end);
            let row = tree.row_text(span.start_line - 1);
            let indent = u32::try_from(row.len() - row.trim_start().len()).unwrap_or(0);
            let offset = span.start_column.saturating_sub(indent);
            let what = format!(
                "{}\0{}\0{offset}\0{}\0{}",
                path.display(),
                row.trim(),
                change.operator.name(),
                change.replacement
            );
            let again: &mut u32 = seen.entry(what.clone()).or_default();
            let hash = blake3::hash(format!("{what}\0{again}").as_bytes()).to_hex();
            *again += 1;
            sites.push(Site {
                file: path.clone(),
                range: change.range,
                replacement: change.replacement,
                operator: change.operator,
                line: span.start_line,
                fingerprint: hash[..12].to_owned(),
            });
        }
        let text = tree.text().to_owned();
        sources.insert(path.clone(), Source { language, text });
    }
    Ok((sites, sources))
}

/// At most `sample` of the sites, selected by seed and fingerprint alone: the same on every
/// machine, and mostly the same after changes elsewhere in the solution. In path order.
#[must_use]
pub fn sample(sites: Vec<Site>, sample: Option<usize>, seed: u64) -> Vec<Site> {
    let Some(sample) = sample.filter(|n| *n < sites.len()) else {
        return sites;
    };
    let rank =
        |site: &Site| *blake3::hash(format!("{seed}\0{}", site.fingerprint).as_bytes()).as_bytes();
    let mut ranked: Vec<_> = sites
        .iter()
        .map(|s| (rank(s), s.fingerprint.as_str()))
        .collect();
    ranked.sort_unstable();
    let last = ranked.get(sample).map(|(rank, _)| *rank);
    let chosen = |site: &Site| last.is_none_or(|last| rank(site) < last);
    sites.iter().filter(|site| chosen(site)).cloned().collect()
}

impl Source {
    /// The text with the site's change.
    #[must_use]
    pub fn changed(&self, site: &Site) -> String {
        let (before, after) = (
            self.text.get(..site.range.start).unwrap_or_default(),
            self.text.get(site.range.end..).unwrap_or_default(),
        );
        [before, &site.replacement, after].concat()
    }

    /// Whether the changed text is still of the language.
    #[must_use]
    pub fn is_valid(&self, changed: &str) -> bool {
        parse(self.language, changed.as_bytes(), &Limits::default())
            .is_ok_and(|tree| tree.errors().is_none())
    }

    /// The lines that the change touches, before and after, each with `-` or `+` in front.
    #[must_use]
    pub fn diff(&self, site: &Site) -> Vec<String> {
        let first = self.text[..site.range.start].matches('\n').count();
        let rows = |text: &str, upto: usize, sign: char| -> Vec<String> {
            let last = text.get(..upto).unwrap_or(text).matches('\n').count();
            let lines = text.lines().skip(first).take(last + 1 - first.min(last));
            lines.map(|line| format!("{sign}{line}")).collect()
        };
        let changed = self.changed(site);
        let end = site.range.start + site.replacement.len();
        let mut diff = rows(&self.text, site.range.end, '-');
        diff.extend(rows(&changed, end, '+'));
        diff
    }
}
