//! One pass over a tree that writes its tokens as codes.
//!
//! A token is a leaf of the tree, or a whole literal. Inner nodes are not tokens: the ones that
//! open and close before a token are folded into its code, so that equal codes mean equal trees,
//! not only equal text.

mod wording;

use std::cell::RefCell;

use slope_syntax::conventions::Semicolons;
use slope_syntax::{LiteralClass, Node, Profile, Roles, SyntaxTree};
use xxhash_rust::xxh3::{xxh3_64, xxh3_128_with_seed};

use crate::names::Names;
use crate::{UnitHash, Wording};

/// Code of a name. Literals are `LITERAL` plus their class; everything else is its kind.
const NAME: u16 = 0x7fff;
const LITERAL: u16 = 0x7f00;
const _: () = assert!(LITERAL + (LiteralClass::None as u16) < NAME);

/// Marks names in the codes of [`Stream::content`]; the other bits are a part of the name's hash.
pub(crate) const CONTENT_NAME: u16 = 0x8000;

/// Signs between a value and its member.
const MEMBERS: &[&[u8]] = &[b".", b"->", b"::", b"?.", b"&."];

/// Odd constants of good bit mixing (golden ratio and its relatives).
const MIX_32: u32 = 0x9e37_79b1;
const MIX_64: u64 = 0x9e37_79b9_7f4a_7c15;

/// Facts about a grammar kind, looked up once per file.
#[derive(Clone, Copy, Default)]
struct Kind {
    known: bool,
    comment: bool,
    block: bool,
    unit: bool,
    literal: bool,
    /// Whether it is a bracket or separator, according to a keyword's kind.
    separator: bool,
    /// Whether it opens a list of arguments, or precedes a member.
    opens: bool,
    dots: bool,
    /// Possible changes by formatters.
    layout: Layout,
    code: u16,
}

/// A formatter's freedom.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Layout {
    #[default]
    None,
    /// An expression in parentheses, which is the expression.
    Parenthesized,
    /// A parenthesis, if it belongs to such an expression.
    Parenthesis,
    /// A comma, if it is last or a bracket follows it.
    Comma,
    /// A semicolon, if nothing follows it and the line's end would suffice.
    Semicolon,
}

/// A construct or statement that was open when its tokens were written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Range {
    /// Index of its node.
    pub(crate) node: u32,
    /// First token.
    pub(crate) first: u32,
    /// Token after its last.
    pub(crate) end: u32,
    /// First content token.
    pub(crate) content: u32,
    /// Content token after its last.
    pub(crate) content_end: u32,
    /// Index of the node around it, for statements that of their block.
    pub(crate) around: u32,
}

/// A tree as a sequence of tokens.
pub(crate) struct Stream<'t> {
    tree: &'t SyntaxTree,
    profile: Profile,
    seed: u64,
    /// The tree's nodes and text, cached.
    all: &'t [Node],
    text: &'t [u8],
    kinds: Vec<Kind>,
    room: Room,
}

thread_local! {
    /// Buffers of the last file, to avoid allocations for each file.
    static ROOM: RefCell<Room> = RefCell::default();
}

/// Maximum number of tokens for which buffers are kept.
const MAX_KEPT: usize = 1 << 18;

/// The target of a stream.
#[derive(Default)]
struct Room {
    tokens: Vec<Token>,
    /// For each token eight bytes of shape and text.
    exact: Vec<u8>,
    /// Codes of tokens other than brackets and separators, for near misses.
    content: Vec<u16>,
    /// Constructs that are compared as a whole, in order of position.
    units: Vec<Range>,
    /// Statements of blocks, in order of position.
    statements: Vec<Range>,
    names: Names,
    open: Vec<Open>,
    buffer: Vec<u8>,
}

impl Room {
    fn clear(&mut self) {
        self.tokens.clear();
        self.exact.clear();
        self.content.clear();
        self.units.clear();
        self.statements.clear();
        self.names.clear();
        self.open.clear();
    }
}

impl Drop for Stream<'_> {
    fn drop(&mut self) {
        let mut room = std::mem::take(&mut self.room);
        if room.tokens.capacity() <= MAX_KEPT {
            room.clear();
            ROOM.set(room);
        }
    }
}

/// Token without its text.
#[derive(Clone, Copy)]
struct Token {
    /// Its kind and the inner nodes that opened and closed before it.
    shape: u32,
    /// Sum of the shapes up to here.
    sum: u32,
    /// For a name, one plus the index of its previous occurrence; else 0.
    before: u32,
    /// Its node.
    node: u32,
    /// Names and literals of the tokens up to here.
    wording: Wording,
}

/// A node that is not closed yet.
struct Open {
    end: u32,
    node: u32,
    block: bool,
    unit: u32,
    statement: u32,
}

