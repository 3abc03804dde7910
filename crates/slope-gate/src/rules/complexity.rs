//! Functions that are highly complex and new, or grew.

use slope_history::ledger::{Followed, UnitAt};
use slope_measure::FileView;
use slope_model::gate::{Evidence, GateRule, Level, Violation};
use slope_model::ledger::LedgerEntry;
use slope_model::measurement::{Callable, Part};

use super::{Compared, fingerprint};

/// A measure of complexity.
type Measure = fn(&Callable) -> u32;

/// A measure of complexity, its name, and its value for a function that decides nothing.
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

/// The most complex of what a function was made from. A piece of a split is never more complex
/// than what it was split from, and so no news.
fn before(compared: &Compared<'_>, followed: &Followed, of: Measure) -> Option<u32> {
    let callables = followed
        .from
        .iter()
        .filter_map(|&at| compared.before(at)?.1);
    callables.map(of).max()
}

/// By how much a function grew together with all that are inside it; `None` if there was nothing before. The ones inside
/// count, since a loop may become a closure, and a closure a loop. Cognitive complexity changes with that by itself, so
/// that the decisions may decide where closures came or went.
fn growth_of_family(
    compared: &Compared<'_>,
    followed: &Followed,
    at: UnitAt,
    kind: &Kind,
) -> Option<u32> {
    let (view, callable) = compared.after(at)?;
    let outer = outermost(view, callable?);
    let is_outer = |to: UnitAt| {
        let index = to.callable.filter(|_| to.file == at.file);
        index.is_some_and(|index| view.callables()[index].span == outer.span)
    };
    let mut groups = compared.full.followed.iter();
    let group = groups.find(|group| group.to.iter().any(|&to| is_outer(to)));
    let from = group.unwrap_or(followed).from.iter();
    let before: Vec<(&FileView, &Callable)> = from
        .filter_map(|&at| {
            let (view, callable) = compared.before(at)?;
            Some((view, outermost(view, callable?)))
        })
        .collect();
    let of_kind = |kind: &Kind| {
        let before = before.iter();
        let before = before.map(|(view, outer)| sum_of_family(view, outer, kind));
        Some(sum_of_family(view, outer, kind).saturating_sub(before.max()?))
    };
    let size = |(view, outer): &(&FileView, &Callable)| family(view, outer).count();
    match before.iter().map(size).max()? == size(&(view, outer)) {
        true => of_kind(kind),
        false => KINDS.iter().filter_map(of_kind).min(),
    }
}

/// The outermost function around a function, or itself.
fn outermost<'v>(view: &'v FileView, callable: &'v Callable) -> &'v Callable {
    let mut all = view.callables().iter();
    let around = all.find(|outer| contains(outer, callable));
    around.unwrap_or(callable)
}

fn contains(outer: &Callable, inner: &Callable) -> bool {
    let (outer, inner) = (&outer.span, &inner.span);
    outer.start_line <= inner.start_line && inner.end_line <= outer.end_line
}

/// A function and all that are inside it.
fn family<'v>(view: &'v FileView, outer: &'v Callable) -> impl Iterator<Item = &'v Callable> {
    let all = view.callables().iter();
    all.filter(move |inner| contains(outer, inner))
}

/// The complexity of a function and of all that are inside it.
fn sum_of_family(view: &FileView, outer: &Callable, (of, _, least): &Kind) -> u32 {
    let amounts = family(view, outer).map(|callable| of(callable).saturating_sub(*least));
    amounts.fold(0, u32::saturating_add)
}

/// The limit of complexity.
struct Bound {
    rule: GateRule,
    level: Level,
    /// The most that may be there.
    limit: u32,
    /// By how much it may grow.
    growth: u32,
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
    Some(Bound {
        rule,
        level,
        limit,
        growth: limits.growth,
    })
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
    let Bound {
        rule,
        level,
        limit,
        growth,
    } = bound(compared, part, was)?;
    if now <= limit {
        return None;
    }
    let of_family = growth_of_family(compared, followed, at, kind);
    if of_family.is_some_and(|grown| grown <= growth) {
        return None;
    }
    let grown = now.saturating_sub(was.unwrap_or(0));
    let is_little = grown <= growth.saturating_mul(2);
    let level = if is_little && is_one_decision(compared, followed, callable) {
        level.min(Level::Warning)
    } else {
        level
    };
    let message = told(callable, name, was, now, limit);
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

/// Whether a function has one more decision than before. Deep in a function it weighs three or four.
fn is_one_decision(compared: &Compared<'_>, followed: &Followed, callable: &Callable) -> bool {
    let before = before(compared, followed, Callable::judged_complexity);
    before.is_some_and(|before| callable.judged_complexity() <= before + 1)
}

/// What a violation of a function says.
fn told(callable: &Callable, name: &str, was: Option<u32>, now: u32, limit: u32) -> String {
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
