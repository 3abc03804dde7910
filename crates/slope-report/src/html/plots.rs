//! Data of the page's plots. The page's script passes it to the charting library and decides on
//! their style.

use minijinja::{Value, context};
use serde::Serialize;
use slope_stats::Interval;

use crate::format::{self, MISSING};
use crate::metric::Metric;
use crate::study::{Cohort, PHASES, PhaseQuantity, PhaseRow, Study};
use crate::summary::RunSummary;
use crate::view;

/// Colours and shapes of the page's palette.
const COLORS: usize = 6;
const SHAPES: usize = 4;

/// Distinction of lines: by colour, and by the shape of their points, which also works in print and
/// for readers who do not see the colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(super) struct Look {
    color: usize,
    shape: usize,
}

impl Look {
    pub(super) fn new(color: usize, shape: usize) -> Self {
        Self {
            color: color % COLORS,
            shape: shape % SHAPES,
        }
    }

    pub(super) fn value(self) -> Value {
        let glyph = ['●', '■', '▲', '◆'].get(self.shape).unwrap_or(&'●');
        context! { color => self.color, glyph => glyph.to_string() }
    }
}

/// Kind of a plot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Form {
    /// Lines over positions, with bands for intervals.
    Lines,
    /// A row for each name and series: a point and its intervals.
    Interval,
}

/// A plot.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Plot {
    form: Form,
    title: String,
    /// Its subtitle.
    #[serde(skip)]
    about: String,
    /// Names of the positions.
    x: Vec<String>,
    /// Name of the positions.
    x_name: &'static str,
    /// Name of the values, with their unit.
    y_name: String,
    /// Digits behind the point.
    decimals: usize,
    /// The legend with its series as entries.
    legend: &'static str,
    series: Vec<Series>,
}

/// Values under one name; `null` for a missing value.
#[derive(Debug, Clone, Default, Serialize)]
struct Series {
    name: String,
    #[serde(flatten)]
    look: Option<Look>,
    values: Vec<Option<f64>>,
    low: Vec<Option<f64>>,
    high: Vec<Option<f64>>,
    /// A second, wider interval.
    outer_low: Vec<Option<f64>>,
    outer_high: Vec<Option<f64>>,
}

impl Series {
    fn push(&mut self, value: Option<f64>, interval: Option<Interval>, scale: f64) {
        self.values.push(value.map(|v| v * scale));
        self.low.push(interval.map(|i| i.low * scale));
        self.high.push(interval.map(|i| i.high * scale));
    }

    fn has_values(&self) -> bool {
        self.values.iter().any(Option::is_some)
    }

    /// Value and intervals as shown in a table.
    fn cell(&self, at: usize, decimals: usize) -> String {
        let of = |all: &[Option<f64>]| all.get(at).copied().flatten();
        let Some(value) = of(&self.values) else {
            return MISSING.to_owned();
        };
        let text = |value| format::number(value, decimals);
        match (of(&self.low), of(&self.high)) {
            (Some(low), Some(high)) => format!("{} ({}–{})", text(value), text(low), text(high)),
            _ => text(value),
        }
    }
}

impl Plot {
    /// The plot in the template, under an id; its values are a table.
    pub(super) fn value(&self, id: &str) -> Value {
        let row = |series: &Series| {
            let cells = (0..self.x.len()).map(|at| series.cell(at, self.decimals));
            context! { name => series.name.clone(), values => cells.collect::<Vec<_>>() }
        };
        context! {
            id,
            title => self.title.clone(),
            unit => (self.y_name != self.title.to_lowercase()).then(|| self.y_name.clone()),
            about => self.about.clone(),
            is_wide => self.form == Form::Interval,
            has_values => self.series.iter().any(Series::has_values),
            x => self.x.clone(),
            x_name => self.x_name,
            rows => self.series.iter().map(row).collect::<Vec<_>>(),
        }
    }
}

/// Looks of `count` cohorts.
pub(super) fn cohort_looks(count: usize) -> Vec<Look> {
    (0..count).map(|at| Look::new(at, at)).collect()
}

/// Solve rates of the cohorts with both intervals.
pub(super) fn rates(study: &Study, names: &[String]) -> Plot {
    let series = |(at, (cohort, name)): (usize, (&Cohort, &String))| {
        let mut series = Series {
            name: name.clone(),
            look: Some(Look::new(at, at)),
            ..Series::default()
        };
        for rate in [&cohort.strict, &cohort.isolated, &cohort.core] {
            series.push(rate.rate.graded.rate, rate.rate.graded.interval, 100.0);
            series
                .outer_low
                .push(rate.by_problem.map(|i| i.low * 100.0));
            series
                .outer_high
                .push(rate.by_problem.map(|i| i.high * 100.0));
        }
        let partial = &cohort.partial.known;
        series.push(partial.rate, partial.interval, 100.0);
        series.outer_low.push(None);
        series.outer_high.push(None);
        series
    };
    Plot {
        form: Form::Interval,
        title: "Solve rates".to_owned(),
        about:
            "Points are rates of graded checkpoints, partial of trials. Thin lines are Wilson's \
                95 % intervals, broad ones those over resampled problems (two problems at least)."
                .to_owned(),
        x: ["strict", "isolated", "core", "partial"]
            .map(str::to_owned)
            .to_vec(),
        x_name: "rate",
        y_name: "% solved".to_owned(),
        decimals: 0,
        legend: "cohorts",
        series: study
            .cohorts
            .iter()
            .zip(names)
            .enumerate()
            .map(series)
            .collect(),
    }
}

