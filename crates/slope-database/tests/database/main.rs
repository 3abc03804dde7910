//! The same tests on SQLite and on PostgreSQL.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "tests")]

mod series;
mod upgrades;
mod watches;

use std::collections::BTreeMap;
use std::path::Path;

use slope_database::{Cursor, Database, Error, Outcome, Place, Repeat, Scope, Search};
use slope_model::measurement::Part;
use slope_model::metrics::Totals;
use slope_model::schema;
use slope_model::series::{Author, Origin, Point, PointCommit, WorstFunction};
use slope_model::summary::Summary;
use tempfile::TempDir;

/// A new database of each kind.
struct Places {
    all: Vec<Place>,
    _folder: TempDir,
}

fn new_places() -> Places {
    let folder = tempfile::tempdir().unwrap();
    let mut all = vec![Place::file(&folder.path().join("a?b%20.db"))];
    match slope_testkit::postgres::new_database() {
        Some(address) => all.push(Place::of_address(&address).unwrap()),
        None => println!("skipped: PostgreSQL is not installed"),
    }
    Places {
        all,
        _folder: folder,
    }
}

/// Runs a test on both databases.
fn on_both<F: Future<Output = ()>>(test: impl Fn(Database) -> F) {
    for place in &new_places().all {
        on_runtime(async { test(Database::open(place.clone()).await.unwrap()).await });
    }
}

fn on_runtime<F: Future<Output = ()>>(test: F) {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    builder.enable_all().build().unwrap().block_on(test);
}

fn point(iteration: Option<u32>, time: &str, mass: f64) -> Point {
    let totals = Totals {
        mass: Some(mass),
        ..Totals::default()
    };
    Point {
        schema: schema::POINT.to_owned(),
        series: "main".to_owned(),
        time: time.to_owned(),
        iteration,
        commit: None,
        author: Author::default(),
        origin: Origin::Folder,
        tree: "0".repeat(64),
        engine: "slope".to_owned(),
        definitions: "d".to_owned(),
        parts: BTreeMap::from([(Part::Product, totals.clone())]),
        totals,
        findings: BTreeMap::new(),
        scores: Vec::new(),
        worst: Vec::new(),
        change: None,
        note: None,
    }
}

#[test]
fn points_arrive_once() {
    on_both(async |database| {
        database.add_project("p", "P").await.unwrap();
        let first = point(Some(1), "2026-01-01T00:00:00Z", 0.1 + 0.2);
        let other = point(Some(1), "2026-01-01T00:00:00Z", 7.0);
        let mut outcomes = Vec::new();
        for sent in [&first, &first, &other] {
            let added = database
                .add_points("p", std::slice::from_ref(sent))
                .await
                .unwrap();
            outcomes.push(added[0].outcome);
        }
        assert_eq!(
            outcomes,
            [Outcome::Stored, Outcome::Same, Outcome::Conflict]
        );
        let by_another = Point {
            origin: Origin::Ci,
            author: Author {
                agent: Some("b".to_owned()),
                ..Author::default()
            },
            ..first.clone()
        };
        let added = database.add_points("p", &[by_another]).await.unwrap();
        assert_eq!(added[0].outcome, Outcome::Same);
        let kept = database.point("p", "main", "iteration-1").await.unwrap();
        assert_eq!(kept, first);
    });
}

#[test]
fn faulty_points_keep_none_of_a_request() {
    on_both(async |database| {
        database.add_project("p", "").await.unwrap();
        let good = point(Some(1), "2026-01-01T00:00:00Z", 1.0);
        for time in ["yesterday", "2026-99-01T00:00:00Z"] {
            let points = [good.clone(), point(Some(2), time, 1.0)];
            let error = database.add_points("p", &points).await.unwrap_err();
            assert!(error.to_string().starts_with("points[1].time"), "{error}");
        }
        assert!(database.series("p").await.unwrap().is_empty());
        let error = database.add_points("q", &[good]).await.unwrap_err();
        assert!(matches!(
            error,
            Error::Unknown {
                kind: "project",
                ..
            }
        ));
    });
}

