//! Functions by their names, and what those of a name give back.

use crate::facts::{Function, NO_NAME, ResultOf};
use crate::snapshot::{Snapshot, folder};
use crate::words::Map;

/// File and position of the functions of each name that a finding depends on.
pub(crate) type ByName = Map<u32, Vec<(usize, usize)>>;

/// The functions on whose results findings depend.
pub(crate) fn by_name(snapshot: &Snapshot<'_>) -> ByName {
    let mut found = ByName::default();
    for (file, (_, facts)) in snapshot.files.iter().enumerate() {
        let results = facts.local.iter().filter_map(|local| local.result);
        for number in results.filter_map(|result| snapshot.number(file, result.name)) {
            found.entry(number).or_default();
        }
    }
    if found.is_empty() {
        return found;
    }
    for (file, (_, facts)) in snapshot.files.iter().enumerate() {
        for (position, function) in facts.functions.iter().enumerate() {
            let number = snapshot.number(file, function.name);
            if let Some(same) = number.and_then(|number| found.get_mut(&number)) {
                same.push((file, position));
            }
        }
    }
    found
}

/// Whether a call in a file can only be of functions that give back one of some things.
pub(crate) fn gives_back(
    snapshot: &Snapshot<'_>,
    functions: &ByName,
    file: usize,
    result: &ResultOf,
) -> bool {
    let number = snapshot.number(file, result.name);
    let Some(same) = number.and_then(|number| functions.get(&number)) else {
        return false;
    };
    let facts = snapshot.files[file].1;
    let of = |&(file, position): &(usize, usize)| -> (&str, &Function) {
        let (path, facts) = snapshot.files[file];
        (path, &facts.functions[position])
    };
    let is_same_language =
        |&&(other, _): &&(usize, usize)| snapshot.files[other].1.language == facts.language;
    let agree = same.iter().filter(is_same_language).all(|one| {
        let returned = of(one).1.returned;
        returned.is_some_and(|returned| result.returned & returned.bit() != 0)
    });
    agree
        && same.iter().filter(is_same_language).any(|one| {
            let (path, function) = of(one);
            is_called(snapshot, file, result, (one.0, path, function))
        })
}

/// Whether a call is one of a function, and not of a namesake in a library.
fn is_called(
    snapshot: &Snapshot<'_>,
    file: usize,
    result: &ResultOf,
    (other, path, function): (usize, &str, &Function),
) -> bool {
    let is_module = |name: &str| {
        path.rsplit('/')
            .take(2)
            .any(|part| part.split('.').next() == Some(name))
    };
    let is_method = function.class.is_some();
    let is_of_package =
        snapshot.files[file].1.language == "go" && folder(path) == folder(snapshot.files[file].0);
    if result.object == NO_NAME {
        let is_taken = || {
            let mut imports = snapshot.files[file].1.imports.iter();
            imports.any(|import| {
                import.name == result.name
                    && import.module != NO_NAME
                    && is_module(snapshot.name(file, import.module))
            })
        };
        let is_reached = other == file || is_of_package || result.is_taken || is_taken();
        return !is_method && is_reached;
    }
    if is_method {
        // Other objects may have a method of the same name.
        return result.is_own && (other == file || is_of_package);
    }
    is_module(snapshot.name(file, result.object))
}
