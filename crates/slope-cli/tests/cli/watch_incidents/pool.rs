//! Results of scripted assistants, each made by a real day of a watch: sandboxes, the gateway, grading, measurement,
//! classes and all. An arm is a way to behave.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use slope_model::watch::{ArmDay, TaskOutcome, TaskRun, WatchDay};

use crate::common::{self, run, stderr, text};
use crate::model_server::{Said, Server};

/// Characters that nobody asked for.
const STRAY: &str = "ชั่วโมง 年月";

/// A way to behave: its name is that of its arm, and of the model that it asks for.
struct Behaviour {
    name: &'static str,
    /// Calls that read before the edit.
    reads: usize,
    /// Command that edits; empty for none.
    edit: &'static str,
    /// Output tokens of each answer, and those of them that are reasoning.
    output: (u64, u64),
    version: &'static str,
}

const RIGHT: Behaviour = Behaviour {
    name: "right",
    reads: 6,
    edit: "answer.py right > /dev/null",
    output: (1300, 800),
    version: "2.0.0",
};

/// Seconds that a tool takes in a stripped environment, where it takes 0.1 s otherwise.
const BEHAVIOURS: [Behaviour; 9] = [
    RIGHT,
    Behaviour {
        name: "omission",
        edit: "answer.py omission > /dev/null",
        ..RIGHT
    },
    Behaviour {
        name: "mutant",
        edit: "answer.py mutant > /dev/null",
        ..RIGHT
    },
    Behaviour {
        name: "none",
        edit: "",
        ..RIGHT
    },
    Behaviour {
        name: "foreign",
        edit: "answer.py foreign",
        ..RIGHT
    },
    Behaviour {
        name: "broken",
        edit: "answer.py broken",
        ..RIGHT
    },
    Behaviour {
        name: "slow",
        version: "2.1.0",
        ..RIGHT
    },
    Behaviour {
        name: "medium",
        reads: 2,
        output: (720, 220),
        ..RIGHT
    },
    Behaviour {
        name: "terse",
        output: (1000, 800),
        ..RIGHT
    },
];

impl Behaviour {
    /// The commands of the answer after `turns` others.
    fn commands(&self, turns: usize) -> Vec<String> {
        let pause = if self.name == "slow" { "0.6" } else { "0.1" };
        match turns {
            0 => (0..self.reads)
                .map(|number| format!("ls | head -{}", number + 1))
                .collect(),
            1 if !self.edit.is_empty() => {
                let stray = match self.name {
                    "foreign" | "broken" => STRAY,
                    _ => "",
                };
                // Tools that write a file are edits, however they do it.
                vec![format!(
                    "sleep {pause}; touch . && python3 -B /answers/{} '{stray}'",
                    self.edit
                )]
            }
            _ => Vec::new(),
        }
    }

    fn answer(&self, turns: usize) -> Value {
        let calls = self.commands(turns).into_iter().enumerate();
        let calls = calls.map(|(at, command)| {
            json!({
                "id": format!("c{turns}-{at}"), "type": "function",
                "function": {"name": "bash", "arguments": json!({"command": command}).to_string()},
            })
        });
        let calls = Vec::from_iter(calls);
        let mut message = json!({"role": "assistant", "content": "Done."});
        if !calls.is_empty() {
            message["tool_calls"] = json!(calls);
        }
        let finish = if calls.is_empty() {
            "stop"
        } else {
            "tool_calls"
        };
        json!({
            "id": "a", "object": "chat.completion", "created": 1, "model": "m-2026-10-01",
            "choices": [{"index": 0, "finish_reason": finish, "message": message}],
            "usage": {
                "prompt_tokens": 3000 * (turns + 1), "completion_tokens": self.output.0,
                "total_tokens": 0, "completion_tokens_details": {"reasoning_tokens": self.output.1},
            },
        })
    }
}

/// A server of a model that behaves as its name says.
fn server() -> Server {
    Server::start(|_, body| {
        let request: Value = serde_json::from_str(body).unwrap();
        let mut known = BEHAVIOURS.iter();
        let behaviour = known.find(|one| request["model"] == one.name).unwrap();
        let messages = request["messages"].as_array().unwrap().iter();
        let turns = messages.filter(|message| message["role"] == "assistant");
        Said::Whole(200, behaviour.answer(turns.count()).to_string())
    })
}

/// Results of each behaviour on each task.
pub(super) struct Pool {
    pub(super) day: WatchDay,
    pub(super) tasks: Vec<String>,
}

impl Pool {
    /// The pool in the file that `SLOPE_TEST_WATCH_POOL` names. If there is none, it is made, and kept there.
    pub(super) fn kept(whole: bool) -> Self {
        let Some(file) = std::env::var_os("SLOPE_TEST_WATCH_POOL").map(PathBuf::from) else {
            return Self::make(whole);
        };
        if !file.exists() {
            let made = Self::make(whole);
            std::fs::write(file, serde_json::to_vec(&made.day).unwrap()).unwrap();
            return made;
        }
        let day: WatchDay = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
        let tasks = day.arms["right"].tasks.iter();
        let tasks = tasks.map(|run| run.task.clone()).collect();
        Self { day, tasks }
    }

