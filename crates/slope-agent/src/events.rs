//! Reading the event stream of an agent, and its results.

use slope_model::plural;
use slope_model::run::AttemptState;
use slope_model::usage::Usage;

use serde_json::Value;

use crate::agent::{Conclusion, Evidence, ProcessExit};
use crate::evidence::{self, Lines};

/// Reader of an agent's event stream.
pub(crate) trait Stream {
    /// Reads one event.
    fn take(&mut self, event: &Value);

    /// Result of the run, according to the events and the exit code.
    fn end(&self, exit: ProcessExit) -> End;

    /// Usage by the agent's own report; `None` where that is unreliable.
    fn reported(&self) -> Option<Usage>;

    /// Fields of `reported` that the agent does not report.
    fn not_reported(&self) -> &'static [&'static str];

    /// Other notes for the attempt.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }
}

/// Result of a run, according to its events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum End {
    /// No event marks the end; with the last error, if there was any.
    Open(Option<String>),
    /// Well.
    Done,
    /// By a cap, named here.
    Capped(&'static str),
    /// By an error.
    Failed(Failure),
}

/// An error that ended a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Failure {
    /// Status of the model's server, if the agent reports it.
    pub(crate) status: Option<u64>,
    /// The agent's words.
    pub(crate) words: String,
}

impl Failure {
    /// An error with a message only.
    pub(crate) fn said(words: impl Into<String>) -> Self {
        Self {
            status: None,
            words: words.into(),
        }
    }
}

/// Reads a stream to its end and judges it.
pub(crate) fn conclude(mut stream: Box<dyn Stream>, evidence: &Evidence<'_>) -> Conclusion {
    let lines = evidence::each_event(evidence.stdout, |event| stream.take(event));
    let mut conclusion =
        evidence::flag_silence(judge(stream.end(evidence.exit), evidence, &lines), evidence);
    conclusion.reported = stream.reported();
    conclusion.not_reported = stream.not_reported().to_vec();
    conclusion.notes.extend(stream.notes());
    if lines.unreadable > 0 {
        let count = lines.unreadable;
        let note = format!("{} of its stream without an event", plural(count, "line"));
        conclusion.notes.push(note);
    }
    conclusion
}

fn judge(end: End, evidence: &Evidence<'_>, lines: &Lines) -> Conclusion {
    let well = evidence::exited_well(evidence);
    match end {
        End::Done if well => Conclusion::completed(),
        End::Done => Conclusion::ended(
            AttemptState::AgentError,
            format!("it reported success and then ended with {}", evidence.exit),
        ),
        End::Capped(cap) => Conclusion::ended(AttemptState::Budget, cap),
        End::Failed(failure) => failed(failure, evidence.exit),
        End::Open(_) if evidence.stdout_cut && well => {
            let mut conclusion = Conclusion::completed();
            conclusion.notes.push(
                "the event stream was cut off at the output limit before its last event; \
                 judged by the exit code"
                    .to_owned(),
            );
            conclusion
        }
        End::Open(trouble) => {
            let mut missing = "the event stream ended without its last event".to_owned();
            if let Some(failure) = &lines.failure {
                missing = format!("the event stream could not be read: {failure}");
            } else if let Some(trouble) = trouble {
                missing = format!("{missing}; before: {trouble}");
            }
            let mut conclusion = evidence::died(evidence, &missing);
            let said = evidence::tail(evidence.stderr, 300).unwrap_or_default();
            if let Some(reason) = conclusion.reason.as_mut().filter(|_| is_login(&said)) {
                *reason = format!("its login failed: {reason}");
            }
            conclusion
        }
    }
}

/// Messages of agents without a login, in lower case.
const LOGIN: [&str; 8] = [
    " 401 ",
    " 403 ",
    "authenticationerror",
    "unauthorized",
    "invalid api key",
    "not logged in",
    "log in",
    "/login",
];

fn is_login(words: &str) -> bool {
    let small = words.to_lowercase();
    LOGIN.iter().any(|word| small.contains(word))
}

/// The conclusion of a failure; a refused or missing login is named as such.
fn failed(failure: Failure, exit: ProcessExit) -> Conclusion {
    let words = evidence::one_line(&failure.words, 300);
    let login = match failure.status {
        Some(status) => matches!(status, 401 | 403),
        None => is_login(&words),
    };
    let what = if login {
        "its login failed"
    } else {
        "the agent reported an error"
    };
    let status = failure.status.map_or_else(String::new, |status| {
        format!(", status {status} of the model's server")
    });
    let reason = if words.is_empty() {
        format!("{what}{status} ({exit})")
    } else {
        format!("{what}{status}: {words}")
    };
    Conclusion::ended(AttemptState::AgentError, reason)
}
