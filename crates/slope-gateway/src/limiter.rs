//! Rate limits of an upstream's key: concurrent requests, requests and tokens per minute, and
//! pauses after failures.
//!
//! Requests that exceed a limit wait here, in order. An agent sees a slow model, not a refusal, so
//! that infrastructure failures do not use up its own retries.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use slope_model::usage::Tokens;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

use crate::config::RetryPolicy;

/// Limits of a key.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RateLimits {
    /// Requests at once.
    #[serde(default)]
    pub concurrent: Option<u32>,
    /// Requests a minute, evenly spaced.
    #[serde(default)]
    pub requests_per_minute: Option<u32>,
    /// Tokens per minute: uncached input, cache writes and output. A quarter of a request's bytes
    /// is the estimate until they are known.
    #[serde(default)]
    pub tokens_per_minute: Option<u64>,
}

/// The limiters of this process, by a hash of server, key and limits.
static KNOWN: Mutex<Vec<(u64, Weak<Limiter>)>> = Mutex::new(Vec::new());

/// The pace of a key.
#[derive(Debug)]
pub(crate) struct Limiter {
    limits: RateLimits,
    room: Option<Arc<Semaphore>>,
    /// Held by the next request to go, so that no other overtakes it.
    queue: tokio::sync::Mutex<()>,
    pace: Mutex<Pace>,
}

#[derive(Debug)]
struct Pace {
    /// When the next may go.
    next: Instant,
    /// End of the pause in requests to the server.
    quiet_until: Instant,
    /// When it last failed.
    failed_at: Option<Instant>,
    /// Failures in a row.
    failures: u32,
    /// Tokens available now; below zero if requests used more than estimated.
    tokens: f64,
    refilled: Instant,
}

impl Limiter {
    /// The limiter of a key at a server; the same for all gateways of this process.
    pub(crate) fn of(base: &str, key: &str, limits: RateLimits) -> Arc<Self> {
        let mut hasher = DefaultHasher::new();
        (base, key, limits).hash(&mut hasher);
        let id = hasher.finish();
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        known.retain(|(_, limiter)| limiter.strong_count() > 0);
        let found = known.iter().find(|(other, _)| *other == id);
        if let Some(limiter) = found.and_then(|(_, limiter)| limiter.upgrade()) {
            return limiter;
        }
        let limiter = Arc::new(Self::new(limits));
        known.push((id, Arc::downgrade(&limiter)));
        limiter
    }

    fn new(limits: RateLimits) -> Self {
        let now = Instant::now();
        let room = limits.concurrent.map(|count| count.max(1) as usize);
        Self {
            limits,
            room: room.map(|count| Arc::new(Semaphore::new(count))),
            queue: tokio::sync::Mutex::default(),
            pace: Mutex::new(Pace {
                next: now,
                quiet_until: now,
                failed_at: None,
                failures: 0,
                tokens: limits.tokens_per_minute.map_or(0.0, count),
                refilled: now,
            }),
        }
    }

    fn pace(&self) -> MutexGuard<'_, Pace> {
        self.pace.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Time until the next request to the server. `None` if it works.
    pub(crate) fn quiet_for(&self) -> Option<Duration> {
        let left = self
            .pace()
            .quiet_until
            .saturating_duration_since(Instant::now());
        (!left.is_zero()).then_some(left)
    }

    /// Waits until a request of an estimated number of tokens may be sent.
    pub(crate) async fn depart(self: &Arc<Self>, estimate: u64, retry: &RetryPolicy) -> Pass {
        let permit = match &self.room {
            // Never closed, so that there is always a permit to come.
            Some(room) => room.clone().acquire_owned().await.ok(),
            None => None,
        };
        let _turn = self.queue.lock().await;
        loop {
            let until = self.pace().try_go(&self.limits, estimate, retry);
            match until {
                Some(until) => tokio::time::sleep_until(until).await,
                None => break,
            }
        }
        Pass {
            permit,
            departed: Instant::now(),
            debit: Debit {
                limiter: self.clone(),
                estimate,
            },
        }
    }

