//! Complexity of new and changed functions.

use std::collections::{BTreeMap, HashMap};

use slope_change::ledger::{Followed, UnitAt};
use slope_measure::FileView;
use slope_model::gate::{Evidence, GateRule, Level, Violation};
use slope_model::ledger::LedgerEntry;
use slope_model::measurement::{Callable, Part};

use super::compared::{Compared, fingerprint};

/// A measure of complexity.
type Measure = fn(&Callable) -> u32;

/// A measure of complexity, its name, and its value for a function without decisions.
type Kind = (Measure, &'static str, u32);

const KINDS: [Kind; 2] = [
    (Callable::judged_complexity, "complexity", 1),
    (Callable::judged_cognitive, "cognitive complexity", 0),
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

/// Highest complexity among the functions that a function was made from. A piece of a split
/// function is never more complex than the whole, and so is not reported.
fn before(compared: &Compared<'_>, followed: &Followed, of: Measure) -> Option<u32> {
    let callables = followed
        .from
        .iter()
        .filter_map(|&at| compared.before(at)?.1);
    callables.map(of).max()
}

/// Complexity of inner functions whose statements are now in this function itself.
fn dissolved(compared: &Compared<'_>, followed: &Followed, at: UnitAt, kind: &Kind) -> u32 {
    let (of, _, least) = kind;
    let Some((after, Some(callable))) = compared.after(at) else {
        return 0;
    };
    let own = own_statements(after, callable);
    let now = count_by_name(after);
    let from = followed.from.iter().filter_map(|&at| compared.before(at));
    let amounts = from.map(|(view, outer)| {
        let Some(outer) = outer else {
            return 0;
        };
        let had = count_by_name(view);
        let inner = view.callables().iter();
        let inner = inner.filter(|one| is_inside(one, outer));
        let gone = inner.filter(|one| {
            let name = shared_name(one);
            now.get(name).unwrap_or(&0) < had.get(name).unwrap_or(&0) && is_most_of(view, one, &own)
        });
        gone.map(|one| of(one).saturating_sub(*least))
            .fold(0, u32::saturating_add)
    });
    amounts.fold(0, u32::saturating_add)
}

/// Number of functions of each name in a file.
fn count_by_name(view: &FileView) -> HashMap<&str, usize> {
    let names = view.callables().iter().map(shared_name);
    names.fold(HashMap::new(), |mut counts, name| {
        *counts.entry(name).or_default() += 1;
        counts
    })
}

/// Complexity of the function around a new one, if most statements of the new one come from it. This happens when a loop
/// becomes a closure.
fn before_in_outer(
    compared: &Compared<'_>,
    followed: &Followed,
    at: UnitAt,
    of: Measure,
) -> Option<u32> {
    let (view, callable) = compared.after(at)?;
    let callable = callable.filter(|_| followed.from.is_empty())?;
    let own = statements(view, callable);
    let around = compared.impact.followed.iter().filter_map(|group| {
        let mut outer = group.to.iter().filter(|to| to.file == at.file);
        let outer = outer.find_map(|to| {
            let outer = view.callables().get(to.callable?)?;
            is_inside(callable, outer).then_some(outer)
        });
        Some((group, outer?))
    });
    let mut before = around.flat_map(|(group, outer)| {
        let from = group.from.iter().filter_map(|&at| compared.before(at));
        from.map(move |(view, old)| (view, old, outer))
    });
    before.find_map(|(old_view, old, outer)| {
        let mut lost = statements(old_view, old?);
        for (hash, count) in statements(view, outer) {
            let kept = count.saturating_sub(own.get(&hash).copied().unwrap_or(0));
            lost.entry(hash)
                .and_modify(|left| *left = left.saturating_sub(kept));
        }
        is_most_of(view, callable, &lost).then(|| old.map(of))?
    })
}

fn is_inside(inner: &Callable, outer: &Callable) -> bool {
    let (inner, outer) = (&inner.span, &outer.span);
    inner != outer && outer.start_line <= inner.start_line && inner.end_line <= outer.end_line
}

/// Name of a function without its number among functions of the same name, which changes if one is
/// removed.
fn shared_name(callable: &Callable) -> &str {
    callable.name.split('#').next().unwrap_or_default()
}

/// Counts the statements of a function without those of inner functions.
fn own_statements(view: &FileView, callable: &Callable) -> HashMap<u32, usize> {
    let inner = view.callables().iter();
    let inner = inner.filter(|inner| is_inside(inner, callable));
    // Number of inner functions that start or end at each line. A row is in as many as have started
    // and not ended.
    let mut steps: BTreeMap<u32, i64> = BTreeMap::new();
    for one in inner {
        *steps.entry(one.span.start_line + 1).or_default() += 1;
        *steps.entry(one.span.end_line + 1).or_default() -= 1;
    }
    let mut depth = 0;
    let depths = steps.into_iter().map(|(line, step)| {
        depth += step;
        (line, depth)
    });
    let depths: BTreeMap<u32, i64> = depths.collect();
    let is_own = |line: u32| {
        let around = depths.range(..=line).next_back();
        around.is_none_or(|(_, &depth)| depth == 0)
    };
    statements_where(view, callable, is_own)
}

/// Counts the statements of a function with those of inner functions.
fn statements(view: &FileView, callable: &Callable) -> HashMap<u32, usize> {
    statements_where(view, callable, |_| true)
}

fn statements_where(
    view: &FileView,
    callable: &Callable,
    is_wanted: impl Fn(u32) -> bool,
) -> HashMap<u32, usize> {
    let (first, last) = (callable.span.start_line, callable.span.end_line);
    // Statements are in order of their rows.
    let rows = view.statements();
    let from = rows.partition_point(|&(row, _)| row + 1 < first);
    let to = rows.partition_point(|&(row, _)| row < last);
    let all = rows.get(from..to).unwrap_or_default().iter();
    let own = all.filter(|(row, _)| is_wanted(row + 1));
    own.fold(HashMap::new(), |mut counts, (_, hash)| {
        *counts.entry(*hash).or_default() += 1;
        counts
    })
}

/// Whether other code has most statements of a function.
fn is_most_of(view: &FileView, callable: &Callable, others: &HashMap<u32, usize>) -> bool {
    let own = statements(view, callable);
    let shared = own.iter().map(|(hash, &count)| {
        let there = others.get(hash).copied().unwrap_or(0);
        count.min(there)
    });
    let (shared, all): (usize, usize) = (shared.sum(), own.values().sum());
    all > 0 && shared * 10 >= all * 6
}

/// A limit of complexity.
struct Bound {
    rule: GateRule,
    level: Level,
    /// Maximum complexity.
    limit: u32,
}

/// Limit for code that had this complexity before; `None` if the rule is off.
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
    kind: &Kind,
) -> Option<Violation> {
    let (of, name, _) = kind;
    let (view, callable) = compared.after(at)?;
    let callable = callable?;
    let part = view.part_at(callable.span.start_line.saturating_sub(1));
    let now = of(callable);
    let was = before(compared, followed, *of);
    if now <= bound(compared, part, was)?.limit {
        return None;
    }
    let was = was.or_else(|| before_in_outer(compared, followed, at, *of));
    let Bound { rule, level, limit } = bound(compared, part, was)?;
    if now <= limit.saturating_add(dissolved(compared, followed, at, kind)) {
        return None;
    }
    let message = message_of(callable, name, was, now, limit);
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

/// Message of a violation by a function.
fn message_of(callable: &Callable, name: &str, was: Option<u32>, now: u32, limit: u32) -> String {
    let function = &callable.name;
    let least = if callable.lower_bound {
        "at least "
    } else {
        ""
    };
    match was {
        None => {
            format!("New function `{function}` has {name} {least}{now}; the limit is {limit}.")
        }
        Some(was) => format!("`{function}` grew from {name} {was} to {least}{now}."),
    }
}

/// Judges the code of a file outside of functions, as if it were one function.
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
    let Bound {
        rule, level, limit, ..
    } = bound(compared, view.part(), was)?;
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

/// Highest complexity outside of functions among removed files of the same language. A moved and
/// changed file is recognised by its functions, but it may have none.
fn outside_of_gone(compared: &Compared<'_>, new: &FileView) -> Option<u32> {
    let files = compared.impact.step.files.iter();
    let gone = files.filter(|file| file.after.is_none());
    let gone = gone.filter_map(|file| file.before.as_ref());
    let alike = gone.filter(|old| old.language() == new.language());
    alike.filter_map(FileView::cognitive_outside).max()
}

/// Ledger entry of a function.
pub(super) fn entry(compared: &Compared<'_>, path: &str, function: &str) -> Option<LedgerEntry> {
    let entries = &compared.impact.change.accounts.entries;
    let of = |entry: &LedgerEntry| {
        let places = entry.to.iter();
        let mut places = places.map(|place| (place.path.as_str(), place.function.as_deref()));
        places.any(|place| place == (path, Some(function)))
    };
    let found = entries.iter().find(|booked| of(&booked.entry));
    found.map(|booked| booked.entry.clone())
}
