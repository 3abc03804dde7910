//! Grades of edits whose tests a runner runs. The runner here is a function: sandboxes are tried in `slope-cli`.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use slope_grade::{
    Case, Ended, Engine, Grader, Job, OwnTests, Pack, Ran, Report, TestRules, TestRunner,
    TestService, group, read_request, stream,
};
use slope_model::grade::{Fault, Grade, Status, TestOutcome, TestSource};
use slope_model::grade_request::TestCommand;

const BEFORE: &str = "def f():\n    return 1\n\n\ndef g():\n    return 2\n";
const AFTER: &str = "def f():\n    return 10\n\n\ndef g():\n    return 20\n";

/// Fails the tests of an edit without `return 10`, and breaks on one with `BROKEN`.
#[derive(Default)]
struct Fake {
    runs: AtomicUsize,
    at_once: AtomicUsize,
    most_at_once: AtomicUsize,
    seen: Mutex<Vec<Vec<String>>>,
}

struct Shared(Arc<Fake>);

impl TestRunner for Shared {
    fn run(&self, job: &Job) -> Result<Ran, Fault> {
        let fake = &self.0;
        fake.runs.fetch_add(1, Ordering::SeqCst);
        let now = fake.at_once.fetch_add(1, Ordering::SeqCst) + 1;
        fake.most_at_once.fetch_max(now, Ordering::SeqCst);
        std::thread::sleep(std::time::Duration::from_millis(20));
        fake.at_once.fetch_sub(1, Ordering::SeqCst);
        fake.seen.lock().unwrap().push(job.command("/r.xml"));
        let text = job.files.get("a.py").cloned().flatten().unwrap_or_default();
        let text = String::from_utf8_lossy(&text).into_owned();
        if text.contains("BROKEN") {
            return Err(Fault {
                field: "tests".to_owned(),
                message: "the sandbox is gone".to_owned(),
                help: String::new(),
            });
        }
        let is_right = text.contains("return 10");
        let case = |id: &str, pass: bool| Case {
            id: id.to_owned(),
            outcome: if pass {
                TestOutcome::Passed
            } else {
                TestOutcome::Failed
            },
        };
        Ok(Ran {
            ended: Ended::Code(i32::from(!is_right)),
            report: job
                .report
                .as_ref()
                .map(|_| Report::Cases(vec![case("t.f", is_right), case("t.other", true)])),
            left_processes: 0,
            limits: Vec::new(),
            seconds: 0.02,
            output: "said".to_owned(),
        })
    }
}

fn grader(from_requests: bool, own: Option<OwnTests>) -> (Grader, Arc<Fake>) {
    let files = [("a.py".to_owned(), BEFORE.as_bytes().to_vec())];
    let base = Engine::new(2)
        .unwrap()
        .of_files("base", files.into())
        .unwrap();
    let fake = Arc::new(Fake::default());
    let rules = TestRules {
        from_requests,
        own,
        problems: [("shop".to_owned(), 2)].into(),
        jobs: 2,
        timeout_s: 60.0,
    };
    let service = TestService::new(Box::new(Shared(fake.clone())), rules);
    let grader = Grader::new(base, Pack::default()).with_tests(Some(Arc::new(service)));
    (grader, fake)
}

fn record(id: &str, after: &str, tests: &Value) -> Value {
    let change = json!({"kind": "files", "data": {"a.py": after}});
    json!({"id": id, "change": change, "tests": tests})
}

fn grade(grader: &Grader, record: &Value) -> Grade {
    let request = read_request(record.to_string().as_bytes(), "it").unwrap();
    grader.install(|grader| grader.grade(&request))
}

fn lines(records: &[Value]) -> String {
    records.iter().map(|record| format!("{record}\n")).collect()
}

