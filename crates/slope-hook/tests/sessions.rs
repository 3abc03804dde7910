//! Sessions: what is said once, what is never said, and that nothing loops.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use slope_hook::{
    Base, Budget, Hooked, Judge, Outcome, Question, StateDir, Worse, answer, last_lines,
};
use slope_testkit::git::git;

/// Tells what it is told to tell, and remembers the bases that it was asked for.
#[derive(Clone, Default)]
struct Told {
    worse: Arc<Mutex<Vec<Worse>>>,
    bases: Arc<Mutex<Vec<Base>>>,
    delay: Duration,
    breaks: bool,
}

impl Judge for Told {
    fn worse(&self, _top: &Path, base: &Base) -> Result<Vec<Worse>, String> {
        std::thread::sleep(self.delay);
        assert!(!self.breaks, "broken on purpose");
        self.bases.lock().unwrap().push(base.clone());
        Ok(self.worse.lock().unwrap().clone())
    }
}

fn worse(name: &str, path: &str) -> Worse {
    Worse {
        fingerprint: name.to_owned(),
        path: path.to_owned(),
        line: 1,
        is_error: true,
        message: format!("`{name}` repeats `old`."),
        advice: "Call `old` instead.".to_owned(),
    }
}

struct Work {
    dir: tempfile::TempDir,
    state: StateDir,
    judge: Told,
    agent: Hooked,
}

impl Work {
    fn new(agent: Hooked) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("work");
        std::fs::create_dir(&root).unwrap();
        std::fs::write(root.join("a.py"), "x = 1\n").unwrap();
        let work = Self {
            state: StateDir::at(dir.path().join("state")),
            dir,
            judge: Told::default(),
            agent,
        };
        work.git(&["init", "-q", "-b", "main"]);
        work.git(&["add", "."]);
        work.git(&["commit", "-q", "-m", "first"]);
        work
    }

    fn root(&self) -> PathBuf {
        self.dir.path().join("work")
    }

    fn git(&self, args: &[&str]) -> String {
        git(&self.root(), args)
    }

    fn now_worse(&self, worse: &[Worse]) {
        *self.judge.worse.lock().unwrap() = worse.to_vec();
    }

    fn ask(&self, session: &str, event: &Value) -> Option<Value> {
        self.ask_within(session, event, Budget::default())
    }

    fn ask_within(&self, session: &str, event: &Value, budget: Budget) -> Option<Value> {
        let mut event = event.clone();
        event["session_id"] = json!(session);
        event["cwd"] = json!(self.root());
        let input = event.to_string();
        let question = Question {
            agent: self.agent,
            input: input.as_bytes(),
            base: None,
            top: None,
            budget,
        };
        answer(&question, &self.state, self.judge.clone())
    }

    fn start(&self, session: &str) {
        assert_eq!(
            self.ask(session, &json!({ "hook_event_name": "SessionStart" })),
            None
        );
    }

    fn edit(&self, session: &str, path: &str) -> Option<String> {
        let event = json!({
            "hook_event_name": "PostToolUse", "tool_name": "Write", "tool_input": { "file_path": path },
        });
        let reply = self.ask(session, &event)?;
        let output = &reply["hookSpecificOutput"];
        assert_eq!(output["hookEventName"], "PostToolUse");
        Some(output["additionalContext"].as_str().unwrap().to_owned())
    }

    fn stop(&self, session: &str, active: bool) -> Option<String> {
        let event = json!({ "hook_event_name": "Stop", "stop_hook_active": active });
        let reply = self.ask(session, &event)?;
        assert_eq!(reply["decision"], "block");
        Some(reply["reason"].as_str().unwrap().to_owned())
    }

    fn last(&self) -> Outcome {
        last_lines(&self.state, 1)[0].outcome
    }
}

