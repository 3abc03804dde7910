//! Recordings of sessions: a file with every exchange with the model, byte by byte, and answers
//! replayed from such a file.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;
use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::GatewayError;
use crate::exchange::Exchange;
use crate::log::Log;
use crate::normal::{difference, fingerprint};

/// Schema of a recording, in its first line.
const SCHEMA: &str = "slope.recording/1";

/// Name of a recording, next to its log.
pub(crate) const FILE_NAME: &str = "recording.jsonl";

/// First line of a recording.
#[derive(Debug, Serialize, Deserialize)]
struct Head<'a> {
    schema: Cow<'a, str>,
    trial: Cow<'a, str>,
    checkpoint: u32,
}

/// Every further line: an exchange.
#[derive(Debug, Serialize, Deserialize)]
struct Line<'a> {
    /// Order in which the gateway took the exchange up.
    seq: u64,
    dialect: Cow<'a, str>,
    model: Cow<'a, str>,
    /// Path and query.
    path: Cow<'a, str>,
    /// The request as it was sent on.
    request: Cow<'a, Value>,
    status: u16,
    content_type: Cow<'a, str>,
    /// The body, cut where it was cut on the wire.
    chunks: Vec<Chunk>,
    /// Whether the body broke off.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    broken: bool,
    /// Whether the body was too long to keep.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    truncated: bool,
}

/// A chunk of a body: text, or bytes in hexadecimal if it is not UTF-8.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Chunk {
    Text(String),
    Bytes { hex: String },
}

impl Chunk {
    fn new(bytes: &[u8]) -> Self {
        match std::str::from_utf8(bytes) {
            Ok(text) => Self::Text(text.to_owned()),
            Err(_) => Self::Bytes {
                hex: HEXLOWER.encode(bytes),
            },
        }
    }

    fn bytes(&self) -> Option<Bytes> {
        match self {
            Self::Text(text) => Some(Bytes::from(text.clone())),
            Self::Bytes { hex } => HEXLOWER.decode(hex.as_bytes()).ok().map(Bytes::from),
        }
    }
}

/// Data of an exchange that is recorded when it ends.
#[derive(Debug, Default)]
pub(crate) struct ExchangeRecorder {
    /// Status and type of the answer; `None` before the answer.
    head: Option<(u16, String)>,
    chunks: Vec<Bytes>,
    length: usize,
    room: usize,
    broken: bool,
}

impl ExchangeRecorder {
    pub(crate) fn new(room: usize) -> Self {
        Self {
            room,
            ..Self::default()
        }
    }

    /// The answer begins.
    pub(crate) fn begin(&mut self, status: u16, content_type: &str) {
        self.head = Some((status, content_type.to_owned()));
    }

    /// Adds a chunk of the body.
    pub(crate) fn push(&mut self, chunk: &Bytes) {
        self.length = self.length.saturating_add(chunk.len());
        if self.length <= self.room {
            self.chunks.push(chunk.clone());
        } else {
            self.chunks = Vec::new();
        }
    }

    /// The body broke off.
    pub(crate) fn broke(&mut self) {
        self.broken = true;
    }
}

/// A recording being written.
#[derive(Debug)]
pub(crate) struct Recorder {
    file: Log,
}

impl Recorder {
    /// Begins a recording at a log.
    pub(crate) fn begin(
        log_path: &Path,
        limit: u64,
        secrets: &[&str],
        trial: &str,
        checkpoint: u32,
    ) -> Result<Self, GatewayError> {
        let path = log_path.with_file_name(FILE_NAME);
        let failed = |source| GatewayError::Log {
            path: path.clone(),
            source,
        };
        let file = Log::open(&path, limit, secrets).map_err(failed)?;
        let head = Head {
            schema: SCHEMA.into(),
            trial: trial.into(),
            checkpoint,
        };
        if file.is_empty() {
            file.append_text(serde_json::to_string(&head).unwrap_or_default())
                .map_err(failed)?;
        }
        Ok(Self { file })
    }

