//! Facts of a file: findings that need no other file, and the inputs of findings that do.

use serde::{Deserialize, Serialize};

use crate::catalogue::Signal;
use crate::words::NameList;
use slope_syntax::Language;
use slope_syntax::conventions::{self, Conventions};
use slope_syntax::view::Place;

/// Marks the absence of a name's number.
pub(crate) const NO_NAME: u32 = u32::MAX;

/// Means every name of a module, in the list of imported names.
pub(crate) const ALL: &str = "*";

/// The kept facts of a file. Small, and independent of the file's path.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct FileSignals {
    /// Language id; empty if signals do not know the language.
    pub(crate) language: String,
    /// The file's names; all other facts refer to them by index.
    pub(crate) names: NameList,
    /// Findings that need no other file, in order of position.
    pub(crate) local: Vec<Local>,
    /// Names that imports bind.
    pub(crate) imports: Vec<Import>,
    /// Functions and methods in order of position.
    pub(crate) functions: Vec<Function>,
    /// Classes in order of position.
    pub(crate) classes: Vec<Class>,
    /// Calls that may be of a private function.
    pub(crate) calls: Vec<Call>,
    /// Arguments of the calls.
    pub(crate) arguments: Vec<Argument>,
    /// Kinds of occurrences of each name of `names`, as [`Mention`] bits.
    pub(crate) mentions: Vec<u8>,
    /// Pairs of names joined by a dot or an import: the member, and its container.
    pub(crate) pairs: Vec<(u32, u32)>,
    /// Texts before the first gap of interpolated strings, which may begin names made at run time.
    pub(crate) prefixes: Vec<u32>,
    /// Whether it runs a code generator, which may use anything of its package.
    pub(crate) generates: bool,
    /// Whether it imports all names of another module, including private imports.
    pub(crate) takes_all: bool,
    /// Names that a file of Rust takes from modules of its crate, in order.
    pub(crate) taken_from_crate: Vec<u32>,
    /// Whether importing it has effects besides defining names.
    pub(crate) acts: bool,
    /// Number of places by style, if changes are checked.
    pub(crate) ways: Vec<StyleCount>,
    /// Tables of constants, if changes are examined.
    pub(crate) tables: Vec<Table>,
    /// What its functions refuse and handle, by function, if changes are examined.
    pub(crate) promises: Vec<Promise>,
    /// The value tables, as sets of their constants.
    pub(crate) value_sets: Vec<ValueSet>,
    /// Whether it has the marks of a test file.
    pub(crate) holds_tests: bool,
    /// Functions of a language that signals do not support, with their statements only.
    pub(crate) plain_functions: Vec<Function>,
    /// Source lines.
    pub(crate) sloc: u32,
    /// Hashes of the file's definitions: parameters and locals by function, for `classify`.
    pub(crate) symbols: Vec<u32>,
}

impl FileSignals {
    /// Whether the file has the marks of a test file.
    #[must_use]
    pub fn holds_tests(&self) -> bool {
        self.holds_tests
    }

    /// Facts about its language.
    pub(crate) fn conventions(&self) -> &'static Conventions {
        conventions::of_id(&self.language)
    }
}

/// A finding that needs no other file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Local {
    pub(crate) signal: Signal,
    pub(crate) place: Place,
    pub(crate) callable: String,
    pub(crate) message: String,
    /// Hash of the symbol or text it is about.
    pub(crate) symbol: u32,
    /// The name that must be a class for this finding to be valid; [`NO_NAME`] for none.
    pub(crate) class: u32,
    /// Whether it may be all that a test is about: that something can be run, or has a type.
    pub(crate) tried: bool,
}

