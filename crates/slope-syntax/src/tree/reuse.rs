//! Incremental parsing. Unchanged statements and definitions are reused from the tree of another
//! version, and the grammar sees a stand-in for each.
//!
//! The grammar library can parse from an older tree itself, but reuses little of Python (a fifth of
//! the work between distant versions), because the state of its lexer depends on the indentation.
//! Here a part is reused wherever it moved. This is sound for these reasons:
//!
//! * The older text and the one with stand-ins parse without errors, and each stand-in
//!   becomes a node of the part's kind. So the grammar derives the new text with the part in place
//!   of its stand-in, and a text has one tree.
//! * Its tokens are the same in both texts: it begins a line and ends one, its lines are equal, and
//!   what follows is code that is indented no more than it is and does not go on with it, without
//!   a comment in between, which might belong to it. Of what is around it a lexer knows the
//!   indentation alone.
//!
//! Doubtful parts are parsed again. Builds with debug assertions compare every tree with a freshly
//! parsed one.

use std::collections::HashMap;
use std::ops::Range;

use xxhash_rust::xxh3::xxh3_64;

use super::flatten::Flat;
use super::{Limits, Node, Shown, SyntaxTree, TakenOver, line_starts, narrow, parse_flat, runs};
use crate::language::Language;
use crate::lines::LineSet;

/// Minimum bytes of a part that is searched by its first line. Smaller parts are found next to
/// others.
const ANCHOR: usize = 24;

/// Maximum number of parts with the same first line that are compared. If there are more, most are
/// equal.
const MAX_ALIKE: u32 = 8;

/// Minimum bytes of a run of parts that gets a stand-in.
const WORTH: usize = 48;

/// Minimum reused share of a text, as a divisor, that makes the search worthwhile.
const WORTH_OF_TEXT: usize = 16;

/// Maximum bytes after a part until code must follow. With [`MAX_REMARKS`] it keeps the search
/// linear for hostile input.
const NEAR: usize = 4096;

/// Comments that a block may begin with for its parts to be taken over.
const MAX_REMARKS: usize = 64;

/// The tree of a text, with what a tree of another version has of it; `None` if there is too
/// little, or something is in doubt.
pub(super) fn parse(
    before: &SyntaxTree,
    language: Language,
    text: &str,
    rows: &[u32],
    limits: &Limits,
) -> Option<Flat> {
    if before.language != language || !is_sound(before) {
        return None;
    }
    // The hidden part of a run of comments depends on all of the run.
    let is_seen = |text, rows| runs::seen(language, text, rows).is_empty();
    if !is_seen(&before.text, &before.line_starts) || !is_seen(text, rows) {
        return None;
    }
    let taken = taken(before, text, rows);
    let bytes: usize = taken.iter().map(|taken| taken.bytes.len()).sum();
    if taken.is_empty() || bytes < text.len() / WORTH_OF_TEXT {
        return None;
    }
    let (short, places) = with_stand_ins(language, text, rows, &taken);
    let starts = line_starts(&short);
    let shown = Shown::of(language, &short, &starts);
    let (flat, is_whole) = parse_flat(language, &shown, &starts, limits).ok()?;
    // The parts' new depth is not counted: the sum is an upper bound.
    let deepest = flat.deepest.saturating_add(before.deepest);
    if !is_whole || flat.errors.is_some() || deepest >= limits.max_depth {
        return None;
    }
    let mut spliced = Splice::new(&flat, before, &taken, &places)?.run();
    spliced.deepest = deepest;
    is_even(&spliced, language, text, rows).then_some(spliced)
}

