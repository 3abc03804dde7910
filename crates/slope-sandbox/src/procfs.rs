//! Looks at the process tree through `/proc`.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;

/// Which processes belong to a sandbox.
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

    /// Anonymous and shared memory in bytes; 0 when it has just ended.
    pub(crate) fn memory(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.pid)).unwrap_or_default();
        sum_kib(&status, &["RssAnon:", "RssShmem:"])
    }

    /// Its fair share of that memory, where pages shared with others count in part. Slower; `None` if the kernel does not tell.
    pub(crate) fn fair_memory(&self) -> Option<u64> {
        let rollup = fs::read_to_string(format!("/proc/{}/smaps_rollup", self.pid)).ok()?;
        Some(sum_kib(&rollup, &["Pss_Anon:", "Pss_Shmem:"]))
    }
}

/// Sum of the lines with these labels, in bytes.
fn sum_kib(text: &str, labels: &[&str]) -> u64 {
    text.lines()
        .filter_map(|line| labels.iter().find_map(|label| line.strip_prefix(label)))
        .filter_map(|rest| rest.split_whitespace().next()?.parse::<u64>().ok())
        .map(|kib| kib * 1024)
        .sum()
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

/// Reads `/proc/PID/stat`; the name in it may hold anything, also spaces and brackets.
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
    fn reads_a_stat_line_with_a_hostile_name() {
        let line = b"7 (a) R 1 (b) c) S 3 7 7 0 -1 4194560 1 2 3 4 10 20 30 40 20 0 5 0 1 2 3";
        let process = parse_stat(7, line).unwrap();
        assert_eq!((process.parent, process.state), (3, b'S'));
        assert_eq!((process.ticks, process.threads), (100, 5));
    }

    #[test]
    fn adds_only_the_named_lines() {
        let status = "RssAnon:\t 10 kB\nRssFile:\t 99 kB\nRssShmem:\t 2 kB\n";
        assert_eq!(sum_kib(status, &["RssAnon:", "RssShmem:"]), 12 * 1024);
    }
}
