//! The standard streams of one run of a program, served by one thread until the program ends.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::process::{Child, ExitStatus};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::process::{Pid, PidfdFlags, pidfd_open};

use super::program::{Captured, KEPT};

/// Bytes per read: the capacity of a pipe.
const PIECE: usize = 64 << 10;
/// Polling interval for the program's end, if the system cannot signal it.
const LOOK: Duration = Duration::from_millis(5);

/// Pending input of a program, and its output.
pub(super) struct Streams {
    input: Option<Input>,
    /// Standard output and standard error, until they end.
    outputs: [Option<File>; 2],
    /// Kept parts of output and error.
    pub(super) kept: [Captured; 2],
    piece: Vec<u8>,
}

/// A program's standard input and the text that it has not read yet.
struct Input {
    pipe: File,
    text: Vec<u8>,
    written: usize,
}

impl Streams {
    /// The streams of a program that was just started.
    pub(super) fn of(child: &mut Child, stdin: &str) -> io::Result<Self> {
        let pipe = child.stdin.take().filter(|_| !stdin.is_empty());
        let input = pipe.map(|pipe| Input::new(OwnedFd::from(pipe), stdin));
        let output = child.stdout.take().map(|pipe| OwnedFd::from(pipe).into());
        let error = child.stderr.take().map(|pipe| OwnedFd::from(pipe).into());
        Ok(Self {
            input: input.transpose()?,
            outputs: [output, error],
            kept: Default::default(),
            piece: vec![0; PIECE],
        })
    }

    /// Serves the streams until the program ends; `None` if it has not after `limit`.
    pub(super) fn until_end(
        &mut self,
        child: &mut Child,
        limit: Duration,
    ) -> io::Result<Option<ExitStatus>> {
        let end = Instant::now().checked_add(limit);
        let id = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        // Kernels before 5.3 and some sandboxes have no such descriptors.
        let ending = id.and_then(|id| pidfd_open(id, PidfdFlags::empty()).ok());
        loop {
            if let Some(status) = child.try_wait()? {
                return Ok(Some(status));
            }
            let left = end.map_or(Duration::MAX, |end| {
                end.saturating_duration_since(Instant::now())
            });
            if left.is_zero() {
                return Ok(None);
            }
            let wait = if ending.is_some() {
                left
            } else {
                left.min(LOOK)
            };
            self.serve(ending.as_ref(), wait)?;
        }
    }

    /// Reads the rest of the streams, until they end or `limit` is over: a process that outlived
    /// the program may keep them open.
    pub(super) fn until_closed(&mut self, limit: Duration) -> io::Result<()> {
        self.input = None;
        let end = Instant::now() + limit;
        while self.outputs.iter().any(Option::is_some) {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            self.serve(None, left)?;
        }
        Ok(())
    }

    /// Waits for one of the streams or the program's `ending`, and serves those that are ready.
    fn serve(&mut self, ending: Option<&OwnedFd>, wait: Duration) -> io::Result<()> {
        let ready = self.ready(ending, wait)?;
        if ready[0] && self.input.as_mut().is_some_and(Input::write) {
            self.input = None;
        }
        for (number, ready) in ready[1..].iter().enumerate() {
            if *ready && self.read(number)? {
                self.outputs[number] = None;
            }
        }
        Ok(())
    }

    /// Readiness of input, output and error, after `wait` at most.
    fn ready(&self, ending: Option<&OwnedFd>, wait: Duration) -> io::Result<[bool; 3]> {
        let [output, error] = &self.outputs;
        let input = self.input.as_ref().map(|input| input.pipe.as_fd());
        let streams = [
            input,
            output.as_ref().map(AsFd::as_fd),
            error.as_ref().map(AsFd::as_fd),
        ];
        let mut asked: Vec<PollFd<'_>> = Vec::with_capacity(4);
        for (number, stream) in streams.iter().enumerate() {
            let flags = if number == 0 {
                PollFlags::OUT
            } else {
                PollFlags::IN
            };
            asked.extend(stream.map(|fd| PollFd::from_borrowed_fd(fd, flags)));
        }
        asked.extend(ending.map(|fd| PollFd::new(fd, PollFlags::IN)));
        let wait = Timespec::try_from(wait).ok();
        match poll(&mut asked, wait.as_ref()) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(why) => return Err(why.into()),
        }
        // Any event of a stream, including an error or its end, shows when reading or writing.
        let mut said = asked.iter().map(|asked| !asked.revents().is_empty());
        Ok(streams.map(|stream| stream.is_some() && said.next() == Some(true)))
    }

    /// Reads once from output 0 or 1; whether it has ended.
    fn read(&mut self, number: usize) -> io::Result<bool> {
        let Some(pipe) = &mut self.outputs[number] else {
            return Ok(true);
        };
        let read = match pipe.read(&mut self.piece) {
            Ok(read) => read,
            Err(why) if why.kind() == ErrorKind::Interrupted => return Ok(false),
            Err(why) => return Err(why),
        };
        let kept = &mut self.kept[number];
        let room = read.min(KEPT - kept.bytes.len());
        kept.bytes.extend_from_slice(&self.piece[..room]);
        kept.cut |= room < read;
        Ok(read == 0)
    }
}

impl Input {
    fn new(pipe: OwnedFd, text: &str) -> io::Result<Self> {
        fcntl_setfl(&pipe, fcntl_getfl(&pipe)? | OFlags::NONBLOCK)?;
        Ok(Self {
            pipe: pipe.into(),
            text: text.as_bytes().to_vec(),
            written: 0,
        })
    }

    /// Writes as much as the pipe takes. Returns whether nothing is left to write or the reader is
    /// gone. A program may leave its input unread.
    fn write(&mut self) -> bool {
        match self.pipe.write(&self.text[self.written..]) {
            Ok(written) => {
                self.written += written;
                self.written == self.text.len()
            }
            Err(why) => !matches!(why.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted),
        }
    }
}
