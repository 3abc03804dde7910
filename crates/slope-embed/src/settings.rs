//! Options of measurements, from a policy or the configuration of the project.

use std::path::{Component, PathBuf};

use slope_measure::{Config, FoundConfig, Measurer, Options};

use crate::code::Tree;
use crate::{Error, ErrorKind};

/// Settings of a call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Settings {
    /// Text of a `slope.toml`, which replaces the one that slope finds. Paths in it are relative to the code, or to the
    /// code after a change.
    pub policy: Option<String>,
}

impl Settings {
    /// The configuration of code: the policy, or the nearest `slope.toml` or `pyproject.toml`.
    pub(crate) fn config(&self, tree: &Tree) -> Result<Option<FoundConfig>, Error> {
        let found = match &self.policy {
            Some(text) => Config::parse(&policy_path(tree), text).map(Some),
            None => Config::find(tree.path()),
        };
        found.map_err(|error| self.policy_error(tree, &error))
    }

    /// The options of code, as commands without arguments use them. Nothing is cached.
    pub(crate) fn options(
        &self,
        tree: &Tree,
        config: Option<&FoundConfig>,
    ) -> Result<Options, Error> {
        let today = jiff::Zoned::now().date();
        let mut options = Options::of_project(tree.path(), config, today);
        options.apply_profile();
        if tree.is_texts() {
            refuse_rules_outside(tree, &options)?;
        }
        Ok(options)
    }

    /// An error of the policy or the configuration.
    pub(crate) fn policy_error(&self, tree: &Tree, error: &dyn std::error::Error) -> Error {
        let mut error = tree.error(ErrorKind::Policy, error);
        if self.policy.is_some() {
            error.field = "policy".to_owned();
            let shown = policy_path(tree).display().to_string();
            error.message = error.message.replace(&shown, "slope.toml");
        }
        error
    }
}

/// The path at which a policy applies.
pub(crate) fn policy_path(tree: &Tree) -> PathBuf {
    let path = tree.path();
    let folder = path.parent().filter(|_| path.is_file());
    folder.unwrap_or(path).join("slope.toml")
}

/// The measurer of options.
pub(crate) fn measurer(tree: &Tree, options: Options) -> Result<Measurer, Error> {
    Measurer::new(options).map_err(|error| {
        use slope_measure::Error::{Root, Threads};
        let kind = match error {
            Root { .. } => ErrorKind::Unreadable,
            Threads(_) => ErrorKind::Internal,
            _ => ErrorKind::Policy,
        };
        tree.error(kind, &error)
    })
}

/// Refuses rules that are not among texts. Texts may come from anybody, and must not make slope read other files.
fn refuse_rules_outside(tree: &Tree, options: &Options) -> Result<(), Error> {
    let is_outside = |path: &&PathBuf| {
        let below = path.strip_prefix(tree.path());
        below.map_or(true, |below| {
            let mut parts = below.components();
            parts.any(|part| !matches!(part, Component::Normal(_) | Component::CurDir))
        })
    };
    let Some(path) = options.rule_paths.iter().find(is_outside) else {
        return Ok(());
    };
    let shown = path.strip_prefix(tree.path()).unwrap_or(path);
    Err(Error::new(
        ErrorKind::Policy,
        tree.field,
        format!("the rules {} are not among the files", shown.display()),
        "give the rules as files, and name them relative to the top",
    ))
}
