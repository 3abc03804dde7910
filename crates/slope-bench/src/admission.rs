//! Number of trials that run at a time: bounded by memory, processors and the state of the model's
//! server.
//!
//! An agent waits for its model most of the time, so processors are a weak bound; memory is a hard
//! one. Each trial counts with its sandbox's memory *request*; the limit at which it is killed is a
//! multiple of that.

use serde::{Deserialize, Serialize};

use crate::plan::RunOptions;

/// Trials per processor: agents wait for their model 97% of the time (measured). Grading does need
/// a processor and is admitted separately, one for each.
const PER_CORE: u32 = 8;
/// Memory left to everything else on the machine, in bytes.
const RESERVE: u64 = 512 << 20;
/// Largest default memory request, in bytes. Coding agents were measured at 290 MB.
const MAX_REQUEST: u64 = 1 << 30;
/// Divisor that turns a memory limit into the default request.
const PART_OF_LIMIT: u64 = 4;

/// Maximum number of concurrent trials and its reason, as recorded in the journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Admission {
    /// Requested number of trials at a time; `None` for as many as fit.
    pub asked: Option<u32>,
    /// Trials at a time, at most.
    pub most: u32,
    /// Bound that determined the number: `asked`, `memory` or `processors`.
    pub by: String,
    /// Memory that a trial is granted, in bytes.
    pub memory_request: u64,
    /// Memory available when the run was opened, in bytes; `None` if unknown.
    pub memory_available: Option<u64>,
    /// Processors.
    pub processors: u32,
}

/// Reason that no further trial is admitted at the moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WaitReason {
    /// The largest number of trials is already running.
    Workers,
    /// There is not enough memory for another one.
    Memory,
    /// The model's server has failed, and requests are paused for a while.
    Upstream,
    /// The run is paused.
    Paused,
    /// The run is being cancelled, or has failed, and ends.
    Ending,
}

impl Admission {
    /// Determines the admission of a run from the current resources of the machine.
    #[must_use]
    pub fn decide(asked: Option<u32>, options: &RunOptions, machine: &Resources) -> Self {
        let limits = &options.environment.limits;
        let request = limits
            .memory_request
            .unwrap_or((options.memory / PART_OF_LIMIT).min(MAX_REQUEST))
            .max(1);
        let by_memory = machine.memory_available.map(|available| {
            let fits = available.saturating_sub(RESERVE) / request;
            (u32::try_from(fits).unwrap_or(u32::MAX).max(1), "memory")
        });
        let by_request = match asked {
            Some(most) => (most.max(1), "asked"),
            None => (
                machine.processors.saturating_mul(PER_CORE).max(1),
                "processors",
            ),
        };
        let (most, by) = by_memory
            .into_iter()
            .chain([by_request])
            .min_by_key(|(most, _)| *most)
            .unwrap_or(by_request);
        Self {
            asked,
            most,
            by: by.to_owned(),
            memory_request: request,
            memory_available: machine.memory_available,
            processors: machine.processors,
        }
    }

    /// Reason that no trial may join the `running` ones. A first trial is always admitted, so that
    /// a run makes progress.
    #[must_use]
    pub fn held(
        &self,
        running: u32,
        available: Option<u64>,
        backing_off: bool,
    ) -> Option<WaitReason> {
        if running == 0 {
            return None;
        }
        if running >= self.most {
            return Some(WaitReason::Workers);
        }
        if backing_off {
            return Some(WaitReason::Upstream);
        }
        let needed = self.memory_request.saturating_add(RESERVE);
        available
            .is_some_and(|available| available < needed)
            .then_some(WaitReason::Memory)
    }
}

/// Memory and processors of a machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resources {
    /// Memory still available to processes, in bytes; `None` if the system does not report it.
    pub memory_available: Option<u64>,
    /// Processors of this process.
    pub processors: u32,
}

impl Resources {
    /// The current resources of this machine.
    #[must_use]
    pub fn now() -> Self {
        let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Self {
            memory_available: memory_available(),
            processors: u32::try_from(processors).unwrap_or(u32::MAX),
        }
    }
}

/// Memory that processes could still get: of the machine, or of this process's control group if that
/// has less.
pub(crate) fn memory_available() -> Option<u64> {
    let machine = std::fs::read_to_string("/proc/meminfo").ok()?;
    let machine = meminfo(&machine)?;
    Some(group_available().map_or(machine, |group| group.min(machine)))
}

fn meminfo(text: &str) -> Option<u64> {
    slope_sandbox::kilobytes(text, "MemAvailable:")?.checked_mul(1024)
}

fn group_available() -> Option<u64> {
    let groups = std::fs::read_to_string("/proc/self/cgroup").ok()?;
    let own = groups.lines().find_map(|l| l.strip_prefix("0::/"))?;
    let folder = std::path::Path::new("/sys/fs/cgroup").join(own);
    let read = |name: &str| {
        let text = std::fs::read_to_string(folder.join(name)).ok()?;
        text.trim().parse::<u64>().ok()
    };
    Some(read("memory.max")?.saturating_sub(read("memory.current")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const GIB: u64 = 1 << 30;

    fn machine(gib: u64, processors: u32) -> Resources {
        Resources {
            memory_available: Some(gib * GIB),
            processors,
        }
    }

    #[test]
    fn scarcest_resource_bounds_workers() {
        let options = RunOptions::default();
        let decide = |asked, machine| {
            let admission = Admission::decide(asked, &options, &machine);
            (admission.most, admission.by)
        };
        // A sandbox of 4 GiB at most requests one.
        assert_eq!(decide(None, machine(8, 4)), (7, "memory".into()));
        assert_eq!(decide(None, machine(64, 2)), (16, "processors".into()));
        assert_eq!(decide(Some(3), machine(64, 2)), (3, "asked".into()));
        assert_eq!(decide(Some(300), machine(64, 2)), (63, "memory".into()));
        assert_eq!(decide(None, machine(0, 2)), (1, "memory".into()));
        let mut small = RunOptions::default();
        small.environment.limits.memory_request = Some(64 << 20);
        assert_eq!(
            Admission::decide(Some(64), &small, &machine(8, 2)).most,
            64,
            "the request counts, not the limit"
        );
    }

    #[test]
    fn low_memory_or_upstream_trouble_pauses() {
        let admission = Admission::decide(None, &RunOptions::default(), &machine(64, 2));
        let plenty = Some(64 * GIB);
        assert_eq!(admission.held(3, plenty, false), None);
        assert_eq!(admission.held(3, None, false), None, "not known");
        assert_eq!(admission.held(16, plenty, false), Some(WaitReason::Workers));
        assert_eq!(
            admission.held(3, Some(GIB), false),
            Some(WaitReason::Memory)
        );
        assert_eq!(admission.held(3, plenty, true), Some(WaitReason::Upstream));
        assert_eq!(admission.held(0, Some(1), true), None, "one always goes");
    }

    #[test]
    fn machine_resources_are_read() {
        assert_eq!(
            meminfo("MemFree: 1 kB\nMemAvailable:   2048 kB\n"),
            Some(2 << 20)
        );
        assert_eq!(meminfo("MemFree: 1 kB\n"), None);
        let now = Resources::now();
        assert!(now.processors > 0 && now.memory_available.is_some());
    }
}
