//! Functions that only pass on, and abstractions with one implementation.

use std::cell::LazyCell;

use crate::catalogue::Signal;
use crate::facts::{FileSignals, Function, Import, Mention, NO_NAME, Target, Traits};
use crate::findings::{Options, SignalFinding};
use crate::snapshot::{Snapshot, is_top_level};
use crate::words::Map;

pub(crate) fn find(snapshot: &Snapshot<'_>, options: &Options, found: &mut Vec<SignalFinding>) {
    for (file, (_, facts)) in snapshot.files.iter().enumerate() {
        let names = LazyCell::new(|| Names::of(facts));
        for function in &facts.functions {
            // In a typed language what others see may have a signature of its own on purpose.
            let is_interface = options.in_changes
                && facts.language != "python"
                && function.traits & Traits::EXPORTED != 0;
            if let Some(target) = function.wraps.as_ref()
                && !is_interface
                && may_be_wrapper(snapshot, file, facts, function)
                && let Some((other, position)) = resolve(snapshot, file, &names, function, target)
                && snapshot.files[other].1.functions[position].traits & Traits::CONDITIONAL == 0
            {
                let name = snapshot.name(file, function.name);
                let inner = &snapshot.files[other].1.functions[position];
                let mut finding = SignalFinding::new(
                    file,
                    Signal::TrivialWrapper,
                    function.place,
                    &function.callable,
                    format!(
                        "`{name}` only passes its parameters to `{}`.",
                        inner.callable
                    ),
                    name,
                );
                finding.related = Some((other, inner.place.span));
                found.push(finding);
            }
        }
    }
    single_implementations(snapshot, found);
}

fn may_be_wrapper(
    snapshot: &Snapshot<'_>,
    file: usize,
    facts: &FileSignals,
    function: &Function,
) -> bool {
    let barred = Traits::DECORATED
        | Traits::SPECIAL
        | Traits::NESTED
        | Traits::OVERRIDE
        | Traits::KEPT
        | Traits::TEST
        | Traits::CONDITIONAL;
    let class = function.class.and_then(|c| facts.classes.get(c as usize));
    // What is passed as a value adapts one to the other; hooks are called by their names.
    let as_value = Mention::VALUE | Mention::MEMBER | Mention::STRING;
    function.traits & barred == 0
        && snapshot.mentions(file, function.name) & as_value == 0
        && !snapshot.name(file, function.name).starts_with("pytest_")
        && function.parameters.iter().any(|p| !p.rest)
        && class.is_none_or(|class| {
            class.bases.is_empty()
                && snapshot.subclasses(file, class.name) == 0
                && snapshot.definitions(file, function.name) == 1
        })
}

/// Functions and imports of a file by name, of which it may have very many.
struct Names<'a> {
    functions: Map<u32, Vec<(usize, &'a Function)>>,
    /// Those that say a module; the first of a name counts.
    imports: Map<u32, &'a Import>,
    /// Any.
    bases: Map<u32, &'a Import>,
}

impl<'a> Names<'a> {
    fn of(facts: &'a FileSignals) -> Self {
        let mut functions: Map<u32, Vec<(usize, &Function)>> = Map::default();
        for (position, function) in facts.functions.iter().enumerate() {
            let same = functions.entry(function.name).or_default();
            same.push((position, function));
        }
        let all = || facts.imports.iter().rev();
        let by_name = |import: &'a Import| (import.name, import);
        let with_module = |import: &&Import| import.module != NO_NAME;
        Self {
            functions,
            imports: all().filter(with_module).map(by_name).collect(),
            bases: all().map(by_name).collect(),
        }
    }
}

/// File and position of the function that is called, if it is one of the code base.
fn resolve(
    snapshot: &Snapshot<'_>,
    file: usize,
    names: &Names<'_>,
    function: &Function,
    target: &Target,
) -> Option<(usize, usize)> {
    let own = |wanted: &dyn Fn(&Function) -> bool| {
        let mut same = names.functions.get(&target.name)?.iter();
        let found = same.find(|(_, function)| wanted(function));
        found.map(|&(position, _)| (file, position))
    };
    if target.own {
        // A call of its own name is one of an overload.
        let same_holder = |f: &Function| holder(f) == holder(function) && f.class.is_some();
        return own(&|f| f.class == function.class && same_holder(f))
            .filter(|_| target.name != function.name);
    }
    if target.base == NO_NAME {
        if target.name == function.name && function.class.is_none() {
            return None;
        }
        let import = names.imports.get(&target.name);
        return own(&is_top_level).or_else(|| {
            if snapshot.files[file].1.language != "python" {
                return snapshot.only_function(file, target.name);
            }
            let import = import?;
            let module = snapshot.number(file, import.module)?;
            snapshot.top_level(module, snapshot.number(file, import.taken)?)
        });
    }
    let import = names.bases.get(&target.base)?;
    let module = snapshot.number(file, import.taken)?;
    snapshot.top_level(module, snapshot.number(file, target.name)?)
}

/// What a function's dotted name says that it is in.
fn holder(function: &Function) -> &str {
    let parts = function.callable.rsplit_once(['.', ':']);
    parts.map_or("", |(holder, _)| holder)
}

fn single_implementations(snapshot: &Snapshot<'_>, found: &mut Vec<SignalFinding>) {
    let implementers = snapshot.implementers();
    for (file, (_, facts)) in snapshot.files.iter().enumerate() {
        for class in &facts.classes {
            let name = snapshot.name(file, class.name);
            let Some(number) = snapshot.number(file, class.name) else {
                continue;
            };
            if !class.is_abstract
                || class.abstract_methods == 0
                || class.nested
                || snapshot.tests[file]
                || snapshot.classes(file, class.name) != 1
            {
                continue;
            }
            let Some([(other, position)]) = implementers.get(&number).map(Vec::as_slice) else {
                continue;
            };
            let inner = &snapshot.files[*other].1.classes[*position];
            if inner.is_abstract {
                continue;
            }
            let implementer = snapshot.name(*other, inner.name);
            let mut finding = SignalFinding::new(
                file,
                Signal::SingleImplementation,
                class.place,
                "",
                format!("`{name}` is abstract, and `{implementer}` is its only implementation."),
                name,
            );
            finding.related = Some((*other, inner.place.span));
            found.push(finding);
        }
    }
}
