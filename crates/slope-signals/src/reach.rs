//! Unused private functions in languages whose packages and modules span several files.

use crate::facts::{FileSignals, Function, Mention, Traits};
use crate::snapshot::{Snapshot, folder};
use crate::words::Map;
use slope_syntax::conventions::Reach;

/// Maximum number of private functions of one name that are tracked, so that a tree of namesakes
/// costs no more than any other.
const MAX_NAMESAKES: usize = 8;

/// Properties that keep a private function from being reported, used or not.
pub(crate) const KEPT: u32 = Traits::DECORATED
    | Traits::SPECIAL
    | Traits::STUB
    | Traits::NESTED
    | Traits::OVERRIDE
    | Traits::ABSTRACT
    | Traits::SPARED
    | Traits::EXPORTED;

/// A private function, and the folder from which it is visible.
struct Candidate<'a> {
    file: usize,
    position: usize,
    folder: &'a str,
    is_method: bool,
    used: bool,
}

/// File and position of the private functions without a use within their reach, ascending.
pub(crate) fn unused(snapshot: &Snapshot<'_>) -> Vec<(usize, usize)> {
    let mut candidates = candidates(snapshot);
    candidates.retain(|_, same| same.len() <= MAX_NAMESAKES);
    if candidates.is_empty() {
        return Vec::new();
    }
    for (file, (path, facts)) in snapshot.files.iter().enumerate() {
        let reach = facts.conventions().reach;
        if reach == Reach::Everywhere {
            continue;
        }
        let folder = folder(path);
        for (local, &bits) in (0u32..).zip(&facts.mentions) {
            let number = snapshot.number(file, local);
            let Some(same) = number.and_then(|number| candidates.get_mut(&number)) else {
                continue;
            };
            for candidate in same {
                candidate.used |= is_seen_from(candidate.folder, folder, reach)
                    && snapshot.files[candidate.file].1.language == facts.language
                    && is_use(bits, candidate.is_method);
            }
        }
    }
    let unused = candidates.into_values().flatten().filter(|c| !c.used);
    let mut unused: Vec<_> = unused.map(|c| (c.file, c.position)).collect();
    unused.sort_unstable();
    unused
}

/// Private functions that may be unused, by the number of their name.
fn candidates<'a>(snapshot: &Snapshot<'a>) -> Map<u32, Vec<Candidate<'a>>> {
    let opaque = opaque_folders(snapshot);
    let mut found: Map<u32, Vec<Candidate<'a>>> = Map::default();
    for (file, &(path, facts)) in snapshot.files.iter().enumerate() {
        let folder = folder(path);
        let is_far = facts.conventions().reach == Reach::Everywhere;
        if is_far || opaque.contains_key(folder) {
            continue;
        }
        for (position, function) in facts.functions.iter().enumerate() {
            let is_private = function.traits & Traits::PRIVATE != 0;
            if is_private
                && function.traits & KEPT == 0
                && let Some(number) = snapshot.number(file, function.name)
            {
                found.entry(number).or_default().push(Candidate {
                    file,
                    position,
                    folder,
                    is_method: function.class.is_some(),
                    used: false,
                });
            }
        }
    }
    found
}

/// Folders with invisible code: Go functions without a body are in assembly, which may call others
/// or be called, and generators write calls into files that are left out.
fn opaque_folders<'a>(snapshot: &Snapshot<'a>) -> Map<&'a str, ()> {
    let is_stub = |function: &Function| function.traits & Traits::STUB != 0;
    let is_opaque = |facts: &FileSignals| {
        let has_stubs = facts.conventions().flow.has_foreign_bodies;
        facts.generates || has_stubs && facts.functions.iter().any(is_stub)
    };
    let files = snapshot.files.iter();
    let opaque = files.filter(|(_, facts)| is_opaque(facts));
    opaque.map(|(path, _)| (folder(path), ())).collect()
}

/// Whether private names of a folder are visible from another one.
fn is_seen_from(folder: &str, other: &str, reach: Reach) -> bool {
    match reach {
        Reach::Folder => folder == other,
        _ => {
            let below = other.strip_prefix(folder);
            below.is_some_and(|rest| folder.is_empty() || rest.is_empty() || rest.starts_with('/'))
        }
    }
}

/// Whether mentions of a name may be uses. A function is not called after a dot.
fn is_use(bits: u8, is_method: bool) -> bool {
    let members = Mention::MEMBER | Mention::MEMBER_CALLED;
    let used = Mention::CALLED | Mention::VALUE | Mention::STRING | Mention::IMPORTED;
    bits & (used | if is_method { members } else { 0 }) != 0
}
