//! `slope watch` with real agents, and with messages to receivers.

use std::path::Path;

use serde_json::Value;

use crate::agents::{CLAUDE_CODE, CODEX};
use crate::common::{self, run, sandbox_or_skip, scripted_agent, stderr, stdout, text};

/// Writes a watch of a day's baseline with these arms and tables.
fn watch(dir: &Path, problem: &Path, tables: &str) -> std::path::PathBuf {
    let folder = dir.join("watch");
    std::fs::create_dir(&folder).unwrap();
    let settings = format!(
        "tasks = [\"python/household-stock/checkpoint_2\", \"python/household-stock/checkpoint_3\"]\n\
         problems = [{problem:?}]\n[baseline]\ndays = 2\nreplicates = 1\n{tables}"
    );
    std::fs::write(folder.join("watch.toml"), settings).unwrap();
    folder
}

fn day(folder: &Path, date: &str) -> Value {
    let file = folder.join("days").join(date).join("day.json");
    serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap()
}

#[test]
fn two_real_agents_work_a_day() {
    if !sandbox_or_skip() || !CODEX.ready() || !CLAUDE_CODE.ready() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let problem = common::builtin(dir.path());
    let arm = |agent: &crate::agents::Real, name: &str, role: &str| {
        let script = agent.script(&problem, dir.path());
        format!(
            "[arms.{name}]\nrole = \"{role}\"\nagent = \"{}\"\nmodel = \"scripted-tidy\"\nscript = {script:?}\n",
            agent.name
        )
    };
    let arms = format!(
        "{}{}",
        arm(&CODEX, "main", "target"),
        arm(&CLAUDE_CODE, "other", "other")
    );
    let folder = watch(dir.path(), &problem, &arms);
    let output = run(&[
        "watch",
        "tick",
        text(&folder),
        "--date",
        "2026-11-01",
        "--quiet",
    ]);
    if crate::real_agents::unreachable(&output) {
        return;
    }
    assert!(output.status.success(), "{}", stderr(&output));
    let day = day(&folder, "2026-11-01");
    assert_eq!(day["invalid"], Value::Null);
    for (arm, agent) in [("main", CODEX), ("other", CLAUDE_CODE)] {
        let arm = &day["arms"][arm];
        assert_eq!(arm["agent_version"], agent.version);
        assert!(arm["tools"].is_string(), "the offered tools are known");
        for run in arm["tasks"].as_array().unwrap() {
            assert_eq!(run["outcome"], "passed", "{run}");
            assert!(run["usage"]["requests"].as_u64().unwrap() > 0);
            assert!(run["quality"]["mass"].is_number());
            assert_eq!(run["quality"]["new_security"], 0, "{run}");
        }
    }
}

/// Writes the settings of versions 1 to `last` of an agent that solves checkpoint 2 until it gets bad.
fn versions(dir: &Path, problem: &Path, last: u32, first_bad: u32) -> String {
    let solution = problem.join("solutions/checkpoint_2");
    for version in 1..=last {
        let body = if version < first_bad {
            "cp -r /solution/. ."
        } else {
            "true"
        };
        let argv = serde_json::json!(["/bin/sh", "-c", body, "agent", "{prompt}"]);
        let settings = format!(
            "version = \"{version}\"\ndialect = \"none\"\nargv = {argv}\n\
             [[binds]]\nsource = {solution:?}\ntarget = \"/solution\"\n"
        );
        std::fs::write(dir.join(format!("{version}.toml")), settings).unwrap();
    }
    let first = dir.join("1.toml");
    format!("[arms.main]\nagent = \"command\"\nagent-config = {first:?}\n")
}

