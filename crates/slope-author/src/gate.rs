//! Acceptance check of a problem: its answers pass, wrong ones fail, and its cases detect changes.

mod apart;
mod goals;
mod sample;
mod wrong;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;
use slope_model::problem::{Checkpoint, Group, Problem};
use slope_model::verdict::{Outcome, TestResult};
use slope_problem::{Level, reference_solution};
use slope_suite::{Listed, Rehearsal, Wanted};

pub use apart::apart;
pub use sample::Sample;

use crate::Error;
use crate::mutate::{self, Control, Mutated};
use crate::ranking::{self, Ranked};
use crate::stage::{self, Lineage, Stage};
use crate::workspace::Workspace;

/// Version of the JSON form of [`Gated`].
pub const SCHEMA: &str = "slope.gate-of-problem/1";

/// Thoroughness of the checks.
#[derive(Debug, Clone)]
pub struct Asked {
    /// Number of runs of the reference solutions on an idle machine. There is one more run under
    /// CPU load.
    pub repeat: u32,
    /// Mutants of each checkpoint, and options for running them; `None` for none.
    pub mutants: Option<mutate::Asked>,
    /// The form for continuous integration; `None` to look at everything.
    pub sample: Option<Sample>,
}

/// Results for a problem.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Gated {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// Problem.
    pub problem: String,
    /// Seed of the checked variant. Absent if the folder itself was checked.
    pub variant: Option<u64>,
    /// Folder; that of the published form if this is a variant.
    pub folder: PathBuf,
    /// Whether all checks passed.
    pub passed: bool,
    /// Checks, in this order: texts, lineages, stubs and wrong solutions, mutants, ranking.
    pub checks: Vec<Check>,
    /// Mutants by checkpoint.
    pub mutation: Vec<Mutated>,
    /// Metrics of the two lineages; absent if there is only one.
    pub ranking: Option<Vec<Ranked>>,
}

/// One check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Check {
    /// The check: `lint`, `passes`, `passes under load`, `stubs fail`, `wrong fails`, `mutants`, `ranking`, of a variant
    /// `published fails`, and of a refactoring `untouched fails`, `goals` and `goals under load`.
    pub name: &'static str,
    /// Subject: a lineage, a stub, a checkpoint; empty for the whole problem.
    pub of: String,
    /// The faults, one line each; empty if it passes.
    pub faults: Vec<String>,
    /// Reason that the check was skipped, if it was. This is not a failure.
    pub left_out: Option<String>,
}

/// Gets a description of the current check.
pub type Observer<'a> = &'a (dyn Fn(&str) + Sync);

/// A program that is wrong, and that no core case may pass.
struct Stub {
    name: &'static str,
    /// Its text; `None` for no program at all.
    program: Option<&'static str>,
}

/// Trivially wrong answers.
const STUBS: [Stub; 4] = [
    Stub {
        name: "nop",
        program: None,
    },
    Stub {
        name: "crash",
        program: Some("raise SystemExit(1)\n"),
    },
    Stub {
        name: "silent",
        program: Some(""),
    },
    Stub {
        name: "echo",
        program: Some("import sys\nprint(*sys.argv[1:])\nsys.stdout.write(sys.stdin.read())\n"),
    },
];

/// Time limit for a step of a stub, in seconds: a program that waits forever has failed long before
/// its case's limit.
const STUB_LIMIT_S: f64 = 10.0;

/// Checks a problem.
///
/// # Errors
/// If a folder cannot be read, the sandbox fails, or `stop` was set. Faults of the problem are in
/// the result.
pub fn run(
    stage: &Stage<'_>,
    problem: &Problem,
    asked: &Asked,
    observer: Observer<'_>,
    stop: &AtomicBool,
) -> Result<Gated, Error> {
    let gate = Gate {
        stage: *stage,
        problem,
        asked,
        observer,
        stop,
    };
    let mut checks = vec![gate.lint()?];
    for lineage in Lineage::all(problem) {
        gate.lineage(&lineage, &mut checks)?;
    }
    for checkpoint in problem.checkpoints.iter().filter(|c| c.goals.is_none()) {
        gate.stubs(checkpoint, &mut checks)?;
        checks.extend(gate.wrong(checkpoint)?);
    }
    gate.goals(&mut checks)?;
    let mutation = gate.mutants(&mut checks)?;
    let ranking = ranking::rank(problem)?;
    checks.push(ranked(ranking.as_deref()));
    Ok(Gated {
        schema: SCHEMA,
        problem: problem.name.clone(),
        variant: None,
        folder: problem.root.clone(),
        passed: checks.iter().all(|check| check.faults.is_empty()),
        checks,
        mutation,
        ranking,
    })
}

