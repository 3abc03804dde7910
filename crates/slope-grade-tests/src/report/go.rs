//! The output of `go test -json`.

use std::collections::BTreeMap;

use serde::Deserialize;
use slope_grade::Report;
use slope_model::grade::TestOutcome;

use super::case;

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Event {
    action: String,
    #[serde(default)]
    package: String,
    test: Option<String>,
}

/// The tests of the output. A test that begins and does not end is an error, and so is a package that fails.
pub(super) fn read(text: &str) -> Report {
    let mut found: BTreeMap<String, TestOutcome> = BTreeMap::new();
    let mut is_found = false;
    for line in text.lines() {
        let Ok(event) = serde_json::from_str::<Event>(line) else {
            continue;
        };
        is_found = true;
        let outcome = match event.action.as_str() {
            "run" => TestOutcome::Error,
            "pass" => TestOutcome::Passed,
            "fail" => TestOutcome::Failed,
            "skip" => TestOutcome::Skipped,
            _ => continue,
        };
        match event.test {
            Some(test) => {
                let known = found
                    .entry(format!("{}.{test}", event.package))
                    .or_insert(outcome);
                // A test that failed once has failed.
                if *known != TestOutcome::Failed {
                    *known = outcome;
                }
            }
            None if outcome == TestOutcome::Failed => {
                found.insert(event.package, outcome);
            }
            None => {}
        }
    }
    if !is_found {
        return Report::Missing;
    }
    Report::Cases(
        found
            .into_iter()
            .map(|(id, outcome)| case(id, outcome))
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::read;
    use slope_grade::Report;
    use slope_model::grade::TestOutcome::{Error, Failed, Passed};

    #[test]
    fn tests_end_with_their_last_event() {
        let text = r#"{"Action":"start","Package":"p/q"}
{"Action":"run","Package":"p/q","Test":"TestA"}
{"Action":"output","Package":"p/q","Test":"TestA","Output":"{\"Action\":\"pass\"}\n"}
{"Action":"pass","Package":"p/q","Test":"TestA","Elapsed":0}
{"Action":"run","Package":"p/q","Test":"TestB"}
{"Action":"fail","Package":"p/q","Elapsed":0.1}
"#;
        let Report::Cases(cases) = read(text) else {
            panic!("it is a report");
        };
        let found: Vec<_> = cases
            .iter()
            .map(|case| (case.id.as_str(), case.outcome))
            .collect();
        assert_eq!(
            found,
            [("p/q", Failed), ("p/q.TestA", Passed), ("p/q.TestB", Error)]
        );
        assert_eq!(read("ok p/q 0.1s\n"), Report::Missing);
    }
}
