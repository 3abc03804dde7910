//! How fast this machine is at the moment, and what that means for limits.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use super::Payload;
use super::program::{Start, run};

/// Seconds that starting an interpreter in the sandbox takes at most on a machine that limits are meant
/// for: about two times what it took on a server of two cores with other work, launcher included (0.06 to
/// 0.09 s with a debug build).
pub(super) const REFERENCE_S: f64 = 0.15;
/// Limits are stretched up to this many times.
pub(super) const MOST: f64 = 8.0;
/// Starts that are measured where the first is slow; the one in the middle counts.
const STARTS: usize = 3;
/// Longest wait for one of them.
const LIMIT: Duration = Duration::from_secs(20);

/// Seconds that the track's interpreter takes to start at the moment, in the place of a program under test
/// and without anything of the program's; `None` if it does not start.
pub(super) fn measure(payload: &Payload) -> Option<f64> {
    let env: BTreeMap<&str, &str> = payload
        .env
        .iter()
        .map(|(k, v)| (k.as_str(), v.as_str()))
        .collect();
    let mut times = Vec::with_capacity(STARTS);
    for _ in 0..STARTS {
        let began = Instant::now();
        let ran = run(&Start {
            command: &payload.calibration,
            args: &[],
            env: env.clone(),
            folder: Path::new("/"),
            stdin: "",
            limit: LIMIT,
        });
        let ended = ran.ok().filter(|ran| ran.exit == Some(0) || ran.timed_out);
        ended?;
        times.push(began.elapsed().as_secs_f64());
        if times[0] <= REFERENCE_S {
            break;
        }
    }
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied()
}

/// How many times longer than said everything may take, given what was measured. Never shorter.
pub(super) fn stretch(measured: Option<f64>, reference: Option<f64>) -> f64 {
    let reference = reference.unwrap_or(REFERENCE_S);
    measured.map_or(1.0, |measured| (measured / reference).clamp(1.0, MOST))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_limits_stretch_within_bounds() {
        assert!((stretch(Some(0.3), None) - 0.3 / REFERENCE_S).abs() < 1e-9);
        assert!((stretch(Some(0.3), Some(0.1)) - 3.0).abs() < 1e-9);
        for (measured, wanted) in [(Some(0.01), 1.0), (Some(1e9), MOST), (None, 1.0)] {
            assert!((stretch(measured, None) - wanted).abs() < 1e-9);
        }
    }
}
