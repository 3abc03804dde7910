//! What signals ask of a language besides its syntax: what it keeps to itself, and what its compilers and frameworks use
//! that no code names.

mod comments;
mod flow;
mod handlers;
mod imports;
mod locals;
mod naming;
mod tests;
mod values;
mod wrappers;

pub use comments::{Comments, Prose, Semicolons};
pub use flow::Flow;
pub use handlers::Handlers;
pub(crate) use handlers::last_name;
pub(crate) use imports::is_only_imported;
pub use imports::{HandedDown, Imports};
pub(crate) use locals::is_last;
pub use locals::{Locals, Stored};
pub use naming::Naming;
pub use tests::{TestForm, Tests};
pub(crate) use values::may_be_nothing;
pub use values::{Extremes, LoopHead, Loops, Numbers, OfCall, Remainder, Shape, Values, Written};
pub use wrappers::{Comparison, Nearness, Wrappers};

use crate::language::Language;
use crate::view::View;

/// How far the definitions of a file can be seen that it keeps to itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// Not known, so that every file is looked at.
    Everywhere,
    /// In the files of the same folder.
    Folder,
    /// In the files of the same folder and of those below it.
    FoldersBelow,
}

/// What a language keeps to itself, and what is used though no code names it.
pub struct Conventions {
    /// How far private functions can be seen.
    pub reach: Reach,
    /// Whether a function, given with its name, is one that only what it is in reach of can use.
    pub is_private: fn(&View<'_>, u32, u32) -> bool,
    /// Whether something at a function, such as a decorator, may hand it to somebody else.
    pub is_decorated: fn(&View<'_>, u32) -> bool,
    /// Texts that take a whole file out: it is built under a condition, or asks to be left alone.
    pub exempting: &'static [&'static str],
    /// Names of methods that compilers, libraries and frameworks call.
    pub called_unseen: &'static [&'static str],
    /// Beginnings of such names.
    pub beginnings: &'static [&'static str],
    /// Names of methods that a library calls, by a word of files that use the library.
    pub called_by: &'static [(&'static str, &'static [&'static str])],
    /// The text around a property's name in such names: `ResetWidth`, `OnWidthChanged`.
    pub of_property: &'static [(&'static str, &'static str)],
    /// Beginnings of comments that name what the linker or foreign code uses.
    pub naming_comments: &'static [&'static str],
    /// Whether a text of words names functions. In compiled languages only one that is nothing but
    /// a name or path does.
    pub texts_refer: bool,
    /// The parts of a text that may name parameters and locals of its function.
    pub text_names: TextNames,
    /// Whether the parameters of functions are looked at.
    pub has_known_parameters: bool,
    /// How files of the language name, fail and print, where that is looked at.
    pub habits: Option<&'static Habits>,
    /// Shapes of values by the expressions that make them, for languages with such checks.
    pub values: Option<&'static Values>,
    /// Whether any method of any type may be one of an interface that its code does not name.
    pub has_implicit_methods: bool,
    /// Whether a method of a class without bases may still be one of an interface.
    pub has_implicit_interfaces: bool,
    /// Imports.
    pub imports: Imports,
    /// Rules that find its facts.
    pub rules: FactRules,
    /// Whether a function, given with its name, is one that only its file can use, as far as that shows nobody does.
    pub is_of_file: fn(&View<'_>, u32, u32) -> bool,
    /// Whether all definitions of a type are in one file.
    pub has_whole_types: fn(&View<'_>) -> bool,
    /// Names.
    pub naming: Naming,
    /// Locals, where the shared rules look for those that nothing reads.
    pub locals: Option<&'static Locals>,
    /// Comments.
    pub comments: Comments,
    /// Handlers of errors.
    pub handlers: Handlers,
    /// Tests.
    pub tests: Tests,
    /// Functions that pass on, or do the same as others.
    pub wrappers: Wrappers,
    /// Code that is not in the tree.
    pub flow: Flow,
}

/// How files of a language name functions, report errors and tell what happens.
pub struct Habits {
    /// Whether words of names are joined by `_`, and not by capitals.
    pub joins_words: bool,
    /// Beginnings of names that frameworks prescribe.
    pub prescribed: &'static [&'static str],
    /// Errors that say nothing of what went wrong.
    pub plain_errors: &'static [&'static str],
    /// Other errors of the language, which any program raises.
    pub builtin_errors: &'static [&'static str],
    /// Whether a `return` passes an error on.
    pub passes_error: Option<fn(&str) -> bool>,
    /// Whether a call ends the program in a function that could pass an error on.
    pub aborts: Option<fn(&View<'_>, u32) -> bool>,
    /// Levels of loggers.
    pub levels: &'static [&'static str],
    /// What prints.
    pub prints: &'static [&'static str],
    /// Whether a function, given with its name, is one that other modules may use.
    pub is_public: fn(&View<'_>, u32, u32) -> bool,
    /// Whether types of parameters may be left out.
    pub has_optional_types: bool,
    /// The habits that are counted besides those of all languages.
    pub dialect: Dialect,
    /// How calls of the standard library's logger begin, which a program may have besides its own.
    pub shared_logger: Option<&'static str>,
    /// Whether the compiler reports names of variables and types.
    pub compiler_checks_names: bool,
    /// Whether a pattern that takes a value apart names things that others named.
    pub patterns_borrow_names: bool,
}

