//! Whole constructs by the simplest algorithm: hashes each construct's tree.
//!
//! Slow, since nested constructs are written repeatedly; tests compare [`crate::analyse`] with it.

use std::collections::HashMap;

use slope_syntax::{LineSet, LiteralClass, Profile, Roles, SyntaxTree};

use crate::{MAX_UNIT_DEPTH, MIN_LINES, UnitHash};

/// A construct that is compared as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unit {
    /// Hash of its normalised form.
    pub hash: UnitHash,
    /// Index of its node.
    pub node: u32,
    /// Index after its last descendant.
    pub end: u32,
    /// First row, from 0.
    pub first_row: u32,
    /// Last row, from 0.
    pub last_row: u32,
}

/// A unit of a file of a snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Member {
    /// Index of the file.
    pub file: usize,
    /// Index of the unit in its file.
    pub unit: usize,
}

/// The units of a file in order of position.
#[must_use]
pub fn units(tree: &SyntaxTree, profile: Profile, source: &LineSet) -> Vec<Unit> {
    let rows = tree.node(0).end_row.max(tree.physical_lines()) + 1;
    let prefix = source.prefix_counts(rows);
    let mut normaliser = Normaliser::new(tree, profile);
    let mut around: Vec<u32> = Vec::new();
    let mut found = Vec::new();
    for (index, node) in (0u32..).zip(tree.nodes()) {
        while around.last().is_some_and(|&end| end <= index) {
            around.pop();
        }
        if !tree.info(index).roles.any(Roles::CLONE_UNIT) {
            continue;
        }
        around.push(node.end);
        let lines = match profile {
            Profile::Slope => prefix[node.end_row as usize + 1] - prefix[node.start_row as usize],
            Profile::Paper => node.end_row - node.start_row + 1,
        };
        let exempt = profile == Profile::Slope && tree.is_exempt_unit(index);
        if lines < MIN_LINES || exempt || around.len() > MAX_UNIT_DEPTH {
            continue;
        }
        found.push(Unit {
            hash: normaliser.hash(index),
            node: index,
            end: node.end,
            first_row: node.start_row,
            last_row: node.end_row,
        });
    }
    found
}

/// Groups of two or more equal units: over all files in [`Profile::Slope`],
/// within one file in [`Profile::Paper`].
///
/// Members are in order of file and position, groups in that of their first members.
#[must_use]
pub fn groups<'a>(
    files: impl IntoIterator<Item = &'a [Unit]>,
    profile: Profile,
) -> Vec<Vec<Member>> {
    let mut by_hash: HashMap<(UnitHash, usize), Vec<Member>> = HashMap::new();
    for (file, units) in files.into_iter().enumerate() {
        let scope = match profile {
            Profile::Slope => 0,
            Profile::Paper => file,
        };
        for (unit, found) in units.iter().enumerate() {
            by_hash
                .entry((found.hash, scope))
                .or_default()
                .push(Member { file, unit });
        }
    }
    let mut groups: Vec<_> = by_hash.into_values().filter(|g| g.len() > 1).collect();
    groups.sort_unstable_by_key(|group| group[0]);
    groups
}

/// Codes for nodes of a normalised form. Distinct from every literal class.
mod tag {
    pub(super) const NAME: u8 = 16;
    pub(super) const LEAF: u8 = 17;
    pub(super) const OPEN: u8 = 18;
    pub(super) const CLOSE: u8 = 19;
}

/// Writes normalised forms of one tree's units into hashes.
struct Normaliser<'t> {
    tree: &'t SyntaxTree,
    profile: Profile,
    /// For each node, the number of its name in the file; 0 if it is no identifier.
    names: Vec<u32>,
    /// For each name of the file, the unit that last numbered it and the number.
    numbers: Vec<(u32, u32)>,
    generation: u32,
    buffer: Vec<u8>,
    open: Vec<u32>,
}

impl<'t> Normaliser<'t> {
    fn new(tree: &'t SyntaxTree, profile: Profile) -> Self {
        let mut ids: HashMap<&str, u32> = HashMap::new();
        let mut names = vec![0; tree.nodes().len()];
        for index in (0u32..).take(tree.nodes().len()) {
            if tree.info(index).roles.any(Roles::IDENTIFIER) {
                let next = u32::try_from(ids.len()).unwrap_or(u32::MAX);
                let id = *ids.entry(tree.node_text(index)).or_insert(next);
                names[index as usize] = id;
            }
        }
        Self {
            tree,
            profile,
            numbers: vec![(0, 0); ids.len()],
            names,
            generation: 0,
            buffer: Vec::new(),
            open: Vec::new(),
        }
    }