/// A habit with several possible styles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) enum Habit {
    FunctionNames,
    VariableNames,
    /// Types of errors that are raised.
    ErrorTypes,
    /// Whether errors that are raised have a type of the program.
    PlainErrors,
    /// Whether failures are returned as errors.
    Failures,
    /// Whether an error that is wrapped can be unwrapped.
    WrappedErrors,
    /// Comparison of errors with known ones.
    ErrorChecks,
    /// Whether results have an error type.
    Results,
    Output,
    Loggers,
    /// Building of texts with values.
    Texts,
    /// Spelling of optional and generic types.
    Types,
    /// Splitting of paths.
    Paths,
    /// Declaration of variables.
    Variables,
    Comparisons,
    /// Waiting for promises.
    Promises,
    /// Marking of private members.
    Privacy,
    Receivers,
    /// Loading of modules.
    Loading,
    /// Naming of modules of the same package.
    OwnImports,
    /// Import of a whole module.
    ModuleImports,
    /// Whether imports of files have a suffix.
    Suffixes,
    /// Whether modules of the runtime have its prefix.
    Prefixes,
    /// Word joining in names of classes.
    ClassNames,
    /// Whether public functions are documented.
    Documentation,
    /// Types of parameters.
    Annotations,
    /// Number of modules per import.
    ImportLists,
    /// Throwing of objects or other values.
    Thrown,
    /// Iteration over items.
    Loops,
    /// Naming of error classes.
    ErrorNames,
    /// Construction of errors with values in their texts.
    ErrorTexts,
    /// Beginnings of error texts.
    ErrorPrefixes,
    /// Whether texts of errors begin with a capital.
    ErrorCase,
    /// Whether warnings and errors go through a macro of the program.
    OwnMacros,
    /// Destination of messages.
    Writers,
    /// Conversion of constant strings to owned strings.
    Conversions,
    /// Quotes of texts.
    Quotes,
    /// Checks in tests.
    Checks,
    /// Indentation of a level.
    Indents,
    /// Whether functions print.
    Prints,
}

/// Number of places in a file with one style.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct StyleCount {
    pub(crate) habit: Habit,
    /// Its topic, if it is only compared within that; empty if not.
    pub(crate) topic: String,
    /// The style as a predicate for the message: "are f-strings".
    pub(crate) way: String,
    pub(crate) count: u32,
    /// Whether places with this style may deviate from others.
    pub(crate) is_odd: bool,
    /// Places that may deviate; empty if there are many, or if only changes tell.
    pub(crate) spots: Vec<Spot>,
}

/// A place that may deviate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Spot {
    pub(crate) place: Place,
    pub(crate) callable: String,
    /// Text that a message quotes.
    pub(crate) quoted: String,
}

/// Kinds of occurrences of a name in a file.
pub(crate) struct Mention;

impl Mention {
    /// As a callee.
    pub(crate) const CALLED: u8 = 1;
    /// As a value: read, passed, assigned.
    pub(crate) const VALUE: u8 = 1 << 1;
    /// After a dot, called.
    pub(crate) const MEMBER_CALLED: u8 = 1 << 2;
    /// After a dot, as a value.
    pub(crate) const MEMBER: u8 = 1 << 3;
    /// As a complete string, or a part of a dotted one.
    pub(crate) const STRING: u8 = 1 << 4;
    /// As an imported name.
    pub(crate) const IMPORTED: u8 = 1 << 5;
    /// In `__all__` or an export.
    pub(crate) const EXPORTED: u8 = 1 << 6;
    /// As a base class.
    pub(crate) const BASE: u8 = 1 << 7;
    /// In text around the code, for example of a template, where the kind of use is unknown.
    pub(crate) const AROUND: u8 = Self::VALUE | Self::MEMBER | Self::STRING;
}

/// A name that an import binds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Import {
    /// The name it binds.
    pub(crate) name: u32,
    /// The taken name: the imported one, or the module's last part.
    pub(crate) taken: u32,
    /// Last part of the module; [`NO_NAME`] for none.
    pub(crate) module: u32,
    /// Whether the file never uses it.
    pub(crate) unused: bool,
    /// Whether it is `import a.b` of Python, which binds `a`.
    pub(crate) dotted: bool,
    pub(crate) place: Place,
    pub(crate) callable: String,
}

/// An input that a function refuses, or an error that it handles.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Promise {
    pub(crate) kind: PromiseKind,
    /// Dotted name of the function.
    pub(crate) callable: String,
    /// Line, from 1.
    pub(crate) line: u32,
    /// Type of the error, or the head of the handler.
    pub(crate) error: String,
    /// Hash of the condition; 0 for none.
    pub(crate) condition: u32,
    /// Its beginning.
    pub(crate) shown: String,
    /// What the check adds to its function.
    pub(crate) cost: CheckCost,
}

/// Complexity and cognitive complexity that checks of inputs add to a function.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckCost {
    /// Decisions.
    pub decisions: u32,
    /// Cognitive complexity.
    pub cognitive: u32,
}

/// Kinds of promises.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum PromiseKind {
    /// An error under a condition.
    Refusal,
    /// A handler of some errors.
    Handler,
    /// A handler of any error.
    BroadHandler,
    /// A handler of some errors that raises one.
    Translator,
    /// A handler of any error that raises one.
    BroadTranslator,
    /// A return at once under a condition.
    Guard,
    /// A call whose error is passed on.
    Passed,
    /// A call whose error is dropped, or ends the program.
    Dropped,
}

