//! The largest effects on a history, with their diffs.

use std::collections::BTreeSet;

use slope_git::{Id, Kind, Reader, Repo};
use slope_model::exhibit::Hunk;
use slope_model::history::{
    CommitLedger, DiffLine, DiffSide, EntryAt, EntryDiff, History, HistoryEvidence, HistoryLedger,
    MetricMovers,
};
use slope_model::ledger::{Amounts, LedgerEntry, LedgerPlace};
use slope_model::metrics::Metric;

use crate::Error;

/// Lines around a change that are shown with it.
const AROUND: usize = 3;

/// Maximum number of lines of a side that are compared; longer functions and files have no diff.
const MAX_COMPARED: usize = 3_000;

/// Maximum number of diff lines kept.
const MAX_SHOWN: usize = 160;

/// Maximum number of bytes kept of a line.
const MAX_BYTES: usize = 400;

/// The entries that moved each metric of a history most, up to `most` in each direction, with
/// their diffs. Nothing without a ledger.
///
/// # Errors
/// If the repository lacks a commit or content of the history.
pub fn evidence(repo: &Repo, history: &History, most: usize) -> Result<HistoryEvidence, Error> {
    let Some(ledger) = &history.ledger else {
        return Ok(HistoryEvidence::default());
    };
    let movers: Vec<MetricMovers> = Amounts::default()
        .listed()
        .map(|(metric, _)| movers(ledger, metric, most))
        .into();
    let wanted: BTreeSet<EntryAt> = movers
        .iter()
        .flat_map(|movers| movers.raised.iter().chain(&movers.lowered))
        .copied()
        .collect();
    let reader = repo.reader();
    let mut diffs = Vec::with_capacity(wanted.len());
    for at in wanted {
        let commit = &ledger.commits[at.commit as usize];
        let new = reader.commit(reader.resolve(&commit.commit.id)?)?.tree;
        let old = match commit.base.as_str() {
            "" => None,
            base => Some(reader.commit(reader.resolve(base)?)?.tree),
        };
        let trees = Trees {
            reader: &reader,
            old,
            new,
        };
        diffs.push(trees.diff(commit, at)?);
    }
    Ok(HistoryEvidence { movers, diffs })
}

fn movers(ledger: &HistoryLedger, metric: &'static Metric, most: usize) -> MetricMovers {
    let index = |index: usize| u32::try_from(index).unwrap_or(u32::MAX);
    let mut all: Vec<(f64, EntryAt)> = Vec::new();
    for (commit, told) in ledger.commits.iter().enumerate() {
        for (entry, told) in told.entries.iter().enumerate() {
            let at = EntryAt {
                commit: index(commit),
                entry: index(entry),
            };
            let mut listed = told.change.listed().into_iter();
            let change = listed.find(|(listed, _)| *listed == metric);
            let change = change.map_or(0.0, |(_, change)| change);
            if change != 0.0 {
                all.push((change, at));
            }
        }
    }
    all.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let raised = all.iter().take_while(|(change, _)| *change > 0.0);
    let raised = raised.take(most).map(|(_, at)| *at).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0).then_with(|| a.1.cmp(&b.1)));
    let lowered = all.iter().take_while(|(change, _)| *change < 0.0);
    MetricMovers {
        metric,
        raised,
        lowered: lowered.take(most).map(|(_, at)| *at).collect(),
    }
}

/// Reads the content of a path; `None` if the path does not exist.
pub type ReadPath<'a> = &'a dyn Fn(&str) -> Option<Vec<u8>>;

/// The diff of a function that was added, removed or changed, and the number of lines that were left out. `None` for code
/// outside of functions, and for functions that were split or merged.
#[must_use]
pub fn function_diff(
    entry: &LedgerEntry,
    before: ReadPath<'_>,
    after: ReadPath<'_>,
) -> Option<(Vec<Hunk>, u32)> {
    let is_function = entry
        .from
        .iter()
        .chain(&entry.to)
        .all(|it| it.function.is_some());
    if !is_function || entry.from.len() > 1 || entry.to.len() > 1 {
        return None;
    }
    let side = |places: &[LedgerPlace], read: ReadPath<'_>| match places.first() {
        Some(place) => Some(place_lines(place, &read(&place.path)?, &[])),
        None => Some(Vec::new()),
    };
    let (old, new) = (side(&entry.from, before)?, side(&entry.to, after)?);
    if old.len().max(new.len()) > MAX_COMPARED {
        return None;
    }
    let (hunks, left_out) = hunks(&old, &new);
    let first = |lines: &[Numbered]| lines.first().map_or(1, |(line, _)| i64::from(*line));
    let mut shift = first(&new) - first(&old);
    let signed = hunks.iter().map(|lines| signed(lines, &mut shift));
    Some((signed.collect(), left_out))
}

