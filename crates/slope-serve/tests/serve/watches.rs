//! Watches: what is kept, what is refused, and what the pages show.

use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};
use slope_database::Scope;
use slope_model::watch::WatchDay;
use slope_model::watch_notes::{Acknowledgement, Note};
use slope_serve::Settings;
use slope_watch::Layer;
use slope_watch::demo::{Degradation, Demo, days};

use crate::common::{Served, open, posted, served};

/// A text that would run if it were not escaped.
const HOSTILE: &str = "<script>alert(1)</script>\" onload=\"x";

/// The API of the watch in these tests, and its page.
const WATCH: &str = "/api/v1/projects/p/watches/nightly";
const PAGE: &str = "/projects/p/watch/nightly";

/// Days of a simulated assistant that gets worse after two thirds of them.
fn simulated(count: usize, tasks: usize) -> Vec<WatchDay> {
    days(&Demo {
        first: jiff::civil::date(2026, 9, 1),
        days: count,
        tasks: (0..tasks)
            .map(|at| format!("python/p{}/step_{at}", at % 5))
            .collect(),
        baseline_days: 10,
        degradation: Some(Degradation {
            day: count * 2 / 3,
            until: None,
            drop: 0.3,
            tokens: 0.5,
            layer: Layer::Harness,
        }),
        invalid: vec![12],
        missed: vec![14],
        seed: 1,
    })
}

pub(crate) fn settings() -> Value {
    json!({
        "schema": "slope.sent-watch/1", "baseline_days": 10, "baseline_replicates": 2, "alarm_replicates": 4,
        "false_alarms_per_year": 0.1, "tasks": 40,
        "arms": { "main": { "role": "target", "agent": "codex", "model": "m", "effort": "high" } },
    })
}

async fn push(served: &Served, days: &[WatchDay]) -> Vec<String> {
    let kept = served.put(WATCH, &settings()).await;
    assert_eq!(kept.status, 200, "{}", kept.text);
    let body = json!({ "days": days });
    let added = served.post(&format!("{WATCH}/days"), &body).await;
    assert_eq!(added.status, 200, "{}", added.text);
    let results = added.json()["results"].as_array().unwrap().clone();
    let outcome = |result: Value| result["outcome"].as_str().unwrap().to_owned();
    results.into_iter().map(outcome).collect()
}

/// A watch with one day and a note, for tests of upgrades.
pub(crate) async fn with_watch(served: &Served) {
    push(served, &simulated(1, 2)).await;
    let note = Note::of(Acknowledgement {
        who: "Ann".to_owned(),
        why: "it's known".to_owned(),
        until: Some("2026-12-01".to_owned()),
        at: "2026-11-01T00:00:00Z".to_owned(),
    });
    let place = ("p", "nightly");
    let kept = served
        .database
        .put_note(place, "main.pass-rate.2026-11-01", &note);
    kept.await.unwrap();
}

/// A page with plain slashes, which templates escape.
fn plain(text: &str) -> String {
    text.replace("&#x2f;", "/")
}

