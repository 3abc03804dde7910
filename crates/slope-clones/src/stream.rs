//! One pass over a tree that writes its tokens as codes.
//!
//! A token is a leaf of the tree, or a literal as a whole. Inner nodes are no
//! tokens of their own: which of them open and close before a token is folded
//! into its code, so that equal codes mean equal trees, not only equal text.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use slope_syntax::{LiteralClass, Profile, Roles, SyntaxTree};
use xxhash_rust::xxh3::{xxh3_64, xxh3_128_with_seed};

use crate::UnitHash;

/// Code of a name. Literals are `LITERAL` plus their class; all else is its kind.
const NAME: u16 = 0x7fff;
const LITERAL: u16 = 0x7f00;
const _: () = assert!(LITERAL + (LiteralClass::None as u16) < NAME);

/// Set in the codes of [`Stream::content`] that are names; the rest is a part of the name's hash.
pub(crate) const CONTENT_NAME: u16 = 0x8000;

/// Odd constants of good bit mixing (golden ratio and its relatives).
const MIX_32: u32 = 0x9e37_79b1;
const MIX_64: u64 = 0x9e37_79b9_7f4a_7c15;

/// What is known of a grammar kind, looked up once per file.
#[derive(Clone, Copy)]
struct Kind {
    roles: Roles,
    code: u16,
    literal: bool,
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
    kinds: Vec<Option<Kind>>,
    /// For each token, its kind and the inner nodes that opened and closed before it.
    shape: Vec<u32>,
    /// For each name, the token after the last with the same name before it; else 0.
    before: Vec<u32>,
    /// For each token eight bytes of shape and text.
    exact: Vec<u8>,
    /// For each token its node.
    nodes: Vec<u32>,
    /// Codes of tokens other than brackets and separators, for near misses.
    pub(crate) content: Vec<u16>,
    /// Constructs that are compared as a whole, in order of position.
    pub(crate) units: Vec<Range>,
    /// Statements of blocks, in order of position.
    pub(crate) statements: Vec<Range>,
    buffer: Vec<u8>,
}

/// A node that is not closed yet.
struct Open {
    end: u32,
    node: u32,
    block: bool,
    unit: u32,
    statement: u32,
}

/// Stands for no unit or statement.
const NO: u32 = u32::MAX;

/// A hasher for keys that are hashes already.
#[derive(Default)]
struct Ready(u64);

impl Hasher for Ready {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        self.0 = xxh3_64(bytes);
    }
    fn write_u64(&mut self, value: u64) {
        self.0 = value;
    }
}

/// The walk that fills a stream.
struct Walk {
    open: Vec<Open>,
    names: HashMap<u64, u32, BuildHasherDefault<Ready>>,
    /// Inner nodes that were opened, and closed, since the last token.
    opened: u32,
    closed: u32,
    open_units: usize,
}

impl<'t> Stream<'t> {
    /// Writes the tokens of a tree.
    pub(crate) fn new(tree: &'t SyntaxTree, profile: Profile) -> Self {
        let nodes = tree.nodes().len();
        let tokens = nodes * 5 / 8;
        let mut stream = Self {
            tree,
            profile,
            seed: xxh3_64(tree.language().id().as_bytes()),
            kinds: Vec::new(),
            shape: Vec::with_capacity(tokens),
            before: Vec::with_capacity(tokens),
            exact: Vec::with_capacity(tokens * 8),
            nodes: Vec::with_capacity(tokens),
            content: Vec::with_capacity(nodes / 3),
            units: Vec::new(),
            statements: Vec::new(),
            buffer: Vec::new(),
        };
        stream.fill();
        stream
    }

    fn fill(&mut self) {
        let mut walk = Walk {
            open: Vec::with_capacity(64),
            names: HashMap::with_capacity_and_hasher(
                self.tree.nodes().len() / 32,
                BuildHasherDefault::default(),
            ),
            opened: 0,
            closed: 0,
            open_units: 0,
        };
        let count = self.tree.node(0).end;
        let mut index = 0;
        while index < count {
            self.close(&mut walk, index);
            index = self.visit(&mut walk, index);
        }
        self.close(&mut walk, NO);
    }

