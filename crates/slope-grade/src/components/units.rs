//! Functions as `p_cx` weighs them.
//!
//! A check of inputs counts in part: code without its checks must not look simpler. A function that only one side has
//! counts with the functions and lambdas in it: a branch in a closure is a branch. Bodies of macros are functions too.

use std::collections::BTreeSet;

use slope_measure::FileView;
use slope_model::measurement::{Callable, CallableKind};

use super::judged::{Judged, number};
use super::macros;

/// Share of a check that counts: it is a branch, but one that a reader expects.
const CHECK: f64 = 0.25;
/// Levels of nesting that cost nothing.
pub(super) const FREE_NESTING: u32 = 3;
/// Complexity around which a function begins to be large.
const LARGE: f64 = 10.0;
/// How far from it the step is half as steep.
const STEP: f64 = 2.0;
/// A function with the functions in it, if those count as parts of it.
pub(super) struct Unit<'a> {
    /// Its dotted name.
    pub(super) name: &'a str,
    /// Its first and last line, from 1.
    pub(super) lines: (u32, u32),
    /// Cyclomatic complexity.
    pub(super) complexity: f64,
    /// Cognitive complexity.
    pub(super) cognitive: f64,
    /// Levels of nesting beyond those that cost nothing.
    pub(super) nesting: f64,
    /// Its statements, in lines of the base.
    pub(super) length: f64,
    /// Whether only this side of the edit has it.
    pub(super) is_lone: bool,
}

impl Unit<'_> {
    /// Whether all numbers are equal, apart from its place.
    pub(super) fn is_equal(&self, other: &Unit<'_>) -> bool {
        let numbers = |one: &Unit<'_>| [one.complexity, one.cognitive, one.nesting, one.length];
        let pairs = numbers(self).into_iter().zip(numbers(other));
        pairs
            .into_iter()
            .all(|(own, other)| own.to_bits() == other.to_bits())
    }

    /// Complexity mass, counted the more fully the larger the function is: a smooth step, so that splitting 11 into
    /// 10 and 1 gains little.
    pub(super) fn concentration(&self) -> f64 {
        let step = 1.0 / (1.0 + (-(self.complexity - LARGE) / STEP).exp());
        self.complexity * self.length.sqrt() * step
    }

    /// Cognitive complexity beyond what a function of its length has in the base. A simple one allows others nothing.
    pub(super) fn excess(&self, per_line: f64) -> f64 {
        (self.cognitive - per_line * self.length).max(0.0)
    }
}

/// The functions of one side of a file. `other` are the names of functions that the other side of the edit has.
pub(super) fn units<'a>(
    judged: &Judged<'_>,
    view: &'a FileView,
    is_before: bool,
    other: &BTreeSet<&str>,
) -> Vec<Unit<'a>> {
    let per_statement = lines_per_statement(judged);
    let checks = view.check_costs();
    // A function that was elsewhere is no part of another one.
    let moved: BTreeSet<&str> = other
        .iter()
        .map(|name| last_part(name))
        .filter(|name| !name.starts_with('<'))
        .collect();
    let mut found: Vec<Unit<'a>> = Vec::new();
    let mut outer: Option<usize> = None;
    let mut was_lambda = false;
    for callable in view.callables() {
        let mut unit = of_callable(view, callable, per_statement);
        unit.is_lone = !other.contains(unit.name);
        if let Some(checks) = checks.get(callable.name.as_str()) {
            let free = |count: u32| (1.0 - CHECK) * f64::from(count);
            unit.complexity = (unit.complexity - free(checks.decisions)).max(1.0);
            unit.cognitive = (unit.cognitive - free(checks.cognitive)).max(0.0);
        }
        let around = outer.and_then(|outer| found.get_mut(outer));
        // Lambdas one after the other are a table.
        let is_lambda = callable.kind == CallableKind::Lambda;
        let gap = u32::from(is_lambda && was_lambda);
        was_lambda = is_lambda;
        let is_within = |around: &&mut Unit<'_>| unit.lines.0 <= around.lines.1 + gap;
        match around
            .filter(is_within)
            .filter(|_| !moved.contains(last_part(unit.name)))
        {
            Some(around) => {
                around.lines.1 = around.lines.1.max(unit.lines.1);
                let decisions = unit.complexity - 1.0;
                around.complexity += decisions;
                // Each decision is a level deeper than it is alone.
                around.cognitive += unit.cognitive + decisions.min(unit.cognitive);
                around.nesting = around.nesting.max(unit.nesting);
            }
            None => {
                outer = unit.is_lone.then_some(found.len());
                found.push(unit);
            }
        }
    }
    found.extend(macros::units(judged, view, is_before));
    found
}

/// The last part of a dotted name.
pub(super) fn last_part(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

fn of_callable<'a>(view: &FileView, callable: &'a Callable, per_statement: f64) -> Unit<'a> {
    Unit {
        name: &callable.name,
        lines: (callable.span.start_line, callable.span.end_line),
        complexity: f64::from(callable.judged_complexity()),
        cognitive: f64::from(callable.judged_cognitive()),
        nesting: f64::from(callable.nesting.saturating_sub(FREE_NESTING)),
        // The head of a function is a line too.
        length: per_statement * f64::from(view.statements_of(callable)).max(1.0),
        is_lone: false,
    }
}

/// Lines of a statement in a base without functions.
const LINES_PER_STATEMENT: f64 = 1.5;

/// Lines that a statement of the base has.
pub(super) fn lines_per_statement(judged: &Judged<'_>) -> f64 {
    let base = judged.base.code.product();
    match base.statements {
        0 => LINES_PER_STATEMENT,
        count => number(base.function_lines.cast_signed()) / number(count.cast_signed()),
    }
}

/// Names of the functions of one side of an edit.
pub(super) fn names<'a>(views: impl Iterator<Item = Option<&'a FileView>>) -> BTreeSet<&'a str> {
    let callables = views.flatten().flat_map(|view| view.callables());
    callables.map(|callable| callable.name.as_str()).collect()
}
