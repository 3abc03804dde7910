//! `slope hook`: hooks of agents.

use std::io::{Read, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use serde::Serialize;
use slope_hook::{
    Budget, Done as Laid, GateJudge, Hooked, Installer, LogLine, Question, Scope, StateDir, Status,
    Turn, answer, ended_turn, last_lines,
};
use slope_report::Format;

use super::output;
use crate::args::{self, Answer, Hook, InstallHooks};
use crate::exit::Done;
use crate::folders;

/// Maximum size of an event in bytes. Agents include the output of a tool in it.
const MAX_EVENT: u64 = 64 << 20;

/// Time limit for reading an event.
const UNTIL_READ: Duration = Duration::from_secs(10);

/// Lines of the log that `slope hook status` shows.
const LAST: usize = 10;

pub(crate) fn run(args: &Hook, format: Format) -> anyhow::Result<Done> {
    match args {
        Hook::ClaudeCode(args) => Ok(speak(Hooked::ClaudeCode, args)),
        Hook::Codex(args) => Ok(speak(Hooked::Codex, args)),
        Hook::Gemini(args) => Ok(speak(Hooked::Gemini, args)),
        Hook::Opencode(args) => Ok(speak(Hooked::OpenCode, args)),
        Hook::Install(args) => install(args, format),
        Hook::Uninstall(args) => settings(args, format, Action::Uninstall),
        Hook::Status(args) => status(args, format),
    }
}

/// Answers an agent. Errors must not block it, so none is returned.
fn speak(agent: Hooked, args: &Answer) -> Done {
    let patience = args.patience.map(Duration::from_secs);
    let (input, is_whole) = read_event(patience.map_or(UNTIL_READ, |p| p.min(UNTIL_READ)));
    if !is_whole {
        anstream::eprintln!(
            "slope: standard input is still open and holds no whole event; it is agents that run \
             this command: `slope hook install` puts it into their settings"
        );
    }
    let Ok(state) = state() else {
        return Done::Fine;
    };
    let budget = patience.map_or_else(Budget::default, |patience| Budget {
        start: patience,
        edit: patience,
        stop: patience,
    });
    let question = Question {
        agent,
        input: &input,
        base: args.base_dir.as_deref(),
        top: args.top.as_deref(),
        budget,
    };
    let judge = GateJudge::new(folders::cache());
    let reply = answer(&question, &state, judge);
    if let Some(reply) = &reply {
        // An agent that no longer reads the reply is no error either.
        drop(writeln!(std::io::stdout().lock(), "{reply}"));
    }
    // An agent that must continue has not ended its turn.
    if let (Some(series), None) = (&args.track, &reply)
        && let Some(turn) = ended_turn(&question, &state)
    {
        begin_point(&turn, &series.0);
    }
    Done::Fine
}

/// Starts the process that adds a point. The agent does not wait for it.
fn begin_point(turn: &Turn, series: &str) {
    let Ok(program) = std::env::current_exe() else {
        return;
    };
    let mut command = Command::new(program);
    command
        .args(["track", "add", "--if-changed"])
        .arg(format!("--series={series}"))
        .arg(format!("--agent={}", turn.agent.name()))
        .arg(format!("--session={}", turn.session))
        .args(turn.model.iter().map(|model| format!("--model={model}")))
        .arg(format!(
            "--from-hook={}",
            turn.since.as_deref().unwrap_or_default()
        ))
        .arg("--")
        .arg(&turn.top)
        .current_dir(&turn.top)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        // An agent may end the group of its hooks.
        .process_group(0);
    drop(command.spawn());
}

/// Reads standard input until its end or the time limit, and tells whether it is complete. If an
/// agent leaves it open, a complete event counts.
fn read_event(patience: Duration) -> (Vec<u8>, bool) {
    let until = Instant::now() + patience;
    let (send, receive) = mpsc::channel();
    // Nothing can interrupt it; it ends with the process.
    std::thread::spawn(move || {
        let mut input = std::io::stdin().lock().take(MAX_EVENT);
        let mut chunk = vec![0; 1 << 16];
        while let Ok(read @ 1..) = input.read(&mut chunk) {
            if send.send(chunk[..read].to_vec()).is_err() {
                break;
            }
        }
    });
    let mut event = Vec::new();
    loop {
        match receive.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(chunk) => event.extend(chunk),
            Err(mpsc::RecvTimeoutError::Disconnected) => return (event, true),
            Err(mpsc::RecvTimeoutError::Timeout) => {
                let is_whole = serde_json::from_slice::<serde_json::Value>(&event).is_ok();
                return (event, is_whole);
            }
        }
    }
}

