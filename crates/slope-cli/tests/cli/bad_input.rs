//! Bad input gets a clear error that names file and remedy, and exit code 2.

use std::path::Path;

use crate::common::{self, run, stderr, text};

/// The command must fail with code 2 and say all of `words`.
#[track_caller]
fn refuses(args: &[&str], words: &[&str]) {
    let output = run(args);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "slope {args:?} said: {said}");
    for word in words {
        assert!(
            said.contains(word),
            "slope {args:?} should mention {word:?}, but said: {said}"
        );
    }
    assert!(!said.contains("panicked"), "{said}");
}

fn problem_with(dir: &Path, change: impl FnOnce(&Path)) -> String {
    let problem = common::builtin(dir);
    change(&problem);
    text(&problem).to_owned()
}

#[test]
fn non_problem_folder_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    refuses(
        &["run", text(dir.path()), "--agent", "nop"],
        &["config.yaml"],
    );
    refuses(
        &["run", "/no/such/folder", "--agent", "nop"],
        &["/no/such/folder"],
    );
}

#[test]
fn malformed_config_names_its_file() {
    let dir = tempfile::tempdir().unwrap();
    let problem = problem_with(dir.path(), |p| {
        std::fs::write(p.join("config.yaml"), "name: x\nversion: [\n").unwrap();
    });
    refuses(&["run", &problem, "--agent", "nop"], &["config.yaml:"]);
}

#[test]
fn missing_spec_or_suite_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let problem = problem_with(dir.path(), |p| {
        std::fs::remove_file(p.join("checkpoint_2.md")).unwrap();
    });
    refuses(&["run", &problem, "--agent", "nop"], &["checkpoint_2.md"]);
    let dir = tempfile::tempdir().unwrap();
    let problem = problem_with(dir.path(), |p| {
        std::fs::remove_file(p.join("suite/checkpoint_1.yaml")).unwrap();
    });
    refuses(&["run", &problem, "--agent", "nop"], &["checkpoint_1.yaml"]);
}

#[test]
fn unknown_agent_lists_known_agents() {
    let dir = tempfile::tempdir().unwrap();
    let problem = problem_with(dir.path(), |_| {});
    refuses(
        &["run", &problem, "--agent", "gpt"],
        &["gpt", "claude-code", "codex", "oracle"],
    );
}

#[test]
fn model_agent_requires_upstream_or_script() {
    let dir = tempfile::tempdir().unwrap();
    let problem = problem_with(dir.path(), |_| {});
    refuses(
        &["run", &problem, "--agent", "slope", "--model", "m"],
        &["--upstream", "--script"],
    );
}

#[test]
fn missing_key_fails_before_start() {
    let dir = tempfile::tempdir().unwrap();
    let problem = problem_with(dir.path(), |_| {});
    let out = dir.path().join("run");
    refuses(
        &[
            "run",
            &problem,
            "--agent",
            "slope",
            "--model",
            "m",
            "--upstream",
            "http://127.0.0.1:9",
            "--key-env",
            "SLOPE_NO_SUCH_KEY",
            "--out",
            text(&out),
        ],
        &["SLOPE_NO_SUCH_KEY"],
    );
    assert!(!out.join("run.json").exists(), "nothing was begun");
}

#[test]
fn bad_prompt_template_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let problem = problem_with(dir.path(), |_| {});
    let template = dir.path().join("mine.jinja");
    std::fs::write(&template, "Do this:\n{{ spce }}\n").unwrap();
    refuses(
        &[
            "run",
            &problem,
            "--agent",
            "nop",
            "--prompt",
            text(&template),
        ],
        &["mine.jinja:2", "spce"],
    );
    refuses(
        &["run", &problem, "--agent", "nop", "--prompt", "jsut-solve"],
        &["jsut-solve", "just-solve"],
    );
}

#[test]
fn bad_script_names_its_line() {
    let dir = tempfile::tempdir().unwrap();
    let problem = problem_with(dir.path(), |_| {});
    let script = dir.path().join("s.yaml");
    std::fs::write(
        &script,
        "schema: slope.script/1\nmodel: m\nconversation: []\n",
    )
    .unwrap();
    refuses(
        &[
            "run",
            &problem,
            "--agent",
            "slope",
            "--model",
            "m",
            "--script",
            text(&script),
        ],
        &["s.yaml:3", "conversation"],
    );
}

#[test]
fn missing_agent_config_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let problem = problem_with(dir.path(), |_| {});
    refuses(
        &[
            "run",
            &problem,
            "--agent",
            "command",
            "--agent-config",
            "/no/such.toml",
        ],
        &["/no/such.toml"],
    );
}

