//! Serves the connections of one attempt.

use std::convert::Infallible;
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::attempt::Attempt;
use crate::config::Limits;
use crate::recording::Recordings;
use crate::route;
use crate::script::LoadedScript;
use crate::upstream::HttpClient;

/// Shared by all attempts of a gateway.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) source: Source,
    pub(crate) limits: Limits,
}

/// Source of replies.
#[derive(Debug)]
pub(crate) enum Source {
    Scripted(Arc<LoadedScript>),
    Http(Box<HttpClient>),
    Replay(Recordings),
}

impl Source {
    /// The model to request instead of the client's.
    pub(crate) fn forced_model(&self) -> Option<&str> {
        match self {
            Self::Scripted(_) | Self::Replay(_) => None,
            Self::Http(client) => client.model.as_deref(),
        }
    }
}

/// Accepts connections until stopped, then waits, with bounded patience, for open exchanges. Any
/// left then are cut off; those exchanges are settled as they are dropped.
pub(crate) async fn serve(
    listener: TcpListener,
    shared: Arc<Shared>,
    attempt: Arc<Attempt>,
    mut stop: watch::Receiver<bool>,
) {
    let limits = shared.limits;
    let Ok(listener) = tokio::net::TcpListener::from_std(listener) else {
        attempt.refused("the listening socket could not be used");
        return;
    };
    let mut tasks = JoinSet::new();
    loop {
        tokio::select! {
            biased;
            _ = stop.changed() => break,
            Some(_) = tasks.join_next() => {}
            accepted = listener.accept(), if tasks.len() < limits.connections => match accepted {
                Ok((socket, _)) => {
                    tasks.spawn(connection(socket, shared.clone(), attempt.clone(), stop.clone()));
                }
                // Out of file descriptors, most likely: let some be freed.
                Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
            },
        }
    }
    drop(listener);
    let all = async { while tasks.join_next().await.is_some() {} };
    let _ = tokio::time::timeout(limits.finish_patience, all).await;
    tasks.shutdown().await;
}

async fn connection(
    socket: tokio::net::TcpStream,
    shared: Arc<Shared>,
    attempt: Arc<Attempt>,
    mut stop: watch::Receiver<bool>,
) {
    let _ = socket.set_nodelay(true);
    let patience = shared.limits.client_patience;
    let used = Arc::new(AtomicBool::new(false));
    let using = used.clone();
    let service = service_fn(move |request| {
        using.store(true, Ordering::Relaxed);
        let (shared, attempt) = (shared.clone(), attempt.clone());
        async move { Ok::<_, Infallible>(route::route(&shared, &attempt, request).await) }
    });
    let connection = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        // The same timeout applies to idle kept connections, so it is long.
        .header_read_timeout(patience.saturating_mul(15))
        .serve_connection(TokioIo::new(socket), service);
    tokio::pin!(connection);
    tokio::select! {
        _ = connection.as_mut() => {}
        _ = stop.changed() => {
            // Clients open connections in reserve. One that never carried a request is not
            // idle in hyper's eyes, and would be waited for.
            if !used.load(Ordering::Relaxed) {
                return;
            }
            connection.as_mut().graceful_shutdown();
            let _ = connection.await;
        }
    }
}
