//! Functions and tables of a tree by their content, to find those that resemble the ones of a change.

use slope_syntax::paths;

use crate::background::{Background, Lists};
use crate::changed_tree::ChangedTree;
use crate::contributions::Numbered;
use crate::copies;
use crate::facts::{FileSignals, Function, Traits};
use crate::keys::{Key, Kind};
use crate::namesakes::telling;
use crate::operations::Operations;
use crate::snapshot::Snapshot;
use crate::words::Map;

/// Functions and tables of a tree by their content. Tests and examples are left out.
pub struct Likenesses {
    lists: Lists,
    /// Number of functions with a summary.
    functions: usize,
    pub(crate) operations: Operations,
}

impl Likenesses {
    /// Those of the files of a background.
    #[must_use]
    pub fn new(background: &Background, files: &[(&str, &FileSignals)]) -> Self {
        let mut entries = Vec::new();
        let mut functions = 0;
        let mut operations = Operations::default();
        for (index, &file) in (0..).zip(files) {
            let numbered = background.numbered(index as usize, file);
            if !is_compared(&numbered) {
                continue;
            }
            functions += file.1.functions.iter().filter(|f| is_summed_up(f)).count();
            numbered.list_alike(&mut |key, position| entries.push((key, (index, position))));
            operations.add_file(None, index, file.1);
        }
        operations.finish();
        Self {
            lists: Lists::new(entries),
            functions,
            operations,
        }
    }
}

/// Whether functions and tables of a file are compared with others.
pub(crate) fn is_compared(file: &Numbered<'_>) -> bool {
    // Examples repeat each other so that each can be read on its own.
    !file.is_test && !paths::is_example(file.path)
}

/// Whether a function is compared by its evidence.
pub(crate) fn is_summed_up(function: &Function) -> bool {
    function.summary.is_some() && function.traits & Traits::TEST == 0
}

impl Numbered<'_> {
    /// Calls `add` with the keys of the content of functions and tables, and their positions.
    fn list_alike(&self, add: &mut impl FnMut(Key, u32)) {
        let facts = self.facts;
        let functions = facts.functions.iter().chain(&facts.plain_functions);
        for (position, function) in (0..).zip(functions) {
            for line in copies::telling(function) {
                add(Key::of(Kind::Line, line), position);
            }
        }
        for (position, function) in (0..).zip(&facts.functions) {
            if !is_summed_up(function) {
                continue;
            }
            for key in self.evidence(function) {
                add(key, position);
            }
            for word in telling(self.name(function.name)) {
                add(Key::of_hash(Kind::Word, word), position);
            }
        }
        for (position, table) in (0..).zip(&facts.tables) {
            add(Key::of_hash(Kind::Table, table.hash), position);
        }
        for (position, set) in (0..).zip(&facts.value_sets) {
            for value in set.contents() {
                add(Key::of_hash(Kind::Value, value), position);
            }
        }
    }

    /// Keys of the evidence of a function.
    fn evidence(&self, function: &Function) -> impl Iterator<Item = Key> + '_ {
        let evidence = function.summary.as_deref().map(|summary| &summary.evidence);
        let evidence: Vec<_> = evidence.cloned().unwrap_or_default();
        evidence.into_iter().filter_map(|(kind, name)| {
            let number = self.number(name)?;
            Some(Key::of_two(Kind::Evidence, kind as u32, number))
        })
    }
}

/// The functions and tables of a changed tree by their content.
pub(crate) struct Alike<'s, 'a> {
    pub(crate) snapshot: &'s Snapshot<'a>,
    base: &'s Likenesses,
    /// Those of new files.
    own: Map<Key, Vec<(u32, u32)>>,
    /// Number of functions with a summary.
    pub(crate) functions: usize,
}

impl<'s, 'a> Alike<'s, 'a> {
    pub(crate) fn new(tree: &'s ChangedTree<'a>, base: &'s Likenesses) -> Self {
        let summed_up = |facts: &FileSignals| {
            let functions = facts.functions.iter();
            functions.filter(|function| is_summed_up(function)).count()
        };
        let mut functions = base.functions;
        for (index, file) in &tree.old {
            if is_compared(&tree.background.numbered(*index, *file)) {
                functions -= summed_up(file.1);
            }
        }
        let mut own: Map<Key, Vec<(u32, u32)>> = Map::default();
        for &file in tree.snapshot.new_files() {
            let numbered = tree.snapshot.numbered(file);
            if is_compared(&numbered) {
                functions += summed_up(numbered.facts);
                let number = u32::try_from(file).unwrap_or(u32::MAX);
                numbered.list_alike(&mut |key, position| {
                    own.entry(key).or_default().push((number, position));
                });
            }
        }
        Self {
            snapshot: &tree.snapshot,
            base,
            own,
            functions,
        }
    }

    /// All files and positions of a key, in no order.
    pub(crate) fn of(&self, key: Key) -> impl Iterator<Item = (usize, usize)> + '_ {
        let kept = self.base.lists.of(key).iter();
        let kept = kept.filter(|(file, _)| !self.snapshot.is_replaced(*file as usize));
        let own = self.own.get(&key).into_iter().flatten();
        kept.chain(own)
            .map(|&(file, position)| (file as usize, position as usize))
    }

    /// Keys of the evidence of a function, in order.
    pub(crate) fn evidence(&self, file: usize, function: &Function) -> Vec<Key> {
        let numbered = self.snapshot.numbered(file);
        let mut keys: Vec<Key> = numbered.evidence(function).collect();
        keys.sort_unstable();
        keys
    }
}
