//! What judges say of a series: its newest point, agreement over its points, and the anchors.

use minijinja::{Value, context};
use slope_model::assessment::{Anchors, Issue, JudgeKind, ScoreName, Scores};
use slope_model::plural;
use slope_model::series::{JudgeDetails, JudgeScores, MOVED_ANCHOR, Point, WorstFunction};
use slope_model::summary::Summary;

use super::home::what;
use super::human::HumanRank;
use super::judge_chart;
use super::{function_address, judge_address, point_address, series_address};
use crate::format::{clean, clean_path, number, shorten, signed};
use crate::html::HtmlError;

/// Issues that the page shows.
const MOST_ISSUES: usize = 300;
/// Difference of static scores from which on a step counts as a move.
const MOVE: f64 = 0.05;
/// Points with both scores below which nothing is said about agreement.
const FEWEST: usize = 3;

/// What judges say of a series.
#[derive(Debug, Clone)]
pub struct JudgePage {
    /// Name of the project.
    pub project: String,
    /// Title of the project.
    pub title: String,
    /// Name of the series.
    pub series: String,
    /// The newest point.
    pub last: Point,
    /// Its measures among those of human code.
    pub ranks: Vec<HumanRank>,
    /// All points.
    pub points: Vec<Summary>,
    /// The latest points that a model judged, in their order.
    pub judged: Vec<Point>,
    /// Name of the score whose issues are shown; empty for all.
    pub score: String,
}

/// The scores of one model over the points.
pub(super) struct ModelSeries<'a> {
    pub(super) name: String,
    /// The points that it judged, in their order.
    pub(super) entries: Vec<(&'a Point, &'a JudgeScores)>,
}

impl JudgePage {
    /// The heading of the page.
    pub(super) fn heading(&self) -> String {
        format!("Judge: {}", self.title)
    }

    pub(super) fn value(&self) -> Result<Value, HtmlError> {
        let now = Summary::of(&self.last);
        let models = self.models();
        let is_static = |entry: &&JudgeScores| entry.judge == JudgeKind::Static;
        let by_measures = self.last.scores.iter().find(is_static);
        let by_models = self.last.scores.iter().filter(|entry| !is_static(entry));
        let by_models: Vec<Value> = by_models.map(|entry| self.model(entry, &models)).collect();
        let latest = self.judged.last().filter(|_| by_models.is_empty());
        let link = |point: &Point| {
            let summary = Summary::of(point);
            context! {
                what => what(&summary),
                day => summary.time.get(..10).unwrap_or_default(),
                address => point_address(&self.project, &self.series, &summary.key),
            }
        };
        Ok(context! {
            project => clean(&self.project),
            title => clean(&self.title),
            series => clean(&self.series),
            address => series_address(&self.project, &self.series),
            judge => judge_address(&self.project, &self.series),
            point => link(&self.last),
            day => now.time.get(..10).unwrap_or_default(),
            measured => by_measures.map(scores),
            ranks => self.ranks.iter().map(rank).collect::<Vec<_>>(),
            has_details => by_measures.is_some_and(|entry| entry.details.is_some()),
            models => by_models,
            latest => latest.map(link),
            issues => self.issues(),
            filters => self.filters(),
            charts => judge_chart::charts(&self.points, &models)?,
            legend => judge_chart::legend(&models),
            agreement => models.iter().flat_map(|model| self.agreement(model)).collect::<Vec<_>>(),
            anchors => models.iter().filter_map(anchors).collect::<Vec<_>>(),
            unjudged => self.unjudged(),
        })
    }

