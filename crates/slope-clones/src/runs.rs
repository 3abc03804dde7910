//! Runs of statements that occur more than once.
//!
//! Every statement has the hashes of the shortest run that begins with it. Equal hashes are
//! grouped; then a group is extended on both sides as long as all its members agree, which gives
//! the longest run for that set of places.

use std::collections::HashSet;

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_128;

use crate::file::{FileClones, Statement};
use crate::grow::{Groups, Growth, Start, overlaps};
use crate::place::{Class, Place};
use crate::repeats::Repeats;
use crate::stream::narrow;

struct Runs<'f> {
    files: &'f [&'f FileClones],
    /// Starts in groups of two or more.
    starts: Vec<Start>,
    /// Index of each group's first start, and one entry more.
    groups: Vec<u32>,
    /// For each statement of each file, its group's number from 1; else 0.
    numbers: Vec<Vec<u32>>,
}

/// Classes of runs; of each, the longest form for its set of places.
pub(crate) fn classes(files: &[&FileClones]) -> Vec<Class> {
    let runs = Runs::new(files);
    let count = narrow(runs.groups.len().saturating_sub(1));
    let mut found: Vec<Class> = (0..count)
        .into_par_iter()
        .flat_map_iter(|group| Growth(&runs).classes(group + 1))
        .collect();
    let mut seen: HashSet<u128> = HashSet::new();
    found.retain(|class| seen.insert(hash_of(&class.members)));
    found
}

impl<'f> Runs<'f> {
    fn new(files: &'f [&'f FileClones]) -> Self {
        let begins = |facts: &'f FileClones| facts.statements.iter().filter(|s| s.run > 0);
        let hashes = || files.iter().flat_map(|facts| begins(facts));
        let count = files.iter().map(|facts| facts.statements.len()).sum();
        let repeats = Repeats::of(count, hashes().map(|statement| statement.renamed));
        let mut all: Vec<Start> = files
            .par_iter()
            .enumerate()
            .flat_map_iter(|(file, facts)| {
                let repeats = &repeats;
                (0..)
                    .zip(&facts.statements)
                    .filter(|(_, s)| s.run > 0 && repeats.may(s.renamed))
                    .map(move |(statement, s)| Start {
                        form: s.renamed,
                        file: narrow(file),
                        statement,
                    })
            })
            .collect();
        all.par_sort_unstable();
        let mut runs = Self {
            files,
            starts: Vec::new(),
            groups: vec![0],
            numbers: vec![Vec::new(); files.len()],
        };
        for group in all.chunk_by(|a, b| a.form == b.form) {
            runs.add(group);
        }
        runs
    }

    /// Adds a group, without members that overlap the previous one.
    fn add(&mut self, group: &[Start]) {
        let before = self.starts.len();
        if group.len() < 2 {
            return;
        }
        for &start in group {
            let statements = &self.files[start.file as usize].statements;
            if !overlaps(self.starts[before..].last(), start, statements) {
                self.starts.push(start);
            }
        }
        if self.starts.len() < before + 2 {
            self.starts.truncate(before);
            return;
        }
        let number = narrow(self.groups.len());
        for start in &self.starts[before..] {
            let file = start.file as usize;
            let numbers = &mut self.numbers[file];
            numbers.resize(self.files[file].statements.len(), 0);
            numbers[start.statement as usize] = number;
        }
        self.groups.push(narrow(self.starts.len()));
    }
}

impl Groups for Runs<'_> {
    fn statements(&self, file: u32) -> &[Statement] {
        &self.files[file as usize].statements
    }

    fn number_of(&self, file: u32, statement: u32) -> u32 {
        let number = self.numbers[file as usize].get(statement as usize);
        number.copied().unwrap_or(0)
    }

    fn members(&self, number: u32) -> &[Start] {
        let first = self.groups[number as usize - 1] as usize;
        &self.starts[first..self.groups[number as usize] as usize]
    }
}

/// Hash of places: two groups may grow to the same ones.
fn hash_of(places: &[Place]) -> u128 {
    let bytes: Vec<u8> = places
        .iter()
        .flat_map(|p| [p.file, p.start_byte, p.end_byte])
        .flat_map(u32::to_le_bytes)
        .collect();
    xxh3_128(&bytes)
}
