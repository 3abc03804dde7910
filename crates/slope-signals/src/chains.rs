//! Series of branches and conditions that compare one expression with texts.

use crate::catalogue::Signal;
use crate::doubtless::{Junction, junction};
use crate::gather::Gatherer;
use crate::words::Map;
use slope_syntax::Construct;
use slope_syntax::view::View;

/// Minimum number of comparisons that should be a table.
const FEWEST: usize = 8;

/// Maximum number of compared expressions in a chain: with more, the chain does not test one value.
const MAX_SUBJECTS: usize = 4;

/// Operators of comparisons.
const EQUAL: &[&str] = &["==", "==="];
const DIFFERENT: &[&str] = &["!=", "!=="];

/// Comparisons of one expression in consecutive statements.
struct Run<'a> {
    subject: &'a str,
    count: usize,
    /// The first branch, and the statement of the last one.
    first: u32,
    last: u32,
}

/// Reports series of comparisons with texts, for which a table or a `switch` is clearer: in chains
/// of `else if`, in conditions joined by `||`, and in consecutive statements.
pub(crate) fn find(gatherer: &mut Gatherer<'_>) {
    find_joined(gatherer);
    let view = &gatherer.view;
    let mut found: Vec<Run<'_>> = Vec::new();
    let mut open: Map<u32, Run<'_>> = Map::default();
    for &head in view.of_kind(Construct::If) {
        if matches!(view.k(view.parent(head)), Construct::Else | Construct::If) {
            continue;
        }
        let Some((subject, count)) = chain(view, head) else {
            continue;
        };
        let statement = match view.k(view.parent(head)) {
            Construct::ExprStmt => view.parent(head),
            _ => head,
        };
        let before = part_before(view, statement);
        match open.get_mut(&view.parent(statement)) {
            Some(run) if run.subject == subject && before == Some(run.last) => {
                run.count += count;
                run.last = statement;
            }
            _ => {
                let run = Run {
                    subject,
                    count,
                    first: head,
                    last: statement,
                };
                found.extend(open.insert(view.parent(statement), run));
            }
        }
    }
    found.extend(open.into_values());
    found.retain(|run| run.count >= FEWEST);
    for run in found {
        let (subject, count) = (run.subject, run.count);
        let view = &gatherer.view;
        let start = view.tree.node(run.first).start_byte;
        let end = condition(view, run.first).map_or(start, |c| view.tree.node(c).end_byte);
        let place = view.place_between(start, end);
        let message = format!("`{subject}` is compared with {count} texts, one after another.");
        gatherer.report_at(
            Signal::TextComparisonChain,
            run.first,
            place,
            message,
            subject,
        );
    }
}

/// Reports conditions that join ten comparisons with texts.
fn find_joined(gatherer: &mut Gatherer<'_>) {
    let view = &gatherer.view;
    let joins = [Construct::BoolOp, Construct::BinaryOp].map(|kind| view.of_kind(kind));
    let joins = joins.into_iter().flatten().copied();
    let outermost = joins.filter(|&node| {
        let sign = join(view, node);
        sign.is_some() && join(view, view.parent(node)) != sign
    });
    let found: Vec<(u32, &str, usize)> = outermost
        .filter_map(|node| {
            let (subject, count) = joined(view, node)?;
            (count >= FEWEST).then_some((node, subject, count))
        })
        .collect();
    for (node, subject, count) in found {
        let place = gatherer.view.place(node);
        let message = format!("`{subject}` is compared with {count} texts, one after another.");
        gatherer.report_at(Signal::TextComparisonChain, node, place, message, subject);
    }
}

/// Whether an expression joins by "or" (`true`) or by "and"; `None` if it is not a junction.
fn join(view: &View<'_>, node: u32) -> Option<bool> {
    let (junction, ..) = junction(view, node)?;
    Some(junction == Junction::Or)
}

/// The expression that most parts of a joined condition compare with texts, and the number of these
/// parts: by `==` in a disjunction, by `!=` in a conjunction.
fn joined<'a>(view: &View<'a>, node: u32) -> Option<(&'a str, usize)> {
    let is_or = join(view, node)?;
    let mut counts = Counts::default();
    count_joined(view, node, is_or, &mut counts);
    counts.most()
}

