//! Reading a script and the folders that it uses.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use slope_model::schema;
use slope_model::script::{PutFiles, Script, Turn};
use walkdir::{DirEntry, WalkDir};

use super::{LoadedScript, command};
use crate::error::GatewayError;

/// Longest command of a turn, in bytes. Clients pass a command to the shell as one argument, which
/// Linux limits to 128 KiB, and some add a level of quoting.
const MAX_COMMAND: usize = 96 * 1024;

impl LoadedScript {
    /// Reads a script from a YAML file, and the folders of its `put` entries, relative to the file.
    ///
    /// # Errors
    ///
    /// If a file cannot be read, is not a script (with its line), or requests something impossible:
    /// an empty turn, a file that is not text or does not end with a line end, a path out of the
    /// workspace, a command too long for a shell.
    pub fn load(path: &Path) -> Result<Self, GatewayError> {
        let text = read(path)?;
        let script = parse(path, &text)?;
        let folder = path.parent().unwrap_or(Path::new("."));
        let mut files = PutFiles::new();
        for turn in turns(&script) {
            if let Some(put) = &turn.put
                && !files.contains_key(put)
            {
                files.insert(put.clone(), read_folder(path, &folder.join(put))?);
            }
        }
        Self::new(path, script, &files)
    }

    /// A script with files that were read beforehand; `path` is used in messages.
    ///
    /// # Errors
    ///
    /// As for [`LoadedScript::load`], except for reading.
    pub fn new(path: &Path, script: Script, files: &PutFiles) -> Result<Self, GatewayError> {
        let invalid = |message: String| GatewayError::ScriptInvalid {
            path: path.to_owned(),
            message,
        };
        if script.schema != schema::SCRIPT {
            return Err(invalid(format!(
                "unknown schema {:?}: expected {:?}",
                script.schema,
                schema::SCRIPT
            )));
        }
        if script.conversations.is_empty() && script.aside.is_none() {
            return Err(invalid("it has no conversation".to_owned()));
        }
        let mut commands = Vec::new();
        for conversation in &script.conversations {
            let mut row = Vec::new();
            for (at, turn) in conversation.turns.iter().enumerate() {
                let checked = check(turn, files).map_err(|why| {
                    format!(
                        "conversation {:?}, turn {}: {why}",
                        conversation.name,
                        at + 1
                    )
                });
                row.push(checked.map_err(invalid)?);
            }
            commands.push(row);
        }
        if let Some(aside) = &script.aside
            && check(aside, files)
                .map_err(|why| invalid(format!("aside: {why}")))?
                .is_some()
        {
            return Err(invalid(
                "aside: it answers requests without a shell tool, so it cannot run commands\nhelp: use only `text`"
                    .to_owned(),
            ));
        }
        Ok(Self {
            path: path.to_owned(),
            script,
            commands,
        })
    }
}

fn read(path: &Path) -> Result<String, GatewayError> {
    let text = crate::plain::check(path).and_then(|()| fs::read_to_string(path));
    text.map_err(|source| GatewayError::Read {
        path: path.to_owned(),
        source,
    })
}

fn parse(path: &Path, text: &str) -> Result<Script, GatewayError> {
    serde_saphyr::from_str(text).map_err(|error| {
        let place = error.location();
        GatewayError::ScriptSyntax {
            path: path.to_owned(),
            line: place.map_or(0, |place| place.line()),
            column: place.map_or(0, |place| place.column()),
            message: first_line(&error.without_snippet().to_string()),
        }
    })
}

fn first_line(message: &str) -> String {
    message.lines().next().unwrap_or_default().to_owned()
}

fn turns(script: &Script) -> impl Iterator<Item = &Turn> {
    script
        .conversations
        .iter()
        .flat_map(|known| &known.turns)
        .chain(&script.aside)
}

/// Checks a turn. Returns its command.
fn check(turn: &Turn, files: &PutFiles) -> Result<Option<String>, String> {
    if turn.usage.reasoning > turn.usage.output {
        return Err("reasoning tokens are part of the output and cannot be more".to_owned());
    }
    if let Some(status) = turn.fail_status
        && !(400..600).contains(&status)
    {
        return Err(format!(
            "invalid fail_status {status}: expected an HTTP error from 400 to 599"
        ));
    }
    for path in &turn.remove {
        check_path(path)?;
    }
    if let Some(put) = &turn.put {
        let list = files
            .get(put)
            .ok_or_else(|| format!("the files of {put:?} were not read"))?;
        if list.is_empty() {
            return Err(format!("the folder {put:?} contains no file"));
        }
        for (path, text) in list {
            check_path(path)?;
            if !text.is_empty() && !text.ends_with('\n') {
                return Err(format!(
                    "{put}/{path} does not end with a line end\nhelp: add one"
                ));
            }
        }
    }
    let command = command(turn, files);
    if command
        .as_ref()
        .is_some_and(|command| command.len() > MAX_COMMAND)
    {
        return Err(format!(
            "its command is longer than {MAX_COMMAND} bytes, the limit of clients\nhelp: spread the files over more turns"
        ));
    }
    if command.is_none() && turn.text.is_empty() && turn.fail_status.is_none() {
        return Err(
            "it is empty\nhelp: give it `text`, `shell`, `put`, `remove` or `fail_status`"
                .to_owned(),
        );
    }
    Ok(command)
}

fn check_path(path: &str) -> Result<(), String> {
    let bad = path.is_empty()
        || path.contains('\0')
        || path
            .split('/')
            .any(|part| part.is_empty() || part == "." || part == "..");
    if bad {
        Err(format!(
            "the path {path:?} does not stay inside the workspace"
        ))
    } else {
        Ok(())
    }
}

