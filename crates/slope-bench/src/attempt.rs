//! One agent invocation on one checkpoint: prompt, sandbox, gateway, snapshot.

pub(crate) mod conversation;
mod deadline;
mod ending;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use slope_agent::{Conclusion, Launch, LaunchContext, Process, Program};
use slope_gateway::{AttemptRecord, TrajectoryOf};
use slope_model::error_text::one_line;
use slope_model::integrity::Sighting;
use slope_model::problem::Checkpoint;
use slope_model::run::{Attempt, AttemptState, Cause, Spans};
use slope_model::usage::{ModelCost, Usage};
use slope_problem::PromptContext;
use slope_sandbox::Outcome;
use slope_sandbox::spec::{Command, Limits, Network, Spec, Volume};
use slope_store::ignore::Ignore;
use slope_store::snapshot::Imported;
use slope_store::{Error as StoreError, atomic};
use slope_suite::track::TOOLS;

use crate::coordinator::Place;
use crate::intervention::{self, Intervention};
use crate::layout::{LOG, scratch, trial_name};
use crate::state::none_used;
use crate::trial::{Carried, Stopwatch, Trial};
use crate::{Error, pack, sightings, steps};

/// Path of the workspace inside the sandbox.
const WORKSPACE: &str = "/workspace";
/// Path of the home folder inside the sandbox.
const HOME: &str = "/home/user";
/// Path inside the sandbox of `python` and `python3`, whatever the host calls its interpreter.
const PYTHON: &str = "/opt/python";
/// Maximum size of a track's tools in bytes.
const TOOLS_SIZE: u64 = 256 << 20;
/// Port of the gateway, inside.
const PORT: u16 = 8787;
/// Port of the egress proxy inside the sandbox.
const PROXY_PORT: u16 = 8788;
/// Log of the egress proxy, in the attempt's folder.
const EGRESS_LOG: &str = "egress.jsonl";
/// Name of the archive with the home as the agent left it.
const HOME_AFTER: &str = "home-after.tar";
/// Size of the home in bytes.
const HOME_SIZE: u64 = 1 << 30;

/// What an attempt begins with.
struct Beginning<'a> {
    prompt: &'a str,
    /// Snapshot of the workspace.
    workspace: &'a str,
    /// File with the conversation to continue.
    conversation: Option<&'a Path>,
}

/// Result of one execution of the agent, before it becomes an [`Attempt`].
struct Finished {
    conclusion: Conclusion,
    cause: Cause,
    usage: Usage,
    costs: Vec<ModelCost>,
    tools: Vec<String>,
    notes: Vec<String>,
    integrity: Vec<Sighting>,
    duration_s: f64,
    snapshot: Option<String>,
    spans: Spans,
}