/// Counts the comparisons that a condition is or joins, by "or" or by "and".
fn count_joined<'a>(view: &View<'a>, node: u32, is_or: bool, counts: &mut Counts<'a>) {
    let signs = if is_or { EQUAL } else { DIFFERENT };
    let mut open = vec![node];
    while let Some(part) = open.pop() {
        if view.k(part) == Construct::Paren || join(view, part) == Some(is_or) {
            open.extend(view.parts(part));
        } else {
            counts.add(compared(view, part, signs));
        }
    }
}

/// The part of a block before a statement, comments left out.
fn part_before(view: &View<'_>, statement: u32) -> Option<u32> {
    let previous = |&node: &u32| view.tree.previous_sibling(node);
    std::iter::successors(view.tree.previous_sibling(statement), previous)
        .find(|&node| view.tree.node(node).named && view.k(node) != Construct::Comment)
}

/// The expression that most branches of a chain compare with texts, and the number of these
/// branches.
fn chain<'a>(view: &View<'a>, head: u32) -> Option<(&'a str, usize)> {
    let mut counts = Counts::default();
    let mut next = Some(head);
    while let Some(branch) = next {
        let arms = view
            .children(branch)
            .filter(|&child| view.k(child) == Construct::Elif);
        for arm in [branch].into_iter().chain(arms) {
            if let Some(condition) = condition(view, arm) {
                count_joined(view, condition, true, &mut counts);
            }
        }
        let other = view.child(branch, Construct::Else).unwrap_or(branch);
        next = view.child(other, Construct::If);
    }
    counts.most()
}

/// Number of comparisons by expression.
#[derive(Default)]
struct Counts<'a>(Vec<(&'a str, usize)>);

impl<'a> Counts<'a> {
    fn add(&mut self, subject: Option<&'a str>) {
        let Some(subject) = subject else {
            return;
        };
        if let Some((_, count)) = self.0.iter_mut().find(|(known, _)| *known == subject) {
            *count += 1;
        } else if self.0.len() < MAX_SUBJECTS {
            self.0.push((subject, 1));
        }
    }

    fn most(self) -> Option<(&'a str, usize)> {
        self.0.into_iter().max_by_key(|&(_, count)| count)
    }
}

/// The condition of a branch.
fn condition(view: &View<'_>, branch: u32) -> Option<u32> {
    let mut condition = view.first(branch)?;
    while view.k(condition) == Construct::Paren {
        condition = view.only(condition)?;
    }
    Some(condition)
}

/// Calls that compare texts.
const COMPARING: &[&str] = &[
    ".eq_ignore_ascii_case",
    ".equals",
    ".equalsIgnoreCase",
    "strings.EqualFold",
];

/// The expression that a call compares with a text, ignoring case.
fn compared_by_call<'a>(view: &View<'a>, call: u32) -> Option<&'a str> {
    let list = view.child(call, Construct::Arguments)?;
    let callee = view.text(call + 1);
    let compares = COMPARING.iter().find(|end| callee.ends_with(*end))?;
    let given: Vec<u32> = view.parts(list).collect();
    let is_text = |&node: &u32| view.k(node) == Construct::String && view.is_constant(node);
    match given[..] {
        [only] if is_text(&only) => callee.strip_suffix(compares),
        [one, other] if is_text(&other) => Some(view.text(one)),
        [one, other] if is_text(&one) => Some(view.text(other)),
        _ => None,
    }
}

/// The expression that a condition compares with a text by one of these operators.
fn compared<'a>(view: &View<'a>, condition: u32, signs: &[&str]) -> Option<&'a str> {
    if view.k(condition) == Construct::Call && signs.contains(&"==") {
        return compared_by_call(view, condition);
    }
    let mut parts = view.parts(condition);
    let (left, right) = (parts.next()?, parts.next()?);
    let is_comparison = matches!(view.k(condition), Construct::Compare | Construct::BinaryOp)
        && parts.next().is_none()
        && view
            .children(condition)
            .any(|sign| signs.contains(&view.text(sign)));
    let is_text = |node| view.k(node) == Construct::String && view.is_constant(node);
    let subject = match (is_text(left), is_text(right)) {
        (false, true) => left,
        (true, false) => right,
        _ => return None,
    };
    is_comparison
        .then(|| view.text(subject))
        .filter(|text| !text.contains('\n'))
}
