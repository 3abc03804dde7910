//! Last use of each name of a file.

use std::hash::{BuildHasher, RandomState};

/// Slots of the smallest table; a power of two.
const SMALLEST: usize = 256;

/// For each name, by the hash of its text, the token after the last that was it.
#[derive(Default)]
pub(crate) struct Names {
    slots: Vec<(u64, u32)>,
    used: usize,
    /// Odd and secret, so that no file can be crafted whose names all collide.
    secret: u64,
}

impl Names {
    /// Forgets all names.
    pub(crate) fn clear(&mut self) {
        self.slots.truncate(SMALLEST);
        self.slots.fill((0, 0));
        self.used = 0;
    }

    /// Stores a token. Returns the previous one; 0 for a new name.
    pub(crate) fn replace(&mut self, hash: u64, after: u32) -> u32 {
        if self.used * 2 >= self.slots.len() {
            self.grow();
        }
        let slot = find(&mut self.slots, hash, self.secret);
        self.used += usize::from(slot.1 == 0);
        slot.0 = hash;
        std::mem::replace(&mut slot.1, after)
    }

    fn grow(&mut self) {
        if self.slots.is_empty() {
            self.secret = RandomState::new().hash_one(0u8) | 1;
        }
        let mut wider = vec![(0, 0); (self.slots.len() * 4).max(SMALLEST)];
        for &slot in self.slots.iter().filter(|slot| slot.1 != 0) {
            *find(&mut wider, slot.0, self.secret) = slot;
        }
        self.slots = wider;
    }
}

/// The slot of a hash, or the empty one for it.
fn find(slots: &mut [(u64, u32)], hash: u64, secret: u64) -> &mut (u64, u32) {
    let mask = slots.len() - 1;
    let mut at = (hash.wrapping_mul(secret) >> 32) as usize & mask;
    while slots[at].1 != 0 && slots[at].0 != hash {
        at = (at + 1) & mask;
    }
    &mut slots[at]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_map_to_their_last_position() {
        let mut names = Names::default();
        for round in 0..3u32 {
            for name in 0..1000u32 {
                let before = names.replace(u64::from(name) << 40, round * 1000 + name + 1);
                let expected = round
                    .checked_sub(1)
                    .map_or(0, |last| last * 1000 + name + 1);
                assert_eq!(before, expected);
            }
        }
        names.clear();
        assert_eq!(names.replace(7 << 40, 1), 0);
    }
}
