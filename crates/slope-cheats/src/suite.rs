//! Runs attacks in parallel.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use serde::Serialize;
use slope_bench::machine::Machine;
use slope_model::problem::Problem;
use slope_model::verdict::{State, Verdict};
use slope_problem::LoadOptions;

use crate::agent::{self, Setting};
use crate::catalogue::{Attack, By};
use crate::program::{self, Workspace};
use crate::{Error, embedded};

/// Checkpoints of the problem.
const CHECKPOINTS: u32 = 2;

/// The result of one attack.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Finding {
    /// Name of the attack.
    pub attack: String,
    /// Attacker.
    pub by: By,
    /// Kind of the attack.
    pub class: String,
    /// The attempt, as an imperative.
    pub tries: String,
    /// Result if the attack fails.
    pub expected: String,
    /// Whether the attack failed.
    pub held: bool,
    /// Successes of the attack, as messages; empty if there are none.
    pub got_through: Vec<String>,
    /// State of the attack's last checkpoint.
    pub state: String,
    /// Entries of the attack in the integrity column.
    pub integrity: Vec<String>,
    /// Duration in seconds.
    pub duration_s: f64,
}

/// The baseline of all attacks.
pub struct Suite<'a> {
    machine: &'a Machine,
    problem: Problem,
    honest: Vec<Verdict>,
    dir: PathBuf,
}

impl<'a> Suite<'a> {
    /// Writes the problem below `dir`, which should be empty, and grades the honest solutions.
    ///
    /// # Errors
    /// If grading is impossible here, or the honest solutions do not get their expected results.
    pub fn prepare(machine: &'a Machine, dir: &Path) -> Result<Self, Error> {
        let folder = dir.join("problem");
        embedded::lay("problem", &folder)?;
        let mut suite = Self {
            machine,
            problem: slope_problem::load(&folder, &LoadOptions::default())?,
            honest: Vec::new(),
            dir: dir.to_owned(),
        };
        for checkpoint in 1..=CHECKPOINTS {
            suite.grade("right", checkpoint, State::Passed)?;
            let wrong = suite.grade("wrong", checkpoint, State::Failed)?;
            suite.honest.push(wrong);
        }
        suite.control()?;
        Ok(suite)
    }

    fn grade(
        &self,
        solution: &'static str,
        checkpoint: u32,
        expected: State,
    ) -> Result<Verdict, Error> {
        let work = self.dir.join(format!("honest-{solution}-{checkpoint}"));
        let workspace = Workspace::of(solution)?;
        let (machine, options) = (self.machine, &self.machine.grade);
        let verdict = program::grade(
            workspace,
            &self.problem,
            checkpoint,
            machine,
            options,
            &work,
        )?;
        if verdict.state == expected {
            return Ok(verdict);
        }
        Err(Error::Baseline {
            solution,
            checkpoint,
            got: verdict.state.name(),
            expected: expected.name(),
            reason: verdict.reason.unwrap_or_default(),
        })
    }

    /// Positive control: a program with the hidden tests in its workspace must pass. Otherwise the
    /// failure of other attacks would prove nothing.
    fn control(&self) -> Result<(), Error> {
        let mut workspace = Workspace::of("wrong")?;
        let tests = embedded::bytes("problem/tests/test_checkpoint_1.py")?;
        workspace.file(b"leaked.py", &tests)?;
        let attack = embedded::bytes("program/symlink_escape/stock.py")?;
        workspace.file(b"stock.py", &attack)?;
        let work = self.dir.join("control");
        let (machine, options) = (self.machine, &self.machine.grade);
        let verdict = program::grade(workspace, &self.problem, 1, machine, options, &work)?;
        if verdict.state == State::Passed {
            return Ok(());
        }
        Err(Error::Baseline {
            solution: "cheating",
            checkpoint: 1,
            got: verdict.state.name(),
            expected: State::Passed.name(),
            reason: "an attack that finds the tests does not pass them".to_owned(),
        })
    }

    /// Runs `attacks`, `workers` at a time, and reports each to `observer` when it ends. The
    /// findings are in the order of the attacks.
    ///
    /// # Errors
    /// If the harness itself fails; successes of attacks are in their findings.
    pub fn run(
        &self,
        attacks: &[Attack],
        workers: usize,
        observer: &(dyn Fn(&Finding) + Sync),
    ) -> Result<Vec<Finding>, Error> {
        let queue: Mutex<VecDeque<(usize, &Attack)>> =
            Mutex::new(attacks.iter().enumerate().collect());
        let done: Mutex<Vec<(usize, Result<Finding, Error>)>> = Mutex::default();
        std::thread::scope(|scope| {
            for _ in 0..workers.max(1) {
                scope.spawn(|| {
                    while let Some((at, attack)) = pop(&queue) {
                        let finding = self.one(attack);
                        if let Ok(finding) = &finding {
                            observer(finding);
                        }
                        done.lock()
                            .unwrap_or_else(PoisonError::into_inner)
                            .push((at, finding));
                    }
                });
            }
        });
        let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.sort_by_key(|(at, _)| *at);
        done.into_iter().map(|(_, finding)| finding).collect()
    }

    /// Runs one attack.
    fn one(&self, attack: &Attack) -> Result<Finding, Error> {
        let begun = Instant::now();
        let folder = self.dir.join(attack.by.name()).join(&attack.id);
        let (state, integrity, mut got_through) = match attack.by {
            By::Program => {
                let honest = &self.honest[0];
                let (verdict, wrong) =
                    program::run(attack, &self.problem, honest, self.machine, &folder)?;
                (verdict.state, verdict.integrity, wrong)
            }
            By::Agent => {
                let parent = self.dir.join(attack.by.name());
                std::fs::create_dir_all(&parent).map_err(Error::io("cannot create", &parent))?;
                let setting = Setting {
                    problem: &self.problem.root,
                    honest: &self.honest,
                    machine: self.machine,
                    run: &folder,
                };
                let (checkpoints, wrong) = agent::run(attack, &setting)?;
                let state = checkpoints.last().map_or(State::Ungraded, |c| c.state);
                let integrity = checkpoints.into_iter().flat_map(|c| c.integrity).collect();
                (state, integrity, wrong)
            }
        };
        let integrity: Vec<String> = integrity.into_iter().map(|note| note.to_string()).collect();
        let notes = integrity.join("\n");
        for missing in attack.noticed.iter().filter(|text| !notes.contains(*text)) {
            got_through.push(format!("the integrity column does not name {missing}"));
        }
        Ok(Finding {
            attack: attack.name(),
            by: attack.by,
            class: attack.class.clone(),
            tries: attack.tries.clone(),
            expected: attack.expected.clone(),
            held: got_through.is_empty(),
            got_through,
            state: state.name().to_owned(),
            integrity,
            duration_s: begun.elapsed().as_secs_f64(),
        })
    }
}

fn pop<T>(queue: &Mutex<VecDeque<T>>) -> Option<T> {
    queue
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .pop_front()
}
