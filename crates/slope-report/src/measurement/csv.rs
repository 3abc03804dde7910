//! One row for each callable, for sheets and data frames (RFC 4180).

use slope_model::measurement::{Callable, CallableKind, FileMeasurement, Part};

use super::Subject;
use crate::format::{clean, clean_path};
use crate::table::{Table, guarded, is_formula};

/// Names of the columns. The last two are constant: a sheet has no other place for the definitions
/// of its numbers.
const COLUMNS: [&str; 16] = [
    "path",
    "language",
    "part",
    "function",
    "kind",
    "start_line",
    "end_line",
    "complexity",
    "cognitive",
    "nesting",
    "parameters",
    "source_lines",
    "mass",
    "lower_bound",
    "definitions",
    "definitions_hash",
];

/// Rows by path and position, with the line ends of the standard.
pub(super) fn render(subject: &Subject<'_>) -> String {
    let mut table = Table::new(COLUMNS);
    for file in &subject.measurement.files {
        for callable in &file.callables {
            table.push(row(subject, file, callable));
        }
    }
    table.finish()
}

fn row(subject: &Subject<'_>, file: &FileMeasurement, callable: &Callable) -> [String; 16] {
    let definitions = &subject.measurement.definitions;
    let part = match file.part_at(callable.span.start_line) {
        Part::Product => "product",
        Part::Tests => "tests",
    };
    let kind = match callable.kind {
        CallableKind::Function => "function",
        CallableKind::Method => "method",
        CallableKind::Lambda => "lambda",
    };
    [
        path(&clean_path(&subject.path(&file.path))),
        clean(&file.language),
        part.to_owned(),
        guarded(clean(&callable.name)),
        kind.to_owned(),
        callable.span.start_line.to_string(),
        callable.span.end_line.to_string(),
        callable.complexity.to_string(),
        callable.cognitive.to_string(),
        callable.nesting.to_string(),
        callable.parameters.to_string(),
        callable.sloc.to_string(),
        callable.mass.to_string(),
        callable.lower_bound.to_string(),
        clean(&definitions.version),
        clean(&definitions.hash),
    ]
}

/// The same path in a form that no spreadsheet takes for a formula.
fn path(path: &str) -> String {
    if is_formula(path) {
        format!("./{path}")
    } else {
        path.to_owned()
    }
}
