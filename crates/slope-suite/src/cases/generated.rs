//! Cases whose inputs come from a program of the suite, and whose outputs another one judges.
//!
//! Both belong to the grader and run as the runner does, outside the nested sandbox of programs
//! under test, in a folder that those cannot see.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use slope_model::cases::{Action, Case, CheckProgram, Generate, Generated};

use super::check;
use super::files::{CaseFolder, Found};
use super::payload::Payload;
use super::program::{Captured, Start, run};
use super::runner::Fault;
use super::steps::StepRecords;

/// The suite's programs inside, hidden from programs under test.
pub(super) const PROGRAMS: &str = "/grader/suite";
/// Digits of an input's hash that are recorded.
const HASH_SHOWN: usize = 16;

/// The input that a seed gave.
pub(super) struct Input {
    pub(super) seed: u64,
    /// Output of the generator.
    pub(super) printed: Value,
    /// The case with its files and steps.
    pub(super) case: Case,
    /// Hash of the generator's output.
    pub(super) hash: String,
}

/// A check's verdict.
#[derive(Debug, Serialize, Deserialize)]
struct Judgement {
    ok: bool,
    #[serde(default)]
    why: String,
}

/// Runs a program of the suite's folder; its standard output.
fn ask(
    payload: &Payload,
    program: &str,
    args: &[String],
    stdin: &str,
    hash_seed: &str,
    limit: Duration,
) -> Result<Captured, Fault> {
    let broken = |why: String| Fault::error(format!("{program} of the suite {why}"));
    let path = format!("{}/{program}", payload.programs.display());
    // Without the program's environment and the user's site packages.
    let fixed = ["-s", "-B", &path].map(str::to_owned);
    let python = [payload.python.clone()];
    let command: Vec<String> = python.into_iter().chain(fixed).collect();
    let ran = run(&Start {
        command: &command,
        args,
        env: BTreeMap::from([("LANG", "C.UTF-8"), ("PYTHONHASHSEED", hash_seed)]),
        folder: Path::new("/"),
        stdin,
        limit,
    });
    let ran = ran.map_err(|why| broken(format!("could not be started: {why}")))?;
    if ran.timed_out {
        return Err(broken(format!(
            "had no end within {} s",
            limit.as_secs_f64()
        )));
    }
    match ran.exit {
        Some(0) if !ran.stdout.cut => Ok(ran.stdout),
        Some(0) => Err(broken("printed too much".to_owned())),
        _ => Err(broken(format!("failed{}", ran.stderr.last_words()))),
    }
}

/// The input of `case` for `seed`.
///
/// With `twice`, it is generated twice, with a different order of sets each time: a generator that
/// depends on anything but its seed is a mistake of the suite.
pub(super) fn input(
    payload: &Payload,
    case: &Case,
    generate: &Generate,
    seed: u64,
    twice: bool,
    limit: Duration,
) -> Result<Input, Fault> {
    let make = |hash_seed: &str| {
        let args = [seed.to_string()];
        ask(payload, &generate.program, &args, "", hash_seed, limit)
    };
    let printed = make("0")?.bytes;
    let program = &generate.program;
    if twice && make("1")?.bytes != printed {
        let why = format!("{program} of the suite prints different inputs for seed {seed}");
        return Err(Fault::error(why));
    }
    let malformed =
        |why: String| Fault::error(format!("{program} of the suite, seed {seed}: {why}"));
    let value: Value = serde_json::from_slice(&printed).map_err(|e| malformed(e.to_string()))?;
    let made: Generated =
        serde_json::from_value(value.clone()).map_err(|e| malformed(e.to_string()))?;
    let asks = made.steps.iter().any(|s| Action::needs_service(s.action()));
    let case = Case {
        files: made.files,
        bytes: made.bytes,
        steps: made.steps,
        generate: None,
        service: case.service.clone().filter(|_| asks),
        ..case.clone()
    };
    check::suite_mistakes(&case).map_err(malformed)?;
    let mut hash = blake3::hash(&printed).to_hex().to_string();
    hash.truncate(HASH_SHOWN);
    Ok(Input {
        seed,
        printed: value,
        case,
        hash,
    })
}

/// Runs `judge`, which decides whether the program's behaviour is right.
pub(super) fn judge(
    payload: &Payload,
    judge: &CheckProgram,
    input: Option<&Input>,
    deeds: &StepRecords,
    folder: &CaseFolder,
    limit: Duration,
) -> Result<(), Fault> {
    let text = |captured: &Captured| String::from_utf8_lossy(&captured.bytes).into_owned();
    let runs = deeds.runs.iter().map(
        |ran| json!({"exit": ran.exit, "stdout": text(&ran.stdout), "stderr": text(&ran.stderr)}),
    );
    let responses = deeds.responses.iter().map(|response| {
        let body = String::from_utf8_lossy(&response.body);
        json!({"status": response.status, "headers": response.headers, "body": body})
    });
    let files = judge.files.iter().map(|path| {
        let content = match folder.read(path) {
            Found::File(bytes) => String::from_utf8_lossy(&bytes).into_owned().into(),
            Found::Nothing | Found::Other(_) => Value::Null,
        };
        (path.clone(), content)
    });
    let told = json!({
        "seed": input.map(|i| i.seed),
        "input": input.map(|i| &i.printed),
        "runs": runs.collect::<Vec<_>>(),
        "responses": responses.collect::<Vec<_>>(),
        "files": files.collect::<serde_json::Map<_, _>>(),
    });
    let said = ask(payload, &judge.program, &[], &told.to_string(), "0", limit)?;
    let judgement: Judgement = serde_json::from_slice(&said.bytes).map_err(|e| {
        let program = &judge.program;
        Fault::error(format!("{program} of the suite printed no judgement: {e}"))
    })?;
    if judgement.ok {
        return Ok(());
    }
    Err(Fault::failed(judgement.why))
}
