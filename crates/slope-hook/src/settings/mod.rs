//! Settings files of agents: installs and uninstalls hooks, and shows their state.

mod edit;
mod file;
mod text;

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use slope_agent::hooks::{Hooked, PLUGIN_MARK};
use slope_model::error_text::one_line;

use crate::Error;
use crate::state::StateDir;
use edit::{Patch, Unfit};

/// Owner of settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    /// User settings, for all projects.
    User,
    /// Settings of the project in this folder.
    Project(PathBuf),
}

/// Result of a change to a settings file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Done {
    /// The hooks were added.
    Installed,
    /// Existing hooks of slope with another command were replaced.
    Updated,
    /// The hooks were there already.
    Unchanged,
    /// The file is again exactly what it was before the installation.
    Restored,
    /// The hooks were removed from a file that had changed since the installation.
    Removed,
    /// There were no hooks to remove.
    Absent,
}

/// State of an agent's hooks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Status {
    /// The agent.
    pub agent: &'static str,
    /// The settings file.
    pub file: PathBuf,
    /// Events with a hook of slope; empty without hooks.
    pub events: Vec<String>,
    /// Command of the hooks; `None` without hooks.
    pub command: Option<String>,
    /// Reason that the file cannot be read.
    pub problem: Option<String>,
}

/// Record of the change to a file, for undoing it. It has no content of the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Receipt {
    path: PathBuf,
    /// Whether the file existed before.
    existed: bool,
    /// Folders created for it, outermost first.
    folders: Vec<PathBuf>,
    patches: Vec<Patch>,
    /// Hash of the file after the change.
    hash: String,
}

/// Installs hooks in settings, and uninstalls them.
pub struct Installer<'a> {
    state: &'a StateDir,
    scope: Scope,
    /// Series to which the hooks add points.
    series: Option<String>,
    variable: &'a dyn Fn(&str) -> Option<PathBuf>,
}

impl<'a> Installer<'a> {
    /// An installer for these settings. `variable` reads the environment.
    pub fn new(
        state: &'a StateDir,
        scope: Scope,
        variable: &'a dyn Fn(&str) -> Option<PathBuf>,
    ) -> Self {
        Self {
            state,
            scope,
            series: None,
            variable,
        }
    }

    /// Lets the hooks add a point to a series at the end of each turn.
    #[must_use]
    pub fn with_points(mut self, series: Option<&str>) -> Self {
        self.series = series.map(str::to_owned);
        self
    }

    /// The settings file of an agent.
    ///
    /// # Errors
    /// If there is no home folder.
    pub fn file(&self, agent: Hooked) -> Result<PathBuf, Error> {
        match &self.scope {
            Scope::Project(top) => Ok(top.join(agent.project_file())),
            Scope::User => agent.user_file(self.variable).ok_or(Error::NoHome),
        }
    }

    /// Adds hooks that run `program hook AGENT`, with `--track` if they add points. A second call changes nothing.
    ///
    /// # Errors
    /// If the file is malformed or cannot be written. It is unchanged then.
    pub fn install(&self, agent: Hooked, program: &str) -> Result<Done, Error> {
        let path = self.file(agent)?;
        let mut argv = [program, "hook", agent.name()].map(str::to_owned).to_vec();
        argv.extend(self.series.iter().map(|name| format!("--track={name}")));
        if agent == Hooked::OpenCode {
            return self.install_plugin(&path, &Hooked::plugin(&argv));
        }
        // Names of series need no quotes, and the sign `=` would get some.
        let quoted = shell_words::join(&argv[..3]);
        let command = [&[quoted][..], &argv[3..]].concat().join(" ");
        let entries = agent.entries(&command, None);
        let old = file::read(&path)?;
        let mut text = old.clone().unwrap_or_default();
        let known = self.receipt(&path, &text);
        let mut done = Done::Installed;
        if old.is_some() && !text.trim().is_empty() {
            let there = self.fit(&path, edit::commands(&text))?;
            let ours: Vec<_> = there.iter().filter(|(_, c)| is_ours(c, agent)).collect();
            let wanted = entries.iter().map(|(event, _)| (*event, command.as_str()));
            let found = ours.iter().map(|(e, c)| (e.as_str(), c.as_str()));
            // The order of events depends on the program that wrote the file.
            let (mut wanted, mut found): (Vec<_>, Vec<_>) = (wanted.collect(), found.collect());
            wanted.sort_unstable();
            found.sort_unstable();
            if found == wanted {
                return Ok(Done::Unchanged);
            }
            if !ours.is_empty() {
                done = Done::Updated;
                text = match known.as_ref().and_then(|receipt| undone(receipt, &text)) {
                    Some(before) => before,
                    None => self.without_ours(&path, &text, agent)?,
                };
            }
        }
        let before = self.any_receipt(&path).filter(|_| done == Done::Updated);
        let mut first = Vec::new();
        if text.trim().is_empty() {
            let after = "{}\n".to_owned();
            let before = std::mem::replace(&mut text, after.clone());
            first.push(Patch {
                at: 0,
                before,
                after,
            });
        }
        let (new, patches) = self.fit(&path, edit::add(&text, &entries))?;
        let patches = [first, patches].concat();
        let existed = before
            .as_ref()
            .map_or(old.is_some(), |receipt| receipt.existed);
        self.write(&path, old.as_deref(), &new, existed, patches, before)?;
        Ok(done)
    }

