//! Functions and tables of a change that resemble others.

use crate::alike::{Alike, Likenesses};
use crate::background::Background;
use crate::changed_tree::ChangedTree;
use crate::copies::{self, Resemblance};
use crate::facts::{FileSignals, Function};
use crate::namesakes;
use crate::tables::{self, CopiedTable};

/// The functions and tables that are compared with all others.
pub struct Wanted<'w> {
    /// Whether the file of a path is changed.
    pub paths: &'w dyn Fn(&str) -> bool,
    /// Whether a function of such a file is looked at: path, dotted name, line of its name.
    pub functions: &'w dyn Fn(&str, &str, u32) -> bool,
}

impl<'w> Wanted<'w> {
    /// All functions of some paths.
    #[must_use]
    pub fn of_paths(paths: &'w dyn Fn(&str) -> bool) -> Self {
        Self {
            paths,
            functions: &|_, _, _| true,
        }
    }

    pub(crate) fn has(&self, path: &str, function: &Function) -> bool {
        (self.functions)(path, &function.callable, function.place.span.start_line)
    }
}

/// Functions and tables that resemble others.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Resemblances {
    /// Copies with a few statements changed.
    pub copies: Vec<Resemblance>,
    /// Functions that do the same in other words.
    pub reimplementations: Vec<Resemblance>,
    /// Tables of constants added by a change that exist elsewhere.
    pub tables: Vec<CopiedTable>,
}

impl ChangedTree<'_> {
    /// Functions and tables of changed files that resemble others. `before` has the facts of changed files before the
    /// change.
    #[must_use]
    pub fn resemblances(
        &self,
        likenesses: &Likenesses,
        before: &[&FileSignals],
        wanted: &Wanted<'_>,
    ) -> Resemblances {
        let alike = Alike::new(self, likenesses);
        let candidates = self.candidates();
        Resemblances {
            copies: copies::near_copies(&alike, &candidates, wanted),
            reimplementations: namesakes::reimplementations(
                &alike,
                self,
                (&likenesses.operations, &candidates),
                wanted,
            ),
            tables: tables::copied_tables(&alike, &candidates, before, wanted.paths),
        }
    }
}

/// Functions and tables of changed files that resemble others of the files, which are in path order.
#[must_use]
pub fn resemblances(
    files: &[(&str, &FileSignals)],
    before: &[&FileSignals],
    wanted: &Wanted<'_>,
) -> Resemblances {
    // Most changes add no function.
    let has_wanted = |&(path, facts): &(&str, &FileSignals)| {
        let mut functions = facts.functions.iter().chain(&facts.plain_functions);
        let has_tables = !facts.tables.is_empty() || !facts.value_sets.is_empty();
        (wanted.paths)(path) && (has_tables || functions.any(|one| wanted.has(path, one)))
    };
    if !files.iter().any(has_wanted) {
        return Resemblances::default();
    }
    let background = Background::new(files);
    let likenesses = Likenesses::new(&background, files);
    ChangedTree::whole(&background, files).resemblances(&likenesses, before, wanted)
}