/// The id of the first alarm of the pass rate.
async fn first_alarm(served: &Served) -> String {
    let alarms = served.get("/api/v1/projects/p/alarms").await.json();
    let all = alarms["items"].as_array().unwrap();
    let rate = all
        .iter()
        .find(|one| one["alarm"]["measure"] == "pass-rate");
    rate.unwrap()["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn days_of_watches_are_kept_once() {
    let served = open().await;
    let all = simulated(3, 4);
    assert_eq!(push(&served, &all).await, ["stored"; 3]);
    assert_eq!(push(&served, &all).await, ["same"; 3]);
    let mut other = all[..1].to_vec();
    other[0].replicates = 9;
    assert_eq!(push(&served, &other).await, ["conflict"]);
    let kept = served.put(WATCH, &settings()).await.json();
    assert_eq!(kept["days"].as_array().unwrap().len(), 3);
    assert_eq!(kept["is_new"], false);
    let first = served.get(&format!("{WATCH}/days?limit=2")).await.json();
    let next = first["next"].as_str().unwrap().to_owned();
    let rest = served
        .get(&format!("{WATCH}/days?limit=2&cursor={next}"))
        .await;
    let rest = rest.json();
    assert_eq!(rest["items"][0], serde_json::to_value(&all[2]).unwrap());
    assert_eq!(
        (&rest["next"], rest["items"].as_array().unwrap().len()),
        (&Value::Null, 1)
    );
    let day = served.get(&format!("{WATCH}/days/{}", all[1].date)).await;
    assert_eq!(day.json(), serde_json::to_value(&all[1]).unwrap());
    let listed = served.get("/api/v1/projects/p/watches").await.json();
    assert_eq!(listed["items"][0]["days"], 3, "{listed}");
    assert_eq!(listed["items"][0]["state"], "baseline", "{listed}");
}

#[tokio::test]
async fn alarms_say_what_changed() {
    let served = open().await;
    push(&served, &simulated(60, 40)).await;
    let status = served.get(&format!("{WATCH}/status")).await.json();
    assert_eq!(status["state"], "confirmed", "{}", status["sentence"]);
    assert_eq!(status["arms"][0]["agent_version"], "2.1.0");
    let id = first_alarm(&served).await;
    let listed = served.get("/api/v1/projects/p/watches").await.json();
    let open = listed["items"][0]["open"].as_array().unwrap();
    let rate = open.iter().find(|alarm| alarm["id"] == *id).unwrap();
    assert_eq!(rate["layer"], "harness");
    let home = served.get("/").await.text;
    assert!(
        home.contains("Assistants with an alarm") && home.contains(&id),
        "{home}"
    );
    let page = served.get(PAGE).await.text;
    for words in [
        "2.1.0",
        "simulated-model",
        "Layer: harness",
        "Tasks by day",
        "step_3",
    ] {
        assert!(page.contains(words), "{words}");
    }
    assert!(page.len() < 500_000, "{} bytes", page.len());
}

#[tokio::test]
async fn acknowledged_alarms_stay_open() {
    let served = open().await;
    push(&served, &simulated(60, 40)).await;
    let id = first_alarm(&served).await;
    let path = format!("{WATCH}/alarms/{id}/acknowledgement");
    let ask = |why: &str, until: &str| json!({ "who": "Ann", "why": why, "until": until });
    let kept = served.put(&path, &ask("known", "2199-01-01")).await;
    assert_eq!(kept.status, 200, "{}", kept.text);
    let of = async || {
        let alarms = served.get("/api/v1/projects/p/alarms").await.json();
        let all = alarms["items"].as_array().unwrap().clone();
        all.into_iter().find(|one| one["id"] == *id).unwrap()
    };
    let alarm = of().await;
    assert_eq!(alarm["alarm"]["recovered"], Value::Null);
    assert_eq!(alarm["acknowledged"]["why"], "known");
    let page = served.get(PAGE).await.text;
    assert!(page.contains("Acknowledged by Ann"), "{page}");
    let feed = plain(&served.get(&format!("{PAGE}/feed.xml")).await.text);
    assert!(
        feed.contains("acknowledged: ") && feed.contains(&format!("/{id}/raised")),
        "{feed}"
    );
    // It held until an earlier day.
    served.put(&path, &ask("old", "2026-01-01")).await;
    assert_eq!(of().await["acknowledged"], Value::Null);
    served.put(&path, &ask("known", "2199-01-01")).await;
    let delete = || Request::delete(&path).body(Body::empty()).unwrap();
    assert_eq!(served.ask(delete()).await.status, 204);
    assert_eq!(of().await["acknowledged"], Value::Null);
    assert_eq!(served.ask(delete()).await.status, 404);
    let unknown = format!("{WATCH}/alarms/main.pass-rate.2020-01-01/acknowledgement");
    assert_eq!(
        served.put(&unknown, &ask("x", "2199-01-01")).await.status,
        404
    );
    let faulty = served.put(&path, &ask("known", "tomorrow")).await;
    assert!(
        faulty.status == 422 && faulty.text.contains("until"),
        "{}",
        faulty.text
    );
}

#[tokio::test]
async fn watch_pages_escape_hostile_texts() {
    let served = open().await;
    let mut all = simulated(60, 12);
    for day in &mut all {
        day.invalid = day.invalid.as_ref().map(|_| HOSTILE.to_owned());
        let main = day.arms.get_mut("main").unwrap();
        main.agent = HOSTILE.to_owned();
        main.model = HOSTILE.to_owned();
        for run in &mut main.tasks {
            run.task = format!("{HOSTILE}/{}", run.task);
            run.not_passed = vec![HOSTILE.to_owned()];
        }
    }
    push(&served, &all).await;
    let id = first_alarm(&served).await;
    let path = format!("{WATCH}/alarms/{id}/acknowledgement");
    let note = json!({ "who": HOSTILE, "why": HOSTILE });
    assert_eq!(served.put(&path, &note).await.status, 200);
    let (from, to) = (&all[20].date, &all[55].date);
    let compare = format!("{PAGE}?from={from}&to={to}");
    let wrong = format!("{PAGE}?from=%3Cscript%3Ealert(1)&to={to}&arm=%22%20onload=%22x");
    let badge = format!("{PAGE}/badge.svg");
    let feed = format!("{PAGE}/feed.xml");
    for path in ["/", "/watch", PAGE, &compare, &wrong, &feed, &badge] {
        let page = served.get(path).await;
        assert_eq!(page.status, 200, "{path}: {}", page.text);
        let is_safe = !page.text.contains("<script>") && !page.text.contains("onload=\"");
        assert!(is_safe, "{path}: {}", page.text);
        // The policy would block them.
        assert!(
            !page.text.contains(" style=") && !page.text.contains("<style"),
            "{path}"
        );
        if path != badge {
            assert!(page.text.contains("alert(1)"), "{path} shows the text");
        }
    }
}

#[tokio::test]
async fn two_days_are_compared_by_task() {
    let served = open().await;
    let all = simulated(60, 40);
    push(&served, &all).await;
    let compared = async |from: &str, to: &str| {
        let page = served
            .get(&format!("{PAGE}?from={from}&to={to}&arm=main"))
            .await;
        assert_eq!(page.status, 200);
        let start = page.text.find("id=\"compare\"").unwrap();
        page.text[start..].to_owned()
    };
    let text = compared(&all[20].date, &all[57].date).await;
    for words in ["mid-p", "broke", "2.0.9", "2.1.0", "Output tokens", "step_"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let missed = compared(&all[20].date, "2026-09-15").await;
    assert!(missed.contains("2026-09-15 has no results"), "{missed}");
}

#[tokio::test]
async fn watches_are_offered_as_data() {
    let served = open().await;
    push(&served, &simulated(20, 4)).await;
    let csv = served.get(&format!("{PAGE}.csv")).await.text;
    assert!(csv.starts_with("arm,measure,date,state"), "{csv}");
    assert!(csv.contains("main,pass-rate,2026-09-11"), "{csv}");
    let status = served.get(&format!("{PAGE}.json")).await.json();
    assert_eq!(status["schema"], "slope.watch-status/1");
    for name in ["parquet", "runs.parquet"] {
        let request = Request::get(format!("{PAGE}.{name}"));
        let answer = served.raw(request.body(Body::empty()).unwrap()).await;
        assert!(answer.starts_with(b"PAR1"), "{name}");
    }
    let badge = served.get(&format!("{PAGE}/badge.svg")).await;
    assert!(
        badge.text.starts_with("<svg") && badge.text.contains("2026-09-20"),
        "{}",
        badge.text
    );
    assert_eq!(badge.header("content-type"), "image/svg+xml; charset=utf-8");
}

#[tokio::test]
async fn faulty_days_are_refused() {
    let served = open().await;
    push(&served, &[]).await;
    let day = || serde_json::to_value(&simulated(1, 2)[0]).unwrap();
    let faulty = |change: &dyn Fn(&mut Value)| {
        let mut day = day();
        change(&mut day);
        json!({ "days": [day] })
    };
    let run = |day: &mut Value| day["arms"]["main"]["tasks"][0].clone();
    let cases = [
        (
            faulty(&|day| day["date"] = "2026-02-30".into()),
            "days[0].date",
        ),
        (faulty(&|day| day["schema"] = "x".into()), "days[0].schema"),
        (
            faulty(&|day| day["arms"]["../x"] = day["arms"]["main"].clone()),
            "not a name of an arm",
        ),
        (
            faulty(&|day| day["arms"]["main"]["tasks"][0]["agent_s"] = (-1).into()),
            "agent_s",
        ),
        (
            faulty(&|day| day["arms"]["main"]["tasks"][0]["passed_share"] = 1.5.into()),
            "passed_share",
        ),
        (
            faulty(&|day| {
                let twice = run(day);
                day["arms"]["main"]["tasks"]
                    .as_array_mut()
                    .unwrap()
                    .push(twice);
            }),
            "the run is there twice",
        ),
    ];
    for (body, words) in cases {
        let answer = served.post(&format!("{WATCH}/days"), &body).await;
        assert_eq!(answer.status, 422, "{words}: {}", answer.text);
        assert!(answer.text.contains(words), "{words}: {}", answer.text);
    }
    let other = "/api/v1/projects/p/watches/other/days";
    assert_eq!(served.post(other, &json!({ "days": [] })).await.status, 404);
}

#[tokio::test]
async fn faulty_settings_are_refused() {
    let served = open().await;
    let mut wrong = settings();
    wrong["false_alarms_per_year"] = 7.into();
    let answer = served.put(WATCH, &wrong).await;
    assert!(
        answer.status == 422 && answer.text.contains("false_alarms"),
        "{}",
        answer.text
    );
    let secret = json!({ "role": "target", "agent": "a", "upstream": "https://u" });
    let mut wrong = settings();
    wrong["arms"]["main"] = secret;
    assert_eq!(
        served.put(WATCH, &wrong).await.status,
        422,
        "addresses stay at home"
    );
}

#[tokio::test]
async fn largest_days_are_kept() {
    let served = open().await;
    let mut day = simulated(1, 200).remove(0);
    for arm in day.arms.values_mut().filter(|arm| !arm.role.is_control()) {
        let first = arm.tasks.iter().filter(|run| run.trial == 1).cloned();
        let first = Vec::from_iter(first);
        arm.tasks.clear();
        for trial in 1..=4 {
            arm.tasks.extend(first.iter().cloned().map(|mut run| {
                run.trial = trial;
                run.not_passed =
                    vec!["tests/test_orders.py::test_totals_of_an_order".to_owned(); 20];
                run
            }));
        }
    }
    assert_eq!(push(&served, &[day]).await, ["stored"]);
}

#[tokio::test]
async fn states_are_made_beside_other_requests() {
    let served = open().await;
    push(&served, &simulated(60, 60)).await;
    let (status, health) = (format!("{WATCH}/status"), "/api/v1/health");
    let timed = async |path: &str| {
        let answer = served.get(path).await;
        assert_eq!(answer.status, 200);
        std::time::Instant::now()
    };
    // Other settings, so that the state is made again.
    let mut other = settings();
    other["baseline_days"] = 12.into();
    served.put(WATCH, &other).await;
    let (made, answered) = tokio::join!(timed(&status), timed(health));
    assert!(answered < made, "a state is made in a thread of its own");
}

#[tokio::test]
async fn tokens_see_watches_of_their_project() {
    let served = served(Settings::default()).await;
    let (_, writer) = served.token(Scope::Push, Some("p")).await;
    let mut put = posted(WATCH, &settings());
    *put.method_mut() = axum::http::Method::PUT;
    let bearer: axum::http::HeaderValue = format!("Bearer {writer}").parse().unwrap();
    put.headers_mut().insert("authorization", bearer.clone());
    assert_eq!(served.ask(put).await.status, 200);
    let mut days = posted(
        &format!("{WATCH}/days"),
        &json!({ "days": simulated(60, 40) }),
    );
    days.headers_mut().insert("authorization", bearer);
    assert_eq!(served.ask(days).await.status, 200);
    let (_, other) = served.token(Scope::Read, Some("q")).await;
    let (_, own) = served.token(Scope::Read, Some("p")).await;
    for path in ["/watch", "/"] {
        for (token, is_there) in [(&own, true), (&other, false)] {
            let request = Request::get(path).header("cookie", format!("slope_token={token}"));
            let page = served.ask(request.body(Body::empty()).unwrap()).await;
            let page = plain(&page.text);
            assert_eq!(page.contains(PAGE), is_there, "{path}: {page}");
        }
    }
    let request = Request::get(PAGE).header("cookie", format!("slope_token={other}"));
    let page = served.ask(request.body(Body::empty()).unwrap()).await;
    assert_eq!(page.status, 403);
}

#[tokio::test]
async fn series_named_watch_keep_their_pages() {
    let served = open().await;
    let mut point = crate::common::point(1, 1.0);
    point["series"] = "watch".into();
    let body = json!({ "points": [point] });
    served.post("/api/v1/projects/p/points", &body).await;
    assert_eq!(served.get("/projects/p/watch").await.status, 200);
    let page = served.get("/projects/p/watch/iteration-1").await;
    assert!(
        page.status == 200 && page.text.contains("iteration 1"),
        "{}",
        page.text
    );
    assert_eq!(served.get("/projects/p/watch/none").await.status, 404);
}

#[tokio::test]
async fn removed_watches_leave_nothing() {
    let served = open().await;
    push(&served, &simulated(60, 40)).await;
    assert_eq!(served.get(PAGE).await.status, 200);
    let delete = Request::delete(WATCH).body(Body::empty()).unwrap();
    assert_eq!(served.ask(delete).await.status, 204);
    assert_eq!(served.get(PAGE).await.status, 404);
    push(&served, &simulated(3, 4)).await;
    let status = served.get(&format!("{WATCH}/status")).await.json();
    assert_eq!(
        status["dates"].as_array().unwrap().len(),
        3,
        "nothing of the first"
    );
}