#[test]
fn an_edit_is_remarked_once_and_stop_is_blocked_once() {
    let work = Work::new(Hooked::ClaudeCode);
    work.start("s");
    work.now_worse(&[worse("copy", "a.py")]);
    let said = work.edit("s", "a.py").unwrap();
    assert_eq!(
        said,
        "slope: a.py:1: `copy` repeats `old`. Call `old` instead."
    );
    assert_eq!(work.edit("s", "a.py"), None);
    let said = work.stop("s", false).unwrap();
    assert!(said.contains("- a.py:1: `copy` repeats `old`."), "{said}");
    assert_eq!(work.stop("s", true), None);
    assert_eq!(work.last(), Outcome::Passed);
    // The next time that the person asks for something, nothing old is brought up again.
    assert_eq!(work.stop("s", false), None);
    work.now_worse(&[]);
    assert_eq!(work.stop("s", false), None);
    assert_eq!(work.last(), Outcome::Silent);
}

#[test]
fn an_agent_that_was_sent_on_is_never_sent_on_again_whatever_it_did() {
    let work = Work::new(Hooked::Codex);
    work.now_worse(&[worse("one", "a.py")]);
    assert!(work.stop("s", false).is_some());
    work.now_worse(&[worse("two", "a.py"), worse("three", "b.py")]);
    assert_eq!(work.stop("s", true), None);
    assert_eq!(work.stop("s", false), None);
}

#[test]
fn a_session_is_sent_on_three_times_at_most() {
    let work = Work::new(Hooked::ClaudeCode);
    let mut sent_on = 0;
    for n in 0..10 {
        work.now_worse(&[worse(&n.to_string(), "a.py")]);
        sent_on += usize::from(work.stop("s", false).is_some());
    }
    assert_eq!(sent_on, 3);
}

#[test]
fn what_was_there_before_the_session_is_not_told() {
    let work = Work::new(Hooked::ClaudeCode);
    work.now_worse(&[worse("before", "a.py")]);
    work.start("s");
    assert_eq!(work.edit("s", "a.py"), None);
    work.now_worse(&[worse("before", "a.py"), worse("new", "a.py")]);
    assert!(work.edit("s", "a.py").unwrap().contains("`new`"));
    // A session that goes on keeps what it knows.
    work.start("s");
    let said = work.stop("s", false).unwrap();
    assert!(
        said.contains("`new`") && !said.contains("`before`"),
        "{said}"
    );
}

#[test]
fn only_the_file_that_was_written_is_remarked_and_a_shell_may_have_written_any() {
    let work = Work::new(Hooked::ClaudeCode);
    work.now_worse(&[worse("elsewhere", "b.py")]);
    assert_eq!(work.edit("s", "a.py"), None);
    let absolute = work.root().join("b.py");
    std::fs::write(&absolute, "").unwrap();
    assert!(work.edit("t", absolute.to_str().unwrap()).is_some());
    let shell = json!({
        "hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_input": { "command": "true" },
    });
    assert!(work.ask("s", &shell).is_some());
}

#[test]
fn warnings_are_remarked_and_never_block() {
    let work = Work::new(Hooked::ClaudeCode);
    work.now_worse(&[Worse {
        is_error: false,
        ..worse("w", "a.py")
    }]);
    assert!(work.edit("s", "a.py").is_some());
    assert_eq!(work.stop("s", false), None);
}

#[test]
fn sessions_are_apart_and_hooks_at_the_same_time_say_a_thing_once() {
    let work = Work::new(Hooked::ClaudeCode);
    work.now_worse(&[worse("copy", "a.py")]);
    let said: usize = std::thread::scope(|scope| {
        let hooks: Vec<_> = (0..8)
            .map(|_| scope.spawn(|| usize::from(work.edit("s", "a.py").is_some())))
            .collect();
        hooks.into_iter().map(|hook| hook.join().unwrap()).sum()
    });
    assert_eq!(said, 1);
    assert!(work.edit("another", "a.py").is_some());
}

