//! Runs one command for the model, with limited time and output.

use std::collections::VecDeque;
use std::io::{PipeReader, Read};
use std::os::fd::AsFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use nix::poll::{PollFd, PollFlags, PollTimeout};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

/// Bytes kept of an output's beginning, and the same number of its end.
const KEPT: usize = 12 << 10;

/// Polling interval for a silent command, in milliseconds.
const TICK_MS: u8 = 50;

/// Time to wait for output after the shell has ended; the pipe's content arrives at once.
const LINGER: Duration = Duration::from_millis(200);

/// Result of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Ran {
    /// `exit code 0`, `killed by signal 9`, `killed after 10 s`.
    pub(super) end: String,
    /// Exit code, if there is one.
    pub(super) code: Option<i32>,
    /// Whether its time ran out.
    pub(super) timed_out: bool,
    /// The kept part of its output.
    pub(super) output: String,
}

/// Runs a script in a fresh shell. The error is of the host: no shell, no folder.
pub(super) fn run(script: &str, folder: &Path, limit: Duration) -> std::io::Result<Ran> {
    let (mut reader, writer) = std::io::pipe()?;
    let mut child = Command::new("/bin/bash")
        .arg("-c")
        .arg(script)
        .current_dir(folder)
        .env("PAGER", "cat")
        .env("GIT_PAGER", "cat")
        .stdin(Stdio::null())
        .stdout(writer.try_clone()?)
        .stderr(writer)
        // A process group of its own, so that a timeout reaches the script's children.
        .process_group(0)
        .spawn()?;
    let mut output = Output::default();
    let deadline = Instant::now() + limit;
    let status = watch(&mut child, &mut reader, &mut output, deadline)?;
    let (code, end) = match status {
        None => (None, format!("killed after {} s", limit.as_secs())),
        Some(status) => match (status.code(), status.signal()) {
            (Some(code), _) => (Some(code), format!("exit code {code}")),
            (None, signal) => (None, format!("killed by signal {}", signal.unwrap_or(0))),
        },
    };
    Ok(Ran {
        end,
        code,
        timed_out: status.is_none(),
        output: output.text(),
    })
}

/// Reads until the shell has ended and its output is read; `None` on timeout.
fn watch(
    child: &mut Child,
    reader: &mut PipeReader,
    output: &mut Output,
    deadline: Instant,
) -> std::io::Result<Option<ExitStatus>> {
    let mut open = true;
    let mut ended: Option<(ExitStatus, Instant)> = None;
    loop {
        let readable = open && wait_for(reader)?;
        if readable {
            open = output.read(reader)?;
        } else if !open {
            std::thread::sleep(Duration::from_millis(5));
        }
        if ended.is_none() {
            ended = child.try_wait()?.map(|status| (status, Instant::now()));
        }
        match ended {
            // A background process may keep the pipe open forever.
            Some((status, since)) if !open || !readable || since.elapsed() > LINGER => {
                return Ok(Some(status));
            }
            None if Instant::now() >= deadline => {
                kill_group(child);
                child.wait()?;
                let until = Instant::now() + LINGER;
                while open && Instant::now() < until && wait_for(reader)? {
                    open = output.read(reader)?;
                }
                return Ok(None);
            }
            _ => {}
        }
    }
}

