//! Answers of a model: scores in range, issues in lines that exist.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use slope_model::assessment::{Issue, ScoreName, Scores};

use crate::bundle::Item;
use crate::rubric::Rubric;

/// Longest message of an issue.
const MAX_MESSAGE: usize = 300;
/// Most issues of one answer.
const MAX_ISSUES: usize = 50;

/// An answer that was checked.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Answer {
    /// One answer for each file of the request.
    pub(crate) files: Vec<FileAnswer>,
    /// Issues without a place, or of no criterion.
    pub(crate) dropped: u32,
}

/// The answer about one file. It has no path, so it also applies to the same code elsewhere.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct FileAnswer {
    pub(crate) scores: Scores,
    pub(crate) issues: Vec<Found>,
}

/// An issue in a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Found {
    pub(crate) criterion: String,
    pub(crate) start_line: u32,
    pub(crate) end_line: u32,
    pub(crate) message: String,
}

impl FileAnswer {
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

    /// The issues with their path and score.
    pub(crate) fn issues(&self, path: &str, rubric: &Rubric) -> Vec<Issue> {
        let issues = self.issues.iter().filter_map(|found| {
            Some(Issue {
                score: rubric.criterion(&found.criterion)?.score,
                id: found.criterion.clone(),
                path: path.to_owned(),
                start_line: found.start_line,
                end_line: found.end_line,
                message: found.message.clone(),
                weight: None,
                carried: None,
            })
        });
        issues.collect()
    }
}

#[derive(Deserialize)]
struct Said {
    #[serde(default)]
    files: Vec<SaidFile>,
    /// Scores of all files that have none of their own.
    scores: Option<SaidScores>,
    #[serde(default)]
    issues: Vec<Value>,
}

#[derive(Deserialize)]
struct SaidFile {
    file: String,
    scores: SaidScores,
}

#[derive(Deserialize, Clone, Copy)]
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

/// Reads an answer about files. The error says what is wrong with it, in words for the model.
pub(crate) fn read(text: &str, items: &[&Item], rubric: &Rubric) -> Result<Answer, String> {
    let json = object(text).ok_or("it has no JSON object")?;
    let said: Said =
        serde_json::from_str(json).map_err(|error| format!("its JSON cannot be used: {error}"))?;
    let scores = |at: usize| {
        let own = said.files.iter();
        let own = own.filter(|it| number(&it.file, items.len()) == Some(at));
        let own = own.map(|it| it.scores).next();
        own.or(said.scores)
            .ok_or_else(|| format!("it has no scores of F{}", at + 1))?
            .checked()
    };
    let mut files = Vec::new();
    for at in 0..items.len() {
        let scores = scores(at)?;
        files.push(FileAnswer {
            scores,
            issues: Vec::new(),
        });
    }
    let mut dropped =
        u32::try_from(said.issues.len().saturating_sub(MAX_ISSUES)).unwrap_or(u32::MAX);
    for issue in said.issues.into_iter().take(MAX_ISSUES) {
        let issue = serde_json::from_value(issue).ok();
        match issue.and_then(|issue| placed(issue, items, rubric)) {
            Some((at, issue)) if !files[at].issues.contains(&issue) => files[at].issues.push(issue),
            Some(_) => {}
            None => dropped += 1,
        }
    }
    Ok(Answer { files, dropped })
}

