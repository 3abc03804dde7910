//! Converts the profile's results to a measurement, which all of slope's commands use.

use std::collections::BTreeMap;

use slope_model::finding::Finding;
use slope_model::measurement::{
    Callable, CallableKind, CloneClass, CloneKind, CloneMember, Definitions, FileMeasurement,
    Measurement, Totals,
};
use slope_model::metrics::{MAINTAINABILITY, MAX_NESTING, Metric, NEAR_CLONE_LINES};

use super::languages::{SPECS, Table, table};
use super::masses::{Masses, mass};
use super::text::narrow;
use super::{File, Function, ScbMeasurement};

/// Name and version of the definitions.
pub const PROFILE: &str = "scb-0.2.0";

/// Raised whenever a change here changes a number.
const REVISION: &str = "1";

impl ScbMeasurement {
    /// Converts to a [`Measurement`].
    ///
    /// Values that the profile does not define (nesting, maintainability, near misses, tokens of
    /// clones) are absent, with the reason in [`Totals::missing`]. Rule lines exclude those of
    /// structural findings, as in the original's report; `flagged_lines` includes both.
    #[must_use]
    pub fn to_measurement(&self) -> Measurement {
        let mut languages: BTreeMap<String, Totals> = BTreeMap::new();
        for id in self.report.syntax_by_language.keys() {
            let files: Vec<&File> = self.files.iter().filter(|f| f.language == *id).collect();
            languages.insert((*id).to_owned(), totals(&files, 0));
        }
        let files: Vec<&File> = self.files.iter().collect();
        let mut measured: Vec<FileMeasurement> = self.files.iter().map(file).collect();
        measured.sort_by(|a, b| a.path.cmp(&b.path));
        Measurement {
            schema: slope_model::schema::MEASUREMENT.to_owned(),
            definitions: self.definitions(),
            totals: totals(&files, self.unmeasured.len()),
            languages,
            files: measured,
            unmeasured: self.unmeasured.clone(),
            clones: self.clone_classes(),
            findings: self.findings(),
            ..Measurement::default()
        }
    }

    fn definitions(&self) -> Definitions {
        let languages = (0..SPECS.len()).filter_map(table);
        definitions(PROFILE, REVISION, languages, self.packs.clone())
    }

    fn clone_classes(&self) -> Vec<CloneClass> {
        let mut classes: Vec<CloneClass> = self
            .clones
            .iter()
            .map(|group| {
                let members = group.members.iter().map(|&(file, span)| CloneMember {
                    path: self.files[file].path.clone(),
                    span,
                    similarity: 1.0,
                });
                CloneClass {
                    kind: CloneKind::Renamed,
                    lines: group.members.first().map_or(0, |&(file, span)| {
                        let inside =
                            |line: &&u32| span.start_line <= **line && **line <= span.end_line;
                        narrow(self.files[file].clone_lines.iter().filter(inside).count())
                    }),
                    tokens: 0,
                    members: members.collect(),
                    fingerprint: group.fingerprint.clone(),
                }
            })
            .collect();
        classes.sort_by(|a, b| {
            let place = |c: &CloneClass| c.members.first().map(|m| (m.path.clone(), m.span));
            b.lines.cmp(&a.lines).then_with(|| place(a).cmp(&place(b)))
        });
        classes
    }

    fn findings(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        for file in &self.files {
            // The n-th hit of a rule in a function keeps its fingerprint if lines shift.
            let mut seen: BTreeMap<(String, String), u32> = BTreeMap::new();
            for flagged in &file.flagged {
                let around = file
                    .functions
                    .iter()
                    .filter(|f| f.span.start_line <= flagged.span.start_line)
                    .rfind(|f| flagged.span.end_line <= f.span.end_line)
                    .map_or("", |f| f.name.as_str());
                let count = seen
                    .entry((flagged.rule.clone(), around.to_owned()))
                    .or_default();
                *count += 1;
                let identity = format!("{}\0{}\0{around}\0{count}", flagged.rule, file.path);
                findings.push(Finding {
                    rule: flagged.rule.clone(),
                    category: flagged.category.clone(),
                    severity: flagged.severity,
                    path: file.path.clone(),
                    span: flagged.span,
                    message: flagged.message.clone(),
                    fingerprint: blake3::hash(identity.as_bytes()).to_hex()[..16].to_owned(),
                });
            }
        }
        findings.sort_by(|a, b| (&a.path, a.span, &a.rule).cmp(&(&b.path, b.span, &b.rule)));
        findings
    }
}

