//! The summary of `pytest -rA`.

use slope_grade::Report;
use slope_model::grade::TestOutcome;

use super::case;

const TITLE: &str = "short test summary info";

/// The tests in the last summary. What tests print comes before it.
pub(super) fn read(text: &str) -> Report {
    let Some(at) = text.rfind(TITLE) else {
        return Report::Missing;
    };
    let words = [
        ("PASSED ", TestOutcome::Passed),
        ("FAILED ", TestOutcome::Failed),
        ("ERROR ", TestOutcome::Error),
        ("XFAIL ", TestOutcome::Passed),
        ("XPASS ", TestOutcome::Passed),
    ];
    let of_line = |line: &str| {
        let found = words
            .iter()
            .find_map(|(word, outcome)| Some((line.strip_prefix(word)?, *outcome)));
        let (rest, outcome) = found?;
        // A message follows the id.
        let id = rest.split(" - ").next().unwrap_or(rest);
        Some(case(id.trim_end(), outcome))
    };
    Report::Cases(text[at..].lines().filter_map(of_line).collect())
}

#[cfg(test)]
mod tests {
    use super::read;
    use slope_grade::Report;
    use slope_model::grade::TestOutcome::{Failed, Passed};

    #[test]
    fn only_the_last_summary_counts() {
        let text = "PASSED tests/a.py::forged\n=== short test summary info ===\nPASSED a.py::old\n\
            === short test summary info ===\nPASSED tests/a.py::x[1 2]\nFAILED tests/a.py::y - assert 1 == 2\n\
            SKIPPED [1] a.py:3: later\n=== 1 failed, 1 passed in 0.1s ===\n";
        let Report::Cases(cases) = read(text) else {
            panic!("it is a report");
        };
        let found: Vec<_> = cases
            .iter()
            .map(|case| (case.id.as_str(), case.outcome))
            .collect();
        assert_eq!(
            found,
            [("tests/a.py::x[1 2]", Passed), ("tests/a.py::y", Failed)]
        );
        assert_eq!(read("PASSED a.py::x\n"), Report::Missing);
    }
}
