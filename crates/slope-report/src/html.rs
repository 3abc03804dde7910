//! Reports as one self-contained HTML file.

mod grids;
mod plots;
mod trials;

use std::collections::BTreeMap;

use minijinja::{Value, context};
use serde::Serialize;
use slope_model::exhibit::TrialExhibit;
use slope_model::problem::Group;
use slope_model::run::RunReport;

use crate::envelope::DEFINITIONS;
use crate::format::{self, MISSING};
use crate::metric::Metric;
use crate::rates::Proportion;
use crate::sheet;
use crate::study::{Cohort, Study};
use crate::summary::{Note, RunSummary, summary};
use crate::view::{self, Grid};
pub(crate) use grids::{Grids, add_template};
use plots::{Line, Look, Plot};

const TEMPLATE: &str = include_str!("../templates/report.html");
const STYLE: &str = concat!(
    include_str!("../templates/report.css"),
    include_str!("../templates/run.css")
);
/// The page's own script, and its SHA-256 in Base64: the page's policy lets no other script run.
const SCRIPT: &str = include_str!("../templates/report.js");
const SCRIPT_HASH: &str = include_str!("../templates/report.js.sha256");
/// The charting library, and its SHA-256 in Base64.
const LIBRARY: &str = include_str!("../third_party/echarts/echarts.common.min.js");
const LIBRARY_HASH: &str = include_str!("../third_party/echarts/echarts.common.min.js.sha256");

/// Maximum number of trials in the plots over checkpoints and with a table on the first view; each
/// has its own page as well.
const MAX_TRIALS: usize = 24;

