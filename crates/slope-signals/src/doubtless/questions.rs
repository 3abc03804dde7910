//! Questions of conditions, normalised so that two spellings can be compared.

use super::changes::Change;
use super::nodes::bare;
use slope_syntax::Construct;

use slope_syntax::view::View;

/// A part of a condition, and whether it is true.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part {
    pub(super) node: u32,
    pub(super) holds: bool,
}

/// The question of a part of a condition, normalised over its spellings.
#[derive(Debug, Clone)]
pub(super) struct Question<'a> {
    pub(super) about: Topic,
    /// Subject of the question.
    pub(super) subject: &'a str,
    /// The other side of the comparison.
    pub(super) other: &'a str,
    /// Whether the question is negated.
    pub(super) negated: bool,
    /// Whether it compares with an empty string.
    pub(super) is_of_text: bool,
}

/// Topic of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Topic {
    /// Whether it is `None`, `null`, `undefined` or `nil`, or an `Option` without a value.
    Nothing,
    /// Whether it has no items, or no characters.
    Empty,
    /// Whether it is truthy.
    True,
    /// Whether it is of a type.
    Type,
    /// Whether a `Result` is an error.
    Error,
    /// Whether it equals a value.
    Equal,
    /// Whether it is in a collection.
    In,
    /// Order relative to a value, by this sign.
    Order(Sign),
    /// Comparison of its number of items. Without a sign, equality.
    Length(Option<Sign>),
}

/// Order operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    Below,
    AtMost,
    Above,
    AtLeast,
}

/// Operator that joins two parts of a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Junction {
    And,
    Or,
}

/// Operator of an `and` or `or` expression, and its two operands.
pub(crate) fn junction(view: &View<'_>, node: u32) -> Option<(Junction, u32, u32)> {
    if !matches!(view.k(node), Construct::BoolOp | Construct::BinaryOp) {
        return None;
    }
    let mut parts = view.parts(node);
    let (left, right) = (parts.next()?, parts.next()?);
    match sign(view, right) {
        "&&" | "and" => Some((Junction::And, left, right)),
        "||" | "or" => Some((Junction::Or, left, right)),
        _ => None,
    }
}

fn sign<'a>(view: &View<'a>, right: u32) -> &'a str {
    let sign = view.tree.previous_sibling(right);
    sign.map_or("", |sign| view.text(sign))
}

/// The operand of a negation.
pub(super) fn negated(view: &View<'_>, node: u32) -> Option<u32> {
    let is_not = view.k(node) == Construct::Not || view.text(node).starts_with('!');
    let is_unary = matches!(view.k(node), Construct::Not | Construct::UnaryOp);
    (is_unary && is_not).then(|| view.only(node)).flatten()
}

/// Maximum number of parts read of an earlier condition; the rest is ignored.
const MAX_PARTS: usize = 256;

/// The parts of a condition that are known if it is true, or if it is false.
pub(super) fn implied(view: &View<'_>, condition: u32, holds: bool) -> Vec<Part> {
    let mut open = vec![Part {
        node: condition,
        holds,
    }];
    let mut parts = Vec::new();
    let mut read = 0;
    while let Some(Part { node, holds }) = open.pop() {
        read += 1;
        if read > MAX_PARTS {
            break;
        }
        let Some(node) = bare(view, node) else {
            continue;
        };
        let joined = junction(view, node);
        let wanted = if holds { Junction::And } else { Junction::Or };
        match (negated(view, node), joined) {
            (Some(inner), _) => open.push(Part {
                node: inner,
                holds: !holds,
            }),
            (None, Some((how, left, right))) if how == wanted => {
                open.extend([right, left].map(|node| Part { node, holds }));
            }
            (None, Some(_)) => {}
            (None, None) => parts.push(Part { node, holds }),
        }
    }
    parts
}

/// Parts of a condition that test something.
pub(super) fn asked(view: &View<'_>, condition: u32) -> Vec<u32> {
    let mut open = vec![condition];
    let mut parts = Vec::new();
    while let Some(node) = open.pop() {
        let Some(node) = bare(view, node) else {
            continue;
        };
        match (negated(view, node), junction(view, node)) {
            (Some(inner), _) => open.push(inner),
            (None, Some((_, left, right))) => open.extend([right, left]),
            (None, None) => parts.push(node),
        }
    }
    parts
}

