//! The report of a sandbox that has ended.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Exit of the command's own process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Exit {
    /// Exited with this code.
    Code(i32),
    /// By this signal.
    Signal(i32),
}

/// A limit that ended the command or cut something off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LimitHit {
    /// Wall clock.
    Wall,
    /// CPU time.
    Cpu,
    /// Memory.
    Memory,
    /// Processes.
    Processes,
    /// Output was cut off.
    Output,
    /// A writable folder was full.
    Disk,
    /// `/dev/shm` was full.
    SharedMemory,
    /// Open files of one process.
    OpenFiles,
}

impl LimitHit {
    /// The name in every output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Wall => "wall",
            Self::Cpu => "cpu",
            Self::Memory => "memory",
            Self::Processes => "processes",
            Self::Output => "output",
            Self::Disk => "disk",
            Self::SharedMemory => "shared_memory",
            Self::OpenFiles => "open_files",
        }
    }
}

/// The variable with the name of the case that starts a program. The launcher notes it, and the program does not
/// get it.
pub const CASE_VARIABLE: &str = "SLOPE_CASE";

/// What one program under test used, and the limits that it reached.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProgramNote {
    /// The limits.
    pub limits: Vec<LimitHit>,
    /// The test that started the program, as pytest names it in `PYTEST_CURRENT_TEST`.
    pub test: Option<String>,
    /// The case that started it ([`CASE_VARIABLE`]).
    pub case: Option<String>,
    /// CPU seconds of all its processes; `None` if that is not known.
    pub cpu_s: Option<f64>,
    /// Largest memory of all its processes in any sample, in bytes; `None` if that is not known.
    pub peak_memory: Option<u64>,
}

/// The report of a sandbox that has ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// Exit of the command's own process.
    pub exit: Exit,
    /// Limits that were hit, in order.
    pub limits: Vec<LimitHit>,
    /// Processes still alive when the command's own process had ended; they were killed.
    pub leftover_processes: u32,
    /// Wall-clock seconds of the command.
    pub wall_s: f64,
    /// CPU seconds of the tree; `None` if the kernel killed the whole sandbox.
    pub cpu_s: Option<f64>,
    /// Largest memory of the tree in any sample, in bytes; `None` if the kernel killed the whole
    /// sandbox.
    pub peak_memory: Option<u64>,
    /// Entries that were left out when a volume was collected (sockets, devices, over limits), in words.
    pub left_out: Vec<String>,
}

impl Outcome {
    /// The outcome if the kernel killed the whole sandbox for memory, so that no volume was collected.
    pub(crate) fn killed_for_memory(wall: Duration, how: &str) -> Self {
        Self {
            exit: Exit::Signal(libc::SIGKILL),
            limits: vec![LimitHit::Memory],
            leftover_processes: 0,
            wall_s: wall.as_secs_f64(),
            cpu_s: None,
            peak_memory: None,
            left_out: vec![format!("all volumes: {how}")],
        }
    }
}

impl Outcome {
    /// Whether the kernel killed the whole sandbox for memory, so that no volume was collected.
    #[must_use]
    pub fn is_sandbox_killed(&self) -> bool {
        self.peak_memory.is_none()
    }
}
