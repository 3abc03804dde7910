//! Points that are found by their text.

use slope_model::series::Point;
use slope_model::summary::Summary;

use crate::database::Database;
use crate::error::Error;
use crate::points::{Kept, kept};

/// A search for points by parts of their JSON.
#[derive(Debug, Clone, Copy)]
pub struct Search<'a> {
    within: &'static str,
    parts: [&'a str; 2],
    /// How many of the latest points are searched.
    among: u32,
    /// The most points that are found, the latest ones.
    most: u32,
}

impl<'a> Search<'a> {
    /// Points that have both of these texts, among the latest ones.
    #[must_use]
    pub fn points(parts: [&'a str; 2], (among, most): (u32, u32)) -> Self {
        Self {
            within: Point::COLUMN,
            parts,
            among,
            most,
        }
    }

    /// Points whose summary has a text.
    #[must_use]
    pub fn summaries(part: &'a str, most: u32) -> Self {
        Self {
            within: Summary::COLUMN,
            parts: [part, ""],
            among: u32::MAX,
            most,
        }
    }
}

impl Database {
    /// The latest points of a series that fit a search, in their order.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn search(
        &self,
        (project, series): (&str, &str),
        search: &Search<'_>,
    ) -> Result<Vec<Point>, Error> {
        let pattern = |part: &str| {
            let escaped = part.replace('!', "!!").replace('%', "!%");
            format!("%{}%", escaped.replace('_', "!_"))
        };
        let order = "ORDER BY iteration DESC, time_ms DESC, sequence DESC, point_key DESC";
        let query = format!(
            "SELECT body FROM (SELECT * FROM points WHERE project = $1 AND series = $2 {order} LIMIT $3) AS latest \
             WHERE {column} LIKE $4 ESCAPE '!' AND {column} LIKE $5 ESCAPE '!' {order} LIMIT $6",
            column = search.within,
        );
        let rows = sqlx::query(sqlx::AssertSqlSafe(query))
            .bind(project)
            .bind(series)
            .bind(i64::from(search.among))
            .bind(pattern(search.parts[0]))
            .bind(pattern(search.parts[1]))
            .bind(i64::from(search.most))
            .fetch_all(&self.pool)
            .await?;
        rows.iter().rev().map(|row| kept(row, 0)).collect()
    }
}
