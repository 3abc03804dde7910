//! Near misses: constructs with statements inserted, deleted or changed.
//!
//! Constructs of one renamed form are one *node*. Candidates are nodes that share
//! rare fingerprints (hashes of short sequences of token codes, names aside); a
//! candidate is a near miss if enough tokens stand in both in the same order, and
//! names agree. Classes are stars: each member is alike to the representative.
//! Every decision is made by content, never by position, so that the order of
//! files does not matter.

use rayon::prelude::*;
use slope_model::measurement::CloneKind;

use crate::Memo;
use crate::classes::{Class, Entry, Place, class, place};
use crate::file::FileClones;
use crate::lcs::{Scratch, form};
use crate::memo::{Asking, hash_of};
use crate::repeats::Repeats;
use crate::stream::narrow;
use crate::subsume::overlap;

/// Tokens of a fingerprint.
const GRAM: usize = 6;
/// Of this many fingerprints in a row the smallest is kept.
const WINDOW: usize = 4;
/// A fingerprint that more nodes have than this is boilerplate and pairs nothing.
const MAX_NODES: usize = 40;
/// Rare fingerprints that a candidate shares at least.
const MIN_SHARED: u16 = 2;
/// Share of the smaller node's rare fingerprints that a candidate shares at least, in percent.
const MIN_SHARE: u32 = 20;
/// Nodes whose fingerprints are taken in one go.
const NODES_AT_ONCE: usize = 256;
/// Longer constructs are not compared; what is nested in them is.
const MAX_TOKENS: usize = 8192;

/// Constructs of one renamed form.
struct Node<'f> {
    /// Its entries.
    entries: &'f [Entry],
    /// Its token codes: those of the entry with the smallest exact hash.
    tokens: &'f [u16],
    callable: bool,
    /// What stands for its tokens in a memo; 0 without one.
    hash: u128,
}

/// Two nodes that are near misses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Edge {
    a: u32,
    b: u32,
    similarity: u16,
}

/// Classes of near misses. `groups` are all constructs, equal ones side by side.
pub(crate) fn classes(
    files: &[&FileClones],
    groups: &[Entry],
    least: u16,
    memo: Option<&Memo>,
) -> Vec<Class> {
    let mut nodes = nodes(files, groups);
    if memo.is_some() {
        // A memo holds for one threshold.
        let of = |node: &Node<'_>, bytes: &mut Vec<u8>| hash_of(node.tokens, bytes);
        let salted = |hash: u128| hash ^ u128::from(least);
        nodes
            .par_iter_mut()
            .for_each_init(Vec::new, |bytes, node| node.hash = salted(of(node, bytes)));
    }
    let index = Index::new(&nodes);
    let edges: Vec<Edge> = (0..nodes.len())
        .into_par_iter()
        .map_init(
            || (Scratch::default(), vec![0u16; nodes.len()], Vec::new()),
            |(scratch, shared, touched), a| {
                index.candidates(&nodes, a, least, shared, touched);
                let asking = Asking::new(memo);
                similar(files, &nodes, a, touched, least, scratch, asking)
            },
        )
        .flatten_iter()
        .collect();
    stars(nodes.len(), &edges)
        .into_iter()
        .map(|star| star_class(files, &nodes, &star))
        .collect()
}

fn nodes<'f>(files: &[&'f FileClones], groups: &'f [Entry]) -> Vec<Node<'f>> {
    groups
        .chunk_by(|a, b| a.key == b.key)
        .filter_map(|entries| {
            let chosen = entries.iter().min_by_key(|e| e.unit(files).exact)?;
            let unit = chosen.unit(files);
            let range = unit.near_range()?;
            let tokens = files[chosen.file as usize].tokens.get(range)?;
            let fits = (GRAM..=MAX_TOKENS).contains(&tokens.len());
            fits.then_some(Node {
                entries,
                tokens,
                callable: unit.callable,
                hash: 0,
            })
        })
        .collect()
}

/// Which nodes have which rare fingerprints.
struct Index {
    /// Nodes by fingerprint.
    nodes: Vec<u32>,
    /// For each node, the ranges in `nodes` of its rare fingerprints.
    rare: Vec<(u32, u32)>,
    /// First of each node in `rare`, and one entry more.
    first: Vec<u32>,
}

