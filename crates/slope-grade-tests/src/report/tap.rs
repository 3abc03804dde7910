//! The Test Anything Protocol.

use slope_grade::{Case, Report};
use slope_model::grade::TestOutcome;

use super::case;

/// The tests of the output. The plan must name as many.
pub(super) fn read(text: &str) -> Report {
    let mut cases: Vec<Case> = Vec::new();
    let mut plan: Option<usize> = None;
    for line in text.lines() {
        if let Some(count) = line.strip_prefix("1..") {
            let count = count.split([' ', '#']).next().unwrap_or_default();
            plan = count.trim().parse().ok().or(plan);
        } else if line.starts_with("Bail out!") {
            return Report::Unreadable("the runner gave up".to_owned());
        } else if let Some(case) = test(line, cases.len() + 1) {
            cases.push(case);
        }
    }
    match plan {
        None if cases.is_empty() => Report::Missing,
        None => Report::Unreadable("it has no plan".to_owned()),
        Some(plan) if plan != cases.len() => Report::Unreadable(format!(
            "its plan has {plan} tests, and it has {}",
            cases.len()
        )),
        Some(_) => Report::Cases(cases),
    }
}

/// The test of a line: `ok 1 - name # SKIP reason`. One without a name has its number.
fn test(line: &str, number: usize) -> Option<Case> {
    let (is_ok, rest) = match (line.strip_prefix("ok"), line.strip_prefix("not ok")) {
        (Some(rest), _) => (true, rest),
        (_, Some(rest)) => (false, rest),
        _ => return None,
    };
    if !rest.is_empty() && !rest.starts_with(' ') {
        return None;
    }
    let (name, directive) = rest.split_once('#').unwrap_or((rest, ""));
    let name = name
        .trim_start()
        .trim_start_matches(|c: char| c.is_ascii_digit());
    let name = name.trim().trim_start_matches("- ").trim();
    let directive = directive.trim().to_ascii_lowercase();
    let outcome = if directive.starts_with("skip") {
        TestOutcome::Skipped
    } else if is_ok || directive.starts_with("todo") {
        TestOutcome::Passed
    } else {
        TestOutcome::Failed
    };
    let id = if name.is_empty() {
        number.to_string()
    } else {
        name.to_owned()
    };
    Some(case(id, outcome))
}

#[cfg(test)]
mod tests {
    use super::read;
    use slope_grade::Report;
    use slope_model::grade::TestOutcome::{Failed, Passed, Skipped};

    #[test]
    fn plan_must_fit_the_tests() {
        let good = "TAP version 13\n1..4\nok 1 - adds\nnot ok 2 - divides\n  ---\n  ...\nok 3 # SKIP later\nok\n";
        let Report::Cases(cases) = read(good) else {
            panic!("{:?}", read(good));
        };
        let found: Vec<_> = cases
            .iter()
            .map(|case| (case.id.as_str(), case.outcome))
            .collect();
        assert_eq!(
            found,
            [
                ("adds", Passed),
                ("divides", Failed),
                ("3", Skipped),
                ("4", Passed)
            ]
        );
        for bad in [
            "ok 1 - a\n",
            "1..2\nok 1 - a\n",
            "1..1\nok 1\nBail out! no\n",
        ] {
            assert!(matches!(read(bad), Report::Unreadable(_)), "{bad}");
        }
        assert_eq!(read("okay\n"), Report::Missing);
    }
}
