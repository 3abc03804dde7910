//! Extends groups of starts to the longest runs.
//!
//! A group's classes depend only on the group and on the groups of the statements around its
//! members. So they can be kept while other files change, see `index`.

use slope_model::measurement::CloneKind;
use xxhash_rust::xxh3::xxh3_128;

use crate::file::{MIN_RUN_LINES, Statement};
use crate::place::{Class, Place, class};
use crate::stream::unit_hash;

/// Maximum number of groups with other places over which a group grows on either side.
const MAX_GROWTH: u32 = 512;

/// A statement of a file, by the form of its run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Start {
    pub(crate) form: u64,
    pub(crate) file: u32,
    pub(crate) statement: u32,
}

/// Statements of a block that form one place of a class.
#[derive(Debug, Clone, Copy)]
struct Span {
    file: u32,
    first: u32,
    /// The last that begins a shortest run inside it.
    last_start: u32,
    end: u32,
}

/// Groups of starts of equal form and their statements.
pub(crate) trait Groups {
    /// The statements of a file.
    fn statements(&self, file: u32) -> &[Statement];

    /// The number of the group whose run a statement starts, from 1; 0 for none.
    fn number_of(&self, file: u32, statement: u32) -> u32;

    /// The members of a group, two or more, in order of file and position.
    fn members(&self, number: u32) -> &[Start];
}

/// Whether a start is inside the run of the previous kept one in the same file.
pub(crate) fn overlaps(last: Option<&Start>, start: Start, statements: &[Statement]) -> bool {
    let last = last.filter(|last| last.file == start.file);
    last.is_some_and(|last| {
        let run = u32::from(statements[last.statement as usize].run);
        start.statement < last.statement + run
    })
}

/// Grows groups to runs.
pub(crate) struct Growth<'g, G>(pub(crate) &'g G);

impl<'g, G: Groups> Growth<'g, G> {
    fn statement(&self, file: u32, statement: u32) -> &'g Statement {
        &self.0.statements(file)[statement as usize]
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
        if !joined || target as usize >= self.0.statements(start.file).len() {
            return None;
        }
        let number = self.0.number_of(start.file, target);
        (number > 0).then_some(number)
    }

    /// The number that all members have at a distance.
    fn common_number(&self, members: &[Start], distance: i64) -> Option<u32> {
        let number = self.number(&members[0], distance)?;
        let same = |start| self.number(start, distance) == Some(number);
        members[1..].iter().all(same).then_some(number)
    }

    /// The longest runs of a group's places; empty if another group has them, or if they are too
    /// short.
    pub(crate) fn classes(&self, group: u32) -> Vec<Class> {
        self.grown(group)
            .iter()
            .map(|(kept, places)| self.class(kept, places))
            .collect()
    }

    /// Places of the longest runs of a group.
    pub(crate) fn places(&self, group: u32) -> Vec<Vec<Place>> {
        self.grown(group)
            .into_iter()
            .map(|(_, places)| places)
            .collect()
    }

    fn grown(&self, group: u32) -> Vec<(Vec<Span>, Vec<Place>)> {
        let members = self.0.members(group);
        let size = |number: u32| self.0.members(number).len();
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
            // A group of the same places makes no class of its own, so growing over it is free; a
            // group of more places does.
            foreign += u32::from(self.0.members(number).len() != members.len());
            if foreign > MAX_GROWTH {
                break;
            }
            length += 1;
        }
        length
    }

    /// Extends runs at their ends, by less than a shortest run. Names only need to agree within
    /// each statement.
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
    fn next(&self, span: &Span) -> Option<&'g Statement> {
        let before = self.statement(span.file, span.end - 1);
        before
            .continues
            .then(|| self.statement(span.file, span.end))
    }

    fn is_short(&self, spans: &[Span]) -> bool {
        let long = |span: &&Span| self.place(span).lines >= MIN_RUN_LINES;
        spans.iter().filter(long).count() < 2
    }

    /// Splits runs that are too short together, but may be long enough for the places that continue
    /// in the same way.
    fn split(&self, spans: &[Span]) -> Vec<Vec<Span>> {
        let following = |span: &Span| Some((self.next(span)?.own, *span));
        let mut next: Vec<(u64, Span)> = spans.iter().filter_map(following).collect();
        next.sort_by_key(|(own, _)| *own);
        next.chunk_by(|a, b| a.0 == b.0)
            .filter(|part| (2..spans.len()).contains(&part.len()))
            .map(|part| part.iter().map(|&(_, span)| span).collect())
            .collect()
    }

    /// The places of runs, without those that are too short or overlap the previous one.
    fn make(&self, spans: &[Span]) -> Option<(Vec<Span>, Vec<Place>)> {
        let mut places: Vec<Place> = Vec::with_capacity(spans.len());
        let mut kept: Vec<Span> = Vec::with_capacity(spans.len());
        for span in spans {
            let place = self.place(span);
            let overlaps = places
                .last()
                .is_some_and(|p| p.file == place.file && p.end_byte > place.start_byte);
            if place.lines >= MIN_RUN_LINES && !overlaps {
                places.push(place);
                kept.push(*span);
            }
        }
        let first = kept.first()?;
        let whole = first.end - first.first == 1 && self.statement(first.file, first.first).whole;
        (places.len() >= 2 && !whole).then_some((kept, places))
    }

    fn class(&self, kept: &[Span], places: &[Place]) -> Class {
        let first = &kept[0];
        let starts = self.starts_of(first);
        let same = |span: &Span| {
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
        class(kind, places.to_vec(), 0, unit_hash(xxh3_128(&form)))
    }

    /// All statements of a run.
    fn statements(&self, span: &Span) -> &'g [Statement] {
        let statements = self.0.statements(span.file);
        &statements[span.first as usize..span.end as usize]
    }

    /// The statements that begin a shortest run inside it.
    fn starts_of(&self, span: &Span) -> &'g [Statement] {
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
            wording: statements.iter().map(|s| s.wording).sum(),
        }
    }
}
