//! Results of earlier comparisons of constructs.
//!
//! The similarity of two constructs depends on their tokens alone, so in a tree with few changes
//! most results are known. Apart from the search for candidates, the comparisons are most of the
//! near misses' cost.

use std::sync::{Mutex, MutexGuard, PoisonError};

use xxhash_rust::xxh3::xxh3_128;

use crate::kept::Kept;

/// Size of a stored result in bytes.
const RECORD: usize = 16 + 2;

/// Marks two constructs that are not similar enough.
const UNLIKE: u16 = u16::MAX;

/// Maximum number of results stored for the next run.
const MAX_NOTED: usize = 1 << 20;

/// Results about pairs of constructs, and additions of a run.
///
/// Bytes of [`Memo::to_bytes`] are valid only for the same version of this crate. The caller must
/// ensure that, and that they are unchanged.
#[derive(Debug, Default)]
pub struct Memo {
    /// Answers by pair, ascending.
    known: Vec<(u128, u16)>,
    /// Answers that this run needed.
    noted: Mutex<Vec<(u128, u16)>>,
    /// Data of the last complete run.
    kept: Option<Kept>,
    /// Data of this run, once it has ended.
    new: Mutex<Option<Kept>>,
}

/// The hash of a construct's tokens.
pub(crate) fn hash_of(tokens: &[u16], bytes: &mut Vec<u8>) -> u128 {
    bytes.clear();
    bytes.extend(tokens.iter().flat_map(|code| code.to_le_bytes()));
    xxh3_128(bytes)
}

impl Memo {
    /// Decodes a memo; empty if the bytes are not valid [`Memo::to_bytes`].
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Self {
        let Some((bytes, kept)) = parts(bytes) else {
            return Self::default();
        };
        let record = |record: &[u8]| -> Option<(u128, u16)> {
            let (pair, answer) = record.split_first_chunk()?;
            let answer = u16::from_le_bytes(answer.try_into().ok()?);
            Some((u128::from_le_bytes(*pair), answer))
        };
        let known: Option<Vec<_>> = bytes.chunks(RECORD).map(record).collect();
        let mut known = known.unwrap_or_default();
        if !known.is_sorted() {
            known.clear();
        }
        Self {
            known,
            kept: Kept::read(kept),
            ..Self::default()
        }
    }

    /// The finished run's memo for the next one, as bytes; `None` if nearly all of it was known.
    #[must_use]
    pub fn to_bytes(&self) -> Option<Vec<u8>> {
        let new = self.new.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = new.as_ref()?;
        let mut noted = self.noted();
        noted.sort_unstable();
        noted.dedup();
        let answers = noted.len() * RECORD;
        let mut bytes = Vec::with_capacity(8 + answers + kept.postings.len() * 12);
        bytes.extend((answers as u64).to_le_bytes());
        for (pair, answer) in &*noted {
            bytes.extend(pair.to_le_bytes());
            bytes.extend(answer.to_le_bytes());
        }
        kept.write(&mut bytes);
        Some(bytes)
    }

    /// Data of the last complete run.
    pub(crate) fn kept(&self) -> Option<&Kept> {
        self.kept.as_ref()
    }

    /// Stores the data of this run, which is complete.
    pub(crate) fn keep(&self, kept: Kept) {
        *self.new.lock().unwrap_or_else(PoisonError::into_inner) = Some(kept);
    }

    fn noted(&self) -> MutexGuard<'_, Vec<(u128, u16)>> {
        self.noted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The bytes of answers, and those of the last run.
fn parts(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk()?;
    rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)
}

/// Lookups of the results about one construct and others.
pub(crate) struct Asking<'m> {
    memo: Option<&'m Memo>,
    answers: Vec<(u128, u16)>,
}

impl<'m> Asking<'m> {
    pub(crate) fn new(memo: Option<&'m Memo>) -> Self {
        Self {
            memo,
            answers: Vec::new(),
        }
    }

    /// The similarity of two constructs, by their hashes: the known one, else the result of
    /// `compare`.
    pub(crate) fn similarity(
        &mut self,
        a: u128,
        b: u128,
        compare: impl FnOnce() -> Option<u16>,
    ) -> Option<u16> {
        let Some(memo) = self.memo else {
            return compare();
        };
        let mut both = [0; 32];
        both[..16].copy_from_slice(&a.to_le_bytes());
        both[16..].copy_from_slice(&b.to_le_bytes());
        let pair = xxh3_128(&both);
        let known = memo.known.binary_search_by_key(&pair, |known| known.0);
        let answer = if let Ok(at) = known {
            memo.known[at].1
        } else {
            compare().unwrap_or(UNLIKE)
        };
        self.answers.push((pair, answer));
        (answer != UNLIKE).then_some(answer)
    }
}

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        let Some(memo) = self.memo.filter(|_| !self.answers.is_empty()) else {
            return;
        };
        let mut noted = memo.noted();
        if noted.len() < MAX_NOTED {
            noted.append(&mut self.answers);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(memo: &Memo, a: u128, b: u128, answer: Option<u16>) -> (Option<u16>, bool) {
        let mut asked = false;
        let found = Asking::new(Some(memo)).similarity(a, b, || {
            asked = true;
            answer
        });
        (found, asked)
    }

    #[test]
    fn each_pair_is_compared_once() {
        let memo = Memo::default();
        assert_eq!(ask(&memo, 1, 2, Some(800)), (Some(800), true));
        assert_eq!(ask(&memo, 1, 3, None), (None, true));
        assert_eq!(memo.to_bytes(), None);
        memo.keep(Kept::default());
        let bytes = memo.to_bytes().unwrap();
        let memo = Memo::from_bytes(&bytes);
        assert_eq!(ask(&memo, 1, 2, Some(1)), (Some(800), false));
        assert_eq!(ask(&memo, 1, 3, Some(1)), (None, false));
        assert_eq!(ask(&memo, 2, 1, Some(900)), (Some(900), true));
        assert_eq!(memo.kept(), Some(&Kept::default()));
    }

    #[test]
    fn invalid_memo_bytes_give_empty_memo() {
        let memo = Memo::default();
        memo.keep(Kept::default());
        let bytes = memo.to_bytes().unwrap();
        for bytes in [&[][..], &[1; 50], &bytes[..bytes.len() - 1]] {
            let memo = Memo::from_bytes(bytes);
            assert!(memo.known.is_empty());
            assert_eq!(memo.kept(), None);
        }
    }
}
