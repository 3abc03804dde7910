//! What the points of series say about a period, kept until a series changes.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use quick_cache::sync::Cache;
use slope_database::{Database, Error, LatestSeries};
use slope_report::Period;

/// Milliseconds of a day.
const DAY_MS: i64 = 24 * 60 * 60 * 1000;
/// Points of a series that a period looks at. Of more, it takes an even choice.
const MOST_POINTS: u32 = 100;
/// Periods that are kept.
const MOST_PERIODS: usize = 4000;
/// A period begins at a whole multiple of this time, so that it can be kept for as long.
const STEP_MS: i64 = 60 * 60 * 1000;

/// A period of a series in one state.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Key {
    project: String,
    series: String,
    revision: i64,
    since_ms: i64,
}

/// Periods of series.
pub(crate) struct Periods {
    kept: Cache<Key, Option<Arc<Period>>>,
}

impl Default for Periods {
    fn default() -> Self {
        Self {
            kept: Cache::new(MOST_PERIODS),
        }
    }
}

impl Periods {
    /// What the points of the last `days` say; `None` if there are none. Several requests at once read them once.
    pub(crate) async fn of(
        &self,
        database: &Database,
        series: &LatestSeries,
        days: u32,
    ) -> Result<Option<Arc<Period>>, Error> {
        let since_ms = since_ms(days).div_euclid(STEP_MS) * STEP_MS;
        // Without a point in the period there is nothing to compare.
        if series.last_ms < since_ms {
            return Ok(None);
        }
        let key = Key {
            project: series.project.clone(),
            series: series.series.clone(),
            revision: series.revision,
            since_ms,
        };
        let read = self.kept.get_or_insert_async(&key, read(database, &key));
        read.await
    }
}

async fn read(database: &Database, key: &Key) -> Result<Option<Arc<Period>>, Error> {
    let place = (key.project.as_str(), key.series.as_str());
    let mut points = Vec::new();
    points.extend(database.summary_before(place, key.since_ms).await?);
    let since = database.chosen_summaries(place, key.since_ms, MOST_POINTS);
    points.extend(since.await?);
    Ok(Period::of(&points).map(Arc::new))
}

/// The beginning of a period that ends now, in milliseconds since 1970.
pub(crate) fn since_ms(days: u32) -> i64 {
    Timestamp::now().as_millisecond() - i64::from(days) * DAY_MS
}

/// The time until periods begin one step later, and are read again.
pub(crate) fn until_next_period() -> Duration {
    let into = Timestamp::now().as_millisecond().rem_euclid(STEP_MS);
    Duration::from_millis(u64::try_from(STEP_MS - into).unwrap_or_default())
}

/// Whole days since a time; 0 if it is in the future.
pub(crate) fn age_days(time: &str) -> u32 {
    let time: Timestamp = time.parse().unwrap_or_default();
    let ms = Timestamp::now().as_millisecond() - time.as_millisecond();
    u32::try_from(ms / DAY_MS).unwrap_or(0)
}
