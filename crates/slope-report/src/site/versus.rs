//! Two cohorts head to head: the same tasks, paired statistics.

use minijinja::{Value, context};
use slope_model::run::RunReport;
use slope_stats::Bootstrap;

use super::runs::trial_address;
use crate::format::{clean, number, percent, signed};
use crate::html::Grids;
use crate::leaderboard::{PairedSlope, Standing};
use crate::study::{Agreement, CohortRate, HeadToHead, Solved, StudyOptions, study};
use crate::view;

/// Resamples of an interval.
const RESAMPLES: usize = 2000;
/// Chance from which a difference may be luck.
const LIKELY: f64 = 0.05;
/// Checkpoints that the page lists.
const MOST_LISTED: usize = 100;

/// Two cohorts head to head.
#[derive(Debug, Clone)]
pub struct VersusPage {
    /// The cohorts.
    pub cohorts: [Standing; 2],
    /// Their runs, each with its project and key.
    pub runs: [Vec<(String, String, RunReport)>; 2],
    /// Their slopes, paired by problem.
    pub slopes: Vec<PairedSlope>,
}

impl VersusPage {
    pub(super) fn title(&self) -> String {
        let [first, second] = self.names();
        format!("{first} and {second}")
    }

    /// Names that tell the cohorts apart.
    fn names(&self) -> [String; 2] {
        let [a, b] = &self.cohorts;
        let of = |own: &Standing, other: &Standing| {
            let mut parts = Vec::new();
            if own.model != other.model || own.agent == other.agent && own.arm == other.arm {
                parts.push(clean(&own.model));
            }
            if own.agent != other.agent {
                parts.push(clean(&own.agent));
            }
            if own.arm != other.arm {
                parts.push(clean(&own.arm));
            }
            parts.join(" · ")
        };
        [of(a, b), of(b, a)]
    }

    pub(super) fn value(&self) -> Value {
        let reports: Vec<RunReport> = self
            .runs
            .iter()
            .flatten()
            .map(|(_, _, report)| report.clone())
            .collect();
        let options = StudyOptions {
            bootstrap: Bootstrap {
                resamples: RESAMPLES,
                ..Bootstrap::default()
            },
            ..StudyOptions::default()
        };
        let study = study(&reports, &options);
        let is_first = |at: usize| {
            let cohort = study.cohorts.get(at);
            let own = &self.cohorts[0];
            cohort.is_some_and(|cohort| {
                cohort.model.as_ref() == Some(&own.model)
                    && cohort.agent.as_ref() == Some(&own.agent)
                    && cohort.arm.as_ref() == Some(&own.arm)
            })
        };
        let pair = study.pairs.first();
        let swapped = pair.is_some_and(|pair| !is_first(pair.first));
        let mut grids = Grids::default();
        // Pairs are of the problems that both have.
        let mut warnings = study.warnings.clone();
        warnings.retain(|text| !text.contains("different problems"));
        let tables = view::study_grids(&study);
        let tables = tables
            .iter()
            .filter(|(title, _)| !title.starts_with("Phases of "));
        let tables: Vec<Value> = tables
            .map(|(title, grid)| context! { title, grid => grids.add(grid) })
            .collect();
        context! {
            names => self.names().to_vec(),
            cohorts => self.cohorts.iter().map(cohort).collect::<Vec<_>>(),
            slopes => self.slopes.iter().map(slope).collect::<Vec<_>>(),
            problems => pair.map(|pair| pair.problems),
            agreements => pair.map(|pair| pair.agreements.iter().map(|one| agreement(one, swapped)).collect::<Vec<_>>()),
            only => pair.map(|pair| self.only(pair, swapped).to_vec()),
            warnings,
            tables,
        }
    }

    /// Checkpoints that only one of them solved.
    fn only(&self, pair: &HeadToHead, swapped: bool) -> [Value; 2] {
        let (first, second) = match swapped {
            false => (&pair.only_first, &pair.only_second),
            true => (&pair.only_second, &pair.only_first),
        };
        [(0, first), (1, second)].map(|(at, solved)| {
            let items = solved
                .iter()
                .take(MOST_LISTED)
                .map(|one| self.place(at, one));
            context! {
                items => items.collect::<Vec<_>>(),
                more => solved.len().saturating_sub(MOST_LISTED),
            }
        })
    }

