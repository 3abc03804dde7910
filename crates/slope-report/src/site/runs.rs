//! Runs of the benchmark, and a leaderboard of their cohorts.

use minijinja::{Value, context};
use slope_model::sent_run::RunPhase;
use slope_stats::Interval;

use super::address_part;
use crate::format::{self, MISSING, clean, number, percent, shorten};
use crate::leaderboard::{FilterNames, RunCard, RunFilter, SLOPES, Standing};
use crate::metric::Metric;
use crate::rates::{Proportion, Rule};
use crate::study::CohortRate;

/// Runs that the page lists, the latest first.
const MOST_LISTED: usize = 300;

/// Runs of the benchmark.
#[derive(Debug, Clone)]
pub struct RunsPage {
    /// Project of the runs; empty for all.
    pub project: String,
    /// Projects to choose from.
    pub projects: Vec<String>,
    /// Which runs.
    pub filter: RunFilter,
    /// Names to filter by.
    pub names: FilterNames,
    /// The cohorts in their order.
    pub standings: Vec<Standing>,
    /// The runs, the latest first.
    pub runs: Vec<RunLine>,
    /// Whether there are more runs than the server looks at.
    pub has_more: bool,
}

/// A run in the list.
#[derive(Debug, Clone)]
pub struct RunLine {
    /// The project.
    pub project: String,
    /// Key of the run.
    pub run: String,
    /// Its phase.
    pub phase: RunPhase,
    /// When it began, in UTC, if that is known.
    pub started: Option<String>,
    /// Its summary.
    pub card: RunCard,
}

impl RunsPage {
    pub(super) fn value(&self) -> Value {
        let slopes = SLOPES.map(|metric| {
            let (title, unit) = metric.head();
            context! { title => format::capitalised(title), unit }
        });
        context! {
            choices => self.choices(),
            query => self.query(),
            is_filtered => !self.query().is_empty(),
            slopes => slopes.to_vec(),
            standings => self.standings.iter().map(standing).collect::<Vec<_>>(),
            can_compare => self.standings.len() > 1,
            project_name => clean(&self.project),
            problem => clean(&self.filter.problem),
            runs => self.runs.iter().take(MOST_LISTED).map(line).collect::<Vec<_>>(),
            more => self.runs.len().saturating_sub(MOST_LISTED),
            has_more => self.has_more,
            definitions => crate::html::definitions(),
        }
    }

    /// The query of this view's address.
    fn query(&self) -> String {
        let filter = &self.filter;
        let fields = [
            ("project", &self.project),
            ("agent", &filter.agent),
            ("model", &filter.model),
            ("arm", &filter.arm),
            ("problem", &filter.problem),
        ];
        let fields = fields.iter().filter(|(_, value)| !value.is_empty());
        let fields = fields.map(|(name, value)| format!("{name}={}", address_part(value)));
        fields.collect::<Vec<_>>().join("&")
    }

    fn choices(&self) -> Vec<Value> {
        let names = &self.names;
        let filter = &self.filter;
        let projects: Vec<&String> = self.projects.iter().collect();
        vec![
            choice("project", "Project", &projects, &self.project),
            choice(
                "model",
                "Model",
                &names.models.iter().collect::<Vec<_>>(),
                &filter.model,
            ),
            choice(
                "agent",
                "Agent",
                &names.agents.iter().collect::<Vec<_>>(),
                &filter.agent,
            ),
            choice(
                "arm",
                "Arm",
                &names.arms.iter().collect::<Vec<_>>(),
                &filter.arm,
            ),
            choice(
                "problem",
                "Problem",
                &names.problems.iter().collect::<Vec<_>>(),
                &filter.problem,
            ),
        ]
    }
}

fn choice(name: &str, title: &str, all: &[&String], chosen: &str) -> Value {
    let options = all.iter().map(|value| {
        context! { value => value.as_str(), title => shorten(&clean(value), 60), is_chosen => value.as_str() == chosen }
    });
    context! { name, title, options => options.collect::<Vec<_>>() }
}