    fn install_plugin(&self, path: &Path, plugin: &str) -> Result<Done, Error> {
        let old = file::read(path)?;
        let done = match old.as_deref() {
            None => Done::Installed,
            Some(text) if text == plugin => return Ok(Done::Unchanged),
            Some(text) if text.starts_with(PLUGIN_MARK) => Done::Updated,
            Some(_) => return Err(Error::Foreign(path.to_owned())),
        };
        let before = self.receipt(path, old.as_deref().unwrap_or_default());
        self.write(path, old.as_deref(), plugin, false, Vec::new(), before)?;
        Ok(done)
    }

    /// Removes the hooks. If the file was not changed since the installation, its old content is
    /// restored exactly. A file that was created for the hooks is deleted.
    ///
    /// # Errors
    /// If the file is malformed or cannot be written. It is unchanged then.
    pub fn uninstall(&self, agent: Hooked) -> Result<Done, Error> {
        let path = self.file(agent)?;
        let Some(old) = file::read(&path)? else {
            self.forget(&path)?;
            return Ok(Done::Absent);
        };
        let receipt = self.receipt(&path, &old);
        if agent == Hooked::OpenCode {
            if !old.starts_with(PLUGIN_MARK) {
                return Ok(Done::Absent);
            }
            self.remove(&path, receipt.as_ref())?;
            return Ok(Done::Restored);
        }
        if let Some(receipt) = &receipt
            && let Some(before) = undone(receipt, &old)
        {
            if receipt.existed {
                file::write(&path, Some(&old), &before)?;
            } else {
                self.remove(&path, Some(receipt))?;
            }
            self.forget(&path)?;
            return Ok(Done::Restored);
        }
        if old.trim().is_empty() {
            return Ok(Done::Absent);
        }
        let there = self.fit(&path, edit::commands(&old))?;
        if !there.iter().any(|(_, command)| is_ours(command, agent)) {
            return Ok(Done::Absent);
        }
        let new = self.without_ours(&path, &old, agent)?;
        let made = self.any_receipt(&path).filter(|receipt| !receipt.existed);
        match made {
            Some(made) if edit::is_empty(&new) => self.remove(&path, Some(&made))?,
            _ => file::write(&path, Some(&old), &new)?,
        }
        self.forget(&path)?;
        Ok(Done::Removed)
    }

    /// The text without slope's hooks, for a file that has changed since. Uses the receipt, or else
    /// the commands.
    fn without_ours(&self, path: &Path, text: &str, agent: Hooked) -> Result<String, Error> {
        let receipt = self.any_receipt(path);
        let patches = receipt.map(|receipt| receipt.patches);
        let ours = |command: &str| is_ours(command, agent);
        if let Some(patches) = &patches
            && let Some(left) = edit::take_back(text, patches, &ours)
        {
            return Ok(left);
        }
        let made = |key: &str| match &patches {
            Some(patches) => patches.iter().any(|patch| patch.makes(key)),
            None => true,
        };
        self.fit(path, edit::take_out(text, &ours, &made))
    }

