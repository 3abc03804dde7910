//! Points of series on disk: a file for each point, below `.slope/track` in a project.
//!
//! No file has the sum of several points, so two branches that both add points never conflict in git.

use std::path::{Path, PathBuf};

use slope_model::data_words::of_json;
use slope_model::schema;
use slope_model::series::{Point, check_name, sort};

use crate::{Error, atomic};

/// Folder of the points below a project.
pub const FOLDER: &str = ".slope/track";

/// Folder next to those of the series, with notes of this clone about servers.
const PUSHED: &str = "pushed";

/// Largest file of a point, in bytes.
const LARGEST: u64 = 8 << 20;

/// Remedy for a damaged file.
const RESTORE: &str = "help: restore the file from git, or remove it and add the point again";

/// The series of a project.
#[derive(Debug, Clone)]
pub struct SeriesFolder {
    root: PathBuf,
    folder: PathBuf,
}

/// Effect of an addition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Added {
    /// The point is new.
    New,
    /// The same point existed. Its file did not change.
    Same,
    /// A point with the same key and other numbers was replaced.
    Replaced,
}

impl SeriesFolder {
    /// The series of the project at a folder. Nothing is created yet.
    #[must_use]
    pub fn of_project(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
            folder: root.join(FOLDER),
        }
    }

    /// Folder of what this clone knows of servers: in the folder of git, so that nothing of it is ever committed or makes
    /// a checkout differ from its commit. Without a repository, next to the series.
    #[must_use]
    pub fn pushed(&self) -> PathBuf {
        match self.git_folder() {
            Some(folder) => folder.join("slope").join(PUSHED),
            None => self.folder.join(PUSHED),
        }
    }

    /// The folder of git: `.git`, or in a linked worktree the one that the file `.git` names.
    fn git_folder(&self) -> Option<PathBuf> {
        let git = self.root.join(".git");
        if git.is_dir() {
            return Some(git);
        }
        let text = std::fs::read_to_string(&git).ok()?;
        let named = Path::new(text.trim().strip_prefix("gitdir: ")?);
        Some(self.root.join(named)).filter(|folder| folder.is_dir())
    }

    /// File of a point. Colons of times are left out, because some systems do not allow them.
    #[must_use]
    pub fn file(&self, point: &Point) -> PathBuf {
        let name = point.key().to_string().replace(':', "");
        self.folder.join(&point.series).join(format!("{name}.json"))
    }

    /// Names of the series, sorted.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn names(&self) -> Result<Vec<String>, Error> {
        let names = listed(&self.folder)?.into_iter();
        let names = names.filter(|name| {
            name != PUSHED && check_name(name).is_ok() && self.folder.join(name).is_dir()
        });
        Ok(names.collect())
    }

    /// The points of a series in order. Empty if the series does not exist.
    ///
    /// # Errors
    /// If a file is damaged, has a newer format or another name than its point.
    pub fn points(&self, series: &str) -> Result<Vec<Point>, Error> {
        let folder = self.folder.join(series);
        self.check_folders(series)?;
        let names = listed(&folder)?.into_iter();
        let files = names.filter(|name| !name.starts_with('.') && name.ends_with(".json"));
        let points: Result<Vec<Point>, Error> =
            files.map(|name| self.read(&folder.join(name))).collect();
        let mut points = points?;
        sort(&mut points);
        Ok(points)
    }

    /// Writes a point. With `replaces`, an existing point with the same key and other numbers is overwritten.
    ///
    /// # Errors
    /// If the point exists with other numbers and `replaces` is not set, if the name of the series cannot be used, or if
    /// the file cannot be read or written.
    pub fn add(&self, point: &Point, replaces: bool) -> Result<Added, Error> {
        let path = self.file(point);
        let refused = |message: String| Error::Malformed {
            path: path.clone(),
            line: 1,
            message,
        };
        check_series(&point.series).map_err(|message| {
            refused(format!(
                "{message}\nhelp: choose another name with --series"
            ))
        })?;
        point.check().map_err(|fault| {
            refused(format!(
                "{fault}\nhelp: correct what was given for the point"
            ))
        })?;
        self.check_folders(&point.series)?;
        // Another process may add the same point at this moment: one of the two sees the other.
        if atomic::create_json(&path, point)? {
            return Ok(Added::New);
        }
        if self.read(&path)?.is_same(point) {
            return Ok(Added::Same);
        }
        if !replaces {
            return Err(Error::OtherPoint { path });
        }
        atomic::write_json(&path, point)?;
        Ok(Added::Replaced)
    }

    /// Refuses links on the way to a series: the repository may be anybody's, and they may lead anywhere.
    fn check_folders(&self, series: &str) -> Result<(), Error> {
        let track = &self.folder;
        let folders = [track.parent(), Some(track)].into_iter().flatten();
        let own = track.join(series);
        let mut links = folders
            .chain([own.as_path()])
            .filter(|folder| folder.is_symlink());
        match links.next() {
            Some(link) => Err(not_plain(link)),
            None => Ok(()),
        }
    }

    /// The point in a file, which must have the name of its series and key.
    fn read(&self, path: &Path) -> Result<Point, Error> {
        let kind = std::fs::symlink_metadata(path).map_err(Error::io("cannot read", path))?;
        if !kind.is_file() || kind.len() > LARGEST {
            return Err(not_plain(path));
        }
        let bytes = std::fs::read(path).map_err(Error::io("cannot read", path))?;
        let refused = |line: usize, message: String| Error::Malformed {
            path: path.to_owned(),
            line,
            message,
        };
        let damaged = |error: &serde_json::Error| {
            let message = of_json(&error.to_string());
            refused(error.line().max(1), format!("{message}\n{RESTORE}"))
        };
        let value: serde_json::Value =
            serde_json::from_slice(&bytes).map_err(|error| damaged(&error))?;
        if let Some(newer) = newer_schema(&value) {
            let message = format!(
                "its format is {newer}, and this slope knows {}",
                schema::POINT
            );
            return Err(refused(1, format!("{message}\nhelp: update slope")));
        }
        // Again from the text, so that errors have lines.
        let point: Point = serde_json::from_slice(&bytes).map_err(|error| damaged(&error))?;
        if let Err(fault) = point.check() {
            return Err(refused(1, format!("{fault}\n{RESTORE}")));
        }
        let expected = self.file(&point);
        if expected.file_name() != path.file_name() || expected.parent() != path.parent() {
            let message = format!("it has the point of {}", expected.display());
            return Err(refused(
                1,
                format!("{message}\nhelp: rename the file, or remove it"),
            ));
        }
        Ok(point)
    }
}

