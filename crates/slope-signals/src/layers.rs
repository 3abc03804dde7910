//! Functions that only forward their parameters, and abstractions with one implementation.

use std::cell::LazyCell;

use crate::catalogue::Signal;
use crate::dead::bases_known;
use crate::facts::is_top_level;
use crate::facts::{FileSignals, Function, Import, Mention, NO_NAME, Target, Traits};
use crate::file_paths::folder;
use crate::forward::How;
use crate::middle_men;
use crate::signal_finding::{Options, SignalFinding};
use crate::snapshot::Snapshot;
use crate::words::{Map, split, stem};
use slope_syntax::conventions::Nearness;

/// Reports functions and types of a file that only add a layer.
pub(crate) fn find(
    snapshot: &Snapshot<'_>,
    file: usize,
    options: &Options,
    found: &mut Vec<SignalFinding>,
) {
    let facts = snapshot.files[file].1;
    let names = LazyCell::new(|| Names::of(facts));
    for function in &facts.functions {
        let Some(target) = function.wraps.as_ref() else {
            continue;
        };
        if !may_be_wrapper(snapshot, file, facts, function) {
            continue;
        }
        let inner = resolve(snapshot, file, &names, function, target);
        let wrapper = Wrapper {
            snapshot,
            file,
            function,
            target,
            inner,
            is_imported: names.bases.contains_key(&target.name),
        };
        if wrapper.is_needless(options) {
            found.push(wrapper.finding());
        }
    }
    if options.in_changes {
        middle_men::find(snapshot, file, found);
    }
    single_implementations(snapshot, file, found);
}

/// A function that forwards its parameters.
struct Wrapper<'s, 'a> {
    snapshot: &'s Snapshot<'a>,
    file: usize,
    function: &'a Function,
    target: &'a Target,
    /// File and position of the callee, if it is in the code base.
    inner: Option<(usize, usize)>,
    /// Whether its file imports the callee.
    is_imported: bool,
}

impl Wrapper<'_, '_> {
    fn inner(&self) -> Option<&Function> {
        let (file, position) = self.inner?;
        self.snapshot.files[file].1.functions.get(position)
    }

    /// Whether the function only adds another name.
    fn is_needless(&self, options: &Options) -> bool {
        let how = self.target.how;
        if self
            .inner()
            .is_some_and(|inner| inner.traits & Traits::CONDITIONAL != 0)
        {
            return false;
        }
        let conventions = self.snapshot.files[self.file].1.conventions();
        // In full scans only the simplest kind is precise.
        if !options.in_changes {
            let plainest = if conventions.wrappers.pass_rest {
                How::PATH | How::REST
            } else {
                0
            };
            let takes_some = self.function.parameters.iter().any(|p| !p.rest);
            return how & !plainest == 0 && takes_some && self.inner.is_some() && !self.opens();
        }
        if how & How::CONSTANTS != 0 && !self.says_the_same() {
            return false;
        }
        match self.inner() {
            Some(inner) => self.is_hidden() || self.is_second_name(inner),
            None => self.is_hidden() && self.calls_unseen(),
        }
    }

    /// Whether it passes its parameters to a function outside the code base, or to one of several
    /// functions of that name.
    fn calls_unseen(&self) -> bool {
        let how = self.target.how;
        let is_known = || {
            let count = self.snapshot.definitions(self.file, self.target.name);
            self.target.base == NO_NAME && !self.target.own && count > 0
        };
        let is_called = || (self.is_imported || is_known()) && !self.converts();
        let is_named = how & (How::PATH | How::FIELD) != 0 || is_called();
        is_named && how & (How::NO_PARAMETERS | How::PARAMETER) == 0
    }

    /// Whether the callee constructs a value of another type, which the wrapper's name may describe
    /// better.
    fn converts(&self) -> bool {
        let name = self.snapshot.name(self.file, self.target.name);
        name.starts_with(char::is_uppercase) || CONVERSIONS.contains(&name)
    }

    /// Whether only its own file, module or class can call it.
    fn is_hidden(&self) -> bool {
        let conventions = self.snapshot.files[self.file].1.conventions();
        match self.function.traits {
            traits if conventions.naming.names_hide => traits & Traits::PRIVATE != 0,
            traits => traits & Traits::EXPORTED == 0 && !self.opens(),
        }
    }

    /// Whether others can call the callee just as well. A function that exposes a hidden callee is
    /// an interface.
    fn is_second_name(&self, inner: &Function) -> bool {
        let (path, facts) = self.snapshot.files[self.file];
        let (file, _) = self.inner.unwrap_or((self.file, 0));
        let is_plain = self.target.how & !How::PATH == 0;
        let conventions = facts.conventions();
        if conventions.naming.names_hide {
            return (is_plain || inner.traits & Traits::PRIVATE == 0) && !self.opens();
        }
        let is_near = match conventions.wrappers.near {
            Nearness::Folder => folder(path) == folder(self.snapshot.files[file].0),
            Nearness::File => file == self.file,
            Nearness::Everywhere => true,
        };
        // Exported methods may be those of any interface.
        let may_be_prescribed = conventions.has_implicit_methods && self.function.class.is_some();
        is_near
            && inner.traits & Traits::EXPORTED != 0
            && !may_be_prescribed
            && !is_facade(path)
            && !self.opens()
    }

