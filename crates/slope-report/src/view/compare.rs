//! The tables that compare cohorts: arms, pairs, repeats.

use slope_stats::Interval;

use super::study::{missing, plain, share};
use super::{Block, Cell, Grid};
use crate::format::{self, Kind};
use crate::study::{Agreement, Aspect, Contrast, HeadToHead, RateContrast, Repeats, Shift, Study};

use super::study::Titled;

/// The tables, in their order; those without rows are left out.
pub(super) fn grids(study: &Study, names: &[String]) -> Vec<Titled> {
    let mut grids = Vec::new();
    for contrast in &study.contrasts {
        let arm = name(names, contrast.arm);
        let title = format!("{arm} against {}", name(names, contrast.baseline));
        grids.push((format!("Trajectories: {title}"), shift_grid(contrast)));
        grids.push((format!("Rates: {title}"), rate_grid(contrast)));
        grids.push((format!("Spent: {title}"), ratio_grid(contrast)));
    }
    if !study.pairs.is_empty() {
        grids.push(("Head to head".to_owned(), pair_grid(&study.pairs, names)));
    }
    if !study.repeats.is_empty() {
        grids.push((
            "Rates between repeats".to_owned(),
            repeat_grid(&study.repeats, names),
        ));
        grids.push((
            "Chance of passing in k attempts".to_owned(),
            pass_grid(&study.repeats, names),
        ));
    }
    grids
}

/// Checkpoints that only one of two cohorts solved, one line for each pair with any.
pub(super) fn solved_alone(study: &Study, names: &[String]) -> Vec<String> {
    let mut lines = Vec::new();
    for pair in &study.pairs {
        for (own, other, solved) in [
            (pair.first, pair.second, &pair.only_first),
            (pair.second, pair.first, &pair.only_second),
        ] {
            if solved.is_empty() {
                continue;
            }
            let places = solved.iter().map(|place| match place.trial {
                1 => format!("{}/{}", place.problem, place.checkpoint),
                trial => format!("{}/{} (trial {trial})", place.problem, place.checkpoint),
            });
            let places: Vec<String> = places.collect();
            lines.push(format!(
                "{} and not {}: {}",
                name(names, own),
                name(names, other),
                places.join(", ")
            ));
        }
    }
    lines
}

/// Name of a cohort.
pub(super) fn name(names: &[String], place: usize) -> &str {
    names.get(place).map_or("", String::as_str)
}

/// A probability as papers print it.
pub(super) fn probability(p: Option<f64>) -> Cell {
    match p {
        Some(p) if p < 0.001 => plain("< 0.001"),
        Some(p) => plain(format::number(p, 3)),
        None => missing(),
    }
}

/// A value with its sign.
pub(super) fn signed(value: Option<f64>, digits: usize) -> Cell {
    value.map_or_else(missing, |value| plain(format::signed(value, digits)))
}

/// An interval of a difference.
pub(super) fn span(interval: Option<Interval>, digits: usize) -> Cell {
    match interval {
        Some(Interval { low, high }) => plain(format!(
            "{} to {}",
            format::signed(low, digits),
            format::signed(high, digits)
        )),
        None => missing(),
    }
}

/// In percentage points.
pub(super) fn points(interval: Option<Interval>) -> Option<Interval> {
    interval.map(|Interval { low, high }| Interval {
        low: low * 100.0,
        high: high * 100.0,
    })
}

pub(super) fn table(columns: &[(&str, &str, Block, bool)]) -> Grid {
    let mut grid = Grid::default();
    for (title, unit, block, is_text) in columns {
        grid.column(*title, unit, *block, *is_text);
    }
    grid
}

