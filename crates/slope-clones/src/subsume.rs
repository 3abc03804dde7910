//! Removes classes that a larger class makes redundant.

use slope_model::measurement::CloneKind;

use crate::place::{Class, Place};

/// Maximum number of classes around a member that are checked for covering its class. Only
/// adversarial code nests more.
const MAX_AROUND: usize = 64;

/// Drops every class whose members are all inside members of one other class. Near misses do not
/// hide clones of types 1 and 2. Keeps the order.
pub(crate) fn drop_covered(classes: Vec<Class>, files: usize) -> Vec<Class> {
    let mut by_file: Vec<Vec<(u32, std::cmp::Reverse<u32>, u32)>> = vec![Vec::new(); files];
    for (index, class) in (0..).zip(&classes) {
        for member in &class.members {
            let end = std::cmp::Reverse(member.end_byte);
            by_file[member.file as usize].push((member.start_byte, end, index));
        }
    }
    let mut covered = vec![false; classes.len()];
    for places in &mut by_file {
        places.sort_unstable();
        drop_in_file(&classes, places, &mut covered);
    }
    let mut covered = covered.into_iter();
    let mut kept = classes;
    kept.retain(|_| !covered.next().unwrap_or(false));
    kept
}

/// Checks the classes with their first member in one file.
fn drop_in_file(
    classes: &[Class],
    places: &[(u32, std::cmp::Reverse<u32>, u32)],
    covered: &mut [bool],
) {
    let mut around: Vec<(u32, u32)> = Vec::new();
    for (position, &(start, std::cmp::Reverse(end), index)) in places.iter().enumerate() {
        around.retain(|&(end, _)| end > start);
        let class = &classes[index as usize];
        let first = class.members[0];
        let here = (first.start_byte, first.end_byte) == (start, end);
        // Equal places are neighbours; those after this one count as around it, too.
        let equal = places[position + 1..]
            .iter()
            .take_while(|&&(s, e, _)| (s, e.0) == (start, end))
            .map(|&(_, e, other)| (e.0, other));
        if here && !covered[index as usize] {
            let mut candidates = around.iter().copied().rev().chain(equal).take(MAX_AROUND);
            covered[index as usize] = candidates.any(|(other_end, other)| {
                other != index && other_end >= end && hides(classes, other, index)
            });
        }
        around.push((end, index));
    }
}

/// Whether class `outer` makes class `inner` redundant.
fn hides(classes: &[Class], outer: u32, inner: u32) -> bool {
    let (a, b) = (&classes[outer as usize], &classes[inner as usize]);
    if a.kind == CloneKind::NearMiss && b.kind != CloneKind::NearMiss {
        return false;
    }
    if !covers(a, b) {
        return false;
    }
    // If two cover each other, the stronger is kept, then the first.
    !covers(b, a) || (a.kind, outer) < (b.kind, inner)
}

/// Whether each member of `inner` is in one of `outer`.
fn covers(outer: &Class, inner: &Class) -> bool {
    inner.members.iter().all(|member| {
        let after = outer.members.partition_point(|m| key(m) <= key(member));
        after.checked_sub(1).is_some_and(|at| {
            let around = &outer.members[at];
            around.file == member.file && around.end_byte >= member.end_byte
        })
    })
}

fn key(place: &Place) -> (u32, u32) {
    (place.file, place.start_byte)
}

/// Whether two lists of places, both in order, share any byte.
pub(crate) fn overlap(a: &[Place], b: &[Place]) -> bool {
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        let (x, y) = (&a[i], &b[j]);
        let apart = x.file != y.file || x.end_byte <= y.start_byte || y.end_byte <= x.start_byte;
        if !apart {
            return true;
        }
        if key(x) < key(y) {
            i += 1;
        } else {
            j += 1;
        }
    }
    false
}
