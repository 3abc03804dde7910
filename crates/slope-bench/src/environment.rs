//! Environments: runtime and limits of agents and programs.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use serde::de::{DeserializeSeed, Error as _, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use slope_sandbox::{RuntimeKind, size};

use crate::Error;
use crate::runtimes::{self, RuntimeChoice};

/// An environment, as its file describes it and as a run records it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Environment {
    /// Runtime of agents and programs.
    pub runtime: RuntimeChoice,
    /// Settings of runtimes by name, with their defaults. A file has only those of its runtime.
    settings: BTreeMap<&'static str, Value>,
    /// Resource limits of an agent's sandbox.
    pub limits: EnvironmentLimits,
    /// Hosts that an agent may reach besides the gateway; `None` for none. Runs with network access
    /// are not comparable with those without.
    pub network: Option<EnvironmentNetwork>,
}

impl Serialize for Environment {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("runtime", &self.runtime)?;
        for (name, settings) in &self.settings {
            map.serialize_entry(name, settings)?;
        }
        map.serialize_entry("limits", &self.limits)?;
        if let Some(network) = &self.network {
            map.serialize_entry("network", network)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Environment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(EnvironmentVisitor)
    }
}

struct EnvironmentVisitor;

impl<'de> Visitor<'de> for EnvironmentVisitor {
    type Value = Environment;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an environment")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Environment, A::Error> {
        let mut environment = Environment::default();
        while let Some(key) = map.next_key()? {
            match key {
                Key::Runtime => environment.runtime = map.next_value()?,
                Key::Limits => environment.limits = map.next_value()?,
                Key::Network => environment.network = map.next_value()?,
                Key::Settings(kind) => {
                    let settings = map.next_value_seed(SettingsOf(kind))?;
                    environment
                        .settings
                        .extend(settings.map(|settings| (kind.name(), settings)));
                }
            }
        }
        Ok(environment)
    }
}

/// A key of an environment.
enum Key {
    Runtime,
    Limits,
    Network,
    Settings(&'static dyn RuntimeKind),
}

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        match name.as_str() {
            "runtime" => Ok(Self::Runtime),
            "limits" => Ok(Self::Limits),
            "network" => Ok(Self::Network),
            _ => runtimes::by_name(&name).map(Self::Settings).ok_or_else(|| {
                D::Error::custom(format!(
                    "unknown field `{name}`, expected `runtime`, `limits`, `network` or the name of a \
                     runtime ({})",
                    runtimes::names()
                ))
            }),
        }
    }
}

/// Reads the settings of a runtime. Its errors name the table's line.
struct SettingsOf(&'static dyn RuntimeKind);

impl<'de> DeserializeSeed<'de> for SettingsOf {
    type Value = Option<Value>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<Value>, D::Error> {
        match Option::deserialize(deserializer)? {
            // Runs may record null.
            None => Ok(None),
            table => self.0.settings(table).map_err(D::Error::custom),
        }
    }
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

/// Limits of an agent's sandbox. `None` means the default.
///
/// A *request* is the amount reserved for a sandbox, a *limit* is where it is stopped.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EnvironmentLimits {
    /// Memory in bytes at which everything is killed.
    #[serde(default, deserialize_with = "size::some_bytes")]
    pub memory: Option<u64>,
    /// Requested memory in bytes: it decides when a trial is admitted, and the container engine
    /// reserves it.
    #[serde(default, deserialize_with = "size::some_bytes")]
    pub memory_request: Option<u64>,
    /// Processors; a whole number with the runtime `local`.
    #[serde(default)]
    pub cpus: Option<f64>,
    /// Processes and threads.
    #[serde(default)]
    pub processes: Option<u64>,
    /// Bytes that an agent, or the programs of a suite, may write: workspace, home and `/tmp` together.
    #[serde(default, deserialize_with = "size::some_bytes")]
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

    /// Settings of the runtime, if it has any.
    pub(crate) fn settings(&self) -> Option<&Value> {
        self.settings.get(self.runtime.name())
    }

    /// Whole processors that a sandbox may run on; engines have quotas of their own.
    pub(crate) fn processors(&self) -> Option<u32> {
        let whole = self.runtime.whole_processors();
        // Checked on reading: whole, above zero, and small.
        self.limits.cpus.filter(|_| whole).map(|cpus| cpus as u32)
    }

    fn check(&self) -> Result<(), String> {
        let name = self.runtime.name();
        if let Some(other) = self.settings.keys().find(|other| **other != name) {
            return Err(format!(
                "the table [{other}] is only for runtime = {other:?}"
            ));
        }
        if self.settings().is_none() {
            self.runtime.settings(None)?;
        }
        let limits = &self.limits;
        let fraction = limits.cpus.is_some_and(|cpus| cpus.fract() != 0.0);
        if fraction && self.runtime.whole_processors() {
            return Err(format!(
                "invalid limits.cpus: the runtime {name:?} gives whole processors, for example 2"
            ));
        }
        self.network
            .as_ref()
            .map_or(Ok(()), EnvironmentNetwork::check)?;
        limits.check()
    }
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
        assert_eq!(environment.runtime.name(), "docker");
        assert_eq!(environment.settings().unwrap()["free_disk"], 1 << 30);
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
            ("runtime = \"podman\"", "expected one of local, docker"),
            ("limit = 1", "unknown field `limit`"),
            ("\n[local]", "line 2"),
            ("\n[docker]\nimagee = \"x\"", "line 2"),
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
