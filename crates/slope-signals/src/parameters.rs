//! Parameters that make no difference, and too many of them.

use crate::catalogue::Signal;
use crate::contributions::parameters_key;
use crate::dead::{bases_known, is_mixin};
use crate::facts::{
    Argument, Call, Class, FileSignals, Function, Mention, NO_NAME, Parameter, Traits,
};
use crate::keys::{Key, Kind};
use crate::signal_finding::{Options, SignalFinding};
use crate::snapshot::Snapshot;
use crate::words::words;
use slope_syntax::conventions::TextNames;

/// Reports parameters of a file's functions.
pub(crate) fn find(
    snapshot: &Snapshot<'_>,
    file: usize,
    options: &Options,
    found: &mut Vec<SignalFinding>,
) {
    let facts = snapshot.files[file].1;
    let rules = facts.conventions();
    let free = Freedom {
        in_changes: options.in_changes,
        has_namesakes: rules.naming.namesakes_are_apart,
        text_names: rules.text_names,
    };
    let public_counts = options.in_changes && !rules.has_implicit_interfaces;
    for function in &facts.functions {
        let class = function.class.and_then(|c| facts.classes.get(c as usize));
        long_list(snapshot, file, function, class, options, found);
        if function.traits & BARRED != 0 || !free.has(snapshot, file, function, class) {
            continue;
        }
        let has_own_list =
            free.keeps_to_no_list(facts, function) || is_only_list(snapshot, file, function);
        if has_own_list && !is_protocol(snapshot, file, function, class, public_counts) {
            unused(snapshot, file, function, options, found);
        }
        if function.traits & Traits::PRIVATE != 0 {
            constant(snapshot, file, function, found);
        }
    }
}

/// Whether no other file calls a function by name.
fn stays_in_file(facts: &FileSignals, function: &Function) -> bool {
    let is_module = facts.conventions().naming.exports_are_marked;
    function.traits & Traits::PRIVATE != 0 || is_module && function.traits & Traits::EXPORTED == 0
}

/// Reasons to keep a function's parameters.
const BARRED: u32 = Traits::DECORATED
    | Traits::SPECIAL
    | Traits::STUB
    | Traits::OVERRIDE
    | Traits::ABSTRACT
    | Traits::KEPT
    | Traits::PLACEHOLDER
    | Traits::TEST;

/// Whether invisible callers prescribe a method's parameters: it is public, or its class is meant
/// to replace another one.
fn is_protocol(
    snapshot: &Snapshot<'_>,
    file: usize,
    function: &Function,
    class: Option<&Class>,
    public_counts: bool,
) -> bool {
    let is_public = function.class.is_some()
        && function.traits & Traits::PRIVATE == 0
        && !public_counts
        && !snapshot.tests[file];
    is_public
        || class.is_some_and(|c| {
            let name = snapshot.name(file, c.name);
            is_stand_in(name) || is_mixin(name)
        })
}

/// Words for classes that replace others, whose parameters they take.
const STAND_INS: &[&str] = &["stub", "fake", "mock", "dummy"];

/// Whether a class is named as a replacement of another: `FakeClient`, `_ClientStub`.
fn is_stand_in(name: &str) -> bool {
    let all: Vec<String> = words(name).collect();
    let mut ends = [all.first(), all.last()].into_iter().flatten();
    ends.any(|word| STAND_INS.contains(&word.as_str()))
}

/// Whether no other function has the same list of parameters; namesakes differ in nothing else.
fn is_only_list(snapshot: &Snapshot<'_>, file: usize, function: &Function) -> bool {
    // Many functions have one parameter of the same name.
    function.parameters.len() < 2
        || snapshot.count(parameters_key(snapshot.numbers(file), function)) == 1
}

/// Conditions under which a function's parameters are free to change.
struct Freedom {
    /// Whether a change is checked: then a subclassed class with only known bases has no invisible
    /// methods.
    in_changes: bool,
    /// Whether functions of the same name are unrelated, as no interface is implicit.
    has_namesakes: bool,
    /// Kinds of texts that may name a function for a call.
    text_names: TextNames,
}

impl Freedom {
    /// Whether a function is never passed as a value, and no other class has a method of its name.
    fn has(
        &self,
        snapshot: &Snapshot<'_>,
        file: usize,
        function: &Function,
        class: Option<&Class>,
    ) -> bool {
        // The name of a test or a message does not refer to a function, unless it is a method.
        let in_texts = match self.text_names {
            TextNames::None if function.class.is_none() => 0,
            _ => Mention::STRING,
        };
        let as_value = Mention::VALUE | Mention::MEMBER | Mention::EXPORTED | in_texts;
        let is_dispatched = self.text_names == TextNames::Words || function.class.is_some();
        let is_alone = self.has_namesakes || snapshot.definitions(file, function.name) == 1;
        snapshot.mentions(file, function.name) & as_value == 0
            && is_alone
            && class.is_none_or(|class| !class.decorated && self.is_closed(snapshot, file, class))
            && !(is_dispatched && snapshot.is_dispatched(snapshot.name(file, function.name)))
    }

