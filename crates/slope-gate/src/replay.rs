//! Judges past changes, to show how often each rule would have fired.

use std::path::Path;

use jiff::Timestamp;
use slope_change::{EMPTY_TREE, Head, Subject};
use slope_git::{Commit, Line, Repo};
use slope_measure::Measurer;
use slope_model::gate::{GateRule, Judgement, Level};
use slope_model::replay::{Replay, ReplayedCommit, ReplayedRule, ReplayedViolation};
use slope_model::schema;

use crate::{Error, Gate, Setup};

/// Gets the number of finished changes, and of all.
pub type ReplayWatch<'a> = &'a dyn Fn(usize, usize);

/// Judges the last `count` commits of the first-parent line of `HEAD`, each against its first parent, by today's
/// settings.
///
/// # Errors
/// If the repository cannot be read, or a commit cannot be judged.
pub fn replay(
    path: &Path,
    (measurer, setup): (&Measurer, &Setup),
    count: usize,
    watch: ReplayWatch<'_>,
) -> Result<Replay, Error> {
    let repo = Repo::open(path).map_err(slope_change::Error::from)?;
    let reader = repo.reader();
    let head = reader.head().map_err(slope_change::Error::from)?;
    let walk = reader.walk(head, Line::FirstParent, None);
    let mut walk = walk.map_err(slope_change::Error::from)?;
    let is_cut_off = walk.is_cut_off && walk.commits.len() <= count;
    // The parent of the oldest commit of a shallow clone is missing, so its change is unknown.
    let first = usize::from(is_cut_off).max(walk.commits.len().saturating_sub(count));
    let commits = walk.commits.split_off(first);
    let mut replay = Replay {
        schema: schema::REPLAY.to_owned(),
        revision: reader.branch().unwrap_or_else(|| "HEAD".to_owned()),
        changes: 0,
        touching: 0,
        failed: 0,
        rules: rules(setup),
        commits: Vec::new(),
        notes: is_cut_off
            .then(|| "the clone is shallow: older commits are missing".to_owned())
            .into_iter()
            .collect(),
    };
    for (index, commit) in commits.iter().enumerate() {
        let judgement = judge(path, (measurer, setup), commit)?;
        add(&mut replay, commit, &judgement);
        watch(index + 1, commits.len());
    }
    Ok(replay)
}

fn judge(
    path: &Path,
    (measurer, setup): (&Measurer, &Setup),
    commit: &Commit,
) -> Result<Judgement, Error> {
    let base = commit.parents.first();
    let base = base.map_or(EMPTY_TREE.to_owned(), |parent| format!("{parent}^{{tree}}"));
    let subject = Subject::git(path, Some(&base), Head::Commit(commit.id.to_string()));
    Gate::new(measurer, setup.check.clone())
        .with_ratchet_beside(setup.config.as_deref())
        .without_whole()
        .at(time(commit))
        .judge(&subject)
}

fn time(commit: &Commit) -> Timestamp {
    Timestamp::from_second(commit.committer.seconds).unwrap_or_default()
}

/// The rules that judge changes and are on.
fn rules(setup: &Setup) -> Vec<ReplayedRule> {
    let check = &setup.check;
    let is_on = |rule: &GateRule| match rule {
        GateRule::ChangeBudget => check.over_budget.is_some() && !check.change.is_empty(),
        GateRule::WeekBudget => check.over_budget.is_some() && !check.week.is_empty(),
        GateRule::TrackGrowth => check.over_growth.is_some() && !check.growth.is_empty(),
        GateRule::GateSetup => check.judges_setup && check.setup.is_some(),
        GateRule::Ratchet => false,
        rule => check
            .product
            .level(*rule)
            .or(check.tests.level(*rule))
            .is_some(),
    };
    let rules = GateRule::all().filter(is_on);
    let rules = rules.map(|rule| ReplayedRule {
        rule,
        errors: 0,
        warnings: 0,
        violations: 0,
    });
    rules.collect()
}

/// Adds a judgement to a replay.
fn add(replay: &mut Replay, commit: &Commit, judgement: &Judgement) {
    replay.changes += 1;
    replay.touching += u32::from(judgement.files > 0);
    replay.failed += u32::from(!judgement.passes);
    for row in &mut replay.rules {
        let of_rule = judgement.violations.iter().filter(|it| it.rule == row.rule);
        let levels: Vec<Level> = of_rule.map(|it| it.level).collect();
        row.violations += u32::try_from(levels.len()).unwrap_or(u32::MAX);
        match levels.iter().max() {
            Some(Level::Error) => row.errors += 1,
            Some(Level::Warning) => row.warnings += 1,
            None => {}
        }
    }
    if !judgement.violations.is_empty() {
        replay.commits.push(ReplayedCommit {
            id: commit.id.to_string(),
            time: time(commit).to_string(),
            subject: commit.subject().to_owned(),
            passes: judgement.passes,
            violations: judgement.violations.iter().map(violation).collect(),
        });
    }
}

fn violation(violation: &slope_model::gate::Violation) -> ReplayedViolation {
    ReplayedViolation {
        rule: violation.rule,
        level: violation.level,
        path: violation.path.clone(),
        line: violation.line,
        message: violation.message.clone(),
    }
}