#[derive(Clone, Copy)]
enum Action<'a> {
    /// With the series to which the hooks add points.
    Install(Option<&'a str>),
    Uninstall,
}

fn install(args: &InstallHooks, format: Format) -> anyhow::Result<Done> {
    let series = args.track.as_ref().map(|series| series.0.as_str());
    settings(&args.settings, format, Action::Install(series))
}

/// Changes to the settings of one agent.
#[derive(Serialize)]
struct Settled {
    agent: &'static str,
    file: PathBuf,
    done: Laid,
    /// Settings of the other scope in which hooks of slope remain after an uninstall.
    #[serde(skip_serializing_if = "Option::is_none")]
    remaining: Option<PathBuf>,
}

fn settings(args: &args::Settings, format: Format, action: Action<'_>) -> anyhow::Result<Done> {
    let state = state()?;
    let mut installer = Installer::new(&state, scope(args)?, &folders::variable);
    if let Action::Install(series) = action {
        installer = installer.with_points(series);
    }
    let agents = match action {
        Action::Install(_) => agents(args)?,
        Action::Uninstall if args.agents.is_empty() => Hooked::ALL.to_vec(),
        Action::Uninstall => args.agents.clone(),
    };
    let program = program(args)?;
    let mut settled = Vec::new();
    for agent in agents {
        let done = match action {
            Action::Install(_) => installer.install(agent, &program)?,
            Action::Uninstall => installer.uninstall(agent)?,
        };
        let remaining = match action {
            Action::Install(_) => None,
            Action::Uninstall => remaining(args, &state, agent)?,
        };
        settled.push(Settled {
            agent: agent.name(),
            file: installer.file(agent)?,
            done,
            remaining,
        });
    }
    if format == Format::Json {
        output::json(&settled)?;
        return Ok(Done::Fine);
    }
    for one in &settled {
        output::text(&format!("{}: {}", one.agent, words(one)))?;
        remind(one, args.user)?;
    }
    let trusted = matches!(action, Action::Install(_));
    if trusted && settled.iter().any(|one| one.agent == "codex") {
        output::text("Codex asks once whether to trust new hooks. Open it and type /hooks.")?;
    }
    Ok(Done::Fine)
}

/// Names hooks that remain in settings of the other scope.
fn remind(settled: &Settled, user: bool) -> anyhow::Result<()> {
    let Some(file) = &settled.remaining else {
        return Ok(());
    };
    let file = output::safe(&file.display().to_string());
    let scope = if user { "--project" } else { "--user" };
    output::text(&format!(
        "{}: hooks remain in {file}; to remove them, run `slope hook uninstall {scope}`",
        settled.agent
    ))
}

/// The settings of the scope that was not meant, if hooks of slope are in them too.
fn remaining(
    args: &args::Settings,
    state: &StateDir,
    agent: Hooked,
) -> anyhow::Result<Option<PathBuf>> {
    let other = if args.user { project()? } else { Scope::User };
    let installer = Installer::new(state, other, &folders::variable);
    // Without a home there are no settings of a user.
    let Ok(status) = installer.status(agent) else {
        return Ok(None);
    };
    Ok(status.command.map(|_| status.file))
}

fn words(settled: &Settled) -> String {
    let file = output::safe(&settled.file.display().to_string());
    match settled.done {
        Laid::Installed => format!("hooks installed in {file}"),
        Laid::Updated => format!("hooks updated in {file}"),
        Laid::Unchanged => format!("hooks were installed already in {file}"),
        Laid::Restored if settled.file.exists() => format!("hooks removed; {file} is as before"),
        Laid::Restored => {
            format!("hooks removed; {file} contained nothing else and is removed, too")
        }
        Laid::Removed => format!("hooks removed from {file}, which has changed since"),
        Laid::Absent => format!("{file} has no slope hooks"),
    }
}

/// Output of `slope hook status`.
#[derive(Serialize)]
struct Stand {
    agents: Vec<Status>,
    log: PathBuf,
    last: Vec<LogLine>,
}

