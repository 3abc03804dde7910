//! Refactoring passes: a second agent runs after each checkpoint.
//!
//! A fork of the harness stores the result of such a pass in the checkpoint's folder `after_skill`,
//! in the format of a checkpoint. The next checkpoint starts from there.

use std::path::Path;

use serde::Deserialize;
use slope_model::error_text::one_line;
use slope_model::run::CheckpointReport;
use slope_model::usage::{Tokens, Usage};

use super::checkpoint::{Place, Tallied, graded_state};
use super::{files, quality};

/// Folder of a pass, below its checkpoint's.
pub const FOLDER: &str = "after_skill";

/// The result of the pass after the checkpoint in `folder`; `None` if there was no pass.
pub(crate) fn after_pass(
    folder: &Path,
    problem: &str,
    before: &CheckpointReport,
) -> Option<CheckpointReport> {
    let folder = folder.join(FOLDER);
    if !folder.is_dir() {
        return None;
    }
    let name = &before.checkpoint;
    let mut after = CheckpointReport::ungraded(name, before.index, "not graded");
    match files::evaluation(&folder, problem, name) {
        Ok(evaluation) => {
            let tests = Tallied::of(&evaluation.tests);
            (after.state, after.reason) = graded_state(&evaluation, &tests.counts);
            after.grade_s = Some(evaluation.duration);
            after.not_passed = tests.not_passed;
            after.counts = tests.counts;
        }
        Err(error) => after.reason = Some(format!("not graded: {}", one_line(&error))),
    }
    let place = Place::after(problem, name);
    // Without a row there is nothing to compare.
    let (totals, _) = quality::totals(&folder, None, &place);
    after.totals = totals.ok().map(|(totals, _)| totals);
    if let Some(result) = last_result(&folder) {
        after.agent_s = Some(result.duration_ms / 1000.0).filter(|seconds| *seconds >= 0.0);
        after.usage = Some(result.usage());
    }
    Some(after)
}

/// The last line of the agent's output, where Claude Code sums up its work. The harness's own sums
/// of passes are wrong: most costs are 0 or negative.
#[derive(Debug, Deserialize)]
struct LastResult {
    duration_ms: f64,
    num_turns: u64,
    total_cost_usd: Option<f64>,
    usage: ResultUsage,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ResultUsage {
    input_tokens: u64,
    cache_creation_input_tokens: u64,
    cache_read_input_tokens: u64,
    output_tokens: u64,
}

impl LastResult {
    fn usage(&self) -> Usage {
        Usage {
            tokens: Tokens {
                input: self.usage.input_tokens,
                cache_read: self.usage.cache_read_input_tokens,
                cache_write: self.usage.cache_creation_input_tokens,
                output: self.usage.output_tokens,
                ..Tokens::default()
            },
            requests: self.num_turns,
            cost_usd: self.total_cost_usd.filter(|cost| *cost >= 0.0),
            ..Usage::default()
        }
    }
}

/// The summary in the output of the pass's agent, if it got that far.
fn last_result(folder: &Path) -> Option<LastResult> {
    let output = files::text(&folder.join("agent").join("stdout.jsonl")).ok()?;
    let is_result = |line: &&str| line.contains("\"type\":\"result\"");
    let last = output.lines().rfind(is_result)?;
    serde_json::from_str(last).ok()
}
