//! Removal of what is old, while the server runs.

use std::time::Duration;

use jiff::Timestamp;
use slope_model::plural;

use crate::app::App;

/// Time between two removals.
const PAUSE: Duration = Duration::from_secs(6 * 60 * 60);
/// Milliseconds of a day.
const DAY_MS: i64 = 24 * 60 * 60 * 1000;

impl App {
    /// Removes what is older than a number of days, now and every six hours, and reports it. Never ends.
    pub async fn forget_old(&self, days: u32, report: impl Fn(String)) {
        loop {
            let before = Timestamp::now().as_millisecond() - i64::from(days) * DAY_MS;
            match self.database.forget_before(before).await {
                Ok([0, 0, 0, 0]) => {}
                Ok(removed) => {
                    let [points, changes, runs, watches] =
                        removed.map(|n| u32::try_from(n).unwrap_or(u32::MAX));
                    report(format!(
                        "removed {}, {}, {} and {} older than {}",
                        plural(points, "point"),
                        plural(changes, "change"),
                        plural(runs, "run"),
                        plural(watches, "watch"),
                        plural(days, "day")
                    ));
                }
                Err(error) => report(format!("could not remove what is old: {error}")),
            }
            tokio::time::sleep(PAUSE).await;
        }
    }
}
