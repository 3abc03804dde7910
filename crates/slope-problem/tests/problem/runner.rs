//! Runs cases as plain child processes: no sandbox, for trusted programs only.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use regex::RegexBuilder;
use slope_model::cases::{Case, FileExpect, Step, TextExpect};

/// The interpreter itself, past any launcher before it.
pub(crate) fn python() -> Option<PathBuf> {
    let output = Command::new("python3")
        .args(["-c", "import sys; print(sys.executable)"])
        .output()
        .ok()?;
    let path = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim());
    path.is_file().then_some(path)
}

/// Whether the case is one of those that this runner knows: runs of a program, and texts compared as a whole.
/// The others are run by the grader only (`slope problem gate`).
pub(crate) fn knows(case: &Case) -> bool {
    let step = |step: &Step| {
        let whole = Step {
            args: step.args.clone(),
            stdin: step.stdin.clone(),
            env: step.env.clone(),
            expect: step.expect.clone(),
            ..Step::default()
        };
        let files = step.expect.files.values();
        let of_files = files.filter_map(|file| match file {
            FileExpect::Text(text) => Some(&**text),
            FileExpect::Absent | FileExpect::Bytes(_) => None,
        });
        let streams = step.expect.stdout.iter().chain(&step.expect.stderr);
        whole == *step && streams.chain(of_files).all(knows_text)
    };
    let made = case.generate.is_some() || case.check.is_some() || !case.bytes.is_empty();
    !made && !case.needs_service() && case.steps.iter().all(step)
}

fn knows_text(text: &TextExpect) -> bool {
    let known = TextExpect {
        equals: text.equals.clone(),
        contains: text.contains.clone(),
        matches: text.matches.clone(),
        json: text.json.clone(),
        ..TextExpect::default()
    };
    known == *text
}

/// Runs every case against `program`; gives one line for each case that fails, in order.
pub(crate) fn run(python: &Path, program: &Path, cases: &[Case]) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let faults = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while let Some((index, case)) = claim(&next, cases) {
                    if let Err(fault) = run_case(python, program, case) {
                        faults
                            .lock()
                            .unwrap()
                            .push((index, format!("{}: {fault}", case.id)));
                    }
                }
            });
        }
    });
    let mut faults = faults.into_inner().unwrap();
    faults.sort();
    faults.into_iter().map(|(_, fault)| fault).collect()
}

fn claim<'a>(next: &AtomicUsize, cases: &'a [Case]) -> Option<(usize, &'a Case)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    Some((index, cases.get(index)?))
}

fn run_case(python: &Path, program: &Path, case: &Case) -> Result<(), String> {
    let dir = tempfile::tempdir().unwrap();
    for (path, text) in &case.files {
        slope_testkit::write_file(&dir.path().join(path), text);
    }
    for (step, number) in case.steps.iter().zip(1..) {
        run_step(python, program, dir.path(), step).map_err(|e| format!("step {number}: {e}"))?;
    }
    Ok(())
}

fn run_step(python: &Path, program: &Path, dir: &Path, step: &Step) -> Result<(), String> {
    // -S: the programs need the standard library only, and site hooks take longer than they do.
    let mut child = Command::new(python)
        .arg("-S")
        .arg(program)
        .args(&step.args)
        .envs(&step.env)
        .current_dir(dir)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that reads nothing may be gone already.
    let _ = child
        .stdin
        .take()
        .unwrap()
        .write_all(step.stdin.as_deref().unwrap_or_default().as_bytes());
    let output = child.wait_with_output().unwrap();
    let (stdout, stderr) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    let wanted = step.expect.exit.unwrap_or(0);
    if output.status.code() != Some(wanted) {
        return Err(format!("{}, not {wanted}: {stdout}{stderr}", output.status));
    }
    for (expected, text) in [
        (&step.expect.stdout, &stdout),
        (&step.expect.stderr, &stderr),
    ] {
        expected.as_ref().map_or(Ok(()), |e| check_text(e, text))?;
    }
    step.expect.files.iter().try_for_each(|(path, expected)| {
        check_file(&dir.join(path), expected).map_err(|e| format!("{path}: {e}"))
    })
}

fn check_file(path: &Path, expected: &FileExpect) -> Result<(), String> {
    let found = fs::read(path);
    match (expected, found) {
        (FileExpect::Absent, Err(_)) => Ok(()),
        (FileExpect::Absent, Ok(_)) => Err("is there".to_owned()),
        (_, Err(e)) => Err(e.to_string()),
        (FileExpect::Text(expected), Ok(found)) => {
            let text = String::from_utf8(found).map_err(|e| e.to_string())?;
            check_text(expected, &text)
        }
        (FileExpect::Bytes(expected), Ok(found)) if expected.0 == found => Ok(()),
        (FileExpect::Bytes(_), Ok(found)) => Err(format!("other bytes: {found:?}")),
    }
}

fn check_text(expected: &TextExpect, text: &str) -> Result<(), String> {
    let equal = expected
        .equals
        .as_ref()
        .is_none_or(|e| e.trim_end() == text.trim_end());
    let contained = expected.contains.iter().all(|c| text.contains(c));
    let matched = expected.matches.as_ref().is_none_or(|p| {
        RegexBuilder::new(p)
            .multi_line(true)
            .build()
            .unwrap()
            .is_match(text)
    });
    let same_json = expected
        .json
        .as_ref()
        .is_none_or(|j| serde_json::from_str::<serde_json::Value>(text).is_ok_and(|v| v == *j));
    if equal && contained && matched && same_json {
        Ok(())
    } else {
        Err(format!("{text:?} is not {expected:?}"))
    }
}
