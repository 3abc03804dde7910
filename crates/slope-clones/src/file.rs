//! The facts about one file, which outlive its tree.

use slope_syntax::{LineSet, Profile, Roles, SyntaxTree};

use crate::exempt::{is_exempt_statement, is_exempt_unit};
use crate::place::Place;
use crate::stream::{Range, Stream, unit_hash};
use crate::{MIN_LINES, UnitHash, Wording};

/// Minimum number of tokens of a whole construct that is an exact clone.
pub const MIN_TOKENS_EXACT: u32 = 10;
/// Minimum number of tokens of a whole construct that is a renamed clone: shorter ones share their
/// form with much other code.
pub const MIN_TOKENS_RENAMED: u32 = 20;
/// Minimum number of source lines of a run of statements.
pub const MIN_RUN_LINES: u32 = 6;
/// Minimum number of tokens of a run of statements.
pub const MIN_RUN_TOKENS: u32 = 40;
/// Minimum number of source lines of a near-miss clone.
pub const MIN_NEAR_LINES: u32 = 6;
/// Minimum number of tokens of a near-miss clone.
pub const MIN_NEAR_TOKENS: u32 = 50;

/// Maximum number of tokens of a run's shortest form; longer ones contain a construct that is
/// compared itself.
const MAX_RUN_TOKENS: u32 = 4096;

/// [`CloneUnit::near`] of a construct that is too small for near misses.
pub(crate) const NOT_NEAR: u32 = u32::MAX;

/// Facts about one file for clone detection. They depend on the file alone, so that they can be
/// cached by its content.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileClones {
    /// Whole constructs in order of position.
    pub units: Vec<CloneUnit>,
    /// Statements that a run may begin with or contain, block by block.
    pub statements: Vec<Statement>,
    /// Codes of the tokens of constructs that are large enough for near misses.
    pub tokens: Vec<u16>,
}

/// A construct that is compared as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CloneUnit {
    /// Hash with names and literals, without layout and comments.
    pub exact: UnitHash,
    /// Hash with names numbered and literals by class; equal to `exact` if the
    /// construct is too small to be a renamed clone.
    pub renamed: UnitHash,
    /// First row, from 0.
    pub first_row: u32,
    /// Last row, from 0.
    pub last_row: u32,
    /// First byte of the parsed text.
    pub start_byte: u32,
    /// Byte after the last.
    pub end_byte: u32,
    /// Source lines.
    pub lines: u32,
    /// Tokens, comments and documentation left out.
    pub tokens: u32,
    /// First of its codes in [`FileClones::tokens`]; `u32::MAX` if it is too small for near misses.
    pub near: u32,
    /// Number of codes there.
    pub near_len: u32,
    /// Whether it is a function, method or the like.
    pub callable: bool,
    /// The names that it calls, and its literals.
    pub wording: Wording,
}

/// A statement of a block, and the shortest run that begins with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Statement {
    /// Hash of the run with names and literals.
    pub exact: u64,
    /// Hash of the run with names numbered and literals by class; equal to
    /// `exact` if the run has too little variety to be a renamed clone.
    pub renamed: u64,
    /// Hash of the statement alone, with names numbered and literals by class.
    pub own: u64,
    /// A part of the hash of the statement alone, with names and literals.
    pub own_exact: u32,
    /// First row of the statement, from 0.
    pub first_row: u32,
    /// Last row of the statement, from 0.
    pub last_row: u32,
    /// First byte of the statement.
    pub start_byte: u32,
    /// Byte after the statement's last.
    pub end_byte: u32,
    /// Tokens of the statement.
    pub tokens: u32,
    /// Source lines of the statement.
    pub lines: u32,
    /// Statements of the run; 0 if no run begins here.
    pub run: u16,
    /// Whether the next statement of [`FileClones::statements`] follows in the same block.
    pub continues: bool,
    /// Whether the statement is a construct that is compared as a whole.
    pub whole: bool,
    /// The statement's calls and texts.
    pub wording: Wording,
}

impl CloneUnit {
    /// A part of its renamed hash.
    pub(crate) fn form(&self) -> u64 {
        let [a, b, c, d, e, f, g, h, ..] = self.renamed.0;
        u64::from_le_bytes([a, b, c, d, e, f, g, h])
    }

    /// Its place.
    pub(crate) fn place(&self, file: u32, similarity: u16) -> Place {
        Place {
            file,
            start_byte: self.start_byte,
            end_byte: self.end_byte,
            first_row: self.first_row,
            last_row: self.last_row,
            lines: self.lines,
            tokens: self.tokens,
            similarity,
            wording: self.wording,
        }
    }

    /// Range of its codes in [`FileClones::tokens`], if it is large enough for near misses.
    pub(crate) fn near_range(&self) -> Option<std::ops::Range<usize>> {
        let first = self.near as usize;
        (self.near != NOT_NEAR).then(|| first..first + self.near_len as usize)
    }
}

