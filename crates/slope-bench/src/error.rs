//! Errors of a run that are not the agent's or its program's.

use std::path::PathBuf;

/// A failure of the harness or of its input.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A directory contains no run.
    #[error(
        "{} contains no run\n\
         help: pass a folder with the run.json of slope, or the config.yaml and environment.yaml of the \
         published harness",
        .0.display()
    )]
    NoRun(PathBuf),
    /// A directory does not exist.
    #[error("{} does not exist\nhelp: pass the directory of a run", .0.display())]
    NoDirectory(PathBuf),
    /// A directory is not a run, but contains runs.
    #[error("{} is not a run, but contains runs\nhelp: choose one of them: {}", path.display(), listed(runs))]
    RunsBelow {
        /// The directory.
        path: PathBuf,
        /// The runs in it.
        runs: Vec<PathBuf>,
    },
    /// A run's schema is not supported by this version.
    #[error("{}: this version of slope does not support the schema {found}", path.display())]
    OtherSchema {
        /// The file.
        path: PathBuf,
        /// Its schema.
        found: String,
    },
    /// A new run would overwrite an existing one.
    #[error("{} already contains a run\nhelp: continue it with `slope resume`, or choose another --out", .0.display())]
    Exists(PathBuf),
    /// A run was planned with something else.
    #[error("cannot resume")]
    Changed(#[from] PlanChange),
    /// No process executes the run.
    #[error("{} is not running\nhelp: see how far it got with `slope status`, or continue it with `slope resume`", .0.display())]
    NotRunning(PathBuf),
    /// The run was cancelled.
    #[error("the run in {} was cancelled\nhelp: continue it with `slope resume`", .0.display())]
    Cancelled(PathBuf),
    /// The disk of the run is full.
    #[error("the disk of {} is full: {why}\nhelp: free some space, then run `slope resume`, which keeps finished work", run.display())]
    DiskFull {
        /// The run.
        run: PathBuf,
        /// Failed action.
        why: String,
    },
    /// A worker could not go on.
    #[error(transparent)]
    Worker(#[from] WorkerError),
    /// `slope worker` was started by something else than `slope run`.
    #[error(
        "`slope worker` needs its coordinator as standard input\nhelp: use `slope run`, which starts it"
    )]
    NoCoordinator,
    /// A file cannot be read.
    #[error("cannot read {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// System error.
        source: std::io::Error,
    },
    /// A file is malformed.
    #[error("{}: {message}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// Error message, with its place.
        message: String,
    },
    /// The directory of a new run cannot be used.
    #[error("cannot create the run\nhelp: choose another directory for the run with --out")]
    Directory(#[source] slope_store::Error),
    /// Options of a run cannot be written as JSON.
    #[error("cannot store the options of the run")]
    Options(#[source] serde_json::Error),
    /// A path that JSON cannot hold.
    #[error("{}: the path is not UTF-8\nhelp: rename the folder", .0.display())]
    NotUtf8(PathBuf),
    /// Two folders have problems of the same name.
    #[error(
        "{} and {} both contain the problem {name}\n\
         help: give each problem once, and repeat it with --trials N",
        first.display(), second.display()
    )]
    SameProblem {
        /// A folder.
        first: PathBuf,
        /// The other.
        second: PathBuf,
        /// Name of the problem.
        name: String,
    },
    /// A run has no problem of this name.
    #[error("the run has no problem {name}: it has {known}")]
    NoProblem {
        /// The requested name.
        name: String,
        /// The names of the run, separated by commas.
        known: String,
    },
    /// A problem has no such checkpoint.
    #[error("problem {problem} has no checkpoint {checkpoint}: it has {count}")]
    NoCheckpoint {
        /// The problem.
        problem: String,
        /// Requested number, from 1, or name.
        checkpoint: String,
        /// Number of checkpoints.
        count: usize,
    },
    /// A checkpoint should start from code that the problem does not have in this language.
    #[error(
        "problem {problem} has no folder {}, which {checkpoint} starts from\n\
         help: choose the --track of a language that has it, or leave this checkpoint out",
        folder.display()
    )]
    NoReference {
        /// The problem.
        problem: String,
        /// The checkpoint.
        checkpoint: String,
        /// Folder of the solution, below the problem's.
        folder: PathBuf,
    },
    /// The network of an environment is invalid.
    #[error("invalid network of the environment")]
    Network(#[from] slope_egress::RuleError),
    /// A run of another harness cannot be read.
    #[error(transparent)]
    Import(#[from] slope_published::ImportError),
    /// A problem or prompt cannot be used.
    #[error(transparent)]
    Problem(#[from] slope_problem::Error),
    /// A language track cannot be used.
    #[error(transparent)]
    Track(#[from] slope_suite::Error),
    /// An agent cannot be used.
    #[error(transparent)]
    Agent(#[from] slope_agent::Error),
    /// The gateway failed.
    #[error(transparent)]
    Gateway(#[from] slope_gateway::GatewayError),
    /// The sandbox failed.
    #[error(transparent)]
    Sandbox(#[from] slope_sandbox::Error),
    /// A snapshot cannot be measured.
    #[error(transparent)]
    Measure(#[from] slope_measure::Error),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] slope_store::Error),
}

/// A difference between a run's plan and its problems and prompt now.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlanChange {
    /// The prompt differs.
    #[error(
        "the prompt {0} has changed since the run was planned\nhelp: restore it, or start a new run"
    )]
    Prompt(String),
    /// The folder of a problem is gone.
    #[error(
        "problem {name} is no longer in {}\n\
         help: restore it, or name its folder: slope resume RUN PROBLEM_DIR, or slope eval RUN --problem PROBLEM_DIR",
        path.display()
    )]
    ProblemGone {
        /// Name of the problem.
        name: String,
        /// Its folder in the plan.
        path: PathBuf,
    },
    /// A problem differs.
    #[error(
        "problem {name} in {} has changed since the run was planned\nhelp: restore it, or start a new run",
        path.display()
    )]
    Problem {
        /// Name of the problem.
        name: String,
        /// Its folder.
        path: PathBuf,
    },
}

