//! Grades of one group of attempts at the same task, together.
//!
//! In a group, quality counts the more the more attempts pass: while a task is hard, only correctness is
//! rewarded.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};

use slope_model::grade::Grade;

use crate::pack::Pack;
use crate::reward::{ramped, reward};
use crate::stream::{Counts, Graders, read_records, write};

/// Sets the rewards of grades by their groups; `None` for attempts that are in no group, which keep theirs.
/// Grades without correctness are left out of the pass rate.
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
            .filter_map(|&at| grades[at].correctness)
            .collect();
        if known.is_empty() {
            continue;
        }
        #[expect(clippy::cast_precision_loss, reason = "groups are small")]
        let pass_rate = known.iter().sum::<f64>() / known.len() as f64;
        let lambda = ramped(pass_rate, pack);
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

/// Grades all lines of the input, and then sets the rewards by `task.group`.
///
/// # Errors
/// If the input cannot be read or the output cannot be written.
pub fn grade_lines(
    graders: &mut impl Graders,
    mut input: impl BufRead,
    output: impl Write,
) -> io::Result<Counts> {
    let (mut grades, mut groups) = (Vec::new(), Vec::new());
    let mut number = 0;
    while let Some(records) = read_records(graders, &mut input, &mut number)? {
        for (grade, group) in records {
            grades.push(grade);
            groups.push(group);
        }
    }
    apply(&mut grades, &groups, graders.pack());
    let mut counts = Counts::default();
    write(&grades, output, &mut counts)?;
    Ok(counts)
}
