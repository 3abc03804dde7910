//! Events that agents pass to hooks.

use std::path::PathBuf;

use serde_json::Value;
use slope_agent::hooks::{Hooked, Moment};

/// An event of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Event {
    pub(crate) moment: Moment,
    /// The agent's name for the event.
    pub(crate) name: String,
    pub(crate) session: String,
    /// Folder that the agent works in.
    pub(crate) cwd: PathBuf,
    /// Files that the tool wrote, if the agent lists them; empty for shells.
    pub(crate) paths: Vec<PathBuf>,
    /// Whether the agent continues only because of a hook.
    pub(crate) sent_on: bool,
    /// Name of the model, if the agent names it.
    pub(crate) model: Option<String>,
}

/// Reads the standard input of a hook. An error names the missing key.
pub(crate) fn read(agent: Hooked, bytes: &[u8]) -> Result<Event, String> {
    let input: Value = serde_json::from_slice(bytes)
        .map_err(|error| format!("standard input is not JSON: {error}"))?;
    let keys = Keys::of(agent);
    let text = |key: &str| input[key].as_str().filter(|text| !text.is_empty());
    let missing = |key: &str| format!("the event has no text `{key}`");
    let name = text(keys.event).ok_or_else(|| missing(keys.event))?;
    let moments = agent.moments().iter();
    let moment = moments
        .clone()
        .find(|(_, known, _)| *known == name)
        .map(|(moment, ..)| *moment)
        .ok_or_else(|| {
            let known: Vec<&str> = moments.map(|moment| moment.1).collect();
            format!(
                "unknown event `{name}`: expected one of {}",
                known.join(", ")
            )
        })?;
    Ok(Event {
        moment,
        name: name.to_owned(),
        session: text(keys.session)
            .ok_or_else(|| missing(keys.session))?
            .to_owned(),
        cwd: text("cwd").ok_or_else(|| missing("cwd"))?.into(),
        paths: paths(&input[keys.input]),
        sent_on: input[keys.sent_on] == true,
        model: text("model").map(str::to_owned),
    })
}

/// Keys of an agent's events.
struct Keys {
    event: &'static str,
    session: &'static str,
    input: &'static str,
    sent_on: &'static str,
}

impl Keys {
    fn of(agent: Hooked) -> Self {
        match agent {
            // Codex and Gemini use the names of Claude Code.
            Hooked::ClaudeCode | Hooked::Codex | Hooked::Gemini => Self {
                event: "hook_event_name",
                session: "session_id",
                input: "tool_input",
                sent_on: "stop_hook_active",
            },
            // slope's own plugin.
            Hooked::OpenCode => Self {
                event: "event",
                session: "session",
                input: "args",
                sent_on: "active",
            },
        }
    }
}

/// Files named in a tool's input.
fn paths(input: &Value) -> Vec<PathBuf> {
    let keys = ["file_path", "filePath", "notebook_path", "absolute_path"];
    let named = keys.iter().filter_map(|key| input[key].as_str());
    let mut paths: Vec<PathBuf> = named.map(PathBuf::from).collect();
    // Codex passes a patch as a command, opencode as `patchText`.
    let patches = ["command", "input", "patch", "patchText"];
    for text in patches.iter().filter_map(|key| input[key].as_str()) {
        if text.trim_start().starts_with("*** Begin Patch") {
            paths.extend(patched(text));
        }
    }
    paths
}

/// Files that a patch in Codex's format changes.
fn patched(patch: &str) -> impl Iterator<Item = PathBuf> + '_ {
    const HEADS: [&str; 3] = ["*** Add File: ", "*** Update File: ", "*** Move to: "];
    let file = |row: &str| {
        HEADS
            .iter()
            .find_map(|head| row.strip_prefix(head).map(str::to_owned))
    };
    patch
        .lines()
        .filter_map(move |row| file(row.trim_end()))
        .map(|path| PathBuf::from(path.trim()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn event(agent: Hooked, input: &Value) -> Result<Event, String> {
        read(agent, input.to_string().as_bytes())
    }

    #[test]
    fn events_of_every_agent_parse() {
        let claude = event(
            Hooked::ClaudeCode,
            &json!({ "session_id": "s", "transcript_path": "/t", "cwd": "/w", "permission_mode": "default",
                "hook_event_name": "PostToolUse", "tool_name": "Write",
                "tool_input": { "file_path": "/w/a.py", "content": "x" }, "tool_response": {} }),
        )
        .unwrap();
        assert_eq!(claude.moment, Moment::Edit);
        assert_eq!(claude.model, None, "only the start names it");
        assert_eq!(claude.paths, [PathBuf::from("/w/a.py")]);
        let patch = "*** Begin Patch\n*** Update File: a.py\n*** Move to: b.py\n@@\n-x\n+y\n\
                     *** Add File: c.py\n+z\n*** End Patch";
        let codex = event(
            Hooked::Codex,
            &json!({ "session_id": "s", "turn_id": "t", "cwd": "/w", "model": "m",
                "hook_event_name": "PostToolUse", "tool_name": "apply_patch",
                "tool_input": { "command": patch }, "tool_response": "done" }),
        )
        .unwrap();
        assert_eq!(codex.model.as_deref(), Some("m"));
        assert_eq!(codex.paths, ["a.py", "b.py", "c.py"].map(PathBuf::from));
        let stop = json!({ "session_id": "s", "cwd": "/w", "hook_event_name": "Stop",
            "stop_hook_active": true });
        for agent in [Hooked::ClaudeCode, Hooked::Codex] {
            let stop = event(agent, &stop).unwrap();
            assert_eq!((stop.moment, stop.sent_on), (Moment::Stop, true));
        }
        let gemini = event(
            Hooked::Gemini,
            &json!({ "session_id": "s", "cwd": "/w", "timestamp": "2026-01-01T00:00:00Z",
                "hook_event_name": "AfterAgent", "prompt": "p", "prompt_response": "r",
                "stop_hook_active": false }),
        )
        .unwrap();
        assert_eq!((gemini.moment, gemini.sent_on), (Moment::Stop, false));
        let opencode = event(
            Hooked::OpenCode,
            &json!({ "event": "edit", "session": "s", "cwd": "/w", "tool": "edit",
                "args": { "filePath": "/w/a.ts" } }),
        )
        .unwrap();
        assert_eq!(opencode.paths, [PathBuf::from("/w/a.ts")]);
    }

    #[test]
    fn missing_event_fields_are_named() {
        let cases = [
            (json!([]), "no text `hook_event_name`"),
            (
                json!({ "hook_event_name": "PreToolUse" }),
                "expected one of SessionStart",
            ),
            (json!({ "hook_event_name": "Stop" }), "no text `session_id`"),
            (
                json!({ "hook_event_name": "Stop", "session_id": "s" }),
                "no text `cwd`",
            ),
        ];
        for (input, message) in cases {
            let error = event(Hooked::ClaudeCode, &input).unwrap_err();
            assert!(error.contains(message), "{error}");
        }
        assert!(read(Hooked::Codex, b"\xff").is_err());
    }
}
