//! Counts and times of series after each kind of change of their points.

use slope_database::{Database, LatestSeries};
use slope_model::series::Point;

use crate::{on_both, point};

/// Name, number of points, and times of the first and last code of each series of `p`.
async fn known(database: &Database) -> Vec<(String, u64, String, String)> {
    let series = database.series("p").await.unwrap();
    let known = series
        .into_iter()
        .map(|it| (it.name, it.points, it.first, it.last));
    known.collect()
}

async fn latest(database: &Database) -> LatestSeries {
    database
        .latest_series(Some("p"), 9)
        .await
        .unwrap()
        .0
        .remove(0)
}

fn row(name: &str, points: u64, first: &str, last: &str) -> (String, u64, String, String) {
    let time = |day: &str| format!("{day}T00:00:00Z");
    (name.to_owned(), points, time(first), time(last))
}

fn on(day: &str, iteration: u32) -> Point {
    point(Some(iteration), &format!("{day}T00:00:00Z"), 1.0)
}

#[test]
fn counts_follow_points() {
    on_both(async |database| {
        database.add_project("p", "").await.unwrap();
        let mut other = on("2026-01-09", 1);
        other.series = "other".to_owned();
        let sent = [on("2026-01-03", 3), on("2026-01-01", 1), other];
        database.add_points("p", &sent).await.unwrap();
        let mut conflict = on("2026-01-03", 3);
        conflict.totals.mass = Some(9.0);
        let again = [on("2026-01-01", 1), conflict, on("2026-01-05", 5)];
        database.add_points("p", &again).await.unwrap();
        let all = [
            row("main", 3, "2026-01-01", "2026-01-05"),
            row("other", 1, "2026-01-09", "2026-01-09"),
        ];
        assert_eq!(known(&database).await, all);
        database
            .remove_point("p", "main", "iteration-5")
            .await
            .unwrap();
        database
            .remove_point("p", "other", "iteration-1")
            .await
            .unwrap();
        let left = [row("main", 2, "2026-01-01", "2026-01-03")];
        assert_eq!(known(&database).await, left);
        database.remove_project("p").await.unwrap();
        database.add_project("p", "").await.unwrap();
        assert!(known(&database).await.is_empty());
    });
}

#[test]
fn revision_is_new_after_each_change() {
    on_both(async |database| {
        database.add_project("p", "").await.unwrap();
        let mut revisions = Vec::new();
        for iteration in 1..=3 {
            database
                .add_points("p", &[on("2026-01-01", iteration)])
                .await
                .unwrap();
            revisions.push(latest(&database).await.revision);
        }
        database
            .add_points("p", &[on("2026-01-01", 3)])
            .await
            .unwrap();
        assert_eq!(
            latest(&database).await.revision,
            revisions[2],
            "nothing is new"
        );
        database
            .remove_point("p", "main", "iteration-3")
            .await
            .unwrap();
        revisions.push(latest(&database).await.revision);
        let mut distinct = revisions.clone();
        distinct.dedup();
        assert_eq!(distinct, revisions);
    });
}
