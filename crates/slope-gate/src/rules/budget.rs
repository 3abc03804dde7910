//! The change as a whole.

use slope_history::ExactAmounts;
use slope_history::ledger::Accounts;
use slope_model::gate::{Evidence, GateRule, Level, Violation};
use slope_model::ledger::Amounts;
use slope_model::measurement::Part;
use slope_model::metrics::{CLONE_LINES, FLAGGED_LINES, MASS};

use super::{Compared, fingerprint};
use crate::Budget;
use crate::trees::is_below;

pub(super) fn find(compared: &Compared<'_>, found: &mut Vec<Violation>) {
    let Some(level) = compared.check.over_budget else {
        return;
    };
    let added = of_product(&compared.full.change.accounts, compared.below).rounded();
    found.extend(over(
        GateRule::ChangeBudget,
        level,
        &compared.check.change,
        &added,
    ));
}

/// What a change adds to code below a path. Reformatting does not count.
pub(crate) fn of_product(accounts: &Accounts, below: &str) -> ExactAmounts {
    let booked = accounts.entries.iter();
    let booked = booked.filter(|b| b.entry.part == Part::Product);
    let booked = booked.filter(|b| is_below(below, &b.entry.path));
    booked.map(|b| b.change).sum()
}

/// Amounts over a budget.
pub(crate) fn over(
    rule: GateRule,
    level: Level,
    budget: &Budget,
    added: &Amounts,
) -> Vec<Violation> {
    #[expect(clippy::cast_precision_loss, reason = "numbers of lines")]
    let number = |n: i64| n as f64;
    let each = [
        (MASS.title, budget.mass, added.mass),
        (
            CLONE_LINES.title,
            budget.clone_lines.map(number),
            number(added.clone_lines),
        ),
        (
            FLAGGED_LINES.title,
            budget.flagged_lines.map(number),
            number(added.flagged_lines),
        ),
        (
            "findings of dead code",
            budget.dead_code.map(number),
            number(added.dead_code),
        ),
    ];
    let (what, advice) = match rule {
        GateRule::WeekBudget => (
            "The last seven days and this change add",
            "Pay some of it back in this change, or raise `week` in [check] on purpose.",
        ),
        _ => (
            "The change adds",
            "Split the change, or make what it adds simpler; `slope check --verbose` lists what adds most.",
        ),
    };
    let violation = |(name, limit, added): (&str, Option<f64>, f64)| {
        let limit = limit.filter(|limit| added > *limit)?;
        Some(Violation {
            rule,
            level,
            part: Part::Product,
            path: String::new(),
            function: None,
            line: 0,
            end_line: 0,
            before: Some(0.0),
            after: added,
            limit: Some(limit),
            fingerprint: fingerprint(&[rule.id(), name]),
            message: format!(
                "{what} {} {name}; the budget is {}.",
                shown(added),
                shown(limit)
            ),
            advice: advice.to_owned(),
            evidence: Evidence::default(),
        })
    };
    each.into_iter().filter_map(violation).collect()
}

/// A number with at most one decimal.
fn shown(number: f64) -> String {
    let text = format!("{number:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}
