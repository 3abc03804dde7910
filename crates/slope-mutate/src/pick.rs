//! Deterministic choices.

/// Chooses deterministically among candidates. The same seed gives the same choices.
#[derive(Debug, Clone, Copy)]
pub struct Pick(pub u64);

impl Pick {
    /// One element of a slice.
    #[must_use]
    pub fn one<'a, T>(&self, of: &'a [T]) -> Option<&'a T> {
        let at = self.number(0) % u64::try_from(of.len()).ok().filter(|&n| n > 0)?;
        of.get(usize::try_from(at).ok()?)
    }

    /// Items in random order.
    #[must_use]
    pub fn shuffled<'a, T>(&self, of: &'a [T]) -> Vec<&'a T> {
        let mut keyed: Vec<_> = (1..).zip(of).map(|(n, t)| (self.number(n), t)).collect();
        keyed.sort_by_key(|(key, _)| *key);
        keyed.into_iter().map(|(_, thing)| thing).collect()
    }

    /// `SplitMix64` at a place of its sequence.
    fn number(&self, at: u64) -> u64 {
        let mut z = self.0.wrapping_add(at.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }
}

/// The first bytes of an id as a number.
#[must_use]
pub fn seed(id: &[u8]) -> u64 {
    id.iter()
        .take(8)
        .fold(0, |sum, &byte| sum << 8 | u64::from(byte))
}
