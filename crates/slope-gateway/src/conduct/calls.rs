//! The purpose of tool calls: to read, or to edit.

use serde_json::Value;

/// Purpose of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    Read,
    Edit,
    /// Anything else, for example a run of tests.
    Other,
}

/// Parts of tool names that concern the assistant's own notes.
const NOTES: [&str; 3] = ["todo", "plan", "memory"];
/// Parts of tool names that edit files.
const EDITORS: [&str; 6] = ["edit", "write", "patch", "replace", "create", "insert"];
/// Parts of tool names that read files.
const READERS: [&str; 7] = ["read", "grep", "glob", "search", "view", "list", "find"];
/// Tools that run commands.
const SHELLS: [&str; 6] = ["bash", "shell", "exec", "terminal", "command", "run"];
/// Programs that show files.
const READING: [&str; 16] = [
    "cat", "head", "tail", "less", "more", "sed", "grep", "rg", "ls", "find", "awk", "nl", "wc",
    "tree", "git", "diff",
];
/// Programs that change files.
const EDITING: [&str; 9] = [
    "cp",
    "mv",
    "rm",
    "tee",
    "patch",
    "apply_patch",
    "touch",
    "install",
    "truncate",
];

/// The purpose of a call of the tool `name`.
pub(super) fn purpose(name: &str, input: &Value) -> Purpose {
    let name = name.to_ascii_lowercase();
    let has = |parts: &[&str]| parts.iter().any(|part| name.contains(part));
    if has(&NOTES) {
        return Purpose::Other;
    }
    if has(&EDITORS) {
        return Purpose::Edit;
    }
    match command(input).filter(|_| has(&SHELLS) || !has(&READERS)) {
        Some(command) => of_command(&command),
        None if has(&READERS) => Purpose::Read,
        None => Purpose::Other,
    }
}

/// The command of a call, if it has one.
fn command(input: &Value) -> Option<String> {
    let field = ["command", "cmd", "script", "input"]
        .into_iter()
        .find_map(|field| input.get(field));
    match field.unwrap_or(input) {
        Value::String(text) => Some(text.clone()),
        Value::Array(words) => {
            let words = Vec::from_iter(words.iter().filter_map(Value::as_str));
            match words[..] {
                // `bash -lc COMMAND`
                [_, option, command] if option.starts_with('-') && option.ends_with('c') => {
                    Some(command.to_owned())
                }
                _ => Some(words.join(" ")),
            }
        }
        _ => None,
    }
}

/// A rough reading of a shell command: it edits if it writes to a file, or one of its programs changes files.
fn of_command(command: &str) -> Purpose {
    // Numbers of streams and the place where output is thrown away are not files.
    let quiet = unquoted(command).replace("/dev/null", "&");
    let writes = quiet.match_indices('>').any(|(at, _)| {
        let after = quiet[at + 1..].trim_start_matches('>').trim_start();
        let before = quiet[..at].chars().next_back();
        !after.starts_with(['&', '=']) && !matches!(before, Some('-' | '=' | '<' | '>'))
    });
    let parts = quiet.split(['\n', ';', '|', '&']);
    let programs = Vec::from_iter(parts.filter_map(|part| {
        let mut words = part.split_whitespace();
        let first = words.next()?;
        let program = first.rsplit('/').next().unwrap_or(first);
        Some((program, words.next().unwrap_or_default()))
    }));
    let edits = |(program, option): &(&str, &str)| {
        EDITING.contains(program)
            || *program == "sed" && option.starts_with("-i")
            || *program == "git"
                && matches!(*option, "apply" | "checkout" | "restore" | "mv" | "rm")
    };
    if writes || programs.iter().any(edits) {
        return Purpose::Edit;
    }
    let reads = |(program, _): &(&str, &str)| READING.contains(program);
    if programs.iter().any(reads) {
        Purpose::Read
    } else {
        Purpose::Other
    }
}

/// A command without what is between quotes.
fn unquoted(command: &str) -> String {
    let mut open = None;
    let outside = |c: &char| match open {
        Some(quote) => {
            if *c == quote {
                open = None;
            }
            false
        }
        None if matches!(c, '\'' | '"') => {
            open = Some(*c);
            false
        }
        None => true,
    };
    command.chars().filter(outside).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn commands_have_purposes() {
        let cases = [
            ("cat a.py", Purpose::Read),
            ("cd src && sed -n 1,20p a.py 2>&1", Purpose::Read),
            ("grep -rn 'a -> b' . 2>/dev/null", Purpose::Read),
            ("git diff HEAD", Purpose::Read),
            ("grep -n 'a > b' a.py", Purpose::Read),
            ("cat > a.py <<'EOF'\nx\nEOF", Purpose::Edit),
            ("echo x >> a.py", Purpose::Edit),
            ("sed -i s/a/b/ a.py", Purpose::Edit),
            ("git apply x.diff", Purpose::Edit),
            ("cp -r /a/. .", Purpose::Edit),
            ("python3 -m pytest -q", Purpose::Other),
        ];
        for (text, expected) in cases {
            assert_eq!(
                purpose("bash", &json!({"command": text})),
                expected,
                "{text}"
            );
        }
    }

    #[test]
    fn named_tools_have_purposes() {
        let cases = [
            ("Read", Purpose::Read),
            ("Grep", Purpose::Read),
            ("list_directory", Purpose::Read),
            ("MultiEdit", Purpose::Edit),
            ("write_file", Purpose::Edit),
            ("apply_patch", Purpose::Edit),
            ("TodoWrite", Purpose::Other),
            ("think", Purpose::Other),
        ];
        for (name, expected) in cases {
            assert_eq!(purpose(name, &json!({"path": "a"})), expected, "{name}");
        }
        let words = json!({"command": ["bash", "-lc", "cat a.py"]});
        assert_eq!(purpose("shell", &words), Purpose::Read);
    }
}
