//! A server on the database of an earlier slope.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use slope_database::{Database, Place, Scope};

use crate::changes::with_change;
use crate::common::{Served, open, open_settings, point, posted, served_on};
use crate::runs::with_run;
use crate::watches::with_watch;

/// Pages and routes that show old rows, and what they show, by the version of the tables that first had the rows.
const SHOWN: [(i64, &str, &str); 20] = [
    (1, "/", "p"),
    (1, "/projects/p/main", "iteration-2"),
    (1, "/projects/p/main/iteration-2", "billing.py"),
    (1, "/projects/p/main.csv", "iteration-2"),
    (1, "/projects/p/main.json", "iteration-2"),
    (1, "/api/v1/projects", "\"p\""),
    (1, "/api/v1/projects/p", "main"),
    (1, "/api/v1/projects/p/series/main/points", "billing.py"),
    (1, "/api/v1/projects/p/tokens", "of a test"),
    (2, "/runs", "run of m"),
    (2, "/runs.csv", "run of m"),
    (2, "/runs/p/r", "run of m"),
    (
        2,
        "/runs/p/r/shop/1?at=checkpoint_2&show=steps",
        "first words",
    ),
    (2, "/api/v1/projects/p/runs/r", "run of m"),
    (3, "/changes/p/pr-1", "does not pass"),
    (3, "/api/v1/projects/p/changes/pr-1", "new-clone"),
    (6, "/watch", "nightly"),
    (6, "/projects/p/watch/nightly", "1 of 10 days"),
    (6, "/api/v1/projects/p/watches", "2026-09-01"),
    (
        6,
        "/api/v1/projects/p/watches/nightly/days/2026-09-01",
        "simulated-model",
    ),
];

/// Where the rows of earlier versions are.
fn old_file(version: i64, kind: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../slope-database/tests/old");
    folder.join(format!("{version:04}.{kind}"))
}

#[tokio::test]
async fn old_databases_are_served() {
    for version in 1..=Database::newest_version() {
        let rows = std::fs::read_to_string(old_file(version, "sql")).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let mut places = vec![Place::file(&folder.path().join("slope.db"))];
        if let Some(address) = slope_testkit::postgres::new_database() {
            places.push(Place::of_address(&address).unwrap());
        }
        for place in places {
            let made = Database::make_old(place.clone(), version, &rows).await;
            made.unwrap().close().await;
            let folder = tempfile::tempdir().unwrap();
            let served = served_on(open_settings(), &place, folder).await;
            shows_old_rows(&served, version).await;
        }
    }
}

async fn shows_old_rows(served: &Served, version: i64) {
    let shown = SHOWN.iter().filter(|(since, ..)| *since <= version);
    for (_, path, words) in shown {
        let answer = served.get(path).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text);
        assert!(answer.text.contains(words), "{path}: {}", answer.text);
    }
    // The server goes on from there.
    let points = json!({ "points": [point(9, 1.0)] });
    let pushed = served.post("/api/v1/projects/p/points", &points).await;
    assert_eq!(pushed.status, 200, "{}", pushed.text);
    with_run(served, "running").await;
    with_change(served, true).await;
    with_watch(served).await;
}

/// A point with all that a point can have.
fn full_point(iteration: u32, mass: f64) -> Value {
    let mut full = point(iteration, mass);
    full["commit"] =
        json!({ "id": format!("{iteration:040}"), "subject": "It's a change", "branch": "main" });
    full["author"] = json!({
        "person": "Zoë", "agent": "codex", "agent_version": "1", "model": "m", "session": "s",
    });
    full["parts"] = json!({ "product": full["totals"], "tests": full["totals"] });
    full["findings"] = json!({ "dead-code": 1 });
    full["scores"] = json!([{
        "judge": "static", "scores": { "verbosity": 8.5, "erosion": null, "extensibility": 7.0 },
        "missing": { "erosion": "no functions" },
    }]);
    full["worst"] = json!([{
        "path": "billing.py", "name": "bill", "line": 1, "complexity": 12, "sloc": 9, "mass": 36.0,
    }]);
    full["change"] = json!({
        "since": "iteration-1",
        "amounts": { "mass": 1.5, "clone_lines": -1, "flagged_lines": 0, "verbose_lines": 0, "dead_code": 0, "sloc": 3 },
        "places": [{ "path": "billing.py", "function": "bill", "line": 1, "amounts": {
            "mass": 1.5, "clone_lines": -1, "flagged_lines": 0, "verbose_lines": 0, "dead_code": 0, "sloc": 3 } }],
    });
    full["note"] = "a note; it's \"old\"".into();
    full
}

/// Writes the rows of the newest version, if it has none yet: with SLOPE_UPDATE_OLD_DATA=1, after a new migration.
#[tokio::test]
async fn newest_version_can_be_kept() {
    let served = open().await;
    let mut request = posted(
        "/api/v1/projects/p/points",
        &json!({ "points": [full_point(1, 100.0), full_point(2, 250.5)] }),
    );
    let key = "k1".parse().unwrap();
    request.headers_mut().insert("idempotency-key", key);
    let pushed = served.ask(request).await;
    assert_eq!(pushed.status, 200, "{}", pushed.text);
    with_run(&served, "running").await;
    with_change(&served, false).await;
    with_watch(&served).await;
    let token = served
        .database
        .add_token(Scope::Push, Some("p"), "of a test");
    let (_, secret) = token.await.unwrap();
    let tables = served.database.rows_as_sql().await.unwrap();
    for (table, rows) in &tables {
        assert!(!rows.is_empty(), "add rows of {table} to this test");
    }
    let version = Database::newest_version();
    if std::env::var_os("SLOPE_UPDATE_OLD_DATA").is_none() || old_file(version, "sql").exists() {
        return;
    }
    let migrations = Path::new(env!("CARGO_MANIFEST_DIR")).join("../slope-database/migrations");
    let migrations = std::fs::read_dir(migrations).unwrap();
    let mut files: Vec<PathBuf> = migrations.map(|file| file.unwrap().path()).collect();
    files.sort();
    let migration = blake3::hash(&std::fs::read(files.last().unwrap()).unwrap()).to_hex();
    let rows: Vec<String> = tables.into_iter().flat_map(|(_, rows)| rows).collect();
    let text = format!(
        "-- migration: {migration}\n-- token: {secret}\n{}\n",
        rows.join("\n")
    );
    std::fs::write(old_file(version, "sql"), text).unwrap();
    let mut backup = std::fs::File::create(old_file(version, "backup")).unwrap();
    served.database.back_up(&mut backup).await.unwrap();
}
