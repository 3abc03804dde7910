//! Files in groups, with numbered lines.

use std::fmt::Write;
use std::path::Path;

use slope_judge::Snapshot;
use slope_model::measurement::Part;
use slope_syntax::Language;

use crate::plain::plain;

/// Lines of a file that a model gets.
pub(crate) const MAX_FILE_LINES: usize = 3000;
/// Lines from which on a file is a group of its own.
const LARGE_FILE: usize = 500;
/// Files and lines of a group.
const GROUP_FILES: usize = 5;
const GROUP_LINES: usize = 1000;

/// A file for a model.
#[derive(Debug, Clone)]
pub(crate) struct Item {
    pub(crate) path: String,
    pub(crate) language: String,
    pub(crate) written: String,
    pub(crate) plain: Option<String>,
}

impl Item {
    pub(crate) fn new(path: &str, bytes: &[u8]) -> Self {
        let language = Language::of_file(Path::new(path), bytes);
        Self {
            path: path.to_owned(),
            language: language.map_or("unknown", Language::id).to_owned(),
            written: String::from_utf8_lossy(bytes).into_owned(),
            plain: plain(path, bytes),
        }
    }

    pub(crate) fn lines(&self) -> usize {
        self.written.lines().count()
    }
}

/// How code is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// As it is.
    Written,
    /// Without comments and long texts. The scores come from it.
    Plain,
}

/// Files that are judged together.
#[derive(Debug, Clone)]
pub(crate) struct Group {
    pub(crate) items: Vec<Item>,
}

/// The production code of a snapshot in groups, and files that are too long.
pub(crate) fn groups(snapshot: &Snapshot) -> (Vec<Group>, Vec<String>) {
    let mut groups: Vec<Group> = Vec::new();
    let mut left_out = Vec::new();
    // Files whose comments cannot be removed do not share a request with others.
    let mut open = [false, true].map(|_| Group { items: Vec::new() });
    for file in &snapshot.measurement.files {
        if file.part != Part::Product {
            continue;
        }
        let Some(bytes) = snapshot.text(&file.path) else {
            continue;
        };
        let item = Item::new(&file.path, &bytes);
        let lines = item.lines();
        if lines > MAX_FILE_LINES {
            left_out.push(file.path.clone());
        } else if lines > LARGE_FILE {
            groups.push(Group { items: vec![item] });
        } else {
            let open = &mut open[usize::from(item.plain.is_some())];
            if open.items.len() == GROUP_FILES || open.lines() + lines > GROUP_LINES {
                groups.push(std::mem::replace(open, Group { items: Vec::new() }));
            }
            open.items.push(item);
        }
    }
    groups.extend(open);
    groups.retain(|group| !group.items.is_empty());
    (groups, left_out)
}

impl Group {
    pub(crate) fn lines(&self) -> usize {
        self.items.iter().map(Item::lines).sum()
    }

    /// Whether both forms are the same.
    pub(crate) fn is_plain(&self) -> bool {
        let is_same = |item: &Item| {
            item.plain
                .as_ref()
                .is_none_or(|plain| *plain == item.written)
        };
        self.items.iter().all(is_same)
    }

    /// The request: each file with a number before each line, between two markers that the code cannot know.
    pub(crate) fn request(&self, form: Form) -> String {
        let text = |item: &Item| match (form, &item.plain) {
            (Form::Plain, Some(plain)) => plain.clone(),
            _ => item.written.clone(),
        };
        let texts: Vec<String> = self.items.iter().map(text).collect();
        let mut hasher = blake3::Hasher::new();
        for text in &texts {
            hasher.update(text.as_bytes());
            hasher.update(&[0]);
        }
        let marker = &hasher.finalize().to_hex()[..24];
        let mut request = format!(
            "The code is between two lines that begin with code-{marker}.\n\ncode-{marker} begins\n"
        );
        for ((number, item), text) in (1..).zip(&self.items).zip(&texts) {
            let _ = writeln!(request, "F{number} ({})", item.language);
            for (line, text) in (1..).zip(text.lines()) {
                let _ = writeln!(request, "{line:>5}| {}", shown(text));
            }
        }
        let note = match form {
            Form::Plain => {
                "Comments were removed, and long texts and names replaced. That is no issue. "
            }
            Form::Written => "",
        };
        let _ = writeln!(
            request,
            "code-{marker} ends\n\n{note}Give the JSON object with scores and issues."
        );
        request
    }

    /// The path of a file by its number, `F1`.
    pub(crate) fn item(&self, name: &str) -> Option<&Item> {
        let number: usize = name.trim().strip_prefix('F')?.parse().ok()?;
        self.items.get(number.checked_sub(1)?)
    }
}

/// A line without characters that a reader does not see.
fn shown(text: &str) -> String {
    let is_hidden = |c: char| (c.is_control() && c != '\t') || slope_model::path::is_hidden(c);
    text.chars().filter(|c| !is_hidden(*c)).collect()
}
