//! Selection of constructs to compare: those that share rare fingerprints.

use rayon::prelude::*;

use crate::lcs::form;
use crate::near::Node;
use crate::repeats::Repeats;
use crate::stream::narrow;

/// Tokens of a fingerprint.
pub(crate) const GRAM: usize = 6;
/// Number of consecutive fingerprints from which the smallest is selected.
const WINDOW: usize = 4;
/// Maximum number of nodes with a rare fingerprint; a more frequent one is boilerplate and pairs
/// nothing.
const MAX_NODES: usize = 40;
/// Rare fingerprints that a candidate shares at least.
const MIN_SHARED: u16 = 2;
/// Share of the smaller node's rare fingerprints that a candidate shares at least, in percent.
const MIN_SHARE: u32 = 20;
/// Number of nodes fingerprinted in one batch.
const NODES_AT_ONCE: usize = 256;

/// Whether a fingerprint of this number of nodes is rare enough to pair them.
pub(crate) fn is_rare(nodes: usize) -> bool {
    (2..=MAX_NODES).contains(&nodes)
}

/// Whether two nodes are compared, given the number of rare fingerprints that they share and that
/// each has. `least` is the required similarity, in thousandths.
pub(crate) fn is_candidate(
    shared: u16,
    rare: (usize, usize),
    tokens: (usize, usize),
    least: u16,
) -> bool {
    let fewer = narrow(rare.0.min(rare.1));
    shared >= MIN_SHARED
        && u32::from(shared) * 100 >= fewer * MIN_SHARE
        && tokens.0.min(tokens.1) * 1000 >= tokens.0.max(tokens.1) * usize::from(least)
}

/// The rare fingerprints of each node.
pub(crate) struct Index {
    /// Nodes by fingerprint.
    nodes: Vec<u32>,
    /// For each node, the ranges in `nodes` of its rare fingerprints.
    rare: Vec<(u32, u32)>,
    /// Start of each node in `rare`, and one entry more.
    first: Vec<u32>,
}

impl Index {
    /// Builds the index of `nodes` nodes; `postings` are sorted and unique.
    pub(crate) fn new(nodes: usize, postings: &[u64]) -> Self {
        let mut listed = Vec::new();
        let mut first = vec![0u32; nodes + 1];
        let mut ranges = Vec::new();
        for group in postings.chunk_by(|&a, &b| gram_of(a) == gram_of(b)) {
            if is_rare(group.len()) {
                let from = narrow(listed.len());
                listed.extend(group.iter().map(|&posting| node_of(posting)));
                let to = narrow(listed.len());
                ranges.push((from, to));
                for &posting in group {
                    first[node_of(posting) as usize + 1] += 1;
                }
            }
        }
        for node in 0..nodes {
            first[node + 1] += first[node];
        }
        let mut next = first.clone();
        let mut rare = vec![(0, 0); listed.len()];
        for &(from, to) in &ranges {
            for &node in &listed[from as usize..to as usize] {
                let next = &mut next[node as usize];
                rare[*next as usize] = (from, to);
                *next += 1;
            }
        }
        Self {
            nodes: listed,
            rare,
            first,
        }
    }

    /// The ranges of a node's rare fingerprints.
    pub(crate) fn rare(&self, node: usize) -> &[(u32, u32)] {
        &self.rare[self.first[node] as usize..self.first[node + 1] as usize]
    }

    /// Writes the later nodes that share enough with a node into `touched`, in order.
    /// `shared` is all zeros before and after.
    pub(crate) fn candidates(
        &self,
        nodes: &[Node<'_>],
        a: usize,
        least: u16,
        shared: &mut [u16],
        touched: &mut Vec<u32>,
    ) {
        touched.clear();
        let length = nodes[a].tokens.len();
        for &(from, to) in self.rare(a) {
            let holders = &self.nodes[from as usize..to as usize];
            let later = holders.partition_point(|&b| b as usize <= a);
            for &b in &holders[later..] {
                let count = &mut shared[b as usize];
                if *count == 0 {
                    touched.push(b);
                }
                *count = count.saturating_add(1);
            }
        }
        let own = self.rare(a).len();
        touched.retain(|&b| {
            let count = std::mem::take(&mut shared[b as usize]);
            let rare = (own, self.rare(b as usize).len());
            let other = nodes[b as usize].tokens.len();
            is_candidate(count, rare, (length, other), least)
        });
        touched.sort_unstable();
    }
}

/// The fingerprints of all nodes, each with its node, sorted. Those of only one node may be left
/// out unless `all` are requested.
pub(crate) fn postings(nodes: &[Node<'_>], all: bool) -> Vec<u64> {
    let mut postings = unsorted(nodes);
    if !all {
        // Most fingerprints belong to one node.
        let repeats = Repeats::of(
            postings.len(),
            postings.iter().map(|&p| u64::from(gram_of(p))),
        );
        postings.retain(|&posting| repeats.may(u64::from(gram_of(posting))));
    }
    postings.par_sort_unstable();
    postings.dedup();
    postings
}

/// The fingerprints of all nodes, each with its node; some more than once.
fn unsorted(nodes: &[Node<'_>]) -> Vec<u64> {
    let chunks: Vec<Vec<u64>> = nodes
        .par_chunks(NODES_AT_ONCE)
        .enumerate()
        .map(|(chunk, nodes)| {
            let mut out = Vec::new();
            for (node, index) in nodes.iter().zip(chunk * NODES_AT_ONCE..) {
                fingerprints(node, |gram| out.push(posting(gram, narrow(index))));
            }
            out
        })
        .collect();
    chunks.concat()
}

/// A fingerprint and its node as one number that sorts by both.
pub(crate) fn posting(gram: u32, node: u32) -> u64 {
    u64::from(gram) << 32 | u64::from(node)
}

/// The fingerprint.
pub(crate) fn gram_of(posting: u64) -> u32 {
    (posting >> 32) as u32
}

/// The node.
pub(crate) fn node_of(posting: u64) -> u32 {
    (posting & u64::from(u32::MAX)) as u32
}

/// Fingerprints of a node: winnowed, so that neighbours differ.
pub(crate) fn fingerprints(node: &Node<'_>, mut out: impl FnMut(u32)) {
    const BASE: u32 = 0x01a3_5e1b;
    let power = BASE.wrapping_pow(u32::try_from(GRAM).unwrap_or(0));
    let layer = if node.callable { 0x9e37_79b9 } else { 0 };
    let mut rolling = 0u32;
    let mut window = [u32::MAX; WINDOW];
    let mut before = None;
    for (at, &code) in node.tokens.iter().enumerate() {
        rolling = rolling
            .wrapping_mul(BASE)
            .wrapping_add(u32::from(form(code)) + 1);
        if at >= GRAM {
            let gone = u32::from(form(node.tokens[at - GRAM])) + 1;
            rolling = rolling.wrapping_sub(power.wrapping_mul(gone));
        }
        if at + 1 < GRAM {
            continue;
        }
        let gram = at + 1 - GRAM;
        window[gram % WINDOW] = scatter(rolling ^ layer);
        let least = window.iter().copied().min().unwrap_or(0);
        if gram + 1 >= WINDOW && before != Some(least) {
            before = Some(least);
            out(least);
        }
    }
}

/// Scatters bits, so that each of some hashes is equally likely to be the smallest.
fn scatter(value: u32) -> u32 {
    let value = (value ^ value >> 16).wrapping_mul(0x85eb_ca6b);
    let value = (value ^ value >> 13).wrapping_mul(0xc2b2_ae35);
    value ^ value >> 16
}
