//! Cases for services and cases with generated inputs: right, wrong and hostile programs, in real sandboxes.
#![allow(
    clippy::unwrap_used,
    reason = "this is test code without a test harness"
)]

mod support;

use std::fs;
use std::path::Path;

use libtest_mimic::{Arguments, Trial};
use slope_model::problem::{Problem, SuiteKind};
use slope_model::verdict::{Outcome, State, TestResult, Verdict};
use slope_sandbox::LocalRuntime;
use slope_suite::{GradeOptions, Rehearsal, Stability, Wanted};

fn main() {
    if let Some(code) = slope_sandbox::dispatch(slope_suite::BUILTINS) {
        std::process::exit(code);
    }
    let arguments = Arguments::from_args();
    let tests: &[(&str, fn())] = &[
        ("right_service_passes", right_service_passes),
        ("bugs_are_named", bugs_are_named),
        (
            "hostile_services_end_in_failures",
            hostile_services_end_in_failures,
        ),
        ("generated_inputs_are_judged", generated_inputs_are_judged),
        (
            "broken_programs_of_a_suite_are_named",
            broken_programs_of_a_suite_are_named,
        ),
        (
            "programs_of_a_suite_are_hidden",
            programs_of_a_suite_are_hidden,
        ),
        (
            "limits_are_stretched_and_recorded",
            limits_are_stretched_and_recorded,
        ),
        (
            "a_limit_that_is_asked_for_only_shortens",
            a_limit_that_is_asked_for_only_shortens,
        ),
        ("unread_input_ends_no_grading", unread_input_ends_no_grading),
        ("nothing_of_a_service_stays", nothing_of_a_service_stays),
    ];
    let skip = !arguments.list
        && support::unless_unavailable(|| {
            let right = notes().root.join("solutions/right");
            support::grade(&notes(), 1, &right, &calm())
        })
        .is_none();
    let trials = tests.iter().map(|&(name, test)| {
        Trial::test(name, move || {
            if !skip {
                test();
            }
            Ok(())
        })
    });
    libtest_mimic::run(&arguments, trials.collect()).exit();
}

fn notes() -> Problem {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/notes");
    support::load(&folder, SuiteKind::Cases)
}

fn calm() -> GradeOptions {
    GradeOptions {
        stability: Stability::Off,
        ..support::options()
    }
}

/// Grades a workspace that holds one program, by the suite of the fixture or another.
fn program(source: &str, suite: Option<&str>) -> Verdict {
    let workspace = tempfile::tempdir().unwrap();
    fs::write(workspace.path().join("notes.py"), source).unwrap();
    let (mut problem, folder) = (notes(), tempfile::tempdir().unwrap());
    if let Some(suite) = suite {
        lay(folder.path(), &[("checkpoint_1.yaml", suite)]);
        problem.root = folder.path().to_owned();
    }
    support::grade(&problem, 1, workspace.path(), &calm()).unwrap()
}

/// Puts files of a suite.
fn lay(root: &Path, files: &[(&str, &str)]) {
    fs::create_dir_all(root.join("suite")).unwrap();
    for (name, text) in files {
        fs::write(root.join("suite").join(name), text).unwrap();
    }
}

fn right() -> String {
    fs::read_to_string(notes().root.join("solutions/right/notes.py")).unwrap()
}

/// The message of a case, and how it ended.
fn said<'a>(verdict: &'a Verdict, id: &str) -> (Outcome, &'a str) {
    let test = verdict.tests.iter().find(|t| t.id == id).unwrap();
    (test.outcome, test.message.as_deref().unwrap_or(""))
}

fn right_service_passes() {
    let verdict = program(&right(), None);
    assert_eq!(verdict.state, State::Passed, "{verdict:#?}");
    assert!(verdict.integrity.is_empty(), "{verdict:#?}");
}

