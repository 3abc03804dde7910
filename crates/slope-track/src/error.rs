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
    /// An assessment is not of a model.
    #[error(
        "no model judged in this assessment\nhelp: give the JSON of `slope judge --model NAME --format json`; points have the static scores anyway"
    )]
    NoModel,
    /// An assessment is of other code.
    #[error(
        "the assessment of {target} has other static scores than this point, so it is of other code or settings\nhelp: judge the same directory or commit again"
    )]
    OtherCode {
        /// What was judged.
        target: String,
    },
    /// The models of a point are all others than those of the point before.
    #[error(
        "{now} judged this point, and {before} the one before: their scores cannot be compared\nhelp: judge this point with both once, and give both files with --judged"
    )]
    OtherJudge {
        /// The model before.
        before: String,
        /// The model now.
        now: String,
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
