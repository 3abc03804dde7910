//! Cyclomatic and cognitive complexity of subtrees.
//!
//! Both are sums over all nodes below a function, so prefix sums over the flat
//! tree answer for every function in constant time, where the original starts
//! again at every level of nesting.

use slope_syntax::SyntaxTree;

use super::languages::{Table, flag};

/// Prefix sums over the nodes of one tree: entry `i` is the sum before node `i`.
pub(crate) struct Complexity {
    decisions: Vec<u32>,
    /// Number of flow nodes, boolean operations and jumps.
    events: Vec<u64>,
    /// Sum over flow nodes of how many flow nodes enclose each.
    depths: Vec<u64>,
    /// Number of flow nodes.
    flows: Vec<u64>,
    /// Number of flow nodes around each node.
    depth: Vec<u32>,
    /// Whether a jump encloses the node, which hides it from the functions outside.
    hidden: Vec<bool>,
}

impl Complexity {
    /// Sums over a tree.
    pub(crate) fn of(table: &Table, tree: &SyntaxTree) -> Self {
        let count = tree.nodes().len();
        let mut sums = Self {
            decisions: Vec::with_capacity(count + 1),
            events: Vec::with_capacity(count + 1),
            depths: Vec::with_capacity(count + 1),
            flows: Vec::with_capacity(count + 1),
            depth: Vec::with_capacity(count),
            hidden: Vec::with_capacity(count),
        };
        let (mut decisions, mut events, mut depths, mut flows) = (0_u32, 0_u64, 0_u64, 0_u64);
        for (index, node) in (0_u32..).zip(tree.nodes()) {
            sums.decisions.push(decisions);
            sums.events.push(events);
            sums.depths.push(depths);
            sums.flows.push(flows);
            let (depth, hidden) = sums.inside(table, tree, index, node.parent);
            sums.depth.push(depth);
            sums.hidden.push(hidden);
            let boolean = is_boolean(table, tree, index);
            decisions += u32::from(boolean || table.is(tree, index, flag::DECISION));
            if hidden {
                continue;
            }
            if boolean || table.is(tree, index, flag::JUMP) {
                events += 1;
            } else if table.is(tree, index, flag::FLOW) {
                events += 1;
                flows += 1;
                depths += u64::from(depth);
            }
        }
        sums.decisions.push(decisions);
        sums.events.push(events);
        sums.depths.push(depths);
        sums.flows.push(flows);
        sums
    }

    /// Number of flow nodes around a node, and whether a jump encloses it.
    fn inside(&self, table: &Table, tree: &SyntaxTree, node: u32, parent: u32) -> (u32, bool) {
        if node == 0 {
            return (0, false);
        }
        let up = parent as usize;
        // Boolean operations and jumps take precedence over flow.
        let flow = table.is(tree, parent, flag::FLOW)
            && !table.is(tree, parent, flag::JUMP)
            && !is_boolean(table, tree, parent);
        let hidden = self.hidden[up] || table.is(tree, parent, flag::JUMP);
        (self.depth[up] + u32::from(flow), hidden)
    }

    /// One plus the number of decisions in a function's subtree.
    pub(crate) fn cyclomatic(&self, tree: &SyntaxTree, function: u32) -> u32 {
        let end = tree.node(function).end as usize;
        1 + self.decisions[end] - self.decisions[function as usize]
    }

    /// The cognitive score of a function's subtree.
    pub(crate) fn cognitive(&self, table: &Table, tree: &SyntaxTree, function: u32) -> u64 {
        let first = function as usize + 1;
        let end = tree.node(function).end as usize;
        if self.hidden[function as usize] || table.is(tree, function, flag::JUMP) {
            return cognitive_by_walk(table, tree, function);
        }
        // Depth counts from the function: flow nodes around it do not.
        let outside = self.depth.get(first).copied().unwrap_or(0);
        let flows = self.flows[end] - self.flows[first];
        (self.events[end] - self.events[first]) + (self.depths[end] - self.depths[first])
            - flows * u64::from(outside)
    }
}

/// The score of a function inside a jump, node by node.
fn cognitive_by_walk(table: &Table, tree: &SyntaxTree, function: u32) -> u64 {
    let end = tree.node(function).end;
    let mut score = 0;
    let mut open: Vec<u32> = Vec::new();
    let mut node = function + 1;
    while node < end {
        while open.last().is_some_and(|&last| last <= node) {
            open.pop();
        }
        let boolean = is_boolean(table, tree, node);
        if !boolean && table.is(tree, node, flag::JUMP) {
            score += 1;
            node = tree.node(node).end;
            continue;
        }
        if boolean {
            score += 1;
        } else if table.is(tree, node, flag::FLOW) {
            score += 1 + open.len() as u64;
            open.push(tree.node(node).end);
        }
        node += 1;
    }
    score
}

/// Whether a node is a boolean operation.
fn is_boolean(table: &Table, tree: &SyntaxTree, node: u32) -> bool {
    table.is(tree, node, flag::BOOLEAN)
        && (table.spec.operators.is_empty()
            || tree.children(node).any(|child| {
                table.is(tree, child, flag::OPERATOR)
                    || table.spec.operators.contains(&tree.node_text(child))
            }))
}