fn bugs_are_named() {
    for (from, to, id, why) in [
        (
            "return self.answer(200, note)",
            "return self.answer(200, dict(note, id=str(note['id'])))",
            "create-and-read",
            "step 2: GET /notes/0: body: $.id is \"0\", expected 0",
        ),
        (
            "self.answer(201, note,",
            "self.answer(200, note,",
            "create-and-read",
            "step 1: POST /notes: status: expected 201, got 200 (body: {",
        ),
        (
            "    os.replace(STORE + \".new\", STORE)",
            "    CACHE[:] = notes",
            "survives-a-crash",
            "step 3: GET /notes/0: status: expected 200 to 299, got 404 (body: ",
        ),
        (
            "signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))",
            "pass",
            "survives-a-crash",
            "step 4: exit code: expected 0, got a signal",
        ),
        (
            // A service that really raced would also spoil its own store, and fail in many ways.
            "\"id\": max([n[\"id\"] for n in notes], default=-1) + 1",
            "\"id\": 0",
            "ids-are-given-once",
            "step 1: $.id is 0 in more than one response",
        ),
        (
            "except (ValueError, KeyError)",
            "except (KeyError, UnicodeError)",
            "bad-bodies-are-refused",
            "step 1: POST /notes: no valid answer",
        ),
        (
            "    server.serve_forever()",
            "    sys.exit('no such address')",
            "create-and-read",
            "the service ended with exit code 1 before it was ready (stderr ends: no such address)",
        ),
    ] {
        let source = right().replace("LOCK = ", "CACHE = []\nLOCK = ");
        let source = if from.contains("os.replace") {
            source.replace("        return []", "        return CACHE")
        } else {
            source
        };
        assert!(source.contains(from), "{from}");
        let verdict = program(&source.replace(from, to), None);
        let (outcome, message) = said(&verdict, id);
        assert_eq!(outcome, Outcome::Failed, "{message}");
        assert!(message.contains(why), "{message:?} lacks {why:?}");
    }
}

/// One request, to a server that takes connections and does with them what it likes.
const ONE: &str = r#"
schema: slope.cases/1
timeout_s: 2
reference_s: 100
service: {args: ["${port}"], ready: {within_s: 60}}
cases:
  - {id: ask, group: core, steps: [{request: {send: GET /, expect: {status: 200}}}]}
"#;

fn hostile(handling: &str) -> String {
    format!(
        "import socket, sys, time, os\ns = socket.create_server(('127.0.0.1', int(sys.argv[1])))\n\
         s.accept()\nwhile True:\n    c, _ = s.accept()\n    try:\n        c.recv(1000)\n        {handling}\n    except OSError: pass\n"
    )
}

/// The service's handling of a connection, how the case ends, and a part of its message.
const HANDLINGS: &[(&str, Outcome, &str)] = &[
    (
        "time.sleep(60)",
        Outcome::Timeout,
        "no whole answer within 2 s",
    ),
    ("c.close()", Outcome::Failed, "no valid answer"),
    (
        "c.send(b'HTTP/1.1 200 OK\\r\\ncontent-length: 10\\r\\n\\r\\nabc'); c.close()",
        Outcome::Failed,
        "the body ends early",
    ),
    (
        "c.send(b'nonsense\\r\\n\\r\\n'); c.close()",
        Outcome::Failed,
        "no valid answer",
    ),
    (
        "c.send(b'HTTP/1.1 200 OK\\r\\n\\r\\n')\n        while True: c.send(b'x' * 65536)",
        Outcome::Failed,
        "a body of more than",
    ),
    (
        "c.send(b'HTTP/1.1 200 OK\\r\\n')\n        while True: c.send(b'a: b\\r\\n' * 99)",
        Outcome::Failed,
        "no valid answer",
    ),
    (
        "c.send(b'HTTP/1.1 200 OK\\r\\n' + b'a: b\\r\\n' * 500 + b'\\r\\n')",
        Outcome::Failed,
        "no valid answer",
    ),
    (
        "c.send(b'HTTP/1.1 200 OK\\r\\n\\r\\n')\n        while True: c.send(b'x'); time.sleep(0.1)",
        Outcome::Timeout,
        "GET /: ",
    ),
    (
        "while True: c.send(b'HTTP/1.1 100 Continue\\r\\n\\r\\n')",
        Outcome::Timeout,
        "GET /: ",
    ),
    (
        "c.send(b'HTTP/1.1 302 Found\\r\\nlocation: http://127.0.0.1:1/\\r\\ncontent-length: 0\\r\\n\\r\\n')",
        Outcome::Failed,
        "got 302",
    ),
    (
        "sys.stderr.write('fell\\n'); os._exit(3)",
        Outcome::Failed,
        "the service has ended (stderr ends: fell)",
    ),
];

