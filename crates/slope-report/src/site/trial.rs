//! One trial of a run: its checkpoints side by side, and the details of one of them.

use std::collections::HashMap;

use minijinja::{Value, context};
use slope_model::exhibit::{
    Actor, Call, Changes, CheckpointExhibit, Excerpt, FileChange, FindingLine, Held, Hunk, Listed,
    Step, TestLine,
};
use slope_model::run::{CheckpointReport, TrialReport};
use slope_model::sent_run::SentRun;
use slope_model::verdict::Outcome;

use super::address_part;
use super::courses::{self, CourseLine};
use super::run::{figure, values};
use super::runs::{run_address, trial_address};
use crate::format::{self, clean, clean_path, number};
use crate::html::{Grids, HtmlError};
use crate::metric::Metric;
use crate::summary::summary;
use crate::view;

/// Metrics with a chart.
const CHARTED: [Metric; 4] = crate::leaderboard::SLOPES;
/// Bytes of a text that a page shows.
const MOST_TEXT: usize = 64_000;
/// Tests, findings and changed files that a page shows.
const MOST_ROWS: usize = 500;
/// Lines of changes that a page shows.
const MOST_LINES: usize = 4000;
/// Bytes of a text that is not folded.
const SHORT: usize = 900;

/// Which details of a checkpoint a page shows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Show {
    /// Tests and findings.
    #[default]
    Results,
    /// Differences to the checkpoint before.
    Changes,
    /// The agent's steps.
    Steps,
    /// The agent's instructions.
    Spec,
}

impl Show {
    const ALL: [Self; 4] = [Self::Results, Self::Changes, Self::Steps, Self::Spec];
    /// Names in addresses, and titles.
    const NAMES: [(&str, &str); 4] = [
        ("results", "Tests and findings"),
        ("changes", "Changes"),
        ("steps", "Steps"),
        ("spec", "Spec"),
    ];

    /// The name in addresses.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize].0
    }

    fn title(self) -> &'static str {
        Self::NAMES[self as usize].1
    }

    /// The view of a name; the first for others.
    #[must_use]
    pub fn of(name: &str) -> Self {
        let found = Self::ALL.into_iter().find(|show| show.name() == name);
        found.unwrap_or_default()
    }
}

/// Steps of a checkpoint, some of them.
#[derive(Debug, Clone, Default)]
pub struct StepsView {
    /// Steps, each with its position from 0.
    pub steps: Vec<(u32, Step)>,
    /// Kinds that there are, each with its number of steps.
    pub kinds: Vec<(String, u32)>,
    /// Kinds that are shown; empty for all.
    pub chosen: Vec<String>,
    /// Shortest time of shown steps, in seconds.
    pub longer_s: f64,
    /// Position from which steps are shown.
    pub from: u32,
    /// Position of the first step of the next page, if there is one.
    pub next: Option<u32>,
}

/// One trial of a run.
#[derive(Debug, Clone)]
pub struct TrialPage {
    /// The project.
    pub project: String,
    /// Key of the run.
    pub run: String,
    /// The run.
    pub sent: SentRun,
    /// Problem of the trial.
    pub problem: String,
    /// Number of the trial, from 1.
    pub trial: u32,
    /// The checkpoint whose details are shown.
    pub at: String,
    /// Which of its details.
    pub show: Show,
    /// They; `None` if they were not sent yet.
    pub details: Option<CheckpointExhibit>,
    /// Its steps.
    pub steps: StepsView,
}

impl TrialPage {
    pub(super) fn title(&self) -> String {
        format!("{} · trial {}", self.problem, self.trial)
    }

    fn trial(&self) -> Option<&TrialReport> {
        let mut trials = self.sent.report.trials.iter();
        trials.find(|own| own.problem == self.problem && own.trial == self.trial)
    }

    fn address(&self) -> String {
        trial_address(&self.project, &self.run, &self.problem, self.trial)
    }