fn grades(text: &[u8]) -> Vec<Grade> {
    let text = String::from_utf8(text.to_vec()).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn run_of_tests_decides_the_reward() {
    let (grader, _) = grader(true, None);
    let tests = json!({"command": ["t", "{report}"], "report": "junit"});
    let right = grade(&grader, &record("r", AFTER, &tests));
    let results = right.tests.as_ref().unwrap();
    assert_eq!(
        (results.source, results.pass, results.passed),
        (TestSource::Run, true, Some(2))
    );
    assert_eq!((right.reward, results.output.as_deref()), (Some(1.0), None));
    let wrong = grade(&grader, &record("w", &AFTER.replace("10", "11"), &tests));
    assert_eq!(
        (wrong.reward, wrong.score, wrong.quality),
        (Some(0.0), Some(0.0), Some(1.0))
    );
    assert_eq!(wrong.tests.unwrap().failures[0].id, "t.f");
}

#[test]
fn broken_sandbox_is_an_error_without_reward() {
    let (grader, fake) = grader(true, None);
    let broken = record(
        "b",
        &format!("{AFTER}BROKEN = 1\n"),
        &json!({"command": "t"}),
    );
    for runs in 1..3 {
        let found = grade(&grader, &broken);
        assert_eq!(
            (found.status, found.reward, found.score),
            (Status::Error, None, None)
        );
        assert_eq!(found.error.unwrap().message, "the sandbox is gone");
        assert_eq!(
            fake.runs.load(Ordering::SeqCst),
            runs,
            "an error is not kept"
        );
    }
}

#[test]
fn edits_that_fail_already_run_nothing() {
    let (grader, fake) = grader(true, None);
    let tests = json!({"command": "t"});
    let flagged = grade(
        &grader,
        &record("f", &format!("import os\nos._exit(0)\n{AFTER}"), &tests),
    );
    assert_eq!(
        (flagged.status, flagged.reward),
        (Status::Refused, Some(0.0))
    );
    assert_eq!(
        grade(&grader, &record("same", BEFORE, &tests)).reward,
        Some(0.0)
    );
    let bad = json!({"id": "x", "change": {"kind": "diff", "data": "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-no\n+x\n"}, "tests": tests});
    assert_eq!(grade(&grader, &bad).error.unwrap().field, "change.data");
    assert_eq!(fake.runs.load(Ordering::SeqCst), 0);
}

#[test]
fn files_of_commands_cannot_be_changed() {
    let texts = ["a.py", "Makefile", "ci/run.sh", "ci/other.txt"];
    let files = texts.map(|path| (path.to_owned(), b"x = 1\n".to_vec()));
    let base = Engine::new(1)
        .unwrap()
        .of_files("base", files.into())
        .unwrap();
    let rules = TestRules {
        from_requests: true,
        own: None,
        problems: [].into(),
        jobs: 1,
        timeout_s: 60.0,
    };
    let service = TestService::new(Box::new(Shared(Arc::default())), rules);
    let grader = Grader::new(base, Pack::default()).with_tests(Some(Arc::new(service)));
    for (command, path, is_refused) in [
        ("make test", "Makefile", true),
        ("cd ci && ./run.sh", "ci/run.sh", true),
        ("sh ./ci/run.sh", "ci/run.sh", true),
        ("sh ./ci/run.sh", "ci/other.txt", false),
        ("true", "Makefile", false),
    ] {
        let change = json!({"kind": "files", "data": {path: "y = 2\n"}});
        let record = json!({"id": "r", "change": change, "tests": {"command": command}});
        let found = grade(&grader, &record);
        assert_eq!(
            found.status == Status::Refused,
            is_refused,
            "{command} {path}"
        );
    }
}

#[test]
fn requests_that_cannot_be_run_are_refused() {
    let (grader, fake) = grader(true, None);
    for (tests, field) in [
        (json!({"command": "t", "passed": 1}), "tests.command"),
        (json!({"fail_to_pass": ["t.f"]}), "tests.fail_to_pass"),
        (
            json!({"command": "t", "fail_to_pass": ["t.f"]}),
            "tests.fail_to_pass",
        ),
        (json!({"command": "t", "report": "junit"}), "tests.command"),
        (
            json!({"command": "t", "report_folder": "../out"}),
            "tests.report_folder",
        ),
        (
            json!({"command": "t", "report_folder": "out", "report": "tap"}),
            "tests.report_folder",
        ),
        (json!({"command": "t", "timeout_s": 0.0}), "tests.timeout_s"),
        (
            json!({"command": "t", "patch": {"kind": "files", "data": {"../x": "1"}}}),
            "tests.patch.data",
        ),
    ] {
        let found = grade(&grader, &record("r", AFTER, &tests));
        let fault = found.error.unwrap_or_else(|| panic!("{tests}"));
        assert_eq!(
            (fault.field.as_str(), found.reward),
            (field, None),
            "{tests}"
        );
    }
    assert_eq!(fake.runs.load(Ordering::SeqCst), 0);
}

#[test]
fn time_limit_of_grades_leaves_tests_alone() {
    let (grader, _) = grader(true, None);
    let tests = json!({"command": "t"});
    for (after, reward) in [(AFTER, None), (&AFTER.replace("10", "3"), Some(0.0))] {
        let mut late = record("late", after, &tests);
        late["options"] = json!({"deadline_ms": 0});
        let found = grade(&grader, &late);
        assert_eq!((found.status, found.reward), (Status::Timeout, reward));
    }
}

#[test]
fn equal_runs_are_made_once() {
    let (mut grader, fake) = grader(true, None);
    let tests = json!({"command": "t"});
    let records: Vec<Value> = (0..12)
        .map(|n| {
            record(
                &format!("r{n}"),
                &AFTER.replace("20", &(n % 3).to_string()),
                &tests,
            )
        })
        .collect();
    let mut output = Vec::new();
    stream::grade_lines(&mut grader, lines(&records).as_bytes(), &mut output).unwrap();
    let found = grades(&output);
    let ids: Vec<&str> = found.iter().map(|grade| grade.id.as_str()).collect();
    assert_eq!(ids, (0..12).map(|n| format!("r{n}")).collect::<Vec<_>>());
    assert!(found.iter().all(|grade| grade.score == Some(1.0)));
    assert_eq!(fake.runs.load(Ordering::SeqCst), 3);
    assert!(fake.most_at_once.load(Ordering::SeqCst) <= 2);
}

#[test]
fn command_of_the_operator_fills_in() {
    let words = ["own".to_owned(), "{report}".to_owned()];
    let own = OwnTests::Command(TestCommand::Words(words.to_vec()), None);
    let (grader, fake) = grader(false, Some(own));
    assert_eq!(
        grade(&grader, &record("r", AFTER, &Value::Null)).reward,
        Some(1.0)
    );
    assert_eq!(*fake.seen.lock().unwrap(), [["own", "/r.xml"]]);
    let given = grade(
        &grader,
        &record("g", AFTER, &json!({"passed": 1, "failed": 1})),
    );
    assert_eq!(
        (given.reward, given.tests.unwrap().source),
        (Some(0.0), TestSource::Given)
    );
    let other = grade(&grader, &record("o", AFTER, &json!({"command": "other"})));
    assert_eq!(other.error.unwrap().field, "tests.command");
}

#[test]
fn hunks_that_tests_do_not_need_cost() {
    let (grader, fake) = grader(true, None);
    let mut edit = record("m", AFTER, &json!({"command": "t"}));
    edit["options"] = json!({"minimize": true});
    let found = grade(&grader, &edit);
    assert_eq!(found.tiers["p_min"], "T");
    let piece = found
        .evidence
        .iter()
        .find(|piece| piece.kind == "unneeded-hunk");
    assert_eq!(piece.map(|piece| piece.at.as_str()), Some("a.py:6"));
    assert!(found.components.p_min.unwrap() > 0.0 && found.reward.is_some());
    assert!(fake.runs.load(Ordering::SeqCst) <= 24);
}

#[test]
fn large_attempts_of_a_group_cost() {
    let (mut grader, _) = grader(true, None);
    let more: String = (0..80)
        .map(|n| format!("\n\ndef more_{n}(a, b):\n    return a * {n} + b\n"))
        .collect();
    let of = |id: &str, after: &str| {
        let mut record = record(id, after, &json!({"command": "t"}));
        record["task"] = json!({"group": "one"});
        record
    };
    let small = [of("a", AFTER), of("b", &AFTER.replace("20", "21"))];
    let large = of("c", &format!("{AFTER}{more}"));
    let run = |grader: &mut Grader, records: &[Value]| {
        let mut output = Vec::new();
        group::grade_lines(grader, lines(records).as_bytes(), &mut output).unwrap();
        grades(&output)
    };
    let found = run(
        &mut grader,
        &[&small[..], std::slice::from_ref(&large)].concat(),
    );
    let p_min = |grade: &Grade| grade.components.p_min.unwrap();
    assert!(found.iter().all(|grade| grade.tiers["p_min"] == "G"));
    assert!(
        p_min(&found[0]) == 0.0 && p_min(&found[2]) > 0.5,
        "{}",
        found[2].size.unwrap()
    );
    assert!(found[2].reward < found[0].reward);
    // Two attempts are too few.
    let found = run(&mut grader, &[small[0].clone(), large]);
    assert!(found.iter().all(|grade| grade.tiers["p_min"] == "S"));
}

#[test]
fn steps_of_a_trajectory_telescope() {
    let (mut grader, _) = grader(true, None);
    let branches: String = (0..14)
        .map(|n| format!("    if a == {n}:\n        a += {n} * b\n"))
        .collect();
    let messy = format!("{BEFORE}\n\ndef messy(a, b):\n{branches}    return a\n");
    let of = |checkpoint: u32, after: &str| {
        let mut record = record(&format!("c{checkpoint}"), after, &json!({"passed": 1}));
        record["task"] = json!({"trajectory": "one", "checkpoint": checkpoint});
        record
    };
    // All have one base, so each edit contains those before it.
    let records = [
        of(2, &messy.replace("return 2", "return 3")),
        of(1, &messy),
        of(3, AFTER),
    ];
    let mut output = Vec::new();
    group::grade_lines(&mut grader, lines(&records).as_bytes(), &mut output).unwrap();
    let found = grades(&output);
    let step = |grade: &Grade| {
        grade
            .shaping
            .map(|step| (step.reward, step.reward + step.residual))
            .unwrap()
    };
    let (second, first, third) = (step(&found[0]), step(&found[1]), step(&found[2]));
    assert!(
        first.1 < -0.2 && (first.0 + 0.2).abs() < 1e-9,
        "a mess costs, up to the limit: {first:?}"
    );
    assert_eq!(second.1, 0.0, "the mess costs once");
    assert!(
        (first.1 + third.1).abs() < 1e-6,
        "cleaning up earns it back: {first:?} {third:?}"
    );
    // Without numbers there is no order.
    let mut twice = of(1, AFTER);
    twice["id"] = json!("again");
    let mut output = Vec::new();
    group::grade_lines(
        &mut grader,
        lines(&[of(1, &messy), twice]).as_bytes(),
        &mut output,
    )
    .unwrap();
    assert!(
        grades(&output)
            .iter()
            .all(|grade| grade.shaping.is_none() && grade.missing.contains_key("shaping"))
    );
}

#[test]
fn suites_must_be_those_of_the_grader() {
    let (grader, fake) = grader(false, None);
    let suite = json!({"problem": "shop", "checkpoint": 2});
    let good = grade(&grader, &record("g", AFTER, &json!({"suite": suite})));
    assert_eq!(good.reward, Some(1.0));
    assert_eq!(fake.runs.load(Ordering::SeqCst), 1);
    let other = json!({"problem": "other", "checkpoint": 2});
    for (tests, field) in [
        (json!({"suite": other}), "tests.suite.problem"),
        (
            json!({"suite": {"problem": "shop", "checkpoint": 3}}),
            "tests.suite.checkpoint",
        ),
        (json!({"suite": suite, "report": "tap"}), "tests.report"),
        (json!({"suite": suite, "env": {"A": "b"}}), "tests.env"),
        (json!({"suite": suite, "passed": 1}), "tests.suite"),
        (json!({"suite": suite, "timeout_s": 0}), "tests.timeout_s"),
    ] {
        let fault = grade(&grader, &record("f", AFTER, &tests)).error.unwrap();
        assert_eq!(fault.field, field, "{}", fault.message);
    }
}
