//! Progress of a measurement, shown on a terminal if it takes long.

use std::io::IsTerminal;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Time after which progress is shown.
const PATIENCE: Duration = Duration::from_secs(1);

pub(in crate::commands) struct Progress {
    is_wanted: bool,
    started: Instant,
    bar: OnceLock<ProgressBar>,
}

impl Progress {
    pub(in crate::commands) fn new(quiet: bool) -> Self {
        Self {
            is_wanted: !quiet && std::io::stderr().is_terminal() && !crate::logging::is_on(),
            started: Instant::now(),
            bar: OnceLock::new(),
        }
    }

    /// Shows the number of finished files and of files found so far. Called from several threads.
    pub(super) fn show(&self, done: usize, all: usize) {
        if !self.is_wanted || self.started.elapsed() < PATIENCE {
            return;
        }
        let bar = self.bar.get_or_init(|| bar(all));
        bar.set_length(u64::try_from(all).unwrap_or(u64::MAX));
        bar.set_position(u64::try_from(done).unwrap_or(u64::MAX));
        let last = if done == all { "comparing files" } else { "" };
        bar.set_message(last);
    }

    /// Shows how far a part of the work is that has a name of its own.
    pub(in crate::commands) fn stage(&self, what: &str, done: usize, all: usize) {
        if !self.is_wanted || self.started.elapsed() < PATIENCE {
            return;
        }
        let bar = self.bar.get_or_init(|| bar(all));
        bar.set_prefix(what.to_owned());
        bar.set_length(u64::try_from(all).unwrap_or(u64::MAX));
        bar.set_position(u64::try_from(done).unwrap_or(u64::MAX));
    }

    /// Takes the bar off the screen.
    pub(in crate::commands) fn finish(&self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}

fn bar(all: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {prefix} {bar:24} {pos}/{len}  {msg}")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    let bar = ProgressBar::new(u64::try_from(all).unwrap_or(u64::MAX)).with_style(style);
    bar.set_prefix("measuring files");
    bar.enable_steady_tick(Duration::from_millis(120));
    bar
}