impl Trial<'_> {
    /// Runs one attempt. A harness failure that concerns only this attempt becomes the attempt's
    /// state.
    pub(crate) fn attempt(
        &self,
        checkpoint: &Checkpoint,
        number: u32,
        carried: &Carried,
    ) -> Result<Attempt, Error> {
        let mut laps = Stopwatch::start();
        let place = Place {
            checkpoint: checkpoint.name.clone(),
            index: checkpoint.index,
            number,
        };
        let folder = self.attempt_dir(checkpoint, number);
        let mut prompt = self.run.plan.prompt.render(&PromptContext {
            spec: checkpoint.spec.clone(),
            is_continuation: checkpoint.index > 1 || checkpoint.goals.is_some(),
            entry_file: self.problem.entry_file.clone(),
        })?;
        if self.run.plan.options.show_deadline {
            prompt.push_str(&deadline::in_prompt(self.run.plan.options.timeout_s));
        }
        atomic::write(&folder.join("prompt.md"), prompt.as_bytes())?;
        let start = self.starting_workspace(carried.snapshot.as_deref())?;
        let prepared = laps.lap();
        let beginning = Beginning {
            prompt: &prompt,
            workspace: &start,
            conversation: carried.conversation.as_deref(),
        };
        let mut finished = match self.run_agent(&place, &beginning, &folder) {
            Ok(finished) => finished,
            Err(error) if concerns_attempt(&error) => failed(&error, &folder),
            Err(error) => return Err(error),
        };
        *finished.spans.entry("prepare_s".to_owned()).or_default() += prepared;
        Ok(Attempt {
            checkpoint: checkpoint.name.clone(),
            number,
            state: finished.conclusion.state,
            cause: Some(finished.cause),
            reason: finished.conclusion.reason,
            usage: finished.usage,
            reported: finished.conclusion.reported,
            costs: finished.costs,
            duration_s: finished.duration_s,
            snapshot: finished.snapshot,
            start: steps::starts_anew(checkpoint, self.run.plan.config.start).then_some(start),
            prompt_hash: blake3::hash(prompt.as_bytes()).to_hex()[..32].to_owned(),
            tools: finished.tools,
            notes: finished.notes,
            integrity: finished.integrity,
            spans: finished.spans,
        })
    }

    /// The carried workspace, with the assets that the spec promises where they are missing.
    fn starting_workspace(&self, carried: Option<&str>) -> Result<String, Error> {
        let assets: Vec<(String, PathBuf)> = self
            .problem
            .static_assets
            .iter()
            .map(|a| (a.save_path.to_string_lossy().into_owned(), a.source.clone()))
            .collect();
        Ok(self.run.plan.dir.snapshots().overlay(carried, &assets)?)
    }

    fn run_agent(
        &self,
        place: &Place,
        beginning: &Beginning<'_>,
        folder: &Path,
    ) -> Result<Finished, Error> {
        let token = slope_gateway::random_token()
            .map_err(StoreError::io("cannot read random bytes for", folder))?;
        let solutions = self.run.plan.options.track.solutions();
        let reference = slope_problem::solution_in(self.problem, &solutions, &place.checkpoint);
        let workspace = Path::new(WORKSPACE);
        let hooks = self.run.plan.options.intervention.hooks(workspace);
        let launch = self.run.agent.launch(&LaunchContext {
            prompt: beginning.prompt,
            model: &self.run.plan.options.model,
            gateway_url: &format!("http://127.0.0.1:{PORT}"),
            token: &token,
            installed: self.run.installed,
            workspace,
            home: Path::new(HOME),
            reference_solution: reference.as_deref(),
            hooks: hooks.as_ref(),
            continues: beginning.conversation.is_some(),
        })?;
        match launch {
            Launch::Nothing => Ok(Finished::without_process(
                beginning.workspace.to_owned(),
                Vec::new(),
            )),
            Launch::LayDown { from } => {
                let imported = self
                    .run
                    .plan
                    .dir
                    .snapshots()
                    .import_dir(&from, &Ignore::default())?;
                let laid = self.starting_workspace(Some(&imported.id))?;
                Ok(Finished::without_process(laid, imported.left_out))
            }
            Launch::Process(process) => {
                let mut finished = self.run_process(place, &process, token, beginning, folder)?;
                let mut laps = Stopwatch::start();
                let id = format!(
                    "{}/{}/{}",
                    trial_name(self.key),
                    place.checkpoint,
                    folder_name(folder)
                );
                finished.notes.extend(self.write_trajectory(folder, &id));
                *finished.spans.entry("conclude_s".to_owned()).or_default() += laps.lap();
                Ok(finished)
            }
        }
    }

    /// Writes the attempt's trajectory next to its log. Returns the reason if that fails.
    fn write_trajectory(&self, folder: &Path, id: &str) -> Option<String> {
        let log = folder.join(LOG);
        if !log.exists() {
            return None;
        }
        let of = TrajectoryOf {
            agent: &self.run.plan.config.agent,
            version: &self.run.plan.config.agent_version,
            model: &self.run.plan.options.model,
            id,
        };
        let written = slope_gateway::trajectory(&log, &of)
            .map_err(|error| one_line(&error))
            .and_then(|trajectory| {
                let text = format!("{trajectory:#}\n");
                atomic::write(&folder.join("trajectory.json"), text.as_bytes())
                    .map_err(|error| one_line(&error))
            });
        written
            .err()
            .map(|why| format!("no trajectory was written: {why}"))
    }

    /// Runs the agent's process in a sandbox that reaches nothing but the gateway.
    fn run_process(
        &self,
        place: &Place,
        process: &Process,
        token: String,
        beginning: &Beginning<'_>,
        folder: &Path,
    ) -> Result<Finished, Error> {
        let mut laps = Stopwatch::start();
        let mut spans = Spans::new();
        let base = scratch(self.run.plan);
        std::fs::create_dir_all(&base).map_err(StoreError::io("cannot create", &base))?;
        let scratch =
            tempfile::tempdir_in(&base).map_err(StoreError::io("cannot create", &base))?;
        let spec = self.spec(process, beginning, scratch.path(), folder)?;
        spans.insert("prepare_s".to_owned(), laps.lap());
        let mut running = self.run.machine.runtime.start(&spec)?;
        let began = Instant::now();
        spans.insert("start_s".to_owned(), laps.lap());
        self.coordinator.at_work(self.key, Some(running.killer()));
        let listener = running.take_listener();
        if let (Some(_), Some(listener)) = (self.run.agent.dialect(), listener) {
            self.coordinator.serve(self.key, place, listener, token)?;
        }
        let egress = self.egress(running.take_listener(), folder)?;
        let outcome = running.wait();
        let egress = egress.map(slope_egress::Serving::finish);
        self.coordinator.at_work(self.key, None);
        let since = began.elapsed();
        let wall = outcome.as_ref().map_or(since, |outcome| {
            Duration::try_from_secs_f64(outcome.wall_s).unwrap_or(since)
        });
        let record = self
            .coordinator
            .served(self.key, since.saturating_sub(wall))?;
        let outcome = outcome?;
        let collect = laps.lap() - outcome.wall_s;
        spans.insert("collect_s".to_owned(), collect.max(0.0));
        let imported = self.collected(&outcome, &scratch.path().join("after.tar"))?;
        spans.insert("snapshot_s".to_owned(), laps.lap());
        let is_kept = imported.is_some() && self.run.plan.options.one_conversation;
        let (conclusion, cause) = self.conclude(&spec, &outcome, &record, beginning);
        let execution = Execution {
            outcome: &outcome,
            record,
            egress: egress.as_ref(),
            imported,
        };
        let mut finished = execution.finished(conclusion, cause);
        if is_kept {
            let files = self.run.agent.conversation_files();
            let home = scratch.path().join(HOME_AFTER);
            let note = conversation::keep(&home, &files, folder)?;
            finished.notes.extend(note);
        }
        if finished.cause == Cause::Completed
            && finished.snapshot.as_deref() == Some(beginning.workspace)
        {
            finished.cause = Cause::NoOp;
        }
        spans.insert("conclude_s".to_owned(), laps.lap());
        Ok(Finished { spans, ..finished })
    }

    /// Starts the egress proxy, if the environment lists any hosts.
    fn egress(
        &self,
        listener: Option<TcpListener>,
        folder: &Path,
    ) -> Result<Option<slope_egress::Serving>, Error> {
        let (Some(network), Some(listener)) =
            (&self.run.plan.options.environment.network, listener)
        else {
            return Ok(None);
        };
        let rules = network.rules()?;
        let log = folder.join(EGRESS_LOG);
        let serving = slope_egress::serve(listener, rules, &log);
        Ok(Some(serving.map_err(StoreError::io(
            "cannot serve the proxy of",
            &log,
        ))?))
    }

    /// Imports the collected workspace; `None` if the kernel killed the sandbox.
    fn collected(&self, outcome: &Outcome, tar: &Path) -> Result<Option<Imported>, Error> {
        if outcome.is_sandbox_killed() {
            return Ok(None);
        }
        let file = File::open(tar).map_err(StoreError::io("cannot read", tar))?;
        let snapshots = self.run.plan.dir.snapshots();
        let imported = snapshots.import_tar(BufReader::new(file), &Ignore::default())?;
        Ok(Some(imported))
    }

    fn spec(
        &self,
        process: &Process,
        beginning: &Beginning<'_>,
        scratch: &Path,
        folder: &Path,
    ) -> Result<Spec, Error> {
        let before = scratch.join("before.tar");
        self.run
            .plan
            .dir
            .snapshots()
            .export_tar_file(beginning.workspace, &before)?;
        let home = scratch.join("home.tar");
        pack::home(&home, &process.home_files, beginning.conversation)?;
        let options = &self.run.plan.options;
        let python = scratch.join("python.tar");
        let mut env = process.env.clone();
        if options.show_deadline {
            env.extend(deadline::variables(options.timeout_s));
        }
        env.insert("PATH".to_owned(), self.python_first(&env, &python)?);
        if options.environment.network.is_some() {
            env.extend(proxy_env());
        }
        let (tools, mut binds) = self.run.tools.provide(&process.binds)?;
        binds.extend(self.run.machine.interpreter.bind.clone());
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
        if options.one_conversation {
            volumes[1].collect = Some(scratch.join(HOME_AFTER));
        }
        let mut spec = Spec {
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
            network: match options.environment.network {
                Some(_) => Network::Listeners(PORT, PROXY_PORT),
                None => Network::Listener(PORT),
            },
            limits: self.limits(),
            enclosure: None,
            stdout: folder.join("stdout.log"),
            stderr: folder.join("stderr.log"),
        };
        self.show_toolchain(&mut spec)?;
        Ok(spec)
    }

    fn limits(&self) -> Limits {
        let options = &self.run.plan.options;
        Limits {
            wall: Duration::from_secs(options.timeout_s),
            memory: options.memory,
            disk: options.disk,
            file_size: options.disk,
            processes: options.processes,
            processors: options.environment.processors(),
            ..Limits::default()
        }
    }

    /// Makes the track's toolchain visible to the agent.
    fn show_toolchain(&self, spec: &mut Spec) -> Result<(), Error> {
        let track = &self.run.machine.track;
        let Some(toolchain) = track.toolchain() else {
            return Ok(());
        };
        spec.binds.extend(toolchain.binds.iter().cloned());
        spec.env.extend(track.toolchain_variables());
        let mut path = track.toolchain_path();
        path.extend(spec.env.remove("PATH"));
        spec.env.insert("PATH".to_owned(), path.join(":"));
        let tools = track.tools(&self.run.machine.cache_dir, self.run.plan.options.offline)?;
        spec.volumes.extend(tools.map(|tools| Volume {
            writable: false,
            shared: true,
            ..volume(TOOLS, tools.tar, TOOLS_SIZE)
        }));
        Ok(())
    }

    /// Read-only volumes for hooks: slope's program, and the workspace as it was before the
    /// attempt.
    fn hook_volumes(&self, before: &Path) -> Result<Vec<Volume>, Error> {
        if self.run.plan.options.intervention != Intervention::Hooks {
            return Ok(Vec::new());
        }
        let base = Volume {
            writable: false,
            ..volume(
                intervention::BASE,
                before.to_owned(),
                self.run.plan.options.disk,
            )
        };
        let program = &self.run.machine.program;
        let program = self.run.tools.program(program, intervention::PROGRAM)?;
        Ok(vec![program, base])
    }

    /// Writes links to the interpreter under both of its usual names. Returns a `PATH` that begins
    /// with their folder.
    fn python_first(&self, env: &BTreeMap<String, String>, tar: &Path) -> Result<String, Error> {
        let interpreter = &self.run.machine.interpreter;
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
}

