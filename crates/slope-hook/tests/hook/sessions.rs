//! Sessions: what is said once, what is never said, and that nothing loops.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use slope_hook::{
    Base, Budget, GateJudge, Hooked, Judge, Outcome, Question, StateDir, Worse, answer, last_lines,
};
use slope_testkit::git::git;

/// Returns fixed answers, and remembers the requested bases.
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
    number: std::sync::atomic::AtomicU32,
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
            number: std::sync::atomic::AtomicU32::default(),
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

    fn commit(&self, path: &str, text: &str) {
        slope_testkit::git::commit(&self.root(), &[(path, text)]);
    }

    /// The bases of the session `s`.
    fn bases(&self) -> Vec<Base> {
        self.bases_of("s")
    }

    fn bases_of(&self, session: &str) -> Vec<Base> {
        self.judge.bases.lock().unwrap().clear();
        // Something that was not said yet.
        let number = self
            .number
            .fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        self.now_worse(&[worse(&number.to_string(), "a.py")]);
        self.edit(session, "a.py");
        self.judge.bases.lock().unwrap().clone()
    }

    fn last(&self) -> Outcome {
        last_lines(&self.state, 1)[0].outcome
    }
}

#[test]
fn edit_and_stop_report_once() {
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
fn resumed_agent_is_never_blocked_again() {
    let work = Work::new(Hooked::Codex);
    work.now_worse(&[worse("one", "a.py")]);
    assert!(work.stop("s", false).is_some());
    work.now_worse(&[worse("two", "a.py"), worse("three", "b.py")]);
    assert_eq!(work.stop("s", true), None);
    assert_eq!(work.stop("s", false), None);
}

#[test]
fn session_blocks_at_most_three_times() {
    let work = Work::new(Hooked::ClaudeCode);
    let mut sent_on = 0;
    for n in 0..10 {
        work.now_worse(&[worse(&n.to_string(), "a.py")]);
        sent_on += usize::from(work.stop("s", false).is_some());
    }
    assert_eq!(sent_on, 3);
}

#[test]
fn existing_problems_are_not_reported() {
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
fn only_written_files_are_reported() {
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
fn warnings_are_reported_but_never_block() {
    let work = Work::new(Hooked::ClaudeCode);
    work.now_worse(&[Worse {
        is_error: false,
        ..worse("w", "a.py")
    }]);
    assert!(work.edit("s", "a.py").is_some());
    assert_eq!(work.stop("s", false), None);
}

#[test]
fn concurrent_hooks_report_once_per_session() {
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
fn slow_or_failing_judge_stays_silent() {
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
fn session_base_survives_history_rewrites() {
    let work = Work::new(Hooked::ClaudeCode);
    let first = work.git(&["rev-parse", "HEAD"]);
    work.start("s");
    let is_held_against_the_first = |said: &str| {
        assert_eq!(work.bases(), [Base::Commit(first.clone())], "{said}");
    };
    work.commit("a.py", "x = 2\n");
    is_held_against_the_first("commit");
    work.git(&["checkout", "-q", "-b", "own"]);
    work.commit("a.py", "x = 3\n");
    work.git(&["checkout", "-q", "main"]);
    work.git(&["merge", "-q", "own"]);
    is_held_against_the_first("fast-forward");
    work.git(&["checkout", "-q", "own"]);
    work.commit("b.py", "x = 4\n");
    work.git(&["checkout", "-q", "main"]);
    work.git(&["cherry-pick", "own"]);
    is_held_against_the_first("cherry-pick");
    work.git(&["reset", "-q", "--hard", "HEAD~1"]);
    work.git(&["merge", "-q", "--no-ff", "-m", "m", "own"]);
    is_held_against_the_first("merge");
    let patch = work.git(&["format-patch", "-1", "--stdout", "own"]);
    let file = work.dir.path().join("patch");
    std::fs::write(&file, format!("{patch}\n")).unwrap();
    work.git(&["reset", "-q", "--hard", "own~1"]);
    work.git(&["am", "-q", file.to_str().unwrap()]);
    is_held_against_the_first("am");
    work.git(&["checkout", "-q", "--orphan", "new"]);
    is_held_against_the_first("no commit yet");
    work.git(&["commit", "-q", "-m", "root"]);
    is_held_against_the_first("orphan");
    work.git(&["checkout", "-q", "main"]);
    let log = work.root().join(".git/logs/HEAD");
    let rows = std::fs::read_to_string(&log).unwrap();
    // Git takes out rows in front, after a time.
    let begun = rows.find("\tcommit (initial)").unwrap();
    let rest = &rows[begun + rows[begun..].find('\n').unwrap() + 1..];
    for (left, said) in [
        ("", "none"),
        (rest, "not the first"),
        (rows.trim_end().rsplit_once('\n').unwrap().0, "not the last"),
    ] {
        std::fs::write(&log, left).unwrap();
        is_held_against_the_first(said);
    }
    std::fs::write(&log, &rows).unwrap();
    // An old commit that is undone: its code is not the session's work either.
    work.commit("c.py", "x = 5\n");
    let begun = work.git(&["rev-parse", "HEAD"]);
    work.start("t");
    work.commit("d.py", "x = 6\n");
    work.git(&["reset", "-q", "--soft", "HEAD~2"]);
    work.git(&["commit", "-q", "-m", "both"]);
    let below = work.git(&["rev-parse", "HEAD~1"]);
    assert_eq!(
        work.bases_of("t"),
        [Base::Commit(below), Base::Commit(begun)]
    );
}

#[test]
fn commits_from_elsewhere_move_the_base() {
    let work = Work::new(Hooked::ClaudeCode);
    let theirs = work.dir.path().join("theirs");
    work.git(&["clone", "-q", ".", theirs.to_str().unwrap()]);
    let their = |path: &str| {
        slope_testkit::git::commit(&theirs, &[(path, "y = 1\n")]);
        git(&theirs, &["rev-parse", "HEAD"])
    };
    let first = work.git(&["rev-parse", "HEAD"]);
    work.start("s");
    let pulled = their("b.py");
    work.git(&["pull", "-q", theirs.to_str().unwrap(), "main"]);
    assert_eq!(work.bases(), [Base::Commit(pulled.clone())]);
    work.commit("a.py", "x = 2\n");
    assert_eq!(work.bases(), [Base::Commit(pulled.clone())]);
    // Merged above own commits: still reported.
    let merged = their("c.py");
    let from = theirs.to_str().unwrap();
    work.git(&["pull", "-q", "--no-rebase", "--no-edit", from, "main"]);
    assert_eq!(work.bases(), [Base::Commit(merged)]);
    let beneath = their("d.py");
    work.git(&["reset", "-q", "--hard", "HEAD~1"]);
    work.git(&["pull", "-q", "--rebase", from, "main"]);
    assert_eq!(work.bases(), [Base::Commit(beneath.clone())]);
    // Older work on a line that left theirs: both are bases.
    work.git(&["checkout", "-q", "-b", "topic", &first]);
    work.commit("e.py", "x = 3\n");
    let topic = work.git(&["rev-parse", "HEAD"]);
    work.start("t");
    work.commit("e.py", "x = 4\n");
    work.git(&["merge", "-q", "-m", "m", &beneath]);
    assert_eq!(
        work.bases_of("t"),
        [Base::Commit(beneath.clone()), Base::Commit(topic)]
    );
    // What was said needs no second look.
    work.judge.bases.lock().unwrap().clear();
    work.edit("t", "a.py");
    assert_eq!(*work.judge.bases.lock().unwrap(), [Base::Commit(beneath)]);
    work.git(&["checkout", "-q", &first]);
    assert_eq!(work.bases_of("t")[0], Base::Commit(first));
}

/// A function of high complexity; those of other names are not copies.
fn long(name: &str) -> String {
    let rows: String = (0..25)
        .map(|n| match name {
            "own" => format!("    if a == {n}:\n        a += {n} * b\n"),
            "old" => format!("    while b < {n} and a:\n        b = call(a, {n})\n"),
            _ => format!("    for c in range(a):\n        print(c, b[{n}], end='')\n"),
        })
        .collect();
    format!("def {name}(a, b):\n{rows}    return a\n")
}

/// Asks with the real gate; the answer to an agent about to stop.
fn judged(work: &Work, event: &str) -> Option<String> {
    let event = json!({ "hook_event_name": event, "session_id": "s", "cwd": work.root() });
    let input = event.to_string();
    let question = Question {
        agent: Hooked::ClaudeCode,
        input: input.as_bytes(),
        base: None,
        top: None,
        budget: Budget::default(),
    };
    let reply = answer(&question, &work.state, GateJudge::new(None))?;
    Some(reply["reason"].as_str().unwrap().to_owned())
}

#[test]
fn rewritten_commits_report_own_changes() {
    let told = |undo: &[&[&str]]| {
        let work = Work::new(Hooked::ClaudeCode);
        work.commit("old.py", &long("old"));
        assert_eq!(judged(&work, "SessionStart"), None);
        std::fs::write(work.root().join("own.py"), long("own")).unwrap();
        for args in undo {
            work.git(args);
        }
        judged(&work, "Stop").unwrap()
    };
    let add = &["add", "-A"][..];
    let amended = told(&[add, &["commit", "-q", "--amend", "-m", "a"]]);
    let orphan = told(&[
        &["checkout", "-q", "--orphan", "o"],
        add,
        &["commit", "-q", "-m", "o"],
    ]);
    for said in [amended, orphan] {
        assert!(
            said.contains("own.py") && !said.contains("old.py"),
            "{said}"
        );
    }
}

#[test]
fn merge_reports_only_session_changes() {
    let work = Work::new(Hooked::ClaudeCode);
    let theirs = work.dir.path().join("theirs");
    let from = theirs.to_str().unwrap();
    work.git(&["clone", "-q", ".", from]);
    slope_testkit::git::commit(&theirs, &[("theirs.py", long("theirs"))]);
    work.git(&["checkout", "-q", "-b", "topic"]);
    work.commit("old.py", &long("old"));
    assert_eq!(judged(&work, "SessionStart"), None);
    work.commit("own.py", &long("own"));
    work.git(&["pull", "-q", "--no-rebase", "--no-edit", from, "main"]);
    let said = judged(&work, "Stop").unwrap();
    assert!(said.contains("- own.py:1"), "{said}");
    assert!(
        !said.contains("old.py") && !said.contains("theirs.py"),
        "{said}"
    );
    assert_eq!(judged(&work, "Stop"), None);
}

#[test]
fn new_repository_session_keeps_empty_base() {
    let work = Work::new(Hooked::ClaudeCode);
    std::fs::remove_dir_all(work.root().join(".git")).unwrap();
    work.git(&["init", "-q"]);
    work.start("s");
    work.now_worse(&[worse("copy", "a.py")]);
    assert!(work.edit("s", "a.py").is_some());
    assert_eq!(work.bases(), [Base::Nothing]);
    work.git(&["add", "-A"]);
    work.git(&["commit", "-q", "-m", "first"]);
    assert_eq!(work.bases(), [Base::Nothing]);
    work.git(&["checkout", "-q", "-b", "another"]);
    assert_eq!(work.bases(), [Base::Nothing]);
}

#[test]
fn hooks_leave_the_workspace_clean() {
    let work = Work::new(Hooked::ClaudeCode);
    work.start("s");
    work.now_worse(&[worse("copy", "a.py")]);
    work.edit("s", "a.py");
    work.stop("s", false);
    assert_eq!(work.git(&["status", "--porcelain", "--ignored"]), "");
}

#[test]
fn missing_repository_fails_silently() {
    let work = Work::new(Hooked::ClaudeCode);
    std::fs::remove_dir_all(work.root().join(".git")).unwrap();
    work.now_worse(&[worse("copy", "a.py")]);
    assert_eq!(work.stop("s", false), None);
    assert_eq!(work.last(), Outcome::Failed);
}
