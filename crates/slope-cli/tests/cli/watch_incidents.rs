//! Public incidents of coding assistants, and quiet years, replayed by scripted assistants through real days of a watch.
//!
//! With `SLOPE_TEST_WHOLE`, on 50 tasks and as often as docs/lab/watch.md says. The tables of that page are printed.

mod incidents;
mod pool;
mod replay;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use slope_model::watch::WatchDay;
use slope_watch::{Layer, Limits, Measure, monitor, status, tick};

use crate::common::{run, sandbox_or_skip, stdout, text, whole};
use incidents::{INCIDENTS, Incident};
use pool::Pool;
use replay::{BASELINE, Replay, USUAL, rolling, settings};

static POOL: LazyLock<Pool> = LazyLock::new(|| Pool::kept(whole()));

/// Day on which an incident begins, from 0, and days of its replay.
const BEGINS: usize = 45;
const DAYS: usize = 90;

/// Replays of each incident, from `SLOPE_TEST_WATCH_REPLAYS`; there are ten times as many quiet years.
fn replays() -> u64 {
    let given = std::env::var("SLOPE_TEST_WATCH_REPLAYS").ok();
    let given = given.and_then(|text| text.parse().ok());
    given.unwrap_or(if whole() { 20 } else { 1 })
}

fn limits() -> Limits {
    settings().limits()
}

/// The days of an incident as a watch would have had them, with the plan of each from those before.
fn days_of(incident: &Incident, seed: u64) -> Vec<WatchDay> {
    let replay = Replay::new(&POOL, seed, 0.0);
    let settings = settings();
    let mut days = Vec::new();
    for at in 0..DAYS {
        let is_on = (BEGINS..BEGINS + incident.days).contains(&at);
        let plan = tick::plan(&settings, &days);
        let change = |role| incident.change(role, is_on);
        days.push(replay.day(at, plan.replicates, change, 3));
    }
    days
}

/// Result of a replay.
#[derive(Debug, Default)]
struct Found {
    /// Whether something alarmed before the incident.
    early: bool,
    /// Days until the first alarm, its measure and layer.
    alarm: Option<(usize, String, Layer)>,
    /// Days until the rules of 7 and 30 days, if they were silent before.
    rolling: [Option<usize>; 2],
    /// Whether they were not silent before.
    rolling_early: [bool; 2],
}

fn replay(incident: &Incident, seed: u64) -> Found {
    let days = days_of(incident, seed);
    let state = status(&days, limits());
    let began = replay::date(BEGINS);
    let mut found = Found::default();
    let mut first: Option<&slope_model::watch_status::AlarmReport> = None;
    for report in &state.alarms {
        let raised = &report.alarm.raised;
        found.early |= *raised < began;
        let is_first = first.is_none_or(|known| *raised < known.alarm.raised);
        if *raised >= began && is_first {
            first = Some(report);
        }
    }
    found.alarm = first.map(|report| {
        let at = days.iter().position(|day| day.date == report.alarm.raised);
        let days = at.unwrap() + 1 - BEGINS;
        (days, report.alarm.measure.clone(), report.attribution.layer)
    });
    for (place, window) in [7, 30].into_iter().enumerate() {
        let low = rolling(&days, window);
        found.rolling_early[place] = low.iter().any(|at| *at < BEGINS);
        found.rolling[place] = low
            .iter()
            .find(|at| **at >= BEGINS)
            .map(|at| at + 1 - BEGINS);
    }
    found
}

fn median(mut days: Vec<usize>, of: usize) -> String {
    days.sort_unstable();
    match days.get(of.saturating_sub(1) / 2) {
        Some(day) => format!("{day}"),
        None => "–".to_owned(),
    }
}

fn most<T: Ord + Clone>(all: impl Iterator<Item = T>) -> Option<(T, usize)> {
    let mut counts: BTreeMap<T, usize> = BTreeMap::new();
    all.for_each(|one| *counts.entry(one).or_default() += 1);
    counts.into_iter().max_by_key(|(_, count)| *count)
}

/// A row of the table of incidents.
fn row(incident: &Incident, found: &[Found]) -> String {
    let all = found.len();
    let alarms = Vec::from_iter(found.iter().filter_map(|one| one.alarm.as_ref()));
    let measures = most(alarms.iter().map(|(_, measure, _)| measure.clone()));
    let first = measures.map_or("–".to_owned(), |(name, count)| {
        format!("{name} ({count})")
    });
    let of = |wanted: &dyn Fn(Layer) -> bool| {
        let layers = alarms.iter().map(|(.., layer)| *layer);
        layers.filter(|layer| wanted(*layer)).count()
    };
    let right = of(&|layer| Some(layer) == incident.layer);
    let unknown = of(&|layer| layer == Layer::Unattributed);
    let layers = incident.layer.map_or("–".to_owned(), |layer| {
        format!("{}: {right}, unknown: {unknown}", layer.title())
    });
    let rules = [0, 1].map(|place| {
        let days = Vec::from_iter(found.iter().filter_map(|one| one.rolling[place]));
        let early = found.iter().filter(|one| one.rolling_early[place]).count();
        format!(
            "{} of {all}, {} d, {early} before",
            days.len(),
            median(days, all)
        )
    });
    format!(
        "| {} | {} | {} of {all} | {} d | {first} | {} | {} | {} | {} |",
        incident.name,
        incident.days,
        alarms.len(),
        median(alarms.iter().map(|alarm| alarm.0).collect(), all),
        layers,
        rules[0],
        rules[1],
        found.iter().filter(|one| one.early).count(),
    )
}

