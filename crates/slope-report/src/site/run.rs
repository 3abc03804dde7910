//! One run of the benchmark.

use minijinja::{Value, context};
use slope_model::run::{RunReport, TrialReport};
use slope_model::sent_run::{RunPhase, RunRequest, SentRun};

use super::courses::{self, CourseLine};
use super::runs::{money, run_address, slope_digits, trial_address};
use crate::format::{self, MISSING, clean, number};
use crate::html::{Grids, HtmlError};
use crate::leaderboard::SLOPES;
use crate::metric::Metric;
use crate::summary::{Note, RunSummary, TrialSummary, summary};
use crate::view;

/// Trials with a line in the charts; more would be a tangle.
const MOST_LINES: usize = 12;
/// Seconds without a report after which a run that should go on counts as lost. Reports come every few seconds.
const SILENCE: u32 = 60;
/// Notes that the page shows.
const MOST_NOTES: usize = 50;

/// One run of the benchmark.
#[derive(Debug, Clone)]
pub struct RunPage {
    /// The project.
    pub project: String,
    /// Key of the run.
    pub run: String,
    /// The run.
    pub sent: SentRun,
    /// The open request of a visitor.
    pub request: Option<RunRequest>,
    /// When it last changed on the server, in UTC.
    pub changed: String,
    /// Seconds since its last report.
    pub silent_s: u32,
    /// Whether the visitor may pause, resume and cancel it.
    pub may_ask: bool,
}

impl RunPage {
    /// Title of the page.
    pub(super) fn title(&self) -> String {
        self.sent.report.config.label.clone()
    }

    pub(super) fn value(&self) -> Result<Value, HtmlError> {
        let report = &self.sent.report;
        let summary = summary(report);
        let label = [clean(&report.config.label)];
        let this = ["this run".to_owned()];
        let mut grids = Grids::default();
        let facts = view::run_facts(report)
            .into_iter()
            .filter(|(_, text)| !text.is_empty());
        let one = std::slice::from_ref(&summary);
        Ok(context! {
            project => clean(&self.project),
            run => clean(&self.run),
            address => run_address(&self.project, &self.run),
            label => label[0].clone(),
            phase => self.sent.phase.name(),
            is_live => self.sent.phase.is_live(),
            request => self.request.map(RunRequest::name),
            requests => self.requests(),
            silent => self.is_silent().then_some(self.silent_s),
            can_go_on => matches!(self.sent.phase, RunPhase::Cancelled | RunPhase::Interrupted),
            definitions => crate::html::definitions(),
            changed => self.changed.replace('T', " ").replace('Z', " UTC"),
            started => self.sent.started.as_ref().map(|time| time.replace('T', " ").replace('Z', " UTC")),
            facts => facts.collect::<Vec<_>>(),
            rates => grids.add(&view::rate_grid(&this, one)),
            trial_rates => grids.add(&view::trial_rate_grid(&this, one)),
            coverage => grids.add(&view::coverage_grid(&this, one)),
            spent => grids.add(&view::spent_grid(&this, one)),
            slopes => slopes(&summary),
            legend => self.lines_with(&summary, None).iter().map(legend).collect::<Vec<_>>(),
            charts => self.charts(&summary)?,
            fits => report.trials.len() <= MOST_LINES,
            trials => report.trials.iter().zip(&summary.trials).map(|(trial, own)| self.trial(report, trial, own)).collect::<Vec<_>>(),
            integrity => notes(&label[0], &summary.integrity),
            unstable => notes(&label[0], &summary.unstable),
        })
    }

    /// Whether a run that should go on has sent nothing for a while.
    fn is_silent(&self) -> bool {
        self.sent.phase.is_live() && self.silent_s > SILENCE
    }

