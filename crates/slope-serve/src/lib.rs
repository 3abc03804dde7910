//! The server of `slope serve`: an HTTP API under `/api/v1`, and pages for people.
//!
//! | module | what it holds |
//! |---|---|
//! | [`App`] | the state |
//! | `router` | all routes, and what surrounds them |
//! | [`Settings`] | limits, and who may ask without a token |
//! | `api` | one file per group of routes |
//! | `pages` | the pages, from the same database |
//! | `access` | who asks, and what a token allows |
//! | `problem` | errors as problem details (RFC 9457) |
//! | `extract` | bodies, paths and queries whose errors are problems |
//! | `repeat` | requests that may be sent again |
//! | `retention` | removal of what is old |
//! | `work` | work on code, in processes of its own |
//! | `watch_state` | the state of watches, made once for each change |
//! | `fresh` | answers that a client has already |
//!
//! The API describes itself: `/openapi.json` is made from the routes and the types of their bodies.

mod access;
mod api;
mod app;
mod event;
mod extract;
mod fresh;
mod pages;
mod periods;
mod problem;
mod repeat;
mod retention;
mod router;
mod settings;
mod watch_state;
mod work;

pub use api::{OpenApiError, openapi_text};
pub use app::App;
pub use problem::Problem;
pub use settings::Settings;
pub use work::{Program, WORKER_ARGUMENT, dispatch, serve};
