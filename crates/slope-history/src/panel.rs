//! Combines several histories: share of repositories in which code becomes more verbose and eroded.

use std::path::{Path, PathBuf};

use serde::Serialize;
use slope_git::Repo;
use slope_measure::Measurer;
use slope_model::error_text::one_line;
use slope_model::history::{History, HistoryPoint};
use slope_model::measurement::Definitions;
use slope_stats::{Interval, mean, median, ols, wilson};

use crate::trajectory::{Options, Watch, trajectory};
use crate::{Agents, Error, Line};

/// Normal quantile of a 95 % interval.
const Z95: f64 = 1.959_963_984_540_054;

/// A repository of a panel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// The name in the list.
    pub name: String,
    /// Its path.
    pub path: PathBuf,
    /// Newest commit; `None` for the default branch's.
    pub revision: Option<String>,
}

/// Reason that a list of repositories cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ListError {
    /// The file cannot be read.
    #[error("cannot read the list {path}")]
    Read {
        /// The list.
        path: PathBuf,
        /// Cause.
        source: std::io::Error,
    },
    /// An invalid line.
    #[error(
        "{path}:{line}: expected a folder and an optional revision, separated by spaces, found `{text}`"
    )]
    Line {
        /// The list.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// Its text.
        text: String,
    },
    /// The list is empty.
    #[error("{path} lists no repository\nhelp: write a folder on each line")]
    Empty {
        /// The list.
        path: PathBuf,
    },
}

/// Reads a list of repositories: one per line, with its folder (relative to the list's own folder)
/// and optionally the newest commit that counts. Empty lines and the rest of a line after `#` are
/// ignored.
///
/// # Errors
/// [`ListError`], with file and line.
pub fn read_list(path: &Path) -> Result<Vec<Member>, ListError> {
    let text = std::fs::read_to_string(path).map_err(|source| ListError::Read {
        path: path.to_owned(),
        source,
    })?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut members = Vec::new();
    for (index, text) in text.lines().enumerate() {
        let content = text.split('#').next().unwrap_or_default();
        let words: Vec<&str> = content.split_whitespace().collect();
        let (name, revision) = match words[..] {
            [] => continue,
            [name] => (name, None),
            [name, revision] => (name, Some(revision.to_owned())),
            _ => {
                return Err(ListError::Line {
                    path: path.to_owned(),
                    line: index + 1,
                    text: text.to_owned(),
                });
            }
        };
        members.push(Member {
            name: name.trim_end_matches('/').to_owned(),
            path: folder.join(name),
            revision,
        });
    }
    match members.is_empty() {
        true => Err(ListError::Empty {
            path: path.to_owned(),
        }),
        false => Ok(members),
    }
}

/// Change of a share from the first snapshot to the last.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Travelled {
    /// Value at the first snapshot with one, 0 to 1.
    pub first: f64,
    /// Value at the last.
    pub last: f64,
    /// Last over first, less 1; `None` if the first is 0.
    pub growth: Option<f64>,
    /// Whether the last is above the first.
    pub rises: bool,
    /// Least squares of the value on the snapshot's number; `None` with fewer than two.
    pub slope: Option<f64>,
}

/// A repository's row.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PanelRow {
    /// The name in the list.
    pub repository: String,
    /// Commits on the first-parent line.
    pub commits: u32,
    /// Of those, commits that change measured files.
    pub touching: u32,
    /// Snapshots that were measured.
    pub snapshots: u32,
    /// The commit of the first snapshot, and its day.
    pub first: (String, String),
    /// The commit of the last snapshot, and its day.
    pub last: (String, String),
    /// Lines at the first and the last snapshot, as the profile counts them.
    pub lines: (u64, u64),
    /// Verbosity; `None` if no snapshot has one.
    pub verbosity: Option<Travelled>,
    /// Erosion; `None` if no snapshot has one.
    pub erosion: Option<Travelled>,
}

/// Number of rising repositories among some.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct RisingShare {
    /// Repositories.
    pub repositories: u32,
    /// Repositories among them whose last value is above the first.
    pub rising: u32,
    /// Their share; `None` without a repository.
    pub share: Option<f64>,
    /// Its 95 % interval (Wilson).
    pub interval: Option<(f64, f64)>,
}

/// Movement of a share over the repositories.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PanelSummary {
    /// All repositories with values.
    pub all: RisingShare,
    /// Repositories whose first value is above 0: a share that begins at 0, for example in a first
    /// commit of a few lines, can only rise.
    pub from_above_zero: RisingShare,
    /// Median growth from first to last, over repositories whose first value is above 0.
    pub median_growth: Option<f64>,
    /// Mean growth of the same.
    pub mean_growth: Option<f64>,
    /// Median slope a snapshot.
    pub median_slope: Option<f64>,
}

/// Histories side by side.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PanelHistory {
    /// Definitions of the numbers.
    pub definitions: Definitions,
    /// Maximum number of snapshots of a repository.
    pub sample: u32,
    /// Repositories in the list's order.
    pub rows: Vec<PanelRow>,
    /// Repositories that could not be measured, and why.
    pub left_out: Vec<(String, String)>,
    /// Verbosity over them.
    pub verbosity: PanelSummary,
    /// Erosion over them.
    pub erosion: PanelSummary,
}

