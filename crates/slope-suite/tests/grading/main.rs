//! Both drivers on small problems of our own, in real sandboxes.
#![allow(
    clippy::unwrap_used,
    reason = "this is test code without a test harness"
)]

mod limits;
#[path = "../support/mod.rs"]
mod support;
mod variables;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use libtest_mimic::{Arguments, Failed, Trial};
use limits::{pytest_verdicts_name_limits_with_tests, verdicts_name_limits_that_programs_reached};
use slope_model::problem::{Group, Problem, SuiteKind};
use slope_model::verdict::{Outcome, State, Verdict};
use slope_sandbox::LocalRuntime;
use slope_suite::track::{Environments, Interpreter};
use slope_suite::{Error, GradeOptions, Stability};
use variables::variables_of_tests_reach_programs;

/// Functions with their names.
macro_rules! named {
    ($($name:ident),* $(,)?) => { &[$((stringify!($name), $name)),*] };
}

fn main() {
    if let Some(code) = slope_sandbox::dispatch(slope_suite::BUILTINS) {
        std::process::exit(code);
    }
    let arguments = Arguments::from_args();
    let cases: &[(&str, fn())] = named![
        cases_right_passes_everywhere,
        cases_wrong_and_broken_fail,
        verdicts_name_limits_that_programs_reached,
        cases_hostile_programs_end_in_verdicts,
        cases_hold_nothing_on_disk,
        cases_find_the_unstable,
        malformed_suites_are_named,
        a_python_without_ensurepip_gets_the_remedy,
        environments_are_made_once_by_whoever_comes_first,
    ];
    let pytest: &[(&str, fn())] = named![
        pytest_right_passes_everywhere,
        pytest_verdicts_name_limits_with_tests,
        pytest_suite_limit_counts_as_timeout,
        pytest_runner_that_dies_is_infrastructure,
        pytest_tests_follow_no_link_to_their_data,
        variables_of_tests_reach_programs,
        pytest_finds_the_unstable,
        requirements_that_cannot_be_had_are_recorded,
        offline_without_packages_says_so,
    ];
    let (mut trials, mut skip) = (Vec::new(), (false, false));
    if !arguments.list {
        let probe = |problem: &Problem| {
            support::unless_unavailable(|| {
                support::grade(problem, 1, &solution(problem, "right"), &calm())
            })
            .is_none()
        };
        skip.0 = probe(&tally());
        skip.1 = skip.0 || probe(&stock());
    }
    for (tests, skip) in [(cases, skip.0), (pytest, skip.1)] {
        for &(name, test) in tests {
            trials.push(Trial::test(name, move || run(test, skip)));
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}

fn run(test: fn(), skip: bool) -> Result<(), Failed> {
    if !skip {
        test();
    }
    Ok(())
}

fn fixture(name: &str) -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    // What attacks on the grader are graded by serves these tests, too.
    match name.strip_prefix("stock") {
        Some(rest) => here
            .join("../slope-cheats/fixtures/problem")
            .join(rest.trim_start_matches('/')),
        None => here.join("tests/fixtures").join(name),
    }
}

fn tally() -> Problem {
    support::load(&fixture("tally"), SuiteKind::Cases)
}

fn stock() -> Problem {
    support::load(&fixture("stock"), SuiteKind::Pytest)
}

fn solution(problem: &Problem, name: &str) -> PathBuf {
    problem.root.join("solutions").join(name)
}

/// Without repeats.
fn calm() -> GradeOptions {
    GradeOptions {
        stability: Stability::Off,
        ..support::options()
    }
}

/// Grades a workspace that holds one program.
fn program(problem: &Problem, checkpoint: u32, source: &str, options: &GradeOptions) -> Verdict {
    let workspace = tempfile::tempdir().unwrap();
    fs::write(workspace.path().join(&problem.entry_file), source).unwrap();
    support::grade(problem, checkpoint, workspace.path(), options).unwrap()
}

fn counts(verdict: &Verdict) -> Vec<(Group, u32, u32)> {
    verdict
        .counts
        .iter()
        .map(|(g, c)| (*g, c.passed, c.total))
        .collect()
}

fn outcome(verdict: &Verdict, id: &str) -> Outcome {
    verdict.tests.iter().find(|t| t.id == id).unwrap().outcome
}

fn message<'a>(verdict: &'a Verdict, id: &str) -> &'a str {
    verdict
        .tests
        .iter()
        .find(|t| t.id == id)
        .unwrap()
        .message
        .as_deref()
        .unwrap_or("")
}

