//! The state of a watch as one self-contained HTML page, which needs no script.

use minijinja::{Value, context};
use slope_model::watch_status::Status;

use super::parts;
use crate::format::clean;
use crate::html::HtmlError;
use crate::sheet;

const TEMPLATE: &str = include_str!("../../templates/watch.html");
const STYLE: &str = concat!(
    include_str!("../../templates/report.css"),
    include_str!("../../templates/watch.css")
);

/// Renders the state of a watch as one self-contained HTML file.
///
/// # Errors
/// [`HtmlError`], which never depends on the content of the state.
pub fn render_watch_page(title: &str, status: &Status) -> Result<String, HtmlError> {
    let mut env = sheet::environment()?;
    let (name, text) = parts::TEMPLATE;
    env.add_template(name, text)?;
    env.add_template("watch.html", TEMPLATE)?;
    let page = env.get_template("watch.html")?.render(context! {
        title => clean(title),
        style => Value::from_safe_string(STYLE.to_owned()),
        version => env!("CARGO_PKG_VERSION"),
        page => parts::parts(status),
    })?;
    Ok(page + "\n")
}
