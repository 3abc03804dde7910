//! The service under test of one case: started, waited for, stopped, started again.

use std::collections::BTreeMap;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::{Duration, Instant};

use rustix::process::Signal;
use slope_model::cases::{Ending, Request, Service, Target};
use slope_model::verdict::Outcome;

use super::client::{self, NoResponse};
use super::fill::{Fill, Values};
use super::program::{Ran, Start, Started};
use super::runner::Fault;

/// Ports of services: below the kernel's range for outgoing connections, so that no connection of
/// another case occupies one.
const PORTS: std::ops::Range<u16> = 20_000..30_000;
/// The next port to try.
static NEXT_PORT: AtomicU16 = AtomicU16::new(PORTS.start);
/// Time between two looks whether a service is ready.
const LOOK_AGAIN: Duration = Duration::from_millis(10);
/// Longest wait for one answer while a service starts.
const ONE_LOOK: Duration = Duration::from_secs(1);

/// The settings of a service.
pub(super) struct Setting<'a> {
    /// Launcher and program.
    pub(super) command: &'a [String],
    /// Environment of every program.
    pub(super) env: &'a BTreeMap<String, String>,
    /// The case's folder.
    pub(super) folder: &'a Path,
    /// Factor by which the case's time limits are extended.
    pub(super) stretch: f64,
}

/// A service that runs.
pub(super) struct Running {
    started: Started,
    /// The port that it should listen on.
    pub(super) port: u16,
}

impl Running {
    /// Starts `service` on a new port, and waits until it is ready.
    pub(super) fn start(
        setting: &Setting<'_>,
        service: &Service,
        values: &mut Values,
    ) -> Result<Self, Fault> {
        let broken =
            |why: io::Error| Fault::error(format!("the service could not be started: {why}"));
        let port = free_port().map_err(broken)?;
        values.set("port", port.into());
        let filled = |what: Result<_, String>| what.map_err(Fault::error);
        let args = filled(service.args.filled(values))?;
        let own = service.env.filled(values).map_err(Fault::error)?;
        let env = setting.env.iter().chain(&own);
        let started = Started::new(&Start {
            command: setting.command,
            args: &args,
            env: env.map(|(k, v)| (k.as_str(), v.as_str())).collect(),
            folder: setting.folder,
            stdin: "",
            limit: Duration::MAX,
        });
        let mut running = Self {
            started: started.map_err(broken)?,
            port,
        };
        let limit = Duration::from_secs_f64(service.ready.within_s * setting.stretch);
        match running.wait_ready(service, limit) {
            Ok(true) => Ok(running),
            Ok(false) => {
                let ran = running.started.end(None).map_err(broken)?;
                let why = format!("the service was not ready within {} s", limit.as_secs_f64());
                Err(Fault::new(Outcome::Timeout, why + &ran.stderr.last_words()))
            }
            Err(fault) => Err(fault),
        }
    }

    /// Whether it became ready in time.
    fn wait_ready(&mut self, service: &Service, limit: Duration) -> Result<bool, Fault> {
        let end = Instant::now() + limit;
        loop {
            self.alive("it was ready")?;
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(false);
            }
            if self.answers(service, left.min(ONE_LOOK)) {
                return Ok(true);
            }
            std::thread::sleep(LOOK_AGAIN);
        }
    }

    fn answers(&self, service: &Service, limit: Duration) -> bool {
        let Some(path) = &service.ready.path else {
            let address = SocketAddr::from((Ipv4Addr::LOCALHOST, self.port));
            return TcpStream::connect_timeout(&address, limit).is_ok();
        };
        let request = Request {
            send: Target {
                method: "GET".to_owned(),
                path: path.clone(),
            },
            headers: BTreeMap::new(),
            json: None,
            text: None,
            base64: None,
            expect: Default::default(),
            capture: BTreeMap::new(),
        };
        let wanted = service.ready.status;
        client::send(self.port, &request, limit)
            .is_ok_and(|response| wanted.is_none_or(|status| status == response.status))
    }

    /// Fails if the service has ended; the message says that it ended before `what`.
    pub(super) fn alive(&mut self, what: &str) -> Result<(), Fault> {
        let waited = self.started.wait(Duration::ZERO);
        let status = waited.map_err(|e| Fault::error(format!("the service is lost: {e}")))?;
        let Some(status) = status else { return Ok(()) };
        let ended = status.code().map_or_else(
            || "was ended by a signal".to_owned(),
            |code| format!("ended with exit code {code}"),
        );
        let said = self.started.last_words();
        Err(Fault::failed(format!(
            "the service {ended} before {what}{said}"
        )))
    }

    /// Ends the service and everything that it started.
    pub(super) fn stop(mut self, by: Ending, limit: Duration) -> Result<Ran, Fault> {
        let broken =
            |why: io::Error| Fault::error(format!("the service could not be stopped: {why}"));
        self.alive("it was stopped")?;
        let exit = match by {
            Ending::Kill => {
                self.started.kill().map_err(broken)?;
                None
            }
            Ending::Term => {
                self.started.signal(Signal::TERM).map_err(broken)?;
                self.started.wait(limit).map_err(broken)?
            }
        };
        let ran = self.started.end(exit).map_err(broken)?;
        if by == Ending::Term && ran.timed_out {
            let why = format!(
                "the service had not ended {} s after SIGTERM",
                limit.as_secs_f64()
            );
            return Err(Fault::new(Outcome::Timeout, why + &ran.stderr.last_words()));
        }
        Ok(ran)
    }

    /// The fault for a request without a response, depending on whether the service still runs.
    pub(super) fn unanswered(&mut self, failure: NoResponse) -> Fault {
        // The exit of a process that just died may take a moment to be visible.
        let grace = Duration::from_millis(if failure.late { 0 } else { 50 });
        if self
            .started
            .wait(grace)
            .is_ok_and(|status| status.is_some())
        {
            let said = self.started.last_words();
            return Fault::failed(format!("{}; the service has ended{said}", failure.why));
        }
        let outcome = if failure.late {
            Outcome::Timeout
        } else {
            Outcome::Failed
        };
        Fault::new(outcome, failure.why)
    }
}

/// A port without a listener.
fn free_port() -> io::Result<u16> {
    for _ in PORTS {
        let port = NEXT_PORT.fetch_add(1, Ordering::Relaxed);
        if port + 1 >= PORTS.end {
            NEXT_PORT.store(PORTS.start, Ordering::Relaxed);
        }
        if PORTS.contains(&port) && TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok() {
            return Ok(port);
        }
    }
    Err(io::Error::other("no port is free"))
}
