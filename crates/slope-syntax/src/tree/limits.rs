//! Limits of a file, and why it has no tree.

/// Limits of a file before it is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Maximum size of a file in bytes.
    pub max_bytes: usize,
    /// Deepest tree, in nodes from root to leaf.
    pub max_depth: u32,
}

impl Default for Limits {
    /// 4 MiB, and 5,000 levels: more than the interpreters themselves accept.
    ///
    /// Measuring takes, at its peak, about 30 bytes of memory for each byte of ordinary
    /// code and 250 where nearly every byte is a token, most of it the grammar
    /// library's: 0.13 to 1.0 GB for a file of this size.
    fn default() -> Self {
        Self {
            max_bytes: 4 << 20,
            max_depth: 5_000,
        }
    }
}

/// Reason that a file has no tree.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// The file is above the size limit.
    #[error("larger than the limit of {limit} bytes")]
    TooLarge {
        /// The limit.
        limit: usize,
    },
    /// The text contains a NUL byte, which source files must not have.
    #[error("not a text file: NUL byte in line {line}")]
    NulByte {
        /// Line of the first NUL byte, from 1.
        line: usize,
    },
    /// The tree is above the depth limit.
    #[error("nested deeper than the limit of {limit} levels")]
    TooDeep {
        /// The limit.
        limit: u32,
    },
    /// The code in a file with other text cannot be taken out.
    #[error("{reason}")]
    NoCode {
        /// The reason, in words.
        reason: String,
    },
    /// The parser gave up, because the text is so different from the language that recovery costs
    /// too much.
    #[error("the parser gave up after too many steps: the text is far from valid {language}")]
    TooCostly {
        /// Language id.
        language: &'static str,
    },
}

/// Maximum number of progress reports of the parser (one per hundred steps) for a file of this
/// size. Ordinary files need up to two steps per byte, and only endless error recovery needs the twenty of this.
/// Counting steps instead of time gives the same answer on every machine.
pub(super) fn step_budget(bytes: usize) -> usize {
    10_000 + bytes / 5
}