impl Index {
    fn new(nodes: &[Node<'_>]) -> Self {
        let mut postings = postings(nodes);
        // Most fingerprints are of one node.
        let repeats = Repeats::of(postings.len(), postings.iter().map(|&p| gram_of(p)));
        postings.retain(|&posting| repeats.may(gram_of(posting)));
        postings.par_sort_unstable();
        postings.dedup();
        let mut listed = Vec::new();
        let mut first = vec![0u32; nodes.len() + 1];
        let mut ranges = Vec::new();
        for group in postings.chunk_by(|&a, &b| gram_of(a) == gram_of(b)) {
            if (2..=MAX_NODES).contains(&group.len()) {
                let from = narrow(listed.len());
                listed.extend(group.iter().map(|&posting| node_of(posting)));
                let to = narrow(listed.len());
                ranges.push((from, to));
                for &posting in group {
                    first[node_of(posting) as usize + 1] += 1;
                }
            }
        }
        drop(postings);
        for node in 0..nodes.len() {
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

    fn rare(&self, node: usize) -> &[(u32, u32)] {
        &self.rare[self.first[node] as usize..self.first[node + 1] as usize]
    }

    /// Writes the later nodes that share enough with a node into `touched`, in order.
    /// `shared` is all zeros before and after.
    fn candidates(
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
            let smaller = narrow(own.min(self.rare(b as usize).len()));
            let other = nodes[b as usize].tokens.len();
            count >= MIN_SHARED
                && u32::from(count) * 100 >= smaller * MIN_SHARE
                && length.min(other) * 1000 >= length.max(other) * usize::from(least)
        });
        touched.sort_unstable();
    }
}

/// The fingerprints of all nodes, each with its node; some more than once.
fn postings(nodes: &[Node<'_>]) -> Vec<u64> {
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

/// A fingerprint and its node as one number, in the order of both.
fn posting(gram: u32, node: u32) -> u64 {
    u64::from(gram) << 32 | u64::from(node)
}

fn gram_of(posting: u64) -> u64 {
    posting >> 32
}

fn node_of(posting: u64) -> u32 {
    (posting & u64::from(u32::MAX)) as u32
}

/// Fingerprints of a node: winnowed, so that neighbours differ.
fn fingerprints(node: &Node<'_>, mut out: impl FnMut(u32)) {
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

/// Spreads bits, so that the smallest of some hashes is any of them.
fn scatter(value: u32) -> u32 {
    let value = (value ^ value >> 16).wrapping_mul(0x85eb_ca6b);
    let value = (value ^ value >> 13).wrapping_mul(0xc2b2_ae35);
    value ^ value >> 16
}

/// Compares a node with its candidates.
fn similar(
    files: &[&FileClones],
    nodes: &[Node<'_>],
    a: usize,
    candidates: &[u32],
    least: u16,
    scratch: &mut Scratch,
    mut asking: Asking<'_>,
) -> Vec<Edge> {
    let mut edges = Vec::new();
    if candidates.is_empty() {
        return edges;
    }
    let places = |node: &Node<'_>| -> Vec<Place> {
        node.entries.iter().map(|e| place(files, e, 0)).collect()
    };
    let mine = places(&nodes[a]);
    let mut is_set = false;
    for &b in candidates {
        let other = &nodes[b as usize];
        let answer = asking.similarity(nodes[a].hash, other.hash, || {
            if !is_set {
                scratch.set_pattern(nodes[a].tokens);
                is_set = true;
            }
            similarity(nodes[a].tokens, other.tokens, least, scratch)
        });
        let Some(similarity) = answer else { continue };
        // What lies in the other is like it by nature.
        if !overlap(&mine, &places(other)) {
            edges.push(Edge {
                a: narrow(a),
                b,
                similarity,
            });
        }
    }
    edges
}

/// Similarity in thousandths if it is enough: tokens that both have in order,
/// over the tokens of the longer. `a` is the pattern that is set.
fn similarity(a: &[u16], b: &[u16], least: u16, scratch: &mut Scratch) -> Option<u16> {
    let longer = a.len().max(b.len());
    let enough = |common: usize| common * 1000 >= longer * usize::from(least);
    if !enough(scratch.common(b)) {
        return None;
    }
    let common = scratch.consistent(b);
    let value = u16::try_from(common * 1000 / longer).unwrap_or(1000);
    enough(common).then_some(value)
}

/// A representative and the nodes that are alike to it.
struct Star {
    center: u32,
    others: Vec<(u32, u16)>,
}

/// Splits the graph into stars: the node with the most neighbours first, then the
/// one with the greatest sum of similarities, takes all neighbours that are left.
fn stars(nodes: usize, edges: &[Edge]) -> Vec<Star> {
    let mut neighbours: Vec<(u32, u32, u16)> = edges
        .iter()
        .flat_map(|e| [(e.a, e.b, e.similarity), (e.b, e.a, e.similarity)])
        .collect();
    neighbours.par_sort_unstable();
    let mut groups: Vec<&[(u32, u32, u16)]> = neighbours.chunk_by(|x, y| x.0 == y.0).collect();
    groups.sort_by_cached_key(|group| {
        let sum: u64 = group.iter().map(|n| u64::from(n.2)).sum();
        (std::cmp::Reverse((group.len(), sum)), group[0].0)
    });
    let mut taken = vec![false; nodes];
    let mut stars = Vec::new();
    for group in groups {
        let center = group[0].0;
        if taken[center as usize] {
            continue;
        }
        let free = group.iter().filter(|n| !taken[n.1 as usize]);
        let others: Vec<(u32, u16)> = free.map(|&(_, node, s)| (node, s)).collect();
        if others.is_empty() {
            continue;
        }
        taken[center as usize] = true;
        for &(node, _) in &others {
            taken[node as usize] = true;
        }
        stars.push(Star { center, others });
    }
    stars
}

fn star_class(files: &[&FileClones], nodes: &[Node<'_>], star: &Star) -> Class {
    let center = &nodes[star.center as usize];
    let of = |node: &Node<'_>, similarity: u16| -> Vec<Place> {
        let entries = node.entries.iter();
        entries.map(|e| place(files, e, similarity)).collect()
    };
    let mut members = of(center, 1000);
    let representative = members[0];
    for &(node, similarity) in &star.others {
        members.extend(of(&nodes[node as usize], similarity));
    }
    members.sort_unstable();
    let at = members.iter().position(|m| *m == representative);
    let form = center.entries[0].unit(files).renamed;
    class(CloneKind::NearMiss, members, at.unwrap_or(0), form)
}
