//! Files that steer judging: settings, ratchets, rules and points.

use std::collections::BTreeMap;

use slope_git::{Id, Kind, Reader};
use slope_measure::Measurer;
use slope_store::series::FOLDER as POINTS;

use super::links::resolved;
use super::scope::{is_config, last_of};
use crate::Error;

/// What a file says about judging.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Steering {
    /// Settings, or the target of a link to them.
    Config,
    /// The ratchet, or the target of a link to it.
    Ratchet,
    /// Rules that the settings name.
    Rules,
    /// A point of a series, from which growth counts.
    Point,
}

/// The files of a base that steer judging.
pub(super) struct Steered<'a> {
    ratchet: Option<&'a str>,
    /// Targets of links to settings and ratchets.
    linked: BTreeMap<String, Steering>,
    /// Files and folders of rules.
    rules: Vec<String>,
}

impl<'a> Steered<'a> {
    /// The files for a base's tree. `ratchet` is the file name of the ratchet.
    pub(super) fn of(
        reader: &Reader,
        measurer: &Measurer,
        (tree, ratchet): (Option<Id>, Option<&'a str>),
    ) -> Result<Self, Error> {
        let mut steered = Self {
            ratchet,
            linked: BTreeMap::new(),
            rules: measurer.rules_within(reader.path()),
        };
        let Some(tree) = tree else {
            return Ok(steered);
        };
        for entry in reader.files(tree, &|_| true)? {
            if entry.kind != Kind::Link {
                continue;
            }
            let Some(steering) = steered.of_name(&entry.path) else {
                continue;
            };
            let target = reader.blob(entry.id, &entry.path)?;
            if let Some(target) = resolved(&entry.path, &String::from_utf8_lossy(&target)) {
                steered.linked.insert(target, steering);
            }
        }
        Ok(steered)
    }

    /// What a file says, if it steers judging.
    pub(super) fn steering(&self, path: &str) -> Option<Steering> {
        let is_rules = |rules: &String| {
            let rest = path.strip_prefix(rules.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/') || rules.is_empty())
        };
        if self.rules.iter().any(is_rules) {
            let is_yaml = path.ends_with(".yml") || path.ends_with(".yaml");
            if is_yaml {
                return Some(Steering::Rules);
            }
        }
        let is_point =
            path.starts_with(&format!("{POINTS}/")) || path.contains(&format!("/{POINTS}/"));
        let of_place = is_point.then_some(Steering::Point);
        of_place
            .or_else(|| self.of_name(path))
            .or_else(|| self.linked.get(path).copied())
    }

    fn of_name(&self, path: &str) -> Option<Steering> {
        if is_config(path) {
            return Some(Steering::Config);
        }
        (self.ratchet == Some(last_of(path))).then_some(Steering::Ratchet)
    }
}
