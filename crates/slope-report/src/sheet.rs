//! Common parts of pages with tables: cells, tables, the templates' environment, and the script
//! that sorts and filters.

use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, UndefinedBehavior, Value, context};

use crate::format::{self, Kind, clean, shorten};

/// The script of pages with tables.
pub(crate) const SCRIPT: &str = include_str!("../templates/measurement.js");
/// SHA-256 of [`SCRIPT`] in Base64: the page's policy lets no other script run.
pub(crate) const SCRIPT_HASH: &str = include_str!("../templates/measurement.js.sha256");

/// Maximum number of rows of a table; the rest is only counted, since a page that cannot be
/// scrolled is useless.
pub(crate) const MAX_ROWS: usize = 1000;
/// Characters of a message.
const MAX_TEXT: usize = 400;

/// An environment with the table's macro, for one more template.
pub(crate) fn environment() -> Result<Environment<'static>, minijinja::Error> {
    let mut env = Environment::new();
    env.set_undefined_behavior(UndefinedBehavior::Strict);
    env.set_syntax(
        SyntaxConfig::builder()
            .trim_blocks(true)
            .lstrip_blocks(true)
            .build()?,
    );
    env.add_template("table.html", include_str!("../templates/table.html"))?;
    Ok(env)
}

fn value_text(kind: Kind, value: f64) -> String {
    format::number(value, format::decimals(kind, value.abs()))
}

/// A table of the page.
pub(crate) struct Table {
    id: &'static str,
    title: &'static str,
    columns: Vec<(String, bool)>,
    rows: Vec<Vec<Value>>,
    all: usize,
}

impl Table {
    /// A table with its columns: a title that begins with `>` is of numbers.
    pub(crate) fn new(id: &'static str, title: &'static str, columns: &[impl AsRef<str>]) -> Self {
        let columns = columns.iter().map(AsRef::as_ref).map(|title| {
            let name = title.trim_start_matches("> ");
            (name.to_owned(), !title.starts_with('>'))
        });
        Self {
            id,
            title,
            columns: columns.collect(),
            rows: Vec::new(),
            all: 0,
        }
    }

    /// Adds a row, or only counts it above the limit.
    pub(crate) fn push(&mut self, row: impl FnOnce() -> Vec<Value>) {
        self.all += 1;
        if self.rows.len() < MAX_ROWS {
            self.rows.push(row());
        }
    }

    pub(crate) fn value(self) -> Value {
        let columns = self.columns.into_iter();
        let columns = columns.map(|(title, is_text)| context! { title, is_text });
        let more = self.all.saturating_sub(self.rows.len());
        context! {
            id => self.id,
            title => self.title,
            columns => columns.collect::<Vec<_>>(),
            rows => self.rows,
            all => self.all,
            more,
        }
    }
}

pub(crate) fn text(text: impl AsRef<str>) -> Value {
    context! { text => shorten(&clean(text.as_ref()), MAX_TEXT), is_text => true, is_code => false, value => (), bar => (), tone => "" }
}

pub(crate) fn code(text: impl AsRef<str>) -> Value {
    context! { text => clean(text.as_ref()), is_text => true, is_code => true, value => (), bar => (), tone => "" }
}

pub(crate) fn number(kind: Kind, value: f64) -> Value {
    context! { text => value_text(kind, value), is_text => false, is_code => false, value, bar => (), tone => "" }
}

pub(crate) fn count(value: u32) -> Value {
    number(Kind::Count, value.into())
}

/// A number with a bar below it, as long as its share of the largest.
pub(crate) fn bar(kind: Kind, value: f64, largest: f64) -> Value {
    let share = if largest > 0.0 {
        100.0 * value / largest
    } else {
        0.0
    };
    let share = format!("{share:.1}");
    context! { text => value_text(kind, value), is_text => false, is_code => false, value, bar => share, tone => "" }
}
