//! Scripts: reading them, and answering from them.

mod load;

use std::path::{Path, PathBuf};

use slope_model::script::{PutFiles, Script, Turn};
use slope_model::usage::Tokens;

use crate::attempt::Attempt;
use crate::dialect::{Call, Tool, View, shell};

/// A checked script with the files that it writes.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadedScript {
    path: PathBuf,
    script: Script,
    /// The commands of each conversation's turns; `None` for a turn without one.
    commands: Vec<Vec<Option<String>>>,
}

/// A script's reply to a request.
#[derive(Debug, PartialEq)]
pub(crate) struct Answer<'a> {
    /// Conversation and turn, for ids.
    pub(crate) id: String,
    pub(crate) turn: &'a Turn,
    pub(crate) call: Option<Call>,
}

impl LoadedScript {
    /// The script's file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The script as read.
    #[must_use]
    pub fn script(&self) -> &Script {
        &self.script
    }

    /// Tokens that a conversation reports when it is played to its end; `None` if there is
    /// no conversation of that name.
    #[must_use]
    pub fn total(&self, conversation: &str) -> Option<Tokens> {
        let found = self
            .script
            .conversations
            .iter()
            .find(|known| known.name == conversation)?;
        let mut total = Tokens::default();
        found.turns.iter().for_each(|turn| total += turn.usage);
        Some(total)
    }

    /// The reply to a request. `heard` is the text of its conversation.
    pub(crate) fn answer(
        &self,
        attempt: &Attempt,
        view: &View,
        heard: &str,
    ) -> Result<Answer<'_>, String> {
        let checkpoint = attempt.checkpoint;
        let script = self.path.display();
        if !shell::offered(&view.tools) {
            let aside = self.script.aside.as_ref().ok_or_else(|| {
                let tools: Vec<String> = view.tools.iter().map(Tool::full_name).collect();
                format!(
                    "script {script}: the request offers no shell tool (it offers: {}) and the script has no `aside`",
                    if tools.is_empty() { "none".to_owned() } else { tools.join(", ") }
                )
            })?;
            return Ok(Answer {
                id: "aside".to_owned(),
                turn: aside,
                call: None,
            });
        }
        let (index, conversation) = self
            .script
            .conversations
            .iter()
            .enumerate()
            .find(|(_, known)| {
                known.checkpoint.is_none_or(|wanted| wanted == checkpoint)
                    && known.contains.iter().all(|text| view.user_text.contains(text))
                    && known.heard.iter().all(|text| heard.contains(text))
            })
            .ok_or_else(|| {
                format!("script {script}: no conversation matches the request at checkpoint {checkpoint}")
            })?;
        let at = attempt.turn(view.turns);
        let turn = conversation.turns.get(at).ok_or_else(|| {
            format!(
                "script {script}: conversation {:?} has {} turns and the request asks for turn {} at checkpoint {checkpoint}",
                conversation.name,
                conversation.turns.len(),
                at + 1
            )
        })?;
        let command = self.commands[index][at].as_deref();
        let call = command.and_then(|command| shell::call(&view.tools, command));
        Ok(Answer {
            id: format!("c{}t{}", index + 1, at + 1),
            turn,
            call,
        })
    }
}

/// The command of a turn: remove, then write, then run; each only if the one before it succeeded.
/// `None` if the turn has nothing to run.
fn command(turn: &Turn, files: &PutFiles) -> Option<String> {
    let mut steps: Vec<(String, String)> = Vec::new();
    if !turn.remove.is_empty() {
        let paths: Vec<String> = turn.remove.iter().map(|path| quoted(path)).collect();
        steps.push((format!("rm -f -- {}", paths.join(" ")), String::new()));
    }
    for (path, text) in turn.put.iter().filter_map(|put| files.get(put)).flatten() {
        lay(path, text, &mut steps);
    }
    let shell = turn.shell.as_deref();
    if steps.is_empty() {
        return shell.map(str::to_owned);
    }
    if let Some(shell) = shell {
        steps.push((
            format!("{{\n{}\n}}", shell.trim_end_matches('\n')),
            String::new(),
        ));
    }
    let last = steps.len() - 1;
    let mut out = String::new();
    for (at, (step, body)) in steps.into_iter().enumerate() {
        out.push_str(&step);
        out.push_str(if at == last { "\n" } else { " &&\n" });
        out.push_str(&body);
    }
    Some(out)
}

