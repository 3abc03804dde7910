//! CPU time and memory of an arm's programs next to the reference solutions.

use slope_model::verdict::Efficiency;
use slope_model::watch::ArmDay;
use slope_model::watch_status::ArmEfficiency;
use slope_stats::float_u64;

/// The efficiency of a day's programs; `None` if none was measured.
pub(crate) fn of_day(arm: &ArmDay) -> Option<ArmEfficiency> {
    let measured = arm.tasks.iter().filter_map(|run| run.efficiency);
    let measured = Vec::from_iter(measured);
    let ratio = |of: f64, to: f64| (to > 0.0).then(|| of / to);
    let sum = |value: fn(&Efficiency) -> f64| -> f64 { measured.iter().map(value).sum() };
    Some(ArmEfficiency {
        runs: measured.len(),
        cpu: ratio(sum(|one| one.cpu_s), sum(|one| one.reference_cpu_s))?,
        memory: ratio(
            sum(|one| float_u64(one.peak_memory)),
            sum(|one| float_u64(one.reference_peak_memory)),
        )?,
    })
}

#[cfg(test)]
mod tests {
    use slope_model::watch::{TaskOutcome, TaskRun};

    use super::*;

    fn run(efficiency: Option<Efficiency>) -> TaskRun {
        TaskRun {
            task: "python/p/checkpoint_2".to_owned(),
            trial: 1,
            outcome: TaskOutcome::Passed,
            reason: None,
            passed_share: None,
            class: None,
            also: None,
            not_passed: Vec::new(),
            usage: None,
            agent_s: None,
            quality: None,
            efficiency,
            conduct: None,
        }
    }

    #[test]
    fn day_sums_measured_runs_only() {
        let measured = |cpu_s, peak_memory| {
            Some(Efficiency {
                tests: 1,
                cpu_s,
                reference_cpu_s: 1.0,
                peak_memory,
                reference_peak_memory: 100,
            })
        };
        let runs = [measured(3.0, 100), None, measured(1.0, 200)];
        let day = ArmDay {
            tasks: runs.map(run).to_vec(),
            ..ArmDay::default()
        };
        let expected = ArmEfficiency {
            runs: 2,
            cpu: 2.0,
            memory: 1.5,
        };
        assert_eq!(of_day(&day), Some(expected));
        assert_eq!(of_day(&ArmDay::default()), None);
    }
}
