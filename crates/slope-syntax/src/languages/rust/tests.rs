//! Tests in files of the program.

use crate::construct::Construct;
use crate::view::View;

/// Whether a function has `#[test]` and expects neither an error nor a panic.
pub(super) fn is_test(view: &View<'_>, function: u32) -> bool {
    let mut attributes = view
        .rows_above(function)
        .filter(|row| row.starts_with("#["));
    let mut is_test = false;
    let plain = attributes.all(|row| {
        is_test |= row.contains("test]");
        !row.contains("panic") && !row.contains("ignore")
    });
    plain && is_test
}

/// Whether a node is in a test, or a module of tests, inside a file of the program.
pub(super) fn hold(view: &View<'_>, node: u32) -> bool {
    let function = view
        .function(node)
        .filter(|_| view.k(node) != Construct::Function);
    let function = function.unwrap_or(node);
    if view
        .rows_above(function)
        .any(|row| row.starts_with("#[test]"))
    {
        return true;
    }
    let outer = |&node: &u32| Some(view.parent(node)).filter(|&outer| outer != node);
    let mut above = std::iter::successors(Some(node), outer);
    above.any(|above| {
        view.tree.kind_name(above) == "mod_item" && view.text(above).starts_with("mod test")
    })
}
/// Whether a function is in a module of tests, inside a file of the product.
pub(super) fn hold_function(view: &View<'_>, function: u32) -> bool {
    let mut node = function;
    while node != 0 {
        node = view.parent(node);
        let text = view.text(node);
        if ["mod test ", "mod tests ", "mod test{", "mod tests{"]
            .iter()
            .any(|start| text.starts_with(start))
        {
            return true;
        }
    }
    false
}
