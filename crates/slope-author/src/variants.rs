//! Variants: a problem as a template over a seed.
//!
//! A folder with `variants.toml` is a template. If that file lists words and places, the folder
//! itself is the published form, and these are the parts that other variants change. Otherwise all
//! other files are templates with placeholders. Seed 0 takes the first value of every choice and
//! gives the published form. The values for a seed follow from hashes alone ([`draw`]), so that a
//! variant is byte-identical on every machine.

mod check;
mod in_place;
mod words;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, UndefinedBehavior, Value};
use serde::Deserialize;
use toml::Spanned;

use crate::Error;
use crate::workspace::Workspace;
pub use check::{Checked, check};
pub use in_place::{Globs, Place};

/// Name of the file that makes a folder a template.
pub const FILE: &str = "variants.toml";
/// Version of the file's form.
pub const SCHEMA: &str = "slope.variants/1";

/// Open choices of a template.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Variants {
    /// [`SCHEMA`].
    pub schema: String,
    /// Choices with several values each: texts, numbers, or tables of related values.
    #[serde(default)]
    pub choices: BTreeMap<String, Vec<toml::Value>>,
    /// Whole numbers.
    #[serde(default)]
    pub numbers: BTreeMap<String, Range>,
    /// Clauses that a variant has or not; the value is that of seed 0.
    #[serde(default)]
    pub optional: BTreeMap<String, bool>,
    /// Words of the published form, each with the expression for its replacement.
    #[serde(default)]
    pub words: BTreeMap<String, Spanned<String>>,
    /// Texts of the published form that other variants have otherwise.
    #[serde(default)]
    pub places: Vec<Place>,
}

/// An integer between two limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Range {
    /// Value of seed 0.
    pub first: i64,
    /// Smallest.
    pub from: i64,
    /// Greatest.
    pub to: i64,
}

impl Variants {
    /// Reads `variants.toml` of a template.
    ///
    /// # Errors
    /// If it is missing or malformed, a choice has no values, a range is empty, or a name is used twice.
    pub fn read(template: &Path) -> Result<Self, Error> {
        Source::read(template).map(|source| source.variants)
    }

    /// Whether the folder is the published form itself.
    fn in_place(&self) -> bool {
        !self.words.is_empty() || !self.places.is_empty()
    }

    fn check(&self) -> Result<(), String> {
        if self.schema != SCHEMA {
            return Err(format!("schema is `{}`, expected `{SCHEMA}`", self.schema));
        }
        if let Some((name, _)) = self.choices.iter().find(|(_, values)| values.is_empty()) {
            return Err(format!("the choice `{name}` has no values"));
        }
        let outside = |r: &Range| r.from > r.to || !(r.from..=r.to).contains(&r.first);
        if let Some((name, _)) = self.numbers.iter().find(|(_, range)| outside(range)) {
            return Err(format!("the number `{name}` needs from <= first <= to"));
        }
        let names = [
            self.choices.keys().collect::<Vec<_>>(),
            self.numbers.keys().collect(),
            self.optional.keys().collect(),
        ]
        .concat();
        let twice = |name: &&String| names.iter().filter(|other| **other == *name).count() > 1;
        match names
            .iter()
            .copied()
            .find(|name| twice(name) || *name == "seed")
        {
            Some(name) => Err(format!(
                "the name `{name}` is taken\nhelp: choose another name"
            )),
            None => Ok(()),
        }
    }

    /// The variables of templates: every name with its value for this seed, and `seed`.
    #[must_use]
    pub fn values(&self, seed: u64) -> BTreeMap<String, Value> {
        let mut values = BTreeMap::from([("seed".to_owned(), Value::from(seed))]);
        for (name, of) in &self.choices {
            let count = u64::try_from(of.len()).unwrap_or(1);
            let at = usize::try_from(draw(seed, name, count)).unwrap_or(0);
            if let Some(value) = of.get(at) {
                values.insert(name.clone(), value_of(value));
            }
        }
        for (name, range) in &self.numbers {
            let value = if seed == 0 {
                range.first
            } else {
                let count = range.to.abs_diff(range.from).saturating_add(1);
                range.from.saturating_add_unsigned(draw(seed, name, count))
            };
            values.insert(name.clone(), Value::from(value));
        }
        for (name, first) in &self.optional {
            let value = if seed == 0 {
                *first
            } else {
                draw(seed, name, 2) == 1
            };
            values.insert(name.clone(), Value::from(value));
        }
        values
    }
}

/// A template's `variants.toml`, parsed.
#[derive(Debug)]
struct Source {
    folder: PathBuf,
    text: String,
    variants: Variants,
}

impl Source {
    fn read(folder: &Path) -> Result<Self, Error> {
        let path = folder.join(FILE);
        let text = fs::read_to_string(&path).map_err(Error::io("read", &path))?;
        let bad = |why: String| Error::Request(format!("{}: {why}", path.display()));
        let variants: Variants = toml::from_str(&text).map_err(|e| bad(e.to_string()))?;
        variants.check().map_err(bad)?;
        let folder = folder.to_owned();
        Ok(Self {
            folder,
            text,
            variants,
        })
    }

