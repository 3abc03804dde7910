//! CPU time and memory of a program next to those of the reference solution.

use std::collections::BTreeSet;

use slope_model::verdict::{Efficiency, Outcome, TestResult};

use super::Grading;
use super::other::OtherCode;
use super::usage::{ProgramUsage, UsageByCase};
use crate::error::Error;
use crate::request::GradeRequest;
use crate::stability::{Condition, SuiteRun};

/// The efficiency in the tests that both programs pass; `None` if the problem has no reference solution, or nothing
/// was measured.
///
/// # Errors
/// If the reference solution cannot be built or run.
pub(super) fn measure(
    grading: &Grading<'_>,
    tests: &[TestResult],
) -> Result<Option<Efficiency>, Error> {
    let request = grading.request;
    let solutions = request.options.track.solutions();
    let folder = request.problem.root.join(&solutions);
    let own = grading.asides.borrow().usage.first().cloned();
    let Some(own) = own.filter(|_| folder.join(&grading.current.name).is_dir()) else {
        return Ok(None);
    };
    let passed = tests.iter().filter(|test| test.outcome == Outcome::Passed);
    let keys = passed.map(|test| format!("{}::{}", test.checkpoint, test.id));
    let keys = BTreeSet::from_iter(keys.filter(|key| own.contains_key(key)));
    if keys.is_empty() {
        return Ok(None);
    }
    let code = OtherCode::pack(grading, &solutions)?;
    let of_reference = GradeRequest {
        snapshot_tar: &code.tar,
        work_dir: &code.folder,
        ..*request
    };
    let reference = Grading::prepare(&of_reference)?;
    let record = reference.run(Some(&keys), Condition::Calm)?;
    let asides = reference.asides.borrow();
    let Some(other) = asides.usage.first() else {
        return Ok(None);
    };
    let is_passed = |key: &&String| {
        let seen = record.observed.get(*key);
        seen.is_some_and(|seen| seen.outcome == Outcome::Passed)
    };
    Ok(compared(keys.iter().filter(is_passed), &own, other))
}

/// The sum over the cases in which both have all values.
fn compared<'a>(
    keys: impl Iterator<Item = &'a String>,
    own: &UsageByCase,
    other: &UsageByCase,
) -> Option<Efficiency> {
    let values = |usage: &ProgramUsage| usage.cpu_s.zip(usage.peak_memory);
    let both = keys.filter_map(|key| Some((values(own.get(key)?)?, values(other.get(key)?)?)));
    let mut sum: Option<Efficiency> = None;
    for ((cpu_s, peak_memory), (reference_cpu_s, reference_peak_memory)) in both {
        let so_far = sum.get_or_insert(Efficiency {
            tests: 0,
            cpu_s: 0.0,
            reference_cpu_s: 0.0,
            peak_memory: 0,
            reference_peak_memory: 0,
        });
        so_far.tests += 1;
        so_far.cpu_s += cpu_s;
        so_far.reference_cpu_s += reference_cpu_s;
        so_far.peak_memory = so_far.peak_memory.max(peak_memory);
        so_far.reference_peak_memory = so_far.reference_peak_memory.max(reference_peak_memory);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_cases_of_both_count() {
        let usage = |cases: &[(&str, Option<f64>, u64)]| {
            let of = |(key, cpu_s, peak): &(&str, Option<f64>, u64)| {
                let usage = ProgramUsage {
                    cpu_s: *cpu_s,
                    peak_memory: Some(*peak),
                };
                ((*key).to_owned(), usage)
            };
            UsageByCase::from_iter(cases.iter().map(of))
        };
        let own = usage(&[("a", Some(1.0), 30), ("b", Some(2.0), 20), ("c", None, 90)]);
        let other = usage(&[
            ("a", Some(0.5), 10),
            ("b", Some(0.5), 40),
            ("c", Some(9.0), 9),
        ]);
        let keys = ["a", "b", "c", "d"].map(str::to_owned);
        let found = compared(keys.iter(), &own, &other);
        let expected = Efficiency {
            tests: 2,
            cpu_s: 3.0,
            reference_cpu_s: 1.0,
            peak_memory: 30,
            reference_peak_memory: 40,
        };
        assert_eq!(found, Some(expected));
        assert_eq!(compared(keys[2..].iter(), &own, &other), None);
    }
}
