//! A little problem and a model's server for it that can be switched off: what tests of scheduling share.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use slope_gateway::{
    AttemptAuth, AttemptRecord, Caps, Gateway, GatewayConfig, LoadedScript, Serving, Upstream,
};

/// Key of the server, and variable that it is given in.
pub(crate) const KEY: &str = "sk-of-the-little-server-0123456789";
pub(crate) const KEY_ENV: &str = "SLOPE_TEST_LITTLE_KEY";

const CONFIG: &str = "\
name: little
version: 1
description: says a word
entry_file: say
suite: cases
checkpoints:
  checkpoint_1: {version: 1, order: 1}
  checkpoint_2: {version: 1, order: 2, include_prior_tests: false}
";

/// Requests of an attempt.
pub(crate) const REQUESTS: u64 = 2;

const SCRIPT: &str = r#"
schema: slope.script/1
model: little
prices: { input: 1.0, cache_read: 0.1, cache_write: 1.0, output: 5.0 }
conversations:
  - name: second
    contains: [beta]
    turns:
      - text: I change it.
        shell: "printf 'print(\"beta\")\\n' > say.py; sleep 0.3"
        usage: { input: 70, cache_read: 30, output: 11 }
      - { text: Done., usage: { input: 5, cache_read: 100, output: 3 } }
  - name: first
    contains: [alpha]
    turns:
      - text: I write it.
        shell: "printf 'print(\"alpha\")\\n' > say.py; BLOB sleep 0.3"
        usage: { input: 100, output: 10 }
      - { text: Done., usage: { input: 7, cache_read: 110, output: 2 } }
"#;

/// Lays the problem and its script below `dir`; the agent also leaves `blob` bytes of noise.
pub(crate) fn problem(dir: &Path, blob: u64) -> (PathBuf, PathBuf) {
    let root = dir.join("little");
    std::fs::create_dir_all(root.join("suite")).expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(root.join(name), text).expect("written");
    write("config.yaml", CONFIG);
    for (number, word) in [(1, "alpha"), (2, "beta")] {
        write(
            &format!("checkpoint_{number}.md"),
            &format!("`%%%ENTRYPOINT:entry_command%%%` prints the word {word}.\n"),
        );
        write(
            &format!("suite/checkpoint_{number}.yaml"),
            &format!(
                "schema: slope.cases/1\ncases:\n  - id: says\n    group: core\n    steps:\n      \
                 - args: []\n        expect: {{stdout: {{equals: {word}}}}}\n"
            ),
        );
    }
    let noise = if blob == 0 {
        String::new()
    } else {
        format!("head -c {blob} /dev/urandom > noise;")
    };
    write("script.yaml", &SCRIPT.replace("BLOB", &noise));
    (root.clone(), root.join("script.yaml"))
}

/// A server that plays the script, and that can be switched off: it answers 503 then.
pub(crate) struct Server {
    pub(crate) url: String,
    down: Arc<AtomicBool>,
    limited: Arc<AtomicU32>,
    at_work: Arc<AtomicU32>,
    serving: Option<Serving>,
    _gateway: Gateway,
}

impl Server {
    pub(crate) fn start(script: &Path, dir: &Path) -> Self {
        let script = LoadedScript::load(script).expect("a script");
        let gateway = Gateway::new(GatewayConfig::new(Upstream::Scripted(script.into())));
        let gateway = gateway.expect("a gateway");
        let serving = gateway.serve_loopback(AttemptAuth {
            token: KEY.to_owned(),
            trial: "server".to_owned(),
            checkpoint_index: 1,
            log_path: dir.join("served.jsonl"),
            caps: Caps::default(),
            prices: None,
        });
        let serving = serving.expect("a server");
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let (down, limited, at_work) = (
            Arc::new(AtomicBool::new(false)),
            Arc::new(AtomicU32::new(0)),
            Arc::new(AtomicU32::new(0)),
        );
        let (off, few) = (down.clone(), limited.clone());
        let (busy, back) = (at_work.clone(), serving.address());
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let (off, few, busy) = (off.clone(), few.clone(), busy.clone());
                std::thread::spawn(move || {
                    busy.fetch_add(1, Ordering::SeqCst);
                    drop(relay(client, back, &off, &few));
                    busy.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
        Self {
            url,
            down,
            limited,
            at_work,
            serving: Some(serving),
            _gateway: gateway,
        }
    }

    /// Switches it off, and waits until what it had taken up is answered.
    pub(crate) fn switch_off(&self) {
        self.down.store(true, Ordering::SeqCst);
        while self.at_work.load(Ordering::SeqCst) > 0 {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        // Until the answers are in the books of whoever asked.
        std::thread::sleep(std::time::Duration::from_millis(500));
    }

    pub(crate) fn switch_on(&self) {
        self.down.store(false, Ordering::SeqCst);
    }

    /// Refuses the next `requests` with 429.
    pub(crate) fn limit(&self, requests: u32) {
        self.limited.store(requests, Ordering::SeqCst);
    }

    /// Requests that it would still refuse.
    pub(crate) fn limited(&self) -> u32 {
        self.limited.load(Ordering::SeqCst)
    }

    /// What it served, and ends it.
    pub(crate) fn served(&mut self) -> AttemptRecord {
        self.serving.take().expect("it serves").finish()
    }
}

/// One request a connection: passed on, or refused.
fn relay(
    mut client: TcpStream,
    back: std::net::SocketAddr,
    off: &AtomicBool,
    limited: &AtomicU32,
) -> std::io::Result<()> {
    let mut request = Vec::new();
    let mut piece = [0; 16 << 10];
    let head = loop {
        let got = client.read(&mut piece)?;
        request.extend_from_slice(&piece[..got]);
        if let Some(at) = request.windows(4).position(|w| w == b"\r\n\r\n") {
            break at + 4;
        }
        if got == 0 {
            return Ok(());
        }
    };
    let text = String::from_utf8_lossy(&request[..head]).to_lowercase();
    let length = text
        .lines()
        .find_map(|line| line.strip_prefix("content-length:"))
        .and_then(|length| length.trim().parse::<usize>().ok())
        .unwrap_or(0);
    while request.len() < head + length {
        let got = client.read(&mut piece)?;
        request.extend_from_slice(&piece[..got]);
    }
    if off.load(Ordering::SeqCst) {
        let refusal = "HTTP/1.1 503 Down\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}";
        return client.write_all(refusal.as_bytes());
    }
    let one_less = |left: u32| left.checked_sub(1);
    if limited
        .fetch_update(Ordering::SeqCst, Ordering::SeqCst, one_less)
        .is_ok()
    {
        let refusal = "HTTP/1.1 429 Too Many Requests\r\nretry-after: 1\r\ncontent-length: 2\r\n\
                       connection: close\r\n\r\n{}";
        return client.write_all(refusal.as_bytes());
    }
    let mut server = TcpStream::connect(back)?;
    server.write_all(&request[..head - 2])?;
    server.write_all(b"connection: close\r\n\r\n")?;
    server.write_all(&request[head..])?;
    std::io::copy(&mut server, &mut client)?;
    Ok(())
}
