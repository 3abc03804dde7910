//! Removal of what is old.

use crate::database::Database;
use crate::error::Error;

/// Statements that remove what is older than a time in milliseconds. The last point of a series stays, so that the series
/// says how old it is.
const OLD: [&str; 4] = [
    "DELETE FROM points WHERE time_ms < $1 AND EXISTS (SELECT 1 FROM points AS newer \
     WHERE newer.project = points.project AND newer.series = points.series \
     AND (newer.iteration, newer.time_ms, newer.sequence, newer.point_key) \
     > (points.iteration, points.time_ms, points.sequence, points.point_key))",
    "DELETE FROM changes WHERE changed_ms < $1",
    "DELETE FROM runs WHERE heard_ms < $1",
    // A watch without its first days would have another baseline, so it goes as a whole.
    "DELETE FROM watches WHERE heard_ms < $1",
];

impl Database {
    /// Removes points of code from before a time in milliseconds since 1970, except the last of each series; and changes,
    /// runs and watches that were last sent before it. Returns the numbers of points, changes, runs and watches.
    ///
    /// # Errors
    /// If the database fails; then nothing is removed.
    pub async fn forget_before(&self, time_ms: i64) -> Result<[u64; 4], Error> {
        let mut write = self.write().await?;
        let mut removed = [0; 4];
        for (removed, query) in removed.iter_mut().zip(OLD) {
            let done = sqlx::query(query)
                .bind(time_ms)
                .execute(&mut *write.connection)
                .await?;
            *removed = done.rows_affected();
        }
        if removed[0] > 0 {
            write.count_again(None).await?;
        }
        write.commit().await?;
        Ok(removed)
    }
}
