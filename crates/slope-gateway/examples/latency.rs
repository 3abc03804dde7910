//! What the gateway adds to a stream: the same streams taken from a local server directly and
//! through the gateway, by turns.
//!
//! ```text
//! cargo run --release -p slope-gateway --example latency -- [--streams 64] [--events 100]
//!     [--gap-ms 20] [--request-kb 100] [--rounds 5]
//! ```
//!
//! The server writes the time into every event, so that an event's latency is what passes until
//! the client has it. Server, gateway and client are one process, on the same cores.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a program for the terminal"
)]

use std::error::Error;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::StreamExt;
use slope_gateway::{
    AttemptAuth, Caps, Dialect, Gateway, GatewayConfig, HttpUpstream, KeyHeader, KeySource,
    Upstream, random_token,
};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

#[derive(Clone, Copy)]
struct Load {
    streams: usize,
    events: usize,
    gap: Duration,
    request_bytes: usize,
    rounds: usize,
}

/// Latencies in microseconds: of requests until their first event, and of events.
#[derive(Default)]
struct Seen {
    first: Vec<u64>,
    events: Vec<u64>,
}

fn option(name: &str, default: usize) -> usize {
    let arguments: Vec<String> = std::env::args().collect();
    let at = arguments.iter().position(|argument| argument == name);
    let given = at.and_then(|at| arguments.get(at + 1)?.parse().ok());
    given.unwrap_or(default)
}

/// Reads a request with a body of known length.
async fn read_request(socket: &mut TcpStream) -> Option<()> {
    let mut seen = Vec::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        let length = socket.read(&mut buffer).await.ok().filter(|n| *n > 0)?;
        seen.extend_from_slice(&buffer[..length]);
        let Some(end) = seen.windows(4).position(|four| four == b"\r\n\r\n") else {
            continue;
        };
        let head = String::from_utf8_lossy(&seen[..end]).to_ascii_lowercase();
        let told = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length:"));
        let body: usize = told?.trim().parse().ok()?;
        if seen.len() >= end + 4 + body {
            return Some(());
        }
    }
}

/// A server that streams as a model does: an event every so often.
async fn stream(mut socket: TcpStream, load: Load, epoch: Instant) -> Option<()> {
    socket.set_nodelay(true).ok()?;
    read_request(&mut socket).await?;
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n\
        event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"content\":[],\"usage\":{\"input_tokens\":9,\"output_tokens\":1}}}\n\n\
        event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n";
    socket.write_all(head.as_bytes()).await.ok()?;
    for _ in 0..load.events {
        tokio::time::sleep(load.gap).await;
        let now = epoch.elapsed().as_micros();
        let event = format!(
            "event: content_block_delta\ndata: {{\"type\":\"content_block_delta\",\"index\":0,\"sent\":{now},\"delta\":{{\"type\":\"text_delta\",\"text\":\"a few words \"}}}}\n\n"
        );
        socket.write_all(event.as_bytes()).await.ok()?;
    }
    let tail = "event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{},\"usage\":{\"output_tokens\":99}}\n\n\
        event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n";
    socket.write_all(tail.as_bytes()).await.ok()?;
    socket.shutdown().await.ok()
}

/// Takes one stream; gives the latency of its beginning and of each event.
async fn take(
    client: reqwest::Client,
    base: String,
    token: String,
    body: Arc<str>,
    epoch: Instant,
) -> Seen {
    let mut seen = Seen::default();
    let asked = Instant::now();
    let request = client
        .post(format!("{base}/v1/messages"))
        .header("x-api-key", token)
        .body(body.to_string());
    let response = request.send().await.unwrap();
    assert_eq!(response.status(), 200);
    let mut stream = response.bytes_stream();
    let mut text = String::new();
    while let Some(chunk) = stream.next().await {
        let now = u64::try_from(epoch.elapsed().as_micros()).unwrap();
        if seen.first.is_empty() {
            let first = asked.elapsed().as_micros();
            seen.first.push(u64::try_from(first).unwrap());
        }
        text.push_str(std::str::from_utf8(&chunk.unwrap()).unwrap());
        while let Some(at) = text.find("\"sent\":") {
            let rest = &text[at + 7..];
            let Some(end) = rest.find(',') else {
                break;
            };
            let sent: u64 = rest[..end].parse().unwrap();
            seen.events.push(now.saturating_sub(sent));
            text.drain(..at + 7 + end);
        }
    }
    seen
}

