//! Functions that only forward their parameters.

use crate::facts::{NO_NAME, Target};
use crate::occurrences::Occurrences;
use crate::words::identifiers;
use slope_syntax::Construct;
use slope_syntax::view::View;

/// Deviations of a call from passing all parameters in order, as bits.
pub(crate) struct How;

impl How {
    /// To a method of a field: `self.client.get(a)`.
    pub(crate) const FIELD: u16 = 1;
    /// To a member of a package, type or other object: `pkg.F(a)`, `Type::f(a)`.
    pub(crate) const PATH: u16 = 1 << 1;
    /// In another order.
    pub(crate) const REARRANGED: u16 = 1 << 2;
    /// With additional constants.
    pub(crate) const CONSTANTS: u16 = 1 << 3;
    /// By a variable, or with a check that passes an error on.
    pub(crate) const STEPS: u16 = 1 << 4;
    /// Without parameters.
    pub(crate) const NO_PARAMETERS: u16 = 1 << 5;
    /// One has a default value.
    pub(crate) const DEFAULTS: u16 = 1 << 6;
    /// A parameter takes the remaining arguments.
    pub(crate) const REST: u16 = 1 << 7;
    /// To a method of a parameter: `a.get(b)`.
    pub(crate) const PARAMETER: u16 = 1 << 8;
}

/// The target of a function's parameters.
pub(crate) struct Forward {
    /// Node of the name that is called.
    pub(crate) name: u32,
    /// Node of the name before it.
    pub(crate) base: Option<u32>,
    /// Whether it is a method of the same object, or a function of the same type.
    pub(crate) own: bool,
    /// [`How`] bits.
    pub(crate) how: u16,
    /// Node of the whole called expression, for the message.
    pub(crate) callee: u32,
}

impl Target {
    /// A call in the form of a file's facts.
    pub(crate) fn of<'a>(view: &View<'a>, names: &mut Occurrences<'a>, found: &Forward) -> Self {
        let shown = view.text(found.callee);
        let is_short = shown.len() <= MAX_SHOWN && !shown.contains(char::is_whitespace);
        let shown = if is_short {
            shown
        } else {
            view.text(found.name)
        };
        Self {
            name: names.names.number(view.text(found.name)),
            base: found
                .base
                .map_or(NO_NAME, |b| names.names.number(view.text(b))),
            own: found.own,
            how: found.how,
            shown: names.names.number(shown),
        }
    }
}

/// The name of the function to which a forward passes exactly the parameters, without an object of another type.
pub(crate) fn passes_to<'a>(
    view: &View<'a>,
    names: &mut Occurrences<'a>,
    found: Option<&Forward>,
) -> u32 {
    let how = How::FIELD | How::PATH | How::REARRANGED | How::CONSTANTS | How::PARAMETER;
    let exact = found.filter(|found| found.how & how == 0 && (found.own || found.base.is_none()));
    exact.map_or(NO_NAME, |found| names.names.number(view.text(found.name)))
}

/// Maximum characters of a callee in a message.
const MAX_SHOWN: usize = 60;

/// A parameter that is handed on.
#[derive(Clone, Copy)]
pub(crate) struct Taken<'a> {
    pub(crate) name: &'a str,
    pub(crate) has_default: bool,
    pub(crate) is_rest: bool,
}

