//! What a language says of itself: one value per folder of `languages/`.

use std::borrow::Cow;

use crate::conventions::Conventions;
use crate::files::{Files, TestFiles};
use crate::languages::plain;
use crate::lines::LineSet;
use crate::lost::Bodies;
use crate::profile::Profile;
use crate::repair::{Repair, Replacement};
use crate::roles::{KindRows, LiteralRows, Roles, TokenRows};
use crate::tree::SyntaxTree;

/// A grammar, which is a package.
pub(crate) struct Grammar {
    /// Name of the package.
    pub(crate) name: &'static str,
    /// Its version.
    pub(crate) version: &'static str,
    /// Makes the grammar.
    pub(crate) load: fn() -> tree_sitter::Language,
}

/// Files with a suffix of another language that are of this one if their first bytes say so.
pub(crate) struct Claim {
    /// The suffix, in lower case.
    pub(crate) suffix: &'static str,
    /// Whether the first bytes are of this language.
    pub(crate) is_own: fn(&[u8]) -> bool,
}

/// Programs that run files of a language which say what they need.
pub(crate) struct Runners {
    /// Names of the programs.
    pub(crate) names: &'static [&'static str],
    /// The text by which such a file is known.
    pub(crate) mark: &'static [u8],
}

/// A statement or definition that may be reused from the tree of another version of its file: if it
/// takes whole lines it is parsed alike, wherever one of its kind may be.
pub(crate) struct Part {
    /// Its kind.
    pub(crate) kind: &'static str,
    /// Lines of the shortest one of its kind, to be indented alike. The grammar sees them in its
    /// place.
    pub(crate) stand_in: &'static [&'static str],
}

/// A language's description of itself.
pub(crate) struct LanguageSpec {
    pub(crate) id: &'static str,
    /// Other names for it.
    pub(crate) aliases: &'static [&'static str],
    /// The id that it shares with languages in which the same code is the same tree.
    pub(crate) family: &'static str,
    pub(crate) suffixes: &'static [&'static str],
    /// Names of files that need no suffix.
    pub(crate) file_names: &'static [&'static str],
    /// Interpreters in a `#!` line, without version.
    pub(crate) interpreters: &'static [&'static str],
    /// Files of another language's suffix that are of this one.
    pub(crate) claim: Option<Claim>,
    /// Programs that run its files.
    pub(crate) runners: Option<Runners>,
    pub(crate) grammar: Grammar,
    /// Named kinds: what each is, and its roles.
    pub(crate) kinds: &'static [KindRows],
    /// Roles of anonymous kinds: keywords and operators.
    pub(crate) tokens: &'static [TokenRows],
    /// Classes of named kinds that are literals.
    pub(crate) literals: &'static [LiteralRows],
    /// The meaning of a kind with [`Roles::CONTEXT`], given its other roles.
    pub(crate) in_context: fn(&SyntaxTree, u32, Roles) -> Roles,
    /// The name of a class, callable or lambda; `None` if it has none, also not by assignment.
    pub(crate) name: fn(&SyntaxTree, u32) -> Option<String>,
    /// Names of lambdas without a name, by kind.
    pub(crate) anonymous: &'static [(&'static str, &'static str)],
    /// How many parameters a callable has, receivers excluded.
    pub(crate) parameters: fn(&SyntaxTree, u32) -> u32,
    /// Whether a lambda inside a callable is always part of it, whatever is in it.
    pub(crate) is_part_of_owner: fn(&SyntaxTree, u32) -> bool,
    /// Whether a function can be written as several definitions in a row.
    pub(crate) equations: bool,
    /// The rows that carry code.
    pub(crate) source_lines: fn(&SyntaxTree, Profile) -> LineSet,
    /// Whether a node is documentation: a statement that is only a text.
    pub(crate) is_documentation: fn(&SyntaxTree, u32) -> bool,
    /// Whether an arm takes everything, and so decides nothing.
    pub(crate) is_catch_all: fn(&SyntaxTree, u32) -> bool,
    /// Whether a clone unit or statement is left out by convention of the language.
    pub(crate) is_exempt_unit: fn(&SyntaxTree, u32) -> bool,
    /// Names of kinds that need a lookup by name elsewhere, resolved once.
    pub(crate) named_kinds: &'static [&'static str],
    /// Parts that may be reused from another version of a file; empty unless that was shown to give
    /// the same trees.
    pub(crate) parts: &'static [Part],
    /// Beginnings of lines that continue the statement before them at the same indentation.
    pub(crate) goes_on: &'static [&'static str],
    /// How a line begins that belongs to the code below it.
    pub(crate) leads_on: &'static [&'static str],
    /// Position of the condition in an expression with two values.
    pub(crate) condition_at: usize,
    /// Whether a node is all of a block that is part of its call to a reader.
    pub(crate) is_inline: fn(&SyntaxTree, u32) -> bool,
    /// The text to parse, if the grammar misreads some code without an error.
    pub(crate) shown: Option<for<'t> fn(&'t str) -> Cow<'t, str>>,
    /// A second text to parse, without what the grammar takes for names.
    pub(crate) blanked: Option<for<'t> fn(&'t str) -> Cow<'t, str>>,
    /// Repairs of a text that does not parse.
    pub(crate) repairs: &'static [Repair],
    /// Words and operators that the grammar lacks, replaced in order after the repairs.
    pub(crate) replacements: &'static [&'static [Replacement]],
    /// Whether the grammar looks over all comments up to the next code, once for each of them.
    pub(crate) rereads_comments: bool,
    /// Whether items in macros are parsed.
    pub(crate) has_macro_items: bool,
    /// The rows that compilers of this language do not see. Only set where files seldom parse without their headers, so
    /// that some errors are forgiven.
    pub(crate) unseen_rows: Option<fn(&str) -> LineSet>,
    /// Its files besides their code.
    pub(crate) files: Files,
    /// How its tests are named, and what they hold.
    pub(crate) test_files: TestFiles,
    /// How the body of a function shows where the file does not parse.
    pub(crate) bodies: Bodies,
    /// What signals ask of it; `None` if they do not know the language.
    pub(crate) conventions: Option<&'static Conventions>,
}

impl LanguageSpec {
    /// A language with braces, of which a folder says only what is different.
    pub(crate) const fn new(id: &'static str, grammar: Grammar) -> Self {
        Self {
            id,
            aliases: &[],
            family: id,
            suffixes: &[],
            file_names: &[],
            interpreters: &[],
            claim: None,
            runners: None,
            grammar,
            kinds: &[],
            tokens: &[],
            literals: &[],
            in_context: |_, _, roles| roles,
            name: plain::name,
            anonymous: &[],
            parameters: plain::parameters,
            is_part_of_owner: plain::never,
            equations: false,
            source_lines: plain::source_lines,
            is_documentation: plain::never,
            is_catch_all: plain::never,
            is_exempt_unit: plain::never,
            named_kinds: &[],
            parts: &[],
            goes_on: &[],
            leads_on: &[],
            condition_at: 0,
            is_inline: plain::never,
            shown: None,
            blanked: None,
            repairs: &[],
            replacements: &[],
            rereads_comments: false,
            has_macro_items: false,
            unseen_rows: None,
            files: Files::PLAIN,
            test_files: TestFiles::PLAIN,
            bodies: Bodies::Braces,
            conventions: None,
        }
    }
}