#[test]
fn pages_follow_the_order_of_points() {
    on_both(async |database| {
        database.add_project("p", "").await.unwrap();
        // The clock goes back at the third iteration.
        let points = [
            point(Some(3), "2025-12-01T00:00:00Z", 3.0),
            point(Some(1), "2026-01-01T00:00:00Z", 1.0),
            point(Some(2), "2026-01-02T00:00:00Z", 2.0),
            point(None, "2026-03-01T00:00:00Z", 0.0),
        ];
        database.add_points("p", &points).await.unwrap();
        let mut after: Option<Cursor> = None;
        let mut seen = Vec::new();
        loop {
            let page = database
                .page::<Point>(("p", "main"), after.as_ref(), 2)
                .await
                .unwrap();
            seen.extend(page.0.iter().filter_map(|point| point.totals.mass));
            let Some(next) = page.1 else { break };
            after = Some(next.to_string().parse().unwrap());
        }
        assert_eq!(seen, [0.0, 1.0, 2.0, 3.0]);
        let summaries = database.summaries(("p", "main"), None).await.unwrap();
        let masses: Vec<f64> = summaries.iter().map(|it| it.values["mass"]).collect();
        assert_eq!(masses, seen);
        assert!("nonsense".parse::<Cursor>().is_err());
    });
}

/// A point of a commit with the order of its history in one second.
fn of_commit(digit: char, sequence: u32) -> Point {
    Point {
        commit: Some(PointCommit {
            id: digit.to_string().repeat(40),
            sequence,
            ..PointCommit::default()
        }),
        ..point(None, "2026-01-01T00:00:00Z", 1.0)
    }
}

#[test]
fn commits_of_one_second_keep_order() {
    on_both(async |database| {
        database.add_project("p", "").await.unwrap();
        let points = [of_commit('a', 2), of_commit('c', 0), of_commit('b', 1)];
        database.add_points("p", &points).await.unwrap();
        let place = ("p", "main");
        let summaries = database.summaries(place, None).await.unwrap();
        let firsts: Vec<&str> = summaries.iter().map(|it| &it.key[..8]).collect();
        assert_eq!(firsts, ["commit-c", "commit-b", "commit-a"]);
        let (first, next) = database.page::<Summary>(place, None, 1).await.unwrap();
        let next: Cursor = next.unwrap().to_string().parse().unwrap();
        let (second, _) = database
            .page::<Summary>(place, Some(&next), 1)
            .await
            .unwrap();
        assert_eq!([&first[0], &second[0]], [&summaries[0], &summaries[1]]);
        let (before, after) = database.neighbours(place, &summaries[1].key).await.unwrap();
        assert_eq!(
            (before.as_ref(), after.as_ref()),
            (Some(&summaries[0]), Some(&summaries[2]))
        );
        // A point of an earlier slope has no order, and is the same point.
        let added = database
            .add_points("p", &[of_commit('a', 0)])
            .await
            .unwrap();
        assert_eq!(added[0].outcome, Outcome::Same);
    });
}

#[test]
fn points_are_found_by_their_text() {
    on_both(async |database| {
        database.add_project("p", "").await.unwrap();
        let with = |iteration: u32, path: &str, name: &str| Point {
            worst: vec![WorstFunction {
                path: path.to_owned(),
                name: name.to_owned(),
                line: 1,
                complexity: 1,
                sloc: 1,
                mass: 1.0,
            }],
            ..point(Some(iteration), "2026-01-01T00:00:00Z", 1.0)
        };
        let points = [
            with(1, "a%.py", "f_1"),
            with(2, "ab.py", "f_1"),
            with(3, "a%.py", "fx1"),
            with(4, "a%.py", "f_1"),
        ];
        database.add_points("p", &points).await.unwrap();
        let found = async |search: Search<'_>| {
            let found = database.search(("p", "main"), &search).await.unwrap();
            let found = found.into_iter();
            found
                .filter_map(|point| point.iteration)
                .collect::<Vec<u32>>()
        };
        let parts = ["\"a%.py\"", "\"f_1\""];
        assert_eq!(found(Search::points(parts, (9, 9))).await, [1, 4]);
        assert_eq!(
            found(Search::points(parts, (9, 1))).await,
            [4],
            "the latest"
        );
        assert_eq!(
            found(Search::points(parts, (3, 9))).await,
            [4],
            "among the latest three"
        );
        assert_eq!(found(Search::summaries("iteration-2", 9)).await, [2]);
    });
}

