//! Environments: runtime and limits of agents and programs.

use std::path::Path;

use serde::{Deserialize, Deserializer, Serialize};

use crate::Error;

/// Runtime of the sandboxes of agents and programs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RuntimeName {
    /// Namespaces of this machine.
    #[default]
    Local,
    /// Containers of an engine on this machine.
    Docker,
}

/// An environment, as its file describes it and as a run records it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Environment {
    /// Runtime of agents and programs.
    #[serde(default)]
    pub runtime: RuntimeName,
    /// Settings of the `docker` runtime, which is the only one that takes them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub docker: Option<Docker>,
    /// Resource limits of an agent's sandbox.
    #[serde(default)]
    pub limits: EnvironmentLimits,
    /// Hosts that an agent may reach besides the gateway; `None` for none. Runs with network access
    /// are not comparable with those without.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<EnvironmentNetwork>,
}

/// Hosts that an agent may reach besides the gateway, through a proxy that keeps a log.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EnvironmentNetwork {
    /// Hosts: `pypi.org`, `*.example.org`, `example.org:8443`; the default port is 443.
    #[serde(default)]
    pub allow: Vec<String>,
    /// Allowed addresses with ports that are not public: `10.1.2.3:8081`.
    #[serde(default)]
    pub private: Vec<String>,
}

impl EnvironmentNetwork {
    /// The rules of the proxy.
    ///
    /// # Errors
    /// Returns the first invalid entry.
    pub fn rules(&self) -> Result<slope_egress::Rules, slope_egress::RuleError> {
        slope_egress::Rules::parse(&self.allow, &self.private)
    }

    fn check(&self) -> Result<(), String> {
        let rules = self.rules().map_err(|e| format!("network: {e}"))?;
        if rules == slope_egress::Rules::default() {
            return Err("the table [network] is empty\nhelp: remove it".to_owned());
        }
        Ok(())
    }
}

/// Settings of containers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Docker {
    /// The base image, by name or id. It must exist locally, since slope contacts no registry.
    pub image: String,
    /// Address of the engine; `DOCKER_HOST` or the usual sockets if `None`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// Bytes that have to be free on the engine's disk before a run begins.
    #[serde(default = "free_disk", deserialize_with = "size")]
    pub free_disk: u64,
}

/// Limits of an agent's sandbox. `None` means the default.
///
/// A *request* is the amount reserved for a sandbox, a *limit* is where it is stopped.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EnvironmentLimits {
    /// Memory in bytes at which everything is killed.
    #[serde(default, deserialize_with = "some_size")]
    pub memory: Option<u64>,
    /// Requested memory in bytes: it decides when a trial is admitted, and the container engine
    /// reserves it.
    #[serde(default, deserialize_with = "some_size")]
    pub memory_request: Option<u64>,
    /// Processors; a whole number with the runtime `local`.
    #[serde(default)]
    pub cpus: Option<f64>,
    /// Processes and threads.
    #[serde(default)]
    pub processes: Option<u64>,
    /// Bytes that an agent, or the programs of a suite, may write: workspace, home and `/tmp` together.
    #[serde(default, deserialize_with = "some_size")]
    pub disk: Option<u64>,
}

impl EnvironmentLimits {
    fn check(&self) -> Result<(), String> {
        if self
            .cpus
            .is_some_and(|cpus| !(cpus > 0.0 && cpus <= 4096.0))
        {
            return Err("limits.cpus must be above zero, for example 1.5".to_owned());
        }
        if self.processes.is_some_and(|processes| processes < 16) {
            return Err("limits.processes must be 16 at least".to_owned());
        }
        let least = |size: Option<u64>| size.is_some_and(|size| size < 16 << 20);
        if least(self.memory) || least(self.disk) {
            return Err("limits.memory and limits.disk must be \"16 MiB\" at least".to_owned());
        }
        match (self.memory_request, self.memory) {
            (Some(request), Some(limit)) if request > limit => {
                Err("limits.memory_request must not be above limits.memory".to_owned())
            }
            _ => Ok(()),
        }
    }
}

/// Free bytes requested by default.
fn free_disk() -> u64 {
    2 << 30
}

impl Environment {
    /// Reads an environment file.
    ///
    /// # Errors
    /// If it cannot be read, is malformed (with the line), or requests something that the runtime
    /// does not support.
    pub fn load(path: &Path) -> Result<Self, Error> {
        let text = std::fs::read_to_string(path).map_err(|source| Error::Read {
            path: path.to_owned(),
            source,
        })?;
        let named = |why: String| Error::Malformed {
            path: path.to_owned(),
            message: why.trim_end().to_owned(),
        };
        let environment: Self = toml::from_str(&text).map_err(|e| named(e.to_string()))?;
        environment.check().map_err(named)?;
        Ok(environment)
    }

