//! Serves a listening socket, which may come from another network namespace.

use std::fs::{File, OpenOptions};
use std::future::Future;
use std::io::{self, Write};
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde::Serialize;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::request::{self, Request};
use crate::rules::Rules;

/// Connections at a time; more have to wait.
const CONNECTIONS: usize = 128;
/// Time that a name's resolution and a connection may take together.
const REACH: Duration = Duration::from_secs(30);
/// Maximum number of refusals kept; later ones are only counted.
const MOST: usize = 100;

/// A request that was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// Requested host.
    pub target: String,
    /// Reason.
    pub why: String,
    /// Whether it was for an address that is not public: this machine, a private network, a metadata
    /// service.
    pub inward: bool,
}

/// A request, allowed or refused.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Record {
    /// Connections that were made.
    pub connections: u64,
    /// Requests that were refused; a hundred at most.
    pub refusals: Vec<Refusal>,
    /// Number of further refusals.
    pub more_refusals: u64,
}

/// A line of the log.
#[derive(Debug, Serialize)]
struct Line<'a> {
    at: jiff::Timestamp,
    target: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<SocketAddr>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<&'a str>,
    sent: u64,
    received: u64,
    duration_s: f64,
}

/// Name resolution and connections.
trait Outside: Send + Sync + 'static {
    fn resolve(
        &self,
        host: &str,
        port: u16,
    ) -> impl Future<Output = io::Result<Vec<SocketAddr>>> + Send;
    fn connect(&self, to: SocketAddr) -> impl Future<Output = io::Result<TcpStream>> + Send;
}

/// The network of this machine.
struct Network;

impl Outside for Network {
    async fn resolve(&self, host: &str, port: u16) -> io::Result<Vec<SocketAddr>> {
        let host = host.trim_start_matches('[').trim_end_matches(']');
        Ok(tokio::net::lookup_host((host, port)).await?.collect())
    }

    async fn connect(&self, to: SocketAddr) -> io::Result<TcpStream> {
        TcpStream::connect(to).await
    }
}

/// A socket that is being served. Dropping it stops the serving.
#[derive(Debug)]
pub struct Serving {
    record: Arc<Mutex<Record>>,
    stop: watch::Sender<bool>,
    thread: Option<JoinHandle<()>>,
}

impl Serving {
    /// Stops the proxy and closes open connections.
    #[must_use]
    pub fn finish(mut self) -> Record {
        self.end();
        std::mem::take(&mut *lock(&self.record))
    }

