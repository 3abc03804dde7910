//! Words that messages share.

use std::fmt::Display;

/// A number with its noun: `1 file`, `2 files`, `2 classes`.
pub fn plural<N: Display + PartialEq + From<u8>>(n: N, noun: &str) -> String {
    match noun.strip_suffix("ss") {
        _ if n == N::from(1) => format!("1 {noun}"),
        Some(_) => format!("{n} {noun}es"),
        None => format!("{n} {noun}s"),
    }
}
