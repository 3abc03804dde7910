//! Answers events of agents.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use slope_agent::hooks::{Hooked, Moment};
use slope_model::error_text::one_line;
use slope_model::path::slashed;

use crate::event::{self, Event};
use crate::log::{self, LogLine, Outcome};
use crate::session::{Memory, Session};
use crate::since::Since;
use crate::state::{StateDir, short_hash};
use crate::{reply, words};

/// Maximum number of times per session that an agent must continue. Each time needs a new problem.
const MAX_SENT_ON: u32 = 3;

/// Maximum number of problems reported after edits per session.
const MAX_REMARKED: usize = 40;

/// The base of a session's changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Base {
    /// A commit, in hexadecimal.
    Commit(String),
    /// Nothing, for a repository without commits: everything is new.
    Nothing,
    /// A folder.
    Dir(PathBuf),
}

/// A problem that a change causes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Worse {
    /// Identity of the problem. It does not change when lines shift.
    pub fingerprint: String,
    /// Path relative to the top of the workspace; empty for the change as a whole.
    pub path: String,
    /// Line, from 1; 0 for a file or change as a whole.
    pub line: u32,
    /// Whether the change fails because of it.
    pub is_error: bool,
    /// The problem, in one sentence.
    pub message: String,
    /// The remedy, in one sentence.
    pub advice: String,
}

/// Judge of changes.
pub trait Judge: Send + Sync + 'static {
    /// Problems that a workspace on disk has and its base does not, errors first.
    ///
    /// # Errors
    /// A sentence for the log.
    fn worse(&self, top: &Path, base: &Base) -> Result<Vec<Worse>, String>;
}

/// Time limits of answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// At the start of a session, when nothing may be cached yet.
    pub start: Duration,
    /// After an edit.
    pub edit: Duration,
    /// When the agent wants to stop.
    pub stop: Duration,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            start: Duration::from_secs(30),
            edit: Duration::from_secs(5),
            stop: Duration::from_secs(30),
        }
    }
}

impl Budget {
    fn of(self, moment: Moment) -> Duration {
        match moment {
            Moment::Start => self.start,
            Moment::Edit => self.edit,
            Moment::Stop => self.stop,
        }
    }
}

/// One call of a hook.
#[derive(Debug, Clone)]
pub struct Question<'a> {
    /// The agent.
    pub agent: Hooked,
    /// Standard input of the hook.
    pub input: &'a [u8],
    /// Folder to compare with. If `None`, the commit that was checked out when the session began.
    pub base: Option<&'a Path>,
    /// Root of the code to compare with that folder. If `None`, the agent's current directory.
    pub top: Option<&'a Path>,
    /// Time limits of the answer.
    pub budget: Budget,
}

/// Reason that there is no answer.
enum Trouble {
    Slow,
    Failed(String),
}

/// Result of an event.
struct Response {
    outcome: Outcome,
    worse: usize,
    said: String,
    reply: Option<Value>,
}

impl Response {
    fn nothing(outcome: Outcome, worse: usize) -> Self {
        Self {
            outcome,
            worse,
            said: String::new(),
            reply: None,
        }
    }
}

/// Answers an event. Returns the JSON for standard output, or `None` if there is nothing to report,
/// if time runs out, or if the hook fails. The log has the outcome.
///
/// If time runs out, the judging thread still runs. The process should exit.
pub fn answer(question: &Question<'_>, state: &StateDir, judge: impl Judge) -> Option<Value> {
    let begun = Instant::now();
    let event = event::read(question.agent, question.input);
    let response = match &event {
        Ok(event) => respond(question, event, state, judge, begun),
        Err(message) => Err(Trouble::Failed(message.clone())),
    };
    let response = response.unwrap_or_else(|trouble| match trouble {
        Trouble::Slow => Response::nothing(Outcome::TooSlow, 0),
        Trouble::Failed(said) => Response {
            said,
            ..Response::nothing(Outcome::Failed, 0)
        },
    });
    let (name, session) = match &event {
        Ok(event) => (event.name.as_str(), short_hash(event.session.as_bytes())),
        Err(_) => ("", String::new()),
    };
    log::add(
        state,
        &LogLine {
            at: jiff::Timestamp::now().to_string(),
            agent: question.agent.name().to_owned(),
            event: name.to_owned(),
            session,
            ms: u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX),
            outcome: response.outcome,
            worse: response.worse,
            said: response.said,
        },
    );
    response.reply
}

