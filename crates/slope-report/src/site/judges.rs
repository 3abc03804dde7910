//! The newest scores of all series.

use minijinja::{Value, context};
use slope_model::assessment::ScoreName;
use slope_model::summary::{Summary, score_value};

use super::judge_address;
use crate::format::{clean, number};

/// A series in the list of judged ones.
#[derive(Debug, Clone)]
pub struct JudgeLine {
    /// Name of the project.
    pub project: String,
    /// Title of the project.
    pub title: String,
    /// Name of the series.
    pub series: String,
    /// The newest point.
    pub last: Summary,
}

/// The newest scores of all series.
#[derive(Debug, Clone)]
pub struct JudgesPage {
    /// The series.
    pub lines: Vec<JudgeLine>,
    /// Whether there are more.
    pub has_more: bool,
}

impl JudgesPage {
    pub(super) fn value(&self) -> Value {
        let lines = self.lines.iter().map(|line| {
            let of = |id: &dyn Fn(ScoreName) -> String| {
                let cell = |name| {
                    line.last
                        .values
                        .get(&id(name))
                        .map(|value| number(*value, 1))
                };
                ScoreName::ALL.map(cell).to_vec()
            };
            let lowest = ScoreName::ALL.into_iter().filter_map(|name| {
                let value = line.last.values.get(&score_value(name))?;
                Some((*value, name))
            });
            let lowest = lowest.min_by(|a, b| a.0.total_cmp(&b.0));
            context! {
                title => clean(&line.title),
                series => clean(&line.series),
                address => judge_address(&line.project, &line.series),
                day => line.last.time.get(..10).unwrap_or_default(),
                measured => of(&score_value),
                models => of(&|name| format!("model.{}", name.name())),
                lowest => lowest.map(|(_, name)| name.name()),
            }
        });
        context! { lines => lines.collect::<Vec<_>>(), has_more => self.has_more }
    }
}
