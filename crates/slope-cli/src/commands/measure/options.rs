//! Measurement options: arguments override the configuration, which overrides the defaults.

use std::path::Path;

use slope_measure::{Config, FoundConfig, Options, Profile, SizeTerm, Tests};

use crate::args::{self, DefinitionArgs, FileArgs, Measure, ReportedArgs, RuleSource, WorkArgs};
use crate::folders;

/// Measurement arguments of a command line.
pub(in crate::commands) struct Said<'a> {
    pub(in crate::commands) definitions: &'a DefinitionArgs,
    pub(in crate::commands) rules: &'a RuleSource,
    pub(in crate::commands) reported: &'a ReportedArgs,
    pub(in crate::commands) files: &'a FileArgs,
    pub(in crate::commands) work: &'a WorkArgs,
}

impl<'a> Said<'a> {
    /// The arguments of definitions, rules and reports, of files, and of work.
    pub(in crate::commands) fn new(
        (definitions, rules, reported): (&'a DefinitionArgs, &'a RuleSource, &'a ReportedArgs),
        files: &'a FileArgs,
        work: &'a WorkArgs,
    ) -> Self {
        Self {
            definitions,
            rules,
            reported,
            files,
            work,
        }
    }

    pub(super) fn of(args: &'a Measure) -> Self {
        Self {
            definitions: &args.definitions,
            rules: &args.rules,
            reported: &args.reported,
            files: &args.files,
            work: &args.work,
        }
    }
}

/// Options for a path.
pub(in crate::commands) fn resolve(args: &Said<'_>, path: &Path) -> anyhow::Result<Options> {
    resolve_with(args, path, config(args, path)?.as_ref())
}

/// Options for a path, with a known configuration.
pub(in crate::commands) fn resolve_with(
    args: &Said<'_>,
    path: &Path,
    config: Option<&FoundConfig>,
) -> anyhow::Result<Options> {
    let mut options = Options::of_project(path, config, jiff::Zoned::now().date());
    definitions(args, &mut options);
    rules(args, &mut options);
    files(args, &mut options);
    options.threads = args.work.threads();
    // Without a home directory there is no cache, and the measurement continues without it.
    options.cache = match args.work.no_cache {
        true => None,
        false => folders::cache(),
    };
    Ok(options)
}

/// The configuration for a path.
pub(in crate::commands) fn config(
    args: &Said<'_>,
    path: &Path,
) -> anyhow::Result<Option<FoundConfig>> {
    if args.files.isolated {
        return Ok(None);
    }
    Ok(match &args.files.config {
        Some(file) => Some(Config::read(file)?),
        None => Config::find(path)?,
    })
}

fn definitions(args: &Said<'_>, options: &mut Options) {
    let said = args.definitions;
    if let Some(profile) = said.profile {
        options.profile = match profile {
            args::Profile::Slope => Profile::Slope,
            args::Profile::Strict => Profile::Strict,
            args::Profile::Paper => Profile::Paper,
            // Measured by a separate crate, which supports only some of these options.
            args::Profile::Scb020 | args::Profile::PublishedRuns => return,
        };
    }
    options.apply_profile();
    if let Some(cutoff) = said.cutoff {
        options.cut_off = cutoff;
    }
    if let Some(term) = said.size_term {
        options.size_term = match term {
            args::SizeTerm::None => SizeTerm::None,
            args::SizeTerm::Sqrt => SizeTerm::Sqrt,
            args::SizeTerm::Linear => SizeTerm::Linear,
        };
    }
    options.near_miss &= !said.no_near_miss;
    options.signals &= !said.no_signals;
}

fn rules(args: &Said<'_>, options: &mut Options) {
    options.rule_paths.extend(args.rules.rules.iter().cloned());
    options.own_rules &= !args.rules.no_own_rules;
    // Arguments take precedence over the configuration of the same rule.
    let said = args.reported;
    options.enabled.retain(|rule| !said.disable.contains(rule));
    options.disabled.retain(|rule| !said.enable.contains(rule));
    options.enabled.extend(said.enable.iter().cloned());
    options.disabled.extend(said.disable.iter().cloned());
    if said.no_suppress {
        options.suppressions = None;
    }
}

fn files(args: &Said<'_>, options: &mut Options) {
    let said = args.files;
    if let Some(tests) = said.tests {
        options.tests = match tests {
            args::Tests::Include => Tests::Include,
            args::Tests::Exclude => Tests::Exclude,
            args::Tests::Split => Tests::Split,
        };
    }
    options.excluded_globs.extend(said.exclude.iter().cloned());
    options.ignore_files &= !said.no_ignore;
    options.leave_out &= !said.include_generated;
}
