//! Imports, private functions and private classes that no file uses.

use crate::catalogue::Signal;
use crate::contributions::USED;
use crate::facts::{Class, FileSignals, Function, Import, KEPT, Mention, NO_NAME, Traits};
use crate::keys::{Key, Kind};
use crate::reach;
use crate::signal_finding::SignalFinding;
use crate::snapshot::{Snapshot, is_builtin};
use crate::words::Map;
use slope_syntax::Language;
use slope_syntax::conventions::Reach;

/// Reports what nothing uses in a file.
pub(crate) fn find(snapshot: &Snapshot<'_>, file: usize, found: &mut Vec<SignalFinding>) {
    let (path, facts) = snapshot.files[file];
    let is_kept = exports_its_imports(path, facts)
        || is_migration(path, facts)
        || facts.conventions().imports.hand_on_unmarked && is_template(path);
    if !is_kept {
        imports(snapshot, file, facts, found);
    }
    if facts.conventions().reach == Reach::Everywhere {
        let functions = facts.functions.iter();
        let functions = functions.filter(|function| is_dead(snapshot, file, facts, function));
        found.extend(functions.map(|function| dead_function(snapshot, file, function)));
    }
    let classes = facts.classes.iter();
    let classes = classes.filter(|class| is_dead_class(snapshot, file, class));
    found.extend(classes.map(|class| dead_class(snapshot, file, class)));
    found.extend(reach::unused(snapshot, file).map(|position| {
        let function = &facts.functions[position];
        dead_function(snapshot, file, function)
    }));
}

fn dead_function(snapshot: &Snapshot<'_>, file: usize, function: &Function) -> SignalFinding {
    let name = snapshot.name(file, function.name);
    let what = if function.class.is_some() {
        "method"
    } else {
        "function"
    };
    SignalFinding::new(
        file,
        Signal::UnusedPrivateFunction,
        function.place,
        &function.callable,
        format!("The private {what} `{name}` is never used."),
        name,
    )
}

fn dead_class(snapshot: &Snapshot<'_>, file: usize, class: &Class) -> SignalFinding {
    let name = snapshot.name(file, class.name);
    let message = format!("The private class `{name}` is never used.");
    SignalFinding::new(
        file,
        Signal::UnusedPrivateClass,
        class.place,
        "",
        message,
        name,
    )
}

/// Whether the purpose of a file is to re-export names.
fn exports_its_imports(path: &str, facts: &FileSignals) -> bool {
    let is_imported = Language::of_path(path.as_ref()).is_none_or(Language::is_imported);
    // In some languages a module re-exports only marked names.
    if !is_imported || facts.conventions().naming.exports_are_marked {
        return false;
    }
    let file = path.rsplit('/').next().unwrap_or(path);
    let gathers = [
        "__init__.",
        "conftest.",
        "index.",
        "compat",
        "settings",
        "shim",
    ];
    let defined = facts.functions.len() + facts.classes.len();
    // `api.py` collects a library's names, unless it contains an interface's code.
    let only_imports = facts.conventions().imports.hand_on_unmarked
        && (defined == 0 || file == "api.py" && facts.imports.len() > 5 * defined);
    only_imports || gathers.iter().any(|g| file.contains(g))
}

/// Whether a module below a file of Rust may use a private import of it, by its number.
fn is_handed_down(snapshot: &Snapshot<'_>, file: usize, local: u32) -> bool {
    let (path, facts) = snapshot.files[file];
    let Some(number) = snapshot.number(file, local) else {
        return false;
    };
    let module = path.strip_suffix(".rs").unwrap_or(path);
    let stem = module.rsplit('/').next().unwrap_or(module);
    let has_below = matches!(stem, "lib" | "main" | "mod")
        || snapshot.count(Key::of_hash(Kind::HandedFolder, module)) > 0;
    // Other modules of a small program are nearby.
    let is_program = ["tests/", "benches/", "examples/", "bin/"]
        .iter()
        .any(|folder| {
            module
                .strip_suffix(stem)
                .is_some_and(|rest| rest.ends_with(folder))
        });
    let own = facts.taken_from_crate.contains(&local);
    let takers = snapshot.count(Key::of(Kind::HandedDown, number));
    let is_taken =
        takers > u32::from(own) || snapshot.count(Key::of(Kind::HandedToAll, number)) > 0;
    (has_below || is_program) && is_taken
}

/// Whether a file is in a folder of migrations, whose files begin as copies of a template.
fn is_migration(path: &str, facts: &FileSignals) -> bool {
    let folders = ["migrations", "alembic"];
    facts.conventions().imports.hand_on_unmarked
        && folders.iter().any(|folder| is_below(path, folder))
}

/// Whether a file is a template to copy or fill in, by its name or a folder's name.
fn is_template(path: &str) -> bool {
    let is_template = |word: &str| matches!(word, "template" | "templates" | "cookiecutter");
    let (folders, file) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = file.split('.').next().unwrap_or(file);
    // A module `template` contains code that processes templates.
    stem.rsplit_once('_')
        .is_some_and(|(_, last)| is_template(last))
        || folders.split(['/', '_', '-']).any(is_template)
}

/// Whether a path has a folder of some name.
fn is_below(path: &str, folder: &str) -> bool {
    path.rsplit('/').skip(1).any(|part| part == folder)
}

