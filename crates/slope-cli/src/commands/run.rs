//! `slope run`: an agent on problems, checkpoint by checkpoint.

mod push;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use slope_agent::{Agent, AgentOptions};
use slope_bench::context::RunContext;
use slope_bench::environment::Environment;
use slope_bench::execute::{self, ExecuteOptions};
use slope_bench::intervention::Intervention;
use slope_bench::plan::{self, CapPlan, Plan, RunOptions, StabilityPlan, UpstreamPlan};
use slope_gateway::{LoadedScript, RateLimits};
use slope_model::run::{RunReport, Start};
use slope_model::usage::Prices;
use slope_model::verdict::State;
use slope_report::Format;
use slope_suite::track::TrackName;

use self::push::LivePush;
use super::output;
use crate::args::{self, Grading, Isolation, PushArgs, Run, Stability, Workers};
use crate::display::Display;
use crate::exit::{Done, HarnessFailed};
use crate::{logging, setup, shipped};

pub(crate) fn run(args: &Run, format: Format, display: &Display) -> anyhow::Result<Done> {
    let dir = args.out.clone().unwrap_or_else(|| default_dir(&args.agent));
    pushed(&args.push, &dir, || {
        start(args, &dir, display)?;
        print_result(&dir, format, display)
    })
}

/// Does the work on the run in `dir`, and sends the run meanwhile if the options say so.
pub(crate) fn pushed(
    args: &PushArgs,
    dir: &Path,
    work: impl FnOnce() -> anyhow::Result<Done>,
) -> anyhow::Result<Done> {
    let live = push::target(args)?.map(|server| LivePush::start(dir.to_owned(), server));
    let done = work();
    let sent = live.map_or(Done::Fine, |live| live.finish(dir));
    match done? {
        Done::Fine => Ok(sent),
        other => Ok(other),
    }
}

/// Prints the report of a run that has ended.
///
/// # Errors
/// [`HarnessFailed`] if failures of the infrastructure left the run without any verdict.
pub(crate) fn print_result(dir: &Path, format: Format, display: &Display) -> anyhow::Result<Done> {
    display.finish();
    let reports = output::reports(&[dir])?;
    output::print_reports(&reports, format, None)?;
    if format == Format::Human {
        output::text(&format!("Run directory: {}", dir.display()))?;
    }
    if let Some(reason) = reports.iter().find_map(lost_reason) {
        let error = anyhow!(
            "the run has no verdict: {reason}\nhelp: fix the cause, then run `slope resume {}`",
            dir.display()
        );
        return Err(HarnessFailed(error).into());
    }
    Ok(Done::Fine)
}

/// Reason that a run has no verdict at all: that of its first infrastructure failure.
fn lost_reason(report: &RunReport) -> Option<&str> {
    let checkpoints = || report.trials.iter().flat_map(|trial| &trial.checkpoints);
    let has_verdict = |state: State| !matches!(state, State::Infrastructure | State::Ungraded);
    if checkpoints().any(|checkpoint| has_verdict(checkpoint.state)) {
        return None;
    }
    let lost = checkpoints().find(|checkpoint| checkpoint.state == State::Infrastructure)?;
    Some(
        lost.reason
            .as_deref()
            .unwrap_or("an infrastructure failure"),
    )
}

fn start(args: &Run, dir: &Path, display: &Display) -> anyhow::Result<()> {
    let options = options(args)?;
    setup::resumable_with(format!("slope resume {}", dir.display()));
    let problems = shipped::folders(&args.problems)?;
    create_and_execute(dir, &problems, options, args.workers, display)
}

/// Plans a run in `dir` and executes it.
pub(crate) fn create_and_execute(
    dir: &Path,
    problems: &[PathBuf],
    options: RunOptions,
    workers: Workers,
    display: &Display,
) -> anyhow::Result<()> {
    check_features(&options, setup::named_agent(&options)?.as_ref())?;
    let machine = setup::machine(&options, dir)?;
    let (agent, installed) = setup::agent(&options, &machine, display)?;
    let gateway = setup::gateway(&options, agent.as_ref(), display)?;
    let surroundings = setup::surroundings(&machine, (agent.as_ref(), &installed));
    let plan = plan::create(dir, problems, options, surroundings)?;
    let run = RunContext::new(&plan, &machine, agent.as_ref(), &installed);
    execute(run.with_gateway(gateway.as_ref()), workers, display)
}

