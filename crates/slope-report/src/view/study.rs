//! The tables of a study.

use slope_stats::Interval;

use super::{Block, Cell, Grid, Tone, causes, compare, versions};
use crate::format::{self, Kind, MISSING};
use crate::metric::Metric;
use crate::rates::Proportion;
use crate::study::{
    Binning, Cohort, CohortRate, MetricMean, PHASES, PhaseQuantity, PhaseRow, PhaseValue, Study,
};

/// A table with the words above it.
pub(crate) type Titled = (String, Grid);

/// One of a cohort's rates.
type RateOf = fn(&Cohort) -> &CohortRate;

/// All tables of a study, in their order.
pub(crate) fn study_grids(study: &Study) -> Vec<Titled> {
    let names = names(&study.cohorts);
    let mut grids = vec![
        ("Cohorts".to_owned(), main_grid(study, &names)),
        (
            "Solve rates of cohorts".to_owned(),
            rate_grid(study, &names),
        ),
        (
            "Coverage of cohorts".to_owned(),
            coverage_grid(study, &names),
        ),
        ("Rising trajectories".to_owned(), rising_grid(study, &names)),
    ];
    for (cohort, name) in study.cohorts.iter().zip(&names) {
        if !cohort.phases.is_empty() {
            grids.push((format!("Phases of {name}"), phase_grid(&cohort.phases)));
        }
    }
    grids.extend(compare::grids(study, &names));
    grids.extend(versions::grids(&study.versions));
    grids.extend(causes::grids(study, &names));
    grids
}

/// Left-out runs, and caveats of stored numbers, a line each.
pub(crate) fn study_lists(study: &Study) -> Vec<(&'static str, Vec<String>)> {
    let clean = |text: String| format::shorten(&format::clean(&text), 300);
    let left_out = study.left_out.iter();
    let left_out = left_out.map(|l| clean(format!("{}: {}", l.path.display(), l.reason)));
    let remarks = study.remarks.iter().map(|remark| {
        let place = remark.place.as_ref().map(|place| format!(" {place}"));
        let run = remark.run.file_name().unwrap_or(remark.run.as_os_str());
        clean(format!(
            "{}: {}{}: {}",
            remark.kind,
            run.to_string_lossy(),
            place.unwrap_or_default(),
            remark.text
        ))
    });
    let names = names(&study.cohorts);
    let cleaned = |lines: Vec<String>| lines.into_iter().map(clean).collect::<Vec<_>>();
    let lists = [
        (
            "Solved by only one of two",
            cleaned(compare::solved_alone(study, &names)),
        ),
        (
            "Evidence for the classes of failures",
            cleaned(causes::evidence(&study.failures)),
        ),
        (
            "Classes that cannot be distinguished",
            cleaned(causes::undecided(&study.failures)),
        ),
        ("Panels by tier", cleaned(study.without_tiers.clone())),
        (
            "Sensitivity to versions",
            study.versions.missing.iter().cloned().collect(),
        ),
        ("Left out", left_out.collect::<Vec<_>>()),
        ("Remarks on stored numbers", remarks.collect()),
    ];
    lists.into_iter().filter(|(_, l)| !l.is_empty()).collect()
}

/// Explanation of the terms and numbers in the tables.
pub(crate) fn study_legend(study: &Study) -> String {
    let binning = match study.binning {
        Binning::Paper => "as in the paper (first, three thirds of the middle, last)",
        Binning::Dashboard => "as in the dashboard (⌈5i/n⌉, the last of a phase)",
    };
    format!(
        "Rates are of graded checkpoints; infrastructure and ungraded ones are in no rate. \
         Wilson's interval takes checkpoints to be independent; intervals by \
         problem, and those of phases, are percentiles over {} resamples of problems (seed {}). \
         Phases are {binning}; a value is the mean over problems, lost checkpoints counted as \
         unsolved.",
        study.bootstrap.resamples, study.bootstrap.seed
    )
}