/// Runs the reference solutions in the language of the stage, for which `problem` was loaded.
///
/// # Errors
/// As for [`run`].
pub fn solutions(
    stage: &Stage<'_>,
    problem: &Problem,
    asked: &Asked,
    observer: Observer<'_>,
    stop: &AtomicBool,
) -> Result<Vec<Check>, Error> {
    let gate = Gate {
        stage: *stage,
        problem,
        asked,
        observer,
        stop,
    };
    let track = stage.options.track;
    let lineage = Lineage {
        name: track.name(),
        folder: problem.root.join(track.solutions()),
    };
    let mut checks = Vec::new();
    gate.lineage(&lineage, &mut checks)?;
    gate.goals(&mut checks)?;
    Ok(checks)
}

impl Gated {
    /// Adds the checks of solutions in another language.
    pub fn add(&mut self, checks: Vec<Check>) {
        self.passed &= checks.iter().all(|check| check.faults.is_empty());
        self.checks.extend(checks);
    }
}

fn ranked(ranking: Option<&[Ranked]>) -> Check {
    let wrong = ranking.iter().copied().flatten().filter(|r| !r.holds());
    Check {
        name: "ranking",
        of: String::new(),
        faults: wrong
            .map(|r| {
                format!(
                    "{} does not rank the lineages: tidy {:?}, sloppy {:?}",
                    r.metric, r.tidy, r.sloppy
                )
            })
            .collect(),
        left_out: ranking
            .is_none()
            .then(|| "the problem has no folder sloppy/".to_owned()),
    }
}

struct Gate<'a> {
    stage: Stage<'a>,
    problem: &'a Problem,
    asked: &'a Asked,
    observer: Observer<'a>,
    stop: &'a AtomicBool,
}