    /// Whole processors that a sandbox of the runtime `local` may run on; engines have quotas of their own.
    pub(crate) fn processors(&self) -> Option<u32> {
        let local = self.runtime == RuntimeName::Local;
        // Checked on reading: whole, above zero, and small.
        self.limits.cpus.filter(|_| local).map(|cpus| cpus as u32)
    }

    fn check(&self) -> Result<(), String> {
        let limits = &self.limits;
        let docker = self.runtime == RuntimeName::Docker;
        if docker && self.docker.is_none() {
            return Err("missing table [docker] with an image for runtime = \"docker\"".to_owned());
        }
        if !docker && self.docker.is_some() {
            return Err("the table [docker] is only for runtime = \"docker\"".to_owned());
        }
        if !docker && limits.cpus.is_some_and(|cpus| cpus.fract() != 0.0) {
            return Err(
                "invalid limits.cpus: the runtime \"local\" gives whole processors, for example 2"
                    .to_owned(),
            );
        }
        self.network
            .as_ref()
            .map_or(Ok(()), EnvironmentNetwork::check)?;
        limits.check()
    }
}

/// A size in a file: a number of bytes, or a text with a unit.
#[derive(Deserialize)]
#[serde(untagged)]
enum Size {
    Bytes(u64),
    Text(String),
}

fn size<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
    let wrong = || serde::de::Error::custom("give a size such as \"4 GiB\" or \"512 MiB\"");
    match Size::deserialize(from).map_err(|_| wrong())? {
        Size::Bytes(bytes) => Ok(bytes),
        Size::Text(text) => parse(&text).ok_or_else(wrong),
    }
}

fn some_size<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
    // Runs may record null.
    struct Given(u64);
    impl<'de> Deserialize<'de> for Given {
        fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
            size(from).map(Self)
        }
    }
    Ok(Option::<Given>::deserialize(from)?.map(|given| given.0))
}

/// Reads `4 GiB`.
fn parse(text: &str) -> Option<u64> {
    let text = text.trim();
    let digits = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    let number: u64 = text[..digits].parse().ok()?;
    let unit = match text[digits..].trim() {
        "" | "B" => 1,
        "KiB" => 1 << 10,
        "MiB" => 1 << 20,
        "GiB" => 1 << 30,
        _ => return None,
    };
    number.checked_mul(unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Environment, String> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("env.toml");
        std::fs::write(&path, text).unwrap();
        Environment::load(&path).map_err(|e| e.to_string())
    }

    #[test]
    fn environment_file_reads_and_round_trips() {
        let environment = read(
            "runtime = \"docker\"\n[docker]\nimage = \"debian:12\"\nfree_disk = \"1 GiB\"\n\
             [limits]\nmemory = \"4 GiB\"\nmemory_request = 1048576\ncpus = 1.5\n",
        )
        .unwrap();
        assert_eq!(environment.runtime, RuntimeName::Docker);
        assert_eq!(environment.docker.as_ref().unwrap().free_disk, 1 << 30);
        assert_eq!(environment.limits.memory, Some(4 << 30));
        assert_eq!(environment.limits.memory_request, Some(1 << 20));
        let recorded = serde_json::to_string(&environment).unwrap();
        assert_eq!(
            serde_json::from_str::<Environment>(&recorded).unwrap(),
            environment
        );
        assert_eq!(read("").unwrap(), Environment::default());
    }

    #[test]
    fn invalid_environment_settings_are_named() {
        for (text, expected) in [
            ("runtime = \"podman\"", "line 1"),
            ("runtime = \"docker\"", "[docker]"),
            ("[docker]\nimage = \"x\"", "runtime = \"docker\""),
            ("[limits]\ncpus = 1.5", "limits.cpus"),
            ("[limits]\nmemory = \"4 gigabytes\"", "\"4 GiB\""),
            ("[limits]\nmemory = \"1 MiB\"", "16 MiB"),
            ("[limits]\nram = 1", "line 2"),
            (
                "[network]\nallow = [\"http://pypi.org\"]",
                "network: invalid host \"http://pypi.org\"",
            ),
            (
                "[network]\nprivate = [\"169.254.169.254:80\"]",
                "link-local",
            ),
            ("[network]\nallow = []", "[network] is empty"),
            (
                "runtime = \"docker\"\n[docker]\nimage = \"x\"\n[limits]\nmemory = \"1 GiB\"\n\
                 memory_request = \"2 GiB\"",
                "memory_request",
            ),
        ] {
            let why = read(text).unwrap_err();
            assert!(why.contains(expected) && why.contains("env.toml"), "{why}");
        }
    }
}
