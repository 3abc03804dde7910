//! Code that moves to where it is left out by its name.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use slope_git::{Id, Reader};
use slope_measure::Selection;

use super::gone::gone;
use super::scope::last_of;
use crate::base_files::{Files, Place, bytes};

/// Files of one name that are gone with which a new one of that name is compared; there may be
/// thousands called `__init__.py`.
const MAX_NAMESAKES: usize = 16;

/// Lines of a text, apart from layout.
type Lines = BTreeSet<Vec<u8>>;

/// The files that were measured and are gone: by content, and by name.
struct Gone<'a> {
    by_content: HashMap<Id, &'a String>,
    by_name: BTreeMap<&'a str, Vec<(&'a String, Lines)>>,
}

/// Those of the files that are left out that were judged at another place before, and how each got
/// there.
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
        let reason = format!("it was {old}, and is left out by its new name");
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

    /// Where a file was: one of the same content, or of the same name and mostly the same lines.
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

/// A file's text; empty where it cannot be read, which is reported when it is judged.
fn text(reader: &Reader, path: &str, place: &Place) -> Vec<u8> {
    bytes(reader, path, place).unwrap_or_default()
}

fn lines(text: &[u8]) -> Lines {
    let lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let lines = lines.filter(|line| !line.is_empty());
    lines.map(<[u8]>::to_vec).collect()
}

/// Whether most lines of a file are those of another.
fn is_much_alike(old: &Lines, new: &Lines) -> bool {
    2 * old.intersection(new).count() > new.len().max(1)
}
