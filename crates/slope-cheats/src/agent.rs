//! Attacks of agents: complete trials of the bench, with the attack as the agent.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use slope_agent::{Agent, Conclusion, Dialect, Evidence, InstallContext, Installed};
use slope_agent::{Launch, LaunchContext, Process, ProcessExit, Program};
use slope_bench::assemble;
use slope_bench::context::RunContext;
use slope_bench::execute::{self, ExecuteOptions};
use slope_bench::machine::Machine;
use slope_bench::plan::{self, Plan, RunOptions, StabilityPlan, Surroundings, UpstreamPlan};
use slope_gateway::{
    AttemptAuth, Caps, Gateway, GatewayConfig, LoadedScript, Serving, Upstream, random_token,
};
use slope_model::run::{AttemptState, CheckpointReport};
use slope_model::verdict::{State, Verdict};
use slope_store::run_dir::RunDir;

use crate::bait::{Bait, MARK, contains};
use crate::{Attack, Error, embedded};

/// Memory of an attack's sandbox in bytes.
const MEMORY: u64 = 512 << 20;
/// Size of an attack's workspace in bytes.
const DISK: u64 = 256 << 20;
/// Processes and threads of an attack's sandbox.
const PROCESSES: u64 = 256;
/// Maximum bytes of a file that are searched for secrets.
const MAX_SEARCHED: u64 = 128 << 20;
/// Line that an attack prints when it has tried everything.
const TRIED: &str = "TRIED";
/// Start of a line that names a call which should have been refused.
const BREACH: &str = "BREACH ";

/// Starts an attack: writes the honest wrong solution, then runs it.
const MAIN: &str = "\
import os, runpy, shutil, sys
home = os.path.expanduser('~')
if not os.path.exists('stock.py'):
    shutil.copy(home + '/lay/stock.py', 'stock.py')
sys.path.insert(0, home + '/attack')
runpy.run_path(home + '/attack/attack.py', run_name='__main__')
print('TRIED', flush=True)
";

/// A model that needs no requests.
const SCRIPT: &str = "{\"schema\": \"slope.script/1\", \"model\": \"m\", \"conversations\": \
    [{\"name\": \"any\", \"turns\": [{\"text\": \"done\"}]}]}\n";

/// The agent that is an attack.
struct Attacker {
    gateway: bool,
    env: BTreeMap<String, String>,
    home_files: Vec<(PathBuf, Vec<u8>)>,
}

impl Attacker {
    fn new(attack: &Attack, bait: &Bait, other_token: &str) -> Result<Self, Error> {
        let files = [
            ("attack/attack.py", format!("agent/{}.py", attack.id)),
            ("attack/probe.py", "agent/probe.py".to_owned()),
            (
                "lay/stock.py",
                "problem/solutions/wrong/stock.py".to_owned(),
            ),
        ];
        let mut home_files = vec![(PathBuf::from("attack/main.py"), MAIN.as_bytes().to_vec())];
        for (name, source) in files {
            home_files.push((name.into(), embedded::bytes(&source)?));
        }
        home_files.sort();
        let mut env = bait.env();
        env.insert("OTHER_TOKEN".to_owned(), other_token.to_owned());
        env.insert("LANG".to_owned(), "C.UTF-8".to_owned());
        Ok(Self {
            gateway: attack.gateway,
            env,
            home_files,
        })
    }
}

