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
use crate::repeats::Repeats;
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

/// Statements of a block that are one place of a class.
#[derive(Debug, Clone, Copy)]
struct Span {
    file: u32,
    first: u32,
    /// The last that begins a shortest run inside it.
    last_start: u32,
    end: u32,
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
        .flat_map_iter(|group| runs.classes(group))
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

    /// The longest runs of a group's places; none if another group has them, or if
    /// they are too short.
    fn classes(&self, group: u32) -> Vec<Class> {
        let members = self.members(group);
        let size = |number: u32| self.members(number - 1).len();
        if let Some(before) = self.common_number(members, -1)
            && size(before) == members.len()
        {
            return Vec::new();
        }
        let (left, right) = (self.growth(members, -1), self.growth(members, 1));
        let spans = members.iter().map(|start| {
            let last = start.statement + right;
            let run = u32::from(self.statement(start.file, last).run);
            Span {
                file: start.file,
                first: start.statement - left,
                last_start: last,
                end: last + run,
            }
        });
        let mut open: Vec<Vec<Span>> = vec![spans.collect()];
        let mut found = Vec::new();
        while let Some(mut spans) = open.pop() {
            self.grow_tail(&mut spans);
            if self.is_short(&spans) {
                open.extend(self.split(&spans));
            } else {
                found.extend(self.make(&spans));
            }
        }
        found
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

    /// Lets runs grow at their ends, where less than a shortest run is left. Names
    /// need to agree within each statement only.
    fn grow_tail(&self, spans: &mut [Span]) {
        while let Some(own) = self.next(&spans[0]).map(|s| s.own)
            && spans[1..]
                .iter()
                .all(|s| self.next(s).is_some_and(|n| n.own == own))
        {
            for span in spans.iter_mut() {
                span.end += 1;
            }
        }
    }

    /// The statement after a run, if it is in the same block.
    fn next(&self, span: &Span) -> Option<&'f Statement> {
        let before = self.statement(span.file, span.end - 1);
        before
            .continues
            .then(|| self.statement(span.file, span.end))
    }

    fn is_short(&self, spans: &[Span]) -> bool {
        let long = |span: &&Span| self.place(span).lines >= MIN_RUN_LINES;
        spans.iter().filter(long).count() < 2
    }

    /// Runs that are too short together may be long enough for some of their places:
    /// those that go on alike.
    fn split(&self, spans: &[Span]) -> Vec<Vec<Span>> {
        let following = |span: &Span| Some((self.next(span)?.own, *span));
        let mut next: Vec<(u64, Span)> = spans.iter().filter_map(following).collect();
        next.sort_by_key(|(own, _)| *own);
        next.chunk_by(|a, b| a.0 == b.0)
            .filter(|part| (2..spans.len()).contains(&part.len()))
            .map(|part| part.iter().map(|&(_, span)| span).collect())
            .collect()
    }

    /// The class of runs, less those that are too short or overlap the one before.
    fn make(&self, spans: &[Span]) -> Option<Class> {
        let mut places: Vec<Place> = Vec::with_capacity(spans.len());
        let mut kept: Vec<&Span> = Vec::with_capacity(spans.len());
        for span in spans {
            let place = self.place(span);
            let overlaps = places
                .last()
                .is_some_and(|p| p.file == place.file && p.end_byte > place.start_byte);
            if place.lines >= MIN_RUN_LINES && !overlaps {
                places.push(place);
                kept.push(span);
            }
        }
        let first = *kept.first()?;
        let whole = first.end - first.first == 1 && self.statement(first.file, first.first).whole;
        if places.len() < 2 || whole {
            return None;
        }
        let starts = self.starts_of(first);
        let same = |span: &&Span| {
            let own = self.statements(span).iter().zip(self.statements(first));
            let run = self.starts_of(span).iter().zip(starts);
            run.clone().all(|(a, b)| a.exact == b.exact)
                && own.clone().all(|(a, b)| a.own_exact == b.own_exact)
        };
        let kind = if kept.iter().all(same) {
            CloneKind::Exact
        } else {
            CloneKind::Renamed
        };
        let starts = starts.iter().map(|statement| statement.renamed);
        let tail = self.statements(first).iter().map(|statement| statement.own);
        let form: Vec<u8> = starts.chain(tail).flat_map(u64::to_le_bytes).collect();
        Some(class(kind, places, 0, unit_hash(xxh3_128(&form))))
    }

    /// All statements of a run.
    fn statements(&self, span: &Span) -> &'f [Statement] {
        let statements = &self.files[span.file as usize].statements;
        &statements[span.first as usize..span.end as usize]
    }

    /// The statements that begin a shortest run inside it.
    fn starts_of(&self, span: &Span) -> &'f [Statement] {
        &self.statements(span)[..=(span.last_start - span.first) as usize]
    }

    fn place(&self, span: &Span) -> Place {
        let statements = self.statements(span);
        let (from, to) = (&statements[0], &statements[statements.len() - 1]);
        Place {
            file: span.file,
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
