//! Spec text: from the file to what an agent may read.

use std::path::Path;

use crate::{Error, yaml};

const OPEN: &str = "<!--";
const CLOSE: &str = "-->";
const MARK: &str = "%%%";

/// What the placeholders of a spec stand for.
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
    let body = strip_canary(path, &text)?;
    if body.trim().is_empty() {
        return Err(Error::malformed(
            path,
            None,
            "the spec is empty",
            "write what the program must do",
        ));
    }
    fill(path, &text, body, entry)
}

/// Without the comment at the very start. Only that one: a later comment belongs to the spec.
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
    let remedy = "the known ones are ENTRYPOINT:entry_file and ENTRYPOINT:entry_command";
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
    fn only_the_first_comment_goes() {
        let text = "<!-- canary\nline -->\nA\n<!-- kept -->\nB\n";
        assert_eq!(run(text).unwrap(), "A\n<!-- kept -->\nB\n");
        assert_eq!(run("A\n<!-- kept -->\n").unwrap(), "A\n<!-- kept -->\n");
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