/// The forwarding call of a function, if that is its whole body and the call gets each of its
/// parameters.
pub(crate) fn forwarded(
    view: &View<'_>,
    function: u32,
    statements: &[u32],
    parameters: &[Taken<'_>],
) -> Option<Forward> {
    let receiver = receiver(view, function);
    let (call, mut how) = only_call(view, statements)?;
    let arguments = view.child(call, Construct::Arguments)?;
    let is_receiver = |name: &str| matches!(name, "self" | "this") || Some(name) == receiver;
    let parameters: Vec<Taken<'_>> = parameters
        .iter()
        .copied()
        .filter(|taken| !taken.name.ends_with("self"))
        .collect();
    let asked = asked_parameter(view, call, &parameters);
    let given: Vec<Taken<'_>> = parameters
        .iter()
        .copied()
        .filter(|taken| Some(taken.name) != asked)
        .collect();
    how |= handed_on(view, arguments, &given)?;
    if asked.is_some() {
        how = (how | How::PARAMETER) & !How::NO_PARAMETERS;
    }
    if parameters.iter().any(|taken| taken.has_default) {
        how |= How::DEFAULTS;
    }
    if parameters.iter().any(|taken| taken.is_rest) {
        how |= How::REST;
    }
    let mut found = target(view, call, &is_receiver)?;
    found.how |= how;
    if asked.is_some() {
        found.base = None;
    }
    let is_parameter = |base: u32| parameters.iter().any(|t| t.name == view.text(base));
    (!narrows_types(view, function, call) && !found.base.is_some_and(is_parameter)).then_some(found)
}

/// The parameter whose method is called.
fn asked_parameter<'a>(view: &View<'_>, call: u32, parameters: &[Taken<'a>]) -> Option<&'a str> {
    let callee = Some(call + 1).filter(|&callee| view.k(callee) == Construct::Attribute)?;
    let object = view.text(view.first(callee)?);
    let mut names = parameters.iter().filter(|taken| !taken.is_rest);
    names
        .find(|taken| taken.name == object)
        .map(|taken| taken.name)
}

/// Whether a function has type parameters that no parameter determines and that it does not
/// forward: it may specialise a generic function.
fn narrows_types(view: &View<'_>, function: u32, call: u32) -> bool {
    let of_kind = |node: u32, kind: &str| {
        let mut children = view.children(node);
        let found = children.find(|&child| view.tree.kind_name(child) == kind);
        found.map(|child| view.text(child))
    };
    let declared = of_kind(function, "type_parameters").map_or(Vec::new(), type_names);
    let given = of_kind(call, "type_arguments").map_or(Vec::new(), type_names);
    let parameters = view.child(function, Construct::Parameters);
    let parameters = parameters.map_or("", |list| view.text(list));
    let is_parameter_type = |name: &&str| identifiers(parameters).any(|word| word == *name);
    let is_inferred = given.is_empty() && declared.iter().all(is_parameter_type);
    !(declared.is_empty() || declared == given || is_inferred)
}

/// The names of types in brackets, without bounds, defaults and Rust's lifetimes.
fn type_names(list: &str) -> Vec<&str> {
    let inner = list
        .trim_start_matches(['<', '['])
        .trim_end_matches(['>', ']']);
    let names = inner.split(',').filter_map(|one| identifiers(one).next());
    names
        .filter(|name| name.starts_with(char::is_uppercase))
        .collect()
}

/// The body's statements of a function, in languages with the same structure; empty if a comment
/// explains them.
pub(crate) fn statements(view: &View<'_>, function: u32) -> Vec<u32> {
    match view.last_child(function, Construct::Block) {
        Some(_) if view.has_below(function, Construct::Comment) => Vec::new(),
        Some(block) => view.parts(block).collect(),
        None if view.k(function) == Construct::Lambda => {
            view.parts(function).last().into_iter().collect()
        }
        None => Vec::new(),
    }
}

/// The name of the receiver of a method of Go.
pub(crate) fn receiver<'a>(view: &View<'a>, function: u32) -> Option<&'a str> {
    let list = view.child(function, Construct::Parameters)?;
    let name = view.name_of(function)?;
    let names = view.kind_within(Construct::Identifier, list, view.end(list));
    let first = names.first().filter(|_| list < name)?;
    Some(view.text(*first))
}

/// The call that is all that some statements do.
fn only_call(view: &View<'_>, statements: &[u32]) -> Option<(u32, u16)> {
    match *statements {
        [only] => call_in(view, only),
        [check, end] if view.k(check) == Construct::If => {
            let binding = view.first(check)?;
            let (_, value) = bound(view, binding)?;
            let passes = passes_error(view, check) && returned(view, end) == "nil";
            passes.then_some((call_of(view, value)?, How::STEPS))
        }
        [binding, end] => {
            let (name, value) = bound(view, binding)?;
            let given = returned(view, end);
            let wrapped = given.strip_prefix("Ok(").and_then(|g| g.strip_suffix(')'));
            let same = given == name || wrapped == Some(name);
            same.then_some((call_of(view, value)?, How::STEPS))
        }
        [binding, check, end] => {
            let (names, value) = bound(view, binding)?;
            let given = returned(view, end);
            if given == names && passes_nothing(view, check, names) {
                return Some((call_of(view, value)?, How::STEPS));
            }
            let value_name = names.strip_suffix(", err")?;
            let same = given == names || given.strip_suffix(", nil") == Some(value_name);
            (same && passes_error(view, check)).then_some((call_of(view, value)?, How::STEPS))
        }
        _ => None,
    }
}

