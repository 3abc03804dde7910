//! Receivers of messages, in `[deliver.NAME]` of a watch's settings.

use serde::{Deserialize, Serialize};

/// A receiver of messages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Receiver {
    /// JSON to an address, signed by the scheme of Standard Webhooks.
    #[serde(rename_all = "kebab-case")]
    Webhook {
        /// Address.
        url: String,
        /// Environment variable with the secret: `whsec_` and base64.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        secret_env: Option<String>,
    },
    /// A channel of Slack.
    #[serde(rename_all = "kebab-case")]
    Slack {
        /// Environment variable with the address of its incoming webhook, which is a secret.
        url_env: String,
    },
    /// Issues of a repository: one for each alarm.
    #[serde(rename_all = "kebab-case")]
    Github {
        /// The repository: `OWNER/NAME`.
        repository: String,
        /// Environment variable with the token.
        token_env: String,
        /// Address of the API.
        #[serde(default = "github_api")]
        api: String,
    },
}

/// Shortest part of an address that may be a secret.
const SHORTEST_SECRET: usize = 6;

fn github_api() -> String {
    "https://api.github.com".to_owned()
}

/// A receiver with its secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Channel {
    /// JSON to an address.
    Webhook {
        /// Address.
        url: String,
        /// Bytes of the secret.
        secret: Option<Vec<u8>>,
    },
    /// A channel of Slack.
    Slack {
        /// Address.
        url: String,
    },
    /// Issues of a repository.
    Github {
        /// Address of the repository in the API.
        url: String,
        /// Token.
        token: String,
    },
}

impl Channel {
    /// A text without the secrets of this receiver.
    pub(crate) fn without_secrets(&self, text: &str) -> String {
        let mut secrets = Vec::new();
        match self {
            Self::Webhook { url, .. } => secrets.push(url.as_str()),
            Self::Github { token, .. } => secrets.push(token.as_str()),
            Self::Slack { url } => {
                secrets.push(url.as_str());
                // The host is public, and the longer parts of the path are not.
                let parts = url.split('/').skip(3);
                secrets.extend(parts.filter(|part| part.len() >= SHORTEST_SECRET));
            }
        }
        let hidden = |text: String, secret: &str| text.replace(secret, "…");
        secrets.into_iter().fold(text.to_owned(), hidden)
    }
}

impl Receiver {
    /// Checks the settings without their secrets.
    ///
    /// # Errors
    /// The fault, with a remedy.
    pub fn check(&self) -> Result<(), String> {
        match self {
            Self::Webhook { url, .. } => check_url("url", url),
            Self::Slack { .. } => Ok(()),
            Self::Github {
                repository, api, ..
            } => {
                let is_part = |part: &str| {
                    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
                    !part.is_empty() && part != "." && part != ".." && part.chars().all(is_plain)
                };
                let parts = Vec::from_iter(repository.split('/'));
                if parts.len() != 2 || !parts.iter().all(|part| is_part(part)) {
                    return Err(format!(
                        "repository: {repository:?} is not a repository\nhelp: write OWNER/NAME"
                    ));
                }
                check_url("api", api)
            }
        }
    }

    /// The receiver with its secrets, which `secret` reads from the environment.
    ///
    /// # Errors
    /// The secret that is missing or malformed, with a remedy.
    pub fn channel(&self, secret: impl Fn(&str) -> Option<String>) -> Result<Channel, String> {
        self.check()?;
        let read = |name: &str| {
            let value = secret(name).filter(|value| !value.is_empty());
            value.ok_or_else(|| format!("{name} is not set\nhelp: set this environment variable"))
        };
        match self {
            Self::Webhook { url, secret_env } => Ok(Channel::Webhook {
                url: url.clone(),
                secret: match secret_env {
                    Some(name) => Some(bytes_of_secret(name, &read(name)?)?),
                    None => None,
                },
            }),
            Self::Slack { url_env } => {
                let url = read(url_env)?;
                check_url(url_env, &url)?;
                Ok(Channel::Slack { url })
            }
            Self::Github {
                repository,
                token_env,
                api,
            } => Ok(Channel::Github {
                url: format!("{}/repos/{repository}", api.trim_end_matches('/')),
                token: read(token_env)?,
            }),
        }
    }
}

/// Refuses a malformed address. It may be a secret, so the message leaves it out.
fn check_url(name: &str, url: &str) -> Result<(), String> {
    let is_http = url.starts_with("https://") || url.starts_with("http://");
    if is_http
        && url
            .parse::<ureq::http::Uri>()
            .is_ok_and(|uri| uri.host().is_some())
    {
        return Ok(());
    }
    Err(format!(
        "{name}: not an address\nhelp: write one that begins with https:// or http://"
    ))
}

fn bytes_of_secret(name: &str, secret: &str) -> Result<Vec<u8>, String> {
    let text = secret.strip_prefix("whsec_").unwrap_or(secret);
    let bytes = data_encoding::BASE64.decode(text.as_bytes());
    bytes.map_err(|_| {
        format!("{name}: not a webhook secret\nhelp: write whsec_ and base64, for example from `openssl rand -base64 24`")
    })
}