    /// The hash of a unit's form: its nodes in pre-order, with names numbered by
    /// first appearance in the unit.
    fn hash(&mut self, unit: u32) -> UnitHash {
        self.generation += 1;
        self.open.clear();
        let mut next_number = 0;
        let mut hasher = blake3::Hasher::new();
        hasher.update(self.tree.language().id().as_bytes());
        let end = self.tree.node(unit).end;
        let mut index = unit;
        while index < end {
            while self.open.last().is_some_and(|&close| close <= index) {
                self.open.pop();
                self.buffer.push(tag::CLOSE);
            }
            index = self.write(index, &mut next_number);
            if self.buffer.len() > 4096 {
                hasher.update(&self.buffer);
                self.buffer.clear();
            }
        }
        hasher.update(&self.buffer);
        self.buffer.clear();
        let mut hash = [0; 16];
        hash.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
        UnitHash(hash)
    }

    /// Writes one node. Returns the next one: its first child, or the node after it.
    fn write(&mut self, index: u32, next_number: &mut u32) -> u32 {
        let node = self.tree.node(index);
        let info = self.tree.info(index);
        if self.is_dropped(index) {
            return node.end;
        }
        if let Some(literal) = info.literal.filter(|_| self.is_whole(index)) {
            self.buffer.push(literal as u8);
            return node.end;
        }
        if info.roles.any(Roles::IDENTIFIER) {
            let name = self.names[index as usize] as usize;
            if self.numbers[name].0 != self.generation {
                self.numbers[name] = (self.generation, *next_number);
                *next_number += 1;
            }
            self.buffer.push(tag::NAME);
            self.buffer
                .extend_from_slice(&self.numbers[name].1.to_le_bytes());
            return node.end;
        }
        if node.end == index + 1 {
            self.buffer.push(tag::LEAF);
        } else {
            self.buffer.push(tag::OPEN);
            self.open.push(node.end);
        }
        self.buffer.extend_from_slice(&info.canonical.to_le_bytes());
        index + 1
    }

    /// Whether a literal is written as one token. In the paper's form adjacent strings that make up
    /// one text are separate.
    fn is_whole(&self, literal: u32) -> bool {
        let parts = || self.tree.children(literal);
        self.profile == Profile::Slope || !parts().any(|c| self.tree.info(c).literal.is_some())
    }

    fn is_dropped(&self, index: u32) -> bool {
        match self.profile {
            Profile::Slope => {
                self.tree.info(index).roles.any(Roles::COMMENT) || self.tree.is_documentation(index)
            }
            Profile::Paper => !self.tree.node(index).named,
        }
    }
}

