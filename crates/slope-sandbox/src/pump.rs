//! Copies a stream up to a limit and drops the rest, so that the writer never blocks and memory
//! stays bounded.

use std::fs::File;
use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

/// Reaction when the target does not take any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OnError {
    /// Keep reading and dropping, then report the error.
    Swallow,
    /// Stop reading, so that the writer gets a broken pipe, too.
    Close,
}

/// A running copy.
#[derive(Debug)]
pub(crate) struct Pump {
    thread: JoinHandle<io::Result<()>>,
    cut: Arc<AtomicBool>,
}

/// Result of a pump.
pub(crate) struct Pumped {
    /// Whether something was dropped because of the limit.
    pub(crate) cut: bool,
    /// Failure to write, for example because the host's disk is full.
    pub(crate) error: Option<io::Error>,
}

impl Pump {
    /// Starts copying `from` to `to`, at most `limit` bytes.
    pub(crate) fn start(from: File, to: File, limit: u64, on_error: OnError) -> io::Result<Self> {
        let cut = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&cut);
        let thread = std::thread::Builder::new()
            .name("sandbox-output".to_owned())
            .spawn(move || copy(&from, &to, limit, on_error, &flag))?;
        Ok(Self { thread, cut })
    }

    /// Waits until the last writer is gone.
    pub(crate) fn finish(self) -> Pumped {
        let error = match self.thread.join() {
            Ok(done) => done.err(),
            Err(_) => Some(io::Error::other("the output thread failed")),
        };
        Pumped {
            cut: self.cut.load(Ordering::Relaxed),
            error,
        }
    }
}

/// Copies up to `limit` bytes, then reads on and drops the rest.
pub(crate) fn copy(
    mut from: &File,
    mut to: &File,
    limit: u64,
    on_error: OnError,
    cut: &AtomicBool,
) -> io::Result<()> {
    let mut buffer = vec![0; 64 << 10];
    let mut left = limit;
    let mut failure = None;
    loop {
        let got = match from.read(&mut buffer) {
            Ok(0) => return failure.map_or(Ok(()), Err),
            Ok(got) => got,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(e) => return Err(e),
        };
        let keep = got.min(usize::try_from(left).unwrap_or(usize::MAX));
        if keep < got {
            cut.store(true, Ordering::Relaxed);
        }
        left -= keep as u64;
        if keep > 0 && failure.is_none() {
            failure = to.write_all(&buffer[..keep]).err();
            if failure.is_some() && on_error == OnError::Close {
                return failure.map_or(Ok(()), Err);
            }
        }
    }
}

/// A pipe whose ends are closed at exec: (read, write).
pub(crate) fn pipe() -> io::Result<(File, File)> {
    let (reader, writer) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC)?;
    Ok((reader.into(), writer.into()))
}
