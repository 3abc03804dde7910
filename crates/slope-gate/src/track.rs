//! `[track]` in `slope.toml`, and `[tool.slope.track]` in `pyproject.toml`: limits of a series, and its server.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use slope_model::assessment::ScoreName;
use slope_model::metrics::{self, Direction, Kind, Metric};
use slope_model::near_names;
use slope_model::series::check_name;
use toml::Spanned;

use crate::config::{Refused, line_at, read, table_of};
use crate::{Budget, Error};

/// Settings of `slope track`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TrackSettings {
    /// Address of the server that points are pushed to.
    pub server: Option<String>,
    /// Name of the project on that server.
    pub project: Option<String>,
    /// Limits of the last point, in order of their keys.
    pub limits: Vec<TrackLimit>,
    /// Limits of what one point may add to the point before.
    pub growth: Budget,
    /// Whether points keep no diffs of functions.
    pub has_no_diffs: bool,
}

/// A limit of a metric or score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TrackLimit {
    /// The metric or score.
    pub of: Tracked,
    /// Highest allowed value of a metric that is better if lower, lowest allowed value otherwise.
    pub allowed: f64,
}

/// A metric or score with a limit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Tracked {
    /// A metric.
    Metric(&'static Metric),
    /// A score of the static judge.
    Score(ScoreName),
}

impl TrackLimit {
    /// Whether the limit is the highest allowed value.
    #[must_use]
    pub fn is_highest(&self) -> bool {
        match self.of {
            Tracked::Metric(metric) => metric.direction != Direction::Higher,
            Tracked::Score(_) => false,
        }
    }

    /// Whether a value exceeds the limit.
    #[must_use]
    pub fn is_exceeded(&self, value: f64) -> bool {
        if self.is_highest() {
            value > self.allowed
        } else {
            value < self.allowed
        }
    }

    /// Its key in `[track]`.
    #[must_use]
    pub fn key(&self) -> String {
        let name = match self.of {
            Tracked::Metric(metric) => kebab(metric),
            Tracked::Score(score) => score.name().to_owned(),
        };
        let table = if self.is_highest() { "max" } else { "min" };
        format!("{table}.{name}")
    }
}

/// The name of a metric in a configuration.
fn kebab(metric: &Metric) -> String {
    metric.id.replace('_', "-")
}

/// `[track]` as written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct SaidTrack {
    server: Option<Spanned<String>>,
    project: Option<Spanned<String>>,
    #[serde(default)]
    max: BTreeMap<Spanned<String>, Spanned<f64>>,
    #[serde(default)]
    min: BTreeMap<Spanned<String>, Spanned<f64>>,
    growth: Option<Budget>,
    diffs: Option<bool>,
}

impl TrackSettings {
    /// Reads the settings in a `slope.toml` or `pyproject.toml`.
    ///
    /// # Errors
    /// If the file cannot be read, or has an unknown key or value.
    pub fn read(path: &Path) -> Result<Self, Error> {
        table_of(path, &read(path)?, Self::parse)
    }

    pub(crate) fn parse(text: &str, is_pyproject: bool) -> Result<Self, Refused> {
        let said = crate::config::said(text, is_pyproject)?.track;
        said.map_or_else(|| Ok(Self::default()), |said| said.resolved(text))
    }
}

impl SaidTrack {
    fn resolved(self, text: &str) -> Result<TrackSettings, Refused> {
        let refused = |at: usize| move |message: String| Refused::new(line_at(text, at), message);
        if let Some(server) = &self.server {
            check_address(server.get_ref()).map_err(refused(server.span().start))?;
        }
        if let Some(project) = &self.project {
            let check = check_name(project.get_ref());
            let check = check.map_err(|message| format!("{message}\nhelp: change the name"));
            check.map_err(refused(project.span().start))?;
        }
        let mut limits = Vec::new();
        for (table, is_max) in [(&self.max, true), (&self.min, false)] {
            for (name, allowed) in table {
                let of = tracked(name.get_ref(), is_max).map_err(refused(name.span().start))?;
                let allowed_span = allowed.span().start;
                let allowed = *allowed.get_ref();
                check_range(of, allowed).map_err(refused(allowed_span))?;
                limits.push(TrackLimit { of, allowed });
            }
        }
        Ok(TrackSettings {
            server: self.server.map(Spanned::into_inner),
            project: self.project.map(Spanned::into_inner),
            limits,
            growth: self.growth.unwrap_or_default(),
            has_no_diffs: self.diffs == Some(false),
        })
    }
}

/// Checks the address of a server.
///
/// # Errors
/// If it is not `http://…` or `https://…`.
pub fn check_address(address: &str) -> Result<(), String> {
    let rest = ["https://", "http://"]
        .into_iter()
        .find_map(|scheme| address.strip_prefix(scheme));
    let is_plain = |rest: &str| !rest.contains(['@', '?', '#', ' ']) && !rest.starts_with('/');
    match rest.filter(|rest| !rest.is_empty() && is_plain(rest)) {
        Some(_) => Ok(()),
        // What is before `@` may be a password.
        None => Err(format!(
            "`{}` is not the address of a server: expected http:// or https:// and a host\nhelp: write for example https://slope.example.com",
            address.rsplit('@').next().unwrap_or_default()
        )),
    }
}

