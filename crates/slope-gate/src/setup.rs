//! Settings for measuring and judging a path.

use std::path::{Path, PathBuf};

use slope_measure::{Config, Levels, Measurer, Options, Tests};

use crate::rules::findings::REIMPLEMENTATION;
use crate::{Check, Error};

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
        let mut options = Options::trusting(jiff::Zoned::now().date());
        let found = Config::find(path)?;
        if let Some(found) = &found {
            found.apply(&mut options);
        }
        options.cache = cache;
        options.levels = Levels::of(path);
        let config = found.map(|found| found.path);
        Self::new(options, config)
    }

    /// The settings with known options and a known configuration file.
    ///
    /// # Errors
    /// If the configuration has an unknown key or value for the gate.
    pub fn new(options: Options, config: Option<PathBuf>) -> Result<Self, Error> {
        let mut options = options.comparing();
        // Ledgers need separate tests.
        if options.tests == Tests::Include {
            options.tests = Tests::Split;
        }
        let check = match &config {
            Some(path) => Check::read(path)?,
            None => Check::default(),
        };
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
