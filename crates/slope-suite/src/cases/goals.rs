//! Goals of a refactoring: the answer compared with the code that it starts from.
//!
//! Each goal is a test of its own. Complexity mass and clone lines come from the two trees of files, CPU time from
//! both programs on the same cases. CPU time varies with the load of a machine, but much less than wall time: the
//! programs run in turns, one at a time, and the least time of each counts.

mod code;

use std::collections::BTreeSet;
use std::time::Instant;

use slope_model::problem::{CpuGoal, Goals, Group};
use slope_model::verdict::{Outcome, TestResult};

use super::Grading;
use super::other::{self, OtherCode};
use crate::error::Error;
use crate::request::{GradeOptions, GradeRequest};
use crate::stability::{Condition, SuiteRun};
use code::CodeSize;

/// Name and words of the goal for complexity mass.
const MASS: (&str, &str) = ("complexity-mass", "complexity mass");
/// Name and words of the goal for clone lines.
const CLONES: (&str, &str) = ("clone-lines", "clone lines");
/// Beginning of the ids of goals.
const PREFIX: &str = "goal:";
/// Runs of both programs at most. The least time of a program needs few: noise only adds to it.
const MOST_ROUNDS: usize = 5;
/// Runs of both programs at least.
const FEWEST_ROUNDS: usize = 2;
/// No further round runs if the share is this many times above or below its limit.
const CLEAR: f64 = 1.25;

/// A goal's test, and what was measured in words.
pub(super) struct Judged {
    pub(super) result: TestResult,
    /// Name and value for the verdict's `grader`.
    pub(super) measured: Option<(String, String)>,
}

/// The tests of the goals. `tests` are the results of the suite, the answer's.
pub(super) fn judge(
    grading: &Grading<'_>,
    goals: &Goals,
    tests: &[TestResult],
) -> Result<Vec<Judged>, Error> {
    let legacy = grading.request.options.track.legacy();
    let start = OtherCode::pack(grading, &legacy)?;
    let mut judged = Vec::new();
    if goals.complexity_mass.is_some() || goals.clone_lines.is_some() {
        let measurer = code::measurer()?;
        let [answer, before] =
            [grading.request.snapshot_tar, &start.tar].map(|tar| code::size_of(&measurer, tar));
        let sizes = [answer?, before?];
        let masses = sizes.each_ref().map(|size| size.mass);
        let clones = sizes.each_ref().map(|size| size.clone_lines);
        let rows = [
            (MASS, masses, goals.complexity_mass),
            (CLONES, clones, goals.clone_lines),
        ];
        for (names, values, share) in rows {
            let of_share = |share| of_code(grading, &sizes[0], names, values, share);
            judged.extend(share.map(of_share));
        }
    }
    if let Some(goal) = &goals.cpu_time {
        judged.push(of_cpu(grading, goal, tests, &start)?);
    }
    Ok(judged)
}

/// The goal `name` of the code, called `words` in messages. `values` are those of the answer and of the start.
fn of_code(
    grading: &Grading<'_>,
    answer: &CodeSize,
    (name, words): (&str, &str),
    values: [Option<f64>; 2],
    share: f64,
) -> Judged {
    let fault = match (&answer.unmeasured, values) {
        (Some(why), _) => Some(format!("not measured: {why}")),
        (None, [Some(got), Some(start)]) => too_much(words, "", [got, start], share),
        (None, _) => Some("not measured: there is no code".to_owned()),
    };
    let measured = match values {
        [Some(got), Some(start)] => Some(in_words("", [got, start], share)),
        _ => None,
    };
    judged(grading, name, fault, measured, 0.0)
}

/// The fault of a value above its share of the start's, if it is one.
fn too_much(words: &str, unit: &str, [got, start]: [f64; 2], share: f64) -> Option<String> {
    (got > share * start).then(|| format!("{words}: {}", in_words(unit, [got, start], share)))
}

fn in_words(unit: &str, [got, start]: [f64; 2], share: f64) -> String {
    let shown = |value: f64| match unit {
        "" => format!("{value:.0}"),
        unit => format!("{value:.2} {unit}"),
    };
    let percent = 100.0 * share;
    format!("{}, at most {percent:.0} % of {}", shown(got), shown(start))
}

