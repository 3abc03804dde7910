//! `slope run --push`: sends a run to a server while it goes on, and does what its visitors ask.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use anstream::eprintln;
use slope_bench::control::{self, Wanted};
use slope_bench::outgoing::outgoing;
use slope_model::error_text::{ErrorText, one_line};
use slope_model::sent_run::RunRequest;
use slope_report::clean;
use slope_track::{Project, RunSender, Server, ServerError};

use crate::args::PushArgs;
use crate::commands::track::{page, send, server};
use crate::exit::{self, Done};

/// Time between two looks at the run's directory.
const PAUSE: Duration = Duration::from_secs(3);
/// Time until the next try after a failure.
const PAUSE_AFTER_FAILURE: Duration = Duration::from_secs(30);

/// Sends a run in the background.
pub(crate) struct LivePush {
    stop: Sender<()>,
    thread: JoinHandle<Option<ServerError>>,
}

/// The server that the options name; `None` without `--push`.
pub(crate) fn target(args: &PushArgs) -> anyhow::Result<Option<Server>> {
    if !args.push {
        return Ok(None);
    }
    let project = Project::find(Path::new("."), None)?;
    server(&args.server, &project).map(Some)
}

impl LivePush {
    /// Begins to send the run in `dir`, which need not exist yet.
    pub(crate) fn start(dir: PathBuf, server: Server) -> Self {
        let (stop, stopped) = channel();
        let thread = std::thread::spawn(move || follow(&dir, &server, &stopped));
        Self { stop, thread }
    }

    /// Sends what is left. Reports a failure on standard error.
    pub(crate) fn finish(self, dir: &Path) -> Done {
        drop(self.stop);
        let Ok(failure) = self.thread.join() else {
            eprintln!("error: sending the run failed");
            return Done::NotSent;
        };
        let Some(failure) = failure else {
            return Done::Fine;
        };
        exit::print(&ErrorText::of(&failure));
        eprintln!(
            "the run is kept and was not sent; `slope track push --run {}` sends it",
            dir.display()
        );
        Done::NotSent
    }
}

/// Sends the run whenever it changes, and once more at the end. Returns the last failure, if the end was not sent.
fn follow(dir: &Path, server: &Server, stopped: &Receiver<()>) -> Option<ServerError> {
    let sender = RunSender::new(server);
    let mut wait = PAUSE;
    let mut is_named = false;
    let mut has_failed = false;
    loop {
        let is_last = !matches!(stopped.recv_timeout(wait), Err(RecvTimeoutError::Timeout));
        // A run that is just being written is read at the next look.
        let run = outgoing(&[dir])
            .ok()
            .and_then(|found| found.runs.into_iter().next());
        let result = match &run {
            Some(run) => send(run, &sender),
            None => Ok((0, None)),
        };
        match (&run, result) {
            (_, Err(error)) if is_last => return Some(error),
            (_, Err(error)) => {
                if !has_failed {
                    eprintln!("not sent yet: {}", one_line(&error));
                }
                has_failed = true;
                wait = PAUSE_AFTER_FAILURE;
            }
            (Some(run), Ok((_, request))) => {
                if !is_named {
                    eprintln!("The run is shown at {}", clean(&page(server, run)));
                }
                is_named = true;
                has_failed = false;
                wait = PAUSE;
                obey(dir, request);
            }
            (None, Ok(_)) => {}
        }
        if is_last {
            return None;
        }
    }
}

/// Does what a visitor asks. If no process works on the run any more, there is nothing to do.
fn obey(dir: &Path, request: Option<RunRequest>) {
    let wanted = match request {
        Some(RunRequest::Pause) => Wanted::Pause,
        Some(RunRequest::Resume) => Wanted::Run,
        Some(RunRequest::Cancel) => Wanted::Cancel,
        None => return,
    };
    drop(control::ask_running(dir, wanted));
}