/// Whether all statements of each block that begin a line have the same indentation. The grammar accepts code that is
/// indented for no reason, such as below `def f(): pass`, and its place in the tree depends on the surroundings.
fn is_even(flat: &Flat, language: Language, text: &str, rows: &[u32]) -> bool {
    let is_block = |node: &Node| matches!(language.kind_name(node.kind), "block" | "module");
    let mut columns: HashMap<u32, u32> = HashMap::new();
    flat.nodes.iter().skip(1).all(|node| {
        let is_statement = node.named && !node.is_extra();
        if !is_statement || !is_block(&flat.nodes[node.parent as usize]) {
            return true;
        }
        let row = rows[node.start_row as usize];
        let begins = text[row as usize..node.start_byte as usize]
            .trim()
            .is_empty();
        let column = node.start_byte - row;
        !begins || *columns.entry(node.parent).or_insert(column) == column
    })
}

/// Whether parts of a tree may be taken over.
pub(super) fn is_sound(tree: &SyntaxTree) -> bool {
    // Scripts and cells are parsed one by one.
    let is_one = tree.embedding.is_none();
    is_one && tree.is_whole && tree.errors.is_none() && !tree.language.spec().parts.is_empty()
}

/// A run of adjacent parts of the older tree that also appears in the new text.
struct Taken {
    /// Its first row and the row of its end, in the new text.
    first: u32,
    last: u32,
    /// Its bytes in the new text, without the indentation of its first line.
    bytes: Range<usize>,
    /// Its nodes in the older tree; those of each part in pre-order.
    nodes: Range<u32>,
    /// The node of its last part.
    last_node: u32,
    /// The position of its first part in the language's parts.
    part: usize,
}

/// Place of a stand-in, in the text with stand-ins.
struct Place {
    start: u32,
    end: u32,
    kind: u16,
    rows: u32,
}

/// The parts of a tree that may be anywhere, by the hash of their first line.
#[derive(Default)]
struct Known {
    /// For each hash the last of its entries. Seeded anew in each process: the lines are anybody's.
    last: HashMap<u64, u32, foldhash::fast::RandomState>,
    entries: Vec<Entry>,
}

struct Entry {
    node: u32,
    /// Entries before it with the same hash, and the last of them.
    alike: u32,
    before: u32,
}

impl Known {
    fn of(tree: &SyntaxTree) -> Self {
        let mut known = Self::default();
        for index in 0..narrow(tree.nodes.len()) {
            let node = tree.node(index);
            let is_anchor = (node.end_byte - node.start_byte) as usize >= ANCHOR;
            if is_anchor && part_of(tree, index).is_some() && is_apart(tree, index) {
                known.add(tree.row_text(node.start_row), index);
            }
        }
        known
    }

    fn add(&mut self, line: &str, node: u32) {
        let at = narrow(self.entries.len());
        let last = self.last.entry(xxh3_64(line.as_bytes())).or_insert(at);
        let before = *last;
        let alike = self.entries.get(before as usize);
        let alike = alike.map_or(0, |entry| entry.alike + 1);
        if alike < MAX_ALIKE {
            *last = at;
            self.entries.push(Entry {
                node,
                alike,
                before,
            });
        }
    }

    /// The parts with this first line, the last one first.
    fn with(&self, line: &[u8]) -> impl Iterator<Item = u32> + '_ {
        let mut next = self.last.get(&xxh3_64(line)).copied();
        std::iter::from_fn(move || {
            let entry = &self.entries[next? as usize];
            next = (entry.alike > 0).then_some(entry.before);
            Some(entry.node)
        })
    }
}

/// The position of a node's kind in the language's parts.
fn part_of(tree: &SyntaxTree, node: u32) -> Option<usize> {
    let kind = tree.kinds[node as usize];
    let parts = &tree.language.kinds().parts;
    parts.iter().position(|&part| part == kind)
}

/// Whether a part occupies whole lines, has the indentation of its neighbours, and is followed by
/// code that cannot belong to it.
fn is_apart(tree: &SyntaxTree, node: u32) -> bool {
    let (indent, _) = lines_of(tree, node);
    let end = tree.node(node).end_byte as usize;
    is_blank(indent)
        && ends_well(tree.language, &tree.text, end, indent)
        && is_aligned(tree, node, indent)
}

