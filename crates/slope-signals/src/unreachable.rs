//! Unreachable statements.

use crate::catalogue::Signal;
use crate::gather::Gatherer;
use slope_syntax::Construct;
use slope_syntax::view::View;

/// For each node whether control never continues after it.
pub(crate) struct Ends {
    ends: Vec<bool>,
}

impl Ends {
    /// Computes it for every node, leaves first.
    pub(crate) fn new(view: &View<'_>) -> Self {
        let count = view.tree.nodes().len();
        let mut this = Self {
            ends: vec![false; count],
        };
        let mut nodes: Vec<u32> = STATEMENTS
            .iter()
            .chain(&[Construct::Finally])
            .flat_map(|&kind| view.of_kind(kind))
            .copied()
            .collect();
        nodes.sort_unstable();
        for node in nodes.into_iter().rev() {
            let kind = view.k(node);
            let broken = matches!(kind, Construct::While | Construct::Loop)
                && view.has_below(node, Construct::Break);
            this.ends[node as usize] = this.node(view, node, kind, broken);
        }
        this
    }

    /// Whether control never continues after a node.
    pub(crate) fn after(&self, node: u32) -> bool {
        self.ends[node as usize]
    }

    fn node(&self, view: &View<'_>, node: u32, kind: Construct, broken: bool) -> bool {
        match kind {
            Construct::Return | Construct::Raise | Construct::Break | Construct::Continue => true,
            // Ruby's handlers are in the body that they handle the errors of.
            Construct::Block if view.child(node, Construct::Catch).is_some() => false,
            Construct::Block
            | Construct::Else
            | Construct::Elif
            | Construct::Catch
            | Construct::Finally => view
                .parts(node)
                .any(|part| is_statement(view.k(part)) && self.after(part)),
            Construct::ExprStmt => view.only(node).is_some_and(|only| self.after(only)),
            Construct::If => self.branches(view, node),
            Construct::Try => self.attempt(view, node),
            Construct::While => {
                let condition = view.first(node).map_or("", |c| view.text(c));
                !broken && matches!(condition, "True" | "1" | "true" | "(true)")
            }
            Construct::Loop => !broken,
            _ => false,
        }
    }

    fn branches(&self, view: &View<'_>, node: u32) -> bool {
        let has_else = view
            .children(node)
            .any(|c| view.k(c) == Construct::Else || view.text(c) == "else");
        let branches: Vec<u32> = view
            .parts(node)
            .skip(1)
            .filter(|&p| is_statement(view.k(p)))
            .collect();
        has_else && branches.len() >= 2 && branches.iter().all(|&branch| self.after(branch))
    }

    fn attempt(&self, view: &View<'_>, node: u32) -> bool {
        let mut body = false;
        let mut handlers = true;
        let mut last = false;
        for part in view.parts(node) {
            match view.k(part) {
                Construct::Block | Construct::Else => body |= self.after(part),
                Construct::Catch => handlers &= self.after(part),
                Construct::Finally => last = self.after(part),
                _ => {}
            }
        }
        last || (body && handlers)
    }
}

/// Kinds of statements after which control may not continue, without [`Construct::Finally`].
const STATEMENTS: &[Construct] = &[
    Construct::Block,
    Construct::Else,
    Construct::Elif,
    Construct::Catch,
    Construct::If,
    Construct::Try,
    Construct::While,
    Construct::Loop,
    Construct::Return,
    Construct::Raise,
    Construct::Break,
    Construct::Continue,
    Construct::ExprStmt,
];

fn is_statement(kind: Construct) -> bool {
    STATEMENTS.contains(&kind)
}

/// Words in a comment that mark code as left in place on purpose, or its condition, in lower case.
const EXPLAINS: &[&str] = &[
    "unreach",
    "unused",
    "unfinish",
    "untest",
    "todo",
    "fixme",
    "xxx",
    "hack",
    "disab",
    "skip",
    "not ",
    "no longer",
    "never",
    "for now",
    "tempor",
    "until",
    "broken",
    "bug",
    "workaround",
    "work around",
    "sync",
    "deprecat",
    "decommission",
    "lint",
    "instead",
    "should",
    "force",
    "remove",
    "uncomment",
    "old ",
    "silence",
];

