//! `slope hook` through the binary, with the real gate, on real repositories.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::common::{slope, stderr, stdout, text};
use serde_json::{Value, json};
use slope_testkit::git::git;

const OLD: &str = "\
def total(lots, unit):
    amount = 0
    for lot in lots:
        if lot.unit != unit:
            raise ValueError(lot.name)
        if lot.expired:
            continue
        amount += lot.amount
    return amount
";

pub(crate) struct Work(pub(crate) tempfile::TempDir);

impl Work {
    pub(crate) fn new() -> Self {
        let work = Self(tempfile::tempdir().unwrap());
        std::fs::create_dir(work.root()).unwrap();
        std::fs::write(work.root().join("stock.py"), OLD).unwrap();
        work.git(&["init", "-q", "-b", "main"]);
        work.git(&["add", "."]);
        work.git(&["commit", "-q", "-m", "first"]);
        work
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.0.path().join("work")
    }

    pub(crate) fn git(&self, args: &[&str]) -> String {
        git(&self.root(), args)
    }

    pub(crate) fn slope(&self, args: &[&str]) -> Command {
        let mut command = slope();
        command
            .args(args)
            .current_dir(self.root())
            .env("HOME", self.0.path().join("home"))
            .env_remove("CLAUDE_CONFIG_DIR")
            .env_remove("CODEX_HOME")
            .env_remove("XDG_CONFIG_HOME")
            .env("SLOPE_STATE_DIR", self.0.path().join("state"));
        command
    }

