//! Connection between coordinator and worker: messages over a socket that is the worker's standard
//! input.
//!
//! The worker sends requests and the coordinator answers. Requests are numbered, because a worker
//! that waits for a grading slot keeps sending others. The agent's listening socket is passed with
//! them, so that one gateway serves all trials: one rate limit for each key, one account for the
//! run's caps. Either side detects at once that the other has ended: a worker then ends, and its
//! sandbox with it.

use std::collections::BTreeMap;
use std::io;
use std::net::TcpListener;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use slope_gateway::AttemptRecord;
use slope_model::error_text::ErrorText;
use slope_sandbox::{Killer, wire};
use slope_store::Error as StoreError;

use crate::coordinator::{Coordinator, CoordinatorHandle, Next, Place};
use crate::event::{Event, Progress, TrialKey};
use crate::{Error, WorkerError};

/// Exit code of a worker whose coordinator is gone.
const ORPHANED: i32 = 4;

/// Message with the number of its request. The answer has the same number.
#[derive(Debug, Serialize, Deserialize)]
struct Numbered<T> {
    number: u64,
    message: T,
}

/// A worker's messages. All but the first and the last two are answered.
#[derive(Debug, Serialize, Deserialize)]
enum Ask {
    Show(Box<Progress>),
    Next { checkpoint: String },
    Keep(Box<Event>),
    Serve { place: Place, token: String },
    Served { ago: Duration },
    Grade,
    Graded,
    Done,
    Failed { why: String, disk_full: bool },
}

/// Its coordinator's answers.
#[derive(Debug, Serialize, Deserialize)]
enum Answer {
    Next(Next),
    Well,
    Record(Box<AttemptRecord>),
    Refused {
        why: String,
    },
    /// Not an answer: the run is being cancelled.
    Cancel,
}

/// End of a worker, as reported by it.
#[derive(Debug)]
pub(crate) enum End {
    /// Its trial is over.
    Done,
    /// It ended without a message.
    Lost,
}

/// A worker's connection to its coordinator.
pub(crate) struct Link {
    /// Messages of several threads must not mix.
    socket: Mutex<UnixStream>,
    last: AtomicU64,
    orders: Arc<Orders>,
}

#[derive(Default)]
struct Orders {
    /// Waiting sender of each request.
    waiting: Mutex<BTreeMap<u64, Sender<Answer>>>,
    killer: Mutex<Option<Killer>>,
    cancelled: AtomicBool,
}

impl Link {
    /// Starts reading answers from `socket`. Ends the process when the other side is gone.
    pub(crate) fn new(socket: UnixStream) -> io::Result<Self> {
        let orders = Arc::new(Orders::default());
        let (reading, heeding) = (socket.try_clone()?, orders.clone());
        std::thread::Builder::new()
            .name("coordinator".to_owned())
            .spawn(move || {
                while let Ok(Some((answer, _))) = wire::receive::<Numbered<Answer>>(&reading) {
                    match answer.message {
                        Answer::Cancel => heeding.cancel(),
                        message => heeding.deliver(answer.number, message),
                    }
                }
                // No one would store this process's work. Its sandbox ends with it.
                std::process::exit(ORPHANED);
            })?;
        Ok(Self {
            socket: Mutex::new(socket),
            last: AtomicU64::default(),
            orders,
        })
    }

    fn number(&self) -> u64 {
        self.last.fetch_add(1, Ordering::Relaxed) + 1
    }

    fn send(&self, number: u64, ask: &Ask, listener: Option<&TcpListener>) -> Result<(), Error> {
        let fd = listener.map(AsFd::as_fd);
        let message = Numbered {
            number,
            message: ask,
        };
        let socket = self.socket.lock().unwrap_or_else(PoisonError::into_inner);
        wire::send(&socket, &message, fd)
            .map_err(|e| StoreError::io("cannot write to", "coordinator")(e).into())
    }

    /// Sends a message that has no answer.
    fn tell(&self, ask: &Ask) -> Result<(), Error> {
        self.send(self.number(), ask, None)
    }

    fn ask(&self, ask: &Ask, listener: Option<&TcpListener>) -> Result<Answer, Error> {
        let number = self.number();
        let (sender, answer) = mpsc::channel();
        self.orders.waiting().insert(number, sender);
        self.send(number, ask, listener)?;
        match answer.recv() {
            Ok(Answer::Refused { why }) => Err(WorkerError::Reported(why).into()),
            Ok(answer) => Ok(answer),
            Err(_) => Err(WorkerError::CoordinatorGone.into()),
        }
    }

    /// Reports how the trial ended.
    pub(crate) fn end(&self, outcome: &Result<(), Error>) -> Result<(), Error> {
        self.tell(&match outcome {
            Ok(()) => Ask::Done,
            Err(error) => Ask::Failed {
                why: ErrorText::of(error).to_string(),
                disk_full: error.is_disk_full(),
            },
        })
    }
}

impl Orders {
    fn waiting(&self) -> std::sync::MutexGuard<'_, BTreeMap<u64, Sender<Answer>>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn deliver(&self, number: u64, answer: Answer) {
        if let Some(sender) = self.waiting().remove(&number) {
            drop(sender.send(answer));
        }
    }

    fn cancel(&self) {
        self.cancelled.store(true, Ordering::SeqCst);
        if let Some(killer) = &*self.killer.lock().unwrap_or_else(PoisonError::into_inner) {
            killer.kill();
        }
    }
}

/// Error for an answer of the wrong kind.
fn odd(answer: &Answer) -> Error {
    WorkerError::Answer(format!("{answer:?}")).into()
}

