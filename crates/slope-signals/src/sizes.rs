//! Files and classes that are far larger than others.

use crate::catalogue::Signal;
use crate::facts::{Class, FileSignals};
use crate::signal_finding::{Options, SignalFinding};
use crate::snapshot::Snapshot;
use crate::words::Map;
use slope_syntax::view::Place;

/// Minimum number of classes with one base that form a family.
const FAMILY: u32 = 8;

/// Reports a file that is far larger than others, and such classes in it.
pub(crate) fn find(
    snapshot: &Snapshot<'_>,
    file: usize,
    options: &Options,
    found: &mut Vec<SignalFinding>,
) {
    if snapshot.tests[file] {
        return;
    }
    let (path, facts) = snapshot.files[file];
    found.extend(module(file, path, facts, options));
    for class in &facts.classes {
        if class.sloc > options.class_lines && class.methods > options.class_methods {
            let name = snapshot.name(file, class.name);
            let message = format!(
                "`{name}` has {} source lines and {} methods, more than {} and {}.",
                class.sloc, class.methods, options.class_lines, options.class_methods
            );
            found.push(SignalFinding::new(
                file,
                Signal::GodClass,
                class.place,
                "",
                message,
                name,
            ));
        }
    }
}

/// The finding for a file that is too large.
fn module(
    file: usize,
    path: &str,
    facts: &FileSignals,
    options: &Options,
) -> Option<SignalFinding> {
    let callables = u32::try_from(facts.functions.len()).unwrap_or(u32::MAX);
    let is_large = facts.sloc > options.module_lines && callables > options.module_callables;
    if !is_large || is_list_of_a_family(facts, options.class_lines) {
        return None;
    }
    let name = path.rsplit('/').next().unwrap_or(path);
    let message = format!(
        "{name} has {} source lines and {callables} functions, more than {} and {}.",
        facts.sloc, options.module_lines, options.module_callables
    );
    let start = Place {
        span: slope_model::finding::Span {
            start_line: 1,
            start_column: 1,
            end_line: 1,
            end_column: 1,
        },
        ..Place::default()
    };
    let signal = Signal::GodModule;
    Some(SignalFinding::new(file, signal, start, "", message, ""))
}

/// Whether at least half of a file is one family: classes with the same base, one per action, kind
/// or table, none of them large. Even if there are many, each is read separately.
fn is_list_of_a_family(facts: &FileSignals, large: u32) -> bool {
    #[derive(Default)]
    struct Family {
        members: u32,
        lines: u32,
        largest: u32,
    }
    let mut families: Map<u32, Family> = Map::default();
    let at_top = |class: &&Class| !class.nested;
    for class in facts.classes.iter().filter(at_top) {
        for &base in &class.bases {
            let family = families.entry(base).or_default();
            family.members += 1;
            family.lines += class.sloc;
            family.largest = family.largest.max(class.sloc);
        }
    }
    let is_list = |family: &Family| {
        family.members >= FAMILY && family.largest <= large && 2 * family.lines >= facts.sloc
    };
    families.values().any(is_list)
}