fn cases_right_passes_everywhere() {
    let problem = tally();
    let first = support::grade(&problem, 1, &solution(&problem, "right"), &calm()).unwrap();
    assert_eq!(
        (first.state, first.integrity.as_slice()),
        (State::Passed, &[][..]),
        "{first:#?}"
    );
    assert_eq!(counts(&first), [(Group::Core, 2, 2), (Group::Error, 1, 1)]);
    let second = support::grade(&problem, 2, &solution(&problem, "right"), &calm()).unwrap();
    assert_eq!(
        counts(&second),
        [(Group::Functionality, 1, 1), (Group::Regression, 3, 3)]
    );
    let mut alone = problem.clone();
    alone.checkpoints[1].include_prior_tests = false;
    let alone = support::grade(&alone, 2, &solution(&problem, "right"), &calm()).unwrap();
    assert_eq!(counts(&alone), [(Group::Functionality, 1, 1)]);
}

fn cases_wrong_and_broken_fail() {
    let problem = tally();
    let wrong = program(&problem, 1, "print('{\"words\": 2}')", &support::options());
    assert_eq!(
        (wrong.state, wrong.reason.as_deref()),
        (State::Failed, None)
    );
    assert_eq!(outcome(&wrong, "counts words of a file"), Outcome::Passed);
    assert_eq!(
        message(&wrong, "counts words of standard input"),
        "stdout: $.words is 2, expected 3"
    );
    let repeats = &wrong
        .tests
        .iter()
        .find(|t| t.outcome == Outcome::Failed)
        .unwrap()
        .repeats;
    assert_eq!(repeats, &[Outcome::Failed; 3]);
    let broken = program(&problem, 1, "def", &calm());
    assert!(
        message(&broken, "counts words of a file").contains("SyntaxError"),
        "{broken:#?}"
    );
    let empty = support::grade(&problem, 1, tempfile::tempdir().unwrap().path(), &calm()).unwrap();
    assert_eq!(empty.state, State::Failed, "{empty:#?}");
}

fn cases_hostile_programs_end_in_verdicts() {
    let mut problem = tally();
    problem.checkpoints[1].include_prior_tests = false;
    let id = "keeps the sum in a file";
    let grade = |source: &str| program(&problem, 2, source, &calm());
    let timeout = grade(
        "import signal, time\nfor n in (15, 2, 1): signal.signal(n, signal.SIG_IGN)\nwhile True: time.sleep(1)",
    );
    assert_eq!(
        (outcome(&timeout, id), timeout.state),
        (Outcome::Timeout, State::Failed),
        "{timeout:#?}"
    );
    for (source, said) in [
        (
            "import os, sys\nos.symlink('/etc/passwd', sys.argv[2])",
            "symbolic link",
        ),
        ("import os, sys\nos.mkfifo(sys.argv[2])", "a pipe"),
        (
            "import sys\nopen(sys.argv[2], 'wb').truncate(1 << 28)",
            "more than",
        ),
        ("import os, sys\nos.mkdir(sys.argv[2])", "a folder"),
    ] {
        let whole =
            format!("import os, sys\nif os.path.lexists(sys.argv[2]): sys.exit(0)\n{source}");
        let verdict = grade(&whole);
        assert!(message(&verdict, id).contains(said), "{said}: {verdict:#?}");
    }
    let noise = grade("import sys\nfor _ in range(1200): sys.stdout.write('x' * (1 << 20))");
    assert_eq!(noise.state, State::Failed, "{noise:#?}");
    let bomb = grade(
        "import os\ntry:\n  while True: os.fork()\nexcept OSError: pass\nimport time; time.sleep(60)",
    );
    assert_eq!(bomb.state, State::Failed, "{bomb:#?}");
}

/// A program that looks everywhere finds no expectation, no payload and no report.
fn cases_hold_nothing_on_disk() {
    let problem = tally();
    let source = r#"
import glob, os, sys
found = []
for path in glob.glob("/proc/[0-9]*/*") + glob.glob("/opt/launch/*") + [os.path.join(p, n) for p, _, ns in os.walk("/tmp") for n in ns]:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        text = os.read(descriptor, 1 << 22)
        os.close(descriptor)
    except OSError:
        continue
    if b"counts " + b"words of" in text or b"cases" + b"-runner" in text:
        found.append(path)
print(found)
sys.exit(9 if found else 0)
"#;
    let verdict = program(&problem, 1, source, &calm());
    assert!(
        message(&verdict, "counts words of a file").contains("$ is []"),
        "{verdict:#?}"
    );
}

