//! `slope research rules`: compares slope's rule engine with ast-grep's matcher.

use anyhow::bail;
use serde::Serialize;
use slope_report::Format;
use slope_rules::RuleSet;
use slope_rules::oracle::{self, Comparison};

use crate::args::ResearchRules;
use crate::commands::output;
use crate::exit::Done;

/// The result of a comparison.
#[derive(Debug, Serialize)]
struct Result {
    /// Whether both engines found the same matches for every rule.
    conforms: bool,
    files: u64,
    /// Rules that were run on at least one file.
    rules: Vec<Rule>,
}

#[derive(Debug, Serialize)]
struct Rule {
    language: String,
    id: String,
    own: u64,
    ast_grep: u64,
    /// First few places that only one engine found.
    differing: Vec<String>,
}

pub(crate) fn run(args: &ResearchRules, format: Format) -> anyhow::Result<Done> {
    let mut set = RuleSet::empty();
    if args.rules.is_empty() {
        set = RuleSet::embedded()?;
    }
    for path in &args.rules {
        set.add_path(path)?;
    }
    let found = oracle::compare_below(&set, &args.dir, args.threads)?;
    if found.files == 0 {
        bail!(
            "{} has no file of a language that these rules are for",
            args.dir.display()
        );
    }
    let result = result(&found);
    match format {
        Format::Json => output::json(&result)?,
        _ => output::text(&describe(&result))?,
    }
    Ok(if result.conforms {
        Done::Fine
    } else {
        Done::Unmet
    })
}

fn result(found: &Comparison) -> Result {
    let rules = found.rules.iter().map(|((language, id), counts)| Rule {
        language: language.clone(),
        id: id.clone(),
        own: counts.own,
        ast_grep: counts.theirs,
        differing: counts
            .differing
            .iter()
            .map(|place| {
                let finder = if place.own { "slope" } else { "ast-grep" };
                format!("{}:{} only by {finder}", place.file, place.line)
            })
            .collect(),
    });
    Result {
        conforms: found.unequal().next().is_none(),
        files: found.files,
        rules: rules.collect(),
    }
}

fn describe(result: &Result) -> String {
    let matched = result.rules.iter().filter(|r| r.own + r.ast_grep > 0);
    let (own, theirs) = result.rules.iter().fold((0, 0), |(own, theirs), r| {
        (own + r.own, theirs + r.ast_grep)
    });
    let mut text = format!(
        "{} files, {} rules, {} with matches; {own} matches by slope, {theirs} by ast-grep\n",
        result.files,
        result.rules.len(),
        matched.count(),
    );
    for rule in &result.rules {
        if rule.own == rule.ast_grep && rule.differing.is_empty() {
            continue;
        }
        text.push_str(&format!(
            "  FAIL {} {}: {} by slope, {} by ast-grep\n",
            rule.language, rule.id, rule.own, rule.ast_grep
        ));
        for place in &rule.differing {
            text.push_str(&format!("         {place}\n"));
        }
    }
    text.push_str(if result.conforms {
        "equal rule by rule\n"
    } else {
        "not equal\n"
    });
    text
}
