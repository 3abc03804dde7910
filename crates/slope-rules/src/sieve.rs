//! Excludes rules that cannot match a node, by needed texts and kinds.
//!
//! The ends of the needed texts and the positions of the needed kinds are recorded once per file,
//! in ascending order. Queries are in pre-order, so each list is traversed once, however many nodes
//! there are.

use aho_corasick::Anchored;
use aho_corasick::automaton::{Automaton as _, StateID};
use aho_corasick::dfa::DFA;
use slope_syntax::SyntaxTree;

use crate::program::ERROR_KIND;
use crate::table::{Asked, NONE, Table};

/// Ascending places, and the next of them.
#[derive(Default)]
struct Stream {
    places: Vec<u32>,
    next: usize,
}

impl Stream {
    /// Whether a place is above `after` and at most `last`. `after` must not decrease between
    /// calls.
    #[inline]
    fn meets(&mut self, after: u32, last: u32) -> bool {
        while let Some(&place) = self.places.get(self.next) {
            if place > after {
                return place <= last;
            }
            self.next += 1;
        }
        false
    }
}

/// The parts of one file that a table's rules need.
pub(crate) struct Sieve<'a> {
    tree: &'a SyntaxTree,
    asked: &'a [Asked],
    /// Ends of needed texts.
    texts: Vec<Stream>,
    /// Positions of needed kinds.
    kinds: Vec<Stream>,
}

impl<'a> Sieve<'a> {
    pub(crate) fn new(table: &'a Table, tree: &'a SyntaxTree) -> Self {
        let mut sieve = Self {
            tree,
            asked: &table.asked,
            texts: Vec::new(),
            kinds: Vec::new(),
        };
        sieve.texts.resize_with(table.text_streams, Stream::default);
        sieve.kinds.resize_with(table.kind_streams, Stream::default);
        sieve.find_texts(table);
        sieve.find_kinds(table);
        sieve
    }

    /// Searches the text once for all needed texts.
    #[inline(never)]
    fn find_texts(&mut self, table: &Table) {
        let text = self.tree.text().as_bytes();
        let Some(finder) = &table.finder else { return };
        let Ok(mut state) = finder.start_state(Anchored::No) else {
            return;
        };
        for (at, &byte) in text.iter().enumerate() {
            state = finder.next_state(Anchored::No, state, byte);
            if finder.is_special(state) && finder.is_match(state) {
                self.note_texts(table, finder, state, at + 1);
            }
        }
    }

    /// Not inlined: the surrounding loop must keep its state in registers.
    #[inline(never)]
    fn note_texts(&mut self, table: &Table, finder: &DFA, state: StateID, end: usize) {
        let text = self.tree.text().as_bytes();
        let place = u32::try_from(end).unwrap_or(u32::MAX);
        for index in 0..finder.match_len(state) {
            let word = finder.match_pattern(state, index);
            let start = end - finder.pattern_len(word);
            for &stream in &table.anywhere[word.as_usize()] {
                self.texts[stream as usize].places.push(place);
            }
            let whole = &table.whole[word.as_usize()];
            if !whole.is_empty() && may_be_whole(text, start, end) {
                for &stream in whole {
                    self.texts[stream as usize].places.push(place);
                }
            }
        }
    }

    #[inline(never)]
    fn find_kinds(&mut self, table: &Table) {
        for (node, &kind) in (0u32..).zip(self.tree.kinds()) {
            if let Some(streams) = table.kinds.get(kind as usize) {
                for &stream in streams {
                    self.kinds[stream as usize].places.push(node);
                }
            }
        }
    }

    /// Whether the file has everything that a rule needs.
    pub(crate) fn may_match_file(&self, place: u16) -> bool {
        let asked = &self.asked[place as usize];
        let texts = asked.texts.iter().chain([&asked.in_file]);
        let held = |streams: &[Stream], stream: u16| {
            stream == NONE || !streams[stream as usize].places.is_empty()
        };
        texts.into_iter().all(|&stream| held(&self.texts, stream))
            && asked.kinds.iter().all(|&stream| held(&self.kinds, stream))
    }

    /// Whether a node has everything that a rule needs. Call it in pre-order.
    #[inline]
    pub(crate) fn may_match(&mut self, place: u16, node: &At) -> bool {
        let asked = self.asked[place as usize];
        for stream in asked.texts {
            if stream == NONE {
                break;
            }
            if !self.texts[stream as usize].meets(node.start_byte, node.end_byte) {
                return false;
            }
        }
        for stream in asked.kinds {
            if stream == NONE {
                break;
            }
            if !self.kinds[stream as usize].meets(node.index, node.last) {
                return false;
            }
        }
        true
    }
}

/// A node, as the sieve sees it.
pub(crate) struct At {
    index: u32,
    /// Its last descendant.
    last: u32,
    start_byte: u32,
    end_byte: u32,
}

impl At {
    #[inline]
    pub(crate) fn of(tree: &SyntaxTree, index: u32) -> Self {
        let node = tree.node(index);
        Self {
            index,
            last: node.end - 1,
            start_byte: node.start_byte,
            end_byte: node.end_byte,
        }
    }
}

/// The rules that may match in one file, kind by kind.
pub(crate) struct Candidates {
    /// For each kind id, the start of its rules in `places`; one entry more than kinds.
    starts: Vec<u32>,
    places: Vec<u16>,
    on_errors: Vec<u16>,
}

impl Candidates {
    pub(crate) fn new(table: &Table, sieve: &Sieve<'_>) -> Self {
        let may: Vec<bool> = (0u16..)
            .zip(&table.rules)
            .map(|(place, _)| sieve.may_match_file(place))
            .collect();
        let kept = |places: &[u16]| {
            let kept = places.iter().copied().filter(|&p| may[p as usize]);
            kept.collect::<Vec<u16>>()
        };
        let mut candidates = Self {
            starts: Vec::with_capacity(table.by_kind.len() + 1),
            places: Vec::new(),
            on_errors: kept(&table.on_errors),
        };
        for places in &table.by_kind {
            candidates.starts.push(candidates.count());
            let kept = places.iter().filter(|&&p| may[p as usize]);
            candidates.places.extend(kept);
        }
        candidates.starts.push(candidates.count());
        candidates
    }

    fn count(&self) -> u32 {
        u32::try_from(self.places.len()).unwrap_or(u32::MAX)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.places.is_empty() && self.on_errors.is_empty()
    }

    /// Positions in the table's rules of those to try on nodes of a kind.
    #[inline]
    pub(crate) fn of(&self, kind: u16) -> &[u16] {
        let kind_at = kind as usize;
        match self.starts.get(kind_at..kind_at + 2) {
            Some(&[start, end]) => &self.places[start as usize..end as usize],
            _ if kind == ERROR_KIND => &self.on_errors,
            _ => &[],
        }
    }
}

/// Whether an identifier may begin and end here. Digits before it belong to another token, and
/// characters beyond ASCII exclude nothing.
fn may_be_whole(text: &[u8], start: usize, end: usize) -> bool {
    let before = start.checked_sub(1).and_then(|at| text.get(at));
    let after = text.get(end);
    !before.is_some_and(|&b| b.is_ascii_alphabetic() || b == b'_')
        && !after.is_some_and(|&b| b.is_ascii_alphanumeric() || b == b'_')
}