/// Results of `one` for each seed, in order, on all processors.
fn many<T: Send>(count: u64, one: impl Fn(u64) -> T + Sync) -> Vec<T> {
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get) as u64;
    let one = &one;
    std::thread::scope(|scope| {
        let work = |thread: u64| {
            let seeds = (1..=count).filter(move |seed| seed % threads == thread);
            scope.spawn(move || Vec::from_iter(seeds.map(|seed| (seed, one(seed)))))
        };
        let working = Vec::from_iter((0..threads).map(work));
        let done = working
            .into_iter()
            .flat_map(|thread| thread.join().unwrap());
        let done: BTreeMap<u64, T> = done.collect();
        done.into_values().collect()
    })
}

#[test]
fn incidents_are_found_and_attributed() {
    if !sandbox_or_skip() {
        return;
    }
    let replays = replays();
    for incident in &INCIDENTS {
        if replays == 1 && !incident.is_short {
            continue;
        }
        let found = many(replays, |seed| replay(incident, seed));
        println!("{}", row(incident, &found));
        let alarms = found.iter().filter_map(|one| one.alarm.as_ref());
        let right = alarms.clone().filter(|(days, _, layer)| {
            *days <= incident.within.unwrap_or(0) && Some(*layer) == incident.layer
        });
        let least = found.len() * 9 / 10;
        if incident.within.is_some() {
            assert!(
                right.count() >= least.max(1),
                "{}: {found:?}",
                incident.name
            );
        }
    }
}

#[test]
fn status_of_replayed_days_is_printed() {
    if !sandbox_or_skip() {
        return;
    }
    let incident = INCIDENTS.iter().find(|one| one.is_short).unwrap();
    let dir = tempfile::tempdir().unwrap();
    for day in days_of(incident, 1) {
        let folder = dir.path().join("days").join(&day.date);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("day.json"), serde_json::to_vec(&day).unwrap()).unwrap();
    }
    let settings = "tasks = [\"python/a/b\"]\n[arms.main]\nagent = \"nop\"\n";
    std::fs::write(dir.path().join("watch.toml"), settings).unwrap();
    let output = run(&["watch", "status", text(dir.path())]);
    // The incident is over.
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    let layer = incident.layer.unwrap().title();
    let sentence = format!("Layer: {layer}. Recovered on 2026-03-21.");
    assert!(stdout(&output).contains(&sentence), "{}", stdout(&output));
}

/// The days of a quiet year, with the plan of each from those before. A plan depends on the pass rate alone, so that
/// only days with another plan than an ordinary one are made again.
fn quiet_year(seed: u64, days_sd: f64) -> Vec<WatchDay> {
    let replay = Replay::new(&POOL, seed, days_sd);
    let runs = |at: usize| if at < BASELINE { 2 } else { 1 };
    let day = |at: usize, replicates: u32| replay.day(at, replicates, |_| USUAL, 1);
    let mut days = Vec::from_iter((0..BASELINE + 365).map(|at| day(at, runs(at))));
    let mut fixed = BASELINE;
    loop {
        let rate =
            slope_watch::monitor::monitor_measure(&days, "main", Measure::PassRate, limits());
        let states = rate.unwrap().days;
        let wanted = |at: usize| {
            let before = at
                .checked_sub(BASELINE + 1)
                .map(|before| states[before].state);
            let is_high = before.is_some_and(|state| {
                matches!(
                    state,
                    slope_watch::State::Watching | slope_watch::State::Suspected
                )
            });
            if is_high {
                settings().alarms.replicates
            } else {
                1
            }
        };
        let wrong = (fixed..days.len()).find(|at| days[*at].replicates != wanted(*at));
        let Some(at) = wrong else {
            return days;
        };
        days[at] = day(at, wanted(at));
        fixed = at + 1;
    }
}

/// A quiet year: measures that alarm, and whether the rules of 7 and 30 days do.
fn judged(seed: u64, days_sd: f64) -> (Vec<String>, [bool; 2]) {
    let days = quiet_year(seed, days_sd);
    let alarms = monitor::monitor(&days, "main", limits());
    let alarms = alarms.iter().flat_map(|series| &series.alarms);
    let measures = alarms.map(|alarm| alarm.measure.clone()).collect();
    (
        measures,
        [7, 30].map(|window| !rolling(&days, window).is_empty()),
    )
}

#[test]
fn quiet_years_of_results_keep_rate() {
    if !sandbox_or_skip() {
        return;
    }
    let years = if replays() > 1 { replays() * 10 } else { 2 };
    // The second is 2 points of the pass rate, of tasks with a variance of 0.162.
    for days_sd in [0.0, 0.123] {
        if years == 2 && days_sd > 0.0 {
            continue;
        }
        let found = many(years, |seed| judged(1000 + seed, days_sd));
        let alarmed = found
            .iter()
            .filter(|(measures, _)| !measures.is_empty())
            .count();
        let rules = [0, 1].map(|place| found.iter().filter(|(_, rules)| rules[place]).count());
        let mut measures: BTreeMap<&String, usize> = BTreeMap::new();
        let of_years = found.iter().flat_map(|(measures, _)| measures);
        of_years.for_each(|measure| *measures.entry(measure).or_default() += 1);
        println!(
            "| {days_sd} | {years} | {alarmed} | {} | {} | {measures:?} |",
            rules[0], rules[1]
        );
        let years = slope_stats::float(found.len());
        let most = 0.1 * years + 3.0 * (0.09 * years).sqrt();
        assert!(
            slope_stats::float(alarmed) <= most,
            "{alarmed} of {years}: {measures:?}"
        );
    }
}
