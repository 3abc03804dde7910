//! Descriptions of languages: one value for each folder in `languages/`.

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

/// A grammar package.
pub(crate) struct Grammar {
    /// Name of the package.
    pub(crate) name: &'static str,
    /// Version of the package.
    pub(crate) version: &'static str,
    /// Loads the grammar.
    pub(crate) load: fn() -> tree_sitter::Language,
}

/// Files with a suffix of another language that belong to this one if their first bytes say so.
pub(crate) struct Claim {
    /// The suffix, in lower case.
    pub(crate) suffix: &'static str,
    /// Whether the first bytes belong to this language.
    pub(crate) is_own: fn(&[u8]) -> bool,
}

/// Programs whose scripts are code of a language if they declare their dependencies.
pub(crate) struct Runners {
    /// Names of the programs.
    pub(crate) names: &'static [&'static str],
    /// Text that identifies such a file.
    pub(crate) mark: &'static [u8],
}

/// A statement or definition that may be reused from the tree of another version of its file. If it
/// occupies whole lines, it parses the same wherever its kind is allowed.
pub(crate) struct Part {
    /// Its kind.
    pub(crate) kind: &'static str,
    /// Lines of the shortest part of this kind, which the grammar sees in its place, with the same
    /// indentation.
    pub(crate) stand_in: &'static [&'static str],
}

/// Description of a language.
pub(crate) struct LanguageSpec {
    pub(crate) id: &'static str,
    /// Other names for it.
    pub(crate) aliases: &'static [&'static str],
    /// Id shared by languages in which the same code has the same tree.
    pub(crate) family: &'static str,
    pub(crate) suffixes: &'static [&'static str],
    /// Names of files that need no suffix.
    pub(crate) file_names: &'static [&'static str],
    /// Interpreters in a `#!` line, without version.
    pub(crate) interpreters: &'static [&'static str],
    /// Files with another language's suffix that belong to this language.
    pub(crate) claim: Option<Claim>,
    /// Programs that run its files.
    pub(crate) runners: Option<Runners>,
    pub(crate) grammar: Grammar,
    /// Named kinds, with their constructs and roles.
    pub(crate) kinds: &'static [KindRows],
    /// Roles of anonymous kinds: keywords and operators.
    pub(crate) tokens: &'static [TokenRows],
    /// Classes of named kinds that are literals.
    pub(crate) literals: &'static [LiteralRows],
    /// The meaning of a kind with [`Roles::CONTEXT`], given its other roles.
    pub(crate) in_context: fn(&SyntaxTree, u32, Roles) -> Roles,
    /// Name of a class, callable or lambda, directly or by assignment; `None` if it has none.
    pub(crate) name: fn(&SyntaxTree, u32) -> Option<String>,
    /// Names of anonymous lambdas, by kind.
    pub(crate) anonymous: &'static [(&'static str, &'static str)],
    /// Number of parameters of a callable, without receivers.
    pub(crate) parameters: fn(&SyntaxTree, u32) -> u32,
    /// Whether a lambda inside a callable is always a part of it.
    pub(crate) is_part_of_owner: fn(&SyntaxTree, u32) -> bool,
    /// Whether a function can consist of several consecutive definitions.
    pub(crate) equations: bool,
    /// The rows with code.
    pub(crate) source_lines: fn(&SyntaxTree, Profile) -> LineSet,
    /// Whether a node is documentation: a statement that is only a string.
    pub(crate) is_documentation: fn(&SyntaxTree, u32) -> bool,
    /// Whether an arm matches everything, and so decides nothing.
    pub(crate) is_catch_all: fn(&SyntaxTree, u32) -> bool,
    /// Whether a clone unit or statement is similar to others by convention, and so is left out.
    pub(crate) is_exempt_unit: fn(&SyntaxTree, u32) -> bool,
    /// Kinds that other code looks up by name, resolved once.
    pub(crate) named_kinds: &'static [&'static str],
    /// Parts that may be reused from another version of a file; empty unless this is proven to give
    /// the same trees.
    pub(crate) parts: &'static [Part],
    /// Beginnings of lines that continue the statement before them at the same indentation.
    pub(crate) goes_on: &'static [&'static str],
    /// Beginnings of lines that belong to the code below them.
    pub(crate) leads_on: &'static [&'static str],
    /// Position of the condition in an expression with two values.
    pub(crate) condition_at: usize,
    /// Whether a node is the only content of a block that readers see as part of its call.
    pub(crate) is_inline: fn(&SyntaxTree, u32) -> bool,
    /// The text to parse, if the grammar misreads some code without an error.
    pub(crate) shown: Option<for<'t> fn(&'t str) -> Cow<'t, str>>,
    /// A second text to parse, without parts that the grammar takes for names.
    pub(crate) blanked: Option<for<'t> fn(&'t str) -> Cow<'t, str>>,
    /// Repairs of a text that does not parse.
    pub(crate) repairs: &'static [Repair],
    /// Words and operators that the grammar lacks, replaced in order after the repairs.
    pub(crate) replacements: &'static [&'static [Replacement]],
    /// Whether the grammar reads all comments up to the next code again for each comment.
    pub(crate) rereads_comments: bool,
    /// Whether items in macros are parsed.
    pub(crate) has_macro_items: bool,
    /// Rows that compilers of this language do not see. Set only for languages whose files seldom parse without their
    /// headers, so that some errors are forgiven.
    pub(crate) unseen_rows: Option<fn(&str) -> LineSet>,
    /// Its files besides their code.
    pub(crate) files: Files,
    /// Names and contents of its tests.
    pub(crate) test_files: TestFiles,
    /// Marks of a function's body in code that does not parse.
    pub(crate) bodies: Bodies,
    /// Facts for signals; `None` if they do not support the language.
    pub(crate) conventions: Option<&'static Conventions>,
}

impl LanguageSpec {
    /// A language with braces. A folder states only the differences.
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