impl SaidScores {
    fn checked(self) -> Result<Scores, String> {
        let values = [self.verbosity, self.erosion, self.extensibility];
        if values.iter().any(|value| !(0.0..=10.0).contains(value)) {
            return Err("a score is not between 0 and 10".to_owned());
        }
        let [verbosity, erosion, extensibility] = values.map(Some);
        Ok(Scores {
            verbosity,
            erosion,
            extensibility,
        })
    }
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

/// The place of a file in its request by its name, `F1`.
fn number(name: &str, files: usize) -> Option<usize> {
    let number: usize = name.trim().strip_prefix('F')?.parse().ok()?;
    let at = number.checked_sub(1)?;
    (at < files).then_some(at)
}

/// The issue and its file; `None` if its file, lines or criterion do not exist, or it says nothing.
fn placed(said: SaidIssue, items: &[&Item], rubric: &Rubric) -> Option<(usize, Found)> {
    let at = number(&said.file, items.len())?;
    let criterion = rubric.criterion(&said.criterion)?;
    let lines = u32::try_from(items[at].lines()).ok()?;
    let is_there =
        1 <= said.start_line && said.start_line <= said.end_line && said.end_line <= lines;
    let message = said.message.trim();
    if !is_there || message.is_empty() {
        return None;
    }
    let (first, last) = (said.start_line as usize, said.end_line as usize);
    let mut lines = items[at].written.lines().take(last).skip(first - 1);
    if lines.all(|line| line.trim().is_empty()) {
        return None;
    }
    let found = Found {
        criterion: criterion.id.clone(),
        start_line: said.start_line,
        end_line: said.end_line,
        message: message[..message.floor_char_boundary(MAX_MESSAGE)].to_owned(),
    };
    Some((at, found))
}

#[cfg(test)]
mod tests {
    use super::{Answer, read};
    use crate::bundle::Item;
    use crate::rubric::Rubric;

    fn read_it(text: &str) -> Result<Answer, String> {
        let item = Item::new("a/b.py", b"def f():\n\n    return 1\n");
        read(text, &[&item], &Rubric::own())
    }

    const GOOD: &str = r#"{"files": [{"file": "F1", "scores": {"verbosity": 7, "erosion": 6.5, "extensibility": 0}}], "issues": [
        {"criterion": "noise", "file": "F1", "start_line": 1, "end_line": 3, "message": "why"}]}"#;

    #[test]
    fn answers_in_prose_are_found() {
        let fenced = format!("Here {{is}} it:\n```json\n{GOOD}\n```\nDone.");
        for text in [GOOD, &fenced] {
            let answer = read_it(text).unwrap();
            assert_eq!(answer.files[0].scores.erosion, Some(6.5));
            let issues = answer.files[0].issues("a/b.py", &Rubric::own());
            assert_eq!((issues[0].path.as_str(), answer.dropped), ("a/b.py", 0));
        }
    }

    #[test]
    fn each_file_needs_scores() {
        let item = Item::new("a.py", b"x = 1\n");
        let both = [&item, &item];
        let error = read(GOOD, &both, &Rubric::own()).unwrap_err();
        assert!(error.contains("no scores of F2"), "{error}");
        let shared = r#"{"scores": {"verbosity": 1, "erosion": 2, "extensibility": 3}}"#;
        let answer = read(shared, &both, &Rubric::own()).unwrap();
        assert_eq!(answer.files[1].scores.erosion, Some(2.0));
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
        let named = |file: &str| format!("\"noise\", \"file\": \"{file}\"");
        for bad in [
            (named("F1"), named("F2")),
            (named("F1"), named("a/b.py")),
            ("\"end_line\": 3".into(), "\"end_line\": 4".into()),
            ("\"start_line\": 1".into(), "\"start_line\": 0".into()),
            (
                "\"start_line\": 1, \"end_line\": 3".into(),
                "\"start_line\": 2, \"end_line\": 2".into(),
            ),
            ("\"start_line\": 1".into(), "\"start_line\": -1".into()),
            (
                "\"start_line\": 1, \"end_line\": 3".into(),
                "\"start_line\": 0, \"end_line\": 4294967295".into(),
            ),
            ("noise".into(), "taste".into()),
            ("why".into(), " ".into()),
        ] {
            let answer = read_it(&GOOD.replace(&bad.0, &bad.1)).unwrap();
            assert_eq!(
                (answer.files[0].issues.len(), answer.dropped),
                (0, 1),
                "{bad:?}"
            );
        }
    }
}