impl<'a> Question<'a> {
    /// A question about a single subject.
    pub(super) fn new(about: Topic, subject: &'a str, negated: bool) -> Self {
        Self {
            about,
            subject,
            other: "",
            negated,
            is_of_text: false,
        }
    }

    /// The question of a part of a condition, and the changes that can alter its answer.
    pub(super) fn of(view: &View<'a>, node: u32) -> Option<(Self, Change)> {
        let question = match view.k(node) {
            Construct::Identifier => Self::new(Topic::True, view.text(node), false),
            Construct::Attribute if length_of(view, node).is_some() => {
                Self::new(Topic::Empty, length_of(view, node)?, true)
            }
            Construct::Attribute if is_path(view, node) => {
                Self::new(Topic::True, view.text(node), false)
            }
            Construct::Call => Self::of_call(view, node)?,
            Construct::Compare | Construct::BinaryOp => Self::of_comparison(view, node)?,
            _ if view.tree.kind_name(node) == "let_condition" => Self::of_pattern(view, node)?,
            _ => return None,
        };
        let change = question.change(view);
        Some((question, change))
    }

    fn change(&self, view: &View<'_>) -> Change {
        let values = view.conventions.values;
        let objects_count = values.is_some_and(|values| values.objects_count);
        let texts_change = values.is_none_or(|values| values.texts_change);
        if [self.subject, self.other]
            .iter()
            .any(|text| text.contains('.'))
        {
            return Change::Anything;
        }
        let is_constant = !self
            .other
            .starts_with(|c: char| c.is_alphabetic() || c == '_');
        match self.about {
            Topic::Nothing | Topic::Type | Topic::Error => Change::Value,
            Topic::True if objects_count => Change::Value,
            Topic::Empty if self.is_of_text && !texts_change => Change::Value,
            Topic::Equal | Topic::Order(_) if is_constant => Change::Value,
            _ => Change::Content,
        }
    }

    /// `a.is_none()`, `isinstance(a, B)`, `Array.isArray(a)`.
    fn of_call(view: &View<'a>, node: u32) -> Option<Self> {
        let list = view.child(node, Construct::Arguments)?;
        let (callee, mut given) = (view.text(node + 1), view.parts(list));
        if let ("isinstance", Some(first), Some(class)) = (callee, given.next(), given.next()) {
            let subject = name_or_path(view, first)?;
            return Some(Self {
                other: view.text(class),
                ..Self::new(Topic::Type, subject, false)
            });
        }
        if callee == "Array.isArray" {
            let subject = name_or_path(view, view.only(list)?)?;
            return Some(Self {
                other: "Array",
                ..Self::new(Topic::Type, subject, false)
            });
        }
        let is_bare = view.parts(list).next().is_none();
        let asked = [
            (".is_none", Topic::Nothing, false),
            (".is_some", Topic::Nothing, true),
            (".is_err", Topic::Error, false),
            (".is_ok", Topic::Error, true),
            (".is_empty", Topic::Empty, false),
        ];
        let is_plain = |text: &str| text.split('.').all(is_name);
        let mut asked = asked.into_iter().filter(|_| is_bare);
        let known = asked.find_map(|(end, about, negated)| {
            let subject = callee.strip_suffix(end)?;
            is_plain(subject).then(|| Self::new(about, subject, negated))
        });
        // `a.isDir()` counts as a field, as long as no other code runs in between.
        known.or_else(|| {
            let (_, method) = callee.rsplit_once('.').filter(|_| is_bare)?;
            let asks = |start: &&str| {
                let rest = method.strip_prefix(start);
                rest.is_some_and(|rest| rest.starts_with(|c: char| c == '_' || c.is_uppercase()))
            };
            let is_question = ["is", "Is", "has", "Has"].iter().any(asks);
            (is_question && is_plain(callee))
                .then(|| Self::new(Topic::True, view.text(node), false))
        })
    }