fn status(args: &args::Settings, format: Format) -> anyhow::Result<Done> {
    let state = state()?;
    let scopes = match (args.user, args.project) {
        (true, _) => vec![Scope::User],
        (_, true) => vec![project()?],
        _ => vec![Scope::User, project()?],
    };
    let wanted = match args.agents.as_slice() {
        [] => &Hooked::ALL[..],
        named => named,
    };
    let mut agents = Vec::new();
    for scope in scopes {
        let installer = Installer::new(&state, scope, &folders::variable);
        for &agent in wanted {
            agents.push(installer.status(agent)?);
        }
    }
    let stand = Stand {
        agents,
        log: state.log(),
        last: last_lines(&state, LAST),
    };
    if format == Format::Json {
        output::json(&stand)?;
        return Ok(Done::Fine);
    }
    for one in &stand.agents {
        output::text(&stands(one))?;
    }
    if !stand.last.is_empty() {
        let log = output::safe(&stand.log.display().to_string());
        output::text(&format!("\nLast events ({log}):"))?;
    }
    for line in &stand.last {
        output::text(&event(line))?;
    }
    Ok(Done::Fine)
}

fn stands(status: &Status) -> String {
    let file = output::safe(&status.file.display().to_string());
    let state = match (&status.problem, &status.command) {
        (Some(problem), _) => output::safe(problem),
        (None, Some(command)) => format!(
            "{} run `{}`",
            status.events.join(", "),
            output::safe(command)
        ),
        (None, None) => "no slope hooks".to_owned(),
    };
    format!("{:<12} {file}: {state}", status.agent)
}

/// Words for each outcome, in the order of `slope_hook::Outcome`.
const OUTCOMES: [&str; 7] = [
    "nothing to say",
    "said",
    "asked the agent to continue",
    "let the agent stop",
    "added a point",
    "took too long, silent",
    "failed, silent",
];

fn event(line: &LogLine) -> String {
    let what = OUTCOMES[line.outcome as usize];
    let first = line.said.lines().next().unwrap_or_default();
    let said = if first.is_empty() {
        String::new()
    } else {
        format!(": {}", output::safe(first))
    };
    format!(
        "{} {} {} {} ms {what}{said}",
        line.at, line.agent, line.event, line.ms
    )
}

/// The folder for the state of hooks.
pub(crate) fn state() -> anyhow::Result<StateDir> {
    folders::state()
        .map(StateDir::at)
        .context("no folder for slope's state\nhelp: set SLOPE_STATE_DIR or HOME")
}

fn scope(args: &args::Settings) -> anyhow::Result<Scope> {
    if args.user {
        return Ok(Scope::User);
    }
    project()
}

/// The project of the current directory: the repository's top, or the directory itself.
fn project() -> anyhow::Result<Scope> {
    let here = std::env::current_dir().context("cannot find the current directory")?;
    let repository = slope_git::Repo::open(&here).ok();
    Ok(Scope::Project(
        repository.and_then(|repo| repo.workdir()).unwrap_or(here),
    ))
}

/// The agents that were named, or those that are here: installed, or with settings.
fn agents(args: &args::Settings) -> anyhow::Result<Vec<Hooked>> {
    if !args.agents.is_empty() {
        return Ok(args.agents.clone());
    }
    let here = |agent: &Hooked| {
        let settings = agent.user_file(folders::variable);
        let folder = settings.as_deref().and_then(Path::parent);
        on_path(agent.program()).is_some() || folder.is_some_and(Path::is_dir)
    };
    let found: Vec<Hooked> = Hooked::ALL.into_iter().filter(here).collect();
    if found.is_empty() {
        let known = Hooked::ALL.map(Hooked::name).join(", ");
        bail!(
            "no agent has settings in your home folder\nhelp: name one with `slope hook install AGENT`: {known}"
        );
    }
    Ok(found)
}

/// Command by which hooks run slope: its bare name if that resolves to this program, and always in
/// the settings of a project, which are shared.
fn program(args: &args::Settings) -> anyhow::Result<String> {
    let own = std::env::current_exe().context("cannot find the program of slope")?;
    let same = on_path("slope").and_then(|found| found.canonicalize().ok()) == Some(own.clone());
    if same || !args.user {
        return Ok("slope".to_owned());
    }
    let own = own
        .to_str()
        .context("the path of the program of slope is not UTF-8")?;
    Ok(own.to_owned())
}

fn on_path(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|folder| folder.join(program))
        .find(|file| file.is_file())
}