/// Measures up to `sample` snapshots of each repository of a list, evenly spread over the commits
/// that change measured files, and counts those in which verbosity and erosion rise. Repositories
/// that cannot be measured are left out, with the reason.
#[must_use]
pub fn panel(
    members: &[Member],
    measurer: &Measurer,
    sample: usize,
    watch: Watch<'_>,
) -> PanelHistory {
    let mut rows = Vec::new();
    let mut left_out = Vec::new();
    for member in members {
        match history(member, measurer, sample, watch) {
            Ok(history) => rows.push(row(member, &history)),
            Err(error) => left_out.push((member.name.clone(), one_line(&error))),
        }
    }
    PanelHistory {
        definitions: measurer.definitions(),
        sample: u32::try_from(sample).unwrap_or(u32::MAX),
        verbosity: summary(rows.iter().filter_map(|row| row.verbosity)),
        erosion: summary(rows.iter().filter_map(|row| row.erosion)),
        rows,
        left_out,
    }
}

fn history(
    member: &Member,
    measurer: &Measurer,
    sample: usize,
    watch: Watch<'_>,
) -> Result<History, Error> {
    let repo = Repo::open(&member.path)?;
    let options = Options {
        revision: member.revision.clone(),
        line: Line::FirstParent,
        sample: Some(sample),
        since: None,
        paths: Vec::new(),
        ledger: false,
        agents: Agents::default(),
    };
    let progress = |what: &str, done: usize, all: usize| {
        watch(&format!("{}: {what}", member.name), done, all);
    };
    trajectory(&repo, measurer, &options, &progress)
}

fn row(member: &Member, history: &History) -> PanelRow {
    let (first, last) = (history.points.first(), history.points.last());
    let named = |point: Option<&HistoryPoint>| match point {
        Some(point) => {
            let commit = &point.commit;
            let day = commit.time.get(..10).unwrap_or(&commit.time);
            (commit.id.clone(), day.to_owned())
        }
        None => (String::new(), String::new()),
    };
    let lines = |point: Option<&HistoryPoint>| point.map_or(0, |point| point.totals.lines);
    PanelRow {
        repository: member.name.clone(),
        commits: history.commits,
        touching: history.touching,
        snapshots: u32::try_from(history.points.len()).unwrap_or(u32::MAX),
        first: named(first),
        last: named(last),
        lines: (lines(first), lines(last)),
        verbosity: travelled(&history.points, |point| point.totals.verbosity),
        erosion: travelled(&history.points, |point| point.totals.erosion),
    }
}

fn travelled(points: &[HistoryPoint], of: fn(&HistoryPoint) -> Option<f64>) -> Option<Travelled> {
    let values: Vec<(f64, f64)> = (0u32..)
        .zip(points)
        .filter_map(|(index, point)| Some((f64::from(index), of(point)?)))
        .collect();
    let (first, last) = (values.first()?.1, values.last()?.1);
    Some(Travelled {
        first,
        last,
        growth: (first > 0.0).then(|| last / first - 1.0),
        rises: last > first,
        slope: ols(&values).map(|fit| fit.slope),
    })
}

fn summary(all: impl Iterator<Item = Travelled>) -> PanelSummary {
    let all: Vec<Travelled> = all.collect();
    let growths: Vec<f64> = all.iter().filter_map(|t| t.growth).collect();
    let slopes: Vec<f64> = all.iter().filter_map(|t| t.slope).collect();
    PanelSummary {
        all: rising(all.iter()),
        from_above_zero: rising(all.iter().filter(|travelled| travelled.first > 0.0)),
        median_growth: median(&growths),
        mean_growth: mean(&growths),
        median_slope: median(&slopes),
    }
}

fn rising<'a>(all: impl Iterator<Item = &'a Travelled>) -> RisingShare {
    let (mut repositories, mut rising) = (0u32, 0u32);
    for travelled in all {
        repositories += 1;
        rising += u32::from(travelled.rises);
    }
    RisingShare {
        repositories,
        rising,
        share: (repositories > 0).then(|| f64::from(rising) / f64::from(repositories)),
        interval: wilson(rising.into(), repositories.into(), Z95)
            .map(|Interval { low, high }| (low, high)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panel_list_names_folders_and_revisions() {
        let dir = tempfile::tempdir().unwrap();
        let list = dir.path().join("list.txt");
        std::fs::write(&list, "# panel\nflask v2.0  # old\n\nsub/click/\n").unwrap();
        let members = read_list(&list).unwrap();
        let found: Vec<_> = members
            .iter()
            .map(|m| (m.name.as_str(), m.revision.as_deref()))
            .collect();
        assert_eq!(found, [("flask", Some("v2.0")), ("sub/click", None)]);
        assert_eq!(members[0].path, dir.path().join("flask"));
        std::fs::write(&list, "a\nb c d\n").unwrap();
        let error = read_list(&list).unwrap_err().to_string();
        assert!(error.contains("list.txt:2: "), "{error}");
        std::fs::write(&list, "# none\n").unwrap();
        assert!(matches!(read_list(&list), Err(ListError::Empty { .. })));
    }

    #[test]
    fn panel_rises_if_last_exceeds_first() {
        let travelled = |first: f64, last: f64| Travelled {
            first,
            last,
            growth: (first > 0.0).then(|| last / first - 1.0),
            rises: last > first,
            slope: Some(last - first),
        };
        let found = summary(
            [
                travelled(0.1, 0.2),
                travelled(0.2, 0.1),
                travelled(0.0, 0.1),
            ]
            .into_iter(),
        );
        assert_eq!((found.all.repositories, found.all.rising), (3, 2));
        let above = found.from_above_zero;
        assert_eq!((above.repositories, above.rising), (2, 1));
        assert!((found.median_growth.unwrap() - 0.25).abs() < 1e-12);
        assert_eq!(summary(std::iter::empty()).all.share, None);
    }
}