    /// Writes an exchange, if it was answered.
    pub(crate) fn write(&self, exchange: &Exchange, tape: &ExchangeRecorder) -> io::Result<()> {
        let Some((status, content_type)) = &tape.head else {
            return Ok(());
        };
        let chunks = self.file.redact_chunks(&tape.chunks);
        let line = Line {
            seq: exchange.seq,
            dialect: exchange.dialect.name().into(),
            model: exchange.model.as_str().into(),
            path: exchange.path.as_str().into(),
            request: Cow::Borrowed(&exchange.request),
            status: *status,
            content_type: content_type.as_str().into(),
            chunks: chunks.iter().map(|chunk| Chunk::new(chunk)).collect(),
            broken: tape.broken,
            truncated: tape.length > tape.room,
        };
        let text = serde_json::to_string(&line).map_err(io::Error::other)?;
        if self.file.append_text(text)? {
            return Ok(());
        }
        Err(io::Error::other("the recording is full"))
    }
}

/// Recordings to replay: those of a run, or of one attempt.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recordings {
    /// File, trial and checkpoint.
    files: Vec<(PathBuf, String, u32)>,
}

impl Recordings {
    /// Takes recordings to answer from. Of several of the same trial and checkpoint the first
    /// attempt that is served gets the first, and so on.
    ///
    /// # Errors
    ///
    /// If a file is not a readable recording.
    pub fn load(paths: &[PathBuf]) -> Result<Self, GatewayError> {
        let files = paths.iter().map(|path| {
            let mut lines = BufReader::new(open(path)?).lines();
            let first = lines.next().and_then(Result::ok).unwrap_or_default();
            let head: Head<'_> =
                serde_json::from_str(&first).map_err(|why| broken(path, 1, &why))?;
            if head.schema != SCHEMA {
                let why = format!("the schema is {:?} and should be {SCHEMA:?}", head.schema);
                return Err(broken(path, 1, &why));
            }
            Ok((path.clone(), head.trial.into_owned(), head.checkpoint))
        });
        Ok(Self {
            files: files.collect::<Result<_, _>>()?,
        })
    }

    /// The recording that the `served`-th attempt (from 0) of a trial's checkpoint is answered from.
    pub(crate) fn session(
        &self,
        trial: &str,
        checkpoint: u32,
        served: usize,
    ) -> Result<Session, GatewayError> {
        let of_it = |(_, of, at): &&(PathBuf, String, u32)| of == trial && *at == checkpoint;
        match self.files.iter().filter(of_it).nth(served) {
            Some((path, ..)) => Session::open(path),
            None => Err(GatewayError::NotRecorded {
                trial: trial.to_owned(),
                checkpoint,
                attempt: served + 1,
            }),
        }
    }
}

fn open(path: &Path) -> Result<File, GatewayError> {
    let opened = crate::plain::check(path).and_then(|()| File::open(path));
    opened.map_err(|source| GatewayError::Read {
        path: path.to_owned(),
        source,
    })
}

fn broken(path: &Path, line: usize, why: &dyn std::fmt::Display) -> GatewayError {
    GatewayError::Recording {
        path: path.to_owned(),
        line,
        message: why.to_string(),
    }
}

/// The recording that an attempt replays. Only the position and fingerprint of each exchange are in
/// memory.
#[derive(Debug)]
pub(crate) struct Session {
    path: PathBuf,
    open: Mutex<Left>,
}

#[derive(Debug)]
struct Left {
    file: File,
    places: Vec<Place>,
}

#[derive(Debug)]
struct Place {
    at: u64,
    length: usize,
    fingerprint: u64,
    taken: bool,
}

/// An answer from a recording.
#[derive(Debug)]
pub(crate) struct Replayed {
    pub(crate) model: String,
    pub(crate) status: u16,
    pub(crate) content_type: String,
    pub(crate) chunks: Vec<Result<Bytes, String>>,
}

