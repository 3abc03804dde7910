//! Updates the near misses of the last run.
//!
//! The compared constructs depend on how many others share their fingerprints. A change adds or
//! removes a few fingerprints; only pairs with a construct that has one of these, before or now,
//! can change. All others are unchanged.

use rayon::prelude::*;

use crate::Memo;
use crate::candidates::{
    Index, fingerprints, gram_of, is_candidate, is_rare, node_of, posting, postings,
};
use crate::lcs::Scratch;
use crate::memo::Asking;
use crate::near::{Edge, Node, alike as all_alike, similar};
use crate::stream::narrow;

/// If more than one construct in this many changed, everything is recomputed.
const STALE: usize = 16;

/// A removed node.
const GONE: u32 = u32::MAX;

/// The identity of a construct: its renamed form, and the hash of its tokens.
pub(crate) type Name = (u128, u128);

/// Kept data of a run.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Kept {
    /// Each node, in order.
    pub(crate) nodes: Vec<Name>,
    /// All fingerprints with their nodes, in order.
    pub(crate) postings: Vec<u64>,
    /// Number of rare fingerprints of each node.
    pub(crate) rare: Vec<u32>,
    /// Pairs of similar nodes.
    pub(crate) alike: Vec<Edge>,
}

/// All pairs of similar nodes: updated from the last run in `memo`, or else recomputed and stored
/// in it.
pub(crate) fn alike(nodes: &[Node<'_>], least: u16, memo: &Memo) -> Vec<Edge> {
    if let Some(kept) = memo.kept()
        && let Some(change) = Change::new(kept, nodes)
    {
        return change.alike(least, memo);
    }
    let postings = postings(nodes, true);
    let index = Index::new(nodes.len(), &postings);
    let alike = all_alike(nodes, &index, least, Some(memo));
    memo.keep(Kept {
        nodes: nodes.iter().map(name).collect(),
        postings,
        rare: (0..nodes.len())
            .map(|node| narrow(index.rare(node).len()))
            .collect(),
        alike: alike.clone(),
    });
    alike
}

fn name(node: &Node<'_>) -> Name {
    let form = node.entries.first().map_or(0, |entry| entry.key.0);
    (form, node.hash)
}

/// Change between a run and the one before.
struct Change<'a> {
    kept: &'a Kept,
    nodes: &'a [Node<'a>],
    /// For each kept node its number now.
    now: Vec<u32>,
    /// For each node its kept number.
    before: Vec<u32>,
    /// Fingerprints of the nodes that are new, in order.
    fresh: Vec<u64>,
    /// Nodes whose pairs may change.
    affected: Vec<bool>,
}

impl<'a> Change<'a> {
    /// `None` if too much has changed.
    fn new(kept: &'a Kept, nodes: &'a [Node<'a>]) -> Option<Self> {
        let (now, before) = matched(&kept.nodes, nodes);
        let gone = now.iter().filter(|&&n| n == GONE).count();
        let new = before.iter().filter(|&&n| n == GONE).count();
        if (gone + new) * STALE > nodes.len() {
            return None;
        }
        let mut fresh = Vec::new();
        for (number, node) in nodes.iter().enumerate() {
            if before[number] == GONE {
                fingerprints(node, |gram| fresh.push(posting(gram, narrow(number))));
            }
        }
        fresh.sort_unstable();
        fresh.dedup();
        let affected = before.iter().map(|&n| n == GONE).collect();
        let mut change = Self {
            kept,
            nodes,
            now,
            before,
            fresh,
            affected,
        };
        change.spread();
        Some(change)
    }

    /// Adds the nodes that have an added or removed fingerprint.
    fn spread(&mut self) {
        let is_gone = |posting: &&u64| self.now[node_of(**posting) as usize] == GONE;
        let gone = self.kept.postings.iter().filter(is_gone);
        let mut grams: Vec<u32> = gone.chain(&self.fresh).map(|&p| gram_of(p)).collect();
        grams.sort_unstable();
        grams.dedup();
        for gram in grams {
            let before = of_gram(&self.kept.postings, gram);
            if is_rare(before.len()) || is_rare(self.holders(gram).count()) {
                for &posting in before {
                    let now = self.now[node_of(posting) as usize];
                    if now != GONE {
                        self.affected[now as usize] = true;
                    }
                }
            }
        }
    }

    /// The nodes that have a fingerprint now.
    fn holders(&self, gram: u32) -> impl Iterator<Item = u32> + '_ {
        let old = of_gram(&self.kept.postings, gram).iter();
        let old = old.map(|&posting| self.now[node_of(posting) as usize]);
        let fresh = of_gram(&self.fresh, gram).iter().map(|&p| node_of(p));
        old.filter(|&node| node != GONE).chain(fresh)
    }

