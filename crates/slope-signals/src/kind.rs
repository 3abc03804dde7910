//! What a grammar kind means to the signals.
//!
//! Grammars give the same construct different names; `languages/` maps each of
//! them to one [`K`], so that a signal is written once.

use std::sync::OnceLock;

use slope_syntax::Language;

use crate::languages;

/// A construct, whatever a grammar calls it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
#[allow(dead_code, reason = "not every language has every construct")]
pub(crate) enum K {
    /// Of no interest.
    Other,
    Comment,
    Identifier,
    /// A name after a dot, where the grammar tells it apart.
    Member,
    TypeName,
    String,
    Interpolation,
    Number,
    True,
    False,
    Null,
    Ellipsis,
    Module,
    Block,
    /// A block's contents, where that is a node of its own.
    Statements,
    ExprStmt,
    Function,
    Lambda,
    Class,
    /// An interface, trait or protocol.
    Interface,
    Impl,
    Decorated,
    Decorator,
    Modifiers,
    Parameters,
    /// A parameter with more than a name.
    Param,
    ParamSplat,
    Import,
    ImportFrom,
    ImportFuture,
    Alias,
    DottedName,
    Wildcard,
    Assign,
    AugAssign,
    Declarator,
    Walrus,
    Attribute,
    Subscript,
    Call,
    New,
    Arguments,
    KeywordArg,
    Splat,
    If,
    Elif,
    Else,
    For,
    While,
    Loop,
    Try,
    Catch,
    Finally,
    With,
    Switch,
    Case,
    Return,
    Raise,
    Break,
    Continue,
    Pass,
    Yield,
    Await,
    Assert,
    Delete,
    Global,
    Compare,
    Not,
    BoolOp,
    Ternary,
    BinaryOp,
    UnaryOp,
    Comprehension,
    ForIn,
    Tuple,
    List,
    Dict,
    Pair,
    PatternList,
    AsPattern,
    AsTarget,
    Type,
    Paren,
    Heritage,
    Export,
    Declaration,
    /// A function's name and parameters, where they are a node of their own.
    Signature,
    /// A statement at the top level, in a node of its own.
    Wrapped,
    /// Makes a name of C a pointer or an array where it is declared.
    Pointer,
    /// A text that its statement only begins.
    Heredoc,
    /// A call of a macro.
    Macro,
    /// Passes an error on: `?` of Rust.
    Propagate,
    /// The arguments of a macro, without a tree.
    Tokens,
    /// A statement that a jump may go to.
    Label,
}

/// The meaning of a language's kinds, made when its first file is met.
type Table = (Language, OnceLock<Option<Vec<K>>>);

static TABLES: OnceLock<Vec<Table>> = OnceLock::new();

/// For each kind id of a language, what it means; empty if no signal knows the language.
pub(crate) fn table(language: Language) -> &'static [K] {
    let each = || Language::all().map(|language| (language, OnceLock::new()));
    let tables = TABLES.get_or_init(|| each().collect());
    let table = tables.iter().find(|(known, _)| *known == language);
    let kinds = table.and_then(|(_, table)| table.get_or_init(|| kinds(language)).as_ref());
    kinds.map_or(&[], Vec::as_slice)
}

fn kinds(language: Language) -> Option<Vec<K>> {
    let known = languages::kinds(language.id())?;
    let meaning = |(name, named): (&str, bool)| {
        let mut all = known.iter().flat_map(|list| list.iter());
        let entry = all.find(|(kind, _)| named && *kind == name);
        entry.map_or(K::Other, |&(_, kind)| kind)
    };
    Some(language.kind_names().map(meaning).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signal_kinds_exist_in_their_grammar() {
        for language in Language::all() {
            let Some(known) = languages::kinds(language.id()) else {
                continue;
            };
            let names: Vec<&str> = language
                .kind_names()
                .filter_map(|(name, named)| named.then_some(name))
                .collect();
            for (name, _) in known.iter().flat_map(|list| list.iter()) {
                assert!(names.contains(name), "{}: no kind {name}", language.id());
            }
        }
    }
}
