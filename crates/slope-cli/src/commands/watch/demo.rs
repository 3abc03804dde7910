//! `slope watch demo`: a watch with simulated results.

use slope_report::Format;
use slope_suite::track::TrackName;
use slope_watch::attribution::Layer;
use slope_watch::demo::{self, Degradation, Demo};
use slope_watch::{Limits, status};

use crate::args::{DemoLayer, WatchDemo};
use crate::commands::output;
use crate::exit::Done;

/// Valid days of the baseline.
const BASELINE_DAYS: usize = 15;
/// Simulated tasks.
const TASKS: usize = 50;

pub(crate) fn run(args: &WatchDemo, format: Format) -> anyhow::Result<Done> {
    let days = usize::from(args.days);
    let first = jiff::civil::date(2026, 9, 1);
    let families = ["cli", "service", "parser", "storage", "scheduler"];
    let languages = TrackName::ALL.map(TrackName::name);
    let task = |at: usize| {
        let (language, family) = (
            languages[at % languages.len()],
            families[at % families.len()],
        );
        format!("{language}/{family}/step_{:02}", at + 1)
    };
    let layer = match args.layer {
        DemoLayer::None => None,
        DemoLayer::Model => Some(Layer::Model),
        DemoLayer::Harness => Some(Layer::Harness),
        DemoLayer::Settings => Some(Layer::Settings),
        DemoLayer::Infrastructure => Some(Layer::Infrastructure),
    };
    let simulated = demo::days(&Demo {
        first,
        days,
        tasks: (0..TASKS).map(task).collect(),
        baseline_days: BASELINE_DAYS.min(days / 2),
        degradation: layer.map(|layer| Degradation {
            day: days * 2 / 3,
            until: None,
            drop: 0.14,
            tokens: 0.65,
            layer,
        }),
        invalid: vec![days / 2],
        missed: vec![days / 2 + 3],
        seed: args.seed,
    });
    let found = status(
        &simulated,
        Limits {
            baseline_days: BASELINE_DAYS.min(days / 2),
            false_alarms_per_year: 0.1,
        },
    );
    super::status::write_page(&args.html, "Demo", &found)?;
    let words = format!(
        "{}\nAll results are simulated. Open {} to see the page.",
        found.sentence,
        args.html.display()
    );
    output::json_or_text(format, &serde_json::to_value(&found)?, &words)?;
    Ok(Done::Fine)
}