/// What an execution left.
struct Execution<'a> {
    outcome: &'a Outcome,
    record: AttemptRecord,
    egress: Option<&'a slope_egress::Record>,
    imported: Option<Imported>,
}

impl Execution<'_> {
    /// The result of the execution, with the workspace if there is one.
    fn finished(self, conclusion: Conclusion, cause: Cause) -> Finished {
        let Self {
            outcome,
            record,
            egress,
            imported,
        } = self;
        let (snapshot, left_out) = match imported {
            Some(imported) => (Some(imported.id), imported.left_out),
            None => (None, Vec::new()),
        };
        let of_snapshot = left_out.iter();
        let of_snapshot = of_snapshot.map(|what| format!("left out of the snapshot: {what}"));
        let notes = [
            ending::notes(outcome, &record),
            conclusion.notes.clone(),
            conclusion.differences(&record.usage),
            of_snapshot.collect(),
        ]
        .concat();
        let left_out = [outcome.left_out.clone(), left_out].concat();
        let integrity = sightings::of_attempt(outcome, &record, egress, &left_out);
        Finished {
            conclusion,
            cause,
            integrity,
            usage: record.usage,
            costs: record.costs,
            tools: record.tools,
            notes,
            duration_s: outcome.wall_s,
            snapshot,
            spans: Spans::new(),
        }
    }
}

