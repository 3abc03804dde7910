//! A value among those of human code bases.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::Deserialize;
use slope_measure::panel::{Panel, panels};
use slope_stats::quantile_of_sorted;

/// Change points per thousand lines of human code bases (`benches/change_points.py`).
const CHANGE_POINTS: &str = include_str!("../data/change_points.json");

/// Human code bases of one language, or of several that count together.
pub(crate) struct Reference {
    /// Name of the panel.
    pub(crate) name: &'static str,
    /// Values of verbosity, erosion and mass per thousand lines, sorted.
    pub(crate) verbosity: Vec<f64>,
    pub(crate) erosion: Vec<f64>,
    pub(crate) mass: Vec<f64>,
    /// Change points per thousand lines, sorted.
    pub(crate) change_points: Vec<f64>,
}

#[derive(Deserialize)]
struct Measured {
    languages: Vec<String>,
    change_points_per_kloc: f64,
}

impl Reference {
    /// The code bases for a group of languages; `None` if there are none.
    pub(crate) fn of(languages: &[String]) -> Option<Self> {
        let panel = panel_of(languages)?;
        let sorted = |mut values: Vec<f64>| {
            values.sort_by(f64::total_cmp);
            values
        };
        let of = |value: fn(&slope_measure::panel::PanelRepository) -> f64| {
            sorted(panel.repositories.iter().map(value).collect())
        };
        let points = change_points().get(panel.name.as_str()).cloned();
        Some(Self {
            name: &panel.name,
            verbosity: of(|it| it.verbosity),
            erosion: of(|it| it.erosion),
            mass: of(|it| it.mass_per_kloc),
            change_points: sorted(points.unwrap_or_default()),
        })
    }
}

/// The human code bases that languages count with: all of JavaScript and TypeScript count together.
fn panel_of(languages: &[String]) -> Option<&'static Panel> {
    let mut human = panels()
        .iter()
        .filter(|panel| panel.name.starts_with("human"));
    human.find(|panel| languages.iter().all(|id| panel.languages.contains(id)))
}

/// Values by the name of their panel.
fn change_points() -> &'static BTreeMap<&'static str, Vec<f64>> {
    static KNOWN: OnceLock<BTreeMap<&str, Vec<f64>>> = OnceLock::new();
    KNOWN.get_or_init(|| {
        // The file is embedded in the program, and a test reads it.
        let all: Vec<Measured> = serde_json::from_str(CHANGE_POINTS).unwrap_or_default();
        let mut known: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        for one in all {
            if let Some(panel) = panel_of(&one.languages) {
                let values = known.entry(&panel.name).or_default();
                values.push(one.change_points_per_kloc);
            }
        }
        known
    })
}

/// Scores at the median of human code bases, and where nine of ten are better.
const MEDIAN: f64 = 7.0;
const HIGH: f64 = 4.0;

/// The score of a value among sorted ones: 10 at 0, 7 at the median, 4 where nine of ten are lower, and above that in
/// proportion to the inverse of the value. So code that is worse than any human code base still has a score that can fall.
/// `None` without values.
pub(crate) fn score(value: f64, sorted: &[f64]) -> Option<f64> {
    let median = quantile_of_sorted(sorted, 0.5)?;
    let high = quantile_of_sorted(sorted, 0.9)?;
    let part = |from: f64, to: f64| (value - from) / (to - from);
    Some(if value <= 0.0 {
        10.0
    } else if value <= median {
        10.0 - (10.0 - MEDIAN) * part(0.0, median)
    } else if value <= high {
        MEDIAN - (MEDIAN - HIGH) * part(median, high)
    } else {
        HIGH * high / value
    })
}

#[cfg(test)]
mod tests {
    use super::{CHANGE_POINTS, Measured, Reference, score};

    #[test]
    fn scores_fall_without_steps() {
        let sorted: Vec<f64> = (0..=10).map(f64::from).collect();
        let at = |value| score(value, &sorted).unwrap();
        assert_eq!((at(0.0), at(5.0), at(9.0), at(18.0)), (10.0, 7.0, 4.0, 2.0));
        assert_eq!(score(1.0, &[]), None);
        let none = |value| score(value, &[0.0]).unwrap();
        assert_eq!((none(0.0), none(1.0)), (10.0, 0.0));
        let fall: Vec<f64> = (0..3000).map(|n| -at(f64::from(n) / 100.0)).collect();
        assert!(fall.is_sorted());
        assert!(fall.windows(2).all(|pair| pair[1] - pair[0] < 0.01));
    }

    #[test]
    fn every_panel_has_change_points() {
        let all: Vec<Measured> = serde_json::from_str(CHANGE_POINTS).unwrap();
        assert!(all.iter().all(|it| it.change_points_per_kloc >= 0.0));
        assert!(all.len() >= 30);
        for one in all {
            let reference = Reference::of(&one.languages).unwrap();
            assert!(reference.change_points.len() >= 3, "{:?}", one.languages);
        }
    }
}
