//! Shapes of values, by their expressions.

use crate::view::View;

/// Shape of the result of a call, given with its arguments.
pub type OfCall = fn(&View<'_>, u32, u32) -> Option<Shape>;

/// Shapes of a language's expressions.
pub struct Values {
    /// Calls with known results. A name that begins with a dot is a method.
    pub makers: &'static [(&'static str, Shape)],
    /// Whether every object counts as true, even an empty one.
    pub objects_count: bool,
    /// Whether `or` returns one of its sides rather than a truth value.
    pub or_gives_sides: bool,
    /// Whether a text can be changed in place.
    pub texts_change: bool,
    /// Whether only values declared as mutable can change.
    pub marks_changes: bool,
    /// Whether other threads run at certain steps, and may change shared values.
    pub threads_change: bool,
    /// Whether code may jump back to a label.
    pub has_goto: bool,
    /// Shape of an expression that only this language has.
    pub shape: fn(&View<'_>, u32) -> Option<Shape>,
    /// Shape of the result of a call, given with its arguments, if the language reads calls differently.
    pub of_call: Option<OfCall>,
    /// Shape of the values of a type.
    pub of_type: fn(&str) -> Option<Shape>,
    /// Types of a parameter for all remaining arguments, given with its text.
    pub of_rest: fn(&str) -> Option<&'static str>,
    /// Whether types guarantee that a value exists.
    pub has_sure_types: bool,
    /// Whether declared types are unchecked, so that a declared result may be wrong.
    pub has_unchecked_types: bool,
    /// Whether an expression is the length of something.
    pub is_length: fn(&View<'_>, u32) -> bool,
    /// Parameter types without negative numbers.
    pub unsigned: &'static [&'static str],
    /// Calls that return a number, with its minimum and maximum.
    pub ranges: &'static [(&'static str, f64, f64)],
    /// Its numbers.
    pub numbers: Numbers,
    /// Its loops over collections.
    pub loops: Loops,
    /// Whether `append` takes any number of items instead of one.
    pub appends_any: bool,
}

/// Syntax of minimum and maximum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extremes {
    /// `a.min(b)`, a method of numbers, as all operations on them are.
    Methods,
    /// `min(a, b)`, whose name a file may give another meaning.
    Functions,
    /// `Math.min(a, b)`.
    OfMath,
}

/// Remainder of a division.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remainder {
    /// For whole numbers it is known, and never below 0. `-1e-20 % 360` is 360.0, and `%` formats a text.
    NeverBelowZero,
    /// A whole number with the sign of the dividend.
    Whole,
    /// A number with the sign of the dividend, or NaN.
    Fraction,
}

/// Facts about numbers.
pub struct Numbers {
    /// Syntax of minimum and maximum.
    pub extremes: Extremes,
    /// Remainder of a division.
    pub remainder: Remainder,
    /// Whether a library function may return NaN.
    pub may_be_nan: bool,
    /// Whether a call of a type's name converts to it.
    pub types_convert: bool,
    /// Whether types name their limits: `u64::MAX`.
    pub have_named_limits: bool,
}

/// The head of a loop over a collection.
pub struct LoopHead<'v> {
    /// The variables of the loop.
    pub names: Vec<&'v str>,
    /// The collection, as written, without closing brackets.
    pub over: &'v str,
    /// The called function, if the collection is the result of a call.
    pub callee: &'v str,
    /// The word between variables and collection.
    pub word: &'static str,
}

/// Possible texts of the iterated collection: the collection itself, and copies of it.
pub type Written = (Vec<String>, Vec<String>);

/// Facts about loops over collections.
pub struct Loops {
    /// Words between the variables and the collection.
    pub words: &'static [&'static str],
    /// Whether variables and collection have a separate node.
    pub have_clause: bool,
    /// Shape of the items that a loop gives the variable of a position.
    pub item: fn(&LoopHead<'_>, usize) -> Option<Shape>,
    /// Texts of a loop over the keys of a collection with this name.
    pub keys: fn(&LoopHead<'_>, &str) -> Option<Written>,
    /// Whether a loop iterates over the items of a collection with this name.
    pub goes_over: fn(&LoopHead<'_>, &str) -> bool,
}

/// Shape of a value, if the expression shows it.
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
    /// An instance of a library class.
    Instance,
    /// A function.
    Function,
    /// Any value that counts as true.
    Truthy,
    /// One of `true` and `false`.
    Answer,
    /// An existing value.
    Some,
    /// A result that is not an error.
    Ok,
    /// An error.
    Err,
    /// `null` or an equivalent.
    Nothing,
}

/// Whether a type may be null, or is not a type at all.
pub(crate) fn may_be_nothing(kind: &str) -> bool {
    ["|", "?", "=>", " is ", "asserts ", "keyof "]
        .iter()
        .any(|word| kind.contains(word))
}
