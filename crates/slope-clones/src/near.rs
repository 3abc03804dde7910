//! Near misses: constructs with statements inserted, deleted or changed.
//!
//! Constructs of one renamed form are one *node*. Candidates are nodes that share rare fingerprints
//! (hashes of short sequences of token codes, without names); a candidate is a near miss if enough
//! tokens are in both in the same order, and names agree. Classes are stars: each member is similar
//! to the representative. Every decision depends on content, never on position, so that the order
//! of files does not matter.

use rayon::prelude::*;
use slope_model::measurement::CloneKind;

use crate::Memo;
use crate::candidates::{GRAM, Index, postings};
use crate::file::FileClones;
use crate::kept;
use crate::lcs::Scratch;
use crate::memo::{Asking, hash_of};
use crate::place::{Class, Entry, Place, class, place};
use crate::stream::narrow;
use crate::subsume::overlap;

/// Maximum number of tokens of a compared construct; constructs nested in larger ones are compared.
const MAX_TOKENS: usize = 8192;

/// Constructs of one renamed form.
pub(crate) struct Node<'f> {
    /// Its entries.
    pub(crate) entries: &'f [Entry],
    /// Its token codes: those of the entry with the smallest exact hash.
    pub(crate) tokens: &'f [u16],
    pub(crate) callable: bool,
    /// The hash of its tokens for a memo; 0 without one.
    pub(crate) hash: u128,
}

/// Two nodes that are near misses, the earlier first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Edge {
    pub(crate) a: u32,
    pub(crate) b: u32,
    pub(crate) similarity: u16,
}

/// Classes of near misses. `groups` are all constructs, with equal ones adjacent.
pub(crate) fn classes(
    files: &[&FileClones],
    groups: &[Entry],
    least: u16,
    memo: Option<&Memo>,
) -> Vec<Class> {
    let mut nodes = nodes(files, groups);
    if memo.is_some() {
        // A memo is for one threshold.
        let of = |node: &Node<'_>, bytes: &mut Vec<u8>| hash_of(node.tokens, bytes);
        let salted = |hash: u128| hash ^ u128::from(least);
        nodes
            .par_iter_mut()
            .for_each_init(Vec::new, |bytes, node| node.hash = salted(of(node, bytes)));
    }
    let mut edges = match memo {
        Some(memo) => kept::alike(&nodes, least, memo),
        None => {
            let index = Index::new(nodes.len(), &postings(&nodes, false));
            alike(&nodes, &index, least, None)
        }
    };
    // Code in the other is like it by nature.
    let places = |node: u32| -> Vec<Place> {
        let entries = nodes[node as usize].entries.iter();
        entries.map(|e| place(files, e, 0)).collect()
    };
    edges.retain(|edge| !overlap(&places(edge.a), &places(edge.b)));
    stars(nodes.len(), &edges)
        .into_iter()
        .map(|star| star_class(files, &nodes, &star))
        .collect()
}

/// All pairs of similar nodes.
pub(crate) fn alike(
    nodes: &[Node<'_>],
    index: &Index,
    least: u16,
    memo: Option<&Memo>,
) -> Vec<Edge> {
    (0..nodes.len())
        .into_par_iter()
        .map_init(
            || (Scratch::default(), vec![0u16; nodes.len()], Vec::new()),
            |(scratch, shared, touched), a| {
                index.candidates(nodes, a, least, shared, touched);
                similar(nodes, a, touched, least, scratch, Asking::new(memo))
            },
        )
        .flatten_iter()
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

/// Compares a node with later ones.
pub(crate) fn similar(
    nodes: &[Node<'_>],
    a: usize,
    candidates: &[u32],
    least: u16,
    scratch: &mut Scratch,
    mut asking: Asking<'_>,
) -> Vec<Edge> {
    let mut edges = Vec::new();
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
        edges.extend(answer.map(|similarity| Edge {
            a: narrow(a),
            b,
            similarity,
        }));
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

/// A representative and the nodes similar to it.
struct Star {
    center: u32,
    others: Vec<(u32, u16)>,
}

/// Splits the graph into stars: the node with the most neighbours first, then the one with the
/// greatest sum of similarities, takes all remaining neighbours.
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
