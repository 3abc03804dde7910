//! Random number generator of all resampling.

/// SplitMix64 (Steele, Lea and Flood 2014): the state grows by the golden ratio's
/// 0x9E3779B97F4A7C15, and is mixed by two multiplications. Its outputs are the same on every
/// machine and in every version, so results for a seed are reproducible.
#[derive(Debug, Clone)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// A generator whose state is `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number from 0 to 1, below 1: the upper 53 bits as a fraction.
    pub fn fraction(&mut self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "53 bits fit exactly")]
        let bits = (self.next_u64() >> 11) as f64;
        bits * 2f64.powi(-53)
    }

    /// An index below `n`: ⌊u·n⌋ with u the upper 53 bits as a fraction; 0 where `n` is 0.
    pub fn index(&mut self, n: usize) -> usize {
        let fraction = self.fraction();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "below n and not negative"
        )]
        let index = (fraction * crate::float(n)) as usize;
        index.min(n.saturating_sub(1))
    }
}
