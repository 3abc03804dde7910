//! The agents that the tests run for real, one row for each, and a script that all of them can follow.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use slope_model::script::{Script, Turn};
use slope_model::usage::Tokens;

use crate::common::{self, text};

/// Checkpoints that each agent completes.
pub(crate) const CHECKPOINTS: u32 = 2;

/// What an agent is installed with.
#[derive(Clone, Copy)]
pub(crate) enum Installer {
    None,
    Npm,
    Pip,
}

impl Installer {
    /// Whether it is here; says so if not.
    pub(crate) fn is_here(self) -> bool {
        let command: &[&str] = match self {
            Self::None => return true,
            Self::Npm => &["npm", "--version"],
            Self::Pip => &["python3", "-I", "-m", "pip", "--version"],
        };
        let asked = Command::new(command[0]).args(&command[1..]).output();
        let found = asked.is_ok_and(|output| output.status.success());
        if !found {
            println!("\nskipped: {command:?} does not work, so agents cannot be installed");
        }
        found
    }
}

/// An agent.
#[derive(Clone, Copy)]
pub(crate) struct Real {
    /// Name as in `--agent`.
    pub(crate) name: &'static str,
    /// Version that is recorded.
    pub(crate) version: &'static str,
    /// What it is installed with.
    pub(crate) installer: Installer,
    /// The command by which it ends, where words alone are no end to it.
    submit: Option<&'static str>,
}

const fn npm(name: &'static str, version: &'static str) -> Real {
    Real {
        name,
        version,
        installer: Installer::Npm,
        submit: None,
    }
}

pub(crate) const CLAUDE_CODE: Real = npm("claude-code", "2.1.197");
pub(crate) const CODEX: Real = npm("codex", "0.169.0");
pub(crate) const GEMINI: Real = npm("gemini", "0.61.0");
pub(crate) const OPENCODE: Real = npm("opencode", "1.18.33");
pub(crate) const QWEN_CODE: Real = npm("qwen-code", "0.24.4");
pub(crate) const KIMI_CODE: Real = npm("kimi-code", "2.1.0");
pub(crate) const MINI_SWE_AGENT: Real = Real {
    name: "mini-swe-agent",
    version: "2.4.6",
    installer: Installer::Pip,
    submit: Some("echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"),
};
pub(crate) const SLOPE: Real = Real {
    name: "slope",
    version: env!("CARGO_PKG_VERSION"),
    installer: Installer::None,
    submit: None,
};
pub(crate) const COMMAND: Real = Real {
    name: "command",
    version: "unversioned",
    ..SLOPE
};

/// Those that are installed.
pub(crate) const ALL: [Real; 7] = [
    CLAUDE_CODE,
    CODEX,
    GEMINI,
    OPENCODE,
    QWEN_CODE,
    KIMI_CODE,
    MINI_SWE_AGENT,
];

impl Real {
    /// Whether it can be installed here; says so if not.
    pub(crate) fn ready(&self) -> bool {
        self.installer.is_here()
    }

    /// The script `tidy` as this agent can follow it: files are written by one plain command, since some
    /// agents refuse commands with anything that looks like a substitution.
    pub(crate) fn script(&self, problem: &Path, dir: &Path) -> PathBuf {
        let original = common::script(problem, "tidy");
        let folder = original.parent().unwrap();
        let mut script = read(&original);
        for conversation in &mut script.conversations {
            for turn in &mut conversation.turns {
                plain(turn, folder);
            }
            if let (Some(submit), Some(last)) = (self.submit, conversation.turns.last_mut()) {
                last.shell = Some(submit.to_owned());
            }
        }
        let path = dir.join(format!("{}.yaml", self.name));
        // JSON is YAML.
        std::fs::write(&path, serde_json::to_string(&script).unwrap()).unwrap();
        path
    }

    /// Arguments of a run of two checkpoints.
    pub(crate) fn arguments<'a>(
        &self,
        problem: &'a Path,
        script: &'a Path,
        out: &'a Path,
        dir: &Path,
        more: &[&'a str],
    ) -> Vec<&'a str> {
        let mut arguments = vec!["run", text(problem), "--agent", self.name];
        if self.name == "command" {
            let file = dir.join("asks.toml");
            std::fs::write(&file, DESCRIPTION).unwrap();
            let file = file.to_str().unwrap().to_owned().leak();
            arguments.extend(["--agent-config", file]);
        }
        arguments.extend(["--model", "scripted-tidy", "--script", text(script)]);
        arguments.extend(["--checkpoints", "2", "--timeout", "300"]);
        arguments.extend(["--out", text(out), "--format", "json", "--quiet"]);
        arguments.extend(more);
        arguments
    }
}

/// Writes JSON that is given in hexadecimal digits, of names and texts, as files.
const WRITE: &str = "import json, sys; [open(name, 'w').write(text) \
     for name, text in json.loads(bytes.fromhex(sys.argv[1])).items()]";

fn plain(turn: &mut Turn, folder: &Path) {
    if turn.shell.take().is_some() {
        turn.shell = Some("ls -la".to_owned());
    }
    let Some(put) = turn.put.take() else { return };
    let mut files = BTreeMap::new();
    for entry in std::fs::read_dir(folder.join(put)).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        files.insert(name, std::fs::read_to_string(path).unwrap());
    }
    let mut digits = String::new();
    for byte in serde_json::to_vec(&files).unwrap() {
        write!(digits, "{byte:02x}").unwrap();
    }
    let remove = std::mem::take(&mut turn.remove);
    let remove: String = remove
        .iter()
        .map(|file| format!("rm -f {file}; "))
        .collect();
    turn.shell = Some(format!("{remove}python3 -c \"{WRITE}\" {digits}"));
}

fn read(path: &Path) -> Script {
    serde_saphyr::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Tokens of the script's turns for the first checkpoints.
pub(crate) fn scripted(path: &Path) -> Tokens {
    let mut sum = Tokens::default();
    for conversation in &read(path).conversations {
        if conversation.checkpoint.is_some_and(|c| c <= CHECKPOINTS) {
            conversation.turns.iter().for_each(|turn| sum += turn.usage);
        }
    }
    sum
}

/// An agent of a few lines, as a user would describe one.
const DESCRIPTION: &str = r#"
name = "asks"
dialect = "chat"
argv = ["python3", "/home/user/asks.py", "{prompt_file}", "{model}"]
[env]
BASE = "{gateway_url}/v1/chat/completions"
KEY = "{token}"
[home_files]
"asks.py" = '''
import json, os, subprocess, sys, urllib.request
tool = {"type": "function", "function": {"name": "bash", "parameters": {
    "type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]}}}
said = [{"role": "user", "content": open(sys.argv[1]).read()}]
while True:
    body = json.dumps({"model": sys.argv[2], "messages": said, "tools": [tool]}).encode()
    head = {"authorization": "Bearer " + os.environ["KEY"], "content-type": "application/json"}
    asked = urllib.request.Request(os.environ["BASE"], body, head)
    reply = json.load(urllib.request.urlopen(asked))["choices"][0]["message"]
    said.append(reply)
    if not reply.get("tool_calls"):
        break
    for call in reply["tool_calls"]:
        command = json.loads(call["function"]["arguments"])["command"]
        done = subprocess.run(command, shell=True, capture_output=True, text=True)
        said.append({"role": "tool", "tool_call_id": call["id"], "content": done.stdout})
'''
"#;
