//! Texts that a function, or code outside of functions, has here and there: a new table that holds them
//! all says again what they say.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::facts::FileSignals;
use crate::gather::Gatherer;
use crate::kind::K;
use crate::value_rows::Leaf;
use crate::view::{Place, View};
use crate::words::Map;

/// Fewest different texts of a group.
const MIN_TEXTS: usize = 6;

/// Most texts of a group. Code with more of them has nearly all words of its subject.
const MAX_TEXTS: usize = 200;

/// Most groups with a text for it to say what a table is about.
const MAX_HOLDERS: usize = 4;

/// The texts of a function, or of a statement outside of functions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct TextGroup {
    /// Hashes of the texts, ascending.
    texts: Vec<u32>,
    pub(crate) place: Place,
}

/// Notes the texts of a file.
pub(crate) fn note(gatherer: &Gatherer<'_>, facts: &mut FileSignals) {
    let view = &gatherer.view;
    let tables = facts.value_sets.iter().map(|set| set.place());
    let mut tables: Vec<(u32, u32)> = tables.map(|at| (at.start_byte, at.end_byte)).collect();
    tables.sort_unstable();
    let is_in_table = |text: u32| {
        let start = view.tree.node(text).start_byte;
        let after = tables.partition_point(|&(first, _)| first <= start);
        tables[..after].last().is_some_and(|&(_, end)| start < end)
    };
    let mut groups: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    let texts = view.of_kind(K::String).iter();
    let texts = texts.filter(|&&text| {
        view.is_constant(text) && !view.tree.is_documentation(text) && !is_in_table(text)
    });
    for &text in texts {
        let leaf = Leaf::of_text(view.text(text).trim_matches(['"', '\'', '`']));
        if leaf.is_word() {
            groups
                .entry(around(view, text))
                .or_default()
                .push(leaf.hash());
        }
    }
    for (node, mut texts) in groups {
        texts.sort_unstable();
        texts.dedup();
        if (MIN_TEXTS..=MAX_TEXTS).contains(&texts.len()) {
            let place = view.place(node);
            facts.text_groups.push(TextGroup { texts, place });
        }
    }
}

/// The outermost function around a node, or else the statement of the file.
fn around(view: &View<'_>, node: u32) -> u32 {
    let above = std::iter::successors(Some(node), |&node| Some(view.parent(node)));
    let above: Vec<u32> = above.take_while(|&node| node != 0).collect();
    let outermost = above
        .iter()
        .rev()
        .find(|&&node| view.k(node) == K::Function);
    outermost.or(above.last()).copied().unwrap_or(node)
}

/// The groups of a code base by the texts in them.
pub(crate) struct Groups<'a> {
    all: Vec<(&'a str, &'a TextGroup)>,
    holders: Map<u32, Vec<usize>>,
}

impl<'a> Groups<'a> {
    /// The groups in some files, as far as one of some texts is in them.
    pub(crate) fn of(
        files: &[(&'a str, &'a FileSignals)],
        wanted: impl Iterator<Item = u32>,
    ) -> Self {
        let groups = files.iter();
        let groups =
            groups.flat_map(|&(path, facts)| facts.text_groups.iter().map(move |g| (path, g)));
        let all: Vec<(&str, &TextGroup)> = groups.collect();
        let mut holders: Map<u32, Vec<usize>> = wanted.map(|text| (text, Vec::new())).collect();
        for (at, (_, group)) in all.iter().enumerate() {
            for text in &group.texts {
                if let Some(holders) = holders.get_mut(text) {
                    holders.push(at);
                }
            }
        }
        Self { all, holders }
    }

    /// A group outside of a table that holds nearly all of the table's texts, and how many. Most of them have to
    /// be rare, and the group may not have many more.
    pub(crate) fn repeated(
        &self,
        (path, place): (&str, &Place),
        texts: &[u32],
    ) -> Option<(&'a str, &'a TextGroup, usize)> {
        let mut counts: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
        for text in texts {
            let holders = self.holders.get(text).map_or(&[][..], Vec::as_slice);
            // One holder is what the table itself is in.
            let is_rare = holders.len() <= MAX_HOLDERS;
            for &holder in holders {
                let (shared, rare) = counts.entry(holder).or_default();
                *shared += 1;
                *rare += usize::from(is_rare);
            }
        }
        let is_enough = |&(at, &(shared, rare)): &(&usize, &(usize, usize))| {
            let (file, group) = self.all[*at];
            let is_around = file == path
                && group.place.start_byte <= place.start_byte
                && place.end_byte <= group.place.end_byte;
            !is_around
                && shared >= MIN_TEXTS
                && shared * 10 >= texts.len() * 9
                && rare * 2 >= shared
                && group.texts.len() <= shared * 2
        };
        let enough = counts.iter().filter(is_enough);
        let (&at, &(shared, _)) =
            enough.max_by_key(|&(&at, &(shared, _))| (shared, std::cmp::Reverse(at)))?;
        let (path, group) = self.all[at];
        Some((path, group, shared))
    }
}