    /// Closes what ends before a node.
    fn close(&mut self, walk: &mut Walk, index: u32) {
        let (token, content) = self.position();
        while let Some(open) = walk.open.last().filter(|open| open.end <= index) {
            if open.unit != NO {
                let unit = &mut self.units[open.unit as usize];
                (unit.end, unit.content_end) = (token, content);
                walk.open_units -= 1;
            }
            if open.statement != NO {
                let statement = &mut self.statements[open.statement as usize];
                (statement.end, statement.content_end) = (token, content);
            }
            walk.closed += 1;
            walk.open.pop();
        }
    }

    /// How many tokens and content tokens there are.
    fn position(&self) -> (u32, u32) {
        (narrow(self.shape.len()), narrow(self.content.len()))
    }

    /// Takes a node in and says which comes next: its first child, or what follows it.
    fn visit(&mut self, walk: &mut Walk, index: u32) -> u32 {
        let node = self.tree.node(index);
        let kind = self.kind(node.kind);
        let around = walk.open.last();
        let in_block = around.is_some_and(|open| open.block);
        if self.is_dropped(index, kind.roles, in_block) {
            return node.end;
        }
        let parent = around.map_or(0, |open| open.node);
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
        if in_block && node.named {
            statement = narrow(self.statements.len());
            self.statements.push(range);
        }
        if kind.roles.any(Roles::CLONE_UNIT) && walk.open_units < crate::MAX_UNIT_DEPTH {
            unit = narrow(self.units.len());
            self.units.push(range);
        }
        if self.is_leaf(index, kind) {
            self.write(walk, index, kind);
            return node.end;
        }
        walk.open_units += usize::from(unit != NO);
        walk.opened = (walk.opened.rotate_left(7) ^ u32::from(kind.code)).wrapping_mul(MIX_32);
        walk.open.push(Open {
            end: node.end,
            node: index,
            block: kind.roles.any(Roles::BLOCK),
            unit,
            statement,
        });
        index + 1
    }

    /// Writes a token.
    fn write(&mut self, walk: &mut Walk, index: u32, kind: Kind) {
        let node = self.tree.node(index);
        let token = narrow(self.shape.len());
        let shape = shape(walk.opened, walk.closed, kind.code);
        (walk.opened, walk.closed) = (0, 0);
        let mut text = 0;
        let mut before = 0;
        if node.named {
            text = xxh3_64(self.tree.node_text(index).as_bytes());
            if kind.code == NAME {
                before = walk.names.insert(text, token + 1).unwrap_or(0);
                self.content.push(CONTENT_NAME | (text & 0x7fff) as u16);
            } else {
                self.content.push(kind.code);
            }
        } else if !self.is_separator(index) {
            self.content.push(kind.code);
        }
        self.shape.push(shape);
        self.before.push(before);
        self.nodes.push(index);
        self.exact
            .extend_from_slice(&exact(shape, text).to_le_bytes());
    }

    fn kind(&mut self, id: u16) -> Kind {
        if let Some(Some(kind)) = self.kinds.get(id as usize) {
            return *kind;
        }
        let info = self.tree.language().kind(id);
        let literal = info.literal.map(|class| LITERAL + class as u16);
        let name = info.roles.any(Roles::IDENTIFIER).then_some(NAME);
        let kind = Kind {
            roles: info.roles,
            code: literal.or(name).unwrap_or(info.canonical % LITERAL),
            literal: literal.is_some(),
        };
        // The kind of errors is the highest number there is; it is not kept.
        if id < 0x1000 {
            if self.kinds.len() <= id as usize {
                self.kinds.resize(id as usize + 64, None);
            }
            self.kinds[id as usize] = Some(kind);
        }
        kind
    }

