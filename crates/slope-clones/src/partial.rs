//! An index of some files of a set, for changes that affect only those.
//!
//! Code that repeats a file's code shares one of its forms. So a change is checked with the files
//! that contain forms of the changed code, and those that contain forms of the surrounding blocks,
//! which limit how far runs grow. The rows that other files of the set cover are given separately.

use std::collections::HashSet;

use slope_syntax::LineSet;

use crate::file::FileClones;
use crate::index::{HasClones, Index};
use crate::stream::narrow;

/// Rows from the first on, how many, and how many places of classes cover each.
pub type Cover = (u32, u32, u32);

impl FileClones {
    /// The forms of code that may be repeated elsewhere, sorted and unique.
    #[must_use]
    pub fn forms(&self) -> Vec<u64> {
        let runs = self.statements.iter().filter(|s| s.run > 0);
        let runs = runs.map(|statement| statement.renamed);
        let units = self.units.iter().map(|unit| unit.form());
        let mut forms: Vec<u64> = runs.chain(units).collect();
        forms.sort_unstable();
        forms.dedup();
        forms
    }

    /// The forms of all runs in blocks in which one of these forms begins.
    #[must_use]
    pub fn forms_beside(&self, forms: &HashSet<u64>) -> Vec<u64> {
        let mut found = Vec::new();
        let mut first = 0;
        for end in 1..=self.statements.len() {
            if end < self.statements.len() && self.statements[end - 1].continues {
                continue;
            }
            let block = &self.statements[first..end];
            let starts = || block.iter().filter(|s| s.run > 0).map(|s| s.renamed);
            if starts().any(|form| forms.contains(&form)) {
                found.extend(starts());
            }
            first = end;
        }
        found
    }
}

impl<F: HasClones> Index<F> {
    /// Number of places that cover each row of a file, without uncovered rows.
    #[must_use]
    pub fn covers(&self, file: u32) -> Vec<Cover> {
        let mut found: Vec<Cover> = Vec::new();
        for (row, &count) in (0..)
            .zip(self.counts(file))
            .filter(|(_, count)| **count > 0)
        {
            match found.last_mut() {
                Some(last) if last.0 + last.1 == row && last.2 == count => last.1 += 1,
                _ => found.push((row, 1, count)),
            }
        }
        found
    }

    /// Sets the number of places that cover each row of a file in the whole set.
    pub fn cover(&mut self, file: u32, covers: &[Cover]) {
        let rows = covers.iter().map(|(first, rows, _)| first + rows).max();
        let mut counts = vec![0; rows.unwrap_or(0) as usize];
        let mut covered = LineSet::with_rows(narrow(counts.len()));
        for &(first, rows, count) in covers {
            for row in first..first + rows {
                counts[row as usize] = count;
                covered.insert(row);
            }
        }
        self.set_counts(file, counts, covered);
    }
}
