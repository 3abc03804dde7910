//! What happens on the server, as server-sent events.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use aide::axum::routing::get_with;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::sse::{Event as Sent, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream::unfold;
use slope_database::Scope;
use tokio::sync::broadcast::error::RecvError;

use super::describe::{Routes, operation};
use super::projects::OfProject;
use crate::access::Caller;
use crate::app::App;
use crate::event::Event;
use crate::extract::Path;
use crate::problem::Problem;

/// Open streams of all callers.
const MOST_OF_ALL: usize = 1024;
/// Open streams of one token.
const MOST_OF_ONE: usize = 64;
/// Time between two signs of life.
const ALIVE: Duration = Duration::from_secs(15);

impl App {
    /// Whether the token of a caller is still valid.
    async fn is_welcome(&self, caller: &Caller) -> bool {
        match caller {
            Caller::Operator => true,
            Caller::Owner(token) => self.database.is_valid(&token.id).await.unwrap_or(false),
        }
    }

    /// Tells all that listen. Nobody may.
    pub(crate) fn tell(&self, event: Event) {
        drop(self.events.send(event));
    }
}

/// Open streams, in all and by caller.
#[derive(Debug, Default)]
pub(crate) struct Streams(Mutex<BTreeMap<String, usize>>);

/// The place of an open stream. It is free again when this is dropped.
struct StreamPlace {
    streams: Arc<Streams>,
    caller: String,
}

impl Streams {
    fn open(&self) -> MutexGuard<'_, BTreeMap<String, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place, if there is one.
    fn take(streams: &Arc<Self>, caller: &str) -> Option<StreamPlace> {
        let mut open = streams.open();
        let own = open.get(caller).copied().unwrap_or(0);
        if own >= MOST_OF_ONE || open.values().sum::<usize>() >= MOST_OF_ALL {
            return None;
        }
        open.insert(caller.to_owned(), own + 1);
        Some(StreamPlace {
            streams: streams.clone(),
            caller: caller.to_owned(),
        })
    }
}

impl Drop for StreamPlace {
    fn drop(&mut self) {
        let mut open = self.streams.open();
        match open.get_mut(&self.caller) {
            Some(own) if *own > 1 => *own -= 1,
            _ => drop(open.remove(&self.caller)),
        }
    }
}

fn too_many() -> Problem {
    Problem::new(
        StatusCode::TOO_MANY_REQUESTS,
        format!("a token may have {MOST_OF_ONE} open streams, and all together {MOST_OF_ALL}"),
        "close a stream, or ask for the points again from time to time",
    )
    .retry_after(30)
}

pub(super) fn read() -> Routes {
    Routes::new().api_route(
        "/api/v1/projects/{project}/events",
        get_with(events, |it| {
            let what = (
                "events",
                "Follow a project: one event for each new point, and for each run, change and watch that differs, until the client ends",
            );
            operation(it, what, Some(Scope::Read), &[400, 404]).response_with::<200, (), _>(|it| {
                it.description("A stream of `text/event-stream`.")
            })
        }),
    )
}

async fn events(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(of): Path<OfProject>,
) -> Result<Response, Problem> {
    app.database.project(&of.project).await?;
    let place = Streams::take(&app.streams, caller.id()).ok_or_else(too_many)?;
    let all = app.events.subscribe();
    let own = unfold(
        (all, of.project, place),
        move |(mut all, project, place)| {
            let (app, caller) = (app.clone(), caller.clone());
            async move {
                loop {
                    match all.recv().await {
                        Ok(event) if event.project == project => {
                            // The token may have been revoked since the stream began.
                            if !app.is_welcome(&caller).await {
                                return None;
                            }
                            let sent = Sent::default().event(event.kind).json_data(&event).ok()?;
                            return Some((Ok::<_, Infallible>(sent), (all, project, place)));
                        }
                        // A reader that lags behind reads the newest: a page asks for all anyway.
                        Ok(_) | Err(RecvError::Lagged(_)) => {}
                        Err(RecvError::Closed) => return None,
                    }
                }
            }
        },
    );
    let own = Box::pin(own);
    let alive = KeepAlive::new().interval(ALIVE);
    Ok(Sse::new(own).keep_alive(alive).into_response())
}
