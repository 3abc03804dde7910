//! Limits of programs, as verdicts name them.

use slope_model::verdict::State;
use slope_suite::GradeOptions;

use super::{calm, program, stock, tally};

/// Notes on limits in the verdict of a failing program.
fn limit_reached(source: &str, options: &GradeOptions) -> Vec<String> {
    let problem = tally();
    let verdict = program(&problem, 1, source, options);
    assert_eq!(verdict.state, State::Failed, "{verdict:#?}");
    let notes = verdict.integrity.iter();
    let notes = notes.filter(|note| note.kind == "limit-reached");
    notes.map(|note| note.text.clone()).collect()
}

pub(crate) fn verdicts_name_limits_that_programs_reached() {
    let small = GradeOptions {
        disk: 64 << 20,
        ..calm()
    };
    let fill = "f = open('/tmp/big', 'wb')\nwhile True: f.write(bytes(1 << 20))";
    assert_eq!(
        limit_reached(fill, &small),
        ["a program reached its limit of 64 MiB of files"]
    );
    let hog = "keep = []\nwhile True: keep.append(b'x' * (64 << 20))";
    assert_eq!(
        limit_reached(hog, &calm()),
        ["a program reached its limit of 2 GiB of memory"]
    );
    let chatter = "print('x' * (40 << 20))";
    assert_eq!(
        limit_reached(chatter, &calm()),
        ["a program reached its limit of 32 MiB of output"]
    );
    let forks = "import os, time\nwhile True:\n    if os.fork() == 0:\n        time.sleep(60)";
    assert_eq!(
        limit_reached(forks, &calm()),
        ["a program reached its limit of 256 processes"]
    );
    let shared = "f = open('/dev/shm/big', 'wb')\nwhile True: f.write(bytes(1 << 20))";
    assert_eq!(
        limit_reached(shared, &calm()),
        ["a program reached its limit of 256 MiB in /dev/shm"]
    );
    let open = "import time\nkeep = []\ntry:\n    while True: keep.append(open('/dev/null'))\n\
                except OSError:\n    time.sleep(1)\n    raise";
    assert_eq!(
        limit_reached(open, &calm()),
        ["a program reached its limit of 8192 open files of a process"]
    );
    let many = "i = 0\nwhile True:\n    open(f'/tmp/{i}', 'wb').write(bytes(1 << 20))\n    i += 1";
    assert_eq!(
        limit_reached(many, &small),
        ["a program reached its limit of 64 MiB of files"]
    );
    let files = "i = 0\nwhile True:\n    open(f'/tmp/{i}', 'w').close()\n    i += 1";
    assert_eq!(
        limit_reached(files, &small),
        ["a program reached its limit of 64 MiB of files"]
    );
    let plain = "raise SystemExit(3)";
    assert_eq!(limit_reached(plain, &calm()), Vec::<String>::new());
}

pub(crate) fn pytest_verdicts_name_limits_with_tests() {
    let problem = stock();
    let hog = "keep = []\nwhile True: keep.append(b'x' * (64 << 20))";
    let verdict = program(&problem, 1, hog, &calm());
    let note = verdict
        .integrity
        .iter()
        .find(|note| note.kind == "limit-reached");
    let note = note.unwrap_or_else(|| panic!("{verdict:#?}"));
    assert_eq!(note.text, "a program reached its limit of 2 GiB of memory");
    assert!(
        note.evidence.iter().any(|test| test.contains("::test_")),
        "{note:?}"
    );
}
