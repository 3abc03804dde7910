//! `slope failures`: how attempts failed, by class.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, bail};
use serde::Serialize;
use slope_bench::gather;
use slope_failures::{Agreement, FailedAttempt, Label, Rules, agreement};
use slope_model::detail::RunDetail;
use slope_model::run::RunReport;
use slope_report::Format;

use super::{output, safe};
use crate::args::Failures;
use crate::exit::Done;

/// Classes that people may give, and no rule does.
const LABELS_ONLY: [&str; 3] = ["flaky-test", "concurrency", "quality-only"];

/// A run's attempts that failed.
#[derive(Serialize)]
struct RunFailures {
    /// Directory.
    run: String,
    agent: String,
    model: String,
    /// Attempts with a result.
    attempts: usize,
    /// Those that failed.
    failed: Vec<FailedAttempt>,
}

/// Failures of several runs.
#[derive(Serialize)]
struct Document<'a> {
    /// Version of the rules.
    rules: &'a str,
    /// Attempts with a result.
    attempts: usize,
    /// Attempts that failed, by class.
    classes: BTreeMap<&'a str, usize>,
    /// Failed tests, by class and kind.
    tests: BTreeMap<&'a str, usize>,
    runs: &'a [RunFailures],
}

pub(crate) fn run(args: &Failures, format: Format) -> anyhow::Result<Done> {
    let rules = Rules::shipped();
    if let Some(path) = &args.labels {
        return compare(args, path, &rules, format);
    }
    let reduce = |report: &RunReport, detail: RunDetail| of_run(&rules, report, &detail);
    let mut runs = Vec::new();
    gather::gather_each(&args.runs, reduce, |one| {
        runs.push(one);
        anyhow::Ok(())
    })?;
    let document = Document::of(&rules, &runs);
    let text = document.in_words(args.attempts, &rules);
    output::json_or_text(format, &document, &text)?;
    Ok(Done::Fine)
}

fn of_run(rules: &Rules, report: &RunReport, detail: &RunDetail) -> RunFailures {
    use slope_model::verdict::State;
    let checkpoints = report.trials.iter().flat_map(|trial| &trial.checkpoints);
    let has_result = |state: State| !matches!(state, State::Infrastructure | State::Ungraded);
    RunFailures {
        run: report.run.display().to_string(),
        agent: report.config.agent.clone(),
        model: report.config.model.clone(),
        attempts: checkpoints.filter(|one| has_result(one.state)).count(),
        failed: rules.failed_attempts(report, detail),
    }
}

impl<'a> Document<'a> {
    fn of(rules: &'a Rules, runs: &'a [RunFailures]) -> Self {
        let mut classes: BTreeMap<&str, usize> = BTreeMap::new();
        let mut tests: BTreeMap<&str, usize> = BTreeMap::new();
        for attempt in runs.iter().flat_map(|run| &run.failed) {
            *classes.entry(&attempt.class.class).or_default() += 1;
            for (class, count) in &attempt.class.tests {
                *tests.entry(class).or_default() += count;
            }
        }
        Self {
            rules: &rules.version,
            attempts: runs.iter().map(|run| run.attempts).sum(),
            classes,
            tests,
            runs,
        }
    }

    fn in_words(&self, attempts: bool, rules: &Rules) -> String {
        let failed: usize = self.classes.values().sum();
        let mut text = format!("{failed} of {} attempts failed\n\n", self.attempts);
        let _ = writeln!(
            text,
            "{:<16} {:>8} {:>8} {:>8}",
            "class", "attempts", "of all", "tests"
        );
        for class in rules.classes() {
            let count = self.classes.get(class).copied().unwrap_or(0);
            let tests = self.tests_of(class);
            if count + tests > 0 {
                let share = percent(count, self.attempts);
                let _ = writeln!(text, "{class:<16} {count:>8} {share:>8} {tests:>8}");
            }
        }
        if attempts {
            self.add_attempts(&mut text);
        }
        let _ = write!(text, "\nrules {}", self.rules);
        text
    }

    /// Failed tests of a class, of any kind.
    fn tests_of(&self, class: &str) -> usize {
        let of_class = |name: &str| name.split('/').next() == Some(class);
        let tests = self.tests.iter().filter(|(name, _)| of_class(name));
        tests.map(|(_, count)| count).sum()
    }

    fn add_attempts(&self, text: &mut String) {
        for run in self.runs.iter().filter(|run| !run.failed.is_empty()) {
            let _ = writeln!(text, "\n{}", safe(&run.run));
            for one in &run.failed {
                let tests = one.class.tests.iter();
                let tests = tests.map(|(class, count)| format!("{count} {class}"));
                let _ = writeln!(
                    text,
                    "  {}/{} trial {}: {} ({})",
                    safe(&one.problem),
                    safe(&one.checkpoint),
                    one.trial,
                    one.class,
                    Vec::from_iter(tests).join(", ")
                );
            }
        }
    }
}

