//! Services under test and requests to them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Bytes, Expect, JsonPath, TextExpect};

/// A service: the program, started in the case's directory, and reached over loopback.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Service {
    /// Arguments after the program's own name; `${port}` is the port to listen on.
    #[serde(default)]
    pub args: Vec<String>,
    /// Extra environment; `${port}` as well.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// When it counts as started.
    #[serde(default)]
    pub ready: Ready,
}

/// When a service counts as started.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ready {
    /// Path that answers to GET; if absent, the port only has to accept a connection.
    #[serde(default)]
    pub path: Option<String>,
    /// Status of the answer; any if absent.
    #[serde(default)]
    pub status: Option<u16>,
    /// Seconds within which it must be.
    #[serde(default = "Ready::default_limit")]
    pub within_s: f64,
}

impl Ready {
    fn default_limit() -> f64 {
        10.0
    }
}

impl Default for Ready {
    fn default() -> Self {
        Self {
            path: None,
            status: None,
            within_s: Self::default_limit(),
        }
    }
}

/// One request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// Method and path.
    pub send: Target,
    /// Headers, sent as they are.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub headers: BTreeMap<String, String>,
    /// Body as JSON; sets the content type unless a header does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub json: Option<Value>,
    /// Body as text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Body as bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base64: Option<Bytes>,
    /// Expectations of the response.
    #[serde(default)]
    pub expect: ResponseExpect,
    /// Values of the response that later steps use as `${name}`, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub capture: BTreeMap<String, Capture>,
}

/// Method and path of a request, written `GET /path?query`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Target {
    /// Method, as sent.
    pub method: String,
    /// Path and query, as sent; it begins with `/` once placeholders are filled in.
    pub path: String,
}

impl TryFrom<String> for Target {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let bad = || format!("`{text}` is not a request; write `GET /path`");
        let (method, path) = text.split_once(' ').ok_or_else(bad)?;
        let method_ok = !method.is_empty() && method.bytes().all(|b| b.is_ascii_uppercase());
        let path_ok = (path.starts_with('/') || path.starts_with("${"))
            && path.bytes().all(|b| b.is_ascii_graphic() && b != b'#');
        if !(method_ok && path_ok) {
            return Err(bad());
        }
        Ok(Self {
            method: method.to_owned(),
            path: path.to_owned(),
        })
    }
}

impl From<Target> for String {
    fn from(target: Target) -> Self {
        format!("{} {}", target.method, target.path)
    }
}

/// The captured part of a response: a path into its JSON body, or `header:Name`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Capture {
    /// The value at this path.
    Json(JsonPath),
    /// The value of this header.
    Header(String),
}

impl TryFrom<String> for Capture {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        match text.strip_prefix("header:") {
            Some(name) => Ok(Self::Header(name.trim().to_owned())),
            None => JsonPath::try_from(text).map(Self::Json),
        }
    }
}

impl From<Capture> for String {
    fn from(capture: Capture) -> Self {
        match capture {
            Capture::Json(path) => path.into(),
            Capture::Header(name) => format!("header:{name}"),
        }
    }
}

/// Expectations of a response.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResponseExpect {
    /// Status; any from 200 to 299 if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// Required headers, by name in any case; values of the same name are joined by `, `.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub headers: BTreeMap<String, TextExpect>,
    /// Headers that must not be there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub no_headers: Vec<String>,
    /// The body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<TextExpect>,
}

/// Requests that are sent at once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Together {
    /// The requests, each on a connection of its own.
    pub requests: Vec<Request>,
    /// Number of times that the whole list is sent, all at once; `${n}` counts from 0.
    #[serde(default = "Together::once")]
    pub repeat: usize,
    /// Expectations of all responses.
    #[serde(default)]
    pub expect: TogetherExpect,
}

impl Together {
    /// Maximum number of requests that are sent at once.
    pub const MOST: usize = 64;

    fn once() -> usize {
        1
    }

    /// Total number of requests.
    #[must_use]
    pub fn count(&self) -> usize {
        self.requests.len().saturating_mul(self.repeat)
    }
}

/// Expectations of the responses to concurrent requests, independent of the order.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TogetherExpect {
    /// Status to how many responses have it, all of them named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub statuses: Option<BTreeMap<u16, usize>>,
    /// Numbers of responses of a kind.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub counts: Vec<CountExpect>,
    /// Values that each response with a status from 200 to 299 has, no two the same.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub distinct: Vec<JsonPath>,
}

impl TogetherExpect {
    /// Whether expectations of all responses constrain the statuses, so that a single response may
    /// have any.
    #[must_use]
    pub fn settles_statuses(&self) -> bool {
        self.statuses.is_some() || !self.counts.is_empty()
    }
}

/// Expected number of responses of a kind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CountExpect {
    /// Exactly so many.
    pub count: usize,
    /// Satisfy this.
    pub expect: ResponseExpect,
}

/// An end of a service.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stop {
    /// Way of ending it.
    #[serde(default)]
    pub by: Ending,
    /// Expectations after the end; by default any exit code is accepted.
    #[serde(default)]
    pub expect: Expect,
}

/// Way of ending a service.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// SIGTERM; it must end within the case's limit.
    #[default]
    Term,
    /// SIGKILL, as when the machine fails.
    Kill,
}

/// A start of a service that was stopped.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Start {
    /// Arguments from now on; as before if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub args: Option<Vec<String>>,
    /// Extra environment from now on; as before if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub env: Option<BTreeMap<String, String>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn request_targets_parse_and_round_trip() {
        let target = |text: &str| Target::try_from(text.to_owned());
        let good = target("PATCH /a/${id}?b=1").unwrap();
        assert_eq!(
            (good.method.as_str(), good.path.as_str()),
            ("PATCH", "/a/${id}?b=1")
        );
        assert_eq!(String::from(good), "PATCH /a/${id}?b=1");
        for bad in [
            "GET", "/a", "get /a", "GET a", "GET /a b", "GET /a#b", "GET /ä",
        ] {
            assert!(target(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn captures_parse_as_paths_or_headers() {
        let capture = |text: &str| Capture::try_from(text.to_owned());
        assert_eq!(capture("header: ETag"), Ok(Capture::Header("ETag".into())));
        assert!(matches!(capture("$.id"), Ok(Capture::Json(_))) && capture("id").is_err());
    }
}