    fn alike(&self, least: u16, memo: &Memo) -> Vec<Edge> {
        let is_affected = |node: &u32| self.affected[*node as usize];
        let affected: Vec<u32> = (0..narrow(self.nodes.len())).filter(is_affected).collect();
        let rare: Vec<Vec<Vec<u32>>> = affected.par_iter().map(|&node| self.rare(node)).collect();
        let mut counts: Vec<u32> = self
            .before
            .iter()
            .map(|&n| self.kept.rare.get(n as usize).copied().unwrap_or(0))
            .collect();
        for (&node, rare) in affected.iter().zip(&rare) {
            counts[node as usize] = narrow(rare.len());
        }
        let mut pairs: Vec<(u32, u32)> = affected
            .par_iter()
            .zip(&rare)
            .flat_map_iter(|(&node, rare)| self.pairs(node, rare, &counts, least))
            .collect();
        pairs.par_sort_unstable();
        let groups: Vec<&[(u32, u32)]> = pairs.chunk_by(|x, y| x.0 == y.0).collect();
        let mut found: Vec<Edge> = groups
            .into_par_iter()
            .map_init(Scratch::default, |scratch, group| {
                let others: Vec<u32> = group.iter().map(|pair| pair.1).collect();
                let (a, asking) = (group[0].0 as usize, Asking::new(Some(memo)));
                similar(self.nodes, a, &others, least, scratch, asking)
            })
            .flatten_iter()
            .collect();
        found.extend(self.unaffected());
        found
    }

    /// For each rare fingerprint of a node, the nodes that have it.
    fn rare(&self, node: u32) -> Vec<Vec<u32>> {
        let mut grams = Vec::new();
        fingerprints(&self.nodes[node as usize], |gram| grams.push(gram));
        grams.sort_unstable();
        grams.dedup();
        let holders = grams.into_iter().map(|gram| self.holders(gram).collect());
        holders.filter(|h: &Vec<u32>| is_rare(h.len())).collect()
    }

    /// The pairs of an affected node to compare, the earlier node first; pairs of two affected
    /// nodes only from the earlier one.
    fn pairs(&self, node: u32, rare: &[Vec<u32>], counts: &[u32], least: u16) -> Vec<(u32, u32)> {
        let mut others: Vec<u32> = rare.iter().flatten().copied().collect();
        others.retain(|&other| other > node || other < node && !self.affected[other as usize]);
        others.sort_unstable();
        let tokens = |node: u32| self.nodes[node as usize].tokens.len();
        let is_compared = |group: &&[u32]| {
            let other = group[0];
            let shared = u16::try_from(group.len()).unwrap_or(u16::MAX);
            let rare = (rare.len(), counts[other as usize] as usize);
            is_candidate(shared, rare, (tokens(node), tokens(other)), least)
        };
        let groups = others.chunk_by(|a, b| a == b).filter(is_compared);
        groups
            .map(|group| (node.min(group[0]), node.max(group[0])))
            .collect()
    }

    /// The similar pairs that the change does not affect.
    fn unaffected(&self) -> impl Iterator<Item = Edge> + '_ {
        self.kept.alike.iter().filter_map(|edge| {
            let (a, b) = (self.now[edge.a as usize], self.now[edge.b as usize]);
            let is_same = |node: u32| node != GONE && !self.affected[node as usize];
            (is_same(a) && is_same(b)).then_some(Edge { a, b, ..*edge })
        })
    }
}

/// For each stored node its new index, and for each node its stored index. Both lists are in the
/// order of their forms, and each form has one node.
fn matched(kept: &[Name], nodes: &[Node<'_>]) -> (Vec<u32>, Vec<u32>) {
    let mut now = vec![GONE; kept.len()];
    let mut before = vec![GONE; nodes.len()];
    let (mut old, mut new) = (0, 0);
    while old < kept.len() && new < nodes.len() {
        let name = name(&nodes[new]);
        if kept[old] == name {
            now[old] = narrow(new);
            before[new] = narrow(old);
        }
        let order = kept[old].0.cmp(&name.0);
        old += usize::from(order.is_le());
        new += usize::from(order.is_ge());
    }
    (now, before)
}

/// The postings of a fingerprint.
fn of_gram(postings: &[u64], gram: u32) -> &[u64] {
    let first = postings.partition_point(|&posting| gram_of(posting) < gram);
    let rest = &postings[first..];
    let count = rest.iter().take_while(|&&posting| gram_of(posting) == gram);
    &rest[..count.count()]
}

impl Kept {
    /// Appends it as bytes.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        for count in [self.nodes.len(), self.postings.len(), self.alike.len()] {
            out.extend((count as u64).to_le_bytes());
        }
        for (form, tokens) in &self.nodes {
            out.extend(form.to_le_bytes());
            out.extend(tokens.to_le_bytes());
        }
        out.extend(self.postings.iter().flat_map(|p| p.to_le_bytes()));
        out.extend(self.rare.iter().flat_map(|count| count.to_le_bytes()));
        for edge in &self.alike {
            let parts = [edge.a, edge.b, u32::from(edge.similarity)];
            out.extend(parts.into_iter().flat_map(u32::to_le_bytes));
        }
    }

    /// Decodes bytes of [`Kept::write`]; `None` if they are invalid.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let (head, rest) = bytes.split_at_checked(24)?;
        let mut counts = head.chunks_exact(8).map(u64_of);
        let mut count = || usize::try_from(counts.next()?).ok();
        let (nodes, postings, alike) = (count()?, count()?, count()?);
        let (names, rest) = rest.split_at_checked(nodes.checked_mul(32)?)?;
        let (listed, rest) = rest.split_at_checked(postings.checked_mul(8)?)?;
        let (rare, edges) = rest.split_at_checked(nodes.checked_mul(4)?)?;
        if edges.len() != alike.checked_mul(12)? {
            return None;
        }
        let kept = Self {
            nodes: names
                .chunks_exact(32)
                .map(|name| (u128_of(&name[..16]), u128_of(&name[16..])))
                .collect(),
            postings: listed.chunks_exact(8).map(u64_of).collect(),
            rare: rare.chunks_exact(4).map(u32_of).collect(),
            alike: edges.chunks_exact(12).map(edge_of).collect::<Option<_>>()?,
        };
        kept.is_sound().then_some(kept)
    }

    /// Whether all numbers are valid nodes and all lists are sorted.
    fn is_sound(&self) -> bool {
        let inside = |node: u32| (node as usize) < self.nodes.len();
        self.nodes.is_sorted()
            && self.postings.is_sorted()
            && self.postings.iter().all(|&p| inside(node_of(p)))
            && self.alike.iter().all(|e| inside(e.a) && inside(e.b))
    }
}

