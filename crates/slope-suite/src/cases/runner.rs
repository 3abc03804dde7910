//! The runner inside the sandbox: a function of the running binary.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use slope_model::cases::Case;
use slope_model::verdict::Outcome;

use super::files::CaseFolder;
use super::generated::Input;
use super::payload::{Line, Payload, Task};
use super::steps::Performance;
use super::{calibrate, generated, stalls};

/// Runs all cases of `payload` and reports each on standard output, one JSON object per line.
///
/// The exit code is 0 if every case was reported, passed or not.
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
    // Before anything of the program runs, which could make the machine slow.
    let start_s = calibrate::measure(payload);
    tell(&Line::Begin { start_s })?;
    let (next, done, told) = (
        AtomicUsize::new(0),
        AtomicBool::new(false),
        Mutex::new(Ok(())),
    );
    let stopped = AtomicBool::new(false);
    thread::scope(|scope| {
        if let Some(rhythm) = payload.stalls {
            let done = &done;
            scope.spawn(move || stalls::keep(rhythm, done));
        }
        let work = || {
            while let Some(task) = payload.tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
                let line = if stopped.load(Ordering::Relaxed) {
                    skipped(task)
                } else {
                    judge(payload, task, start_s)
                };
                if payload.stop_at_failure && !passed(&line) {
                    stopped.store(true, Ordering::Relaxed);
                }
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
    let cpu = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    tell(&Line::End {
        count: payload.tasks.len(),
        cpu_s: Duration::try_from(cpu).map_or(0.0, |cpu| cpu.as_secs_f64()),
    })
}

fn tell(line: &Line) -> io::Result<()> {
    let mut text = serde_json::to_vec(line).map_err(io::Error::other)?;
    text.push(b'\n');
    let mut stdout = io::stdout().lock();
    stdout.write_all(&text)?;
    stdout.flush()
}

/// Outcome and reason of a case that did not pass.
#[derive(Debug)]
pub(super) struct Fault {
    outcome: Outcome,
    why: String,
}

impl Fault {
    pub(super) fn new(outcome: Outcome, why: String) -> Self {
        Self { outcome, why }
    }

    /// The program did not behave as expected.
    pub(super) fn failed(why: String) -> Self {
        Self::new(Outcome::Failed, why)
    }

    /// A time limit was exceeded.
    pub(super) fn timeout(why: String) -> Self {
        Self::new(Outcome::Timeout, why)
    }

    /// The case itself or the runner is at fault.
    pub(super) fn error(why: String) -> Self {
        Self::new(Outcome::Error, why)
    }

    /// The same with the seed that it happened with.
    pub(super) fn of_seed(self, seed: u64) -> Self {
        let why = format!("seed {seed}: {}", self.why);
        Self { why, ..self }
    }

    /// Adds the number of the step, if there are several.
    pub(super) fn at(self, number: usize, steps: usize) -> Self {
        if steps > 1 {
            let why = format!("step {number}: {}", self.why);
            return Self { why, ..self };
        }
        self
    }
}

fn passed(line: &Line) -> bool {
    matches!(line, Line::Case { outcome, .. } if *outcome == Outcome::Passed)
}

/// The report of a case that was not run.
fn skipped(task: &Task) -> Line {
    Line::Case {
        key: task.key.clone(),
        outcome: Outcome::Skipped,
        duration_s: 0.0,
        message: Some("not run: another case had failed before".to_owned()),
        inputs: BTreeMap::new(),
    }
}

fn judge(payload: &Payload, task: &Task, start_s: Option<f64>) -> Line {
    let began = Instant::now();
    let stretch = payload.stretch * calibrate::stretch(start_s, task.reference_s);
    let mut inputs = BTreeMap::new();
    let work = Work {
        payload,
        task,
        stretch,
    };
    let (outcome, message) = match work.perform(&mut inputs) {
        Ok(()) => (Outcome::Passed, None),
        Err(fault) => (fault.outcome, Some(fault.why)),
    };
    Line::Case {
        key: task.key.clone(),
        outcome,
        duration_s: began.elapsed().as_secs_f64(),
        message,
        inputs,
    }
}

/// One case to be carried out.
struct Work<'a> {
    payload: &'a Payload,
    task: &'a Task,
    stretch: f64,
}

impl Work<'_> {
    fn limit(&self) -> Duration {
        Duration::from_secs_f64(self.task.timeout_s * self.stretch)
    }

    /// Runs the case once, or once per seed; records the inputs used.
    fn perform(&self, inputs: &mut BTreeMap<String, String>) -> Result<(), Fault> {
        let case = &self.task.case;
        let Some(generate) = &case.generate else {
            return self.once(case, None);
        };
        let mut twice = true;
        for seed in generate.all_seeds() {
            let (payload, limit) = (self.payload, self.limit());
            let input = generated::input(payload, case, generate, seed, twice, limit)?;
            twice = false;
            inputs.insert(seed.to_string(), input.hash.clone());
            let done = self.once(&input.case, Some(&input));
            done.map_err(|fault| fault.of_seed(seed))?;
        }
        Ok(())
    }

    /// Carries a case out in a folder of its own.
    fn once(&self, case: &Case, input: Option<&Input>) -> Result<(), Fault> {
        let broken = |why: io::Error| Fault::error(format!("the case could not be run: {why}"));
        let folder = CaseFolder::create(&self.payload.folder).map_err(broken)?;
        let done = self.in_folder(case, input, &folder);
        // Files that cannot be removed are deleted with the sandbox.
        let _ = fs::remove_dir_all(folder.path());
        done
    }

    fn in_folder(
        &self,
        case: &Case,
        input: Option<&Input>,
        folder: &CaseFolder,
    ) -> Result<(), Fault> {
        let key = &self.task.key;
        let (limit, stretch) = (self.limit(), self.stretch);
        let mut performance = Performance::new(self.payload, key, case, folder, limit, stretch)?;
        performance.perform(&case.steps)?;
        let deeds = performance.close();
        let Some(check) = &case.check else {
            return Ok(());
        };
        generated::judge(self.payload, check, input, &deeds, folder, self.limit())
    }
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
            stretch: 1.0,
            calibration: Vec::new(),
            python: "python3".to_owned(),
            programs: folder.path().to_owned(),
            stop_at_failure: false,
            tasks: Vec::new(),
        };
        let task = Task {
            key: "k".to_owned(),
            case: serde_json::from_value(case).unwrap(),
            timeout_s: 1.0,
            reference_s: None,
        };
        match judge(&payload, &task, None) {
            Line::Case {
                outcome, message, ..
            } => (outcome, message),
            Line::Begin { .. } | Line::End { .. } => unreachable!(),
        }
    }

    #[test]
    fn steps_share_folder_failing_step_named() {
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
    fn endless_program_times_out() {
        let case = json!({"id": "a", "group": "core", "steps": [{"args": ["exec sleep 60"]}]});
        assert_eq!(outcome(case, &["/bin/sh", "-c"]).0, Outcome::Timeout);
    }
}
