//! Tests of ledgers: known edits of the commits of real repositories.
//!
//! The edits are from `slope-mutate`. Every edit is compared with its original commit. A neutral edit must leave the ledger empty.
//! Slop must have an entry at its function, with the added amounts, and no entry elsewhere.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;
use slope_change::Baseline;
use slope_git::{Id, Kind, Line, Reader, Repo};
use slope_measure::{Choice, Content, Measurer};
use slope_model::ledger::LedgerEntry;
use slope_mutate::ledger::{Edit, Files, NEUTRAL, SLOP};
use slope_mutate::{Pick, seed};

use crate::Error;
use crate::source::Source;
use crate::trajectory::{Watch, evenly};

/// Maximum number of faults to report for each kind of edit.
const MAX_FAULTS: usize = 5;

/// Results of the edits of one kind.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// Whether the edits insert slop into a function.
    pub slop: bool,
    /// Number of edits.
    pub edits: usize,
    /// Edits with a correct ledger: empty, or an entry at the right function.
    pub right: usize,
    /// Entries at unedited places.
    pub wrong_entries: usize,
    /// The first edits with a wrong report: commit, edited place, entries.
    pub faults: Vec<String>,
}

/// Results of all edits.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Metamorphic {
    /// Number of edited commits.
    pub commits: usize,
    /// Outcomes by kind of edit.
    pub kinds: BTreeMap<&'static str, Outcome>,
}

impl Metamorphic {
    /// Adds the results of another repository.
    pub fn add(&mut self, other: Self) {
        self.commits += other.commits;
        for (kind, outcome) in other.kinds {
            let sum = self.kinds.entry(kind).or_default();
            sum.slop = outcome.slop;
            sum.edits += outcome.edits;
            sum.right += outcome.right;
            sum.wrong_entries += outcome.wrong_entries;
            sum.faults.extend(outcome.faults);
            sum.faults.truncate(MAX_FAULTS);
        }
    }

    /// Share of entries that are at edited places; `None` without entries.
    #[must_use]
    pub fn precision(&self) -> Option<f64> {
        let right = self.slop().map(|o| o.right).sum();
        let wrong: usize = self.kinds.values().map(|o| o.wrong_entries).sum();
        share(right, right + wrong)
    }

    /// Share of slop with an entry at its function and the expected effect; `None` without slop.
    #[must_use]
    pub fn recall(&self) -> Option<f64> {
        let edits = self.slop().map(|o| o.edits).sum();
        share(self.slop().map(|o| o.right).sum(), edits)
    }

    /// Share of neutral edits whose ledger is empty; `None` without any.
    #[must_use]
    pub fn silence(&self) -> Option<f64> {
        let neutral = || self.kinds.values().filter(|o| !o.slop);
        let edits = neutral().map(|o| o.edits).sum();
        share(neutral().map(|o| o.right).sum(), edits)
    }