    /// Whether a function's list of parameters may equal another one by chance: it is called by
    /// name only, and in its own file.
    fn keeps_to_no_list(&self, facts: &FileSignals, function: &Function) -> bool {
        let is_free = function.class.is_none() || function.traits & Traits::PRIVATE != 0;
        let is_own = self.in_changes && is_free && stays_in_file(facts, function);
        is_own || self.has_namesakes
    }

    /// Whether no invisible class may prescribe the methods of this one.
    fn is_closed(&self, snapshot: &Snapshot<'_>, file: usize, class: &Class) -> bool {
        if self.in_changes {
            return bases_known(snapshot, file, class);
        }
        class.bases.is_empty() && snapshot.subclasses(file, class.name) == 0
    }
}

fn unused(
    snapshot: &Snapshot<'_>,
    file: usize,
    function: &Function,
    options: &Options,
    found: &mut Vec<SignalFinding>,
) {
    let called = Mention::CALLED | Mention::MEMBER_CALLED;
    let is_called = snapshot.mentions(file, function.name) & called != 0;
    // A rest parameter matches another function's list.
    let is_free = is_called || options.in_changes && is_waiting(snapshot, file, function);
    if !is_free || function.parameters.iter().any(|p| p.rest) {
        return;
    }
    for parameter in function.parameters.iter().filter(|p| p.unused) {
        let name = snapshot.name(file, parameter.name);
        if !is_called && HANDED.contains(&name) {
            continue;
        }
        let is_own = options.in_changes && stays_in_file(snapshot.files[file].1, function);
        if name.starts_with('_') || of_a_family(snapshot, file, function, (parameter.name, is_own))
        {
            continue;
        }
        let callable = snapshot.name(file, function.name);
        found.push(SignalFinding::new(
            file,
            Signal::UnusedParameter,
            parameter.place,
            &function.callable,
            format!("`{callable}` never uses its parameter `{name}`."),
            name,
        ));
    }
}

/// Names of parameters that frameworks pass.
const HANDED: &[&str] = &[
    "app",
    "args",
    "config",
    "context",
    "ctx",
    "environ",
    "event",
    "exc",
    "frame",
    "kwargs",
    "next",
    "opts",
    "options",
    "params",
    "props",
    "req",
    "request",
    "res",
    "response",
    "sender",
    "signal",
    "signum",
    "start_response",
];

/// Whether a function has no callers yet, and probably none outside: it is not a method, and
/// it uses some of its parameters. Invisible callers would prescribe the parameters.
fn is_waiting(snapshot: &Snapshot<'_>, file: usize, function: &Function) -> bool {
    let naming = &snapshot.files[file].1.conventions().naming;
    let name = snapshot.name(file, function.name);
    let is_hook = ["pytest_", "test", "setup", "on_", "handle"]
        .iter()
        .any(|start| name.starts_with(start));
    (function.class.is_none() || naming.namesakes_are_apart)
        && !is_hook
        && !snapshot.tests[file]
        && function.parameters.iter().any(|p| !p.unused)
}

/// Maximum number of functions searched for one with a similar name.
const MAX_FAMILY: usize = 200;

/// Whether a function of the same file has a similar name and uses a parameter of the same name:
/// `to_html(node)` and `to_text(node)` are called in the same way. A function that only its own
/// file calls belongs to a family only if the other has the same parameters.
fn of_a_family(
    snapshot: &Snapshot<'_>,
    file: usize,
    function: &Function,
    (parameter, is_own): (u32, bool),
) -> bool {
    let own: Vec<String> = words(snapshot.name(file, function.name)).collect();
    let uses = |p: &Parameter| p.name == parameter && !p.unused;
    let names = |of: &Function| -> Vec<u32> { of.parameters.iter().map(|p| p.name).collect() };
    let list = names(function);
    let is_alike = |other: &Function| !is_own || names(other) == list;
    let others = snapshot.files[file].1.functions.iter();
    let others = others.filter(|f| f.name != function.name && is_alike(f));
    let others = others.filter(|f| f.parameters.iter().any(uses));
    others.take(MAX_FAMILY).any(|other| {
        let others: Vec<String> = words(snapshot.name(file, other.name)).collect();
        let shared = own.iter().filter(|word| others.contains(word)).count();
        shared * 2 >= own.len().max(others.len())
    })
}