    pub(crate) fn hook(&self, agent: &str, more: &[&str], event: &Value) -> Output {
        // A busy machine must not make a test silent.
        let args = [&["hook", agent, "--patience", "600"], more].concat();
        let mut child = self
            .slope(&args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        input.write_all(event.to_string().as_bytes()).unwrap();
        drop(input);
        child.wait_with_output().unwrap()
    }

    fn told(&self, agent: &str, event: &Value) -> Option<Value> {
        let said = self.hook(agent, &[], event);
        assert!(said.status.success());
        assert_eq!(stderr(&said), "");
        let text = stdout(&said);
        (!text.is_empty()).then(|| serde_json::from_str(&text).unwrap())
    }
}

#[test]
fn open_input_is_awaited_only_briefly() {
    let work = Work::new();
    let ask = |written: &str| {
        let mut child = work
            .slope(&["hook", "claude-code", "--patience", "1"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut open = child.stdin.take().unwrap();
        open.write_all(written.as_bytes()).unwrap();
        // `wait_with_output` would close a standard input that it has.
        let said = child.wait_with_output().unwrap();
        drop(open);
        assert!(said.status.success());
        stderr(&said)
    };
    let told = "standard input is still open and holds no whole event";
    for written in ["", "{\"cwd\": "] {
        let said = ask(written);
        assert!(said.contains(told), "{said}");
    }
    assert_eq!(ask("{}"), "");
}

/// The same function again, under another name.
pub(crate) fn sloppy(work: &Work) {
    let copy = OLD.replace("total", "sum_up");
    std::fs::write(work.root().join("report.py"), copy).unwrap();
}

#[test]
fn hook_reports_copy_and_blocks_once() {
    for (agent, edit, stop) in [
        ("claude-code", "PostToolUse", "Stop"),
        ("codex", "PostToolUse", "Stop"),
        ("gemini", "AfterTool", "AfterAgent"),
    ] {
        let work = Work::new();
        let event = |name: &str, more: Value| {
            let mut event = more;
            event["hook_event_name"] = json!(name);
            event["session_id"] = json!("1");
            event["cwd"] = json!(work.root());
            event
        };
        assert_eq!(work.told(agent, &event("SessionStart", json!({}))), None);
        sloppy(&work);
        let input = json!({ "tool_input": { "file_path": "report.py" } });
        let told = work.told(agent, &event(edit, input)).unwrap();
        let said = told["hookSpecificOutput"]["additionalContext"]
            .as_str()
            .unwrap();
        assert!(said.starts_with("slope: report.py:1: "), "{agent}: {said}");
        assert!(said.contains("stock.py"), "{agent}: {said}");
        let told = work.told(agent, &event(stop, json!({ "stop_hook_active": false })));
        let told = told.unwrap();
        let decision = if agent == "gemini" { "deny" } else { "block" };
        assert_eq!(told["decision"], decision);
        assert!(told["reason"].as_str().unwrap().contains("report.py:1"));
        let again = event(stop, json!({ "stop_hook_active": true }));
        assert_eq!(work.told(agent, &again), None);
    }
}

#[test]
fn opencode_plugin_gets_answers() {
    let work = Work::new();
    sloppy(&work);
    let event = json!({ "event": "edit", "session": "1", "cwd": work.root(), "tool": "write",
        "args": { "filePath": work.root().join("report.py") } });
    let told = work.told("opencode", &event).unwrap();
    assert!(told["message"].as_str().unwrap().contains("report.py:1"));
    let event = json!({ "event": "stop", "session": "1", "cwd": work.root(), "active": false });
    let told = work.told("opencode", &event).unwrap();
    assert!(told["block"].as_str().unwrap().contains("report.py:1"));
}

#[test]
fn hook_reports_growth_since_last_point() {
    let work = Work::new();
    let toml = "[check]\ntrack-growth = \"error\"\nnew-clone = \"off\"\n[track.growth]\nmass = 5\n";
    std::fs::write(work.root().join("slope.toml"), toml).unwrap();
    work.git(&["add", "."]);
    work.git(&["commit", "-q", "-m", "limits"]);
    let added = work.slope(&["track", "add"]).output().unwrap();
    assert!(added.status.success(), "{}", stderr(&added));
    sloppy(&work);
    let event = json!({ "event": "stop", "session": "1", "cwd": work.root(), "active": false });
    let told = work.told("opencode", &event).unwrap();
    let said = told["block"].as_str().unwrap();
    assert!(
        said.contains("since the last point of the series"),
        "{said}"
    );
}

#[test]
fn folder_can_be_base_without_repository() {
    let work = Work::new();
    let base = work.0.path().join("base");
    std::fs::create_dir(&base).unwrap();
    std::fs::write(base.join("stock.py"), OLD).unwrap();
    std::fs::remove_dir_all(work.root().join(".git")).unwrap();
    sloppy(&work);
    let stop = json!({ "hook_event_name": "Stop", "session_id": "1", "cwd": work.root() });
    let said = work.hook("claude-code", &["--base-dir", text(&base)], &stop);
    assert!(stdout(&said).contains("report.py:1"), "{}", stdout(&said));
}

#[test]
fn invalid_hook_input_never_blocks() {
    let work = Work::new();
    for event in [json!(null), json!({ "hook_event_name": "Stop" })] {
        assert_eq!(work.told("claude-code", &event), None);
    }
    let said = stdout(&work.slope(&["hook", "status"]).output().unwrap());
    assert!(said.contains("failed, silent: "), "{said}");
}

#[test]
fn hook_install_status_uninstall_report_changes() {
    let work = Work::new();
    let settings = work.root().join(".claude/settings.json");
    std::fs::create_dir(work.root().join(".claude")).unwrap();
    std::fs::write(&settings, "{ \"model\": \"opus\" }\n").unwrap();
    let run = |args: &[&str]| work.slope(args).output().unwrap();
    let said = run(&["hook", "install", "claude-code", "codex"]);
    assert!(said.status.success(), "{}", stderr(&said));
    assert!(
        stdout(&said).contains("hooks installed in "),
        "{}",
        stdout(&said)
    );
    assert!(stdout(&said).contains("/hooks"), "{}", stdout(&said));
    let laid = std::fs::read_to_string(&settings).unwrap();
    assert!(laid.contains("\"slope hook claude-code\""), "{laid}");
    let said = run(&["hook", "status", "--project", "--format", "json"]);
    let stand: Value = serde_json::from_str(&stdout(&said)).unwrap();
    assert_eq!(stand["agents"][0]["events"].as_array().unwrap().len(), 3);
    assert_eq!(stand["agents"][2]["events"], json!([]));
    let said = run(&["hook", "uninstall"]);
    assert!(stdout(&said).contains("is as before"), "{}", stdout(&said));
    assert_eq!(
        std::fs::read_to_string(&settings).unwrap(),
        "{ \"model\": \"opus\" }\n"
    );
    assert!(!work.root().join(".codex").exists());
    assert!(!Path::new(&work.0.path().join("home")).exists());
}

#[test]
fn uninstall_names_hooks_of_the_other_scope() {
    let work = Work::new();
    let run = |args: &[&str]| stdout(&work.slope(args).output().unwrap());
    let of = |line: &str, scope: &str| line.contains(&format!("slope hook uninstall {scope}"));
    run(&["hook", "install", "claude-code", "--user"]);
    run(&["hook", "install", "claude-code"]);
    let said = run(&["hook", "uninstall"]);
    assert!(said.contains("claude-code: hooks remain in "), "{said}");
    assert!(of(&said, "--user"), "{said}");
    run(&["hook", "install", "claude-code"]);
    let said = run(&["hook", "uninstall", "--user"]);
    assert!(of(&said, "--project"), "{said}");
    assert!(
        !run(&["hook", "uninstall"]).contains("remain"),
        "nothing is left"
    );
}

#[test]
fn malformed_settings_are_refused_unchanged() {
    let work = Work::new();
    let settings = work.root().join(".claude/settings.json");
    std::fs::create_dir(work.root().join(".claude")).unwrap();
    std::fs::write(&settings, "{ \"model\": }\n").unwrap();
    let said = work
        .slope(&["hook", "install", "claude-code"])
        .output()
        .unwrap();
    assert_eq!(said.status.code(), Some(2));
    assert!(
        stderr(&said).contains("settings.json:1:12"),
        "{}",
        stderr(&said)
    );
    assert_eq!(
        std::fs::read_to_string(&settings).unwrap(),
        "{ \"model\": }\n"
    );
    let said = work.slope(&["hook", "install", "emacs"]).output().unwrap();
    assert_eq!(said.status.code(), Some(2));
    assert!(stderr(&said).contains("claude-code, codex, gemini, opencode"));
}
