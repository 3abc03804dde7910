//! Functions that are highly complex and new, or grew.

use slope_history::ledger::{Followed, UnitAt};
use slope_measure::FileView;
use slope_model::gate::{Evidence, GateRule, Level, Violation};
use slope_model::ledger::LedgerEntry;
use slope_model::measurement::{Callable, Part};

use super::{Compared, fingerprint};

/// A measure of complexity, and its name.
type Kind = (fn(&Callable) -> u32, &'static str);

const KINDS: [Kind; 2] = [
    (Callable::judged_complexity, "complexity"),
    (Callable::judged_cognitive, "cognitive complexity"),
];

pub(super) fn find(compared: &Compared<'_>, found: &mut Vec<Violation>) {
    for followed in compared.changed() {
        for &at in &followed.to {
            let kinds = &mut KINDS.iter();
            match at.callable {
                Some(_) => found.extend(kinds.find_map(|kind| judge(compared, followed, at, kind))),
                None => found.extend(judge_outside(compared, followed, at)),
            }
        }
    }
}

/// The most complex of what a function was made from. A piece of a split is never more complex
/// than what it was split from, and so no news.
fn before(compared: &Compared<'_>, followed: &Followed, of: fn(&Callable) -> u32) -> Option<u32> {
    let callables = followed
        .from
        .iter()
        .filter_map(|&at| compared.before(at)?.1);
    callables.map(of).max()
}

/// Complexity of the most complex inner function that is gone. Its code may be in this function now.
fn dissolved(
    compared: &Compared<'_>,
    followed: &Followed,
    after: &FileView,
    of: fn(&Callable) -> u32,
) -> Option<u32> {
    let from = followed.from.iter().filter_map(|&at| compared.before(at));
    let inner = from.flat_map(|(view, callable)| {
        let outer = callable.map(|callable| format!("{}.", callable.name));
        let is_inner = move |one: &&Callable| {
            outer
                .as_ref()
                .is_some_and(|outer| one.name.starts_with(outer))
        };
        view.callables().iter().filter(is_inner)
    });
    let is_gone = |one: &&Callable| !after.callables().iter().any(|now| now.name == one.name);
    inner.filter(is_gone).map(of).max()
}

/// The limit of complexity.
struct Bound {
    rule: GateRule,
    level: Level,
    /// The most that may be there.
    limit: u32,
}

/// The limit for code that was as complex as this before; `None` if the rule is off.
fn bound(compared: &Compared<'_>, part: Part, was: Option<u32>) -> Option<Bound> {
    let rule = match was {
        None => GateRule::NewComplexity,
        Some(_) => GateRule::ComplexityGrowth,
    };
    let (limits, level) = compared.level(part, rule)?;
    let limit = match was {
        None => limits.complexity,
        Some(was) => limits.complexity.max(was.saturating_add(limits.growth)),
    };
    Some(Bound { rule, level, limit })
}

fn judge(
    compared: &Compared<'_>,
    followed: &Followed,
    at: UnitAt,
    (of, name): &Kind,
) -> Option<Violation> {
    let (view, callable) = compared.after(at)?;
    let callable = callable?;
    let part = view.part_at(callable.span.start_line.saturating_sub(1));
    let now = of(callable);
    let was = before(compared, followed, *of);
    let was = was.map(|was| was.max(dissolved(compared, followed, view, *of).unwrap_or(0)));
    let Bound { rule, level, limit } = bound(compared, part, was)?;
    if now <= limit {
        return None;
    }
    let least = if callable.lower_bound {
        "at least "
    } else {
        ""
    };
    let message = match was {
        None => format!(
            "New function `{}` has {name} {least}{now}; the limit is {limit}.",
            callable.name
        ),
        Some(was) => format!(
            "`{}` grew from {name} {was} to {least}{now}.",
            callable.name
        ),
    };
    let advice = match was {
        None => "Split it into functions that each do one thing.".to_owned(),
        Some(_) => "Move the new code into a function of its own and call that.".to_owned(),
    };
    Some(Violation {
        rule,
        level,
        part,
        path: view.path().to_owned(),
        function: Some(callable.name.clone()),
        line: callable.span.start_line,
        end_line: callable.span.end_line,
        before: was.map(f64::from),
        after: f64::from(now),
        limit: Some(f64::from(limit)),
        fingerprint: fingerprint(&[rule.id(), view.path(), &callable.name]),
        message,
        advice,
        evidence: Evidence {
            entry: entry(compared, view.path(), &callable.name),
            ..Evidence::default()
        },
    })
}

/// What a file has outside of functions is judged as if it were one.
fn judge_outside(compared: &Compared<'_>, followed: &Followed, at: UnitAt) -> Option<Violation> {
    let (view, _) = compared.after(at)?;
    let now = view.cognitive_outside()?;
    let of = |(view, callable): (&FileView, Option<&Callable>)| match callable {
        Some(callable) => Some(callable.judged_cognitive()),
        None => view.cognitive_outside(),
    };
    let before = followed.from.iter();
    let was = before.filter_map(|&at| of(compared.before(at)?)).max();
    let was = was.or_else(|| outside_of_gone(compared, view));
    let Bound { rule, level, limit } = bound(compared, view.part(), was)?;
    (now > limit).then(|| Violation {
        rule,
        level,
        part: view.part(),
        path: view.path().to_owned(),
        function: None,
        line: 1,
        end_line: 1,
        before: was.map(f64::from),
        after: f64::from(now),
        limit: Some(f64::from(limit)),
        fingerprint: fingerprint(&[rule.id(), view.path(), ""]),
        message: match was {
            None => format!(
                "The code outside of functions has cognitive complexity {now}; the limit is {limit}."
            ),
            Some(was) => format!(
                "The code outside of functions grew from cognitive complexity {was} to {now}."
            ),
        },
        advice: "Put it into functions that each do one thing.".to_owned(),
        evidence: Evidence::default(),
    })
}

/// The most that a file of the same language had that is gone: one that was moved and changed is
/// followed by its functions, and there may be none.
fn outside_of_gone(compared: &Compared<'_>, new: &FileView) -> Option<u32> {
    let files = compared.full.step.files.iter();
    let gone = files.filter(|file| file.after.is_none());
    let gone = gone.filter_map(|file| file.before.as_ref());
    let alike = gone.filter(|old| old.language() == new.language());
    alike.filter_map(FileView::cognitive_outside).max()
}

/// The ledger's entry for a function.
pub(super) fn entry(compared: &Compared<'_>, path: &str, function: &str) -> Option<LedgerEntry> {
    let entries = &compared.full.change.accounts.entries;
    let of = |entry: &LedgerEntry| {
        let places = entry.to.iter();
        let mut places = places.map(|place| (place.path.as_str(), place.function.as_deref()));
        places.any(|place| place == (path, Some(function)))
    };
    let found = entries.iter().find(|booked| of(&booked.entry));
    found.map(|booked| booked.entry.clone())
}
