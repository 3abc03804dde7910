//! One agent invocation on one checkpoint: prompt, sandbox, gateway, snapshot.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::time::Duration;

use slope_agent::{Conclusion, Evidence, Launch, LaunchContext, Process, ProcessExit, Program};
use slope_gateway::{AttemptAuth, AttemptRecord, TrajectoryOf};
use slope_model::problem::{Checkpoint, Problem};
use slope_model::run::{Attempt, AttemptState};
use slope_model::usage::{ModelCost, Usage};
use slope_problem::PromptContext;
use slope_sandbox::outcome::{Exit, LimitHit, Outcome};
use slope_sandbox::spec::{Command, Limits, Network, Spec, Volume};
use slope_store::ignore::Ignore;
use slope_store::{Error as StoreError, atomic};

use crate::event::TrialKey;
use crate::execute::{Bench, scratch};
use crate::intervention::{self, Intervention};
use crate::{Error, pack};

/// Log of the gateway, in the attempt's folder.
pub(crate) const LOG: &str = "requests.jsonl";
/// Where the workspace is, inside.
const WORKSPACE: &str = "/workspace";
/// Where the home is, inside.
const HOME: &str = "/home/user";
/// Where `python` and `python3` are, inside, whatever this machine calls its interpreter.
const PYTHON: &str = "/opt/python";
/// Port of the gateway, inside.
const PORT: u16 = 8787;
/// Size of the home in bytes.
const HOME_SIZE: u64 = 1 << 30;

/// What an execution of the agent left, before it is made an [`Attempt`].
struct Finished {
    conclusion: Conclusion,
    usage: Usage,
    costs: Vec<ModelCost>,
    tools: Vec<String>,
    notes: Vec<String>,
    duration_s: f64,
    snapshot: Option<String>,
}

