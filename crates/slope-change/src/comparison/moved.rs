//! Code that moves to another path, as whole files or in part.

use std::collections::{BTreeMap, HashMap, HashSet};

use slope_git::{Id, Reader};
use slope_measure::{Choice, Measurer, Selection};

use super::scope::last_of;
use crate::base_files::{Files, Place, bytes};

/// Lines that must move, unless their whole file is gone.
const MIN_LINES: usize = 5;
/// Letters and digits of a line that says where it comes from. Others, such as `} else {`, are in all files.
const MIN_SIGNS: usize = 4;
/// Bytes of the largest file to which code may move.
const MAX_BYTES: u64 = 1 << 20;

/// Lines of a text without their layout.
type Lines = HashSet<Vec<u8>>;

/// Most of the new lines of a file were in a judged file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Move {
    /// The judged file of the base.
    pub(super) from: String,
    /// The file that has the lines now.
    pub(super) to: String,
    /// Whether most lines of a file that is gone are there.
    pub(super) is_whole: bool,
}

/// A judged file that lost lines.
struct Source<'a> {
    path: &'a String,
    /// The lines that it lost.
    lines: usize,
    is_gone: bool,
}

/// Judged files that lost lines, by line and by content.
struct Sources<'a> {
    all: Vec<Source<'a>>,
    by_line: HashMap<Vec<u8>, Vec<usize>>,
    by_content: HashMap<Id, usize>,
}

/// Where the new lines of some files come from.
pub(super) fn moves(
    reader: &Reader,
    (old, new): (&Files, &Files),
    (measurer, selection): (&Measurer, &Selection),
    candidates: &[&String],
) -> Vec<Move> {
    if candidates.is_empty() {
        return Vec::new();
    }
    let sources = Sources::of(reader, (old, new), (measurer, selection));
    if sources.all.is_empty() {
        return Vec::new();
    }
    let found = candidates.iter().filter_map(|path| {
        let place = new.get(*path)?;
        if size(reader, place)? > MAX_BYTES {
            return None;
        }
        let text = text(reader, path, place);
        if text.contains(&0) {
            return None;
        }
        let mut added = lines(&text);
        if let Some(before) = old.get(*path) {
            let before = lines(&self::text(reader, path, before));
            added.retain(|line| !before.contains(line));
        }
        sources.origin(path, place, &added)
    });
    found.collect()
}

impl<'a> Sources<'a> {
    fn of(
        reader: &Reader,
        (old, new): (&'a Files, &Files),
        (measurer, selection): (&Measurer, &Selection),
    ) -> Self {
        let mut sources = Self {
            all: Vec::new(),
            by_line: HashMap::new(),
            by_content: HashMap::new(),
        };
        let judged = old
            .iter()
            .filter(|(path, _)| selection.choice(path) == Choice::Measured);
        for (path, place) in judged {
            let after = new.get(path);
            if after == Some(place) {
                continue;
            }
            let before = text(reader, path, place);
            if !measurer.is_code(path, &before) {
                continue;
            }
            let mut lost = lines(&before);
            if let Some(after) = after {
                let kept = lines(&text(reader, path, after));
                lost.retain(|line| !kept.contains(line));
            }
            sources.add(path, (place, after.is_none()), lost);
        }
        sources
    }

    fn add(&mut self, path: &'a String, (place, is_gone): (&Place, bool), lost: Lines) {
        if lost.is_empty() {
            return;
        }
        let at = self.all.len();
        self.all.push(Source {
            path,
            lines: lost.len(),
            is_gone,
        });
        if let (Place::Blob(id), true) = (place, is_gone) {
            self.by_content.entry(*id).or_insert(at);
        }
        for line in lost {
            self.by_line.entry(line).or_default().push(at);
        }
    }

    /// The source of most of the lines that a file gained.
    fn origin(&self, path: &str, place: &Place, added: &Lines) -> Option<Move> {
        let made = |source: &Source<'_>, is_whole: bool| Move {
            from: source.path.clone(),
            to: path.to_owned(),
            is_whole,
        };
        if let Place::Blob(id) = place
            && let Some(at) = self.by_content.get(id)
        {
            return Some(made(&self.all[*at], true));
        }
        let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
        for at in added
            .iter()
            .filter_map(|line| self.by_line.get(line))
            .flatten()
        {
            *counts.entry(*at).or_default() += 1;
        }
        // The first of several that are alike: sources are sorted by path.
        let best = counts.into_iter().rev().max_by_key(|(_, count)| *count);
        let (source, count) = best.map(|(at, count)| (&self.all[at], count))?;
        let is_most = 2 * count > added.len();
        let is_whole = source.is_gone && 2 * count > source.lines;
        let is_namesake = source.is_gone && last_of(source.path) == last_of(path);
        let is_enough = is_whole || is_namesake || count >= MIN_LINES;
        (is_most && is_enough).then(|| made(source, is_whole))
    }
}

/// Bytes of a file, without reading it: it may be an asset of any size.
fn size(reader: &Reader, place: &Place) -> Option<u64> {
    match place {
        Place::Blob(id) => reader.blob_size(*id),
        Place::Disk(file) => Some(std::fs::metadata(file).ok()?.len()),
        Place::Bytes(bytes) => Some(bytes.len() as u64),
    }
}

/// Text of a file; empty if it cannot be read, which is reported elsewhere.
fn text(reader: &Reader, path: &str, place: &Place) -> Vec<u8> {
    bytes(reader, path, place).unwrap_or_default()
}

fn lines(text: &[u8]) -> Lines {
    let lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let says = |line: &&[u8]| {
        let signs = line
            .iter()
            .filter(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii());
        signs.count() >= MIN_SIGNS
    };
    lines.filter(says).map(<[u8]>::to_vec).collect()
}
