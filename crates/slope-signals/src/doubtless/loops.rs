//! What a loop over a collection says of it: there is an item in it.

use super::changes::{Change, is_kept, is_local};
use super::questions::{Question, Topic, is_name};
use super::values::behind_loops;
use crate::kind::K;
use crate::languages::conventions;
use crate::occurrences::Occurrences;
use crate::view::View;

/// Deepest nesting that is looked at.
const MAX_DEPTH: usize = 32;

/// The loop around a place that answers whether its collection is empty, if that is the question.
pub(super) fn answering(
    view: &View<'_>,
    names: &Occurrences<'_>,
    question: &Question<'_>,
    place: u32,
) -> Option<u32> {
    let values = conventions(view.tree.language().id()).values?;
    let asks = match question.about {
        Topic::Empty => true,
        Topic::True => !values.objects_count,
        _ => false,
    };
    let number = names.names.known(question.subject)?;
    let scope = view.scope(place);
    if !asks || !is_name(question.subject) || !is_local(view, names, number, scope) {
        return None;
    }
    let outer = |&node: &u32| Some(view.parent(node));
    let around = std::iter::successors(Some(place), outer);
    let around = around.take_while(|&node| node != scope && node != 0);
    let mut loops = around
        .take(MAX_DEPTH)
        .filter(|&node| view.k(node) == K::For);
    loops.find(|&node| {
        let block = view.child(node, K::Block);
        // The `else` of a loop of Python runs after it.
        let block = block.filter(|&block| block < place && place < view.end(block));
        block.is_some_and(|block| {
            let between = block..behind_loops(view, place, node);
            goes_over(view, (node, block), question.subject)
                && !waits(view, (between.start, between.end))
                && !has_other_name(view, names, number, scope)
                && is_kept(
                    view,
                    names,
                    number,
                    (&between, scope),
                    (Change::Content, &|_| false),
                )
        })
    })
}

/// Whether other code runs between two nodes.
fn waits(view: &View<'_>, (start, end): (u32, u32)) -> bool {
    let mut kinds = [K::Await, K::Yield].into_iter();
    kinds.any(|kind| !view.kind_within(kind, start, end).is_empty())
}

/// Whether what a name holds is given another name, by which it may change.
fn has_other_name(view: &View<'_>, names: &Occurrences<'_>, name: u32, scope: u32) -> bool {
    let within = scope..view.end(scope);
    let mut all = names.of_name(name).into_iter().flatten();
    all.any(|one| {
        let parent = view.parent(one.node);
        let is_given = matches!(view.k(parent), K::Assign | K::Declarator)
            && view.first(parent) != Some(one.node);
        within.contains(&one.node) && is_given
    })
}

/// Whether a loop goes over the items of a collection of this name, and gives none of them its name.
fn goes_over(view: &View<'_>, (node, block): (u32, u32), name: &str) -> bool {
    let (start, end) = (
        view.tree.node(node).start_byte,
        view.tree.node(block).start_byte,
    );
    let header = view.tree.text().get(start as usize..end as usize);
    let header = header
        .unwrap_or_default()
        .trim_end_matches([' ', '\n', ':', '{']);
    let word = if view.tree.language().id() == "go" {
        "range "
    } else {
        " in "
    };
    let Some((items, over)) = header.rsplit_once(word) else {
        return false;
    };
    let mut words = items.split(|c: char| !c.is_alphanumeric() && c != '_');
    if words.any(|word| word == name) {
        return false;
    }
    let over = over.trim();
    match view.tree.language().id() {
        "python" => over == name || over.strip_prefix("enumerate(") == Some(&format!("{name})")),
        // A channel of Go gives one value at a time, and may be empty then.
        "go" => over == name && items.contains(','),
        "rust" => over.trim_start_matches('&') == name,
        _ => false,
    }
}