#[test]
fn bisection_finds_first_bad_version() {
    if !sandbox_or_skip() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let problem = common::builtin(dir.path());
    let arm = versions(dir.path(), &problem, 6, 4);
    let folder = watch(dir.path(), &problem, &arm);
    let settings = std::fs::read_to_string(folder.join("watch.toml")).unwrap();
    let settings = settings.replace(", \"python/household-stock/checkpoint_3\"", "");
    std::fs::write(folder.join("watch.toml"), settings).unwrap();
    let pattern = dir.path().join("{version}.toml");
    let search = |most_runs: &str| {
        run(&[
            "watch",
            "bisect",
            text(&folder),
            "--good",
            "1",
            "--bad",
            "6",
            "--versions",
            "1,2,3,4,5,6",
            "--agent-config",
            text(&pattern),
            "--end-runs",
            "6",
            "--most-runs",
            most_runs,
            "--format",
            "json",
            "--quiet",
        ])
    };
    let short = search("13");
    assert_eq!(short.status.code(), Some(5), "{}", stderr(&short));
    let found: Value = serde_json::from_slice(&short.stdout).unwrap();
    assert_eq!(
        (&found["why"], &found["first_bad"]),
        (&"runs-used-up".into(), &Value::Null)
    );
    // With more runs, the search goes on where it ended.
    let whole = search("100");
    assert!(whole.status.success(), "{}", stderr(&whole));
    let found: Value = serde_json::from_slice(&whole.stdout).unwrap();
    assert_eq!(
        (&found["why"], &found["first_bad"]),
        (&"found".into(), &"4".into())
    );
    let runs = found["runs"].as_u64().unwrap();
    assert!(
        runs < 24,
        "{runs} runs: a search of each version with 6 runs takes 36"
    );
}

/// Options of searches that cannot begin, with their messages.
const WRONG: &[(&[&str], &str)] = &[
    (&["--good", "1", "--bad", "2"], "does not come from npm"),
    // One program under two names.
    (
        &["--good", "1", "--bad", "2", "--versions", "1,2"],
        "needs settings of its own",
    ),
    (
        &[
            "--good",
            "1",
            "--bad",
            "2",
            "--versions",
            "1,2",
            "--agent-config",
            "same.toml",
        ],
        "needs settings of its own",
    ),
    (
        &["--good", "2", "--bad", "1", "--versions", "1,2"],
        "1 is not after 2",
    ),
    (
        &["--good", "1", "--bad", "3", "--versions", "1,2"],
        "3 is not among the versions",
    ),
    (
        &["--arm", "x", "--good", "1", "--bad", "2"],
        "there is no arm",
    ),
    (
        &["--good", "1", "--bad", "1"],
        "--good and --bad are both 1",
    ),
    (
        &["--good", "1", "--bad", "../2", "--versions", "1,../2"],
        "is not a version",
    ),
    (
        &[
            "--good",
            "1",
            "--bad",
            "2",
            "--versions",
            "1,2",
            "--agent-config",
            "{version}.toml",
            "--most-runs",
            "3",
        ],
        "both ends take 16 runs",
    ),
    (
        &["--good", "1", "--bad", "2", "--certainty", "2"],
        "from 0.5 to 0.999",
    ),
];

#[test]
fn wrong_searches_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let problem = common::builtin(dir.path());
    let arm = versions(dir.path(), &problem, 1, 9);
    let folder = watch(dir.path(), &problem, &arm);
    let common = ["watch", "bisect", text(&folder)];
    for (more, message) in WRONG {
        let output = run(&[&common[..], *more].concat());
        assert_eq!(output.status.code(), Some(2), "{more:?}");
        assert!(stderr(&output).contains(*message), "{}", stderr(&output));
    }
}

#[test]
fn damaged_searches_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let problem = common::builtin(dir.path());
    let arm = versions(dir.path(), &problem, 1, 9);
    let folder = watch(dir.path(), &problem, &arm);
    let state = folder.join("bisect/main-1-2/state.json");
    let search = |versions: &str, passed: u32| {
        format!(
            "{{\"search\": {{\"versions\": {versions}, \"tasks\": [\"a\"], \"end_runs\": 4, \"most_runs\": 9, \
             \"certainty\": 0.9, \"results\": {{\"0\": {{\"0\": {{\"passed\": {passed}, \"runs\": 4}}}}}}}}, \
             \"step\": null, \"steps\": 0}}"
        )
    };
    let damaged = [
        search("[]", 1),
        search("[\"1\"]", 1),
        search("[\"1\", \"2\"]", 9),
    ];
    for text_of_state in damaged {
        std::fs::create_dir_all(state.parent().unwrap()).unwrap();
        std::fs::write(&state, text_of_state).unwrap();
        let command = ["watch", "bisect", text(&folder)];
        let ends = ["--good", "1", "--bad", "2", "--versions", "1,2"];
        let output = run(&[&command[..], &ends].concat());
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(
            stderr(&output).contains("to begin again"),
            "{}",
            stderr(&output)
        );
    }
}

