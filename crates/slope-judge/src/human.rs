//! Values of human code, for those who draw or rank others among them.

use slope_model::metrics::{EROSION, MASS_PER_KLOC, VERBOSITY};
use slope_stats::quantile_of_sorted;

use crate::placement::Reference;

/// Name of the measure behind extensibility among those of [`HumanCode`].
pub const CHANGE_POINTS: &str = "change_points_per_kloc";

/// Human code bases in some languages.
pub struct HumanCode(Reference);

/// Where most human code bases are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HumanBand {
    /// One of ten human code bases is lower.
    pub low: f64,
    /// Half of them are lower.
    pub median: f64,
    /// Nine of ten are lower.
    pub high: f64,
    /// Number of code bases.
    pub count: usize,
}

impl HumanCode {
    /// Those in a group of languages that count together; `None` if there are none.
    #[must_use]
    pub fn of(languages: &[String]) -> Option<Self> {
        Reference::of(languages).map(Self)
    }

    /// Name of their set.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.0.name
    }

    /// Sorted values of a measure: `verbosity`, `erosion`, `mass_per_kloc`, or [`CHANGE_POINTS`].
    fn values(&self, measure: &str) -> &[f64] {
        match measure {
            it if it == VERBOSITY.id => &self.0.verbosity,
            it if it == EROSION.id => &self.0.erosion,
            it if it == MASS_PER_KLOC.id => &self.0.mass,
            CHANGE_POINTS => &self.0.change_points,
            _ => &[],
        }
    }

    /// The band of a measure; `None` without values.
    #[must_use]
    pub fn band(&self, measure: &str) -> Option<HumanBand> {
        let values = self.values(measure);
        Some(HumanBand {
            low: quantile_of_sorted(values, 0.1)?,
            median: quantile_of_sorted(values, 0.5)?,
            high: quantile_of_sorted(values, 0.9)?,
            count: values.len(),
        })
    }

    /// How many of all code bases have a higher value, so are worse; `None` without values.
    #[must_use]
    pub fn worse_than(&self, measure: &str, value: f64) -> Option<(usize, usize)> {
        let values = self.values(measure);
        let worse = values.len() - values.partition_point(|other| *other <= value);
        (!values.is_empty()).then_some((worse, values.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_rank_among_human_code() {
        let human = HumanCode::of(&["python".to_owned()]).unwrap();
        for measure in ["verbosity", "erosion", "mass_per_kloc", CHANGE_POINTS] {
            let band = human.band(measure).unwrap();
            assert!(
                band.low < band.median && band.median < band.high,
                "{band:?}"
            );
            assert_eq!(human.worse_than(measure, f64::MAX), Some((0, band.count)));
            let (worse, all) = human.worse_than(measure, band.median).unwrap();
            assert!(worse.abs_diff(all / 2) <= 1, "{worse} of {all}");
        }
        assert_eq!(human.worse_than("sloc", 1.0), None);
        assert!(HumanCode::of(&["cobol".to_owned()]).is_none());
    }
}
