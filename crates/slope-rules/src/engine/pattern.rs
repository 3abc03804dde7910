//! Code patterns.

use slope_syntax::SyntaxTree;

use crate::program::{ERROR_KIND, Pattern, PatternNode, Strictness};
use crate::set::Comments;

use super::{Bound, EMPTY_RUN, Engine};

/// Result for one node of a pattern and one of code.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Both,
    SkipBoth,
    SkipGoal,
    SkipCandidate,
    No,
}

/// A position in a list of pattern nodes and one in a list of siblings.
struct Place<'p> {
    goals: &'p [PatternNode],
    goal: usize,
    /// The next sibling, or `end`.
    candidate: u32,
    end: u32,
}

/// Result of a step over an ellipsis.
enum Turn {
    /// All is matched.
    Done,
    /// Look at the next pattern node from the start.
    Again,
    /// Match the next pattern node with the next sibling.
    Single,
}

impl<'a> Engine<'a> {
    /// Whether a pattern matches a node; a failure leaves no binding behind.
    pub(super) fn pattern(&mut self, pattern: &'a Pattern, node: u32) -> bool {
        if pattern
            .root_kind
            .is_some_and(|kind| kind != self.kind(node))
        {
            return false;
        }
        // Most attempts end here, before anything is set up.
        if let PatternNode::Internal { kind, .. } = &pattern.root
            && pattern.strictness != Strictness::Template
            && !kinds_match(*kind, self.kind(node))
        {
            return false;
        }
        let mark = self.bindings.mark();
        let smart_root = pattern.strictness == Strictness::Smart;
        let found = match &pattern.root {
            // A variable at the root matches the node itself, even a comment.
            PatternNode::Capture { .. } | PatternNode::Dropped { .. } if smart_root => {
                self.variable(&pattern.root, node)
            }
            root => self.step(root, node, pattern.strictness) == Step::Both,
        };
        if !found {
            self.bindings.undo(mark);
        }
        found
    }

    fn skips_comments(&self, strictness: Strictness) -> bool {
        match strictness {
            Strictness::Cst | Strictness::Ast => false,
            Strictness::Smart => self.comments == Comments::Skipped,
            Strictness::Relaxed | Strictness::Signature | Strictness::Template => true,
        }
    }

    fn skips(&self, node: u32, strictness: Strictness) -> bool {
        self.tree.node(node).is_extra() && self.skips_comments(strictness)
    }

    fn step(&mut self, goal: &'a PatternNode, node: u32, strictness: Strictness) -> Step {
        match goal {
            PatternNode::Terminal { text, kind, named } => {
                self.terminal(text, *kind, *named, node, strictness)
            }
            PatternNode::Internal { kind, children } => {
                let kind_fits =
                    strictness == Strictness::Template || kinds_match(*kind, self.kind(node));
                if kind_fits && self.children(children, node, strictness) {
                    Step::Both
                } else {
                    Step::No
                }
            }
            variable => {
                if self.skips(node, strictness) {
                    Step::SkipCandidate
                } else if self.variable(variable, node) {
                    Step::Both
                } else {
                    Step::No
                }
            }
        }
    }

    fn terminal(
        &self,
        text: &str,
        kind: u16,
        named: bool,
        node: u32,
        strictness: Strictness,
    ) -> Step {
        let same_kind = kinds_match(kind, self.kind(node));
        if same_kind && (!named || self.is_text(node, text)) {
            return Step::Both;
        }
        let candidate = self.tree.node(node);
        if self.skips(node, strictness) {
            return Step::SkipCandidate;
        }
        let (skip_goal, skip_candidate) = match strictness {
            Strictness::Cst => (false, false),
            Strictness::Smart => (false, !candidate.named),
            Strictness::Ast | Strictness::Relaxed => (!named, !candidate.named),
            Strictness::Signature if same_kind => return Step::Both,
            Strictness::Signature => (!named, !candidate.named),
            Strictness::Template if self.is_text(node, text) => return Step::Both,
            Strictness::Template => (false, !candidate.named),
        };
        match (skip_goal, skip_candidate) {
            (true, true) => Step::SkipBoth,
            (true, false) => Step::SkipGoal,
            (false, true) => Step::SkipCandidate,
            (false, false) => Step::No,
        }
    }

