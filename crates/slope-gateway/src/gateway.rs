//! Synchronous interface of the gateway.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::mpsc;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use slope_model::usage::Usage;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::watch;

use crate::account::{Books, CapHit, Ledger};
use crate::attempt::{Attempt, AttemptRecord};
use crate::config::{AttemptAuth, GatewayConfig, Secret, Upstream};
use crate::costs::Pricing;
use crate::error::GatewayError;
use crate::prices::{PriceTable, Rate};
use crate::recording::Session;
use crate::server::{self, Shared, Source};
use crate::upstream::HttpClient;

/// A model gateway with threads of its own; one serves any number of attempts at once.
#[derive(Debug)]
pub struct Gateway {
    shared: Arc<Shared>,
    key: Option<Secret>,
    pricing: Pricing,
    ledger: Ledger,
    record: bool,
    /// Attempts served so far, by trial and checkpoint, where recordings answer.
    replayed: Mutex<BTreeMap<(String, u32), usize>>,
    /// Taken on drop, since a runtime must not be shut down inside another one.
    runtime: Option<Runtime>,
}

impl Gateway {
    /// Starts a gateway: reads the upstream's key, creates the client and the threads.
    ///
    /// # Errors
    ///
    /// If the key cannot be read, the upstream's address is invalid, or a thread fails.
    pub fn new(config: GatewayConfig) -> Result<Self, GatewayError> {
        let mut key = None;
        let table = match config.prices.clone() {
            Some(table) => table,
            None => PriceTable::built_in()?,
        };
        let mut pricing = Pricing::Listed(table);
        let limits = config.limits;
        let source = match &config.upstream {
            Upstream::Scripted(script) => {
                // A scripted model costs what its script declares, whatever its name.
                pricing = match script.script().prices {
                    Some(prices) => Pricing::Fixed(Rate::fixed(prices, "script")),
                    None => Pricing::Listed(PriceTable::none()),
                };
                Source::Scripted(script.clone())
            }
            Upstream::Replay(recordings) => Source::Replay(recordings.clone()),
            Upstream::Http(upstream) => {
                key = upstream.key.read()?;
                Source::Http(Box::new(HttpClient::new(&config, upstream, key.as_ref())?))
            }
        };
        let threads = std::thread::available_parallelism().map_or(1, |count| count.get().min(4));
        let runtime = Builder::new_multi_thread()
            .worker_threads(threads)
            .thread_name("slope-gateway")
            .enable_all()
            .build()
            .map_err(|source| GatewayError::Runtime { source })?;
        let shared = Arc::new(Shared { source, limits });
        Ok(Self {
            shared,
            key,
            pricing,
            ledger: Ledger::new(config.trial_caps, config.run_caps),
            record: config.record,
            replayed: Mutex::default(),
            runtime: Some(runtime),
        })
    }

    /// Serves an attempt on a listening socket, which may come from another network namespace.
    /// Returns at once; from then on the socket answers.
    ///
    /// # Errors
    ///
    /// If the log cannot be opened, the socket cannot be used, the token is too short, or a cap in
    /// dollars has no prices.
    pub fn serve(&self, listener: TcpListener, auth: AttemptAuth) -> Result<Serving, GatewayError> {
        let failed = |source| GatewayError::Listen { source };
        listener.set_nonblocking(true).map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let runtime = self
            .runtime
            .as_ref()
            .ok_or_else(|| failed(io::ErrorKind::BrokenPipe.into()))?;
        let session = self.session(&auth)?;
        let mut attempt = Attempt::open(
            auth,
            self.pricing.clone(),
            self.key.as_ref(),
            &self.shared.limits,
            &self.ledger,
            self.record,
        )?;
        attempt.session = session;
        let attempt = Arc::new(attempt);
        let (stop, stopped) = watch::channel(false);
        let (done, ended) = mpsc::channel();
        let served = server::serve(listener, self.shared.clone(), attempt.clone(), stopped);
        runtime.spawn(async move {
            served.await;
            let _ = done.send(());
        });
        let patience = self.shared.limits.finish_patience.saturating_mul(2);
        Ok(Serving {
            address,
            attempt,
            stop,
            ended: Mutex::new(ended),
            patience,
        })
    }

