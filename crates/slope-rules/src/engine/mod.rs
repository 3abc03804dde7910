//! Matches programs on a flat tree.
//!
//! The semantics are those of ast-grep 0.51.1; tests compare the two feature by feature. Matching
//! allocates nothing, except for searches among very many siblings: variables are slots of one
//! array, and bindings of a failed attempt are undone from a trail of old values.

mod nth;
mod pattern;
mod relation;
mod siblings;

use slope_syntax::SyntaxTree;

use crate::program::{Matcher, Program, Range, Text};
use crate::set::Comments;

/// Marks an unbound slot.
const UNBOUND: u32 = u32::MAX;

/// The value of a variable: a node, or a run of siblings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bound {
    /// The first node; [`UNBOUND`] if the slot is unbound.
    first: u32,
    /// Number of siblings; 1 for a single node.
    count: u32,
}

impl Bound {
    /// Whether a single node is bound.
    fn is_node(self) -> bool {
        self.count == 1 && self.first < EMPTY_RUN
    }
}

const NOTHING: Bound = Bound {
    first: UNBOUND,
    count: 0,
};

/// Steps of a program that took more than it may.
const TOO_MANY: u64 = u64::MAX;

/// First node of an empty run, which is bound but has no node.
const EMPTY_RUN: u32 = UNBOUND - 1;

/// The variables of a program while it is matched.
#[derive(Debug, Default)]
pub(crate) struct Bindings {
    slots: Vec<Bound>,
    trail: Vec<(u16, Bound)>,
}

/// A point that [`Bindings`] can be taken back to.
#[derive(Clone, Copy)]
struct Mark(usize);

impl Bindings {
    fn mark(&self) -> Mark {
        Mark(self.trail.len())
    }

    fn undo(&mut self, mark: Mark) {
        while self.trail.len() > mark.0 {
            if let Some((slot, old)) = self.trail.pop() {
                self.slots[slot as usize] = old;
            }
        }
    }

    fn get(&self, slot: u16) -> Option<Bound> {
        let bound = self.slots[slot as usize];
        (bound.first != UNBOUND).then_some(bound)
    }

    /// The binding when the mark was made.
    fn get_at(&self, mark: Mark, slot: u16) -> Option<Bound> {
        let since = &self.trail[mark.0..];
        let bound = match since.iter().find(|(changed, _)| *changed == slot) {
            Some((_, old)) => *old,
            None => self.slots[slot as usize],
        };
        (bound.first != UNBOUND).then_some(bound)
    }

    fn set(&mut self, slot: u16, bound: Bound) {
        let old = std::mem::replace(&mut self.slots[slot as usize], bound);
        self.trail.push((slot, old));
    }

    /// Takes every binding away until the mark is undone.
    fn hide(&mut self) -> Mark {
        let mark = self.mark();
        for slot in 0..self.slots.len() {
            if self.slots[slot].first != UNBOUND {
                self.set(u16::try_from(slot).unwrap_or(u16::MAX), NOTHING);
            }
        }
        mark
    }
}

/// One program on one tree.
pub(crate) struct Engine<'a> {
    tree: &'a SyntaxTree,
    text: &'a str,
    program: &'a Program,
    bindings: Bindings,
    comments: Comments,
    /// Siblings by the text of one of their fields, for searches among many.
    indexes: siblings::Indexes<'a>,
    /// Siblings that count for a position among many.
    counted: nth::Counted,
    /// Steps that it may still take.
    left: u64,
}

impl<'a> Engine<'a> {
    /// An engine for programs of at most `slots` slots.
    pub(crate) fn new(
        tree: &'a SyntaxTree,
        program: &'a Program,
        slots: usize,
        comments: Comments,
    ) -> Self {
        Self {
            tree,
            text: tree.text(),
            program,
            bindings: Bindings {
                slots: vec![NOTHING; slots.max(program.slots.len())],
                trail: Vec::new(),
            },
            comments,
            indexes: siblings::Indexes::new(),
            counted: nth::Counted::new(),
            left: u64::MAX,
        }
    }

    /// Whether a program matches a node; its bindings are kept until [`Engine::forget`].
    pub(crate) fn matches(&mut self, program: &'a Program, node: u32) -> bool {
        self.program = program;
        self.eval(&program.root, node).is_some() && self.constraints_hold(&program.constraints)
    }

    /// As [`Engine::matches`], with at most `allowed` steps of the program in a tree; its steps are
    /// added to `steps`. `None` if it exceeds the limit, and no match from then on.
    ///
    /// A step is about one look at a node, at eight skipped nodes, or at 64 bytes of text.
    pub(crate) fn matches_within(
        &mut self,
        allowed: u64,
        steps: &mut u64,
        program: &'a Program,
        node: u32,
    ) -> Option<bool> {
        if *steps == TOO_MANY {
            return Some(false);
        }
        let before = allowed.saturating_sub(*steps);
        self.left = before;
        let found = self.matches(program, node);
        self.forget();
        if self.left == 0 {
            *steps = TOO_MANY;
            return None;
        }
        *steps += before - self.left;
        Some(found)
    }

    /// Consumes remaining steps. Without any, no search succeeds, so all end.
    #[inline]
    fn take(&mut self, steps: u64) {
        self.left = self.left.saturating_sub(steps);
    }

    /// Drops all bindings.
    pub(crate) fn forget(&mut self) {
        self.bindings.undo(Mark(0));
    }

