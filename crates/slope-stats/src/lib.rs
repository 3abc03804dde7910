//! Statistics of trajectories; no I/O.
//!
//! Every function is pure and total: if a statistic does not exist (no observations, a value that
//! is not finite, all points at one position) it returns `None`, never 0 and never a panic. Sums
//! run in the order of the input, so the same input gives the same bits.
//!
//! | module | contents |
//! |---|---|
//! | [`proportion`] | intervals of rates (Wilson, Clopper–Pearson, Jeffreys) and of their difference (Newcombe), z tests |
//! | [`paired`] | McNemar's test, the paired t test, means of clusters |
//! | [`mod@wilcoxon`] | the signed-rank test, exact and approximate |
//! | [`bootstrap`] | percentile, basic and BCa intervals, by cluster |
//! | [`random`] | the generator of every resampling |
//! | [`correlation`] | Pearson, Spearman, Kendall |
//! | [`partial`] | correlation beyond what groups and other variables explain |
//! | [`trend`] | slopes: least squares with its standard error, Theil–Sen, and their intervals |
//! | [`change`] | change points of a level |
//! | [`sampling`] | pass@k, pass^k, Gini |
//! | [`multiplicity`] | Holm, Benjamini–Hochberg |
//! | [`power`] | power, and the smallest detectable effect |
//! | [`monitor`] | scans, e-values, cumulated sums and confidence sequences of daily series |
//! | [`items`] | abilities from items of known difficulty, and equating |
//! | [`exact`] | sums without rounding |
//! | [`student`] | quantiles of Student's t |
//! | [`moments`] | mean, standard deviation, median |
//!
//! The definitions and the sources are in `docs/reports.md`.

pub mod bootstrap;
pub mod change;
pub mod correlation;
pub mod exact;
pub mod items;
pub mod moments;
pub mod monitor;
pub mod multiplicity;
pub mod paired;
pub mod partial;
pub mod power;
pub mod proportion;
pub mod random;
mod ranks;
pub mod sampling;
mod special;
pub mod student;
pub mod trend;
pub mod wilcoxon;

pub use bootstrap::{Bootstrap, Resampled, quantile_of_sorted};
pub use change::change_points;
pub use correlation::{Correlation, correlation_p, fisher_interval, kendall, pearson, spearman};
pub use exact::Exact;
pub use items::{Ability, Equating, Item, ability_eap, ability_map, equate};
pub use moments::{mean, median, stddev};
pub use multiplicity::{benjamini_hochberg, holm};
pub use paired::{ClusterMean, McNemar, PairedMean, cluster_mean, mcnemar, paired_mean};
pub use partial::{Observation, partial_within};
pub use power::{detectable_drop, detectable_shift, power_of_pairs, power_of_rates};
pub use proportion::{
    Interval, Z95, ZTest, clopper_pearson, jeffreys, newcombe, one_rate, surprise_of_rare,
    two_rates, wilson,
};
pub use random::SplitMix64;
pub use sampling::{gini, pass_at_k, pass_hat_k};
pub use special::normal_quantile;
pub use student::t_quantile;
pub use trend::{Fit, ols, theil_sen, theil_sen_interval};
pub use wilcoxon::{SignedRank, Zeros, wilcoxon};

/// Whether every value is finite. Statistics reject anything else at their boundary.
fn all_finite(values: impl IntoIterator<Item = f64>) -> bool {
    values.into_iter().all(f64::is_finite)
}

/// A count as a float. Counts here stay far below 2^53.
#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
#[must_use]
pub fn float(count: usize) -> f64 {
    count as f64
}

/// A count as a float. Counts here stay far below 2^53.
#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
#[must_use]
pub fn float_u64(count: u64) -> f64 {
    count as f64
}
