//! The workers of a server.

use std::io;
use std::sync::{Arc, Mutex, Once, PoisonError};
use std::time::{Duration, Instant};

use slope_embed::Error;
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::timeout;

use super::job::Job;
use super::process::Worker;
use super::wire::{Kind, Message};
use crate::settings::Settings;

/// Jobs that wait until a worker is free.
const MOST_WAITING: usize = 64;

/// Longest time that a job waits.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// Time after which an idle worker ends.
const LONGEST_IDLE: Duration = Duration::from_secs(120);

/// How often the pool looks for idle workers.
const LOOK: Duration = Duration::from_secs(30);

/// Workers that end before they are ready, in a row. More are no accident.
const MOST_TRIES: u32 = 3;

/// Why a job has no document.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Too many jobs are worked on.
    Busy,
    /// No worker can be started.
    NoWorker(io::Error),
    /// The job takes too long.
    TooLong,
    /// The worker ended: it has too little memory or stack for the job.
    Crashed,
    /// The document is too large.
    TooLarge,
    /// slope panicked.
    Panicked,
    /// The error of a function of `slope-embed`.
    Error(Error),
}

/// An idle worker.
struct Idle {
    worker: Worker,
    since: Instant,
}

/// Workers, and jobs that wait for one.
pub(crate) struct Pool {
    idle: Mutex<Vec<Idle>>,
    turns: Semaphore,
    waiting: Semaphore,
    settings: Settings,
    watch: Once,
}

impl Pool {
    pub(crate) fn new(settings: &Settings) -> Arc<Self> {
        Arc::new(Self {
            idle: Mutex::default(),
            turns: Semaphore::new(settings.workers),
            waiting: Semaphore::new(MOST_WAITING),
            settings: settings.clone(),
            watch: Once::new(),
        })
    }

    /// The document of a job. If the caller stops waiting, the work ends.
    pub(crate) async fn run(self: &Arc<Self>, job: &Job) -> Result<String, Failure> {
        self.watch.call_once(|| self.end_idle_workers());
        let _turn = self.turn().await?;
        let bytes = serde_json::to_vec(job).map_err(|_| Failure::Panicked)?;
        let base = job.base();
        let mut worker = self.ready_worker(base).await?;
        let message = Message::new(Kind::Job, bytes);
        let asked = worker.ask(&message);
        let answer = match timeout(self.settings.work_limit, asked).await {
            Ok(answer) => answer.map_err(|_| Failure::Crashed)?,
            Err(_) => return Err(Failure::TooLong),
        };
        if let Some(base) = base {
            worker.base = Some(base.to_owned());
        }
        self.keep(worker);
        let text = |bytes| String::from_utf8(bytes).map_err(|_| Failure::Crashed);
        match answer.kind {
            Kind::Document => text(answer.bytes),
            Kind::Error => {
                let error = serde_json::from_slice(&answer.bytes);
                Err(error.map_or(Failure::Crashed, Failure::Error))
            }
            Kind::TooLarge => Err(Failure::TooLarge),
            Kind::Panic => Err(Failure::Panicked),
            Kind::Ready | Kind::Job => Err(Failure::Crashed),
        }
    }

    async fn turn(&self) -> Result<SemaphorePermit<'_>, Failure> {
        let _place = self.waiting.try_acquire().map_err(|_| Failure::Busy)?;
        let turn = timeout(LONGEST_WAIT, self.turns.acquire()).await;
        turn.map_err(|_| Failure::Busy)?.map_err(|_| Failure::Busy)
    }

    /// A worker that waits for a job: one that has the base, any other, or a new one.
    async fn ready_worker(&self, base: Option<&str>) -> Result<Worker, Failure> {
        while let Some(mut worker) = self.idle_worker(base) {
            if worker.is_ready().await {
                return Ok(worker);
            }
        }
        for _ in 0..MOST_TRIES {
            let started = Worker::start(&self.settings.worker, self.settings.worker_bytes);
            let mut worker = started.map_err(Failure::NoWorker)?;
            if worker.is_ready().await {
                return Ok(worker);
            }
        }
        let never = io::Error::other("workers end before they are ready");
        Err(Failure::NoWorker(never))
    }

    fn idle_worker(&self, base: Option<&str>) -> Option<Worker> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let has_base = |it: &Idle| it.worker.base.as_deref() == base;
        let at = idle.iter().rposition(has_base);
        let at = at.or_else(|| idle.len().checked_sub(1))?;
        Some(idle.remove(at).worker)
    }

    fn keep(&self, worker: Worker) {
        let since = Instant::now();
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.push(Idle { worker, since });
    }

    /// Ends workers that have been idle for long, as long as `self` is there.
    fn end_idle_workers(self: &Arc<Self>) {
        let pool = Arc::downgrade(self);
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(LOOK).await;
                let Some(pool) = pool.upgrade() else {
                    return;
                };
                let mut idle = pool.idle.lock().unwrap_or_else(PoisonError::into_inner);
                idle.retain(|it| it.since.elapsed() < LONGEST_IDLE);
            }
        });
    }

    /// Ends all idle workers.
    pub(crate) fn close(&self) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.clear();
    }
}
