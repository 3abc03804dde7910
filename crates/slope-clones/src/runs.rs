//! Runs of statements that occur more than once.
//!
//! Every statement carries the hashes of the shortest run that begins with it.
//! Equal hashes are grouped; then a group is made longer on both sides as long
//! as all its members agree, which gives the longest run for that set of places.

use std::collections::HashSet;

use rayon::prelude::*;
use slope_model::measurement::CloneKind;
use xxhash_rust::xxh3::xxh3_128;

use crate::classes::{Class, Place, class};
use crate::file::{FileClones, MIN_RUN_LINES, Statement};
use crate::stream::{narrow, unit_hash};

/// Most groups of other places that a group grows over on either side.
const MAX_GROWTH: u32 = 512;

/// A statement of a file, by the form of its run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Start {
    form: u64,
    file: u32,
    statement: u32,
}

struct Runs<'f> {
    files: &'f [&'f FileClones],
    /// Starts in groups of two or more.
    starts: Vec<Start>,
    /// First start of each group, and one entry more.
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
        .filter_map(|group| runs.class(group))
        .collect();
    let mut seen: HashSet<(Place, Place, usize)> = HashSet::new();
    found.retain(|class| {
        let last = class.members.len() - 1;
        seen.insert((class.members[0], class.members[last], last))
    });
    found
}

impl<'f> Runs<'f> {
    fn new(files: &'f [&'f FileClones]) -> Self {
        let mut all: Vec<Start> = files
            .par_iter()
            .enumerate()
            .flat_map_iter(|(file, facts)| {
                (0..).zip(&facts.statements).filter(|(_, s)| s.run > 0).map(
                    move |(statement, s)| Start {
                        form: s.renamed,
                        file: narrow(file),
                        statement,
                    },
                )
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

    /// Adds a group, less the members that overlap the one before them.
    fn add(&mut self, group: &[Start]) {
        let before = self.starts.len();
        if group.len() < 2 {
            return;
        }
        for &start in group {
            let overlaps = self.starts[before..].last().is_some_and(|last| {
                let run = u32::from(self.statement(last.file, last.statement).run);
                last.file == start.file && start.statement < last.statement + run
            });
            if !overlaps {
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

    fn statement(&self, file: u32, statement: u32) -> &'f Statement {
        &self.files[file as usize].statements[statement as usize]
    }

    fn members(&self, group: u32) -> &[Start] {
        let first = self.groups[group as usize] as usize;
        &self.starts[first..self.groups[group as usize + 1] as usize]
    }

    /// The group's number at a distance from a start, if that is in the same block.
    fn number(&self, start: &Start, distance: i64) -> Option<u32> {
        let target = u32::try_from(i64::from(start.statement) + distance).ok()?;
        let link = if distance < 0 {
            target
        } else {
            target.checked_sub(1)?
        };
        let joined = distance == 0 || self.statement(start.file, link).continues;
        let number = *self.numbers[start.file as usize].get(target as usize)?;
        (joined && number > 0).then_some(number)
    }

    /// The number that all members have at a distance.
    fn common_number(&self, members: &[Start], distance: i64) -> Option<u32> {
        let number = self.number(&members[0], distance)?;
        let same = |start| self.number(start, distance) == Some(number);
        members[1..].iter().all(same).then_some(number)
    }

    /// The longest run of a group's places; `None` if another group has it, or it is too short.
    fn class(&self, group: u32) -> Option<Class> {
        let members = self.members(group);
        let size = |number: u32| self.members(number - 1).len();
        if let Some(before) = self.common_number(members, -1)
            && size(before) == members.len()
        {
            return None;
        }
        let (left, right) = (self.growth(members, -1), self.growth(members, 1));
        self.grown(members, left, right)
    }

    /// By how many statements all members can grow in a direction.
    fn growth(&self, members: &[Start], direction: i64) -> u32 {
        let (mut length, mut foreign) = (0, 0);
        while let Some(number) = self.common_number(members, direction * (i64::from(length) + 1)) {
            // A group of the same places makes no class of its own, so going over
            // it is paid for; one of more places does.
            foreign += u32::from(self.members(number - 1).len() != members.len());
            if foreign > MAX_GROWTH {
                break;
            }
            length += 1;
        }
        length
    }

    /// By how many statements runs can grow at their ends, where less than a
    /// shortest run is left. Names need to agree within each of them only.
    fn tail(&self, ends: &[(u32, u32)]) -> (u32, bool) {
        let (mut length, mut equal) = (0, true);
        loop {
            let next = |&(file, end): &(u32, u32)| {
                let before = self.statement(file, end + length - 1);
                before.continues.then(|| self.statement(file, end + length))
            };
            let Some(first) = next(&ends[0]) else { break };
            let same = |end| next(end).is_some_and(|s| s.own == first.own);
            if !ends[1..].iter().all(same) {
                break;
            }
            let exact = |end| next(end).is_some_and(|s| s.own_exact == first.own_exact);
            equal &= ends[1..].iter().all(exact);
            length += 1;
        }
        (length, equal)
    }

    /// The class of members that grow on both sides.
    fn grown(&self, members: &[Start], left: u32, right: u32) -> Option<Class> {
        let end = |s: &Start| {
            let last = s.statement + right;
            last + u32::from(self.statement(s.file, last).run)
        };
        let ends: Vec<(u32, u32)> = members.iter().map(|s| (s.file, end(s))).collect();
        let (tail, tail_equal) = self.tail(&ends);
        let mut places: Vec<Place> = Vec::with_capacity(members.len());
        let mut kept: Vec<&Start> = Vec::with_capacity(members.len());
        for start in members {
            let place = self.place(start.file, start.statement - left, end(start) + tail);
            let overlaps = places
                .last()
                .is_some_and(|p| p.file == place.file && p.end_byte > place.start_byte);
            if place.lines >= MIN_RUN_LINES && !overlaps {
                places.push(place);
                kept.push(start);
            }
        }
        let first = *kept.first()?;
        let alone = end(first) + tail - (first.statement - left) == 1;
        let whole = alone && self.statement(first.file, first.statement).whole;
        if places.len() < 2 || whole {
            return None;
        }
        let runs = |s: &Start| {
            let from = (s.statement - left) as usize;
            let to = (s.statement + right) as usize;
            &self.files[s.file as usize].statements[from..=to]
        };
        let same = |s: &&Start| {
            runs(s)
                .iter()
                .zip(runs(first))
                .all(|(a, b)| a.exact == b.exact)
        };
        let kind = if tail_equal && kept.iter().all(same) {
            CloneKind::Exact
        } else {
            CloneKind::Renamed
        };
        let form: Vec<u8> = runs(first)
            .iter()
            .flat_map(|statement| statement.renamed.to_le_bytes())
            .collect();
        Some(class(kind, places, 0, unit_hash(xxh3_128(&form))))
    }

    /// Statements of a file from one up to another, that one left out.
    fn place(&self, file: u32, first: u32, end: u32) -> Place {
        let statements = &self.files[file as usize].statements[first as usize..end as usize];
        let (from, to) = (&statements[0], &statements[statements.len() - 1]);
        Place {
            file,
            start_byte: from.start_byte,
            end_byte: to.end_byte,
            first_row: from.first_row,
            last_row: to.last_row,
            lines: statements.iter().map(|s| s.lines).sum(),
            tokens: statements.iter().map(|s| s.tokens).sum(),
            similarity: 1000,
        }
    }
}