    /// Results of a short list of tasks, or of 50 of the problems that ship with slope.
    fn make(whole: bool) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../problems");
        let answers = dir.path().join("answers");
        let mut problems = Vec::new();
        let mut tasks = Vec::new();
        if whole {
            tasks = shipped_tasks(&shipped);
            tasks.truncate(50);
        } else {
            problems.push(common::builtin(dir.path()));
            tasks.extend((2..=3).map(|at| format!("python/household-stock/checkpoint_{at}")));
        }
        for (track, folder) in TRACKS {
            for problem in std::fs::read_dir(&shipped).unwrap() {
                let problem = problem.unwrap().path();
                let solutions = problem.join(folder);
                if solutions.is_dir() {
                    let name = problem.file_name().unwrap();
                    copy(&solutions, &answers.join(track).join(name));
                }
            }
        }
        std::fs::write(answers.join("answer.py"), include_str!("answer.py")).unwrap();
        std::fs::write(answers.join("client.py"), include_str!("client.py")).unwrap();
        let day = tick(dir.path(), &answers, &problems, &tasks);
        Self { day, tasks }
    }

    pub(super) fn arm(&self, behaviour: &str) -> &ArmDay {
        &self.day.arms[behaviour]
    }

    /// The results of a behaviour on a task.
    pub(super) fn runs<'a>(
        &'a self,
        behaviour: &'a str,
        task: &'a str,
    ) -> impl Iterator<Item = &'a TaskRun> {
        let runs = self.arm(behaviour).tasks.iter();
        runs.filter(move |run| run.task == task)
    }

    /// The result of a right answer to a task, with the amounts of a behaviour.
    pub(super) fn passed(&self, behaviour: &str, task: &str) -> &TaskRun {
        let mut runs = self.arm(behaviour).tasks.iter();
        runs.find(|run| run.task == task && run.outcome == TaskOutcome::Passed)
            .unwrap_or_else(|| panic!("{behaviour}: no right answer to {task}"))
    }
}

/// Languages, with the folders of their solutions.
const TRACKS: [(&str, &str); 2] = [
    ("python", "solutions"),
    ("typescript", "solutions-typescript"),
];

fn shipped_tasks(shipped: &Path) -> Vec<String> {
    let mut tasks = Vec::new();
    for (track, folder) in TRACKS {
        let mut problems = Vec::from_iter(
            std::fs::read_dir(shipped)
                .unwrap()
                .map(|problem| problem.unwrap().path())
                .filter(|problem| problem.join(folder).is_dir()),
        );
        problems.sort();
        for problem in problems {
            let name = problem.file_name().unwrap().to_str().unwrap().to_owned();
            let steps = std::fs::read_dir(problem.join(folder)).unwrap().count();
            tasks.extend((2..=steps).map(|at| format!("{track}/{name}/checkpoint_{at}")));
        }
    }
    tasks
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// Runs a day of a watch with an arm for each behaviour.
fn tick(dir: &Path, answers: &Path, problems: &[PathBuf], tasks: &[String]) -> WatchDay {
    let server = server();
    let folder = dir.join("watch");
    std::fs::create_dir(&folder).unwrap();
    let mut settings = format!(
        "tasks = {tasks:?}\nproblems = {problems:?}\n[baseline]\ndays = 2\nreplicates = 1\n"
    );
    for behaviour in BEHAVIOURS {
        let config = folder.join(format!("client-{}.toml", behaviour.version));
        let argv = json!([
            "/usr/bin/python3",
            "-B",
            "/answers/client.py",
            "{model}",
            "{prompt_file}"
        ]);
        let agent = format!(
            "name = \"client\"\nversion = \"{}\"\ndialect = \"chat\"\nargv = {argv}\n\
             [env]\nMODEL_URL = \"{{gateway_url}}\"\nMODEL_TOKEN = \"{{token}}\"\n\
             [[binds]]\nsource = {answers:?}\ntarget = \"/answers\"\n",
            behaviour.version
        );
        std::fs::write(&config, agent).unwrap();
        let role = if behaviour.name == "right" {
            "target"
        } else {
            "other"
        };
        writeln!(
            settings,
            "[arms.{}]\nrole = \"{role}\"\nagent = \"command\"\nagent-config = {config:?}\nmodel = \"{}\"\n\
             upstream = {:?}\nprices = {{ input = 3.0, output = 15.0 }}",
            behaviour.name, behaviour.name, server.address
        )
        .unwrap();
    }
    std::fs::write(folder.join("watch.toml"), settings).unwrap();
    let date = "2026-01-01";
    let output = run(&["watch", "tick", text(&folder), "--date", date, "--quiet"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let file = folder.join("days").join(date).join("day.json");
    let day = std::fs::read(file).unwrap();
    serde_json::from_slice(&day).unwrap()
}
