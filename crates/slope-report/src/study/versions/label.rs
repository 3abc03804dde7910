//! The names of versions, and their order.

use slope_model::run::RunReport;

/// A version's name, ordered by the agent's numbers and then the harness's: 2.0.9 before 2.0.51,
/// 2.0.0-beta.1 before 2.0.0, unknown versions last.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Label {
    is_unknown: bool,
    agent: Place,
    harness: Place,
    pub(super) text: String,
}

impl Label {
    pub(super) fn of(report: &RunReport) -> Self {
        let config = &report.config;
        let imported = config.options.get("imported");
        let harness = match imported.and_then(serde_json::Value::as_str) {
            Some(harness) => harness.to_owned(),
            None => format!("slope {}", config.slope_version),
        };
        Self::new(&config.agent_version, &harness)
    }

    fn new(agent: &str, harness: &str) -> Self {
        let said = match agent {
            "" => "unknown version",
            version => version,
        };
        Self {
            is_unknown: agent.is_empty(),
            agent: Place::of(agent),
            harness: Place::of(harness),
            text: format!("{said} · {harness}"),
        }
    }
}

/// The place of a version among others.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    numbers: Vec<u64>,
    /// Whether it is the release of these numbers, not a pre-release.
    is_release: bool,
    /// Name and number of a pre-release.
    before: (String, Vec<u64>),
}

impl Place {
    /// The place of the first version in a text, which may have other words.
    fn of(text: &str) -> Self {
        let begin = text.find(|c: char| c.is_ascii_digit());
        let text = begin.map_or("", |begin| &text[begin..]);
        let end = text.find(|c: char| !c.is_ascii_digit() && c != '.');
        let (release, rest) = text.split_at(end.unwrap_or(text.len()));
        let rest = rest.split(|c: char| c.is_whitespace() || c == '+').next();
        let rest = rest.unwrap_or_default().trim_start_matches(['-', '_']);
        let is_release = !rest.starts_with(|c: char| c.is_alphanumeric());
        let word = rest.split(|c: char| !c.is_alphabetic()).next();
        let is_after = word == Some("post");
        Self {
            numbers: numbers(release),
            is_release: is_release || is_after,
            before: (word.unwrap_or_default().to_owned(), numbers(rest)),
        }
    }
}

fn numbers(text: &str) -> Vec<u64> {
    let all = text.split(|c: char| !c.is_ascii_digit());
    all.filter_map(|number| number.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agent_version_sorts_before_harness_version() {
        let in_order = [
            ("1.2", "slope 3.0.0"),
            ("1.2.1", "slope 2.0.0"),
            ("1.2.1", "slope 3.0.0-rc.1"),
            ("1.2.1", "slope 3.0.0"),
            ("2.0.0-alpha.2", "slope 3.0.0"),
            ("2.0.0-beta.1", "slope 3.0.0"),
            ("2.0.0-beta.11", "slope 3.0.0"),
            ("2.0.0", "slope 3.0.0"),
            ("2.0.0.post1", "slope 3.0.0"),
            ("v2.0.9 (built today)", "slope 3.0.0"),
            ("tool 2.0.51", "slope 3.0.0"),
            ("", "slope 1.0.0"),
            ("", "slope 3.0.0"),
        ];
        let labels = in_order.map(|(agent, harness)| Label::new(agent, harness));
        for pair in labels.windows(2) {
            assert!(pair[0] < pair[1], "{pair:?}");
        }
        assert_eq!(labels[11].text, "unknown version · slope 1.0.0");
    }
}
