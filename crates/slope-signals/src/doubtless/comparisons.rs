//! Conditions, and the sides of comparisons.

use slope_syntax::Construct;
use slope_syntax::view::View;

use super::guards::condition;

/// Conditions of branches and of expressions with two values.
pub(super) fn conditions(view: &View<'_>) -> Vec<u32> {
    let branches = [Construct::If, Construct::Elif].map(|kind| view.of_kind(kind));
    let branches = branches.into_iter().flatten();
    let branches = branches.filter_map(|&branch| condition(view, branch));
    let at = view.tree.language().condition_at();
    let choices = view.of_kind(Construct::Ternary).iter();
    let choices = choices.filter_map(|&choice| view.parts(choice).nth(at));
    branches.chain(choices).collect()
}

/// The left side, the sign and the right side of an expression with two of them.
pub(super) fn sides<'v>(view: &View<'v>, node: u32) -> Option<(u32, &'v str, u32)> {
    let mut parts = view.parts(node);
    let (Some(left), Some(right), None) = (parts.next(), parts.next(), parts.next()) else {
        return None;
    };
    let sign = view.tree.previous_sibling(right)?;
    Some((left, view.text(sign), right))
}

/// The left side of `a < 0` and `a >= 0`.
pub(super) fn compared_with_zero(view: &View<'_>, node: u32) -> Option<u32> {
    let (left, sign, right) = sides(view, node)?;
    (matches!(sign, ">=" | "<") && view.text(right) == "0").then_some(left)
}