fn hostile_services_end_in_failures() {
    for &(handling, outcome, why) in HANDLINGS {
        // A busy machine takes long for what is to fail for another reason.
        let patient = ONE.replace("timeout_s: 2", "timeout_s: 60");
        let suite = if outcome == Outcome::Timeout {
            ONE
        } else {
            &patient
        };
        let verdict = program(&hostile(handling), Some(suite));
        let (got, message) = said(&verdict, "ask");
        let close = got == outcome || (handling.contains("100 Continue") && got == Outcome::Failed);
        assert!(close, "{handling}: {got:?} {message}");
        assert!(
            message.contains(why),
            "{handling}: {message:?} lacks {why:?}"
        );
    }
    let verdict = program(
        "import time\ntime.sleep(60)",
        Some(&ONE.replace("within_s: 60", "within_s: 1")),
    );
    assert_eq!(
        said(&verdict, "ask"),
        (Outcome::Timeout, "the service was not ready within 1 s")
    );
}

/// A service that leaves processes behind, in its session and out of it, however it is ended.
fn nothing_of_a_service_stays() {
    let suite = r#"
schema: slope.cases/1
timeout_s: 60
reference_s: 100
service: {args: ["${port}"], ready: {within_s: 60}}
cases:
  - id: stays
    group: core
    steps:
      - restart: {by: kill}
      - args: [look, "1"]
        expect: {stdout: {equals: "1"}}
      - stop: {by: kill}
      - args: [look, "0"]
        expect: {stdout: {equals: "0"}}
  - {id: deaf, group: core, timeout_s: 2, steps: [{stop: {}}]}
"#;
    // Each process of the service appends to a file as long as it lives.
    let source = r#"
import os, signal, sys, time, socket
if sys.argv[1] == "look":
    # What is to be alive may take its time to show it; what is to be dead has half a second.
    before = {n: os.path.getsize(n) for n in os.listdir(".")}
    for _ in range(300 if sys.argv[2] == "1" else 5):
        time.sleep(0.1)
        alive = int(any(os.path.getsize(n) > before.get(n, 0) for n in os.listdir(".")))
        if alive:
            break
    print(alive)
    sys.exit()
signal.signal(signal.SIGTERM, signal.SIG_IGN)
socket_ = socket.create_server(("127.0.0.1", int(sys.argv[1])))
for _ in range(2):
    if os.fork() == 0:
        os.setsid()
with open("alive-%d-%s" % (os.getpid(), sys.argv[1]), "a") as f:
    while True:
        f.write("x"); f.flush(); time.sleep(0.02)
"#;
    let verdict = program(source, Some(suite));
    assert_eq!(
        said(&verdict, "stays"),
        (Outcome::Passed, ""),
        "{verdict:#?}"
    );
    let (outcome, message) = said(&verdict, "deaf");
    assert_eq!(outcome, Outcome::Timeout);
    assert!(message.contains("2 s after SIGTERM"), "{message}");
    assert!(verdict.integrity.is_empty(), "{verdict:#?}");
}

/// Sums of generated inputs; the oracle is in a module for both programs.
const SUMS: &str = r#"
schema: slope.cases/1
timeout_s: 5
service: {args: [serve, "${port}"]}
cases:
  - id: sums
    group: core
    generate: {program: make.py, count: 6}
    check: {program: judge.py, files: [sum.txt]}
  - id: own-oracle
    group: functionality
    generate: {program: make.py, seeds: [100, 101]}
"#;
const MAKE: &str = r#"
import json, random, sys
from oracle import total
seed = int(sys.argv[1])
draw = random.Random(seed)
numbers = [draw.randrange(100) for _ in range(seed % 5)]
expect = {"stdout": {"json": total(numbers)}} if seed >= 100 else {}
step = {"args": ["in.txt"], "expect": expect}
print(json.dumps({"files": {"in.txt": " ".join(map(str, numbers))}, "steps": [step], "facts": numbers}))
"#;
const JUDGE: &str = r#"
import json, sys
from oracle import total
told = json.load(sys.stdin)
got, want = told["files"]["sum.txt"], total(told["input"]["facts"])
same = got == str(want) and told["runs"][0]["exit"] == 0
print(json.dumps({"ok": same, "why": f"sum.txt holds {got}, expected {want}"}))
"#;
const ORACLE: &str = "def total(numbers):\n    return sum(numbers)\n";
const SUMMER: &str = "import sys\nt = sum(map(int, open(sys.argv[1]).read().split()))\nprint(t)\nopen('sum.txt', 'w').write(str(t))\n";