/// Whether a comment gives a reason: right above the statement that leaves, on its last row,
/// between it and the unreachable code, or on the first row of that.
fn is_explained(view: &View<'_>, stop: u32, first: u32) -> bool {
    let explains = |text: &str| {
        let text = text.to_ascii_lowercase();
        // The word must start there: "bug" does not match "debug". Only "n't" may end one.
        let begins = |at: usize| !text[..at].ends_with(char::is_alphanumeric);
        let is_in_text = |word: &&str| text.match_indices(*word).any(|(at, _)| begins(at));
        EXPLAINS.iter().any(is_in_text) || text.contains("n't")
    };
    let row = view.tree.node(stop).start_row;
    let above = row.checked_sub(1).is_some_and(|row| {
        let text = view.tree.row_text(row).trim_start();
        let is_comment = ["#", "//", "/*", "*"]
            .iter()
            .any(|sign| text.starts_with(sign));
        is_comment && explains(text)
    });
    let rows = view.tree.node(stop).end_row..=view.tree.node(first).start_row;
    let comments = view.kind_within(Construct::Comment, stop, u32::MAX).iter();
    let row_of = |comment: u32| view.tree.node(comment).start_row;
    let mut near = comments
        .skip_while(|&&comment| row_of(comment) < *rows.start())
        .take_while(|&&comment| rows.contains(&row_of(comment)));
    above || near.any(|&comment| explains(view.text(comment)))
}

/// Whether an error is raised before the unreachable code, unless that only leaves: unfinished code
/// is marked in this way.
fn is_draft(view: &View<'_>, stop: u32, rest: &[u32]) -> bool {
    let leaves = |&s: &u32| {
        matches!(
            view.k(s),
            Construct::Return | Construct::Break | Construct::Continue | Construct::Pass
        )
    };
    view.k(stop) == Construct::Raise && !rest.iter().all(leaves)
}

/// Reports statements after a statement that always leaves.
pub(crate) fn find(gatherer: &mut Gatherer<'_>, ends: &Ends) {
    let view = &gatherer.view;
    let mut found = Vec::new();
    for &block in view.of_kind(Construct::Block) {
        let mut statements = view.parts(block);
        let Some(last_reached) = statements.find(|&s| ends.after(s)) else {
            continue;
        };
        let goes_on = |&s: &u32| {
            !matches!(
                view.k(s),
                Construct::Catch | Construct::Else | Construct::Finally
            )
        };
        let rest: Vec<u32> = statements.take_while(goes_on).collect();
        let (Some(&first), Some(&last)) = (rest.first(), rest.last()) else {
            continue;
        };
        // A statement that only raises or asserts is a guard.
        let harmless = |&s: &u32| {
            let guards = matches!(view.k(s), Construct::Raise | Construct::Assert);
            guards
                || view.text(s) == ";"
                // A string is for people only.
                || view.only(s).is_some_and(|e| view.k(e) == Construct::String)
                || matches!(
                    view.k(s),
                    Construct::Break | Construct::Function | Construct::Class | Construct::Declaration
                )
        };
        if rest.iter().any(|&s| view.k(s) == Construct::Label) {
            continue;
        }
        if is_explained(view, last_reached, first) || is_draft(view, last_reached, &rest) {
            continue;
        }
        // Code that a preprocessor condition removes is unknown.
        if view.conventions.flow.has_conditional_code && view.text(block).contains("#") {
            continue;
        }
        let yields = (first..view.end(last)).any(|n| view.k(n) == Construct::Yield);
        if yields || rest.iter().all(harmless) {
            continue;
        }
        found.push((last_reached, first, last));
    }
    for (stop, first, last) in found {
        let view = &gatherer.view;
        let node = view.tree.node(first);
        let place = view.place_between(node.start_byte, view.tree.node(last).end_byte);
        let line = view.place(stop).span.start_line;
        let message = format!("Nothing gets here: line {line} never continues.");
        let text = view.text(first);
        gatherer.report_at(Signal::UnreachableCode, first, place, message, text);
    }
}