/// Facts about a function.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Function {
    pub(crate) name: u32,
    /// Position of its class in `classes`, if it is a method.
    pub(crate) class: Option<u32>,
    /// Bits of [`Traits`].
    pub(crate) traits: u32,
    pub(crate) place: Place,
    /// Dotted name.
    pub(crate) callable: String,
    /// Parameters, receivers left out.
    pub(crate) parameters: Vec<Parameter>,
    /// The target of its parameters, if it only forwards them.
    pub(crate) wraps: Option<Target>,
    /// The function without an object to which it passes exactly its parameters, in any language; [`NO_NAME`] for none.
    pub(crate) passes_to: u32,
    /// Its summary, if that is enough to be compared.
    pub(crate) summary: Option<Box<Summary>>,
    /// Its statements in order, if changes are examined.
    pub(crate) body: Vec<Line>,
    /// Its operations, ascending and without duplicates, if changes are examined and they are few.
    pub(crate) operations: Vec<Operation>,
}

/// An operation of a function, with its number of occurrences.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Operation {
    pub(crate) op: Op,
    pub(crate) name: u32,
    pub(crate) count: u8,
}

/// Kinds of operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) enum Op {
    /// A call, or a use of a member, constant or type. All library calls share one name.
    Name,
    /// A text, or a part of one between placeholders.
    Text,
    /// A word of a text that is prose.
    Word,
    Number,
    /// An operator.
    Sign,
    /// A construct of the language.
    Form,
    /// Type of a parameter or result.
    Type,
}

/// A statement without the statements in it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Line {
    /// Hash of its tokens, variables by first use.
    pub(crate) hash: u32,
    /// Number of tokens, at most 255.
    pub(crate) tokens: u8,
}

/// Properties of a function, as bits.
pub(crate) struct Traits;

impl Traits {
    pub(crate) const DECORATED: u32 = 1;
    /// Defined inside another function.
    pub(crate) const NESTED: u32 = 1 << 1;
    /// No real body: only documentation, `pass`, or an error about it.
    pub(crate) const STUB: u32 = 1 << 2;
    /// `__x__`.
    pub(crate) const SPECIAL: u32 = 1 << 3;
    /// Private by the language's convention or keyword.
    pub(crate) const PRIVATE: u32 = 1 << 4;
    /// Its documentation states that it is kept for other code.
    pub(crate) const KEPT: u32 = 1 << 5;
    /// Marked as an override, or part of an interface's implementation.
    pub(crate) const OVERRIDE: u32 = 1 << 7;
    /// Abstract.
    pub(crate) const ABSTRACT: u32 = 1 << 8;
    /// Defined below a condition or inside `try`.
    pub(crate) const CONDITIONAL: u32 = 1 << 9;
    /// A test function or in a module of tests by its own name.
    pub(crate) const TEST: u32 = 1 << 10;
    pub(crate) const ASYNC: u32 = 1 << 6;
    /// Exported by a keyword.
    pub(crate) const EXPORTED: u32 = 1 << 11;
    /// Its file's comments, documentation or strings mention a use.
    pub(crate) const SPARED: u32 = 1 << 12;
    /// Its body is empty so far, or on purpose.
    pub(crate) const PLACEHOLDER: u32 = 1 << 13;
}

/// A parameter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Parameter {
    pub(crate) name: u32,
    /// Text of its default as a name, [`NO_NAME`] without.
    pub(crate) default: u32,
    /// Whether it can be passed by position.
    pub(crate) positional: bool,
    /// `*args` and the like.
    pub(crate) rest: bool,
    /// Whether the body never mentions it, in a language whose unused parameters are findings.
    pub(crate) unused: bool,
    /// Whether the body never mentions it, in any language.
    pub(crate) unread: bool,
    pub(crate) place: Place,
}

/// Callee of a wrapper.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Target {
    pub(crate) name: u32,
    /// The name before the dot; [`NO_NAME`] for none.
    pub(crate) base: u32,
    /// Whether the base is the object itself.
    pub(crate) own: bool,
    /// [`crate::forward::How`] bits.
    pub(crate) how: u16,
    /// The callee, as written.
    pub(crate) shown: u32,
}

