//! The callable around a place.

use slope_model::measurement::Callable;
use slope_syntax::{CallableFacts, SyntaxTree};

/// Finds the callable around a range of positions: bytes or lines.
pub(crate) struct Places<'a> {
    /// First position, position after the last, name; by first position.
    ranges: Vec<(u32, u32, &'a str)>,
    /// For each range, the index of the enclosing range.
    outer: Vec<Option<usize>>,
}

impl<'a> Places<'a> {
    /// By bytes.
    pub(crate) fn of_bytes(tree: &SyntaxTree, callables: &'a [CallableFacts]) -> Self {
        let range = |facts: &'a CallableFacts| {
            let node = tree.node(facts.node);
            (node.start_byte, node.end_byte, facts.name.as_str())
        };
        Self::new(callables.iter().map(range).collect())
    }

    /// By lines.
    pub(crate) fn of_lines(callables: &'a [Callable]) -> Self {
        let range = |callable: &'a Callable| {
            let span = callable.span;
            (span.start_line, span.end_line + 1, callable.name.as_str())
        };
        Self::new(callables.iter().map(range).collect())
    }

    fn new(mut ranges: Vec<(u32, u32, &'a str)>) -> Self {
        ranges.sort_by_key(|&(start, end, _)| (start, std::cmp::Reverse(end)));
        let mut outer = Vec::with_capacity(ranges.len());
        let mut open: Vec<usize> = Vec::new();
        for (index, &(start, _, _)) in ranges.iter().enumerate() {
            while open.last().is_some_and(|&o| ranges[o].1 <= start) {
                open.pop();
            }
            outer.push(open.last().copied());
            open.push(index);
        }
        Self { ranges, outer }
    }

    /// The name of the innermost callable around a range, empty at the top level.
    pub(crate) fn around(&self, start: u32, end: u32) -> &'a str {
        let after = self.ranges.partition_point(|range| range.0 <= start);
        let mut candidate = after.checked_sub(1);
        while let Some(index) = candidate {
            let (_, range_end, name) = self.ranges[index];
            if range_end >= end && range_end > start {
                return name;
            }
            candidate = self.outer[index];
        }
        ""
    }
}