    /// Binds a variable to a node. Returns whether that is possible.
    fn variable(&mut self, variable: &PatternNode, node: u32) -> bool {
        match variable {
            PatternNode::Capture { slot, named } => {
                (!named || self.tree.node(node).named) && self.bind(*slot, node)
            }
            PatternNode::Dropped { named } => !named || self.tree.node(node).named,
            PatternNode::Ellipsis { slot: Some(slot) } => {
                let one = Bound {
                    first: node,
                    count: 1,
                };
                self.bind_run(*slot, one)
            }
            _ => true,
        }
    }

    fn bind(&mut self, slot: u16, node: u32) -> bool {
        if let Some(before) = self.bindings.get(slot)
            && !self.is_same(before.first, node)
        {
            return false;
        }
        self.bindings.set(
            slot,
            Bound {
                first: node,
                count: 1,
            },
        );
        true
    }

    /// Whether two nodes are the same code.
    fn is_same(&mut self, left: u32, right: u32) -> bool {
        self.take(u64::from(self.tree.node(right).end - right) / 2);
        same_code(self.tree, left, right)
    }

    fn bind_run(&mut self, slot: u16, run: Bound) -> bool {
        if let Some(before) = self.bindings.get(slot)
            && !self.same_runs(before, run)
        {
            return false;
        }
        self.bindings.set(slot, run);
        true
    }

    /// Whether the named nodes of two runs are pairwise the same code.
    fn same_runs(&mut self, left: Bound, right: Bound) -> bool {
        let tree = self.tree;
        let named = |run: Bound| {
            let mut next = run.first;
            (0..run.count)
                .map(move |_| {
                    let here = next;
                    next = tree.node(here).end;
                    here
                })
                .filter(|&node| tree.node(node).named)
        };
        let (mut left, mut right) = (named(left), named(right));
        loop {
            match (left.next(), right.next()) {
                (Some(l), Some(r)) if self.is_same(l, r) => {}
                (None, None) => return true,
                _ => return false,
            }
        }
    }

    fn children(&mut self, goals: &'a [PatternNode], node: u32, strictness: Strictness) -> bool {
        let end = self.tree.node(node).end;
        let mut place = Place {
            goals,
            goal: 0,
            candidate: node + 1,
            end,
        };
        if place.candidate >= end {
            return false;
        }
        loop {
            match self.ellipsis(&mut place, strictness) {
                Some(Turn::Done) => return true,
                Some(Turn::Again) => continue,
                Some(Turn::Single) => {}
                None => return false,
            }
            if !self.single(&mut place, strictness) {
                return false;
            }
            if place.goal < goals.len() {
                place.goal += 1;
                self.advance(&mut place);
            }
            if place.goal >= goals.len() {
                return self.may_trail(&mut place, strictness);
            }
            if place.candidate >= end {
                return false;
            }
        }
    }

    /// Goes to the next sibling, if there is one.
    fn advance(&mut self, place: &mut Place<'a>) {
        self.take(1);
        if place.candidate < place.end {
            place.candidate = self.tree.node(place.candidate).end;
        }
    }

    /// Matches an ellipsis, if it is next.
    fn ellipsis(&mut self, place: &mut Place<'a>, strictness: Strictness) -> Option<Turn> {
        let goals = place.goals;
        let slot = match goals.get(place.goal) {
            None => return Some(Turn::Done),
            Some(PatternNode::Ellipsis { slot }) => *slot,
            Some(_) => return Some(Turn::Single),
        };
        place.goal += 1;
        let mut skipped = 0;
        while goals.get(place.goal).is_some_and(PatternNode::is_trivial) {
            place.goal += 1;
            skipped += 1;
        }
        let mut run = Bound {
            first: place.candidate,
            count: 0,
        };
        let Some(next) = goals.get(place.goal) else {
            while place.candidate < place.end {
                run.count += 1;
                self.advance(place);
            }
            return self.bind_ellipsis(slot, run, skipped).then_some(Turn::Done);
        };
        if next.is_ellipsis() {
            run.count = 1;
            self.advance(place);
            let rest = place.candidate < place.end;
            let bound = rest && self.bind_ellipsis(slot, run, skipped);
            return bound.then_some(Turn::Again);
        }
        loop {
            let mark = self.bindings.mark();
            let found = self.step(next, place.candidate, strictness) == Step::Both;
            self.bindings.undo(mark);
            if found {
                let bound = self.bind_ellipsis(slot, run, skipped);
                return bound.then_some(Turn::Single);
            }
            run.count += 1;
            self.advance(place);
            if place.candidate >= place.end {
                return None;
            }
        }
    }