/// Grades a program by generated inputs, with other programs of the suite where they are given.
fn by_sums(source: &str, changed: &[(&str, &str)]) -> Verdict {
    let (mut problem, folder) = (notes(), tempfile::tempdir().unwrap());
    lay(
        folder.path(),
        &[
            ("checkpoint_1.yaml", SUMS),
            ("make.py", MAKE),
            ("judge.py", JUDGE),
            ("oracle.py", ORACLE),
        ],
    );
    lay(folder.path(), changed);
    problem.root = folder.path().to_owned();
    let workspace = tempfile::tempdir().unwrap();
    fs::write(workspace.path().join("notes.py"), source).unwrap();
    support::grade(&problem, 1, workspace.path(), &calm()).unwrap()
}

fn generated_inputs_are_judged() {
    let verdict = by_sums(SUMMER, &[]);
    assert_eq!(verdict.state, State::Passed, "{verdict:#?}");
    let inputs: serde_json::Value = serde_json::from_str(&verdict.grader["inputs"]).unwrap();
    let of_case = inputs["checkpoint_1::sums"].as_object().unwrap();
    assert_eq!(of_case.len(), 6);
    let again = by_sums(SUMMER, &[]);
    assert_eq!(again.grader["inputs"], verdict.grader["inputs"]);
    assert_eq!(again.grader["tests"], verdict.grader["tests"]);
    let changed = by_sums(
        SUMMER,
        &[(
            "oracle.py",
            "def total(numbers):\n    return sum(numbers) + 0\n",
        )],
    );
    assert_ne!(changed.grader["tests"], verdict.grader["tests"]);

    let wrong = by_sums(
        &SUMMER
            .replace("sum(map", "max(map")
            .replace(".split()))", ".split()), default=0)"),
        &[],
    );
    let (outcome, why) = said(&wrong, "sums");
    assert_eq!(outcome, Outcome::Failed);
    assert!(why.starts_with("seed 2: sum.txt holds "), "{why}");
    let (outcome, why) = said(&wrong, "own-oracle");
    assert_eq!(
        outcome,
        Outcome::Passed,
        "an empty list and one number: {why}"
    );
    // What the program leaves decides, not whether the check can be made to fall.
    let lying = by_sums(
        "import os\nos.mkdir('sum.txt')\nprint('{\"ok\": true}')\n",
        &[],
    );
    assert_eq!(
        said(&lying, "sums"),
        (Outcome::Failed, "seed 0: sum.txt holds None, expected 0")
    );
}

fn broken_programs_of_a_suite_are_named() {
    for (name, text, why) in [
        (
            "make.py",
            "import sys\nsys.exit('no seed')",
            "make.py of the suite failed (stderr ends: no seed)",
        ),
        ("make.py", "print('{}')", "missing field `steps`"),
        (
            "make.py",
            "import json, time\nprint(json.dumps({'steps': [{}], 'facts': time.time()}))",
            "different inputs for seed 0",
        ),
        (
            "make.py",
            "import json\nprint(json.dumps({'steps': [{}], 'facts': list({'a', 'b', 'c', 'd', 'e'})}))",
            "different inputs for seed 0",
        ),
        (
            "make.py",
            "import json\nprint(json.dumps({'files': {'../x': ''}, 'steps': [{}]}))",
            "leads out of the case's folder",
        ),
        (
            "judge.py",
            "print('fine')",
            "judge.py of the suite printed no judgement",
        ),
        (
            "judge.py",
            "while True: pass",
            "judge.py of the suite had no end within",
        ),
    ] {
        let suite = SUMS.replace("timeout_s: 5", "timeout_s: 1");
        let verdict = by_sums(SUMMER, &[(name, text), ("checkpoint_1.yaml", &suite)]);
        let (outcome, message) = said(&verdict, "sums");
        assert_eq!(outcome, Outcome::Error, "{message}");
        assert!(message.contains(why), "{message:?} lacks {why:?}");
    }
}

