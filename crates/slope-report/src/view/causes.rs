//! The tables of failures, panels, definitions and functions.

use super::compare::{name, span};
use super::study::{Titled, between, missing, plain, share};
use super::{Block, Cell, Grid, Tone};
use crate::format;
use crate::study::{
    Calibration, Course, End, Failures, GrownFunction, Next, Sensitivity, SizeWeight, Study,
};

/// Maximum number of checkpoints of a function in a cell.
const MAX_STEPS: usize = 10;

/// The tables, in their order; those without rows are left out.
pub(super) fn grids(study: &Study, names: &[String]) -> Vec<Titled> {
    let all = [
        ("Classes of failures", failure_grid(&study.failures, names)),
        ("Standing in panels", panel_grid(&study.calibration, names)),
        ("Along progress", course_grid(&study.courses, names)),
        (
            "Erosion by other definitions, and the next checkpoint",
            sensitivity_grid(&study.sensitivity, names),
        ),
        ("Functions that grew most", function_grid(&study.functions)),
    ];
    all.into_iter()
        .filter(|(_, grid)| !grid.rows.is_empty())
        .map(|(title, grid)| (title.to_owned(), grid))
        .collect()
}

/// Evidence of each failure, one line each.
pub(super) fn evidence(failures: &Failures) -> Vec<String> {
    let lines = failures.checkpoints.iter().filter_map(|failure| {
        let class = failure.classes.first()?;
        let sub = class.sub.as_ref().map(|sub| format!(" ({sub})"));
        let test = class.evidence.test.as_ref().map(|test| format!("{test}: "));
        let others: Vec<&str> = failure.classes[1..]
            .iter()
            .map(|c| c.class.as_str())
            .collect();
        let also = if others.is_empty() {
            String::new()
        } else {
            format!("; also {}", others.join(", "))
        };
        Some(format!(
            "{}{}: {} · {}/{}{}: {}{}{also}",
            class.class,
            sub.unwrap_or_default(),
            failure.label,
            failure.problem,
            failure.checkpoint,
            match failure.trial {
                1 => String::new(),
                trial => format!(" (trial {trial})"),
            },
            test.unwrap_or_default(),
            class.evidence.text,
        ))
    });
    lines.collect()
}

/// Classes that are not distinct, a line each.
pub(super) fn undecided(failures: &Failures) -> Vec<String> {
    if failures.checkpoints.is_empty() {
        return Vec::new();
    }
    let all = failures.undecided.iter();
    all.map(|class| format!("{}: {}", class.class, class.reason))
        .collect()
}

fn failure_grid(failures: &Failures, names: &[String]) -> Grid {
    let mut grid = Grid::default();
    grid.column("cohort", "", Block::Key, true);
    grid.column("class", "", Block::Key, true);
    grid.column("first", "checkpoints", Block::Tests, false);
    grid.column("share", "% of graded", Block::Tests, false);
    grid.column("Wilson", "95 %", Block::Tests, false);
    grid.column("fits", "checkpoints", Block::Quality, false);
    let mut last = None;
    for count in &failures.counts {
        let is_new = last != Some(count.cohort);
        last = Some(count.cohort);
        grid.row(vec![
            plain(if is_new {
                name(names, count.cohort)
            } else {
                ""
            }),
            plain(&count.class),
            plain(count.first.count.to_string()),
            share(&count.first),
            between(count.first.interval, count.first.of),
            plain(count.fits.to_string()),
        ]);
    }
    grid
}

fn ratio(value: f64) -> Cell {
    plain(format::number(value, 3))
}

fn panel_grid(rows: &[Calibration], names: &[String]) -> Grid {
    let mut grid = Grid::default();
    grid.column("cohort", "", Block::Key, true);
    grid.column("metric", "", Block::Key, true);
    grid.column("snapshots", "", Block::Key, true);
    grid.column("panel", "", Block::Key, true);
    grid.column("mean", "over problems", Block::Tests, false);
    grid.column("by problem", "95 %", Block::Tests, false);
    grid.column("mean", "of panel", Block::Quality, false);
    grid.column("quartiles", "of panel", Block::Quality, false);
    grid.column("ratio", "of means", Block::Effort, false);
    grid.column("standing", "% at or below", Block::Effort, false);
    grid.column("above", "3rd quartile", Block::Effort, false);
    for row in rows {
        grid.row(vec![
            plain(name(names, row.cohort)),
            plain(row.metric.title()),
            plain(match row.end {
                End::First => "first",
                End::Last => "last",
            }),
            plain(match &row.tier {
                Some(tier) => format!("{}, {tier} ({})", row.panel, row.panel_size),
                None => format!("{} ({})", row.panel, row.panel_size),
            }),
            ratio(row.mean),
            row.interval.map_or_else(missing, |i| {
                plain(format!(
                    "{}–{}",
                    format::number(i.low, 3),
                    format::number(i.high, 3)
                ))
            }),
            ratio(row.panel_mean),
            plain(format!(
                "{} {} {}",
                format::number(row.panel_low, 3),
                format::number(row.panel_median, 3),
                format::number(row.panel_high, 3)
            )),
            row.ratio
                .map_or_else(missing, |r| plain(format::number(r, 2))),
            plain(format::number(100.0 * row.standing, 0)),
            plain(format!("{}/{}", row.above.count, row.above.of)),
        ]);
    }
    grid
}

