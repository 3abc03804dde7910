//! Human code that pages compare a point with.

use slope_judge::{CHANGE_POINTS, HumanBand, HumanCode};
use slope_model::assessment::{LanguageScores, ScoreName};
use slope_model::metrics::{EROSION, MASS_PER_KLOC, VERBOSITY};
use slope_model::series::Point;
use slope_model::summary::measured_languages;
use slope_report::{HumanPanel, HumanRange, HumanRank};

/// Human code in the language with the most code; `None` if the point does not name its languages, or slope knows no human code in it.
pub(super) fn panel(point: &Point) -> Option<HumanPanel> {
    let largest = measured_languages(point).first()?;
    let human = HumanCode::of(&largest.languages)?;
    let erosion = human.band(EROSION.id)?;
    Some(HumanPanel {
        name: human.name().to_owned(),
        languages: largest.languages.join(", "),
        count: erosion.count,
        erosion: range(erosion),
        verbosity: range(human.band(VERBOSITY.id)?),
    })
}

fn range(band: HumanBand) -> HumanRange {
    HumanRange {
        low: band.low,
        median: band.median,
        high: band.high,
    }
}

/// The ranks of all measures behind static scores.
pub(super) fn ranks(point: &Point) -> Vec<HumanRank> {
    let languages = measured_languages(point).iter();
    languages.flat_map(of_language).collect()
}

fn of_language(language: &LanguageScores) -> Vec<HumanRank> {
    let Some(human) = HumanCode::of(&language.languages) else {
        return Vec::new();
    };
    let measures = [
        (
            VERBOSITY.id,
            "verbosity",
            ScoreName::Verbosity,
            language.verbosity,
            3,
        ),
        (
            EROSION.id,
            "erosion",
            ScoreName::Erosion,
            language.erosion,
            3,
        ),
        (
            MASS_PER_KLOC.id,
            "complexity mass per 1,000 lines",
            ScoreName::Erosion,
            language.mass_per_kloc,
            0,
        ),
        (
            CHANGE_POINTS,
            "change points per 1,000 lines",
            ScoreName::Extensibility,
            language.change_points_per_kloc,
            1,
        ),
    ];
    let ranks = measures
        .into_iter()
        .filter_map(|(id, title, score, value, digits)| {
            let value = value?;
            let (worse, count) = human.worse_than(id, value)?;
            Some(HumanRank {
                languages: language.languages.join(", "),
                title,
                score: score.name(),
                value,
                range: range(human.band(id)?),
                worse,
                count,
                digits,
            })
        });
    ranks.collect()
}
