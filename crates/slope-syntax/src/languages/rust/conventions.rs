//! Facts about the language for signals, besides its syntax.

use super::locals::LOCALS;
use super::prose::PROSE;
use super::tests;
use super::values::VALUES;
use crate::construct::Construct;
use crate::conventions::{
    Comments, Comparison, Conventions, Dialect, Flow, Habits, HandedDown, Imports, Naming,
    Nearness, PLAIN, Reach, TestForm, Tests, TextNames, Wrappers, tells_of_a_state,
};
use crate::text::identifiers;
use crate::view::View;

pub(super) static CONVENTIONS: Conventions = Conventions {
    reach: Reach::FoldersBelow,
    is_private,
    is_decorated: |view, function| !has_harmless_attributes(view, function),
    exempting: &["#![allow(dead_code", "#![allow(unused", "#![cfg("],
    texts_refer: false,
    habits: Some(&HABITS),
    values: Some(&VALUES),
    text_names: TextNames::Braces,
    has_known_parameters: true,
    has_implicit_interfaces: false,
    imports: Imports {
        bound_by: Some(bound_by),
        are_named_in_texts: true,
        handed_down: Some(HandedDown {
            takes_all,
            taken: taken_from_crate,
        }),
        ..Imports::PLAIN
    },
    naming: Naming {
        namesakes_are_apart: true,
        macros_hold_code: true,
        files_are_modules: true,
        ..Naming::PLAIN
    },
    locals: Some(&LOCALS),
    comments: Comments {
        prose: Some(&PROSE),
        are_mere: true,
        ..Comments::PLAIN
    },
    tests: Tests {
        form: TestForm::Function(|view, function, _| tests::is_test(view, function)),
        are_in_products: true,
        hold: tests::hold,
        hold_function: tests::hold_function,
        ..Tests::PLAIN
    },
    wrappers: Wrappers {
        are_known: true,
        near: Nearness::File,
        comparison: Comparison::ByCalls,
        ..Wrappers::PLAIN
    },
    flow: Flow {
        // The compiler reports them, and attributes that take statements out are not seen here.
        hides_statements: true,
        asks_a_generator: |view| view.tree.text().contains("include!("),
        matches_texts: true,
        ..Flow::PLAIN
    },
    ..PLAIN
};

static HABITS: Habits = Habits {
    joins_words: true,
    prescribed: &[],
    plain_errors: &[],
    builtin_errors: &[],
    passes_error: None,
    aborts: Some(aborts),
    levels: &["trace", "debug", "info", "warn", "error"],
    // Error output is for whoever runs the program.
    prints: &["println", "print"],
    is_public: |view, function, _| view.text(function).starts_with("pub "),
    has_optional_types: false,
    dialect: Dialect::Traits,
    shared_logger: None,
    compiler_checks_names: true,
    patterns_borrow_names: false,
};

/// Names of calls that fail for reasons outside the program. Other unwrapped values mostly exist.
const FALLIBLE: &[&str] = &[
    "fs::",
    "File::",
    ".read_",
    ".write_all(",
    ".parse(",
    "parse::<",
    "from_str(",
    "from_slice(",
    "from_reader(",
    "to_string_pretty(",
    "env::var(",
    "current_dir(",
    "from_utf8(",
    ".connect(",
    ".send(",
    ".recv(",
    ".output()",
    ".status()",
    ".spawn()",
    ".query(",
    ".execute(",
    ".fetch",
    "load(",
    "open(",
    "canonicalize(",
];

/// Whether a call unwraps what may fail, or a macro panics, other than in the program's entry.
fn aborts(view: &View<'_>, call: u32) -> bool {
    let is_entry = |function: u32| {
        view.name_of(function)
            .is_some_and(|name| view.text(name) == "main")
    };
    let text = view.text(call);
    let is_inner = view.k(view.scope(call)) == Construct::Lambda;
    let ends = match view.k(call) {
        Construct::Macro => text.starts_with("panic!(") && !tells_of_a_state(text),
        _ => unwraps(view, call) && FALLIBLE.iter().any(|known| text.contains(known)),
    };
    ends && !is_inner
        && view
            .function(call)
            .is_some_and(|function| !is_entry(function))
}

/// Whether a call ends the program if there is no value.
fn unwraps(view: &View<'_>, call: u32) -> bool {
    let called = view.text(call + 1);
    let message = view.text(call).strip_prefix(called).unwrap_or_default();
    called.ends_with(".unwrap")
        || called.ends_with(".expect") && message.starts_with("(\"") && !tells_of_a_state(message)
}

/// Attributes that say nothing of who uses a function. Any other one may export it, register it, or
/// take it out.
const HARMLESS: &[&str] = &[
    "cold",
    "doc",
    "inline",
    "must_use",
    "rustfmt::skip",
    "track_caller",
];

/// Whether a function is one of its module, or a method that belongs to no trait, without `pub`.
fn is_private(view: &View<'_>, function: u32, name: u32) -> bool {
    let holder = view.scope(function);
    view.k(function) == Construct::Function
        && !view.text(function).starts_with("pub")
        && (holder == 0 || view.k(holder) == Construct::Impl)
        && view.text(name) != "main"
        && has_harmless_attributes(view, function)
        && std::iter::successors(Some(view.parent(function)), |&node| Some(view.parent(node)))
            .take_while(|&node| node != 0)
            .all(|node| is_test_module(view, node) || has_harmless_attributes(view, node))
}

