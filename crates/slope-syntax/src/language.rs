//! The table of languages, and what each grammar kind means.
//!
//! Generic code (complexity, nesting, clones) asks for a kind's [`Roles`] and
//! never for its name; what cannot be said by roles is a function in
//! `LanguageSpec`, one per question.

use std::path::Path;
use std::sync::OnceLock;

use crate::languages;
use crate::lines::LineSet;
use crate::profile::Profile;
use crate::tree::SyntaxTree;

/// What a grammar kind means to the metrics; a set of flags.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Roles(u32);

impl Roles {
    /// No role.
    pub const NONE: Self = Self(0);
    /// A definition of a function or method.
    pub const CALLABLE: Self = Self(1);
    /// A definition that lends its name to those inside it, but is no callable.
    pub const CLASS: Self = Self(1 << 1);
    /// Stands between a definition and one inside it without being control flow.
    pub const TRANSPARENT: Self = Self(1 << 2);
    /// Adds 1 to cyclomatic complexity in every profile.
    pub const DECISION: Self = Self(1 << 3);
    /// An arm of a multi-way branch: adds 1 in slope's own profile, unless it takes everything.
    pub const ARM: Self = Self(1 << 4);
    /// A control statement that its body is nested in.
    pub const NESTING: Self = Self(1 << 5);
    /// A comment or other text without meaning to the program.
    pub const COMMENT: Self = Self(1 << 6);
    /// A name that clone detection numbers.
    pub const IDENTIFIER: Self = Self(1 << 7);
    /// A construct that clone detection compares as a whole.
    pub const CLONE_UNIT: Self = Self(1 << 8);
    /// A sequence of statements.
    pub const BLOCK: Self = Self(1 << 9);

    /// Both sets together.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether any of the other set's roles is in this one.
    #[must_use]
    pub const fn any(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// The class of a literal, which clone detection keeps in its stead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum LiteralClass {
    /// Text or bytes.
    String = 1,
    /// A whole number.
    Integer = 2,
    /// A number with a fraction or an imaginary part.
    Float = 3,
    /// True or false.
    Bool = 4,
    /// The absent value.
    None = 5,
}

/// What is known of one grammar kind.
#[derive(Debug, Clone, Copy, Default)]
pub struct KindInfo {
    /// Its roles.
    pub roles: Roles,
    /// Its class if it is a literal.
    pub literal: Option<LiteralClass>,
    /// The lowest kind id of the same name, so that aliases compare equal.
    pub canonical: u16,
}

/// What a language has to say about itself.
pub(crate) struct LanguageSpec {
    pub(crate) id: &'static str,
    pub(crate) suffixes: &'static [&'static str],
    pub(crate) grammar: &'static str,
    pub(crate) grammar_version: &'static str,
    pub(crate) grammar_fn: fn() -> tree_sitter::Language,
    /// Roles and literal class of a named kind.
    pub(crate) kind: fn(&str) -> (Roles, Option<LiteralClass>),
    /// The rows that carry code.
    pub(crate) source_lines: fn(&SyntaxTree, Profile) -> LineSet,
    /// Whether a node is documentation: a statement that is only a text.
    pub(crate) is_documentation: fn(&SyntaxTree, u32) -> bool,
    /// Whether an arm takes everything, and so decides nothing.
    pub(crate) is_catch_all: fn(&SyntaxTree, u32) -> bool,
    /// Whether a clone unit is left out by convention of the language.
    pub(crate) is_exempt_unit: fn(&SyntaxTree, u32) -> bool,
    /// Names of kinds that need a lookup by name elsewhere, resolved once.
    pub(crate) named_kinds: &'static [&'static str],
}

static TABLE: &[LanguageSpec] = &[
    languages::python::SPEC,
    languages::javascript::SPEC,
    languages::typescript::SPEC,
    languages::tsx::SPEC,
    languages::rust::SPEC,
    languages::go::SPEC,
    languages::java::SPEC,
    languages::c::SPEC,
    languages::cpp::SPEC,
    languages::csharp::SPEC,
    languages::ruby::SPEC,
    languages::haskell::SPEC,
    languages::zig::SPEC,
];

/// A language of the table.
#[derive(Clone, Copy)]
pub struct Language {
    index: usize,
}

/// Per-language tables by kind id, made on first use.
pub(crate) struct KindTable {
    pub(crate) grammar: tree_sitter::Language,
    pub(crate) infos: Vec<KindInfo>,
    /// Whether each kind is named.
    pub(crate) is_named: Vec<bool>,
    /// Kind ids of `LanguageSpec::named_kinds`, in that order.
    pub(crate) named: Vec<u16>,
}

