//! Facts about languages for signals, besides syntax: visibility of names, and uses by compilers and frameworks that no
//! code shows.

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

/// Visibility of a file's private definitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// Unknown, so all files are searched.
    Everywhere,
    /// In the files of the same folder.
    Folder,
    /// In the files of the same folder and its subfolders.
    FoldersBelow,
}

/// Visibility of names, and uses that no code shows.
pub struct Conventions {
    /// Visibility of private functions.
    pub reach: Reach,
    /// Whether a function, given with its name, can be used only within the visible files.
    pub is_private: fn(&View<'_>, u32, u32) -> bool,
    /// Whether something at a function, such as a decorator, may pass it to other code.
    pub is_decorated: fn(&View<'_>, u32) -> bool,
    /// Texts that exclude a whole file: it is built conditionally, or asks to be ignored.
    pub exempting: &'static [&'static str],
    /// Names of methods that compilers, libraries and frameworks call.
    pub called_unseen: &'static [&'static str],
    /// Beginnings of such names.
    pub beginnings: &'static [&'static str],
    /// Names of methods that a library calls, by a word of files that use the library.
    pub called_by: &'static [(&'static str, &'static [&'static str])],
    /// Text around a property's name in such names: `ResetWidth`, `OnWidthChanged`.
    pub of_property: &'static [(&'static str, &'static str)],
    /// Beginnings of comments that name functions for the linker or foreign code.
    pub naming_comments: &'static [&'static str],
    /// Whether texts with words may name functions. In compiled languages only a text that is
    /// nothing but a name or path does.
    pub texts_refer: bool,
    /// The parts of a text that may name parameters and locals of its function.
    pub text_names: TextNames,
    /// Whether parameters of functions are checked.
    pub has_known_parameters: bool,
    /// Styles of names, errors and output, if they are checked.
    pub habits: Option<&'static Habits>,
    /// Shapes of values by their expressions, for languages with such checks.
    pub values: Option<&'static Values>,
    /// Whether any method of any type may implement an interface that the code does not name.
    pub has_implicit_methods: bool,
    /// Whether a method of a class without bases may still implement an interface.
    pub has_implicit_interfaces: bool,
    /// Imports.
    pub imports: Imports,
    /// Rules that find its facts.
    pub rules: FactRules,
    /// Whether a function, given with its name, can be used only in its file, and the file shows no use.
    pub is_of_file: fn(&View<'_>, u32, u32) -> bool,
    /// Whether all definitions of a type are in one file.
    pub has_whole_types: fn(&View<'_>) -> bool,
    /// Names.
    pub naming: Naming,
    /// Unread locals, for languages with the shared search.
    pub locals: Option<&'static Locals>,
    /// Comments.
    pub comments: Comments,
    /// Handlers of errors.
    pub handlers: Handlers,
    /// Tests.
    pub tests: Tests,
    /// Functions that only call others, or duplicate others.
    pub wrappers: Wrappers,
    /// Code outside of the tree.
    pub flow: Flow,
}

/// Styles of names, errors and output.
pub struct Habits {
    /// Whether words of names are joined by `_` rather than by capitals.
    pub joins_words: bool,
    /// Beginnings of names that frameworks prescribe.
    pub prescribed: &'static [&'static str],
    /// Errors without information about the cause.
    pub plain_errors: &'static [&'static str],
    /// Other errors of the language that any program raises.
    pub builtin_errors: &'static [&'static str],
    /// Whether a `return` passes an error on.
    pub passes_error: Option<fn(&str) -> bool>,
    /// Whether a call ends the program in a function that could pass an error on.
    pub aborts: Option<fn(&View<'_>, u32) -> bool>,
    /// Levels of loggers.
    pub levels: &'static [&'static str],
    /// Functions that print.
    pub prints: &'static [&'static str],
    /// Whether a function, given with its name, can be used by other modules.
    pub is_public: fn(&View<'_>, u32, u32) -> bool,
    /// Whether types of parameters are optional.
    pub has_optional_types: bool,
    /// Styles that are counted in addition to those of all languages.
    pub dialect: Dialect,
    /// Beginning of calls of the standard library's logger, if a program may have it in addition to
    /// its own.
    pub shared_logger: Option<&'static str>,
    /// Whether the compiler reports names of variables and types.
    pub compiler_checks_names: bool,
    /// Whether destructuring patterns use names that other code chose.
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

/// Styles that only some languages have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// Formatted strings, type annotations, `pathlib`.
    Annotated,
    /// Receivers, wrapped errors, the empty interface.
    Receivers,
    /// Derived traits, results and formatting.
    Traits,
    /// `const` and `let`, promises, modules by path.
    Modules,
}

/// Parts of a text that may name code around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextNames {
    /// Any word, because the text may be evaluated.
    Words,
    /// Text after a brace, as in format strings.
    Braces,
    /// Nothing.
    None,
}

/// A language without known conventions.
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

/// Conventions of the language with this id.
#[must_use]
pub fn of_id(id: &str) -> &'static Conventions {
    Language::by_id(id).map_or(&PLAIN_CONVENTIONS, Language::conventions)
}

/// Words in messages about impossible states, which may end a program.
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

/// Whether a message is about an impossible state.
pub(crate) fn tells_of_a_state(message: &str) -> bool {
    let message = message.to_ascii_lowercase();
    STATES.iter().any(|word| message.contains(word))
}

impl Conventions {
    /// Whether a compiler, library or framework may call a method with this name although no code
    /// does.
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
