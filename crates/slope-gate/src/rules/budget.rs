//! Budgets of a change, of a week, and since a point of a series.

use slope_change::ledger::Accounts;
use slope_change::{ExactAmounts, is_below};
use slope_model::gate::{Evidence, GateRule, Level, Violation};
use slope_model::ledger::Amounts;
use slope_model::measurement::Part;
use slope_model::metrics::{DEAD_CODE, Metric};

use super::compared::{Compared, fingerprint};
use crate::Budget;

/// Period of a budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Span {
    Change,
    Week,
    Track,
}

/// An amount over its budget.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Over {
    pub(crate) metric: &'static Metric,
    span: Span,
    added: f64,
    limit: f64,
}

pub(super) fn find(compared: &Compared<'_>, found: &mut Vec<Violation>) {
    let Some(level) = compared.check.over_budget else {
        return;
    };
    let added = of_product(&compared.impact.change.accounts, compared.below).rounded();
    let over = over(Span::Change, &compared.check.change, &added);
    found.extend(over.map(|over| over.violation(level)));
}

/// Amounts that a change adds to production code below a path, without reformatting.
pub(crate) fn of_product(accounts: &Accounts, below: &str) -> ExactAmounts {
    let booked = accounts.entries.iter();
    let booked = booked.filter(|b| b.entry.part == Part::Product);
    let booked = booked.filter(|b| is_below(below, &b.entry.path));
    booked.map(|b| b.change).sum()
}

/// The amounts that exceed a budget.
pub(crate) fn over(span: Span, budget: &Budget, added: &Amounts) -> impl Iterator<Item = Over> {
    let both = budget.listed().into_iter().zip(added.listed());
    both.filter_map(move |(limit, (metric, added))| {
        let limit = limit.filter(|limit| added > *limit)?;
        Some(Over {
            metric,
            span,
            added,
            limit,
        })
    })
}

/// Name of an amount in messages about budgets.
fn title(metric: &'static Metric) -> &'static str {
    if metric == &DEAD_CODE {
        return "findings of dead code";
    }
    metric.title
}

impl Over {
    /// Whether a change adds to the amount.
    pub(crate) fn grows(&self, change: &Amounts) -> bool {
        let mut listed = change.listed().into_iter();
        listed.any(|(own, added)| own == self.metric && added > 0.0)
    }

    /// The violation with this level.
    pub(crate) fn violation(self, level: Level) -> Violation {
        let (rule, what, advice) = match self.span {
            Span::Week => (
                GateRule::WeekBudget,
                "The last seven days and this change add",
                "Pay some of it back in this change, or raise `week` in [check] on purpose.",
            ),
            Span::Track => (
                GateRule::TrackGrowth,
                "The commits since the last point of the series and this change add",
                "Pay some of it back in this change, or raise the limit in `[track.growth]` if the growth is intended.",
            ),
            Span::Change => (
                GateRule::ChangeBudget,
                "The change adds",
                "Split the change, or make what it adds simpler; `slope check --verbose` lists what adds most.",
            ),
        };
        let title = title(self.metric);
        Violation {
            rule,
            level,
            part: Part::Product,
            path: String::new(),
            function: None,
            line: 0,
            end_line: 0,
            before: Some(0.0),
            after: self.added,
            limit: Some(self.limit),
            fingerprint: fingerprint(&[rule.id(), title]),
            message: format!(
                "{what} {} {title}; the {} is {}.",
                shown(self.added),
                match self.span {
                    Span::Track => "limit",
                    Span::Change | Span::Week => "budget",
                },
                shown(self.limit)
            ),
            advice: advice.to_owned(),
            evidence: Evidence::default(),
        }
    }
}

/// A number with at most one decimal.
fn shown(number: f64) -> String {
    let text = format!("{number:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}
