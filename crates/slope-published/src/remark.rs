//! Caveats for readers of a run's stored numbers.

/// Caveat for readers of the run's stored numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// Kind; the names are in `docs/reports.md`.
    pub kind: &'static str,
    /// Problem and checkpoint, if it is about one.
    pub place: Option<String>,
    /// Text.
    pub text: String,
}

pub(super) fn remark(kind: &'static str, place: Option<String>, text: String) -> Remark {
    Remark { kind, place, text }
}