/// A heading with the plots of phases under it.
pub(super) type PhaseGroup = (&'static str, Vec<Plot>);

/// Plots of every quantity through the phases, a line for each cohort.
pub(super) fn phases(study: &Study, names: &[String]) -> Vec<PhaseGroup> {
    let mut groups: [PhaseGroup; 4] = [
        ("Solve rates by phase", Vec::new()),
        ("Tests passed by group and phase", Vec::new()),
        ("Cost and time by phase", Vec::new()),
        ("Quality by phase", Vec::new()),
    ];
    let mut quantities: Vec<PhaseQuantity> = Vec::new();
    for row in study.cohorts.iter().flat_map(|cohort| &cohort.phases) {
        if !quantities.contains(&row.quantity) {
            quantities.push(row.quantity);
        }
    }
    for quantity in quantities {
        let group = match quantity {
            PhaseQuantity::Strict | PhaseQuantity::Isolated | PhaseQuantity::Core => 0,
            PhaseQuantity::Tests(_) => 1,
            PhaseQuantity::Metric(metric) if metric.is_effort() => 2,
            PhaseQuantity::Metric(_) => 3,
        };
        groups[group].1.push(phase(study, names, quantity));
    }
    groups
        .into_iter()
        .filter(|(_, plots)| !plots.is_empty())
        .collect()
}

fn phase(study: &Study, names: &[String], quantity: PhaseQuantity) -> Plot {
    let row = |cohort: &'_ Cohort| -> Option<PhaseRow> {
        cohort
            .phases
            .iter()
            .find(|row| row.quantity == quantity)
            .cloned()
    };
    let rows: Vec<Option<PhaseRow>> = study.cohorts.iter().map(row).collect();
    // Digits are those of the cohort with the largest values.
    let spelled = rows.iter().flatten().map(view::spelled);
    let (name, scale, digits) =
        spelled
            .min_by_key(|(_, _, digits)| *digits)
            .unwrap_or((String::new(), 1.0, 0));
    let (title, unit) = name.split_once(", ").unwrap_or((&name, ""));
    let series = rows.iter().zip(names).enumerate().map(|(at, (row, name))| {
        let mut series = Series {
            name: name.clone(),
            look: Some(Look::new(at, at)),
            ..Series::default()
        };
        for value in row.iter().flat_map(|row| &row.values) {
            series.push(value.mean, value.interval, scale);
        }
        series
    });
    let unit = if unit.is_empty() {
        title.to_lowercase()
    } else {
        unit.to_owned()
    };
    Plot {
        form: Form::Lines,
        title: title.to_owned(),
        about: about(quantity).to_owned(),
        x: PHASES.map(str::to_owned).to_vec(),
        x_name: "phase",
        y_name: unit,
        decimals: digits,
        legend: "cohorts",
        series: series.collect(),
    }
}

fn about(quantity: PhaseQuantity) -> &'static str {
    match quantity {
        PhaseQuantity::Strict => "Checkpoints where every stable test passed.",
        PhaseQuantity::Isolated => "Checkpoints where all tests but those of regression passed.",
        PhaseQuantity::Core => "Checkpoints where every core test passed.",
        PhaseQuantity::Tests(_) => "Stable tests of the group that passed.",
        PhaseQuantity::Metric(metric) => metric.definition(),
    }
}

/// A line of the plots over checkpoints: a trial.
pub(super) struct Line {
    pub(super) run: usize,
    pub(super) trial: usize,
    pub(super) name: String,
    pub(super) look: Look,
}

/// Every metric over the checkpoints, a line for each trial.
pub(super) fn metrics(lines: &[Line], summaries: &[RunSummary]) -> Vec<Plot> {
    Metric::all()
        .map(|metric| over_checkpoints(metric, lines, summaries))
        .collect()
}

fn over_checkpoints(metric: Metric, lines: &[Line], summaries: &[RunSummary]) -> Plot {
    let series = |line: &Line| {
        let along = summaries
            .get(line.run)
            .and_then(|s| s.trials.get(line.trial));
        let data = along.and_then(|t| t.metrics.iter().find(|m| m.metric == metric));
        let mut series = Series {
            name: line.name.clone(),
            look: Some(line.look),
            ..Series::default()
        };
        for point in data.iter().flat_map(|d| &d.points) {
            series.push(point.value, None, 1.0);
        }
        series
    };
    let mut all: Vec<Series> = lines.iter().map(series).collect();
    let longest = all.iter().map(|s| s.values.len()).max().unwrap_or(0);
    for series in &mut all {
        for values in [&mut series.values, &mut series.low, &mut series.high] {
            values.resize(longest, None);
        }
    }
    Plot {
        form: Form::Lines,
        title: metric.title(),
        about: metric.definition().to_owned(),
        x: (1..=longest).map(|at| at.to_string()).collect(),
        x_name: "checkpoint",
        y_name: unit(metric),
        decimals: decimals(metric, summaries),
        legend: "trials",
        series: all,
    }
}

/// The axis label of a metric.
pub(super) fn unit(metric: Metric) -> String {
    match metric.unit() {
        "" => metric.title.to_owned(),
        unit => unit.to_owned(),
    }
}

/// Digits of a metric, so that all of the page's values of it line up.
pub(super) fn decimals(metric: Metric, summaries: &[RunSummary]) -> usize {
    let metrics = summaries
        .iter()
        .flat_map(|s| &s.trials)
        .flat_map(|t| &t.metrics);
    let points = metrics
        .filter(|m| m.metric == metric)
        .flat_map(|m| &m.points);
    let largest = points
        .filter_map(|point| point.value)
        .fold(0.0, |a: f64, v| a.max(v.abs()));
    format::decimals(metric.kind(), largest)
}
