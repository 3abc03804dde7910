//! Watches and their days.

use std::collections::BTreeMap;

use slope_database::{Database, Error, Outcome, Place};
use slope_model::schema;
use slope_model::sent_watch::SentWatch;
use slope_model::watch::{ArmDay, TaskOutcome, TaskRun, WatchDay};
use slope_model::watch_notes::{Acknowledgement, Note};

use crate::on_both;

/// The place of the watch in these tests.
const W: (&str, &str) = ("p", "nightly");

fn settings(baseline_days: u32) -> SentWatch {
    SentWatch {
        schema: schema::SENT_WATCH.to_owned(),
        baseline_days,
        baseline_replicates: 2,
        alarm_replicates: 4,
        false_alarms_per_year: 0.1,
        tasks: 1,
        arms: BTreeMap::new(),
    }
}

/// A day on which the only task took so many seconds.
fn day(date: &str, seconds: f64) -> WatchDay {
    let run = TaskRun {
        task: "python/p/step".to_owned(),
        trial: 1,
        outcome: TaskOutcome::Passed,
        reason: Some("a null character: \0".to_owned()),
        passed_share: Some(1.0),
        class: None,
        also: None,
        not_passed: Vec::new(),
        usage: None,
        agent_s: Some(seconds),
        quality: None,
        efficiency: None,
        conduct: None,
    };
    let arm = ArmDay {
        tasks: vec![run],
        ..ArmDay::default()
    };
    WatchDay {
        schema: schema::WATCH_DAY.to_owned(),
        date: date.to_owned(),
        suite: "s".to_owned(),
        replicates: 1,
        class_rules: None,
        arms: BTreeMap::from([("main".to_owned(), arm)]),
        invalid: None,
        simulated: false,
    }
}

fn note(at: &str, why: &str) -> Note {
    Note::of(Acknowledgement {
        who: "Ann".to_owned(),
        why: why.to_owned(),
        until: None,
        at: at.to_owned(),
    })
}

async fn with_watch(database: &Database) {
    database.add_project("p", "").await.unwrap();
    database.put_watch(W, &settings(15)).await.unwrap();
}

async fn revision(database: &Database) -> String {
    database.watch(W).await.unwrap().0.revision
}

#[test]
fn days_are_written_once() {
    on_both(async |database| {
        with_watch(&database).await;
        let (first, other) = (day("2026-01-02", 0.1 + 0.2), day("2026-01-02", 7.0));
        let mut outcomes = Vec::new();
        for sent in [&first, &first, &other] {
            let added = database.add_days(W, std::slice::from_ref(sent)).await;
            let added = added.unwrap().remove(0);
            assert_eq!(added.message.is_some(), added.outcome == Outcome::Conflict);
            outcomes.push(added.outcome);
        }
        assert_eq!(
            outcomes,
            [Outcome::Stored, Outcome::Same, Outcome::Conflict]
        );
        assert_eq!(database.day(W, "2026-01-02").await.unwrap(), first);
        let earlier = day("2026-01-01", 1.0);
        database.add_days(W, &[earlier]).await.unwrap();
        let info = database.watches(None, 9).await.unwrap().remove(0).info;
        let ends = (info.first.as_deref(), info.last.as_deref());
        assert_eq!(ends, (Some("2026-01-01"), Some("2026-01-02")));
        let later = database.days_after(W, "2026-01-01", 9).await.unwrap();
        assert_eq!(later, [first]);
    });
}

#[test]
fn revisions_follow_settings_and_days() {
    on_both(async |database| {
        with_watch(&database).await;
        let first = revision(&database).await;
        let same = database.put_watch(W, &settings(15)).await.unwrap();
        assert!(!same.is_new && same.days.is_empty());
        assert_eq!(revision(&database).await, first);
        assert!(database.put_watch(W, &settings(20)).await.unwrap().is_new);
        let second = revision(&database).await;
        assert_ne!(second, first);
        let days = [day("2026-01-01", 1.0)];
        database.add_days(W, &days).await.unwrap();
        let third = revision(&database).await;
        assert_ne!(third, second);
        database.add_days(W, &days).await.unwrap();
        assert_eq!(revision(&database).await, third, "nothing is new");
        let kept = database.put_watch(W, &settings(20)).await.unwrap();
        let text = serde_json::to_string(&days[0]).unwrap();
        assert_eq!(
            kept.days[0].digest,
            blake3::hash(text.as_bytes()).to_hex().as_str()
        );
        database.keep_card(W, "{}", &third).await.unwrap();
        let (watch, sent) = database.watch(W).await.unwrap();
        assert_eq!((watch.card.as_str(), watch.card_of), ("{}", third.clone()));
        assert_eq!(sent, settings(20));
        // Another watch of the same name has nothing of the first.
        database.remove_watch(W).await.unwrap();
        database.put_watch(W, &settings(20)).await.unwrap();
        assert_ne!(revision(&database).await, third);
        assert!(database.known_days(W).await.unwrap().is_empty());
    });
}

#[test]
fn faulty_days_keep_none_of_a_request() {
    on_both(async |database| {
        with_watch(&database).await;
        let days = [day("2026-01-01", 1.0), day("2026-02-30", 1.0)];
        let error = database.add_days(W, &days).await.unwrap_err();
        assert!(error.to_string().starts_with("days[1].date"), "{error}");
        assert!(database.known_days(W).await.unwrap().is_empty());
        let error = database.add_days(("p", "other"), &days[..1]).await;
        let is_unknown = |error: &Error| matches!(error, Error::Unknown { kind: "watch", .. });
        assert!(is_unknown(&error.unwrap_err()));
    });
}

#[test]
fn latest_note_stays() {
    on_both(async |database| {
        with_watch(&database).await;
        let late = note("2026-01-02T00:00:00Z", "known");
        let early = note("2026-01-01T00:00:00Z", "old");
        assert_eq!(database.put_note(W, "a", &late).await.unwrap(), late);
        assert_eq!(database.put_note(W, "a", &early).await.unwrap(), late);
        let back = Note::taken_back("2026-01-03T00:00:00Z".to_owned());
        database.put_note(W, "a", &back).await.unwrap();
        assert_eq!(database.notes(W).await.unwrap().alarms["a"], back);
    });
}

#[test]
fn backups_and_retention_have_watches() {
    on_both(async |database| {
        with_watch(&database).await;
        let days = [day("2026-01-01", 0.1 + 0.2), day("2026-01-02", 2.0)];
        database.add_days(W, &days).await.unwrap();
        let known = note("2026-01-02T00:00:00Z", "known");
        database.put_note(W, "a", &known).await.unwrap();
        let mut backup = Vec::new();
        database.back_up(&mut backup).await.unwrap();
        let copy = Database::open(Place::memory()).await.unwrap();
        copy.restore(&backup[..]).await.unwrap();
        let kept = copy.days_after(W, "", 9).await.unwrap();
        assert_eq!(kept, days);
        assert_eq!(copy.notes(W).await.unwrap().alarms["a"], known);
        assert_eq!(copy.watch(W).await.unwrap().1, settings(15));
        assert_ne!(revision(&copy).await, "");
        let now = jiff::Timestamp::now().as_millisecond();
        let minute = 60_000;
        let removed = database.forget_before(now - minute).await.unwrap();
        assert_eq!(removed, [0; 4]);
        let removed = database.forget_before(now + minute).await.unwrap();
        assert_eq!(removed, [0, 0, 0, 1]);
        assert!(database.watches(None, 9).await.unwrap().is_empty());
    });
}
