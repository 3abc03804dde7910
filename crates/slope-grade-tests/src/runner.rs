//! Runs a command over an edited base, in a sandbox.

use std::collections::{BTreeMap, VecDeque};
use std::error::Error as _;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use slope_grade::{Ended, Job, Layout, Ran, Report, ReportPlace, TestRunner};
use slope_model::grade::Fault;
use slope_model::grade_request::ReportFormat;
use slope_sandbox::spec::{Command, Limits, Network, Spec, Volume};
use slope_sandbox::{Bind, Error as SandboxError, Exit, LimitHit, Outcome, Runtime};
use tempfile::TempDir;

use crate::files::BaseArchive;
use crate::report;
use crate::scratch::{self, Scratch};
use crate::suites::Suites;

/// The folder of the edited base in a sandbox.
const WORKSPACE: &str = "/workspace";
/// Where programs are searched.
const PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
/// Bytes of a report.
const REPORT_SIZE: u64 = 32 << 20;
/// Bytes of each output that are kept.
const OUTPUT: u64 = 16 << 20;
/// Bytes of the end of the outputs that a result has.
const OUTPUT_END: usize = 4 << 10;
/// Archives of bases that are kept.
const MAX_BASES: usize = 16;
/// Time in which processes may end after the command.
const SETTLE: Duration = Duration::from_millis(500);

/// Limits of one run.
#[derive(Debug, Clone, Copy)]
pub struct RunLimits {
    /// Bytes of memory.
    pub memory: u64,
    /// Bytes of files.
    pub disk: u64,
    /// Processes and threads.
    pub processes: u64,
}

impl Default for RunLimits {
    fn default() -> Self {
        Self {
            memory: 4 << 30,
            disk: 2 << 30,
            processes: 512,
        }
    }
}

/// Runs tests in sandboxes.
pub struct SandboxRunner {
    runtime: Box<dyn Runtime>,
    limits: RunLimits,
    binds: Vec<Bind>,
    env: BTreeMap<String, String>,
    suites: Suites,
    bases: Mutex<VecDeque<(u64, Slot)>>,
    scratch: Scratch,
}

/// The archive of a base, made by the first run that needs it.
type Slot = Arc<OnceLock<Result<BaseArchive, String>>>;

impl SandboxRunner {
    /// Runs tests in a runtime. `binds` are folders of the host that they see, `env` is their environment.
    ///
    /// # Errors
    /// If there is no place for temporary files.
    pub fn new(
        runtime: Box<dyn Runtime>,
        limits: RunLimits,
        binds: Vec<Bind>,
        env: BTreeMap<String, String>,
    ) -> Result<Self, scratch::Error> {
        Ok(Self {
            runtime,
            limits,
            binds,
            env,
            suites: Suites::default(),
            bases: Mutex::default(),
            scratch: Scratch::new(&std::env::temp_dir())?,
        })
    }

    /// Also runs the tests of problems.
    #[must_use]
    pub fn with_suites(mut self, suites: Suites) -> Self {
        self.suites = suites;
        self
    }

    /// The archive of a base. Those of bases that are not used any more go.
    fn base(&self, layout: &Layout) -> Slot {
        let mut bases = self.bases.lock().unwrap_or_else(PoisonError::into_inner);
        let number = layout.number();
        let known = bases.iter().position(|(known, _)| *known == number);
        let slot = known.and_then(|at| bases.remove(at));
        let slot = slot.map_or_else(Slot::default, |(_, slot)| slot);
        bases.push_back((number, slot.clone()));
        while bases.len() > MAX_BASES {
            bases.pop_front();
        }
        slot
    }

