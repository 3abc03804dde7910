//! Similarity of two sequences of token codes.
//!
//! The longest common subsequence is computed 64 columns at a time: bit `j` of a row is 0 if the
//! best length grows from column `j` to `j + 1`.

use crate::stream::CONTENT_NAME;

/// The code for comparing forms, where all names are equal.
pub(crate) fn form(code: u16) -> u16 {
    if code & CONTENT_NAME == 0 {
        code
    } else {
        CONTENT_NAME
    }
}

/// Room for comparisons, used again and again.
pub(crate) struct Scratch {
    /// For each code, where its bits begin in `masks`, if it occurs in the pattern.
    slots: Vec<u32>,
    masks: Vec<u64>,
    words: usize,
    rows: Vec<u64>,
    /// Matched pairs of names.
    pairs: Vec<(u16, u16)>,
    pattern: Vec<u16>,
}

impl Default for Scratch {
    fn default() -> Self {
        Self {
            slots: vec![0; usize::from(CONTENT_NAME) + 1],
            masks: Vec::new(),
            words: 0,
            rows: Vec::new(),
            pairs: Vec::new(),
            pattern: Vec::new(),
        }
    }
}

impl Scratch {
    /// Sets the sequence that others are compared with.
    pub(crate) fn set_pattern(&mut self, pattern: &[u16]) {
        for &code in &self.pattern {
            self.slots[usize::from(form(code))] = 0;
        }
        self.pattern.clear();
        self.pattern.extend_from_slice(pattern);
        self.words = pattern.len().div_ceil(64);
        self.masks.clear();
        // The first slot is for codes that do not occur.
        self.masks.resize(self.words, 0);
        for (column, &code) in pattern.iter().enumerate() {
            let slot = &mut self.slots[usize::from(form(code))];
            if *slot == 0 {
                *slot = u32::try_from(self.masks.len()).unwrap_or(0);
                self.masks.resize(self.masks.len() + self.words, 0);
            }
            self.masks[*slot as usize + column / 64] |= 1 << (column % 64);
        }
    }

    /// Length of the longest common subsequence of the forms of both sequences.
    pub(crate) fn common(&mut self, other: &[u16]) -> usize {
        self.rows.clear();
        self.rows.resize(self.words, u64::MAX);
        for &code in other {
            let mask = self.slots[usize::from(form(code))] as usize;
            step(&mut self.rows, &self.masks[mask..mask + self.words]);
        }
        zeros(&self.rows, self.pattern.len())
    }

    /// Number of common tokens in the same order, where names count only if they are equal or
    /// correspond throughout.
    pub(crate) fn consistent(&mut self, other: &[u16]) -> usize {
        let words = self.words;
        self.rows.clear();
        self.rows.resize(words, u64::MAX);
        for (row, &code) in other.iter().enumerate() {
            let mask = self.slots[usize::from(form(code))] as usize;
            self.rows.extend_from_within(row * words..(row + 1) * words);
            let next = &mut self.rows[(row + 1) * words..];
            step(next, &self.masks[mask..mask + words]);
        }
        let plain = self.align(other);
        plain + consistent_names(&mut self.pairs)
    }

    /// Traces back through the rows; collects pairs of names and counts the rest.
    fn align(&mut self, other: &[u16]) -> usize {
        self.pairs.clear();
        let (mut row, mut column, mut plain) = (other.len(), self.pattern.len(), 0);
        while row > 0 && column > 0 {
            let (here, there) = (self.pattern[column - 1], other[row - 1]);
            let word = self.rows[row * self.words + (column - 1) / 64];
            if form(here) == form(there) {
                if here & CONTENT_NAME == 0 {
                    plain += 1;
                } else {
                    self.pairs.push((here, there));
                }
                row -= 1;
                column -= 1;
            } else if word >> ((column - 1) % 64) & 1 == 1 {
                column -= 1;
            } else {
                row -= 1;
            }
        }
        plain
    }
}

/// Computes one row of the table from the previous one.
fn step(row: &mut [u64], mask: &[u64]) {
    let mut carry = false;
    for (word, &mask) in row.iter_mut().zip(mask) {
        let both = *word & mask;
        let (sum, over) = word.overflowing_add(both);
        let (sum, over_carry) = sum.overflowing_add(u64::from(carry));
        carry = over || over_carry;
        *word = sum | (*word & !mask);
    }
}

fn zeros(row: &[u64], columns: usize) -> usize {
    let zeros: u32 = row.iter().map(|word| word.count_zeros()).sum();
    let beyond = row.len() * 64 - columns;
    let last = row.last().map_or(0, |word| {
        let unused = if beyond == 0 {
            0
        } else {
            !word >> (64 - beyond)
        };
        unused.count_ones()
    });
    (zeros - last) as usize
}

/// Number of pairs that are equal names, or names that correspond: more often than with any other,
/// and more than once.
fn consistent_names(pairs: &mut [(u16, u16)]) -> usize {
    let total = pairs.len();
    let equal = pairs.iter().filter(|(a, b)| a == b).count();
    if equal == total {
        return equal;
    }
    let mut left: Vec<u16> = pairs.iter().map(|pair| pair.0).collect();
    let mut right: Vec<u16> = pairs.iter().map(|pair| pair.1).collect();
    left.sort_unstable();
    right.sort_unstable();
    let count = |names: &[u16], name: u16| {
        names.partition_point(|&n| n <= name) - names.partition_point(|&n| n < name)
    };
    pairs.sort_unstable();
    let renamed: usize = pairs
        .chunk_by(|a, b| a == b)
        .filter(|group| {
            let (a, b) = group[0];
            let most = group.len() * 2;
            a != b && most > 2 && most > count(&left, a) && most > count(&right, b)
        })
        .map(<[(u16, u16)]>::len)
        .sum();
    equal + renamed
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn table(a: &[u16], b: &[u16]) -> usize {
        let mut row = vec![0; b.len() + 1];
        for x in a {
            let mut diagonal = 0;
            for (j, y) in b.iter().enumerate() {
                let above = row[j + 1];
                row[j + 1] = if form(*x) == form(*y) {
                    diagonal + 1
                } else {
                    above.max(row[j])
                };
                diagonal = above;
            }
        }
        row[b.len()]
    }

    proptest! {
        #[test]
        fn bit_lcs_agrees_with_table(
            a in prop::collection::vec(0u16..6, 0..200),
            b in prop::collection::vec(0u16..6, 0..200),
        ) {
            let mut scratch = Scratch::default();
            scratch.set_pattern(&[1, 2, 3]);
            scratch.set_pattern(&a);
            prop_assert_eq!(scratch.common(&b), table(&a, &b));
            // Without names, every common token is consistent.
            prop_assert_eq!(scratch.consistent(&b), table(&a, &b));
        }
    }

    #[test]
    fn names_match_if_consistently_renamed() {
        let name = |n: u16| CONTENT_NAME | n;
        let a = [name(1), 7, name(1), name(2), 7, name(3)];
        let same = [name(1), 7, name(1), name(2), 7, name(3)];
        let renamed = [name(5), 7, name(5), name(2), 7, name(3)];
        let mixed = [name(5), 7, name(6), name(2), 7, name(3)];
        let mut scratch = Scratch::default();
        scratch.set_pattern(&a);
        assert_eq!(scratch.consistent(&same), 6);
        assert_eq!(scratch.consistent(&renamed), 6);
        assert_eq!(scratch.consistent(&mixed), 4);
        assert_eq!(scratch.common(&mixed), 6);
    }
}
