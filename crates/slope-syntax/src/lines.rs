//! Sets of lines.

use serde::{Deserialize, Serialize};

/// A set of rows (lines counted from 0) of one file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineSet {
    words: Vec<u64>,
}

impl LineSet {
    /// An empty set with room for `rows` rows.
    #[must_use]
    pub fn with_rows(rows: u32) -> Self {
        Self {
            words: vec![0; (rows as usize).div_ceil(64)],
        }
    }

    /// Adds a row.
    #[inline]
    pub fn insert(&mut self, row: u32) {
        let word = row as usize / 64;
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (row % 64);
    }

    /// Adds every row from `first` to `last`, both included.
    pub fn insert_range(&mut self, first: u32, last: u32) {
        for row in first..=last {
            self.insert(row);
        }
    }

    /// Takes out every row from `first` to `last`, both included.
    pub fn remove_range(&mut self, first: u32, last: u32) {
        for row in first..=last {
            if let Some(word) = self.words.get_mut(row as usize / 64) {
                *word &= !(1 << (row % 64));
            }
        }
    }

    /// Whether the row is in the set.
    #[must_use]
    #[inline]
    pub fn contains(&self, row: u32) -> bool {
        self.words
            .get(row as usize / 64)
            .is_some_and(|word| word >> (row % 64) & 1 == 1)
    }

    /// Number of rows in the set.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.words.iter().map(|word| word.count_ones()).sum()
    }

    /// Number of rows in both sets.
    #[must_use]
    pub fn count_common(&self, other: &Self) -> u32 {
        self.words
            .iter()
            .zip(&other.words)
            .map(|(a, b)| (a & b).count_ones())
            .sum()
    }

    /// Adds every row of another set.
    pub fn union_with(&mut self, other: &Self) {
        if other.words.len() > self.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        for (mine, theirs) in self.words.iter_mut().zip(&other.words) {
            *mine |= theirs;
        }
    }

    /// Takes out every row that another set has not.
    pub fn keep_common(&mut self, other: &Self) {
        self.words.truncate(other.words.len());
        for (mine, theirs) in self.words.iter_mut().zip(&other.words) {
            *mine &= theirs;
        }
    }

    /// The rows in ascending order.
    pub fn rows(&self) -> impl Iterator<Item = u32> + '_ {
        let rows = u32::try_from(self.words.len() * 64).unwrap_or(u32::MAX);
        (0..rows).filter(|&row| self.contains(row))
    }

    /// For each row, how many rows of the set are before it; one entry more than `rows`.
    ///
    /// The rows of the set in `first..=last` are `prefix[last + 1] - prefix[first]`.
    #[must_use]
    pub fn prefix_counts(&self, rows: u32) -> Vec<u32> {
        let mut counts = Vec::with_capacity(rows as usize + 1);
        let mut sum = 0;
        counts.push(0);
        for row in 0..rows {
            sum += u32::from(self.contains(row));
            counts.push(sum);
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_sets_work_across_word_borders() {
        let mut set = LineSet::with_rows(10);
        set.insert_range(60, 70);
        set.remove_range(64, 64);
        assert_eq!(set.count(), 10);
        assert!(set.contains(63) && !set.contains(64) && set.contains(65));
        let prefix = set.prefix_counts(100);
        assert_eq!(prefix[71] - prefix[60], 10);
        assert_eq!(set.rows().next(), Some(60));
        let mut other = LineSet::default();
        other.insert(200);
        other.insert(61);
        assert_eq!(set.count_common(&other), 1);
        other.union_with(&set);
        assert_eq!(other.count(), 11);
        other.keep_common(&set);
        assert_eq!(other.count(), 10);
    }
}
