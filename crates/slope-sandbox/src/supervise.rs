//! Supervises a command and its process tree: limits, external requests, termination.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use nix::sys::wait::{Id, WaitPidFlag, waitid, waitpid};
use nix::unistd::Pid;
use rustix::process::{WaitOptions, wait};
use serde::{Deserialize, Serialize};

use crate::outcome::{Exit, LimitHit};
use crate::procfs::{self, Memory, Process, Scope};
use crate::space::Space;
use crate::spec::Limits;
use crate::{sys, wire};

/// Time between two checks of the tree.
const INTERVAL: Duration = Duration::from_millis(50);
/// A tree that stays this long close to its limit of processes is a fork bomb.
const BOMB: Duration = Duration::from_secs(1);

/// Time between two counts of memory files, which take longer.
const HELD_INTERVAL: Duration = Duration::from_millis(200);
/// A part of the supervision rests this many times as long as it took.
const REST: u32 = 5;

/// Orders from outside while a command runs.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Order {
    /// Kill the tree, then end as usual.
    Kill,
    /// Pass this signal on to the command's own process.
    Signal(i32),
}

/// Result of a supervised command.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) exit: Exit,
    pub(crate) limits: Vec<LimitHit>,
    pub(crate) leftover: u32,
    pub(crate) wall: Duration,
    pub(crate) cpu: Duration,
    pub(crate) peak_memory: u64,
}

/// A command's limits and writable folders.
#[derive(Clone, Copy)]
pub(crate) struct Watched<'a> {
    pub(crate) limits: &'a Limits,
    pub(crate) scope: Scope,
    /// The writable folders.
    pub(crate) space: &'a Space,
}

/// Waits for `main`, which was started at `started`, within the limits, then kills all remaining
/// processes.
///
/// Returns an error if the other side of `control` is gone; the tree is dead then, too.
pub(crate) fn supervise(
    main: i32,
    started: Instant,
    control: &UnixStream,
    watched: Watched<'_>,
) -> io::Result<Ended> {
    let Watched {
        limits,
        scope,
        space,
    } = watched;
    let pidfd = rustix::process::Pid::from_raw(main)
        .ok_or(Errno::ESRCH)
        .map(|pid| rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty()))??;
    let mut watch = Watch {
        main,
        limits,
        scope,
        space,
        start: started,
        hits: Vec::new(),
        term_at: started.checked_add(limits.wall),
        kill_at: None,
        full_since: None,
        peak: 0,
        next_held: started,
        held: 0,
    };
    let exit = watch.run(&pidfd, control);
    watch.look_at_space();
    watch.look_at_rest()?;
    let wall = watch.start.elapsed();
    let left = leftover(scope, limits.settle);
    kill_all(scope)?;
    let left = left?;
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let cpu = usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
    if watch.peak == 0 {
        // Too short for a look at the tree.
        watch.peak = u64::try_from(usage.max_rss()).unwrap_or(0) * 1024;
    }
    Ok(Ended {
        exit: exit?,
        limits: watch.hits,
        leftover: u32::try_from(left).unwrap_or(u32::MAX),
        wall,
        cpu: Duration::from_micros(u64::try_from(cpu).unwrap_or(0)),
        peak_memory: watch.peak,
    })
}

