//! The rank of trajectories among human repositories: at their ends, and all along.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use slope_model::history::History;
use slope_model::measurement::Totals;
use slope_stats::{Interval, quantile_of_sorted};

use super::members::{Members, StudyOptions, narrow};
use super::phases;
use super::tiers::Panel;
use crate::metric::Metric;
use crate::rates::Proportion;

/// Metrics that the panels have, all ratios of one code base.
const METRICS: [Metric; 2] = [Metric::EROSION, Metric::VERBOSITY];

/// Points of normalised progress, from 0 to 1.
const POINTS: u32 = 11;

/// Snapshot of a trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// The first that has a value.
    First,
    /// The last that has a value.
    Last,
}

/// The rank of a cohort's snapshots in a panel, by the published definitions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// Place in the study's cohorts, from 0.
    pub cohort: usize,
    /// Name of the panel.
    pub panel: String,
    /// The tier of the panel to which the numbers refer; `None` for the whole panel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tier: Option<String>,
    /// Code bases in it.
    pub panel_size: u32,
    /// Erosion or verbosity.
    pub metric: Metric,
    /// The compared snapshots.
    pub end: End,
    /// Problems with a value.
    pub problems: u32,
    /// Mean over problems of the mean over trials.
    pub mean: f64,
    /// Percentile interval of it over resampled problems; `None` with fewer than two.
    pub interval: Option<Interval>,
    /// The panel's mean, quartiles and median.
    pub panel_mean: f64,
    /// First quartile (type 7, as the others).
    pub panel_low: f64,
    /// Median.
    pub panel_median: f64,
    /// Third quartile.
    pub panel_high: f64,
    /// `mean` over `panel_mean`; `None` where that is 0.
    pub ratio: Option<f64>,
    /// Share of the panel that is at or below `mean`, 0 to 1.
    pub standing: f64,
    /// Trials whose snapshot is above the panel's third quartile.
    pub above: Proportion,
}

/// A metric along normalised progress, 0 at the first snapshot and 1 at the last.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Course {
    /// Place in the study's cohorts, from 0; `None` for the histories of repositories.
    pub cohort: Option<usize>,
    /// Erosion or verbosity, by the published definitions.
    pub metric: Metric,
    /// Problems or repositories.
    pub members: u32,
    /// Trajectories that end above their beginning, of those with two values.
    pub rising: Proportion,
    /// Mean over members of the last value less the first.
    pub net: Option<f64>,
    /// Percentile interval of it over resampled members.
    pub net_interval: Option<Interval>,
    /// Values along the progress.
    pub points: Vec<CoursePoint>,
}

/// A point of a course.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CoursePoint {
    /// Progress, 0 to 1.
    pub progress: f64,
    /// Members with a value here.
    pub members: u32,
    /// Mean over members of the mean over trajectories, each interpolated linearly between its
    /// snapshots; never beyond them.
    pub mean: Option<f64>,
    /// Percentile interval over resampled members: the 95 % band.
    pub interval: Option<Interval>,
}

/// A trajectory: progress and value, in order.
type Track = Vec<(f64, f64)>;

/// Erosion and verbosity, each 0 to 1, if known.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Shares {
    erosion: Option<f64>,
    verbosity: Option<f64>,
}

impl Shares {
    fn of(self, metric: Metric) -> Option<f64> {
        let value = if metric == Metric::EROSION {
            self.erosion
        } else {
            self.verbosity
        };
        value.filter(|value| value.is_finite())
    }
}

/// The shares of a code base; `None` without totals.
pub(super) fn shares(totals: Option<&Totals>) -> Shares {
    totals.map_or_else(Shares::default, |totals| Shares {
        erosion: totals.erosion,
        verbosity: totals.verbosity,
    })
}

/// The trajectories of each problem.
fn tracks<'a>(members: &Members<'a>, metric: Metric) -> BTreeMap<&'a str, Vec<Track>> {
    let mut tracks: BTreeMap<&str, Vec<Track>> = BTreeMap::new();
    for (trial, digest) in members.digests() {
        let steps = digest.checkpoints.len().saturating_sub(1).max(1);
        let known = digest.checkpoints.iter().enumerate().filter_map(|(at, c)| {
            let value = c.published.of(metric)?;
            Some((f64::from(narrow(at)) / f64::from(narrow(steps)), value))
        });
        let track: Track = known.collect();
        if !track.is_empty() {
            tracks.entry(&trial.problem).or_default().push(track);
        }
    }
    tracks
}

