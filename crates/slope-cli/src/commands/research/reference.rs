//! `slope research reference`: measures the panels of human repositories from a list.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::Args;
use slope_measure::options::Options;
use slope_measure::panel::{Panel, PanelRepository};
use slope_measure::panel_list::{self, Listed};
use slope_report::Format;

use crate::commands::output;
use crate::display::Display;
use crate::exit::Done;

#[derive(Debug, Args)]
#[command(after_help = "\
`slope measure` ranks code against these panels. slope's own list is
crates/slope-measure/data/panels.csv in its repository.

Examples:
  slope research reference panels.csv --repos ~/panels
  slope research reference panels.csv --repos ~/panels --only human-rust-2022-10 --format json")]
pub(crate) struct ResearchReference {
    /// List of repositories (CSV): panel, languages, repository, commit, name, exclude.
    pub(crate) list: PathBuf,
    /// Folder that contains the repositories: one folder each, by name, checked out at its commit.
    #[arg(long, value_name = "DIR")]
    pub(crate) repos: PathBuf,
    /// Measure only this panel (repeatable).
    #[arg(long, value_name = "NAME")]
    pub(crate) only: Vec<String>,
}

pub(crate) fn run(
    args: &ResearchReference,
    format: Format,
    display: &Display,
) -> anyhow::Result<Done> {
    let mut list = panel_list::read(&args.list)?;
    for name in &args.only {
        if !list.iter().any(|listed| listed.panel == *name) {
            bail!(
                "unknown panel `{name}` in {}\nhelp: use a name from its column `panel`",
                args.list.display()
            );
        }
    }
    if !args.only.is_empty() {
        list.retain(|listed| args.only.contains(&listed.panel));
    }
    if list.is_empty() {
        bail!(
            "{} lists no repository\nhelp: write one repository per line",
            args.list.display()
        );
    }
    let unknown = check_commits(&list, &args.repos)?;
    if !unknown.is_empty() {
        display.note(&format!(
            "warning: no repository, so that its commit is unknown: {}",
            unknown.join(", ")
        ));
    }
    let options = Options::trusting(jiff::Zoned::now().date());
    let watch = |name: &str| display.note(&format!("measuring {name}"));
    let panels = panel_list::measure(&list, &args.repos, &options, &watch)?;
    display.finish();
    match format {
        Format::Json => output::json(&panels)?,
        _ => output::text(&table(&panels))?,
    }
    Ok(Done::Fine)
}

/// Refuses a repository at another commit than the listed one. Returns the folders that are not repositories.
fn check_commits<'a>(list: &'a [Listed], repos: &Path) -> anyhow::Result<Vec<&'a str>> {
    let mut unknown = Vec::new();
    for listed in list {
        let folder = repos.join(&listed.name);
        // Opening would find a repository above the folder, too.
        if !folder.join(".git").exists() {
            unknown.push(listed.name.as_str());
            continue;
        }
        let commit = slope_git::Repo::open(&folder)?.reader().head()?.to_string();
        if commit != listed.commit {
            bail!(
                "{} is at {}, not at {}\nhelp: check out the listed commit with `git checkout {}`",
                folder.display(),
                short(&commit),
                short(&listed.commit),
                listed.commit
            );
        }
    }
    Ok(unknown)
}

fn short(commit: &str) -> &str {
    commit.get(..10).unwrap_or(commit)
}

fn table(panels: &[Panel]) -> String {
    let mut out = String::new();
    for panel in panels {
        // Writing to a String cannot fail.
        let _ = writeln!(
            out,
            "{} ({}, {})\n\n| repository | commit | verbosity | erosion | mass per 1,000 lines |\n\
             | --- | --- | ---: | ---: | ---: |",
            panel.name,
            panel.languages.join(", "),
            panel.definitions
        );
        for repository in &panel.repositories {
            out.push_str(&line(repository));
        }
        out.push('\n');
    }
    out
}

fn line(repository: &PanelRepository) -> String {
    let commit = &repository.commit;
    format!(
        "| {} | {} | {:.3} | {:.3} | {:.0} |\n",
        repository.repository,
        short(commit),
        repository.verbosity,
        repository.erosion,
        repository.mass_per_kloc
    )
}
