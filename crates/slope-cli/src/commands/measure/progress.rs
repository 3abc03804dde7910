//! How far measuring is, on a terminal and only if it takes its time.

use std::io::IsTerminal;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Below this nobody wants to read of progress.
const PATIENCE: Duration = Duration::from_secs(1);

pub(super) struct Progress {
    is_wanted: bool,
    started: Instant,
    bar: OnceLock<ProgressBar>,
}

impl Progress {
    pub(super) fn new(quiet: bool) -> Self {
        Self {
            is_wanted: !quiet && std::io::stderr().is_terminal(),
            started: Instant::now(),
            bar: OnceLock::new(),
        }
    }

    /// Shows how many of how many files are done; called from several threads.
    pub(super) fn show(&self, done: usize, all: usize) {
        if !self.is_wanted || self.started.elapsed() < PATIENCE {
            return;
        }
        let bar = self.bar.get_or_init(|| bar(all));
        bar.set_position(u64::try_from(done).unwrap_or(u64::MAX));
        if done == all {
            bar.set_message("comparing files");
        }
    }

    /// Takes the bar off the screen.
    pub(super) fn finish(&self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}

fn bar(all: usize) -> ProgressBar {
    let style =
        ProgressStyle::with_template("{spinner} measuring {bar:24} {pos}/{len} files  {msg}")
            .unwrap_or_else(|_| ProgressStyle::default_bar());
    let bar = ProgressBar::new(u64::try_from(all).unwrap_or(u64::MAX)).with_style(style);
    bar.enable_steady_tick(Duration::from_millis(120));
    bar
}