    /// The models of all points, in the order in which they came.
    fn models(&self) -> Vec<ModelSeries<'_>> {
        let mut all: Vec<ModelSeries<'_>> = Vec::new();
        for point in &self.judged {
            let entries = point.scores.iter();
            for entry in entries.filter(|entry| entry.judge == JudgeKind::Model) {
                let is_same = |of: &&mut ModelSeries<'_>| of.entries[0].1.is_same_judge(entry);
                match all.iter_mut().find(is_same) {
                    Some(known) => known.entries.push((point, entry)),
                    None => all.push(ModelSeries {
                        name: clean(&entry.judge_name()),
                        entries: vec![(point, entry)],
                    }),
                }
            }
        }
        all
    }

    /// A model's judgement of the newest point.
    fn model(&self, entry: &JudgeScores, all: &[ModelSeries<'_>]) -> Value {
        let own = all.iter().find(|of| of.entries[0].1.is_same_judge(entry));
        let details = entry.details.as_ref();
        let calibration = details.and_then(|details| details.calibration.as_ref());
        let rate =
            |rate: &slope_model::calibration::Rate| format!("{} of {}", rate.hits, rate.count);
        context! {
            name => clean(&entry.judge_name()),
            asked => entry.model.as_deref().map(clean),
            scores => scores(entry),
            repeats => details.and_then(|details| details.repeats).map(|count| plural(count, "judgement")),
            judged => own.map(|own| plural(own.entries.len(), "point")),
            calibration => calibration.map(|note| context! {
                day => clean(&note.day),
                pairs => rate(&note.pairs),
                bad => rate(&note.true_positives),
                good => rate(&note.true_negatives),
            }),
        }
    }

    fn chosen(&self) -> Option<ScoreName> {
        ScoreName::ALL
            .into_iter()
            .find(|name| name.name() == self.score)
    }

    /// Issues of all judges of the newest point; the reason if none are known.
    fn issues(&self) -> Value {
        let chosen = self.chosen();
        let mut items = Vec::new();
        let (mut more, mut dropped, mut unknown) = (0, 0, Vec::new());
        for entry in &self.last.scores {
            let judge = judge(entry);
            let Some(details) = &entry.details else {
                unknown.push(judge);
                continue;
            };
            more += details.more_issues;
            dropped += details.dropped_issues;
            let fitting = details.issues.iter();
            let fitting = fitting.filter(|issue| chosen.is_none_or(|name| issue.score == name));
            items.extend(fitting.map(|issue| issue_row(issue, &judge, self.history(issue))));
        }
        let over = items.len().saturating_sub(MOST_ISSUES) as u64;
        items.truncate(MOST_ISSUES);
        context! { items, more => more + over, dropped, unknown }
    }

    /// The address of the history of a function that an issue is about, if it is one of the worst.
    fn history(&self, issue: &Issue) -> Option<String> {
        let mut worst = self.last.worst.iter();
        let is_there =
            |one: &&WorstFunction| (&one.path, one.line) == (&issue.path, issue.start_line);
        let one = worst.find(is_there)?;
        Some(function_address(
            (&self.project, &self.series),
            &one.path,
            &one.name,
        ))
    }

    fn filters(&self) -> Vec<Value> {
        let base = judge_address(&self.project, &self.series);
        let all = context! {
            title => "all",
            address => format!("{base}#issues"),
            is_current => self.chosen().is_none(),
        };
        let of_scores = ScoreName::ALL.into_iter().map(|name| {
            context! {
                title => name.name(),
                address => format!("{base}?score={}#issues", name.name()),
                is_current => self.chosen() == Some(name),
            }
        });
        [all].into_iter().chain(of_scores).collect()
    }

    /// Files that a judge left out.
    fn unjudged(&self) -> Vec<Value> {
        let entries = self.last.scores.iter();
        let rows = entries.filter_map(|entry| {
            let details = entry
                .details
                .as_ref()
                .filter(|it| !it.unjudged.is_empty())?;
            let files = details.unjudged.iter().map(|file| {
                context! { path => clean_path(&file.path), reason => clean(&file.reason) }
            });
            Some(context! {
                judge => judge(entry),
                files => files.collect::<Vec<_>>(),
                more => details.more_unjudged,
            })
        });
        rows.collect()
    }

    /// How far the scores of a model and of the static judge agree, one row for each score.
    fn agreement(&self, model: &ModelSeries<'_>) -> Vec<Value> {
        let rows = ScoreName::ALL.into_iter().map(|name| {
            let pairs: Vec<(f64, f64)> = model
                .entries
                .iter()
                .filter_map(|(point, entry)| {
                    let by_measures = point.scores_of(JudgeKind::Static)?.get(name)?;
                    Some((by_measures, entry.scores.get(name)?))
                })
                .collect();
            let agreement = Agreement::of(&pairs);
            context! {
                model => &model.name,
                score => name.name(),
                points => pairs.len(),
                bias => agreement.bias.map(|it| signed(it, 1)),
                distance => agreement.distance.map(|it| number(it, 1)),
                rank => agreement.rank.map(|it| signed(it, 2)),
                same => (agreement.moves > 0).then(|| format!("{} of {}", agreement.same, agreement.moves)),
            }
        });
        rows.collect()
    }
}

/// Agreement of two judges on the same points.
#[derive(Debug, Default, PartialEq)]
struct Agreement {
    /// Mean difference: positive if the second judge gives more.
    bias: Option<f64>,
    /// Mean difference without sign.
    distance: Option<f64>,
    /// Rank correlation; `None` with too few points, or if all scores of a judge are the same.
    rank: Option<f64>,
    /// Steps between neighbours at which the first judge's score moved.
    moves: usize,
    /// Those where the second moved in the same direction.
    same: usize,
}

impl Agreement {
    fn of(pairs: &[(f64, f64)]) -> Self {
        let differences: Vec<f64> = pairs.iter().map(|(a, b)| b - a).collect();
        let distances: Vec<f64> = differences.iter().map(|it| it.abs()).collect();
        let is_enough = pairs.len() >= FEWEST;
        let mut agreement = Self {
            bias: slope_stats::mean(&differences),
            distance: slope_stats::mean(&distances),
            rank: slope_stats::spearman(pairs).filter(|_| is_enough),
            ..Self::default()
        };
        for pair in pairs.windows(2) {
            let [before, after] = pair else { continue };
            let (first, second) = (after.0 - before.0, after.1 - before.1);
            if first.abs() >= MOVE {
                agreement.moves += 1;
                let is_same = second.abs() >= MOVE && (first > 0.0) == (second > 0.0);
                agreement.same += usize::from(is_same);
            }
        }
        agreement
    }
}

