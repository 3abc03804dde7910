//! A project with its settings and its folder of points.

use std::path::{Path, PathBuf};

use slope_change::folder_within;
use slope_gate::{Setup, TrackSettings};
use slope_git::Repo;
use slope_model::series::Point;
use slope_store::series::SeriesFolder;

use crate::Error;

/// A project with its settings and its folder of points.
pub struct Project {
    /// Folder that contains `.slope`: that of the configuration, otherwise the top of the repository, otherwise the
    /// named folder.
    pub root: PathBuf,
    /// Settings of `[track]`.
    pub settings: TrackSettings,
    /// The points.
    pub series: SeriesFolder,
    pub(crate) setup: Setup,
    pub(crate) repo: Option<Repo>,
    /// The named folder.
    pub(crate) path: PathBuf,
    /// The named folder relative to the top of the repository: empty, or with a `/` at the end.
    pub(crate) below: String,
}

impl Project {
    /// The project of a folder, with cached facts.
    ///
    /// # Errors
    /// If the folder does not exist, or its configuration or repository cannot be read.
    pub fn find(path: &Path, cache: Option<PathBuf>) -> Result<Self, Error> {
        if !path.is_dir() {
            return Err(Error::NoFolder {
                path: path.to_owned(),
            });
        }
        let setup = Setup::find(path, cache)?;
        let settings = match &setup.config {
            Some(config) => TrackSettings::read(config)?,
            None => TrackSettings::default(),
        };
        let repo = match Repo::open(path) {
            Ok(repo) => Some(repo),
            Err(slope_git::Error::NoRepository { .. }) => None,
            Err(error) => return Err(error.into()),
        };
        let of_config = setup.config.as_deref().and_then(Path::parent);
        let of_repo = repo.as_ref().map(Repo::path);
        let root = of_config.or(of_repo).unwrap_or(path).to_owned();
        let below = repo.as_ref().map(|repo| folder_within(repo, path));
        Ok(Self {
            series: SeriesFolder::of_project(&root),
            root,
            settings,
            setup,
            repo,
            path: path.to_owned(),
            below: below.unwrap_or_default(),
        })
    }

    /// The points of a series in order.
    ///
    /// # Errors
    /// If there are none, or one of them cannot be read.
    pub fn points(&self, series: &str) -> Result<Vec<Point>, Error> {
        let points = self.series.points(series)?;
        if points.is_empty() {
            return Err(Error::NoPoints {
                series: series.to_owned(),
                known: self.series.names()?,
            });
        }
        Ok(points)
    }
}