/// Facts about a class.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Class {
    pub(crate) name: u32,
    /// Last parts of the names of its bases.
    pub(crate) bases: Vec<u32>,
    pub(crate) place: Place,
    /// Abstract class, interface, protocol or trait.
    pub(crate) is_abstract: bool,
    pub(crate) decorated: bool,
    /// Whether other files may use it without a visible import.
    pub(crate) exported: bool,
    /// Inside a function.
    pub(crate) nested: bool,
    /// Methods that must be implemented.
    pub(crate) abstract_methods: u32,
    /// Source lines.
    pub(crate) sloc: u32,
    /// Methods.
    pub(crate) methods: u32,
}

/// A call that may be of a private function.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Call {
    pub(crate) name: u32,
    /// Whether positions or names of arguments are unknown, for `*args` and the like.
    pub(crate) spread: bool,
    /// First argument in `arguments`.
    pub(crate) first: u32,
    /// Number of arguments.
    pub(crate) count: u32,
}

/// An argument of a call.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Argument {
    /// Its keyword, [`NO_NAME`] if by position.
    pub(crate) keyword: u32,
    /// Its text if it is a constant, [`NO_NAME`] if not.
    pub(crate) constant: u32,
}

/// Behaviour of a function, for comparison with others.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Summary {
    /// Evidence: kind of evidence and name, in ascending order, each once.
    pub(crate) evidence: Vec<(Evidence, u32)>,
    /// Hashes of the stems of its name's words.
    pub(crate) words: Vec<u32>,
    /// Number of each construct in the normalised form, see `summary.rs`.
    pub(crate) shape: Vec<u8>,
    /// Its result.
    pub(crate) returns: Returns,
    /// Constructs in the body.
    pub(crate) size: u32,
    /// Hash of the body with names numbered, equal for clones.
    pub(crate) clone: u64,
}

/// Kinds of evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) enum Evidence {
    Call,
    Member,
    Text,
    Number,
}

/// The result of a function.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Returns {
    #[default]
    Nothing,
    Truth,
    Value,
    Items,
}

/// A list or dictionary of constants.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Table {
    /// Hash of its constants and names in order.
    pub(crate) hash: u64,
    /// Number of entries.
    pub(crate) entries: u32,
    pub(crate) place: Place,
}

/// A table as sets of its content, in ascending order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct ValueSet {
    /// Hashes of separate texts, or of keys.
    pub(crate) names: Vec<u32>,
    /// Hashes of the texts that keys map to.
    pub(crate) values: Vec<u32>,
    /// Hashes of keys with those of their values, see `value_sets`.
    pub(crate) pairs: Vec<u64>,
    pub(crate) is_list: bool,
    pub(crate) is_switch: bool,
    pub(crate) is_in_function: bool,
    /// Number of rows; one row may have several pairs.
    pub(crate) rows: usize,
    /// Whether most values are several words, or patterns.
    pub(crate) has_sentences: bool,
    /// Whether it is a declaration, as of a structure.
    pub(crate) is_declared: bool,
    /// Whether it is the list of constants in a condition. Conditions often repeat each other; only
    /// a repeated table counts.
    pub(crate) is_case: bool,
    /// Whether most keys, and most values, are names of the code and not texts.
    pub(crate) is_named: (bool, bool),
    pub(crate) place: Place,
}

/// Whether a function is at the top level of its file.
pub(crate) fn is_top_level(function: &Function) -> bool {
    function.class.is_none() && function.traits & Traits::NESTED == 0
}

/// Properties that keep a private function from being reported, used or not.
pub(crate) const KEPT: u32 = Traits::DECORATED
    | Traits::SPECIAL
    | Traits::STUB
    | Traits::NESTED
    | Traits::OVERRIDE
    | Traits::ABSTRACT
    | Traits::SPARED
    | Traits::EXPORTED;

/// Whether a file has invisible code in its folder: Go functions without a body are in assembly, which may call
/// others or be called, and generators write calls into files that are left out.
pub(crate) fn is_opaque(facts: &FileSignals) -> bool {
    let is_stub = |function: &Function| function.traits & Traits::STUB != 0;
    let conventions = facts.conventions();
    let has_stubs = conventions.flow.has_foreign_bodies;
    facts.generates || has_stubs && facts.functions.iter().any(is_stub)
}

/// Family of a language: languages that call each other's functions share one.
pub(crate) fn family(language: &str) -> &str {
    match Language::by_id(language) {
        Some(known) => known.family(),
        None => language,
    }
}
