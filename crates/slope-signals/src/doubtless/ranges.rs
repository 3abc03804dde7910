//! Comparisons of a number with a known range: the rest of a division, a byte, the greater of two.

use std::cell::Cell;

use super::changes::{Change, is_kept, is_local, is_unchanged};
use super::comparisons::{conditions, sides};
use super::nodes::bare;
use super::number_types::{NumberTypes, limits};
use super::questions::asked;
use super::values::{behind_loops, given};
use slope_syntax::Construct;
use slope_syntax::conventions::{Extremes, Remainder, Values};

use crate::occurrences::{Occurrences, Use};
use slope_syntax::view::View;

/// Maximum depth of expressions that are examined.
const MAX_DEPTH: usize = 8;

/// Rust methods that round: a number between two integers stays between them.
const ROUNDING: &[&str] = &["round", "floor", "ceil", "trunc"];

/// The range of an expression's value.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Range {
    low: f64,
    high: f64,
    /// Whether it may be no number at all, so that each comparison is false.
    may_be_nan: bool,
}

impl Range {
    const ALL: Self = Self {
        low: f64::NEG_INFINITY,
        high: f64::INFINITY,
        may_be_nan: true,
    };

    /// The range in words.
    fn shown(self) -> String {
        match (self.low.is_finite(), self.high.is_finite()) {
            (true, true) if self.low.total_cmp(&self.high).is_eq() => self.low.to_string(),
            (true, true) => format!("from {} to {}", self.low, self.high),
            (true, false) => format!("at least {}", self.low),
            _ => format!("at most {}", self.high),
        }
    }

    /// Whether the comparison with a number is always true, or never; `None` if it depends.
    fn answer(self, sign: &str, other: f64) -> Option<bool> {
        let (low, high) = (self.low, self.high);
        let (is_always, is_never) = match sign {
            "<" => (high < other, low >= other),
            "<=" => (high <= other, low > other),
            ">" => (low > other, high <= other),
            ">=" => (low >= other, high < other),
            "==" | "===" => (false, high < other || low > other),
            "!=" | "!==" => (high < other || low > other, false),
            _ => return None,
        };
        let may_fail = self.may_be_nan && !sign.starts_with('!');
        match (is_always && !may_fail, is_never) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        }
    }
}

/// Finds comparisons in conditions that always have the same answer.
pub(super) fn find<'v>(
    view: &View<'v>,
    names: &Occurrences<'_>,
    types: &NumberTypes<'v, '_>,
) -> Vec<(u32, String)> {
    let reader = Reader {
        view,
        names,
        types,
        steps: Cell::new(0),
    };
    let conditions = conditions(view).into_iter();
    let parts = conditions.flat_map(|condition| asked(view, condition));
    let found = parts.filter_map(|part| {
        let (left, sign, right) = sides(view, part)?;
        let other = number(view, right)?;
        reader.steps.set(0);
        let range = reader.of_subject(left)?;
        range.answer(sign, other)?;
        let text = view.text(left).lines().next().unwrap_or_default();
        Some((
            part,
            format!("`{text}` is always {}, so this is known.", range.shown()),
        ))
    });
    found.collect()
}

/// An integer or decimal literal.
fn number(view: &View<'_>, node: u32) -> Option<f64> {
    let node = bare(view, node)?;
    if view.k(node) == Construct::UnaryOp {
        let positive = view.text(node).starts_with('-').then(|| view.only(node));
        return Some(-number(view, positive.flatten()?)?);
    }
    let text = view.text(node).replace('_', "");
    if view.k(node) != Construct::Number {
        return None;
    }
    if let Some(hex) = text.strip_prefix("0x") {
        let value = u32::from_str_radix(hex, 16).ok()?;
        return Some(f64::from(value));
    }
    let end = text.find(['u', 'i']).unwrap_or(text.len());
    text[..end].parse().ok()
}

struct Reader<'a, 'v, 'n> {
    view: &'a View<'v>,
    names: &'a Occurrences<'a>,
    types: &'a NumberTypes<'v, 'n>,
    /// Number of expressions read for one comparison.
    steps: Cell<usize>,
}

/// Maximum number of expressions read for one comparison.
const MAX_STEPS: usize = 64;

