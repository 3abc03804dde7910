//! Errors of series.

use std::path::PathBuf;

/// Reason that there is no point or status.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The path is not a folder.
    #[error("{} is not a directory\nhelp: name the directory of a project", path.display())]
    NoFolder {
        /// The path.
        path: PathBuf,
    },
    /// There is nothing to measure.
    #[error("{name} has no code that slope measures\nhelp: name a directory or commit with code")]
    NoCode {
        /// The path or revision.
        name: String,
    },
    /// The series has no points.
    #[error(
        "the series {series} has no points{}\nhelp: {}",
        known_names(known),
        remedy(known)
    )]
    NoPoints {
        /// The series.
        series: String,
        /// Names of other series.
        known: Vec<String>,
    },
    /// The series counts iterations, and the new point has none.
    #[error(
        "the series {series} counts iterations, so a point without one would come first\nhelp: add --iteration {next}, or name another series with --series"
    )]
    NoIteration {
        /// The series.
        series: String,
        /// The number after the last one.
        next: u32,
    },
    /// The repository cannot be read.
    #[error(transparent)]
    Git(#[from] slope_git::Error),
    /// The configuration is invalid.
    #[error(transparent)]
    Gate(#[from] slope_gate::Error),
    /// The code cannot be measured.
    #[error(transparent)]
    Judge(#[from] slope_judge::Error),
    /// A point cannot be read or written.
    #[error(transparent)]
    Store(#[from] slope_store::Error),
}

fn known_names(known: &[String]) -> String {
    match known {
        [] => String::new(),
        known => format!("; this project has {}", known.join(", ")),
    }
}

fn remedy(known: &[String]) -> &'static str {
    match known {
        [] => "add the first one with `slope track add`",
        _ => "name one of them with --series, or add a point with `slope track add`",
    }
}
