//! How a path is measured and judged, by its configuration.

use std::path::{Path, PathBuf};

use slope_measure::{Config, Levels, Measurer, Options, Tests};

use crate::rules::findings::REIMPLEMENTATION;
use crate::{Check, Error};

/// How a path is measured and judged.
#[derive(Debug, Clone)]
pub struct Setup {
    /// How it is measured.
    pub options: Options,
    /// How it is judged.
    pub check: Check,
    /// The configuration that says so, if there is one.
    pub config: Option<PathBuf>,
}

impl Setup {
    /// By the configuration for a path, with facts kept in a cache.
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

    /// By options and a configuration file that are known.
    ///
    /// # Errors
    /// If the configuration has an unknown key or value of the gate.
    pub fn new(options: Options, config: Option<PathBuf>) -> Result<Self, Error> {
        let mut options = options.comparing();
        // Ledgers tell tests apart.
        if options.tests == Tests::Include {
            options.tests = Tests::Split;
        }
        let check = match &config {
            Some(path) => Check::read(path)?,
            None => Check::default(),
        };
        let signal = REIMPLEMENTATION.to_owned();
        let is_said = options.disabled.contains(&signal) || options.enabled.contains(&signal);
        if check.compares_functions && !is_said {
            options.enabled.push(signal);
        }
        Ok(Self {
            options,
            check,
            config,
        })
    }

    /// The measurer; made once for any number of judgements.
    ///
    /// # Errors
    /// If a rule pack cannot be used.
    pub fn measurer(&self) -> Result<Measurer, Error> {
        Ok(Measurer::new(self.options.clone())?)
    }
}
