//! Measures this machine's current speed, and stretches limits accordingly.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use super::payload::Payload;
use super::program::{Start, run};

/// Start time of an interpreter in the sandbox, in seconds, on the slowest machine that limits are
/// made for: about two times the value of a server of two cores with other work, launcher included
/// (0.06 to 0.09 s with a debug build).
pub(super) const REFERENCE_S: f64 = 0.15;
/// Limits are stretched up to this many times.
pub(super) const MOST: f64 = 8.0;
/// Number of starts measured if the first is slow; the median counts.
const STARTS: usize = 3;
/// Time limit of one start.
const LIMIT: Duration = Duration::from_secs(20);

/// Current start time of the track's interpreter in seconds, in place of the program under test and
/// without any of its files; `None` if it does not start.
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

/// Factor by which all limits are extended, given the `measured` start time; at least 1.
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
