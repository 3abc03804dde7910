//! The plugin of opencode, run by Node.js against a command that answers as slope does.

use std::process::Command;

use slope_agent::hooks::{Hooked, PLUGIN_MARK};

/// Keeps what it is asked, and answers by the event.
const SLOPE: &str = r#"
question=$(cat)
printf '%s\n' "$question" >> "$0.log"
case "$question" in
  *'"event":"edit"'*'"tool":"write"'*) echo '{"message":"slope: a.ts:1: worse."}' ;;
  *'"event":"edit"'*) echo 'not JSON' ;;
  *'"event":"stop"'*'"active":false'*) echo '{"block":"slope: mend this"}' ;;
esac
"#;

const HARNESS: &str = r#"
import { SlopePlugin } from "./plugin.mjs"
const prompts = []
const client = { session: { prompt: async (asked) => { prompts.push(asked) } } }
const plugin = await SlopePlugin({ client, directory: "/work" })
const after = async (tool) => {
  const output = { title: "", output: "ok", metadata: {} }
  await plugin["tool.execute.after"]({ tool, sessionID: "s", callID: "c", args: { filePath: "a.ts" } }, output)
  return output.output
}
const idle = () => plugin.event({ event: { type: "session.idle", properties: { sessionID: "s" } } })
await plugin.event({ event: { type: "session.created", properties: { info: { id: "s" } } } })
const info = { role: "assistant", sessionID: "s", modelID: "a-model", providerID: "p" }
await plugin.event({ event: { type: "message.updated", properties: { info } } })
const said = [await after("write"), await after("bash"), await after("read")]
await idle()
await idle()
console.log(JSON.stringify({ said, prompts }))
"#;

fn run(command: &[String]) -> Option<(serde_json::Value, String)> {
    if Command::new("node").arg("--version").output().is_err() {
        println!("\nskipped: node is missing");
        return None;
    }
    let dir = tempfile::tempdir().unwrap();
    let slope = dir.path().join("slope.sh");
    std::fs::write(&slope, SLOPE).unwrap();
    let file = slope.to_str().unwrap();
    let command: Vec<String> = command.iter().map(|w| w.replace("SLOPE", file)).collect();
    std::fs::write(dir.path().join("plugin.mjs"), Hooked::plugin(&command)).unwrap();
    std::fs::write(dir.path().join("harness.mjs"), HARNESS).unwrap();
    let done = Command::new("node")
        .arg("harness.mjs")
        .current_dir(dir.path())
        .output()
        .unwrap();
    assert!(done.status.success(), "{done:?}");
    let log = std::fs::read_to_string(dir.path().join("slope.sh.log")).unwrap_or_default();
    Some((serde_json::from_slice(&done.stdout).unwrap(), log))
}

#[test]
fn plugin_relays_messages_and_resends_once() {
    let Some((seen, log)) = run(&["sh".to_owned(), "SLOPE".to_owned()]) else {
        return;
    };
    // Invalid JSON is ignored; tools without output are not reported.
    let said = serde_json::json!(["ok\n\nslope: a.ts:1: worse.", "ok", "ok"]);
    assert_eq!(seen["said"], said);
    let prompts = seen["prompts"].as_array().unwrap();
    assert_eq!(prompts.len(), 1, "{prompts:?}");
    assert_eq!(prompts[0]["path"]["id"], "s");
    assert_eq!(prompts[0]["body"]["parts"][0]["text"], "slope: mend this");
    assert_eq!(log.lines().count(), 5, "{log}");
    assert!(log.lines().next().unwrap().contains("\"event\":\"start\""));
    assert!(log.lines().last().unwrap().contains("\"active\":true"));
    assert!(
        log.lines()
            .last()
            .unwrap()
            .contains("\"model\":\"a-model\"")
    );
}

#[test]
fn opencode_works_without_slope() {
    let Some((seen, _)) = run(&["/nonexistent/slope".to_owned()]) else {
        return;
    };
    assert_eq!(seen["said"], serde_json::json!(["ok", "ok", "ok"]));
    assert_eq!(seen["prompts"], serde_json::json!([]));
}

#[test]
fn plugin_contains_our_marker() {
    let plugin = Hooked::plugin(&["slope".to_owned()]);
    assert!(plugin.starts_with(PLUGIN_MARK));
    assert!(plugin.contains("const command = [\"slope\"]"));
}