    /// Whether a method exposes a member that is marked as the object's own.
    fn opens(&self) -> bool {
        let name = self.snapshot.name(self.file, self.target.name);
        let own = self.snapshot.name(self.file, self.function.name);
        self.target.own && name.starts_with(['_', '#']) && !own.starts_with(['_', '#'])
    }

    /// Whether its name adds nothing to the callee's name except verbs.
    fn says_the_same(&self) -> bool {
        let name = |name: u32| self.snapshot.name(self.file, name);
        says_the_same(name(self.function.name), name(self.target.name))
    }

    fn finding(&self) -> SignalFinding {
        let name = self.snapshot.name(self.file, self.function.name);
        let shown = match self.inner() {
            Some(inner) => &inner.callable,
            None => self.snapshot.name(self.file, self.target.shown),
        };
        let message = match self.target.how {
            how if how & How::NO_PARAMETERS != 0 => format!("`{name}` only calls `{shown}`."),
            _ => format!("`{name}` only passes its parameters to `{shown}`."),
        };
        let mut finding = SignalFinding::new(
            self.file,
            Signal::TrivialWrapper,
            self.function.place,
            &self.function.callable,
            message,
            name,
        );
        let place = self.inner.zip(self.inner());
        finding.related = place.map(|((file, _), inner)| (file, inner.place.span));
        finding
    }
}

/// Whether a name adds nothing to another one except verbs.
pub(crate) fn says_the_same(own: &str, other: &str) -> bool {
    let telling = |name: &str| {
        let words = split(name);
        let stems = words.iter().filter(|word| !VERBS.contains(&word.as_str()));
        stems.map(|word| stem(word)).collect::<Vec<String>>()
    };
    let (own, other) = (telling(own), telling(other));
    !own.is_empty() && own.iter().all(|word| other.contains(word))
}

/// Functions of languages that construct a value of another type, or test for one.
const CONVERSIONS: &[&str] = &[
    "append",
    "bool",
    "byte",
    "bytes",
    "cap",
    "copy",
    "delete",
    "dict",
    "float",
    "float32",
    "float64",
    "frozenset",
    "getattr",
    "hasattr",
    "int",
    "int32",
    "int64",
    "isinstance",
    "iter",
    "len",
    "list",
    "make",
    "max",
    "min",
    "new",
    "next",
    "open",
    "panic",
    "print",
    "range",
    "repr",
    "require",
    "set",
    "setattr",
    "sorted",
    "str",
    "string",
    "sum",
    "super",
    "tuple",
    "type",
    "uint",
    "uint32",
    "uint64",
    "zip",
];

/// Words in names that express an action without its object.
const VERBS: &[&str] = &[
    "get",
    "fetch",
    "load",
    "read",
    "compute",
    "calculate",
    "calc",
    "build",
    "make",
    "create",
    "do",
    "run",
    "execute",
    "perform",
    "handle",
    "process",
    "find",
    "lookup",
    "retrieve",
    "resolve",
    "obtain",
    "generate",
    "call",
    "invoke",
    "apply",
    "helper",
    "wrapper",
    "the",
    "a",
    "internal",
    "impl",
    "inner",
    "safe",
    "all",
];

/// Whether a file presents its folder's contents to other modules.
fn is_facade(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.split('.').next().unwrap_or(name);
    matches!(
        stem,
        "index" | "mod" | "lib" | "main" | "api" | "public" | "exports"
    )
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
    // A method that calls a function with its own name does not call another method.
    let is_namesake = |target: &Target| !target.own && target.name == function.name;
    let namesakes = u32::from(function.wraps.as_ref().is_some_and(is_namesake));
    function.traits & barred == 0
        && !is_passed(snapshot, file, facts, function)
        // Hooks are called by their names.
        && !snapshot.name(file, function.name).starts_with("pytest_")
        && class.is_none_or(|class| {
            // A base cannot need a private method that is unique here.
            let is_own =
                || function.traits & Traits::PRIVATE != 0 && bases_known(snapshot, file, class);
            (class.bases.is_empty() || is_own())
                && snapshot.subclasses(file, class.name) == 0
                && snapshot.definitions(file, function.name) <= 1 + namesakes
        })
}