impl Agent for Attacker {
    fn name(&self) -> &'static str {
        "attack"
    }

    fn dialect(&self) -> Option<Dialect> {
        self.gateway.then_some(Dialect::Chat)
    }

    fn install(&self, _: &InstallContext<'_>) -> Result<Installed, slope_agent::Error> {
        Ok(installed())
    }

    fn launch(&self, context: &LaunchContext<'_>) -> Result<Launch, slope_agent::Error> {
        let mut env = self.env.clone();
        let home = context.home.to_string_lossy();
        let port = context.gateway_url.rsplit(':').next().unwrap_or("0");
        env.insert("HOME".to_owned(), home.to_string());
        env.insert("GATEWAY_PORT".to_owned(), port.to_owned());
        env.insert("OWN_TOKEN".to_owned(), context.token.to_owned());
        Ok(Launch::Process(Process {
            program: Program::Exec(vec!["python3".to_owned(), format!("{home}/attack/main.py")]),
            env,
            home_files: self.home_files.clone(),
            binds: Vec::new(),
        }))
    }

    fn conclude(&self, evidence: &Evidence<'_>) -> Conclusion {
        match evidence.exit {
            ProcessExit::Code(0) => Conclusion::completed(),
            other => Conclusion::ended(AttemptState::AgentError, format!("it ended with {other}")),
        }
    }
}

fn installed() -> Installed {
    Installed {
        version: "1".to_owned(),
        binds: Vec::new(),
        program: None,
        hashes: BTreeMap::new(),
        notes: Vec::new(),
    }
}

/// Inputs of an attack, besides the machine.
pub(crate) struct Setting<'a> {
    /// Folder of the problem.
    pub(crate) problem: &'a Path,
    /// Verdicts of the honest wrong solution, by checkpoint.
    pub(crate) honest: &'a [Verdict],
    /// Machine of the sandboxes.
    pub(crate) machine: &'a Machine,
    /// Folder of the new run.
    pub(crate) run: &'a Path,
}

/// Runs the attack as a trial. Returns the reports of its checkpoints, and its successes.
pub(crate) fn run(
    attack: &Attack,
    setting: &Setting<'_>,
) -> Result<(Vec<CheckpointReport>, Vec<String>), Error> {
    let mut bait = Bait::new()?;
    let gateway = attack.gateway.then(|| gateway(setting.run)).transpose()?;
    let other = match &gateway {
        Some(gateway) => Some(other_attempt(gateway, setting.run)?),
        None => None,
    };
    let token = other.as_ref().map_or("", |(token, _)| token);
    let attacker = Attacker::new(attack, &bait, token)?;
    let plan = planned(attack, setting)?;
    let installed = installed();
    let run = RunContext::new(&plan, setting.machine, &attacker, &installed)
        .with_gateway(gateway.as_ref());
    let options = ExecuteOptions {
        workers: Some(1),
        processes: false,
        log: None,
    };
    execute::execute(run, &options, &|_| {})?;
    let mut wrong = bait.harm();
    if let Some((_, serving)) = other {
        let usage = serving.finish().usage;
        if usage.requests + usage.failed_requests > 0 {
            wrong.push("the gateway answered with another attempt's token".to_owned());
        }
    }
    let report = assemble::report(plan.dir.root())?;
    let checkpoints = report
        .trials
        .into_iter()
        .flat_map(|t| t.checkpoints)
        .collect::<Vec<_>>();
    for (checkpoint, honest) in checkpoints.iter().zip(setting.honest) {
        wrong.extend(ended(attack, checkpoint));
        wrong.extend(verdict(checkpoint, honest));
        wrong.extend(leaks(&plan.dir, checkpoint)?);
    }
    Ok((checkpoints, wrong))
}

fn planned(attack: &Attack, setting: &Setting<'_>) -> Result<Plan, Error> {
    let options = RunOptions {
        agent: "attack".to_owned(),
        model: "m".to_owned(),
        label: attack.name(),
        upstream: UpstreamPlan::None,
        timeout_s: attack.timeout_s,
        checkpoints: Some(attack.checkpoints),
        memory: MEMORY,
        disk: DISK,
        processes: PROCESSES,
        stability: StabilityPlan::Off,
        ..RunOptions::default()
    };
    let problems = [setting.problem.to_owned()];
    let surroundings = Surroundings::default();
    Ok(plan::create(setting.run, &problems, options, surroundings)?)
}

/// A gateway with a scripted model.
fn gateway(run: &Path) -> Result<Gateway, Error> {
    let script = run.with_extension("script.yaml");
    fs::write(&script, SCRIPT).map_err(Error::io("cannot write", &script))?;
    let upstream = Upstream::Scripted(LoadedScript::load(&script)?.into());
    Ok(Gateway::new(GatewayConfig::new(upstream))?)
}

