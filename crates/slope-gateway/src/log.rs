//! The request log: JSON Lines, one exchange per line.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;
use serde::Serialize;
use serde_json::Value;
use slope_model::usage::Tokens;

use crate::dialect::ToolCall;

/// Length of the shortest secret: a key such as `none`, for servers on one's own machine, is not
/// secret, and redacting it would garble the log.
const MIN_SECRET: usize = 8;

/// Replaces a secret.
const REDACTED: &str = "[redacted]";

/// One exchange in the log. Apart from [`Line::time`], it is a function of request and answer.
#[derive(Debug, Serialize)]
pub(crate) struct Line<'a> {
    /// Order in which the gateway took the exchange up, from 1; lines are written when
    /// exchanges end.
    pub(crate) seq: u64,
    pub(crate) trial: &'a str,
    pub(crate) checkpoint: u32,
    pub(crate) dialect: &'a str,
    /// Requested model.
    pub(crate) model: &'a str,
    pub(crate) stream: bool,
    /// Parts removed from it.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    pub(crate) stripped: &'a [String],
    /// The request as forwarded, after stripping.
    pub(crate) request: &'a Value,
    /// HTTP status sent to the client; 499 if it left before there was one.
    pub(crate) status: u16,
    /// The response, assembled if it was streamed.
    pub(crate) response: &'a Value,
    /// Whether `tokens` cover the complete response.
    pub(crate) complete: bool,
    pub(crate) tokens: Option<Tokens>,
    pub(crate) cost_usd: Option<f64>,
    pub(crate) tool_calls: &'a [ToolCall],
    /// Requests that the upstream failed before this status.
    pub(crate) failed_tries: u64,
    pub(crate) error: Option<&'a str>,
    /// Times; the only field that differs between equal runs.
    pub(crate) time: Time,
}

/// When an exchange was taken up, and how long it took.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct Time {
    pub(crate) unix_ms: u64,
    pub(crate) duration_ms: u64,
    /// Part of the duration that the request was delayed because of the upstream.
    pub(crate) waited_ms: u64,
}

/// A log being written.
#[derive(Debug)]
pub(crate) struct Log {
    file: Mutex<Room>,
    /// Texts that no line may contain, verbatim and in JSON spelling.
    secrets: Vec<String>,
}

#[derive(Debug)]
struct Room {
    file: File,
    left: u64,
}

impl Log {
    /// Opens a log for appending, with its folder.
    pub(crate) fn open(path: &Path, limit: u64, secrets: &[&str]) -> io::Result<Self> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let mut options = OpenOptions::new();
        options.append(true).create(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(path)?;
        let left = limit.saturating_sub(file.metadata()?.len());
        let mut spellings = Vec::new();
        for secret in secrets.iter().filter(|secret| secret.len() >= MIN_SECRET) {
            let json = Value::String((*secret).to_owned()).to_string();
            spellings.push(json[1..json.len() - 1].to_owned());
            spellings.push((*secret).to_owned());
        }
        spellings.dedup();
        Ok(Self {
            file: Mutex::new(Room { file, left }),
            secrets: spellings,
        })
    }

    /// Takes secrets out of a text.
    pub(crate) fn redact(&self, text: String) -> String {
        self.secrets.iter().fold(text, |text, secret| {
            if text.contains(secret.as_str()) {
                text.replace(secret.as_str(), REDACTED)
            } else {
                text
            }
        })
    }

    /// Whether the log is empty.
    pub(crate) fn is_empty(&self) -> bool {
        let room = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        room.file.metadata().is_ok_and(|data| data.len() == 0)
    }

    /// Redacts secrets in a text that arrived in chunks, even across their borders; keeps the
    /// chunks' division.
    pub(crate) fn redact_chunks(&self, chunks: &[Bytes]) -> Vec<Bytes> {
        let whole: Vec<u8> = chunks.iter().flatten().copied().collect();
        // Non-UTF-8 bytes have no secret that a reader would find.
        let Ok(text) = std::str::from_utf8(&whole) else {
            return chunks.to_vec();
        };
        let found = self
            .secrets
            .iter()
            .flat_map(|secret| text.match_indices(secret.as_str()));
        let mut found: Vec<(usize, usize)> =
            found.map(|(at, secret)| (at, at + secret.len())).collect();
        if found.is_empty() {
            return chunks.to_vec();
        }
        found.sort_unstable();
        let mut out = Vec::new();
        let mut start = 0;
        for chunk in chunks {
            let end = start + chunk.len();
            let mut kept = Vec::new();
            let mut at = start;
            for (from, to) in found
                .iter()
                .copied()
                .filter(|(from, to)| *from < end && *to > start)
            {
                kept.extend_from_slice(whole.get(at..from).unwrap_or_default());
                if from >= start && from >= at {
                    kept.extend_from_slice(REDACTED.as_bytes());
                }
                at = at.max(to.min(end));
            }
            kept.extend_from_slice(&whole[at..end]);
            out.push(kept.into());
            start = end;
        }
        out
    }

