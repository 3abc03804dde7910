//! Rank of a tree among published repositories.
//!
//! The panels of Python use the published definitions and slope's own Python rules, those of other
//! languages the profile `slope`. `docs/metrics/panel.md` describes how they are made.

use std::sync::OnceLock;

use serde::{Deserialize, Serialize};
use slope_model::measurement::{Standing, Totals};
use slope_model::metrics::{EROSION, MASS_PER_KLOC, Metric, VERBOSITY};

const DATA: &str = include_str!("../data/panel.json");

/// Numbers of a set of repositories.
#[derive(Debug, Serialize, Deserialize)]
pub struct Panel {
    /// Its name and version.
    pub name: String,
    /// Ids of the languages that are counted together, sorted.
    pub languages: Vec<String>,
    /// Version of the definitions.
    pub definitions: String,
    /// The repositories.
    pub repositories: Vec<PanelRepository>,
}

/// Values of one repository of a panel.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PanelRepository {
    /// Owner and name.
    pub repository: String,
    /// The commit that was measured.
    pub commit: String,
    /// Verbosity, 0 to 1 (paper, equation 4).
    pub verbosity: f64,
    /// Erosion, 0 to 1 (paper, equation 3).
    pub erosion: f64,
    /// Complexity mass per thousand physical lines (paper, equation 2).
    pub mass_per_kloc: f64,
}

/// The panels that are shipped. For Python, the first is that of human repositories.
#[must_use]
pub fn panels() -> &'static [Panel] {
    static PANELS: OnceLock<Vec<Panel>> = OnceLock::new();
    // The file is embedded in the program, and a test reads it.
    PANELS.get_or_init(|| serde_json::from_str(DATA).unwrap_or_default())
}

/// Ids of the languages counted together with `language`, sorted, including itself.
pub(crate) fn group(language: &str) -> Vec<&str> {
    let all = panels().iter().map(|panel| &panel.languages);
    let mut with = all.filter(|languages| languages.iter().any(|id| id == language));
    match with.next() {
        Some(languages) => languages.iter().map(String::as_str).collect(),
        None => vec![language],
    }
}

/// The rank of totals in each panel of a group of languages.
#[must_use]
pub fn standings(totals: &Totals, group: &[&str]) -> Vec<Standing> {
    type Value = fn(&PanelRepository) -> f64;
    let metrics: [(&Metric, Value); 3] = [
        (&VERBOSITY, |r| r.verbosity),
        (&EROSION, |r| r.erosion),
        (&MASS_PER_KLOC, |r| r.mass_per_kloc),
    ];
    let mut standings = Vec::new();
    for panel in panels().iter().filter(|panel| panel.languages == group) {
        for (metric, of) in metrics {
            let mut values: Vec<f64> = panel.repositories.iter().map(of).collect();
            values.sort_by(f64::total_cmp);
            let Some(value) = metric.of_totals(totals) else {
                continue;
            };
            standings.extend(standing(metric.id, &panel.name, value, &values));
        }
    }
    standings
}

fn standing(metric: &str, panel: &str, value: f64, sorted: &[f64]) -> Option<Standing> {
    let count = u32::try_from(sorted.len()).ok().filter(|&n| n > 0)?;
    let middle = sorted.len() / 2;
    let median = if sorted.len() % 2 == 1 {
        sorted[middle]
    } else {
        f64::midpoint(sorted[middle - 1], sorted[middle])
    };
    // Panels store six digits.
    let rounded = (value * 1e6).round() / 1e6;
    let below = u32::try_from(sorted.partition_point(|v| *v <= rounded)).unwrap_or(count);
    Some(Standing {
        metric: metric.to_owned(),
        panel: panel.to_owned(),
        value,
        percentile: 100.0 * f64::from(below) / f64::from(count),
        median,
        count,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shipped_panels_parse_and_are_sane() {
        let read: Vec<Panel> = serde_json::from_str(DATA).unwrap();
        assert_eq!(read.len(), panels().len());
        for panel in &read {
            for r in &panel.repositories {
                let ratios = [r.verbosity, r.erosion];
                assert!(ratios.iter().all(|v| (0.0..=1.0).contains(v)), "{r:?}");
                assert!(r.mass_per_kloc >= 0.0 && !r.repository.is_empty(), "{r:?}");
            }
        }
    }

    #[test]
    fn panels_have_current_definitions() {
        let current = crate::definitions::version(&crate::Options::default());
        for panel in panels().iter().filter(|p| p.languages != ["python"]) {
            let name = &panel.name;
            assert_eq!(panel.definitions, current, "measure {name} again");
            assert!(panel.repositories.len() >= 12, "{name}");
            assert!(panel.languages.is_sorted(), "{name}");
        }
    }

    #[test]
    fn listed_repositories_are_in_panels() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("data/panels.csv");
        let listed = crate::panel_list::read(&path).unwrap();
        assert!(listed.len() >= 72);
        for one in &listed {
            let panel = panels().iter().find(|panel| panel.name == one.panel);
            let in_panel = panel.is_some_and(|panel| {
                let mut all = panel.repositories.iter();
                all.any(|r| r.repository == one.repository && r.commit == one.commit)
            });
            assert!(in_panel, "{}", one.repository);
        }
    }

    #[test]
    fn percentile_counts_lower_or_equal_values() {
        let values = [0.1, 0.2, 0.3, 0.4];
        let of = |value| standing("m", "p", value, &values).unwrap().percentile;
        assert_eq!(
            [of(0.05), of(0.2), of(0.35), of(0.9)],
            [0.0, 50.0, 75.0, 100.0]
        );
        let median = standing("m", "p", 0.1, &values).unwrap().median;
        assert!((median - 0.25).abs() < 1e-12);
        assert_eq!(standing("m", "p", 0.1, &[]), None);
    }
}