    /// Notes that the server answered.
    pub(crate) fn went_well(&self, pass: &Pass) {
        let mut pace = self.pace();
        if pace.failed_at.is_none_or(|failed| failed < pass.departed) {
            pace.failures = 0;
        }
    }

    /// Records a failure of the server, and pauses requests for the time that it requested, or for
    /// a longer time after each failure.
    pub(crate) fn trouble(&self, pass: &Pass, asked: Option<Duration>, retry: &RetryPolicy) {
        let mut pace = self.pace();
        // Requests in flight together fail together: that is one failure.
        if pace.failed_at.is_none_or(|failed| failed < pass.departed) {
            pace.failures = pace.failures.saturating_add(1);
            pace.failed_at = Some(Instant::now());
        }
        let wait = asked.unwrap_or_else(|| retry.wait(pace.failures));
        let until = Instant::now() + wait.min(retry.longest_wait);
        pace.quiet_until = pace.quiet_until.max(until);
    }
}

impl Pace {
    /// Admits a request, or returns when to try again.
    fn try_go(
        &mut self,
        limits: &RateLimits,
        estimate: u64,
        retry: &RetryPolicy,
    ) -> Option<Instant> {
        let now = Instant::now();
        let mut until = self.next.max(self.quiet_until);
        if let Some(most) = limits.tokens_per_minute {
            let rate = count(most).max(1.0) / 60.0;
            let since = now.duration_since(self.refilled).as_secs_f64();
            self.tokens = (self.tokens + since * rate).min(count(most));
            self.refilled = now;
            let missing = count(estimate.min(most)) - self.tokens;
            if missing > 0.0 {
                // A day at most: an odd limit must not overflow the clock.
                let wait = Duration::from_secs_f64((missing / rate).min(86_400.0));
                until = until.max(now + wait);
            }
        }
        if until > now {
            return Some(until);
        }
        if limits.tokens_per_minute.is_some() {
            self.tokens -= count(estimate);
        }
        let mut spacing = limits
            .requests_per_minute
            .map_or(Duration::ZERO, |most| Duration::from_mins(1) / most.max(1));
        if self.failures > 0 {
            // Waiting requests must not go all at once: the first may find the server still down.
            spacing = spacing.max(retry.first_wait / 2);
        }
        self.next = now + spacing;
        None
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "token counts stay far below 2^53"
)]
fn count(tokens: u64) -> f64 {
    tokens as f64
}

/// The right to have a request out.
#[derive(Debug)]
pub(crate) struct Pass {
    /// Released when the response has arrived.
    pub(crate) permit: Option<OwnedSemaphorePermit>,
    departed: Instant,
    pub(crate) debit: Debit,
}

/// Tokens that a request was thought to use.
#[derive(Debug)]
pub(crate) struct Debit {
    limiter: Arc<Limiter>,
    estimate: u64,
}

impl Debit {
    /// Replaces the estimate by the actual usage; unknown usage keeps the estimate.
    pub(crate) fn settle(&self, tokens: Option<Tokens>) {
        if let Some(tokens) = tokens {
            let used = [tokens.cache_write, tokens.output];
            let used = used.into_iter().fold(tokens.input, u64::saturating_add);
            self.correct(used);
        }
    }

    /// Books that nothing was used.
    pub(crate) fn refund(&self) {
        self.correct(0);
    }