fn percent(count: usize, all: usize) -> String {
    #[expect(clippy::cast_precision_loss, reason = "counts of attempts are small")]
    let share = 100.0 * count as f64 / all.max(1) as f64;
    format!("{share:.1} %")
}

/// Compares the classes with labels of people.
fn compare(args: &Failures, path: &Path, rules: &Rules, format: Format) -> anyhow::Result<Done> {
    let labels = labels(path, rules)?;
    let find = |report: &RunReport, detail: RunDetail| assigned(rules, &labels, report, &detail);
    let mut found: BTreeMap<usize, String> = BTreeMap::new();
    gather::gather_each(&args.runs, find, |some: Vec<(usize, String)>| {
        found.extend(some);
        anyhow::Ok(())
    })?;
    if found.is_empty() {
        bail!(
            "{}: no label is of a failed test in these runs\n\
             help: `run` is the end of a run's path, `test` the id of a test that failed there",
            path.display()
        );
    }
    let pairs = Vec::from_iter(
        found
            .iter()
            .map(|(at, class)| (&labels[*at], class.as_str())),
    );
    let agreed = agreement(&pairs);
    let text = agreed_in_words(&agreed, labels.len(), rules);
    output::json_or_text(format, &agreed, &text)?;
    Ok(Done::Fine)
}

fn labels(path: &Path, rules: &Rules) -> anyhow::Result<Vec<Label>> {
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let lines = text.trim_start_matches('\u{feff}').lines().enumerate();
    let known = [&rules.classes()[..], &LABELS_ONLY].concat();
    let mut seen = BTreeSet::new();
    let mut labels: Vec<Label> = Vec::new();
    for (at, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        let place = format!("{}:{}", path.display(), at + 1);
        let label = serde_json::from_str(line).with_context(|| format!("{place}: not a label"))?;
        check_label(&label, &known).with_context(|| place.clone())?;
        if !seen.insert(test_of(&label)) {
            bail!("{place}: this test has a label already\nhelp: remove one of them");
        }
        labels.push(label);
    }
    Ok(labels)
}

fn check_label(label: &Label, known: &[&str]) -> anyhow::Result<()> {
    if known.contains(&label.class.as_str()) {
        return Ok(());
    }
    bail!(
        "{:?} is not a class\nhelp: use one of {}",
        label.class,
        known.join(", ")
    )
}

/// The test of a label.
fn test_of(label: &Label) -> [String; 5] {
    [
        &label.run,
        &label.problem,
        &label.checkpoint,
        &label.test_checkpoint,
        &label.test,
    ]
    .map(String::clone)
}

/// The labels of a run's failed tests, by their position, with the classes that the rules assign.
fn assigned(
    rules: &Rules,
    labels: &[Label],
    report: &RunReport,
    detail: &RunDetail,
) -> Vec<(usize, String)> {
    let graded = rules.of_run(report, detail);
    let of_run = labels.iter().enumerate();
    let of_run = of_run.filter(|(_, label)| report.run.ends_with(&label.run));
    let class = |label: &Label| {
        let checkpoint = graded.iter().find(|one| {
            one.problem == label.problem && one.report.checkpoint == label.checkpoint
        })?;
        let mut tests = checkpoint.failed.iter();
        let found = tests.find(|one| {
            one.test.id == label.test && one.test.checkpoint == label.test_checkpoint
        })?;
        Some(found.assigned.class.to_owned())
    };
    of_run
        .filter_map(|(at, label)| Some((at, class(label)?)))
        .collect()
}

fn agreed_in_words(agreed: &Agreement, labels: usize, rules: &Rules) -> String {
    let same = percent(agreed.same, agreed.labels);
    let mut text = format!(
        "{} of {labels} labels are of failed tests in these runs. {} have the same class ({same}).\n",
        agreed.labels, agreed.same
    );
    if let Some(kappa) = agreed.kappa {
        let _ = writeln!(text, "Cohen's kappa: {kappa:.2}");
    }
    let _ = writeln!(
        text,
        "\n{:<16} {:>8} {:>8} {:>6} {:>10} {:>8}",
        "class", "labelled", "assigned", "both", "precision", "recall"
    );
    for (class, one) in &agreed.classes {
        let precision = rate(one.both, one.assigned);
        let recall = rate(one.both, one.labelled);
        let _ = writeln!(
            text,
            "{class:<16} {:>8} {:>8} {:>6} {precision:>10} {recall:>8}",
            one.labelled, one.assigned, one.both
        );
    }
    let _ = write!(text, "\nrules {}", rules.version);
    text
}

/// A rate, or a dash without observations.
fn rate(part: usize, all: usize) -> String {
    match all {
        0 => "–".to_owned(),
        _ => percent(part, all),
    }
}