/// Each cohort in each panel.
pub(super) fn calibrations(
    members: &[Members<'_>],
    panels: &[Panel],
    options: &StudyOptions,
) -> Vec<Calibration> {
    let mut found = Vec::new();
    for (cohort, own) in members.iter().enumerate() {
        for metric in METRICS {
            let tracks = tracks(own, metric);
            for panel in panels {
                found.extend(
                    in_panel(&tracks, panel, metric, options).map(|c| Calibration { cohort, ..c }),
                );
            }
        }
    }
    found
}

/// The ends of a cohort's trajectories in a panel, then in each tier of it.
fn in_panel(
    tracks: &BTreeMap<&str, Vec<Track>>,
    panel: &Panel,
    metric: Metric,
    options: &StudyOptions,
) -> impl Iterator<Item = Calibration> {
    let tiers = (0..panel.tiers.len()).map(Some);
    std::iter::once(None).chain(tiers).flat_map(move |tier| {
        let sorted = panel.values(metric, tier);
        let ends = [End::First, End::Last];
        let found = ends.map(|end| calibration(tracks, &sorted, metric, end, options));
        found.into_iter().flatten().map(move |own| Calibration {
            panel: panel.name.clone(),
            tier: tier.and_then(|tier| panel.tiers.get(tier).cloned()),
            ..own
        })
    })
}

/// One end in values of code bases, which are sorted; the caller names the panel.
fn calibration(
    tracks: &BTreeMap<&str, Vec<Track>>,
    sorted: &[f64],
    metric: Metric,
    end: End,
    options: &StudyOptions,
) -> Option<Calibration> {
    let value = |track: &Track| match end {
        End::First => track.first().map(|point| point.1),
        End::Last => track.last().map(|point| point.1),
    };
    let values: Vec<Vec<f64>> = tracks
        .values()
        .map(|tracks| tracks.iter().filter_map(value).collect())
        .collect();
    let means: Vec<f64> = values.iter().filter_map(|v| slope_stats::mean(v)).collect();
    let mean = slope_stats::mean(&means)?;
    let (panel_mean, panel_high) = (
        slope_stats::mean(sorted)?,
        quantile_of_sorted(sorted, 0.75)?,
    );
    let above = values.iter().flatten().filter(|v| **v > panel_high).count();
    let below = sorted.partition_point(|value| *value <= mean);
    Some(Calibration {
        cohort: 0,
        panel: String::new(),
        tier: None,
        panel_size: narrow(sorted.len()),
        metric,
        end,
        problems: narrow(means.len()),
        mean,
        interval: phases::interval(&means, options),
        panel_mean,
        panel_low: quantile_of_sorted(sorted, 0.25)?,
        panel_median: quantile_of_sorted(sorted, 0.5)?,
        panel_high,
        ratio: (panel_mean > 0.0).then(|| mean / panel_mean),
        standing: f64::from(narrow(below)) / f64::from(narrow(sorted.len())),
        above: Proportion::new(narrow(above), narrow(values.iter().flatten().count())),
    })
}

/// Cohorts and histories along their progress; empty without histories to compare with.
pub(super) fn courses(
    members: &[Members<'_>],
    histories: &[History],
    options: &StudyOptions,
) -> Vec<Course> {
    let mut courses = Vec::new();
    if histories.is_empty() {
        return courses;
    }
    for metric in METRICS {
        for (cohort, own) in members.iter().enumerate() {
            let tracks: Vec<Vec<Track>> = tracks(own, metric).into_values().collect();
            courses.extend(course(Some(cohort), metric, &tracks, options));
        }
        let own = histories
            .iter()
            .map(|history| vec![walked(history, metric)]);
        let repositories: Vec<Vec<Track>> = own.collect();
        courses.extend(course(None, metric, &repositories, options));
    }
    courses
}

/// A repository's trajectory: progress is the share of its commits between the first and the last
/// snapshot.
fn walked(history: &History, metric: Metric) -> Track {
    let place = |point: Option<&slope_model::history::HistoryPoint>| {
        point.map_or(0.0, |point| f64::from(point.position))
    };
    let (first, last) = (place(history.points.first()), place(history.points.last()));
    let points = history.points.iter().filter_map(|point| {
        let value = shares(point.published.as_ref()).of(metric)?;
        let at = (f64::from(point.position) - first) / (last - first);
        at.is_finite().then_some((at, value))
    });
    points.collect()
}

fn course(
    cohort: Option<usize>,
    metric: Metric,
    members: &[Vec<Track>],
    options: &StudyOptions,
) -> Option<Course> {
    let long = |tracks: &[Track]| -> Vec<Track> {
        tracks.iter().filter(|t| t.len() > 1).cloned().collect()
    };
    let members: Vec<Vec<Track>> = members
        .iter()
        .map(|tracks| long(tracks))
        .filter(|tracks| !tracks.is_empty())
        .collect();
    let change = |track: &Track| track[track.len() - 1].1 - track[0].1;
    let all = members.iter().flatten();
    let up = all.clone().filter(|track| change(track) > 0.0).count();
    let nets: Vec<f64> = members
        .iter()
        .filter_map(|tracks| slope_stats::mean(&tracks.iter().map(change).collect::<Vec<_>>()))
        .collect();
    let points = (0..POINTS).map(|number| {
        let progress = f64::from(number) / f64::from(POINTS - 1);
        let values: Vec<f64> = members
            .iter()
            .filter_map(|m| mean_at(m, progress))
            .collect();
        CoursePoint {
            progress,
            members: narrow(values.len()),
            mean: slope_stats::mean(&values),
            interval: phases::interval(&values, options),
        }
    });
    (!members.is_empty()).then(|| Course {
        cohort,
        metric,
        members: narrow(members.len()),
        rising: Proportion::new(narrow(up), narrow(all.count())),
        net: slope_stats::mean(&nets),
        net_interval: phases::interval(&nets, options),
        points: points.collect(),
    })
}

fn mean_at(tracks: &[Track], progress: f64) -> Option<f64> {
    let values: Vec<f64> = tracks
        .iter()
        .filter_map(|t| value_at(t, progress))
        .collect();
    slope_stats::mean(&values)
}

/// The value of a track at a point of progress, on the straight line between its neighbours.
fn value_at(track: &[(f64, f64)], progress: f64) -> Option<f64> {
    let after = track.iter().position(|(at, _)| *at >= progress)?;
    let (x1, y1) = track[after];
    if x1 == progress {
        return Some(y1);
    }
    let (x0, y0) = *track.get(after.checked_sub(1)?)?;
    Some(y0 + (y1 - y0) * (progress - x0) / (x1 - x0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_interpolate_but_never_extrapolate() {
        let track = [(0.2, 1.0), (0.6, 3.0), (1.0, 2.0)];
        assert_eq!(value_at(&track, 0.1), None);
        assert_eq!(value_at(&track, 0.2), Some(1.0));
        assert!((value_at(&track, 0.4).unwrap() - 2.0).abs() < 1e-12);
        assert!((value_at(&track, 0.9).unwrap() - 2.25).abs() < 1e-12);
        assert_eq!(value_at(&track[..2], 0.7), None);
    }

    #[test]
    fn standing_counts_values_at_or_below() {
        let panel = Panel::from_csv("p", "tier,erosion\na,0.4\na,0.1\nb,0.3\na,0.2\n").unwrap();
        let tracks = BTreeMap::from([
            ("a", vec![vec![(0.0, 0.1), (1.0, 0.5)]]),
            ("b", vec![vec![(0.0, 0.3)]]),
        ]);
        let options = StudyOptions::default();
        let all: Vec<Calibration> = in_panel(&tracks, &panel, Metric::EROSION, &options).collect();
        // The panel and its two tiers, at both ends.
        assert_eq!(all.len(), 6);
        let last = &all[1];
        assert_eq!((last.end, &last.tier), (End::Last, &None));
        assert!((last.mean - 0.4).abs() < 1e-12);
        assert_eq!(last.standing, 1.0);
        assert_eq!((last.above.count, last.above.of), (1, 2));
        assert!((last.ratio.unwrap() - 1.6).abs() < 1e-12);
        // A panel without a value has no rank.
        let verbosity = in_panel(&tracks, &panel, Metric::VERBOSITY, &options);
        assert_eq!(verbosity.count(), 0);
        // A tier is a panel of its own.
        let tier = &all[5];
        assert_eq!(tier.tier.as_deref(), Some("b"));
        assert_eq!(
            (tier.panel_size, tier.panel_mean, tier.standing),
            (1, 0.3, 1.0)
        );
    }
}
