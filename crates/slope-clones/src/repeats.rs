//! A filter for hashes that may occur more than once.
//!
//! Most hashes of a code base occur once, and are irrelevant for groups of equal ones. Two bits for
//! each of several times as many slots identify most of them without sorting: seen, and seen again.

/// Slots for each hash.
const ROOM: usize = 8;
/// Odd constant of good bit mixing (golden ratio).
const MIX: u64 = 0x9e37_79b9_7f4a_7c15;

/// A set that contains every hash with two or more occurrences, and some others.
pub(crate) struct Repeats {
    again: Vec<u64>,
    shift: u32,
}

impl Repeats {
    /// Builds the set from about `count` hashes.
    pub(crate) fn of(count: usize, hashes: impl Iterator<Item = u64>) -> Self {
        let slots = (count * ROOM).next_power_of_two().max(64);
        let shift = 64 - slots.trailing_zeros();
        let mut seen = vec![0u64; slots / 64];
        let mut again = vec![0u64; slots / 64];
        for hash in hashes {
            let (word, bit) = slot(hash, shift);
            again[word] |= seen[word] & bit;
            seen[word] |= bit;
        }
        Self { again, shift }
    }

    /// Whether a hash may occur more than once.
    #[inline]
    pub(crate) fn may(&self, hash: u64) -> bool {
        let (word, bit) = slot(hash, self.shift);
        self.again[word] & bit != 0
    }
}

#[inline]
fn slot(hash: u64, shift: u32) -> (usize, u64) {
    let slot = hash.wrapping_mul(MIX) >> shift;
    ((slot / 64) as usize, 1 << (slot % 64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_repeated_hash_is_kept(hashes in prop::collection::vec(0u64..200, 0..300)) {
            let repeats = Repeats::of(hashes.len(), hashes.iter().copied());
            for hash in &hashes {
                let count = hashes.iter().filter(|other| *other == hash).count();
                prop_assert!(count < 2 || repeats.may(*hash));
            }
        }
    }

    #[test]
    fn most_unique_hashes_are_dropped() {
        let repeats = Repeats::of(10_000, 0..10_000);
        let kept = (0..10_000).filter(|&hash| repeats.may(hash)).count();
        assert!(kept < 2_000, "{kept}");
    }
}
