//! Connections: time limits for slow clients, and an end that loses nothing.

use std::future::Future;
use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use tokio::net::TcpListener;

use crate::settings::Error;

/// Connections that may wait to be accepted.
const BACKLOG: u32 = 32_768;
/// Longest time that the end waits for requests in flight.
const LAST_REQUESTS: Duration = Duration::from_secs(600);

/// A server that listens.
pub struct Server {
    listener: TcpListener,
    router: Router,
    patience: Duration,
}

/// Allows as many open files as the system permits: each connection is one. Returns the number.
pub fn raise_file_limit() -> u64 {
    let Ok((soft, hard)) = getrlimit(Resource::RLIMIT_NOFILE) else {
        return 0;
    };
    match setrlimit(Resource::RLIMIT_NOFILE, hard, hard) {
        Ok(()) => hard,
        Err(_) => soft,
    }
}

impl Server {
    /// Listens on an address. Port 0 takes any free port. A client may take `patience` for its headers. Needs a runtime
    /// of tokio.
    ///
    /// # Errors
    /// If the address cannot be used.
    pub fn bind(router: Router, patience: Duration, address: SocketAddr) -> Result<Self, Error> {
        let listen = || {
            let socket = match address {
                SocketAddr::V4(_) => tokio::net::TcpSocket::new_v4(),
                SocketAddr::V6(_) => tokio::net::TcpSocket::new_v6(),
            }?;
            socket.set_reuseaddr(true)?;
            socket.bind(address)?;
            socket.listen(BACKLOG)
        };
        let listener = listen().map_err(|source| Error::Listen { address, source })?;
        Ok(Self {
            listener,
            router,
            patience,
        })
    }

    /// Where it listens.
    ///
    /// # Errors
    /// If the system does not say.
    pub fn address(&self) -> std::io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves until `end`, and then finishes the requests in flight.
    pub async fn run(self, end: impl Future<Output = ()>) {
        let Self {
            listener,
            router,
            patience,
        } = self;
        let service = TowerToHyperService::new(router);
        let graceful = GracefulShutdown::new();
        let mut http = hyper::server::conn::http1::Builder::new();
        http.timer(TokioTimer::new()).header_read_timeout(patience);
        let mut end = std::pin::pin!(end);
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                () = &mut end => break,
            };
            let Ok((socket, _)) = accepted else {
                // There are no more files to open; connections in flight free some.
                tokio::time::sleep(Duration::from_millis(20)).await;
                continue;
            };
            drop(socket.set_nodelay(true));
            let connection = http.serve_connection(TokioIo::new(socket), service.clone());
            let connection = graceful.watch(connection);
            tokio::spawn(async move { drop(connection.await) });
        }
        drop(listener);
        drop(tokio::time::timeout(LAST_REQUESTS, graceful.shutdown()).await);
    }
}
