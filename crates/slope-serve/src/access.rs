//! Who asks, and what a token allows.

use std::sync::Arc;

use aide::OperationInput;
use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{FromRequestParts, RawPathParams, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use slope_database::{Scope, Token};
use slope_http::{bearer, is_loopback_name};

use crate::app::App;
use crate::problem::Problem;

/// The cookie in which the pages keep a token.
pub(crate) const COOKIE: &str = "slope_token";

/// Who asks.
#[derive(Debug, Clone)]
pub(crate) enum Caller {
    /// Anyone on this machine, where no token is needed.
    Operator,
    /// The owner of a token.
    Owner(Token),
}

impl Caller {
    /// Whether it may do something on a project, or on what belongs to none.
    pub(crate) fn allows(&self, scope: Scope, project: Option<&str>) -> bool {
        match self {
            Self::Operator => true,
            Self::Owner(token) => token.allows(scope, project),
        }
    }

    /// The only project that it sees; `None` if it sees all.
    pub(crate) fn project(&self) -> Option<&str> {
        match self {
            Self::Operator => None,
            Self::Owner(token) => token.project.as_deref(),
        }
    }

    /// Its name, under which answers are kept.
    pub(crate) fn id(&self) -> &str {
        match self {
            Self::Operator => "operator",
            Self::Owner(token) => &token.id,
        }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        // A route without a guard would let nobody in.
        parts.extensions.get::<Self>().cloned().ok_or_else(no_token)
    }
}

impl OperationInput for Caller {}

/// Lets a request pass if its sender may do that on the project of its path.
pub(crate) async fn guard(
    State((app, scope)): State<(Arc<App>, Scope)>,
    path: Result<RawPathParams, RawPathParamsRejection>,
    mut request: Request,
    next: Next,
) -> Response {
    let Ok(path) = path else {
        return bad_path().into_response();
    };
    let caller = match caller(&app, request.headers(), request.method()).await {
        Ok(caller) => caller,
        Err(problem) => return problem.into_response(),
    };
    let project = path.iter().find(|(name, _)| *name == "project");
    let project = project.map(|(_, value)| value);
    if !caller.allows(scope, project) {
        return refused(scope, project).into_response();
    }
    request.extensions_mut().insert(caller);
    next.run(request).await
}

/// Who sends a request.
pub(crate) async fn caller(
    app: &App,
    headers: &HeaderMap,
    method: &Method,
) -> Result<Caller, Problem> {
    let header = headers.get(header::AUTHORIZATION);
    let given = match header {
        Some(value) => Some(value.to_str().ok().and_then(bearer).ok_or_else(no_token)?),
        // A cookie is sent by every page of the browser, so it only reads.
        None if matches!(*method, Method::GET | Method::HEAD) => cookie(headers),
        None => None,
    };
    let Some(secret) = given else {
        return if app.settings.is_open {
            Ok(Caller::Operator)
        } else {
            Err(no_token())
        };
    };
    match app.database.token(secret).await? {
        Some(token) if token.revoked.is_none() => Ok(Caller::Owner(token)),
        _ => Err(no_token()),
    }
}

/// The sender of a form. A cookie is enough only if the form is from a page of this server.
pub(crate) async fn form_caller(app: &App, headers: &HeaderMap) -> Result<Caller, Problem> {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let origin = text(header::ORIGIN).and_then(|origin| origin.split_once("://"));
    let is_own = match (origin, text(header::HOST)) {
        (Some((_, origin)), Some(host)) => origin == host,
        _ => false,
    };
    if !is_own {
        return Err(Problem::new(
            StatusCode::FORBIDDEN,
            "the form is not one of this server's pages",
            "open the page of the run under the address of the server, and try again",
        ));
    }
    caller(app, headers, &Method::GET).await
}

fn cookie(headers: &HeaderMap) -> Option<&str> {
    let all = headers.get(header::COOKIE)?.to_str().ok()?;
    let mut pairs = all
        .split(';')
        .filter_map(|pair| pair.trim().split_once('='));
    pairs
        .find(|(name, _)| *name == COOKIE)
        .map(|(_, value)| value)
}

/// A path whose parts are no text.
pub(crate) fn bad_path() -> Problem {
    Problem::new(
        StatusCode::BAD_REQUEST,
        "the path: it is not UTF-8",
        "correct the address",
    )
}

fn no_token() -> Problem {
    Problem::new(
        StatusCode::UNAUTHORIZED,
        "the request has no valid token",
        "send a token as `Authorization: Bearer TOKEN`; `slope serve token add` makes one",
    )
}

fn refused(scope: Scope, project: Option<&str>) -> Problem {
    let on = match project {
        Some(_) => "this project",
        None => "all projects",
    };
    Problem::new(
        StatusCode::FORBIDDEN,
        format!("the token does not allow `{}` on {on}", scope.name()),
        "use a token with that scope; `slope serve token add` makes one",
    )
}

/// Where no token is needed, refuses what a page of another site lets a browser send: names that lead to this machine,
/// and requests across sites.
pub(crate) async fn check_sender(
    State(app): State<Arc<App>>,
    request: Request,
    next: Next,
) -> Response {
    let headers = request.headers();
    let text = |name| {
        let value = headers.get(name);
        value.map(|value| value.to_str().unwrap_or_default())
    };
    let host = text(header::HOST).is_none_or(is_loopback_name);
    let is_known = |origin: &str| {
        let host = origin.split_once("://").unwrap_or_default().1;
        is_loopback_name(host) || app.settings.origins.iter().any(|known| known == origin)
    };
    let is_own = host && text(header::ORIGIN).is_none_or(is_known);
    if !app.settings.is_open || is_own {
        return next.run(request).await;
    }
    Problem::new(
        StatusCode::FORBIDDEN,
        "without tokens, the server answers only this machine by its own names",
        "use the address http://127.0.0.1 or http://localhost, or start the server with --require-token",
    )
    .into_response()
}