/// Whether a node is a module of tests, whose attribute says that it is one.
fn is_test_module(view: &View<'_>, node: u32) -> bool {
    ["mod test ", "mod tests "]
        .iter()
        .any(|start| view.text(node).starts_with(start))
}

/// Whether all attributes directly before an item are in [`HARMLESS`].
fn has_harmless_attributes(view: &View<'_>, item: u32) -> bool {
    let previous = |&node: &u32| view.tree.previous_sibling(node);
    std::iter::successors(view.tree.previous_sibling(item), previous)
        .take_while(|&node| matches!(view.k(node), Construct::Comment | Construct::Decorator))
        .filter(|&node| view.k(node) == Construct::Decorator)
        .all(|node| {
            let inner = view.text(node).trim_start_matches(['#', '[', ' ']);
            let name = inner.split(['(', ']', '=', ' ']).next().unwrap_or_default();
            let lint = matches!(name, "allow" | "expect" | "warn" | "deny");
            let keeps = ["dead_code", "unused"]
                .iter()
                .any(|word| inner.contains(word));
            HARMLESS.contains(&name) || lint && !keeps
        })
}

/// Types of the standard library. Unlike traits, none of their methods needs the import.
const TYPES: &[&str] = &[
    "Arc",
    "AtomicBool",
    "AtomicU32",
    "AtomicU64",
    "AtomicUsize",
    "BTreeMap",
    "BTreeSet",
    "BinaryHeap",
    "BufReader",
    "BufWriter",
    "Cell",
    "Child",
    "Command",
    "Cow",
    "Cursor",
    "Duration",
    "File",
    "HashMap",
    "HashSet",
    "Instant",
    "Mutex",
    "NonZeroU32",
    "NonZeroU64",
    "NonZeroUsize",
    "OnceCell",
    "OnceLock",
    "OpenOptions",
    "Ordering",
    "OsStr",
    "OsString",
    "Path",
    "PathBuf",
    "PhantomData",
    "Pin",
    "Rc",
    "RefCell",
    "RwLock",
    "Stdio",
    "SystemTime",
    "TcpListener",
    "TcpStream",
    "VecDeque",
];

/// The name nodes of a `use` that are used only by name. The name of a type may belong to a trait,
/// whose methods use it invisibly.
fn bound_by(view: &View<'_>, import: u32) -> Vec<u32> {
    let text = view.text(import);
    // Macros may name the crate as other code does: `use crate as name`.
    let is_open = text.starts_with("pub") || text.starts_with("use crate as ");
    if is_open || !has_harmless_attributes(view, import) {
        return Vec::new();
    }
    let mut bound = Vec::new();
    // Text before a list or name, because `self` in a list refers to it.
    let mut rest: Vec<(u32, Option<u32>)> = view.parts(import).map(|part| (part, None)).collect();
    while let Some((node, path)) = rest.pop() {
        match view.k(node) {
            Construct::Identifier => bound.push(node),
            Construct::DottedName => bound.extend(view.last_child(node, Construct::Identifier)),
            Construct::Alias => bound.extend(view.last_child(node, Construct::Identifier)),
            Construct::Wildcard => {}
            _ if view.text(node) == "self" => bound.extend(path),
            _ => {
                let mut parts: Vec<u32> = view.parts(node).collect();
                let is_scoped = view.tree.kind_name(node) == "scoped_use_list";
                let path = if is_scoped && parts.len() > 1 {
                    let first = parts.remove(0);
                    view.last_child(first, Construct::Identifier)
                        .or(Some(first))
                } else {
                    path
                };
                rest.extend(parts.into_iter().map(|part| (part, path)));
            }
        }
    }
    let is_standard = ["use std::", "use core::", "use alloc::"]
        .iter()
        .any(|start| text.starts_with(start));
    bound.retain(|&name| {
        let text = view.text(name);
        let is_type = text.starts_with(char::is_uppercase) && text.contains(char::is_lowercase);
        // A program starts at `main`, wherever it comes from.
        text != "main" && (!is_type || is_standard && TYPES.contains(&text))
    });
    bound.sort_unstable();
    bound
}

/// Whether a file takes all that a module outside it has, which private imports are part of for
/// modules below.
fn takes_all(view: &View<'_>) -> bool {
    let all = view.of_kind(Construct::Wildcard).iter();
    let mut imports = all.map(|&wildcard| (view.parent(wildcard), view.text(wildcard)));
    imports.any(|(import, path)| {
        let is_own = ["super::", "crate::"]
            .iter()
            .any(|start| path.starts_with(start));
        is_own && (view.parent(import) == 0 || path.starts_with("crate::"))
    })
}

/// Names that a file takes from modules of its crate, by paths such as `crate::a::b` and `super::{b, c}`. Private imports
/// of a module above are among them.
fn taken_from_crate<'a>(view: &View<'a>) -> Vec<&'a str> {
    let language = view.tree.language();
    let kinds = (0..language.kind_count()).map(|kind| language.kind_name(kind));
    let are_paths: Vec<bool> = kinds.map(|kind| kind.starts_with("scoped_")).collect();
    let is_path = |node: u32| {
        let kind = view.tree.kinds()[node as usize];
        are_paths.get(usize::from(kind)) == Some(&true)
    };
    let is_own = |text: &str| text.starts_with("crate::") || text.starts_with("super::");
    let nodes = view.all().map(|(node, _)| node);
    let paths = nodes.filter(|&node| is_path(node) && !is_path(view.parent(node)));
    let own = paths
        .map(|node| view.text(node))
        .filter(|text| is_own(text));
    own.flat_map(identifiers).collect()
}
