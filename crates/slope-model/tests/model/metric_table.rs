//! The tables of metrics in `docs/metrics/README.md` are those of the code.

use std::fmt::Write as _;
use std::path::Path;

use slope_model::metrics::{self, Metric};

const PAGE: &str = "../../docs/metrics/README.md";

fn marks(name: &str) -> (String, String) {
    let mark = |end: &str| format!("<!-- {end} of the {name} -->\n");
    (mark("begin"), mark("end"))
}

/// One row of the table.
fn row(metric: &Metric) -> String {
    format!(
        "| `{}` | {} | {} | {} | {} |\n",
        metric.id,
        metric.title,
        metric.unit,
        metric.direction.name(),
        metric.definition().replace('|', "\\|"),
    )
}

fn table() -> String {
    let head = "| id | title | unit | better | definition |\n|---|---|---|---|---|\n";
    let rows: String = metrics::all().map(row).collect();
    format!("{head}{rows}")
}

fn formulas() -> String {
    let mut text = String::from("```\n");
    for metric in metrics::all().filter(|metric| !metric.formula.is_empty()) {
        let _ = writeln!(text, "{:<20} = {}", metric.id, metric.formula);
    }
    text + "```\n"
}

/// The page with `new` between the marks of `name`, and what is there today.
fn replaced(page: &str, name: &str, new: &str) -> (String, String) {
    let (begin, end) = marks(name);
    let (head, rest) = page.split_once(&begin).expect("a begin mark");
    let (old, tail) = rest.split_once(&end).expect("an end mark");
    (format!("{head}{begin}{new}{end}{tail}"), old.to_owned())
}

#[test]
fn documented_metrics_are_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
    let page = std::fs::read_to_string(&path).expect("the page");
    let (table, formulas) = (table(), formulas());
    let (page, old_table) = replaced(&page, "table", &table);
    let (page, old_formulas) = replaced(&page, "formulas", &formulas);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, page).expect("the page is written");
        return;
    }
    let remedy = "UPDATE_DOCS=1 cargo test --workspace --locked --test model";
    assert_eq!(old_table, table, "the table is out of date: {remedy}");
    assert_eq!(
        old_formulas, formulas,
        "the formulas are out of date: {remedy}"
    );
}

#[test]
fn pages_of_metrics_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for metric in metrics::all() {
        assert!(root.join(metric.page).is_file(), "{}", metric.page);
    }
}
