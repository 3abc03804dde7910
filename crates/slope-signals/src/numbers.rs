//! Numbers for the names of all files.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

/// Numbers for the names of all files. A tree has hundreds of thousands of names to look up, so an
/// entry of the table is small: the number and a part of the hash, which avoids most comparisons
/// with other names.
#[derive(Debug, Default)]
pub(crate) struct Numbers {
    table: HashTable<(u32, u32)>,
    /// All names, one after the other.
    text: String,
    /// End of each name, in bytes.
    ends: Vec<u32>,
}

impl Numbers {
    /// An empty table with capacity for `count` names.
    pub(crate) fn with_capacity(count: usize) -> Self {
        Self {
            table: HashTable::with_capacity(count),
            text: String::new(),
            ends: Vec::with_capacity(count),
        }
    }

    /// How many names have a number.
    pub(crate) fn count(&self) -> u32 {
        u32::try_from(self.ends.len()).unwrap_or(u32::MAX)
    }

    /// The number of a name, which is new if the name is.
    pub(crate) fn intern(&mut self, name: &str) -> u32 {
        let (hash, part) = hash(name);
        let (text, ends) = (&self.text, &self.ends);
        let same =
            |&(other, number): &(u32, u32)| other == part && name_at(text, ends, number) == name;
        let again = |&(_, number): &(u32, u32)| self::hash(name_at(text, ends, number)).0;
        match self.table.entry(hash, same, again) {
            Entry::Occupied(entry) => entry.get().1,
            Entry::Vacant(entry) => {
                let next = u32::try_from(ends.len()).unwrap_or(u32::MAX);
                entry.insert((part, next));
                self.text.push_str(name);
                self.ends
                    .push(u32::try_from(self.text.len()).unwrap_or(u32::MAX));
                next
            }
        }
    }

    /// The number of a name, if it has one.
    pub(crate) fn get(&self, name: &str) -> Option<u32> {
        let (hash, part) = hash(name);
        let same = |&(other, number): &(u32, u32)| other == part && self.name(number) == name;
        self.table.find(hash, same).map(|&(_, number)| number)
    }

    /// The name of a number.
    pub(crate) fn name(&self, number: u32) -> &str {
        name_at(&self.text, &self.ends, number)
    }
}

fn name_at<'t>(text: &'t str, ends: &[u32], number: u32) -> &'t str {
    let at = number as usize;
    let start = at.checked_sub(1).map_or(0, |before| ends[before] as usize);
    text.get(start..ends[at] as usize).unwrap_or_default()
}

/// The hash of a name, and the stored part of it.
fn hash(name: &str) -> (u64, u32) {
    let hash = FixedState::default().hash_one(name);
    (hash, (hash >> 16) as u32)
}