/// A hunk with signs. `shift` is the difference of the line numbers of both sides before it, and then after it.
fn signed(lines: &[DiffLine], shift: &mut i64) -> Hunk {
    let number = |line: i64| usize::try_from(line).unwrap_or(0);
    let (old, new) = match lines.first() {
        Some(first) if first.side == DiffSide::Before => {
            (i64::from(first.line), i64::from(first.line) + *shift)
        }
        Some(first) => (i64::from(first.line) - *shift, i64::from(first.line)),
        None => (0, 0),
    };
    let text = |line: &DiffLine| {
        let (sign, by) = match line.side {
            DiffSide::Both => (' ', 0),
            DiffSide::Before => ('-', -1),
            DiffSide::After => ('+', 1),
        };
        *shift += by;
        format!("{sign}{}", line.text)
    };
    Hunk {
        lines: lines.iter().map(text).collect(),
        old: number(old),
        new: number(new),
    }
}

/// Two trees to read places from.
struct Trees<'a> {
    reader: &'a Reader,
    /// `None` for an empty tree.
    old: Option<Id>,
    new: Id,
}

/// A line of a text and its number from 1.
type Numbered = (u32, String);

impl Trees<'_> {
    fn diff(&self, commit: &CommitLedger, at: EntryAt) -> Result<EntryDiff, Error> {
        let entry = &commit.entries[at.entry as usize];
        let old = self.lines(self.old, &entry.from, &others(commit, entry, |e| &e.from))?;
        let new = self.lines(Some(self.new), &entry.to, &others(commit, entry, |e| &e.to))?;
        if old.len().max(new.len()) > MAX_COMPARED {
            let left_out = u32::try_from(old.len() + new.len()).unwrap_or(u32::MAX);
            return Ok(EntryDiff {
                at,
                hunks: Vec::new(),
                left_out,
            });
        }
        let (hunks, left_out) = hunks(&old, &new);
        Ok(EntryDiff {
            at,
            hunks,
            left_out,
        })
    }

    /// Lines of places. For code outside functions, the lines of the file without `others`.
    fn lines(
        &self,
        tree: Option<Id>,
        places: &[LedgerPlace],
        others: &[(&str, u32, u32)],
    ) -> Result<Vec<Numbered>, Error> {
        let mut found = Vec::new();
        let Some(tree) = tree else {
            return Ok(found);
        };
        for place in places {
            let Some((Kind::File, id)) = self.reader.entry(tree, &place.path)? else {
                continue;
            };
            let bytes = self.reader.blob(id, &place.path)?;
            found.extend(place_lines(place, &bytes, others));
        }
        Ok(found)
    }
}

/// The lines of a place in a file. For code outside functions, the lines of the file without `others`.
fn place_lines(place: &LedgerPlace, bytes: &[u8], others: &[(&str, u32, u32)]) -> Vec<Numbered> {
    let text = String::from_utf8_lossy(bytes);
    let is_told = |line: u32| match place.function {
        Some(_) => (place.start_line..=place.end_line).contains(&line),
        None => !others
            .iter()
            .any(|&(path, first, last)| path == place.path && (first..=last).contains(&line)),
    };
    let numbered = (1u32..).zip(text.lines());
    numbered
        .filter(|(line, _)| is_told(*line))
        .map(|(line, text)| (line, shortened(text)))
        .collect()
}

/// The functions of a commit's other entries: changes are shown there.
fn others<'a>(
    commit: &'a CommitLedger,
    entry: &LedgerEntry,
    places: fn(&LedgerEntry) -> &Vec<LedgerPlace>,
) -> Vec<(&'a str, u32, u32)> {
    if places(entry).iter().all(|place| place.function.is_some()) {
        return Vec::new();
    }
    let all = commit.entries.iter().flat_map(places);
    all.filter(|place| place.function.is_some())
        .map(|place| (place.path.as_str(), place.start_line, place.end_line))
        .collect()
}

fn shortened(line: &str) -> String {
    match line.char_indices().find(|(at, _)| *at >= MAX_BYTES) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line.to_owned(),
    }
}