#[test]
fn tokens_are_kept_as_hashes() {
    on_both(async |database| {
        database.add_project("p", "").await.unwrap();
        assert!(!database.has_tokens().await.unwrap());
        let (token, secret) = database
            .add_token(Scope::Push, Some("p"), "ci")
            .await
            .unwrap();
        assert_eq!(
            database.token(&secret).await.unwrap().as_ref(),
            Some(&token)
        );
        assert_eq!(database.token(&token.id).await.unwrap(), None);
        assert!(database.has_tokens().await.unwrap());
        assert!(database.revoke_token(&token.id, Some("q")).await.is_err());
        database.revoke_token(&token.id, Some("p")).await.unwrap();
        let revoked = database.token(&secret).await.unwrap().unwrap();
        assert!(revoked.revoked.is_some() && !revoked.allows(Scope::Read, Some("p")));
        assert!(!database.has_tokens().await.unwrap());
    });
}

#[test]
fn removed_projects_leave_nothing() {
    on_both(async |database| {
        database.add_project("p", "").await.unwrap();
        database
            .add_token(Scope::Push, Some("p"), "")
            .await
            .unwrap();
        let points = [point(Some(1), "2026-01-01T00:00:00Z", 1.0)];
        database.add_points("p", &points).await.unwrap();
        assert!(matches!(
            database.add_project("p", "").await,
            Err(Error::Taken { .. })
        ));
        database.remove_project("p").await.unwrap();
        database.add_project("p", "").await.unwrap();
        assert!(database.series("p").await.unwrap().is_empty());
        assert!(database.tokens(None).await.unwrap().is_empty());
    });
}

#[test]
fn first_kept_answer_stays() {
    on_both(async |database| {
        let repeat = |answer: &str| Repeat {
            created_ms: i64::MAX - 1,
            ..Repeat::new("hash".to_owned(), 201, answer.to_owned())
        };
        assert_eq!(database.repeat("owner", "key").await.unwrap(), None);
        database
            .keep_repeat("owner", "key", &repeat("a"))
            .await
            .unwrap();
        database
            .keep_repeat("owner", "key", &repeat("b"))
            .await
            .unwrap();
        assert_eq!(
            database.repeat("owner", "key").await.unwrap(),
            Some(repeat("a"))
        );
        assert_eq!(database.repeat("other", "key").await.unwrap(), None);
        database.forget_repeat("owner", "key").await.unwrap();
        assert_eq!(database.repeat("owner", "key").await.unwrap(), None);
    });
}

#[test]
fn concurrent_pushes_lose_nothing() {
    on_both(async |database| {
        database.add_project("p", "").await.unwrap();
        let push = async |number: u32| {
            let points = [point(Some(number % 20), "2026-01-01T00:00:00Z", 1.0)];
            database.add_points("p", &points).await.unwrap()[0].outcome
        };
        let mut all = Vec::new();
        for number in 0..40 {
            all.push(push(number));
        }
        let outcomes = futures_util::future::join_all(all).await;
        let stored = outcomes.iter().filter(|it| **it == Outcome::Stored).count();
        assert_eq!(stored, 20);
        assert_eq!(database.series("p").await.unwrap()[0].points, 20);
    });
}

/// A database with a project, a token and two points, as a backup.
async fn backup_of(database: &Database) -> Vec<u8> {
    database.add_project("p", "P").await.unwrap();
    database
        .add_token(Scope::Push, Some("p"), "ci")
        .await
        .unwrap();
    let points = [
        point(Some(1), "2026-01-01T00:00:00Z", 0.1 + 0.2),
        point(Some(2), "2026-01-02T00:00:00Z", 2.0),
    ];
    database.add_points("p", &points).await.unwrap();
    let mut backup = Vec::new();
    assert_eq!(database.back_up(&mut backup).await.unwrap(), 2);
    backup
}