    fn address_of(&self, at: &str, show: Show) -> String {
        format!(
            "{}?at={}&show={}",
            self.address(),
            address_part(at),
            show.name()
        )
    }

    pub(super) fn value(&self) -> Result<Value, HtmlError> {
        let report = &self.sent.report;
        let Some(trial) = self.trial() else {
            return Ok(context! {});
        };
        let summary = summary(report);
        let place = report
            .trials
            .iter()
            .position(|own| std::ptr::eq(own, trial));
        let own = place.and_then(|place| summary.trials.get(place));
        let mut grids = Grids::default();
        let all: Vec<Metric> = Metric::all().collect();
        let mut charts = Vec::new();
        for metric in CHARTED {
            let line = own.map(|own| CourseLine {
                name: clean(&self.problem),
                look: courses::look(0),
                values: values(own, metric),
            });
            charts.extend(figure(metric, &Vec::from_iter(line))?);
        }
        let checkpoint = trial
            .checkpoints
            .iter()
            .find(|one| one.checkpoint == self.at);
        Ok(context! {
            project => clean(&self.project),
            run => clean(&self.run),
            run_label => clean(&report.config.label),
            run_address => run_address(&self.project, &self.run),
            is_live => self.sent.phase.is_live(),
            name => view::trial_name(report, trial),
            table => own.map(|own| grids.add(&view::trial_grid(trial, own, &all))),
            charts,
            checkpoints => self.checkpoints(trial),
            views => self.views(),
            show => self.show.name(),
            at => clean(&self.at),
            state => checkpoint.map(state),
            details => self.details.as_ref().map(|details| self.details(details)),
            neighbours => self.neighbours(trial),
        })
    }

    fn checkpoints(&self, trial: &TrialReport) -> Vec<Value> {
        let one = |checkpoint: &CheckpointReport| {
            context! {
                name => clean(&checkpoint.checkpoint),
                tone => view::state_tone(checkpoint.state).name(),
                state => checkpoint.state.name(),
                is_current => checkpoint.checkpoint == self.at,
                address => self.address_of(&checkpoint.checkpoint, self.show),
            }
        };
        trial.checkpoints.iter().map(one).collect()
    }

    fn views(&self) -> Vec<Value> {
        let one = |show: Show| {
            context! {
                title => show.title(),
                is_current => show == self.show,
                address => self.address_of(&self.at, show),
            }
        };
        Show::ALL.into_iter().map(one).collect()
    }

    /// Addresses of the checkpoints before and after.
    fn neighbours(&self, trial: &TrialReport) -> Value {
        let at = trial
            .checkpoints
            .iter()
            .position(|one| one.checkpoint == self.at);
        let address = |place: Option<usize>| {
            let one = trial.checkpoints.get(place?)?;
            Some(self.address_of(&one.checkpoint, self.show))
        };
        context! {
            before => address(at.and_then(|at| at.checked_sub(1))),
            after => address(at.map(|at| at + 1)),
        }
    }

    fn details(&self, details: &CheckpointExhibit) -> Value {
        let shown = |show: Show| self.show == show;
        let lines = shown_lines(&details.changes);
        context! {
            tests => shown(Show::Results).then(|| held(&details.tests, tests)),
            findings => shown(Show::Results).then(|| held(&details.findings, |all| self.findings(all, &lines))),
            changes => shown(Show::Changes).then(|| held(&details.changes, |all| changes(all, &details.findings))),
            spec => shown(Show::Spec).then(|| held(&details.spec, excerpt)),
            steps => shown(Show::Steps).then(|| held(&details.steps, |all| self.steps(all))),
        }
    }

    fn findings(&self, all: &Listed<FindingLine>, lines: &Lines<'_>) -> Value {
        let one = |finding: &FindingLine| {
            let anchor = lines.get(&(finding.path.as_str(), finding.line));
            let address = anchor
                .map(|anchor| format!("{}#{anchor}", self.address_of(&self.at, Show::Changes)));
            context! {
                rule => clean(&finding.rule),
                place => format!("{}:{}", clean_path(&finding.path), finding.line),
                message => clean(&finding.message),
                address,
            }
        };
        context! { items => all.items.iter().take(MOST_ROWS).map(one).collect::<Vec<_>>(), left_out => all.left_out + all.items.len().saturating_sub(MOST_ROWS) }
    }