    /// Requests that the visitor can make.
    fn requests(&self) -> Vec<&'static str> {
        if !self.may_ask || self.is_silent() {
            return Vec::new();
        }
        let open = match self.sent.phase {
            RunPhase::Running => vec![RunRequest::Pause, RunRequest::Cancel],
            RunPhase::Pausing | RunPhase::Paused => vec![RunRequest::Resume, RunRequest::Cancel],
            _ => Vec::new(),
        };
        open.into_iter().map(RunRequest::name).collect()
    }

    fn charts(&self, summary: &RunSummary) -> Result<Vec<Value>, HtmlError> {
        let mut all = Vec::new();
        if summary.trials.len() > MOST_LINES {
            return Ok(all);
        }
        for metric in SLOPES {
            let lines = self.lines_with(summary, Some(metric));
            all.extend(figure(metric, &lines)?);
        }
        Ok(all)
    }

    fn lines_with(&self, summary: &RunSummary, metric: Option<Metric>) -> Vec<CourseLine> {
        let report = &self.sent.report;
        let trials = report.trials.iter().zip(&summary.trials).take(MOST_LINES);
        let line = |(at, (trial, own)): (usize, (&TrialReport, &TrialSummary))| CourseLine {
            name: view::trial_name(report, trial),
            look: courses::look(at),
            values: metric.map_or_else(Vec::new, |metric| values(own, metric)),
        };
        trials.enumerate().map(line).collect()
    }

    fn trial(&self, report: &RunReport, trial: &TrialReport, own: &TrialSummary) -> Value {
        let address = trial_address(&self.project, &self.run, &trial.problem, trial.trial);
        let checkpoints = trial.checkpoints.iter().map(|one| {
            let at = super::address_part(&one.checkpoint);
            context! {
                name => clean(&one.checkpoint),
                state => one.state.name(),
                tone => view::state_tone(one.state).name(),
                address => format!("{address}?at={at}"),
            }
        });
        let slopes = SLOPES.map(|metric| {
            let slope = own.metrics.iter().find(|of| of.metric == metric).and_then(|of| of.slope);
            context! {
                text => slope.map_or(MISSING.to_owned(), |slope| format::signed(slope, slope_digits(metric, slope))),
                value => slope,
            }
        });
        let attempts = trial.checkpoints.iter();
        let attempts =
            attempts.flat_map(|one| std::iter::once(one).chain(one.after_pass.as_deref()));
        let costs: Vec<f64> = attempts
            .filter_map(|one| Metric::COST.value(one).ok())
            .collect();
        let cost = (!costs.is_empty()).then(|| costs.iter().sum::<f64>());
        context! {
            name => view::trial_name(report, trial),
            checkpoints => checkpoints.collect::<Vec<_>>(),
            address,
            graded => own.coverage.graded,
            expected => own.coverage.expected,
            slopes => slopes.to_vec(),
            cost => money(cost),
            cost_value => cost,
        }
    }
}

fn legend(line: &CourseLine) -> Value {
    context! { name => &line.name, color => line.look.color, glyph => line.look.glyph().to_string() }
}

pub(super) fn values(trial: &TrialSummary, metric: Metric) -> Vec<Option<f64>> {
    let own = trial.metrics.iter().find(|own| own.metric == metric);
    let points = own.into_iter().flat_map(|own| &own.points);
    points.map(|point| point.value).collect()
}

/// A chart with its heading, if it has values.
pub(super) fn figure(metric: Metric, lines: &[CourseLine]) -> Result<Option<Value>, HtmlError> {
    let svg = courses::chart(metric, lines)?;
    Ok(svg.map(|svg| {
        context! {
            id => metric.key(),
            title => metric.title(),
            unit => metric.unit(),
            about => metric.definition(),
            svg => Value::from_safe_string(svg),
        }
    }))
}

fn slopes(summary: &RunSummary) -> Vec<Value> {
    let of = |metric: Metric| {
        let own = summary.metrics.iter().find(|own| own.metric == metric);
        let slope = own.and_then(|own| own.slope);
        let ends = own.and_then(|own| {
            let (first, last) = (own.first?, own.last?);
            let digits = format::decimals(metric.kind(), first.abs().max(last.abs()));
            Some(format!(
                "{} → {}",
                number(first, digits),
                number(last, digits)
            ))
        });
        context! {
            title => metric.title(),
            slope => slope.map_or(MISSING.to_owned(), |slope| format::signed(slope, slope_digits(metric, slope))),
            ends => ends.unwrap_or_else(|| MISSING.to_owned()),
        }
    };
    SLOPES.map(of).to_vec()
}

fn notes(label: &str, notes: &[Note]) -> Value {
    let items = notes.iter().take(MOST_NOTES).map(|note| {
        let (place, text) = view::note_line(label, note, true);
        context! { place, text }
    });
    context! {
        items => items.collect::<Vec<_>>(),
        more => notes.len().saturating_sub(MOST_NOTES),
    }
}
