//! Ends of turns, at which points of a series can be added.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use slope_agent::hooks::{Hooked, Moment};

use crate::answer::Workspace;
use crate::log::{self, LogLine, Outcome};
use crate::session::Session;
use crate::state::short_hash;
use crate::{Base, Question, StateDir, event};

/// Longest wait for another hook of the same session.
const PATIENCE: Duration = Duration::from_secs(2);

/// The end of a turn of an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// The agent.
    pub agent: Hooked,
    /// Name of the session.
    pub session: String,
    /// Model of the agent, if an event of the session named it.
    pub model: Option<String>,
    /// Top of the workspace.
    pub top: PathBuf,
    /// The commit that was checked out when the session began.
    pub since: Option<String>,
}

/// The turn that an event ends. `None` for other events and outside of repositories.
#[must_use]
pub fn ended_turn(question: &Question<'_>, state: &StateDir) -> Option<Turn> {
    let agent = question.agent;
    let event = event::read(agent, question.input).ok()?;
    if event.moment != Moment::Stop {
        return None;
    }
    let workspace = Workspace::of(&event, question).ok()?;
    let until = Instant::now() + PATIENCE;
    let session = Session::open(state, agent.name(), &event.session, &workspace.top, until);
    let memory = session.ok().flatten().and_then(|session| session.memory);
    let base = memory
        .as_ref()
        .map_or(&workspace.base, |memory| &memory.base);
    Some(Turn {
        agent,
        since: match base {
            Base::Commit(id) => Some(id.clone()),
            Base::Nothing | Base::Dir(_) => None,
        },
        model: event.model.or(memory.and_then(|memory| memory.model)),
        session: event.session,
        top: workspace.top,
    })
}

/// Logs what became of the point at the end of a turn: its key, `None` if no measured code changed, or a failure.
pub fn log_point(
    state: &StateDir,
    (agent, session): (&str, &str),
    took: Duration,
    result: Result<Option<String>, String>,
) {
    let (outcome, said) = match result {
        Ok(Some(key)) => (Outcome::Tracked, key),
        Ok(None) => (Outcome::Silent, String::new()),
        Err(reason) => (Outcome::Failed, reason),
    };
    let line = LogLine {
        at: jiff::Timestamp::now().to_string(),
        agent: agent.to_owned(),
        event: "point".to_owned(),
        session: short_hash(session.as_bytes()),
        ms: u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
        outcome,
        worse: 0,
        said,
    };
    log::add(state, &line);
}
