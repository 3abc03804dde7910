//! Edits that wait and run.
//!
//! A place in the queue is taken before anything is accepted, so that nothing accepted is lost. Edits run in the
//! order of arrival, as many at the same time as there are workers.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::Semaphore;

use crate::metrics::Metrics;

/// Longest time that a client is asked to wait.
const MAX_RETRY: u64 = 60;

pub(crate) struct Queue {
    taken: AtomicUsize,
    limit: usize,
    workers: usize,
    turns: Arc<Semaphore>,
    held: AtomicU64,
    held_limit: u64,
    /// Average time of a grade in microseconds.
    average: AtomicU64,
    metrics: Arc<Metrics>,
}

/// There is no place.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Full {
    /// Now; there may be one in so many seconds.
    Now(u64),
    /// Ever: the queue has only so many places.
    Ever(usize),
}

/// Places of edits that are accepted. They are free again when this is dropped.
pub(crate) struct Places {
    queue: Arc<Queue>,
    count: usize,
}

/// Bytes of a body that is held. They are free again when this is dropped.
pub(crate) struct Held {
    queue: Arc<Queue>,
    bytes: u64,
}

impl Queue {
    pub(crate) fn new(
        limit: usize,
        held_limit: u64,
        workers: usize,
        metrics: Arc<Metrics>,
    ) -> Self {
        Self {
            taken: AtomicUsize::new(0),
            limit,
            workers,
            turns: Arc::new(Semaphore::new(workers)),
            held: AtomicU64::new(0),
            held_limit,
            average: AtomicU64::new(10_000),
            metrics,
        }
    }

    /// Takes places for edits.
    pub(crate) fn take(self: &Arc<Self>, count: usize) -> Result<Places, Full> {
        if count > self.limit {
            return Err(Full::Ever(self.limit));
        }
        let before = self.taken.fetch_add(count, Ordering::SeqCst);
        if before + count > self.limit {
            self.taken.fetch_sub(count, Ordering::SeqCst);
            return Err(self.full(before + count));
        }
        self.metrics.waiting(before + count);
        Ok(Places {
            queue: self.clone(),
            count,
        })
    }

    /// Holds the bytes of a body.
    pub(crate) fn hold(self: &Arc<Self>, bytes: u64) -> Result<Held, Full> {
        let before = self.held.fetch_add(bytes, Ordering::SeqCst);
        if before > 0 && before + bytes > self.held_limit {
            self.held.fetch_sub(bytes, Ordering::SeqCst);
            return Err(self.full(self.taken.load(Ordering::SeqCst)));
        }
        Ok(Held {
            queue: self.clone(),
            bytes,
        })
    }

    /// Runs `work` in its turn. If the client goes away while it waits, it never runs.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        let turn = self.turns.clone().acquire_owned().await.ok()?;
        let start = Instant::now();
        let worked = tokio::task::spawn_blocking(move || {
            let result = work();
            drop(turn);
            result
        });
        let result = worked.await.ok();
        self.took(start.elapsed());
        result
    }

    fn took(&self, time: Duration) {
        self.metrics.took(time);
        let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        let average = self.average.load(Ordering::Relaxed);
        self.average
            .store(average - average / 32 + micros / 32, Ordering::Relaxed);
    }

    fn full(&self, taken: usize) -> Full {
        let each = self.average.load(Ordering::Relaxed);
        let micros = each.saturating_mul(taken as u64) / (self.workers as u64).max(1);
        Full::Now((micros / 1_000_000).clamp(1, MAX_RETRY))
    }
}

impl Drop for Places {
    fn drop(&mut self) {
        let before = self.queue.taken.fetch_sub(self.count, Ordering::SeqCst);
        self.queue.metrics.waiting(before - self.count);
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.queue.held.fetch_sub(self.bytes, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::Queue;
    use crate::metrics::Metrics;
    use std::sync::Arc;

    #[test]
    fn full_queue_takes_nothing_more() {
        let queue = Arc::new(Queue::new(3, 100, 1, Arc::new(Metrics::default())));
        let first = queue.take(2).unwrap();
        assert!(queue.take(2).is_err());
        let second = queue.take(1).unwrap();
        assert!(queue.take(1).is_err());
        drop((first, second));
        assert!(queue.take(3).is_ok());
    }

    #[test]
    fn held_bytes_are_limited_and_freed() {
        let queue = Arc::new(Queue::new(3, 100, 1, Arc::new(Metrics::default())));
        let held = queue.hold(60).unwrap();
        assert!(queue.hold(60).is_err());
        drop(held);
        assert!(queue.hold(60).is_ok());
    }
}
