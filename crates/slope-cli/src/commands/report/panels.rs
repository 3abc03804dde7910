//! References that cohorts are compared with: panels of code bases, and histories of repositories.

use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use slope_model::history::History;
use slope_report::{Panel, PanelMember};

/// Files accepted by `--panel`.
const HELP: &str = "give --panel the output of `slope history --format json`, or a CSV table of code \
                    bases with the columns erosion, verbosity and stars or tier";

/// Panels and histories.
#[derive(Debug, Default)]
pub(super) struct Given {
    /// Panels embedded in the program, then those from files.
    pub(super) panels: Vec<Panel>,
    /// Histories from files.
    pub(super) histories: Vec<History>,
}

/// Reads the files of `--panel`. A file that begins with a brace is a history, any other a table.
pub(super) fn read(files: &[PathBuf]) -> anyhow::Result<Given> {
    let mut given = Given {
        panels: shipped(),
        histories: Vec::new(),
    };
    // A panel has the name of its file.
    let mut tables: Vec<(&Path, String)> = Vec::new();
    for file in files {
        let name = file.display();
        let text = std::fs::read_to_string(file)
            .with_context(|| format!("cannot read {name}\nhelp: {HELP}"))?;
        let is_history = text.trim_start().starts_with('{');
        // Counted twice it would pretend to certainty that is not there.
        let twice = if is_history {
            push(&mut given.histories, history(file, &text)?)
        } else {
            push(&mut given.panels, table(file, &text)?)
        };
        if twice {
            bail!("{name} is the same as another --panel file\nhelp: pass it once");
        }
        if !is_history {
            let stem = stem(file);
            if let Some((other, _)) = tables.iter().find(|(_, known)| *known == stem) {
                bail!(
                    "{} and {name} would both be the panel {stem}\nhelp: rename one of them",
                    other.display()
                );
            }
            tables.push((file, stem));
        }
    }
    Ok(given)
}

/// Appends an item, and returns whether it was present already.
fn push<T: PartialEq>(all: &mut Vec<T>, one: T) -> bool {
    let is_there = all.contains(&one);
    all.push(one);
    is_there
}

fn history(file: &Path, text: &str) -> anyhow::Result<History> {
    let name = file.display();
    // The reader's error has the line.
    let history: History =
        serde_json::from_str(text).map_err(|error| anyhow!("{name}: {error}\nhelp: {HELP}"))?;
    if history.schema != slope_model::schema::HISTORY {
        bail!(
            "{name} has the unknown schema {}\nhelp: {HELP}",
            history.schema
        );
    }
    Ok(history)
}

fn table(file: &Path, text: &str) -> anyhow::Result<Panel> {
    Panel::from_csv(&stem(file), text).with_context(|| file.display().to_string())
}

fn stem(file: &Path) -> String {
    let stem = file.file_stem().unwrap_or(file.as_os_str());
    stem.to_string_lossy().into_owned()
}

fn shipped() -> Vec<Panel> {
    // The first is of human repositories, the others of agent code.
    let all = slope_measure::panel::panels().iter().enumerate();
    all.map(|(place, panel)| Panel {
        name: panel.name.clone(),
        are_repositories: place == 0,
        has_tier_column: false,
        tiers: Vec::new(),
        members: panel
            .repositories
            .iter()
            .map(|repository| PanelMember {
                erosion: Some(repository.erosion),
                verbosity: Some(repository.verbosity),
                tier: None,
            })
            .collect(),
    })
    .collect()
}
