//! Results of a day, from the reports of its runs.

use std::collections::BTreeMap;

use slope_failures::{GradedCheckpoint, Rules};
use slope_model::detail::{NewSecurity, RunDetail};
use slope_model::metrics::{EROSION, VERBOSITY};
use slope_model::run::{Attempt, CheckpointReport, RunReport};
use slope_model::verdict::State;
use slope_model::watch::{ArmDay, Quality, Role, TaskOutcome, TaskRun};
use slope_store::run_dir::RunDir;

use crate::conduct::{self, Common};

/// Tests that a result names.
const MOST_TESTS: usize = 20;

/// Least share of runs with a result on a day that counts.
const LEAST_VALID: f64 = 0.8;

/// Adds a run in the language `track` to an arm's results.
pub(crate) fn add(
    arm: &mut ArmDay,
    report: &RunReport,
    detail: &RunDetail,
    track: &str,
    rules: &Rules,
) {
    let config = &report.config;
    arm.agent.clone_from(&config.agent);
    arm.agent_version.clone_from(&config.agent_version);
    arm.model.clone_from(&config.model);
    arm.settings = settings(config);
    arm.tools = arm.tools.take().or_else(|| tools(detail));
    let all = rules.of_run(report, detail);
    let dir = RunDir::at(&report.run);
    let mut common = Common::default();
    for (trial, details) in report.trials.iter().zip(&detail.trials) {
        for (checkpoint, details) in trial.checkpoints.iter().zip(&details.checkpoints) {
            let task = format!("{track}/{}/{}", trial.problem, checkpoint.checkpoint);
            let mut graded = all.iter();
            let graded = graded.find(|one| {
                one.problem == trial.problem
                    && one.trial == trial.trial
                    && one.report.checkpoint == checkpoint.checkpoint
            });
            let class = graded.and_then(GradedCheckpoint::class);
            let also = graded.and_then(GradedCheckpoint::also);
            let security = graded.and_then(GradedCheckpoint::security);
            let folder = |attempt: &Attempt| {
                let name = &checkpoint.checkpoint;
                dir.attempt(&trial.problem, trial.trial, name, attempt.number)
            };
            let conduct = details
                .attempts
                .last()
                .map(|attempt| conduct::of_attempt(&folder(attempt), &mut common));
            arm.tasks.push(TaskRun {
                class: class.map(|class| class.to_string()),
                also: also.map(str::to_owned),
                conduct: conduct.filter(|found| *found != Default::default()),
                ..task_run(task, trial.trial, checkpoint, security)
            });
        }
    }
    let found = common.requests();
    // The hashes are those of the first language, as of the tools.
    match (&mut arm.requests, found) {
        (Some(first), Some(found)) => {
            first.served.extend(found.served);
            first.served.sort();
            first.served.dedup();
        }
        (first @ None, found) => *first = found,
        (Some(_), None) => {}
    }
}

/// Hash of the options that decide what the assistant does.
fn settings(config: &slope_model::run::RunConfig) -> String {
    let names = [
        "effort",
        "prompt",
        "intervention",
        "timeout_s",
        "max_turns",
        "caps",
        "show_deadline",
        "upstream",
        "dialect",
        "prices",
        "environment",
        "memory",
        "processes",
    ];
    let file = config
        .options
        .get("agent_config")
        .and_then(|path| path.as_str());
    let file = file.and_then(|path| std::fs::read(path).ok());
    let file = file.map(|bytes| blake3::hash(&bytes).to_hex().to_string());
    let chosen = names.map(|name| (name, config.options.get(name)));
    let text = serde_json::to_string(&(chosen, file, &config.prompt_hash)).unwrap_or_default();
    blake3::hash(text.as_bytes()).to_hex()[..16].to_owned()
}

/// Hash of the tools that the agent offered to the model in its first attempt with any.
fn tools(detail: &RunDetail) -> Option<String> {
    let checkpoints = detail.trials.iter().flat_map(|trial| &trial.checkpoints);
    let attempts = checkpoints.flat_map(|checkpoint| &checkpoint.attempts);
    let mut tools = attempts
        .map(|attempt| &attempt.tools)
        .find(|tools| !tools.is_empty())?
        .clone();
    tools.sort();
    Some(blake3::hash(tools.join("\n").as_bytes()).to_hex()[..16].to_owned())
}

fn task_run(
    task: String,
    trial: u32,
    checkpoint: &CheckpointReport,
    security: Option<&NewSecurity>,
) -> TaskRun {
    let outcome = match checkpoint.state {
        State::Passed => TaskOutcome::Passed,
        State::Failed | State::AgentError | State::Budget | State::Timeout => TaskOutcome::Failed,
        State::Infrastructure | State::Ungraded => TaskOutcome::Missing,
    };
    let passed: u64 = checkpoint
        .counts
        .values()
        .map(|count| u64::from(count.passed))
        .sum();
    let total: u64 = checkpoint
        .counts
        .values()
        .map(|count| u64::from(count.total))
        .sum();
    #[expect(clippy::cast_precision_loss, reason = "counts of tests are small")]
    let share = (total > 0).then(|| passed as f64 / total as f64);
    let quality = checkpoint.totals.as_ref().map(|totals| Quality {
        sloc: totals.sloc,
        erosion: EROSION.of_totals(totals),
        verbosity: VERBOSITY.of_totals(totals),
        mass: totals.mass,
        clone_lines: totals.clone_lines,
        new_security: security.map(|new| new.findings.len() as u64),
    });
    TaskRun {
        task,
        trial,
        outcome,
        reason: checkpoint.reason.clone().filter(|_| share.is_none()),
        passed_share: share,
        class: None,
        also: None,
        not_passed: checkpoint
            .not_passed
            .iter()
            .take(MOST_TESTS)
            .cloned()
            .collect(),
        usage: checkpoint.usage.clone(),
        agent_s: checkpoint.agent_s,
        quality,
        efficiency: checkpoint.efficiency,
        conduct: None,
    }
}

/// Reason that a day's results do not count, if there is one.
pub(crate) fn invalid(arms: &BTreeMap<String, ArmDay>) -> Option<String> {
    let mut controls = arms.values().filter(|arm| arm.role.is_control());
    if let Some(why) = controls.find_map(failed_control) {
        return Some(why);
    }
    let mut targets = arms.iter().filter(|(_, arm)| arm.role == Role::Target);
    targets.find_map(|(name, arm)| too_few(name, arm))
}

fn failed_control(arm: &ArmDay) -> Option<String> {
    let (role, wanted, wrong) = match arm.role {
        Role::Oracle => ("reference solution", TaskOutcome::Passed, "did not pass"),
        _ => ("empty answer", TaskOutcome::Failed, "did not fail"),
    };
    let mut others = arm.tasks.iter().filter(|run| run.outcome != wanted);
    let first = others.next()?;
    let more = match others.count() {
        0 => String::new(),
        count => format!(" and {count} more"),
    };
    let why = first
        .reason
        .as_ref()
        .map(|why| format!(": {why}"))
        .unwrap_or_default();
    Some(format!(
        "control: the {role} {wrong} {}{more}{why}",
        first.task
    ))
}

fn too_few(name: &str, arm: &ArmDay) -> Option<String> {
    let (valid, all) = arm.valid();
    let share = slope_stats::float(valid) / slope_stats::float(all.max(1));
    (share < LEAST_VALID).then(|| format!("{name}: only {valid} of {all} runs have a result"))
}
