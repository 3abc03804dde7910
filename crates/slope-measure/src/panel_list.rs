//! Panels of human repositories, measured from a list of them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use slope_model::measurement::{FileMeasurement, Measurement};
use slope_model::metrics::{EROSION, MASS_PER_KLOC, Metric, VERBOSITY};

use crate::headlines::product;
use crate::levels::Levels;
use crate::options::Options;
use crate::panel::{Panel, PanelRepository};
use crate::{Error, Measurer, csv_file};

/// Reason that panels cannot be measured.
#[derive(Debug, thiserror::Error)]
pub enum PanelListError {
    /// The list cannot be read.
    #[error("cannot read the list {}\nhelp: give it the columns panel, languages, repository, commit, name and exclude", path.display())]
    List {
        /// The file.
        path: PathBuf,
        /// Error message.
        source: csv::Error,
    },
    /// A number of a repository is missing.
    #[error("{}: {reason}\nhelp: leave the repository out of the list", path.display())]
    Missing {
        /// The folder of the repository.
        path: PathBuf,
        /// Reason that it is missing.
        reason: String,
    },
    /// A repository cannot be measured.
    #[error(transparent)]
    Measure(#[from] Error),
}

/// A line of the list.
#[derive(Debug, Clone, Deserialize)]
pub struct Listed {
    /// Name and version of the panel.
    pub panel: String,
    /// Ids of the languages that count, separated by blanks.
    pub languages: String,
    /// Owner and name.
    pub repository: String,
    /// The commit.
    pub commit: String,
    /// Name of its folder.
    pub name: String,
    /// Patterns of paths that are copied from elsewhere or generated, separated by `;`.
    #[serde(default)]
    pub exclude: String,
}

/// Reads a list.
///
/// # Errors
/// If the list cannot be read or lacks a column.
pub fn read(path: &Path) -> Result<Vec<Listed>, PanelListError> {
    csv_file::rows(path).map_err(|source| PanelListError::List {
        path: path.to_owned(),
        source,
    })
}

/// Measures the repositories of a list, each in the folder of its name below `repositories`. Panels
/// are in the order of the list.
///
/// # Errors
/// If a repository cannot be read, or one of its values is missing.
pub fn measure(
    list: &[Listed],
    repositories: &Path,
    options: &Options,
    watch: &dyn Fn(&str),
) -> Result<Vec<Panel>, PanelListError> {
    let mut panels: Vec<Panel> = Vec::new();
    let mut index: BTreeMap<&str, usize> = BTreeMap::new();
    for listed in list {
        watch(&listed.name);
        let root = repositories.join(&listed.name);
        let (definitions, repository) = measured(listed, &root, options)?;
        let at = *index.entry(&listed.panel).or_insert_with(|| {
            panels.push(Panel {
                name: listed.panel.clone(),
                languages: languages(listed).map(str::to_owned).collect(),
                definitions,
                repositories: Vec::new(),
            });
            panels.len() - 1
        });
        panels[at].repositories.push(repository);
    }
    Ok(panels)
}

fn languages(listed: &Listed) -> impl Iterator<Item = &str> {
    listed.languages.split_whitespace()
}

/// The version of the definitions, and the numbers of a repository by them.
fn measured(
    listed: &Listed,
    root: &Path,
    options: &Options,
) -> Result<(String, PanelRepository), PanelListError> {
    let excluded = listed.exclude.split(';').filter(|glob| !glob.is_empty());
    let measurer = Measurer::new(Options {
        excluded_globs: excluded.map(str::to_owned).collect(),
        levels: Levels::of(root),
        ..options.clone()
    })?;
    let Measurement {
        files, definitions, ..
    } = measurer.measure_dir(root)?;
    let counts = |file: &&FileMeasurement| languages(listed).any(|id| id == file.language);
    let files: Vec<_> = files.iter().filter(counts).collect();
    let missing = |reason: &str| PanelListError::Missing {
        path: root.to_owned(),
        reason: reason.to_owned(),
    };
    let Some(totals) = product(&files, options) else {
        let reason = format!("no production code in {}", listed.languages);
        return Err(missing(&reason));
    };
    let number = |metric: &Metric| {
        let reason = || {
            totals
                .missing
                .get(metric.id)
                .map_or("no code", String::as_str)
        };
        metric.of_totals(&totals).ok_or_else(|| missing(reason()))
    };
    let repository = PanelRepository {
        repository: listed.repository.clone(),
        commit: listed.commit.clone(),
        verbosity: number(&VERBOSITY)?,
        erosion: number(&EROSION)?,
        mass_per_kloc: number(&MASS_PER_KLOC)?,
    };
    Ok((definitions.version, repository))
}