fn course_grid(courses: &[Course], names: &[String]) -> Grid {
    let mut grid = Grid::default();
    grid.column("metric", "", Block::Key, true);
    grid.column("of", "", Block::Key, true);
    for progress in ["0", "0.2", "0.4", "0.6", "0.8", "1"] {
        grid.column(progress, "", Block::Quality, false);
    }
    grid.column("last − first", "mean", Block::Effort, false);
    grid.column("95 %", "", Block::Effort, false);
    grid.column("rising", "", Block::Effort, false);
    for course in courses {
        let of = course
            .cohort
            .map_or("repositories", |place| name(names, place));
        let mut means = vec![plain(course.metric.title()), plain(of)];
        let mut bands = vec![plain(""), Cell::new("  95 %", Tone::Faint)];
        for point in course.points.iter().step_by(2) {
            means.push(point.mean.map_or_else(missing, ratio));
            let band = point
                .interval
                .map(|i| format!("{}–{}", format::number(i.low, 3), format::number(i.high, 3)));
            bands.push(Cell::new(band.unwrap_or_default(), Tone::Faint));
        }
        means.push(
            course
                .net
                .map_or_else(missing, |net| plain(format::signed(net, 3))),
        );
        means.push(span(course.net_interval, 3));
        means.push(plain(format!(
            "{}/{}",
            course.rising.count, course.rising.of
        )));
        bands.extend([plain(""), plain(""), plain("")]);
        grid.row(means);
        grid.row(bands);
    }
    grid
}

fn sensitivity_grid(rows: &[Sensitivity], names: &[String]) -> Grid {
    let mut grid = Grid::default();
    grid.column("cohort", "", Block::Key, true);
    grid.column("with", "", Block::Key, true);
    grid.column("cut-off", "", Block::Key, false);
    grid.column("size", "", Block::Key, true);
    grid.column("pairs", "", Block::Tests, false);
    grid.column("r", "Pearson", Block::Tests, false);
    grid.column("95 %", "by problem", Block::Tests, false);
    grid.column("ρ", "Spearman", Block::Quality, false);
    grid.column("r", "within problems", Block::Effort, false);
    grid.column("95 %", "by problem", Block::Effort, false);
    let r = |value: Option<f64>| value.map_or_else(missing, |r| plain(format::signed(r, 2)));
    // The cohort of all runs; JSON and the rows have every cohort.
    let last = rows.last().map(|row| row.cohort);
    for row in rows.iter().filter(|row| Some(row.cohort) == last) {
        grid.row(vec![
            plain(name(names, row.cohort)),
            plain(match row.next {
                Next::PassRate => "pass rate",
                Next::Cost => "cost",
            }),
            plain(format!("> {}", row.cut_off)),
            plain(match row.weight {
                SizeWeight::None => "none",
                SizeWeight::SquareRoot => "square root",
                SizeWeight::Linear => "linear",
            }),
            plain(row.pairs.to_string()),
            r(row.pearson),
            span(row.interval, 2),
            r(row.spearman),
            r(row.within),
            span(row.within_interval, 2),
        ]);
    }
    grid
}

fn function_grid(functions: &[GrownFunction]) -> Grid {
    let mut grid = Grid::default();
    grid.column("function", "", Block::Key, true);
    grid.column("lines", "at the end", Block::Key, true);
    grid.column("of", "", Block::Key, true);
    grid.column("growth", "mass", Block::Quality, false);
    grid.column("complexity", "by checkpoint", Block::Quality, true);
    grid.column("source lines", "", Block::Quality, true);
    for function in functions {
        let along = |of: fn(&crate::study::GrowthStep) -> u32| {
            let skipped = function.steps.len().saturating_sub(MAX_STEPS);
            let steps = function.steps.iter().skip(skipped);
            let steps: Vec<String> = steps.map(|step| of(step).to_string()).collect();
            let lead = if skipped > 0 { "… → " } else { "" };
            format!("{lead}{}", steps.join(" → "))
        };
        let last = function.steps.last();
        let lines = last.map(|last| format!("{}–{}", last.line, last.end_line));
        let place = format!("{}/{}", function.label, function.problem);
        grid.row(vec![
            plain(format::shorten(&format::clean(&function.name), 60)),
            plain(format::shorten(
                &format::clean(&format!("{}:{}", function.path, lines.unwrap_or_default())),
                60,
            )),
            plain(format::shorten(&format::clean(&place), 60)),
            plain(format::signed(function.growth, 1)),
            plain(along(|step| step.complexity)),
            plain(along(|step| step.sloc)),
        ]);
    }
    grid
}