/// Names of the cohorts: the model, and agent and arm where these differ between cohorts.
pub(crate) fn names(cohorts: &[Cohort]) -> Vec<String> {
    let differ = |of: fn(&Cohort) -> &Option<String>| {
        let mut known = cohorts.iter().filter_map(|c| of(c).as_ref());
        let first = known.next();
        known.any(|other| Some(other) != first)
    };
    let (agents, arms) = (differ(|c| &c.agent), differ(|c| &c.arm));
    let name = |cohort: &Cohort| {
        let Some(model) = &cohort.model else {
            return "all".to_owned();
        };
        // Agents without a model have a name, too.
        let agents = agents || model.is_empty();
        let others = [(agents, &cohort.agent), (arms, &cohort.arm)];
        let others = others.into_iter().filter(|(differ, _)| *differ);
        let parts = others.filter_map(|(_, part)| part.as_deref());
        let parts = std::iter::once(model.as_str()).chain(parts);
        let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
        format::shorten(&format::clean(&parts.join(" · ")), 60)
    };
    cohorts.iter().map(name).collect()
}

pub(super) fn plain(text: impl Into<String>) -> Cell {
    Cell::new(text, Tone::Plain)
}

pub(super) fn missing() -> Cell {
    Cell::new(MISSING, Tone::Faint)
}

pub(super) fn share(proportion: &Proportion) -> Cell {
    match proportion.rate {
        Some(rate) => plain(format::percent(rate, proportion.of)),
        None => missing(),
    }
}

pub(super) fn between(interval: Option<Interval>, of: u32) -> Cell {
    let percent = |share: f64| format::percent(share, of);
    match interval {
        Some(Interval { low, high }) => plain(format!("{}–{}", percent(low), percent(high))),
        None => missing(),
    }
}

/// A table with a row for each cohort, and these columns of numbers.
fn of_cohorts(columns: &[(&str, &str, Block)]) -> Grid {
    let mut grid = Grid::default();
    grid.column("cohort", "", Block::Key, true);
    for (title, unit, block) in columns {
        grid.column(*title, unit, *block, false);
    }
    grid
}

/// The published main table: a row for each cohort.
fn main_grid(study: &Study, names: &[String]) -> Grid {
    let metrics = [
        (Metric::COST, "USD each", Block::Effort),
        (Metric::AGENT_TIME, "min each", Block::Effort),
        (Metric::EROSION, "mean ± sd", Block::Quality),
        (Metric::VERBOSITY, "mean ± sd", Block::Quality),
    ];
    let mut columns = vec![
        ("strict", "%", Block::Tests),
        ("isolated", "%", Block::Tests),
        ("core", "%", Block::Tests),
        ("partial", "% of trials", Block::Tests),
    ];
    columns.extend(metrics.map(|(metric, unit, block)| (metric.short(), unit, block)));
    let mut grid = of_cohorts(&columns);
    for (cohort, name) in study.cohorts.iter().zip(names) {
        let mut cells = vec![plain(name)];
        let rates = [&cohort.strict, &cohort.isolated, &cohort.core];
        cells.extend(rates.map(|rate| share(&rate.rate.graded)));
        cells.push(share(&cohort.partial.known));
        for (metric, ..) in metrics {
            let mean = cohort.per_checkpoint.iter().find(|m| m.metric == metric);
            cells.push(mean.map_or_else(missing, |mean| mean_cell(&mut grid, mean)));
        }
        grid.row(cells);
    }
    grid
}