/// Takes its time, but gives up when it took a second: sure when calm, never when stalled.
const HASTY: &str = "import time\nbegan = time.monotonic()\ntime.sleep(0.4)\nif time.monotonic() - began > 1.0: raise SystemExit(7)\n";

fn cases_find_the_unstable() {
    let mut problem = tally();
    problem.checkpoints.truncate(1);
    let options = GradeOptions {
        stability: Stability::All,
        ..support::options()
    };
    let right = fs::read_to_string(solution(&problem, "right").join("tally.py")).unwrap();
    let verdict = program(&problem, 1, &format!("{HASTY}{right}"), &options);
    assert!(
        verdict.tests.iter().all(|t| t.outcome == Outcome::Unstable),
        "{verdict:#?}"
    );
    assert_eq!(verdict.state, State::Failed, "nothing stable passed");
    let steady = support::grade(&problem, 1, &solution(&problem, "right"), &options).unwrap();
    assert!(
        steady
            .tests
            .iter()
            .all(|t| t.repeats == [Outcome::Passed; 2]),
        "{steady:#?}"
    );
}

fn malformed_suites_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let mut problem = tally();
    problem.root = folder.path().to_owned();
    fs::create_dir(folder.path().join("suite")).unwrap();
    let grade = || {
        support::grade(&problem, 1, folder.path(), &calm())
            .unwrap_err()
            .to_string()
    };
    assert!(grade().contains("checkpoint_1.yaml"), "{}", grade());
    for (text, said) in [
        ("schema: other/1\ncases: []\n", "expected `slope.cases/1`"),
        ("schema: slope.cases/1\ncases: []\n", "no cases"),
        (
            "schema: slope.cases/1\ncases: [{id: a, group: core, steps: [{}], typo: 1}]\n",
            "typo",
        ),
        (
            "schema: slope.cases/1\ncases: [{id: a, group: core, steps: [{}]}, {id: a, group: core, steps: [{}]}]\n",
            "twice",
        ),
    ] {
        fs::write(folder.path().join("suite/checkpoint_1.yaml"), text).unwrap();
        assert!(grade().contains(said), "{said}: {}", grade());
    }
    assert!(
        support::grade(&tally(), 3, folder.path(), &calm())
            .unwrap_err()
            .to_string()
            .contains("no checkpoint 3: it has 2")
    );
}

fn pytest_right_passes_everywhere() {
    let problem = stock();
    let first = support::grade(&problem, 1, &solution(&problem, "right"), &calm()).unwrap();
    assert_eq!(
        (first.state, first.integrity.as_slice()),
        (State::Passed, &[][..]),
        "{first:#?}"
    );
    assert_eq!(
        counts(&first),
        [
            (Group::Core, 3, 3),
            (Group::Functionality, 2, 2),
            (Group::Error, 1, 1)
        ]
    );
    assert_eq!(
        outcome(&first, "test_received_items_are_added[seven [items]]"),
        Outcome::Passed
    );
    let second = support::grade(&problem, 2, &solution(&problem, "right"), &calm()).unwrap();
    assert_eq!(
        counts(&second),
        [(Group::Core, 2, 2), (Group::Regression, 6, 6)]
    );
    assert!(second.grader["packages"].contains("pytest==9.0.3"));
}

fn pytest_suite_limit_counts_as_timeout() {
    let options = GradeOptions {
        suite_limit: Some(Duration::from_secs(4)),
        ..calm()
    };
    let verdict = program(&stock(), 1, "import time\ntime.sleep(600)", &options);
    assert_eq!(
        (verdict.state, verdict.reason.as_deref()),
        (State::Failed, None),
        "{verdict:#?}"
    );
    assert!(
        verdict.tests.iter().all(|t| t.outcome == Outcome::Timeout),
        "{verdict:#?}"
    );
}

