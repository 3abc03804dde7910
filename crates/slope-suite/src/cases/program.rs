//! One run of the program under test, with limited time and output.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use super::stalls::{descendants, send};
use super::streams::Streams;
use super::text::shown;

/// Bytes kept of each stream; the rest is read and dropped.
pub(super) const KEPT: usize = 8 << 20;
/// Time that the streams may stay open after the program has ended.
const DRAIN: Duration = Duration::from_secs(2);

/// The kept part of a stream.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Captured {
    pub(super) bytes: Vec<u8>,
    /// Whether there was more.
    pub(super) cut: bool,
}

impl Captured {
    /// The last line, as an addition to a failure message; empty if there is none. The frames of a stack trace are
    /// left out, because the error is above them.
    pub(super) fn last_words(&self) -> String {
        let text = String::from_utf8_lossy(&self.bytes);
        let text = text.trim();
        let of_error = text.lines().rev().find(|line| !is_trace(line));
        let line = of_error.or_else(|| text.lines().last());
        line.map_or_else(String::new, |line| {
            format!(" (stderr ends: {})", shown(line))
        })
    }
}

/// Whether a line is part of a stack trace as Java and Node.js print it, below the error.
fn is_trace(line: &str) -> bool {
    let inner = line.trim_start();
    let is_frame =
        inner.len() < line.len() && (inner.starts_with("at ") || inner.starts_with("... "));
    is_frame || line.is_empty() || line.starts_with("Node.js v")
}

/// A finished run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Ran {
    /// Exit code; `None` if a signal ended it.
    pub(super) exit: Option<i32>,
    pub(super) stdout: Captured,
    pub(super) stderr: Captured,
    /// Whether the limit ended it.
    pub(super) timed_out: bool,
}

/// Command, environment and streams of a run.
pub(super) struct Start<'a> {
    /// Executable and arguments.
    pub(super) command: &'a [String],
    /// Arguments of this run.
    pub(super) args: &'a [String],
    /// The complete environment.
    pub(super) env: BTreeMap<&'a str, &'a str>,
    /// Working directory.
    pub(super) folder: &'a Path,
    /// Standard input.
    pub(super) stdin: &'a str,
    /// Limit.
    pub(super) limit: Duration,
}

/// Runs the program to its end or to its limit.
pub(super) fn run(start: &Start<'_>) -> io::Result<Ran> {
    let mut child = Guarded(spawn(start)?);
    let mut streams = Streams::of(&mut child.0, start.stdin)?;
    let exit = streams.until_end(&mut child.0, start.limit)?;
    if exit.is_none() {
        kill(&mut child.0)?;
    }
    streams.until_closed(DRAIN)?;
    let [stdout, stderr] = streams.kept;
    Ok(Ran {
        exit: exit.and_then(|status| status.code()),
        stdout,
        stderr,
        timed_out: exit.is_none(),
    })
}

/// A child process that is killed on drop.
struct Guarded(Child);

impl Drop for Guarded {
    fn drop(&mut self) {
        // A failure could not be reported here; the sandbox kills the rest.
        let _ = kill(&mut self.0);
    }
}

fn spawn(start: &Start<'_>) -> io::Result<Child> {
    let (program, rest) = start
        .command
        .split_first()
        .ok_or(io::ErrorKind::InvalidInput)?;
    Command::new(program)
        .args(rest)
        .args(start.args)
        .env_clear()
        .envs(&start.env)
        .current_dir(start.folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
}

/// A program that runs next to its parent.
pub(super) struct Started {
    child: Guarded,
    stdout: Option<Receiver<Captured>>,
    stderr: Option<Receiver<Captured>>,
}

impl Started {
    /// Starts the program. The caller enforces its time limit.
    pub(super) fn new(start: &Start<'_>) -> io::Result<Self> {
        let mut child = spawn(start)?;
        if let Some(mut stdin) = child.stdin.take() {
            let text = start.stdin.to_owned();
            // A program may leave its input unread; the pipe breaks when it ends.
            thread::spawn(move || drop(stdin.write_all(text.as_bytes())));
        }
        let (stdout, stderr) = (child.stdout.take().map(keep), child.stderr.take().map(keep));
        Ok(Self {
            child: Guarded(child),
            stdout,
            stderr,
        })
    }

    /// Waits until the program ends, `limit` at most.
    pub(super) fn wait(&mut self, limit: Duration) -> io::Result<Option<ExitStatus>> {
        wait(&mut self.child.0, limit)
    }

    /// The last line on its failure from the program, which has ended.
    pub(super) fn last_words(&mut self) -> String {
        collect(self.stderr.take(), Instant::now() + DRAIN).last_words()
    }

    /// Sends a signal to the program, through its launcher.
    pub(super) fn signal(&self, signal: Signal) -> io::Result<()> {
        id(&self.child.0).map_or(Ok(()), |id| Ok(kill_process(id, signal)?))
    }

    /// Kills all processes that the program started, and waits until they are gone.
    pub(super) fn kill(&mut self) -> io::Result<()> {
        kill(&mut self.child.0)
    }

    /// The result of the program, which is killed if it has not ended.
    pub(super) fn end(&mut self, exit: Option<ExitStatus>) -> io::Result<Ran> {
        if exit.is_none() {
            self.kill()?;
        }
        let deadline = Instant::now() + DRAIN;
        Ok(Ran {
            exit: exit.and_then(|status| status.code()),
            stdout: collect(self.stdout.take(), deadline),
            stderr: collect(self.stderr.take(), deadline),
            timed_out: exit.is_none(),
        })
    }
}

fn id(child: &Child) -> Option<Pid> {
    i32::try_from(child.id()).ok().and_then(Pid::from_raw)
}

/// Kills all processes that a program started, and waits until they are gone.
fn kill(child: &mut Child) -> io::Result<()> {
    if child.try_wait()?.is_some() {
        return Ok(());
    }
    // First its children: the launcher's first process takes the whole namespace along, and the
    // launcher ends when that has happened. If the launcher itself were killed, it would leave
    // before.
    let below = i32::try_from(child.id()).map_or_else(|_| Vec::new(), descendants);
    let grace = if below.is_empty() {
        Duration::ZERO
    } else {
        DRAIN
    };
    send(Signal::KILL, below);
    if wait(child, grace)?.is_none() {
        child.kill()?;
        child.wait()?;
    }
    Ok(())
}

/// Waits until the child ends or `limit` is over. Looks often at first, since most programs are quick.
fn wait(child: &mut Child, limit: Duration) -> io::Result<Option<ExitStatus>> {
    let end = Instant::now() + limit;
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(None);
        }
        thread::sleep(pause.min(left));
        pause = (pause * 2).min(Duration::from_millis(10));
    }
}