/// Whether a part is indented as the first of its block is. The grammar puts up with other texts,
/// in which the lines of a part may mean what they do by the indentation around it.
fn is_aligned(tree: &SyntaxTree, mut node: u32, indent: &str) -> bool {
    loop {
        let parent = tree.node(node).parent;
        if parent == 0 {
            return indent.is_empty();
        }
        let mut children = tree.children(parent).take(MAX_REMARKS);
        let first = children.find(|&child| !tree.node(child).is_extra());
        if first.is_none_or(|first| lines_of(tree, first).0 != indent) {
            return false;
        }
        if part_of(tree, parent).is_none() {
            return true;
        }
        node = parent;
    }
}

/// The text before a node in its first line, and the text from the start of that line to its end.
fn lines_of(tree: &SyntaxTree, node: u32) -> (&str, &str) {
    let node = tree.node(node);
    let line = tree.line_starts[node.start_row as usize] as usize;
    let (start, end) = (node.start_byte as usize, node.end_byte as usize);
    (&tree.text[line..start], &tree.text[line..end])
}

fn is_blank(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' ' | b'\t'))
}

/// Whether a part that is indented so and ends here ends a line, and code that cannot be part of
/// it follows, not too far away.
fn ends_well(language: Language, text: &str, end: usize, indent: &str) -> bool {
    let near = &text.as_bytes()[end..text.len().min(end + NEAR)];
    let Some(mut rest) = near.strip_prefix(b"\n") else {
        return false;
    };
    loop {
        let blanks = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t'));
        let (before, code) = rest.split_at(blanks.count());
        match code.first() {
            Some(b'\n') => rest = &code[1..],
            Some(byte) if byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'@') => {
                let mut with = language.spec().goes_on.iter();
                let mut goes_on = || with.any(|word| code.starts_with(word.as_bytes()));
                let indent = indent.as_bytes();
                return indent.starts_with(before) && (before != indent || !goes_on());
            }
            _ => return false,
        }
    }
}

/// Parts of the older tree that also occur in the new text, outer ones first, without overlaps.
fn taken(before: &SyntaxTree, text: &str, rows: &[u32]) -> Vec<Taken> {
    let known = Known::of(before);
    let mut taken = Vec::new();
    let mut row = 0;
    while let Some(&line) = rows.get(row) {
        let next = rows.get(row + 1);
        let end = next.map_or(text.len(), |&next| next as usize - 1);
        let mut alike = known.with(&text.as_bytes()[line as usize..end]);
        let found = alike.find_map(|node| here(before, node, text, line as usize, row));
        row += 1;
        if let Some(mut run) = found {
            // A part that belongs to a line above is alone there.
            if !leads_on(before.language, above(text, line as usize)) {
                while lengthen(&mut run, before, text, rows) {}
            }
            row = run.last as usize + 1;
            if run.bytes.len() >= WORTH {
                taken.push(run);
            }
        }
    }
    taken
}

/// A part as a run, if the text has it at this row.
fn here(before: &SyntaxTree, node: u32, text: &str, line: usize, row: usize) -> Option<Taken> {
    let (indent, lines) = lines_of(before, node);
    let of = before.node(node);
    let end = line + lines.len();
    // A line that continues the previous one begins nothing.
    let is_here = text[line..].starts_with(lines)
        && !text[..line].ends_with("\\\n")
        && !(leads_on(before.language, lines) && leads_on(before.language, above(text, line)))
        && ends_well(before.language, text, end, indent);
    Some(Taken {
        part: part_of(before, node).filter(|_| is_here)?,
        first: narrow(row),
        last: narrow(row) + of.end_row - of.start_row,
        bytes: line + indent.len()..end,
        nodes: node..of.end,
        last_node: node,
    })
}

/// The last line with anything in it before an offset.
fn above(text: &str, offset: usize) -> &str {
    let above = text[..offset].trim_ascii_end();
    &above[above.rfind('\n').map_or(0, |at| at + 1)..]
}

/// Whether a line belongs to the code below it.
fn leads_on(language: Language, line: &str) -> bool {
    let line = line.trim_ascii_start();
    let mut heads = language.spec().leads_on.iter();
    heads.any(|head| line.starts_with(head))
}