/// Literal classes and tags share one byte and must not collide.
const _: () = assert!((LiteralClass::None as u8) < tag::NAME);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use slope_syntax::{Language, Limits, parse};

    use super::*;

    fn units_of(code: &str, profile: Profile) -> Vec<Unit> {
        let language = Language::by_id("python").unwrap();
        let tree = parse(language, code.as_bytes(), &Limits::default()).unwrap();
        assert_eq!(tree.errors(), None, "{code}");
        units(&tree, profile, &tree.source_lines(profile))
    }

    /// First lines (from 1) of the members of each group.
    fn grouped(files: &[&str], profile: Profile) -> Vec<Vec<(usize, u32)>> {
        let all: Vec<_> = files.iter().map(|code| units_of(code, profile)).collect();
        groups(all.iter().map(Vec::as_slice), profile)
            .into_iter()
            .map(|group| {
                group
                    .iter()
                    .map(|m| (m.file, all[m.file][m.unit].first_row + 1))
                    .collect()
            })
            .collect()
    }

    const SUM: &str =
        "def total(xs):\n    t = 0\n    for x in xs:\n        t += x * 2\n    return t\n";

    #[test]
    fn paper_profile_ignores_renamed_copies() {
        let other = "def all(ys):\n    s = 1\n    for y in ys:\n        s += y * 3\n    return s\n";
        assert_eq!(
            grouped(&[SUM, other], Profile::Slope),
            [vec![(0, 1), (1, 1)]]
        );
        assert!(grouped(&[SUM, other], Profile::Paper).is_empty());
        let both = format!("{SUM}{other}");
        assert_eq!(grouped(&[&both], Profile::Paper), [vec![(0, 1), (0, 6)]]);
    }

    #[test]
    fn names_must_be_renamed_consistently() {
        let other = SUM.replace("return t", "return xs");
        assert!(grouped(&[SUM, &other], Profile::Slope).is_empty());
    }

    #[test]
    fn operators_matter_in_the_slope_profile_only() {
        let code = format!("{SUM}{}", SUM.replace('*', "-"));
        assert!(grouped(&[&code], Profile::Slope).is_empty());
        assert_eq!(grouped(&[&code], Profile::Paper).len(), 1);
    }

    #[test]
    fn slope_profile_joins_adjacent_strings() {
        let code = "if a:\n    b('x')\n    c()\nif a:\n    b('x' 'y')\n    c()\n";
        assert_eq!(grouped(&[code], Profile::Slope).len(), 1);
        assert!(grouped(&[code], Profile::Paper).is_empty());
    }

    #[test]
    fn comments_and_docstrings_hide_no_copy() {
        let other = SUM.replace(
            "    t = 0\n",
            "    '''Adds up.'''\n    # start\n    t = 0  # zero\n",
        );
        assert_eq!(grouped(&[SUM, &other], Profile::Slope).len(), 1);
    }

    #[test]
    fn small_and_typing_blocks_are_skipped() {
        let small = "if a:\n    b()\nif c:\n    d()\n";
        assert!(grouped(&[small], Profile::Slope).is_empty());
        let checking = "if TYPE_CHECKING:\n    import a\n    import b\n";
        assert!(grouped(&[checking, checking], Profile::Slope).is_empty());
    }

    #[test]
    fn nesting_changes_the_shape() {
        // The same tokens of names, but another structure.
        let left = "if a:\n    if b:\n        c()\n    d()\n";
        let right = "if a:\n    if b:\n        c()\n        d()\n";
        assert!(grouped(&[left, right], Profile::Slope).is_empty());
    }

    #[test]
    fn deep_nesting_is_bounded() {
        let mut code = String::new();
        for depth in 0..300 {
            code.push_str(&" ".repeat(depth));
            code.push_str("if a:\n");
        }
        code.push_str(&" ".repeat(300));
        code.push_str("pass\n");
        assert!(units_of(&code, Profile::Slope).len() <= MAX_UNIT_DEPTH);
    }

    /// A small program over names a, b, c and its statements.
    fn program() -> impl Strategy<Value = String> {
        let statement = prop_oneof![
            Just("    a = b + c\n"),
            Just("    if a > b:\n        c = a\n        b = c\n"),
            Just("    for a in b:\n        c(a)\n        b.c(a)\n"),
            Just("    while c:\n        a -= b\n        c = a\n"),
            Just("    return [a for a in b if c]\n"),
        ];
        prop::collection::vec(prop::collection::vec(statement, 2..6), 2..6).prop_map(|functions| {
            functions
                .iter()
                .map(|body| format!("def a(b, c):\n{}", body.concat()))
                .collect()
        })
    }

    fn renamed(code: &str) -> String {
        code.chars()
            .scan(' ', |before, c| {
                let alone = !before.is_ascii_alphabetic();
                *before = c;
                Some((c, alone))
            })
            .collect::<Vec<_>>()
            .iter()
            .enumerate()
            .map(|(i, &(c, alone))| {
                let next = code.chars().nth(i + 1).unwrap_or(' ');
                if alone && matches!(c, 'a'..='c') && !next.is_ascii_alphabetic() {
                    format!("name_{c}")
                } else {
                    c.to_string()
                }
            })
            .collect()
    }

    proptest! {
        #[test]
        fn renaming_keeps_groups(code in program()) {
            let other = renamed(&code);
            prop_assert_ne!(&code, &other);
            for profile in [Profile::Slope, Profile::Paper] {
                prop_assert_eq!(grouped(&[&code], profile), grouped(&[&other], profile));
            }
        }

        #[test]
        fn shifting_lines_keeps_groups(code in program(), shift in 1u32..20) {
            let shifted = format!("{}{code}", "# note\n".repeat(shift as usize));
            let mut expected = grouped(&[&code], Profile::Slope);
            for member in expected.iter_mut().flatten() {
                member.1 += shift;
            }
            prop_assert_eq!(expected, grouped(&[&shifted], Profile::Slope));
        }

        #[test]
        fn copied_file_is_entirely_cloned(code in program()) {
            let units = units_of(&code, Profile::Slope).len();
            let members: usize = grouped(&[&code, &code], Profile::Slope).iter().map(Vec::len).sum();
            prop_assert_eq!(members, 2 * units);
        }
    }
}
