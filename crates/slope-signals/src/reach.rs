//! Unused private functions in languages whose packages and modules span several files.

use crate::facts::{Function, KEPT, Mention, Traits};
use crate::file_paths::folder;
use crate::keys::{Key, Kind};
use crate::snapshot::Snapshot;
use slope_syntax::conventions::Reach;

/// Maximum number of private functions of one name that are tracked, so that a tree of namesakes
/// costs no more than any other.
const MAX_NAMESAKES: usize = 8;

/// Positions of the private functions of a file without a use within their reach, ascending.
pub(crate) fn unused<'s>(
    snapshot: &'s Snapshot<'_>,
    file: usize,
) -> impl Iterator<Item = usize> + 's {
    let facts = snapshot.files[file].1;
    let has_reach = facts.conventions().reach != Reach::Everywhere;
    let functions = facts
        .functions
        .iter()
        .enumerate()
        .filter(move |_| has_reach);
    functions
        .filter(|(_, function)| {
            function.traits & Traits::PRIVATE != 0 && function.traits & KEPT == 0
        })
        .filter(move |(_, function)| is_unused(snapshot, file, function))
        .map(|(position, _)| position)
}

fn is_unused(snapshot: &Snapshot<'_>, file: usize, function: &Function) -> bool {
    let (path, facts) = snapshot.files[file];
    let own = folder(path);
    let Some(number) = snapshot.number(file, function.name) else {
        return false;
    };
    let is_opaque = |path: &str| {
        let key = Key::of_hash(Kind::Opaque, folder(path));
        snapshot.count(key) > 0
    };
    if is_opaque(path) {
        return false;
    }
    let namesakes = snapshot.listed(Key::of(Kind::Private, number));
    let namesakes = namesakes.filter(|&(other, _)| !is_opaque(snapshot.files[other].0));
    if namesakes.take(MAX_NAMESAKES + 1).count() > MAX_NAMESAKES {
        return false;
    }
    let is_used = |(other, local): (usize, u32)| {
        let (other, there) = snapshot.files[other];
        let bits = there.mentions.get(local as usize).copied().unwrap_or(0);
        let reach = there.conventions().reach;
        reach != Reach::Everywhere
            && is_seen_from(own, folder(other), reach)
            && facts.language == there.language
            && is_use(bits, function.class.is_some())
    };
    !snapshot.mentioners(number, own).into_iter().any(is_used)
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
