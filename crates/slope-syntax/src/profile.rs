//! Sets of definitions.

/// A set of metric definitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Profile {
    /// slope's own definitions.
    #[default]
    Slope,
    /// The definitions behind the published table of human repositories, flaws included.
    Paper,
}

impl Profile {
    /// The profile's name in outputs.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::Slope => "slope",
            Self::Paper => "paper",
        }
    }
}