    /// The recording that answers an attempt, where recordings do.
    fn session(&self, auth: &AttemptAuth) -> Result<Option<Session>, GatewayError> {
        let Source::Replay(recordings) = &self.shared.source else {
            return Ok(None);
        };
        let (trial, checkpoint) = (&auth.trial, auth.checkpoint_index);
        let mut replayed = self.replayed.lock().unwrap_or_else(PoisonError::into_inner);
        let served = replayed.entry((trial.clone(), checkpoint)).or_default();
        let session = recordings.session(trial, checkpoint, *served)?;
        *served += 1;
        Ok(Some(session))
    }

    /// Books usage of an attempt of this trial from before this gateway was made, for example in a
    /// resumed run, so that the caps of trial and run include it. `wall` is the attempt's time.
    pub fn book_earlier(&self, trial: &str, usage: &Usage, wall: Duration) {
        self.ledger.trial(trial).book(usage, wall);
        self.ledger.run().book(usage, Duration::ZERO);
    }

    /// Books time that the run took before this gateway was made.
    pub fn book_earlier_time(&self, wall: Duration) {
        self.ledger.run().book_wall(wall);
    }

    /// The cap of the run that is reached, if there is one: then no further attempt will be
    /// answered.
    #[must_use]
    pub fn run_exhausted(&self) -> Option<CapHit> {
        self.ledger.run_exhausted()
    }

    /// Usage of a trial so far, over all its attempts including running ones.
    #[must_use]
    pub fn trial_books(&self, trial: &str) -> Books {
        self.ledger.trial(trial).books()
    }

    /// Usage of the run so far.
    #[must_use]
    pub fn run_books(&self) -> Books {
        self.ledger.run().books()
    }

    /// Time until the next request to the upstream after a failure (429, 5xx, no connection).
    /// `None` if it works, or there is no server.
    #[must_use]
    pub fn backing_off(&self) -> Option<Duration> {
        match &self.shared.source {
            Source::Http(client) => client.backing_off(),
            Source::Scripted(_) | Source::Replay(_) => None,
        }
    }

    /// Serves an attempt on a port of the loopback address that the system chooses.
    ///
    /// # Errors
    ///
    /// As for [`Gateway::serve`], or if no port is available.
    pub fn serve_loopback(&self, auth: AttemptAuth) -> Result<Serving, GatewayError> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
            .map_err(|source| GatewayError::Listen { source })?;
        self.serve(listener, auth)
    }
}

impl Drop for Gateway {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// An attempt that is being served. Dropping it stops the serving without waiting.
#[derive(Debug)]
pub struct Serving {
    address: SocketAddr,
    attempt: Arc<Attempt>,
    stop: watch::Sender<bool>,
    ended: Mutex<mpsc::Receiver<()>>,
    patience: Duration,
}

impl Serving {
    /// Address that is served.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Address as clients of Messages take it; those of the other dialects add `/v1`.
    #[must_use]
    pub fn base_url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The attempt's usage so far.
    #[must_use]
    pub fn record(&self) -> AttemptRecord {
        self.attempt.record()
    }

    /// Stops serving: closes the listener, waits for requests in flight up to the limit, cancels
    /// the rest, and returns the record. Blocks its thread.
    #[must_use]
    pub fn finish(self) -> AttemptRecord {
        self.finish_ended(Instant::now())
    }

    /// As [`Serving::finish`], for an agent that ended at `ended`, before its sandbox was cleaned
    /// up.
    #[must_use]
    pub fn finish_ended(self, ended: Instant) -> AttemptRecord {
        self.attempt.ended(ended);
        let _ = self.stop.send(true);
        let ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        // Ends early, with an error, if the gateway itself is gone.
        let _ = ended.recv_timeout(self.patience);
        drop(ended);
        self.attempt.close();
        self.attempt.record()
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        self.attempt.close();
    }
}

/// A token for an attempt: 256 random bits in hexadecimal.
///
/// # Errors
///
/// If the system's random source fails.
pub fn random_token() -> io::Result<String> {
    let mut bytes = [0u8; 32];
    std::fs::File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_tokens_are_long_and_unique() {
        let (one, two) = (random_token().unwrap(), random_token().unwrap());
        assert_eq!(one.len(), 64);
        assert_ne!(one, two);
    }
}