/// Adds the steps that write one file.
fn lay(path: &str, text: &str, steps: &mut Vec<(String, String)>) {
    if let Some((folder, _)) = path.rsplit_once('/') {
        let step = format!("mkdir -p -- {}", quoted(folder));
        if !steps.iter().any(|(known, _)| *known == step) {
            steps.push((step, String::new()));
        }
    }
    if text.is_empty() {
        steps.push((format!(": > {}", quoted(path)), String::new()));
        return;
    }
    let end = delimiter(text);
    steps.push((
        format!("cat > {} <<'{end}'", quoted(path)),
        format!("{text}{end}\n"),
    ));
}

/// A delimiter that equals no line of the text, and if possible differs from all of them in its
/// first character: the shell dash 0.5.12 corrupts a line that starts like the delimiter if a
/// character outside ASCII follows.
fn delimiter(text: &str) -> String {
    let starts: Vec<char> = text
        .lines()
        .filter_map(|line| line.chars().next())
        .collect();
    let free = "EQZXJKVW_YUOIGHNMTRSLPDFCBA"
        .chars()
        .find(|first| !starts.contains(first));
    let stem = format!("{}OF", free.unwrap_or('E'));
    let mut end = stem.clone();
    let mut number = 1;
    while text.contains(&end) {
        number += 1;
        end = format!("{stem}_{number}_");
    }
    end
}

/// A word quoted for the shell.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::process::Command;

    fn run(command: &str, folder: &Path) -> std::process::Output {
        Command::new("sh")
            .arg("-c")
            .arg(command)
            .current_dir(folder)
            .output()
            .unwrap()
    }

    fn files(list: &[(&str, &str)]) -> PutFiles {
        let list = list
            .iter()
            .map(|(path, text)| ((*path).into(), (*text).into()))
            .collect();
        PutFiles::from([("dir".to_owned(), list)])
    }

    #[test]
    fn turn_removes_then_writes_then_runs() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("old's"), "x").unwrap();
        let turn = Turn {
            remove: vec!["old's".into(), "never-there".into()],
            put: Some("dir".into()),
            shell: Some("cat a/b/c.txt\nls | sort\n".into()),
            ..Turn::default()
        };
        let text = "$HOME `id` \\ 'q' \"d\"\nEOF\nEé\n\n";
        let files = files(&[("a/b/c.txt", text), ("a/b/empty", ""), ("-dash", "d\n")]);
        let output = run(&command(&turn, &files).unwrap(), dir.path());
        assert!(output.status.success(), "{output:?}");
        assert_eq!(
            String::from_utf8(output.stdout).unwrap(),
            format!("{text}-dash\na\n")
        );
        assert_eq!(std::fs::read(dir.path().join("a/b/empty")).unwrap(), b"");
    }

    #[test]
    fn failed_write_stops_the_command() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("a"), "a file where a folder should be").unwrap();
        let turn = Turn {
            put: Some("dir".into()),
            shell: Some("touch ran".into()),
            ..Turn::default()
        };
        let output = run(
            &command(&turn, &files(&[("a/b", "x\n")])).unwrap(),
            dir.path(),
        );
        assert!(!output.status.success());
        assert!(!dir.path().join("ran").exists());
    }

    #[test]
    fn plain_command_is_unchanged() {
        let turn = Turn {
            shell: Some("exit 3".into()),
            ..Turn::default()
        };
        assert_eq!(command(&turn, &PutFiles::new()).unwrap(), "exit 3");
        assert!(command(&Turn::default(), &PutFiles::new()).is_none());
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]
        #[test]
        fn any_text_is_written_byte_exact(text in "([ -~]|\nEOF(_2_)?|EQZ|\nE|é|\n|\t|\\\\){0,60}") {
            let text = format!("{text}\n");
            let dir = tempfile::tempdir().unwrap();
            let turn = Turn { put: Some("dir".into()), ..Turn::default() };
            let output = run(&command(&turn, &files(&[("f", &text)])).unwrap(), dir.path());
            prop_assert!(output.status.success());
            prop_assert_eq!(std::fs::read_to_string(dir.path().join("f")).unwrap(), text);
        }
    }
}