impl Reader<'_, '_, '_> {
    /// The range of the left side of a comparison, unless it is a number itself.
    fn of_subject(&self, node: u32) -> Option<Range> {
        let node = bare(self.view, node)?;
        (self.view.k(node) != Construct::Number)
            .then(|| self.of(node, 0))
            .flatten()
    }

    /// The range of a name: that of the value that it was given above, or of its type.
    fn of_name(&self, node: u32, depth: usize) -> Option<Range> {
        let (view, name) = (self.view, self.view.text(node));
        let given = given(view, name, node);
        let value = given.and_then(|given| {
            let range = self.of(given.value, depth + 1)?;
            let since = (given.end, node);
            let is_same = is_unchanged(view, self.names, name, since, Change::Value);
            is_same
                .then_some(range)
                .or_else(|| self.counted(range, (node, given.end), depth))
        });
        value.or_else(|| self.types.type_of_name(view, node).and_then(of_type))
    }

    /// The range of a name to which later code only adds counts: `total += len(part)`.
    fn counted(&self, first: Range, (node, since): (u32, u32), depth: usize) -> Option<Range> {
        let view = self.view;
        let number = self.names.names.known(view.text(node))?;
        let scope = view.scope(node);
        let adds = |written: u32| {
            let step = view.parent(written);
            let is_sum = view.k(step) == Construct::AugAssign && view.text(step).contains("+=");
            let added = view.parts(step).last().filter(|_| is_sum);
            let added = added.and_then(|added| self.of(added, depth + 1));
            added.is_some_and(|added| added.low >= 0.0 && !added.may_be_nan)
        };
        let between = since..behind_loops(view, node, since);
        let is_counted = is_local(view, self.names, number, scope)
            && is_kept(
                view,
                self.names,
                number,
                (&between, scope),
                (Change::Value, &adds),
            );
        is_counted.then_some(Range {
            high: f64::INFINITY,
            ..first
        })
    }

    fn of(&self, node: u32, depth: usize) -> Option<Range> {
        let view = self.view;
        self.steps.set(self.steps.get() + 1);
        let is_deep = depth >= MAX_DEPTH || self.steps.get() > MAX_STEPS;
        let node = bare(view, node).filter(|_| !is_deep)?;
        match view.k(node) {
            Construct::Number | Construct::UnaryOp => number(view, node).map(|value| Range {
                low: value,
                high: value,
                may_be_nan: false,
            }),
            Construct::Identifier => self.of_name(node, depth),
            Construct::BinaryOp => self.of_operation(node, depth),
            Construct::Call => self.of_call(node, depth),
            _ => match view.tree.kind_name(node) {
                "type_cast_expression" => {
                    let kind = view.parts(node).last()?;
                    self.converted(view.first(node)?, view.text(kind), depth)
                }
                "expression_list" => self.of(view.only(node)?, depth + 1),
                _ => None,
            },
        }
    }

    /// The range of a number after its conversion to a type: its own if that fits.
    fn converted(&self, node: u32, kind: &str, depth: usize) -> Option<Range> {
        let own = self.of(node, depth + 1);
        let Some(limits) = of_type(kind) else {
            // The limits of `int` of Go depend on the machine.
            return own.filter(|own| kind == "int" && own.high <= f64::from(i32::MAX));
        };
        let fits = |own: &Range| own.low >= limits.low && own.high <= limits.high;
        Some(own.filter(fits).unwrap_or(limits))
    }

    /// `a % 24` and `a & 0xff`.
    fn of_operation(&self, node: u32, depth: usize) -> Option<Range> {
        let (left, sign, right) = sides(self.view, node)?;
        let other = number(self.view, right).filter(|&other| other > 0.0)?;
        match sign {
            "%" => self.of_rest(left, other, depth),
            // Beyond this the result of JavaScript may be below 0.
            "&" if other <= f64::from(i32::MAX) => Some(Range {
                low: 0.0,
                high: other,
                may_be_nan: false,
            }),
            _ => None,
        }
    }

    /// The range of the rest of a division by a number.
    fn of_rest(&self, left: u32, other: f64, depth: usize) -> Option<Range> {
        let own = self.of(left, depth + 1);
        let is_positive = own.is_some_and(|own| own.low >= 0.0);
        let remainder = self.view.conventions.values?.numbers.remainder;
        let (low, high) = match remainder {
            Remainder::NeverBelowZero => {
                return self.is_whole(left).then_some(Range {
                    low: 0.0,
                    high: other - 1.0,
                    may_be_nan: false,
                });
            }
            Remainder::Whole => (1.0 - other, other - 1.0),
            Remainder::Fraction => (-other.next_down(), other.next_down()),
        };
        Some(Range {
            low: if is_positive { 0.0 } else { low },
            high,
            may_be_nan: remainder == Remainder::Fraction,
        })
    }

    /// Whether a Python expression is certainly an integer.
    fn is_whole(&self, node: u32) -> bool {
        let value = match self.view.k(node) {
            Construct::Identifier => {
                given(self.view, self.view.text(node), node).map(|given| given.value)
            }
            _ => Some(node),
        };
        value.is_some_and(|value| {
            let makers = ["int(", "len(", "ord(", "hash(", "id("];
            let text = self.view.text(value);
            self.view.k(value) == Construct::Call
                && makers.iter().any(|maker| text.starts_with(maker))
        })
    }

    fn of_call(&self, node: u32, depth: usize) -> Option<Range> {
        let view = self.view;
        let callee = view.text(node + 1);
        let list = view.child(node, Construct::Arguments)?;
        let arguments: Vec<u32> = view.parts(list).take(MAX_DEPTH).collect();
        let values = view.conventions.values?;
        match (values.numbers.extremes, callee, &arguments[..]) {
            (Extremes::Methods, ..) => self.of_method(node, &arguments, depth),
            (Extremes::Functions, "min" | "max", parts @ [_, _, ..]) => {
                let is_named = |&part: &u32| view.text(part).contains('=');
                let is_plain = !parts.iter().any(is_named) && !self.is_redefined(callee);
                is_plain.then(|| self.of_any_extreme(parts, callee == "max", depth))?
            }
            (Extremes::OfMath, "Math.min" | "Math.max", parts @ [_, _, ..]) => {
                self.of_any_extreme(parts, callee == "Math.max", depth)
            }
            (_, kind, &[value])
                if values.numbers.types_convert && (of_type(kind).is_some() || kind == "int") =>
            {
                self.converted(value, kind, depth)
            }
            _ => of_known_call(callee, values),
        }
    }

    /// The range of a method of a number of Rust.
    fn of_method(&self, node: u32, arguments: &[u32], depth: usize) -> Option<Range> {
        let view = self.view;
        let callee = view.text(node + 1);
        let method = callee.rsplit('.').next()?;
        let receiver = || view.first(node + 1);
        match (method, arguments) {
            ("clamp", &[low, high]) => {
                let ends = (number(view, low), number(view, high));
                let is_known = ends.0.is_some() || ends.1.is_some();
                is_known.then(|| Range {
                    low: ends.0.unwrap_or(f64::NEG_INFINITY),
                    high: ends.1.unwrap_or(f64::INFINITY),
                    may_be_nan: self.is_of_fractions(&[low, high]),
                })
            }
            ("min" | "max", &[other]) => {
                self.of_extreme(&[receiver()?, other], method == "max", depth)
            }
            (_, &[]) if ROUNDING.contains(&method) => self.of(receiver()?, depth + 1),
            _ => of_known_call(callee, view.conventions.values?),
        }
    }

    /// As [`Self::of_extreme`], if one of the numbers may be NaN.
    fn of_any_extreme(&self, parts: &[u32], is_greatest: bool, depth: usize) -> Option<Range> {
        let range = self.of_extreme(parts, is_greatest, depth)?;
        Some(Range {
            may_be_nan: true,
            ..range
        })
    }

    /// The range of the minimum or maximum of some numbers, if one of them is known.
    fn of_extreme(&self, parts: &[u32], is_greatest: bool, depth: usize) -> Option<Range> {
        let ranges: Vec<Option<Range>> =
            parts.iter().map(|&part| self.of(part, depth + 1)).collect();
        if ranges.iter().all(Option::is_none) {
            return None;
        }
        let ranges = ranges.into_iter().map(|range| range.unwrap_or(Range::ALL));
        ranges.reduce(|one, other| {
            let pick = if is_greatest { f64::max } else { f64::min };
            Range {
                low: pick(one.low, other.low),
                high: pick(one.high, other.high),
                may_be_nan: self.is_of_fractions(parts),
            }
        })
    }

    /// Whether a file redefines a function of the language.
    fn is_redefined(&self, name: &str) -> bool {
        let number = self.names.names.known(name);
        let mut all = number
            .into_iter()
            .flat_map(|number| self.names.of_name(number).into_iter().flatten());
        all.any(|one| {
            !matches!(
                one.how,
                Use::Called | Use::Load | Use::Member | Use::MemberCalled | Use::Keyword
            )
        })
    }

    fn is_of_fractions(&self, parts: &[u32]) -> bool {
        parts.iter().any(|&part| {
            self.view.k(part) == Construct::Number && self.view.text(part).contains('.')
        })
    }
}

