//! What signals ask of a language besides its syntax: what it keeps to itself, and what its compilers and frameworks use
//! that no code names.

mod imports;

pub use imports::{HandedDown, Imports};

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
    /// Whether plain comments outside functions are not documentation.
    pub has_mere_comments: bool,
    /// Shapes of values by the expressions that make them, for languages with such checks.
    pub values: Option<&'static Values>,
    /// Whether any method of any type may be one of an interface that its code does not name.
    pub has_implicit_methods: bool,
    /// Whether a method of a class without bases may still be one of an interface.
    pub has_implicit_interfaces: bool,
    /// Imports.
    pub imports: Imports,
    /// Whether a function's return type is before its name, and may be a name as well.
    pub types_precede_names: bool,
    /// Whether a lambda that a declaration gives a name is a definition as a function is.
    pub lambdas_define: bool,
}

/// Shapes of a language's expressions.
pub struct Values {
    /// Calls whose result is known. A name that begins with a dot is one of a method.
    pub makers: &'static [(&'static str, Shape)],
    /// Whether every object counts as true, whatever it holds.
    pub objects_count: bool,
    /// Whether a text can be changed in place.
    pub texts_change: bool,
    /// Whether only what is declared so can change.
    pub marks_changes: bool,
    /// Shape of an expression that only this language has.
    pub shape: fn(&View<'_>, u32) -> Option<Shape>,
    /// Words that are types of parameters without negative numbers.
    pub unsigned: &'static [&'static str],
    /// Calls that give a number, with the least and the greatest that they give.
    pub ranges: &'static [(&'static str, f64, f64)],
}

/// Shape of a value, as far as the expression that makes it shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// `true` or `false`.
    Truth(bool),
    /// A number.
    Number,
    /// A number that is not below 0.
    Count,
    /// A text, and whether it has at least one character for sure.
    Text(bool),
    /// A list.
    List,
    /// A list or other collection without an item.
    EmptyList,
    /// A list with at least one item.
    FullList,
    /// An object, dictionary or structure.
    Object,
    /// What a class of the library makes.
    Instance,
    /// A function.
    Function,
    /// Any value that counts as true.
    Truthy,
    /// One of `true` and `false`.
    Answer,
    /// A value that is there.
    Some,
    /// A result that is no error.
    Ok,
    /// An error.
    Err,
    /// `null` and the like.
    Nothing,
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
    has_mere_comments: false,
    values: None,
    has_implicit_methods: false,
    has_implicit_interfaces: true,
    imports: Imports::PLAIN,
    types_precede_names: false,
    lambdas_define: false,
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