/// Clone detection's facts of a file. `source` are the file's source lines.
#[must_use]
pub fn analyse(tree: &SyntaxTree, source: &LineSet, profile: Profile) -> FileClones {
    let rows = tree.node(0).end_row.max(tree.physical_lines()) + 1;
    let file = File {
        tree,
        profile,
        lines: source.prefix_counts(rows),
    };
    let mut stream = Stream::new(tree, profile);
    let mut found = FileClones::default();
    let hashes = file.units(&mut stream, &mut found);
    if profile == Profile::Slope {
        file.statements(&mut stream, &hashes, &mut found);
    }
    found
}

/// A file being converted to its [`FileClones`].
struct File<'t> {
    tree: &'t SyntaxTree,
    profile: Profile,
    /// Source lines before each row.
    lines: Vec<u32>,
}

impl File<'_> {
    /// Lines of the profile from the first row of one node to the last of another.
    fn lines(&self, first: u32, last: u32) -> u32 {
        let (first, last) = (
            self.tree.node(first).start_row,
            self.tree.node(last).end_row,
        );
        match self.profile {
            Profile::Slope => self.lines[last as usize + 1] - self.lines[first as usize],
            Profile::Paper => last - first + 1,
        }
    }

    /// Writes the constructs. Returns the node of each.
    fn units(&self, stream: &mut Stream<'_>, found: &mut FileClones) -> Vec<u32> {
        let mut nodes = Vec::new();
        // Up to where content tokens were copied, and the position of the first copy.
        let (mut copied, mut at) = (0, 0);
        for index in 0..stream.units().len() {
            let range = &stream.units()[index].clone();
            let lines = self.lines(range.node, range.node);
            let tokens = range.end.saturating_sub(range.first);
            let least = match self.profile {
                Profile::Slope => MIN_TOKENS_EXACT,
                Profile::Paper => 1,
            };
            let slope = self.profile == Profile::Slope;
            if lines < MIN_LINES || tokens < least {
                continue;
            }
            if slope && is_exempt_unit(self.tree, range.node) {
                continue;
            }
            let mut unit = self.unit(stream, range, lines, tokens);
            if slope && lines >= MIN_NEAR_LINES && tokens >= MIN_NEAR_TOKENS {
                if range.content >= copied {
                    at = range.content - crate::stream::narrow(found.tokens.len());
                    copied = range.content_end;
                    found.tokens.extend_from_slice(stream.content(range));
                }
                unit.near = range.content - at;
                unit.near_len = range.content_end - range.content;
            }
            found.units.push(unit);
            nodes.push(range.node);
        }
        found.units.shrink_to_fit();
        found.tokens.shrink_to_fit();
        nodes
    }

    fn unit(&self, stream: &mut Stream<'_>, range: &Range, lines: u32, tokens: u32) -> CloneUnit {
        let node = self.tree.node(range.node);
        let (root, first, end) = (range.node, range.first, range.end);
        let (exact, renamed) = match self.profile {
            Profile::Slope if tokens >= MIN_TOKENS_RENAMED => stream.hashes(root, first, end),
            Profile::Slope => {
                let exact = stream.exact_hash(root, first, end);
                (exact, exact)
            }
            Profile::Paper => {
                let form = stream.renamed_hash(root, first, end);
                (form, form)
            }
        };
        let (exact, renamed) = (unit_hash(exact), unit_hash(renamed));
        CloneUnit {
            exact,
            renamed,
            first_row: node.start_row,
            last_row: node.end_row,
            start_byte: node.start_byte,
            end_byte: node.end_byte,
            lines,
            tokens,
            near: NOT_NEAR,
            near_len: 0,
            callable: self.tree.info(range.node).roles.any(Roles::CALLABLE),
            wording: stream.wording(range),
        }
    }

    fn statements(&self, stream: &mut Stream<'_>, units: &[u32], found: &mut FileClones) {
        let mut ranges = stream.take_statements();
        ranges.retain(|range| range.first < range.end);
        ranges.sort_unstable_by_key(|range| (range.around, range.node));
        found.statements.reserve(ranges.len() / 2);
        for block in ranges.chunk_by(|a, b| a.around == b.around) {
            if self.is_short(block) {
                continue;
            }
            let exempt = |range: &Range| is_exempt_statement(self.tree, range.node);
            for part in block.split(exempt) {
                if !self.is_short(part) {
                    self.runs(stream, part, units, found);
                }
            }
        }
        found.statements.shrink_to_fit();
    }

    /// Whether statements differ, unlike in tables and lists of checks, whose renamed forms are
    /// equal without being copied. One different statement suffices if it would be a clone by
    /// itself and makes up most of the tokens.
    fn has_variety(&self, forms: &[u32], run: &[Range]) -> bool {
        let other = forms.iter().find(|&&form| form != forms[0]);
        let Some(&other) = other else { return false };
        let third = forms.iter().any(|&form| form != forms[0] && form != other);
        let tokens = run[run.len() - 1].end - run[0].first;
        let is_most = |range: &Range| (range.end - range.first) * 2 >= tokens;
        third
            || tokens >= MIN_RUN_TOKENS * 3 / 2
            || run
                .iter()
                .any(|range| is_most(range) && self.is_structure(range))
    }

    /// Whether a statement is a control structure that would be a renamed clone itself.
    fn is_structure(&self, range: &Range) -> bool {
        let roles = self.tree.info(range.node).roles;
        range.end - range.first >= MIN_TOKENS_RENAMED
            && self.lines(range.node, range.node) >= MIN_LINES
            && roles.any(Roles::CLONE_UNIT)
            && !roles.any(Roles::CALLABLE.and(Roles::CLASS))
    }

    /// Whether statements are together too short for a run.
    fn is_short(&self, statements: &[Range]) -> bool {
        let (Some(first), Some(last)) = (statements.first(), statements.last()) else {
            return true;
        };
        last.end - first.first < MIN_RUN_TOKENS || self.lines(first.node, last.node) < MIN_RUN_LINES
    }

    /// Writes the statements of a block, each with the shortest run from it.
    ///
    /// Only tokens define that run, so that layout does not matter; the longest equal run must have
    /// enough lines.
    fn runs(
        &self,
        stream: &mut Stream<'_>,
        block: &[Range],
        units: &[u32],
        found: &mut FileClones,
    ) {
        let forms: Vec<u32> = block.iter().map(|range| stream.form(range)).collect();
        let mut last = 0;
        for (index, range) in block.iter().enumerate() {
            last = last.max(index);
            while last < block.len() && block[last].end - range.first < MIN_RUN_TOKENS {
                last += 1;
            }
            let node = self.tree.node(range.node);
            let own = own_hashes(stream, range, units, &found.units);
            let mut statement = Statement {
                exact: 0,
                renamed: 0,
                own: own.1,
                own_exact: own.0 as u32,
                first_row: node.start_row,
                last_row: node.end_row,
                start_byte: node.start_byte,
                end_byte: node.end_byte,
                tokens: range.end - range.first,
                lines: self.lines(range.node, range.node),
                run: 0,
                continues: index + 1 < block.len(),
                whole: self.tree.info(range.node).roles.any(Roles::CLONE_UNIT),
                wording: stream.wording(range),
            };
            if last == index {
                statement.run = 1;
                statement.exact = own.0;
                statement.renamed = match statement.whole {
                    true => own.1,
                    false if is_table(&statement) => own.1 ^ stream.value_hash(range),
                    false => own.0,
                };
            } else if last < block.len() {
                let run = index..last + 1;
                let is_varied = self.has_variety(&forms[run.clone()], &block[run.clone()]);
                hash_run(stream, &block[run], is_varied, &mut statement);
            }
            found.statements.push(statement);
        }
    }
}