/// Files of a folder in path order. Links are refused, since their targets are not part of the
/// folder; caches of the Python interpreter are skipped.
fn read_folder(script: &Path, root: &Path) -> Result<Vec<(String, String)>, GatewayError> {
    let is_cache =
        |entry: &DirEntry| entry.file_type().is_dir() && entry.file_name() == "__pycache__";
    let walk = WalkDir::new(root).min_depth(1).into_iter();
    let mut files = Vec::new();
    for entry in walk.filter_entry(|entry| entry.depth() == 0 || !is_cache(entry)) {
        let entry = entry.map_err(|error| GatewayError::Read {
            path: error.path().unwrap_or(root).to_owned(),
            source: error
                .into_io_error()
                .unwrap_or_else(|| ErrorKind::Other.into()),
        })?;
        files.extend(read_entry(script, root, &entry)?);
    }
    files.sort();
    Ok(files)
}

/// Path and text of a file; `None` for a folder.
fn read_entry(
    script: &Path,
    root: &Path,
    entry: &DirEntry,
) -> Result<Option<(String, String)>, GatewayError> {
    let path = entry.path();
    let invalid = |what: &str| GatewayError::ScriptInvalid {
        path: script.to_owned(),
        message: format!("{}{what}", path.display()),
    };
    let Some(inner) = path.strip_prefix(root).unwrap_or(path).to_str() else {
        return Err(invalid(": the name is not UTF-8\nhelp: rename it"));
    };
    let kind = entry.file_type();
    if kind.is_dir() {
        return Ok(None);
    }
    if !kind.is_file() {
        return Err(invalid(
            " is neither a file nor a folder, and a script writes only plain files",
        ));
    }
    let bytes = fs::read(path).map_err(|source| GatewayError::Read {
        path: path.to_owned(),
        source,
    })?;
    let text = String::from_utf8(bytes).ok();
    let text = text.filter(|text| !text.contains('\0'));
    let text = text.ok_or_else(|| invalid(" is not text, and a script writes only text"))?;
    Ok(Some((inner.to_owned(), text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "schema: slope.script/1\nmodel: m\nconversations:\n";

    fn load(text: &str, files: &[(&str, &[u8])]) -> Result<LoadedScript, String> {
        let dir = tempfile::tempdir().unwrap();
        for (path, bytes) in files {
            let path = dir.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
        let path = dir.path().join("s.yaml");
        fs::write(&path, text).unwrap();
        LoadedScript::load(&path).map_err(|error| {
            error
                .to_string()
                .replace(&format!("{}/", dir.path().display()), "")
        })
    }

    fn turn(yaml: &str) -> String {
        format!("{HEAD}- name: a\n  turns:\n  - {yaml}\n")
    }

    #[test]
    fn script_error_names_line_and_column() {
        let error = load(&format!("{HEAD}- name: a\n  turns:\n  - txt: hi\n"), &[]).unwrap_err();
        assert!(error.starts_with("s.yaml:6:"), "{error}");
        assert!(error.contains("txt"), "{error}");
        let error = load("schema: [", &[]).unwrap_err();
        assert!(error.starts_with("s.yaml:"), "{error}");
    }

    #[test]
    fn invalid_turn_names_conversation_and_turn() {
        let put: &[(&str, &[u8])] = &[
            ("d/x.py", b"no end"),
            ("b/x", b"\xff\n"),
            ("e/__pycache__/x", b"\xff"),
        ];
        for (yaml, expected) in [
            (
                "usage: {output: 3}",
                "s.yaml: conversation \"a\", turn 1: it is empty",
            ),
            (
                "{text: a, usage: {output: 3, reasoning: 4}}",
                "reasoning tokens are part",
            ),
            ("fail_status: 200", "from 400 to 599"),
            ("remove: [../x]", "does not stay inside"),
            ("remove: [/etc/passwd]", "does not stay inside"),
            ("put: d", "d/x.py does not end with a line end"),
            ("put: b", "b/x is not text"),
            ("put: e", "contains no file"),
            ("put: nowhere", "cannot read nowhere"),
        ] {
            let error = load(&turn(yaml), put).unwrap_err();
            assert!(error.contains(expected), "{yaml}: {error}");
        }
        let long = format!("shell: {}", "x".repeat(MAX_COMMAND + 1));
        assert!(
            load(&turn(&long), &[])
                .unwrap_err()
                .contains("spread the files")
        );
    }

    #[test]
    fn put_files_are_sorted_by_path() {
        let put: &[(&str, &[u8])] = &[("d/z.py", b"z\n"), ("d/a/b.py", b""), ("d/.hidden", b"h\n")];
        let script = load(&turn("put: d"), put).unwrap();
        let command = script.commands[0][0].as_deref().unwrap();
        let at = |text: &str| command.find(text).unwrap();
        assert!(
            at("'.hidden'") < at("'a/b.py'") && at("'a/b.py'") < at("'z.py'"),
            "{command}"
        );
    }

    #[cfg(unix)]
    #[test]
    fn links_in_put_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("d")).unwrap();
        std::os::unix::fs::symlink("/etc/passwd", dir.path().join("d/x")).unwrap();
        let path = dir.path().join("s.yaml");
        fs::write(&path, turn("put: d")).unwrap();
        let error = LoadedScript::load(&path).unwrap_err().to_string();
        assert!(error.contains("neither a file nor a folder"), "{error}");
    }
}