/// The definitions of a profile for some languages, with a hash of all that they depend on.
pub(crate) fn definitions(
    profile: &str,
    revision: &str,
    tables: impl IntoIterator<Item = &'static Table>,
    packs: BTreeMap<String, String>,
) -> Definitions {
    let languages = tables.into_iter().map(|table| table.language);
    let grammars: BTreeMap<String, String> = languages
        .map(|l| (l.grammar().to_owned(), l.grammar_version().to_owned()))
        .collect();
    let mut hasher = blake3::Hasher::new();
    let pairs = grammars.iter().chain(&packs);
    for part in [profile, revision]
        .into_iter()
        .chain(pairs.flat_map(|(k, v)| [k.as_str(), v.as_str()]))
    {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    Definitions {
        version: format!("{profile}/{revision}"),
        hash: hasher.finalize().to_hex().to_string(),
        grammars,
        rules: packs,
    }
}

fn file(file: &File) -> FileMeasurement {
    FileMeasurement {
        path: file.path.clone(),
        language: file.language.to_owned(),
        lines: file.physical_lines,
        sloc: file.sloc,
        flagged_lines: narrow(flagged_lines(file)),
        clone_lines: narrow(file.clone_lines.len()),
        verbose_lines: narrow(file.verbose_lines.len()),
        callables: file.functions.iter().map(callable).collect(),
        ..FileMeasurement::default()
    }
}

fn callable(function: &Function) -> Callable {
    Callable {
        name: function.name.clone(),
        kind: if function.method {
            CallableKind::Method
        } else {
            CallableKind::Function
        },
        span: function.span,
        complexity: function.complexity,
        cognitive: u32::try_from(function.cognitive).unwrap_or(u32::MAX),
        sloc: function.size,
        mass: mass(function),
        ..Callable::default()
    }
}

/// Source lines in rule hits or structural findings.
fn flagged_lines(file: &File) -> usize {
    let new = |line: &&u32| file.rule_lines.binary_search(line).is_err();
    file.rule_lines.len() + file.structural_lines.iter().filter(new).count()
}

/// Totals over some of the files, in the order of their functions' paths.
fn totals(files: &[&File], unmeasured: usize) -> Totals {
    let mut ordered: Vec<&File> = files.to_vec();
    ordered.sort_by(|a, b| a.path.cmp(&b.path));
    let functions: Vec<&Function> = ordered.iter().flat_map(|f| &f.functions).collect();
    let masses = Masses::of(&functions);
    let count = |of: fn(&File) -> usize| files.iter().map(|f| of(f) as u64).sum::<u64>();
    let sloc = count(|f| f.sloc as usize);
    let verbose = count(|f| f.verbose_lines.len());
    let missing: [(&Metric, &str); 3] = [
        (&MAX_NESTING, "the profile does not define nesting"),
        (&NEAR_CLONE_LINES, "the profile knows no near misses"),
        (&MAINTAINABILITY, "the profile does not define it"),
    ];
    Totals {
        files: narrow(files.len()),
        unmeasured_files: narrow(unmeasured),
        lines: count(|f| f.physical_lines as usize),
        sloc,
        callables: narrow(functions.len()),
        high_complexity_callables: narrow(masses.count_high),
        max_complexity: functions.iter().map(|f| f.complexity).max(),
        mass: Some(masses.total.value),
        high_complexity_mass: Some(masses.high.value),
        erosion: Some(masses.high.over(masses.total)),
        cognitive_mass: Some(masses.cognitive.value),
        high_cognitive_mass: Some(masses.high_cognitive.value),
        high_cognitive_callables: Some(narrow(masses.count_high_cognitive)),
        cognitive_erosion: Some(masses.high_cognitive.over(masses.cognitive)),
        flagged_lines: Some(count(flagged_lines)),
        clone_lines: Some(count(|f| f.clone_lines.len())),
        verbose_lines: Some(verbose),
        verbosity: Some(super::snapshot::share(verbose, sloc)),
        missing: missing
            .iter()
            .map(|(metric, why)| (metric.id.to_owned(), (*why).to_owned()))
            .collect(),
        ..Totals::default()
    }
}