fn respond(
    question: &Question<'_>,
    event: &Event,
    state: &StateDir,
    judge: impl Judge,
    begun: Instant,
) -> Result<Response, Trouble> {
    let deadline = begun + question.budget.of(event.moment);
    let workspace = Workspace::of(event, question).map_err(Trouble::Failed)?;
    let agent = question.agent.name();
    let session = Session::open(state, agent, &event.session, &workspace.top, deadline)
        .map_err(Trouble::Failed)?
        .ok_or(Trouble::Slow)?;
    let known = session.memory.clone();
    let is_new = known.is_none();
    let mut memory = known.unwrap_or_else(|| {
        let since = Since::now(&workspace.top);
        Memory::new(workspace.base.clone(), since)
    });
    if event.model.is_some() && event.model != memory.model {
        memory.model.clone_from(&event.model);
        session.keep(&memory).map_err(Trouble::Failed)?;
    }
    // A resumed or compacted session starts again. Problems that it has caused before still count.
    if event.moment == Moment::Start && !is_new {
        return Ok(Response::nothing(Outcome::Silent, 0));
    }
    let (worse, elsewhere) = judged(judge, &workspace.top, &memory, event.moment, deadline)?;
    memory.before.extend(elsewhere);
    let response = match event.moment {
        Moment::Start => {
            let found = worse.len();
            let prints = worse.into_iter().map(|one| one.fingerprint);
            memory.before.extend(prints);
            Response::nothing(Outcome::Silent, found)
        }
        Moment::Edit => edited(question.agent, event, &workspace, &worse, &mut memory),
        Moment::Stop => stopped(question.agent, event, &worse, &mut memory),
    };
    // Report only problems that are saved. Otherwise the same problem would be reported again and
    // again.
    session.keep(&memory).map_err(Trouble::Failed)?;
    Ok(response)
}

/// Problems of the workspace, judged on a separate thread until the deadline.
fn judged(
    judge: impl Judge,
    top: &Path,
    memory: &Memory,
    moment: Moment,
    deadline: Instant,
) -> Result<Judged, Trouble> {
    let (send, receive) = mpsc::channel();
    let (top, memory) = (top.to_owned(), memory.clone());
    // A panic drops the sender, which ends the wait.
    let started = std::thread::Builder::new().spawn(move || {
        drop(send.send(worse_than_all(&judge, &top, &memory, moment)));
    });
    started.map_err(|error| Trouble::Failed(format!("no thread: {error}")))?;
    let left = deadline.saturating_duration_since(Instant::now());
    match receive.recv_timeout(left) {
        Ok(Ok(judged)) => Ok(judged),
        Ok(Err(message)) => Err(Trouble::Failed(message)),
        Err(mpsc::RecvTimeoutError::Timeout) => Err(Trouble::Slow),
        Err(mpsc::RecvTimeoutError::Disconnected) => Err(Trouble::Failed(
            "judging broke down, which is a fault of slope".to_owned(),
        )),
    }
}

/// Problems, and fingerprints of problems that come from other code.
type Judged = (Vec<Worse>, BTreeSet<String>);

/// Problems that exist in none of the session's bases: its start, and code taken from elsewhere. The later bases are
/// judged only if there are unreported problems.
fn worse_than_all(
    judge: &impl Judge,
    top: &Path,
    memory: &Memory,
    moment: Moment,
) -> Result<Judged, String> {
    let reported = match moment {
        Moment::Stop => &memory.listed,
        Moment::Start | Moment::Edit => &memory.remarked,
    };
    let is_open = |one: &Worse| {
        let print = &one.fingerprint;
        !memory.before.contains(print) && !reported.contains(print)
    };
    let mut bases = memory.since.bases(top, &memory.base)?.into_iter();
    let mut worse = match bases.next() {
        Some(first) => judge.worse(top, &first)?,
        None => Vec::new(),
    };
    let mut elsewhere = BTreeSet::new();
    for base in bases {
        if !worse.iter().any(is_open) {
            break;
        }
        let also = judge.worse(top, &base)?;
        let prints: BTreeSet<String> = also.into_iter().map(|one| one.fingerprint).collect();
        let (own, others): (Vec<Worse>, Vec<Worse>) = worse
            .into_iter()
            .partition(|one| prints.contains(&one.fingerprint));
        worse = own;
        elsewhere.extend(others.into_iter().map(|one| one.fingerprint));
    }
    Ok((worse, elsewhere))
}

