//! The summary of `pytest -rA`.

use slope_grade::Report;
use slope_model::grade::TestOutcome;

use super::case;

const TITLE: &str = "short test summary info";

/// Words of its lines, and what the last line calls them.
const WORDS: [(&str, &str, TestOutcome); 5] = [
    ("PASSED ", "passed", TestOutcome::Passed),
    ("FAILED ", "failed", TestOutcome::Failed),
    ("ERROR ", "error", TestOutcome::Error),
    ("XFAIL ", "xfailed", TestOutcome::Passed),
    ("XPASS ", "xpassed", TestOutcome::Passed),
];

/// The tests in the last summary. What tests print comes before it. The counts in its last line must be theirs.
pub(super) fn read(text: &str) -> Report {
    let Some(at) = text.rfind(TITLE) else {
        return Report::Missing;
    };
    let summary = &text[at..];
    let mut cases = Vec::new();
    let mut found = [0_usize; WORDS.len()];
    for line in summary.lines() {
        let of_word = WORDS.iter().position(|(word, _, _)| line.starts_with(word));
        match of_word {
            Some(index) => {
                let (word, _, outcome) = WORDS[index];
                // A message follows the id.
                let id = line[word.len()..].split(" - ").next().unwrap_or_default();
                cases.push(case(id.trim_end(), outcome));
                found[index] += 1;
            }
            // A failed part of a test counts as a failure, and its test has a line too.
            None => found[1] += usize::from(line.starts_with("SUBFAILED")),
        }
    }
    let Some(counted) = summary.lines().rev().find_map(counts) else {
        return Report::Unreadable(
            "its last line with the counts is missing: run pytest without -qq".to_owned(),
        );
    };
    let differs = (0..WORDS.len()).find(|index| found[*index] != counted[*index]);
    match differs {
        Some(index) => Report::Unreadable(format!(
            "it has {} lines of {}tests, and its last line says {} {}",
            found[index], WORDS[index].0, counted[index], WORDS[index].1
        )),
        None => Report::Cases(cases),
    }
}

/// Tests by word in a line such as `= 1 failed, 2 passed, 1 warning in 0.02s =`.
fn counts(line: &str) -> Option<[usize; WORDS.len()]> {
    let (counts, time) = line.trim_matches(['=', ' ']).rsplit_once(" in ")?;
    time.contains('s').then_some(())?;
    let mut found = [0; WORDS.len()];
    for part in counts.split(", ") {
        if part == "no tests ran" {
            continue;
        }
        let (number, word) = part.split_once(' ')?;
        let number: usize = number.parse().ok()?;
        let is_word = |known: &str| word == known || (known == "error" && word == "errors");
        if let Some(index) = WORDS.iter().position(|(_, known, _)| is_word(known)) {
            found[index] = number;
        }
    }
    Some(found)
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

    #[test]
    fn counts_must_fit_the_lines() {
        let head = "=== short test summary info ===\n";
        for good in [
            "PASSED a::b\nERROR a::b - E\n= 1 passed, 1 error in 0.02s =\n",
            "FAILED a::b - no\nSUBFAILED[y] a::b - no\n2 failed, 1 subtests passed in 61.00s (0:01:01)\n",
            "XFAIL a::b\nXPASS a::c\n= 1 skipped, 1 xfailed, 1 xpassed, 3 warnings, 9 deselected in 1s =\n",
        ] {
            let text = format!("{head}{good}");
            assert!(matches!(read(&text), Report::Cases(_)), "{text}");
        }
        for bad in [
            "PASSED a::b\nPASSED a::forged\n= 1 passed in 0.02s =\n",
            "PASSED a::b\n= 1 failed, 1 passed in 0.02s =\n",
            "PASSED a::b\n",
        ] {
            let text = format!("{head}{bad}");
            assert!(matches!(read(&text), Report::Unreadable(_)), "{text}");
        }
    }
}