/// Reason that an HTML report could not be made; a defect of slope, whatever the reports contain.
#[derive(Debug, thiserror::Error)]
pub enum HtmlError {
    /// The page's template failed.
    #[error("cannot render the HTML report")]
    Template(#[from] minijinja::Error),
    /// A chart could not be drawn.
    #[error("cannot draw a chart of the HTML report")]
    Chart(#[from] charts_rs::Error),
    /// The data of the page's script could not be written.
    #[error("cannot write the data of the HTML report")]
    Data(#[from] serde_json::Error),
}

/// Content of a page.
#[derive(Debug, Clone, Copy)]
pub struct Page<'a> {
    /// The runs.
    pub reports: &'a [RunReport],
    /// Their joint results.
    pub study: &'a Study,
    /// Details of trials; for others the page says that they are missing.
    pub details: &'a [TrialExhibit],
}

/// Renders a page as one self-contained HTML file: no requests, light and dark by the reader's
/// preference or choice, also for print. It has an overview, a page for each trial, and a
/// comparison of two trials.
///
/// All foreign text (labels, test ids, code, agents' messages) is escaped. A policy in the page
/// forbids requests and allows only its two scripts by their hashes, so that nothing else could run
/// even if it were not escaped: one is the charting library, the other its own.
///
/// # Errors
///
/// [`HtmlError`], which never depends on the content of the reports.
pub fn render_html(page: &Page<'_>) -> Result<String, HtmlError> {
    let reports = page.reports;
    let labels = view::labels(reports);
    let summaries: Vec<RunSummary> = reports.iter().map(summary).collect();
    let lines = lines(page, &labels);
    let embedded = trials::embedded(reports, &labels, page.details)?;
    let mut grids = Grids::default();
    let mut drawn = Plots::default();
    let mut env = sheet::environment()?;
    add_template(&mut env)?;
    env.add_template("report.html", TEMPLATE)?;
    let arms = crate::arms::arms(reports, &summaries);
    let several = summaries.len() > 1 || summaries.iter().any(|s| s.trials.len() > 1);
    let names: Vec<&str> = labels.iter().map(String::as_str).collect();
    let fits = lines.len() <= MAX_TRIALS;
    let trajectories = if fits {
        plots::metrics(&lines, &summaries)
    } else {
        Vec::new()
    };
    let context = context! {
        title => title(&names),
        style => Value::from_safe_string(STYLE.to_owned()),
        script => Value::from_safe_string(SCRIPT.to_owned()),
        script_hash => Value::from_safe_string(SCRIPT_HASH.trim().to_owned()),
        library => Value::from_safe_string(LIBRARY.to_owned()),
        library_hash => Value::from_safe_string(LIBRARY_HASH.trim().to_owned()),
        version => env!("CARGO_PKG_VERSION"),
        cards => cards(reports, &summaries, &labels, &lines),
        study => study(page.study, &mut grids, &mut drawn),
        legend => lines.iter().map(legend_entry).collect::<Vec<_>>(),
        charts => trajectories.iter().map(|plot| drawn.add(plot)).collect::<Vec<_>>(),
        fits,
        most_trials => MAX_TRIALS,
        slopes => several.then(|| grids.add(&view::slope_grid(&labels, &summaries, true))),
        unpaired => view::unpaired(reports),
        arms => arms.as_ref().map(|arms| grids.add(&view::arm_grid(arms))),
        arm_warnings => arms.as_ref().map(|arms| arms.warnings.clone()),
        rates => grids.add(&view::rate_grid(&labels, &summaries)),
        trial_rates => grids.add(&view::trial_rate_grid(&labels, &summaries)),
        coverage => grids.add(&view::coverage_grid(&labels, &summaries)),
        spent => grids.add(&view::spent_grid(&labels, &summaries)),
        runs => runs(reports, &summaries, &labels, fits, &mut grids),
        notes => note_lists(reports, &summaries, &labels),
        definitions => definitions(),
        trials => embedded.iter().map(|t| Value::from_safe_string(t.json.clone())).collect::<Vec<_>>(),
        data => Value::from_safe_string(drawn.data(&embedded, &summaries)?),
    };
    Ok(env.get_template("report.html")?.render(context)?)
}

/// The first labels, short enough for a title of one line.
fn title(names: &[&str]) -> String {
    match names {
        [] => "no runs".to_owned(),
        [a, b, c, _, ..] => format!("{a}, {b}, {c} and {} more", names.len() - 3),
        few => few.join(", "),
    }
}

/// The line of each trial. If there are several cohorts, a trial has its cohort's colour.
fn lines(page: &Page<'_>, labels: &[String]) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let mut of_cohorts = vec![0; page.study.cohorts.len()];
    for (run, (report, label)) in page.reports.iter().zip(labels).enumerate() {
        let cohort = page.study.cohorts.iter().position(|c| is_of(c, report));
        let cohort = cohort.filter(|_| of_cohorts.len() > 1);
        for (trial, data) in report.trials.iter().enumerate() {
            let name = match (page.reports.len(), report.trials.len()) {
                (1, 2..) => view::trial_name(report, data),
                (_, 1) => label.clone(),
                _ => format!("{label} · {}", view::trial_name(report, data)),
            };
            let look = match cohort {
                Some(cohort) => {
                    let before = of_cohorts[cohort];
                    of_cohorts[cohort] += 1;
                    Look::new(cohort, cohort + before)
                }
                None => Look::new(lines.len(), lines.len()),
            };
            lines.push(Line {
                run,
                trial,
                name,
                look,
            });
        }
    }
    lines
}

/// Whether the run belongs to the cohort; never to the cohort of all runs.
fn is_of(cohort: &Cohort, report: &RunReport) -> bool {
    let config = &report.config;
    let agent = format!("{} {}", config.agent, config.agent_version);
    cohort.model.as_deref() == Some(&config.model)
        && cohort.agent.as_deref() == Some(agent.trim())
        && cohort.arm.as_deref() == Some(&crate::arms::arm(report))
}

fn legend_entry(line: &Line) -> Value {
    context! { name => line.name.clone(), ..line.look.value() }
}

/// The plots of the page under their ids.
#[derive(Default)]
struct Plots {
    all: BTreeMap<String, Plot>,
}

impl Plots {
    fn add(&mut self, plot: &Plot) -> Value {
        let id = format!("plot-{}", self.all.len() + 1);
        let value = plot.value(&id);
        self.all.insert(id, plot.clone());
        value
    }

    /// Data for the page's script: the plots, the names of the trials, and the metrics of
    /// checkpoints.
    fn data(
        &self,
        trials: &[trials::Embedded],
        summaries: &[RunSummary],
    ) -> Result<String, HtmlError> {
        let metric = |metric: Metric| MetricInfo {
            title: metric.title(),
            unit: metric.unit(),
            decimals: plots::decimals(metric, summaries),
        };
        trials::embeddable(&PageData {
            plots: &self.all,
            trials: trials.iter().map(|trial| trial.name.as_str()).collect(),
            metrics: Metric::all().map(metric).collect(),
            test_parts: TEST_PARTS,
        })
    }
}

#[derive(Serialize)]
struct PageData<'a> {
    plots: &'a BTreeMap<String, Plot>,
    trials: Vec<&'a str>,
    metrics: Vec<MetricInfo>,
    test_parts: [&'static str; 6],
}

#[derive(Serialize)]
struct MetricInfo {
    title: String,
    unit: &'static str,
    decimals: usize,
}

/// Names of the parts of a test bar, from bottom to top: passed ones by [`Group`], then the rest.
const TEST_PARTS: [&str; 6] = [
    "core",
    "functionality",
    "error",
    "regression",
    "not passed",
    "unstable",
];
const _: () = assert!(TEST_PARTS.len() == Group::ALL.len() + 2);

/// The runs' joint results.
fn study(study: &Study, grids: &mut Grids, drawn: &mut Plots) -> Value {
    let names = view::cohort_names(&study.cohorts);
    let mut table = |(title, grid): &(String, Grid)| {
        // Phases are in the plots; their tables are folded below them.
        let is_folded = title.starts_with("Phases of ");
        context! { title, is_folded, grid => grids.add(grid) }
    };
    let tables: Vec<Value> = view::study_grids(study).iter().map(&mut table).collect();
    let looks = plots::cohort_looks(names.len());
    let entry = |(name, look): (&String, &Look)| context! { name, ..look.value() };
    let groups = plots::phases(study, &names);
    let rates = drawn.add(&plots::rates(study, &names));
    let mut group = |(title, plots): &plots::PhaseGroup| {
        let plots: Vec<Value> = plots.iter().map(|plot| drawn.add(plot)).collect();
        context! { title => *title, plots }
    };
    context! {
        tables,
        rates,
        groups => groups.iter().map(&mut group).collect::<Vec<_>>(),
        legend => names.iter().zip(&looks).map(entry).collect::<Vec<_>>(),
        about => view::study_legend(study),
        warnings => study.warnings.clone(),
        lists => view::study_lists(study),
    }
}

/// Metrics with slopes on a run's card: the absolute ones first, because decisions depend on them.
const CARD_METRICS: [Metric; 4] = [
    Metric::MASS,
    Metric::CLONE_LINES,
    Metric::EROSION,
    Metric::VERBOSITY,
];

fn cards(
    reports: &[RunReport],
    summaries: &[RunSummary],
    labels: &[String],
    lines: &[Line],
) -> Vec<Value> {
    let all = reports.iter().zip(summaries).zip(labels).enumerate();
    all.map(|(run, ((report, summary), label))| {
        let look = lines.iter().find(|line| line.run == run).map(|line| line.look.value());
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
            look,
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

fn runs(
    reports: &[RunReport],
    summaries: &[RunSummary],
    labels: &[String],
    has_tables: bool,
    page: &mut Grids,
) -> Vec<Value> {
    let all: Vec<Metric> = Metric::all().collect();
    let mut number = 0;
    let mut runs = Vec::new();
    for ((report, summary), label) in reports.iter().zip(summaries).zip(labels) {
        let mut trials = Vec::new();
        for (trial, summary) in report.trials.iter().zip(&summary.trials) {
            number += 1;
            let states = trial.checkpoints.iter().map(|checkpoint| {
                let tone = view::state_tone(checkpoint.state).name();
                context! { tone, name => checkpoint.state.name() }
            });
            let coverage = summary.coverage;
            let table = has_tables.then(|| view::trial_grid(trial, summary, &all));
            trials.push(context! {
                number,
                name => view::trial_name(report, trial),
                states => states.collect::<Vec<_>>(),
                graded => coverage.graded,
                expected => coverage.expected,
                table => table.map(|grid| page.add(&grid)),
            });
        }
        runs.push(context! { label, trials });
    }
    runs
}

/// Title, explanation, and where the notes are.
type NoteList = (&'static str, &'static str, fn(&RunSummary) -> &Vec<Note>);

fn note_lists(reports: &[RunReport], summaries: &[RunSummary], labels: &[String]) -> Vec<Value> {
    let lists: [NoteList; 2] = [
        (
            "Integrity",
            "Observations about agents and programs. Honest work can cause noted observations, but not violations. No verdict depends on either.",
            |s| &s.integrity,
        ),
        (
            "Unstable tests",
            "Different outcomes on the same code. They are counted separately, neither as passed nor as failed.",
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

/// Terms and metrics, each with its definition.
pub(crate) fn definitions() -> Vec<Value> {
    let metrics = Metric::all().map(|m| (m.title(), m.definition()));
    let words = DEFINITIONS
        .iter()
        .map(|(name, text)| ((*name).to_owned(), *text));
    metrics
        .chain(words)
        .map(|(name, text)| context! { name, text })
        .collect()
}
