//! `p_cx`: structural complexity that an edit adds.
//!
//! `0.5 sat(concentration) + 0.2 sat(nesting) + 0.3 sat(growth)`, and what is left of 1 times a part for
//! needless code. All are differences of sums over the functions of the touched files, so moved code counts
//! nothing. A function's length is its statements times the lines that a statement of the base has: layout counts
//! nothing either. `units` has what a function is.

use std::collections::BTreeMap;

use slope_measure::FileView;

use super::judged::{Judged, Scored, evidence, number, place};
use super::units::{Unit, names, units};
use crate::reward::saturated;
use slope_model::grade::Evidence;

const SIGNAL: &str = "p_cx";

/// Weight of needless code.
const NEEDLESS: f64 = 0.3;
/// Categories of findings about code that does nothing.
const NEEDLESS_CATEGORIES: [&str; 4] = [
    "needless-layer",
    "defensive-noise",
    "conditionals",
    "verbosity",
];

/// Sums over the functions of one side.
#[derive(Default, Clone, Copy)]
struct Sums {
    concentration: f64,
    nesting: f64,
    /// Cognitive complexity and length of functions that both sides have.
    cognitive: f64,
    length: f64,
    /// Cognitive complexity of the other ones beyond what each may have.
    excess: f64,
    outside: f64,
}

/// Complexity outside functions, which has no allowance, and that of all units.
fn sums(judged: &Judged<'_>, sides: &[Sides<'_>], per_line: f64) -> [Sums; 2] {
    let mut sums = [Sums::default(); 2];
    for sides in sides {
        for (units, sums) in sides.units.iter().zip(&mut sums) {
            for unit in units {
                sums.concentration += unit.concentration();
                sums.nesting += unit.nesting;
                if unit.is_lone {
                    sums.excess += unit.excess(per_line);
                } else {
                    sums.cognitive += unit.cognitive;
                    sums.length += unit.length;
                }
            }
        }
    }
    for (old, new) in judged.product_files() {
        for (view, sums) in [old, new].into_iter().zip(&mut sums) {
            let outside = view.and_then(FileView::cognitive_outside);
            sums.outside += f64::from(outside.unwrap_or(0));
        }
    }
    sums
}

/// The functions of a file before and after the edit.
pub(super) struct Sides<'a> {
    path: &'a str,
    pub(super) units: [Vec<Unit<'a>>; 2],
}

/// The functions of all files of production code; new and removed ones with the functions in them, if `whole`.
pub(super) fn sides<'a>(judged: &Judged<'a>, whole: bool) -> Vec<Sides<'a>> {
    let mut before = names(judged.product_files().map(|(before, _)| before));
    let mut after = names(judged.product_files().map(|(_, after)| after));
    if !whole {
        before.append(&mut after);
        after.clone_from(&before);
    }
    let files = judged
        .product_files()
        .filter(|(old, new)| match (old, new) {
            // Other files are there for the clones in them.
            (Some(old), Some(new)) => !old.is_same_content(new),
            _ => true,
        });
    files
        .map(|(old, new)| Sides {
            path: new.or(old).map_or("", FileView::path),
            units: [
                old.map_or_else(Vec::new, |view| units(judged, view, true, &after)),
                new.map_or_else(Vec::new, |view| units(judged, view, false, &before)),
            ],
        })
        .collect()
}

pub(super) fn score(judged: &Judged<'_>) -> Scored {
    let sides = sides(judged, true);
    let per_line = judged.per_line(judged.base.code.product().cognitive);
    let [before, after] = sums(judged, &sides, per_line);
    let scales = &judged.pack.scales;
    // New functions allow existing ones nothing: simple ones would hide the complexity of others.
    let allowed = per_line * (after.length - before.length).max(0.0);
    let growth = after.cognitive - before.cognitive - allowed + after.excess - before.excess
        + after.outside
        - before.outside;
    let structure =
        0.5 * saturated(
            after.concentration - before.concentration,
            scales.concentration,
        ) + 0.2 * saturated(after.nesting - before.nesting, scales.nesting)
            + 0.3 * saturated(growth, scales.growth);
    let is_needless = |category: &str| NEEDLESS_CATEGORIES.contains(&category);
    let findings = judged.findings();
    let needless = findings.filter(|(_, finding)| is_needless(&finding.category));
    let needless =
        needless.map(|(violation, finding)| evidence(SIGNAL, violation, &finding.rule, 1.0));
    let mut found: Vec<Evidence> = needless.collect();
    for piece in wrappers(judged) {
        // The gate may report it too.
        if found.iter().all(|known| known.at != piece.at) {
            found.push(piece);
        }
    }
    let needless = NEEDLESS * saturated(number(found.len().cast_signed() as i64), scales.needless);
    if structure > 0.0 {
        found.extend(sides.iter().flat_map(grown));
    }
    Scored {
        value: structure + (1.0 - structure) * needless,
        evidence: found,
    }
}

/// New functions that only call one that is there.
fn wrappers(judged: &Judged<'_>) -> Vec<Evidence> {
    let files = judged.product_files();
    let files = files.filter_map(|(before, after)| Some((before?, after?)));
    let wrappers = files.flat_map(|(before, after)| {
        let path = after.path();
        let found = after.new_wrappers(before).into_iter();
        found.map(move |one| Evidence {
            signal: SIGNAL.to_owned(),
            kind: "wrapper".to_owned(),
            at: place(path, one.line, one.line),
            of: None,
            message: format!("`{}` only passes its parameters to `{}`.", one.name, one.of),
            amount: 1.0,
        })
    });
    wrappers.collect()
}

/// Functions of a file whose concentration or cognitive complexity grew, by name.
fn grown(sides: &Sides<'_>) -> Vec<Evidence> {
    let [before, after] = &sides.units;
    let mut had: BTreeMap<&str, Vec<&Unit<'_>>> = BTreeMap::new();
    for unit in before.iter().rev() {
        had.entry(unit.name).or_default().push(unit);
    }
    let mut found = Vec::new();
    for unit in after {
        // Several functions may have a name: the same one, or the first that is left.
        let others = had.get_mut(unit.name).filter(|others| !others.is_empty());
        let old = others.map(|others| {
            let same = others.iter().position(|other| other.is_equal(unit));
            others.remove(same.unwrap_or(others.len() - 1))
        });
        let more = unit.cognitive - old.map_or(0.0, |old| old.cognitive);
        let mass = unit.concentration() - old.map_or(0.0, Unit::concentration);
        let amount = mass.max(0.0) + more.max(0.0);
        if amount > 0.5 {
            found.push(Evidence {
                signal: SIGNAL.to_owned(),
                kind: "complexity".to_owned(),
                at: place(sides.path, unit.lines.0, unit.lines.1),
                of: None,
                message: said(unit, old),
                amount,
            });
        }
    }
    found
}

fn said(unit: &Unit<'_>, old: Option<&Unit<'_>>) -> String {
    let (now, name) = (unit.complexity, unit.name);
    let thinking = unit.cognitive;
    match old {
        Some(old) => format!(
            "`{name}` goes from complexity {:.0} to {now:.0}, and from cognitive complexity {:.0} to {thinking:.0}.",
            old.complexity, old.cognitive,
        ),
        None => format!(
            "`{name}` is new with complexity {now:.0} and cognitive complexity {thinking:.0}, checks counted in part."
        ),
    }
}
