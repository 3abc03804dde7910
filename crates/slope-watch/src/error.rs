//! Errors of a watch.

use std::path::PathBuf;

/// A failure of a watch or of its input.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no watch in a folder.
    #[error("{} has no watch.toml\nhelp: create it with `slope watch init`", .0.display())]
    NoWatch(PathBuf),
    /// A watch exists already.
    #[error("{} exists\nhelp: edit it, or choose another folder", .0.display())]
    Exists(PathBuf),
    /// The settings are invalid.
    #[error("{}: {message}", path.display())]
    Settings {
        /// The file.
        path: PathBuf,
        /// The problem, with its place and a remedy.
        message: String,
    },
    /// A day is before the last one that is kept.
    #[error(
        "{date} is before {last}, the last day of the watch\n\
         help: a missed day stays missing, so leave it out"
    )]
    Past {
        /// The requested day.
        date: String,
        /// The last day.
        last: String,
    },
    /// A date that no clock shows.
    #[error("{0} is far from today\nhelp: check the clock, or give a date from 2000 to 2200")]
    FarDate(String),
    /// Another tick works.
    #[error("another `slope watch tick` works in {}\nhelp: wait for it, or stop it", .0.display())]
    Busy(PathBuf),
    /// No day has results.
    #[error("{} has no results yet\nhelp: run `slope watch tick`", .0.display())]
    NoResults(PathBuf),
    /// A file of a day has another date than its folder.
    #[error("{}: it is of the day {found}\nhelp: move it to the folder of that day", path.display())]
    OtherDay {
        /// The file.
        path: PathBuf,
        /// Its date.
        found: String,
    },
    /// A file cannot be read or written.
    #[error(transparent)]
    Store(#[from] slope_store::Error),
    /// A run cannot be read.
    #[error(transparent)]
    Bench(#[from] slope_bench::Error),
    /// A folder cannot be listed or locked.
    #[error("cannot use {}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
}
