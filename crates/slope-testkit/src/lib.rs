//! What the tests of several crates share; a development dependency, never more.
//!
//! Everything here panics where it fails, as tests do.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic")]

pub mod git;

/// A Python function of 12 lines, long enough to be found as a clone.
pub const HELPER: &str = "\
def normalise(rows, key, default):
    seen = {}
    for row in rows:
        name = row.get(key, default)
        if name is None:
            continue
        name = name.strip().lower()
        seen.setdefault(name, []).append(row)
    result = []
    for name, group in sorted(seen.items()):
        result.append((name, len(group), group[0]))
    return result
";