/// The range of a call of a library function, such as `d.getHours()`.
fn of_known_call(callee: &str, values: &Values) -> Option<Range> {
    let method = callee.rfind('.').map_or("", |dot| &callee[dot..]);
    let mut known = values.ranges.iter();
    let &(_, low, high) = known.find(|(name, ..)| *name == callee || *name == method)?;
    Some(Range {
        low,
        high,
        may_be_nan: values.numbers.may_be_nan,
    })
}

fn of_type(kind: &str) -> Option<Range> {
    let (low, high) = limits(kind)?;
    Some(Range {
        low,
        high,
        may_be_nan: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_answer_comparisons_outside_them() {
        let byte = of_type("u8").unwrap();
        assert_eq!(byte.answer("<", 256.0), Some(true));
        assert_eq!(byte.answer("<", 255.0), None);
        assert_eq!(byte.answer(">", 255.0), Some(false));
        assert_eq!(byte.answer("==", 300.0), Some(false));
        assert_eq!(byte.answer("!=", 300.0), Some(true));
    }

    #[test]
    fn possible_nan_only_answers_never() {
        let share = Range {
            low: 0.0,
            high: 1.0,
            may_be_nan: true,
        };
        assert_eq!(share.answer("<=", 1.0), None);
        assert_eq!(share.answer(">", 1.0), Some(false));
        assert_eq!(share.answer("!=", 2.0), Some(true));
    }
}
