//! Human code that pages compare with.

/// Human code bases in some languages, as far as charts need them.
#[derive(Debug, Clone, PartialEq)]
pub struct HumanPanel {
    /// Name of the set, by which values of points are named.
    pub name: String,
    /// The languages.
    pub languages: String,
    /// Number of code bases.
    pub count: usize,
    /// Erosion.
    pub erosion: HumanRange,
    /// Verbosity.
    pub verbosity: HumanRange,
}

/// Where most human code bases are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HumanRange {
    /// One of ten is lower.
    pub low: f64,
    /// Half of them are lower.
    pub median: f64,
    /// Nine of ten are lower.
    pub high: f64,
}

/// The rank of a measure of a point among human code bases.
#[derive(Debug, Clone, PartialEq)]
pub struct HumanRank {
    /// The languages of the code.
    pub languages: String,
    /// Title of the measure.
    pub title: &'static str,
    /// The score that it is part of.
    pub score: &'static str,
    /// The value.
    pub value: f64,
    /// Where most human code bases are.
    pub range: HumanRange,
    /// Human code bases with a higher value.
    pub worse: usize,
    /// All of them.
    pub count: usize,
    /// Digits after the point.
    pub digits: usize,
}