fn shift_grid(contrast: &Contrast) -> Grid {
    let mut grid = table(&[
        ("of", "", Block::Key, true),
        ("metric", "", Block::Key, true),
        ("problems", "paired", Block::Tests, false),
        ("baseline", "mean", Block::Tests, false),
        ("arm", "mean", Block::Tests, false),
        ("difference", "mean", Block::Quality, false),
        ("95 %", "by problem", Block::Quality, false),
        ("shift", "Hodges–Lehmann", Block::Effort, false),
        ("W+", "", Block::Effort, false),
        ("p", "Wilcoxon", Block::Effort, false),
        ("p", "Holm", Block::Effort, false),
    ]);
    let mut last = None;
    for shift in &contrast.shifts {
        let aspect = match shift.aspect {
            Aspect::Level => "level",
            Aspect::Start => "start",
            Aspect::Slope => "slope per phase",
        };
        let title = if last == Some(shift.aspect) {
            ""
        } else {
            aspect
        };
        last = Some(shift.aspect);
        grid.row(shift_cells(shift, title));
    }
    grid
}

fn shift_cells(shift: &Shift, title: &str) -> Vec<Cell> {
    let largest = shift.baseline.map_or(0.0, f64::abs);
    let digits = match (shift.aspect, shift.metric.kind()) {
        (_, Kind::Ratio) => 4,
        (Aspect::Slope, kind) => format::slope_decimals(kind, largest),
        (_, kind) => format::decimals(kind, largest).max(1),
    };
    let value =
        |value: Option<f64>| value.map_or_else(missing, |v| plain(format::number(v, digits)));
    let test = shift.test.as_ref();
    vec![
        plain(title),
        plain(shift.metric.title()),
        plain(shift.pairs.to_string()),
        value(shift.baseline),
        value(shift.arm),
        signed(shift.difference, digits),
        span(shift.interval, digits),
        signed(test.map(|test| test.shift), digits),
        test.map_or_else(missing, |test| {
            plain(format!(
                "{} of {}",
                format::number(test.plus, 1),
                test.nonzero
            ))
        }),
        probability(test.and_then(slope_stats::SignedRank::p)),
        probability(shift.holm),
    ]
}

fn rate_grid(contrast: &Contrast) -> Grid {
    let mut grid = table(&[
        ("rate", "", Block::Key, true),
        ("baseline", "of graded", Block::Tests, false),
        ("", "%", Block::Tests, false),
        ("arm", "of graded", Block::Tests, false),
        ("", "%", Block::Tests, false),
        ("difference", "points", Block::Quality, false),
        ("Newcombe", "95 %", Block::Quality, false),
        ("by problem", "95 %", Block::Quality, false),
    ]);
    for RateContrast {
        rate,
        baseline,
        arm,
        difference,
        newcombe,
        by_problem,
    } in &contrast.rates
    {
        grid.row(vec![
            plain(rate),
            plain(format!("{}/{}", baseline.count, baseline.of)),
            share(baseline),
            plain(format!("{}/{}", arm.count, arm.of)),
            share(arm),
            signed(difference.map(|d| 100.0 * d), 1),
            span(points(*newcombe), 1),
            span(points(*by_problem), 1),
        ]);
    }
    grid
}

fn ratio_grid(contrast: &Contrast) -> Grid {
    let mut grid = table(&[
        ("", "arm / baseline", Block::Key, true),
        ("problems", "paired", Block::Tests, false),
        ("ratio", "", Block::Effort, false),
        ("by problem", "95 %", Block::Effort, false),
    ]);
    for ratio in &contrast.ratios {
        let number = |value: f64| format::number(value, 2);
        grid.row(vec![
            plain(ratio.metric.title()),
            plain(ratio.pairs.to_string()),
            ratio.ratio.map_or_else(missing, |r| plain(number(r))),
            ratio.interval.map_or_else(missing, |i| {
                plain(format!("{}–{}", number(i.low), number(i.high)))
            }),
        ]);
    }
    grid
}

