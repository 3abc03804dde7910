//! What a change does to the tables of a tree.

use crate::background::{Background, bits_of, package};
use crate::contributions::{Counted, Numbered};
use crate::facts::FileSignals;
use crate::file_paths::{is_test, stem};
use crate::keys::{Key, Kind};
use crate::numbers::Numbers;
use crate::words::Map;

/// What a change does to the tables of a tree.
#[derive(Default)]
pub(crate) struct Overlay {
    /// For each file of the tree before the change whether its facts are replaced or gone.
    pub(crate) is_replaced: Vec<bool>,
    /// Files that are there after the change and differ, ascending once all are added.
    pub(crate) new: Vec<usize>,
    /// Names that the tree did not have. Their numbers come after its own.
    pub(crate) names: Numbers,
    /// Names of the new files by number across files.
    pub(crate) numbers: Map<usize, Box<[u32]>>,
    pub(crate) mentions: Map<u32, [i32; 8]>,
    pub(crate) counts: Map<Key, i32>,
    /// Places in new files by key.
    pub(crate) places: Map<Key, Vec<(u32, u32)>>,
    /// Mentions in new files by number.
    pub(crate) mentioners: Map<u32, Vec<(u32, u32)>>,
    /// Hashes of what others see of old files, minus those of new ones.
    seen: Map<(Key, u64), i32>,
}

impl Overlay {
    /// For a tree with this many files.
    pub(crate) fn of(files: usize) -> Self {
        Self {
            is_replaced: vec![false; files],
            ..Self::default()
        }
    }

    /// The number of a name.
    pub(crate) fn intern(&mut self, background: &Background, name: &str) -> u32 {
        match background.known.get(name) {
            Some(number) => number,
            None => background.known.count() + self.names.intern(name),
        }
    }

    /// Takes the old facts of a file out.
    pub(crate) fn remove(
        &mut self,
        background: &Background,
        index: usize,
        file: (&str, &FileSignals),
    ) {
        self.is_replaced[index] = true;
        self.apply(&background.numbered(index, file), -1);
    }

    /// Puts the new facts of a file in.
    pub(crate) fn add(
        &mut self,
        background: &Background,
        index: usize,
        (path, facts): (&str, &FileSignals),
    ) {
        let names = facts.names.iter();
        let numbers: Box<[u32]> = names.map(|name| self.intern(background, name)).collect();
        let file = Numbered {
            path,
            facts,
            numbers: &numbers,
            stem: self.intern(background, stem(path)),
            package: self.intern(background, package(path)),
            is_test: is_test(path, facts),
        };
        self.apply(&file, 1);
        let number = u32::try_from(index).unwrap_or(u32::MAX);
        file.list(&mut |key, position| {
            self.places.entry(key).or_default().push((number, position));
        });
        file.list_mentions(&mut |name, local| {
            self.mentioners
                .entry(name)
                .or_default()
                .push((number, local));
        });
        self.numbers.insert(index, numbers);
        self.new.push(index);
    }

    fn apply(&mut self, file: &Numbered<'_>, by: i32) {
        for (number, bits) in file.mentioned() {
            let counts = self.mentions.entry(number).or_default();
            for bit in bits_of(bits) {
                counts[bit] += by;
            }
        }
        file.count(&mut |what| {
            let key = match what {
                Counted::Definition(number) => Key::of(Kind::Definitions, number),
                Counted::Class(number) => Key::of(Kind::Classes, number),
                Counted::Subclass(number) => Key::of(Kind::Subclasses, number),
                Counted::Other(key) => key,
            };
            *self.counts.entry(key).or_default() += by;
        });
        file.describe(&mut |key, seen| *self.seen.entry((key, seen)).or_default() += by);
    }

    /// Keys of what the change makes different. A key more is no fault.
    pub(crate) fn changed(&self, background: &Background) -> Vec<Key> {
        let mut keys: Vec<Key> = Vec::new();
        for (&number, by) in &self.mentions {
            let before = background.mentions.get(number as usize);
            let before = before.copied().unwrap_or_default();
            let differs = (0..8)
                .any(|bit| (before[bit] > 0) != (before[bit].saturating_add_signed(by[bit]) > 0));
            if differs {
                let name = self.name(background, number);
                keys.push(Key::of(Kind::Mentions, number));
                keys.push(Key::of_hash(Kind::MentionsOfText, name));
            }
        }
        for (&key, &by) in &self.counts {
            let before = background.count(key);
            let after = before.saturating_add_signed(by);
            let limit = key.limit();
            if before.min(limit) != after.min(limit) {
                keys.push(key);
            }
        }
        let seen = self.seen.iter().filter(|(_, by)| **by != 0);
        keys.extend(seen.map(|((key, _), _)| *key));
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    /// The name of a number.
    pub(crate) fn name<'n>(&'n self, background: &'n Background, number: u32) -> &'n str {
        match number.checked_sub(background.known.count()) {
            Some(own) => self.names.name(own),
            None => background.known.name(number),
        }
    }
}