    fn steps(&self, all: &Listed<Step>) -> Value {
        let view = &self.steps;
        let kinds = view.kinds.iter().map(|(kind, count)| {
            let is_chosen = view.chosen.is_empty() || view.chosen.contains(kind);
            context! { name => kind, title => kind_title(kind), count, is_chosen }
        });
        let page = |from: u32| {
            let kinds = view
                .chosen
                .iter()
                .map(|kind| format!("&kind={}", address_part(kind)));
            let longer = match view.longer_s > 0.0 {
                true => format!("&longer={}", view.longer_s),
                false => String::new(),
            };
            let address = self.address_of(&self.at, Show::Steps);
            format!("{address}{}{longer}&from={from}", kinds.collect::<String>())
        };
        context! {
            action => self.address(),
            all => all.items.len() + all.left_out,
            kinds => kinds.collect::<Vec<_>>(),
            longer => view.longer_s.to_string(),
            has_times => view.longer_s > 0.0 || view.steps.iter().any(|(_, step)| step.took_s.is_some()),
            items => view.steps.iter().map(|(at, one)| step(*at, one)).collect::<Vec<_>>(),
            first => (view.from > 0).then(|| page(0)),
            next => view.next.map(page),
        }
    }
}

fn kind_title(kind: &str) -> &'static str {
    match kind {
        "prompt" => "instructions",
        "call" => "tool calls",
        _ => "messages",
    }
}

fn state(checkpoint: &CheckpointReport) -> Value {
    context! {
        name => checkpoint.state.name(),
        tone => view::state_tone(checkpoint.state).name(),
        reason => checkpoint.reason.as_deref().map(|reason| format::shorten(&clean(reason), 600)),
    }
}

/// Details, or the reason that they are missing.
fn held<T>(held: &Held<T>, value: impl FnOnce(&T) -> Value) -> Value {
    match held {
        Ok(known) => context! { known => value(known), missing => () },
        Err(why) => context! { known => (), missing => clean(why) },
    }
}

fn excerpt(text: &Excerpt) -> Value {
    let shown = &text.text[..text.text.floor_char_boundary(MOST_TEXT)];
    context! {
        text => code(shown),
        left_out => text.left_out + text.text.len() - shown.len(),
        is_long => text.text.len() > SHORT,
        start => code(&text.text[..text.text.floor_char_boundary(SHORT / 6)]),
    }
}

/// Text with control and invisible characters spelled out, line by line.
fn code(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(format::code_line).collect();
    lines.join("\n")
}

fn tests(all: &Listed<TestLine>) -> Value {
    let is_open = |test: &&TestLine| !matches!(test.outcome, Outcome::Passed);
    let one = |test: &TestLine| {
        let tone = match test.outcome {
            Outcome::Passed => "good",
            Outcome::Unstable => "warn",
            _ => "bad",
        };
        context! {
            id => clean(&test.id),
            group => test.group.name(),
            outcome => test.outcome.name(),
            tone,
            message => test.message.as_deref().map(code),
        }
    };
    let passed = all
        .items
        .iter()
        .filter(|test| test.outcome == Outcome::Passed);
    context! {
        open => all.items.iter().filter(is_open).take(MOST_ROWS).map(one).collect::<Vec<_>>(),
        passed => passed.take(MOST_ROWS).map(one).collect::<Vec<_>>(),
        left_out => all.left_out,
    }
}

/// Anchors of the lines that the page of changes shows, by path and line.
type Lines<'a> = HashMap<(&'a str, u32), String>;