    fn correct(&self, used: u64) {
        if self.limiter.limits.tokens_per_minute.is_some() {
            self.limiter.pace().tokens += count(self.estimate) - count(used);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RETRY: RetryPolicy = RetryPolicy {
        retries: 0,
        first_wait: Duration::from_secs(2),
        longest_wait: Duration::from_secs(60),
        outage: Duration::ZERO,
    };

    fn limiter(limits: RateLimits) -> Arc<Limiter> {
        Arc::new(Limiter::new(limits))
    }

    /// Seconds until each of several requests was admitted, on a clock that moves only during
    /// waits.
    async fn departures(limiter: &Arc<Limiter>, estimates: &[u64]) -> Vec<u64> {
        let begun = Instant::now();
        let mut out = Vec::new();
        for estimate in estimates {
            limiter.depart(*estimate, &RETRY).await;
            out.push(begun.elapsed().as_millis().div_ceil(1000) as u64);
        }
        out
    }

    #[tokio::test(start_paused = true)]
    async fn requests_are_spaced_evenly() {
        let limiter = limiter(RateLimits {
            requests_per_minute: Some(20),
            ..RateLimits::default()
        });
        assert_eq!(departures(&limiter, &[0; 4]).await, [0, 3, 6, 9]);
    }

    #[tokio::test(start_paused = true)]
    async fn token_rate_refills_and_is_corrected() {
        let limiter = limiter(RateLimits {
            tokens_per_minute: Some(600),
            ..RateLimits::default()
        });
        // 600 at once, then ten a second; a request above the burst goes when the bucket is full.
        assert_eq!(departures(&limiter, &[500, 100, 50]).await, [0, 0, 5]);
        let pass = limiter.depart(0, &RETRY).await;
        pass.debit.settle(Some(Tokens {
            output: 100,
            cache_read: 9999,
            ..Tokens::default()
        }));
        assert_eq!(departures(&limiter, &[50]).await, [15]);
        let pass = limiter.depart(0, &RETRY).await;
        pass.debit.refund();
        assert_eq!(departures(&limiter, &[9000]).await, [60]);
    }

    #[tokio::test(start_paused = true)]
    async fn concurrency_limit_is_enforced() {
        let limiter = limiter(RateLimits {
            concurrent: Some(2),
            ..RateLimits::default()
        });
        let one = limiter.depart(0, &RETRY).await;
        let _two = limiter.depart(0, &RETRY).await;
        let third = tokio::time::timeout(Duration::from_secs(9), limiter.depart(0, &RETRY));
        assert!(third.await.is_err());
        drop(one);
        limiter.depart(0, &RETRY).await;
    }

    #[tokio::test(start_paused = true)]
    async fn failing_server_is_retried_with_backoff() {
        let limiter = limiter(RateLimits::default());
        let (one, two) = (
            limiter.depart(0, &RETRY).await,
            limiter.depart(0, &RETRY).await,
        );
        // Both were in flight together: one failure.
        limiter.trouble(&one, None, &RETRY);
        limiter.trouble(&two, None, &RETRY);
        assert_eq!(departures(&limiter, &[0, 0, 0]).await, [2, 3, 4]);
        // Another failure: twice the time, unless the server gives one.
        let three = limiter.depart(0, &RETRY).await;
        limiter.trouble(&three, None, &RETRY);
        assert_eq!(departures(&limiter, &[0]).await, [4]);
        let four = limiter.depart(0, &RETRY).await;
        limiter.trouble(&four, Some(Duration::from_secs(30)), &RETRY);
        assert_eq!(departures(&limiter, &[0]).await, [30]);
        // An answer: all waiting requests go.
        let five = limiter.depart(0, &RETRY).await;
        limiter.went_well(&five);
        limiter.depart(0, &RETRY).await;
        assert_eq!(departures(&limiter, &[0; 3]).await, [0, 0, 0]);
    }

    #[test]
    fn gateways_with_same_key_share_limiter() {
        let limits = RateLimits::default();
        let one = Limiter::of("https://a", "key", limits);
        assert!(Arc::ptr_eq(&one, &Limiter::of("https://a", "key", limits)));
        assert!(!Arc::ptr_eq(
            &one,
            &Limiter::of("https://a", "other", limits)
        ));
        assert!(!Arc::ptr_eq(&one, &Limiter::of("https://b", "key", limits)));
    }
}