    fn try_run(&self, job: &Job) -> Result<Ran, Failure> {
        let slot = self.base(&job.layout);
        let written = slot.get_or_init(|| {
            let archive = BaseArchive::write(&job.layout, self.scratch.path());
            archive.map_err(|error| error.to_string())
        });
        let base = written.as_ref().map_err(|why| Failure::Base(why.clone()))?;
        let folder = TempDir::new_in(self.scratch.path())?;
        let run = Run {
            job,
            folder: folder.path(),
        };
        base.copy_for(job, run.report_folder(), &run.at("files.tar"))?;
        if let Some(suite) = &job.suite {
            let files = run.at("files.tar");
            let ran = self
                .suites
                .grade(suite, &files, job.timeout, &*self.runtime);
            return ran.map_err(Failure::Suite);
        }
        let spec = self.spec(&run)?;
        match self.runtime.run(&spec) {
            Ok(outcome) => run.result(&outcome),
            Err(error) if run.lacks_program(&error, &spec) => Ok(run.without_program()),
            Err(error) => Err(Failure::Sandbox(error)),
        }
    }

    fn spec(&self, run: &Run<'_>) -> io::Result<Spec> {
        // A new place each time, so that no edit can name it.
        let place = run.folder.file_name().unwrap_or_default();
        let place = Path::new("/").join(format!("report{}", place.to_string_lossy()));
        let command = run.job.command(&place.join("report.xml").to_string_lossy());
        let files = run.at("files.tar");
        let size = fs::metadata(&files)?.len();
        let volume = |target: PathBuf| Volume {
            target,
            fill: None,
            collect: None,
            size: REPORT_SIZE,
            writable: true,
            shared: false,
        };
        let mut volumes = vec![Volume {
            fill: Some(files),
            size: size.saturating_mul(2) + self.limits.disk,
            ..volume(WORKSPACE.into())
        }];
        let target = match &run.job.report {
            Some((_, ReportPlace::File)) => Some(place),
            Some((_, ReportPlace::Folder(folder))) => Some(Path::new(WORKSPACE).join(folder)),
            Some((_, ReportPlace::Output)) | None => None,
        };
        volumes.extend(target.map(|target| Volume {
            collect: Some(run.at("report.tar")),
            ..volume(target)
        }));
        let fixed = [("HOME", "/home/user"), ("LANG", "C.UTF-8"), ("PATH", PATH)];
        let fixed = fixed.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let mut env = BTreeMap::from(fixed);
        env.extend(self.env.clone());
        env.extend(run.job.env.clone());
        Ok(Spec {
            command: Command::Exec(command),
            workdir: WORKSPACE.into(),
            env,
            volumes,
            binds: self.binds.clone(),
            network: Network::None,
            limits: Limits {
                wall: run.job.timeout,
                memory: self.limits.memory,
                disk: self.limits.disk,
                processes: self.limits.processes,
                file_size: self.limits.disk,
                output: OUTPUT,
                settle: SETTLE,
                ..Limits::default()
            },
            enclosure: None,
            stdout: run.at("stdout"),
            stderr: run.at("stderr"),
        })
    }
}

impl TestRunner for SandboxRunner {
    fn run(&self, job: &Job) -> Result<Ran, Fault> {
        self.try_run(job).map_err(|failure| Fault {
            field: "tests".to_owned(),
            message: failure.in_words(),
            help: failure.help().to_owned(),
        })
    }
}

/// Why tests could not be run, by no fault of the edit.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error("the files of the base cannot be read: {0}")]
    Base(String),
    #[error("the tests could not be run")]
    Sandbox(#[source] SandboxError),
    #[error("the suite could not be run: {0}")]
    Suite(String),
    #[error("a temporary file cannot be used")]
    Io(#[from] io::Error),
}

impl Failure {
    /// The message with its causes, without remedies.
    fn in_words(&self) -> String {
        let mut words = self.to_string();
        let mut cause = self.source();
        while let Some(error) = cause {
            let text = error.to_string();
            let text = text.split("\nhelp: ").next().unwrap_or_default();
            words = format!("{words}: {text}");
            cause = error.source();
        }
        words
    }

    fn help(&self) -> &'static str {
        match self {
            Self::Base(_) => "leave the base as it is while edits are graded",
            Self::Sandbox(SandboxError::Exec { .. }) => {
                "name a program that the sandbox has: those below /usr, and of the folders of --test-mount"
            }
            Self::Sandbox(SandboxError::Spec(_)) => "correct `tests.command` and `tests.env`",
            Self::Sandbox(_) | Self::Suite(_) => {
                "`slope doctor` shows what the sandbox needs; send the request again"
            }
            Self::Io(_) => "free some disk space, and send the request again",
        }
    }
}

