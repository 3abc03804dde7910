//! Shapes of values, as far as the expressions that make them show.

use crate::view::View;

/// Shape of the result of a call, given with its arguments.
pub type OfCall = fn(&View<'_>, u32, u32) -> Option<Shape>;

/// Shapes of a language's expressions.
pub struct Values {
    /// Calls whose result is known. A name that begins with a dot is one of a method.
    pub makers: &'static [(&'static str, Shape)],
    /// Whether every object counts as true, whatever it holds.
    pub objects_count: bool,
    /// Whether `or` gives back one of its sides, and not a truth value.
    pub or_gives_sides: bool,
    /// Whether a text can be changed in place.
    pub texts_change: bool,
    /// Whether only what is declared so can change.
    pub marks_changes: bool,
    /// Whether other threads run at certain steps, and may change what they share.
    pub threads_change: bool,
    /// Whether code may jump back to a label.
    pub has_goto: bool,
    /// Shape of an expression that only this language has.
    pub shape: fn(&View<'_>, u32) -> Option<Shape>,
    /// Shape of the result of a call, given with its arguments, if calls are read in a way of their own.
    pub of_call: Option<OfCall>,
    /// Shape of the values of a type.
    pub of_type: fn(&str) -> Option<Shape>,
    /// Types of a parameter for all further arguments, given with its text.
    pub of_rest: fn(&str) -> Option<&'static str>,
    /// Whether types say for sure that a value is there.
    pub has_sure_types: bool,
    /// Whether nothing checks types, so that what a function says it gives back may be wrong.
    pub has_unchecked_types: bool,
    /// Whether an expression is the length of something.
    pub is_length: fn(&View<'_>, u32) -> bool,
    /// Words that are types of parameters without negative numbers.
    pub unsigned: &'static [&'static str],
    /// Calls that give a number, with the least and the greatest that they give.
    pub ranges: &'static [(&'static str, f64, f64)],
    /// Its numbers.
    pub numbers: Numbers,
    /// Its loops over collections.
    pub loops: Loops,
    /// Whether `append` takes any number of items, and not one.
    pub appends_any: bool,
}

/// How the least and the greatest of some numbers are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extremes {
    /// `a.min(b)`, a method of numbers, as all operations on them are.
    Methods,
    /// `min(a, b)`, whose name a file may give another meaning.
    Functions,
    /// `Math.min(a, b)`.
    OfMath,
}

/// The rest of a division.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remainder {
    /// Of whole numbers it is known, and never below 0. `-1e-20 % 360` is 360.0, and `%` of a text formats it.
    NeverBelowZero,
    /// A whole number with the sign of what is divided.
    Whole,
    /// A number with the sign of what is divided, which may be no number at all.
    Fraction,
}

/// Facts about numbers.
pub struct Numbers {
    /// How the least and the greatest are asked for.
    pub extremes: Extremes,
    /// The rest of a division.
    pub remainder: Remainder,
    /// Whether a function of the library may give what is no number.
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

/// What a loop goes over, as it may be written: the collection itself, and copies of it.
pub type Written = (Vec<String>, Vec<String>);

/// Facts about loops over collections.
pub struct Loops {
    /// Words between the variables and the collection.
    pub words: &'static [&'static str],
    /// Whether variables and collection are in a node of their own.
    pub have_clause: bool,
    /// Shape of the items that a loop gives the variable of a position.
    pub item: fn(&LoopHead<'_>, usize) -> Option<Shape>,
    /// How a loop over the keys of a collection of this name is written.
    pub keys: fn(&LoopHead<'_>, &str) -> Option<Written>,
    /// Whether a loop goes over the items of a collection of this name.
    pub goes_over: fn(&LoopHead<'_>, &str) -> bool,
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

/// Whether a type may be one of nothing, or says something else than a type.
pub(crate) fn may_be_nothing(kind: &str) -> bool {
    ["|", "?", "=>", " is ", "asserts ", "keyof "]
        .iter()
        .any(|word| kind.contains(word))
}
