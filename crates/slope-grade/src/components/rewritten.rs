//! Imports that an edit writes in another way, without a change of what the file uses.

use slope_model::grade::Evidence;
use slope_model::time_limit;

use super::judged::{Judged, place};

/// What one of them counts.
const REWRITTEN: f64 = 1.0;
/// Beginnings of lines that import.
const IMPORTS: &[&str] = &["import ", "from ", "use ", "pub use ", "export "];

/// Imports that are gone while their names are written out, or whose modules are taken as a whole.
pub(super) fn imports(judged: &Judged<'_>, signal: &str) -> Vec<Evidence> {
    let mut found = Vec::new();
    for file in judged.edited() {
        for (_, line) in file.gone {
            time_limit::check();
            let Some(written) = Written::of(line.trim()) else {
                continue;
            };
            let Some((at, _)) = file.new.iter().find(|(_, line)| written.is_in(line)) else {
                continue;
            };
            found.push(Evidence {
                signal: signal.to_owned(),
                kind: "rewritten-import".to_owned(),
                at: place(file.path, *at, *at),
                of: None,
                message: format!("`{}` is written in another way.", line.trim()),
                amount: REWRITTEN,
            });
        }
    }
    found
}

/// How the name of an import can be written without it.
enum Written {
    /// By the full path.
    Path(String),
    /// As a part of this module, quotes included.
    Module(String),
}

impl Written {
    /// That of a line that imports one name.
    fn of(line: &str) -> Option<Self> {
        if let Some((module, name)) = line
            .strip_prefix("from ")
            .and_then(|rest| rest.split_once(" import "))
        {
            let is_absolute = !module.starts_with('.') && module != "__future__";
            let path = format!("{module}.{name}");
            return (is_absolute && is_path(&path, ".")).then_some(Self::Path(path));
        }
        if let Some(rest) = line.strip_prefix("import {") {
            let (names, module) = rest.split_once("} from ")?;
            let module = module.trim_end_matches(';').to_owned();
            return is_path(names.trim(), ".").then_some(Self::Module(module));
        }
        let path = line
            .strip_prefix("use ")
            .or_else(|| line.strip_prefix("import "))?;
        let path = path.trim_end_matches(';');
        let separator = if path.contains("::") { "::" } else { "." };
        // `import a.b` binds `a`.
        let last = path.rsplit(separator).next()?;
        let is_one =
            path.contains(separator) && (separator == "::" || last.starts_with(char::is_uppercase));
        (is_one && is_path(path, separator)).then(|| Self::Path(path.to_owned()))
    }

    /// Whether a line has it.
    fn is_in(&self, line: &str) -> bool {
        let is_import = IMPORTS
            .iter()
            .any(|start| line.trim_start().starts_with(start));
        match self {
            Self::Path(path) => !is_import && has(line, path),
            Self::Module(module) => is_import && line.contains("* as ") && line.contains(module),
        }
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn is_path(text: &str, separator: &str) -> bool {
    text.split(separator)
        .all(|part| !part.is_empty() && part.chars().all(is_word))
}

/// Whether a line has a path that no other name continues.
fn has(line: &str, path: &str) -> bool {
    line.match_indices(path).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + path.len()..].chars().next();
        !before.is_some_and(|c| is_word(c) || c == '.' || c == ':') && !after.is_some_and(is_word)
    })
}