/// Continues the run in `dir`. Does nothing if it is complete. Problems that have moved are
/// searched in `moved`.
pub(crate) fn resume(
    dir: &Path,
    moved: &[PathBuf],
    workers: Workers,
    display: &Display,
) -> anyhow::Result<()> {
    let plan = plan::open(dir, moved)?;
    let machine = setup::machine(&plan.options, dir)?;
    let (agent, installed) = setup::agent(&plan.options, &machine, display)?;
    check_same(&plan, &installed.version)?;
    let gateway = setup::gateway(&plan.options, agent.as_ref(), display)?;
    let run = RunContext::new(&plan, &machine, agent.as_ref(), &installed);
    execute(run.with_gateway(gateway.as_ref()), workers, display)
}

fn execute(run: RunContext<'_>, workers: Workers, display: &Display) -> anyhow::Result<()> {
    let options = ExecuteOptions {
        workers,
        processes: true,
        log: logging::filter(),
    };
    let label = run.label();
    let observer = |progress| display.show(label, &progress);
    let outcome = execute::execute(run, &options, &observer);
    display.finish();
    Ok(outcome?)
}

/// Refuses to resume with another agent version than the run started with.
fn check_same(plan: &Plan, version: &str) -> anyhow::Result<()> {
    if plan.config.agent_version != version {
        bail!(
            "cannot resume: the run began with {} {}, and version {version} is installed now\n\
             help: install the earlier version, or start a new run",
            plan.config.agent,
            plan.config.agent_version
        );
    }
    Ok(())
}

fn options(args: &Run) -> anyhow::Result<RunOptions> {
    let agent = args.agent.clone();
    let model = model(args)?;
    let intervention = intervention(args.intervention);
    let mut options = RunOptions {
        agent,
        agent_config: absolute(args.agent_config.as_deref())?,
        model,
        prompt: prompt(&arm_prompt(args, intervention)?)?,
        intervention,
        track: args.track,
        upstream: upstream(args)?,
        dialect: args.upstream.dialect.map(|dialect| match dialect {
            args::Dialect::Messages => slope_agent::Dialect::Messages,
            args::Dialect::Chat => slope_agent::Dialect::Chat,
        }),
        prices: args.upstream.prices.as_deref().map(prices).transpose()?,
        caps: CapPlan {
            tokens: args.caps.max_tokens,
            usd: args.caps.max_usd,
            requests: args.caps.max_requests,
            wall_s: None,
        },
        trial_caps: args.caps.trial_cap.unwrap_or_default(),
        run_caps: args.caps.run_cap.unwrap_or_default(),
        price_file: absolute(args.upstream.price_file.as_deref())?,
        rates: RateLimits {
            concurrent: args.upstream.max_concurrent,
            requests_per_minute: args.upstream.max_rpm,
            tokens_per_minute: args.upstream.max_tpm,
        },
        record: args.upstream.record,
        max_turns: args.caps.max_turns,
        effort: args.effort,
        timeout_s: args.timeout,
        show_deadline: !args.no_deadline,
        upstream_patience_s: args.upstream.upstream_patience,
        one_conversation: args.one_conversation,
        checkpoints: args.checkpoints,
        start: args.start.into(),
        steps: steps(args)?,
        trials: args.trials,
        retries: args.retries,
        ..RunOptions::default()
    };
    apply(&mut options, &args.isolation, &args.grading)?;
    check_prices(&options)?;
    options.label = match &args.label {
        Some(label) => label.clone(),
        None => label(setup::named_agent(&options)?.name(), &options),
    };
    Ok(options)
}

/// The chosen checkpoints by problem.
fn steps(args: &Run) -> anyhow::Result<BTreeMap<String, Vec<String>>> {
    if !args.steps.is_empty() && Start::from(args.start) == Start::Own {
        bail!(
            "--step needs a start that does not depend on other checkpoints\nhelp: add --start reference"
        );
    }
    let mut steps: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (problem, checkpoint) in &args.steps {
        steps
            .entry(problem.clone())
            .or_default()
            .push(checkpoint.clone());
    }
    Ok(steps)
}