    fn end(&mut self) {
        let _ = self.stop.send(true);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        self.end();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Serves `listener` by `rules`, and writes a line for each request to `log`. Returns at once.
///
/// # Errors
/// When the log cannot be opened, or no thread can be had.
pub fn serve(listener: TcpListener, rules: Rules, log: &Path) -> io::Result<Serving> {
    serve_with(listener, rules, log, Network)
}

fn serve_with(
    listener: TcpListener,
    rules: Rules,
    log: &Path,
    outside: impl Outside,
) -> io::Result<Serving> {
    listener.set_nonblocking(true)?;
    let log = OpenOptions::new().create(true).append(true).open(log)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let record = Arc::new(Mutex::new(Record::default()));
    let proxy = Arc::new(Proxy {
        rules,
        outside,
        log: Mutex::new(log),
        record: Arc::clone(&record),
    });
    let (stop, stopped) = watch::channel(false);
    let thread = std::thread::Builder::new()
        .name("slope-egress".to_owned())
        .spawn(move || {
            runtime.block_on(accept(listener, proxy, stopped));
            // A name that is being resolved is not waited for.
            runtime.shutdown_background();
        })?;
    Ok(Serving {
        record,
        stop,
        thread: Some(thread),
    })
}

struct Proxy<O> {
    rules: Rules,
    outside: O,
    log: Mutex<File>,
    record: Arc<Mutex<Record>>,
}

async fn accept<O: Outside>(
    listener: TcpListener,
    proxy: Arc<Proxy<O>>,
    mut stop: watch::Receiver<bool>,
) {
    let Ok(listener) = tokio::net::TcpListener::from_std(listener) else {
        return;
    };
    let mut tasks = JoinSet::new();
    loop {
        tokio::select! {
            biased;
            _ = stop.changed() => break,
            Some(_) = tasks.join_next() => {}
            accepted = listener.accept(), if tasks.len() < CONNECTIONS => match accepted {
                Ok((client, _)) => {
                    let proxy = Arc::clone(&proxy);
                    tasks.spawn(async move { proxy.client(client).await });
                }
                Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
            },
        }
    }
    tasks.shutdown().await;
}

/// Refusal of a request: status, message, and whether it was for a non-public address.
struct RequestRefusal(u16, String, bool);

impl<O: Outside> Proxy<O> {
    async fn client(&self, mut client: TcpStream) {
        let began = Instant::now();
        let Ok(request) = request::read(&mut client).await else {
            return;
        };
        match self.open(&request).await {
            Ok(server) => {
                lock(&self.record).connections += 1;
                let address = server.peer_addr().ok();
                let (sent, received) = pass(client, server, &request.rest).await;
                self.write(&request.target, address, None, (sent, received), began);
            }
            Err(RequestRefusal(status, why, inward)) => {
                self.refuse(&request.target, &why, inward);
                self.write(&request.target, None, Some(&why), (0, 0), began);
                let answer = format!(
                    "HTTP/1.1 {status} refused\r\nContent-Type: text/plain\r\nContent-Length: {}\r\n\
                     Connection: close\r\n\r\n{why}\n",
                    why.len() + 1
                );
                let _ = client.write_all(answer.as_bytes()).await;
            }
        }
    }

    /// Connects to the requested target if allowed.
    async fn open(&self, request: &Request) -> Result<TcpStream, RequestRefusal> {
        if request.method != "CONNECT" {
            let why =
                "this proxy only connects (CONNECT): use an address that begins with https://";
            return Err(RequestRefusal(405, why.to_owned(), false));
        }
        let Some((host, port)) = request::authority(&request.target) else {
            return Err(RequestRefusal(
                400,
                "the target is not HOST:PORT".to_owned(),
                false,
            ));
        };
        if !self.rules.lists(host, port) {
            let ip = host.trim_start_matches('[').trim_end_matches(']').parse();
            let inward = ip.is_ok_and(|ip| !self.rules.reaches(SocketAddr::new(ip, port)));
            let why = format!("{host}:{port} is not in the environment's list of hosts");
            return Err(RequestRefusal(403, why, inward));
        }
        match tokio::time::timeout(REACH, self.reach(host, port)).await {
            Ok(reached) => reached,
            Err(_) => Err(RequestRefusal(
                504,
                format!("{host}:{port} did not answer"),
                false,
            )),
        }
    }

    /// Resolves and connects. The checked address is the one connected to: no name is resolved
    /// twice.
    async fn reach(&self, host: &str, port: u16) -> Result<TcpStream, RequestRefusal> {
        let found = self.outside.resolve(host, port).await;
        let found = found
            .map_err(|e| RequestRefusal(502, format!("{host} cannot be resolved: {e}"), false))?;
        let (may, not): (Vec<_>, Vec<_>) = found.into_iter().partition(|a| self.rules.reaches(*a));
        if let (true, Some(address)) = (may.is_empty(), not.first()) {
            let why = format!("{host} leads to {}, which is not public", address.ip());
            return Err(RequestRefusal(403, why, true));
        }
        let mut last = format!("{host} has no address");
        for address in may {
            match self.outside.connect(address).await {
                Ok(server) => return Ok(server),
                Err(e) => last = format!("{host}:{port} cannot be reached: {e}"),
            }
        }
        Err(RequestRefusal(502, last, false))
    }

    fn refuse(&self, target: &str, why: &str, inward: bool) {
        let mut record = lock(&self.record);
        if record.refusals.len() >= MOST {
            record.more_refusals += 1;
            return;
        }
        record.refusals.push(Refusal {
            target: target.chars().take(300).collect(),
            why: why.to_owned(),
            inward,
        });
    }

    fn write(
        &self,
        target: &str,
        address: Option<SocketAddr>,
        refused: Option<&str>,
        (sent, received): (u64, u64),
        began: Instant,
    ) {
        let line = Line {
            at: jiff::Timestamp::now(),
            target,
            address,
            refused,
            sent,
            received,
            duration_s: began.elapsed().as_secs_f64(),
        };
        if let Ok(mut text) = serde_json::to_string(&line) {
            text.push('\n');
            // A full disk ends the run elsewhere; no report is possible here.
            let _ = lock(&self.log).write_all(text.as_bytes());
        }
    }
}

/// Forwards bytes both ways until both sides have ended. Returns the numbers sent and received.
async fn pass(mut client: TcpStream, mut server: TcpStream, rest: &[u8]) -> (u64, u64) {
    let opened = client
        .write_all(b"HTTP/1.1 200 Connection established\r\n\r\n")
        .await;
    if opened.is_err() || server.write_all(rest).await.is_err() {
        return (0, 0);
    }
    let more = rest.len() as u64;
    match tokio::io::copy_bidirectional(&mut client, &mut server).await {
        Ok((sent, received)) => (sent + more, received),
        Err(_) => (more, 0),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::net::TcpStream as Blocking;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// A network in which every public address is one server, and a name may resolve differently
    /// each time.
    struct Fake {
        server: SocketAddr,
        asked: AtomicUsize,
    }

    impl Outside for Fake {
        async fn resolve(&self, host: &str, port: u16) -> io::Result<Vec<SocketAddr>> {
            let times = self.asked.fetch_add(1, Ordering::Relaxed);
            let ip = match host {
                "good.org" => "151.101.0.223",
                "inward.org" => "10.0.0.1",
                "metadata.org" => "169.254.169.254",
                "rebinding.org" if times == 0 => "151.101.0.223",
                "rebinding.org" => "127.0.0.1",
                _ => return Err(io::ErrorKind::NotFound.into()),
            };
            Ok(vec![SocketAddr::new(ip.parse().unwrap(), port)])
        }

        async fn connect(&self, to: SocketAddr) -> io::Result<TcpStream> {
            assert_eq!(to.ip().to_string(), "151.101.0.223", "only what was judged");
            TcpStream::connect(self.server).await
        }
    }

    /// An echo server that says `hi` first, the proxy in front of it, and its log.
    fn proxy() -> (Serving, SocketAddr, tempfile::TempDir) {
        let server = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = server.local_addr().unwrap();
        std::thread::spawn(move || {
            for stream in server.incoming() {
                let mut stream = stream.unwrap();
                let mut got = [0; 5];
                let _ = stream
                    .read_exact(&mut got)
                    .and_then(|()| stream.write_all(&got));
            }
        });
        let dir = tempfile::tempdir().unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let at = listener.local_addr().unwrap();
        let allow = [
            "good.org",
            "inward.org",
            "metadata.org",
            "rebinding.org",
            "gone.org",
        ];
        let rules = Rules::parse(&allow.map(str::to_owned), &[]).unwrap();
        let fake = Fake {
            server: address,
            asked: AtomicUsize::new(0),
        };
        let log = dir.path().join("egress.jsonl");
        (serve_with(listener, rules, &log, fake).unwrap(), at, dir)
    }

    fn ask(at: SocketAddr, line: &str) -> String {
        let mut stream = Blocking::connect(at).unwrap();
        stream
            .write_all(format!("{line} HTTP/1.1\r\nHost: x\r\n\r\nhello").as_bytes())
            .unwrap();
        stream.shutdown(std::net::Shutdown::Write).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    #[test]
    fn only_listed_hosts_are_reached() {
        let (serving, at, dir) = proxy();
        // Resolved twice, the second time inwards.
        assert!(ask(at, "CONNECT rebinding.org:443").ends_with("\r\n\r\nhello"));
        assert!(ask(at, "CONNECT rebinding.org:443").starts_with("HTTP/1.1 403"));
        assert!(ask(at, "CONNECT good.org:443").starts_with("HTTP/1.1 200"));
        for (line, status) in [
            ("CONNECT good.org:22", 403),
            ("CONNECT inward.org:443", 403),
            ("CONNECT metadata.org:443", 403),
            ("CONNECT 169.254.169.254:80", 403),
            ("CONNECT other.org:443", 403),
            ("CONNECT gone.org:443", 502),
            ("CONNECT nonsense", 400),
            ("GET http://good.org/", 405),
        ] {
            let answer = ask(at, line);
            assert!(
                answer.starts_with(&format!("HTTP/1.1 {status}")),
                "{line}: {answer}"
            );
        }
        let record = serving.finish();
        assert_eq!((record.connections, record.refusals.len()), (2, 9));
        let inward = record.refusals.iter().filter(|r| r.inward);
        let inward: Vec<&str> = inward.map(|r| r.target.as_str()).collect();
        let expected = [
            "rebinding.org:443",
            "inward.org:443",
            "metadata.org:443",
            "169.254.169.254:80",
        ];
        assert_eq!(inward, expected);
        let log = std::fs::read_to_string(dir.path().join("egress.jsonl")).unwrap();
        assert_eq!(log.lines().count(), 11, "{log}");
        let first: serde_json::Value = serde_json::from_str(log.lines().next().unwrap()).unwrap();
        assert_eq!((&first["sent"], &first["received"]), (&5.into(), &5.into()));
    }

    #[test]
    fn finish_closes_open_connections() {
        let (serving, at, _dir) = proxy();
        let mut stream = Blocking::connect(at).unwrap();
        stream
            .write_all(b"CONNECT good.org:443 HTTP/1.1\r\n\r\n")
            .unwrap();
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).unwrap();
        assert_eq!(&answer, b"HTTP/1.1 200");
        assert_eq!(serving.finish().connections, 1);
        let mut rest = Vec::new();
        let _ = stream.read_to_end(&mut rest);
        assert!(Blocking::connect(at).is_err(), "nothing listens any more");
    }
}