async fn round(load: Load, base: &str, token: &str, body: &Arc<str>, epoch: Instant) -> Seen {
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let mut tasks = tokio::task::JoinSet::new();
    for at in 0..load.streams {
        let (client, base, token) = (client.clone(), base.to_owned(), token.to_owned());
        let body = body.clone();
        tasks.spawn(async move {
            // As agents are: not all in the same moment.
            tokio::time::sleep(load.gap / 7 * u32::try_from(at % 50).unwrap()).await;
            take(client, base, token, body, epoch).await
        });
    }
    let mut all = Seen::default();
    while let Some(seen) = tasks.join_next().await {
        let seen = seen.unwrap();
        all.first.extend(seen.first);
        all.events.extend(seen.events);
    }
    assert_eq!(all.events.len(), load.streams * load.events);
    all
}

fn quantile(sorted: &[u64], share: usize) -> f64 {
    let at = (sorted.len() * share / 100).min(sorted.len() - 1);
    std::time::Duration::from_micros(sorted[at]).as_secs_f64() * 1000.0
}

fn show(name: &str, mut values: Vec<u64>) -> f64 {
    values.sort_unstable();
    let [median, p95, p99] = [50, 95, 99].map(|share| quantile(&values, share));
    println!("{name:<28} median {median:7.3} ms   95% {p95:7.3} ms   99% {p99:7.3} ms");
    median
}

/// Resident memory of this process in MiB.
fn resident() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<f64>().ok());
    kib.unwrap_or_default() / 1024.0
}

/// A request of the length that a conversation has after a while.
fn request(load: Load) -> Arc<str> {
    let history = "what was said before; ".repeat(load.request_bytes / 22);
    let body = serde_json::json!({
        "model": "m", "max_tokens": 100, "stream": true,
        "messages": [{ "role": "user", "content": history }],
    });
    body.to_string().into()
}

async fn measure(load: Load) -> Result<(), Box<dyn Error>> {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let epoch = Instant::now();
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let upstream = format!("http://{}", listener.local_addr()?);
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            tokio::spawn(stream(socket, load, epoch));
        }
    });
    let folder = tempfile::tempdir()?;
    let gateway = Gateway::new(GatewayConfig::new(Upstream::Http(HttpUpstream {
        base_url: upstream.clone(),
        dialect: Dialect::Messages,
        key: KeySource::None,
        key_header: KeyHeader::Dialect,
        model: None,
    })))?;
    let token = random_token()?;
    let serving = gateway.serve_loopback(AttemptAuth {
        token: token.clone(),
        trial: "latency".into(),
        checkpoint_index: 1,
        log_path: folder.path().join("requests.jsonl"),
        caps: Caps::default(),
        prices: None,
    })?;
    let body = request(load);
    let (mut direct, mut through) = (Seen::default(), Seen::default());
    for number in 1..=load.rounds {
        let seen = round(load, &upstream, &token, &body, epoch).await;
        direct.first.extend(seen.first);
        direct.events.extend(seen.events);
        let seen = round(load, &serving.base_url(), &token, &body, epoch).await;
        through.first.extend(seen.first);
        through.events.extend(seen.events);
        println!("round {number}: {:.1} MiB resident", resident());
    }
    let record = serving.finish();
    assert_eq!(record.usage.requests as usize, load.streams * load.rounds);
    assert_eq!(record.errors, Vec::<String>::new());
    let one = show("first event, direct", direct.first);
    let two = show("first event, gateway", through.first);
    println!(
        "{:<28} {:+.3} ms at the median",
        "added to the first event",
        two - one
    );
    let one = show("later events, direct", direct.events);
    let two = show("later events, gateway", through.events);
    println!(
        "{:<28} {:+.3} ms at the median",
        "added to later events",
        two - one
    );
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let load = Load {
        streams: option("--streams", 64),
        events: option("--events", 100),
        gap: Duration::from_millis(option("--gap-ms", 20) as u64),
        request_bytes: option("--request-kb", 100) * 1000,
        rounds: option("--rounds", 5),
    };
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?
        .block_on(measure(load))
}
