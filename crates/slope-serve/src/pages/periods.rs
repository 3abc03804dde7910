//! What the points of series say about a period, kept until a series changes.

use std::sync::Arc;

use quick_cache::sync::Cache;
use slope_database::{Database, Error, LatestSeries};
use slope_report::Period;

use super::home::since_ms;

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
