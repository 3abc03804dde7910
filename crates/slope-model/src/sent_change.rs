//! A judged change as it is sent to a server: what the gate says of a pull request.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::gate::Judgement;
use crate::numbers;
use crate::schema;
use crate::series::{Author, check_name};

/// Longest title or address, in characters.
const LONGEST: usize = 500;
/// Largest number of violations, waived ones, and notes.
const MOST: usize = 10_000;

/// A judged change as it is sent to a server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SentChange {
    /// [`schema::SENT_CHANGE`].
    pub schema: String,
    /// Title, for example of the pull request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 500))]
    pub title: Option<String>,
    /// Address of the change elsewhere, `https://…` or `http://…`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 500))]
    pub link: Option<String>,
    /// The author.
    #[serde(default, skip_serializing_if = "Author::is_unknown")]
    pub author: Author,
    /// The judgement of the gate, made where the code is.
    pub judgement: Judgement,
}

/// Result of sending a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChangeKept {
    /// Whether it differs from the one that the server had.
    pub is_new: bool,
}

impl SentChange {
    /// Checks what the types do not.
    ///
    /// # Errors
    /// The field and its fault, as text.
    pub fn check(&self) -> Result<(), String> {
        if self.schema != schema::SENT_CHANGE {
            return Err(format!("schema: it is not {}", schema::SENT_CHANGE));
        }
        if self.judgement.schema != schema::JUDGEMENT {
            return Err(format!("judgement.schema: it is not {}", schema::JUDGEMENT));
        }
        let texts = [("title", &self.title), ("link", &self.link)];
        for (field, text) in texts {
            let is_long = |text: &String| text.chars().count() > LONGEST || text.contains('\0');
            if text.as_ref().is_some_and(is_long) {
                return Err(format!("{field}: use at most {LONGEST} characters"));
            }
        }
        let is_address =
            |link: &String| link.starts_with("https://") || link.starts_with("http://");
        if self.link.as_ref().is_some_and(|link| !is_address(link)) {
            return Err("link: it must begin with https:// or http://".to_owned());
        }
        let judgement = &self.judgement;
        numbers::check("judgement.balance", &judgement.balance, true)?;
        numbers::check("judgement.files", &judgement.files, false)?;
        let lists = [
            ("violations", judgement.violations.len()),
            ("waived", judgement.waived.len()),
            ("notes", judgement.notes.len()),
        ];
        match lists.iter().find(|(_, length)| *length > MOST) {
            Some((field, _)) => Err(format!("judgement.{field}: use at most {MOST}")),
            None => Ok(()),
        }
    }
}

/// Checks the key of a change on a server: a name as those of projects.
///
/// # Errors
/// The fault, as text.
pub fn check_change_key(key: &str) -> Result<(), String> {
    check_name(key)
}
