//! The output of `python -m unittest -v`.

use slope_grade::{Case, Report};
use slope_model::grade::TestOutcome;

use super::case;

/// The tests of the output. The number at its end must be theirs.
pub(super) fn read(text: &str) -> Report {
    let mut cases: Vec<Case> = Vec::new();
    let mut open: Option<String> = None;
    let mut ran: Option<usize> = None;
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("Ran ") {
            let number = rest
                .split(' ')
                .next()
                .and_then(|number| number.parse().ok());
            ran = number.or(ran);
            open = None;
            continue;
        }
        let (name, result) = match line.rsplit_once(" ... ") {
            Some((name, result)) => (name, Some(result)),
            None => (line, None),
        };
        if is_test(name) {
            // A first test that never ended.
            cases.extend(open.take().map(|id| case(id, TestOutcome::Error)));
            open = Some(id_of(name));
        }
        let outcome = result.and_then(outcome);
        if let (Some(outcome), Some(id)) = (outcome, open.as_ref()) {
            cases.push(case(id.clone(), outcome));
            open = None;
        }
    }
    cases.extend(open.map(|id| case(id, TestOutcome::Error)));
    match ran {
        None => Report::Missing,
        Some(ran) if ran != cases.len() => Report::Unreadable(format!(
            "it has {} tests, and its last line says {ran}",
            cases.len()
        )),
        Some(_) => Report::Cases(cases),
    }
}

fn outcome(word: &str) -> Option<TestOutcome> {
    match word.trim_end() {
        "ok" | "expected failure" => Some(TestOutcome::Passed),
        "FAIL" | "unexpected success" => Some(TestOutcome::Failed),
        "ERROR" => Some(TestOutcome::Error),
        word if word.starts_with("skipped") => Some(TestOutcome::Skipped),
        _ => None,
    }
}

/// Whether a text is `name (class)`.
fn is_test(text: &str) -> bool {
    let parts = text
        .strip_suffix(')')
        .and_then(|text| text.split_once(" ("));
    let is_word = |text: &str| !text.is_empty() && !text.contains([' ', '(']);
    parts.is_some_and(|(name, class)| is_word(name) && is_word(class) && class.contains('.'))
}

/// `module.Class.name`.
fn id_of(text: &str) -> String {
    let (name, class) = text
        .trim_end_matches(')')
        .split_once(" (")
        .unwrap_or((text, ""));
    // Since Python 3.11, the class comes with the name.
    if class.rsplit('.').next() == Some(name) {
        class.to_owned()
    } else {
        format!("{class}.{name}")
    }
}

#[cfg(test)]
mod tests {
    use super::read;
    use slope_grade::Report;
    use slope_model::grade::TestOutcome::{Failed, Passed, Skipped};

    #[test]
    fn tests_with_and_without_descriptions_are_read() {
        let text = "test_a (tests.test_x.T.test_a) ... ok\n\
            test_b (tests.test_x.T.test_b)\nAdds two numbers. ... FAIL\n\
            test_c (tests.test_x.T) ... skipped 'later'\n\
            ======\nFAIL: test_b (tests.test_x.T.test_b)\n---\nRan 3 tests in 0.001s\n\nFAILED (failures=1)\n";
        let Report::Cases(cases) = read(text) else {
            panic!("{:?}", read(text));
        };
        let found: Vec<_> = cases
            .iter()
            .map(|case| (case.id.as_str(), case.outcome))
            .collect();
        assert_eq!(
            found,
            [
                ("tests.test_x.T.test_a", Passed),
                ("tests.test_x.T.test_b", Failed),
                ("tests.test_x.T.test_c", Skipped),
            ]
        );
    }

    #[test]
    fn wrong_count_is_refused() {
        assert_eq!(read("test_a (m.T.test_a) ... ok\n"), Report::Missing);
        let more = read("test_a (m.T.test_a) ... ok\nRan 2 tests in 0s\n");
        assert!(matches!(more, Report::Unreadable(_)));
    }
}
