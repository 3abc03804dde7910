//! A bench to put commands on: specification, run, and what came out.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

use slope_sandbox::{Command, Limits, Network, Outcome, Runtime, Spec, Volume};

/// One sandbox and its files on the host.
pub(crate) struct Bench {
    pub(crate) dir: tempfile::TempDir,
    pub(crate) spec: Spec,
}

/// A run's traces on the host.
pub(crate) struct Ran {
    pub(crate) outcome: Outcome,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Bench {
    /// A bench for a command with one collected volume, `/workspace`.
    pub(crate) fn new(command: Command) -> Self {
        let dir = tempfile::Builder::new()
            .prefix("hostpathmarker")
            .tempdir()
            .unwrap();
        let spec = Spec {
            command,
            workdir: "/workspace".into(),
            env: BTreeMap::from([("PATH".to_owned(), "/usr/bin:/bin".to_owned())]),
            volumes: vec![Volume {
                target: "/workspace".into(),
                fill: None,
                collect: Some(dir.path().join("workspace.tar")),
                size: 64 << 20,
                writable: true,
                shared: false,
            }],
            binds: Vec::new(),
            network: Network::None,
            limits: Limits {
                wall: Duration::from_secs(60),
                ..Limits::default()
            },
            enclosure: None,
            stdout: dir.path().join("stdout"),
            stderr: dir.path().join("stderr"),
        };
        Self { dir, spec }
    }

    /// A bench for a shell script.
    pub(crate) fn script(text: &str) -> Self {
        Self::new(Command::Exec(
            ["sh", "-c", text].map(str::to_owned).to_vec(),
        ))
    }

    /// A bench for a builtin.
    pub(crate) fn builtin(name: &str, payload: &str) -> Self {
        Self::new(Command::Builtin {
            name: name.to_owned(),
            payload: payload.to_owned(),
        })
    }

    /// Fills `/workspace` from a tar file made by `pack`.
    pub(crate) fn fill(mut self, pack: impl FnOnce(&mut tar::Builder<File>)) -> Self {
        let path = self.dir.path().join("fill.tar");
        let mut tar = tar::Builder::new(File::create(&path).unwrap());
        pack(&mut tar);
        tar.into_inner().unwrap();
        self.spec.volumes[0].fill = Some(path);
        self
    }

    /// Adds small volumes for `/tmp` and the home, whose size counts towards the kernel's limit.
    pub(crate) fn small(mut self) -> Self {
        for target in ["/tmp", "/home/user"] {
            self.spec.volumes.push(Volume {
                target: target.into(),
                fill: None,
                collect: None,
                size: 1 << 20,
                writable: true,
                shared: false,
            });
        }
        self
    }

    /// Changes the limits.
    pub(crate) fn limits(mut self, change: impl FnOnce(&mut Limits)) -> Self {
        change(&mut self.spec.limits);
        self
    }

    /// Runs it in the runtime under test.
    pub(crate) fn run(&self) -> Ran {
        self.run_in(crate::runtime())
    }

    /// Runs it in this runtime.
    pub(crate) fn run_in(&self, runtime: &dyn Runtime) -> Ran {
        let outcome = runtime.run(&self.spec).unwrap_or_else(|e| panic!("{e}"));
        self.ran(outcome)
    }

    /// Reads the outputs.
    pub(crate) fn ran(&self, outcome: Outcome) -> Ran {
        let read = |path: &Path| String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned();
        Ran {
            outcome,
            out: read(&self.spec.stdout),
            err: read(&self.spec.stderr),
        }
    }

    /// Where the collected tar file is.
    pub(crate) fn tar(&self) -> PathBuf {
        self.dir.path().join("workspace.tar")
    }

    /// Entries of the collected tar file: path, kind with mode, content or link target.
    pub(crate) fn collected(&self) -> Vec<(String, String, String)> {
        let mut tar = tar::Archive::new(File::open(self.tar()).unwrap());
        let mut all = Vec::new();
        for entry in tar.entries().unwrap() {
            let mut entry = entry.unwrap();
            let path = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
            let kind = format!(
                "{:?} {:o}",
                entry.header().entry_type(),
                entry.header().mode().unwrap()
            );
            let content = match entry.link_name_bytes() {
                Some(target) => String::from_utf8_lossy(&target).into_owned(),
                None if entry.size() > 1000 => format!("{} bytes", entry.size()),
                None => {
                    let mut text = String::new();
                    entry.read_to_string(&mut text).unwrap();
                    text
                }
            };
            all.push((path, kind, content));
        }
        all
    }
}

/// Adds a plain entry to a tar file without any of the writer's checks.
pub(crate) fn raw_entry(
    tar: &mut tar::Builder<File>,
    kind: tar::EntryType,
    path: &str,
    link: &str,
    mode: u32,
    content: &str,
) {
    let mut header = tar::Header::new_gnu();
    header.set_entry_type(kind);
    header.set_mode(mode);
    header.set_size(content.len() as u64);
    let raw = header.as_old_mut();
    raw.name[..path.len()].copy_from_slice(path.as_bytes());
    raw.linkname[..link.len()].copy_from_slice(link.as_bytes());
    header.set_cksum();
    tar.append(&header, content.as_bytes()).unwrap();
}
