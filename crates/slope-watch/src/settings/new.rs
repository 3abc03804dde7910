//! The settings of a new watch, as text with comments.

use std::fmt::Write;

use super::{ArmSettings, Task};

/// What precedes the tasks.
const HEAD: &str = "\
# A watch: a daily benchmark of an assistant. See docs/watch.md.

# Each task extends the reference solution of the checkpoint before, or refactors legacy code. Other tasks begin a new
# baseline.
tasks = [
";

/// What follows them.
const DEFAULTS: &str = "\
]

[baseline]
days = 15           # valid days before any alarm
replicates = 2      # runs of each task on each of them

[alarms]
false-alarms-per-year = 0.1   # share of quiet years with a false alarm in anything that is watched
replicates = 4                # runs of each task on the day after a high scan

# [budget]
# arm-day-usd = 20.0
# month-usd = 500.0

[arms.main]
role = \"target\"
";

/// What follows the arm.
const PINNED: &str = "
# The same model in a pinned version of the agent tells changes of the model from those of the agent:
# [arms.pinned]
# role = \"pinned\"
# agent = \"NAME\"
# tasks = 20
";

/// The text of `watch.toml` for some tasks and one arm.
#[must_use]
pub fn new_settings(tasks: &[&Task], arm: &ArmSettings) -> String {
    let mut text = HEAD.to_owned();
    for task in tasks {
        let _ = writeln!(text, "  \"{task}\",");
    }
    text.push_str(DEFAULTS);
    let path = arm
        .agent_config
        .as_ref()
        .map(|path| path.to_string_lossy().into_owned());
    let entries = [
        ("agent", Some(arm.agent.clone())),
        ("agent-config", path),
        (
            "model",
            Some(arm.model.clone()).filter(|model| !model.is_empty()),
        ),
        ("upstream", arm.upstream.clone()),
        ("key-env", arm.key_env.clone()),
    ];
    for (name, value) in entries {
        if let Some(value) = value {
            let _ = writeln!(text, "{name} = {}", toml::Value::from(value));
        }
    }
    text.push_str(PINNED);
    text
}

/// `count` of the tasks, spread evenly over their order; all if there are fewer.
#[must_use]
pub fn spread(all: &[Task], count: usize) -> Vec<&Task> {
    let count = count.min(all.len());
    (0..count).map(|at| &all[at * all.len() / count]).collect()
}
