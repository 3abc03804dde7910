//! Statistics of trajectories; no I/O.
//!
//! Every function is pure and total: where a statistic does not exist (no observations, a
//! value that is not finite, all points at one position) it returns `None`, never 0 and never
//! a panic. Sums run in the order of the input, so the same input gives the same bits.
//!
//! | module | what |
//! |---|---|
//! | [`proportion`] | Wilson intervals of rates |
//! | [`trend`] | slopes: least squares with its standard error, Theil–Sen, and their intervals |
//! | [`change`] | change points of a level |
//! | [`exact`] | sums without rounding |
//! | [`student`] | quantiles of Student's t |
//! | [`moments`] | mean, standard deviation, median |
//!
//! The definitions and the sources are in `docs/reports.md`.

pub mod change;
pub mod exact;
pub mod moments;
pub mod proportion;
pub mod student;
pub mod trend;

pub use change::change_points;
pub use exact::Exact;
pub use moments::{mean, median, stddev};
pub use proportion::{Interval, Z95, wilson};
pub use student::t_quantile;
pub use trend::{Fit, ols, theil_sen, theil_sen_interval};

/// Whether every value is finite. Statistics reject anything else at their boundary.
fn all_finite(values: impl IntoIterator<Item = f64>) -> bool {
    values.into_iter().all(f64::is_finite)
}

/// A count as a float. Counts here stay far below 2^53.
#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
fn float(count: usize) -> f64 {
    count as f64
}
