//! New measurement of the published table of human repositories (paper, Table 7).
//!
//! A panel file lists repositories with their values under the published definitions and rules.
//! Each is measured with those rules, supplied by the user, and compared value by value. Then
//! slope's own Python rules are compared with them, file by file and line by line.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use slope_model::measurement::Totals;
use slope_model::metrics::MASS_PER_KLOC;
use slope_syntax::LineSet;

use crate::definitions::PUBLISHED_LANGUAGE;
use crate::options::Options;
use crate::panel::{Panel, PanelRepository};
use crate::totals::ratio;
use crate::{Error, Measurer, csv_file};

/// Largest difference of a ratio that counts as equal: half of the third decimal.
pub const TOLERANCE: f64 = 0.0005;

/// Reason that the table cannot be measured.
#[derive(Debug, thiserror::Error)]
pub enum Table7Error {
    /// The panel file cannot be read.
    #[error("cannot read the panel {}\nhelp: give it the columns repo, source, commit, loc, callables, violation, clone, verbosity, erosion and mass", path.display())]
    Panel {
        /// The file.
        path: PathBuf,
        /// Error message.
        source: csv::Error,
    },
    /// A repository cannot be measured.
    #[error(transparent)]
    Measure(#[from] Error),
}

/// Row of a panel file: the expected values of a repository.
#[derive(Debug, Clone, Deserialize)]
pub struct Expected {
    /// Name, and name of its folder.
    pub repo: String,
    /// Owner and name.
    #[serde(default)]
    pub source: String,
    /// The commit.
    #[serde(default)]
    pub commit: String,
    /// Physical lines.
    pub loc: u64,
    /// Callables.
    pub callables: u32,
    /// Physical lines of rule matches over physical lines.
    pub violation: f64,
    /// Physical lines in clones over physical lines.
    pub clone: f64,
    /// Verbosity.
    pub verbosity: f64,
    /// Erosion.
    pub erosion: f64,
    /// Complexity mass.
    pub mass: f64,
}

/// Values of a repository.
#[derive(Debug, Clone, Serialize)]
pub struct Row {
    /// Name.
    pub repo: String,
    /// Owner and name.
    pub source: String,
    /// The commit.
    pub commit: String,
    /// Physical lines.
    pub loc: u64,
    /// Callables.
    pub callables: u32,
    /// Physical lines of rule matches over physical lines.
    pub violation: Option<f64>,
    /// Physical lines in clones over physical lines.
    pub clone: Option<f64>,
    /// Verbosity.
    pub verbosity: Option<f64>,
    /// Erosion.
    pub erosion: Option<f64>,
    /// Complexity mass.
    pub mass: Option<f64>,
    /// Differences from the panel file: name, expected, measured.
    pub differences: Vec<String>,
    /// Comparison of slope's own rules.
    pub own: OwnRules,
}

/// Comparison of the lines flagged by slope's own rules with those flagged by the published rules.
#[derive(Debug, Clone, Default, Serialize)]
pub struct OwnRules {
    /// Source lines that both flag.
    pub both: u64,
    /// Source lines that slope's rules flag.
    pub own: u64,
    /// Source lines that the published rules flag.
    pub published: u64,
    /// Verbosity with slope's own rules.
    pub verbosity: Option<f64>,
    /// Complexity mass per thousand physical lines.
    pub mass_per_kloc: Option<f64>,
}

impl OwnRules {
    /// Share of the lines flagged by slope's rules that the published rules flag too, 0 to 1.
    #[must_use]
    pub fn precision(&self) -> Option<f64> {
        (self.own > 0).then(|| ratio(self.both, self.own))
    }