fn call_in(view: &View<'_>, statement: u32) -> Option<(u32, u16)> {
    let mut node = statement;
    let mut how = 0;
    // Unwraps `return`, expression statements, `await`, and error propagation.
    for _ in 0..6 {
        match view.k(node) {
            Construct::Call if view.text(node + 1) == "Ok" => {
                let inner = view.only(view.child(node, Construct::Arguments)?)?;
                node = Some(inner).filter(|&inner| view.k(inner) == Construct::Propagate)?;
                how |= How::STEPS;
            }
            Construct::Call => return Some((node, how)),
            Construct::Propagate => {
                node = view.only(node)?;
                how |= How::STEPS;
            }
            Construct::Return | Construct::ExprStmt | Construct::Await => node = view.only(node)?,
            // Go returns a list.
            Construct::Other if view.k(view.parent(node)) == Construct::Return => {
                node = view.only(node)?
            }
            _ => return None,
        }
    }
    None
}

/// The call that a value is, which may be waited for.
fn call_of(view: &View<'_>, value: u32) -> Option<u32> {
    let mut node = value;
    for _ in 0..4 {
        match view.k(node) {
            Construct::Call => return Some(node),
            _ => node = view.only(node)?,
        }
    }
    None
}

/// The names that a statement binds, and the value that they get.
fn bound<'a>(view: &View<'a>, statement: u32) -> Option<(&'a str, u32)> {
    let mut node = statement;
    while matches!(view.k(node), Construct::Declaration | Construct::ExprStmt) {
        node = view.only(node)?;
    }
    let is_binding = matches!(view.k(node), Construct::Declarator | Construct::Assign);
    let name = view.first(node).filter(|_| is_binding)?;
    let value = view.parts(node).last().filter(|&value| value != name)?;
    Some((view.text(name), value))
}

/// The value that a statement returns.
fn returned<'a>(view: &View<'a>, statement: u32) -> &'a str {
    match view.k(statement) {
        Construct::Return => {
            let value = view.only(statement);
            value.map_or("", |value| view.text(value))
        }
        Construct::ExprStmt => match view.only(statement) {
            Some(only) if view.k(only) == Construct::Return => returned(view, only),
            _ => view.text(statement).trim_end_matches(';'),
        },
        _ => view.text(statement),
    }
}

/// Whether a statement is a Go check that returns an error unchanged.
fn passes_error(view: &View<'_>, check: u32) -> bool {
    let Some(block) = view.child(check, Construct::Block) else {
        return false;
    };
    let condition = view.parts(check).take_while(|&part| part < block).last();
    let is_checked = condition.is_some_and(|c| view.text(c) == "err != nil");
    let given = view.only(block).map_or("", |only| returned(view, only));
    is_checked
        && view.child(check, Construct::Else).is_none()
        && given.ends_with("err")
        && !given.contains('(')
}

/// Whether a statement is a check that returns nothing if a value is nothing.
fn passes_nothing(view: &View<'_>, check: u32, name: &str) -> bool {
    let Some(block) = view
        .child(check, Construct::Block)
        .filter(|_| view.k(check) == Construct::If)
    else {
        return false;
    };
    let condition = view.parts(check).take_while(|&part| part < block).last();
    let condition = condition.map_or("", |c| view.text(c).trim_matches(['(', ')']));
    let asked = condition.strip_prefix(name).map(str::trim_start);
    let returns = view
        .only(block)
        .filter(|&only| view.k(only) == Construct::Return);
    let given = returns.map_or("", |only| returned(view, only));
    let is_nothing = |text: &str| matches!(text, "None" | "null" | "undefined" | "nil");
    let signs = ["is ", "=== ", "== "];
    let is_checked = asked.is_some_and(|asked| {
        signs
            .iter()
            .any(|sign| asked.strip_prefix(sign) == Some(given))
    });
    is_checked
        && is_nothing(given)
        && [Construct::Else, Construct::Elif]
            .iter()
            .all(|&kind| view.child(check, kind).is_none())
}