    /// The fault of a value, with its line.
    fn bad<T>(&self, value: &Spanned<T>, why: &str) -> Error {
        let (path, line) = (self.folder.join(FILE), self.line(value));
        Error::Request(format!("{}:{line}: {why}", path.display()))
    }

    /// The line of a value.
    fn line<T>(&self, value: &Spanned<T>) -> usize {
        let before = self.text.get(..value.span().start).unwrap_or_default();
        1 + before.matches('\n').count()
    }
}

/// A value of `variants.toml` as templates see it.
fn value_of(value: &toml::Value) -> Value {
    match value {
        toml::Value::String(text) => Value::from(text.as_str()),
        toml::Value::Integer(number) => Value::from(*number),
        toml::Value::Float(number) => Value::from(*number),
        toml::Value::Boolean(truth) => Value::from(*truth),
        toml::Value::Datetime(date) => Value::from(date.to_string()),
        toml::Value::Array(values) => values.iter().map(value_of).collect(),
        toml::Value::Table(table) => Value::from_pairs(
            table
                .iter()
                .map(|(name, value)| (name.clone(), value_of(value))),
        ),
    }
}

/// A number below `count` for a seed and a name: 0 for seed 0, else the first eight bytes, little-endian, of the
/// BLAKE3 hash of `slope.variants/1`, the seed in decimal and the name, joined by zero bytes, modulo `count`.
#[must_use]
pub fn draw(seed: u64, name: &str, count: u64) -> u64 {
    if seed == 0 || count == 0 {
        return 0;
    }
    let hash = blake3::hash(format!("{SCHEMA}\0{seed}\0{name}").as_bytes());
    let mut first = [0; 8];
    first.copy_from_slice(&hash.as_bytes()[..8]);
    u64::from_le_bytes(first) % count
}

/// The folder of a problem's template: itself, or its folder `template`.
///
/// # Errors
/// If neither contains `variants.toml`.
pub fn template(problem: &Path) -> Result<PathBuf, Error> {
    let candidates = [problem.to_owned(), problem.join("template")];
    let found = candidates.into_iter().find(|dir| dir.join(FILE).is_file());
    found.ok_or_else(|| {
        Error::Request(format!(
            "{} has no variants: neither it nor its folder `template` contains a {FILE}",
            problem.display()
        ))
    })
}

/// Renders the template for a seed: its files, with the seed at the end of `config.yaml`, so that
/// variants have different hashes. For seed 0, a published folder that is its own template is
/// returned unchanged.
///
/// # Errors
/// If a file cannot be read, a template is malformed or uses an undefined name, or a word or place
/// of `variants.toml` occurs nowhere or differs from the published form for seed 0.
pub fn render(template: &Path, seed: u64) -> Result<Workspace, Error> {
    let source = Source::read(template)?;
    if source.variants.in_place() {
        return in_place::render(&source, seed);
    }
    let values = Value::from_pairs(source.variants.values(seed));
    let environment = environment(template)?;
    let mut rendered = Workspace::read(template)?;
    rendered.files.remove(Path::new(FILE));
    for (path, file) in &mut rendered.files {
        // Binary files have no placeholders.
        let Ok(text) = std::str::from_utf8(&file.bytes) else {
            continue;
        };
        let name = path.display().to_string();
        let mut text = environment
            .render_named_str(&name, text, values.clone())
            .map_err(|e| refused(template, &name, &e))?;
        if name == "config.yaml" {
            text.push_str(&format!("variant: {seed}\n"));
        }
        file.bytes = text.into_bytes();
    }
    Ok(rendered)
}

/// Delimiters that hardly occur in specs, cases and programs, so that ordinary text needs no escapes.
fn environment(template: &Path) -> Result<Environment<'static>, Error> {
    let syntax = SyntaxConfig::builder()
        .variable_delimiters("@{", "}")
        .block_delimiters("@%", "%@")
        .comment_delimiters("@#", "#@")
        .keep_trailing_newline(true)
        .trim_blocks(true)
        .lstrip_blocks(true)
        .build()
        .map_err(|e| refused(template, "delimiters", &e))?;
    let mut environment = Environment::empty();
    environment.set_syntax(syntax);
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    for (name, filter) in [
        ("upper", str::to_uppercase as fn(&str) -> String),
        ("lower", str::to_lowercase),
        ("title", words::first_capital),
    ] {
        environment.add_filter(name, move |text: &str| filter(text));
    }
    Ok(environment)
}

fn refused(template: &Path, name: &str, error: &minijinja::Error) -> Error {
    let line = error
        .line()
        .map_or_else(String::new, |line| format!(":{line}"));
    Error::Request(format!("{}/{name}{line}: {error}", template.display()))
}

#[cfg(test)]
mod tests;
