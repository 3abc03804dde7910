//! The published folder as its own template: words of it are replaced, and places of it are filled in.

mod occurs;
mod spots;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use minijinja::{Environment, Value};
use serde::Deserialize;
use toml::Spanned;

use self::occurs::everything_occurs;
use self::spots::{Spot, laid, spots, stands};
use super::words::Words;
use super::{FILE, Source, environment};
use crate::Error;
use crate::workspace::{Workspace, is_below};

/// Before and after the value of a place's expression, to distinguish it from the text around it.
const GIVEN: [char; 2] = ['\u{f5e0}', '\u{f5e1}'];

/// A text of the published form that other variants have otherwise.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// Files, relative to the problem's folder.
    pub files: Globs,
    /// The exact text of the published form. It only matches at borders of words and numbers: `at
    /// most 40` does not match in `at most 400`.
    pub find: Spanned<String>,
    /// Text before which the place ends; by default the place is `find` itself.
    #[serde(default)]
    pub until: Option<String>,
    /// Template of the new text there.
    pub put: Spanned<String>,
    /// Condition as an expression; if it is false, the place is unchanged.
    #[serde(default)]
    pub when: Option<Spanned<String>>,
}

/// One or several path globs; `*` does not match `/`, `**` does.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Globs {
    /// One pattern.
    One(String),
    /// A file has to match one of them.
    Several(Vec<String>),
}

/// A part of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    /// In which words are replaced.
    Open(String),
    /// An unchanged part.
    Fixed(String),
}

/// A seed's new texts in the published form.
struct Change {
    /// Each word with its replacement.
    pairs: Vec<(String, String)>,
    words: Words,
    /// The new text of each place; `None` if the place is unchanged.
    puts: Vec<Option<Vec<Piece>>>,
}

/// Renders the folder for a seed. For seed 0 it is the folder without [`FILE`], to the byte.
pub(super) fn render(source: &Source, seed: u64) -> Result<Workspace, Error> {
    let environment = marking(source)?;
    let change = Change::of(source, &environment, seed)?;
    let first = Change::of(source, &environment, 0)?;
    first.is_identity(source)?;
    let spots = spots(source)?;
    let mut published = Workspace::read(&source.folder)?;
    published.files.remove(Path::new(FILE));
    everything_occurs(source, &first, &spots, &published)?;
    let mut rendered = Workspace::default();
    for (path, mut file) in published.files {
        if let Ok(text) = std::str::from_utf8(&file.bytes) {
            let mut text = change.text(&path, text, &spots);
            if seed != 0 && path == Path::new("config.yaml") {
                let end = if text.ends_with('\n') { "" } else { "\n" };
                text.push_str(&format!("{end}variant: {seed}\n"));
            }
            file.bytes = text.into_bytes();
        }
        let path = change.path(source, path)?;
        if rendered.files.contains_key(&path) {
            return Err(Error::Request(format!(
                "{}: with seed {seed} two files are called {}\nhelp: give their words different values",
                source.folder.join(FILE).display(),
                path.display()
            )));
        }
        rendered.files.insert(path, file);
    }
    Ok(rendered)
}

/// The templates' environment, which marks the output of expressions.
fn marking(source: &Source) -> Result<Environment<'static>, Error> {
    let mut environment = environment(&source.folder)?;
    let [open, close] = GIVEN;
    environment.set_formatter(move |out, _, value| {
        write!(out, "{open}{value}{close}").map_err(minijinja::Error::from)
    });
    Ok(environment)
}

impl Change {
    fn of(source: &Source, environment: &Environment<'_>, seed: u64) -> Result<Self, Error> {
        let values = Value::from_pairs(source.variants.values(seed));
        let eval = |of: &Spanned<String>| {
            environment
                .compile_expression(of.get_ref())
                .and_then(|expression| expression.eval(values.clone()))
                .map_err(|e| source.bad(of, &e.to_string()))
        };
        let mut pairs = Vec::new();
        for (word, of) in &source.variants.words {
            let value = eval(of)?;
            let Some(text) = value.as_str() else {
                let why = format!(
                    "the word `{word}` gets `{}`, which is {value}, not a text\nhelp: use a text in [choices]",
                    of.get_ref()
                );
                return Err(source.bad(of, &why));
            };
            pairs.push((word.clone(), text.to_owned()));
        }
        let mut puts = Vec::new();
        for place in &source.variants.places {
            if let Some(when) = &place.when {
                let value = eval(when)?;
                if value.is_undefined() {
                    let why = format!("`{}` uses a name that is not defined", when.get_ref());
                    return Err(source.bad(when, &why));
                }
                if !value.is_true() {
                    puts.push(None);
                    continue;
                }
            }
            let text = environment
                .render_named_str(FILE, place.put.get_ref(), values.clone())
                .map_err(|e| source.bad(&place.put, &e.to_string()))?;
            puts.push(Some(pieces(&text)));
        }
        let words = Words::new(&pairs);
        Ok(Self { pairs, words, puts })
    }

