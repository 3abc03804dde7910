//! Databases and backups of earlier versions of the tables. `tests/old` has rows of each version.

use std::path::{Path, PathBuf};

use serde_json::Value;
use slope_database::{Database, Place};
use slope_model::series::Point;
use slope_model::summary::Summary;

use crate::{new_places, on_runtime};

/// Rows that an earlier slope wrote.
struct Old {
    version: i64,
    /// Statements that add them, after comments.
    rows: String,
    /// The same rows as a backup of that slope.
    backup: String,
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// The statements of all versions, oldest first.
fn migrations() -> Vec<String> {
    let files = std::fs::read_dir(folder("migrations")).unwrap();
    let mut files: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    let read = |file: &PathBuf| std::fs::read_to_string(file).unwrap();
    files.iter().map(read).collect()
}

/// The old rows of all versions.
fn all_old() -> Vec<Old> {
    let read = |version: i64, kind: &str| {
        let file = folder("tests/old").join(format!("{version:04}.{kind}"));
        std::fs::read_to_string(&file).unwrap_or_else(|error| {
            panic!(
                "{}: {error}\nhelp: run the test `upgrades` of slope-serve with SLOPE_UPDATE_OLD_DATA=1",
                file.display()
            )
        })
    };
    let old = |version: i64| Old {
        version,
        rows: read(version, "sql"),
        backup: read(version, "backup"),
    };
    (1..=Database::newest_version()).map(old).collect()
}

impl Old {
    /// A value in a comment before the rows.
    fn comment(&self, name: &str) -> &str {
        let start = format!("-- {name}: ");
        let found = self.rows.lines().find_map(|line| line.strip_prefix(&start));
        found.unwrap_or_else(|| panic!("{:04}.sql has no `{start}`", self.version))
    }

    /// Number of rows of a table.
    fn rows_of(&self, table: &str) -> usize {
        let insert = format!("INSERT INTO {table} ");
        self.rows
            .lines()
            .filter(|it| it.starts_with(&insert))
            .count()
    }
}

/// Whether a value has all of an older one. New fields may have come.
fn has_all_of(new: &Value, old: &Value) -> bool {
    match (new, old) {
        (Value::Object(new), Value::Object(old)) => old
            .iter()
            .all(|(key, old)| new.get(key).is_some_and(|new| has_all_of(new, old))),
        (Value::Array(new), Value::Array(old)) => {
            new.len() == old.len() && new.iter().zip(old).all(|(new, old)| has_all_of(new, old))
        }
        _ => new == old,
    }
}

/// Checks that a backup has every record of an older one.
#[track_caller]
fn assert_has_all(new: &str, old: &str, version: i64) {
    let records = |text: &str| -> Vec<Value> {
        let lines = text.lines().skip(1);
        lines.map(|it| serde_json::from_str(it).unwrap()).collect()
    };
    let (new, old) = (records(new), records(old));
    assert_eq!(new.len(), old.len(), "records of version {version}");
    for (new, old) in new.iter().zip(&old) {
        assert!(
            has_all_of(new, old),
            "version {version}:\n{new}\nlost something of\n{old}"
        );
    }
}

async fn backup(database: &Database) -> String {
    let mut text = Vec::new();
    database.back_up(&mut text).await.unwrap();
    String::from_utf8(text).unwrap()
}

#[test]
fn every_version_has_old_rows() {
    let migrations = migrations();
    let newest = usize::try_from(Database::newest_version()).unwrap();
    assert_eq!(
        migrations.len(),
        newest,
        "a file of migrations/ is not a version"
    );
    on_runtime(async {
        for (old, migration) in all_old().iter().zip(&migrations) {
            let hash = blake3::hash(migration.as_bytes()).to_hex();
            assert_eq!(
                old.comment("migration"),
                hash.as_str(),
                "version {} has changed: add a new version instead",
                old.version
            );
            let made = Database::make_old(Place::memory(), old.version, &old.rows).await;
            for (table, rows) in made.unwrap().rows_as_sql().await.unwrap() {
                let version = old.version;
                assert!(!rows.is_empty(), "{version:04}.sql has no rows of {table}");
            }
        }
    });
}

#[test]
fn old_rows_survive_upgrades() {
    on_runtime(async {
        for old in all_old() {
            for place in &new_places().all {
                let made = Database::make_old(place.clone(), old.version, &old.rows).await;
                made.unwrap().close().await;
                let database = Database::open(place.clone()).await.unwrap();
                assert_has_all(&backup(&database).await, &old.backup, old.version);
                old_rows_answer(&database, &old).await;
                if place.kind() == "sqlite" {
                    for (table, rows) in database.rows_as_sql().await.unwrap() {
                        // Rows of this table are made from points.
                        let is_derived = table == "series" && old.rows_of("series") == 0;
                        let wanted = if is_derived { 1 } else { old.rows_of(&table) };
                        assert_eq!(rows.len(), wanted, "rows of {table}");
                    }
                }
            }
        }
    });
}

/// Checks that queries of today answer with old rows.
async fn old_rows_answer(database: &Database, old: &Old) {
    let token = database.token(old.comment("token")).await.unwrap();
    assert_eq!(token.unwrap().project.as_deref(), Some("p"));
    let series = database.series("p").await.unwrap();
    assert_eq!(series[0].points, old.rows_of("points") as u64);
    let (points, _) = database
        .page::<Point>(("p", "main"), None, 100)
        .await
        .unwrap();
    let (summaries, _) = database
        .page::<Summary>(("p", "main"), None, 100)
        .await
        .unwrap();
    let keys = points.iter().map(|it| it.key().to_string());
    assert!(keys.eq(summaries.iter().map(|it| it.key.clone())));
    assert!(!points.is_empty());
    // A client that does not know that the server was upgraded sends its points again.
    let again = database.add_points("p", &points).await.unwrap();
    assert!(
        again
            .iter()
            .all(|it| it.outcome == slope_database::Outcome::Same)
    );
    runs_and_changes_answer(database, old).await;
}

async fn runs_and_changes_answer(database: &Database, old: &Old) {
    let runs = database.cards(Some("p"), 100).await.unwrap();
    assert_eq!(runs.len(), old.rows_of("runs"));
    for run in runs {
        database.run("p", &run.info.run).await.unwrap();
    }
    let changes = database.changes(Some("p"), 100).await.unwrap();
    assert_eq!(changes.len(), old.rows_of("changes"));
    for change in changes {
        database.change("p", &change.key).await.unwrap();
    }
}

#[test]
fn old_backups_restore() {
    on_runtime(async {
        for old in all_old() {
            let made = Database::make_old(Place::memory(), old.version, &old.rows).await;
            let made = made.unwrap();
            made.upgrade().await.unwrap();
            let upgraded = backup(&made).await;
            for place in &new_places().all {
                let database = Database::open(place.clone()).await.unwrap();
                database.restore(old.backup.as_bytes()).await.unwrap();
                assert_eq!(backup(&database).await, upgraded, "version {}", old.version);
                let (points, _) = database
                    .page::<Point>(("p", "main"), None, 9)
                    .await
                    .unwrap();
                assert_eq!(points.len(), old.rows_of("points"));
            }
        }
    });
}
