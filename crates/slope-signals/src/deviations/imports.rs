//! Import styles.

use super::counter::{Counter, excerpt};
use crate::facts::Habit;
use slope_syntax::Construct;
use slope_syntax::view::View;

const RELATIVE: &str = "are relative";
const ABSOLUTE: &str = "are absolute";

/// Counts imports of Python.
pub(super) fn count_python(view: &View<'_>, counter: &mut Counter) {
    // Conditional imports, such as below `if TYPE_CHECKING`, follow other rules.
    let is_plain = |&&node: &&u32| view.parent(node) == 0;
    let from = view.of_kind(Construct::ImportFrom).iter().filter(is_plain);
    let from: Vec<(u32, &str)> = from
        .filter_map(|&node| Some((node, view.text(view.first(node)?))))
        .collect();
    let is_relative = |module: &str| module.starts_with('.');
    let has_relative = from.iter().any(|(_, module)| is_relative(module));
    for &(node, module) in &from {
        if is_relative(module) {
            counter.quote(view, Habit::OwnImports, RELATIVE, node);
        } else {
            count_module(
                view,
                (node, module),
                "take names from it",
                has_relative,
                counter,
            );
        }
    }
    for &node in view.of_kind(Construct::Import).iter().filter(is_plain) {
        if view.parts(node).count() > 1 {
            counter.quote(view, Habit::ImportLists, "take several modules", node);
        } else {
            counter.usual(Habit::ImportLists, "take one module each", 1);
        }
        for part in view
            .parts(node)
            .filter(|&part| view.k(part) == Construct::DottedName)
        {
            let module = (node, view.text(part));
            count_module(view, module, "take it as a whole", has_relative, counter);
        }
    }
}

/// Counts an import of a module by its full name.
fn count_module(
    view: &View<'_>,
    (node, module): (u32, &str),
    way: &str,
    has_relative: bool,
    counter: &mut Counter,
) {
    let place = (node, excerpt(view, node));
    let root = module.split('.').next().unwrap_or(module);
    if root == module {
        counter.about(Habit::ModuleImports, module, way, place);
    }
    // A place takes space, and is only reported among relative imports.
    if has_relative {
        counter.about(Habit::OwnImports, root, ABSOLUTE, place);
    } else {
        counter.way(Habit::OwnImports, root, ABSOLUTE).count += 1;
    }
}

/// Modules of the runtime that may be imported with the prefix `node:`.
const RUNTIME: &[&str] = &[
    "assert",
    "buffer",
    "child_process",
    "cluster",
    "crypto",
    "dns",
    "events",
    "fs",
    "fs/promises",
    "http",
    "http2",
    "https",
    "module",
    "net",
    "os",
    "path",
    "perf_hooks",
    "process",
    "querystring",
    "readline",
    "stream",
    "stream/promises",
    "timers",
    "timers/promises",
    "tls",
    "tty",
    "url",
    "util",
    "v8",
    "vm",
    "worker_threads",
    "zlib",
];

/// Whether a module is one of the runtime of JavaScript.
#[must_use]
pub fn is_runtime_module(name: &str) -> bool {
    RUNTIME.contains(&name.strip_prefix("node:").unwrap_or(name))
}

/// Counts imports of JavaScript and TypeScript.
pub(super) fn count_script(view: &View<'_>, counter: &mut Counter) {
    for kind in [Construct::Import, Construct::Export] {
        for &node in view.of_kind(kind) {
            let Some(source) = view.last_child(node, Construct::String) else {
                continue;
            };
            if kind == Construct::Import {
                counter.usual(Habit::Loading, "use `import`", 1);
            }
            count_source(
                view,
                node,
                view.text(source).trim_matches(['"', '\'']),
                counter,
            );
        }
    }
    for &call in view.of_kind(Construct::Call) {
        let is_text = view
            .child(call, Construct::Arguments)
            .and_then(|list| view.only(list));
        let is_text = is_text.is_some_and(|only| view.k(only) == Construct::String);
        if view.text(call + 1) == "require" && is_text {
            counter.quote(view, Habit::Loading, "use `require`", call);
        }
    }
}

fn count_source(view: &View<'_>, node: u32, source: &str, counter: &mut Counter) {
    let place = (node, excerpt(view, node));
    if source.starts_with('.') {
        let name = source.rsplit('/').next().unwrap_or(source);
        match name
            .rsplit_once('.')
            .filter(|(stem, _)| !stem.is_empty() && *stem != ".")
        {
            Some((_, suffix @ ("js" | "ts" | "mjs" | "tsx" | "jsx"))) => {
                let way = format!("end in `.{suffix}`");
                counter.odd(Habit::Suffixes, &way, place);
            }
            None if !name.is_empty() => counter.odd(Habit::Suffixes, "have no suffix", place),
            _ => {}
        }
    } else if RUNTIME.contains(&source) {
        counter.odd(Habit::Prefixes, "have no prefix", place);
    } else if source.starts_with("node:") {
        counter.odd(Habit::Prefixes, "begin with `node:`", place);
    }
}