/// Counts the remaining processes, after a delay for those about to end.
fn leftover(scope: Scope, settle: Duration) -> io::Result<usize> {
    let patience = Instant::now() + settle;
    loop {
        let alive = procfs::processes(scope)?
            .iter()
            .filter(|p| p.alive())
            .count();
        if alive == 0 || Instant::now() >= patience {
            return Ok(alive);
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Kills every process of the scope and waits until the last one is gone.
pub(crate) fn kill_all(scope: Scope) -> io::Result<()> {
    if scope == Scope::Namespace {
        // No fork gets past this: a fork with a pending SIGKILL fails.
        let _ = sys::kill(-1, libc::SIGKILL);
        loop {
            match wait(WaitOptions::empty()) {
                Ok(_) | Err(rustix::io::Errno::INTR) => {}
                Err(rustix::io::Errno::CHILD) => return Ok(()),
                Err(e) => return Err(e.into()),
            }
        }
    }
    loop {
        while reap_one()?.is_some() {}
        let tree = procfs::processes(scope)?;
        if tree.is_empty() {
            return Ok(());
        }
        for process in tree {
            let _ = sys::kill(process.pid, libc::SIGKILL);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Reaps one ended process, if there is one.
fn reap_one() -> io::Result<Option<(i32, Exit)>> {
    loop {
        match wait(WaitOptions::NOHANG) {
            Ok(Some((pid, status))) => {
                let exit = match (status.exit_status(), status.terminating_signal()) {
                    (Some(code), _) => Exit::Code(code),
                    (None, Some(signal)) => Exit::Signal(signal),
                    (None, None) => continue, // stopped or continued
                };
                return Ok(Some((pid.as_raw_nonzero().get(), exit)));
            }
            Ok(None) | Err(rustix::io::Errno::CHILD) => return Ok(None),
            Err(rustix::io::Errno::INTR) => {}
            Err(e) => return Err(e.into()),
        }
    }
}

struct Watch<'a> {
    main: i32,
    limits: &'a Limits,
    scope: Scope,
    space: &'a Space,
    start: Instant,
    hits: Vec<LimitHit>,
    /// When to ask the command to end; `None` once done, or if that is beyond all time.
    term_at: Option<Instant>,
    /// When to stop asking.
    kill_at: Option<Instant>,
    /// Since when the tree has been close to its limit of processes.
    full_since: Option<Instant>,
    peak: u64,
    /// When to count memory files again.
    next_held: Instant,
    /// Bytes of memory in files and segments at the last count.
    held: u64,
}

impl Watch<'_> {
    fn run(&mut self, pidfd: &OwnedFd, control: &UnixStream) -> io::Result<Exit> {
        let mut next_look = self.start + INTERVAL;
        loop {
            if let Some(exit) = self.reap()? {
                return Ok(exit);
            }
            let wake = [Some(next_look), self.term_at, self.kill_at]
                .into_iter()
                .flatten()
                .min();
            let wait = wake.map_or(INTERVAL, |t| t.saturating_duration_since(Instant::now()));
            // Rounded up, so the last fraction of a millisecond does not spin.
            let timeout = PollTimeout::try_from(wait.as_millis() + 1).unwrap_or(PollTimeout::MAX);
            let mut fds = [
                PollFd::new(pidfd.as_fd(), PollFlags::POLLIN),
                PollFd::new(control.as_fd(), PollFlags::POLLIN),
            ];
            match poll(&mut fds, timeout) {
                Ok(_) | Err(Errno::EINTR) => {}
                Err(e) => return Err(e.into()),
            }
            if fds[1].any().unwrap_or(false) {
                self.obey(control)?;
            }
            self.clock()?;
            if Instant::now() >= next_look {
                // A tree of thousands must not keep this process busy.
                let took = self.look()?;
                next_look = Instant::now() + INTERVAL.max(took * REST);
            }
        }
    }

    /// Reaps everything that has ended; the main process's exit if it is among them.
    fn reap(&mut self) -> io::Result<Option<Exit>> {
        let mut exit = None;
        while let Some((pid, status)) = reap_one()? {
            if pid == self.main {
                exit = Some(status);
            }
        }
        Ok(exit)
    }

    fn obey(&mut self, control: &UnixStream) -> io::Result<()> {
        match wire::receive::<Order>(control)? {
            Some((Order::Kill, _)) => self.kill_tree(),
            Some((Order::Signal(signal), _)) => {
                let _ = sys::kill(self.main, signal);
                Ok(())
            }
            None => Err(io::Error::new(
                io::ErrorKind::BrokenPipe,
                "the host process is gone",
            )),
        }
    }

    /// Keeps the wall clock: ask first, then insist.
    fn clock(&mut self) -> io::Result<()> {
        let now = Instant::now();
        if self.term_at.is_some_and(|t| now >= t) {
            self.term_at = None;
            self.kill_at = Some(now + self.limits.grace);
            self.hit(LimitHit::Wall);
            let _ = sys::kill(-self.main, libc::SIGTERM);
        }
        if self.kill_at.is_some_and(|t| now >= t) {
            self.kill_at = None;
            self.kill_tree()?;
        }
        Ok(())
    }

    /// Sums up the tree and compares with the limits. Returns the time that it took, without memory files.
    fn look(&mut self) -> io::Result<Duration> {
        let began = Instant::now();
        self.look_at_space();
        let mut tree = procfs::processes(self.scope)?;
        // Counted as the kernel does: with this process, and with those that wait to be reaped.
        self.count(1 + tree.iter().map(|p| p.threads.max(1)).sum::<u64>())?;
        tree.retain(Process::alive);
        if tree.iter().any(Process::has_all_files_open) {
            self.hit(LimitHit::OpenFiles);
        }
        if let Some(limit) = self.limits.cpu
            && cpu_of(&tree)? > limit
        {
            self.hit(LimitHit::Cpu);
            self.kill_tree()?;
        }
        let counting = Instant::now();
        if counting >= self.next_held {
            self.held = procfs::held_memory(&tree, self.scope);
            self.next_held = Instant::now() + HELD_INTERVAL.max(counting.elapsed() * REST);
        }
        let counted = counting.elapsed();
        // Mapped and held memory are mostly the same pages, so the larger of the two counts.
        let total = |m: Memory| m.anonymous + m.shared.max(self.held);
        let files = self.space.memory();
        let mut memory = files + total(tree.iter().map(Process::memory).sum());
        if memory > self.limits.memory {
            memory = files + total(tree.iter().map(Process::fair_memory).sum());
        }
        self.peak = self.peak.max(memory);
        if memory > self.limits.memory {
            self.hit(LimitHit::Memory);
            self.kill_tree()?;
        }
        Ok(began.elapsed().saturating_sub(counted))
    }

    /// Records a full folder. Writes fail, but nothing is killed.
    fn look_at_space(&mut self) {
        if self.space.is_full() {
            self.hit(LimitHit::Disk);
        }
        if self.space.is_shared_full() {
            self.hit(LimitHit::SharedMemory);
        }
    }

    /// Records a full set of processes that the command has left: a fork that fails may end it at once.
    fn look_at_rest(&mut self) -> io::Result<()> {
        let rest = procfs::processes(self.scope)?;
        // With this process and the command's own, which has just ended.
        let threads = 2 + rest.iter().map(|p| p.threads.max(1)).sum::<u64>();
        if threads >= self.limits.processes {
            self.hit(LimitHit::Processes);
        }
        Ok(())
    }

    /// At the limit forks fail; a tree that stays close to it is only trying to fork.
    fn count(&mut self, threads: u64) -> io::Result<()> {
        if threads >= self.limits.processes {
            self.hit(LimitHit::Processes);
        }
        if threads < self.limits.processes - self.limits.processes / 10 {
            self.full_since = None;
            return Ok(());
        }
        let since = *self.full_since.get_or_insert_with(Instant::now);
        let over = threads > self.limits.processes;
        if since.elapsed() >= BOMB || (over && self.scope == Scope::Descendants) {
            self.hit(LimitHit::Processes);
            self.kill_tree()?;
        }
        Ok(())
    }

    fn hit(&mut self, limit: LimitHit) {
        if !self.hits.contains(&limit) {
            self.hits.push(limit);
        }
    }

    /// Kills everything. The main process is left to `reap`, which wants its status.
    fn kill_tree(&self) -> io::Result<()> {
        if self.scope == Scope::Namespace {
            let _ = sys::kill(-1, libc::SIGKILL);
            return Ok(());
        }
        for _ in 0..1000 {
            let tree = procfs::processes(self.scope)?;
            if !tree.iter().any(Process::alive) {
                break;
            }
            for process in tree {
                let _ = sys::kill(process.pid, libc::SIGKILL);
            }
            self.reap_others();
        }
        Ok(())
    }

    /// Reaps orphans but leaves the main process waiting.
    fn reap_others(&self) {
        let peek = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
        while let Ok(status) = waitid(Id::All, peek) {
            match status.pid() {
                Some(pid) if pid.as_raw() != self.main => {
                    let _ = waitpid(Pid::from_raw(pid.as_raw()), Some(WaitPidFlag::WNOHANG));
                }
                _ => return,
            }
        }
    }
}

/// CPU time of the live tree and of all that this process has reaped.
fn cpu_of(tree: &[Process]) -> io::Result<Duration> {
    let reaped = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let reaped = reaped.user_time().num_microseconds() + reaped.system_time().num_microseconds();
    let per_second = rustix::param::clock_ticks_per_second().max(1);
    let ticks: u64 = tree.iter().map(|p| p.ticks).sum();
    Ok(Duration::from_micros(
        u64::try_from(reaped).unwrap_or(0) + ticks * 1_000_000 / per_second,
    ))
}
