//! What a judge says of a point besides its scores.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{LONGEST_PLACE, LONGEST_TEXT, MOST_PLACES, is_zero};
use crate::assessment::{Assessment, Issue, LanguageScores, ScoreRange, Unjudged};
use crate::calibration::CalibrationNote;

/// Issues of one judge that `slope track add` keeps.
const KEPT_ISSUES: usize = 40;
/// Files without a judgement that it keeps.
const KEPT_FILES: usize = 20;
/// Characters of a text that it keeps.
const KEPT_TEXT: usize = 400;

/// What a judge says besides its scores.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JudgeDetails {
    /// Issues, those with the largest effect first. Their lines were checked in the measured files.
    #[serde(default)]
    #[schemars(length(max = MOST_PLACES))]
    pub issues: Vec<Issue>,
    /// Number of issues beyond those listed.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub more_issues: u64,
    /// Issues that name no lines of the measured files, and are therefore left out.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub dropped_issues: u64,
    /// The measures behind static scores, the language with the most code first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = MOST_PLACES))]
    pub languages: Vec<LanguageScores>,
    /// The lowest and the highest judgement of a model, by score.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub ranges: BTreeMap<String, ScoreRange>,
    /// Judgements of the same code by a model. A score is their median.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeats: Option<u32>,
    /// How well the model with this rubric judges code whose quality is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calibration: Option<CalibrationNote>,
    /// Files that are not part of the scores, with the reasons.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = MOST_PLACES))]
    pub unjudged: Vec<Unjudged>,
    /// Number of such files beyond those listed.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub more_unjudged: u64,
}

impl JudgeDetails {
    /// The details of an assessment. `find` gives the path in the repository and the number of lines of a judged path, if
    /// it is one of the measured files. Issues elsewhere, and those beyond the end of their file, are dropped.
    #[must_use]
    pub fn of(assessment: &Assessment, find: &dyn Fn(&str) -> Option<(String, usize)>) -> Self {
        let real = assessment.issues.iter().filter_map(|issue| {
            let (path, lines) = find(&issue.path)?;
            let last = usize::try_from(issue.end_line).unwrap_or(usize::MAX);
            let is_real = (1..=issue.end_line).contains(&issue.start_line) && last <= lines;
            is_real.then(|| Issue {
                path,
                message: shortened(&issue.message),
                id: shortened(&issue.id),
                ..issue.clone()
            })
        });
        let mut real: Vec<Issue> = real.collect();
        let all_real = real.len();
        real.truncate(KEPT_ISSUES);
        let model = assessment.model.as_ref();
        let unjudged = match model {
            Some(model) => &model.unjudged,
            None => &assessment.left_out,
        };
        let in_repository =
            |path: &str| find(path).map_or_else(|| path.to_owned(), |(path, _)| path);
        Self {
            more_issues: assessment.more_issues + (all_real - real.len()) as u64,
            dropped_issues: (assessment.issues.len() - all_real) as u64,
            issues: real,
            languages: match model {
                Some(_) => Vec::new(),
                None => assessment.languages.clone(),
            },
            ranges: model.map(|it| it.ranges.clone()).unwrap_or_default(),
            repeats: model.map(|it| it.repeats),
            calibration: model.and_then(|it| it.calibration.clone()),
            more_unjudged: unjudged.len().saturating_sub(KEPT_FILES) as u64,
            unjudged: unjudged
                .iter()
                .take(KEPT_FILES)
                .map(|file| Unjudged {
                    path: in_repository(&file.path),
                    reason: shortened(&file.reason),
                })
                .collect(),
        }
    }

    /// The first fault: a text that is too long, too many entries, or impossible lines.
    pub(super) fn fault(&self) -> Option<String> {
        let most = self.issues.len().max(self.languages.len());
        if most.max(self.unjudged.len()) > MOST_PLACES {
            return Some(format!("a list has more than {MOST_PLACES} entries"));
        }
        let of_issues = self.issues.iter().flat_map(|issue| {
            let names = [&issue.path, &issue.id].map(|name| (name, LONGEST_PLACE));
            names.into_iter().chain([(&issue.message, LONGEST_TEXT)])
        });
        let of_files = self
            .unjudged
            .iter()
            .flat_map(|file| [(&file.path, LONGEST_PLACE), (&file.reason, LONGEST_TEXT)]);
        let mut texts = of_issues.chain(of_files);
        if let Some((_, most)) = texts.find(|(text, most)| text.chars().count() > *most) {
            return Some(format!("a text has more than {most} characters"));
        }
        let of = self.issues.iter().enumerate();
        let mut wrong = of.filter(|(_, it)| it.start_line == 0 || it.end_line < it.start_line);
        let (at, issue) = wrong.next()?;
        Some(format!(
            "issue {at} has the lines {} to {}",
            issue.start_line, issue.end_line
        ))
    }
}

fn shortened(text: &str) -> String {
    text.chars().take(KEPT_TEXT).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assessment::{JudgeKind, ScoreName, Scores};

    fn issue(path: &str, start_line: u32, end_line: u32) -> Issue {
        Issue {
            score: ScoreName::Erosion,
            id: "deep".to_owned(),
            path: path.to_owned(),
            start_line,
            end_line,
            message: "m".repeat(3 * KEPT_TEXT),
            weight: None,
            carried: None,
        }
    }

    fn assessment(issues: Vec<Issue>) -> Assessment {
        Assessment {
            schema: String::new(),
            judge: JudgeKind::Static,
            target: String::new(),
            scores: Scores::default(),
            missing: BTreeMap::new(),
            before: None,
            languages: Vec::new(),
            left_out: Vec::new(),
            issues,
            more_issues: 2,
            engine: String::new(),
            model: None,
        }
    }

    #[test]
    fn issues_without_real_lines_are_dropped() {
        let all = vec![
            issue("a.py", 1, 9),
            issue("a.py", 9, 11),
            issue("a.py", 0, 3),
            issue("a.py", 4, 3),
            issue("none.py", 1, 1),
        ];
        let find = |path: &str| (path == "a.py").then(|| ("src/a.py".to_owned(), 10));
        let details = JudgeDetails::of(&assessment(all), &find);
        assert_eq!(details.issues.len(), 1);
        assert_eq!(details.issues[0].path, "src/a.py");
        assert_eq!(details.issues[0].message.len(), KEPT_TEXT);
        assert_eq!((details.dropped_issues, details.more_issues), (4, 2));
        assert_eq!(details.fault(), None);
    }

    #[test]
    fn issues_beyond_limit_are_counted() {
        let all = vec![issue("a.py", 1, 1); KEPT_ISSUES + 3];
        let details = JudgeDetails::of(&assessment(all), &|path| Some((path.to_owned(), 1)));
        assert_eq!(
            (details.issues.len(), details.more_issues),
            (KEPT_ISSUES, 5)
        );
        let mut faulty = details;
        faulty.issues[7].start_line = 2;
        assert_eq!(
            faulty.fault().as_deref(),
            Some("issue 7 has the lines 2 to 1")
        );
    }
}