#[test]
fn what_is_slow_or_broken_is_silent_and_in_the_log() {
    let mut work = Work::new(Hooked::ClaudeCode);
    work.now_worse(&[worse("copy", "a.py")]);
    work.judge.delay = Duration::from_secs(60);
    let short = Duration::from_millis(50);
    let budget = Budget {
        start: short,
        edit: short,
        stop: short,
    };
    let stop = json!({ "hook_event_name": "Stop" });
    assert_eq!(work.ask_within("s", &stop, budget), None);
    assert_eq!(work.last(), Outcome::TooSlow);
    work.judge.delay = Duration::ZERO;
    work.judge.breaks = true;
    assert_eq!(work.ask("s", &stop), None);
    assert_eq!(work.last(), Outcome::Failed);
    assert_eq!(
        work.ask("s", &json!({ "hook_event_name": "Nothing" })),
        None
    );
    assert_eq!(work.last(), Outcome::Failed);
    // Neither has used up what there is to say.
    work.judge.breaks = false;
    assert!(work.stop("s", false).is_some());
}

#[test]
fn commits_of_the_session_keep_its_base_and_what_is_pulled_moves_it() {
    let work = Work::new(Hooked::ClaudeCode);
    let first = work.git(&["rev-parse", "HEAD"]);
    work.start("s");
    std::fs::write(work.root().join("a.py"), "x = 2\n").unwrap();
    work.git(&["commit", "-q", "-a", "-m", "second"]);
    work.edit("s", "a.py");
    let last = |work: &Work| work.judge.bases.lock().unwrap().last().cloned().unwrap();
    assert_eq!(last(&work), Base::Commit(first));
    work.git(&["checkout", "-q", "-b", "theirs"]);
    std::fs::write(work.root().join("a.py"), "x = 3\n").unwrap();
    work.git(&["commit", "-q", "-a", "-m", "theirs"]);
    work.git(&["checkout", "-q", "main"]);
    work.git(&["merge", "-q", "theirs"]);
    let merged = work.git(&["rev-parse", "HEAD"]);
    work.edit("s", "a.py");
    assert_eq!(last(&work), Base::Commit(merged));
}

#[test]
fn before_the_first_commit_everything_is_new_and_stays_so_in_the_session() {
    let work = Work::new(Hooked::ClaudeCode);
    std::fs::remove_dir_all(work.root().join(".git")).unwrap();
    work.git(&["init", "-q"]);
    work.start("s");
    work.now_worse(&[worse("copy", "a.py")]);
    assert!(work.edit("s", "a.py").is_some());
    let last = |work: &Work| work.judge.bases.lock().unwrap().last().cloned().unwrap();
    assert_eq!(last(&work), Base::Nothing);
    work.git(&["add", "-A"]);
    work.git(&["commit", "-q", "-m", "first"]);
    let first = work.git(&["rev-parse", "HEAD"]);
    work.edit("s", "a.py");
    assert_eq!(last(&work), Base::Nothing);
    work.git(&["checkout", "-q", "-b", "another"]);
    work.edit("s", "a.py");
    assert_eq!(last(&work), Base::Commit(first));
}

#[test]
fn nothing_is_written_into_the_workspace() {
    let work = Work::new(Hooked::ClaudeCode);
    work.start("s");
    work.now_worse(&[worse("copy", "a.py")]);
    work.edit("s", "a.py");
    work.stop("s", false);
    assert_eq!(work.git(&["status", "--porcelain", "--ignored"]), "");
}

#[test]
fn a_folder_without_a_repository_is_no_reason_to_fail() {
    let work = Work::new(Hooked::ClaudeCode);
    std::fs::remove_dir_all(work.root().join(".git")).unwrap();
    work.now_worse(&[worse("copy", "a.py")]);
    assert_eq!(work.stop("s", false), None);
    assert_eq!(work.last(), Outcome::Failed);
}