fn shown_lines(changes: &Held<Changes>) -> Lines<'_> {
    let mut lines = Lines::new();
    let files = changes.iter().flat_map(|changes| &changes.files);
    for (number, file) in files.enumerate() {
        for hunk in &file.hunks {
            for (_, line) in numbered(hunk) {
                if let Some(new) = line {
                    lines.insert((&file.path, new), anchor(number, new));
                }
            }
        }
    }
    lines
}

fn anchor(file: usize, line: u32) -> String {
    format!("f{file}-{line}")
}

/// The lines of a hunk, each with its number in the later file, if it is there.
pub(super) fn numbered(hunk: &Hunk) -> impl Iterator<Item = (&str, Option<u32>)> {
    let mut next = u32::try_from(hunk.new).unwrap_or(0);
    hunk.lines.iter().map(move |line| {
        let is_there = !line.starts_with('-');
        let number = is_there.then_some(next);
        next += u32::from(is_there);
        (line.as_str(), number)
    })
}

/// Messages of findings by place.
type Found<'a> = HashMap<(&'a str, u32), String>;

fn changes(changes: &Changes, findings: &Held<Listed<FindingLine>>) -> Value {
    let mut found = Found::new();
    for finding in findings.iter().flat_map(|all| &all.items) {
        let text = found.entry((&finding.path, finding.line)).or_default();
        let line = format!("{}: {}", clean(&finding.rule), clean(&finding.message));
        *text = [text.as_str(), &line].join(if text.is_empty() { "" } else { "; " });
    }
    let files = changes.files.iter().enumerate();
    let mut room = MOST_LINES;
    context! {
        added => changes.added,
        removed => changes.removed,
        files => files.take(MOST_ROWS).map(|(at, file)| file_change(at, file, &found, &mut room)).collect::<Vec<_>>(),
    }
}

fn file_change(at: usize, file: &FileChange, found: &Found<'_>, room: &mut usize) -> Value {
    let fits = |hunk: &&Hunk| {
        let is_room = hunk.lines.len() <= *room;
        *room = room.saturating_sub(hunk.lines.len());
        is_room
    };
    let shown = file.hunks.iter().take_while(fits).count();
    let hidden = &file.hunks[shown..];
    let line = |(text, number): (&str, Option<u32>)| {
        let tone = match text.chars().next() {
            Some('+') => "add",
            Some('-') => "del",
            _ => "same",
        };
        context! {
            text => format::code_line(text),
            tone,
            anchor => number.map(|number| anchor(at, number)),
            number,
            found => number.and_then(|number| found.get(&(file.path.as_str(), number))),
        }
    };
    let hunk = |hunk: &Hunk| {
        context! { lines => numbered(hunk).map(line).collect::<Vec<_>>() }
    };
    let kind = match file.kind {
        slope_model::exhibit::ChangeKind::Added => "new",
        slope_model::exhibit::ChangeKind::Removed => "removed",
        slope_model::exhibit::ChangeKind::Changed => "changed",
    };
    context! {
        path => clean_path(&file.path),
        kind,
        added => file.added,
        removed => file.removed,
        hunks => file.hunks.iter().take(shown).map(hunk).collect::<Vec<_>>(),
        left_out => file.left_out + hidden.iter().map(|hunk| hunk.lines.len()).sum::<usize>(),
        note => file.note.as_deref().map(clean),
    }
}

fn step(at: u32, step: &Step) -> Value {
    let call = |call: &Call| {
        context! { tool => clean(&call.tool), arguments => excerpt(&call.arguments) }
    };
    let actor = match step.actor {
        Actor::User => "instructions",
        Actor::Agent => "agent",
    };
    context! {
        number => at + 1,
        actor,
        message => (!step.message.text.is_empty()).then(|| excerpt(&step.message)),
        calls => step.calls.iter().map(call).collect::<Vec<_>>(),
        results => step.results.iter().map(excerpt).collect::<Vec<_>>(),
        took => step.took_s.map(|seconds| format!("{} s", number(seconds, 1))),
        is_slow => step.took_s.is_some_and(|seconds| seconds >= 30.0),
    }
}
