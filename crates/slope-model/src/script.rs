//! Scripts: the turns that a scripted model replays.
//!
//! A reply is a function of the request alone, independent of earlier requests, so an interrupted
//! run replays identically. The *conversation* is the first one whose conditions are true; the
//! *turn* is the number of assistant turns in the request.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::usage::{Prices, Tokens};

/// A script file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Script {
    /// [`crate::schema::SCRIPT`].
    pub schema: String,
    /// Model name that the script answers as.
    pub model: String,
    /// Prices of the made-up model, so that cost can be followed.
    #[serde(default)]
    pub prices: Option<Prices>,
    /// Conversations, first match wins.
    pub conversations: Vec<Conversation>,
    /// Reply to requests that offer no shell tool (titles, probes); an error if absent.
    #[serde(default)]
    pub aside: Option<Turn>,
}

/// One conversation: the model's replies to one task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Conversation {
    /// Name, for messages.
    pub name: String,
    /// Checkpoint index, from 1, that the attempt works on; any if absent.
    #[serde(default)]
    pub checkpoint: Option<u32>,
    /// Texts that must all occur in the user's messages.
    #[serde(default)]
    pub contains: Vec<String>,
    /// Texts that must all occur anywhere in the client's part of the conversation, such as output
    /// of a hook.
    #[serde(default)]
    pub heard: Vec<String>,
    /// The replies in order; asking for more than there are is an error.
    pub turns: Vec<Turn>,
}

/// One reply of the model.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Turn {
    /// The model's text.
    #[serde(default)]
    pub text: String,
    /// A shell command for whichever shell tool the client offers.
    #[serde(default)]
    pub shell: Option<String>,
    /// A folder, relative to the script, whose files the shell command copies into the workspace
    /// (before `shell`, if both are given).
    #[serde(default)]
    pub put: Option<String>,
    /// Files that the shell command removes first.
    #[serde(default)]
    pub remove: Vec<String>,
    /// Token counts to report, which the gateway must count.
    #[serde(default)]
    pub usage: Tokens,
    /// Refuse with this HTTP status instead of replying.
    #[serde(default)]
    pub fail_status: Option<u16>,
    /// Wait this long before replying, in milliseconds.
    #[serde(default)]
    pub delay_ms: u64,
}

/// The files of a script's `put` folders, read beforehand: folder to (path, text) in path order.
pub type PutFiles = BTreeMap<String, Vec<(String, String)>>;
