//! Selection of the Python interpreter, and its binds in a sandbox.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde::Deserialize;
use slope_sandbox::Runtime;
use slope_sandbox::outcome::Exit;
use slope_sandbox::spec::{Bind, Command as Inside, Limits, Network, Spec};

use crate::error::Error;

/// Program that makes the interpreter describe itself.
const QUESTIONS: &str = r#"
import importlib.util, json, os, sys, sysconfig
print(json.dumps({
    "version": list(sys.version_info[:3]),
    "implementation": sys.implementation.name,
    "executable": os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable),
    "prefix": os.path.realpath(sys.base_prefix),
    "abi": sysconfig.get_config_var("SOABI") or "",
    "venv": importlib.util.find_spec("venv") is not None,
    "ensurepip": importlib.util.find_spec("ensurepip") is not None,
}))
"#;

/// Oldest Python version whose programs can be graded.
const OLDEST: (u32, u32) = (3, 8);
/// Oldest Python that the pinned pytest runs on.
const OLDEST_FOR_PYTEST: (u32, u32) = (3, 10);

#[derive(Deserialize)]
struct Answers {
    version: [u32; 3],
    implementation: String,
    executable: PathBuf,
    prefix: PathBuf,
    abi: String,
    venv: bool,
    ensurepip: bool,
}

/// A Python of this machine, resolved to its base: no shim, no virtual environment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interpreter {
    /// The base executable, the same path on the host and inside.
    pub executable: PathBuf,
    /// Its installation's folder.
    pub prefix: PathBuf,
    /// For example `3.11.7`.
    pub version: String,
    /// Distinguishes environments: implementation, version, ABI, path.
    pub identity: String,
    /// Whether the pinned pytest runs on it.
    pub runs_pytest: bool,
    /// Whether it can install packages into an environment.
    pub has_ensurepip: bool,
    /// Bind of a sandbox; `None` for the system's Python.
    pub bind: Option<Bind>,
}

