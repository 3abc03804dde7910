//! Which callable a range of bytes lies in.

use slope_syntax::{CallableFacts, SyntaxTree};

/// Finds the callable around a range of bytes.
pub(crate) struct Places<'a> {
    /// First byte, byte after the last, name; by first byte.
    ranges: Vec<(usize, usize, &'a str)>,
    /// For each range, the index of the one around it.
    outer: Vec<Option<usize>>,
}

impl<'a> Places<'a> {
    pub(crate) fn new(tree: &SyntaxTree, callables: &'a [CallableFacts]) -> Self {
        let mut ranges: Vec<(usize, usize, &str)> = Vec::with_capacity(callables.len());
        let mut outer = Vec::with_capacity(callables.len());
        let mut open: Vec<usize> = Vec::new();
        for (index, facts) in callables.iter().enumerate() {
            let node = tree.node(facts.node);
            let (start, end) = (node.start_byte as usize, node.end_byte as usize);
            while open.last().is_some_and(|&o| ranges[o].1 <= start) {
                open.pop();
            }
            outer.push(open.last().copied());
            ranges.push((start, end, facts.name.as_str()));
            open.push(index);
        }
        Self { ranges, outer }
    }

    /// The name of the innermost callable around a range, empty at the top level.
    pub(crate) fn around(&self, start: usize, end: usize) -> &'a str {
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