/// A program that finds the oracle, or anything of the suite's, would say what it found.
fn programs_of_a_suite_are_hidden() {
    let source = r#"
import glob, os, sys
found = [os.path.join(p, n) for p, _, ns in os.walk("/grader") for n in ns]
for path in glob.glob("/proc/[0-9]*/cmdline") + glob.glob("/proc/[0-9]*/root/grader/suite/*") + glob.glob("/tmp/**", recursive=True):
    try:
        text = open(path, "rb").read(1 << 20)
    except OSError:
        continue
    if b"judge" + b".py" in text or b"def " + b"total" in text or b"from ora" + b"cle" in text:
        found.append(path)
try:
    os.makedirs("/grader/suite", exist_ok=True)
    open("/grader/suite/oracle.py", "w").write("def total(numbers): return 0")
    found.append("written")
except OSError:
    pass
print(found)
open("sum.txt", "w").write(str(found))
"#;
    let verdict = by_sums(source, &[]);
    let (outcome, why) = said(&verdict, "sums");
    assert_eq!(outcome, Outcome::Failed);
    assert_eq!(why, "seed 0: sum.txt holds [], expected 0");
}

/// A suite that is meant for a machine on which an interpreter starts at once: every other one is slow.
fn limits_are_stretched_and_recorded() {
    let suite = |more: &str| {
        format!(
            "schema: slope.cases/1\ntimeout_s: 0.4\n{more}cases: [{{id: waits, group: core, steps: [{{}}]}}]\n"
        )
    };
    let slow = "import time\ntime.sleep(1)\n";
    let strict = program(slow, Some(&suite("reference_s: 100\n")));
    assert_eq!(strict.grader["time_scale"], "1.00");
    let (outcome, why) = said(&strict, "waits");
    assert_eq!((outcome, why), (Outcome::Timeout, "no end within 0.4 s"));
    let stretched = program(slow, Some(&suite("reference_s: 0.000001\n")));
    assert_eq!(said(&stretched, "waits"), (Outcome::Passed, ""));
    assert_eq!(stretched.grader["time_scale"], "8.00");
    let measured: f64 = stretched.grader["interpreter_start_s"].parse().unwrap();
    assert!(measured > 0.0, "{measured}");
}

/// Authors' tools end what waits for nothing, but give no program more time than its suite does.
fn a_limit_that_is_asked_for_only_shortens() {
    let (work, workspace) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    fs::write(
        workspace.path().join("notes.py"),
        "import time\ntime.sleep(1)\n",
    )
    .unwrap();
    let suite = "schema: slope.cases/1\ntimeout_s: 10\ncases:\n\
        - {id: strict, group: core, timeout_s: 0.4, steps: [{}]}\n\
        - {id: patient, group: core, steps: [{}]}\n";
    lay(work.path(), &[("checkpoint_1.yaml", suite)]);
    let problem = Problem {
        root: work.path().to_owned(),
        ..notes()
    };
    let tar = work.path().join("snapshot.tar");
    support::pack(workspace.path(), &tar);
    let options = calm();
    let rehearsal = Rehearsal::new(&problem, 1, &LocalRuntime, &options).unwrap();
    let outcomes = |at_most_s| {
        let scratch = tempfile::tempdir().unwrap();
        let wanted: Vec<Wanted> = rehearsal
            .cases()
            .map(|case| Wanted {
                key: case.key,
                at_most_s,
            })
            .collect();
        let results = rehearsal.run(&tar, scratch.path(), &wanted, 2, false);
        let of = |r: TestResult| (r.id, r.outcome);
        results.unwrap().into_iter().map(of).collect::<Vec<_>>()
    };
    let expected = |patient| {
        let strict = ("strict".to_owned(), Outcome::Timeout);
        vec![strict, ("patient".to_owned(), patient)]
    };
    assert_eq!(outcomes(None), expected(Outcome::Passed));
    assert_eq!(outcomes(Some(60.0)), expected(Outcome::Passed));
    assert_eq!(outcomes(Some(0.3)), expected(Outcome::Timeout));
}

/// The runner writes to pipes whose other end the program under test has closed.
fn unread_input_ends_no_grading() {
    let input = "x".repeat(1 << 20);
    let suite = format!(
        "schema: slope.cases/1\ncases:\n\
        - {{id: unread, group: core, steps: [{{stdin: {input}, expect: {{exit: 3}}}}]}}\n\
        - {{id: next, group: core, steps: [{{stdin: {input}}}]}}\n"
    );
    let program = program("import os, sys\nos.close(0)\nsys.exit(3)\n", Some(&suite));
    assert_eq!(program.state, State::Failed, "{program:#?}");
    assert_eq!(said(&program, "unread"), (Outcome::Passed, ""));
    let why = "exit code: expected 0, got 3";
    assert_eq!(said(&program, "next"), (Outcome::Failed, why));
}