    /// `a == b` and the like.
    fn of_comparison(view: &View<'a>, node: u32) -> Option<Self> {
        let mut parts = view.parts(node);
        let (left, right) = (parts.next()?, parts.next()?);
        let signs: Vec<&str> = view
            .children(node)
            .filter(|&child| !view.tree.node(child).named)
            .map(|child| view.text(child))
            .collect();
        let [sign] = signs[..] else { return None };
        let (subject, other) = (view.text(left), view.text(right));
        if sign == "instanceof" {
            let question = Self::new(Topic::Type, name_or_path(view, left)?, false);
            return Some(Self { other, ..question });
        }
        let (about, negated) = topic_of(sign)?;
        if let Some(subject) = length_of(view, left) {
            return Self::of_length(subject, sign, other).or_else(|| {
                let how = match about {
                    Topic::Order(sign) => Some(sign),
                    Topic::Equal => None,
                    _ => return None,
                };
                let question = Self::new(Topic::Length(how), subject, negated);
                let is_number = view.k(right) == Construct::Number && other.parse::<i64>().is_ok();
                is_number.then_some(Self { other, ..question })
            });
        }
        let is_nothing = view.k(right) == Construct::Null || other == "undefined";
        if about == Topic::Equal && view.k(left) == Construct::UnaryOp {
            let subject = subject.strip_prefix("typeof ")?;
            let question = Self::new(Topic::Type, subject, negated);
            return is_name(subject).then_some(Self { other, ..question });
        }
        let subject = name_or_path(view, left)?;
        if about == Topic::Equal && is_nothing {
            // `== null` covers more than `=== null` does.
            let is_strict = matches!(sign, "===" | "!==");
            let other = if is_strict { other } else { "" };
            return Some(Self {
                other,
                ..Self::new(Topic::Nothing, subject, negated)
            });
        }
        if about == Topic::Equal && matches!(other, "\"\"" | "''" | "``") {
            return Some(Self {
                is_of_text: true,
                ..Self::new(Topic::Empty, subject, negated)
            });
        }
        let is_plain = view.is_constant(right) || name_or_path(view, right).is_some();
        let question = Self::new(about, subject, negated);
        is_plain.then_some(Self { other, ..question })
    }

    fn of_length(subject: &'a str, sign: &str, other: &str) -> Option<Self> {
        let negated = match (sign, other) {
            ("==" | "===" | "<=", "0") | ("<", "1") => false,
            ("!=" | "!==" | ">", "0") | (">=", "1") => true,
            _ => return None,
        };
        Some(Self::new(Topic::Empty, subject, negated))
    }

    /// `let Some(a) = b`.
    fn of_pattern(view: &View<'a>, node: u32) -> Option<Self> {
        let mut parts = view.parts(node);
        let (pattern, value) = (view.text(parts.next()?), parts.next()?);
        let (about, negated) = match pattern.split('(').next()? {
            "Some" => (Topic::Nothing, true),
            "None" => (Topic::Nothing, false),
            "Ok" => (Topic::Error, true),
            "Err" => (Topic::Error, false),
            _ => return None,
        };
        let inner = pattern.split_once('(').map_or("_)", |(_, inner)| inner);
        let inner = inner.strip_suffix(')')?;
        let inner = inner.trim_start_matches("ref ").trim_start_matches("mut ");
        // A pattern with more parts may not match even if there is a value.
        let is_open = inner.starts_with(|c: char| c.is_lowercase() || c == '_') && is_name(inner);
        let subject = view.text(value).trim_start_matches('&');
        let is_plain = is_name(subject) || is_path(view, value);
        (is_open && is_plain).then(|| Self::new(about, subject, negated))
    }

    /// Bound of the subject, given the answer to an order question.
    fn bound(&self, holds: bool) -> Option<Bound> {
        let Topic::Order(sign) = self.about else {
            return None;
        };
        let value = self.other.parse().ok()?;
        let is_below = matches!(sign, Sign::Below | Sign::AtMost);
        let has_value = matches!(sign, Sign::AtMost | Sign::AtLeast);
        let is_so = holds != self.negated;
        Some(Bound {
            value,
            is_lower: is_below != is_so,
            has_value: has_value == is_so,
        })
    }

    /// Whether a part of another condition answers a question.
    pub(super) fn is_answered_by(&self, view: &View<'_>, known: &Self, holds: bool) -> bool {
        if self.subject != known.subject {
            return false;
        }
        let answer = self.answered_by_bound(known, holds);
        answer
            .or_else(|| self.answered_by_length(known, holds))
            .unwrap_or_else(|| {
                let same = self.about == known.about && self.other == known.other;
                same || self.is_implied_by(view, known, holds)
            })
    }

