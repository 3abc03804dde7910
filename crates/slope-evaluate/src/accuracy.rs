//! How often the better edit of a pair has the higher quality, beside the baselines *fewer lines* and *smaller
//! diff*.

use std::collections::BTreeMap;

use serde::Serialize;
use slope_model::grade::Components;
use slope_stats::{Bootstrap, Interval};

use crate::pair::{Pair, Side};

/// Differences below this are none.
const EQUAL: f64 = 1e-9;
/// Resamples of intervals.
const RESAMPLES: usize = 2_000;

/// How a number decides pairs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Outcome {
    /// Pairs whose better edit it prefers.
    pub right: usize,
    /// Pairs whose worse edit it prefers.
    pub wrong: usize,
    /// Pairs that it does not decide.
    pub equal: usize,
}

impl Outcome {
    /// Counts a pair: `preference` is positive for the better edit.
    pub(crate) fn decide(&mut self, preference: f64) {
        if preference > EQUAL {
            self.right += 1;
        } else if preference < -EQUAL {
            self.wrong += 1;
        } else {
            self.equal += 1;
        }
    }

    /// All pairs.
    #[must_use]
    pub fn all(&self) -> usize {
        self.right + self.wrong + self.equal
    }

    /// Share of all pairs that it decides rightly; a pair that it does not decide counts as wrong.
    #[must_use]
    pub fn strict(&self) -> Option<f64> {
        share(float(self.right), self.all())
    }

    /// The same, with half a point for each pair that it does not decide.
    #[must_use]
    pub fn fair(&self) -> Option<f64> {
        share(float(self.right) + float(self.equal) / 2.0, self.all())
    }

    /// Share of the pairs that it decides, that it decides rightly.
    #[must_use]
    pub fn of_decided(&self) -> Option<f64> {
        share(float(self.right), self.right + self.wrong)
    }
}

fn share(part: f64, all: usize) -> Option<f64> {
    (all > 0).then(|| part / float(all))
}

#[expect(clippy::cast_precision_loss, reason = "counts are small")]
fn float(count: usize) -> f64 {
    count as f64
}

/// A number that prefers one edit of a pair: positive for the better one.
pub type Measure = fn(&Pair) -> f64;

/// Quality and the baselines, by name.
pub const MEASURES: [(&str, Measure); 3] = [
    ("quality", |pair| pair.better.quality - pair.worse.quality),
    ("fewer lines", |pair| {
        fewer(pair.worse.lines, pair.better.lines)
    }),
    ("smaller diff", |pair| {
        float(pair.worse.diff) - float(pair.better.diff)
    }),
];

/// Components by key, as measures. A component that is missing decides nothing.
pub const COMPONENTS: [(&str, Measure); 7] = [
    ("p_cx", |pair| less(pair, |c| c.p_cx)),
    ("p_dup", |pair| less(pair, |c| c.p_dup)),
    ("p_dead", |pair| less(pair, |c| c.p_dead)),
    ("p_dev", |pair| less(pair, |c| c.p_dev)),
    ("p_contract", |pair| less(pair, |c| c.p_contract)),
    ("p_min", |pair| less(pair, |c| c.p_min)),
    ("b_reuse", |pair| -less(pair, |c| c.b_reuse)),
];

#[expect(clippy::cast_precision_loss, reason = "counts are small")]
fn fewer(worse: i64, better: i64) -> f64 {
    (worse - better) as f64
}

fn less(pair: &Pair, pick: fn(&Components) -> Option<f64>) -> f64 {
    let of = |side: &Side| pick(&side.components).unwrap_or(0.0);
    of(&pair.worse) - of(&pair.better)
}

/// The outcome of a measure.
#[must_use]
pub fn outcome<'a>(pairs: impl IntoIterator<Item = &'a Pair>, measure: Measure) -> Outcome {
    let mut outcome = Outcome::default();
    for pair in pairs {
        outcome.decide(measure(pair));
    }
    outcome
}

/// The outcome of quality for each value of a key.
#[must_use]
pub fn by(pairs: &[Pair], key: fn(&Pair) -> String, measure: Measure) -> BTreeMap<String, Outcome> {
    let mut found: BTreeMap<String, Outcome> = BTreeMap::new();
    for pair in pairs {
        found.entry(key(pair)).or_default().decide(measure(pair));
    }
    found
}

/// The 95 % interval of a measure's fair share; groups are resampled. `None` with a single group.
#[must_use]
pub fn interval(pairs: &[Pair], measure: Measure) -> Option<Interval> {
    resampled(pairs, |pairs| {
        outcome(pairs.iter().copied(), measure).fair()
    })
}

/// The 95 % interval of how much higher the fair share of one measure is than that of another.
#[must_use]
pub fn lead(pairs: &[Pair], one: Measure, other: Measure) -> Option<Interval> {
    resampled(pairs, |pairs| {
        let of = |measure| outcome(pairs.iter().copied(), measure).fair();
        Some(of(one)? - of(other)?)
    })
}

fn resampled(pairs: &[Pair], statistic: impl Fn(&[&Pair]) -> Option<f64>) -> Option<Interval> {
    let mut groups: BTreeMap<&str, Vec<&Pair>> = BTreeMap::new();
    for pair in pairs {
        groups.entry(&pair.group).or_default().push(pair);
    }
    let groups: Vec<Vec<&Pair>> = groups.into_values().collect();
    if groups.len() < 2 {
        return None;
    }
    let bootstrap = Bootstrap {
        resamples: RESAMPLES,
        ..Bootstrap::default()
    };
    let drawn = bootstrap.run(&groups, |drawn| {
        let pairs: Vec<&Pair> = drawn
            .iter()
            .flat_map(|group| group.iter().copied())
            .collect();
        statistic(&pairs)
    });
    drawn?.percentile()
}
