//! What happens on the server, as server-sent events.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use aide::axum::routing::get_with;
use axum::extract::State;
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

pub(super) fn read() -> Routes {
    Routes::new().api_route(
        "/api/v1/projects/{project}/events",
        get_with(events, |it| {
            let what = (
                "events",
                "Follow a project: one event for each new point, and for each run and change that differs, until the client ends",
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
    let all = app.events.subscribe();
    let own = unfold((all, of.project), move |(mut all, project)| {
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
                        return Some((Ok::<_, Infallible>(sent), (all, project)));
                    }
                    // A reader that lags behind reads the newest: a page asks for all anyway.
                    Ok(_) | Err(RecvError::Lagged(_)) => {}
                    Err(RecvError::Closed) => return None,
                }
            }
        }
    });
    let own = Box::pin(own);
    let alive = KeepAlive::new().interval(ALIVE);
    Ok(Sse::new(own).keep_alive(alive).into_response())
}