    /// Binds an ellipsis to its nodes, without those that match the pattern's own punctuation after
    /// it.
    fn bind_ellipsis(&mut self, slot: Option<u16>, run: Bound, skipped: u32) -> bool {
        let Some(slot) = slot else { return true };
        let count = run.count.saturating_sub(skipped);
        let first = if count == 0 { EMPTY_RUN } else { run.first };
        self.bind_run(slot, Bound { first, count })
    }

    /// Matches one pattern node, skipping nodes that may be skipped.
    fn single(&mut self, place: &mut Place<'a>, strictness: Strictness) -> bool {
        loop {
            if place.candidate >= place.end {
                return skip_goals(place, strictness);
            }
            let step = self.step(&place.goals[place.goal], place.candidate, strictness);
            match step {
                Step::Both => return true,
                Step::No => return false,
                Step::SkipGoal => place.goal += 1,
                Step::SkipCandidate => self.advance(place),
                Step::SkipBoth => {
                    place.goal += 1;
                    self.advance(place);
                }
            }
            if place.goal >= place.goals.len() {
                return true;
            }
        }
    }

    /// Whether the remaining siblings may follow the end of the pattern.
    fn may_trail(&mut self, place: &mut Place<'a>, strictness: Strictness) -> bool {
        if strictness == Strictness::Smart {
            return true;
        }
        while place.candidate < place.end {
            let node = self.tree.node(place.candidate);
            let skipped = match strictness {
                Strictness::Cst => false,
                Strictness::Smart => true,
                Strictness::Ast => !node.named,
                Strictness::Relaxed | Strictness::Signature => !node.named || node.is_extra(),
                Strictness::Template => node.is_extra(),
            };
            if !skipped {
                return false;
            }
            self.advance(place);
        }
        true
    }
}

/// Whether the rest of a pattern may match nothing.
fn skip_goals(place: &mut Place<'_>, strictness: Strictness) -> bool {
    while let Some(goal) = place.goals.get(place.goal) {
        let tolerant = !matches!(
            strictness,
            Strictness::Cst | Strictness::Smart | Strictness::Template
        );
        let skipped = match goal {
            PatternNode::Ellipsis { .. } => strictness != Strictness::Cst,
            PatternNode::Dropped { named }
            | PatternNode::Capture { named, .. }
            | PatternNode::Terminal { named, .. } => tolerant && !named,
            PatternNode::Internal { .. } => false,
        };
        if !skipped {
            return false;
        }
        place.goal += 1;
    }
    true
}

fn kinds_match(goal: u16, candidate: u16) -> bool {
    goal == candidate || goal == ERROR_KIND
}

/// Whether two nodes are the same code: the same text if either has no named child, else the same
/// kind with the same children.
///
/// Both subtrees are walked in parallel, without recursion.
pub(super) fn same_code(tree: &SyntaxTree, left: u32, right: u32) -> bool {
    if left == right {
        return true;
    }
    let (left_end, right_end) = (tree.node(left).end, tree.node(right).end);
    let (mut l, mut r) = (left, right);
    // The nodes whose children are being compared.
    let (mut around_l, mut around_r) = (left, right);
    loop {
        let (a, b) = (tree.node(l), tree.node(r));
        if !a.has_named_child() || !b.has_named_child() {
            if tree.node_text(l) != tree.node_text(r) {
                return false;
            }
            (l, r) = (a.end, b.end);
        } else {
            if a.kind != b.kind {
                return false;
            }
            (around_l, around_r) = (l, r);
            (l, r) = (l + 1, r + 1);
        }
        if l >= left_end || r >= right_end {
            return l >= left_end && r >= right_end;
        }
        // Both sides must come to the end of the same parents together.
        loop {
            let (outer_l, outer_r) = (tree.node(around_l), tree.node(around_r));
            match (l >= outer_l.end, r >= outer_r.end) {
                (false, false) => break,
                (true, true) => (around_l, around_r) = (outer_l.parent, outer_r.parent),
                _ => return false,
            }
        }
    }
}
