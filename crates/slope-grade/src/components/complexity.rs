//! `p_cx`: structural complexity that an edit adds.
//!
//! `0.5 sat(concentration) + 0.2 sat(nesting) + 0.3 sat(growth)`, and what is left of 1 times a part for
//! needless code. All are differences of sums over the functions of the touched files, so moved code counts
//! nothing. A function's length is its statements times the lines that a statement of the base has: layout counts
//! nothing either.

use std::collections::BTreeMap;

use slope_measure::FileView;
use slope_model::measurement::Callable;

use super::judged::{Judged, Scored, evidence, number, place};
use crate::reward::saturated;
use slope_model::grade::Evidence;

const SIGNAL: &str = "p_cx";

/// Complexity around which a function begins to be large.
const LARGE: f64 = 10.0;
/// Levels of nesting that cost nothing.
const FREE_NESTING: u32 = 3;
/// Weight of needless code.
const NEEDLESS: f64 = 0.3;
/// Categories of findings about code that does nothing.
const NEEDLESS_CATEGORIES: [&str; 4] = [
    "needless-layer",
    "defensive-noise",
    "conditionals",
    "verbosity",
];

/// Sums over the functions of one side.
#[derive(Default, Clone, Copy)]
struct Sums {
    concentration: f64,
    nesting: f64,
    cognitive: f64,
    lines: f64,
}

impl Sums {
    /// Adds a function with its length.
    fn add(&mut self, callable: &Callable, lines: f64) {
        self.concentration += concentration(callable, lines);
        self.nesting += f64::from(callable.nesting.saturating_sub(FREE_NESTING));
        self.cognitive += f64::from(callable.judged_cognitive());
        self.lines += lines;
    }
}

/// Complexity mass, counted the more fully the larger the function is: a smooth step, so that splitting 11 into
/// 10 and 1 gains little.
pub(super) fn concentration(callable: &Callable, lines: f64) -> f64 {
    let complexity = f64::from(callable.judged_complexity());
    let step = 1.0 / (1.0 + (-(complexity - LARGE) / 2.0).exp());
    complexity * lines.sqrt() * step
}

/// Lines of a statement in a base without functions.
const LINES_PER_STATEMENT: f64 = 1.5;

/// The length of a function: its statements in lines of the base.
pub(super) fn length(judged: &Judged<'_>, view: &FileView, callable: &Callable) -> f64 {
    let base = judged.base.code.product();
    let per_statement = match base.statements {
        0 => LINES_PER_STATEMENT,
        count => number(base.function_lines.cast_signed()) / number(count.cast_signed()),
    };
    // The head of a function is a line too.
    per_statement * f64::from(view.statements_of(callable)).max(1.0)
}

pub(super) fn score(judged: &Judged<'_>) -> Scored {
    let (mut before, mut after) = (Sums::default(), Sums::default());
    for (old, new) in judged.product_files() {
        for (view, sums) in [(old, &mut before), (new, &mut after)] {
            let Some(view) = view else { continue };
            for callable in view.callables() {
                sums.add(callable, length(judged, view, callable));
            }
            sums.cognitive += f64::from(view.cognitive_outside().unwrap_or(0));
        }
    }
    let scales = &judged.pack.scales;
    // Lines outside functions allow no growth: tables would hide it.
    let allowed = (after.lines - before.lines).max(0.0)
        * judged.per_line(judged.base.code.product().cognitive);
    let growth = after.cognitive - before.cognitive - allowed;
    let structure =
        0.5 * saturated(
            after.concentration - before.concentration,
            scales.concentration,
        ) + 0.2 * saturated(after.nesting - before.nesting, scales.nesting)
            + 0.3 * saturated(growth, scales.growth);
    let is_needless = |category: &str| NEEDLESS_CATEGORIES.contains(&category);
    let findings = judged.findings();
    let needless = findings.filter(|(_, finding)| is_needless(&finding.category));
    let needless =
        needless.map(|(violation, finding)| evidence(SIGNAL, violation, &finding.rule, 1.0));
    let mut found: Vec<Evidence> = needless.collect();
    for piece in wrappers(judged) {
        // The gate may report it too.
        if found.iter().all(|known| known.at != piece.at) {
            found.push(piece);
        }
    }
    let needless = NEEDLESS * saturated(number(found.len().cast_signed() as i64), scales.needless);
    if structure > 0.0 {
        found.extend(grown(judged));
    }
    Scored {
        value: structure + (1.0 - structure) * needless,
        evidence: found,
    }
}

/// New functions that only call one that is there.
fn wrappers(judged: &Judged<'_>) -> Vec<Evidence> {
    let files = judged.product_files();
    let files = files.filter_map(|(before, after)| Some((before?, after?)));
    let wrappers = files.flat_map(|(before, after)| {
        let path = after.path();
        let found = after.new_wrappers(before).into_iter();
        found.map(move |one| Evidence {
            signal: SIGNAL.to_owned(),
            kind: "wrapper".to_owned(),
            at: place(path, one.line, one.line),
            of: None,
            message: format!("`{}` only passes its parameters to `{}`.", one.name, one.of),
            amount: 1.0,
        })
    });
    wrappers.collect()
}

/// Functions whose concentration or cognitive complexity grew, by name.
fn grown(judged: &Judged<'_>) -> Vec<Evidence> {
    let mut found = Vec::new();
    for (old, new) in judged.product_files() {
        let Some(new) = new else { continue };
        let had = old.map(by_name).unwrap_or_default();
        for callable in new.callables() {
            let old = had.get(callable.name.as_str());
            let was = old.map_or(0.0, |(view, old)| {
                concentration(old, length(judged, view, old))
            });
            let old = old.map(|(_, old)| *old);
            let thinking = |one: &Callable| i64::from(one.judged_cognitive());
            let more = thinking(callable) - old.map_or(0, thinking);
            let amount = (concentration(callable, length(judged, new, callable)) - was).max(0.0)
                + number(more.max(0));
            if amount > 0.5 {
                found.push(Evidence {
                    signal: SIGNAL.to_owned(),
                    kind: "complexity".to_owned(),
                    at: place(new.path(), callable.span.start_line, callable.span.end_line),
                    of: None,
                    message: said(callable, old),
                    amount,
                });
            }
        }
    }
    found
}

fn by_name(view: &FileView) -> BTreeMap<&str, (&FileView, &Callable)> {
    let callables = view.callables().iter();
    callables
        .map(|one| (one.name.as_str(), (view, one)))
        .collect()
}

fn said(callable: &Callable, old: Option<&Callable>) -> String {
    let (now, name) = (callable.judged_complexity(), &callable.name);
    let thinking = callable.judged_cognitive();
    match old {
        Some(old) => format!(
            "`{name}` goes from complexity {} to {now}, and from cognitive complexity {} to {thinking}.",
            old.judged_complexity(),
            old.judged_cognitive(),
        ),
        None => format!(
            "`{name}` is new with complexity {now} and cognitive complexity {thinking} in {} lines.",
            callable.sloc
        ),
    }
}
