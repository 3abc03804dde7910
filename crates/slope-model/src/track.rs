//! What `slope track` reports of a series.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::measurement::Part;
use crate::series::{Author, Point, PointCommit};

/// A series with all of its points.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Series {
    /// Name and version of this format: `slope.series/1`.
    pub schema: String,
    /// Name of the series.
    pub series: String,
    /// The points in order.
    pub points: Vec<Point>,
}

impl Series {
    /// The points with the definitions of the last one. Others cannot be compared with it.
    pub fn comparable(&self) -> impl Iterator<Item = &Point> {
        let last = self.points.last().map(|point| &point.definitions);
        let points = self.points.iter();
        points.filter(move |point| Some(&point.definitions) == last)
    }
}

/// State of a series: its last point, and how it compares with earlier points and with the limits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TrackStatus {
    /// Name and version of this format: `slope.track-status/1`.
    pub schema: String,
    /// Name of the series.
    pub series: String,
    /// Number of points.
    pub points: u32,
    /// The last point.
    pub last: TrackedPoint,
    /// Key of the point before; `null` if there is none, or if it has other definitions.
    pub before: Option<String>,
    /// Key of the first point that can be compared with the last one; `null` if there is none.
    pub first: Option<String>,
    /// Age of the last point in seconds. 0 if its time is in the future.
    pub age_s: u64,
    /// Number of commits since the last point. `null` if it has no commit, or the repository lacks it.
    pub commits_since: Option<u32>,
    /// Number of points that the server does not have yet. `null` without a server.
    pub unsent: Option<u32>,
    /// Part of the code base that metrics are about; `null` for all of it.
    pub part: Option<Part>,
    /// Headline metrics, then scores.
    pub values: Vec<TrackedValue>,
    /// Limits of `[track]` that the last point exceeds.
    pub exceeded: Vec<ExceededLimit>,
    /// Messages, for example about points with other definitions.
    pub notes: Vec<String>,
}

/// A point without its numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TrackedPoint {
    /// What makes the point unique in its series.
    pub key: String,
    /// Time of the code, RFC 3339 in UTC.
    pub time: String,
    /// Number of the iteration.
    pub iteration: Option<u32>,
    /// The commit.
    pub commit: Option<PointCommit>,
    /// Who or what wrote the code.
    pub author: Author,
    /// Note of the person who added the point.
    pub note: Option<String>,
}

impl From<&Point> for TrackedPoint {
    fn from(point: &Point) -> Self {
        Self {
            key: point.key().to_string(),
            time: point.time.clone(),
            iteration: point.iteration,
            commit: point.commit.clone(),
            author: point.author.clone(),
            note: point.note.clone(),
        }
    }
}

/// A metric or score of the last point.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TrackedValue {
    /// Name, for example `erosion`. Scores begin with `score.`, for example `score.erosion`.
    pub name: String,
    /// The value; `null` if it is missing.
    pub value: Option<f64>,
    /// Reason for a missing value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
    /// Difference from the point before; `null` if one of the values is missing.
    pub change: Option<f64>,
    /// Difference from the first comparable point; `null` if one of the values is missing.
    pub change_since_first: Option<f64>,
    /// Better direction: `lower`, `higher` or `neither`.
    pub better: String,
}

/// A limit that the last point exceeds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ExceededLimit {
    /// Key of the limit in `[track]`, for example `max.erosion`.
    pub limit: String,
    /// The value that exceeds it.
    pub value: f64,
    /// The limit.
    pub allowed: f64,
}