/// Whether a function may be passed as a value: it is then an adapter.
fn is_passed(
    snapshot: &Snapshot<'_>,
    file: usize,
    facts: &FileSignals,
    function: &Function,
) -> bool {
    let anywhere = snapshot.mentions(file, function.name);
    let exported = Traits::EXPORTED | Traits::NESTED;
    let conventions = facts.conventions();
    let is_private = if conventions.naming.names_hide {
        function.traits & Traits::PRIVATE != 0
    } else {
        function.traits & exported == 0
    };
    if is_top_level(function) && is_private && anywhere & Mention::EXPORTED == 0 {
        // Variables of other files may have its name.
        let here = facts.mentions.get(function.name as usize).copied();
        return here.unwrap_or(u8::MAX) & (Mention::VALUE | Mention::STRING) != 0;
    }
    let is_behind = function.class.is_some() && conventions.wrappers.hold_methods;
    let as_variable = if is_behind { 0 } else { Mention::VALUE };
    anywhere & (as_variable | Mention::MEMBER | Mention::STRING) != 0
}

/// Functions and imports of a file by name. A file may have very many.
struct Names<'a> {
    functions: Map<u32, Vec<(usize, &'a Function)>>,
    /// Imported modules; the first import of a name counts.
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

/// File and position of the called function, if it is in the code base.
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
        // A call of its own name is a call of an overload.
        let same_holder = |f: &Function| holder(f) == holder(function) && f.class.is_some();
        return own(&|f| f.class == function.class && same_holder(f))
            .filter(|_| target.name != function.name);
    }
    if target.how & How::FIELD != 0 {
        return None;
    }
    if target.how & How::PARAMETER != 0 {
        let is_method = |f: &Function| f.class.is_some() && target.name != function.name;
        let here = own(&is_method).filter(|_| snapshot.definitions(file, target.name) == 1);
        // A type of a library may have a method of the same name, if that is a single word.
        let is_telling = split(snapshot.name(file, target.name)).len() > 1;
        return here.or_else(|| {
            snapshot
                .only_method(file, target.name)
                .filter(|_| is_telling)
        });
    }
    let imports_resolve = snapshot.files[file].1.conventions().naming.imports_resolve;
    if target.base == NO_NAME {
        if target.name == function.name && function.class.is_none() {
            return None;
        }
        let import = names.imports.get(&target.name);
        return own(&is_top_level).or_else(|| {
            if !imports_resolve {
                return snapshot.only_function(file, target.name);
            }
            let import = import?;
            let module = snapshot.number(file, import.module)?;
            snapshot.top_level(module, snapshot.number(file, import.taken)?)
        });
    }
    if !imports_resolve {
        let base = snapshot.name(file, target.base);
        let of_type = own(&|f| f.class.is_some() && holder(f) == base);
        let of_package = || snapshot.in_package(target.base, (file, target.name));
        let alone = || snapshot.only_function(file, target.name);
        return of_type.or_else(alone).or_else(of_package);
    }
    let import = names.bases.get(&target.base);
    let of_module = import.and_then(|import| {
        let module = snapshot.number(file, import.taken)?;
        snapshot.top_level(module, snapshot.number(file, target.name)?)
    });
    of_module.or_else(|| of_class(snapshot, file, target))
}

/// The method called as a member of the class name, if it is the only method of its name.
fn of_class(snapshot: &Snapshot<'_>, file: usize, target: &Target) -> Option<(usize, usize)> {
    let class = snapshot.name(file, target.base);
    let (place, position) = snapshot.only_method(file, target.name)?;
    let method = &snapshot.files[place].1.functions[position];
    (holder(method).rsplit(['.', ':']).next() == Some(class)).then_some((place, position))
}

/// The container in a function's dotted name.
pub(crate) fn holder(function: &Function) -> &str {
    let parts = function.callable.rsplit_once(['.', ':']);
    parts.map_or("", |(holder, _)| holder)
}

fn single_implementations(snapshot: &Snapshot<'_>, file: usize, found: &mut Vec<SignalFinding>) {
    if snapshot.tests[file] {
        return;
    }
    for class in &snapshot.files[file].1.classes {
        let name = snapshot.name(file, class.name);
        let Some(number) = snapshot.number(file, class.name) else {
            continue;
        };
        if !class.is_abstract
            || class.abstract_methods == 0
            || class.nested
            || snapshot.classes(file, class.name) != 1
        {
            continue;
        }
        let mut implementers = snapshot.implementers(number);
        let (Some((other, position)), None) = (implementers.next(), implementers.next()) else {
            continue;
        };
        let inner = &snapshot.files[other].1.classes[position];
        if inner.is_abstract {
            continue;
        }
        let implementer = snapshot.name(other, inner.name);
        let mut finding = SignalFinding::new(
            file,
            Signal::SingleImplementation,
            class.place,
            "",
            format!("`{name}` is abstract, and `{implementer}` is its only implementation."),
            name,
        );
        finding.related = Some((other, inner.place.span));
        found.push(finding);
    }
}
