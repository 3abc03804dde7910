//! The folder of a watch: its settings, and a folder for each day.
//!
//! `days/DATE/plan.json` fixes a day before it begins, `days/DATE/runs/ARM-TRACK` are its runs, and
//! `days/DATE/day.json` has its results. A day with results is over. `acknowledgements.json` has notes on alarms.

use std::path::{Path, PathBuf};

use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use slope_model::schema;
use slope_model::watch::WatchDay;
use slope_model::watch_notes::Notes;
use slope_store::atomic;
use slope_store::run_dir::Lock;

use crate::Error;
use crate::settings::Settings;
use crate::tick::YEARS;

/// The folder of a watch.
#[derive(Debug, Clone)]
pub struct WatchFolder {
    root: PathBuf,
}

/// The plan of a day.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DayPlan {
    /// Runs of each task.
    pub replicates: u32,
    /// Reason for that number.
    pub why: String,
    /// The settings of the day, so that a change of them begins with the next day.
    #[serde(default)]
    pub settings: Option<Settings>,
}

impl DayPlan {
    /// The settings of the day; the given ones if the plan has none.
    #[must_use]
    pub fn of<'a>(&'a self, settings: &'a Settings) -> &'a Settings {
        self.settings.as_ref().unwrap_or(settings)
    }
}

/// A file of a newer slope.
fn unsupported(path: PathBuf, schema: &str) -> Error {
    let message =
        format!("this version of slope does not support the schema {schema}\nhelp: update slope");
    let malformed = slope_store::Error::Malformed {
        path,
        line: 1,
        message,
    };
    malformed.into()
}

impl WatchFolder {
    /// The watch in a folder. Nothing is read or created yet.
    #[must_use]
    pub fn at(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
        }
    }

    /// The folder.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Folder of the run of an arm in a language on a day.
    #[must_use]
    pub fn run(&self, date: Date, arm: &str, track: &str) -> PathBuf {
        self.day(date).join("runs").join(format!("{arm}-{track}"))
    }

    /// Folder of the messages to receivers.
    #[must_use]
    pub fn outbox(&self) -> PathBuf {
        self.root.join("outbox")
    }

    /// Name of the watch: that of its folder.
    #[must_use]
    pub fn name(&self) -> String {
        let root = std::path::absolute(&self.root).unwrap_or_else(|_| self.root.clone());
        let name = root.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }

    /// Notes on alarms.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn notes(&self) -> Result<Notes, Error> {
        let path = self.notes_file();
        if !path.exists() {
            return Ok(Notes::default());
        }
        let notes: Notes = atomic::read_json(&path)?;
        if notes.schema != schema::WATCH_NOTES {
            return Err(unsupported(path, &notes.schema));
        }
        Ok(notes)
    }

    /// Keeps notes on alarms in place of the earlier ones.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn keep_notes(&self, notes: &Notes) -> Result<(), Error> {
        Ok(atomic::write_json(&self.notes_file(), notes)?)
    }

    fn notes_file(&self) -> PathBuf {
        self.root.join("acknowledgements.json")
    }

    fn day(&self, date: Date) -> PathBuf {
        self.root.join("days").join(date.to_string())
    }

    /// Takes the lock that allows working on days.
    ///
    /// # Errors
    /// [`Error::Busy`] if another process has it.
    pub fn lock(&self) -> Result<Lock, Error> {
        Lock::of(&self.root).map_err(|error| match error {
            slope_store::Error::Locked(root) => Error::Busy(root),
            other => other.into(),
        })
    }

    /// The dates that have a folder, in order.
    ///
    /// # Errors
    /// If they cannot be listed.
    pub fn dates(&self) -> Result<Vec<Date>, Error> {
        let path = self.root.join("days");
        let entries = match std::fs::read_dir(&path) {
            Ok(entries) => entries,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(source) => return Err(Error::Folder { path, source }),
        };
        let mut dates = Vec::new();
        for entry in entries {
            let entry = entry.map_err(|source| Error::Folder {
                path: path.clone(),
                source,
            })?;
            let name = entry.file_name();
            let date = name.to_str().and_then(|name| name.parse::<Date>().ok());
            // Other spellings of a date are other folders.
            let is_exact = |date: &Date| {
                YEARS.contains(&date.year()) && name.to_str() == Some(date.to_string().as_str())
            };
            dates.extend(date.filter(is_exact));
        }
        dates.sort();
        Ok(dates)
    }

    /// The results of all days that are over, in order.
    ///
    /// # Errors
    /// If one cannot be read.
    pub fn results(&self) -> Result<Vec<WatchDay>, Error> {
        let mut days = Vec::new();
        for date in self.dates()? {
            days.extend(self.result(date)?);
        }
        Ok(days)
    }

    /// The results of a day; `None` if it is not over.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn result(&self, date: Date) -> Result<Option<WatchDay>, Error> {
        let path = self.day(date).join("day.json");
        if !path.exists() {
            return Ok(None);
        }
        let day: WatchDay = atomic::read_json(&path)?;
        if day.schema != schema::WATCH_DAY {
            return Err(unsupported(path, &day.schema));
        }
        if day.date != date.to_string() {
            return Err(Error::OtherDay {
                path,
                found: day.date,
            });
        }
        Ok(Some(day))
    }

    /// Keeps the results of a day.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn keep(&self, date: Date, day: &WatchDay) -> Result<(), Error> {
        Ok(atomic::write_json(&self.day(date).join("day.json"), day)?)
    }

    /// The plan of a day; `None` if it has not begun.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn plan(&self, date: Date) -> Result<Option<DayPlan>, Error> {
        let path = self.day(date).join("plan.json");
        if !path.exists() {
            return Ok(None);
        }
        Ok(Some(atomic::read_json(&path)?))
    }

    /// Keeps the plan of a day.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn keep_plan(&self, date: Date, plan: &DayPlan) -> Result<(), Error> {
        Ok(atomic::write_json(&self.day(date).join("plan.json"), plan)?)
    }
}