#[test]
fn backups_move_between_databases() {
    on_both(async |database| {
        let backup = backup_of(&database).await;
        let copy = Database::open(Place::memory()).await.unwrap();
        assert_eq!(copy.restore(&backup[..]).await.unwrap(), 2);
        let mut again = Vec::new();
        copy.back_up(&mut again).await.unwrap();
        assert_eq!(
            String::from_utf8(again).unwrap(),
            String::from_utf8(backup.clone()).unwrap()
        );
        let refused = database.restore(&backup[..]).await.unwrap_err();
        assert!(matches!(refused, Error::NotEmpty(_)), "{refused}");
    });
}

#[test]
fn damaged_backups_restore_nothing() {
    on_both(async |database| {
        let backup = String::from_utf8(backup_of(&database).await).unwrap();
        database.remove_project("p").await.unwrap();
        let mut lines: Vec<&str> = backup.lines().collect();
        let cut = lines[..lines.len() - 1].join("\n");
        lines.remove(2);
        let with_gap = lines.join("\n");
        let newer = backup.replacen("slope.backup/1", "slope.backup/9", 1);
        let twice = backup.replace("\"iteration\":2", "\"iteration\":1");
        for (text, part) in [
            (cut, "cut off"),
            (with_gap, "cut off"),
            (newer, "line 1"),
            (twice, "line 5"),
            (String::new(), "cut off"),
        ] {
            let error = database.restore(text.as_bytes()).await.unwrap_err();
            assert!(error.to_string().contains(part), "{error}");
            assert!(database.projects("", 9).await.unwrap().is_empty());
        }
    });
}

async fn error_of(file: &Path) -> Error {
    match Database::open(Place::file(file)).await {
        Ok(_) => panic!("{} opens", file.display()),
        Err(error) => error,
    }
}

#[test]
fn damaged_and_foreign_files_are_named() {
    on_runtime(async {
        let folder = tempfile::tempdir().unwrap();
        let damaged = folder.path().join("damaged.db");
        std::fs::write(&damaged, vec![7; 8192]).unwrap();
        assert!(matches!(error_of(&damaged).await, Error::Damaged(_)));
        assert_eq!(std::fs::read(&damaged).unwrap(), vec![7; 8192]);
        let missing = folder.path().join("none/there.db");
        let error = error_of(&missing).await;
        assert!(matches!(error, Error::Open { .. }), "{error}");
    });
}

#[test]
fn removed_files_are_noticed() {
    on_runtime(async {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("slope.db");
        let database = Database::open(Place::file(&file)).await.unwrap();
        std::fs::remove_file(&file).unwrap();
        assert!(matches!(database.check().await, Err(Error::Damaged(_))));
        assert!(matches!(
            database.add_project("p", "").await,
            Err(Error::Damaged(_))
        ));
    });
}

#[test]
fn tables_of_newer_versions_are_refused() {
    on_runtime(async {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("newer.db");
        let database = Database::open(Place::file(&file)).await.unwrap();
        database.pretend_version(900).await.unwrap();
        database.close().await;
        assert!(matches!(error_of(&file).await, Error::Newer(900)));
    });
}

#[test]
fn old_points_go_and_last_ones_stay() {
    on_both(|database| async move {
        database.add_project("p", "").await.unwrap();
        let old = point(Some(1), "2024-01-01T00:00:00Z", 1.0);
        let new = point(Some(2), "2026-01-01T00:00:00Z", 2.0);
        let mut alone = point(Some(1), "2024-01-01T00:00:00Z", 1.0);
        alone.series = "alone".to_owned();
        database.add_points("p", &[old, new, alone]).await.unwrap();
        let time: jiff::Timestamp = "2025-01-01T00:00:00Z".parse().unwrap();
        let removed = database.forget_before(time.as_millisecond()).await.unwrap();
        assert_eq!(removed, [1, 0, 0, 0]);
        let series = database.series("p").await.unwrap();
        let counts: Vec<(&str, u64)> = series.iter().map(|it| (&*it.name, it.points)).collect();
        assert_eq!(counts, [("alone", 1), ("main", 1)]);
        let again = database.forget_before(time.as_millisecond()).await.unwrap();
        assert_eq!(again, [0, 0, 0, 0]);
    });
}
