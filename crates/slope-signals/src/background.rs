//! The facts of all files of a tree together, in tables that views of changed trees share.

use crate::contributions::{Counted, Numbered};
use crate::facts::{ALL, FileSignals};
use crate::file_paths::{folder, is_test, stem};
use crate::keys::{Dependents, Key, Kind};
use crate::numbers::Numbers;
use crate::words::Map;

/// The facts of all files of a tree together. It has no reference to the files, so that threads can share it.
#[derive(Debug)]
pub struct Background {
    pub(crate) known: Numbers,
    /// For each file, its names' numbers across files.
    pub(crate) numbers: Vec<Box<[u32]>>,
    /// Whether each file is a test file.
    pub(crate) tests: Vec<bool>,
    /// Number of files that mention a number, by bit of [`crate::facts::Mention`].
    pub(crate) mentions: Vec<[u32; 8]>,
    /// Definitions of functions and methods by number.
    pub(crate) definitions: Vec<u32>,
    /// Definitions of classes by number.
    pub(crate) classes: Vec<u32>,
    /// Classes that name this number as their base.
    pub(crate) subclasses: Vec<u32>,
    /// Other counts.
    pub(crate) counts: Map<Key, u32>,
    /// The first file and position of what keys name, in path order.
    pub(crate) first: Map<Key, (u32, u32)>,
    /// Everything that keys name: files and positions, in path order.
    pub(crate) lists: Lists,
    /// What the findings of files depend on; empty unless there will be changes.
    pub(crate) dependents: Dependents,
}

/// Lists of places by key, in few blocks of memory.
#[derive(Debug, Default)]
pub(crate) struct Lists {
    /// Ascending.
    keys: Vec<Key>,
    /// Start of the places of each key.
    starts: Vec<u32>,
    places: Vec<(u32, u32)>,
}

impl Lists {
    /// Lists of these entries. Entries of one key keep their order.
    pub(crate) fn new(mut entries: Vec<(Key, (u32, u32))>) -> Self {
        entries.sort_by_key(|(key, _)| *key);
        let mut this = Self {
            places: entries.iter().map(|(_, place)| *place).collect(),
            ..Self::default()
        };
        for (at, (key, _)) in (0..).zip(&entries) {
            if this.keys.last() != Some(key) {
                this.keys.push(*key);
                this.starts.push(at);
            }
        }
        this.keys.shrink_to_fit();
        this.starts.shrink_to_fit();
        this
    }

    /// The places of a key.
    pub(crate) fn of(&self, key: Key) -> &[(u32, u32)] {
        let Ok(at) = self.keys.binary_search(&key) else {
            return &[];
        };
        let end = self
            .starts
            .get(at + 1)
            .map_or(self.places.len(), |end| *end as usize);
        &self.places[self.starts[at] as usize..end]
    }
}

impl Background {
    /// The tables of these files, which are in path order.
    #[must_use]
    pub fn new(files: &[(&str, &FileSignals)]) -> Self {
        let names: usize = files.iter().map(|(_, file)| file.mentions.len()).sum();
        let mut this = Self {
            // Most names of a file also occur in other files.
            known: Numbers::with_capacity(names / 3),
            numbers: Vec::with_capacity(files.len()),
            tests: files
                .iter()
                .map(|(path, facts)| is_test(path, facts))
                .collect(),
            mentions: Vec::new(),
            definitions: Vec::new(),
            classes: Vec::new(),
            subclasses: Vec::new(),
            counts: Map::default(),
            first: Map::default(),
            lists: Lists::default(),
            dependents: Dependents::default(),
        };
        this.known.intern(ALL);
        for (path, file) in files {
            let known = &mut this.known;
            let numbers = file.names.iter().map(|name| known.intern(name)).collect();
            this.numbers.push(numbers);
            known.intern(stem(path));
            known.intern(package(path));
        }
        let count = this.known.count() as usize;
        this.mentions = vec![[0; 8]; count];
        this.definitions = vec![0; count];
        this.classes = vec![0; count];
        this.subclasses = vec![0; count];
        let mut entries = Vec::new();
        for (index, &file) in (0..).zip(files) {
            this.add(index, file, &mut entries);
        }
        this.list_mentions(files, &mut entries);
        this.lists = Lists::new(entries);
        this
    }

    /// The file of an index.
    pub(crate) fn numbered<'a>(
        &'a self,
        index: usize,
        (path, facts): (&'a str, &'a FileSignals),
    ) -> Numbered<'a> {
        Numbered {
            path,
            facts,
            numbers: &self.numbers[index],
            stem: self.known.get(stem(path)).unwrap_or_default(),
            package: self.known.get(package(path)).unwrap_or_default(),
            is_test: self.tests[index],
        }
    }

    /// How often the files have what a key names.
    pub(crate) fn count(&self, key: Key) -> u32 {
        let of = |counts: &[u32], number: u32| counts.get(number as usize).copied();
        let known = match key.kind_and_number() {
            (Kind::DEFINITIONS, number) => of(&self.definitions, number),
            (Kind::CLASSES, number) => of(&self.classes, number),
            (Kind::SUBCLASSES, number) => of(&self.subclasses, number),
            _ => self.counts.get(&key).copied(),
        };
        known.unwrap_or(0)
    }

    fn add(
        &mut self,
        index: u32,
        (path, facts): (&str, &FileSignals),
        entries: &mut Vec<(Key, (u32, u32))>,
    ) {
        let numbers = std::mem::take(&mut self.numbers[index as usize]);
        let file = Numbered {
            path,
            facts,
            numbers: &numbers,
            stem: self.known.get(stem(path)).unwrap_or_default(),
            package: self.known.get(package(path)).unwrap_or_default(),
            is_test: self.tests[index as usize],
        };
        for (number, bits) in file.mentioned() {
            for bit in bits_of(bits) {
                self.mentions[number as usize][bit] += 1;
            }
        }
        file.count(&mut |what| match what {
            Counted::Definition(number) => self.definitions[number as usize] += 1,
            Counted::Class(number) => self.classes[number as usize] += 1,
            Counted::Subclass(number) => self.subclasses[number as usize] += 1,
            Counted::Other(key) => *self.counts.entry(key).or_default() += 1,
        });
        file.list(&mut |key, position| {
            if key.is_of(Kind::FIRST) {
                self.first.entry(key).or_insert((index, position));
            }
            entries.push((key, (index, position)));
        });
        self.numbers[index as usize] = numbers;
    }

    /// Adds the mentions of names that private functions have.
    fn list_mentions(&self, files: &[(&str, &FileSignals)], entries: &mut Vec<(Key, (u32, u32))>) {
        let mut is_private = vec![false; self.known.count() as usize];
        for (key, _) in entries.iter() {
            if let Some(number) = key.number_of(Kind::Private) {
                is_private[number as usize] = true;
            }
        }
        if !is_private.contains(&true) {
            return;
        }
        for (index, &file) in (0..).zip(files) {
            self.numbered(index as usize, file)
                .list_mentions(&mut |number, local| {
                    if is_private[number as usize] {
                        entries.push((Key::of(Kind::Mentioners, number), (index, local)));
                    }
                });
        }
    }
}

/// The positions of the bits that are set.
pub(crate) fn bits_of(bits: u8) -> impl Iterator<Item = usize> {
    (0..8).filter(move |bit| bits >> bit & 1 == 1)
}

/// The name of the package of a file, where folders are packages.
pub(crate) fn package(path: &str) -> &str {
    folder(path).rsplit('/').next().unwrap_or_default()
}