/// Whether the arguments are the parameters, each once, and otherwise only constants.
fn handed_on(view: &View<'_>, arguments: u32, parameters: &[Taken<'_>]) -> Option<u16> {
    let mut how = 0;
    let mut given = Vec::new();
    for argument in view.parts(arguments) {
        if is_plain_constant(view, argument) {
            how |= How::CONSTANTS;
        } else {
            given.push(name_given(view, argument)?);
        }
    }
    let is_passed = |taken: &Taken<'_>| given.contains(&(taken.name, taken.is_rest));
    if given.len() != parameters.len() || !parameters.iter().all(is_passed) {
        return None;
    }
    let in_order = parameters.iter().map(|taken| taken.name);
    if !in_order.eq(given.iter().map(|&(name, _)| name)) {
        how |= How::REARRANGED;
    }
    if parameters.is_empty() {
        how |= How::NO_PARAMETERS;
    }
    Some(how)
}

/// The name that an argument is, and whether it is spread.
fn name_given<'a>(view: &View<'a>, argument: u32) -> Option<(&'a str, bool)> {
    let text = view.text(argument);
    match view.k(argument) {
        Construct::Identifier => Some((text, false)),
        Construct::KeywordArg => {
            let value = view.parts(argument).last()?;
            (view.k(value) == Construct::Identifier).then(|| (view.text(value), false))
        }
        Construct::Splat => Some((view.text(view.only(argument)?), true)),
        _ if text.ends_with("...") => Some((text.trim_end_matches('.'), true)),
        _ => {
            let name = text.trim_start_matches('&').trim_start_matches("mut ");
            let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_');
            (text.starts_with('&') && is_name).then_some((name, false))
        }
    }
}

fn is_plain_constant(view: &View<'_>, argument: u32) -> bool {
    let value = match view.k(argument) {
        Construct::KeywordArg => view.parts(argument).last().unwrap_or(argument),
        _ => argument,
    };
    let named = ["true", "false", "None", "nil", "null", "undefined"];
    view.is_constant(value) || named.contains(&view.text(value))
}

fn target(view: &View<'_>, call: u32, is_receiver: &dyn Fn(&str) -> bool) -> Option<Forward> {
    let callee = call + 1;
    let (name, base, own, how) = match view.k(callee) {
        Construct::Identifier => {
            // In some grammars `object.method(...)` is one node; its callee belongs to another
            // object.
            let before = view.children(call);
            let before = before
                .take_while(|&c| view.k(c) != Construct::Arguments)
                .filter(|&c| view.tree.kind_name(c) != "type_arguments");
            (before.last()? == callee).then_some(())?;
            (callee, None, view.conventions.wrappers.call_own, 0)
        }
        Construct::Attribute => member(view, callee, is_receiver)?,
        Construct::DottedName => of_path(view, callee)?,
        _ if view.text(callee) == "this" => {
            let names = view
                .children(call)
                .filter(|&c| view.k(c) == Construct::Identifier);
            (names.last()?, None, true, 0)
        }
        _ => return None,
    };
    Some(Forward {
        name,
        base,
        own,
        how,
        callee,
    })
}

/// Name, its qualifier, whether that is the object itself, and [`How`] bits.
type Called = (u32, Option<u32>, bool, u16);

/// A method that is called.
fn member(view: &View<'_>, callee: u32, is_receiver: &dyn Fn(&str) -> bool) -> Option<Called> {
    let object = view.first(callee)?;
    let name = view.parts(callee).last()?;
    let text = view.text(object);
    let root = text.split('.').next().unwrap_or_default();
    match view.k(object) {
        _ if is_receiver(text) || text == "cls" => Some((name, None, true, 0)),
        Construct::Attribute if is_receiver(root) && !text.contains(['(', '[']) => {
            Some((name, None, false, How::FIELD))
        }
        Construct::Identifier => Some((name, Some(object), false, How::PATH)),
        // `os.path.join`
        Construct::Attribute
            if text.split('.').all(is_part_of_path) && !text.starts_with("super.") =>
        {
            Some((name, view.first(object), false, How::PATH))
        }
        _ => None,
    }
}

/// Whether a text is a name or, of a tuple, a position.
fn is_part_of_path(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// A function of Rust that is called by its path.
fn of_path(view: &View<'_>, callee: u32) -> Option<Called> {
    let name = view.last_child(callee, Construct::Identifier)?;
    let holder = view.text(callee).strip_suffix(view.text(name))?;
    let is_function = view.text(name).starts_with(char::is_lowercase);
    match holder.trim_end_matches(':') {
        _ if !is_function => None,
        "Self" => Some((name, None, true, 0)),
        holder if holder.contains('<') => None,
        _ => Some((name, view.first(callee), false, How::PATH)),
    }
}
