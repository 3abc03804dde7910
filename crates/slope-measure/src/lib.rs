//! Measurement of a tree: facts per file, combined into a snapshot.
//!
//! | module | contents |
//! |---|---|
//! | [`options`] | options of a measurement |
//! | [`config`] | configuration file of a project |
//! | [`Measurer`] | options with their rules compiled and their threads started |
//! | `measure` | measures folders and files |
//! | `scan` | finds the files of a folder and analyses those that are not cached |
//! | `discover` | selection of the files of a folder, with reasons for the others |
//! | `early` | analysis of files while others are still being found, and its progress |
//! | `events` | log events |
//! | `facts` | facts of one file: lines, callables, rule hits, clone units |
//! | `findings` | findings of one file that depend only on its tree |
//! | `cache` | cache of facts between runs |
//! | `clones` | clones of a snapshot, as classes, lines and findings |
//! | `signals` | signals beyond the paper's, as findings |
//! | `assemble` | combines the facts of all files into a measurement |
//! | `totals` | totals of files |
//! | `in_force` | selection of the rules that are matched, and of the findings that are shown |
//! | `inline_tests` | tests in a file of production code |
//! | `portion` | share of a file in one part of the code base |
//! | `listing` | selection of the paths of a tree that is not on disk |
//! | `contents` | facts of contents, from which trees are assembled |
//! | `track`, `fold` | incremental measurement of trees that differ in a few files |
//! | `view` | file at one step of a comparison |
//! | [`BaseIndex`] | an index of a tree, for changes of it |
//! | `published` | measurement of Python by the definitions behind the paper's table |
//! | [`panel`] | rank of a tree among published repositories |
//! | [`table7`] | new measurement of the published table of repositories |
//! | `sources` | text of the measured files, for other analyses |
//! | `suppress` | comments that silence findings |
//! | `linters` | comments that silence the same findings of other linters |
//! | `doubts` | matches in code that the grammar may have misread |
//! | `levels` | oldest language versions that a project supports |
//! | `admit` | selection of the findings reported for a file, by its path and project |
//! | [`base`] | tree that a measurement is compared with |
//! | `definitions` | hash of everything that determines the numbers |
//! | `forms` | hashes of callables apart from name and layout, to follow them |
//! | `fingerprint` | ids of findings that survive shifts of lines |
//! | `places` | callable around a position |
//! | `sum` | compensated summation |
//!
//! Files are measured in parallel and their trees dropped immediately. The result does not depend
//! on the number of threads or on the content of the cache.

mod admit;
mod assemble;
pub mod base;
mod base_index;
mod cache;
mod clone_place;
mod clones;
pub mod config;
mod contents;
mod csv_file;
mod definitions;
mod depth;
mod discover;
mod doubts;
mod early;
mod error;
mod events;
mod facts;
mod findings;
mod fingerprint;
mod fold;
mod forms;
mod headlines;
mod in_force;
mod inline_tests;
pub mod levels;
mod linters;
mod listing;
mod measure;
mod measured_file;
mod measurer;
pub mod options;
mod others;
pub mod panel;
pub mod panel_list;
mod places;
mod portion;
mod published;
mod refused;
mod scan;
mod shadows;
mod signals;
mod sources;
mod sum;
mod suppress;
pub mod table7;
mod totals;
mod track;
mod view;

pub use base::{Base, BaseError};
pub use base_index::{BadIndex, BaseIndex, PendingBaseIndex};
pub use clone_place::{ClonePlace, MIN_COPY_LINES};
pub use config::{Config, ConfigError, FoundConfig};
pub use contents::{Content, Facts, FolderContents};
pub use discover::check_glob;
pub use discover::{LFS_POINTER, is_lfs_pointer};
pub use facts::Parsed;
pub use levels::Levels;
pub use listing::{Choice, Selection};
pub use options::{ConfiguredAt, EXCLUDED, Options, Profile, SizeTerm, Tests};
pub use slope_rules::SECURITY;
pub use slope_signals::{
    CheckCost, CopiedTable, Drift, DriftKind, NewParameter, NewWrapper, Resemblance, Resemblances,
    Reused, StyleDrift, Styles, Vocabulary, Wanted, is_runtime_module, names_statement,
};
pub use slope_syntax::Limits;
pub use sources::SourceFile;
pub use track::{FileStep, Step, Tracker, TreeTotals};
pub use view::{DeadCodeAt, FileView};

pub use error::Error;
pub use in_force::BUILT_IN;
pub use measure::{measure_dir, measure_files};
pub use measurer::{Measurer, Watch};