/// Refuses a cap in dollars if the prices are unknown, before anything is planned.
fn check_prices(options: &RunOptions) -> anyhow::Result<()> {
    let table = setup::price_table(options)?;
    let caps = [options.caps, options.trial_caps, options.run_caps];
    let priced = options.prices.is_some()
        || matches!(options.upstream, UpstreamPlan::Script(_))
        || table.knows(&options.model, jiff::Zoned::now().date());
    if caps.iter().any(|caps| caps.usd.is_some()) && !priced {
        bail!(
            "a cap in dollars needs prices, and slope knows none for the model {:?}\n\
             help: add --prices IN,OUT[,READ,WRITE] or --price-file FILE",
            options.model
        );
    }
    Ok(())
}

/// Model name passed to the agent: the requested one, or that of the script.
fn model(args: &Run) -> anyhow::Result<String> {
    match (&args.model, &args.upstream.script) {
        (Some(model), _) => Ok(model.clone()),
        (None, Some(script)) => Ok(LoadedScript::load(script)?.script().model.clone()),
        (None, None) => Ok(String::new()),
    }
}

/// Applies arguments that several commands share.
pub(crate) fn apply(
    options: &mut RunOptions,
    isolation: &Isolation,
    grading: &Grading,
) -> anyhow::Result<()> {
    options.unconfined = isolation.no_sandbox;
    environment(options, isolation)?;
    options.python = absolute(isolation.python.as_deref())?;
    options.offline = grading.offline;
    if let Some(folder) = grading.wheels.as_deref().filter(|folder| !folder.is_dir()) {
        bail!("--wheels {}: no such directory", folder.display());
    }
    options.wheels = absolute(grading.wheels.as_deref())?;
    options.suite_timeout_s = grading.suite_timeout;
    options.stability = match grading.stability {
        Some(Stability::Off) => StabilityPlan::Off,
        Some(Stability::Failing) | None => StabilityPlan::Failing,
        Some(Stability::All) => StabilityPlan::All,
    };
    Ok(())
}

/// Loads the environment file, if one is named.
pub(crate) fn environment(options: &mut RunOptions, isolation: &Isolation) -> anyhow::Result<()> {
    if let Some(file) = &isolation.environment {
        options.environment = Environment::load(file)?;
    }
    if isolation.no_sandbox {
        options.environment = Environment::default();
    }
    let limits = &options.environment.limits;
    options.memory = limits.memory.unwrap_or(options.memory);
    options.processes = limits.processes.unwrap_or(options.processes);
    options.disk = limits.disk.unwrap_or(options.disk);
    Ok(())
}

fn upstream(args: &Run) -> anyhow::Result<UpstreamPlan> {
    if let Some(run) = &args.upstream.replay {
        return Ok(UpstreamPlan::Replay(std::path::absolute(run)?));
    }
    Ok(match (&args.upstream.script, &args.upstream.upstream) {
        (Some(script), _) => UpstreamPlan::Script(std::path::absolute(script)?),
        (None, Some(url)) => UpstreamPlan::Http {
            base_url: url.clone(),
            key_env: args.upstream.key_env.clone(),
        },
        (None, None) => UpstreamPlan::None,
    })
}

/// Template name or path. A path is made absolute, so that a run can be resumed from any directory.
fn prompt(name: &str) -> anyhow::Result<String> {
    if slope_problem::Prompt::names()
        .iter()
        .any(|known| known == name)
    {
        return Ok(name.to_owned());
    }
    Ok(std::path::absolute(name)?.to_string_lossy().into_owned())
}

/// Label of a run whose user chose none.
fn label(agent: &str, options: &RunOptions) -> String {
    let RunOptions {
        model,
        intervention,
        track,
        one_conversation,
        ..
    } = options;
    let mut words = vec![agent];
    words.extend((!model.is_empty()).then_some(model.as_str()));
    words.extend((*intervention != Intervention::None).then_some(intervention.name()));
    words.extend((*track != TrackName::Python).then_some(track.name()));
    words.extend(one_conversation.then_some("one conversation"));
    words.join(" ")
}

fn intervention(arm: args::Arm) -> Intervention {
    match arm {
        args::Arm::None => Intervention::None,
        args::Arm::AntiSlop => Intervention::AntiSlop,
        args::Arm::PlanFirst => Intervention::PlanFirst,
        args::Arm::Hooks => Intervention::Hooks,
    }
}