impl Bench<'_> {
    /// Runs one attempt. Failures of the harness that concern this attempt alone are a state of it.
    pub(crate) fn attempt(
        &self,
        key: &TrialKey,
        problem: &Problem,
        checkpoint: &Checkpoint,
        number: u32,
        carried: Option<&str>,
    ) -> Result<Attempt, Error> {
        let folder = self
            .plan
            .dir
            .attempt(&key.problem, key.trial, &checkpoint.name, number);
        let prompt = self.plan.prompt.render(&PromptContext {
            spec: checkpoint.spec.clone(),
            is_continuation: checkpoint.index > 1,
            entry_file: problem.entry_file.clone(),
        })?;
        atomic::write(&folder.join("prompt.md"), prompt.as_bytes())?;
        let start = self.starting_workspace(problem, carried)?;
        let finished = match self.run_agent(key, problem, checkpoint, &prompt, &start, &folder) {
            Ok(finished) => finished,
            Err(error) if concerns_attempt(&error) => failed(&error),
            Err(error) => return Err(error),
        };
        Ok(Attempt {
            checkpoint: checkpoint.name.clone(),
            number,
            state: finished.conclusion.state,
            reason: finished.conclusion.reason,
            usage: finished.usage,
            reported: finished.conclusion.reported,
            costs: finished.costs,
            duration_s: finished.duration_s,
            snapshot: finished.snapshot,
            prompt_hash: blake3::hash(prompt.as_bytes()).to_hex()[..32].to_owned(),
            tools: finished.tools,
            notes: finished.notes,
        })
    }

    /// The carried workspace, with the assets that the spec promises where they are missing.
    fn starting_workspace(
        &self,
        problem: &Problem,
        carried: Option<&str>,
    ) -> Result<String, Error> {
        let assets: Vec<(String, PathBuf)> = problem
            .static_assets
            .iter()
            .map(|a| (a.save_path.to_string_lossy().into_owned(), a.source.clone()))
            .collect();
        Ok(self.plan.dir.snapshots().overlay(carried, &assets)?)
    }

    fn run_agent(
        &self,
        key: &TrialKey,
        problem: &Problem,
        checkpoint: &Checkpoint,
        prompt: &str,
        start: &str,
        folder: &Path,
    ) -> Result<Finished, Error> {
        let token = slope_gateway::random_token()
            .map_err(StoreError::io("cannot read random bytes for", folder))?;
        let reference = slope_problem::reference_solution(problem, &checkpoint.name);
        let workspace = Path::new(WORKSPACE);
        let hooks = self.plan.options.intervention.hooks(workspace);
        let launch = self.agent.launch(&LaunchContext {
            prompt,
            model: &self.plan.options.model,
            gateway_url: &format!("http://127.0.0.1:{PORT}"),
            token: &token,
            installed: self.installed,
            workspace,
            home: Path::new(HOME),
            reference_solution: reference.as_deref(),
            hooks: hooks.as_ref(),
        })?;
        match launch {
            Launch::Nothing => Ok(Finished::without_process(start.to_owned(), Vec::new())),
            Launch::LayDown { from } => {
                let imported = self
                    .plan
                    .dir
                    .snapshots()
                    .import_dir(&from, &Ignore::default())?;
                let laid = self.starting_workspace(problem, Some(&imported.id))?;
                Ok(Finished::without_process(laid, imported.left_out))
            }
            Launch::Process(process) => {
                let auth = self.auth(key, checkpoint, token, folder);
                let mut finished = self.run_process(&process, auth, start, folder)?;
                let id = format!(
                    "{}/{}/{}",
                    trial_name(key),
                    checkpoint.name,
                    folder_name(folder)
                );
                finished.notes.extend(self.write_trajectory(folder, &id));
                Ok(finished)
            }
        }
    }

    fn auth(
        &self,
        key: &TrialKey,
        checkpoint: &Checkpoint,
        token: String,
        folder: &Path,
    ) -> AttemptAuth {
        AttemptAuth {
            token,
            trial: trial_name(key),
            checkpoint_index: checkpoint.index,
            log_path: folder.join(LOG),
            caps: self.plan.options.caps.caps(),
            prices: self.plan.options.prices,
        }
    }

    /// Writes the attempt's trajectory beside its log; says why it could not.
    fn write_trajectory(&self, folder: &Path, id: &str) -> Option<String> {
        let log = folder.join(LOG);
        if !log.exists() {
            return None;
        }
        let of = TrajectoryOf {
            agent: &self.plan.config.agent,
            version: &self.plan.config.agent_version,
            model: &self.plan.options.model,
            id,
        };
        let written = slope_gateway::trajectory(&log, &of)
            .map_err(|error| error.to_string())
            .and_then(|trajectory| {
                let text = format!("{trajectory:#}\n");
                atomic::write(&folder.join("trajectory.json"), text.as_bytes())
                    .map_err(|error| error.to_string())
            });
        written
            .err()
            .map(|why| format!("no trajectory was written: {why}"))
    }

    /// Runs the agent's process in a sandbox whose only door is the gateway.
    fn run_process(
        &self,
        process: &Process,
        auth: AttemptAuth,
        start: &str,
        folder: &Path,
    ) -> Result<Finished, Error> {
        let base = scratch(self.plan);
        std::fs::create_dir_all(&base).map_err(StoreError::io("cannot create", &base))?;
        let scratch =
            tempfile::tempdir_in(&base).map_err(StoreError::io("cannot create", &base))?;
        let spec = self.spec(process, start, scratch.path(), folder)?;
        let mut running = self.machine.runtime.start(&spec)?;
        let serving = match (self.gateway, running.take_listener()) {
            (Some(gateway), Some(listener)) => Some(gateway.serve(listener, auth)?),
            _ => None,
        };
        let outcome = running.wait();
        let record = serving
            .map(slope_gateway::Serving::finish)
            .unwrap_or_default();
        let outcome = outcome?;
        let collected = scratch.path().join("after.tar");
        let imported = {
            let file = File::open(&collected).map_err(StoreError::io("cannot read", &collected))?;
            self.plan
                .dir
                .snapshots()
                .import_tar(BufReader::new(file), &Ignore::default())?
        };
        let conclusion = self.conclude(&spec, &outcome, &record);
        let mut notes = notes_of(&outcome, &record);
        notes.extend(conclusion.notes.iter().cloned());
        notes.extend(conclusion.differences(&record.usage));
        notes.extend(
            imported
                .left_out
                .iter()
                .map(|what| format!("left out of the snapshot: {what}")),
        );
        Ok(Finished {
            conclusion,
            usage: record.usage,
            costs: record.costs,
            tools: record.tools,
            notes,
            duration_s: outcome.wall_s,
            snapshot: Some(imported.id),
        })
    }

    fn spec(
        &self,
        process: &Process,
        start: &str,
        scratch: &Path,
        folder: &Path,
    ) -> Result<Spec, Error> {
        let before = scratch.join("before.tar");
        self.plan.dir.snapshots().export_tar_file(start, &before)?;
        let home = scratch.join("home.tar");
        pack::private_files(&home, &process.home_files)?;
        let options = &self.plan.options;
        let python = scratch.join("python.tar");
        let mut env = process.env.clone();
        env.insert("PATH".to_owned(), self.python_first(&env, &python)?);
        let (tools, mut binds) = self.tools.provide(&process.binds)?;
        binds.extend(self.machine.interpreter.bind.clone());
        let own = vec![
            volume(WORKSPACE, before.clone(), options.disk),
            volume(HOME, home, HOME_SIZE),
            Volume {
                writable: false,
                shared: true,
                ..volume(PYTHON, python, 1 << 20)
            },
        ];
        let hooks = self.hook_volumes(&before)?;
        let mut volumes = [own, tools, hooks].concat();
        volumes[0].collect = Some(scratch.join("after.tar"));
        Ok(Spec {
            command: match &process.program {
                Program::Exec(argv) => Command::Exec(argv.clone()),
                Program::Builtin { name, payload } => Command::Builtin {
                    name: name.clone(),
                    payload: payload.clone(),
                },
            },
            workdir: WORKSPACE.into(),
            env,
            volumes,
            binds,
            network: Network::Listener(PORT),
            limits: Limits {
                wall: Duration::from_secs(options.timeout_s),
                memory: options.memory,
                file_size: options.disk,
                processes: options.processes,
                ..Limits::default()
            },
            enclosure: None,
            stdout: folder.join("stdout.log"),
            stderr: folder.join("stderr.log"),
        })
    }

    /// What hooks need inside, read-only: slope's program, and the workspace as it was.
    fn hook_volumes(&self, before: &Path) -> Result<Vec<Volume>, Error> {
        if self.plan.options.intervention != Intervention::Hooks {
            return Ok(Vec::new());
        }
        let base = Volume {
            writable: false,
            ..volume(
                intervention::BASE,
                before.to_owned(),
                self.plan.options.disk,
            )
        };
        let program = &self.machine.program;
        let program = self.tools.program(program, intervention::PROGRAM)?;
        Ok(vec![program, base])
    }

    /// Writes links to the interpreter under both of its usual names, and gives a `PATH` that begins with
    /// them.
    fn python_first(&self, env: &BTreeMap<String, String>, tar: &Path) -> Result<String, Error> {
        let interpreter = &self.machine.interpreter;
        let names = ["bin/python", "bin/python3"];
        pack::links(tar, &names, &interpreter.executable)?;
        let bin = interpreter
            .bind
            .as_ref()
            .map(|b| format!("{}/bin", b.target.display()));
        let rest = env
            .get("PATH")
            .cloned()
            .unwrap_or_else(|| slope_agent::INNER_PATH.to_owned());
        Ok([Some(format!("{PYTHON}/bin")), bin, Some(rest)]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(":"))
    }

    /// The adapter's conclusion, overridden by what the sandbox and the gateway know better.
    fn conclude(&self, spec: &Spec, outcome: &Outcome, record: &AttemptRecord) -> Conclusion {
        let mut conclusion = self.agent.conclude(&Evidence {
            exit: match outcome.exit {
                Exit::Code(code) => ProcessExit::Code(code),
                Exit::Signal(signal) => ProcessExit::Signal(signal),
            },
            stdout: &spec.stdout,
            stderr: &spec.stderr,
            stdout_cut: outcome.limits.contains(&LimitHit::Output),
            gateway_requests: record.usage.requests + record.usage.failed_requests,
        });
        if let Some(cap) = &record.budget_hit {
            conclusion.state = AttemptState::Budget;
            conclusion.reason = Some(cap.message.clone());
        } else if outcome.limits.contains(&LimitHit::Wall)
            && let Some(trouble) = &record.infrastructure
        {
            // It waited for its model's server until its time was over.
            conclusion.state = AttemptState::Infrastructure;
            conclusion.reason = Some(format!("the model could not be reached: {trouble}"));
        } else if outcome.limits.contains(&LimitHit::Wall) {
            conclusion.state = AttemptState::Timeout;
            let limit = self.plan.options.timeout_s;
            conclusion.reason = Some(format!("the agent was stopped after {limit} s"));
        } else if conclusion.state == AttemptState::AgentError
            && let Some(trouble) = &record.infrastructure
        {
            // The agent died of what its model's server did; that is no failure of the agent.
            conclusion.state = AttemptState::Infrastructure;
            conclusion.reason = Some(format!("the model could not be reached: {trouble}"));
        } else if conclusion.state == AttemptState::AgentError
            && let Some(error) = record.errors.last()
        {
            let said = conclusion.reason.take().unwrap_or_default();
            conclusion.reason = Some(format!("{said} (gateway: {error})"));
        }
        conclusion
    }
}