fn mean_cell(grid: &mut Grid, of: &MetricMean) -> Cell {
    let mut cell = match (of.mean, of.metric.kind()) {
        (None, _) => missing(),
        (Some(mean), Kind::Ratio) => {
            let deviation = of
                .deviation
                .map(|sd| format!(" ± {}", format::number(sd, 3)));
            plain(format::number(mean, 3) + &deviation.unwrap_or_default())
        }
        (Some(mean), Kind::Seconds) => plain(format::number(mean / 60.0, 1)),
        (Some(mean), kind) => plain(format::number(mean, format::decimals(kind, mean))),
    };
    if of.missing > 0 {
        let all = of.n + of.missing;
        let checkpoints = format::plural(all, "checkpoint");
        let note = format!(
            "unknown for {} of {checkpoints} (not in the means)",
            of.missing
        );
        cell.note = Some(grid.note(&note));
    }
    cell
}

/// Rates with both intervals.
fn rate_grid(study: &Study, names: &[String]) -> Grid {
    let mut grid = Grid::default();
    grid.column("rate", "", Block::Key, true);
    grid.column("cohort", "", Block::Key, true);
    grid.column("solved", "of graded", Block::Tests, false);
    grid.column("share", "%", Block::Tests, false);
    grid.column("Wilson", "95 %", Block::Tests, false);
    grid.column("by problem", "95 %", Block::Tests, false);
    grid.column("lost counted", "%", Block::Quality, false);
    let rates: [(&str, RateOf); 3] = [
        ("strict", |c| &c.strict),
        ("isolated", |c| &c.isolated),
        ("core", |c| &c.core),
    ];
    for (rate, of) in rates {
        for (place, (cohort, name)) in study.cohorts.iter().zip(names).enumerate() {
            let CohortRate {
                rate: counted,
                by_problem,
            } = of(cohort);
            let graded = &counted.graded;
            grid.row(vec![
                plain(if place == 0 { rate } else { "" }),
                plain(name),
                plain(format!("{}/{}", graded.count, graded.of)),
                share(graded),
                between(graded.interval, graded.of),
                between(*by_problem, graded.of),
                share(&counted.conservative),
            ]);
        }
    }
    for (place, (cohort, name)) in study.cohorts.iter().zip(names).enumerate() {
        let known = &cohort.partial.known;
        grid.row(vec![
            plain(if place == 0 { "partial (trials)" } else { "" }),
            plain(name),
            plain(format!("{}/{}", known.count, known.of)),
            share(known),
            between(known.interval, known.of),
            missing(),
            missing(),
        ]);
    }
    grid
}

/// Coverage of the numbers.
fn coverage_grid(study: &Study, names: &[String]) -> Grid {
    let mut grid = of_cohorts(&[
        ("runs", "", Block::Tests),
        ("trials", "", Block::Tests),
        ("problems", "", Block::Tests),
        ("expected", "checkpoints", Block::Tests),
        ("graded", "", Block::Tests),
        ("lost", "unsolved", Block::Tests),
        ("infrastructure", "missing", Block::Tests),
        ("ungraded", "missing", Block::Tests),
    ]);
    for (cohort, name) in study.cohorts.iter().zip(names) {
        let c = cohort.coverage;
        let mut cells = vec![plain(name)];
        let plain_counts = [
            cohort.runs,
            cohort.trials,
            cohort.problems,
            c.expected,
            c.graded,
        ];
        cells.extend(plain_counts.map(|n| plain(n.to_string())));
        for n in [c.lost, c.infrastructure, c.ungraded] {
            let tone = if n == 0 { Tone::Faint } else { Tone::Warn };
            cells.push(Cell::new(n.to_string(), tone));
        }
        grid.row(cells);
    }
    grid
}