/// A copy of the fixture with another test of checkpoint 1.
fn stock_with(test: &str) -> (tempfile::TempDir, Problem) {
    let folder = tempfile::tempdir().unwrap();
    let tests = folder.path().join("tests");
    fs::create_dir(&tests).unwrap();
    for name in ["conftest.py", "stock_helpers.py"] {
        fs::copy(fixture("stock/tests").join(name), tests.join(name)).unwrap();
    }
    fs::write(tests.join("test_checkpoint_1.py"), test).unwrap();
    let mut problem = stock();
    problem.root = folder.path().to_owned();
    problem.checkpoints.truncate(1);
    (folder, problem)
}

fn pytest_runner_that_dies_is_infrastructure() {
    let (_folder, problem) = stock_with(
        "import os, pytest\ndef test_a(): pass\ndef test_b(): os._exit(0)\ndef test_c(): pass\n",
    );
    let verdict = program(&problem, 1, "", &calm());
    assert_eq!(verdict.state, State::Infrastructure, "{verdict:#?}");
    assert!(
        verdict.reason.as_deref().unwrap().contains("ended early"),
        "{verdict:#?}"
    );
    assert_eq!(
        [outcome(&verdict, "test_a"), outcome(&verdict, "test_b")],
        [Outcome::Passed, Outcome::Missing]
    );

    let (_folder, problem) = stock_with("import pytest\ndef test_a(): pytest.exit('enough')\n");
    let verdict = program(&problem, 1, "", &calm());
    assert!(
        verdict.reason.as_deref().unwrap().contains("status 2"),
        "{verdict:#?}"
    );

    let (_folder, problem) = stock_with("import nothing_of_this_name\n");
    let workspace = tempfile::tempdir().unwrap();
    let why = support::grade(&problem, 1, workspace.path(), &calm()).unwrap_err();
    assert!(
        matches!(&why, Error::Collect { .. }) && why.to_string().contains("nothing_of_this_name"),
        "{why}"
    );
}

/// Reads what the program has written in several ways, and compares it with data of the tests.
const READS_FILES: &str = r#"
import os, pytest, shutil
from stock_helpers import run

def through_a_copy(path):
    return shutil.copy(path, path.with_suffix(".copy")).read_bytes()

def by_descriptor(path):
    return os.read(os.open(bytes(path), os.O_RDONLY), 1000)

def from_a_folder(path):
    return b"".join((path.parent / "folder" / name).read_bytes() for name in os.listdir(path.parent / "folder"))

WAYS = [lambda path: path.read_bytes(), through_a_copy, by_descriptor, from_a_folder]

@pytest.mark.parametrize("way", range(4))
def test_it_is_written(entrypoint_argv, tmp_path, data, way):
    assert run(entrypoint_argv, "write", cwd=tmp_path).returncode == 0
    assert WAYS[way](tmp_path / "out.txt") == (data / "expected.txt").read_bytes()
"#;

fn pytest_tests_follow_no_link_to_their_data() {
    let (folder, problem) = stock_with(READS_FILES);
    let data = folder.path().join("tests/data");
    fs::create_dir(&data).unwrap();
    fs::write(data.join("expected.txt"), "42").unwrap();
    let honest = "import os\nos.mkdir('folder')\nfor n in ('out.txt', 'folder/a'): open(n, 'w').write('42')\n";
    let verdict = program(&problem, 1, honest, &calm());
    assert_eq!(verdict.state, State::Passed, "{verdict:#?}");
    let own_links =
        format!("{honest}os.rename('out.txt', 'real')\nos.symlink('real', 'out.txt')\n");
    let verdict = program(&problem, 1, &own_links, &calm());
    assert_eq!(
        verdict.state,
        State::Passed,
        "links of its own may stay: {verdict:#?}"
    );
    let cheat = "import os\nos.symlink('/grader/tests/data/expected.txt', 'out.txt')\n\
                 os.symlink('/grader/tests/data', 'folder')\n";
    let verdict = program(&problem, 1, cheat, &calm());
    assert!(
        verdict.tests.iter().all(|t| t.outcome == Outcome::Failed),
        "{verdict:#?}"
    );
    assert!(message(&verdict, "test_it_is_written[0]").contains("a link leads to the tests"));
}