impl Interpreter {
    /// Runs `python`, or the first `python3` on `PATH`, and reads its description of itself.
    ///
    /// The interpreter's answer resolves shims and virtual environments: a wrapper in front of it
    /// has no effect afterwards.
    ///
    /// # Errors
    /// If no interpreter is found or it does not answer, if it is older than 3.8, or if a sandbox
    /// that can see it would see a complete home folder.
    pub fn discover(python: Option<&Path>) -> Result<Self, Error> {
        let asked = python.unwrap_or(Path::new("python3"));
        let failed = |what: String| Error::Python {
            python: asked.display().to_string(),
            what,
        };
        let output = Command::new(asked)
            .args(["-I", "-c", QUESTIONS])
            .stdin(Stdio::null())
            .output()
            .map_err(|e| failed(format!("cannot be started: {e}")))?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(failed(format!("does not answer: {}", said.trim())));
        }
        let answers: Answers = serde_json::from_slice(&output.stdout)
            .map_err(|e| failed(format!("gives an unexpected answer: {e}")))?;
        Self::judge(answers, std::env::home_dir().as_deref()).map_err(failed)
    }

    /// Refuses a Python that the pinned pytest does not run on.
    ///
    /// # Errors
    /// If it is too old.
    pub fn require_pytest(&self) -> Result<(), Error> {
        if self.runs_pytest {
            return Ok(());
        }
        Err(Error::Python {
            python: self.executable.display().to_string(),
            what: format!(
                "has version {}, and pytest suites need at least 3.10",
                self.version
            ),
        })
    }

    /// Checks that sandboxes of `runtime` have the same interpreter, if their system is not this
    /// machine's.
    ///
    /// # Errors
    /// If they have none at the same path, or one of another version.
    pub fn check_inside(&self, runtime: &dyn Runtime) -> Result<(), Error> {
        let scratch = tempfile::tempdir().map_err(Error::io("create", &std::env::temp_dir()))?;
        let executable = self.executable.to_string_lossy().into_owned();
        let spec = Spec {
            command: Inside::Exec(
                [executable.as_str(), "-I", "-c", QUESTIONS]
                    .map(str::to_owned)
                    .into(),
            ),
            workdir: "/".into(),
            env: BTreeMap::new(),
            volumes: Vec::new(),
            binds: self.bind.iter().cloned().collect(),
            network: Network::None,
            limits: Limits {
                wall: Duration::from_secs(60),
                ..Limits::default()
            },
            enclosure: None,
            stdout: scratch.path().join("stdout"),
            stderr: scratch.path().join("stderr"),
        };
        let failed = |what: String| Error::Python {
            python: executable.clone(),
            what: format!(
                "{what}, and sandboxes need the Python of this machine at the same place\n\
                 help: choose another image"
            ),
        };
        let outcome = match runtime.run(&spec) {
            Err(slope_sandbox::Error::Exec { why, .. }) => {
                return Err(failed(format!("does not start in sandboxes ({why})")));
            }
            ran => ran?,
        };
        let read = |path: &Path| std::fs::read_to_string(path).unwrap_or_default();
        if outcome.exit != Exit::Code(0) {
            let said = read(&spec.stderr);
            return Err(failed(format!(
                "does not answer in sandboxes: {}",
                said.trim()
            )));
        }
        let answers: Answers = serde_json::from_str(&read(&spec.stdout))
            .map_err(|e| failed(format!("gives an unexpected answer: {e}")))?;
        let inside = Self::judge(answers, None).map_err(&failed)?;
        if inside.identity == self.identity {
            return Ok(());
        }
        let (here, there) = (&self.version, &inside.version);
        Err(failed(format!(
            "is {here} on this machine and {there} in sandboxes"
        )))
    }

    fn judge(answers: Answers, home: Option<&Path>) -> Result<Self, String> {
        let [major, minor, micro] = answers.version;
        let version = format!("{major}.{minor}.{micro}");
        if (major, minor) < OLDEST {
            return Err(format!(
                "has version {version}, and slope needs at least 3.8"
            ));
        }
        if !answers.venv {
            return Err("has no module `venv`".to_owned());
        }
        let system = answers.executable.starts_with("/usr");
        if !system && home.is_some_and(|home| home.starts_with(&answers.prefix)) {
            return Err(format!(
                "is installed at {}, which a sandbox cannot be shown without your whole home folder",
                answers.prefix.display()
            ));
        }
        let bind = (!system).then(|| Bind {
            source: answers.prefix.clone(),
            target: answers.prefix.clone(),
        });
        let path = answers.executable.display();
        let identity = format!(
            "{}-{version}-{}-{path}",
            answers.implementation, answers.abi
        );
        Ok(Self {
            identity,
            runs_pytest: (major, minor) >= OLDEST_FOR_PYTEST,
            version,
            bind,
            has_ensurepip: answers.ensurepip,
            executable: answers.executable,
            prefix: answers.prefix,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(executable: &str, prefix: &str, version: [u32; 3]) -> Answers {
        Answers {
            version,
            implementation: "cpython".to_owned(),
            executable: executable.into(),
            prefix: prefix.into(),
            abi: "cpython-311-x86_64-linux-gnu".to_owned(),
            venv: true,
            ensurepip: false,
        }
    }

    #[test]
    fn system_python_needs_no_bind() {
        let python =
            Interpreter::judge(answers("/usr/bin/python3.11", "/usr", [3, 11, 2]), None).unwrap();
        assert_eq!((python.bind, python.version.as_str()), (None, "3.11.2"));
    }

    #[test]
    fn other_python_is_bound_except_home() {
        let home = Some(Path::new("/home/ann"));
        let own = Interpreter::judge(
            answers("/home/ann/.py/bin/python3", "/home/ann/.py", [3, 12, 0]),
            home,
        )
        .unwrap();
        assert_eq!(own.bind.unwrap().target, Path::new("/home/ann/.py"));
        let why = Interpreter::judge(
            answers("/home/ann/bin/python3", "/home/ann", [3, 12, 0]),
            home,
        )
        .unwrap_err();
        assert!(why.contains("home folder"), "{why}");
    }

    #[test]
    fn old_python_is_refused() {
        let judge =
            |version| Interpreter::judge(answers("/usr/bin/python3", "/usr", version), None);
        let why = judge([3, 7, 16]).unwrap_err();
        assert!(why.contains("3.8"), "{why}");
        let cases_only = judge([3, 9, 18]).unwrap();
        let why = cases_only.require_pytest().unwrap_err().to_string();
        assert!(why.contains("3.10") && why.contains("--python"), "{why}");
        assert!(judge([3, 10, 0]).unwrap().require_pytest().is_ok());
    }

    #[test]
    fn discovered_python_is_absolute_or_explained() {
        match Interpreter::discover(None) {
            Ok(python) => assert!(python.executable.is_absolute() && python.executable.exists()),
            Err(why) => println!("skipped: {why}"),
        }
        let missing = Interpreter::discover(Some(Path::new("/nonexistent/python"))).unwrap_err();
        assert!(missing.to_string().contains("--python"), "{missing}");
    }
}
