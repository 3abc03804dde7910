//! `slope grade` with runs of tests: real projects, and edits that cheat.

use std::io::Write;
use std::path::Path;
use std::process::{Output, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::common::{sandbox_or_skip, slope, stderr};

const RIGHT: &str = "def add(a, b):\n    return a + b\n\n\ndef double(a):\n    return a * 2\n";
const TESTS: &str = "import unittest\n\nfrom calc import add, double\n\n\nclass T(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(add(1, 2), 3)\n\n    def test_double(self):\n        self.assertEqual(double(2), 4)\n";
/// A runner that writes JUnit, since Python comes without one.
const RUNNER: &str = r#"import sys
import unittest


class Result(unittest.TextTestResult):
    lines = []

    def note(self, test, inner=""):
        place, name = test.id().rsplit(".", 1)
        self.lines.append(f'<testcase classname="{place}" name="{name}">{inner}</testcase>')

    def addSuccess(self, test):
        self.note(test)

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.note(test, "<failure/>")

    def addError(self, test, err):
        super().addError(test, err)
        self.note(test, "<error/>")


sys.path.insert(0, ".")
result = unittest.TextTestRunner(resultclass=Result).run(unittest.defaultTestLoader.discover("."))
with open(sys.argv[1], "w") as out:
    out.write("<testsuite>" + "".join(Result.lines) + "</testsuite>")
sys.exit(not result.wasSuccessful())
"#;

/// A project in Python: its `add` subtracts.
fn python() -> TempDir {
    let wrong = RIGHT.replace("a + b", "a - b");
    project(&[
        ("calc.py", &wrong),
        ("tests/__init__.py", ""),
        ("tests/test_calc.py", TESTS),
        ("tests/run_junit.py", RUNNER),
    ])
}

fn project(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder
}

/// Whether this machine has sandboxes and a system Python.
fn ready() -> bool {
    let has_python = Path::new("/usr/bin/python3").exists();
    if !has_python {
        println!("\nskipped: there is no /usr/bin/python3");
    }
    has_python && sandbox_or_skip()
}

/// `python3 -m unittest`, with its own report.
fn unittest() -> Value {
    json!({"command": "python3 -m unittest -v", "report": "unittest"})
}

/// A runner that writes JUnit.
fn junit() -> Value {
    json!({"command": ["python3", "tests/run_junit.py", "{report}"], "report": "junit"})
}

fn with(mut tests: Value, more: Value) -> Value {
    let Value::Object(more) = more else {
        panic!("more fields")
    };
    tests.as_object_mut().unwrap().extend(more);
    tests
}

fn request(id: &str, calc: &str, tests: &Value) -> Value {
    let change = json!({"kind": "files", "data": {"calc.py": calc}});
    json!({"id": id, "change": change, "tests": tests, "options": {"evidence": "full"}})
}

fn grade_of(base: &Path, args: &[&str], requests: &[Value]) -> Output {
    let mut child = slope()
        .args(["grade", "--base", base.to_str().unwrap()])
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let lines: String = requests.iter().map(|one| format!("{one}\n")).collect();
    let mut input = child.stdin.take().unwrap();
    input.write_all(lines.as_bytes()).unwrap();
    drop(input);
    child.wait_with_output().unwrap()
}

fn grades(base: &Path, args: &[&str], requests: &[Value]) -> Vec<Value> {
    let output = grade_of(base, args, requests);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The grades of requests whose commands are run.
fn run(base: &TempDir, requests: &[Value]) -> Vec<Value> {
    grades(base.path(), &["--run-tests", "--test-jobs", "2"], requests)
}

fn reason(grade: &Value) -> &str {
    grade["tests"]["reason"].as_str().unwrap_or_default()
}

#[test]
fn tests_of_edits_decide_their_rewards() {
    if !ready() {
        return;
    }
    let wrong = RIGHT.replace("a + b", "a * b");
    let plain = json!({"command": "python3 -m unittest"});
    let requests: Vec<Value> = [unittest(), junit(), plain]
        .iter()
        .flat_map(|tests| [request("r", RIGHT, tests), request("w", &wrong, tests)])
        .collect();
    let found = run(&python(), &requests);
    for pair in found.chunks(2) {
        assert_eq!(pair[0]["reward"], 1.0, "{}", pair[0]);
        assert_eq!(pair[1]["reward"], 0.0, "{}", pair[1]);
    }
    let counts = |grade: &Value| {
        (
            grade["tests"]["passed"].clone(),
            grade["tests"]["failed"].clone(),
        )
    };
    assert_eq!(counts(&found[0]), (json!(2), json!(0)));
    assert_eq!(counts(&found[3]), (json!(1), json!(1)));
    assert_eq!(counts(&found[4]), (Value::Null, Value::Null));
    assert_eq!(
        found[1]["tests"]["failures"],
        json!([{"id": "tests.test_calc.T.test_add", "outcome": "failed"}])
    );
    assert_eq!(reason(&found[5]), "exit code 1");
}

#[test]
fn nothing_runs_unless_operator_allows_it() {
    let base = python();
    let touched = base.path().join("touched");
    let command = json!({"command": format!("touch {}", touched.display())});
    let found = grades(base.path(), &[], &[request("r", RIGHT, &command)]);
    assert_eq!(found[0]["status"], "error");
    assert_eq!(found[0]["error"]["field"], "tests.command");
    assert_eq!(found[0]["reward"], Value::Null);
    assert!(!touched.exists());
    if !sandbox_or_skip() {
        return;
    }
    // The operator's own command does not allow those of requests.
    let own = ["--test-command", "true"];
    let found = grades(base.path(), &own, &[request("r", RIGHT, &command)]);
    assert_eq!(found[0]["error"]["field"], "tests.command");
}

#[test]
fn command_of_operator_needs_no_request() {
    if !ready() {
        return;
    }
    let base = python();
    let args = [
        "--test-command",
        "python3 -m unittest -v",
        "--test-report",
        "unittest",
    ];
    let given = json!({"passed": 3, "failed": 0});
    let requests = [
        request("run", RIGHT, &Value::Null),
        request("given", "x = 1\n", &given),
    ];
    let found = grades(base.path(), &args, &requests);
    assert_eq!(
        (&found[0]["tests"]["source"], &found[0]["reward"]),
        (&json!("run"), &json!(1.0))
    );
    assert_eq!(found[1]["tests"]["source"], "given");
}

#[test]
fn required_tests_are_those_of_the_request() {
    if !ready() {
        return;
    }
    let hidden = TESTS.replace("double(2), 4", "double(3), 6");
    let patch = json!({"patch": {"kind": "files", "data": {"tests/test_calc.py": hidden}}, "may_change": true});
    let required = |fail: &str, pass: &str| json!({"fail_to_pass": [fail], "pass_to_pass": [pass], "check_base": true});
    let (add, double) = (
        "tests/test_calc.py::T::test_add",
        "test_double (tests.test_calc.T)",
    );
    let swe = with(with(unittest(), required(add, double)), patch);
    let weak = TESTS.replace("3)", "add(1, 2))");
    let mut tampered = request("tampered", &RIGHT.replace("a + b", "a * b"), &swe);
    tampered["change"]["data"]["tests/test_calc.py"] = json!(weak);
    let found = run(
        &python(),
        &[
            request("right", RIGHT, &swe),
            tampered,
            request(
                "missing",
                RIGHT,
                &with(unittest(), json!({"pass_to_pass": ["tests.T.none"]})),
            ),
            request("passes", RIGHT, &with(unittest(), required(double, double))),
            request("fails", RIGHT, &with(unittest(), required(add, add))),
        ],
    );
    assert_eq!(found[0]["reward"], 1.0, "{}", found[0]);
    assert_eq!(
        found[1]["reward"], 0.0,
        "the tests of the request replace those of the edit"
    );
    assert_eq!(found[2]["tests"]["failures"][0]["outcome"], "missing");
    for (grade, field) in [
        (&found[3], "tests.fail_to_pass"),
        (&found[4], "tests.pass_to_pass"),
    ] {
        assert_eq!(grade["error"]["field"], field, "{grade}");
        assert_eq!(grade["reward"], Value::Null);
    }
}

/// Edits that cheat in ways that no static flag finds: `o` is `os`.
const CHEATS: [(&str, &str, &str); 9] = [
    (
        "exits early",
        "getattr(o, '_ex' + 'it')(0)",
        "wrote no report",
    ),
    (
        "kills the runner",
        "o.kill(o.getpid(), 9)",
        "wrote no report",
    ),
    ("kills everything", "o.kill(-1, 9)", "signal 9"),
    (
        "outlives the runner",
        "if not o.fork():\n    import time\n    time.sleep(60)",
        "outlived",
    ),
    ("never ends", "import time\ntime.sleep(60)", "time limit"),
    (
        "forks without end",
        "while True:\n    try:\n        o.fork()\n    except OSError:\n        pass",
        "processes",
    ),
    (
        "reports itself as a file that is no report",
        "import sys\nfor a in sys.argv:\n    if 'report' in a:\n        o.symlink('/etc/passwd', a)",
        "report",
    ),
    ("prints without end", "print('x' * (40 << 20))", "too long"),
    (
        "changes how tests check",
        "import unittest as u\nt = vars(u)['Test' + 'Case']\nsetattr(t, 'assert' + 'Equal', lambda *a: None)",
        "the control",
    ),
];

#[test]
fn edits_that_cheat_fail() {
    if !ready() {
        return;
    }
    let control = "import unittest\n\nimport calc\n\n\nclass C(unittest.TestCase):\n    def test_control(self):\n        self.assertEqual(1, 2)\n";
    let control = json!({
        "patch": {"kind": "files", "data": {"tests/test_control.py": control}},
        "must_fail": ["tests.test_control.C.test_control"],
    });
    let requests: Vec<Value> = CHEATS
        .iter()
        .map(|(id, code, _)| {
            let tests = match *id {
                "changes how tests check" => with(unittest(), control.clone()),
                "reports itself as a file that is no report" => junit(),
                _ => unittest(),
            };
            let limit = if *id == "never ends" { 3 } else { 120 };
            let tests = with(tests, json!({"timeout_s": limit}));
            let wrong = RIGHT.replace("a + b", "a - b - 0");
            request(id, &format!("import os as o\n{code}\n{wrong}"), &tests)
        })
        .collect();
    let honest = request("honest", RIGHT, &with(unittest(), control));
    let found = run(&python(), &[requests, vec![honest]].concat());
    for (grade, (id, _, why)) in found.iter().zip(CHEATS) {
        assert_eq!(grade["reward"], 0.0, "{id}: {grade}");
        let text = format!("{} {}", reason(grade), grade["tests"]["failures"]);
        assert!(text.contains(why), "{id}: {text}");
    }
    assert_eq!(
        found[CHEATS.len()]["reward"],
        1.0,
        "{}",
        found[CHEATS.len()]
    );
}

#[test]
fn sandbox_keeps_tests_from_the_machine() {
    if !ready() {
        return;
    }
    let base = python();
    let code = "import socket\nfor p in ['/usr/x', '/etc/passwd', '/x']:\n    try:\n        open(p, 'w')\n        print('WROTE', p)\n    except OSError:\n        pass\ntry:\n    socket.create_connection(('127.0.0.1', PORT), 2)\n    print('CONNECTED')\nexcept OSError:\n    print('ALONE')\n";
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    let calc = format!("{}{RIGHT}", code.replace("PORT", &port));
    let found = run(&base, &[request("r", &calc, &unittest())]);
    let output = found[0]["tests"]["output"].as_str().unwrap();
    assert!(
        output.contains("ALONE") && !output.contains("WROTE"),
        "{output}"
    );
    assert!(
        !base.path().join("tests/__pycache__").exists(),
        "the base stays as it is"
    );
}

#[test]
fn broken_sandbox_gives_no_reward() {
    if !sandbox_or_skip() {
        return;
    }
    let base = python();
    let absent = json!({"command": ["no-such-program"]});
    let removed = json!({"command": ["./check.sh"]});
    let found = run(
        &base,
        &[
            request("absent", RIGHT, &absent),
            request("removed", RIGHT, &removed),
        ],
    );
    assert_eq!(
        (&found[0]["status"], &found[0]["reward"]),
        (&json!("error"), &Value::Null)
    );
    assert_eq!(found[0]["error"]["field"], "tests");
    // A program of the edited base that is not there is the edit's fault.
    assert_eq!(found[1]["reward"], 0.0);
}

#[test]
fn scripts_and_links_keep_their_modes() {
    if !sandbox_or_skip() {
        return;
    }
    let base = project(&[
        ("calc.py", "x = 1\n"),
        ("data/one.txt", "1\n"),
        ("check.sh", ""),
    ]);
    let script = base.path().join("check.sh");
    std::fs::write(
        &script,
        "#!/bin/sh\ngrep -q 1 link.txt && echo 1..1 && echo ok 1 - linked\n",
    )
    .unwrap();
    let mut mode = std::fs::metadata(&script).unwrap().permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut mode, 0o755);
    std::fs::set_permissions(&script, mode).unwrap();
    std::os::unix::fs::symlink("data/one.txt", base.path().join("link.txt")).unwrap();
    let tap = json!({"command": ["./check.sh"], "report": "tap", "pass_to_pass": ["linked"]});
    let mut edit = request("edit", "x = 2\n", &tap);
    let found = run(&base, std::slice::from_ref(&edit));
    assert_eq!(found[0]["reward"], 1.0, "{}", found[0]);
    // A revision and an archive know modes and links, too.
    for args in [
        vec!["init", "--quiet"],
        vec!["add", "."],
        vec![
            "-c",
            "user.name=a",
            "-c",
            "user.email=a@b",
            "commit",
            "--quiet",
            "-m",
            "one",
        ],
        vec!["archive", "--output", "base.tar", "HEAD"],
    ] {
        let mut git = std::process::Command::new("git");
        let status = git.args(args).current_dir(base.path()).status();
        assert!(status.unwrap().success());
    }
    for name in [
        format!("{}@HEAD", base.path().display()),
        base.path().join("base.tar").display().to_string(),
    ] {
        let found = grades(
            Path::new(&name),
            &["--run-tests"],
            std::slice::from_ref(&edit),
        );
        assert_eq!(found[0]["reward"], 1.0, "{name}: {}", found[0]);
    }
    edit["change"]["data"]["check.sh"] = json!("#!/bin/sh\necho 1..1\necho ok 1 - linked\n");
    let found = run(&base, &[edit]);
    assert_eq!(
        (&found[0]["status"], &found[0]["tests"]),
        (&json!("refused"), &Value::Null)
    );
    assert_eq!(found[0]["flags"][0]["id"], "test-changed");
}

#[test]
fn reports_in_folders_are_fresh() {
    if !ready() {
        return;
    }
    let base = python();
    let old = "<testsuite><testcase classname=\"t\" name=\"old\"/></testsuite>";
    std::fs::create_dir(base.path().join("out")).unwrap();
    std::fs::write(base.path().join("out/old.xml"), old).unwrap();
    let tests = |command: &str| json!({"command": command, "report_folder": "out"});
    let found = run(
        &base,
        &[
            request(
                "writes",
                RIGHT,
                &tests("python3 tests/run_junit.py out/new.xml"),
            ),
            request("stale", RIGHT, &tests("true")),
        ],
    );
    assert_eq!(found[0]["tests"]["passed"], 2, "{}", found[0]);
    assert_eq!(
        reason(&found[1]),
        "the command wrote no report (exit code 0)"
    );
}

/// The same in containers, for the test that has an engine.
pub(crate) fn tests_of_edits_run_in_containers(environment: &Path) {
    let base = python();
    let late = json!({"command": "sleep 60", "timeout_s": 2});
    let args = [
        "--run-tests",
        "--test-environment",
        environment.to_str().unwrap(),
    ];
    let found = grades(
        base.path(),
        &args,
        &[
            request("right", RIGHT, &unittest()),
            request("wrong", "def add(a, b):\n    return a\n", &junit()),
            request("late", RIGHT, &late),
        ],
    );
    let rewards: Vec<_> = found.iter().map(|grade| grade["score"].as_f64()).collect();
    assert_eq!(rewards, [Some(1.0), Some(0.0), Some(0.0)], "{found:#?}");
    assert_eq!(found[0]["tests"]["passed"], 2);
    assert!(reason(&found[2]).contains("time limit"), "{:?}", found[2]);
}

/// The texts of a folder's files by name.
fn texts(folder: &Path) -> Value {
    let files = std::fs::read_dir(folder).unwrap().flatten();
    let text = |file: std::fs::DirEntry| {
        let text = std::fs::read_to_string(file.path()).unwrap();
        (file.file_name().into_string().unwrap(), Value::String(text))
    };
    Value::Object(files.map(text).collect())
}

#[test]
fn suites_of_problems_judge_edits() {
    if !ready() {
        return;
    }
    let problem = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../problems/household-stock");
    let base = problem.join("solutions/checkpoint_1");
    let right = json!({"kind": "tree", "data": texts(&problem.join("solutions/checkpoint_2"))});
    let nothing = json!({"kind": "files", "data": {"notes.py": "DONE = True\n"}});
    let at = |checkpoint: u32| json!({"suite": {"problem": "household-stock", "checkpoint": checkpoint}});
    let request = |id: &str, change: &Value, tests: Value| json!({"id": id, "change": change, "tests": tests});
    let args = ["--test-suite", "household-stock", "--test-checkpoint", "2"];
    let found = grades(
        &base,
        &args,
        &[
            request("right", &right, at(2)),
            request("old", &nothing, at(1)),
            request("nothing", &nothing, at(2)),
            json!({"id": "own", "change": nothing}),
            request("given", &nothing, json!({"passed": 1})),
        ],
    );
    let passes: Vec<bool> = found
        .iter()
        .map(|grade| grade["tests"]["pass"].as_bool().unwrap())
        .collect();
    assert_eq!(passes, [true, true, false, false, true], "{found:#?}");
    assert_eq!(found[0]["tests"]["passed"], 33);
    let failed = found[2]["tests"]["failures"][0]["id"].as_str().unwrap();
    assert!(failed.starts_with("checkpoint_2/"), "{failed}");
}

#[test]
fn files_of_killed_graders_are_removed() {
    if !sandbox_or_skip() {
        return;
    }
    let base = python();
    let temporary = tempfile::tempdir().unwrap();
    let folders = || std::fs::read_dir(temporary.path()).unwrap().count();
    let mut child = slope()
        .args([
            "grade",
            "--base",
            base.path().to_str().unwrap(),
            "--run-tests",
        ])
        .env("TMPDIR", temporary.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let slow = request("slow", RIGHT, &json!({"command": "sleep 600"}));
    let mut input = child.stdin.take().unwrap();
    writeln!(input, "{slow}").unwrap();
    drop(input);
    let start = std::time::Instant::now();
    while folders() == 0 && start.elapsed().as_secs() < 20 {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(folders(), 1);
    let mut next = slope()
        .args([
            "grade",
            "--base",
            base.path().to_str().unwrap(),
            "--run-tests",
        ])
        .env("TMPDIR", temporary.path())
        .stdin(Stdio::null())
        .spawn()
        .unwrap();
    assert!(next.wait().unwrap().success());
    assert_eq!(folders(), 0);
}
