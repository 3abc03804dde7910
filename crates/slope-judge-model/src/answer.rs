//! Answers of a model: scores in range, issues in lines that exist.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use slope_model::assessment::{Issue, ScoreName, Scores};

use crate::bundle::Group;
use crate::rubric::Rubric;

/// Longest message of an issue.
const MAX_MESSAGE: usize = 300;
/// Most issues of one answer.
const MAX_ISSUES: usize = 50;

/// An answer that was checked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Answer {
    pub(crate) scores: Scores,
    pub(crate) issues: Vec<Issue>,
    /// Issues without a place, or of no criterion.
    pub(crate) dropped: u32,
}

impl Answer {
    /// The answer without a secret.
    pub(crate) fn without(mut self, secret: Option<&str>) -> Self {
        if let Some(secret) = secret.filter(|secret| !secret.is_empty()) {
            for issue in &mut self.issues {
                issue.message = issue.message.replace(secret, "[redacted]");
            }
        }
        self
    }

    /// Whether it can be an answer that was checked.
    pub(crate) fn is_valid(&self) -> bool {
        let in_range = |name| {
            let score = self.scores.get(name);
            score.is_some_and(|score| (0.0..=10.0).contains(&score))
        };
        ScoreName::ALL.into_iter().all(in_range)
    }
}

#[derive(Deserialize)]
struct Said {
    scores: SaidScores,
    #[serde(default)]
    issues: Vec<Value>,
}

#[derive(Deserialize)]
struct SaidScores {
    verbosity: f64,
    erosion: f64,
    extensibility: f64,
}

#[derive(Deserialize)]
struct SaidIssue {
    criterion: String,
    file: String,
    start_line: u32,
    end_line: u32,
    message: String,
}

/// Reads an answer. The error says what is wrong with it, in words for the model.
pub(crate) fn read(text: &str, group: &Group, rubric: &Rubric) -> Result<Answer, String> {
    let json = object(text).ok_or("it has no JSON object")?;
    let said: Said =
        serde_json::from_str(json).map_err(|error| format!("its JSON cannot be used: {error}"))?;
    let values = [
        said.scores.verbosity,
        said.scores.erosion,
        said.scores.extensibility,
    ];
    if values.iter().any(|value| !(0.0..=10.0).contains(value)) {
        return Err("a score is not between 0 and 10".to_owned());
    }
    let [verbosity, erosion, extensibility] = values.map(Some);
    let mut dropped =
        u32::try_from(said.issues.len().saturating_sub(MAX_ISSUES)).unwrap_or(u32::MAX);
    let mut issues = Vec::new();
    for issue in said.issues.into_iter().take(MAX_ISSUES) {
        let issue = serde_json::from_value(issue).ok();
        match issue.and_then(|issue| placed(issue, group, rubric)) {
            Some(issue) if !issues.contains(&issue) => issues.push(issue),
            Some(_) => {}
            None => dropped += 1,
        }
    }
    Ok(Answer {
        scores: Scores {
            verbosity,
            erosion,
            extensibility,
        },
        issues,
        dropped,
    })
}

/// The first JSON object in a text: models surround it with prose and fences.
fn object(text: &str) -> Option<&str> {
    for (start, _) in text.match_indices('{') {
        let rest = &text[start..];
        let mut stream =
            serde_json::Deserializer::from_str(rest).into_iter::<serde::de::IgnoredAny>();
        if let Some(Ok(_)) = stream.next() {
            return Some(&rest[..stream.byte_offset()]);
        }
    }
    None
}

/// The issue with its path; `None` if its file, lines or criterion do not exist, or it says nothing.
fn placed(said: SaidIssue, group: &Group, rubric: &Rubric) -> Option<Issue> {
    let item = group.item(&said.file)?;
    let criterion = rubric.criterion(&said.criterion)?;
    let lines = u32::try_from(item.lines()).ok()?;
    let is_there =
        1 <= said.start_line && said.start_line <= said.end_line && said.end_line <= lines;
    let message = said.message.trim();
    if !is_there || message.is_empty() {
        return None;
    }
    let (first, last) = (said.start_line as usize, said.end_line as usize);
    let mut lines = item.written.lines().take(last).skip(first - 1);
    if lines.all(|line| line.trim().is_empty()) {
        return None;
    }
    Some(Issue {
        score: criterion.score,
        id: criterion.id.clone(),
        path: item.path.clone(),
        start_line: said.start_line,
        end_line: said.end_line,
        message: message[..message.floor_char_boundary(MAX_MESSAGE)].to_owned(),
        weight: None,
    })
}

#[cfg(test)]
mod tests {
    use super::{Answer, read};
    use crate::bundle::{Group, Item};
    use crate::rubric::Rubric;

    fn group() -> Group {
        let item = Item::new("a/b.py", b"def f():\n\n    return 1\n");
        Group { items: vec![item] }
    }

    fn read_it(text: &str) -> Result<Answer, String> {
        read(text, &group(), Rubric::own())
    }

    const GOOD: &str = r#"{"scores": {"verbosity": 7, "erosion": 6.5, "extensibility": 0}, "issues": [
        {"criterion": "noise", "file": "F1", "start_line": 1, "end_line": 3, "message": "why"}]}"#;

    #[test]
    fn answers_in_prose_are_found() {
        let fenced = format!("Here {{is}} it:\n```json\n{GOOD}\n```\nDone.");
        for text in [GOOD, &fenced] {
            let answer = read_it(text).unwrap();
            assert_eq!(answer.scores.erosion, Some(6.5));
            assert_eq!(
                (answer.issues[0].path.as_str(), answer.dropped),
                ("a/b.py", 0)
            );
        }
    }

    #[test]
    fn answers_that_cannot_be_used_say_why() {
        for (text, why) in [
            ("I cannot do this.", "no JSON object"),
            (r#"{"scores": {"verbosity": 7}}"#, "cannot be used"),
            (&GOOD.replace("6.5", "11"), "between 0 and 10"),
            (&GOOD.replace("6.5", "\"six\""), "cannot be used"),
            (&GOOD[..60], "no JSON object"),
        ] {
            let error = read_it(text).unwrap_err();
            assert!(error.contains(why), "{text}: {error}");
        }
    }

    #[test]
    fn issues_without_a_place_are_dropped() {
        for bad in [
            ("F1", "F2"),
            ("F1", "a/b.py"),
            ("\"end_line\": 3", "\"end_line\": 4"),
            ("\"start_line\": 1", "\"start_line\": 0"),
            (
                "\"start_line\": 1, \"end_line\": 3",
                "\"start_line\": 2, \"end_line\": 2",
            ),
            ("\"start_line\": 1", "\"start_line\": -1"),
            (
                "\"start_line\": 1, \"end_line\": 3",
                "\"start_line\": 0, \"end_line\": 4294967295",
            ),
            ("noise", "taste"),
            ("why", " "),
        ] {
            let answer = read_it(&GOOD.replace(bad.0, bad.1)).unwrap();
            assert_eq!((answer.issues.len(), answer.dropped), (0, 1), "{bad:?}");
        }
    }
}