/// Outcome after an edit: new problems in the files that the tool wrote, or in all files if it does
/// not list them.
fn edited(
    agent: Hooked,
    event: &Event,
    workspace: &Workspace,
    worse: &[Worse],
    memory: &mut Memory,
) -> Response {
    let paths = workspace.relative(&event.paths);
    let here = |one: &&Worse| event.paths.is_empty() || paths.contains(&one.path);
    let new = |one: &&Worse| {
        !memory.before.contains(&one.fingerprint) && !memory.remarked.contains(&one.fingerprint)
    };
    let reported: Vec<&Worse> = worse
        .iter()
        .filter(|one| !one.path.is_empty())
        .filter(here)
        .filter(new)
        .collect();
    if reported.is_empty() || memory.remarked.len() >= MAX_REMARKED {
        return Response::nothing(Outcome::Silent, worse.len());
    }
    let said = words::remark(&reported);
    let prints: Vec<String> = reported.iter().map(|one| one.fingerprint.clone()).collect();
    memory.remarked.extend(prints);
    Response {
        outcome: Outcome::Said,
        worse: worse.len(),
        reply: Some(reply::remark(agent, &event.name, &said)),
        said,
    }
}

/// Outcome when the agent wants to stop. Each problem is listed once. An agent that continues
/// because of a hook is not stopped again.
fn stopped(agent: Hooked, event: &Event, worse: &[Worse], memory: &mut Memory) -> Response {
    let left: Vec<&Worse> = worse
        .iter()
        .filter(|one| one.is_error && !memory.before.contains(&one.fingerprint))
        .collect();
    let new = |one: &&&Worse| !memory.listed.contains(&one.fingerprint);
    let listed: Vec<&Worse> = left.iter().filter(new).copied().collect();
    if listed.is_empty() || event.sent_on || memory.sent_on >= MAX_SENT_ON {
        let outcome = if left.is_empty() {
            Outcome::Silent
        } else {
            Outcome::Passed
        };
        // Do not list problems again that the agent caused while it continued.
        let prints: Vec<String> = left.iter().map(|one| one.fingerprint.clone()).collect();
        memory.listed.extend(prints);
        return Response::nothing(outcome, worse.len());
    }
    let said = words::list(&listed);
    let prints: Vec<String> = listed.iter().map(|one| one.fingerprint.clone()).collect();
    memory.listed.extend(prints);
    memory.sent_on += 1;
    Response {
        outcome: Outcome::SentOn,
        worse: worse.len(),
        reply: Some(reply::block(agent, &said)),
        said,
    }
}

/// A session's workspace.
pub(crate) struct Workspace {
    pub(crate) top: PathBuf,
    cwd: PathBuf,
    /// The checkout, or the folder given as base.
    pub(crate) base: Base,
}

impl Workspace {
    pub(crate) fn of(event: &Event, question: &Question<'_>) -> Result<Self, String> {
        let real = |path: &Path| {
            let real = path.canonicalize();
            real.map_err(|error| format!("cannot enter {}: {error}", path.display()))
        };
        let cwd = real(&event.cwd)?;
        if let Some(dir) = question.base {
            return Ok(Self {
                top: real(question.top.unwrap_or(&cwd))?,
                cwd,
                base: Base::Dir(dir.to_owned()),
            });
        }
        let repo = slope_git::Repo::open(&cwd).map_err(|error| one_line(&error))?;
        let top = repo.workdir().unwrap_or_else(|| cwd.clone());
        let base = match repo.reader().head() {
            Ok(head) => Base::Commit(head.to_string()),
            Err(slope_git::Error::Empty { .. }) => Base::Nothing,
            Err(error) => return Err(one_line(&error)),
        };
        Ok(Self {
            top: top.canonicalize().unwrap_or(top),
            cwd,
            base,
        })
    }

    /// Paths relative to the root, as in judgements.
    fn relative(&self, paths: &[PathBuf]) -> Vec<String> {
        let relative = |path: &PathBuf| {
            let path = self.cwd.join(path);
            let path = path.canonicalize().unwrap_or(path);
            path.strip_prefix(&self.top).ok().map(slashed)
        };
        paths.iter().filter_map(relative).collect()
    }
}