/// Metrics of snapshots, which may have limits, and whether they have a highest value.
fn limited() -> impl Iterator<Item = (&'static Metric, bool)> {
    let listed = metrics::MEASURE.iter().chain(metrics::TRENDS);
    listed.map(|metric| (*metric, metric.direction != Direction::Higher))
}

fn tracked(name: &str, is_max: bool) -> Result<Tracked, String> {
    let plain = name.replace('_', "-");
    let score = ScoreName::ALL.into_iter().find(|it| it.name() == plain);
    if let (Some(score), false) = (score, is_max) {
        return Ok(Tracked::Score(score));
    }
    let metric = limited().find(|(metric, _)| kebab(metric) == plain);
    match (metric, score) {
        (Some((metric, of_max)), _) if of_max == is_max => Ok(Tracked::Metric(metric)),
        (Some((_, true)), _) => Err(format!(
            "{name} has no lowest value, because less is better\nhelp: use `max.{plain}`"
        )),
        (Some(_), _) | (_, Some(_)) => Err(format!(
            "{name} has no highest value, because more is better\nhelp: use `min.{plain}`"
        )),
        (None, None) => Err(unknown(&plain, is_max)),
    }
}

fn unknown(name: &str, is_max: bool) -> String {
    let scores = ScoreName::ALL.iter().filter(|_| !is_max);
    let mut names: Vec<String> = scores.map(|score| score.name().to_owned()).collect();
    let metrics = limited().filter(|(_, of_max)| *of_max == is_max);
    names.extend(metrics.map(|(metric, _)| kebab(metric)));
    names.sort();
    names.dedup();
    let near = near_names(names.iter().map(String::as_str), name);
    let remedy = match near.first() {
        Some(near) => format!("use `{near}` instead"),
        None => format!("use one of {}", names.join(", ")),
    };
    format!("unknown metric or score `{name}`\nhelp: {remedy}")
}

/// Refuses limits outside of the values: a share above 1 is never exceeded.
fn check_range(of: Tracked, allowed: f64) -> Result<(), String> {
    let (low, high) = match of {
        Tracked::Score(_) => (0.0, 10.0),
        Tracked::Metric(metric) if metric.kind == Kind::Ratio => (0.0, 1.0),
        Tracked::Metric(_) => (0.0, f64::MAX),
    };
    if (low..=high).contains(&allowed) {
        return Ok(());
    }
    let expected = match high {
        f64::MAX => "a number of at least 0".to_owned(),
        high => format!("a number from {low} to {high}"),
    };
    Err(format!(
        "expected {expected}, found {allowed}\nhelp: change the value to {expected}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<TrackSettings, String> {
        let found = TrackSettings::parse(text, false);
        found.map_err(|refused| format!("{}: {}", refused.line(), refused.message()))
    }

    #[test]
    fn limits_of_metrics_and_scores_are_read() {
        let text = "[track]\nserver = \"https://a.example\"\nmax.erosion = 0.5\nmax.max-complexity = 40\n\
                    min.extensibility = 4\nmin.erosion = 3.5\n[track.growth]\nmass = 50\n";
        let found = parse(text).unwrap();
        let keys: Vec<String> = found.limits.iter().map(TrackLimit::key).collect();
        let expected = [
            "max.erosion",
            "max.max-complexity",
            "min.erosion",
            "min.extensibility",
        ];
        assert_eq!(keys, expected);
        assert_eq!(found.growth.mass, Some(50.0));
        assert!(found.limits[0].is_exceeded(0.51) && !found.limits[0].is_exceeded(0.5));
        assert!(found.limits[2].is_exceeded(3.4) && !found.limits[2].is_exceeded(3.5));
    }

    #[test]
    fn misspelt_track_keys_name_the_nearest() {
        for (text, place, near) in [
            ("[track]\nmax.erosoin = 0.5\n", "2: ", "`erosion`"),
            (
                "[track]\n\nmin.extensability = 4\n",
                "3: ",
                "`extensibility`",
            ),
            ("[track]\nmaxx.erosion = 1\n", "2: ", "`max`"),
            ("[track.growth]\nmas = 1\n", "2: ", "`mass`"),
            ("[track]\nmin.mass = 4\n", "2: ", "`max.mass`"),
            (
                "[track]\nmax.maintainability = 4\n",
                "2: ",
                "`min.maintainability`",
            ),
            ("[track]\nmax.erosion = 5\n", "2: ", "from 0 to 1"),
            ("[track]\nserver = \"a.example\"\n", "2: ", "https://"),
            ("[track]\nproject = \"a/b\"\n", "2: ", "letters"),
        ] {
            let message = parse(text).unwrap_err();
            assert!(message.starts_with(place), "{text}: {message}");
            let remedy = message.split("help: ").nth(1).unwrap_or_default();
            assert!(
                remedy.contains(near) || message.contains(near),
                "{text}: {message}"
            );
        }
    }

    #[test]
    fn diffs_are_kept_unless_refused() {
        let has_none = |text: &str| parse(text).unwrap().has_no_diffs;
        assert!(!has_none("") && !has_none("[track]\ndiffs = true\n"));
        assert!(has_none("[track]\ndiffs = false\n"));
    }

    #[test]
    fn pyproject_has_track_settings_too() {
        let text = "[tool.slope.track]\nmax.erosion = 0.5\n";
        assert_eq!(TrackSettings::parse(text, true).unwrap().limits.len(), 1);
    }
}
