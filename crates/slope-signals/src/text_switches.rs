//! A `switch` or `match` from texts to constants, which could be a table.

use crate::catalogue::Signal;
use crate::gather::Gatherer;
use slope_syntax::Construct;
use slope_syntax::view::View;

/// Minimum number of texts that should be a table.
const FEWEST: usize = 8;

/// The same for languages without tables, where a `switch` is usual.
const MIN_WHERE_USUAL: usize = 10;

/// Maximum number of leaves of a constant, such as `Some(Unit::Second)`.
const MAX_LEAVES: usize = 8;

/// Calls that only wrap a constant.
const WRAPPERS: &[&str] = &["Some", "Ok"];

/// Functions that convert texts to values because a trait requires it.
const CONVERSIONS: &[&str] = &["from_str", "try_from", "from", "visit_str", "deserialize"];

/// Reports each `switch` whose cases map texts to constants.
pub(crate) fn find(gatherer: &mut Gatherer<'_>) {
    let view = &gatherer.view;
    let is_usual = view.conventions.flow.matches_texts;
    let fewest = if is_usual { MIN_WHERE_USUAL } else { FEWEST };
    let switches = view.of_kind(Construct::Switch).iter().copied();
    let found: Vec<(u32, usize)> = switches
        .filter(|&switch| !(is_usual && is_conversion(view, switch)))
        .filter_map(|switch| Some((switch, texts(view, switch)?)))
        .filter(|&(_, count)| count >= fewest)
        .collect();
    for (switch, count) in found {
        let view = &gatherer.view;
        let subject = subject(view, switch);
        let message = format!("A constant for each of {count} texts of `{subject}`.");
        let place = view.place(switch);
        gatherer.report_at(Signal::TextComparisonChain, switch, place, message, subject);
    }
}

fn is_conversion(view: &View<'_>, switch: u32) -> bool {
    let name = view
        .function(switch)
        .and_then(|function| view.name_of(function));
    name.is_some_and(|name| CONVERSIONS.contains(&view.text(name)))
}

/// The subject of a `switch`, from its first line.
fn subject<'a>(view: &View<'a>, switch: u32) -> &'a str {
    let subject = view.first(switch).map_or("", |first| view.text(first));
    let subject = subject.trim_matches(['(', ')']);
    subject.lines().next().unwrap_or_default()
}

/// Number of texts that map to constants; `None` if a case does anything else.
fn texts(view: &View<'_>, switch: u32) -> Option<usize> {
    let mut count = 0;
    let cases = view.kind_within(Construct::Case, switch + 1, view.end(switch));
    for &case in cases {
        let (head, body) = halves(view, case);
        let texts: usize = head.iter().map(|&node| texts_below(view, node)).sum();
        if texts == 0 {
            // The default case, or several texts that share the next body.
            continue;
        }
        let is_plain = body.iter().all(|&node| is_plain(view, node));
        if !is_plain {
            return None;
        }
        count += texts;
    }
    Some(count)
}

/// The parts of a case before and after its `:` or `=>`.
fn halves(view: &View<'_>, case: u32) -> (Vec<u32>, Vec<u32>) {
    let children: Vec<u32> = view.children(case).collect();
    let is_sign = |&node: &u32| matches!(view.text(node), ":" | "=>" | "then");
    let sign = children.iter().position(is_sign);
    let (head, body) = children.split_at(sign.unwrap_or(children.len()));
    (head.to_vec(), body.to_vec())
}

fn texts_below(view: &View<'_>, node: u32) -> usize {
    let below = view
        .kind_within(Construct::String, node, view.end(node))
        .iter();
    below.filter(|&&text| view.is_constant(text)).count()
}

/// Whether a case only returns or assigns a constant or a name.
fn is_plain(view: &View<'_>, node: u32) -> bool {
    let mut leaves = 0;
    let mut at = node;
    while at < view.end(node) {
        let kind = view.k(at);
        let is_whole = matches!(kind, Construct::String | Construct::Comment);
        let is_barred = match kind {
            Construct::Call => !WRAPPERS.contains(&view.text(at + 1)),
            Construct::String => !view.is_constant(at),
            Construct::If
            | Construct::For
            | Construct::While
            | Construct::Try
            | Construct::Switch
            | Construct::Ternary
            | Construct::Lambda => true,
            Construct::BinaryOp
            | Construct::AugAssign
            | Construct::Compare
            | Construct::Function
            | Construct::Raise => true,
            // `vec!["c", "h"]`
            Construct::Macro => !view.text(at).starts_with("vec!["),
            _ => false,
        };
        if is_barred {
            return false;
        }
        let after = if is_whole { view.end(at) } else { at + 1 };
        let is_leaf = view.tree.node(at).named && after == view.end(at);
        leaves += usize::from(is_leaf && kind != Construct::Comment);
        at = after;
    }
    leaves <= MAX_LEAVES
}