/// Adds the part that comes next in the older tree to a run, if it comes next in the text too.
fn lengthen(run: &mut Taken, before: &SyntaxTree, text: &str, rows: &[u32]) -> bool {
    let last = before.node(run.last_node);
    let Some(next) = before.next_sibling(run.last_node) else {
        return false;
    };
    let of = before.node(next);
    // Parts with a field are what their parent has one of.
    if last.field != 0 || of.field != 0 || part_of(before, next).is_none() {
        return false;
    }
    let between = &before.text[last.end_byte as usize..of.start_byte as usize];
    let row = run.last + (of.start_row - last.end_row);
    let Some(&line) = rows.get(row as usize) else {
        return false;
    };
    let (indent, _) = lines_of(before, run.nodes.start);
    if of.start_row == last.end_row
        || lines_of(before, next).0 != indent
        || !text[run.bytes.end..].starts_with(between)
        || !is_apart(before, next)
    {
        return false;
    }
    let Some(part) = here(before, next, text, line as usize, row as usize) else {
        return false;
    };
    run.last = part.last;
    run.bytes.end = part.bytes.end;
    run.nodes.end = part.nodes.end;
    run.last_node = next;
    true
}

/// The text with a stand-in for each reused part, and the places of the stand-ins.
fn with_stand_ins(
    language: Language,
    text: &str,
    rows: &[u32],
    taken: &[Taken],
) -> (String, Vec<Place>) {
    let mut short = String::with_capacity(text.len());
    let mut places = Vec::with_capacity(taken.len());
    let mut from = 0;
    for one in taken {
        let lines = language.spec().parts[one.part].stand_in;
        let indent = &text[rows[one.first as usize] as usize..one.bytes.start];
        short.push_str(&text[from..one.bytes.start]);
        let start = narrow(short.len());
        for (number, line) in lines.iter().enumerate() {
            if number > 0 {
                short.push('\n');
                short.push_str(indent);
            }
            short.push_str(line);
        }
        places.push(Place {
            start,
            end: narrow(short.len()),
            kind: language.kinds().parts[one.part],
            rows: narrow(lines.len()) - 1,
        });
        from = one.bytes.end;
    }
    short.push_str(&text[from..]);
    (short, places)
}

/// Offset of a move. Backward moves wrap around.
#[derive(Clone, Copy, Default)]
struct Shift {
    bytes: u32,
    rows: u32,
    nodes: u32,
}

/// Replaces stand-ins by their parts.
struct Splice<'a> {
    short: &'a Flat,
    before: &'a SyntaxTree,
    taken: &'a [Taken],
    places: &'a [Place],
    /// The node of each stand-in.
    roots: Vec<u32>,
    /// Offsets of the nodes after so many stand-ins.
    shifts: Vec<Shift>,
}

impl<'a> Splice<'a> {
    /// `None` if a stand-in did not parse as expected.
    fn new(
        short: &'a Flat,
        before: &'a SyntaxTree,
        taken: &'a [Taken],
        places: &'a [Place],
    ) -> Option<Self> {
        let mut roots = Vec::with_capacity(places.len());
        let mut shifts = vec![Shift::default()];
        let mut shift = Shift::default();
        let mut from = 0;
        for (place, one) in places.iter().zip(taken) {
            let here = |node: &Node| node.start_byte == place.start && node.kind == place.kind;
            let root = from + short.nodes[from..].iter().position(here)?;
            let stand_in = &short.nodes[root];
            if stand_in.end_byte != place.end {
                return None;
            }
            // Several only where any number may be.
            let among = |tree: &[Node], node: &Node| (node.field, tree[node.parent as usize].kind);
            let was = among(&before.nodes, before.node(one.nodes.start));
            if one.last_node != one.nodes.start && among(&short.nodes, stand_in) != was {
                return None;
            }
            let length = place.end - place.start;
            shift.bytes = shift
                .bytes
                .wrapping_add(narrow(one.bytes.len()))
                .wrapping_sub(length);
            shift.rows = shift
                .rows
                .wrapping_add(one.last - one.first)
                .wrapping_sub(place.rows);
            shift.nodes = shift
                .nodes
                .wrapping_add(one.nodes.end - one.nodes.start)
                .wrapping_sub(stand_in.end - narrow(root));
            roots.push(narrow(root));
            shifts.push(shift);
            from = stand_in.end as usize;
        }
        Some(Self {
            short,
            before,
            taken,
            places,
            roots,
            shifts,
        })
    }

