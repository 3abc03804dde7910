//! What can be chosen.

use std::path::PathBuf;

use slope_syntax::{Limits, Profile};

/// Folders that are never entered unless a user says otherwise: what tools write
/// and what others wrote.
pub const EXCLUDED: &[&str] = &[
    ".git",
    ".venv",
    "venv",
    "env",
    ".env",
    "__pycache__",
    "node_modules",
    "site-packages",
    ".mypy_cache",
    ".pytest_cache",
    ".ruff_cache",
    ".tox",
    ".nox",
];

/// What to measure and how.
#[derive(Debug, Clone)]
pub struct Options {
    /// Which definitions are in force.
    pub profile: Profile,
    /// A callable above this cyclomatic complexity is highly complex.
    pub cut_off: u32,
    /// Folders with further rule packs.
    pub rule_folders: Vec<PathBuf>,
    /// Names of folders that are not entered, at any depth; [`EXCLUDED`] by default.
    pub excluded: Vec<String>,
    /// Whether `.gitignore` files below the root are obeyed. Off by default:
    /// in a workspace that an agent wrote they could hide code.
    pub gitignore: bool,
    /// What a single file may cost.
    pub limits: Limits,
    /// Threads, 0 for one per processor. The result does not depend on it.
    pub threads: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            profile: Profile::Slope,
            cut_off: 10,
            rule_folders: Vec::new(),
            excluded: EXCLUDED.iter().map(|&name| name.to_owned()).collect(),
            gitignore: false,
            limits: Limits::default(),
            threads: 0,
        }
    }
}