#[test]
fn failing_receivers_do_not_fail_days() {
    if !sandbox_or_skip() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let problem = common::builtin(dir.path());
    // The reference solution of a broken problem fails, so that the day does not count.
    std::fs::write(
        problem.join("solutions/checkpoint_2/pantry.py"),
        "raise SystemExit(9)\n",
    )
    .unwrap();
    let agent = scripted_agent(dir.path(), "true");
    let closed = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.local_addr().unwrap()
    };
    let tables = format!(
        "[deliver.ops]\nkind = \"webhook\"\nurl = \"http://{closed}/hook\"\n\
         [deliver.team]\nkind = \"slack\"\nurl-env = \"NO_SUCH_SLACK_URL\"\n\
         [arms.main]\nagent = \"command\"\nagent-config = {agent:?}\n"
    );
    let folder = watch(dir.path(), &problem, &tables);
    let output = run(&[
        "watch",
        "tick",
        text(&folder),
        "--date",
        "2026-11-01",
        "--quiet",
    ]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(day(&folder, "2026-11-01")["invalid"].is_string());
    let said = stderr(&output);
    assert!(
        said.contains("messages are kept for later")
            && said.contains("NO_SUCH_SLACK_URL is not set"),
        "{said}"
    );
    let again = run(&["watch", "notify", text(&folder), "--format", "json"]);
    assert_eq!(again.status.code(), Some(4), "{}", stderr(&again));
    let sent: Value = serde_json::from_slice(&again.stdout).unwrap();
    assert_eq!(sent["ops"]["waiting"], 1);
}

#[test]
fn tables_have_runs_with_classes() {
    if !sandbox_or_skip() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let problem = common::builtin(dir.path());
    let agent = scripted_agent(dir.path(), "true");
    let tables = format!("[arms.main]\nagent = \"command\"\nagent-config = {agent:?}\n");
    let folder = watch(dir.path(), &problem, &tables);
    let empty = run(&["watch", "export", text(&folder), "--out", text(dir.path())]);
    assert_eq!(empty.status.code(), Some(5), "{}", stderr(&empty));
    let output = run(&[
        "watch",
        "tick",
        text(&folder),
        "--date",
        "2026-11-01",
        "--quiet",
    ]);
    assert!(output.status.success(), "{}", stderr(&output));
    let out = dir.path().join("tables");
    for kind in ["csv", "parquet"] {
        let output = run(&[
            "watch",
            "export",
            text(&folder),
            "--out",
            text(&out),
            "--as",
            kind,
        ]);
        assert!(output.status.success(), "{}", stderr(&output));
    }
    let runs = std::fs::read_to_string(out.join("runs.csv")).unwrap();
    let of_main = Vec::from_iter(runs.lines().filter(|line| line.contains(",main,target,")));
    assert_eq!(of_main.len(), 2);
    assert!(
        of_main
            .iter()
            .all(|line| line.contains(",failed,,no-answer/no-change,")),
        "{runs}"
    );
    assert!(
        std::fs::read(out.join("runs.parquet"))
            .unwrap()
            .starts_with(b"PAR1")
    );
    assert!(out.join("series.parquet").exists());
}

#[test]
fn waiting_messages_have_exit_code_4() {
    let dir = tempfile::tempdir().unwrap();
    let problem = common::builtin(dir.path());
    let tables = "[deliver.ops]\nkind = \"webhook\"\nurl = \"http://127.0.0.1:9/\"\n[arms.main]\nagent = \"nop\"\n";
    let folder = watch(dir.path(), &problem, tables);
    let output = run(&["watch", "notify", text(&folder), "--test"]);
    assert_eq!(output.status.code(), Some(4), "{}", stderr(&output));
    assert!(
        stdout(&output).starts_with("ops: 0 messages sent\n  no answer"),
        "{}",
        stdout(&output)
    );
    for (receiver, message) in [
        (
            "kind = \"webhook\"\nurl = \"ftp://a\"",
            "url: not an address",
        ),
        ("kind = \"mail\"", "unknown value `mail`"),
        (
            "kind = \"github\"\nrepository = \"a\"\ntoken-env = \"T\"",
            "OWNER/NAME",
        ),
        (
            "kind = \"slack\"\nurl = \"https://secret\"",
            "unknown key `url`",
        ),
    ] {
        let tables = format!("[deliver.x]\n{receiver}\n[arms.main]\nagent = \"nop\"\n");
        std::fs::remove_dir_all(&folder).unwrap();
        let folder = watch(dir.path(), &problem, &tables);
        let output = run(&["watch", "notify", text(&folder)]);
        assert_eq!(output.status.code(), Some(2), "{receiver}");
        assert!(stderr(&output).contains(message), "{}", stderr(&output));
    }
}
