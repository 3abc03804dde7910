//! Counts of styles.

use slope_syntax::view::View;

use crate::facts::Habit;
use crate::words::Map;

/// Maximum number of places kept of one style in a file: a more frequent one is not a deviation.
pub(super) const MAX_SPOTS: usize = 3;

/// Maximum characters of quoted code in a message.
pub(super) const MAX_QUOTED: usize = 60;

/// Counts of styles, and the places of those that may deviate.
#[derive(Default)]
pub(super) struct Counter {
    pub(super) ways: Map<(Habit, String, String), Counted>,
}

#[derive(Default)]
pub(super) struct Counted {
    pub(super) count: u32,
    /// Whether places with this style may deviate.
    pub(super) is_odd: bool,
    /// Nodes, and the texts to quote.
    pub(super) places: Vec<(u32, String)>,
}

impl Counter {
    pub(super) fn way(&mut self, habit: Habit, topic: &str, way: &str) -> &mut Counted {
        let key = (habit, topic.to_owned(), way.to_owned());
        self.ways.entry(key).or_default()
    }

    /// Counts places that are never reported: of a usual style, or beyond those that are kept.
    pub(super) fn usual(&mut self, habit: Habit, way: &str, count: usize) {
        if count > 0 {
            self.way(habit, "", way).count += u32::try_from(count).unwrap_or(u32::MAX);
        }
    }

    /// Counts places with a style that only a change may introduce, because a file shows too little.
    pub(super) fn silent(&mut self, habit: Habit, way: &str) {
        let counted = self.way(habit, "", way);
        counted.count += 1;
        counted.is_odd = true;
    }

    /// Counts a place that is reported if nearly all others have another style.
    pub(super) fn odd(&mut self, habit: Habit, way: &str, place: (u32, &str)) {
        self.about(habit, "", way, place);
    }

    /// As [`Counter::odd`], quoting the beginning of the node.
    pub(super) fn quote(&mut self, view: &View<'_>, habit: Habit, way: &str, node: u32) {
        self.about(habit, "", way, (node, excerpt(view, node)));
    }

    /// As [`Counter::odd`], for places that are only compared with others of the same topic.
    pub(super) fn about(
        &mut self,
        habit: Habit,
        topic: &str,
        way: &str,
        (node, quoted): (u32, &str),
    ) {
        let counted = self.way(habit, topic, way);
        counted.count += 1;
        counted.is_odd = true;
        if counted.places.len() <= MAX_SPOTS {
            counted.places.push((node, quoted.to_owned()));
        }
    }
}

/// The quoted part of a node: its first line up to the arguments.
pub(super) fn first_line<'a>(view: &View<'a>, node: u32) -> &'a str {
    let line = view.text(node).lines().next().unwrap_or_default();
    line.split(['(', '{']).next().unwrap_or(line).trim_end()
}

/// The first line of a node, shortened.
pub(super) fn excerpt<'a>(view: &View<'a>, node: u32) -> &'a str {
    let line = view.text(node).lines().next().unwrap_or_default();
    let line = line.split('`').next().unwrap_or(line);
    line[..line.floor_char_boundary(MAX_QUOTED)].trim_end()
}

/// The operator of an expression with two sides.
pub(super) fn operator<'a>(view: &View<'a>, node: u32) -> &'a str {
    let mut children = view.children(node);
    let sign = children.find(|&child| !view.tree.node(child).named);
    sign.map_or("", |sign| view.text(sign))
}