    /// State of an agent's hooks.
    ///
    /// # Errors
    /// If there is no home folder.
    pub fn status(&self, agent: Hooked) -> Result<Status, Error> {
        let path = self.file(agent)?;
        let mut status = Status {
            agent: agent.name(),
            file: path.clone(),
            events: Vec::new(),
            command: None,
            problem: None,
        };
        let text = match file::read(&path) {
            Ok(Some(text)) => text,
            Ok(None) => return Ok(status),
            Err(error) => {
                status.problem = Some(one_line(&error));
                return Ok(status);
            }
        };
        if agent == Hooked::OpenCode {
            if text.starts_with(PLUGIN_MARK) {
                let moments = agent.moments().iter();
                status.events = moments.map(|moment| moment.1.to_owned()).collect();
                let command = text
                    .lines()
                    .find_map(|row| row.strip_prefix("const command = "));
                let argv = command.and_then(|row| serde_json::from_str::<Vec<String>>(row).ok());
                status.command = argv.map(shell_words::join);
            }
            return Ok(status);
        }
        if text.trim().is_empty() {
            return Ok(status);
        }
        match self.fit(&path, edit::commands(&text)) {
            Ok(commands) => {
                let ours = commands.into_iter().filter(|(_, c)| is_ours(c, agent));
                for (event, command) in ours {
                    status.events.push(event);
                    status.command = Some(command);
                }
            }
            Err(error) => status.problem = Some(one_line(&error)),
        }
        Ok(status)
    }

    fn fit<T>(&self, path: &Path, result: Result<T, Unfit>) -> Result<T, Error> {
        result.map_err(|source| match source {
            Unfit::Malformed(wrong) => Error::Malformed {
                path: path.to_owned(),
                line: wrong.line,
                column: wrong.column,
                message: wrong.message,
            },
            Unfit::Form { line, column, .. } => Error::Form {
                path: path.to_owned(),
                line,
                column,
                message: source.to_string(),
            },
        })
    }

    /// Writes the receipt, then the file, so that a changed file always has a receipt.
    fn write(
        &self,
        path: &Path,
        old: Option<&str>,
        new: &str,
        existed: bool,
        patches: Vec<Patch>,
        before: Option<Receipt>,
    ) -> Result<(), Error> {
        let folders = before.map_or_else(|| file::missing_folders(path), |b| b.folders);
        let receipt = Receipt {
            path: path.to_owned(),
            existed,
            folders,
            patches,
            hash: hash(new),
        };
        slope_store::atomic::write_json(&self.state.receipt(path), &receipt)?;
        file::write(path, old, new)
    }

    fn remove(&self, path: &Path, receipt: Option<&Receipt>) -> Result<(), Error> {
        file::remove(path, receipt.map_or(&[], |receipt| &receipt.folders))?;
        self.forget(path)
    }

    /// The receipt of a file, if the file has not changed since.
    fn receipt(&self, path: &Path, text: &str) -> Option<Receipt> {
        self.any_receipt(path)
            .filter(|receipt| receipt.hash == hash(text))
    }

    fn any_receipt(&self, path: &Path) -> Option<Receipt> {
        slope_store::atomic::read_json(&self.state.receipt(path)).ok()
    }

    fn forget(&self, path: &Path) -> Result<(), Error> {
        file::remove(&self.state.receipt(path), &[])
    }
}

/// The text before the patches of a receipt.
fn undone(receipt: &Receipt, text: &str) -> Option<String> {
    let mut text = text.to_owned();
    for patch in receipt.patches.iter().rev() {
        text = patch.take_back(&text)?;
    }
    Some(text)
}

fn hash(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex().to_string()
}

/// Whether a command is exactly slope's hook for an agent, at any path. Commands with additions
/// belong to the user.
fn is_ours(command: &str, agent: Hooked) -> bool {
    let Ok(words) = shell_words::split(command) else {
        return false;
    };
    let [program, hook, name, ..] = &words[..] else {
        return false;
    };
    let program = Path::new(program).file_stem();
    program.is_some_and(|name| name == "slope")
        && hook == "hook"
        && name == agent.name()
        && !command.contains([';', '|', '&', '<', '>', '`', '$', '\n'])
}