fn u128_of(bytes: &[u8]) -> u128 {
    bytes.try_into().map_or(0, u128::from_le_bytes)
}

fn u64_of(bytes: &[u8]) -> u64 {
    bytes.try_into().map_or(0, u64::from_le_bytes)
}

fn u32_of(bytes: &[u8]) -> u32 {
    bytes.try_into().map_or(0, u32::from_le_bytes)
}

fn edge_of(bytes: &[u8]) -> Option<Edge> {
    Some(Edge {
        a: u32_of(&bytes[..4]),
        b: u32_of(&bytes[4..8]),
        similarity: u16::try_from(u32_of(&bytes[8..])).ok()?,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::memo::hash_of;
    use crate::place::Entry;

    const LEAST: u16 = 700;

    /// Constructs by their form: nodes of a few kinds, each a little different.
    fn constructs() -> impl Strategy<Value = Vec<(u128, Vec<u16>)>> {
        prop::collection::vec((0u16..30, 0usize..40), 100..128).prop_map(|all| {
            let each = (0u16..).zip(all);
            each.map(|(n, (change, place))| (2 * u128::from(n), construct((n % 12, change, place))))
                .collect()
        })
    }

    fn construct((kind, change, place): (u16, u16, usize)) -> Vec<u16> {
        let mut tokens: Vec<u16> = (0..40).map(|at| 2 + (at * 7 + kind * 31) % 97).collect();
        tokens[place] = 2 + change;
        tokens
    }

    /// Changes of some files: which one, and its new content; `None` to remove it.
    fn changes() -> impl Strategy<Value = Vec<(prop::sample::Index, Option<Vec<u16>>)>> {
        let then = (0u16..12, 0u16..30, 0usize..40).prop_map(construct);
        prop::collection::vec((any::<prop::sample::Index>(), prop::option::of(then)), 0..4)
    }

    fn with_nodes<T>(all: &[(u128, Vec<u16>)], work: impl FnOnce(&[Node<'_>]) -> T) -> T {
        let entries: Vec<[Entry; 1]> = all
            .iter()
            .map(|(form, _)| {
                [Entry {
                    key: (*form, 0),
                    file: 0,
                    unit: 0,
                }]
            })
            .collect();
        let each = all.iter().zip(&entries);
        let nodes: Vec<Node<'_>> = each
            .map(|((_, tokens), entries)| Node {
                entries,
                tokens,
                callable: false,
                hash: hash_of(tokens, &mut Vec::new()),
            })
            .collect();
        work(&nodes)
    }

    proptest! {
        #[test]
        fn incremental_result_matches_full_comparison(before in constructs(), changes in changes()) {
            let memo = Memo::default();
            with_nodes(&before, |nodes| alike(nodes, LEAST, &memo));
            let memo = Memo::from_bytes(&memo.to_bytes().unwrap());
            let mut after = before;
            for (number, (which, then)) in changes.into_iter().enumerate() {
                let at = which.index(after.len());
                match then {
                    Some(tokens) if number % 2 == 0 => after[at].1 = tokens,
                    Some(tokens) => after.push((2 * number as u128 + 1, tokens)),
                    None => drop(after.remove(at)),
                }
            }
            after.sort();
            after.dedup_by_key(|construct| construct.0);
            let (mut followed, mut anew) = with_nodes(&after, |nodes| {
                prop_assert!(Change::new(memo.kept().unwrap(), nodes).is_some());
                let followed = alike(nodes, LEAST, &memo);
                prop_assert_eq!(memo.to_bytes(), None, "it looked at everything");
                Ok((followed, alike(nodes, LEAST, &Memo::default())))
            })?;
            followed.sort_unstable();
            anew.sort_unstable();
            prop_assert!(!anew.is_empty());
            prop_assert_eq!(followed, anew);
        }
    }
}