impl Gate<'_> {
    fn lint(&self) -> Result<Check, Error> {
        let lints = slope_problem::lint(&self.problem.root)?;
        let errors = lints.into_iter().filter(|l| l.level == Level::Error);
        let told = |l: slope_problem::Lint| {
            let line = l.line.map_or_else(String::new, |line| format!(":{line}"));
            format!("{}{line}: {}: {}", l.path.display(), l.rule, l.text)
        };
        Ok(Check {
            name: "lint",
            of: String::new(),
            faults: errors.map(told).collect(),
            left_out: None,
        })
    }

    fn is_last(&self, checkpoint: &Checkpoint) -> bool {
        checkpoint.index as usize == self.problem.checkpoints.len()
    }

    fn lineage(&self, lineage: &Lineage, checks: &mut Vec<Check>) -> Result<(), Error> {
        let mut calm = BTreeSet::new();
        let mut loaded = BTreeSet::new();
        for checkpoint in &self.problem.checkpoints {
            let workspace = lineage.workspace(checkpoint)?;
            let rehearsal = self.stage.rehearsal(self.problem, checkpoint.index)?;
            let workers = self.stage.options.workers;
            let run = |what: &str| {
                let what = format!("{}, {}, {what}", lineage.name, checkpoint.name);
                self.say(&what)?;
                let wanted = self.wanted(&rehearsal, checkpoint, &what, |_| true);
                stage::play(&rehearsal, &workspace, &wanted, workers, false)
            };
            for number in 1..=self.asked.repeat {
                let results = run(&format!("run {number} of {}", self.asked.repeat))?;
                calm.extend(faults(checkpoint, &results));
            }
            if self.asked.sample.is_none() || self.is_last(checkpoint) {
                let results = burning(|| run("under load"))?;
                loaded.extend(faults(checkpoint, &results));
            }
        }
        for (name, faults) in [("passes", calm), ("passes under load", loaded)] {
            checks.push(Check {
                name,
                of: lineage.name.to_owned(),
                faults: faults.into_iter().collect(),
                left_out: None,
            });
        }
        Ok(())
    }

    /// Stubs, and the solution before: each fails the core cases of this checkpoint.
    fn stubs(&self, checkpoint: &Checkpoint, checks: &mut Vec<Check>) -> Result<(), Error> {
        self.say(&format!("stubs, {}", checkpoint.name))?;
        let rehearsal = self.stage.rehearsal(self.problem, checkpoint.index)?;
        let mut core = self.wanted(&rehearsal, checkpoint, "stubs", |case| {
            case.group == Group::Core
        });
        for case in &mut core {
            case.at_most_s = Some(STUB_LIMIT_S);
        }
        let mut faults = Vec::new();
        for stub in self.chosen_stubs(checkpoint) {
            let workspace = stub.program.map_or_else(Workspace::default, |text| {
                Workspace::of_file(&self.problem.entry_file, text)
            });
            let passed = self.passed(&rehearsal, &workspace, &core)?;
            faults.extend(
                passed
                    .iter()
                    .map(|id| format!("{} passes core case {id}", stub.name)),
            );
        }
        let mut earlier = self.problem.checkpoints.iter();
        let previous = earlier.find(|c| c.index + 1 == checkpoint.index);
        if let Some((previous, lineage)) = previous.zip(Lineage::all(self.problem).first()) {
            let passed = self.passed(&rehearsal, &lineage.workspace(previous)?, &core)?;
            faults.extend(
                passed
                    .iter()
                    .map(|id| format!("the solution of {} passes core case {id}", previous.name)),
            );
        }
        checks.push(Check {
            name: "stubs fail",
            of: checkpoint.name.clone(),
            faults,
            left_out: core.is_empty().then(|| "there is no core case".to_owned()),
        });
        Ok(())
    }

    /// Wrong solutions of the author: each fails a core case. `None` if there are none.
    fn wrong(&self, checkpoint: &Checkpoint) -> Result<Option<Check>, Error> {
        let solutions = wrong::for_checkpoint(self.problem, checkpoint)?;
        if solutions.is_empty() {
            return Ok(None);
        }
        let rehearsal = self.stage.rehearsal(self.problem, checkpoint.index)?;
        // All core cases, also in a sample: each fault is found by few of them.
        let core = rehearsal.cases().filter(|case| case.group == Group::Core);
        let core: Vec<_> = core
            .map(|case| Wanted {
                key: case.key,
                at_most_s: Some(STUB_LIMIT_S),
            })
            .collect();
        let workers = self.stage.options.workers;
        let mut faults = Vec::new();
        for (name, folder) in solutions {
            self.say(&format!("wrong solution {name}, {}", checkpoint.name))?;
            let workspace = Workspace::read(&folder)?;
            let results = stage::play(&rehearsal, &workspace, &core, workers, true)?;
            if results.iter().all(|r| r.outcome == Outcome::Passed) {
                faults.push(format!("{name} passes every core case"));
            }
        }
        Ok(Some(Check {
            name: "wrong fails",
            of: checkpoint.name.clone(),
            faults,
            left_out: None,
        }))
    }

    /// All stubs; in a sample, alternating ones, one per checkpoint.
    fn chosen_stubs(&self, checkpoint: &Checkpoint) -> impl Iterator<Item = &'static Stub> {
        let only = self
            .asked
            .sample
            .map(|_| checkpoint.index as usize % STUBS.len());
        let stubs = STUBS.iter().enumerate();
        stubs
            .filter(move |(number, _)| only.is_none_or(|only| only == *number))
            .map(|(_, stub)| stub)
    }

    /// Ids of the cases that a workspace passes.
    fn passed(
        &self,
        rehearsal: &Rehearsal<'_>,
        workspace: &Workspace,
        wanted: &[Wanted],
    ) -> Result<Vec<String>, Error> {
        let workers = self.stage.options.workers;
        let results = stage::play(rehearsal, workspace, wanted, workers, false)?;
        let passed = results.into_iter().filter(|r| r.outcome == Outcome::Passed);
        Ok(passed.map(|r| r.id).collect())
    }

    fn mutants(&self, checks: &mut Vec<Check>) -> Result<Vec<Mutated>, Error> {
        let Some(asked) = &self.asked.mutants else {
            return Ok(Vec::new());
        };
        let mut all = Vec::new();
        for checkpoint in &self.problem.checkpoints {
            if self.asked.sample.is_some() && !self.is_last(checkpoint) {
                continue;
            }
            let is_in_python = reference_solution(self.problem, &checkpoint.name).is_some();
            if checkpoint.goals.is_some() && !is_in_python {
                checks.push(without_mutants(checkpoint));
                continue;
            }
            self.say(&format!("mutants, {}", checkpoint.name))?;
            let control = Control {
                progress: &|_| {},
                stop: self.stop,
            };
            let mutated = mutate::run(&self.stage, self.problem, checkpoint, asked, &control)?;
            checks.push(of_mutants(&mutated, self.asked.sample.is_some()));
            all.push(mutated);
        }
        Ok(all)
    }

    /// The cases of a run: those that satisfy `holds`, or the requested number of them.
    fn wanted(
        &self,
        rehearsal: &Rehearsal<'_>,
        checkpoint: &Checkpoint,
        run: &str,
        holds: impl Fn(&Listed) -> bool,
    ) -> Vec<Wanted> {
        let mut cases: Vec<Listed> = rehearsal.cases().filter(holds).collect();
        if let Some(sample) = &self.asked.sample {
            sample.draw(&mut cases, &checkpoint.name, run);
        }
        let wanted = cases.into_iter().map(|case| Wanted {
            key: case.key,
            at_most_s: None,
        });
        wanted.collect()
    }

    /// Reports the next check; fails if the gate was interrupted.
    fn say(&self, what: &str) -> Result<(), Error> {
        if self.stop.load(Ordering::Relaxed) {
            let why = format!("{}: interrupted before {what}", self.problem.name);
            return Err(Error::Request(why));
        }
        (self.observer)(&format!("{}: {what}", self.problem.name));
        Ok(())
    }
}