    fn is_dropped(&self, index: u32, roles: Roles, in_block: bool) -> bool {
        match self.profile {
            Profile::Slope => {
                roles.any(Roles::COMMENT) || in_block && self.tree.is_documentation(index)
            }
            Profile::Paper => !self.tree.node(index).named,
        }
    }

    fn is_leaf(&self, index: u32, kind: Kind) -> bool {
        if kind.literal && self.is_whole(index) || kind.code == NAME {
            return true;
        }
        let empty = self.tree.node(index).end == index + 1;
        let bare = || !self.tree.children(index).any(|c| self.tree.node(c).named);
        empty || self.profile == Profile::Paper && bare()
    }

    /// Whether a literal is written as one. In the paper's form adjacent strings
    /// that make up one text stay apart.
    fn is_whole(&self, literal: u32) -> bool {
        let parts = || self.tree.children(literal);
        self.profile == Profile::Slope || !parts().any(|c| self.tree.info(c).literal.is_some())
    }

    /// Whether a keyword or punctuation is a bracket or separator.
    fn is_separator(&self, index: u32) -> bool {
        let node = self.tree.node(index);
        let byte = self.tree.text().as_bytes().get(node.start_byte as usize);
        node.end_byte <= node.start_byte + 1
            && byte.is_none_or(|byte| b"()[]{},;:.\n".contains(byte))
    }

    /// The shape and text of the first token below a node, as if the node were the root.
    fn first(&mut self, root: u32, token: u32) -> u64 {
        let leaf = self.nodes[token as usize];
        let mut opened = 0u32;
        let mut index = root;
        while index < leaf {
            let node = self.tree.node(index);
            let kind = self.kind(node.kind);
            let block = self.kind(self.tree.node(node.parent).kind).roles;
            if index != root && self.is_dropped(index, kind.roles, block.any(Roles::BLOCK)) {
                index = node.end;
                continue;
            }
            opened = (opened.rotate_left(7) ^ u32::from(kind.code)).wrapping_mul(MIX_32);
            index += 1;
        }
        let kind = self.kind(self.tree.node(leaf).kind);
        u64::from(shape(opened, 0, kind.code)) ^ self.seed
    }

    /// The hash of a range of tokens below `root` in which names are kept.
    pub(crate) fn exact_hash(&mut self, root: u32, first: u32, end: u32) -> u128 {
        let seed = self.first(root, first);
        let leaf = self.nodes[first as usize];
        let text = xxh3_64(self.tree.node_text(leaf).as_bytes());
        let rest = &self.exact[(first as usize + 1) * 8..end as usize * 8];
        xxh3_128_with_seed(rest, seed ^ text.rotate_left(32))
    }

    /// The hash of a range of tokens below `root` in which a name is only the
    /// distance to where it stood last in the range. Equal distances are the same
    /// as a consistent renaming.
    pub(crate) fn renamed_hash(&mut self, root: u32, first: u32, end: u32) -> u128 {
        let seed = self.first(root, first);
        let from = first as usize + 1;
        let to = end as usize;
        self.buffer.resize((to - from) * 4, 0);
        let words = self.buffer.chunks_exact_mut(4);
        let tokens = self.shape[from..to].iter().zip(&self.before[from..to]);
        for (token, (word, (&shape, &before))) in (first + 2..).zip(words.zip(tokens)) {
            let distance = if before > first { token - before } else { 0 };
            word.copy_from_slice(&(shape ^ distance.wrapping_mul(MIX_32)).to_le_bytes());
        }
        xxh3_128_with_seed(&self.buffer, seed)
    }

    /// A sum over a range of tokens that tells forms of statements apart, names aside.
    pub(crate) fn form(&self, range: &Range) -> u32 {
        let rest =
            &self.shape[(range.first as usize + 1).min(range.end as usize)..range.end as usize];
        let kind = u32::from(self.tree.node(range.node).kind);
        rest.iter()
            .fold(kind, |sum, &shape| sum.wrapping_add(shape))
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