/// The changes between two lists of lines with the lines around them, and how many lines were left
/// out.
fn hunks(old: &[Numbered], new: &[Numbered]) -> (Vec<Vec<DiffLine>>, u32) {
    let texts = |lines: &[Numbered]| lines.iter().map(|l| l.1.clone()).collect::<Vec<String>>();
    let (a, b) = (texts(old), texts(new));
    let ops = similar::capture_diff_slices(similar::Algorithm::Myers, &a, &b);
    let line = |side: DiffSide, (line, text): &Numbered| DiffLine {
        side,
        line: *line,
        text: text.clone(),
    };
    let mut found: Vec<Vec<DiffLine>> = Vec::new();
    let (mut shown, mut left_out) = (0, 0u32);
    for group in similar::group_diff_ops(ops, AROUND) {
        let mut hunk = Vec::new();
        for op in group {
            let (tag, before, after) = op.as_tag_tuple();
            if tag == similar::DiffTag::Equal {
                hunk.extend(new[after].iter().map(|l| line(DiffSide::Both, l)));
            } else {
                hunk.extend(old[before].iter().map(|l| line(DiffSide::Before, l)));
                hunk.extend(new[after].iter().map(|l| line(DiffSide::After, l)));
            }
        }
        let room = MAX_SHOWN - shown;
        if hunk.len() > room {
            left_out += u32::try_from(hunk.len() - room).unwrap_or(u32::MAX);
            hunk.truncate(room);
        }
        shown += hunk.len();
        if !hunk.is_empty() {
            found.push(hunk);
        }
    }
    (found, left_out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbered(text: &str) -> Vec<Numbered> {
        (1u32..).zip(text.lines().map(ToOwned::to_owned)).collect()
    }

    fn drawn(hunk: &[DiffLine]) -> String {
        let line = |line: &DiffLine| {
            let sign = match line.side {
                DiffSide::Both => ' ',
                DiffSide::Before => '-',
                DiffSide::After => '+',
            };
            format!("{}{sign}{}\n", line.line, line.text)
        };
        hunk.iter().map(line).collect()
    }

    #[test]
    fn functions_have_diffs_with_line_numbers() {
        let place = |start_line, end_line| LedgerPlace {
            path: "a.py".to_owned(),
            function: Some("f".to_owned()),
            start_line,
            end_line,
            complexity: Some(1),
            amounts: Amounts::default(),
        };
        let entry = LedgerEntry {
            kind: slope_model::ledger::EntryKind::Changed,
            part: slope_model::measurement::Part::Product,
            path: "a.py".to_owned(),
            function: Some("f".to_owned()),
            line: 3,
            change: Amounts::default(),
            from: vec![place(2, 3)],
            to: vec![place(3, 5)],
            elsewhere: Vec::new(),
            copied: None,
            twin: None,
            dead_code: Vec::new(),
        };
        let (before, after) = ("#\ndef f():\n    x\n", "#\n#\ndef f():\n    x\n    y\n");
        let read = |text: &'static str| move |_: &str| Some(text.as_bytes().to_vec());
        let found = function_diff(&entry, &read(before), &read(after));
        let (hunks, left_out) = found.unwrap();
        assert_eq!(left_out, 0);
        assert_eq!((hunks[0].old, hunks[0].new), (2, 3));
        assert_eq!(hunks[0].lines, [" def f():", "     x", "+    y"]);
        let removed = LedgerEntry {
            to: Vec::new(),
            ..entry.clone()
        };
        let (hunks, _) = function_diff(&removed, &read(before), &read(after)).unwrap();
        assert_eq!(hunks[0].lines, ["-def f():", "-    x"]);
        let split = LedgerEntry {
            to: vec![place(3, 4), place(5, 5)],
            ..entry
        };
        assert!(function_diff(&split, &read(before), &read(after)).is_none());
    }

    #[test]
    fn hunks_include_surrounding_lines() {
        let old = numbered("a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk");
        let new = numbered("a\nb\nc\nd\nX\nf\ng\nh\ni\nj\nk\nl");
        let (found, left_out) = hunks(&old, &new);
        assert_eq!((found.len(), left_out), (1, 0));
        assert!(drawn(&found[0]).starts_with("2 b\n3 c\n4 d\n5-e\n5+X\n6 f\n"));
        assert!(drawn(&found[0]).ends_with("11 k\n12+l\n"));
        assert_eq!(hunks(&old, &old).0.len(), 0);
    }

    #[test]
    fn long_diff_is_cut_with_count() {
        let text: String = (0..200).map(|i| format!("line {i}\n")).collect();
        let (found, left_out) = hunks(&[], &numbered(&text));
        assert_eq!((found[0].len(), left_out), (MAX_SHOWN, 40));
        assert!(shortened(&"é".repeat(500)).len() <= MAX_BYTES + 4);
    }
}
