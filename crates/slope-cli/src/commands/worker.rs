//! `slope worker`: runs one trial for its coordinator.

use slope_bench::worker::{self, TrialSpec};

use crate::args::Worker;
use crate::exit::Done;
use crate::setup;

pub(crate) fn run(args: &Worker) -> anyhow::Result<Done> {
    let spec = TrialSpec::read(&args.spec)?;
    let plan = spec.plan()?;
    let machine = setup::worker_machine(&plan.options, &spec.run)?;
    let agent = setup::named_agent(&plan.options)?;
    // The coordinator is notified of a failure, and reports it.
    let ended = worker::run(&spec, &plan, &machine, agent.as_ref());
    Ok(if ended.is_ok() {
        Done::Fine
    } else {
        Done::Unmet
    })
}