    /// Appends a text as a line in one write, if there is space. Returns whether there was.
    pub(crate) fn append_text(&self, text: String) -> io::Result<bool> {
        let mut bytes = self.redact(text).into_bytes();
        bytes.push(b'\n');
        let mut room = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        if bytes.len() as u64 > room.left {
            return Ok(false);
        }
        room.left -= bytes.len() as u64;
        room.file.write_all(&bytes)?;
        Ok(true)
    }

    /// Appends a line in one write. If the log is full, the bodies are omitted.
    pub(crate) fn append(&self, line: &Line<'_>) -> io::Result<()> {
        let mut bytes = self.line(line)?;
        let mut room = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        if bytes.len() as u64 > room.left {
            let left_out = Value::String("[left out: the log is full]".to_owned());
            bytes = self.line(&Line {
                request: &left_out,
                response: &left_out,
                tool_calls: &[],
                ..*line
            })?;
        }
        room.left = room.left.saturating_sub(bytes.len() as u64);
        room.file.write_all(&bytes)
    }

    fn line(&self, line: &Line<'_>) -> io::Result<Vec<u8>> {
        let text = serde_json::to_string(line).map_err(io::Error::other)?;
        let mut text = self.redact(text);
        text.push('\n');
        Ok(text.into_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn line<'a>(request: &'a Value, response: &'a Value) -> Line<'a> {
        Line {
            seq: 1,
            trial: "t",
            checkpoint: 1,
            dialect: "messages",
            model: "m",
            stream: false,
            stripped: &[],
            request,
            status: 200,
            response,
            complete: true,
            tokens: None,
            cost_usd: None,
            tool_calls: &[],
            failed_tries: 0,
            error: None,
            time: Time {
                unix_ms: 0,
                duration_ms: 0,
                waited_ms: 0,
            },
        }
    }

    #[test]
    fn secrets_in_json_are_redacted() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("deep/log.jsonl");
        let secret = "xy\"zzy-plugh\\1";
        let log = Log::open(&path, u64::MAX, &[secret, "", "none"]).unwrap();
        let request = json!({ "a": format!("env: {secret}."), secret: 1 });
        log.append(&line(&request, &json!(secret))).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let back: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(back["request"]["a"], "env: [redacted].");
        assert_eq!(back["response"], "[redacted]");
        assert_eq!(log.redact("none".into()), "none");
        assert!(!text.contains("zzy"), "{text}");
    }

    #[test]
    fn secrets_split_across_chunks_are_redacted() {
        let dir = tempfile::tempdir().unwrap();
        let secret = "0123456789abcdef";
        let log = Log::open(&dir.path().join("log"), u64::MAX, &[secret, "unrelated"]).unwrap();
        let text = format!("key {secret}, again {secret}{secret}!");
        for size in 1..text.len() {
            let chunks: Vec<Bytes> = text
                .as_bytes()
                .chunks(size)
                .map(Bytes::copy_from_slice)
                .collect();
            let redacted = log.redact_chunks(&chunks);
            assert_eq!(redacted.len(), chunks.len());
            let joined = String::from_utf8(redacted.concat()).unwrap();
            assert_eq!(
                joined, "key [redacted], again [redacted][redacted]!",
                "{size}"
            );
        }
        let clean = [Bytes::from_static(b"no"), Bytes::from_static(b"thing")];
        assert_eq!(log.redact_chunks(&clean), clean);
    }

    #[test]
    fn full_log_drops_bodies_keeps_lines() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("log.jsonl");
        let log = Log::open(&path, 2000, &[]).unwrap();
        let big = json!("x".repeat(1200));
        for _ in 0..3 {
            log.append(&line(&big, &Value::Null)).unwrap();
        }
        let text = fs::read_to_string(&path).unwrap();
        let lines: Vec<Value> = text
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(lines.len(), 3);
        assert_eq!(lines[0]["request"], big);
        assert_eq!(lines[2]["request"], "[left out: the log is full]");
    }
}