/// A run with its folder on the host.
struct Run<'j> {
    job: &'j Job,
    folder: &'j Path,
}

impl Run<'_> {
    fn at(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn report_folder(&self) -> Option<&str> {
        match &self.job.report {
            Some((_, ReportPlace::Folder(folder))) => Some(folder),
            _ => None,
        }
    }

    /// Whether the program is one of the edited base, which the edit may have removed.
    fn lacks_program(&self, error: &SandboxError, spec: &Spec) -> bool {
        let Command::Exec(argv) = &spec.command else {
            return false;
        };
        let program = argv.first().map(String::as_str).unwrap_or_default();
        let is_inside = program.starts_with(WORKSPACE) || !program.starts_with('/');
        matches!(error, SandboxError::Exec { .. }) && program.contains('/') && is_inside
    }

    fn without_program(&self) -> Ran {
        Ran {
            ended: Ended::NoProgram,
            report: self.job.report.as_ref().map(|_| Report::Missing),
            left_processes: 0,
            limits: Vec::new(),
            seconds: 0.0,
            output: String::new(),
        }
    }

    fn result(&self, outcome: &Outcome) -> Result<Ran, Failure> {
        let has_hit = |limit: LimitHit| outcome.limits.contains(&limit);
        let ended = match outcome.exit {
            _ if has_hit(LimitHit::Wall) => Ended::Late,
            Exit::Code(code) => Ended::Code(code),
            Exit::Signal(signal) => Ended::Signal(signal),
        };
        let stdout = text_of(&self.at("stdout"))?;
        let stderr = text_of(&self.at("stderr"))?;
        let report = match &self.job.report {
            None => None,
            Some((_, ReportPlace::Output)) if has_hit(LimitHit::Output) => {
                Some(Report::Unreadable("the output is too long".to_owned()))
            }
            Some((format, ReportPlace::Output)) => {
                // unittest writes to standard error.
                let text = match format {
                    ReportFormat::Unittest => format!("{stdout}\n{stderr}"),
                    _ => stdout.clone(),
                };
                Some(report::of_output(*format, &text))
            }
            Some((_, ReportPlace::File | ReportPlace::Folder(_))) => {
                Some(report::of_junit(&xml_files(&self.at("report.tar"))?))
            }
        };
        Ok(Ran {
            ended,
            report,
            left_processes: outcome.leftover_processes,
            limits: outcome
                .limits
                .iter()
                .map(|limit| limit.name().to_owned())
                .collect(),
            seconds: outcome.wall_s,
            output: end_of(&format!("{stdout}{stderr}")),
        })
    }
}

fn text_of(file: &Path) -> io::Result<String> {
    Ok(String::from_utf8_lossy(&fs::read(file)?).into_owned())
}

/// The end of a text.
pub(crate) fn end_of(text: &str) -> String {
    let mut begin = text.len().saturating_sub(OUTPUT_END);
    while !text.is_char_boundary(begin) {
        begin += 1;
    }
    text[begin..].to_owned()
}

/// The XML files of an archive, in order of path. If the kernel killed the sandbox, there is no archive.
fn xml_files(archive: &Path) -> io::Result<Vec<String>> {
    if !archive.exists() {
        return Ok(Vec::new());
    }
    let mut files = BTreeMap::new();
    for entry in tar::Archive::new(File::open(archive)?).entries()? {
        let mut entry = entry?;
        let path = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        if entry.header().entry_type().is_file() && path.ends_with(".xml") {
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes)?;
            files.insert(path, String::from_utf8_lossy(&bytes).into_owned());
        }
    }
    Ok(files.into_values().collect())
}
