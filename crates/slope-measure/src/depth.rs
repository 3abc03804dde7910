//! How much of a content is analysed.

/// Amount of analysis of a content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Depth {
    Whole,
    /// Facts that other files depend on.
    Outline,
}