    /// Whether a bound of a number answers a question; `None` if the two have different subjects.
    fn answered_by_bound(&self, known: &Self, holds: bool) -> Option<bool> {
        let bound = known.bound(holds)?;
        // `NaN` equals no number either.
        if self.about == Topic::Equal {
            return Some(!bound.has(self.other.parse().ok()?));
        }
        // NaN is neither below nor above any number, so only a true comparison gives a bound.
        if holds == known.negated {
            return None;
        }
        Some(bound.answers(&self.bound(true)?))
    }

    /// Whether a test for truth answers a question. A truthy value exists, and is not empty unless
    /// every object is truthy.
    fn is_implied_by(&self, view: &View<'_>, known: &Self, holds: bool) -> bool {
        let values = view.conventions.values;
        let objects_count = values.is_none_or(|values| values.objects_count);
        let is_true = known.about == Topic::True && holds != known.negated;
        match self.about {
            Topic::Nothing => is_true,
            Topic::Empty => is_true && (self.is_of_text || !objects_count),
            _ => false,
        }
    }
}

/// A bound of a number: `a >= 5` is a lower bound that includes 5.
struct Bound {
    value: i64,
    is_lower: bool,
    has_value: bool,
}

impl Bound {
    /// Whether a number is within this bound.
    fn has(&self, number: i64) -> bool {
        let is_further = if self.is_lower {
            number > self.value
        } else {
            number < self.value
        };
        is_further || self.has_value && number == self.value
    }

    /// Whether a number within this bound is always within another one, or never.
    fn answers(&self, other: &Self) -> bool {
        let is_further = if self.is_lower {
            self.value > other.value
        } else {
            self.value < other.value
        };
        let is_same = self.value == other.value;
        if self.is_lower == other.is_lower {
            is_further || is_same && (other.has_value || !self.has_value)
        } else {
            is_further || is_same && !(self.has_value && other.has_value)
        }
    }
}

/// Topic of a comparison operator, and whether it is negated.
fn topic_of(sign: &str) -> Option<(Topic, bool)> {
    Some(match sign {
        "==" | "===" | "is" => (Topic::Equal, false),
        "!=" | "!==" | "is not" => (Topic::Equal, true),
        "in" => (Topic::In, false),
        "not in" => (Topic::In, true),
        "<" => (Topic::Order(Sign::Below), false),
        "<=" => (Topic::Order(Sign::AtMost), false),
        ">" => (Topic::Order(Sign::Above), false),
        ">=" => (Topic::Order(Sign::AtLeast), false),
        _ => return None,
    })
}

/// The name in an expression for its length.
fn length_of<'a>(view: &View<'a>, node: u32) -> Option<&'a str> {
    let text = view.text(node);
    let name = match view.k(node) {
        Construct::Call => text
            .strip_prefix("len(")
            .and_then(|rest| rest.strip_suffix(')'))
            .or_else(|| text.strip_suffix(".len()"))?,
        Construct::Attribute => text.strip_suffix(".length")?,
        _ => return None,
    };
    name.split('.').all(is_name).then_some(name)
}

/// The text of a name, or of names joined by dots.
fn name_or_path<'a>(view: &View<'a>, node: u32) -> Option<&'a str> {
    let node = match bare(view, node) {
        // `(a := f()) is None` is about `a`.
        Some(inner) if view.k(inner) == Construct::Walrus => view.first(inner)?,
        _ => node,
    };
    let is_plain = view.k(node) == Construct::Identifier || is_path(view, node);
    is_plain.then(|| view.text(node))
}

/// Whether an expression is names joined by dots.
fn is_path(view: &View<'_>, node: u32) -> bool {
    view.k(node) == Construct::Attribute && view.text(node).split('.').all(is_name)
}

/// Whether a text is a single name.
pub(super) fn is_name(text: &str) -> bool {
    !text.is_empty()
        && text
            .chars()
            .all(|c| c.is_alphanumeric() || c == '_' || c == '$')
        && !text.starts_with(|c: char| c.is_ascii_digit())
}
