//! Progress on standard error while a run goes on. Nothing depends on it.

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use slope_bench::event::{Phase, Progress, TrialKey};
use slope_model::run::AttemptState;
use slope_model::verdict::State;

use crate::args::Color;

/// Decides for both streams whether they are coloured.
pub(crate) fn choose_color(color: Color) {
    let choice = match color {
        Color::Auto => anstream::ColorChoice::Auto,
        Color::Always => anstream::ColorChoice::Always,
        Color::Never => anstream::ColorChoice::Never,
    };
    choice.write_global();
}

/// A progress display: bars on a terminal, lines elsewhere, nothing if quiet.
pub(crate) struct Display {
    kind: Kind,
}

enum Kind {
    Quiet,
    Lines,
    Bars {
        all: MultiProgress,
        bars: Mutex<BTreeMap<(String, TrialKey), ProgressBar>>,
    },
}

impl Display {
    /// Chooses the kind that suits standard error.
    pub(crate) fn new(quiet: bool) -> Self {
        let kind = if quiet {
            Kind::Quiet
        } else if std::io::stderr().is_terminal() {
            Kind::Bars {
                all: MultiProgress::new(),
                bars: Mutex::default(),
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
            Kind::Bars { all, bars } => {
                let Some(key) = key(progress) else {
                    if let Some(line) = line(progress) {
                        drop(all.println(line));
                    }
                    return;
                };
                let mut bars = bars
                    .lock()
                    .unwrap_or_else(std::sync::PoisonError::into_inner);
                let bar = bars
                    .entry((label.to_owned(), key.clone()))
                    .or_insert_with(|| all.add(bar(&prefix(label, progress))));
                update(bar, progress);
            }
        }
    }

    /// Says one line of what is being done.
    pub(crate) fn note(&self, text: &str) {
        match &self.kind {
            Kind::Quiet => {}
            Kind::Lines => anstream::eprintln!("{text}"),
            Kind::Bars { all, .. } => drop(all.println(text)),
        }
    }

    /// Takes the bars off the screen, so that a report starts on a clean line.
    pub(crate) fn finish(&self) {
        if let Kind::Bars { all, bars } = &self.kind {
            bars.lock()
                .unwrap_or_else(std::sync::PoisonError::into_inner)
                .clear();
            drop(all.clear());
        }
    }
}

fn key(progress: &Progress) -> Option<&TrialKey> {
    match progress {
        Progress::Preparing(_) => None,
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

fn bar(prefix: &str) -> ProgressBar {
    let style =
        ProgressStyle::with_template("{spinner} {prefix}{bar:16} {pos}/{len}  {msg}  {elapsed}")
            .unwrap_or_else(|_| ProgressStyle::default_bar());
    let bar = ProgressBar::new(1)
        .with_style(style)
        .with_prefix(prefix.to_owned());
    bar.enable_steady_tick(Duration::from_millis(120));
    bar
}

fn update(bar: &ProgressBar, progress: &Progress) {
    if let Progress::Phase { index, of, .. } = progress {
        bar.set_length(u64::from(*of));
        bar.set_position(u64::from(index.saturating_sub(1)));
    }
    if let Progress::TrialEnded { .. } = progress {
        if let Some(length) = bar.length() {
            bar.set_position(length);
        }
        bar.finish();
    } else if let Some(line) = line(progress) {
        bar.set_message(line);
    }
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
        Progress::TrialEnded { .. } => return None,
    })
}
