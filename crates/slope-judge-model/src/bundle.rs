//! Files in the forms that a model gets, and requests of several files, with numbered lines.

use std::fmt::Write;
use std::path::Path;

use serde::{Deserialize, Serialize};
use slope_judge::Snapshot;
use slope_model::measurement::Part;
use slope_syntax::Language;

use crate::plain::plain;

/// Lines of a file that a model gets.
pub(crate) const MAX_FILE_LINES: usize = 3000;
/// Lines from which on a file has requests of its own.
const LARGE_FILE: usize = 500;
/// Files and lines of a request.
const GROUP_FILES: usize = 5;
const GROUP_LINES: usize = 1000;

/// How code is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Form {
    /// Without comments and long texts. The scores come from it.
    Plain,
    /// As it is.
    Written,
    /// Like [`Self::Plain`], and with other names of local variables.
    Renamed,
}

impl Form {
    /// All forms, in the order of requests.
    pub(crate) const ALL: [Self; 3] = [Self::Plain, Self::Written, Self::Renamed];
}

/// A file for a model.
#[derive(Debug, Clone)]
pub(crate) struct Item {
    pub(crate) path: String,
    pub(crate) language: String,
    pub(crate) written: String,
    /// Without comments; `None` if they cannot be removed.
    pub(crate) plain: Option<String>,
    /// With other names of local variables, too; `None` if they cannot be renamed.
    pub(crate) renamed: Option<String>,
    /// The other files of its request, if an answer about it depends on them.
    pub(crate) company: String,
}

impl Item {
    pub(crate) fn new(path: &str, bytes: &[u8]) -> Self {
        let language = Language::of_file(Path::new(path), bytes);
        let plain = plain(path, bytes);
        let renamed = plain.as_ref();
        Self {
            path: path.to_owned(),
            language: language.map_or("unknown", Language::id).to_owned(),
            written: String::from_utf8_lossy(bytes).into_owned(),
            renamed: renamed.and_then(|plain| slope_mutate::with_numbered_locals(path, plain)),
            plain,
            company: String::new(),
        }
    }

    pub(crate) fn lines(&self) -> usize {
        self.written.lines().count()
    }

    /// The code in a form.
    pub(crate) fn text(&self, form: Form) -> &str {
        let of_form = match form {
            Form::Plain => self.plain.as_ref(),
            Form::Written => None,
            Form::Renamed => self.renamed.as_ref().or(self.plain.as_ref()),
        };
        of_form.unwrap_or(&self.written)
    }

    /// The form that is asked for: forms with the same text are one.
    pub(crate) fn asked_as(&self, form: Form) -> Form {
        let known = if self.plain.is_none() {
            Form::Written
        } else {
            Form::Plain
        };
        if self.text(form) == self.text(known) {
            known
        } else {
            form
        }
    }
}

/// The production code of a snapshot, and files that are too long.
pub(crate) fn items(snapshot: &Snapshot) -> (Vec<Item>, Vec<String>) {
    let mut items = Vec::new();
    let mut too_long = Vec::new();
    let files = snapshot.measurement.files.iter();
    for file in files.filter(|file| file.part == Part::Product) {
        let Some(bytes) = snapshot.text(&file.path) else {
            continue;
        };
        let item = Item::new(&file.path, &bytes);
        if item.lines() > MAX_FILE_LINES {
            too_long.push(file.path.clone());
        } else {
            items.push(item);
        }
    }
    (items, too_long)
}

/// Files in groups that share a request, by their numbers.
pub(crate) fn groups(items: &[Item], asked: &[usize]) -> Vec<Vec<usize>> {
    let mut groups = Vec::new();
    // Files whose comments cannot be removed do not share a request with others.
    let mut open: [Vec<usize>; 2] = [Vec::new(), Vec::new()];
    let sum = |group: &[usize]| -> usize { group.iter().map(|at| items[*at].lines()).sum() };
    for &at in asked {
        let lines = items[at].lines();
        if lines > LARGE_FILE {
            groups.push(vec![at]);
            continue;
        }
        let open = &mut open[usize::from(items[at].plain.is_some())];
        if open.len() == GROUP_FILES || sum(open) + lines > GROUP_LINES {
            groups.push(std::mem::take(open));
        }
        open.push(at);
    }
    groups.extend(open);
    groups.retain(|group| !group.is_empty());
    groups
}

/// The text of a request: each file with a number before each line, between two markers that the code cannot know.
pub(crate) fn request(items: &[&Item], form: Form) -> String {
    let mut hasher = blake3::Hasher::new();
    for item in items {
        hasher.update(item.text(form).as_bytes());
        hasher.update(&[0]);
    }
    let marker = &hasher.finalize().to_hex()[..24];
    let mut request = format!(
        "The code is between two lines that begin with code-{marker}.\n\ncode-{marker} begins\n"
    );
    for (number, item) in (1..).zip(items) {
        let _ = writeln!(request, "F{number} ({})", item.language);
        for (line, text) in (1..).zip(item.text(form).lines()) {
            let _ = writeln!(request, "{line:>5}| {}", shown(text));
        }
    }
    let note = match form {
        Form::Plain => {
            "Comments were removed, and long texts and names replaced. That is no issue. "
        }
        Form::Written => "",
        Form::Renamed => {
            "Comments were removed, long texts and names replaced, and local variables numbered. That is no issue. "
        }
    };
    let _ = writeln!(
        request,
        "code-{marker} ends\n\n{note}Give the JSON object with the scores of each file and the issues."
    );
    request
}

/// A line without characters that a reader does not see.
fn shown(text: &str) -> String {
    let is_hidden = |c: char| (c.is_control() && c != '\t') || slope_model::path::is_hidden(c);
    text.chars().filter(|c| !is_hidden(*c)).collect()
}