/// Reads a stream to its end in a thread of its own, in pieces, so that earlier output is available
/// even if the stream never ends.
fn keep(mut stream: impl Read + Send + 'static) -> Receiver<Captured> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let (mut kept, mut buffer) = (0, vec![0; 64 << 10]);
        loop {
            let Ok(read @ 1..) = stream.read(&mut buffer) else {
                return;
            };
            let room = read.min(KEPT - kept);
            kept += room;
            let piece = Captured {
                bytes: buffer[..room].to_vec(),
                cut: room < read,
            };
            if (room > 0 || piece.cut) && sender.send(piece).is_err() {
                return;
            }
        }
    });
    receiver
}

fn collect(stream: Option<Receiver<Captured>>, deadline: Instant) -> Captured {
    let mut all = Captured::default();
    let Some(stream) = stream else { return all };
    loop {
        match stream.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(piece) => {
                all.bytes.extend_from_slice(&piece.bytes);
                all.cut |= piece.cut;
            }
            Err(RecvTimeoutError::Disconnected | RecvTimeoutError::Timeout) => return all,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, stdin: &str, limit_s: u64) -> Ran {
        let command = ["/bin/sh".to_owned(), "-c".to_owned(), script.to_owned()];
        let folder = tempfile::tempdir().unwrap();
        run(&Start {
            command: &command,
            args: &[],
            env: BTreeMap::from([("PATH", "/usr/bin:/bin")]),
            folder: folder.path(),
            stdin,
            limit: Duration::from_secs(limit_s),
        })
        .unwrap()
    }

    #[test]
    fn last_words_are_above_stack_trace() {
        let words = |text: &str| {
            let captured = Captured {
                bytes: text.as_bytes().to_vec(),
                cut: false,
            };
            captured.last_words()
        };
        let java = "Exception in thread \"main\" java.lang.NullPointerException: x\n\tat A.b(A.java:1)\n\t... 2 more\n";
        assert!(words(java).contains("NullPointerException: x"));
        let node = "f.js:1\nTypeError: Cannot read properties of null\n    at g (f.js:1:2)\n\nNode.js v20.1.0\n";
        assert!(words(node).contains("TypeError: Cannot read"));
        assert!(words("Traceback\n  File \"a\"\nKeyError: 'x'\n").contains("KeyError"));
        assert!(words("    at the end\n").contains("at the end"));
        assert_eq!(words(" \n"), "");
    }

    #[test]
    fn streams_and_exit_code_are_separate() {
        let ran = shell("cat; echo err >&2; exit 3", "in", 30);
        assert_eq!((ran.exit, ran.timed_out), (Some(3), false));
        assert_eq!(
            (ran.stdout.bytes.as_slice(), ran.stderr.bytes.as_slice()),
            (&b"in"[..], &b"err\n"[..])
        );
    }

    #[test]
    fn endless_output_is_cut_off() {
        let ran = shell("head -c 20000000 /dev/zero", "", 60);
        assert!(ran.stdout.cut && ran.stdout.bytes.len() == KEPT && ran.exit == Some(0));
    }

    #[test]
    fn hanging_program_times_out() {
        let ran = shell("echo begun; exec sleep 600", &"x".repeat(1 << 20), 1);
        assert!(ran.timed_out);
        assert_eq!(ran.stdout.bytes, b"begun\n");
    }

    #[test]
    fn large_input_and_output_never_deadlock() {
        let text = "0123456789".repeat(300_000);
        let ran = shell("cat; cat >&2", &text, 60);
        assert_eq!((ran.exit, ran.stdout.cut), (Some(0), false));
        assert!(ran.stdout.bytes == text.as_bytes() && ran.stderr.bytes.is_empty());
    }

    #[test]
    fn surviving_child_does_not_block() {
        let ran = shell("sleep 600 & echo $!; exec 2>&-", "", 60);
        assert_eq!((ran.exit, ran.timed_out), (Some(0), false));
        let id: i32 = String::from_utf8_lossy(&ran.stdout.bytes)
            .trim()
            .parse()
            .unwrap();
        send(Signal::KILL, [id]);
    }
}
