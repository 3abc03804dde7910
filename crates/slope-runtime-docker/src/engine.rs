//! The connection to an engine.

use std::future::Future;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use bollard::{API_DEFAULT_VERSION, Docker};
use slope_sandbox::{Capabilities, Feature, State};
use tokio::runtime::{Builder, Runtime};

use crate::Error;
use crate::error::words;

/// Timeout of one request in seconds; building a layer from a large installation takes longest.
const PATIENCE_S: u64 = 900;

/// A connection to an engine. Cheap to clone; calls block.
#[derive(Debug, Clone)]
pub struct Engine {
    pub(crate) docker: Docker,
    tokio: Arc<Background>,
    address: String,
    pub(crate) about: About,
}

/// A runtime that may be dropped anywhere, including in its own tasks, which hold the connection.
#[derive(Debug)]
struct Background(Option<Runtime>);

impl Background {
    fn runtime(&self) -> &Runtime {
        // Only `drop` takes it.
        self.0.as_ref().unwrap_or_else(|| unreachable!())
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

/// An engine's report on itself.
#[derive(Debug, Clone, Default)]
pub(crate) struct About {
    /// For example `20.10.24`.
    pub(crate) version: String,
    /// For example `overlay2`.
    pub(crate) storage: String,
    /// Version of control groups, `1` or `2`.
    pub(crate) cgroups: String,
    /// Whether memory and processes can be limited.
    pub(crate) limits: [bool; 2],
    /// `name=seccomp,profile=default` and the like.
    pub(crate) security: Vec<String>,
    /// Folder of images and containers.
    pub(crate) root: Option<PathBuf>,
    /// Whether it is podman, which supports fewer options of file systems in memory.
    pub(crate) is_podman: bool,
}

impl About {
    /// Whether a security feature such as `apparmor` is active.
    pub(crate) fn has(&self, feature: &str) -> bool {
        self.security.iter().any(|option| {
            option
                .split(',')
                .any(|part| part == feature || part == format!("name={feature}"))
        })
    }

    /// The engine's features, itself first.
    pub(crate) fn capabilities(&self) -> Capabilities {
        let engine = format!(
            "version {}, {}, control groups {}",
            self.version, self.storage, self.cgroups
        );
        let missing = |what: &str| State::Refused {
            why: format!("the engine cannot limit {what}"),
            remedy: "use a kernel with control groups for memory and processes".to_owned(),
        };
        let limits = match self.limits {
            [true, true] => State::Works(None),
            [false, _] => missing("memory"),
            [true, false] => missing("processes"),
        };
        let seccomp = if self.has("seccomp") {
            State::Works(None)
        } else {
            State::Refused {
                why: "the engine applies no system call filter".to_owned(),
                remedy: "use a kernel with CONFIG_SECCOMP_FILTER".to_owned(),
            }
        };
        Capabilities {
            features: vec![
                (Feature::Engine, State::Works(Some(engine))),
                (Feature::Cgroup, limits),
                (Feature::Seccomp, seccomp),
            ],
        }
    }
}

impl Engine {
    /// Connects to the engine at `host`, or at `DOCKER_HOST`, or at the first existing socket:
    /// Docker's, rootless Docker's, rootless podman's, podman's.
    ///
    /// # Errors
    /// If no engine answers, or it is not for Linux and this machine.
    pub fn connect(host: Option<&str>) -> Result<Self, Error> {
        Self::connect_within(host, Duration::from_secs(PATIENCE_S))
    }

    /// As [`Engine::connect`] for an engine that must answer within `patience`.
    pub(crate) fn connect_within(host: Option<&str>, patience: Duration) -> Result<Self, Error> {
        let asked = host
            .map(str::to_owned)
            .or_else(|| std::env::var("DOCKER_HOST").ok().filter(|h| !h.is_empty()));
        let address = asked.unwrap_or_else(|| default_address(&sockets()));
        let silent = |why: String| Error::NoEngine {
            address: address.clone(),
            why,
        };
        let opened = if address.starts_with("unix://") {
            Docker::connect_with_unix(&address, PATIENCE_S, API_DEFAULT_VERSION)
        } else if address.starts_with("tcp://") || address.starts_with("http://") {
            Docker::connect_with_http(&address, PATIENCE_S, API_DEFAULT_VERSION)
        } else {
            return Err(Error::Address { address });
        };
        let docker = opened.map_err(|e| silent(words(&e)))?;
        let tokio = Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("engine")
            .enable_all()
            .build()
            .map_err(|e| silent(e.to_string()))?;
        let questions = async {
            let docker = docker.negotiate_version().await?;
            let info = docker.info().await?;
            let version = docker.version().await?;
            Ok::<_, bollard::errors::Error>((docker, info, version))
        };
        let answers = tokio
            .block_on(async { tokio::time::timeout(patience, questions).await })
            .map_err(|_| silent(format!("no answer within {} s", patience.as_secs())))?;
        let (docker, info, version) = answers.map_err(|e| silent(words(&e)))?;
        let system = info.os_type.clone().unwrap_or_default();
        if !system.is_empty() && system != "linux" {
            return Err(Error::System { address, system });
        }
        Ok(Self {
            docker,
            tokio: Arc::new(Background(Some(tokio))),
            address,
            about: About {
                is_podman: is_podman(&version),
                ..about(info)
            },
        })
    }

    /// Address of the engine.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Version of the engine.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.about.version
    }

    /// Waits for an answer.
    pub(crate) fn wait<F: Future>(&self, answer: F) -> F::Output {
        self.tokio.runtime().block_on(answer)
    }

    /// Runs a task in the background.
    pub(crate) fn spawn<F>(&self, task: F) -> tokio::task::JoinHandle<()>
    where
        F: Future<Output = ()> + Send + 'static,
    {
        self.tokio.runtime().spawn(task)
    }
}

fn about(info: bollard::models::SystemInfo) -> About {
    About {
        version: info.server_version.unwrap_or_default(),
        storage: info.driver.unwrap_or_default(),
        cgroups: info
            .cgroup_version
            .map(|version| version.to_string())
            .unwrap_or_default(),
        limits: [
            info.memory_limit.unwrap_or(false),
            info.pids_limit.unwrap_or(false),
        ],
        security: info.security_options.unwrap_or_default(),
        root: info
            .docker_root_dir
            .filter(|p| !p.is_empty())
            .map(PathBuf::from),
        is_podman: false,
    }
}

fn is_podman(version: &bollard::models::SystemVersion) -> bool {
    let parts = version.components.iter().flatten();
    parts
        .map(|part| &part.name)
        .any(|name| name.contains("Podman"))
}

/// Sockets where engines listen, in the order of trial.
fn sockets() -> Vec<PathBuf> {
    let own = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
    let mut all = vec![PathBuf::from("/var/run/docker.sock")];
    if let Some(own) = own {
        all.extend([own.join("docker.sock"), own.join("podman/podman.sock")]);
    }
    all.push("/run/podman/podman.sock".into());
    all
}

fn default_address(sockets: &[PathBuf]) -> String {
    let there = sockets.iter().find(|socket| socket.exists());
    let path = there.or(sockets.first()).map(PathBuf::as_path);
    format!("unix://{}", path.unwrap_or(Path::new("/")).display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_existing_socket_is_used() {
        let dir = tempfile::tempdir().expect("a folder");
        let podman = dir.path().join("podman.sock");
        let docker = dir.path().join("docker.sock");
        let both = [docker.clone(), podman.clone()];
        assert_eq!(
            default_address(&both),
            format!("unix://{}", docker.display())
        );
        std::fs::write(&podman, "").expect("a file");
        assert_eq!(
            default_address(&both),
            format!("unix://{}", podman.display())
        );
    }

    #[test]
    fn unreachable_engine_is_named() {
        let error = Engine::connect(Some("unix:///nonexistent/engine.sock")).expect_err("none");
        assert!(
            error.to_string().contains("/nonexistent/engine.sock"),
            "{error}"
        );
        let error = Engine::connect(Some("ssh://far.example")).expect_err("far away");
        assert!(error.to_string().contains("on this machine"), "{error}");
    }
}
