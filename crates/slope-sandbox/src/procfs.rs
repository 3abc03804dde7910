//! Reads the process tree from `/proc`.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;

use crate::limits::OPEN_FILES;

/// A process with fewer free file descriptors than this counts as having none left.
const LAST_FILES: u64 = 4;

/// Selects the processes of a sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    /// Everything in this process id namespace except its first process, which is the caller.
    Namespace,
    /// Everything below the caller, which has made itself the reaper of orphans.
    Descendants,
}

/// One process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Process {
    pub(crate) pid: i32,
    parent: i32,
    state: u8,
    /// Threads.
    pub(crate) threads: u64,
    /// CPU time in clock ticks, its own and of the children that it has waited for.
    pub(crate) ticks: u64,
}

impl Process {
    /// Whether it still runs (and is not just waiting to be reaped).
    pub(crate) fn alive(&self) -> bool {
        !matches!(self.state, b'Z' | b'X')
    }

    /// Whether its open files reach the limit. Linux reports them since 6.2.
    pub(crate) fn has_all_files_open(&self) -> bool {
        let open = fs::metadata(format!("/proc/{}/fd", self.pid));
        open.is_ok_and(|open| open.len() + LAST_FILES >= OPEN_FILES)
    }

    /// Its memory; 0 if it has just ended.
    pub(crate) fn memory(&self) -> Memory {
        let status = fs::read_to_string(format!("/proc/{}/status", self.pid)).unwrap_or_default();
        Memory {
            anonymous: kib(&status, "RssAnon:"),
            shared: kib(&status, "RssShmem:"),
        }
    }

    /// Its proportional share of that memory, where shared pages count in part. Slower; the full
    /// memory if the kernel does not report the share.
    pub(crate) fn fair_memory(&self) -> Memory {
        match fs::read_to_string(format!("/proc/{}/smaps_rollup", self.pid)) {
            Ok(rollup) => Memory {
                anonymous: kib(&rollup, "Pss_Anon:"),
                shared: kib(&rollup, "Pss_Shmem:"),
            },
            Err(_) => self.memory(),
        }
    }

    /// Notes the memory files that it has open, by inode.
    fn memory_files(&self, found: &mut HashMap<u64, u64>) {
        // The process has ended or its files are not readable.
        let Ok(open) = fs::read_dir(format!("/proc/{}/fd", self.pid)) else {
            return;
        };
        for entry in open.flatten() {
            let path = entry.path();
            let is_file = fs::read_link(&path)
                .is_ok_and(|target| target.as_os_str().as_bytes().starts_with(b"/memfd:"));
            if let (true, Ok(meta)) = (is_file, fs::metadata(&path)) {
                found.insert(meta.ino(), meta.blocks() * 512);
            }
        }
    }
}

/// Memory in bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Memory {
    /// Memory of single processes.
    pub(crate) anonymous: u64,
    /// Shared memory that is mapped somewhere.
    pub(crate) shared: u64,
}

impl std::iter::Sum for Memory {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |a, b| Self {
            anonymous: a.anonymous + b.anonymous,
            shared: a.shared + b.shared,
        })
    }
}

/// Memory in bytes that the tree uses even if it is not mapped: open memory files, System V
/// segments.
pub(crate) fn held_memory(tree: &[Process], scope: Scope) -> u64 {
    let mut files = HashMap::new();
    for process in tree {
        process.memory_files(&mut files);
    }
    let segments = match scope {
        Scope::Namespace => segments(&fs::read_to_string("/proc/sysvipc/shm").unwrap_or_default()),
        Scope::Descendants => 0, // they would be everybody's
    };
    files.values().sum::<u64>() + segments
}

/// Resident bytes of all System V segments.
fn segments(table: &str) -> u64 {
    let mut lines = table.lines();
    let titles = lines.next().unwrap_or_default();
    let Some(column) = titles.split_whitespace().position(|title| title == "rss") else {
        return 0;
    };
    lines
        .filter_map(|line| line.split_whitespace().nth(column)?.parse::<u64>().ok())
        .sum()
}