/// The hashes of a statement alone, exact and renamed; those of the construct if it is one.
fn own_hashes(
    stream: &mut Stream<'_>,
    range: &Range,
    nodes: &[u32],
    units: &[CloneUnit],
) -> (u64, u64) {
    let unit = nodes.binary_search(&range.node).map(|index| &units[index]);
    // A small construct has no renamed hash of its own.
    if let Ok(unit) = unit
        && unit.tokens >= MIN_TOKENS_RENAMED
    {
        return (half(unit.exact), half(unit.renamed));
    }
    let (exact, renamed) = stream.hashes(range.node, range.first, range.end);
    (exact as u64, renamed as u64)
}

/// Whether a statement is a table. Two with the same rows are the same table under two names.
fn is_table(statement: &Statement) -> bool {
    statement.wording.is_table(statement.tokens)
}

/// The first half of a hash.
fn half(hash: UnitHash) -> u64 {
    u128::from_le_bytes(hash.0) as u64
}

fn hash_run(stream: &mut Stream<'_>, run: &[Range], is_varied: bool, statement: &mut Statement) {
    let (root, first, end) = (run[0].node, run[0].first, run[run.len() - 1].end);
    let Ok(count) = u16::try_from(run.len()) else {
        return;
    };
    if end - first > MAX_RUN_TOKENS {
        return;
    }
    statement.run = count;
    if is_varied {
        let (exact, renamed) = stream.hashes(root, first, end);
        (statement.exact, statement.renamed) = (exact as u64, renamed as u64);
    } else {
        statement.exact = stream.exact_hash(root, first, end) as u64;
        statement.renamed = statement.exact;
    }
}