/// A run that was planned and not begun.
fn planned(dir: &Path) -> std::path::PathBuf {
    let out = dir.join("run");
    std::fs::create_dir_all(&out).unwrap();
    let config = serde_json::json!({
        "schema": "slope.run/1", "slope_version": "0.1.0", "label": "planned", "agent": "a",
        "agent_version": "1", "model": "m", "prompt": "p", "prompt_hash": "h", "problems": {},
        "trials": 1, "isolation": "none",
    });
    std::fs::write(out.join("run.json"), config.to_string()).unwrap();
    out
}

/// The files of a folder with their content.
fn files(dir: &Path) -> std::collections::BTreeMap<std::ffi::OsString, Vec<u8>> {
    let entries = std::fs::read_dir(dir).unwrap().map(Result::unwrap);
    let read = |entry: std::fs::DirEntry| (entry.file_name(), std::fs::read(entry.path()).unwrap());
    entries.map(read).collect()
}

#[test]
fn damaged_run_keeps_existing_rows() {
    let dir = tempfile::tempdir().unwrap();
    let (run_dir, rows) = (planned(dir.path()), dir.path().join("rows"));
    let args = ["report", text(&run_dir), "--format", "csv", "--out"];
    let args = [&args[..], &[text(&rows)]].concat();
    let written = run(&args);
    assert!(written.status.success(), "{}", stderr(&written));
    std::fs::write(rows.join("attempts.csv"), "older\n").unwrap();
    let before = files(&rows);
    assert!(before.len() > 3, "{before:?}");
    let damaged = dir.path().join("damaged");
    std::fs::create_dir_all(&damaged).unwrap();
    std::fs::write(damaged.join("run.json"), "{\"schema\": \"slope.r").unwrap();
    let page = dir.path().join("page.html");
    std::fs::write(&page, "older").unwrap();
    let more = [text(&damaged), "--html", text(&page)];
    refuses(&[&args[..], &more].concat(), &["damaged"]);
    assert_eq!(files(&rows), before);
    assert_eq!(std::fs::read(&page).unwrap(), b"older");
}

#[test]
fn rows_are_complete_without_stdout() {
    let dir = tempfile::tempdir().unwrap();
    let run_dir = planned(dir.path());
    let written = |rows: &Path, out: std::process::Stdio| {
        let args = ["report", text(&run_dir), "--format", "csv", "--out"];
        let mut command = common::slope();
        command.args(args).arg(rows).stdout(out).output().unwrap()
    };
    let (heard, unheard) = (dir.path().join("heard"), dir.path().join("unheard"));
    assert!(
        written(&heard, std::process::Stdio::piped())
            .status
            .success()
    );
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full");
    assert!(!written(&unheard, full.unwrap().into()).status.success());
    assert_eq!(files(&unheard), files(&heard));
}

#[test]
fn interrupted_report_leaves_no_file() {
    let dir = tempfile::tempdir().unwrap();
    let (run_dir, rows) = (dir.path().join("run"), dir.path().join("rows"));
    std::fs::create_dir_all(&run_dir).unwrap();
    // Nobody writes into it, so that the report waits there for ever, its files begun.
    let waits = std::process::Command::new("mkfifo")
        .arg(run_dir.join("run.json"))
        .status();
    assert!(waits.unwrap().success());
    let args = ["report", text(&run_dir), "--format", "csv", "--out"];
    let mut report = common::slope();
    let mut report = report.args(args).arg(&rows).spawn().unwrap();
    let begun = || std::fs::read_dir(&rows).is_ok_and(|files| files.count() > 3);
    let pause = || std::thread::sleep(std::time::Duration::from_millis(10));
    let mut patience = 3000;
    while !begun() && patience > 0 {
        patience -= 1;
        pause();
    }
    assert!(begun(), "no file was begun");
    let interrupt = std::process::Command::new("kill")
        .args(["-INT", &report.id().to_string()])
        .status();
    assert!(interrupt.unwrap().success());
    assert_eq!(report.wait().unwrap().code(), Some(130));
    assert!(files(&rows).is_empty(), "{:?}", files(&rows).keys());
}

