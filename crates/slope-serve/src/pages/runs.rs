//! Runs of the benchmark.

use std::sync::Arc;

use axum::extract::{Form, Path, RawQuery, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use serde::{Deserialize, Serialize};
use slope_database::{CardOfRun, RunInfo, Scope, StepFilter};
use slope_model::run::RunReport;
use slope_model::sent_run::{CheckpointPlace, RunRequest, SentRun};
use slope_report::{
    ParquetFile, RunCard, RunFilter, RunLine, RunPage, RunsPage, Show, Standing, StepsView,
    TrialPage, VersusPage, cohort_id, csv_head, csv_rows, filter_names, leaderboard, paired_slopes,
    run_address, run_table,
};

use super::answer::{Failure, PARQUET, answer, file};
use crate::access::{Caller, form_caller};
use crate::app::App;
use crate::event::Event;
use crate::extract::Query;
use crate::problem::Problem;

/// Runs that a page looks at, the latest first.
const MOST_RUNS: u32 = 1000;
/// Projects to choose from.
const MOST_PROJECTS: u32 = 1000;
/// Steps of a page.
const STEPS: u32 = 40;
/// Bytes of the steps of a page; the first is always shown.
const STEP_BYTES: usize = 160_000;

/// Query of the leaderboard's address.
#[derive(Debug, Clone, Default, Deserialize)]
pub(super) struct Asked {
    #[serde(default)]
    project: String,
    #[serde(default)]
    agent: String,
    #[serde(default)]
    model: String,
    #[serde(default)]
    arm: String,
    #[serde(default)]
    problem: String,
    /// Cohorts to compare.
    #[serde(default)]
    first: String,
    #[serde(default)]
    second: String,
}

impl Asked {
    fn filter(&self) -> RunFilter {
        RunFilter {
            agent: self.agent.clone(),
            model: self.model.clone(),
            arm: self.arm.clone(),
            problem: self.problem.clone(),
        }
    }
}

pub(super) async fn list(
    State(app): State<Arc<App>>,
    caller: Caller,
    Query(asked): Query<Asked>,
) -> Response {
    let page = make(&app, &caller, &asked).await;
    answer(
        &app,
        page.and_then(|page| app.site.runs(&page).map_err(Failure::Html)),
    )
}

/// The runs that the caller may see.
async fn visible(
    app: &App,
    caller: &Caller,
    project: &str,
) -> Result<Vec<(CardOfRun, RunCard)>, Problem> {
    let wanted = match (caller.project(), project) {
        (Some(own), "") => Some(own),
        (Some(own), other) if own != other => return Ok(Vec::new()),
        (_, "") => None,
        (_, project) => Some(project),
    };
    let kept = app.database.cards(wanted, MOST_RUNS).await?;
    let mut cards = Vec::with_capacity(kept.len());
    for of in kept {
        let card = match RunCard::read(&of.card) {
            Some(card) => card,
            // An earlier slope wrote it.
            None => {
                let (_, sent) = app.database.run(&of.info.project, &of.info.run).await?;
                RunCard::of(&sent.report)
            }
        };
        cards.push((of, card));
    }
    Ok(cards)
}

async fn make(app: &App, caller: &Caller, asked: &Asked) -> Result<RunsPage, Failure> {
    let all = visible(app, caller, &asked.project).await?;
    let projects = match caller.project() {
        Some(own) => vec![own.to_owned()],
        None => {
            let all = app.database.projects("", MOST_PROJECTS).await?;
            all.into_iter().map(|project| project.name).collect()
        }
    };
    let filter = asked.filter();
    let names = filter_names(all.iter().map(|(_, card)| card));
    let has_more = all.len() >= MOST_RUNS as usize;
    let fitting: Vec<(CardOfRun, RunCard)> = all
        .into_iter()
        .filter(|(_, card)| card.fits(&filter))
        .collect();
    let standings = standings(&fitting, &filter).await?;
    Ok(RunsPage {
        project: asked.project.clone(),
        projects,
        names,
        standings,
        has_more,
        runs: fitting
            .into_iter()
            .map(|(of, card)| line(of.info, card))
            .collect(),
        filter,
    })
}

fn line(info: RunInfo, card: RunCard) -> RunLine {
    RunLine {
        project: info.project,
        run: info.run,
        phase: info.phase,
        started: info.started,
        card,
    }
}

/// The cohorts; their intervals take a moment of a processor.
async fn standings(
    runs: &[(CardOfRun, RunCard)],
    filter: &RunFilter,
) -> Result<Vec<Standing>, Failure> {
    let cards: Vec<RunCard> = runs.iter().map(|(_, card)| card.clone()).collect();
    let filter = filter.clone();
    let made = tokio::task::spawn_blocking(move || leaderboard(&cards, &filter));
    made.await.map_err(|_| Failure::from(failed()))
}

fn failed() -> Problem {
    Problem::new(
        StatusCode::INTERNAL_SERVER_ERROR,
        "slope failed to compute this page",
        "report it with the address of the page",
    )
}

pub(super) async fn csv(
    State(app): State<Arc<App>>,
    caller: Caller,
    Query(asked): Query<Asked>,
) -> Response {
    match make(&app, &caller, &asked).await {
        Ok(page) => {
            let table = run_table(&page.runs);
            file(
                "text/csv; charset=utf-8",
                csv_head(&table) + &csv_rows(&table),
            )
        }
        Err(failure) => answer(&app, Err(failure)),
    }
}

pub(super) async fn parquet(
    State(app): State<Arc<App>>,
    caller: Caller,
    Query(asked): Query<Asked>,
) -> Response {
    let made = make(&app, &caller, &asked).await.and_then(|page| {
        let table = run_table(&page.runs);
        let mut made = ParquetFile::new(&table).map_err(|_| failed())?;
        made.add(table).map_err(|_| failed())?;
        Ok(made.finish().map_err(|_| failed())?)
    });
    match made {
        Ok(bytes) => file(PARQUET, bytes),
        Err(failure) => answer(&app, Err(failure)),
    }
}

/// The page of runs as JSON.
#[derive(Serialize)]
struct RunsData {
    cohorts: Vec<Standing>,
    runs: Vec<RunData>,
}

#[derive(Serialize)]
struct RunData {
    project: String,
    run: String,
    phase: &'static str,
    started: Option<String>,
    #[serde(flatten)]
    card: RunCard,
}

pub(super) async fn json(
    State(app): State<Arc<App>>,
    caller: Caller,
    Query(asked): Query<Asked>,
) -> Response {
    let page = match make(&app, &caller, &asked).await {
        Ok(page) => page,
        Err(failure) => return answer(&app, Err(failure)),
    };
    let runs = page.runs.into_iter().map(|line| RunData {
        project: line.project,
        run: line.run,
        phase: line.phase.name(),
        started: line.started,
        card: line.card,
    });
    axum::Json(RunsData {
        cohorts: page.standings,
        runs: runs.collect(),
    })
    .into_response()
}

pub(super) async fn compare(
    State(app): State<Arc<App>>,
    caller: Caller,
    Query(asked): Query<Asked>,
) -> Response {
    let page = versus(&app, &caller, &asked).await;
    let Ok(page) = page else {
        return answer(&app, page.map(|_| String::new()));
    };
    let own = app.clone();
    let text = tokio::task::spawn_blocking(move || own.site.versus(&page)).await;
    let text = text.map_err(|_| Failure::from(failed()));
    answer(&app, text.and_then(|text| text.map_err(Failure::Html)))
}

async fn versus(app: &App, caller: &Caller, asked: &Asked) -> Result<VersusPage, Failure> {
    let all = visible(app, caller, &asked.project).await?;
    let filter = asked.filter();
    let all_standings = standings(&all, &filter).await?;
    let find = |id: &str| {
        let found = all_standings
            .iter()
            .find(|standing| cohort_id(standing) == id);
        let missing = || {
            Problem::new(
                StatusCode::NOT_FOUND,
                "there is no such cohort",
                "choose two on the page of runs",
            )
        };
        found.cloned().ok_or_else(missing)
    };
    let cohorts = [find(&asked.first)?, find(&asked.second)?];
    if cohort_id(&cohorts[0]) == cohort_id(&cohorts[1]) {
        return Err(Problem::new(
            StatusCode::BAD_REQUEST,
            "both are the same cohort",
            "choose two different ones on the page of runs",
        )
        .into());
    }
    let mut runs = [Vec::new(), Vec::new()];
    let mut cards = [Vec::new(), Vec::new()];
    for (of, card) in &all {
        let place = cohorts.iter().position(|cohort| {
            (&cohort.model, &cohort.agent, &cohort.arm, &cohort.track)
                == (&card.model, &card.agent, &card.arm, &card.track)
        });
        if let Some(place) = place {
            let (info, sent) = app.database.run(&of.info.project, &of.info.run).await?;
            let report = only_problem(sent.report, &filter.problem);
            runs[place].push((info.project, info.run, report));
            cards[place].push(card.clone());
        }
    }
    let slopes = paired_slopes([&cards[0], &cards[1]], &filter.problem);
    Ok(VersusPage {
        cohorts,
        runs,
        slopes,
    })
}

/// A report with the trials of one problem, or all of them without a name.
fn only_problem(mut report: RunReport, problem: &str) -> RunReport {
    if !problem.is_empty() {
        report.trials.retain(|trial| trial.problem == problem);
        report.config.problems.retain(|name, _| name == problem);
    }
    report
}

pub(super) async fn run(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path((project, run)): Path<(String, String)>,
) -> Response {
    let found = app.database.run(&project, &run).await;
    if let (Err(_), Some(name)) = (&found, run.strip_suffix(".json")) {
        return as_json(&app, &project, name).await;
    }
    let page = match found {
        Ok((info, sent)) => Ok(RunPage {
            may_ask: caller.allows(Scope::Push, Some(&project)),
            request: info.request,
            changed: info.changed,
            silent_s: seconds_since(&info.heard),
            project,
            run,
            sent,
        }),
        Err(error) => Err(Failure::from(error)),
    };
    answer(
        &app,
        page.and_then(|page| app.site.run(&page).map_err(Failure::Html)),
    )
}

fn seconds_since(time: &str) -> u32 {
    let time: jiff::Timestamp = time.parse().unwrap_or_default();
    let seconds = jiff::Timestamp::now().as_second() - time.as_second();
    u32::try_from(seconds).unwrap_or(0)
}

async fn as_json(app: &App, project: &str, run: &str) -> Response {
    match app.database.run(project, run).await {
        Ok((_, sent)) => axum::Json(sent).into_response(),
        Err(error) => answer(app, Err(error.into())),
    }
}

/// A form of the page of a run.
#[derive(Debug, Deserialize)]
pub(super) struct Ask {
    request: RunRequest,
}

/// Asks something of a run. The guard lets cookies only read, so this checks that the form is the page's own.
pub(super) async fn ask(
    State(app): State<Arc<App>>,
    Path((project, run)): Path<(String, String)>,
    headers: HeaderMap,
    Form(asked): Form<Ask>,
) -> Response {
    match form_caller(&app, &headers).await {
        Ok(caller) if caller.allows(Scope::Push, Some(&project)) => {}
        Ok(_) => {
            let problem = Problem::new(
                StatusCode::FORBIDDEN,
                "the token may only read",
                "sign in with a token whose scope is push",
            );
            return answer(&app, Err(problem.into()));
        }
        Err(problem) => return answer(&app, Err(problem.into())),
    }
    match app.database.ask_run(&project, &run, asked.request).await {
        Ok(_) => {
            app.tell(Event::run(&project, &run));
            Redirect::to(&run_address(&project, &run)).into_response()
        }
        Err(error) => answer(&app, Err(error.into())),
    }
}

/// Query of a trial's address.
#[derive(Debug, Clone, Default)]
struct AskedTrial {
    at: Option<String>,
    show: Show,
    kinds: Vec<String>,
    longer_s: f64,
    from: u32,
}

impl AskedTrial {
    /// Reads the query by hand, because a kind may be there several times.
    fn of(query: Option<&str>) -> Self {
        let mut asked = Self::default();
        for (name, value) in form_urlencoded::parse(query.unwrap_or_default().as_bytes()) {
            match &*name {
                "at" => asked.at = Some(value.into_owned()),
                "show" => asked.show = Show::of(&value),
                "kind" => asked.kinds.push(value.into_owned()),
                "longer" => asked.longer_s = value.parse().unwrap_or(0.0),
                "from" => asked.from = value.parse().unwrap_or(0),
                _ => {}
            }
        }
        asked
    }
}

pub(super) async fn trial(
    State(app): State<Arc<App>>,
    Path((project, run, problem, trial)): Path<(String, String, String, u32)>,
    RawQuery(query): RawQuery,
) -> Response {
    let asked = AskedTrial::of(query.as_deref());
    let page = make_trial(&app, (&project, &run), (&problem, trial), asked).await;
    answer(
        &app,
        page.and_then(|page| app.site.trial(&page).map_err(Failure::Html)),
    )
}

async fn make_trial(
    app: &App,
    (project, run): (&str, &str),
    (problem, trial): (&str, u32),
    asked: AskedTrial,
) -> Result<TrialPage, Failure> {
    let (_, sent) = app.database.run(project, run).await?;
    let at = chosen(&sent, problem, trial, asked.at.as_deref())?;
    let place = CheckpointPlace {
        problem: problem.to_owned(),
        trial,
        checkpoint: at.clone(),
    };
    let details = app.database.details(project, run, &place).await?;
    let mut steps = StepsView {
        chosen: asked.kinds,
        longer_s: asked.longer_s.max(0.0),
        from: asked.from,
        ..StepsView::default()
    };
    if asked.show == Show::Steps {
        read_steps(app, (project, run), &place, &mut steps).await?;
    }
    Ok(TrialPage {
        project: project.to_owned(),
        run: run.to_owned(),
        problem: problem.to_owned(),
        show: asked.show,
        sent,
        trial,
        at,
        details,
        steps,
    })
}

/// The checkpoint that an address names, otherwise the last one that was graded.
fn chosen(
    sent: &SentRun,
    problem: &str,
    trial: u32,
    asked: Option<&str>,
) -> Result<String, Problem> {
    let mut trials = sent.report.trials.iter();
    let own = trials.find(|own| own.problem == problem && own.trial == trial);
    let missing = || Problem::not_found("the run has no such trial or checkpoint");
    let checkpoints = &own.ok_or_else(missing)?.checkpoints;
    let found = match asked {
        Some(name) => checkpoints.iter().find(|one| one.checkpoint == name),
        None => {
            let graded = checkpoints.iter().rev().find(|one| !one.counts.is_empty());
            graded.or(checkpoints.first())
        }
    };
    Ok(found.ok_or_else(missing)?.checkpoint.clone())
}

/// Reads a page of steps.
async fn read_steps(
    app: &App,
    (project, run): (&str, &str),
    place: &CheckpointPlace,
    view: &mut StepsView,
) -> Result<(), Problem> {
    let filter = StepFilter {
        kinds: view.chosen.clone(),
        longer_s: view.longer_s,
        from: view.from,
        most: STEPS + 1,
    };
    let kinds = app.database.step_kinds(project, run, place).await?;
    view.kinds = kinds.into_iter().map(|one| (one.kind, one.count)).collect();
    let mut bytes = 0;
    for placed in app.database.steps(project, run, place, &filter).await? {
        bytes += placed.step.size();
        let is_full = view.steps.len() >= STEPS as usize || bytes > STEP_BYTES;
        if is_full && !view.steps.is_empty() {
            view.next = Some(placed.place);
            break;
        }
        view.steps.push((placed.place, placed.step));
    }
    Ok(())
}
