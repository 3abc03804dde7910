//! Grades of one group of attempts at the same task, together.
//!
//! In a group, quality counts the more the more attempts pass: while a task is hard, only correctness is
//! rewarded. Without a reference, minimality compares the sizes of attempts (tier `G`), and contracts their checks of inputs.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};

use slope_model::grade::Grade;

use crate::components::missing_checks;
use crate::pack::Pack;
use crate::reward::{ramped, reward, rounded, saturated, set_quality};
use crate::shaping::{self, Place};
use crate::stream::{Counts, Graders, read_records, write};

/// Sets the rewards of grades by their groups; `None` for attempts that are in no group, which keep theirs.
/// Edits that cannot be read or applied count as failures in the pass rate; other grades without correctness do not count.
pub fn apply(grades: &mut [Grade], groups: &[Option<String>], pack: &Pack) {
    let mut members: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, group) in groups.iter().enumerate().take(grades.len()) {
        if let Some(group) = group {
            members.entry(group).or_default().push(at);
        }
    }
    for group in members.into_values() {
        let known: Vec<f64> = group
            .iter()
            .filter_map(|&at| grades[at].correctness.or(failed(&grades[at])))
            .collect();
        if known.is_empty() {
            continue;
        }
        #[expect(clippy::cast_precision_loss, reason = "groups are small")]
        let pass_rate = known.iter().sum::<f64>() / known.len() as f64;
        let lambda = ramped(pass_rate, pack);
        compare_sizes(grades, &group, pack);
        compare_checks(grades, &group, pack);
        for at in group {
            let grade = &mut grades[at];
            if let Some(correctness) = grade.correctness {
                // Of a failing attempt it does not matter.
                let quality = grade.quality_conditioned.unwrap_or(1.0);
                grade.reward = Some(reward(correctness, quality, lambda));
            }
        }
    }
}

/// The correctness of an edit that cannot be read or applied.
fn failed(grade: &Grade) -> Option<f64> {
    let fault = grade.error.as_ref()?;
    fault.field.starts_with("change").then_some(0.0)
}

/// Attempts that pass, by which sizes are compared.
const LEAST_PASSING: usize = 3;
/// Tokens of code that an edit may always have.
const LEAST_TOKENS: f64 = 60.0;
/// A size of so many times the small ones costs nothing, and so many more cost half.
const FREE_SIZES: f64 = 1.5;
const HALF_SIZES: f64 = 1.5;

/// Compares the sizes of attempts with the smaller ones of those that pass: the 20th percentile. `p_min` becomes the larger
/// of this (tier `G`) and what the edit alone shows (tier `S`). Attempts with a better tier keep theirs.
fn compare_sizes(grades: &mut [Grade], group: &[usize], pack: &Pack) {
    let passing = group
        .iter()
        .filter(|&&at| grades[at].correctness == Some(1.0));
    let mut sizes: Vec<f64> = passing.filter_map(|&at| grades[at].size).collect();
    if sizes.len() < LEAST_PASSING {
        return;
    }
    sizes.sort_by(f64::total_cmp);
    let small = fifth(&sizes).max(LEAST_TOKENS);
    for &at in group {
        let grade = &mut grades[at];
        let is_static = grade.tiers.get("p_min").is_some_and(|tier| tier == "S");
        let (Some(size), Some(known), true) = (grade.size, grade.components.p_min, is_static)
        else {
            continue;
        };
        let more = saturated(size / small - FREE_SIZES, HALF_SIZES);
        grade.components.p_min = Some(rounded(known.max(more)));
        grade.tiers.insert("p_min".to_owned(), "G".to_owned());
        set_quality(grade, pack);
    }
}

/// Compares the checks of inputs that attempts add with the median of those that pass. Fewer ones make `p_contract` larger.
fn compare_checks(grades: &mut [Grade], group: &[usize], pack: &Pack) {
    let passing = group
        .iter()
        .filter(|&&at| grades[at].correctness == Some(1.0));
    let mut checks: Vec<i64> = passing.filter_map(|&at| grades[at].checks).collect();
    if checks.len() < LEAST_PASSING {
        return;
    }
    checks.sort_unstable();
    let usual = checks[(checks.len() - 1) / 2];
    for &at in group {
        let grade = &mut grades[at];
        // With a reference it is compared with that.
        let has_reference = grade.tiers.get("p_min").is_some_and(|tier| tier == "R");
        let (Some(own), Some(known), false) =
            (grade.checks, grade.components.p_contract, has_reference)
        else {
            continue;
        };
        let lacks = saturated(missing_checks(usual, own), pack.scales.contract);
        if lacks > 0.0 {
            grade.components.p_contract = Some(rounded(1.0 - (1.0 - known) * (1.0 - lacks)));
            set_quality(grade, pack);
        }
    }
}

/// The 20th percentile of sorted numbers, between two of them in proportion.
fn fifth(sorted: &[f64]) -> f64 {
    let last = sorted.len() - 1;
    let (at, rest) = (last / 5, last % 5);
    #[expect(clippy::cast_precision_loss, reason = "below 5")]
    let share = rest as f64 / 5.0;
    let above = sorted[(at + 1).min(last)];
    sorted[at] + (above - sorted[at]) * share
}

/// Sets the rewards of grades by their groups, and the shaping of trajectories.
pub fn apply_all(grades: &mut [Grade], places: &[Place], pack: &Pack) {
    let groups: Vec<Option<String>> = places.iter().map(|place| place.group.clone()).collect();
    apply(grades, &groups, pack);
    shaping::apply(grades, places);
}

/// Grades all lines of the input, and then sets the rewards by `task.group` and `task.trajectory`.
///
/// # Errors
/// If the input cannot be read or the output cannot be written.
pub fn grade_lines(
    graders: &mut impl Graders,
    mut input: impl BufRead,
    output: impl Write,
) -> io::Result<Counts> {
    let (mut grades, mut places) = (Vec::new(), Vec::new());
    let mut number = 0;
    while let Some(records) = read_records(graders, &mut input, &mut number)? {
        for (grade, place) in records {
            grades.push(grade);
            places.push(place);
        }
    }
    apply_all(&mut grades, &places, graders.pack());
    let mut counts = Counts::default();
    write(&grades, output, &mut counts)?;
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use super::fifth;

    #[test]
    fn fifth_lies_between_two_numbers() {
        assert_eq!(fifth(&[10.0, 20.0, 30.0, 40.0, 50.0, 60.0]), 20.0);
        assert!((fifth(&[10.0, 20.0, 30.0]) - 14.0).abs() < 1e-9);
        assert_eq!(fifth(&[7.0]), 7.0);
    }
}