fn judge(entry: &JudgeScores) -> String {
    match entry.judge {
        JudgeKind::Static => "static".to_owned(),
        JudgeKind::Model => clean(&entry.judge_name()),
    }
}

/// The three scores of an entry, each with its range or the reason that it is missing.
fn scores(entry: &JudgeScores) -> Vec<Value> {
    let details = entry.details.as_ref();
    let range = |name: ScoreName| details.and_then(|it: &JudgeDetails| it.ranges.get(name.name()));
    let rows = ScoreName::ALL.into_iter().map(|name| {
        let value = entry.scores.get(name);
        context! {
            name => name.name(),
            value => value.map(|value| number(value, 1)),
            tenths => value,
            range => range(name).map(|it| format!("{} to {}", number(it.low, 1), number(it.high, 1))),
            missing => entry.missing.get(name.name()).map(|reason| clean(reason)),
        }
    });
    rows.collect()
}

fn rank(rank: &HumanRank) -> Value {
    context! {
        languages => clean(&rank.languages),
        title => rank.title,
        score => rank.score,
        value => number(rank.value, rank.digits),
        median => number(rank.range.median, rank.digits),
        low => number(rank.range.low, rank.digits),
        high => number(rank.range.high, rank.digits),
        worse => rank.worse,
        count => rank.count,
        tone => match rank.value {
            value if value > rank.range.high => "bad",
            value if value < rank.range.median => "good",
            _ => "",
        },
    }
}

fn issue_row(issue: &Issue, judge: &str, history: Option<String>) -> Value {
    let lines = if issue.end_line > issue.start_line {
        format!("{}–{}", issue.start_line, issue.end_line)
    } else {
        issue.start_line.to_string()
    };
    let unit = match (issue.score, issue.weight) {
        (ScoreName::Erosion, _) => "mass",
        (ScoreName::Verbosity, Some(1.0)) => "line",
        (ScoreName::Verbosity, _) => "lines",
        (ScoreName::Extensibility, Some(1.0)) => "change point",
        (ScoreName::Extensibility, _) => "change points",
    };
    context! {
        place => format!("{}:{lines}", clean_path(&issue.path)),
        address => history,
        score => issue.score.name(),
        id => clean(&issue.id),
        message => shorten(&clean(&issue.message), 400),
        weight => issue.weight.map(|weight| number(weight, usize::from(unit == "mass"))),
        unit,
        sort => issue.weight,
        judge,
        carried => issue.carried,
    }
}

/// The scores of the fixed files at the first and the last point of a model.
fn anchors(model: &ModelSeries<'_>) -> Option<Value> {
    let with = |entry: &&(&Point, &JudgeScores)| entry.1.anchors.is_some();
    let first = model.entries.iter().find(with)?;
    let last = model.entries.iter().rev().find(with)?;
    let shift = last.1.anchor_shift(first.1);
    let file = |name: &str, of: fn(&Anchors) -> Option<Scores>| {
        let at = |entry: &JudgeScores, score| of(&entry.anchors?)?.get(score);
        let cells = ScoreName::ALL.map(|score| {
            let [then, now] = [first.1, last.1].map(|entry| at(entry, score));
            let text =
                |value: Option<f64>| value.map_or("–".to_owned(), |value| number(value, 1));
            let has_moved = then
                .zip(now)
                .is_some_and(|(then, now)| (now - then).abs() >= MOVED_ANCHOR);
            context! { then => text(then), now => text(now), has_moved }
        });
        context! { name, cells => cells.to_vec() }
    };
    let day = |point: &Point| point.time.get(..10).unwrap_or_default().to_owned();
    Some(context! {
        model => &model.name,
        files => vec![file("tidy", |it| it.tidy), file("sloppy", |it| it.sloppy)],
        first => day(first.0),
        last => day(last.0),
        points => model.entries.len(),
        shift => shift.map(|shift| number(shift, 1)),
        has_moved => shift.is_some_and(|shift| shift >= MOVED_ANCHOR),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agreement_needs_points_and_moves() {
        assert_eq!(Agreement::of(&[]), Agreement::default());
        let two = Agreement::of(&[(5.0, 6.0), (5.0, 7.0)]);
        assert_eq!((two.bias, two.rank, two.moves), (Some(1.5), None, 0));
        let more = Agreement::of(&[(5.0, 6.0), (6.0, 7.0), (4.0, 7.0), (3.0, 2.0)]);
        assert_eq!((more.moves, more.same), (3, 2));
        assert_eq!(more.distance, Some(1.5));
        assert!(more.rank.is_some_and(|rank| rank > 0.5), "{more:?}");
    }
}