fn imports(
    snapshot: &Snapshot<'_>,
    file: usize,
    facts: &FileSignals,
    found: &mut Vec<SignalFinding>,
) {
    let exports = |&bits: &u8| bits & Mention::EXPORTED != 0;
    let is_whole = !facts.mentions.iter().any(exports) && snapshot.is_taken_whole(file);
    // A file that re-exports one name of a module re-exports the others that it imports from there.
    let handed_on: Map<u32, ()> = facts
        .imports
        .iter()
        .filter(|import| import.unused && import.callable.is_empty())
        .filter(|import| snapshot.is_taken_from(file, import.name))
        .map(|import| (import.module, ()))
        .collect();
    for import in facts.imports.iter().filter(|import| import.unused) {
        // In a test, the import itself may be the subject.
        if !import.callable.is_empty() && snapshot.tests[file] {
            continue;
        }
        let is_handed_on = is_whole
            || facts.conventions().imports.handed_down.is_some()
                && is_handed_down(snapshot, file, import.name)
            || snapshot.is_taken_from(file, import.name)
            || import.module != NO_NAME && handed_on.contains_key(&import.module);
        if import.callable.is_empty() && is_handed_on {
            continue;
        }
        let name = snapshot.name(file, import.name);
        if is_for_effect(snapshot, file, import, name) {
            continue;
        }
        found.push(SignalFinding::new(
            file,
            Signal::UnusedImport,
            import.place,
            &import.callable,
            format!("`{name}` is imported and never used."),
            name,
        ));
    }
}

/// Whether a module is imported for its side effects: a part of the package itself, or a Python
/// module with effects.
fn is_for_effect(snapshot: &Snapshot<'_>, file: usize, import: &Import, module: &str) -> bool {
    let (path, facts) = snapshot.files[file];
    let is_whole = import.module == NO_NAME && facts.conventions().imports.run_modules;
    let acts = || {
        let number = snapshot.number(file, import.name);
        number.is_some_and(|number| snapshot.count(Key::of(Kind::Acts, number)) > 0)
    };
    import.dotted && is_below(path, module) || is_whole && acts()
}

fn is_dead(snapshot: &Snapshot<'_>, file: usize, facts: &FileSignals, function: &Function) -> bool {
    let class = function.class.and_then(|c| facts.classes.get(c as usize));
    let in_test = facts.conventions().tests.have_private_hooks && snapshot.tests[file];
    function.traits & Traits::PRIVATE != 0
        && function.traits & KEPT == 0
        && !in_test
        && snapshot.mentions(file, function.name) & USED == 0
        && snapshot.definitions(file, function.name) == 1
        && class.is_none_or(|class| {
            has_private_methods(facts)
                || bases_known(snapshot, file, class) && !is_mixin(snapshot.name(file, class.name))
        })
        && !is_dispatched(snapshot, file, function)
        && !class.is_some_and(|class| is_called_mangled(snapshot, file, class, function))
}

/// Whether a text may be the beginning of a function's name, and so a dynamic call; for hidden
/// methods only texts of their own file count.
fn is_dispatched(snapshot: &Snapshot<'_>, file: usize, function: &Function) -> bool {
    let (name, facts) = (snapshot.name(file, function.name), snapshot.files[file].1);
    if function.class.is_none() || !has_private_methods(facts) {
        return snapshot.is_dispatched(name);
    }
    let mut prefixes = facts
        .prefixes
        .iter()
        .map(|&prefix| snapshot.name(file, prefix));
    prefixes.any(|prefix| name.starts_with(prefix))
}

/// Whether the language hides private methods from base classes and derived ones.
fn has_private_methods(facts: &FileSignals) -> bool {
    facts.conventions().naming.methods_can_hide
}

/// Whether a class is a mixin, whose other base classes may call its methods.
pub(crate) fn is_mixin(class: &str) -> bool {
    class.to_ascii_lowercase().contains("mixin")
}

/// Whether a method `__f` of a class `A` is used from outside, where its name is `_A__f`.
fn is_called_mangled(
    snapshot: &Snapshot<'_>,
    file: usize,
    class: &Class,
    function: &Function,
) -> bool {
    let name = snapshot.name(file, function.name);
    let class = snapshot.name(file, class.name).trim_start_matches('_');
    name.starts_with("__") && snapshot.mentions_of(&format!("_{class}{name}")) & USED != 0
}

/// Whether all bases are classes of the code base; others may call methods by name.
pub(crate) fn bases_known(snapshot: &Snapshot<'_>, file: usize, class: &Class) -> bool {
    class.bases.iter().all(|&base| {
        let is_plain = || snapshot.has_plain_bases(file, base);
        is_builtin(snapshot.name(file, base)) || is_of_code_base(snapshot, file, base) && is_plain()
    })
}

/// Whether a base is a class of this file, or imported from a known file.
fn is_of_code_base(snapshot: &Snapshot<'_>, file: usize, base: u32) -> bool {
    let facts = snapshot.files[file].1;
    let here = facts.classes.iter().any(|class| class.name == base);
    let import = facts.imports.iter().find(|import| import.name == base);
    let there = import.is_some_and(|import| snapshot.is_module(file, import.module));
    here || (there && snapshot.classes(file, base) == 1)
}

fn is_dead_class(snapshot: &Snapshot<'_>, file: usize, class: &Class) -> bool {
    let name = snapshot.name(file, class.name);
    let is_private = name.starts_with('_') && !name.starts_with("__");
    is_private
        && !class.decorated
        && !class.exported
        && class.bases.is_empty()
        && snapshot.mentions(file, class.name) & USED == 0
        && snapshot.classes(file, class.name) == 1
}
