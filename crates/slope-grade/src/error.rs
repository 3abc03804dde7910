//! Errors of bases and packs. Errors of single requests are [`Fault`](slope_model::grade::Fault)s in their grades.

/// Why a base or pack cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The folder does not exist or cannot be read.
    #[error(
        "could not read {path}\nhelp: name a folder, a tar archive, or a revision of a repository as PATH@REVISION"
    )]
    Folder {
        /// The folder.
        path: String,
        /// The cause.
        #[source]
        source: std::io::Error,
    },
    /// The archive cannot be read or is too large.
    #[error(
        "{path} is no archive that slope can read\nhelp: give a tar file, plain or compressed by gzip or zstd"
    )]
    Archive {
        /// Name of the archive.
        path: String,
        /// The cause.
        #[source]
        source: std::io::Error,
    },
    /// The index cannot be used.
    #[error(
        "{path} is no index that slope can use: {reason}\nhelp: write it again: slope grade index --base PATH --out {path}"
    )]
    Index {
        /// Path of the index.
        path: String,
        /// The reason.
        reason: slope_measure::BadIndex,
    },
    /// There is something else than a file.
    #[error("{path} is no file\nhelp: name a new file, or one that can be replaced")]
    NoFile {
        /// The path.
        path: String,
    },
    /// The index cannot be written.
    #[error(transparent)]
    Store(#[from] slope_store::Error),
    /// The repository cannot be read.
    #[error(transparent)]
    Git(#[from] slope_git::Error),
    /// The files cannot be measured.
    #[error(transparent)]
    Measure(#[from] slope_measure::Error),
    /// The change cannot be analysed.
    #[error(transparent)]
    Change(#[from] slope_change::Error),
    /// The rules of the gate cannot be applied.
    #[error(transparent)]
    Gate(#[from] slope_gate::Error),
    /// The base has no code.
    #[error(
        "{path} has no code that slope measures\nhelp: name the folder that the edits apply to"
    )]
    NoCode {
        /// The base as named.
        path: String,
    },
    /// The pack is not a pack.
    #[error("{path}, line {line}: {message}\nhelp: `slope grade pack` prints a pack that works")]
    Pack {
        /// Path of the pack.
        path: String,
        /// Line, from 1.
        line: usize,
        /// The reason.
        message: String,
    },
    /// A number of the pack is out of range.
    #[error("{path}: {key} is {value}\nhelp: write a number {range}")]
    PackValue {
        /// Path of the pack.
        path: String,
        /// The key.
        key: &'static str,
        /// The number.
        value: f64,
        /// Which numbers are allowed.
        range: String,
    },
}