    fn slop(&self) -> impl Iterator<Item = &Outcome> {
        self.kinds.values().filter(|o| o.slop)
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
fn share(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// Makes every kind of edit to each of `most` commits, evenly spaced along the first-parent line of
/// `HEAD`, and compares the ledger with the expected effect. The same commits give the same edits.
///
/// # Errors
/// If the repository cannot be read, or the entries of a ledger do not add up.
pub fn metamorphic(
    repo: &Repo,
    measurer: &Measurer,
    most: usize,
    watch: Watch<'_>,
) -> Result<Metamorphic, Error> {
    let reader = repo.reader();
    let walk = reader.walk(reader.head()?, Line::FirstParent, None)?;
    let all: Vec<usize> = (0..walk.commits.len()).collect();
    let chosen = evenly(&all, most);
    let mut known = HashMap::new();
    let mut result = Metamorphic::default();
    for (index, &at) in chosen.iter().enumerate() {
        let commit = &walk.commits[at];
        let mut bench = Bench::new(repo, measurer, &reader, commit.tree, &mut known)?;
        bench.commit = commit.id.short();
        bench.all(&mut result.kinds)?;
        result.commits += 1;
        watch("editing commits", index + 1, chosen.len());
    }
    Ok(result)
}

/// One commit to edit.
struct Bench<'m> {
    measurer: &'m Measurer,
    baseline: Baseline<'m>,
    contents: HashMap<String, Content>,
    files: Files,
    commit: String,
    seed: u64,
}

impl<'m> Bench<'m> {
    fn new(
        repo: &'m Repo,
        measurer: &'m Measurer,
        reader: &Reader,
        tree: Id,
        known: &mut HashMap<(Id, bool), Content>,
    ) -> Result<Self, Error> {
        let source = Source::new(repo, measurer, tree)?;
        let mut files = Files::default();
        let mut contents = HashMap::new();
        for entry in reader.files(tree, &|folder| source.selection.enters(folder))? {
            let measured = source.selection.choice(&entry.path) == Choice::Measured;
            if !measured || entry.kind != Kind::File {
                continue;
            }
            let bytes = reader.blob(entry.id, &entry.path)?;
            let python = entry.path.ends_with(".py");
            let content = known
                .entry((entry.id, python))
                .or_insert_with(|| measurer.content(&entry.path, &bytes));
            contents.insert(entry.path.clone(), content.clone());
            files.add(&entry.path, &bytes);
        }
        let all = contents.iter().map(|(p, c)| (p.clone(), c.clone()));
        let mut all: Vec<_> = all.collect();
        all.sort_by(|a, b| a.0.cmp(&b.0));
        Ok(Self {
            measurer,
            baseline: Baseline::new(measurer, "commit", all),
            contents,
            files,
            commit: String::new(),
            seed: seed(tree.as_bytes()),
        })
    }

    /// Makes every kind of edit.
    fn all(&mut self, kinds: &mut BTreeMap<&'static str, Outcome>) -> Result<(), Error> {
        for (number, &(name, make)) in (1..).zip(NEUTRAL) {
            let pick = Pick(self.seed ^ number);
            let Some(edit) = make(&self.files, &pick) else {
                continue;
            };
            let place = edit.first().map(|e| e.0.clone()).unwrap_or_default();
            let entries = self.ledger(edit)?;
            let outcome = kinds.entry(name).or_default();
            outcome.edits += 1;
            outcome.right += usize::from(entries.is_empty());
            outcome.wrong_entries += entries.len();
            if !entries.is_empty() {
                self.blame(outcome, &place, &entries);
            }
        }
        for (number, &(name, make)) in (101..).zip(SLOP) {
            let pick = Pick(self.seed ^ number);
            let Some(slop) = make(&self.files, &pick) else {
                continue;
            };
            let entries = self.ledger(slop.edit)?;
            let outcome = kinds.entry(name).or_default();
            outcome.slop = true;
            outcome.edits += 1;
            let here = |e: &&LedgerEntry| {
                let name = e.function.as_deref().unwrap_or_default();
                let rest = name.strip_prefix(&*slop.function);
                // Definitions inside the function belong to it.
                let inside = rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
                e.path == slop.path && inside
            };
            let right = entries.iter().filter(here).any(|e| (slop.added)(&e.change));
            let wrong = entries.iter().filter(|e| !here(e)).count();
            outcome.right += usize::from(right);
            outcome.wrong_entries += wrong;
            if !right || wrong > 0 {
                let place = format!("{} {}", slop.path, slop.function);
                self.blame(outcome, &place, &entries);
            }
        }
        Ok(())
    }

    /// Ledger entries of an edit. Restores the tree afterwards.
    fn ledger(&mut self, edit: Edit) -> Result<Vec<LedgerEntry>, Error> {
        let back = edit.iter().map(|(path, _)| {
            let content = self.contents.get(path).cloned();
            (path.clone(), content.unwrap_or(Content::Nothing))
        });
        let back: Vec<_> = back.collect();
        let there = edit.into_iter().map(|(path, text)| {
            let content = text.map(|text| self.measurer.content(&path, text.as_bytes()));
            (path, content.unwrap_or(Content::Nothing))
        });
        let there: Vec<_> = there.collect();
        let change = self.baseline.change("edit", there)?;
        self.baseline.change("commit", back)?;
        Ok(change.into_ledger().entries)
    }

    fn blame(&self, outcome: &mut Outcome, place: &str, entries: &[LedgerEntry]) {
        if outcome.faults.len() >= MAX_FAULTS {
            return;
        }
        let found = entries.iter().map(|e| {
            let function = e.function.as_deref().unwrap_or("(outside)");
            format!("{:?} {} {function} {:?}", e.kind, e.path, e.change)
        });
        let found: Vec<_> = found.collect();
        let (commit, found) = (&self.commit, found.join("; "));
        outcome.faults.push(format!("{commit} {place}: {found}"));
    }
}