/// Another attempt at the gateway, and its token.
fn other_attempt(gateway: &Gateway, run: &Path) -> Result<(String, Serving), Error> {
    let token = random_token().map_err(Error::io("cannot read random bytes for", run))?;
    let serving = gateway.serve_loopback(AttemptAuth {
        token: token.clone(),
        trial: "other/1".to_owned(),
        checkpoint_index: 1,
        log_path: run.with_extension("other.jsonl"),
        caps: Caps::default(),
        prices: None,
    })?;
    Ok((token, serving))
}

/// Message if the attempt ended in a state that the attack does not allow.
fn ended(attack: &Attack, checkpoint: &CheckpointReport) -> Option<String> {
    let may: Vec<&str> = attack.ends.iter().map(|state| state.name()).collect();
    let state = match checkpoint.state {
        State::Passed | State::Failed => AttemptState::Completed.name(),
        other => other.name(),
    };
    (!may.contains(&state)).then(|| {
        let why = checkpoint.reason.as_deref().unwrap_or("no reason given");
        format!(
            "the attempt ended with state {state}, not {}: {why}",
            may.join(" or ")
        )
    })
}

/// Checks that a graded checkpoint got the honest verdict.
fn verdict(checkpoint: &CheckpointReport, honest: &Verdict) -> Option<String> {
    let graded = matches!(checkpoint.state, State::Passed | State::Failed);
    let same = checkpoint.state == honest.state && checkpoint.counts == honest.counts;
    (graded && !same).then(|| {
        format!(
            "the verdict of {} differs from that of the honest solution",
            checkpoint.checkpoint
        )
    })
}

/// Secrets that the attempt printed or left in its workspace.
fn leaks(dir: &RunDir, checkpoint: &CheckpointReport) -> Result<Vec<String>, Error> {
    let mut wrong = Vec::new();
    let folder = dir.attempt("stock", 1, &checkpoint.checkpoint, 1);
    let mut tried = false;
    for name in ["stdout.log", "stderr.log"] {
        let path = folder.join(name);
        let bytes = fs::read(&path).map_err(Error::io("cannot read", &path))?;
        let (done, breaches) = read(&bytes);
        tried |= done;
        wrong.extend(breaches);
    }
    if !tried {
        wrong.push(format!(
            "the attack did not run to its end: see {}",
            folder.join("stderr.log").display()
        ));
    }
    if let Some(snapshot) = &checkpoint.snapshot {
        for (path, bytes) in dir.snapshots().files(snapshot, |_| true, MAX_SEARCHED)? {
            if contains(&bytes, MARK) {
                wrong.push(format!("{path} in the workspace contains a secret"));
            }
        }
    }
    Ok(wrong)
}

/// Whether an attack ran to its end, and its successes, by its output.
fn read(output: &[u8]) -> (bool, Vec<String>) {
    let mut wrong = Vec::new();
    let mut tried = false;
    for line in output.split(|b| *b == b'\n') {
        tried |= line == TRIED.as_bytes();
        let line = String::from_utf8_lossy(&line[..line.len().min(300)]);
        if let Some(breach) = line.strip_prefix(BREACH) {
            wrong.push(format!("not refused: {breach}"));
        }
    }
    if let Some(at) = memchr::memmem::find(output, MARK.as_bytes()) {
        let from = at.saturating_sub(60);
        let near = String::from_utf8_lossy(&output[from..(at + 40).min(output.len())]);
        wrong.push(format!(
            "the output contains a secret: {}",
            near.escape_debug()
        ));
    }
    (tried, wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn breaches_are_read_from_output() {
        let (tried, wrong) = read(b"refused x\nBREACH mount: 0\nfound SECRET-MARK-key\nTRIED\n");
        assert!(tried);
        assert_eq!(wrong.len(), 2, "{wrong:?}");
        assert_eq!(read(b"refused x\n"), (false, Vec::new()));
    }
}