impl CoordinatorHandle for Link {
    fn next(&self, _: &TrialKey, checkpoint: &str) -> Result<Next, Error> {
        let checkpoint = checkpoint.to_owned();
        match self.ask(&Ask::Next { checkpoint }, None)? {
            Answer::Next(next) => Ok(next),
            other => Err(odd(&other)),
        }
    }

    fn keep(&self, event: Event) -> Result<(), Error> {
        self.ask(&Ask::Keep(Box::new(event)), None).map(drop)
    }

    fn show(&self, progress: Progress) {
        // Progress is optional, and a closed connection is noticed elsewhere.
        drop(self.tell(&Ask::Show(Box::new(progress))));
    }

    fn serve(
        &self,
        _: &TrialKey,
        place: &Place,
        listener: TcpListener,
        token: String,
    ) -> Result<(), Error> {
        let place = place.clone();
        self.ask(&Ask::Serve { place, token }, Some(&listener))
            .map(drop)
    }

    fn served(&self, _: &TrialKey, ago: Duration) -> Result<AttemptRecord, Error> {
        match self.ask(&Ask::Served { ago }, None)? {
            Answer::Record(record) => Ok(*record),
            other => Err(odd(&other)),
        }
    }

    fn grade(&self, _: &TrialKey) -> Result<(), Error> {
        self.ask(&Ask::Grade, None).map(drop)
    }

    fn graded(&self, _: &TrialKey) -> Result<(), Error> {
        self.ask(&Ask::Graded, None).map(drop)
    }

    fn at_work(&self, _: &TrialKey, killer: Option<Killer>) {
        let mut held = self
            .orders
            .killer
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let (true, Some(killer)) = (self.cancelled(), &killer) {
            killer.kill();
        }
        *held = killer;
    }

    fn cancelled(&self) -> bool {
        self.orders.cancelled.load(Ordering::SeqCst)
    }
}

/// Notifies a worker that the run is being cancelled, without waiting for it.
pub(crate) fn cancel(sender: &Mutex<UnixStream>) {
    drop(reply(sender, 0, Answer::Cancel));
}

fn reply(sender: &Mutex<UnixStream>, number: u64, message: Answer) -> io::Result<()> {
    let sender = sender.lock().unwrap_or_else(PoisonError::into_inner);
    wire::send(&sender, &Numbered { number, message }, None)
}

/// Answers a worker until it ends.
///
/// # Errors
/// A failure after which the coordinator or the worker cannot continue.
pub(crate) fn attend(
    coordinator: &Coordinator<'_>,
    key: &TrialKey,
    socket: &UnixStream,
    sender: &Mutex<UnixStream>,
) -> Result<End, Error> {
    std::thread::scope(|scope| {
        let end = loop {
            let Ok(Some((ask, fd))) = wire::receive::<Numbered<Ask>>(socket) else {
                break Ok(End::Lost);
            };
            let Numbered { number, message } = ask;
            // Waiting for a place takes as long as other gradings do, those of this worker among them.
            if matches!(message, Ask::Grade) {
                scope.spawn(move || respond(coordinator, key, sender, number, message, None));
                continue;
            }
            if let Some(end) = respond(coordinator, key, sender, number, message, fd) {
                break end;
            }
        };
        // Otherwise a grading that still waits would wait for slots that this worker held.
        coordinator.abandon(key);
        end
    })
}

/// Answers one request. Returns the end of the worker, if it has ended.
fn respond(
    coordinator: &Coordinator<'_>,
    key: &TrialKey,
    sender: &Mutex<UnixStream>,
    number: u64,
    ask: Ask,
    fd: Option<OwnedFd>,
) -> Option<Result<End, Error>> {
    let (answer, failure) = match answer(coordinator, key, ask, fd) {
        Ok(Reply::Answer(answer)) => (answer, None),
        Ok(Reply::Nothing) => return None,
        Ok(Reply::End(end)) => return Some(end),
        Err(error) => {
            let why = ErrorText::of(&error).to_string();
            (Answer::Refused { why }, Some(error))
        }
    };
    let sent = reply(sender, number, answer);
    match failure {
        // A refusal by the gateway concerns only the attempt; the worker reports it.
        Some(Error::Gateway(_)) | None if sent.is_ok() => None,
        Some(error) => Some(Err(error)),
        None => Some(Ok(End::Lost)),
    }
}

enum Reply {
    Answer(Answer),
    Nothing,
    End(Result<End, Error>),
}

fn answer(
    coordinator: &Coordinator<'_>,
    key: &TrialKey,
    ask: Ask,
    fd: Option<OwnedFd>,
) -> Result<Reply, Error> {
    let well = |()| Reply::Answer(Answer::Well);
    Ok(match ask {
        Ask::Show(progress) => {
            coordinator.show(*progress);
            Reply::Nothing
        }
        Ask::Next { checkpoint } => {
            Reply::Answer(Answer::Next(coordinator.next(key, &checkpoint)?))
        }
        Ask::Keep(event) => well(coordinator.keep(*event)?),
        Ask::Serve { place, token } => {
            let listener = fd.map(TcpListener::from).ok_or(WorkerError::NoSocket)?;
            well(coordinator.serve(key, &place, listener, token)?)
        }
        Ask::Served { ago } => {
            Reply::Answer(Answer::Record(Box::new(coordinator.served(key, ago)?)))
        }
        Ask::Grade => well(coordinator.grade(key)?),
        Ask::Graded => well(coordinator.graded(key)?),
        Ask::Done => Reply::End(Ok(End::Done)),
        Ask::Failed { why, disk_full } => Reply::End(Err(if disk_full {
            let run = coordinator.run.plan.dir.root().to_owned();
            let why = ErrorText::parse(&why).message;
            Error::DiskFull { run, why }
        } else {
            WorkerError::Reported(why).into()
        })),
    })
}