fn pair_grid(pairs: &[HeadToHead], names: &[String]) -> Grid {
    let mut grid = table(&[
        ("first", "", Block::Key, true),
        ("second", "", Block::Key, true),
        ("rate", "", Block::Key, true),
        ("both", "solved", Block::Tests, false),
        ("first", "alone", Block::Tests, false),
        ("second", "alone", Block::Tests, false),
        ("neither", "", Block::Tests, false),
        ("difference", "points", Block::Quality, false),
        ("by problem", "95 %", Block::Quality, false),
        ("p", "McNemar", Block::Effort, false),
        ("mid-p", "", Block::Effort, false),
    ]);
    for pair in pairs {
        for (place, agreement) in pair.agreements.iter().enumerate() {
            let of = |cohort| if place == 0 { name(names, cohort) } else { "" };
            let mut cells = vec![plain(of(pair.first)), plain(of(pair.second))];
            cells.extend(agreement_cells(&mut grid, agreement));
            grid.row(cells);
        }
    }
    grid
}

fn agreement_cells(grid: &mut Grid, of: &Agreement) -> Vec<Cell> {
    let mut rate = plain(&of.rate);
    if of.unpaired > 0 {
        let checkpoints = format::plural(of.unpaired, "checkpoint");
        let note = format!("{checkpoints} known in only one of the two, left out");
        rate.note = Some(grid.note(&note));
    }
    let counts = [of.both, of.only_first, of.only_second, of.neither];
    let mut cells = vec![rate];
    cells.extend(counts.map(|count| plain(count.to_string())));
    cells.extend([
        signed(of.difference.map(|d| 100.0 * d), 1),
        span(points(of.by_problem), 1),
        probability(of.test.map(|test| test.exact)),
        probability(of.test.map(|test| test.mid_p)),
    ]);
    cells
}

fn repeat_grid(repeats: &[Repeats], names: &[String]) -> Grid {
    let mut grid = table(&[
        ("cohort", "", Block::Key, true),
        ("rate", "", Block::Key, true),
        ("repeats", "", Block::Tests, false),
        ("problems", "in all", Block::Tests, false),
        ("mean", "%", Block::Quality, false),
        ("sd", "points", Block::Quality, false),
        ("lowest", "%", Block::Quality, false),
        ("highest", "%", Block::Quality, false),
    ]);
    for own in repeats {
        for (place, rate) in own.rates.iter().enumerate() {
            let percent = |value: Option<f64>| {
                value.map_or_else(missing, |v| plain(format::number(100.0 * v, 1)))
            };
            let values = rate.values.iter().copied();
            grid.row(vec![
                plain(if place == 0 {
                    name(names, own.cohort)
                } else {
                    ""
                }),
                plain(&rate.rate),
                plain(rate.values.len().to_string()),
                plain(rate.problems.to_string()),
                percent(rate.mean),
                percent(rate.deviation),
                percent(values.clone().reduce(f64::min)),
                percent(values.reduce(f64::max)),
            ]);
        }
    }
    grid
}

fn pass_grid(repeats: &[Repeats], names: &[String]) -> Grid {
    let mut grid = table(&[
        ("cohort", "", Block::Key, true),
        ("of", "", Block::Key, true),
        ("k", "attempts", Block::Tests, false),
        ("n", "", Block::Tests, false),
        ("pass@k", "some, %", Block::Quality, false),
        ("pass^k", "all, %", Block::Quality, false),
    ]);
    for own in repeats {
        for (of, rows) in [("checkpoints", &own.checkpoints), ("problems", &own.whole)] {
            for (place, row) in rows.iter().enumerate() {
                let first = place == 0;
                let percent = |value: Option<f64>| {
                    value.map_or_else(missing, |v| plain(format::number(100.0 * v, 1)))
                };
                grid.row(vec![
                    plain(if first && of == "checkpoints" {
                        name(names, own.cohort)
                    } else {
                        ""
                    }),
                    plain(if first { of } else { "" }),
                    plain(row.k.to_string()),
                    plain(row.n.to_string()),
                    percent(row.some),
                    percent(row.all),
                ]);
            }
        }
    }
    grid
}