impl Finished {
    /// An agent that ran no process and used nothing.
    fn without_process(snapshot: String, left_out: Vec<String>) -> Self {
        let notes = left_out
            .iter()
            .map(|what| format!("left out of the snapshot: {what}"))
            .collect();
        Self {
            conclusion: Conclusion::completed(),
            usage: Usage {
                cost_usd: Some(0.0),
                ..Usage::default()
            },
            costs: Vec::new(),
            tools: Vec::new(),
            notes,
            duration_s: 0.0,
            snapshot: Some(snapshot),
        }
    }
}

/// Name of a trial, as the gateway and its files have it.
pub(crate) fn trial_name(key: &TrialKey) -> String {
    format!("{}/{}", key.problem, key.trial)
}

fn folder_name(folder: &Path) -> std::borrow::Cow<'_, str> {
    folder.file_name().unwrap_or_default().to_string_lossy()
}

/// A writable volume that is filled and not collected.
fn volume(target: &str, fill: PathBuf, size: u64) -> Volume {
    Volume {
        target: target.into(),
        fill: Some(fill),
        collect: None,
        size,
        writable: true,
        shared: false,
    }
}

/// Whether a failure is this attempt's alone, so that other trials can go on.
fn concerns_attempt(error: &Error) -> bool {
    matches!(error, Error::Sandbox(_) | Error::Gateway(_))
}

fn failed(error: &Error) -> Finished {
    Finished {
        conclusion: Conclusion::ended(AttemptState::Infrastructure, error.to_string()),
        usage: Usage::default(),
        costs: Vec::new(),
        tools: Vec::new(),
        notes: Vec::new(),
        duration_s: 0.0,
        snapshot: None,
    }
}

fn notes_of(outcome: &Outcome, record: &AttemptRecord) -> Vec<String> {
    let limits = outcome.limits.iter().map(|limit| {
        let limit = serde_json::to_value(limit).unwrap_or_default();
        format!("limit hit: {}", limit.as_str().unwrap_or("unknown"))
    });
    let leftover = (outcome.leftover_processes > 0).then(|| {
        format!(
            "{} processes were left and killed",
            outcome.leftover_processes
        )
    });
    let left_out = outcome
        .left_out
        .iter()
        .map(|what| format!("left out of the snapshot: {what}"));
    let errors = record
        .errors
        .iter()
        .map(|error| format!("gateway: {error}"));
    limits
        .chain(leftover)
        .chain(left_out)
        .chain(errors)
        .collect()
}
