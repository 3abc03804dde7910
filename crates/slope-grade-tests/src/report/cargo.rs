//! The output of `cargo test`.

use slope_grade::{Case, Report};
use slope_model::grade::TestOutcome;

use super::case;

/// The tests of the output. The counts of its results must be theirs.
pub(super) fn read(text: &str) -> Report {
    let mut cases: Vec<Case> = Vec::new();
    let (mut is_found, mut counted) = (false, 0);
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("test result: ") {
            is_found = true;
            counted += counts(rest);
            continue;
        }
        let parts = line
            .strip_prefix("test ")
            .and_then(|rest| rest.rsplit_once(" ... "));
        let Some((id, word)) = parts else { continue };
        let outcome = match word.trim_end() {
            "ok" => TestOutcome::Passed,
            "FAILED" => TestOutcome::Failed,
            word if word.starts_with("ignored") => TestOutcome::Skipped,
            _ => continue,
        };
        let id = id.trim_end_matches(" - should panic");
        cases.push(case(id, outcome));
    }
    match is_found {
        false => Report::Missing,
        true if counted != cases.len() => Report::Unreadable(format!(
            "it has {} tests, and its results say {counted}",
            cases.len()
        )),
        true => Report::Cases(cases),
    }
}

/// Tests in `ok. 3 passed; 0 failed; 1 ignored; 0 measured; 2 filtered out`.
fn counts(result: &str) -> usize {
    let count = |word: &str| {
        let before = result.split_once(&format!(" {word}"))?.0;
        before.rsplit([' ', '.']).next()?.parse::<usize>().ok()
    };
    let words = ["passed", "failed", "ignored"];
    words.into_iter().filter_map(count).sum()
}

#[cfg(test)]
mod tests {
    use super::read;
    use slope_grade::Report;

    #[test]
    fn results_must_fit_the_tests() {
        let good = "running 3 tests\ntest a::b ... ok\ntest c ... FAILED\ntest d - should panic ... ok\n\
            test result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n";
        let Report::Cases(cases) = read(good) else {
            panic!("{:?}", read(good));
        };
        assert_eq!(cases.len(), 3);
        let forged = good.replace("test c ... FAILED\n", "test c ... ok\ntest x ... ok\n");
        assert!(matches!(read(&forged), Report::Unreadable(_)));
        assert_eq!(read("test a ... ok\n"), Report::Missing);
    }
}
