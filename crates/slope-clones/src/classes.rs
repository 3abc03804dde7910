//! Builds clone classes from the facts of files.

use rayon::prelude::*;
use slope_model::measurement::CloneKind;
use slope_syntax::{LineSet, Profile};

use crate::file::FileClones;
use crate::place::{Class, Entry, class, place};
use crate::subsume::drop_covered;
use crate::{Memo, near, runs};

/// Similarity in thousandths from which two constructs are near misses.
pub const DEFAULT_SIMILARITY: u16 = 700;

/// Options of clone detection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// The profile that the facts were made by.
    pub profile: Profile,
    /// Minimum similarity of near misses, in thousandths; `None` to skip them. The paper's profile
    /// has none.
    pub similarity: Option<u16>,
}

impl Options {
    /// Options of a profile.
    #[must_use]
    pub fn of(profile: Profile) -> Self {
        Self {
            profile,
            similarity: (profile == Profile::Slope).then_some(DEFAULT_SIMILARITY),
        }
    }
}

/// Clones of a snapshot.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CloneReport {
    /// Classes outside other classes: those with the most tokens to save first, then by position.
    pub classes: Vec<Class>,
    /// For each file the rows, of any kind, of its clones of types 1 and 2.
    pub clone_lines: Vec<LineSet>,
    /// For each file, the rows of its near misses. Empty sets if near misses are not searched.
    pub near_lines: Vec<LineSet>,
}

/// Finds the clones of a snapshot. `files` must be in the order of their paths.
///
/// Runs in the caller's thread pool. The result does not depend on the number of threads, and apart
/// from its order not on that of the files.
#[must_use]
pub fn classes(files: &[&FileClones], options: &Options) -> CloneReport {
    classes_with(files, options, None)
}

/// As [`classes`], reusing results of earlier runs over nearly the same files. The result is the
/// same.
#[must_use]
pub fn classes_with(files: &[&FileClones], options: &Options, memo: Option<&Memo>) -> CloneReport {
    let groups = unit_groups(files, options.profile);
    let mut report = CloneReport {
        classes: Vec::new(),
        clone_lines: vec![LineSet::default(); files.len()],
        near_lines: vec![LineSet::default(); files.len()],
    };
    let mut found: Vec<Class> = groups
        .chunk_by(|a, b| a.key == b.key)
        .filter(|group| group.len() > 1)
        .map(|group| unit_class(files, group))
        .collect();
    if options.profile == Profile::Slope {
        found.extend(runs::classes(files));
    }
    mark(&found, &mut report.clone_lines);
    if let Some(similarity) = options.similarity {
        let near = near::classes(files, &groups, similarity, memo);
        mark(&near, &mut report.near_lines);
        found.extend(near);
    }
    found.sort_by_cached_key(|class| {
        let spare = u64::from(class.tokens) * (class.members.len() as u64 - 1);
        (std::cmp::Reverse(spare), class.kind, class.members.clone())
    });
    report.classes = drop_covered(found, files.len());
    report
}

/// All constructs, with equal ones adjacent, in order of file and position.
fn unit_groups(files: &[&FileClones], profile: Profile) -> Vec<Entry> {
    let mut entries = Vec::with_capacity(files.iter().map(|file| file.units.len()).sum());
    for (index, file) in (0..).zip(files) {
        let scope = match profile {
            Profile::Slope => 0,
            Profile::Paper => index,
        };
        entries.extend((0..).zip(&file.units).map(|(unit, found)| Entry {
            key: (u128::from_le_bytes(found.renamed.0), scope),
            file: index,
            unit,
        }));
    }
    entries.par_sort_unstable();
    entries
}

fn unit_class(files: &[&FileClones], group: &[Entry]) -> Class {
    let first = group[0].unit(files);
    let equal = group.iter().all(|e| e.unit(files).exact == first.exact);
    let members = group.iter().map(|e| place(files, e, 1000)).collect();
    let kind = if equal {
        CloneKind::Exact
    } else {
        CloneKind::Renamed
    };
    class(kind, members, 0, first.renamed)
}

/// Adds the rows of all members.
fn mark(classes: &[Class], lines: &mut [LineSet]) {
    for member in classes.iter().flat_map(|class| &class.members) {
        lines[member.file as usize].insert_range(member.first_row, member.last_row);
    }
}