fn standing(standing: &Standing) -> Value {
    let slopes = standing.slopes.iter().map(|slope| {
        let digits = slope
            .mean
            .map_or(0, |mean| slope_digits(slope.metric, mean));
        let interval = slope.by_problem.map(|it| {
            let text = |value| format::signed(value, digits);
            format!("{} to {}", text(it.low), text(it.high))
        });
        context! {
            text => slope.mean.map_or(MISSING.to_owned(), |mean| format::signed(mean, digits)),
            value => slope.mean,
            interval,
        }
    });
    let coverage = standing.coverage;
    context! {
        id => cohort_id(standing),
        agent => clean(&standing.agent),
        model => clean(&standing.model),
        arm => clean(&standing.arm),
        track => clean(&standing.track),
        runs => standing.runs,
        trials => standing.trials,
        problems => standing.problems,
        graded => coverage.graded,
        expected => coverage.expected,
        missing => coverage.missing(),
        rates => [&standing.strict, &standing.isolated, &standing.core].map(rate).to_vec(),
        slopes => slopes.collect::<Vec<_>>(),
        cost => money(standing.cost_usd),
        cost_value => standing.cost_usd,
        minutes => standing.agent_s.map(|seconds| number(seconds / 60.0, 1)),
    }
}

/// A short name of a cohort for addresses.
#[must_use]
pub fn cohort_id(standing: &Standing) -> String {
    let names = [
        &standing.model,
        &standing.agent,
        &standing.arm,
        &standing.track,
    ];
    // FNV-1a: a name for addresses only, stable over versions.
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in names.iter().flat_map(|name| name.bytes().chain([0])) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    format!("{:08x}", hash >> 32)
}

/// The interval of a rate: over resampled problems, or Wilson's where resamples cannot differ.
pub(super) fn interval(rate: &CohortRate) -> Option<Interval> {
    let resampled = rate.by_problem.filter(|it| it.low < it.high);
    resampled.or(rate.rate.conservative.interval)
}

fn rate(rate: &CohortRate) -> Value {
    let solved = &rate.rate.conservative;
    let interval = interval(rate);
    context! {
        count => solved.count,
        of => solved.of,
        value => solved.rate,
        share => solved.rate.map(|rate| rate * 100.0),
        text => shown(solved),
        interval => interval.map(|it| format!("{}–{}", percent(it.low, solved.of), percent(it.high, solved.of))),
    }
}

/// A rate in per cent.
pub(super) fn shown(share: &Proportion) -> String {
    let text = share
        .rate
        .map(|rate| format!("{} %", percent(rate, share.of)));
    text.unwrap_or_else(|| MISSING.to_owned())
}

/// An amount in dollars.
pub(super) fn money(usd: Option<f64>) -> Option<String> {
    usd.map(|usd| format!("${}", number(usd, 2)))
}

pub(super) fn slope_digits(metric: Metric, slope: f64) -> usize {
    match format::decimals(metric.kind(), slope.abs()) {
        0 => 1,
        digits => digits,
    }
}

fn line(line: &RunLine) -> Value {
    let card = &line.card;
    let (problems, trials) = card.size();
    let rates = Rule::ALL.map(|rule| {
        let share = card.rate(rule).conservative;
        context! { text => shown(&share), value => share.rate }
    });
    let mass = card.slope(Metric::MASS);
    context! {
        address => run_address(&line.project, &line.run),
        label => shorten(&clean(&card.label), 60),
        project => clean(&line.project),
        agent => clean(&card.agent),
        model => clean(&card.model),
        arm => clean(&card.arm),
        day => line.started.as_deref().and_then(|time| time.get(..10)).unwrap_or(MISSING),
        phase => line.phase.name(),
        is_live => line.phase.is_live(),
        problems, trials,
        graded => card.coverage.graded,
        expected => card.coverage.expected,
        rates => rates.to_vec(),
        mass => mass.map_or(MISSING.to_owned(), |slope| format::signed(slope, slope_digits(Metric::MASS, slope))),
        mass_value => mass,
        cost => money(card.spent.cost_usd),
        cost_value => card.spent.cost_usd,
        is_partial => card.spent.cost_missing > 0,
        notes => card.notes,
    }
}

/// The address of a run's page.
#[must_use]
pub fn run_address(project: &str, run: &str) -> String {
    format!("/runs/{}/{}", address_part(project), address_part(run))
}

/// The address of a trial's page.
pub(super) fn trial_address(project: &str, run: &str, problem: &str, trial: u32) -> String {
    let problem = address_part(problem);
    format!("{}/{problem}/{trial}", run_address(project, run))
}