/// The check of a checkpoint that has solutions in other languages only.
fn without_mutants(checkpoint: &Checkpoint) -> Check {
    Check {
        name: "mutants",
        of: checkpoint.name.clone(),
        faults: Vec::new(),
        left_out: Some("slope changes only Python".to_owned()),
    }
}

fn of_mutants(mutated: &Mutated, sampled: bool) -> Check {
    let enough = if sampled {
        mutated.may_be_enough()
    } else {
        mutated.is_enough()
    };
    let few = format!(
        "{} of {} mutants killed, {:.0} % wanted; see `slope problem mutate --checkpoint`",
        mutated.killed,
        mutated.total,
        mutate::THRESHOLD * 100.0
    );
    Check {
        name: "mutants",
        of: mutated.checkpoint.clone(),
        faults: (!enough).then_some(few).into_iter().collect(),
        left_out: None,
    }
}

fn faults(checkpoint: &Checkpoint, results: &[TestResult]) -> Vec<String> {
    let failed = results.iter().filter(|r| r.outcome != Outcome::Passed);
    let told = |r: &TestResult| {
        let why = r.message.as_deref().and_then(|m| m.lines().next());
        let why = why.unwrap_or(r.outcome.name());
        format!("{}: {}::{}: {why}", checkpoint.name, r.checkpoint, r.id)
    };
    failed.map(told).collect()
}

/// Runs `work` while two threads per processor keep it busy.
fn burning<T>(work: impl FnOnce() -> T) -> T {
    /// Ends the threads, also where the work panics.
    struct Done<'a>(&'a AtomicBool);
    impl Drop for Done<'_> {
        fn drop(&mut self) {
            self.0.store(true, Ordering::Relaxed);
        }
    }
    let count = 2 * std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..count {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let _done = Done(&done);
        work()
    })
}
