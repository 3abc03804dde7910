//! Code that moves to a path where slope skips it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use slope_git::{Id, Reader};
use slope_measure::Selection;

use super::gone::gone;
use super::scope::last_of;
use crate::base_files::{Files, Place, bytes};

/// Maximum number of removed files of the same name that a new file is compared with. There may be
/// thousands called `__init__.py`.
const MAX_NAMESAKES: usize = 16;

/// Lines of a text without their layout.
type Lines = BTreeSet<Vec<u8>>;

/// Removed files that were measured, by content and by name.
struct Gone<'a> {
    by_content: HashMap<Id, &'a String>,
    by_name: BTreeMap<&'a str, Vec<(&'a String, Lines)>>,
}

/// Skipped files that were judged at another place before, each with an explanation.
pub(super) fn moved(
    reader: &Reader,
    (old, new): (&Files, &Files),
    selection: &Selection,
    left_out: &[String],
) -> Vec<(String, String)> {
    let came = left_out.iter().filter(|path| !old.contains_key(*path));
    let came: Vec<(&String, &Place)> = came
        .filter_map(|path| new.get_key_value(path.as_str()))
        .collect();
    if came.is_empty() {
        return Vec::new();
    }
    let gone = gone((old, new), selection);
    let names = came.iter().map(|(path, _)| last_of(path)).collect();
    let gone = Gone::of(reader, gone, &names);
    let found = came.into_iter().filter_map(|(path, place)| {
        let old = gone.source(reader, path, place)?;
        let reason = format!("it was {old}, and is skipped because of its new name");
        Some((path.clone(), reason))
    });
    found.collect()
}

impl<'a> Gone<'a> {
    fn of(
        reader: &Reader,
        gone: impl Iterator<Item = (&'a String, &'a Place)>,
        names: &BTreeSet<&str>,
    ) -> Self {
        let mut by_content = HashMap::new();
        let mut by_name: BTreeMap<&str, Vec<_>> = BTreeMap::new();
        for (path, place) in gone {
            if let Place::Blob(id) = place {
                by_content.entry(*id).or_insert(path);
            }
            let name = last_of(path);
            let namesakes = by_name.entry(name).or_default();
            if names.contains(name) && namesakes.len() < MAX_NAMESAKES {
                namesakes.push((path, lines(&text(reader, path, place))));
            }
        }
        Self {
            by_content,
            by_name,
        }
    }

    /// Earlier place of a file: a file with the same content, or one of the same name with mostly
    /// the same lines.
    fn source(&self, reader: &Reader, path: &str, place: &Place) -> Option<&'a String> {
        let namesakes = self
            .by_name
            .get(last_of(path))
            .filter(|all| !all.is_empty());
        if let Place::Blob(id) = place
            && let Some(old) = self.by_content.get(id)
        {
            return Some(old);
        }
        let is_known = matches!(place, Place::Blob(_));
        if self.by_content.is_empty() || is_known && namesakes.is_none() {
            return None;
        }
        let text = text(reader, path, place);
        let same = reader.name_of_content(&text);
        let same = same.and_then(|id| self.by_content.get(&id).copied());
        let new = lines(&text);
        same.or_else(|| {
            let mut namesakes = namesakes?.iter();
            let alike = namesakes.find(|(_, old)| is_much_alike(old, &new));
            alike.map(|(old, _)| *old)
        })
    }
}

/// Text of a file; empty if it cannot be read, which is reported elsewhere.
fn text(reader: &Reader, path: &str, place: &Place) -> Vec<u8> {
    bytes(reader, path, place).unwrap_or_default()
}

fn lines(text: &[u8]) -> Lines {
    let lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let lines = lines.filter(|line| !line.is_empty());
    lines.map(<[u8]>::to_vec).collect()
}

/// Whether two files have most lines in common.
fn is_much_alike(old: &Lines, new: &Lines) -> bool {
    2 * old.intersection(new).count() > new.len().max(1)
}
