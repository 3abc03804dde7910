//! Whether the server works.

use std::sync::Arc;

use aide::axum::routing::get_with;
use axum::extract::State;
use schemars::JsonSchema;
use serde::Serialize;

use super::describe::{Routes, cached, operation};
use crate::app::App;
use crate::extract::Json;
use crate::problem::Problem;

/// The state of a server that works.
#[derive(Debug, Serialize, JsonSchema)]
struct Health {
    /// `ok`.
    status: &'static str,
    /// Version of slope.
    version: &'static str,
    /// Kind of the database.
    database: &'static str,
}

pub(super) fn open() -> Routes {
    Routes::new().api_route(
        "/api/v1/health",
        get_with(health, |it| {
            cached(operation(
                it,
                ("health", "Ask the database, and say whether it answers"),
                None,
                &[],
            ))
        }),
    )
}

async fn health(State(app): State<Arc<App>>) -> Result<Json<Health>, Problem> {
    app.database.check().await?;
    Ok(Json(Health {
        status: "ok",
        version: env!("CARGO_PKG_VERSION"),
        database: app.database.place().kind(),
    }))
}
