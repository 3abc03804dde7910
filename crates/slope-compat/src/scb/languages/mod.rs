//! Meanings of grammar kinds to scb-check 0.2.0, one readable table per language.
//!
//! A kind is looked up by its name whether it is named or a keyword: a keyword
//! with the name of a counted kind counts too (Haskell's `case`).

mod cpp;
mod haskell;
mod javascript;
mod python;
mod rust;
mod zig;

use std::sync::OnceLock;

use slope_syntax::{Language, SyntaxTree};

/// The table of one language.
pub(crate) struct Spec {
    /// Id in reports and in slope's table of languages.
    pub(crate) id: &'static str,
    /// Suffixes without the dot, lower case.
    pub(crate) suffixes: &'static [&'static str],
    /// Comments: they carry no source line and no weight in a fingerprint.
    pub(crate) comments: &'static [&'static str],
    /// Definitions that are callables anywhere.
    pub(crate) functions: &'static [&'static str],
    /// Definitions that are callables only if an ancestor names them.
    pub(crate) borrowed_functions: &'static [&'static str],
    /// Ancestors that provide a name, if an identifier is their direct child.
    pub(crate) name_lenders: &'static [&'static str],
    /// Kinds that lend their name to the callables inside them.
    pub(crate) classes: &'static [&'static str],
    /// Each adds 1 to cyclomatic complexity.
    pub(crate) decisions: &'static [&'static str],
    /// Kinds that are a boolean operation, if an operator below is a direct child.
    pub(crate) booleans: &'static [&'static str],
    /// Operators of `booleans`; empty if each node of those kinds counts.
    pub(crate) operators: &'static [&'static str],
    /// Each adds 1 and its depth to cognitive complexity.
    pub(crate) flows: &'static [&'static str],
    /// Each adds 1 to cognitive complexity and hides its content.
    pub(crate) jumps: &'static [&'static str],
    /// Kinds that clone detection compares.
    pub(crate) clone_units: &'static [&'static str],
    /// Kinds that a fingerprint numbers.
    pub(crate) identifiers: &'static [&'static str],
    /// Kinds that a fingerprint replaces by a class.
    pub(crate) literals: &'static [&'static str],
}

/// Every language, in the order of the report's keys.
pub(crate) static SPECS: [&Spec; 7] = [
    &cpp::SPEC,
    &haskell::SPEC,
    &javascript::SPEC,
    &python::SPEC,
    &rust::SPEC,
    &javascript::TYPESCRIPT,
    &zig::SPEC,
];

/// Meaning of a kind; bits of [`Kind::flags`].
pub(crate) mod flag {
    pub(crate) const COMMENT: u32 = 1;
    pub(crate) const FUNCTION: u32 = 1 << 1;
    pub(crate) const BORROWED: u32 = 1 << 2;
    pub(crate) const LENDER: u32 = 1 << 3;
    pub(crate) const CLASS: u32 = 1 << 4;
    pub(crate) const DECISION: u32 = 1 << 5;
    pub(crate) const BOOLEAN: u32 = 1 << 6;
    pub(crate) const OPERATOR: u32 = 1 << 7;
    pub(crate) const FLOW: u32 = 1 << 8;
    pub(crate) const JUMP: u32 = 1 << 9;
    pub(crate) const CLONE_UNIT: u32 = 1 << 10;
    pub(crate) const IDENTIFIER: u32 = 1 << 11;
    pub(crate) const LITERAL: u32 = 1 << 12;
}

/// Facts about one kind of a grammar.
#[derive(Clone, Copy)]
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    pub(crate) flags: u32,
    /// Class of a literal in a fingerprint.
    pub(crate) literal: &'static str,
}

/// A language with its table by kind id.
pub(crate) struct Table {
    pub(crate) spec: &'static Spec,
    pub(crate) language: Language,
    kinds: Vec<Kind>,
}

impl Table {
    /// Facts about a node's kind.
    pub(crate) fn kind(&self, tree: &SyntaxTree, node: u32) -> Kind {
        let id = usize::from(tree.node(node).kind);
        self.kinds.get(id).copied().unwrap_or(Kind {
            name: "",
            flags: 0,
            literal: "",
        })
    }

    /// The name of a node's kind.
    pub(crate) fn name(&self, tree: &SyntaxTree, node: u32) -> &'static str {
        self.kind(tree, node).name
    }

    /// Whether a node's kind has a flag.
    pub(crate) fn is(&self, tree: &SyntaxTree, node: u32, flag: u32) -> bool {
        self.kind(tree, node).flags & flag != 0
    }

    /// Whether this is Python, which has different definitions.
    pub(crate) fn is_python(&self) -> bool {
        self.spec.id == "python"
    }
}