/// Rules that find the facts of a language for signals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FactRules {
    /// Those that most languages share.
    Shared,
    /// Of these, only the ones for unused imports and private functions.
    DeadCode,
    /// Python's own, for its scopes, imports and annotations.
    Python,
}

/// Habits that only some languages have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// Texts with braces, types as annotations, `pathlib`.
    Annotated,
    /// Receivers, wrapped errors, the empty interface.
    Receivers,
    /// Derived traits, results and formats.
    Traits,
    /// Declarations by `const` and `let`, promises, modules by path.
    Modules,
}

/// What of a text may name what is around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextNames {
    /// Any word: the text may be evaluated.
    Words,
    /// Text after a brace, as in formats.
    Braces,
    /// Nothing.
    None,
}

/// A language of which nothing is known.
pub(crate) const PLAIN: Conventions = Conventions {
    reach: Reach::Everywhere,
    is_private: |_, _, _| false,
    is_decorated: |_, _| false,
    exempting: &[],
    called_unseen: &[],
    beginnings: &[],
    called_by: &[],
    of_property: &[],
    naming_comments: &[],
    texts_refer: true,
    text_names: TextNames::None,
    has_known_parameters: false,
    habits: None,
    values: None,
    has_implicit_methods: false,
    has_implicit_interfaces: true,
    imports: Imports::PLAIN,
    rules: FactRules::Shared,
    is_of_file: |_, _, _| false,
    has_whole_types: |_| true,
    naming: Naming::PLAIN,
    locals: None,
    comments: Comments::PLAIN,
    handlers: Handlers::PLAIN,
    tests: Tests::PLAIN,
    wrappers: Wrappers::PLAIN,
    flow: Flow::PLAIN,
};

/// [`PLAIN`] in one place.
pub(crate) static PLAIN_CONVENTIONS: Conventions = PLAIN;

/// The conventions of the language of an id.
#[must_use]
pub fn of_id(id: &str) -> &'static Conventions {
    Language::by_id(id).map_or(&PLAIN_CONVENTIONS, Language::conventions)
}

/// Words of messages about states that must not be, which a program may end for.
const STATES: &[&str] = &[
    "unreachable",
    "impossible",
    "internal",
    "bug",
    "should",
    "never",
    "invariant",
    "unexpected",
    "unsupported",
    "implemented",
    "todo",
    "state",
    "cannot happen",
];

/// Whether a message is about a state that must not be.
pub(crate) fn tells_of_a_state(message: &str) -> bool {
    let message = message.to_ascii_lowercase();
    STATES.iter().any(|word| message.contains(word))
}

impl Conventions {
    /// Whether a compiler, library or framework may call a method of this name though no code does.
    #[must_use]
    pub fn calls_unseen(&self, view: &View<'_>, name: &str) -> bool {
        let of_property = |(start, end): &(&str, &str)| {
            let property = name.strip_prefix(start).and_then(|p| p.strip_suffix(end));
            property.is_some_and(|p| !p.is_empty() && view.has_word(p))
        };
        self.called_unseen.contains(&name)
            || self.beginnings.iter().any(|start| name.starts_with(start))
            || self.of_property.iter().any(of_property)
            || self
                .called_by
                .iter()
                .any(|(word, names)| names.contains(&name) && view.has_word(word))
    }
}
