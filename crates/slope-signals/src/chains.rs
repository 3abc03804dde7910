//! Branches that compare one expression with one text after another.

use crate::catalogue::Signal;
use crate::gather::Gatherer;
use crate::kind::K;
use crate::view::View;
use crate::words::Map;

/// Fewest comparisons that ask for a table.
const FEWEST: usize = 10;

/// Most expressions of a chain that are counted: one about more is no chain about one of them.
const MAX_SUBJECTS: usize = 4;

/// Comparisons of one expression in statements that follow each other.
struct Run<'a> {
    subject: &'a str,
    count: usize,
    /// The first branch, and the statement of the last one.
    first: u32,
    last: u32,
}

/// Reports chains of `else if`, and of statements in a row, that a table or a `switch` is clearer than.
pub(crate) fn find(gatherer: &mut Gatherer<'_>) {
    let view = &gatherer.view;
    let mut found: Vec<Run<'_>> = Vec::new();
    let mut open: Map<u32, Run<'_>> = Map::default();
    for &head in view.of_kind(K::If) {
        if matches!(view.k(view.parent(head)), K::Else | K::If) {
            continue;
        }
        let Some((subject, count)) = chain(view, head) else {
            continue;
        };
        let statement = match view.k(view.parent(head)) {
            K::ExprStmt => view.parent(head),
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
        let message =
            format!("`{subject}` is compared with {count} texts, one branch after another.");
        gatherer.report_at(
            Signal::TextComparisonChain,
            run.first,
            place,
            message,
            subject,
        );
    }
}

/// The part of a block before a statement, comments left out.
fn part_before(view: &View<'_>, statement: u32) -> Option<u32> {
    let previous = |&node: &u32| view.tree.previous_sibling(node);
    std::iter::successors(view.tree.previous_sibling(statement), previous)
        .find(|&node| view.tree.node(node).named && view.k(node) != K::Comment)
}

/// What most branches of a chain compare with texts, and how many do.
fn chain<'a>(view: &View<'a>, head: u32) -> Option<(&'a str, usize)> {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    let mut next = Some(head);
    while let Some(branch) = next {
        let arms = view
            .children(branch)
            .filter(|&child| view.k(child) == K::Elif);
        for subject in [branch]
            .into_iter()
            .chain(arms)
            .filter_map(|arm| subject(view, arm))
        {
            if let Some((_, count)) = counts.iter_mut().find(|(known, _)| *known == subject) {
                *count += 1;
            } else if counts.len() < MAX_SUBJECTS {
                counts.push((subject, 1));
            }
        }
        let other = view.child(branch, K::Else).unwrap_or(branch);
        next = view.child(other, K::If);
    }
    counts.into_iter().max_by_key(|&(_, count)| count)
}

/// The condition of a branch.
fn condition(view: &View<'_>, branch: u32) -> Option<u32> {
    let mut condition = view.first(branch)?;
    while view.k(condition) == K::Paren {
        condition = view.only(condition)?;
    }
    Some(condition)
}

/// What a branch compares with a text.
fn subject<'a>(view: &View<'a>, branch: u32) -> Option<&'a str> {
    let condition = condition(view, branch)?;
    let mut parts = view.parts(condition);
    let (left, right) = (parts.next()?, parts.next()?);
    let is_comparison = matches!(view.k(condition), K::Compare | K::BinaryOp)
        && parts.next().is_none()
        && view
            .children(condition)
            .any(|sign| matches!(view.text(sign), "==" | "==="));
    let is_text = |node| view.k(node) == K::String && view.is_constant(node);
    let subject = match (is_text(left), is_text(right)) {
        (false, true) => left,
        (true, false) => right,
        _ => return None,
    };
    is_comparison
        .then(|| view.text(subject))
        .filter(|text| !text.contains('\n'))
}