    fn place(&self, at: usize, solved: &Solved) -> Value {
        // The trials of a problem are numbered over the runs of the cohort.
        let trials = self.runs[at].iter().flat_map(|(project, run, report)| {
            let own = report
                .trials
                .iter()
                .filter(|trial| trial.problem == solved.problem);
            own.map(move |trial| (project, run, trial.trial))
        });
        let nth = usize::try_from(solved.trial).unwrap_or(1).saturating_sub(1);
        let found = trials.clone().nth(nth);
        let address = found.map(|(project, run, trial)| {
            let address = trial_address(project, run, &solved.problem, trial);
            format!("{address}?at={}", super::address_part(&solved.checkpoint))
        });
        context! {
            text => format!("{} · {}", clean(&solved.problem), clean(&solved.checkpoint)),
            trial => solved.trial,
            address,
        }
    }
}

fn cohort(standing: &Standing) -> Value {
    let rate = |name: &str, rate: &CohortRate| {
        let share = &rate.rate.conservative;
        let interval = super::runs::interval(rate);
        context! {
            name,
            text => super::runs::shown(share),
            count => share.count,
            of => share.of,
            share => share.rate.map(|rate| rate * 100.0),
            interval => interval.map(|it| format!("{}–{}", percent(it.low, share.of), percent(it.high, share.of))),
        }
    };
    context! {
        model => clean(&standing.model),
        agent => clean(&standing.agent),
        arm => clean(&standing.arm),
        runs => standing.runs,
        trials => standing.trials,
        problems => standing.problems,
        rates => vec![
            rate("strict", &standing.strict),
            rate("isolated", &standing.isolated),
            rate("core", &standing.core),
        ],
        cost => super::runs::money(standing.cost_usd),
    }
}

/// Conclusion from the interval of a difference. For slopes less is better, for rates more.
fn certainty(interval: Option<(f64, f64)>, less_is_better: bool) -> &'static str {
    match interval {
        None => "unknown: one problem",
        Some((low, high)) if low <= 0.0 && high >= 0.0 => "not certain",
        Some((_, high)) if (high < 0.0) == less_is_better => "A is better",
        Some(_) => "B is better",
    }
}

fn slope(slope: &PairedSlope) -> Value {
    let digits = slope
        .difference
        .map_or(0, |it| super::runs::slope_digits(slope.metric, it));
    let text = |value: f64| signed(value, digits);
    let ends = slope.by_problem.map(|it| (it.low, it.high));
    context! {
        title => slope.metric.title(),
        problems => slope.problems,
        first => slope.means.map(|means| text(means[0])),
        second => slope.means.map(|means| text(means[1])),
        difference => slope.difference.map(text),
        interval => ends.map(|(low, high)| format!("{} to {}", text(low), text(high))),
        says => match slope.difference {
            Some(_) => certainty(ends, true),
            None => "unknown",
        },
    }
}

fn agreement(agreement: &Agreement, swapped: bool) -> Value {
    let (first, second) = match swapped {
        false => (agreement.only_first, agreement.only_second),
        true => (agreement.only_second, agreement.only_first),
    };
    let sign = if swapped { -1.0 } else { 1.0 };
    let points = |share: f64| signed(share * 100.0, 1);
    let ends = agreement.by_problem.map(|it| {
        let ends = [it.low * sign, it.high * sign];
        (ends[0].min(ends[1]), ends[0].max(ends[1]))
    });
    let interval = ends.map(|(low, high)| format!("{} to {}", points(low), points(high)));
    context! {
        rate => agreement.rate.clone(),
        both => agreement.both,
        first,
        second,
        neither => agreement.neither,
        unpaired => agreement.unpaired,
        difference => agreement.difference.map(|it| points(it * sign)),
        interval,
        says => match agreement.test {
            // The two disagree where few checkpoints differ.
            Some(test) if test.exact >= LIKELY => "not certain",
            _ => certainty(ends, false),
        },
        p => agreement.test.map(|test| match test.exact < 0.001 {
            true => "< 0.001".to_owned(),
            false => number(test.exact, 3),
        }),
    }
}
