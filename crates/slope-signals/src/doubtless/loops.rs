//! What a loop over a collection says of it: there is an item in it.

use super::changes::{Change, is_kept, is_local};
use super::questions::{Question, Topic, is_name};
use super::values::behind_loops;
use crate::kind::K;
use crate::languages::conventions;
use crate::occurrences::Occurrences;
use crate::view::View;

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
    let mut around = around.take_while(|&node| node != scope && node != 0);
    around.find(|&node| {
        let block = view.child(node, K::Block);
        let block = block.filter(|&block| view.k(node) == K::For && block < place);
        block.is_some_and(|block| {
            let between = block..behind_loops(view, place, node);
            goes_over(view, (node, block), question.subject)
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

/// Whether a loop goes over the items of a collection of this name.
fn goes_over(view: &View<'_>, (node, block): (u32, u32), name: &str) -> bool {
    let (start, end) = (
        view.tree.node(node).start_byte,
        view.tree.node(block).start_byte,
    );
    let header = view.tree.text().get(start as usize..end as usize);
    let header = header
        .unwrap_or_default()
        .trim_end_matches([' ', '\n', ':', '{']);
    match view.tree.language().id() {
        "python" => after(header, " in ").is_some_and(|over| {
            over == name || over.strip_prefix("enumerate(") == Some(&format!("{name})"))
        }),
        // A channel of Go may be empty while a loop takes from it; it gives one value at a time.
        "go" => after(header, "range ").is_some_and(|over| over == name && header.contains(',')),
        "rust" => after(header, " in ").is_some_and(|over| {
            let over = over.trim_start_matches('&');
            over == name || over.strip_suffix(".iter()") == Some(name)
        }),
        "javascript" | "typescript" | "tsx" => {
            after(header, " of ").is_some_and(|over| over.trim_end_matches(')').trim() == name)
        }
        _ => false,
    }
}

fn after<'h>(header: &'h str, word: &str) -> Option<&'h str> {
    header.rsplit_once(word).map(|(_, after)| after.trim())
}