/// Why a trial's worker or its link to the coordinator failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WorkerError {
    /// The coordinator gave the trial up.
    #[error("the coordinator has given up the trial")]
    GivenUp,
    /// Workers end before they begin.
    #[error("{count} workers on trial {trial} ended before they could begin: {status}")]
    Stillborn {
        /// Number of workers.
        count: u32,
        /// The trial.
        trial: String,
        /// How the last one ended.
        status: String,
    },
    /// The other side of the link reported an error, given with its causes and remedies.
    #[error("{0}")]
    Reported(String),
    /// The coordinator ended.
    #[error("the coordinator has ended")]
    CoordinatorGone,
    /// The coordinator gave an answer to another question.
    #[error("unexpected answer of the coordinator: {0}")]
    Answer(String),
    /// A worker sent no socket.
    #[error("a worker sent no socket for its gateway")]
    NoSocket,
    /// A thread that grades panicked.
    #[error("a grading panicked")]
    Panicked,
}

impl Error {
    /// Whether a full disk caused this.
    #[must_use]
    pub fn is_disk_full(&self) -> bool {
        match self {
            Self::DiskFull { .. } => true,
            Self::Store(error) => error.is_disk_full(),
            _ => false,
        }
    }
}

/// The first few of some paths.
fn listed(paths: &[PathBuf]) -> String {
    const MOST: usize = 5;
    let shown = paths
        .iter()
        .take(MOST)
        .map(|path| path.display().to_string());
    let mut shown: Vec<String> = shown.collect();
    if paths.len() > MOST {
        shown.push(format!("and {} more", paths.len() - MOST));
    }
    shown.join(", ")
}