#[test]
fn panel_is_read_from_a_pipe() {
    use std::io::Write;
    let dir = tempfile::tempdir().unwrap();
    let run_dir = planned(dir.path());
    let mut report = common::slope();
    let mut report = report
        .args(["report", text(&run_dir), "--panel", "/dev/stdin"])
        .stdin(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut pipe = report.stdin.take().unwrap();
    pipe.write_all(b"{\n\"schema\": \"x\"}\n").unwrap();
    drop(pipe);
    let said = stderr(&report.wait_with_output().unwrap());
    // Read a second time it would be empty.
    assert!(
        said.contains("missing key") && said.contains("line 2"),
        "{said}"
    );
    assert_eq!(said.matches("/dev/stdin").count(), 1, "{said}");
}

#[test]
fn invalid_panel_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let out = planned(dir.path());
    let panel = dir.path().join("panel.json");
    std::fs::write(&panel, "{\"schema\": \"x\"}").unwrap();
    refuses(
        &["report", text(&out), "--panel", text(&panel)],
        &["panel.json", "slope history --format json"],
    );
    let table = dir.path().join("people.csv");
    std::fs::write(&table, "repo,erosion,stars\na,0.2,5\nb,0.3,many\n").unwrap();
    refuses(
        &["report", text(&out), "--panel", text(&table)],
        &["people.csv: line 3: ", "invalid stars \"many\""],
    );
    std::fs::write(&table, "repo,erosion,stars\na,0.2,5\n").unwrap();
    let twice = [
        "report",
        text(&out),
        "--panel",
        text(&table),
        "--panel",
        text(&table),
    ];
    refuses(&twice, &["people.csv", "pass it once"]);
    let other = dir.path().join("older/people.csv");
    std::fs::create_dir_all(dir.path().join("older")).unwrap();
    std::fs::write(&other, "repo,erosion,stars\na,0.3,5\n").unwrap();
    let both = [&twice[..5], &[text(&other)]].concat();
    let (table, other) = (text(&table), text(&other));
    refuses(&both, &[table, other, "rename one"]);
}

#[test]
fn non_run_directories_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    refuses(&["report", text(dir.path())], &["run.json"]);
    refuses(&["resume", text(dir.path())], &["run.json"]);
    refuses(&["eval", text(dir.path())], &["--problem"]);
    refuses(&["measure", "/no/such/dir"], &["/no/such/dir"]);
}

#[test]
fn existing_run_is_not_overwritten() {
    let dir = tempfile::tempdir().unwrap();
    let problem = problem_with(dir.path(), |_| {});
    if !common::sandbox_or_skip() {
        return;
    }
    let out = dir.path().join("run");
    let args = [
        "run",
        &problem,
        "--agent",
        "nop",
        "--checkpoints",
        "1",
        "--out",
        text(&out),
    ];
    assert!(run(&args).status.success());
    refuses(&args, &["slope resume", "--out"]);
}

#[test]
fn changed_problem_cannot_be_resumed() {
    let dir = tempfile::tempdir().unwrap();
    let problem = problem_with(dir.path(), |_| {});
    if !common::sandbox_or_skip() {
        return;
    }
    let out = dir.path().join("run");
    assert!(
        run(&["run", &problem, "--agent", "nop", "--out", text(&out)])
            .status
            .success()
    );
    let spec = Path::new(&problem).join("checkpoint_1.md");
    let longer = std::fs::read_to_string(&spec).unwrap() + "\nMore.\n";
    std::fs::write(&spec, longer).unwrap();
    refuses(
        &["resume", text(&out)],
        &["has changed since the run was planned"],
    );
}

#[test]
fn unknown_format_lists_supported_ones() {
    let basic = "expected human or json";
    for command in [
        &["diff", "HEAD~1"][..],
        &["rules"],
        &["explain", "clone"],
        &["hook", "status"],
        &["doctor"],
        &["problem", "list"],
    ] {
        for format in ["markdown", "sarif", "nonsense"] {
            let args = [command, &["--format", format]].concat();
            refuses(&args, &[basic]);
        }
        refuses(&[&["--format", "csv"], command].concat(), &[basic]);
    }
    for (command, formats) in [
        ("history", "human, json, csv, markdown or html"),
        (
            "check",
            "human, json, jsonl, sarif, github, gitlab, junit or markdown",
        ),
        (
            "report",
            "human, json, markdown, latex, html, csv or parquet",
        ),
    ] {
        let other = match command {
            "report" => "junit",
            _ => "parquet",
        };
        refuses(&[command, ".", "--format", other], &[formats]);
    }
}

#[test]
fn meaningless_numbers_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let problem = problem_with(dir.path(), |_| {});
    let run = ["run", problem.as_str(), "--agent", "nop"];
    for (option, value) in [
        ("--timeout", "0"),
        ("--suite-timeout", "0"),
        ("--trials", "0"),
        ("--max-usd", "nan"),
    ] {
        refuses(&[&run[..], &[option, value]].concat(), &[option]);
    }
}