/// Number of trajectories that end above their beginning.
fn rising_grid(study: &Study, names: &[String]) -> Grid {
    let mut grid = Grid::default();
    grid.column("metric", "", Block::Key, true);
    grid.column("cohort", "", Block::Key, true);
    grid.column("rising", "trials", Block::Quality, false);
    grid.column("share", "%", Block::Quality, false);
    grid.column("Wilson", "95 %", Block::Quality, false);
    let metrics = study.cohorts.first().map_or(0, |c| c.rising.len());
    for at in 0..metrics {
        for (place, (cohort, name)) in study.cohorts.iter().zip(names).enumerate() {
            let Some(rising) = cohort.rising.get(at) else {
                continue;
            };
            let of = &rising.share;
            let mut count = plain(format!("{}/{}", of.count, of.of));
            if rising.missing > 0 {
                let trials = format::plural(rising.missing, "trial");
                count.note =
                    Some(grid.note(&format!("{trials} with fewer than two values left out")));
            }
            let title = match place {
                0 => rising.metric.title(),
                _ => String::new(),
            };
            grid.row(vec![
                plain(title),
                plain(name),
                count,
                share(of),
                between(of.interval, of.of),
            ]);
        }
    }
    grid
}

/// Quantities by phase: a row of means, and one of their intervals below it.
fn phase_grid(rows: &[PhaseRow]) -> Grid {
    let mut grid = Grid::default();
    grid.column("quantity", "", Block::Key, true);
    for phase in PHASES {
        grid.column(phase, "", Block::Quality, false);
    }
    grid.column("slope", "per phase", Block::Quality, false);
    let usual: Vec<u32> = rows.first().map_or_else(Vec::new, |row| {
        row.values.iter().map(|value| value.problems).collect()
    });
    let mut cells = vec![plain("problems")];
    cells.extend(usual.iter().map(|n| plain(n.to_string())));
    cells.push(plain(""));
    grid.row(cells);
    for row in rows {
        let (name, scale, digits) = spelled(row);
        let number = |value: f64| format::number(value * scale, digits);
        let more = if digits == 3 { 4 } else { digits + 1 };
        let mut means = vec![plain(name)];
        for (value, usual) in row.values.iter().zip(&usual) {
            let mut cell = value.mean.map_or_else(missing, |mean| plain(number(mean)));
            if value.mean.is_some() && value.problems != *usual {
                cell.note = Some(grid.note(&format::plural(value.problems, "problem")));
            }
            means.push(cell);
        }
        let slope = row.slope.map(|slope| format::signed(slope * scale, more));
        means.push(slope.map_or_else(missing, plain));
        grid.row(means);
        if row.values.iter().any(|value| value.interval.is_some()) {
            grid.row(interval_cells(row, number));
        }
    }
    grid
}

fn interval_cells(row: &PhaseRow, number: impl Fn(f64) -> String) -> Vec<Cell> {
    let faint = |text: String| Cell::new(text, Tone::Faint);
    let between = |value: &PhaseValue| match value.interval {
        Some(interval) => faint(format!(
            "{}–{}",
            number(interval.low),
            number(interval.high)
        )),
        None => faint(String::new()),
    };
    let mut cells = vec![faint("  95 %".to_owned())];
    cells.extend(row.values.iter().map(between));
    cells.push(faint(String::new()));
    cells
}

/// Name of a row's quantity, the factor to its unit, and its digits.
pub(crate) fn spelled(row: &PhaseRow) -> (String, f64, usize) {
    let largest = row.values.iter().filter_map(|v| v.mean).fold(0.0, f64::max);
    match row.quantity {
        PhaseQuantity::Strict => ("strict, %".to_owned(), 100.0, 0),
        PhaseQuantity::Isolated => ("isolated, %".to_owned(), 100.0, 0),
        PhaseQuantity::Core => ("core, %".to_owned(), 100.0, 0),
        PhaseQuantity::Tests(group) => (format!("{} tests, %", group.name()), 100.0, 0),
        PhaseQuantity::Metric(metric) if metric.kind() == Kind::Seconds => {
            (format!("{}, min", metric.title()), 1.0 / 60.0, 1)
        }
        PhaseQuantity::Metric(metric) => {
            let unit = match metric.unit() {
                "" | "0–1" => String::new(),
                unit => format!(", {unit}"),
            };
            let digits = format::decimals(metric.kind(), largest);
            (format!("{}{unit}", metric.title()), 1.0, digits)
        }
    }
}
