//! The tables of versions: rates and slopes of each, and differences from the reference.

use super::compare::{points, probability, signed, span, table};
use super::study::{Titled, between, missing, plain, share};
use super::{Block, Cell, Grid};
use crate::format;
use crate::study::{Configuration, Shift, Version, VersionRate, VersionSlope, Versions};

/// The lowest version's label in place of differences.
const REFERENCE: &str = "reference";

/// Two tables for each configuration that several versions ran.
pub(super) fn grids(versions: &Versions) -> Vec<Titled> {
    let mut grids = Vec::new();
    for (configuration, name) in versions.configurations.iter().zip(names(versions)) {
        grids.push((format!("Rates by version: {name}"), rates(configuration)));
        grids.push((format!("Slopes by version: {name}"), slopes(configuration)));
    }
    grids
}

/// Names of configurations: with the hash of the prompt if others share the name, and with their
/// number if that is still ambiguous; JSON and rows have their options.
fn names(versions: &Versions) -> Vec<String> {
    let all = &versions.configurations;
    let plain: Vec<String> = all.iter().map(|of| name(of, "")).collect();
    let mut names: Vec<String> = plain
        .iter()
        .zip(all)
        .map(|(own, of)| {
            if is_alone(own, &plain) {
                return own.clone();
            }
            let hash = of.prompt_hash.rsplit(':').next().unwrap_or_default();
            name(of, &hash.chars().take(8).collect::<String>())
        })
        .collect();
    let hashed = names.clone();
    for (number, own) in names.iter_mut().enumerate() {
        if !is_alone(own, &hashed) {
            own.push_str(&format!(" · options {}", number + 1));
        }
    }
    names
}

fn is_alone(name: &str, among: &[String]) -> bool {
    among.iter().filter(|other| *other == name).count() == 1
}

/// The name of a configuration; `hash` follows its prompt.
fn name(of: &Configuration, hash: &str) -> String {
    let parts = [&of.model, &of.agent, &of.prompt].map(String::as_str);
    let parts = parts.into_iter().chain([hash, &of.arm]);
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    format::shorten(&format::clean(&parts.join(" · ")), 80)
}

fn rates(of: &Configuration) -> Grid {
    let mut grid = table(&[
        ("rate", "", Block::Key, true),
        ("version", "agent · harness", Block::Key, true),
        ("trials", "", Block::Tests, false),
        ("solved", "of graded", Block::Tests, false),
        ("share", "%", Block::Tests, false),
        ("Wilson", "95 %", Block::Tests, false),
        ("by problem", "95 %", Block::Tests, false),
        ("problems", "paired", Block::Quality, false),
        ("difference", "points", Block::Quality, false),
        ("Newcombe", "95 %", Block::Quality, false),
        ("by problem", "95 %", Block::Quality, false),
    ]);
    let count = of.versions.first().map_or(0, |first| first.rates.len());
    for at in 0..count {
        for (place, version) in of.versions.iter().enumerate() {
            let Some(VersionRate { rate, value }) = version.rates.get(at) else {
                continue;
            };
            let graded = &value.rate.graded;
            let mut cells = vec![
                plain(if place == 0 { rate } else { "" }),
                plain(format::clean(&version.version)),
                plain(version.trials.to_string()),
                plain(format!("{}/{}", graded.count, graded.of)),
                share(graded),
                between(graded.interval, graded.of),
                between(value.by_problem, graded.of),
            ];
            cells.extend(rate_difference(version, at));
            grid.row(cells);
        }
    }
    grid
}

fn rate_difference(version: &Version, at: usize) -> [Cell; 4] {
    let Some(against) = &version.against else {
        return reference();
    };
    let rate = against.rates.get(at);
    [
        plain(match against.left_out {
            0 => against.problems.to_string(),
            others => format!("{}, {others} left out", against.problems),
        }),
        signed(rate.and_then(|rate| rate.difference).map(|d| 100.0 * d), 1),
        span(points(rate.and_then(|rate| rate.newcombe)), 1),
        span(points(rate.and_then(|rate| rate.by_problem)), 1),
    ]
}

fn reference<const N: usize>() -> [Cell; N] {
    std::array::from_fn(|at| plain(if at == 0 { REFERENCE } else { "" }))
}

fn slopes(of: &Configuration) -> Grid {
    let mut grid = table(&[
        ("metric", "", Block::Key, true),
        ("version", "agent · harness", Block::Key, true),
        ("problems", "", Block::Tests, false),
        ("slope", "per phase", Block::Tests, false),
        ("by problem", "95 %", Block::Tests, false),
        ("problems", "paired", Block::Quality, false),
        ("difference", "mean", Block::Quality, false),
        ("95 %", "by problem", Block::Quality, false),
        ("p", "Wilcoxon", Block::Effort, false),
        ("p", "Holm", Block::Effort, false),
    ]);
    let count = of.versions.first().map_or(0, |first| first.slopes.len());
    for at in 0..count {
        for (place, version) in of.versions.iter().enumerate() {
            let Some(slope) = version.slopes.get(at) else {
                continue;
            };
            let title = match place {
                0 => slope.metric.title(),
                _ => String::new(),
            };
            let mut cells = vec![plain(title), plain(format::clean(&version.version))];
            cells.extend(slope_cells(slope));
            let against = version.against.as_ref();
            let shift = against.and_then(|against| against.slopes.get(at));
            cells.extend(shift.map_or_else(reference, slope_difference));
            grid.row(cells);
        }
    }
    grid
}

fn slope_cells(slope: &VersionSlope) -> [Cell; 3] {
    [
        plain(slope.problems.to_string()),
        slope
            .mean
            .map_or_else(missing, |mean| plain(format::signed(mean, 4))),
        span(slope.interval, 4),
    ]
}

fn slope_difference(shift: &Shift) -> [Cell; 5] {
    let test = shift.test.as_ref();
    [
        plain(shift.pairs.to_string()),
        signed(shift.difference, 4),
        span(shift.interval, 4),
        probability(test.and_then(slope_stats::SignedRank::p)),
        probability(shift.holm),
    ]
}
