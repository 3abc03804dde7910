//! Settings for measuring and judging a path.

use std::path::{Path, PathBuf};

use slope_measure::{Config, Measurer, Options, Profile};

use crate::rules::findings::REIMPLEMENTATION;
use crate::{Check, Error, Policy};

/// Settings for measuring and judging a path.
#[derive(Debug, Clone)]
pub struct Setup {
    /// Options of the measurement.
    pub options: Options,
    /// Settings of the gate.
    pub check: Check,
    /// Configuration file of the settings, if there is one.
    pub config: Option<PathBuf>,
}

impl Setup {
    /// The settings of the configuration for a path, with cached facts.
    ///
    /// # Errors
    /// If the configuration cannot be read or has an unknown key or value.
    pub fn find(path: &Path, cache: Option<PathBuf>) -> Result<Self, Error> {
        let found = Config::find(path)?;
        let mut options = Options::of_project(path, found.as_ref(), jiff::Zoned::now().date());
        options.cache = cache;
        let config = found.map(|found| found.path);
        Self::new(options, config)
    }

    /// The settings with known options and a known configuration file.
    ///
    /// # Errors
    /// If the configuration has an unknown key or value for the gate, or the profile is that of the published table.
    pub fn new(options: Options, config: Option<PathBuf>) -> Result<Self, Error> {
        let check = match &config {
            Some(path) => Check::read(path)?,
            None => Check::default(),
        };
        Self::of(options, check, config)
    }

    /// The settings with known options, and a configuration as text. It applies as if it were a `slope.toml` at a path.
    ///
    /// # Errors
    /// If the text has an unknown key or value for the gate.
    pub fn with_policy(options: Options, path: PathBuf, text: &str) -> Result<Self, Error> {
        let check = Check::of_text(&path, text)?;
        Self::of(options, check, Some(path))
    }

    /// The settings of a policy, with known options.
    ///
    /// # Errors
    /// If the profile is that of the published table.
    pub fn of_policy(options: Options, policy: &Policy) -> Result<Self, Error> {
        let config = policy.config.as_ref().map(|found| found.path.clone());
        Self::of(options, policy.check.clone(), config)
    }

    fn of(options: Options, check: Check, config: Option<PathBuf>) -> Result<Self, Error> {
        if options.profile == Profile::Paper {
            return Err(Error::Profile);
        }
        let mut options = options.comparing().with_separate_tests();
        let signal = REIMPLEMENTATION.to_owned();
        let is_configured = options.disabled.contains(&signal) || options.enabled.contains(&signal);
        if check.compares_functions && !is_configured {
            options.enabled.push(signal);
        }
        Ok(Self {
            options,
            check,
            config,
        })
    }

    /// The measurer, which can serve any number of judgements.
    ///
    /// # Errors
    /// If a rule pack is invalid.
    pub fn measurer(&self) -> Result<Measurer, Error> {
        Ok(Measurer::new(self.options.clone())?)
    }
}
