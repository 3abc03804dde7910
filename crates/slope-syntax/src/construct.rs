//! The taxonomy of syntax kinds: what a kind of any grammar is.
//!
//! Grammars give the same construct different names. Each language maps its kinds to a
//! [`Construct`], which implies their [`Roles`], so that metrics and signals are written once.

use crate::languages::plain::{BRANCH, CATCH, FUNCTION, LOOP, SWITCH, TERNARY, TRY};
use crate::roles::Roles;

/// A construct, independent of its name in a grammar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(u8)]
pub enum Construct {
    /// A construct that signals do not need, or that has no variant here.
    #[default]
    Other,
    /// A comment.
    Comment,
    /// A name.
    Identifier,
    /// A name after a dot, if the grammar distinguishes it.
    Member,
    /// A name of a type, if the grammar distinguishes it.
    TypeName,
    /// A text.
    String,
    /// Code in a text.
    Interpolation,
    /// A number.
    Number,
    /// The value true.
    True,
    /// The value false.
    False,
    /// The absent value.
    Null,
    /// `...` as an expression.
    Ellipsis,
    /// A whole file.
    Module,
    /// A block of statements.
    Block,
    /// The contents of a block, if they have a node.
    Statements,
    /// A statement that is an expression.
    ExprStmt,
    /// A function or method.
    Function,
    /// A function in an expression.
    Lambda,
    /// A class or structure.
    Class,
    /// An interface, trait or protocol.
    Interface,
    /// An `impl` block.
    Impl,
    /// A definition with its decorators.
    Decorated,
    /// A decorator, attribute or annotation.
    Decorator,
    /// Words such as `private` before a definition.
    Modifiers,
    /// The list of parameters.
    Parameters,
    /// A parameter with more than a name.
    Param,
    /// A parameter that takes the rest.
    ParamSplat,
    /// An import.
    Import,
    /// `from a import b`.
    ImportFrom,
    /// `from __future__ import a`.
    ImportFuture,
    /// An import under another name.
    Alias,
    /// A path of names.
    DottedName,
    /// An import of everything.
    Wildcard,
    /// An assignment.
    Assign,
    /// An assignment such as `+=`.
    AugAssign,
    /// A name that is declared, with its value.
    Declarator,
    /// `:=` in an expression.
    Walrus,
    /// An access to a member: `a.b`.
    Attribute,
    /// An access by index: `a[b]`.
    Subscript,
    /// A call.
    Call,
    /// A call that makes an object: `new A()`.
    New,
    /// The arguments of a call.
    Arguments,
    /// An argument with its name.
    KeywordArg,
    /// `*a` or `...a` in an expression.
    Splat,
    /// `if`, with its branches.
    If,
    /// Another condition of an `if`.
    Elif,
    /// `else`.
    Else,
    /// A loop whose head shows an end.
    For,
    /// A loop with only a condition.
    While,
    /// A loop without an end.
    Loop,
    /// A block with handlers.
    Try,
    /// A handler.
    Catch,
    /// A block that runs in any case.
    Finally,
    /// A block that closes what it opens.
    With,
    /// A choice between many cases.
    Switch,
    /// A case of a choice.
    Case,
    /// `return`.
    Return,
    /// `raise` or `throw`.
    Raise,
    /// `break` or `goto`.
    Break,
    /// `continue`.
    Continue,
    /// A statement that does nothing.
    Pass,
    /// `yield`.
    Yield,
    /// `await`.
    Await,
    /// `assert`.
    Assert,
    /// `del`.
    Delete,
    /// `global` or `nonlocal`.
    Global,
    /// A comparison, if the grammar distinguishes it.
    Compare,
    /// `not`, if the grammar distinguishes it.
    Not,
    /// `and` or `or`, if the grammar distinguishes it.
    BoolOp,
    /// An expression with a condition and two values.
    Ternary,
    /// An operator between two expressions.
    BinaryOp,
    /// An operator before an expression.
    UnaryOp,
    /// A comprehension.
    Comprehension,
    /// The loop inside a comprehension, or the range of a loop.
    ForIn,
    /// A tuple.
    Tuple,
    /// A list.
    List,
    /// A dictionary, object or structure.
    Dict,
    /// A key and its value.
    Pair,
    /// A pattern that destructures a value.
    PatternList,
    /// `a as b` in a pattern, `with` or handler.
    AsPattern,
    /// The name in it.
    AsTarget,
    /// A type after a name.
    Type,
    /// Brackets around an expression.
    Paren,
    /// The bases of a class.
    Heritage,
    /// `export`.
    Export,
    /// A statement that declares.
    Declaration,
    /// The name and parameters of a function, if they have a node.
    Signature,
    /// A top-level statement, if the grammar wraps it.
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

impl Construct {
    /// Number of constructs.
    pub const COUNT: usize = Self::Label as usize + 1;

    /// Whether names are looked up in it first.
    #[must_use]
    pub fn is_scope(self) -> bool {
        matches!(
            self,
            Self::Function | Self::Lambda | Self::Class | Self::Interface | Self::Impl
        )
    }

    /// Roles of every kind with this construct, in all languages.
    #[must_use]
    pub(crate) const fn roles(self) -> Roles {
        match self {
            Self::Comment => Roles::COMMENT,
            Self::Identifier | Self::Member | Self::TypeName => Roles::IDENTIFIER,
            Self::String | Self::Heredoc => Roles::STRING,
            Self::Module | Self::Statements => Roles::BLOCK,
            Self::ExprStmt
            | Self::Pass
            | Self::Delete
            | Self::Global
            | Self::Export
            | Self::Declaration
            | Self::Label => Roles::STATEMENT,
            Self::Function => FUNCTION,
            Self::Lambda => Roles::LAMBDA,
            Self::Class | Self::Interface | Self::Impl => Roles::CLASS,
            Self::Decorated => Roles::TRANSPARENT,
            Self::Decorator => Roles::ANNOTATION,
            Self::Import => Roles::IMPORT,
            Self::ImportFrom | Self::ImportFuture => Roles::IMPORT.and(Roles::STATEMENT),
            Self::Assign | Self::AugAssign | Self::Walrus => Roles::ASSIGNMENT,
            Self::Declarator => Roles::DECLARATION,
            Self::Attribute => Roles::MEMBER,
            Self::Call | Self::New | Self::Macro => Roles::CALL,
            Self::Arguments => Roles::ARGUMENTS,
            Self::If => BRANCH,
            Self::Elif => Roles::DECISION.and(Roles::HYBRID),
            Self::For | Self::While => LOOP,
            Self::Try => TRY,
            Self::Catch => CATCH,
            Self::With => Roles::NESTING.and(Roles::CLONE_UNIT).and(Roles::STATEMENT),
            Self::Switch => SWITCH,
            Self::Case => Roles::ARM,
            Self::Return => Roles::RETURN,
            Self::Raise => Roles::THROW.and(Roles::STATEMENT),
            Self::Break | Self::Continue => Roles::JUMP,
            Self::Assert => Roles::DECISION.and(Roles::STATEMENT),
            Self::BoolOp => Roles::LOGICAL,
            Self::Ternary => TERNARY,
            Self::Comprehension => Roles::DECISION,
            Self::Paren => Roles::PARENTHESES,
            _ => Roles::NONE,
        }
    }
}
