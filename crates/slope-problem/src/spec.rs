//! Converts the spec in a file to the text for an agent.

use std::path::Path;

use slope_model::problem::Problem;

use crate::{Error, yaml};

const OPEN: &str = "<!--";
const CLOSE: &str = "-->";
const MARK: &str = "%%%";

/// The values of a spec's placeholders.
pub(crate) struct EntryPoint {
    /// `%%%ENTRYPOINT:entry_file%%%`
    pub(crate) file: String,
    /// `%%%ENTRYPOINT:entry_command%%%`
    pub(crate) command: String,
}

/// Reads the spec at `path`, removes its canary and fills its placeholders.
pub(crate) fn read(path: &Path, entry: &EntryPoint) -> Result<String, Error> {
    let text = yaml::read_text(
        path,
        "the spec of a checkpoint",
        "write the spec, or take the checkpoint out of config.yaml",
    )?;
    let body = without_marks(strip_canary(path, &text)?);
    if body.trim().is_empty() {
        return Err(Error::malformed(
            path,
            None,
            "the spec is empty",
            "write what the program must do",
        ));
    }
    fill(path, &text, &body, entry)
}

/// The spec of `checkpoint` for another harness: with its canary and placeholders, without marks of
/// clauses.
///
/// # Errors
/// If the file cannot be read.
pub fn published_spec(problem: &Problem, checkpoint: &str) -> Result<String, Error> {
    let path = problem.root.join(format!("{checkpoint}.md"));
    let text = yaml::read_text(&path, "the spec of a checkpoint", "restore the file")?;
    Ok(without_marks(&text))
}

/// Start of the mark that names a clause of a spec, `<!--#id-->`.
const CLAUSE: &str = "<!--#";

/// A clause of a spec that cases can name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Clause {
    /// Its id: lower-case letters, digits and hyphens.
    pub(crate) id: String,
    /// Line of its mark, from 1.
    pub(crate) line: u64,
}

/// The clauses marked in the spec at `path`, in order.
///
/// # Errors
/// If the file cannot be read, or a mark is malformed or repeated.
pub(crate) fn clauses(path: &Path) -> Result<Vec<Clause>, Error> {
    let remedy = "write the spec, or take the checkpoint out of config.yaml";
    let text = yaml::read_text(path, "the spec of a checkpoint", remedy)?;
    let mut found: Vec<Clause> = Vec::new();
    for (line, row) in (1..).zip(text.lines()) {
        for after in row.split(CLAUSE).skip(1) {
            let malformed = |what: String, remedy: &str| {
                Error::malformed(path, Some(line), what, remedy.to_owned())
            };
            let Some(id) = mark(after) else {
                let remedy = "write <!--#id--> with lower-case letters, digits and hyphens";
                return Err(malformed("a clause's mark is malformed".to_owned(), remedy));
            };
            if found.iter().any(|clause| clause.id == id) {
                let what = format!("the clause {id} is marked twice");
                return Err(malformed(what, "give every clause its own id"));
            }
            let id = id.to_owned();
            found.push(Clause { id, line });
        }
    }
    Ok(found)
}

/// Id of the mark whose text after the opening is `after`.
fn mark(after: &str) -> Option<&str> {
    let (id, _) = after.split_once(CLOSE)?;
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    (!id.is_empty() && id.chars().all(plain)).then_some(id)
}

/// The text without the marks of clauses, which would reveal the tests to an agent.
fn without_marks(body: &str) -> String {
    let mut parts = body.split(CLAUSE);
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match mark(part) {
            Some(id) => text.push_str(&part[id.len() + CLOSE.len()..]),
            None => {
                text.push_str(CLAUSE);
                text.push_str(part);
            }
        }
    }
    text
}