static KINDS: [OnceLock<KindTable>; TABLE.len()] = [const { OnceLock::new() }; TABLE.len()];

impl Language {
    /// Every language, in table order.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..TABLE.len()).map(|index| Self { index })
    }

    /// The language with this id.
    #[must_use]
    pub fn by_id(id: &str) -> Option<Self> {
        Self::all().find(|language| language.id() == id)
    }

    /// The language of a path by its last suffix, ASCII case ignored.
    #[must_use]
    pub fn of_path(path: &Path) -> Option<Self> {
        let suffix = path.extension()?.to_str()?.to_ascii_lowercase();
        Self::all().find(|language| language.spec().suffixes.contains(&suffix.as_str()))
    }

    /// Its id, for example `python`.
    #[must_use]
    pub fn id(self) -> &'static str {
        self.spec().id
    }

    /// Its suffixes, without the dot.
    #[must_use]
    pub fn suffixes(self) -> &'static [&'static str] {
        self.spec().suffixes
    }

    /// Name of its grammar package.
    #[must_use]
    pub fn grammar(self) -> &'static str {
        self.spec().grammar
    }

    /// Version of its grammar package.
    #[must_use]
    pub fn grammar_version(self) -> &'static str {
        self.spec().grammar_version
    }

    /// What is known of a kind id.
    #[must_use]
    pub fn kind(self, id: u16) -> KindInfo {
        let infos = &self.kinds().infos;
        infos.get(id as usize).copied().unwrap_or(KindInfo {
            canonical: id,
            ..KindInfo::default()
        })
    }

    /// The grammar's own name of a kind id; empty for an id that it does not have.
    #[must_use]
    pub fn kind_name(self, id: u16) -> &'static str {
        let grammar = &self.kinds().grammar;
        grammar.node_kind_for_id(id).unwrap_or_default()
    }

    /// How many kind ids the grammar has; the ids are those below this number.
    #[must_use]
    pub fn kind_count(self) -> u16 {
        u16::try_from(self.kinds().infos.len()).unwrap_or(u16::MAX)
    }

    pub(crate) fn spec(self) -> &'static LanguageSpec {
        &TABLE[self.index]
    }

    pub(crate) fn kinds(self) -> &'static KindTable {
        KINDS[self.index].get_or_init(|| kind_table(self.spec()))
    }
}

impl PartialEq for Language {
    fn eq(&self, other: &Self) -> bool {
        self.index == other.index
    }
}

impl Eq for Language {}

impl std::fmt::Debug for Language {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.id())
    }
}

fn kind_table(spec: &LanguageSpec) -> KindTable {
    let grammar = (spec.grammar_fn)();
    let count = u16::try_from(grammar.node_kind_count()).unwrap_or(u16::MAX);
    let infos = (0..count)
        .map(|id| {
            let name = grammar.node_kind_for_id(id).unwrap_or_default();
            let named = grammar.node_kind_is_named(id);
            let (roles, literal) = if named {
                (spec.kind)(name)
            } else {
                (Roles::NONE, None)
            };
            KindInfo {
                roles,
                literal,
                canonical: grammar.id_for_node_kind(name, named),
            }
        })
        .collect();
    let named = spec
        .named_kinds
        .iter()
        .map(|name| grammar.id_for_node_kind(name, true))
        .collect();
    let is_named = (0..count)
        .map(|id| grammar.node_kind_is_named(id))
        .collect();
    KindTable {
        grammar,
        infos,
        is_named,
        named,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_find_their_language_by_suffix() {
        let python = Language::by_id("python").unwrap();
        assert_eq!(Language::of_path(Path::new("a/b.py")), Some(python));
        assert_eq!(Language::of_path(Path::new("a/B.PYW")), Some(python));
        assert_eq!(Language::of_path(Path::new("a/py")), None);
        assert_eq!(Language::of_path(Path::new("a/.py")), None);
    }

    #[test]
    fn every_named_kind_and_role_kind_exists_in_its_grammar() {
        for language in Language::all() {
            for (name, id) in language
                .spec()
                .named_kinds
                .iter()
                .zip(&language.kinds().named)
            {
                assert_ne!(*id, 0, "{language:?}: no kind {name}");
            }
        }
    }

    #[test]
    fn grammar_versions_are_those_of_the_lock_file() {
        let lock = include_str!("../../../Cargo.lock");
        for language in Language::all() {
            let entry = format!(
                "name = \"{}\"\nversion = \"{}\"",
                language.grammar(),
                language.grammar_version()
            );
            assert!(lock.contains(&entry), "lock file lacks {entry}");
        }
    }
}
