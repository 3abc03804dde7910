//! Rows of configurations that several versions ran.

use super::compared::{ends, table};
use super::{ColumnKind, Field, RowTable};
use crate::study::{Configuration, RateContrast, Shift, Study, Version, VersionRate, VersionSlope};

/// A rate or a slope of each version, and its difference from the reference.
pub(super) fn versions(study: &Study) -> RowTable {
    let key = ["model", "agent", "prompt", "arm", "version"].map(|name| (name, ColumnKind::Text));
    let columns = [
        ("quantity", ColumnKind::Text),
        ("of", ColumnKind::Text),
        ("n", ColumnKind::Whole),
        ("value", ColumnKind::Real),
        ("low", ColumnKind::Real),
        ("high", ColumnKind::Real),
        ("pairs", ColumnKind::Whole),
        ("difference", ColumnKind::Real),
        ("difference_low", ColumnKind::Real),
        ("difference_high", ColumnKind::Real),
        ("newcombe_low", ColumnKind::Real),
        ("newcombe_high", ColumnKind::Real),
        ("p", ColumnKind::Real),
        ("holm_p", ColumnKind::Real),
    ];
    let mut rows = Vec::new();
    for configuration in &study.versions.configurations {
        for version in &configuration.versions {
            let of = place(configuration, version);
            let own = of_version(version).into_iter();
            rows.extend(own.map(|own| super::placed(&of, own)));
        }
    }
    table("versions", &key, &columns, rows)
}

fn place(of: &Configuration, version: &Version) -> [Field; 5] {
    let parts = [&of.model, &of.agent, &of.prompt, &of.arm, &version.version];
    parts.map(|part| part.as_str().into())
}

fn of_version(version: &Version) -> Vec<Vec<Field>> {
    let against = version.against.as_ref();
    let problems = against.map(|against| against.problems);
    let rates = version.rates.iter().enumerate().map(|(at, rate)| {
        let other = against.and_then(|against| against.rates.get(at));
        rate_row(rate, problems, other)
    });
    let slopes = version.slopes.iter().enumerate().map(|(at, slope)| {
        let other = against.and_then(|against| against.slopes.get(at));
        slope_row(slope, other)
    });
    rates.chain(slopes).collect()
}

fn rate_row(rate: &VersionRate, pairs: Option<u32>, other: Option<&RateContrast>) -> Vec<Field> {
    let graded = &rate.value.rate.graded;
    let mut row: Vec<Field> = vec![
        "rate".into(),
        rate.rate.as_str().into(),
        graded.of.into(),
        graded.rate.into(),
    ];
    row.extend(ends(rate.value.by_problem));
    row.push(pairs.into());
    row.push(other.and_then(|other| other.difference).into());
    row.extend(ends(other.and_then(|other| other.by_problem)));
    row.extend(ends(other.and_then(|other| other.newcombe)));
    row.extend([Field::Missing, Field::Missing]);
    row
}

fn slope_row(slope: &VersionSlope, other: Option<&Shift>) -> Vec<Field> {
    let mut row: Vec<Field> = vec![
        "slope".into(),
        slope.metric.key().into(),
        slope.problems.into(),
        slope.mean.into(),
    ];
    row.extend(ends(slope.interval));
    row.push(other.map(|other| other.pairs).into());
    row.push(other.and_then(|other| other.difference).into());
    row.extend(ends(other.and_then(|other| other.interval)));
    row.extend([Field::Missing, Field::Missing]);
    let test = other.and_then(|other| other.test.as_ref());
    row.push(test.and_then(slope_stats::SignedRank::p).into());
    row.push(other.and_then(|other| other.holm).into());
    row
}
