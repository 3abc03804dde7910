//! A grammar kind's roles in the metrics.

use crate::construct::Construct;

/// A grammar kind's meaning to the metrics; a set of flags.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Roles(u64);

impl Roles {
    /// No role.
    pub const NONE: Self = Self(0);
    /// A definition of a function or method.
    pub const CALLABLE: Self = Self(1);
    /// A definition that lends its name to those inside, but not a callable.
    pub const CLASS: Self = Self(1 << 1);
    /// Is between a definition and one inside it without being control flow.
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
    /// An anonymous function: lambda, closure, function expression.
    pub const LAMBDA: Self = Self(1 << 10);
    /// A callable that is always a method of a class or type.
    pub const METHOD: Self = Self(1 << 11);
    /// A class-like scope of functions, not methods: namespace, module.
    pub const NAMESPACE: Self = Self(1 << 12);
    /// Costs 1 plus its nesting in cognitive complexity, and raises the nesting inside by one.
    pub const STRUCTURE: Self = Self(1 << 13);
    /// Costs 1 in cognitive complexity, regardless of nesting: `elif`, `else`.
    pub const HYBRID: Self = Self(1 << 14);
    /// A two-way branch that may continue with `else if`.
    pub const IF: Self = Self(1 << 15);
    /// A conditional expression such as `a ? b : c`.
    pub const TERNARY: Self = Self(1 << 16);
    /// A loop.
    pub const LOOP: Self = Self(1 << 17);
    /// A multi-way branch.
    pub const SWITCH: Self = Self(1 << 18);
    /// An expression that can join two others by a short-circuit operator.
    pub const LOGICAL: Self = Self(1 << 19);
    /// A short-circuit operator, if its parent is [`Roles::LOGICAL`]: `&&`, `or`, `??`.
    pub const LOGICAL_OPERATOR: Self = Self(1 << 20);
    /// Brackets around one expression.
    pub const PARENTHESES: Self = Self(1 << 21);
    /// Leaves or repeats a loop or switch: `break`, `continue`, `next`.
    pub const JUMP: Self = Self(1 << 22);
    /// A jump to a label, `goto` included.
    pub const LABEL_JUMP: Self = Self(1 << 23);
    /// Leaves the callable, with or without a value.
    pub const RETURN: Self = Self(1 << 24);
    /// Raises an error by a statement or expression of the language.
    pub const THROW: Self = Self(1 << 25);
    /// A block with handlers.
    pub const TRY: Self = Self(1 << 26);
    /// A handler of errors.
    pub const CATCH: Self = Self(1 << 27);
    /// Brings names or files of elsewhere in.
    pub const IMPORT: Self = Self(1 << 28);
    /// The list of a callable's parameters.
    pub const PARAMETERS: Self = Self(1 << 29);
    /// One parameter, where the grammar has a kind for it.
    pub const PARAMETER: Self = Self(1 << 30);
    /// A statement, blocks excluded.
    pub const STATEMENT: Self = Self(1 << 31);
    /// A literal text, whole.
    pub const STRING: Self = Self(1 << 32);
    /// A call of a function, method, constructor or macro.
    pub const CALL: Self = Self(1 << 33);
    /// The list of a call's arguments.
    pub const ARGUMENTS: Self = Self(1 << 34);
    /// Assigns to a declared name, or declares a name by assignment (Python, Ruby).
    pub const ASSIGNMENT: Self = Self(1 << 35);
    /// Declares a variable, constant or field.
    pub const DECLARATION: Self = Self(1 << 36);
    /// Access to a member of a value.
    pub const MEMBER: Self = Self(1 << 37);
    /// A decorator, annotation or attribute.
    pub const ANNOTATION: Self = Self(1 << 38);
    /// Brackets and separators: a row of these is not a source line.
    pub const PUNCTUATION: Self = Self(1 << 39);
    /// Means something else in some places; [`crate::SyntaxTree::roles`] says what it means here.
    pub const CONTEXT: Self = Self(1 << 40);

    /// Both sets together.
    #[must_use]
    #[inline]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// This set without the roles of the other.
    #[must_use]
    #[inline]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether any of the other set's roles is in this one.
    #[must_use]
    #[inline]
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

/// Facts about one grammar kind.
#[derive(Debug, Clone, Copy, Default)]
pub struct KindInfo {
    /// Its roles.
    pub roles: Roles,
    /// Its class if it is a literal.
    pub literal: Option<LiteralClass>,
    /// The lowest kind id of the same name, so that aliases compare equal.
    pub canonical: u16,
    /// The same for all languages of a family, see [`crate::Language::family`]: a number of the name.
    pub in_family: u16,
}

/// Named kinds: the construct that they are, the roles that they have besides those of the construct, and their names.
pub(crate) type KindRows = &'static [(Construct, Roles, &'static [&'static str])];

/// Roles of anonymous kinds; a kind may be in several rows.
pub(crate) type TokenRows = &'static [(Roles, &'static [&'static str])];

/// Literal classes and the kinds that have them.
pub(crate) type LiteralRows = &'static [(LiteralClass, &'static [&'static str])];
