//! Means over tasks, with intervals.

use std::collections::BTreeMap;

use serde::Serialize;
use slope_problem::next_edit::{Language, Source, Task, TaskSet};
use slope_stats::{Bootstrap, Interval, mean};

use super::answers::{Answer, Outcome, judge};
use super::score::{DEFINITION, Score};

/// Version of the JSON form.
pub const SCHEMA: &str = "slope.next-edit-scores/2";

/// Scores of answers to a set of tasks.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// [`DEFINITION`].
    pub definition: &'static str,
    /// All tasks.
    pub all: Group,
    /// Tasks of each language.
    pub languages: BTreeMap<Language, Group>,
    /// Each task, in the order of the set.
    pub tasks: Vec<TaskScore>,
}

/// Tasks reported together.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Group {
    /// Number of tasks with an edit to make.
    pub tasks: usize,
    /// Number of answered tasks, right or wrong; means are over these.
    pub answered: usize,
    /// Number of unanswered tasks.
    pub missing: usize,
    /// Number of source files of the answered tasks: the intervals resample these.
    pub files: usize,
    /// Share of answers that are the expected file.
    pub exact: Mean,
    /// Mean edit F.
    pub f: Mean,
    /// Tasks without an edit to make.
    pub no_edit: NoEdit,
}

/// Tasks in which the change is complete, so that any edit is wrong.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NoEdit {
    /// Number of tasks.
    pub tasks: usize,
    /// Number of answered tasks.
    pub answered: usize,
    /// Number of unanswered tasks.
    pub missing: usize,
    /// Number of source files of the answered tasks.
    pub files: usize,
    /// Share of answers that leave the file as it is.
    pub specificity: Mean,
}

/// A mean with its 95 % interval.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Mean {
    /// The mean; `None` without answers.
    pub mean: Option<f64>,
    /// Percentile interval over resampled files; `None` with fewer than two files.
    pub interval: Option<Interval>,
    /// Reason that the mean or the interval is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'static str>,
}

/// Result of one task.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TaskScore {
    /// Id of the task.
    pub id: String,
    /// Language of its file.
    pub language: Language,
    /// Scores of the answer; `None` where it is missing.
    pub score: Option<Score>,
    /// Reason that the answer is missing or unusable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// Scores answers to `set`.
#[must_use]
pub fn summarise(set: &TaskSet, answers: &BTreeMap<String, Answer>) -> Summary {
    let tasks: Vec<TaskScore> = set
        .tasks
        .iter()
        .map(|task| of_task(task, answers.get(&task.id)))
        .collect();
    let pairs: Vec<(&Task, &TaskScore)> = set.tasks.iter().zip(&tasks).collect();
    let mut languages: BTreeMap<Language, Vec<(&Task, &TaskScore)>> = BTreeMap::new();
    for pair in &pairs {
        languages.entry(pair.0.language).or_default().push(*pair);
    }
    let languages = languages
        .into_iter()
        .map(|(language, pairs)| (language, group(&pairs)));
    Summary {
        schema: SCHEMA,
        definition: DEFINITION,
        all: group(&pairs),
        languages: languages.collect(),
        tasks,
    }
}

fn of_task(task: &Task, answer: Option<&Answer>) -> TaskScore {
    let (score, note) = match judge(task, answer) {
        Outcome::Scored(score, note) => (Some(score), note.map(str::to_owned)),
        Outcome::Missing(why) => (None, Some(why)),
    };
    TaskScore {
        id: task.id.clone(),
        language: task.language,
        score,
        note,
    }
}

fn group(pairs: &[(&Task, &TaskScore)]) -> Group {
    let (edits, complete): (Vec<_>, Vec<_>) =
        pairs.iter().partition(|(task, _)| task.expected.is_some());
    let exact = |score: &Score| if score.exact { 1.0 } else { 0.0 };
    let files = by_file(&edits);
    let answered = files.iter().map(Vec::len).sum();
    let kept = by_file(&complete);
    let answered_complete = kept.iter().map(Vec::len).sum();
    Group {
        tasks: edits.len(),
        answered,
        missing: edits.len() - answered,
        files: files.len(),
        exact: over(&files, exact),
        f: over(&files, |score| score.f),
        no_edit: NoEdit {
            tasks: complete.len(),
            answered: answered_complete,
            missing: complete.len() - answered_complete,
            files: kept.len(),
            specificity: over(&kept, exact),
        },
    }
}

/// Scores of the answered tasks, by source file.
fn by_file(pairs: &[(&Task, &TaskScore)]) -> Vec<Vec<Score>> {
    let mut files: BTreeMap<_, Vec<Score>> = BTreeMap::new();
    for (task, scored) in pairs {
        if let Some(score) = scored.score {
            files.entry(file(&task.source)).or_default().push(score);
        }
    }
    files.into_values().collect()
}

/// The file that a task was cut from.
fn file(source: &Source) -> (&str, &str, &str) {
    (&source.problem, &source.lineage, &source.path)
}

/// Mean over all tasks, and its interval over resampled files.
fn over(files: &[Vec<Score>], value: impl Fn(&Score) -> f64) -> Mean {
    let of_all = |drawn: &[&Vec<Score>]| {
        let values: Vec<f64> = drawn
            .iter()
            .flat_map(|file| file.iter().map(&value))
            .collect();
        mean(&values)
    };
    let resampled = Bootstrap::default().run(files, of_all);
    let several = resampled.as_ref().filter(|_| files.len() > 1);
    Mean {
        mean: resampled.as_ref().map(|resampled| resampled.estimate),
        interval: several.and_then(|resampled| resampled.percentile()),
        reason: match files.len() {
            0 => Some("no answers"),
            1 => Some("no interval: all answered tasks are from one file"),
            _ => None,
        },
    }
}