    /// Share of the lines flagged by the published rules that slope's rules flag too, 0 to 1.
    #[must_use]
    pub fn recall(&self) -> Option<f64> {
        (self.published > 0).then(|| ratio(self.both, self.published))
    }
}

/// The table, measured.
#[derive(Debug, Clone, Serialize)]
pub struct Table7 {
    /// Version of the definitions.
    pub definitions: String,
    /// Repositories in the order of the panel file.
    pub rows: Vec<Row>,
    /// Repositories that are not in the folder.
    pub absent: Vec<String>,
    /// Repositories without any difference.
    pub equal: usize,
    /// Slope's own rules over all repositories; verbosity left out.
    pub own: OwnRules,
    /// See [`OwnRules::precision`].
    pub precision: Option<f64>,
    /// See [`OwnRules::recall`].
    pub recall: Option<f64>,
    /// Median over repositories of the absolute difference of verbosity with own and published rules.
    pub median_difference: Option<f64>,
}

impl Table7 {
    /// The values with slope's own rules, as a panel for other trees.
    #[must_use]
    pub fn shipped(&self, name: &str) -> Panel {
        let repository = |row: &Row| {
            Some(PanelRepository {
                repository: row.source.clone(),
                commit: row.commit.clone(),
                verbosity: row.own.verbosity?,
                erosion: row.erosion?,
                mass_per_kloc: row.own.mass_per_kloc?,
            })
        };
        Panel {
            name: name.to_owned(),
            languages: vec![PUBLISHED_LANGUAGE.to_owned()],
            definitions: self.definitions.clone(),
            repositories: self.rows.iter().filter_map(repository).collect(),
        }
    }
}

/// Reads a panel file.
///
/// # Errors
/// If the file cannot be read or lacks a column.
pub fn read_panel(path: &Path) -> Result<Vec<Expected>, Table7Error> {
    csv_file::rows(path).map_err(|source| Table7Error::Panel {
        path: path.to_owned(),
        source,
    })
}

/// Measures the repositories of a panel, each in the folder of its name below `repositories`.
///
/// # Errors
/// If the rules cannot be used, or an existing repository cannot be read.
pub fn measure(
    panel: &[Expected],
    repositories: &Path,
    rules: &[PathBuf],
    threads: usize,
    watch: &dyn Fn(&str),
) -> Result<Table7, Table7Error> {
    let published = Measurer::new(Options {
        own_rules: false,
        rule_paths: rules.to_vec(),
        threads,
        ..Options::panel()
    })?;
    let own = Measurer::new(Options {
        threads,
        ..Options::panel()
    })?;
    let mut rows = Vec::new();
    let mut absent = Vec::new();
    for expected in panel {
        let root = repositories.join(&expected.repo);
        if !root.is_dir() {
            absent.push(expected.repo.clone());
            continue;
        }
        watch(&expected.repo);
        rows.push(row(expected, &root, &published, &own)?);
    }
    Ok(summary(rows, absent))
}

fn row(
    expected: &Expected,
    root: &Path,
    published: &Measurer,
    own: &Measurer,
) -> Result<Row, Table7Error> {
    let measured = published.measure_dir(root)?;
    let with_own = own.measure_dir(root)?;
    let agreement = agreement(&published.flagged(root)?, &own.flagged(root)?);
    let totals = &measured.totals;
    let headline = measured.published.as_ref();
    let mut row = Row {
        repo: expected.repo.clone(),
        source: expected.source.clone(),
        commit: expected.commit.clone(),
        loc: totals.lines,
        callables: totals.callables,
        violation: headline.and_then(|h| h.violation_ratio),
        clone: headline.and_then(|h| h.clone_ratio),
        verbosity: totals.verbosity,
        erosion: erosion(totals),
        mass: totals.mass,
        differences: Vec::new(),
        own: OwnRules {
            verbosity: with_own.totals.verbosity,
            mass_per_kloc: MASS_PER_KLOC.of_totals(&with_own.totals),
            ..agreement
        },
    };
    row.differences = differences(expected, &row);
    Ok(row)
}

/// The published table prints a repository without mass as not eroded.
fn erosion(totals: &Totals) -> Option<f64> {
    totals.erosion.or_else(|| totals.mass.map(|_| 0.0))
}

fn agreement(published: &BTreeMap<String, LineSet>, own: &BTreeMap<String, LineSet>) -> OwnRules {
    let count =
        |sets: &BTreeMap<String, LineSet>| sets.values().map(|s| u64::from(s.count())).sum();
    let both = published
        .iter()
        .filter_map(|(path, lines)| Some(u64::from(lines.count_common(own.get(path)?))))
        .sum();
    OwnRules {
        both,
        own: count(own),
        published: count(published),
        ..OwnRules::default()
    }
}

fn differences(expected: &Expected, row: &Row) -> Vec<String> {
    let mut found = Vec::new();
    if expected.loc != row.loc {
        found.push(format!("loc {} not {}", row.loc, expected.loc));
    }
    if expected.callables != row.callables {
        found.push(format!(
            "callables {} not {}",
            row.callables, expected.callables
        ));
    }
    let ratios = [
        ("violation", expected.violation, row.violation),
        ("clone", expected.clone, row.clone),
        ("verbosity", expected.verbosity, row.verbosity),
        ("erosion", expected.erosion, row.erosion),
    ];
    for (name, expected, measured) in ratios {
        match measured {
            Some(value) if (value - expected).abs() <= TOLERANCE => {}
            Some(value) => found.push(format!("{name} {value:.6} not {expected:.6}")),
            None => found.push(format!("{name} is missing, not {expected:.6}")),
        }
    }
    found
}

fn summary(rows: Vec<Row>, absent: Vec<String>) -> Table7 {
    let total = |part: fn(&OwnRules) -> u64| rows.iter().map(|r| part(&r.own)).sum();
    let own = OwnRules {
        both: total(|o| o.both),
        own: total(|o| o.own),
        published: total(|o| o.published),
        ..OwnRules::default()
    };
    let mut distances: Vec<f64> = rows
        .iter()
        .filter_map(|r| Some((r.verbosity? - r.own.verbosity?).abs()))
        .collect();
    distances.sort_by(f64::total_cmp);
    let middle = distances.len() / 2;
    let median_difference = match distances.len() {
        0 => None,
        n if n % 2 == 1 => Some(distances[middle]),
        _ => Some(f64::midpoint(distances[middle - 1], distances[middle])),
    };
    Table7 {
        definitions: crate::definitions::version(&Options::panel()),
        equal: rows.iter().filter(|r| r.differences.is_empty()).count(),
        precision: own.precision(),
        recall: own.recall(),
        rows,
        absent,
        own,
        median_difference,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expected(verbosity: f64) -> Expected {
        Expected {
            repo: "shop".into(),
            source: "example/shop".into(),
            commit: "abc".into(),
            loc: 5,
            callables: 1,
            violation: 0.6,
            clone: 0.0,
            verbosity,
            erosion: 0.0,
            mass: 5.66,
        }
    }

    fn shop() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let code = "def due(rows):\n    '''All.'''\n    while True:\n        pass\n    return 0\n";
        std::fs::create_dir(folder.path().join("shop")).unwrap();
        std::fs::write(folder.path().join("shop/a.py"), code).unwrap();
        let rule = folder.path().join("rules.yml");
        let text = "id: loop\nlanguage: python\nmessage: M.\nmetadata: {category: c}\nrule: {kind: while_statement}\n";
        std::fs::write(&rule, text).unwrap();
        (folder, rule)
    }

    #[test]
    fn table_lists_differences_and_absent_repositories() {
        let (folder, _) = shop();
        let rules = folder.path().join("rules");
        std::fs::create_dir(&rules).unwrap();
        std::fs::rename(folder.path().join("rules.yml"), rules.join("loop.yml")).unwrap();
        let mut missing = expected(0.4);
        missing.repo = "none".into();
        let panel = [expected(0.4), missing, expected(0.41)];
        let table = measure(&panel, folder.path(), &[rules], 1, &|_| {}).unwrap();
        assert_eq!(table.absent, ["none"]);
        let first = &table.rows[0].differences;
        assert_eq!(first, &["violation 0.400000 not 0.600000"]);
        assert!(table.rows[1].differences[1].starts_with("verbosity"));
        assert_eq!((table.equal, table.own.published), (0, 4));
    }

    #[test]
    fn panel_without_columns_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("panel.csv");
        std::fs::write(&path, "repo,loc\na,1\n").unwrap();
        let error = read_panel(&path).unwrap_err().to_string();
        assert!(
            error.contains("panel.csv") && error.contains("callables"),
            "{error}"
        );
    }
}
