//! One event of an agent to what slope answers.

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

/// Most times that an agent is sent on in one session, each time for something new.
const MAX_SENT_ON: u32 = 3;

/// Most things that are remarked in one session.
const MAX_REMARKED: usize = 40;

/// The base of a session's changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Base {
    /// A commit, in hexadecimal.
    Commit(String),
    /// A repository without a commit: everything is new.
    Nothing,
    /// A folder.
    Dir(PathBuf),
}

/// One thing that a change made worse.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Worse {
    /// Its identity, also when lines shift.
    pub fingerprint: String,
    /// Path relative to the top of the workspace; empty for the change as a whole.
    pub path: String,
    /// Line, from 1; 0 for a file or change as a whole.
    pub line: u32,
    /// Whether the change does not pass because of it.
    pub is_error: bool,
    /// The problem, in one sentence.
    pub message: String,
    /// The remedy, in one sentence.
    pub advice: String,
}

/// Finds what has become worse.
pub trait Judge: Send + Sync + 'static {
    /// What a workspace, as it is on disk, makes worse than its base, errors first.
    ///
    /// # Errors
    /// A sentence, for the log.
    fn worse(&self, top: &Path, base: &Base) -> Result<Vec<Worse>, String>;
}

/// How long an answer may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// When a session begins, when nothing may be known of the code yet.
    pub start: Duration,
    /// After an edit.
    pub edit: Duration,
    /// When the agent is about to stop.
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
    /// Who asks.
    pub agent: Hooked,
    /// Its standard input.
    pub input: &'a [u8],
    /// Folder to compare changes with; the commit that was checked out when the session began if
    /// `None`.
    pub base: Option<&'a Path>,
    /// Top to compare with that folder; where the agent is at the moment if `None`.
    pub top: Option<&'a Path>,
    /// How long the answer may take.
    pub budget: Budget,
}

/// Why there is no answer.
enum Trouble {
    Slow,
    Failed(String),
}

/// What came of an event.
struct Told {
    outcome: Outcome,
    worse: usize,
    said: String,
    reply: Option<Value>,
}

impl Told {
    fn nothing(outcome: Outcome, worse: usize) -> Self {
        Self {
            outcome,
            worse,
            said: String::new(),
            reply: None,
        }
    }
}

/// Answers an event: the JSON to write to standard output; `None` if there is nothing to say, if
/// it took too long, or if it failed. What happened is in the log.
///
/// Where time ran out, the thread that judges is still at work; the process is meant to end.
pub fn answer(question: &Question<'_>, state: &StateDir, judge: impl Judge) -> Option<Value> {
    let begun = Instant::now();
    let event = event::read(question.agent, question.input);
    let told = match &event {
        Ok(event) => tell(question, event, state, judge, begun),
        Err(message) => Err(Trouble::Failed(message.clone())),
    };
    let told = told.unwrap_or_else(|trouble| match trouble {
        Trouble::Slow => Told::nothing(Outcome::TooSlow, 0),
        Trouble::Failed(said) => Told {
            said,
            ..Told::nothing(Outcome::Failed, 0)
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
            outcome: told.outcome,
            worse: told.worse,
            said: told.said,
        },
    );
    told.reply
}

fn tell(
    question: &Question<'_>,
    event: &Event,
    state: &StateDir,
    judge: impl Judge,
    begun: Instant,
) -> Result<Told, Trouble> {
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
    // A session that goes on, or that was compacted, begins again: what it made worse stays.
    if event.moment == Moment::Start && !is_new {
        return Ok(Told::nothing(Outcome::Silent, 0));
    }
    let (worse, elsewhere) = judged(judge, &workspace.top, &memory, event.moment, deadline)?;
    memory.before.extend(elsewhere);
    let told = match event.moment {
        Moment::Start => {
            let found = worse.len();
            let prints = worse.into_iter().map(|one| one.fingerprint);
            memory.before.extend(prints);
            Told::nothing(Outcome::Silent, found)
        }
        Moment::Edit => edited(question.agent, event, &workspace, &worse, &mut memory),
        Moment::Stop => stopped(question.agent, event, &worse, &mut memory),
    };
    // Said is only what is remembered: better silent than again and again.
    session.keep(&memory).map_err(Trouble::Failed)?;
    Ok(told)
}

/// What is worse, judged on a thread of its own until the deadline.
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

/// Worse results, and fingerprints of those from elsewhere.
type Judged = (Vec<Worse>, BTreeSet<String>);

/// Results worse than everything that a session built on: its start, and the code it took from elsewhere. The
/// others are asked only where the first leaves something unreported.
fn worse_than_all(
    judge: &impl Judge,
    top: &Path,
    memory: &Memory,
    moment: Moment,
) -> Result<Judged, String> {
    let said = match moment {
        Moment::Stop => &memory.listed,
        Moment::Start | Moment::Edit => &memory.remarked,
    };
    let is_open = |one: &Worse| {
        let print = &one.fingerprint;
        !memory.before.contains(print) && !said.contains(print)
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

/// After an edit: what is new, in the files that the tool wrote if it says which.
fn edited(
    agent: Hooked,
    event: &Event,
    workspace: &Workspace,
    worse: &[Worse],
    memory: &mut Memory,
) -> Told {
    let paths = workspace.relative(&event.paths);
    let here = |one: &&Worse| event.paths.is_empty() || paths.contains(&one.path);
    let new = |one: &&Worse| {
        !memory.before.contains(&one.fingerprint) && !memory.remarked.contains(&one.fingerprint)
    };
    let told: Vec<&Worse> = worse
        .iter()
        .filter(|one| !one.path.is_empty())
        .filter(here)
        .filter(new)
        .collect();
    if told.is_empty() || memory.remarked.len() >= MAX_REMARKED {
        return Told::nothing(Outcome::Silent, worse.len());
    }
    let said = words::remark(&told);
    let prints: Vec<String> = told.iter().map(|one| one.fingerprint.clone()).collect();
    memory.remarked.extend(prints);
    Told {
        outcome: Outcome::Said,
        worse: worse.len(),
        reply: Some(reply::remark(agent, &event.name, &said)),
        said,
    }
}

/// At stop: once for each thing, and never when the agent goes on only because a hook sent it on.
fn stopped(agent: Hooked, event: &Event, worse: &[Worse], memory: &mut Memory) -> Told {
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
        // What came of being sent on is not asked about again either.
        let prints: Vec<String> = left.iter().map(|one| one.fingerprint.clone()).collect();
        memory.listed.extend(prints);
        return Told::nothing(outcome, worse.len());
    }
    let said = words::list(&listed);
    let prints: Vec<String> = listed.iter().map(|one| one.fingerprint.clone()).collect();
    memory.listed.extend(prints);
    memory.sent_on += 1;
    Told {
        outcome: Outcome::SentOn,
        worse: worse.len(),
        reply: Some(reply::block(agent, &said)),
        said,
    }
}

/// A session's workspace.
struct Workspace {
    top: PathBuf,
    cwd: PathBuf,
    /// The checkout, or the named folder.
    base: Base,
}

impl Workspace {
    fn of(event: &Event, question: &Question<'_>) -> Result<Self, String> {
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

    /// Paths as judged things name them.
    fn relative(&self, paths: &[PathBuf]) -> Vec<String> {
        let relative = |path: &PathBuf| {
            let path = self.cwd.join(path);
            let path = path.canonicalize().unwrap_or(path);
            path.strip_prefix(&self.top).ok().map(slashed)
        };
        paths.iter().filter_map(relative).collect()
    }
}