/// The prompt that was named, or that of the arm; an arm that is a prompt takes no other.
fn arm_prompt(args: &Run, arm: Intervention) -> anyhow::Result<String> {
    let is_prompt = matches!(arm, Intervention::AntiSlop | Intervention::PlanFirst);
    match &args.prompt {
        Some(prompt) if is_prompt && prompt != arm.prompt() => bail!(
            "--intervention {} has its own prompt\nhelp: remove --prompt {prompt}",
            arm.name()
        ),
        Some(prompt) => Ok(prompt.clone()),
        None => Ok(arm.prompt().to_owned()),
    }
}

/// Names of the agents with a feature.
fn agents_with(feature: impl Fn(&dyn Agent) -> bool) -> Vec<&'static str> {
    let names = slope_agent::known().map(|(name, _)| name);
    let has = |name: &&str| {
        let agent = slope_agent::by_name(name, &AgentOptions::default());
        agent.is_ok_and(|agent| feature(agent.as_ref()))
    };
    names.filter(has).collect()
}

/// Refuses what an agent cannot do, before anything is installed.
fn check_features(options: &RunOptions, agent: &dyn Agent) -> anyhow::Result<()> {
    check_hooks(options, agent)?;
    check_conversation(options, agent)
}

/// Refuses the hooks arm for an agent without hooks.
fn check_hooks(options: &RunOptions, agent: &dyn Agent) -> anyhow::Result<()> {
    if options.intervention == Intervention::Hooks && agent.hooked().is_none() {
        bail!(
            "the agent {} runs no hooks\nhelp: use --intervention hooks with one of {}",
            agent.name(),
            agents_with(|agent| agent.hooked().is_some()).join(", ")
        );
    }
    Ok(())
}

/// Refuses one conversation for an agent that cannot continue one.
fn check_conversation(options: &RunOptions, agent: &dyn Agent) -> anyhow::Result<()> {
    if !options.one_conversation {
        return Ok(());
    }
    if options.start == Start::Reference {
        bail!(
            "--one-conversation needs the agent's own code of the checkpoint before\n\
             help: remove --start reference"
        );
    }
    if agent.conversation_files().is_empty() {
        bail!(
            "the agent {} cannot continue a conversation\nhelp: use --one-conversation with one of {}, or with an agent whose file has [conversation]",
            agent.name(),
            agents_with(|agent| !agent.conversation_files().is_empty()).join(", ")
        );
    }
    Ok(())
}

fn absolute(path: Option<&Path>) -> anyhow::Result<Option<PathBuf>> {
    path.map(std::path::absolute)
        .transpose()
        .map_err(Into::into)
}

/// `slope-runs/TIME-NAME` in the current directory.
pub(crate) fn default_dir(name: &str) -> PathBuf {
    let now = jiff::Zoned::now().strftime("%Y%m%d-%H%M%S");
    PathBuf::from("slope-runs").join(format!("{now}-{name}"))
}

/// Reads `IN,OUT[,READ,WRITE]`. Cache prices default to the input's.
fn prices(text: &str) -> anyhow::Result<Prices> {
    let numbers: Vec<f64> = text
        .split(',')
        .map(|part| {
            part.trim()
                .parse::<f64>()
                .ok()
                .filter(|n| n.is_finite() && *n >= 0.0)
        })
        .collect::<Option<_>>()
        .with_context(|| {
            format!("invalid --prices {text}\nhelp: give US dollars per million tokens as IN,OUT[,READ,WRITE]")
        })?;
    match numbers[..] {
        [input, output] => Ok(Prices {
            input,
            cache_read: input,
            cache_write: input,
            cache_write_1h: None,
            output,
        }),
        [input, output, cache_read, cache_write] => Ok(Prices {
            input,
            cache_read,
            cache_write,
            cache_write_1h: None,
            output,
        }),
        _ => bail!("invalid --prices {text}\nhelp: give two numbers or four, IN,OUT[,READ,WRITE]"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_take_two_or_four_numbers() {
        assert!((prices("3,15").unwrap().cache_read - 3.0).abs() < f64::EPSILON);
        assert!((prices("3, 15, 0.3, 3.75").unwrap().cache_write - 3.75).abs() < f64::EPSILON);
        for bad in ["", "3", "3,x", "3,-1", "1,2,3", "nan,1"] {
            assert!(prices(bad).is_err(), "{bad}");
        }
    }
}