/// Value of the line with this label, in bytes; 0 without such a line.
fn kib(text: &str, label: &str) -> u64 {
    let line = text.lines().find_map(|line| line.strip_prefix(label));
    let value = line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok());
    value.unwrap_or(0) * 1024
}

/// All processes of the scope, the caller excepted.
pub(crate) fn processes(scope: Scope) -> io::Result<Vec<Process>> {
    let own = std::process::id().cast_signed();
    let mut all = Vec::new();
    for entry in fs::read_dir("/proc")? {
        let name = entry?.file_name();
        let Some(pid) = name.to_str().and_then(|n| n.parse::<i32>().ok()) else {
            continue;
        };
        if pid == own {
            continue;
        }
        let Ok(stat) = fs::read(format!("/proc/{pid}/stat")) else {
            continue;
        };
        all.extend(parse_stat(pid, &stat));
    }
    if scope == Scope::Descendants {
        keep_descendants(&mut all, own);
    }
    Ok(all)
}

/// Threads of the current user on the whole machine.
pub(crate) fn threads_of_user() -> io::Result<u64> {
    let own = nix::unistd::geteuid().as_raw();
    let mut threads = 0;
    for entry in fs::read_dir("/proc")? {
        let path = entry?.path();
        let is_own = fs::metadata(&path).is_ok_and(|meta| meta.uid() == own);
        if let (true, Ok(stat)) = (is_own, fs::read(path.join("stat"))) {
            threads += parse_stat(0, &stat).map_or(0, |process| process.threads);
        }
    }
    Ok(threads)
}

fn keep_descendants(all: &mut Vec<Process>, root: i32) {
    let mut children: HashMap<i32, Vec<i32>> = HashMap::new();
    for process in all.iter() {
        children
            .entry(process.parent)
            .or_default()
            .push(process.pid);
    }
    let mut below = HashSet::new();
    let mut open = vec![root];
    while let Some(pid) = open.pop() {
        for child in children.remove(&pid).unwrap_or_default() {
            below.insert(child);
            open.push(child);
        }
    }
    all.retain(|process| below.contains(&process.pid));
}

/// Parses `/proc/PID/stat`; the name in it may contain anything, including spaces and brackets.
fn parse_stat(pid: i32, stat: &[u8]) -> Option<Process> {
    let end = stat.iter().rposition(|b| *b == b')')?;
    let rest = std::str::from_utf8(stat.get(end + 1..)?).ok()?;
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let number = |i: usize| fields.get(i).and_then(|f| f.parse::<u64>().ok());
    Some(Process {
        pid,
        state: *fields.first()?.as_bytes().first()?,
        parent: fields.get(1)?.parse().ok()?,
        threads: number(17)?,
        ticks: (11..15).filter_map(number).sum(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_stat_line_is_parsed() {
        let line = b"7 (a) R 1 (b) c) S 3 7 7 0 -1 4194560 1 2 3 4 10 20 30 40 20 0 5 0 1 2 3";
        let process = parse_stat(7, line).unwrap();
        assert_eq!((process.parent, process.state), (3, b'S'));
        assert_eq!((process.ticks, process.threads), (100, 5));
    }

    #[test]
    fn reads_only_the_named_line() {
        let status = "RssAnon:\t 10 kB\nRssFile:\t 99 kB\nRssShmem:\t 2 kB\n";
        assert_eq!(kib(status, "RssShmem:"), 2 * 1024);
        assert_eq!(kib(status, "VmSwap:"), 0);
    }

    #[test]
    fn adds_resident_bytes_of_segments() {
        let table = "key shmid perms size rss swap\n 0 1 600 999 4096 0\n 0 2 600 999 8192 0\n";
        assert_eq!(segments(table), 12288);
        assert_eq!(segments(""), 0);
    }
}