static TABLES: [OnceLock<Option<Table>>; SPECS.len()] = [const { OnceLock::new() }; SPECS.len()];

/// The table at a position of [`SPECS`]; `None` if slope lacks the language, which a test rules out.
pub(crate) fn table(index: usize) -> Option<&'static Table> {
    TABLES[index].get_or_init(|| build(SPECS[index])).as_ref()
}

/// The table of Python.
pub(crate) fn python() -> Option<&'static Table> {
    table(SPECS.iter().position(|spec| spec.id == "python")?)
}

/// The position in [`SPECS`] of a path's language by its last suffix, case ignored.
pub(crate) fn language_of(path: &std::path::Path) -> Option<usize> {
    let suffix = path.extension()?.to_str()?.to_lowercase();
    SPECS
        .iter()
        .position(|spec| spec.suffixes.contains(&suffix.as_str()))
}

fn build(spec: &'static Spec) -> Option<Table> {
    let language = Language::by_id(spec.id)?;
    let kinds = language
        .kind_names()
        .map(|(name, _)| Kind {
            name,
            flags: flags(spec, name),
            literal: literal_class(spec, name),
        })
        .collect();
    Some(Table {
        spec,
        language,
        kinds,
    })
}

fn flags(spec: &Spec, name: &str) -> u32 {
    let lists = [
        (spec.comments, flag::COMMENT),
        (spec.functions, flag::FUNCTION),
        (spec.borrowed_functions, flag::BORROWED),
        (spec.name_lenders, flag::LENDER),
        (spec.classes, flag::CLASS),
        (spec.decisions, flag::DECISION),
        (spec.booleans, flag::BOOLEAN),
        (spec.operators, flag::OPERATOR),
        (spec.flows, flag::FLOW),
        (spec.jumps, flag::JUMP),
        (spec.clone_units, flag::CLONE_UNIT),
        (spec.identifiers, flag::IDENTIFIER),
        (spec.literals, flag::LITERAL),
    ];
    lists
        .iter()
        .filter(|(names, _)| names.contains(&name))
        .fold(0, |flags, (_, flag)| flags | flag)
}

/// The class that a literal is replaced by. Python has a class for integers; the other languages
/// use the text of the kind's name.
fn literal_class(spec: &Spec, name: &str) -> &'static str {
    if spec.id == "python" {
        return match name {
            "string" => "<str>",
            "integer" => "<int>",
            "float" => "<float>",
            "true" | "false" => "<bool>",
            _ => "<none>",
        };
    }
    if name.contains("string") || name.contains("char") {
        "<str>"
    } else if name.contains("float") {
        "<float>"
    } else if name.contains("bool") || matches!(name, "true" | "false") {
        "<bool>"
    } else if name.contains("null") || name == "undefined" {
        "<none>"
    } else {
        "<literal>"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names in the tables without a kind in their grammars. Zig's never match; Haskell's operator
    /// is found by its text.
    const ABSENT: &[(&str, &[&str])] = &[("haskell", &["&&"]), ("zig", &["&&", "char_literal"])];

    #[test]
    fn language_tables_name_existing_kinds() {
        for (index, spec) in SPECS.iter().enumerate() {
            let table = table(index).unwrap();
            let lists = [
                spec.comments,
                spec.functions,
                spec.borrowed_functions,
                spec.name_lenders,
                spec.classes,
                spec.decisions,
                spec.booleans,
                spec.operators,
                spec.flows,
                spec.jumps,
                spec.clone_units,
                spec.identifiers,
                spec.literals,
            ];
            let known = |name: &&&str| table.kinds.iter().any(|kind| kind.name == **name);
            let absent: Vec<&str> = lists
                .into_iter()
                .flatten()
                .filter(|name| !known(name))
                .copied()
                .collect();
            let expected = ABSENT.iter().find(|(id, _)| *id == spec.id);
            assert_eq!(absent, expected.map_or(&[][..], |e| e.1), "{}", spec.id);
        }
    }

    #[test]
    fn last_suffix_matches_ignoring_case() {
        let of = |path: &str| language_of(std::path::Path::new(path)).map(|i| SPECS[i].id);
        assert_eq!(of("a/B.PYW"), Some("python"));
        assert_eq!(of("a/b.c++"), Some("cpp"));
        assert_eq!(of("a/b.d.ts"), Some("typescript"));
        assert_eq!(of("a/b.tsx"), None);
        assert_eq!(of("a/b.h"), None);
        assert_eq!(of("a/.py"), None);
    }
}