fn judged(
    grading: &Grading<'_>,
    name: &str,
    fault: Option<String>,
    measured: Option<String>,
    duration_s: f64,
) -> Judged {
    let outcome = match fault {
        None => Outcome::Passed,
        Some(_) => Outcome::Failed,
    };
    Judged {
        result: TestResult {
            id: format!("{PREFIX}{name}"),
            checkpoint: grading.current.name.clone(),
            group: Group::Core,
            outcome,
            repeats: Vec::new(),
            duration_s,
            message: fault,
        },
        measured: measured.map(|words| (format!("{PREFIX}{name}"), words)),
    }
}

fn of_cpu(
    grading: &Grading<'_>,
    goal: &CpuGoal,
    tests: &[TestResult],
    start: &OtherCode,
) -> Result<Judged, Error> {
    let began = Instant::now();
    let name = "cpu-time";
    let is_failed = |id: &&String| {
        let mut passed = tests.iter().filter(|test| test.outcome == Outcome::Passed);
        !passed.any(|test| test.id == **id && test.checkpoint == grading.current.name)
    };
    if let Some(id) = goal.cases.iter().find(is_failed) {
        let fault = format!("not measured: the case {id} does not pass");
        return Ok(judged(grading, name, Some(fault), None, 0.0));
    }
    let times = least_times(grading, goal, start)?;
    let fault = too_much("CPU time", "s", times, goal.share);
    let words = in_words("s", times, goal.share);
    let took = began.elapsed().as_secs_f64();
    Ok(judged(grading, name, fault, Some(words), took))
}

/// Least CPU seconds of the answer and of the start on the goal's cases.
fn least_times(
    grading: &Grading<'_>,
    goal: &CpuGoal,
    start: &OtherCode,
) -> Result<[f64; 2], Error> {
    let request = grading.request;
    let options = GradeOptions {
        workers: 1,
        ..request.options.clone()
    };
    let answer = other::subfolder(request.work_dir, "answer")?;
    let requests = [(request.snapshot_tar, &answer), (&start.tar, &start.folder)].map(
        |(snapshot_tar, work_dir)| GradeRequest {
            snapshot_tar,
            work_dir,
            options: &options,
            ..*request
        },
    );
    let [answer, start] = requests.each_ref().map(Grading::prepare);
    let programs = [answer?, start?];
    let checkpoint = &grading.current.name;
    let keys = goal.cases.iter().map(|id| format!("{checkpoint}::{id}"));
    let keys = BTreeSet::from_iter(keys);
    let mut least = [f64::INFINITY; 2];
    for round in 1..=MOST_ROUNDS {
        for (program, least) in programs.iter().zip(&mut least) {
            *least = least.min(cpu_time(program, &keys)?);
        }
        let share = least[0] / least[1];
        let is_clear = share > goal.share * CLEAR || share * CLEAR < goal.share;
        if round >= FEWEST_ROUNDS && is_clear {
            break;
        }
    }
    Ok(least)
}

/// CPU seconds of a program on the cases `keys`, which it passes.
fn cpu_time(program: &Grading<'_>, keys: &BTreeSet<String>) -> Result<f64, Error> {
    let record = program.run(Some(keys), Condition::Calm)?;
    let failed = record
        .observed
        .iter()
        .find(|(_, seen)| seen.outcome != Outcome::Passed);
    let unknown = |why: String| Error::suite(&program.request.problem.root, why);
    if let Some((key, seen)) = failed {
        let why = seen.message.as_deref().unwrap_or(seen.outcome.name());
        return Err(unknown(format!(
            "the CPU time on {key} was not measured: {why}"
        )));
    }
    let asides = program.asides.borrow();
    let last = asides.usage.last();
    let of_key = |key: &String| last?.get(key)?.cpu_s.filter(|cpu_s| *cpu_s > 0.0);
    let sum: Option<f64> = keys.iter().map(of_key).sum();
    sum.ok_or_else(|| unknown("the CPU time of a program is not known".to_owned()))
}
