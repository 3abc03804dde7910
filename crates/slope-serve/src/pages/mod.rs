//! The pages.

use std::sync::Arc;

use axum::Router;

use crate::app::App;

pub(crate) fn router(_: &Arc<App>) -> Router<Arc<App>> {
    Router::new()
}