    /// Checks that this change, of seed 0, changes nothing.
    fn is_identity(&self, source: &Source) -> Result<(), Error> {
        for ((word, put), of) in self.pairs.iter().zip(source.variants.words.values()) {
            if put != word {
                let why = format!(
                    "`{}` is `{put}` for seed 0, where the published form has `{word}`\n\
                     help: make `{word}` the first value",
                    of.get_ref()
                );
                return Err(source.bad(of, &why));
            }
        }
        for (place, put) in source.variants.places.iter().zip(&self.puts) {
            let Some(put) = put else {
                continue;
            };
            if place.until.is_some() {
                let why = "a place with `until` needs a `when` that is false for seed 0, since its text \
                           there is unknown";
                return Err(source.bad(&place.find, why));
            }
            let put: String = put.iter().map(Piece::text).collect();
            if put != *place.find.get_ref() {
                let why = format!(
                    "for seed 0 this gives {put:?}, but the published form has {:?}\nhelp: make them equal",
                    place.find.get_ref()
                );
                return Err(source.bad(&place.put, &why));
            }
        }
        Ok(())
    }

    /// A file's text under this change.
    fn text(&self, path: &Path, text: &str, spots: &[Spot<'_>]) -> String {
        let mut out = String::with_capacity(text.len());
        for part in parts(path, text) {
            match part {
                Piece::Fixed(text) => out.push_str(&text),
                Piece::Open(text) => self.part(path, &text, spots, &mut out),
            }
        }
        out
    }

    /// Appends a part of a text, with its places filled in and other words replaced.
    fn part(&self, path: &Path, text: &str, spots: &[Spot<'_>], out: &mut String) {
        let of = |spot: usize| self.puts.get(spot).and_then(Option::as_ref);
        let mut at = 0;
        for stand in laid(&stands(spots, path, text, |spot| of(spot).is_some())) {
            self.reword(&text[at..stand.from], out);
            for piece in of(stand.spot).into_iter().flatten() {
                match piece {
                    Piece::Open(text) => self.reword(text, out),
                    Piece::Fixed(text) => out.push_str(text),
                }
            }
            at = stand.to;
        }
        self.reword(&text[at..], out);
    }

    fn reword(&self, text: &str, out: &mut String) {
        out.push_str(&self.words.replace(text, &mut BTreeSet::new()));
    }

    /// A file's path under this change, which stays in the problem's folder.
    fn path(&self, source: &Source, path: PathBuf) -> Result<PathBuf, Error> {
        let Some(text) = path.to_str() else {
            return Ok(path);
        };
        let mut found = BTreeSet::new();
        let changed = PathBuf::from(self.words.replace(text, &mut found));
        if is_below(&changed) {
            return Ok(changed);
        }
        let all = (0..).zip(self.pairs.iter().zip(source.variants.words.values()));
        let mut there = all.filter(|(at, _)| found.contains(at));
        let guilty =
            |(_, ((_, put), _)): &(usize, (&(String, String), _))| !is_below(Path::new(put));
        let first = there.clone().next();
        let Some((_, ((word, put), of))) = there.find(guilty).or(first) else {
            return Ok(path);
        };
        let why = format!(
            "with `{put}` in place of `{word}` the file {text} would be {:?}, which is not in the problem's \
             folder\nhelp: choose a value that can be part of a file name",
            changed.display().to_string()
        );
        Err(source.bad(of, &why))
    }
}

impl Piece {
    fn text(&self) -> &str {
        match self {
            Self::Open(text) | Self::Fixed(text) => text,
        }
    }
}

/// Splits a text: the output of expressions is fixed, the rest is open.
fn pieces(text: &str) -> Vec<Piece> {
    let [open, close] = GIVEN;
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once(open) {
        let (given, after) = behind.split_once(close).unwrap_or((behind, ""));
        pieces.push(Piece::Open(before.to_owned()));
        pieces.push(Piece::Fixed(given.to_owned()));
        rest = after;
    }
    pieces.push(Piece::Open(rest.to_owned()));
    pieces
}

/// A file's text in parts: lines with a canary, and the problem's name in `config.yaml`, are fixed.
fn parts(path: &Path, text: &str) -> Vec<Piece> {
    let config = path == Path::new("config.yaml");
    let fixed = |line: &str| {
        line.contains("canary: ")
            || line.contains("canary GUID")
            || (config && line.starts_with("name:"))
    };
    let mut parts: Vec<Piece> = Vec::new();
    for line in text.split_inclusive('\n') {
        match parts.last_mut() {
            _ if fixed(line) => parts.push(Piece::Fixed(line.to_owned())),
            Some(Piece::Open(open)) => open.push_str(line),
            _ => parts.push(Piece::Open(line.to_owned())),
        }
    }
    parts
}

#[cfg(test)]
mod tests;
