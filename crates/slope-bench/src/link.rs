//! Between a coordinator and a worker: messages over a socket that the worker has as its standard input.
//!
//! The worker asks, the coordinator answers, one at a time. The agent's listening socket travels along, so
//! that one gateway serves all trials: one pace for each key, one book for the run's caps. When either side
//! is gone the other notices at once: a worker then ends, and its sandbox with it.

use std::io;
use std::net::TcpListener;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use slope_gateway::AttemptRecord;
use slope_sandbox::{Killer, wire};
use slope_store::Error as StoreError;

use crate::Error;
use crate::coordinator::{Coordinator, Desk, Next, Place};
use crate::event::{Event, Progress, TrialKey};

/// Exit code of a worker whose coordinator is gone.
const ORPHANED: i32 = 4;

/// What a worker says. Everything but the first and the last two is answered.
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

/// What its coordinator answers.
#[derive(Debug, Serialize, Deserialize)]
enum Answer {
    Next(Next),
    Well,
    Record(Box<AttemptRecord>),
    Refused {
        why: String,
    },
    /// No answer: the run is being cancelled.
    Cancel,
}

/// How a worker ended, as far as it said.
#[derive(Debug)]
pub(crate) enum End {
    /// Its trial is over.
    Done,
    /// It is gone without a word.
    Lost,
}

/// A worker's way to its coordinator.
pub(crate) struct Link {
    socket: UnixStream,
    answers: Mutex<Receiver<Answer>>,
    orders: Arc<Orders>,
}

#[derive(Default)]
struct Orders {
    killer: Mutex<Option<Killer>>,
    cancelled: AtomicBool,
}

impl Link {
    /// Takes up the conversation over `socket`. Ends the process when the other side is gone.
    pub(crate) fn new(socket: UnixStream) -> io::Result<Self> {
        let (sender, answers) = mpsc::channel();
        let orders = Arc::new(Orders::default());
        let (reading, heeding) = (socket.try_clone()?, orders.clone());
        std::thread::Builder::new()
            .name("coordinator".to_owned())
            .spawn(move || {
                while let Ok(Some((answer, _))) = wire::receive::<Answer>(&reading) {
                    match answer {
                        Answer::Cancel => heeding.cancel(),
                        answer => drop(sender.send(answer)),
                    }
                }
                // Nobody would keep what this process does. Its sandbox ends with it.
                std::process::exit(ORPHANED);
            })?;
        Ok(Self {
            socket,
            answers: Mutex::new(answers),
            orders,
        })
    }

    fn tell(&self, ask: &Ask, listener: Option<&TcpListener>) -> Result<(), Error> {
        let fd = listener.map(AsFd::as_fd);
        wire::send(&self.socket, ask, fd)
            .map_err(|e| StoreError::io("cannot write to", "coordinator")(e).into())
    }

    fn ask(&self, ask: &Ask, listener: Option<&TcpListener>) -> Result<Answer, Error> {
        let answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        self.tell(ask, listener)?;
        match answers.recv() {
            Ok(Answer::Refused { why }) => Err(Error::Worker(why)),
            Ok(answer) => Ok(answer),
            Err(_) => Err(Error::Worker("the coordinator is gone".to_owned())),
        }
    }

    /// Says how the trial ended.
    pub(crate) fn end(&self, outcome: &Result<(), Error>) -> Result<(), Error> {
        self.tell(
            &match outcome {
                Ok(()) => Ask::Done,
                Err(error) => Ask::Failed {
                    why: error.to_string(),
                    disk_full: error.is_disk_full(),
                },
            },
            None,
        )
    }
}

impl Orders {
    fn cancel(&self) {
        self.cancelled.store(true, Ordering::SeqCst);
        if let Some(killer) = &*self.killer.lock().unwrap_or_else(PoisonError::into_inner) {
            killer.kill();
        }
    }
}

/// An answer to another question.
fn odd(answer: &Answer) -> Error {
    Error::Worker(format!("the coordinator answered {answer:?}"))
}

impl Desk for Link {
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
        // Nothing depends on it, and who is gone is noticed elsewhere.
        drop(self.tell(&Ask::Show(Box::new(progress)), None));
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

/// Tells a worker that the run is being cancelled. Waits for nothing.
pub(crate) fn cancel(sender: &Mutex<UnixStream>) {
    let sender = sender.lock().unwrap_or_else(PoisonError::into_inner);
    drop(wire::send(&sender, &Answer::Cancel, None));
}

/// Answers a worker until it ends.
///
/// # Errors
/// What the coordinator or the worker cannot go on after.
pub(crate) fn attend(
    desk: &Coordinator<'_>,
    key: &TrialKey,
    socket: &UnixStream,
    sender: &Mutex<UnixStream>,
) -> Result<End, Error> {
    loop {
        let Ok(Some((ask, fd))) = wire::receive::<Ask>(socket) else {
            return Ok(End::Lost);
        };
        let (answer, failure) = match answer(desk, key, ask, fd) {
            Ok(Reply::Answer(answer)) => (answer, None),
            Ok(Reply::Nothing) => continue,
            Ok(Reply::End(end)) => return end,
            Err(error) => {
                let why = error.to_string();
                (Answer::Refused { why }, Some(error))
            }
        };
        let sent = {
            let sender = sender.lock().unwrap_or_else(PoisonError::into_inner);
            wire::send(&sender, &answer, None)
        };
        match failure {
            // The gateway's refusal is the attempt's own trouble, which the worker tells.
            Some(Error::Gateway(_)) | None if sent.is_ok() => {}
            Some(error) => return Err(error),
            None => return Ok(End::Lost),
        }
    }
}

enum Reply {
    Answer(Answer),
    Nothing,
    End(Result<End, Error>),
}

fn answer(
    desk: &Coordinator<'_>,
    key: &TrialKey,
    ask: Ask,
    fd: Option<OwnedFd>,
) -> Result<Reply, Error> {
    let well = |()| Reply::Answer(Answer::Well);
    Ok(match ask {
        Ask::Show(progress) => {
            desk.show(*progress);
            Reply::Nothing
        }
        Ask::Next { checkpoint } => Reply::Answer(Answer::Next(desk.next(key, &checkpoint)?)),
        Ask::Keep(event) => well(desk.keep(*event)?),
        Ask::Serve { place, token } => {
            let listener = fd.map(TcpListener::from).ok_or_else(|| {
                Error::Worker("a worker sent no socket for its gateway".to_owned())
            })?;
            well(desk.serve(key, &place, listener, token)?)
        }
        Ask::Served { ago } => Reply::Answer(Answer::Record(Box::new(desk.served(key, ago)?))),
        Ask::Grade => well(desk.grade(key)?),
        Ask::Graded => well(desk.graded(key)?),
        Ask::Done => Reply::End(Ok(End::Done)),
        Ask::Failed { why, disk_full } => Reply::End(Err(if disk_full {
            let run = desk.plan.dir.root().to_owned();
            Error::DiskFull { run, why }
        } else {
            Error::Worker(why)
        })),
    })
}