fn pytest_finds_the_unstable() {
    let problem = stock();
    let options = GradeOptions {
        stability: Stability::All,
        ..support::options()
    };
    let right = fs::read_to_string(solution(&problem, "right").join("stock.py")).unwrap();
    let hasty = program(&problem, 1, &format!("{HASTY}{right}"), &options);
    assert!(
        hasty.tests.iter().all(|t| t.outcome == Outcome::Unstable),
        "{hasty:#?}"
    );
    let steady = support::grade(&problem, 1, &solution(&problem, "right"), &options).unwrap();
    assert!(
        steady
            .tests
            .iter()
            .all(|t| t.repeats == [Outcome::Passed; 2]),
        "{steady:#?}"
    );
}

fn requirements_that_cannot_be_had_are_recorded() {
    let problem = tally();
    let workspace = tempfile::tempdir().unwrap();
    fs::copy(
        solution(&problem, "right").join("tally.py"),
        workspace.path().join("tally.py"),
    )
    .unwrap();
    let grade = |requirements: &str, options: &GradeOptions| {
        fs::write(workspace.path().join("requirements.txt"), requirements).unwrap();
        support::grade(&problem, 1, workspace.path(), options)
    };
    let option = grade("--index-url http://localhost/\n", &calm()).unwrap();
    assert_eq!(option.state, State::Passed, "the program needs none of it");
    assert!(
        option.grader["program_environment_failure"].contains("line 1"),
        "{:?}",
        option.grader
    );
    // A folder of wheels replaces the index; the package is not in it.
    let wheels = tempfile::tempdir().unwrap();
    let local = GradeOptions {
        offline: true,
        wheel_dir: Some(wheels.path().to_owned()),
        ..calm()
    };
    let absent = grade("no-such-package-here==1\n", &local).unwrap();
    assert!(
        absent.grader["program_environment_failure"].contains("no-such-package-here"),
        "{:?}",
        absent.grader
    );
}

fn a_python_without_ensurepip_gets_the_remedy() {
    let cache = tempfile::tempdir().unwrap();
    let mut interpreter = Interpreter::discover(None).unwrap();
    interpreter.has_ensurepip = false;
    let environments = Environments {
        interpreter: &interpreter,
        cache_dir: cache.path(),
        wheel_dir: None,
        offline: false,
        runtime: &LocalRuntime,
    };
    let target = Path::new("/opt/grader");
    let why = environments
        .ensure(target, &["pytest".to_owned()], None)
        .unwrap_err();
    assert!(
        why.to_string().contains("apt-get install python3-venv"),
        "{why}"
    );
    // An environment without packages needs none.
    let plain = environments.ensure(target, &[], None).unwrap();
    assert!(plain.tar.is_file() && plain.packages.is_empty());
    assert_eq!(environments.ensure(target, &[], None).unwrap(), plain);
}

fn environments_are_made_once_by_whoever_comes_first() {
    let cache = tempfile::tempdir().unwrap();
    let interpreter = Interpreter::discover(None).unwrap();
    let environments = Environments {
        interpreter: &interpreter,
        cache_dir: cache.path(),
        wheel_dir: None,
        offline: true,
        runtime: &LocalRuntime,
    };
    let make = || {
        environments
            .ensure(Path::new("/opt/program"), &[], None)
            .unwrap()
    };
    let made = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..3).map(|_| scope.spawn(make)).collect();
        threads
            .into_iter()
            .map(|t| t.join().unwrap())
            .collect::<Vec<_>>()
    });
    assert!(made.iter().all(|m| m == &made[0]), "{made:?}");
    let names = fs::read_dir(cache.path().join("environments")).unwrap();
    let mut kinds: Vec<_> = names
        .map(|e| e.unwrap().path().extension().unwrap().to_owned())
        .collect();
    kinds.sort();
    assert_eq!(kinds, ["json", "lock", "tar"]);
}

fn offline_without_packages_says_so() {
    let problem = stock();
    let cache = tempfile::tempdir().unwrap();
    let options = GradeOptions {
        offline: true,
        ..GradeOptions::new(cache.path().to_owned())
    };
    let why = support::grade(&problem, 1, &solution(&problem, "right"), &options).unwrap_err();
    assert!(
        matches!(why, Error::Offline { .. }) && why.to_string().contains("--wheels"),
        "{why}"
    );
    let left: Vec<_> = fs::read_dir(cache.path().join("environments"))
        .unwrap()
        .map(|e| e.unwrap().file_name())
        .collect();
    assert!(
        left.iter().all(|n| n.to_string_lossy().ends_with(".lock")),
        "{left:?}"
    );
}