impl Session {
    fn open(path: &Path) -> Result<Self, GatewayError> {
        let mut reader = BufReader::new(open(path)?);
        let mut places = Vec::new();
        let mut at = 0;
        let mut number = 0;
        loop {
            number += 1;
            let mut line = String::new();
            let length = reader
                .read_line(&mut line)
                .map_err(|why| broken(path, number, &why))?;
            if length == 0 {
                break;
            }
            if number > 1 {
                let line: Line<'_> =
                    serde_json::from_str(&line).map_err(|why| broken(path, number, &why))?;
                let fingerprint = fingerprint(&line.dialect, &line.request);
                places.push((
                    line.seq,
                    Place {
                        at,
                        length,
                        fingerprint,
                        taken: false,
                    },
                ));
            }
            at += length as u64;
        }
        // Lines are written as exchanges end; restore the order in which they began.
        places.sort_by_key(|(seq, _)| *seq);
        let places = places.into_iter().map(|(_, place)| place).collect();
        Ok(Self {
            path: path.to_owned(),
            open: Mutex::new(Left {
                file: reader.into_inner(),
                places,
            }),
        })
    }

    /// The answer to a request: that of the first exchange not yet replayed whose normalised
    /// request is equal.
    pub(crate) fn answer(&self, dialect: &str, request: &Value) -> Result<Replayed, String> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let wanted = fingerprint(dialect, request);
        let count = open.places.len();
        let found = open
            .places
            .iter()
            .position(|place| !place.taken && place.fingerprint == wanted);
        let file = self.path.display();
        if let Some(at) = found {
            open.places[at].taken = true;
            let line = open.line(at).map_err(|why| format!("{file}: {why}"))?;
            return replayed(line).map_err(|why| format!("{file}: exchange {}: {why}", at + 1));
        }
        let Some(next) = open.places.iter().position(|place| !place.taken) else {
            return Err(format!(
                "{file}: all {count} exchanges have been replayed, but the agent sent another request"
            ));
        };
        let line = open.line(next).map_err(|why| format!("{file}: {why}"))?;
        let difference = if line.dialect == dialect {
            difference(&line.request, request)
        } else {
            format!(
                "it was recorded in the dialect {}, but requested in {dialect}",
                line.dialect
            )
        };
        Err(format!(
            "{file}: the session diverges from the recording at exchange {} of {count}: {difference}",
            next + 1
        ))
    }
}

fn replayed(line: Line<'static>) -> Result<Replayed, String> {
    if line.truncated {
        return Err("its answer was too long to be recorded".to_owned());
    }
    let chunks = line.chunks.iter().map(Chunk::bytes);
    let chunks: Option<Vec<Bytes>> = chunks.collect();
    let mut chunks: Vec<Result<Bytes, String>> = chunks
        .ok_or("a chunk is not a hexadecimal number")?
        .into_iter()
        .map(Ok)
        .collect();
    if line.broken {
        chunks.push(Err("it broke off when it was recorded".to_owned()));
    }
    Ok(Replayed {
        model: line.model.into_owned(),
        status: line.status,
        content_type: line.content_type.into_owned(),
        chunks,
    })
}

impl Left {
    fn line(&mut self, index: usize) -> Result<Line<'static>, String> {
        let place = self.places.get(index).ok_or("no such exchange")?;
        let mut text = vec![0; place.length];
        self.file
            .seek(SeekFrom::Start(place.at))
            .and_then(|_| self.file.read_exact(&mut text))
            .map_err(|why| why.to_string())?;
        serde_json::from_slice::<Line<'_>>(&text)
            .map(Line::into_owned)
            .map_err(|why| why.to_string())
    }
}

impl Line<'_> {
    fn into_owned(self) -> Line<'static> {
        Line {
            seq: self.seq,
            dialect: self.dialect.into_owned().into(),
            model: self.model.into_owned().into(),
            path: self.path.into_owned().into(),
            request: Cow::Owned(self.request.into_owned()),
            status: self.status,
            content_type: self.content_type.into_owned().into(),
            chunks: self.chunks,
            broken: self.broken,
            truncated: self.truncated,
        }
    }
}