impl Finished {
    /// Result of an agent that runs no process and uses nothing.
    fn without_process(snapshot: String, left_out: Vec<String>) -> Self {
        let notes = left_out
            .iter()
            .map(|what| format!("left out of the snapshot: {what}"))
            .collect();
        Self {
            conclusion: Conclusion::completed(),
            cause: Cause::Completed,
            usage: Usage {
                cost_usd: Some(0.0),
                ..Usage::default()
            },
            costs: Vec::new(),
            tools: Vec::new(),
            notes,
            integrity: sightings::left_out(&left_out).into_iter().collect(),
            duration_s: 0.0,
            snapshot: Some(snapshot),
            spans: Spans::new(),
        }
    }
}

fn folder_name(folder: &Path) -> std::borrow::Cow<'_, str> {
    folder.file_name().unwrap_or_default().to_string_lossy()
}

/// Variables that send clients to the proxy, but not those of the gateway.
fn proxy_env() -> impl Iterator<Item = (String, String)> {
    let proxy = format!("http://127.0.0.1:{PROXY_PORT}");
    let open = "127.0.0.1,localhost";
    let pairs =
        ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"].map(|n| (n, proxy.clone()));
    let pairs = pairs
        .into_iter()
        .chain(["NO_PROXY", "no_proxy"].map(|n| (n, open.to_owned())));
    pairs.map(|(name, value)| (name.to_owned(), value))
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

/// Whether a failure concerns only this attempt, so that other trials can continue. A coordinator's
/// refusal counts too: if the coordinator itself cannot continue, the worker's next message to it
/// fails as well.
fn concerns_attempt(error: &Error) -> bool {
    matches!(
        error,
        Error::Sandbox(_) | Error::Gateway(_) | Error::Worker(_)
    )
}

fn failed(error: &Error, folder: &Path) -> Finished {
    Finished {
        conclusion: Conclusion::ended(AttemptState::Infrastructure, one_line(error)),
        cause: Cause::Harness,
        // Usage counts however the attempt ended. No log means that no request was made.
        usage: slope_gateway::logged_usage(&folder.join(LOG)).unwrap_or_else(|_| none_used()),
        costs: Vec::new(),
        tools: Vec::new(),
        notes: Vec::new(),
        integrity: Vec::new(),
        duration_s: 0.0,
        snapshot: None,
        spans: Spans::new(),
    }
}
