//! CPU time and memory of the programs under test, by case.

use std::collections::BTreeMap;

use slope_sandbox::ProgramNote;

/// What the programs of a case used.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct ProgramUsage {
    /// CPU seconds of all its programs together; `None` if that of one is not known.
    pub(super) cpu_s: Option<f64>,
    /// Largest memory of one of its programs, in bytes; `None` if that of one is not known.
    pub(super) peak_memory: Option<u64>,
}

/// Usage by case.
pub(super) type UsageByCase = BTreeMap<String, ProgramUsage>;

/// The usage in a session's notes. A case without a note has no entry, for example if its program was killed.
pub(super) fn by_case(notes: Vec<ProgramNote>) -> UsageByCase {
    let mut usage = UsageByCase::new();
    for note in notes {
        let Some(case) = note.case else { continue };
        let none_yet = ProgramUsage {
            cpu_s: Some(0.0),
            peak_memory: Some(0),
        };
        let sum = usage.entry(case).or_insert(none_yet);
        sum.cpu_s = sum.cpu_s.zip(note.cpu_s).map(|(a, b)| a + b);
        let peaks = sum.peak_memory.zip(note.peak_memory);
        sum.peak_memory = peaks.map(|(a, b)| a.max(b));
    }
    usage
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(case: Option<&str>, cpu_s: Option<f64>, peak_memory: Option<u64>) -> ProgramNote {
        ProgramNote {
            limits: Vec::new(),
            test: None,
            case: case.map(str::to_owned),
            cpu_s,
            peak_memory,
        }
    }

    #[test]
    fn usage_sums_time_takes_peak() {
        let usage = by_case(vec![
            note(Some("a"), Some(0.5), Some(10)),
            note(None, Some(9.0), Some(900)),
            note(Some("a"), Some(0.25), Some(30)),
            note(Some("b"), None, Some(5)),
            note(Some("b"), Some(1.0), Some(7)),
        ]);
        let expected = |cpu_s, peak_memory| ProgramUsage { cpu_s, peak_memory };
        assert_eq!(usage["a"], expected(Some(0.75), Some(30)));
        assert_eq!(usage["b"], expected(None, Some(7)));
        assert_eq!(usage.len(), 2);
    }
}