/// Marks no unit or statement.
const NO: u32 = u32::MAX;

/// The walk that fills a stream.
#[derive(Default)]
struct Walk {
    /// Inner nodes that were opened, and closed, since the last token.
    opened: u32,
    closed: u32,
    /// Sum of the shapes of all tokens.
    sum: u32,
    open_units: usize,
    /// Names and literals of all tokens.
    wording: Wording,
    /// The hash of the last token if it is a name that is not counted as called yet.
    name: Option<u32>,
    /// Whether the last token precedes a member.
    is_after_dot: bool,
}

impl<'t> Stream<'t> {
    /// Writes the tokens of a tree.
    pub(crate) fn new(tree: &'t SyntaxTree, profile: Profile) -> Self {
        let mut stream = Self {
            tree,
            profile,
            seed: xxh3_64(match profile {
                Profile::Slope => tree.language().family().as_bytes(),
                Profile::Paper => tree.language().id().as_bytes(),
            }),
            all: tree.nodes(),
            text: tree.text().as_bytes(),
            kinds: Vec::new(),
            room: ROOM.take(),
        };
        stream.fill();
        stream
    }

    /// Constructs that are compared as a whole, in order of position.
    pub(crate) fn units(&self) -> &[Range] {
        &self.room.units
    }

    /// Statements of blocks, in order of block and position; can be taken once.
    pub(crate) fn take_statements(&mut self) -> Vec<Range> {
        std::mem::take(&mut self.room.statements)
    }

    /// Codes of the content tokens of a range.
    pub(crate) fn content(&self, range: &Range) -> &[u16] {
        &self.room.content[range.content as usize..range.content_end as usize]
    }

    fn fill(&mut self) {
        let mut walk = Walk::default();
        let count = narrow(self.all.len());
        let mut index = 0;
        while index < count {
            self.close(&mut walk, index);
            index = self.visit(&mut walk, index);
        }
        self.close(&mut walk, NO);
    }

    /// Closes nodes that end before a node.
    fn close(&mut self, walk: &mut Walk, index: u32) {
        let (token, content) = self.position();
        while let Some(open) = self.room.open.last().filter(|open| open.end <= index) {
            if open.unit != NO {
                let unit = &mut self.room.units[open.unit as usize];
                (unit.end, unit.content_end) = (token, content);
                walk.open_units -= 1;
            }
            if open.statement != NO {
                let statement = &mut self.room.statements[open.statement as usize];
                (statement.end, statement.content_end) = (token, content);
            }
            walk.closed += 1;
            self.room.open.pop();
        }
    }

    /// Number of tokens and of content tokens.
    fn position(&self) -> (u32, u32) {
        (
            narrow(self.room.tokens.len()),
            narrow(self.room.content.len()),
        )
    }

    /// Processes a node. Returns the next one: its first child, or the node after it.
    fn visit(&mut self, walk: &mut Walk, index: u32) -> u32 {
        let node = &self.all[index as usize];
        let kind = self.kind(node);
        let (parent, in_block) = self
            .room
            .open
            .last()
            .map_or((0, false), |open| (open.node, open.block));
        if self.is_dropped(index, kind, in_block) {
            return node.end;
        }
        let (first, content) = self.position();
        let range = Range {
            node: index,
            first,
            end: first + 1,
            content,
            content_end: content,
            around: parent,
        };
        let (mut unit, mut statement) = (NO, NO);
        if self.is_transparent(kind, in_block) {
            return index + 1;
        }
        if in_block && node.named {
            statement = narrow(self.room.statements.len());
            self.room.statements.push(range);
        }
        if kind.unit && walk.open_units < crate::MAX_UNIT_DEPTH {
            unit = narrow(self.room.units.len());
            self.room.units.push(range);
        }
        if self.is_leaf(index, kind) {
            self.write(walk, index, kind);
            return node.end;
        }
        walk.open_units += usize::from(unit != NO);
        walk.opened = (walk.opened.rotate_left(7) ^ u32::from(kind.code)).wrapping_mul(MIX_32);
        self.room.open.push(Open {
            end: node.end,
            node: index,
            block: kind.block,
            unit,
            statement,
        });
        index + 1
    }

