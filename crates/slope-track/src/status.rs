//! The last point of a series, compared with earlier points and with limits.

use jiff::Timestamp;
use slope_gate::{TrackLimit, Tracked};
use slope_model::assessment::{JudgeKind, ScoreName};
use slope_model::measurement::Part;
use slope_model::metrics::{HISTORY, Metric};
use slope_model::series::Point;
use slope_model::track::{ExceededLimit, TrackStatus, TrackedPoint, TrackedValue};
use slope_model::{plural, schema};

use crate::{Error, Project, judges};

/// The status of a series at a time.
///
/// # Errors
/// If the series has no points, or one of them cannot be read.
pub fn status(project: &Project, series: &str, now: Timestamp) -> Result<TrackStatus, Error> {
    let points = project.points(series)?;
    let Some((last, earlier)) = points.split_last() else {
        return Err(Error::NoPoints {
            series: series.to_owned(),
            known: Vec::new(),
        });
    };
    // Numbers of other definitions cannot be compared.
    let is_comparable = |point: &&Point| point.definitions == last.definitions;
    let before = earlier.last().filter(is_comparable);
    let first = earlier
        .iter()
        .find(is_comparable)
        .filter(|_| before.is_some());
    let compared = Compared {
        last,
        before,
        first,
        part: last
            .parts
            .contains_key(&Part::Product)
            .then_some(Part::Product),
    };
    let mut exceeded = compared.limits(&project.settings.limits);
    exceeded.extend(compared.growth(project));
    Ok(TrackStatus {
        schema: schema::TRACK_STATUS.to_owned(),
        series: series.to_owned(),
        points: u32::try_from(points.len()).unwrap_or(u32::MAX),
        last: TrackedPoint::from(last),
        before: before.map(|point| point.key().to_string()),
        first: first.map(|point| point.key().to_string()),
        age_s: age(last, now),
        commits_since: commits_since(project, last),
        unsent: None,
        part: compared.part,
        values: compared.values(),
        exceeded,
        notes: notes(earlier, last),
    })
}

/// Seconds since a point.
fn age(point: &Point, now: Timestamp) -> u64 {
    let time = point.time.parse::<Timestamp>().unwrap_or(now);
    u64::try_from(now.as_second() - time.as_second()).unwrap_or(0)
}

/// Number of commits since a point.
fn commits_since(project: &Project, point: &Point) -> Option<u32> {
    let reader = project.repo.as_ref()?.reader();
    let commit = reader.resolve(&point.commit.as_ref()?.id).ok()?;
    let commits = reader.between(commit, reader.head().ok()?).ok()?;
    u32::try_from(commits.len()).ok()
}

fn notes(earlier: &[Point], last: &Point) -> Vec<String> {
    let others = earlier
        .iter()
        .filter(|point| point.definitions != last.definitions)
        .count();
    let note = (others > 0).then(|| {
        let others = plural(others as u64, "earlier point");
        format!("{others} with other definitions cannot be compared with the last one")
    });
    let mut notes: Vec<String> = note.into_iter().collect();
    notes.extend(judges::moved(last, earlier));
    notes
}

/// The last point and those that it is compared with.
struct Compared<'p> {
    last: &'p Point,
    before: Option<&'p Point>,
    first: Option<&'p Point>,
    part: Option<Part>,
}

impl Compared<'_> {
    /// The value of a metric, in production code if tests are separate. Findings are counted in all code.
    fn metric(&self, metric: &Metric, point: &Point) -> Option<f64> {
        point.value(metric, self.part)
    }

    fn values(&self) -> Vec<TrackedValue> {
        let metrics = HISTORY.iter().map(|metric| {
            let missing = self.totals_missing(metric);
            let of = |point: &Point| self.metric(metric, point);
            self.value(metric.id.to_owned(), metric.direction.name(), missing, &of)
        });
        let scores = ScoreName::ALL.into_iter().map(|name| {
            let entry = self
                .last
                .scores
                .iter()
                .find(|it| it.judge == JudgeKind::Static);
            let missing = entry.and_then(|entry| entry.missing.get(name.name()).cloned());
            let of = |point: &Point| point.scores_of(JudgeKind::Static)?.get(name);
            self.value(format!("score.{}", name.name()), "higher", missing, &of)
        });
        let of_models = judges::models(self.last).flat_map(|entry| {
            ScoreName::ALL.into_iter().map(move |score| {
                let of = |point: &Point| {
                    let mut known = judges::models(point);
                    let same = known.find(|it| it.is_same_judge(entry))?;
                    same.scores.get(score)
                };
                let missing = entry.missing.get(score.name()).cloned();
                let model = entry.served.as_ref().or(entry.model.as_ref());
                let model = model.map_or("model", String::as_str);
                let name = format!("score.{model}.{}", score.name());
                self.value(name, "higher", missing, &of)
            })
        });
        metrics.chain(scores).chain(of_models).collect()
    }

    fn value(
        &self,
        name: String,
        better: &str,
        missing: Option<String>,
        of: &dyn Fn(&Point) -> Option<f64>,
    ) -> TrackedValue {
        let value = of(self.last);
        // Without the noise of binary fractions.
        let since = |point: Option<&Point>| {
            let difference = value? - of(point?)?;
            let rounded = (difference * 1e9).round() / 1e9;
            Some(if rounded == 0.0 { 0.0 } else { rounded })
        };
        TrackedValue {
            name,
            value,
            missing: missing.filter(|_| value.is_none()),
            change: since(self.before),
            change_since_first: since(self.first),
            better: better.to_owned(),
        }
    }

    fn totals_missing(&self, metric: &Metric) -> Option<String> {
        let totals = match self.part {
            Some(part) => self.last.parts.get(&part)?,
            None => &self.last.totals,
        };
        metric.missing_in(totals).map(str::to_owned)
    }

    fn limits(&self, limits: &[TrackLimit]) -> Vec<ExceededLimit> {
        let value = |limit: &TrackLimit| match limit.of {
            Tracked::Metric(metric) => self.metric(metric, self.last),
            Tracked::Score(score) => self.last.scores_of(JudgeKind::Static)?.get(score),
        };
        let exceeded = limits.iter().filter_map(|limit| {
            let value = value(limit).filter(|value| limit.is_exceeded(*value))?;
            Some(ExceededLimit {
                limit: limit.key(),
                value,
                allowed: limit.allowed,
            })
        });
        exceeded.collect()
    }

    /// Limits of what the last point adds to the point before.
    fn growth(&self, project: &Project) -> Vec<ExceededLimit> {
        let Some(before) = self.before else {
            return Vec::new();
        };
        let exceeded = project
            .settings
            .growth
            .limits()
            .filter_map(|(metric, allowed)| {
                let added = self.metric(metric, self.last)? - self.metric(metric, before)?;
                (added > allowed).then(|| ExceededLimit {
                    limit: format!("growth.{}", metric.id.replace('_', "-")),
                    value: (added * 1e9).round() / 1e9,
                    allowed,
                })
            });
        exceeded.collect()
    }
}