/// Calls of a function's name in all files, each with its file.
fn calls_of<'a>(
    snapshot: &Snapshot<'a>,
    file: usize,
    function: &Function,
) -> Vec<(usize, &'a FileSignals, &'a Call)> {
    let Some(number) = snapshot.number(file, function.name) else {
        return Vec::new();
    };
    let calls = snapshot.listed(Key::of(Kind::Calls, number));
    calls
        .map(|(file, position)| {
            let facts = snapshot.files[file].1;
            (file, facts, &facts.calls[position])
        })
        .collect()
}

/// Minimum number of calls with the same argument that are significant.
const TELLING_CALLS: usize = 3;

fn constant(
    snapshot: &Snapshot<'_>,
    file: usize,
    function: &Function,
    found: &mut Vec<SignalFinding>,
) {
    let calls = calls_of(snapshot, file, function);
    let is_open = calls.iter().any(|(_, _, call)| call.spread);
    if calls.is_empty() || is_open || function.parameters.iter().any(|p| p.rest) {
        return;
    }
    let callable = snapshot.name(file, function.name);
    for (position, parameter) in function
        .parameters
        .iter()
        .enumerate()
        .filter(|(_, p)| !p.unused)
    {
        let name = snapshot.name(file, parameter.name);
        let passed: Vec<Option<&str>> = calls
            .iter()
            .map(|&(from, facts, call)| {
                let given = argument(
                    snapshot,
                    from,
                    facts,
                    call,
                    name,
                    position,
                    parameter.positional,
                );
                match given {
                    Some(argument) if argument.constant == NO_NAME => Some(""),
                    Some(argument) => Some(snapshot.name(from, argument.constant)),
                    None => None,
                }
            })
            .collect();
        let message = if is_choice(snapshot, file, parameter.default)
            && !is_path(name)
            && passed.iter().all(Option::is_none)
        {
            format!("No caller of `{callable}` passes `{name}`.")
        } else if calls.len() >= TELLING_CALLS
            && let Some(Some(first)) = passed.first()
            && !first.is_empty()
            && !is_text(first)
            && *first != "None"
            && passed.iter().all(|p| p == &Some(*first))
        {
            format!("Every caller of `{callable}` passes {first} as `{name}`.")
        } else {
            continue;
        };
        found.push(SignalFinding::new(
            file,
            Signal::ConstantParameter,
            parameter.place,
            &function.callable,
            message,
            name,
        ));
    }
}

/// Whether a default leaves a choice open that no caller makes: on or off, nothing, or zero. Any
/// other value gives a constant a name.
fn is_choice(snapshot: &Snapshot<'_>, file: usize, default: u32) -> bool {
    const CHOICES: &[&str] = &[
        "True", "False", "None", "true", "false", "null", "0", "0.0", "''", "\"\"",
    ];
    default != NO_NAME && CHOICES.contains(&snapshot.name(file, default))
}

/// Whether a parameter is named for a path on disk, where tests pass other values than callers do.
fn is_path(name: &str) -> bool {
    words(name).any(|word| matches!(word.as_str(), "path" | "file" | "filename" | "root"))
}

/// Whether a constant is a text.
fn is_text(constant: &str) -> bool {
    constant.contains(['"', '\''])
}

/// A call's argument for a parameter.
fn argument(
    snapshot: &Snapshot<'_>,
    file: usize,
    facts: &FileSignals,
    call: &Call,
    name: &str,
    position: usize,
    positional: bool,
) -> Option<Argument> {
    let first = call.first as usize;
    let all = facts.arguments.get(first..first + call.count as usize)?;
    let by_name = all
        .iter()
        .find(|a| a.keyword != NO_NAME && snapshot.name(file, a.keyword) == name);
    let mut by_position = all.iter().filter(|a| a.keyword == NO_NAME);
    by_name
        .or_else(|| {
            if positional {
                by_position.nth(position)
            } else {
                None
            }
        })
        .copied()
}

fn long_list(
    snapshot: &Snapshot<'_>,
    file: usize,
    function: &Function,
    class: Option<&Class>,
    options: &Options,
    found: &mut Vec<SignalFinding>,
) {
    let barred = Traits::DECORATED | Traits::TEST | Traits::OVERRIDE;
    let count = function.parameters.iter().filter(|p| p.positional).count();
    let count = u32::try_from(count).unwrap_or(u32::MAX);
    let prescribed = class.is_some_and(|c| !c.bases.is_empty())
        && snapshot.definitions(file, function.name) > 1
        && function.traits & Traits::SPECIAL == 0;
    if count <= options.most_parameters || function.traits & barred != 0 || prescribed {
        return;
    }
    let name = snapshot.name(file, function.name);
    found.push(SignalFinding::new(
        file,
        Signal::LongParameterList,
        function.place,
        &function.callable,
        format!(
            "`{name}` takes {count} parameters by position, more than {}.",
            options.most_parameters
        ),
        name,
    ));
}
