//! Repeatedly stops and resumes all processes that this process started.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::stability::Stalls;

/// Keeps the rhythm until `done`.
pub(super) fn keep(rhythm: Stalls, done: &AtomicBool) {
    let own = i32::try_from(std::process::id()).unwrap_or(0);
    while !done.load(Ordering::Relaxed) {
        thread::sleep(Duration::from_secs_f64(rhythm.run_s));
        let end = Instant::now() + Duration::from_secs_f64(rhythm.pause_s);
        let mut stopped = BTreeSet::new();
        while Instant::now() < end && !done.load(Ordering::Relaxed) {
            let fresh: Vec<i32> = descendants(own)
                .into_iter()
                .filter(|p| stopped.insert(*p))
                .collect();
            send(Signal::STOP, fresh);
            thread::sleep(Duration::from_millis(20));
        }
        send(Signal::CONT, stopped);
    }
}

/// Sends a signal to each of `processes`.
pub(super) fn send(signal: Signal, processes: impl IntoIterator<Item = i32>) {
    for process in processes.into_iter().filter_map(Pid::from_raw) {
        // The process may have ended meanwhile.
        let _ = kill_process(process, signal);
    }
}

/// Processes that `root` started, directly or not.
pub(super) fn descendants(root: i32) -> Vec<i32> {
    let mut children: BTreeMap<i32, Vec<i32>> = BTreeMap::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(process) = entry.file_name().to_str().and_then(|n| n.parse().ok()) else {
            continue;
        };
        let stat = fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        // The name may contain anything; state and parent follow the last parenthesis.
        let parent = stat
            .rsplit_once(')')
            .and_then(|(_, rest)| rest.split_whitespace().nth(1)?.parse().ok());
        if let Some(parent) = parent {
            children.entry(parent).or_default().push(process);
        }
    }
    let (mut found, mut waiting) = (Vec::new(), vec![root]);
    while let Some(parent) = waiting.pop() {
        for &child in children.get(&parent).into_iter().flatten() {
            found.push(child);
            waiting.push(child);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grandchildren_are_found() {
        let mut child = std::process::Command::new("/bin/sh")
            .args(["-c", "sleep 60 & echo; wait"])
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = [0; 1];
        std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut line).unwrap();
        let own = std::process::id() as i32;
        assert!(descendants(own).contains(&(child.id() as i32)));
        let below = descendants(child.id() as i32);
        assert_eq!(below.len(), 1, "{below:?}");
        send(Signal::KILL, below.into_iter().chain([child.id() as i32]));
        child.wait().unwrap();
    }
}