    /// Writes a token.
    fn write(&mut self, walk: &mut Walk, index: u32, kind: Kind) {
        let node = &self.all[index as usize];
        let token = narrow(self.room.tokens.len());
        let shape = shape(walk.opened, walk.closed, kind.code);
        (walk.opened, walk.closed) = (0, 0);
        let mut text = 0;
        let mut before = 0;
        if kind.code == NAME {
            text = xxh3_64(self.bytes(node));
            before = self.room.names.replace(text, token + 1);
            self.room
                .content
                .push(CONTENT_NAME | (text & 0x7fff) as u16);
        } else if node.named {
            if self.profile == Profile::Slope {
                text = xxh3_64(self.bytes(node));
            }
            self.room.content.push(kind.code);
        } else if !kind.separator {
            self.room.content.push(kind.code);
        }
        walk.sum = walk.sum.wrapping_add(shape);
        self.word(walk, index, kind, text);
        self.room.tokens.push(Token {
            shape,
            sum: walk.sum,
            before,
            node: index,
            wording: walk.wording,
        });
        if self.profile == Profile::Slope {
            let word = exact(shape, text).to_le_bytes();
            self.room.exact.extend_from_slice(&word);
        }
    }

    fn bytes(&self, node: &Node) -> &'t [u8] {
        &self.text[node.start_byte as usize..node.end_byte as usize]
    }

    fn kind(&mut self, node: &Node) -> Kind {
        match self.kinds.get(node.kind as usize) {
            Some(kind) if kind.known => *kind,
            _ => self.learn(node),
        }
    }

    #[cold]
    fn learn(&mut self, node: &Node) -> Kind {
        let id = node.kind;
        let info = self.tree.language().kind(id);
        let literal = info.literal.map(|class| LITERAL + class as u16);
        let name = info.roles.any(Roles::IDENTIFIER).then_some(NAME);
        let number = match self.profile {
            Profile::Slope => info.in_family,
            Profile::Paper => info.canonical,
        };
        let kind = Kind {
            known: true,
            comment: info.roles.any(Roles::COMMENT),
            block: info.roles.any(Roles::BLOCK),
            unit: info.roles.any(Roles::CLONE_UNIT),
            literal: literal.is_some(),
            separator: self.is_separator(node),
            opens: !node.named && self.bytes(node) == b"(",
            dots: !node.named && MEMBERS.contains(&self.bytes(node)),
            layout: self.layout(node),
            code: literal.or(name).unwrap_or(number % LITERAL),
        };
        // The kind of errors is the highest number there is; it is not cached.
        if id < 0x1000 {
            if self.kinds.len() <= id as usize {
                self.kinds.resize(id as usize + 64, Kind::default());
            }
            self.kinds[id as usize] = kind;
        }
        kind
    }

    fn is_dropped(&self, index: u32, kind: Kind, in_block: bool) -> bool {
        match self.profile {
            Profile::Slope => {
                kind.comment
                    || kind.layout != Layout::None && self.is_layout(index, kind.layout)
                    || in_block && self.tree.is_documentation(index)
            }
            Profile::Paper => !self.all[index as usize].named,
        }
    }

    /// Possible changes by formatters to nodes of this kind.
    fn layout(&self, node: &Node) -> Layout {
        let language = self.tree.language();
        // A node that is missing has no text, but it has a name.
        match (language.kind_name(node.kind), node.named) {
            ("parenthesized_expression", true) => Layout::Parenthesized,
            (",", false) => Layout::Comma,
            ("(" | ")", false) => Layout::Parenthesis,
            (";", false) if language.conventions().comments.semicolons == Semicolons::Optional => {
                Layout::Semicolon
            }
            _ => Layout::None,
        }
    }

    /// Whether only a node's content is written. A statement is never transparent.
    fn is_transparent(&self, kind: Kind, in_block: bool) -> bool {
        kind.layout == Layout::Parenthesized && !in_block && self.profile == Profile::Slope
    }

    /// Whether a formatter may take a node out.
    fn is_layout(&self, index: u32, layout: Layout) -> bool {
        let node = &self.all[index as usize];
        let parent = &self.all[node.parent as usize];
        match layout {
            Layout::None | Layout::Parenthesized => false,
            Layout::Parenthesis => self.layout(parent) == Layout::Parenthesized,
            Layout::Semicolon => node.end == parent.end,
            Layout::Comma => node.end == parent.end || self.is_before_bracket(node, parent),
        }
    }

    /// Whether only comments separate a child from the bracket that closes its parent.
    fn is_before_bracket(&self, node: &Node, parent: &Node) -> bool {
        let mut next = node.end;
        while next < parent.end && self.tree.info(next).roles.any(Roles::COMMENT) {
            next = self.all[next as usize].end;
        }
        let last = self.all.get(next as usize).filter(|_| next < parent.end);
        last.is_some_and(|last| {
            last.end == parent.end && matches!(self.bytes(last), b")" | b"]" | b"}" | b">")
        })
    }

    fn is_leaf(&self, index: u32, kind: Kind) -> bool {
        if kind.literal && self.is_whole(index) || kind.code == NAME {
            return true;
        }
        let empty = self.all[index as usize].end == index + 1;
        let bare = || {
            !self
                .tree
                .children(index)
                .any(|c| self.all[c as usize].named)
        };
        empty || self.profile == Profile::Paper && bare()
    }

    /// Whether a literal is written as one token. In the paper's form adjacent strings that make up
    /// one text are separate.
    fn is_whole(&self, literal: u32) -> bool {
        let parts = || self.tree.children(literal);
        self.profile == Profile::Slope || !parts().any(|c| self.tree.info(c).literal.is_some())
    }

    /// Whether a keyword or punctuation is a bracket or separator.
    fn is_separator(&self, node: &Node) -> bool {
        match self.bytes(node) {
            [] => true,
            [byte] => matches!(
                byte,
                b'(' | b')' | b'[' | b']' | b'{' | b'}' | b',' | b';' | b':' | b'.' | b'\n'
            ),
            _ => false,
        }
    }

    /// The shape and text of the first token below a node, as if the node were the root.
    fn first(&mut self, root: u32, token: u32) -> u64 {
        let leaf = self.room.tokens[token as usize].node;
        let mut opened = 0u32;
        let mut index = root;
        while index < leaf {
            let node = &self.all[index as usize];
            let kind = self.kind(node);
            let around = self.kind(&self.all[node.parent as usize]);
            if index != root && self.is_dropped(index, kind, around.block) {
                index = node.end;
                continue;
            }
            if index == root || !self.is_transparent(kind, around.block) {
                opened = (opened.rotate_left(7) ^ u32::from(kind.code)).wrapping_mul(MIX_32);
            }
            index += 1;
        }
        let kind = self.kind(&self.all[leaf as usize]);
        u64::from(shape(opened, 0, kind.code)) ^ self.seed
    }

    /// The hash of a range of tokens below `root`, with names.
    pub(crate) fn exact_hash(&mut self, root: u32, first: u32, end: u32) -> u128 {
        let seed = self.first(root, first);
        self.exact_from(seed, first, end)
    }

    /// The hash of a range of tokens below `root` in which a name is only the distance to its last
    /// use in the range. Equal distances are the same as a consistent renaming.
    pub(crate) fn renamed_hash(&mut self, root: u32, first: u32, end: u32) -> u128 {
        let seed = self.first(root, first);
        self.renamed_from(seed, first, end)
    }

    /// Both hashes.
    pub(crate) fn hashes(&mut self, root: u32, first: u32, end: u32) -> (u128, u128) {
        let seed = self.first(root, first);
        let exact = self.exact_from(seed, first, end);
        (exact, self.renamed_from(seed, first, end))
    }

    fn exact_from(&self, seed: u64, first: u32, end: u32) -> u128 {
        let leaf = self.room.tokens[first as usize].node;
        let text = xxh3_64(self.bytes(&self.all[leaf as usize]));
        let rest = &self.room.exact[(first as usize + 1) * 8..end as usize * 8];
        xxh3_128_with_seed(rest, seed ^ text.rotate_left(32))
    }

    fn renamed_from(&mut self, seed: u64, first: u32, end: u32) -> u128 {
        let tokens = &self.room.tokens[first as usize + 1..end as usize];
        self.room.buffer.resize(tokens.len() * 4, 0);
        let words = self.room.buffer.chunks_exact_mut(4);
        for (token, (word, at)) in (first + 2..).zip(words.zip(tokens)) {
            let distance = if at.before > first {
                token - at.before
            } else {
                0
            };
            let value = at.shape ^ distance.wrapping_mul(MIX_32);
            word.copy_from_slice(&value.to_le_bytes());
        }
        xxh3_128_with_seed(&self.room.buffer, seed)
    }

    /// A sum over a range of tokens that distinguishes forms of statements, ignoring names.
    pub(crate) fn form(&self, range: &Range) -> u32 {
        let (first, last) = (range.first as usize, range.end as usize - 1);
        let kind = u32::from(self.all[range.node as usize].kind);
        let sum = self.room.tokens[last]
            .sum
            .wrapping_sub(self.room.tokens[first].sum);
        sum.wrapping_add(kind)
    }
}

fn shape(opened: u32, closed: u32, code: u16) -> u32 {
    let mixed = (opened ^ closed.rotate_left(16) ^ u32::from(code)).wrapping_mul(0x85eb_ca6b);
    mixed ^ mixed >> 15
}

fn exact(shape: u32, text: u64) -> u64 {
    u64::from(shape).wrapping_mul(MIX_64) ^ text
}

/// Hash of 128 bits as bytes.
pub(crate) fn unit_hash(value: u128) -> UnitHash {
    UnitHash(value.to_le_bytes())
}

/// Counts fit: a tree's text is below half of `u32`.
pub(crate) fn narrow(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}
