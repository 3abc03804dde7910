//! The runner inside the sandbox: a function of the running binary.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use slope_model::cases::Step;
use slope_model::verdict::Outcome;

use super::files::CaseFolder;
use super::program::{Start, run};
use super::{Line, Payload, Task, check, stalls};

/// Runs all cases of `payload` and tells about each on standard output, one JSON object a line.
///
/// The exit code is 0 when every case was reported, whatever became of it.
pub(super) fn main(payload: &str) -> i32 {
    match serde_json::from_str::<Payload>(payload)
        .map_err(io::Error::other)
        .and_then(|p| run_all(&p))
    {
        Ok(()) => 0,
        Err(why) => {
            let _ = writeln!(io::stderr(), "{why}");
            1
        }
    }
}

fn run_all(payload: &Payload) -> io::Result<()> {
    fs::create_dir_all(&payload.folder)?;
    let (next, done, told) = (
        AtomicUsize::new(0),
        AtomicBool::new(false),
        Mutex::new(Ok(())),
    );
    thread::scope(|scope| {
        if let Some(rhythm) = payload.stalls {
            let done = &done;
            scope.spawn(move || stalls::keep(rhythm, done));
        }
        let work = || {
            while let Some(task) = payload.tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
                let line = judge(payload, task);
                let mut told = told
                    .lock()
                    .unwrap_or_else(std::sync::PoisonError::into_inner);
                if told.is_ok() {
                    *told = tell(&line);
                }
            }
        };
        let workers: Vec<_> = (0..payload.workers).map(|_| scope.spawn(work)).collect();
        for worker in workers {
            let _ = worker.join();
        }
        done.store(true, Ordering::Relaxed);
    });
    told.into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner)?;
    tell(&Line::End {
        count: payload.tasks.len(),
    })
}

fn tell(line: &Line) -> io::Result<()> {
    let mut text = serde_json::to_vec(line).map_err(io::Error::other)?;
    text.push(b'\n');
    let mut stdout = io::stdout().lock();
    stdout.write_all(&text)?;
    stdout.flush()
}

fn judge(payload: &Payload, task: &Task) -> Line {
    let began = Instant::now();
    let (outcome, message) = match steps(payload, task) {
        Ok(()) => (Outcome::Passed, None),
        Err((outcome, why)) => (outcome, Some(why)),
    };
    Line::Case {
        key: task.key.clone(),
        outcome,
        duration_s: began.elapsed().as_secs_f64(),
        message,
    }
}

/// Runs a case's steps in a folder of its own.
fn steps(payload: &Payload, task: &Task) -> Result<(), (Outcome, String)> {
    let broken = |why: io::Error| (Outcome::Error, format!("the case could not be run: {why}"));
    let folder = CaseFolder::create(&payload.folder, &task.case.files).map_err(broken)?;
    let several = task.case.steps.len() > 1;
    let result = task
        .case
        .steps
        .iter()
        .enumerate()
        .try_for_each(|(number, step)| {
            let named = |why: String| {
                if several {
                    format!("step {}: {why}", number + 1)
                } else {
                    why
                }
            };
            one_step(payload, task, step, &folder).map_err(|(outcome, why)| (outcome, named(why)))
        });
    // Whatever cannot be removed goes with the sandbox.
    let _ = fs::remove_dir_all(folder.path());
    result
}

fn one_step(
    payload: &Payload,
    task: &Task,
    step: &Step,
    folder: &CaseFolder,
) -> Result<(), (Outcome, String)> {
    let env: BTreeMap<&str, &str> = payload
        .env
        .iter()
        .chain(&step.env)
        .map(|(k, v)| (k.as_str(), v.as_str()))
        .collect();
    let ran = run(&Start {
        command: &payload.command,
        args: &step.args,
        env,
        folder: folder.path(),
        stdin: step.stdin.as_deref().unwrap_or(""),
        limit: Duration::from_secs_f64(task.timeout_s),
    });
    let ran = ran.map_err(|why| {
        (
            Outcome::Error,
            format!("the program could not be started: {why}"),
        )
    })?;
    if ran.timed_out {
        return Err((
            Outcome::Timeout,
            format!("no end within {} s", task.timeout_s),
        ));
    }
    check::step(&step.expect, &ran, folder).map_err(|why| (Outcome::Failed, why))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn outcome(case: serde_json::Value, command: &[&str]) -> (Outcome, Option<String>) {
        let folder = tempfile::tempdir().unwrap();
        let payload = Payload {
            command: command.iter().map(|c| (*c).to_owned()).collect(),
            env: BTreeMap::from([("PATH".to_owned(), "/usr/bin:/bin".to_owned())]),
            folder: folder.path().to_owned(),
            workers: 1,
            stalls: None,
            tasks: Vec::new(),
        };
        let task = Task {
            key: "k".to_owned(),
            case: serde_json::from_value(case).unwrap(),
            timeout_s: 1.0,
        };
        match judge(&payload, &task) {
            Line::Case {
                outcome, message, ..
            } => (outcome, message),
            Line::End { .. } => unreachable!(),
        }
    }

    #[test]
    fn steps_share_a_folder_and_the_first_that_fails_is_named() {
        let case = json!({"id": "a", "group": "core", "files": {"in.txt": "x\n"}, "steps": [
            {"args": ["cat in.txt > out.txt; echo $WHO"], "env": {"WHO": "me"}, "expect": {
                "stdout": {"equals": "me"}, "files": {"out.txt": {"text": {"equals": "x"}}, "no": "absent"}}},
            {"args": ["cat out.txt; cat; exit 4"], "stdin": "in", "expect": {"exit": 4, "stdout": {"equals": "x\nin"}}},
        ]});
        assert_eq!(
            outcome(case.clone(), &["/bin/sh", "-c"]),
            (Outcome::Passed, None)
        );
        let mut wrong = case;
        wrong["steps"][1]["expect"]["exit"] = json!(5);
        let (got, why) = outcome(wrong, &["/bin/sh", "-c"]);
        assert_eq!(
            (got, why.as_deref()),
            (
                Outcome::Failed,
                Some("step 2: exit code: expected 5, got 4")
            )
        );
    }

    #[test]
    fn a_program_without_end_times_out() {
        let case = json!({"id": "a", "group": "core", "steps": [{"args": ["exec sleep 60"]}]});
        assert_eq!(outcome(case, &["/bin/sh", "-c"]).0, Outcome::Timeout);
    }
}