/// The text without the comment at its start. Only that one: a later comment belongs to the spec.
fn strip_canary<'a>(path: &Path, text: &'a str) -> Result<&'a str, Error> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let Some(comment) = text.strip_prefix(OPEN) else {
        return Ok(text);
    };
    let Some(end) = comment.find(CLOSE) else {
        let remedy = "close the comment with -->";
        return Err(Error::malformed(
            path,
            Some(1),
            "the comment at the start never ends",
            remedy,
        ));
    };
    let rest = &comment[end + CLOSE.len()..];
    Ok(rest
        .strip_prefix("\r\n")
        .or_else(|| rest.strip_prefix('\n'))
        .unwrap_or(rest))
}

fn fill(path: &Path, whole: &str, body: &str, entry: &EntryPoint) -> Result<String, Error> {
    let filled = body
        .replace("%%%ENTRYPOINT:entry_file%%%", &entry.file)
        .replace("%%%ENTRYPOINT:entry_command%%%", &entry.command);
    let Some(start) = filled.find("%%%ENTRYPOINT:") else {
        return Ok(filled);
    };
    let rest = &filled[start + MARK.len()..];
    let name = &rest[..rest.find(MARK).unwrap_or(rest.len()).min(40)];
    let line = yaml::line_where(whole, |l| l.contains(&format!("{MARK}{name}")));
    let remedy = "use ENTRYPOINT:entry_file or ENTRYPOINT:entry_command";
    Err(Error::malformed(
        path,
        line,
        format!("unknown placeholder {name}"),
        remedy,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(text: &str) -> Result<String, Error> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("checkpoint_1.md");
        std::fs::write(&path, text).unwrap();
        read(
            &path,
            &EntryPoint {
                file: "tool.py".into(),
                command: "python tool.py".into(),
            },
        )
    }

    #[test]
    fn only_the_leading_comment_is_stripped() {
        let text = "<!-- canary\nline -->\nA\n<!-- kept -->\nB\n";
        assert_eq!(run(text).unwrap(), "A\n<!-- kept -->\nB\n");
        assert_eq!(run("A\n<!-- kept -->\n").unwrap(), "A\n<!-- kept -->\n");
    }

    #[test]
    fn clause_markers_are_read_and_hidden() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("checkpoint_1.md");
        let text = "<!-- c -->\nAdd one.<!--#add-one--> Or none.<!--#none-->\n<!-- kept -->\n";
        std::fs::write(&path, text).unwrap();
        let found = clauses(&path).unwrap();
        let found: Vec<(&str, u64)> = found.iter().map(|c| (c.id.as_str(), c.line)).collect();
        assert_eq!(found, [("add-one", 2), ("none", 2)]);
        assert_eq!(run(text).unwrap(), "Add one. Or none.\n<!-- kept -->\n");
        for (text, line) in [("a\nb<!--#A b-->\n", 2), ("<!--#a-->\n\n<!--#a-->\n", 3)] {
            std::fs::write(&path, text).unwrap();
            assert_eq!(clauses(&path).unwrap_err().line(), Some(line));
        }
    }

    #[test]
    fn placeholders_are_filled() {
        let text = "Write `%%%ENTRYPOINT:entry_file%%%`, run `%%%ENTRYPOINT:entry_command%%% add`.";
        assert_eq!(
            run(text).unwrap(),
            "Write `tool.py`, run `python tool.py add`."
        );
    }

    #[test]
    fn unknown_placeholder_names_its_line() {
        let error = run("<!-- c -->\nok\nsee %%%ENTRYPOINT:port%%%\n").unwrap_err();
        assert_eq!(error.line(), Some(3));
        assert!(error.to_string().contains("ENTRYPOINT:port"), "{error}");
    }

    #[test]
    fn open_comment_and_empty_spec_are_errors() {
        assert_eq!(run("<!-- never\nends").unwrap_err().line(), Some(1));
        assert!(
            run("<!-- c -->\n \n")
                .unwrap_err()
                .to_string()
                .contains("empty")
        );
    }
}
