//! Python, by a parser of its own.

use ruff_python_ast::{PythonVersion, Stmt};
use ruff_python_parser::{Mode, ParseOptions, parse_unchecked};
use ruff_text_size::TextSize;

use crate::{MAX_PLACES, Refusal, line_of};
use crate::{scopes, tabs};

/// The refusals of a text. In a notebook, coroutines may be awaited outside of functions.
pub(crate) fn refusals(text: &str, in_notebook: bool) -> Vec<Refusal> {
    if is_of_python_2(text) {
        return Vec::new();
    }
    let options = ParseOptions::from(Mode::Module).with_target_version(PythonVersion::latest());
    let parsed = parse_unchecked(text, options);
    let refusal = |start: TextSize, message: String| Refusal {
        line: line_of(text, start.to_u32()),
        message,
    };
    let errors = parsed.errors().iter();
    let found: Vec<Refusal> = errors
        .take(MAX_PLACES)
        .map(|error| refusal(error.location.start(), error.error.to_string()))
        .collect();
    let found = if found.is_empty() {
        let rows = tabs::inconsistent(text, parsed.tokens());
        rows.map(|start| {
            refusal(
                start,
                "inconsistent use of tabs and spaces in indentation".to_owned(),
            )
        })
        .into_iter()
        .collect()
    } else {
        found
    };
    if !found.is_empty() {
        return found;
    }
    let Some(module) = parsed.try_into_module() else {
        return Vec::new();
    };
    let body: &[Stmt] = module.suite();
    let broken = scopes::broken(text, body, in_notebook);
    let errors = broken.errors.into_iter();
    let early = broken.early_excepts.into_iter();
    errors
        .take(MAX_PLACES)
        .map(|error| refusal(error.range.start(), error.to_string()))
        .chain(
            early
                .take(MAX_PLACES)
                .map(|start| refusal(start, "`except:` must be the last of its kind".to_owned())),
        )
        .collect()
}

/// Whether the first line asks for an interpreter of Python 2.
fn is_of_python_2(text: &str) -> bool {
    let first = text.lines().next().unwrap_or_default();
    first.starts_with("#!") && first.contains("python2")
}
