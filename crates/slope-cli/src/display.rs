//! Progress of a run on standard error. It does not affect results.

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use slope_bench::event::{Phase, Progress, TrialKey};
use slope_gateway::Notify;
use slope_model::run::AttemptState;
use slope_model::verdict::State;

use crate::args::Color;
use crate::{logging, table};

/// Decides for both streams whether they are coloured.
pub(crate) fn choose_color(color: Color) {
    let choice = match color {
        Color::Auto => anstream::ColorChoice::Auto,
        Color::Always => anstream::ColorChoice::Always,
        Color::Never => anstream::ColorChoice::Never,
    };
    choice.write_global();
}

/// Progress display: a table on a terminal, otherwise lines, nothing if quiet.
pub(crate) struct Display {
    kind: Kind,
}

enum Kind {
    Quiet,
    Lines,
    Table {
        all: MultiProgress,
        /// The table of each run, by its label.
        tables: Mutex<BTreeMap<String, ProgressBar>>,
    },
}

impl Display {
    /// Whether progress is hidden.
    pub(crate) fn is_quiet(&self) -> bool {
        matches!(self.kind, Kind::Quiet)
    }

    /// Chooses the kind that suits standard error.
    pub(crate) fn new(quiet: bool) -> Self {
        let kind = if quiet {
            Kind::Quiet
        } else if std::io::stderr().is_terminal() && !logging::is_on() {
            Kind::Table {
                all: MultiProgress::new(),
                tables: Mutex::default(),
            }
        } else {
            Kind::Lines
        };
        Self { kind }
    }

    /// Shows one event of the run called `label`.
    pub(crate) fn show(&self, label: &str, progress: &Progress) {
        match &self.kind {
            Kind::Quiet => {}
            Kind::Lines => {
                if let Some(line) = line(progress) {
                    anstream::eprintln!("{}{line}", prefix(label, progress));
                }
            }
            Kind::Table { all, tables } => match progress {
                Progress::Status(status) => {
                    let mut tables = tables
                        .lock()
                        .unwrap_or_else(std::sync::PoisonError::into_inner);
                    let bar = tables
                        .entry(label.to_owned())
                        .or_insert_with(|| all.add(bar()));
                    bar.set_message(table::status(status, rows()));
                }
                // The table shows the activity. A failure stays on the screen.
                Progress::Preparing(_) | Progress::Attempted { .. } => {
                    if let Some(line) = line(progress) {
                        drop(all.println(format!("{}{line}", prefix(label, progress))));
                    }
                }
                _ => {}
            },
        }
    }

    /// Prints one line about the current activity.
    pub(crate) fn note(&self, text: &str) {
        match &self.kind {
            Kind::Quiet => {}
            Kind::Lines => anstream::eprintln!("{text}"),
            Kind::Table { all, .. } => drop(all.println(text)),
        }
    }

    /// Takes messages of a gateway, from any thread.
    pub(crate) fn notifier(&self) -> Notify {
        match &self.kind {
            Kind::Quiet => Notify::default(),
            Kind::Lines => Notify::new(|text| anstream::eprintln!("{text}")),
            Kind::Table { all, .. } => {
                let all = all.clone();
                Notify::new(move |text| drop(all.println(text)))
            }
        }
    }

    /// Takes the tables off the screen, so that a report starts on a clean line.
    pub(crate) fn finish(&self) {
        if let Kind::Table { all, tables } = &self.kind {
            tables
                .lock()
                .unwrap_or_else(std::sync::PoisonError::into_inner)
                .clear();
            drop(all.clear());
        }
    }
}

fn key(progress: &Progress) -> Option<&TrialKey> {
    match progress {
        Progress::Preparing(_) | Progress::Status(_) => None,
        Progress::Phase { key, .. }
        | Progress::Attempted { key, .. }
        | Progress::Graded { key, .. }
        | Progress::TrialEnded { key } => Some(key),
    }
}

/// `label  problem/trial  `, for the beginning of a line.
fn prefix(label: &str, progress: &Progress) -> String {
    key(progress).map_or_else(String::new, |key| {
        format!("{label:<8} {}/{}  ", key.problem, key.trial)
    })
}

/// Number of trial rows that fit on the screen besides the rest of the table.
fn rows() -> usize {
    let size = terminal_size::terminal_size_of(std::io::stderr());
    let height = size.map_or(24, |(_, terminal_size::Height(height))| usize::from(height));
    height.saturating_sub(14).max(3)
}

fn bar() -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {msg}")
        .unwrap_or_else(|_| ProgressStyle::default_spinner());
    let bar = ProgressBar::new_spinner().with_style(style);
    bar.enable_steady_tick(Duration::from_millis(250));
    bar
}

fn line(progress: &Progress) -> Option<String> {
    Some(match progress {
        Progress::Preparing(what) => what.clone(),
        Progress::Phase {
            index, of, phase, ..
        } => {
            let phase = match phase {
                Phase::Agent => "agent works",
                Phase::Grade => "hidden tests run",
                Phase::Measure => "measuring",
            };
            format!("checkpoint {index} of {of}: {phase}")
        }
        Progress::Attempted {
            state: AttemptState::Completed,
            ..
        } => return None,
        Progress::Attempted { state, reason, .. } => {
            let reason = reason.as_deref().unwrap_or("no reason given");
            format!("attempt ended: {}: {reason}", state.name())
        }
        Progress::Graded {
            index,
            state,
            passed: (passed, total),
            ..
        } => {
            let mark = if *state == State::Passed {
                "all passed"
            } else {
                "not all passed"
            };
            format!("checkpoint {index}: {passed}/{total} tests, {mark}")
        }
        Progress::TrialEnded { .. } | Progress::Status(_) => return None,
    })
}