    fn run(&self) -> Flat {
        let moved = self.shifts[self.places.len()].nodes;
        let count = narrow(self.short.nodes.len()).wrapping_add(moved) as usize;
        let mut nodes: Vec<Node> = Vec::with_capacity(count);
        let mut kinds: Vec<u16> = Vec::with_capacity(count);
        let mut taken = Vec::with_capacity(self.places.len());
        // Stand-ins wholly before the node.
        let mut behind = 0;
        let mut index = 0;
        while let Some(node) = self.short.nodes.get(index) {
            let node = self.moved(node, behind);
            if self.roots.get(behind) == Some(&narrow(index)) {
                let first = narrow(nodes.len());
                self.put(behind, &node, &mut nodes, &mut kinds);
                taken.push(TakenOver {
                    nodes: first..narrow(nodes.len()),
                    was: self.taken[behind].nodes.start,
                });
                index = self.short.nodes[index].end as usize;
                behind += 1;
                continue;
            }
            nodes.push(node);
            kinds.push(node.kind);
            index += 1;
        }
        debug_assert_eq!(nodes.len(), count);
        Flat {
            nodes,
            kinds,
            deepest: 0,
            taken,
            errors: None,
            error_rows: LineSet::default(),
        }
    }

    /// A node of the text with stand-ins, moved to its place in the original text. `behind` is the
    /// number of stand-ins before it.
    fn moved(&self, node: &Node, behind: usize) -> Node {
        let start = self.shifts[behind];
        // Those inside it are before its end as well.
        let inside = self.roots[behind..].partition_point(|&root| root < node.end);
        let end = self.shifts[behind + inside];
        // The part of its parent before both.
        let above = self.roots[..behind].partition_point(|&root| root < node.parent);
        Node {
            start_byte: node.start_byte.wrapping_add(start.bytes),
            start_row: node.start_row.wrapping_add(start.rows),
            end_byte: node.end_byte.wrapping_add(end.bytes),
            end_row: node.end_row.wrapping_add(end.rows),
            end: node.end.wrapping_add(end.nodes),
            parent: node.parent.wrapping_add(self.shifts[above].nodes),
            ..*node
        }
    }

    /// Adds the nodes of a run in place of its stand-in.
    fn put(&self, number: usize, stand_in: &Node, nodes: &mut Vec<Node>, kinds: &mut Vec<u16>) {
        let run = self.taken[number].nodes.clone();
        let first = *self.before.node(run.start);
        let to = narrow(nodes.len());
        let bytes = stand_in.start_byte.wrapping_sub(first.start_byte);
        let rows = stand_in.start_row.wrapping_sub(first.start_row);
        let range = run.start as usize..run.end as usize;
        kinds.extend_from_slice(&self.before.kinds[range.clone()]);
        nodes.extend(self.before.nodes[range].iter().map(|node| {
            // The parts get the parent of the stand-in.
            let (parent, field) = if node.parent >= run.start {
                (node.parent - run.start + to, node.field)
            } else {
                (stand_in.parent, stand_in.field)
            };
            Node {
                start_byte: node.start_byte.wrapping_add(bytes),
                end_byte: node.end_byte.wrapping_add(bytes),
                start_row: node.start_row.wrapping_add(rows),
                end_row: node.end_row.wrapping_add(rows),
                parent,
                field,
                end: node.end - run.start + to,
                ..*node
            }
        }));
    }
}

#[cfg(test)]
mod tests;