#[test]
fn ignored_options_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let problem = problem_with(dir.path(), |_| {});
    let run = ["run", problem.as_str(), "--agent"];
    let server = ["--upstream", "http://127.0.0.1:9"];
    refuses(&[&run[..], &["nop"], &server[..]].concat(), &["--upstream"]);
    refuses(&[&run[..], &["slope"], &server[..]].concat(), &["--model"]);
    refuses(
        &[&run[..], &["nop", "--wheels", "/no/such/wheels"]].concat(),
        &["/no/such/wheels"],
    );
    refuses(
        &["run", &problem, &problem, "--agent", "nop"],
        &["household-stock", "--trials"],
    );
}

#[test]
fn unusable_output_path_is_input_error() {
    let dir = tempfile::tempdir().unwrap();
    let problem = problem_with(dir.path(), |_| {});
    let file = dir.path().join("file");
    std::fs::write(&file, "").unwrap();
    refuses(
        &["run", &problem, "--agent", "nop", "--out", text(&file)],
        &[text(&file), "--out"],
    );
    refuses(
        &["quickstart", "--html", text(dir.path())],
        &["--html", text(dir.path())],
    );
}

#[test]
fn impossible_expectations_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let problem = problem_with(dir.path(), |_| {});
    let folder = Path::new(&problem).parent().unwrap();
    let expected = dir.path().join("expected.toml");
    let check = [
        "research",
        "problems",
        text(folder),
        "--expect",
        text(&expected),
    ];
    refuses(&check, &["expected.toml"]);
    std::fs::write(&expected, "[other.checkpoint_1]\ncore = \"1/1\"\n").unwrap();
    refuses(&check, &["other", "--only"]);
}

#[test]
fn moved_problem_is_requested_and_accepted() {
    let dir = tempfile::tempdir().unwrap();
    let problem = problem_with(dir.path(), |_| {});
    if !common::sandbox_or_skip() {
        return;
    }
    let out = dir.path().join("run");
    let begun = run(&[
        "run",
        &problem,
        "--agent",
        "nop",
        "--checkpoints",
        "1",
        "--out",
        text(&out),
    ]);
    assert!(begun.status.success(), "{}", stderr(&begun));
    let elsewhere = dir.path().join("else where");
    std::fs::rename(&problem, &elsewhere).unwrap();
    refuses(&["resume", text(&out)], &[&problem, "PROBLEM_DIR"]);
    refuses(&["eval", text(&out)], &[&problem, "--problem"]);
    for again in [
        &["resume", text(&out), text(&elsewhere)][..],
        &["eval", text(&out), "--problem", text(&elsewhere)],
    ] {
        let output = run(again);
        assert!(output.status.success(), "{}", stderr(&output));
    }
}

#[test]
fn report_writes_to_bare_file_name() {
    let dir = tempfile::tempdir().unwrap();
    let problem = problem_with(dir.path(), |_| {});
    if !common::sandbox_or_skip() {
        return;
    }
    let out = dir.path().join("run");
    let run_args = ["run", &problem, "--agent", "nop", "--checkpoints", "1"];
    assert!(
        run(&[&run_args[..], &["--out", text(&out)]].concat())
            .status
            .success()
    );
    let rendered = common::slope()
        .current_dir(dir.path())
        .args(["report", text(&out), "--html", "report.html"])
        .output()
        .unwrap();
    assert!(rendered.status.success(), "{}", stderr(&rendered));
    assert!(dir.path().join("report.html").is_file());
}

#[test]
fn options_without_effect_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("a.py"), "x = 1\n").unwrap();
    for profile in ["scb-0.2.0", "published-runs"] {
        for option in [
            ["--cutoff", "5"],
            ["--exclude", "a.py"],
            ["--tests", "exclude"],
        ] {
            let args = [
                &["measure", text(dir.path()), "--profile", profile],
                &option[..],
            ];
            refuses(&args.concat(), &[option[0], profile, "help: remove it"]);
        }
    }
}

#[test]
fn gc_fails_without_named_engine() {
    let host = "unix:///nonexistent/engine.sock";
    refuses(&["gc", "--host", host], &[host]);
}

#[test]
fn recordings_that_are_no_files_are_refused() {
    let code = slope_testkit::folder(&[("a.py", "def f(x):\n    return x\n")]);
    for kind in ["pipe", "folder", "device"] {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("recording.jsonl");
        match kind {
            "pipe" => {
                let made = std::process::Command::new("mkfifo").arg(&file).status();
                assert!(made.unwrap().success());
            }
            "folder" => std::fs::create_dir(&file).unwrap(),
            _ => std::os::unix::fs::symlink("/dev/zero", &file).unwrap(),
        }
        let of_model = ["--model", "m", "--replay", text(dir.path())];
        let args = [&["judge", text(code.path())], &of_model[..]].concat();
        refuses(&args, &["recording.jsonl", "not a plain file"]);
    }
}