    /// The text to which a slot is bound.
    pub(crate) fn bound_text(&self, slot: u16) -> Option<&'a str> {
        let bound = self.bindings.get(slot)?;
        if bound.first == EMPTY_RUN {
            return None;
        }
        let mut last = bound.first;
        for _ in 1..bound.count {
            last = self.tree.node(last).end;
        }
        let start = self.tree.node(bound.first).start_byte as usize;
        self.text.get(start..self.tree.node(last).end_byte as usize)
    }

    fn kind(&self, node: u32) -> u16 {
        self.tree.kinds()[node as usize]
    }

    /// Whether a node is exactly this text; most have another length.
    #[inline]
    fn is_text(&self, node: u32, text: &str) -> bool {
        let place = self.tree.node(node);
        let (start, end) = (place.start_byte as usize, place.end_byte as usize);
        end - start == text.len() && self.text.as_bytes().get(start..end) == Some(text.as_bytes())
    }

    fn node_text(&self, node: u32) -> &'a str {
        self.tree.node_text(node)
    }

    /// The node that a matcher finds for a node, mostly that node itself.
    fn eval(&mut self, matcher: &'a Matcher, node: u32) -> Option<u32> {
        let holds = match matcher {
            Matcher::Kind(kind) => self.kind(node) == *kind,
            Matcher::Text(Text::Equals(words)) => words.iter().any(|word| self.is_text(node, word)),
            Matcher::Text(text) => self.text(text, node),
            Matcher::Pattern(pattern) => self.pattern(pattern, node),
            Matcher::Range(range) => self.range(range, node),
            Matcher::NthChild(nth) => self.nth_child(nth, node),
            Matcher::All(kinds, all) => {
                return self.all(kinds.as_ref(), all, node).then_some(node);
            }
            Matcher::Any(kinds, any) => {
                kinds.as_ref().is_none_or(|k| k.contains(self.kind(node)))
                    && any.iter().any(|matcher| self.eval_whole(matcher, node))
            }
            Matcher::Not(not) => {
                let mark = self.bindings.mark();
                let found = self.eval(not, node).is_some();
                self.bindings.undo(mark);
                !found
            }
            Matcher::Inside(relation) => return self.inside(relation, node),
            Matcher::Has(relation) => return self.has(relation, node),
            Matcher::Precedes(relation) => return self.precedes(relation, node),
            Matcher::Follows(relation) => return self.follows(relation, node),
            Matcher::Util(util) => return self.util(*util, node),
        };
        holds.then_some(node)
    }

    /// As [`Engine::eval`], but undoes all bindings on failure.
    fn eval_whole(&mut self, matcher: &'a Matcher, node: u32) -> bool {
        let mark = self.bindings.mark();
        let found = self.eval(matcher, node).is_some();
        if !found {
            self.bindings.undo(mark);
        }
        found
    }

    fn all(
        &mut self,
        kinds: Option<&crate::program::KindSet>,
        all: &'a [Matcher],
        node: u32,
    ) -> bool {
        if kinds.is_some_and(|kinds| !kinds.contains(self.kind(node))) {
            return false;
        }
        let mark = self.bindings.mark();
        let holds = all.iter().all(|matcher| self.eval(matcher, node).is_some());
        if !holds {
            self.bindings.undo(mark);
        }
        holds
    }

    /// Evaluates a matcher without access to existing bindings, and undoes its own.
    fn eval_apart(&mut self, matcher: &'a Matcher, node: u32) -> bool {
        let mark = self.bindings.hide();
        let found = self.eval(matcher, node).is_some();
        self.bindings.undo(mark);
        found
    }

    fn util(&mut self, index: u32, node: u32) -> Option<u32> {
        let util = &self.program.utils[index as usize];
        let Some(isolated) = &util.isolated else {
            return self.eval(&util.matcher, node);
        };
        let kinds = isolated.kinds.as_ref();
        if kinds.is_some_and(|kinds| !kinds.contains(self.kind(node))) {
            return None;
        }
        let mark = self.bindings.hide();
        let found = self
            .eval(&util.matcher, node)
            .filter(|_| self.constraints_hold(&isolated.constraints));
        self.bindings.undo(mark);
        found
    }

    /// Conditions apply to every single node that was bound before they are checked.
    fn constraints_hold(&mut self, constraints: &'a [(u16, Matcher)]) -> bool {
        let before = self.bindings.mark();
        constraints.iter().all(|(slot, matcher)| {
            let bound = self.bindings.get_at(before, *slot);
            bound.is_none_or(|bound| self.eval(matcher, bound.first).is_some())
        })
    }

    fn text(&mut self, text: &Text, node: u32) -> bool {
        let node_text = self.node_text(node);
        self.take(of_bytes(node_text.len()));
        text_holds(text, node_text)
    }

    fn range(&mut self, range: &Range, node: u32) -> bool {
        let node = self.tree.node(node);
        range.start.0 == node.start_row
            && range.end.0 == node.end_row
            && range
                .start
                .1
                .is_none_or(|c| c == self.column(node.start_byte))
            && range.end.1.is_none_or(|c| c == self.column(node.end_byte))
    }

    /// The characters of a line before a byte.
    fn column(&mut self, offset: u32) -> u32 {
        let before = &self.text[..offset as usize];
        let line = before.rfind('\n').map_or(0, |at| at + 1);
        self.take(of_bytes(before.len() - line));
        u32::try_from(before[line..].chars().count()).unwrap_or(u32::MAX)
    }
}

/// Steps equivalent to this number of bytes of text.
fn of_bytes(bytes: usize) -> u64 {
    bytes as u64 / 64
}

fn text_holds(text: &Text, node_text: &str) -> bool {
    match text {
        Text::Equals(words) => words.iter().any(|word| node_text == word),
        Text::Starts(words) => words
            .iter()
            .any(|word| node_text.starts_with(word.as_str())),
        Text::Ends(words) => words.iter().any(|word| node_text.ends_with(word.as_str())),
        Text::Regex(regex) => regex.is_match(node_text),
    }
}