fn wait_for(reader: &PipeReader) -> std::io::Result<bool> {
    let mut fds = [PollFd::new(reader.as_fd(), PollFlags::POLLIN)];
    match nix::poll::poll(&mut fds, PollTimeout::from(TICK_MS)) {
        Ok(count) => Ok(count > 0),
        Err(nix::errno::Errno::EINTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

fn kill_group(child: &Child) {
    if let Ok(id) = i32::try_from(child.id()) {
        // The group does not exist any more if all its processes have ended.
        let _ = killpg(Pid::from_raw(id), Signal::SIGKILL);
    }
}

/// The beginning and the end of an output, and how much there was.
#[derive(Debug, Default)]
struct Output {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    left_out: u64,
}

impl Output {
    /// Reads the available output; `false` at the end.
    fn read(&mut self, reader: &mut PipeReader) -> std::io::Result<bool> {
        let mut buffer = [0_u8; 16 << 10];
        match reader.read(&mut buffer) {
            Ok(0) => Ok(false),
            Ok(count) => {
                self.push(&buffer[..count]);
                Ok(true)
            }
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => Ok(true),
            Err(error) => Err(error),
        }
    }

    fn push(&mut self, bytes: &[u8]) {
        let (head, rest) = bytes.split_at(bytes.len().min(KEPT - self.head.len()));
        self.head.extend_from_slice(head);
        self.tail.extend(rest);
        let surplus = self.tail.len().saturating_sub(KEPT);
        self.tail.drain(..surplus);
        self.left_out += surplus as u64;
    }

    fn text(mut self) -> String {
        if self.left_out == 0 {
            self.head.extend(self.tail);
            return String::from_utf8_lossy(&self.head).into_owned();
        }
        let tail: Vec<u8> = self.tail.into();
        format!(
            "{}\n[{} bytes left out]\n{}",
            String::from_utf8_lossy(&self.head),
            self.left_out,
            String::from_utf8_lossy(&tail)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sh(script: &str, limit: u64) -> Ran {
        let folder = tempfile::tempdir().unwrap();
        run(script, folder.path(), Duration::from_secs(limit)).unwrap()
    }

    #[test]
    fn streams_join_in_order_with_code() {
        let ran = sh("echo out; echo err >&2; echo more; exit 3", 20);
        assert_eq!(ran.output, "out\nerr\nmore\n");
        assert_eq!(
            (ran.end.as_str(), ran.code, ran.timed_out),
            ("exit code 3", Some(3), false)
        );
        assert_eq!(sh("kill -9 $$", 20).end, "killed by signal 9");
    }

    #[test]
    fn long_output_keeps_its_ends() {
        let ran = sh(
            "echo first; head -c 50000000 /dev/zero | tr '\\0' x; echo; echo last",
            60,
        );
        assert!(ran.output.starts_with("first\nxxx"));
        assert!(ran.output.ends_with("x\nlast\n"));
        let kept = 2 * KEPT as u64;
        assert!(
            ran.output
                .contains(&format!("[{} bytes left out]", 50_000_000 + 12 - kept))
        );
        assert!(ran.output.len() < 2 * KEPT + 100);
    }

    #[test]
    fn timeout_kills_the_process_group() {
        let folder = tempfile::tempdir().unwrap();
        let script = "echo begun; (sleep 300; echo never) & echo $! > child; wait";
        let ran = run(script, folder.path(), Duration::from_secs(1)).unwrap();
        assert_eq!(ran.end, "killed after 1 s");
        assert!(ran.timed_out);
        assert_eq!(ran.output, "begun\n");
        let child = std::fs::read_to_string(folder.path().join("child")).unwrap();
        let state = || std::fs::read_to_string(format!("/proc/{}/stat", child.trim()));
        // The orphaned child may be dead and not reaped yet.
        let dead = || state().map_or(true, |stat| stat.contains(") Z "));
        for _ in 0..500 {
            if dead() {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("process {child} is alive");
    }

    #[test]
    fn background_process_does_not_block_shell() {
        let folder = tempfile::tempdir().unwrap();
        let script = "sleep 300 & echo $! > child; echo here";
        let ran = run(script, folder.path(), Duration::from_secs(200)).unwrap();
        assert_eq!((ran.output.as_str(), ran.timed_out), ("here\n", false));
        let child = std::fs::read_to_string(folder.path().join("child")).unwrap();
        nix::sys::signal::kill(
            Pid::from_raw(child.trim().parse().unwrap()),
            Signal::SIGKILL,
        )
        .unwrap();
    }

    #[test]
    fn invalid_text_and_closed_output_work() {
        assert_eq!(sh("printf '\\xff\\x00a'", 20).output, "\u{fffd}\0a");
        assert_eq!(
            sh("exec >&- 2>&-; sleep 0.2; exit 5", 20).end,
            "exit code 5"
        );
    }

    #[test]
    fn missing_folder_is_an_error() {
        assert!(run("true", Path::new("/nonexistent"), Duration::from_secs(1)).is_err());
    }
}