/// Checks the name of a series on disk.
///
/// # Errors
/// If it is not a name, or is the name of the folder for servers.
pub fn check_series(name: &str) -> Result<(), String> {
    check_name(name)?;
    if name.eq_ignore_ascii_case(PUSHED) {
        return Err(format!("`{name}` is reserved"));
    }
    Ok(())
}

/// The format of a point, if it is another version.
fn newer_schema(value: &serde_json::Value) -> Option<&str> {
    let schema = value.get("schema")?.as_str()?;
    let (family, _) = schema::POINT.split_once('/')?;
    let version = schema.strip_prefix(family)?.strip_prefix('/')?;
    (schema != schema::POINT && version.parse::<u32>().is_ok()).then_some(schema)
}

/// The error for what is no plain file or folder.
fn not_plain(path: &Path) -> Error {
    Error::Malformed {
        path: path.to_owned(),
        line: 1,
        message: "it is a link, a device or too large\nhelp: remove it, and add the points again"
            .to_owned(),
    }
}

/// Names in a folder, sorted; empty if it does not exist.
fn listed(folder: &Path) -> Result<Vec<String>, Error> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(Error::io("cannot list", folder)(error)),
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(Error::io("cannot list", folder))?;
        names.extend(entry.file_name().into_string());
    }
    names.sort();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use slope_model::measurement::Totals;
    use slope_model::series::{Author, MAIN_SERIES, Origin};

    use super::*;

    fn point(sloc: u64) -> Point {
        Point {
            schema: schema::POINT.to_owned(),
            series: MAIN_SERIES.to_owned(),
            time: "2026-11-30T10:20:30Z".to_owned(),
            iteration: None,
            commit: None,
            author: Author::default(),
            origin: Origin::Folder,
            tree: "0".repeat(64),
            engine: "slope 0.1.0".to_owned(),
            definitions: "a".to_owned(),
            totals: Totals {
                sloc,
                ..Totals::default()
            },
            parts: std::collections::BTreeMap::new(),
            findings: std::collections::BTreeMap::new(),
            scores: Vec::new(),
            worst: Vec::new(),
            change: None,
            note: None,
        }
    }

    #[test]
    fn points_are_kept_in_own_files() {
        let dir = tempfile::tempdir().unwrap();
        let series = SeriesFolder::of_project(dir.path());
        assert_eq!(series.points("main").unwrap(), []);
        assert_eq!(series.add(&point(1), false).unwrap(), Added::New);
        let iteration = Point {
            iteration: Some(2),
            ..point(2)
        };
        assert_eq!(series.add(&iteration, false).unwrap(), Added::New);
        let file = dir
            .path()
            .join(".slope/track/main/time-2026-11-30T102030Z.json");
        assert!(file.exists());
        assert_eq!(series.points("main").unwrap().len(), 2);
        assert_eq!(series.names().unwrap(), ["main"]);
    }

    #[test]
    fn other_numbers_need_replacement() {
        let dir = tempfile::tempdir().unwrap();
        let series = SeriesFolder::of_project(dir.path());
        series.add(&point(1), false).unwrap();
        assert_eq!(series.add(&point(1), false).unwrap(), Added::Same);
        let message = series.add(&point(2), false).unwrap_err().to_string();
        assert!(message.contains("T102030Z.json"), "{message}");
        assert!(message.contains("--replace"), "{message}");
        assert_eq!(series.points("main").unwrap()[0].totals.sloc, 1);
        assert_eq!(series.add(&point(2), true).unwrap(), Added::Replaced);
        assert_eq!(series.points("main").unwrap()[0].totals.sloc, 2);
    }

    #[test]
    fn damaged_points_name_line_and_remedy() {
        let dir = tempfile::tempdir().unwrap();
        let series = SeriesFolder::of_project(dir.path());
        series.add(&point(1), false).unwrap();
        let file = series.file(&point(1));
        let whole = std::fs::read_to_string(&file).unwrap();
        let refused = |text: &str| {
            std::fs::write(&file, text).unwrap();
            let message = series.points("main").unwrap_err().to_string();
            assert!(message.contains("\nhelp: "), "{message}");
            assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
            message
        };
        let merged = format!("{{\n<<<<<<< HEAD\n{}", &whole[1..]);
        assert!(refused(&merged).contains(".json:2: "));
        assert!(refused(&whole[..whole.len() / 2]).contains("restore"));
        assert!(refused(&whole.replace("\"time\"", "\"tome\"")).contains("tome"));
        assert!(refused(&whole.replace("slope.point/1", "slope.point/2")).contains("update slope"));
        assert!(refused(&whole.replace("10:20:30", "10:20:31")).contains("rename"));
    }

    #[test]
    fn folder_of_servers_is_not_a_series() {
        assert!(check_series("Pushed").is_err());
        let dir = tempfile::tempdir().unwrap();
        let series = SeriesFolder::of_project(dir.path());
        std::fs::create_dir_all(series.pushed()).unwrap();
        assert_eq!(series.names().unwrap(), Vec::<String>::new());
        let reserved = Point {
            series: "pushed".to_owned(),
            ..point(1)
        };
        assert!(series.add(&reserved, false).is_err());
    }

    #[test]
    #[cfg(unix)]
    fn links_are_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let series = SeriesFolder::of_project(folder.path());
        let own = folder.path().join(".slope/track/main");
        std::fs::create_dir_all(&own).unwrap();
        std::os::unix::fs::symlink("/dev/zero", own.join("iteration-1.json")).unwrap();
        let error = series.points(MAIN_SERIES).unwrap_err();
        assert!(error.to_string().contains("a link"), "{error}");
        std::fs::remove_dir_all(&own).unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(elsewhere.path(), &own).unwrap();
        assert!(series.points(MAIN_SERIES).is_err());
    }
}
