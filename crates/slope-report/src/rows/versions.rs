//! Rows of configurations that several versions ran.

use super::compared::{ends, table};
use super::{ColumnKind, Field, RowTable};
use crate::study::{Configuration, Study, Version, VersionContrast, VersionRate, VersionSlope};

/// A rate or a slope of each version, and its difference from the reference.
pub(super) fn versions(study: &Study) -> RowTable {
    let key = [
        "model",
        "agent",
        "prompt",
        "prompt_hash",
        "arm",
        "options",
        "version",
    ];
    let key = key.map(|name| (name, ColumnKind::Text));
    let columns = [
        ("quantity", ColumnKind::Text),
        ("of", ColumnKind::Text),
        ("n", ColumnKind::Whole),
        ("value", ColumnKind::Real),
        ("low", ColumnKind::Real),
        ("high", ColumnKind::Real),
        ("pairs", ColumnKind::Whole),
        ("left_out", ColumnKind::Whole),
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

fn place(of: &Configuration, version: &Version) -> [Field; 7] {
    let parts = [
        &of.model,
        &of.agent,
        &of.prompt,
        &of.prompt_hash,
        &of.arm,
        &of.options,
        &version.version,
    ];
    parts.map(|part| part.as_str().into())
}

fn of_version(version: &Version) -> Vec<Vec<Field>> {
    let against = version.against.as_ref();
    let rates = version.rates.iter().enumerate();
    let slopes = version.slopes.iter().enumerate();
    let rates = rates.map(|(at, rate)| rate_row(rate, against, at));
    let slopes = slopes.map(|(at, slope)| slope_row(slope, against, at));
    rates.chain(slopes).collect()
}

fn rate_row(rate: &VersionRate, against: Option<&VersionContrast>, at: usize) -> Vec<Field> {
    let other = against.and_then(|against| against.rates.get(at));
    let graded = &rate.value.rate.graded;
    let mut row: Vec<Field> = vec![
        "rate".into(),
        rate.rate.as_str().into(),
        graded.of.into(),
        graded.rate.into(),
    ];
    row.extend(ends(rate.value.by_problem));
    row.push(against.map(|against| against.problems).into());
    row.push(against.map(|against| against.left_out).into());
    row.push(other.and_then(|other| other.difference).into());
    row.extend(ends(other.and_then(|other| other.by_problem)));
    row.extend(ends(other.and_then(|other| other.newcombe)));
    row.extend([Field::Missing, Field::Missing]);
    row
}

fn slope_row(slope: &VersionSlope, against: Option<&VersionContrast>, at: usize) -> Vec<Field> {
    let other = against.and_then(|against| against.slopes.get(at));
    let mut row: Vec<Field> = vec![
        "slope".into(),
        slope.metric.key().into(),
        slope.problems.into(),
        slope.mean.into(),
    ];
    row.extend(ends(slope.interval));
    row.push(other.map(|other| other.pairs).into());
    row.push(against.map(|against| against.left_out).into());
    row.push(other.and_then(|other| other.difference).into());
    row.extend(ends(other.and_then(|other| other.interval)));
    row.extend([Field::Missing, Field::Missing]);
    let test = other.and_then(|other| other.test.as_ref());
    row.push(test.and_then(slope_stats::SignedRank::p).into());
    row.push(other.and_then(|other| other.holm).into());
    row
}
