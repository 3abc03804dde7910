//! The HTTP API: one file per group of routes.

mod alarms;
mod changes;
mod code;
mod describe;
mod events;
mod health;
mod points;
mod projects;
mod runs;
mod tokens;
mod watches;

use std::sync::Arc;

use aide::openapi::{OpenApi, SecurityScheme};
use aide::transform::TransformOpenApi;
use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::get;
use serde_json::Value;
use slope_database::{Database, Place, Scope};

use self::describe::{Routes, TOKEN};
pub(crate) use events::Streams;

use crate::access::guard;
use crate::app::App;
use crate::repeat::answer_again;
use crate::settings::Settings;

/// The routes of the API.
pub(crate) fn router(app: &Arc<App>) -> Router<Arc<App>> {
    let mut description = OpenApi::default();
    let routes = described(app).finish_api_with(&mut description, describe);
    let kept: Arc<str> = text_of(&description).into();
    let answer = move || {
        let kept = kept.clone();
        async move { ([("content-type", "application/json")], kept.to_string()) }
    };
    routes.route("/openapi.json", get(answer))
}

/// Why the API cannot be described.
#[derive(Debug, thiserror::Error)]
pub enum OpenApiError {
    /// No temporary database can be made.
    #[error(transparent)]
    Database(#[from] slope_database::Error),
    /// A template of a page is faulty.
    #[error(transparent)]
    Pages(#[from] slope_report::HtmlError),
}

/// The description of the API, as JSON.
///
/// # Errors
/// [`OpenApiError`], which depends on this machine only.
pub async fn openapi_text() -> Result<String, OpenApiError> {
    let database = Database::open(Place::memory()).await?;
    let app = App::new(Settings::default(), database)?;
    Ok(openapi(&app))
}

fn openapi(app: &Arc<App>) -> String {
    let mut description = OpenApi::default();
    drop(described(app).finish_api_with(&mut description, describe));
    text_of(&description)
}

/// A description as text. Whole numbers have their largest value, which the types check.
fn text_of(description: &OpenApi) -> String {
    let mut value = serde_json::to_value(description).unwrap_or_default();
    bound(&mut value);
    serde_json::to_string_pretty(&value).unwrap_or_default() + "\n"
}

fn bound(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(bound),
        Value::Object(fields) => {
            let most = match fields.get("format").and_then(Value::as_str) {
                Some("uint32") => Some(u64::from(u32::MAX)),
                Some("uint64") => Some(u64::MAX),
                _ => None,
            };
            if let Some(most) = most {
                fields.entry("maximum").or_insert(most.into());
            }
            fields.values_mut().for_each(bound);
        }
        _ => {}
    }
}

fn described(app: &Arc<App>) -> Routes {
    let guarded = |routes: Routes, scope: Scope| {
        routes.route_layer(from_fn_with_state((app.clone(), scope), guard))
    };
    let repeatable =
        |routes: Routes| routes.route_layer(from_fn_with_state(app.clone(), answer_again));
    let read = projects::read()
        .merge(points::read())
        .merge(changes::read())
        .merge(runs::read())
        .merge(watches::read())
        .merge(alarms::read())
        .merge(events::read())
        .merge(code::read());
    let push = repeatable(
        points::push()
            .merge(changes::push())
            .merge(runs::push())
            .merge(watches::push())
            .merge(alarms::push()),
    );
    let admin = repeatable(
        projects::admin()
            .merge(points::admin())
            .merge(changes::admin())
            .merge(runs::admin())
            .merge(watches::admin()),
    );
    let tokens = guarded(tokens::admin(), Scope::Admin);
    health::open()
        .merge(guarded(read, Scope::Read))
        .merge(guarded(push, Scope::Push))
        .merge(guarded(admin, Scope::Admin))
        .merge(tokens)
}

fn describe(api: TransformOpenApi<'_>) -> TransformOpenApi<'_> {
    let bearer = SecurityScheme::Http {
        scheme: "bearer".to_owned(),
        bearer_format: None,
        description: Some("A token of `slope serve token add`.".to_owned()),
        extensions: Default::default(),
    };
    api.title("slope")
        .version(env!("CARGO_PKG_VERSION"))
        .summary("Track how code degrades while coding agents extend it")
        .description(
            "Errors are problem details (RFC 9457) with a `help` field. Lists have pages: send `next` as `cursor`. \
             A request to add something may carry an `Idempotency-Key`; sent again, it has the first answer.",
        )
        .security_scheme(TOKEN, bearer)
}
