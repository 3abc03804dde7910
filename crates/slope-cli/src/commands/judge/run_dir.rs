//! `slope judge --run`: the code after each checkpoint of a run.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, bail};
use slope_bench::gather::gather;
use slope_bench::workspaces::{Workspace, workspaces};
use slope_judge::Snapshot;
use slope_judge_model::{Client, Earlier, Error, ModelJudge, Plan, Settings};
use slope_measure::{Measurer, Options};
use slope_model::assessment::{
    Anchors, Assessment, CheckpointAssessment, RunAssessment, TrialAssessment,
};
use slope_model::error_text::one_line;
use slope_model::exhibit::Held;
use slope_report::Format;

use super::model;
use crate::args::Judge;
use crate::commands::output;
use crate::display::Display;
use crate::exit::Done;

/// Name and version of the format.
const SCHEMA: &str = "slope.run-assessment/1";

/// A trial with its code, and what the static judge says of it.
struct Trial {
    problem: String,
    number: u32,
    checkpoints: Vec<Checkpoint>,
}

struct Checkpoint {
    name: String,
    judged: Held<(Snapshot, Assessment)>,
}

pub(super) fn run(
    args: &Judge,
    folder: &Path,
    settings: Option<Settings>,
    (format, display): (Format, &Display),
) -> anyhow::Result<Done> {
    let most = if args.top == 0 { usize::MAX } else { args.top };
    let trials = trials(folder, most)?;
    let judged = |it: &Checkpoint| it.judged.is_ok();
    if !trials.iter().flat_map(|it| &it.checkpoints).any(judged) {
        bail!(
            "{} has no code after any checkpoint\nhelp: name a run whose checkpoints ended with a snapshot",
            folder.display()
        );
    }
    let mut assessment = RunAssessment {
        schema: SCHEMA.to_owned(),
        run: folder.display().to_string(),
        trials: Vec::new(),
        usage: None,
    };
    let mut record = None;
    match settings {
        None => assessment.trials = trials.into_iter().map(Trial::by_measures).collect(),
        Some(mut settings) => {
            // Within a run, no file is paid for twice, also if nothing is kept from other ones.
            let own = tempfile::tempdir().context("cannot create a temporary folder")?;
            let kept = settings.kept.take();
            settings.kept = Some(kept.unwrap_or_else(|| own.path().to_owned()));
            let tokens = tokens(&trials, &settings);
            let ask = |client: &Client| by_model(trials, client, &settings);
            let (found, counted) = model::ask(&args.of_model, &settings, tokens, display, ask)?;
            assessment.trials = found;
            assessment.usage = Some(counted.usage.clone());
            record = Some(counted);
        }
    }
    let text = slope_report::render_run_assessment(&assessment);
    output::json_or_text(format, &assessment, &text)?;
    if let Some(record) = &record {
        model::check_recorded(&args.of_model, record)?;
    }
    Ok(Done::Fine)
}

/// The trials of a run, judged by measures.
fn trials(folder: &Path, most: usize) -> anyhow::Result<Vec<Trial>> {
    let gathered = gather(&[folder])?;
    let [report] = &gathered.reports[..] else {
        bail!(
            "{} contains {} runs\nhelp: name one of them",
            folder.display(),
            gathered.reports.len()
        );
    };
    // An agent could hide code in a folder that is left out otherwise.
    let options = Options {
        excluded: vec![".git".to_owned()],
        ..Options::default()
    };
    let measurer = Measurer::new(options.comparing().with_separate_tests())?;
    let trials = workspaces(report).into_iter().map(|trial| {
        let of_checkpoint = |(name, workspace): (String, Held<Workspace>)| {
            let target = format!("{} {} {name}", trial.problem, trial.trial);
            let judged = workspace.and_then(|it| judged(&it, &target, &measurer, most));
            Checkpoint { name, judged }
        };
        Trial {
            checkpoints: trial.checkpoints.into_iter().map(of_checkpoint).collect(),
            problem: trial.problem.clone(),
            number: trial.trial,
        }
    });
    Ok(trials.collect())
}

fn judged(
    workspace: &Workspace,
    target: &str,
    measurer: &Measurer,
    most: usize,
) -> Held<(Snapshot, Assessment)> {
    let read = |path: &str| workspace.read(path);
    let snapshot = Snapshot::of_tree(measurer, workspace.paths(), &read, target);
    let snapshot = snapshot.map_err(|error| one_line(&error))?;
    let assessment = slope_judge::judge(&snapshot, most);
    Ok((snapshot, assessment))
}

/// The tokens for all checkpoints. A file that does not change counts once.
fn tokens(trials: &[Trial], settings: &Settings) -> (u64, u64) {
    let mut asked = BTreeSet::new();
    let mut total = (0, 0);
    for checkpoint in trials.iter().flat_map(|it| &it.checkpoints) {
        if let Ok((snapshot, _)) = &checkpoint.judged {
            let (input, answers) = Plan::new(snapshot, settings).tokens_beyond(&mut asked);
            total = (total.0 + input, total.1 + answers);
        }
    }
    total
}

/// The assessments by a model. A checkpoint without an answer has the reason; the error is that of a run without any.
fn by_model(
    trials: Vec<Trial>,
    client: &Client,
    settings: &Settings,
) -> Result<Vec<TrialAssessment>, Error> {
    let mut anchors: Option<Anchors> = None;
    let mut failures: Vec<Error> = Vec::new();
    let mut found = Vec::new();
    for trial in trials {
        let mut earlier = Earlier::default();
        let by_model = |judged: Held<(Snapshot, Assessment)>| {
            let (snapshot, of_measures) = judged?;
            let plan = Plan::new(&snapshot, settings);
            let judge = ModelJudge::new(client, settings.clone()).with_anchors(anchors);
            let judged = judge.judge(&plan, &of_measures, &mut earlier);
            earlier.keep_only(&plan.paths());
            let assessment = judged.map_err(|error| {
                let reason = one_line(&error);
                failures.push(error);
                reason
            })?;
            anchors = assessment.model.as_ref().map(|it| it.anchors);
            Ok(assessment)
        };
        found.push(trial.assessed(by_model));
    }
    let mut checkpoints = found.iter().flat_map(|it| &it.checkpoints);
    match failures.into_iter().next() {
        Some(error) if checkpoints.all(|it| it.assessment.is_none()) => Err(error),
        _ => Ok(found),
    }
}

impl Trial {
    fn by_measures(self) -> TrialAssessment {
        self.assessed(|judged| judged.map(|(_, assessment)| assessment))
    }

    fn assessed(
        self,
        mut judge: impl FnMut(Held<(Snapshot, Assessment)>) -> Held<Assessment>,
    ) -> TrialAssessment {
        let of_checkpoint = |checkpoint: Checkpoint| {
            let (assessment, reason) = match judge(checkpoint.judged) {
                Ok(assessment) => (Some(assessment), None),
                Err(reason) => (None, Some(reason)),
            };
            CheckpointAssessment {
                checkpoint: checkpoint.name,
                assessment,
                reason,
            }
        };
        TrialAssessment {
            problem: self.problem,
            trial: self.number,
            checkpoints: self.checkpoints.into_iter().map(of_checkpoint).collect(),
        }
    }
}
