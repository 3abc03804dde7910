//! Sample of cases for a run, if all of them would take too long.

use std::collections::BTreeSet;

use slope_suite::Listed;

/// Reduced checks for continuous integration: load and mutants at the last checkpoint only, one
/// stub at each checkpoint, and a random sample of the cases that run there. With so few mutants,
/// the score is a fault only if the upper end of its interval is too low.
#[derive(Debug, Clone, Copy)]
pub struct Sample {
    /// Number of cases of each run, half of them from the checkpoint's own suite if it has enough.
    pub cases: usize,
    /// Seed.
    pub seed: u64,
}

impl Sample {
    /// Reduces `cases`, which run at `checkpoint`, to the drawn ones, in their order. The same
    /// `run` draws the same cases on every machine.
    pub(super) fn draw(&self, cases: &mut Vec<Listed>, checkpoint: &str, run: &str) {
        let rank = |case: &Listed| {
            *blake3::hash(format!("{}\0{run}\0{}", self.seed, case.key).as_bytes()).as_bytes()
        };
        let (mut own, mut earlier): (Vec<_>, Vec<_>) = cases
            .iter()
            .map(|case| (rank(case), case))
            .partition(|(_, case)| case.checkpoint == checkpoint);
        own.sort_unstable_by_key(|(rank, _)| *rank);
        earlier.sort_unstable_by_key(|(rank, _)| *rank);
        earlier.truncate((self.cases / 2).max(self.cases.saturating_sub(own.len())));
        own.truncate(self.cases - earlier.len());
        let drawn: BTreeSet<String> = own
            .iter()
            .chain(&earlier)
            .map(|(_, case)| case.key.clone())
            .collect();
        cases.retain(|case| drawn.contains(&case.key));
    }
}

#[cfg(test)]
mod tests {
    use slope_model::problem::Group;

    use super::*;

    fn cases(own: usize, earlier: usize) -> Vec<Listed> {
        let listed = |checkpoint: &str, number: usize| Listed {
            key: format!("{checkpoint}::{number}"),
            checkpoint: checkpoint.to_owned(),
            id: number.to_string(),
            group: Group::Core,
            tags: BTreeSet::new(),
        };
        let earlier = (0..earlier).map(|number| listed("before", number));
        earlier
            .chain((0..own).map(|number| listed("now", number)))
            .collect()
    }

    /// Own and earlier cases drawn.
    fn drawn(count: usize, own: usize, earlier: usize) -> (usize, usize) {
        let mut all = cases(own, earlier);
        let sample = Sample {
            cases: count,
            seed: 1,
        };
        sample.draw(&mut all, "now", "run 1");
        let now = all.iter().filter(|case| case.checkpoint == "now").count();
        (now, all.len() - now)
    }

    #[test]
    fn sample_draws_half_own_cases() {
        assert_eq!(drawn(8, 50, 50), (4, 4));
        assert_eq!(drawn(8, 50, 0), (8, 0));
        assert_eq!(drawn(8, 50, 1), (7, 1));
        assert_eq!(drawn(8, 2, 50), (2, 6));
        assert_eq!(drawn(8, 3, 2), (3, 2));
        assert_eq!(drawn(7, 50, 50), (4, 3));
    }

    #[test]
    fn runs_draw_different_cases_in_order() {
        let of = |seed, run| {
            let mut all = cases(30, 30);
            Sample { cases: 8, seed }.draw(&mut all, "now", run);
            let order: Vec<_> = cases(30, 30)
                .into_iter()
                .filter(|case| all.contains(case))
                .collect();
            assert_eq!(order, all);
            all
        };
        assert_eq!(of(1, "run 1"), of(1, "run 1"));
        assert_ne!(of(1, "run 1"), of(1, "run 2"));
        assert_ne!(of(1, "run 1"), of(2, "run 1"));
    }
}
