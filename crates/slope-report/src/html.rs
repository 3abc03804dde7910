//! Reports as one self-contained HTML file.

use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, UndefinedBehavior, Value, context};
use slope_model::run::RunReport;

use crate::charts::{self, Line, Look};
use crate::envelope::DEFINITIONS;
use crate::format::{self, MISSING};
use crate::metric::Metric;
use crate::rates::Proportion;
use crate::summary::{Note, RunSummary, summary};
use crate::view::{self, Cell, Column, Grid, Row};

const TEMPLATE: &str = include_str!("../templates/report.html");
const STYLE: &str = include_str!("../templates/report.css");

/// Why an HTML report could not be made; a defect of slope, whatever the reports hold.
#[derive(Debug, thiserror::Error)]
pub enum HtmlError {
    /// The page's template failed.
    #[error("cannot render the HTML report: {0:#}")]
    Template(#[from] minijinja::Error),
    /// A chart could not be drawn.
    #[error("cannot draw a chart of the HTML report: {0}")]
    Chart(#[from] charts_rs::Error),
}

/// Renders `reports` as one HTML file that needs nothing else: no script, no request, light and
/// dark by the reader's preference, made for paper too.
///
/// Everything from outside (labels, test ids, reasons) is escaped, and a policy in the page
/// forbids scripts and requests, so that nothing could run or be fetched even so.
///
/// # Errors
///
/// [`HtmlError`], never for what the reports hold.
pub fn render_html(reports: &[RunReport]) -> Result<String, HtmlError> {
    let labels = view::labels(reports);
    let summaries: Vec<RunSummary> = reports.iter().map(summary).collect();
    let lines = Lines::new(reports, &labels);
    let mut page = Grids::default();
    let mut env = Environment::new();
    env.set_undefined_behavior(UndefinedBehavior::Strict);
    env.set_syntax(
        SyntaxConfig::builder()
            .trim_blocks(true)
            .lstrip_blocks(true)
            .build()?,
    );
    env.add_template("report.html", TEMPLATE)?;
    let arms = crate::arms::arms(reports, &summaries);
    let several = summaries.len() > 1 || summaries.iter().any(|s| s.trials.len() > 1);
    let names: Vec<&str> = labels.iter().map(String::as_str).collect();
    Ok(env.get_template("report.html")?.render(context! {
        title => if names.is_empty() { "no runs".to_owned() } else { names.join(", ") },
        style => Value::from_safe_string(STYLE.to_owned()),
        version => env!("CARGO_PKG_VERSION"),
        cards => cards(reports, &summaries, &labels, &lines),
        legend => lines.legend(),
        charts => metric_charts(&lines, &summaries)?,
        slopes => several.then(|| page.add(&view::slope_grid(&labels, &summaries, true))),
        unpaired => view::unpaired(reports),
        arms => arms.as_ref().map(|arms| page.add(&view::arm_grid(arms))),
        arm_warnings => arms.as_ref().map(|arms| arms.warnings.clone()),
        rates => page.add(&view::rate_grid(&labels, &summaries)),
        trial_rates => page.add(&view::trial_rate_grid(&labels, &summaries)),
        coverage => page.add(&view::coverage_grid(&labels, &summaries)),
        spent => page.add(&view::spent_grid(&labels, &summaries)),
        runs => runs(reports, &summaries, &labels, &mut page)?,
        test_parts => charts::TEST_PARTS,
        notes => note_lists(reports, &summaries, &labels),
        definitions => definitions(),
    })?)
}

/// Which line stands for which trial.
struct Lines {
    /// Run, trial, name and look of each.
    lines: Vec<(usize, usize, String, Look)>,
}

impl Lines {
    fn new(reports: &[RunReport], labels: &[String]) -> Self {
        let all: usize = reports.iter().map(|r| r.trials.len()).sum();
        let mut lines = Vec::with_capacity(all);
        for (run, (report, label)) in reports.iter().zip(labels).enumerate() {
            for (trial, data) in report.trials.iter().enumerate() {
                let name = if report.trials.len() == 1 {
                    label.clone()
                } else {
                    format!("{label} · {}", view::trial_name(report, data))
                };
                // Few lines differ in both; of many, colour says the run, shape the trial.
                let at = lines.len();
                let look = if all <= charts::PALETTE {
                    Look::new(at, at)
                } else {
                    Look::new(run, trial)
                };
                lines.push((run, trial, name, look));
            }
        }
        Self { lines }
    }

    fn legend(&self) -> Vec<Value> {
        let entry = |(_, _, name, look): &(usize, usize, String, Look)| {
            context! { name, color => look.color, glyph => look.glyph().to_string() }
        };
        self.lines.iter().map(entry).collect()
    }
}

/// Tables of the page, numbered so that footnotes have addresses.
#[derive(Default)]
struct Grids {
    count: usize,
}

impl Grids {
    fn add(&mut self, grid: &Grid) -> Value {
        self.count += 1;
        let columns = grid.columns.iter();
        let row = |row: &Row| {
            let cells = row.cells.iter().zip(&grid.columns);
            context! {
                is_foot => row.is_foot,
                cells => cells.map(|(cell, column)| cell_value(cell, column)).collect::<Vec<_>>(),
            }
        };
        context! {
            id => self.count,
            columns => columns.map(column_value).collect::<Vec<_>>(),
            rows => grid.rows.iter().map(row).collect::<Vec<_>>(),
            notes => grid.notes.clone(),
        }
    }
}

fn column_value(column: &Column) -> Value {
    context! {
        title => column.title.clone(),
        unit => column.unit.clone(),
        is_text => column.is_text,
    }
}

fn cell_value(cell: &Cell, column: &Column) -> Value {
    context! {
        text => cell.text.clone(),
        tone => cell.tone.name(),
        is_text => column.is_text,
        note => cell.note,
    }
}

/// Metrics whose slopes stand on a run's card: the absolute ones first, because they are what
/// decisions rest on.
const CARD_METRICS: [Metric; 4] = [
    Metric::Mass,
    Metric::CloneLines,
    Metric::Erosion,
    Metric::Verbosity,
];

fn cards(
    reports: &[RunReport],
    summaries: &[RunSummary],
    labels: &[String],
    lines: &Lines,
) -> Vec<Value> {
    let all = reports.iter().zip(summaries).zip(labels).enumerate();
    all.map(|(run, ((report, summary), label))| {
        let look = lines.lines.iter().find(|l| l.0 == run).map(|l| l.3);
        let slopes: Vec<Value> =
            CARD_METRICS.iter().map(|metric| card_slope(summary, *metric)).collect();
        let rates: Vec<Value> = [
            ("strict", summary.rates.strict.conservative),
            ("isolated", summary.rates.isolated.conservative),
            ("core", summary.rates.core.conservative),
        ]
        .iter()
        .map(|(name, proportion)| card_rate(name, proportion))
        .collect();
        let coverage = summary.coverage;
        context! {
            label,
            color => look.map(|l| l.color),
            glyph => look.map(|l| l.glyph().to_string()),
            facts => view::run_facts(report).into_iter().filter(|f| !f.1.is_empty()).collect::<Vec<_>>(),
            rates, slopes,
            expected => coverage.expected,
            graded => coverage.graded,
            lost => coverage.lost,
            missing => coverage.missing(),
        }
    })
    .collect()
}

fn card_rate(name: &str, proportion: &Proportion) -> Value {
    let percent = |share: f64| format::percent(share, proportion.of);
    context! {
        name,
        count => proportion.count,
        of => proportion.of,
        share => proportion.rate.map(|r| r * 100.0),
        percent => proportion.rate.map(percent),
        interval => proportion.interval.map(|i| format!("{}–{}", percent(i.low), percent(i.high))),
    }
}

fn card_slope(summary: &RunSummary, metric: Metric) -> Value {
    let data = summary.metrics.iter().find(|m| m.metric == metric);
    let ends = data.and_then(|d| {
        let (first, last) = (d.first?, d.last?);
        let digits = format::decimals(metric.kind(), first.abs().max(last.abs()));
        Some(format!(
            "{} → {}",
            format::number(first, digits),
            format::number(last, digits)
        ))
    });
    let slope = data.and_then(|d| d.slope).map_or_else(
        || MISSING.to_owned(),
        |slope| {
            let digits = match format::decimals(metric.kind(), slope.abs()) {
                0 => 1,
                digits => digits,
            };
            format::signed(slope, digits)
        },
    );
    context! { title => metric.title(), slope, ends => ends.unwrap_or_else(|| MISSING.to_owned()) }
}

fn metric_charts(lines: &Lines, summaries: &[RunSummary]) -> Result<Vec<Value>, HtmlError> {
    Metric::ALL
        .into_iter()
        .map(|metric| metric_chart(metric, lines, summaries))
        .collect()
}

fn metric_chart(
    metric: Metric,
    lines: &Lines,
    summaries: &[RunSummary],
) -> Result<Value, HtmlError> {
    let drawn: Vec<Line> = lines
        .lines
        .iter()
        .map(|(run, trial, name, look)| {
            let along = summaries.get(*run).and_then(|s| s.trials.get(*trial));
            let data = along.and_then(|t| t.metrics.iter().find(|m| m.metric == metric));
            let values = data.map(|d| d.points.iter().map(|p| p.value).collect());
            Line {
                name: name.clone(),
                look: *look,
                values: values.unwrap_or_default(),
            }
        })
        .collect();
    let title = match metric.unit() {
        "" => metric.title().to_owned(),
        unit => format!("{} ({unit})", metric.title()),
    };
    let description = format!(
        "{} One line for each trial over its checkpoints; the values follow as a table.",
        metric.definition()
    );
    let svg = charts::line_chart(&drawn, metric.kind(), &title, &description)?;
    let largest = drawn
        .iter()
        .flat_map(|l| &l.values)
        .flatten()
        .copied()
        .map(f64::abs)
        .fold(0.0, f64::max);
    let digits = format::decimals(metric.kind(), largest);
    let positions = drawn.iter().map(|l| l.values.len()).max().unwrap_or(0);
    let rows: Vec<Value> = drawn
        .iter()
        .map(|line| {
            let value = |at: usize| line.values.get(at).copied().flatten();
            let text =
                |at| value(at).map_or_else(|| MISSING.to_owned(), |v| format::number(v, digits));
            context! { name => line.name.clone(), values => (0..positions).map(text).collect::<Vec<_>>() }
        })
        .collect();
    Ok(context! {
        title => metric.title(),
        unit => metric.unit(),
        definition => metric.definition(),
        svg => svg.map(Value::from_safe_string),
        positions => (1..=positions).collect::<Vec<_>>(),
        rows,
    })
}

fn runs(
    reports: &[RunReport],
    summaries: &[RunSummary],
    labels: &[String],
    page: &mut Grids,
) -> Result<Vec<Value>, HtmlError> {
    let mut runs = Vec::new();
    for ((report, summary), label) in reports.iter().zip(summaries).zip(labels) {
        let mut trials = Vec::new();
        for (trial, summary) in report.trials.iter().zip(&summary.trials) {
            let name = view::trial_name(report, trial);
            let title = format!("Tests of {label}, {name}");
            let description = "Stacked bars over checkpoints: tests passed by group, tests not \
                passed, unstable tests. The table below has the numbers.";
            let svg = charts::tests_chart(trial, &title, description)?;
            trials.push(context! {
                name,
                svg => svg.map(Value::from_safe_string),
                table => page.add(&view::trial_grid(trial, summary, &Metric::ALL)),
                not_passed => not_passed(trial),
            });
        }
        runs.push(context! { label, trials });
    }
    Ok(runs)
}

/// Tests that did not pass, by checkpoint.
fn not_passed(trial: &slope_model::run::TrialReport) -> Vec<Value> {
    let some = trial
        .checkpoints
        .iter()
        .filter(|c| !c.not_passed.is_empty());
    some.map(|checkpoint| {
        let tests = checkpoint
            .not_passed
            .iter()
            .map(|t| format::shorten(&format::clean(t), 300));
        context! {
            checkpoint => format::clean(&checkpoint.checkpoint),
            tests => tests.collect::<Vec<_>>(),
        }
    })
    .collect()
}

/// Title, explanation, and where the notes are.
type NoteList = (&'static str, &'static str, fn(&RunSummary) -> &Vec<Note>);

fn note_lists(reports: &[RunReport], summaries: &[RunSummary], labels: &[String]) -> Vec<Value> {
    let lists: [NoteList; 2] = [
        (
            "Integrity",
            "What was seen of agents and programs. Noted is what honest work does, too; a violation is not. No verdict rests on either.",
            |s| &s.integrity,
        ),
        (
            "Unstable tests",
            "Different outcomes on the same code: counted apart, neither passed nor failed.",
            |s| &s.unstable,
        ),
    ];
    let list = |(title, about, of): NoteList| {
        let all = reports.iter().zip(summaries).zip(labels);
        let items: Vec<Value> = all
            .flat_map(|((report, summary), label)| {
                of(summary).iter().map(|note| {
                    let (place, text) = view::note_line(label, note, report.trials.len() > 1);
                    let evidence = note.evidence.iter().map(|line| format::clean(line));
                    context! { place, text, evidence => evidence.collect::<Vec<_>>() }
                })
            })
            .collect();
        context! { title, about, items }
    };
    lists.into_iter().map(list).collect()
}

fn definitions() -> Vec<Value> {
    let metrics = Metric::ALL.iter().map(|m| (m.title(), m.definition()));
    let words = DEFINITIONS.iter().map(|(name, text)| (*name, *text));
    metrics
        .chain(words)
        .map(|(name, text)| context! { name, text })
        .collect()
}
