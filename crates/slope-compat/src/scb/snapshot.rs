//! Combines the facts of all files in the report.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use slope_model::finding::Severity;
use slope_model::measurement::Unmeasured;
use slope_syntax::LineSet;

use super::file::{FileFacts, SymbolFacts};
use super::functions::SymbolKind;
use super::languages::SPECS;
use super::masses::Masses;
use super::report::{LanguageCount, Report};
use super::rules;
use super::wrapper::{self, Shape};
use super::{CloneGroup, Error, File, Flagged, Function, Options, ScbMeasurement};

/// Combines the facts of all files, given in the order of their paths.
pub(crate) fn assemble(
    facts: Vec<FileFacts>,
    unmeasured: Vec<Unmeasured>,
    options: &Options,
) -> Result<ScbMeasurement, Error> {
    check_directives(&facts)?;
    let symbols = Symbols::of(&facts);
    let groups = clone_groups(&facts);
    let cloned = clone_lines(&facts, &groups);
    let files: Vec<File> = (facts.iter().zip(cloned).enumerate())
        .map(|(index, (facts, cloned))| {
            let standing = |position| symbols.standing.contains(&(index, position));
            let wrappers = wrappers(facts, &symbols);
            file(facts, standing, &cloned, &wrappers, options)
        })
        .collect();
    let report = report(&facts, &files);
    let packs = options.rules.as_ref().map(|rules| rules.packs().clone());
    Ok(ScbMeasurement {
        report,
        files,
        clones: groups
            .into_iter()
            .map(|(hash, members)| CloneGroup {
                fingerprint: hash.iter().map(|byte| format!("{byte:02x}")).collect(),
                members: members
                    .into_iter()
                    .map(|(file, candidate)| (file, facts[file].clones[candidate].1))
                    .collect(),
            })
            .collect(),
        unmeasured,
        packs: packs.unwrap_or_default(),
    })
}

/// One wrong directive fails the run.
fn check_directives(facts: &[FileFacts]) -> Result<(), Error> {
    let first = facts
        .iter()
        .find_map(|file| Some((file, file.directives.errors.first()?)));
    match first {
        None => Ok(()),
        Some((file, (line, message))) => Err(Error::Directive {
            path: file.path.clone(),
            line: *line,
            message: message.clone(),
        }),
    }
}

/// All definitions by qualified name; the last one of a name counts.
struct Symbols<'f> {
    facts: &'f [FileFacts],
    by_name: HashMap<String, (usize, &'f SymbolFacts)>,
    /// Files and positions of the symbols that count.
    standing: BTreeSet<(usize, usize)>,
}

impl<'f> Symbols<'f> {
    fn of(facts: &'f [FileFacts]) -> Self {
        let mut counts: HashMap<String, u32> = HashMap::new();
        for (file, symbol) in all(facts) {
            *counts.entry(qualified(&facts[file], symbol.1)).or_default() += 1;
        }
        let mut by_name: HashMap<String, (usize, &SymbolFacts)> = HashMap::new();
        let mut winners: HashMap<String, (usize, usize)> = HashMap::new();
        for (file, (position, symbol)) in all(facts) {
            let owner = &facts[file];
            let mut name = qualified(owner, symbol);
            // Outside Python, namesake functions are distinguished by place and parameters.
            if !is_python(owner) && symbol.kind != SymbolKind::Class && counts[&name] > 1 {
                let place = owner
                    .path
                    .rsplit_once('.')
                    .map_or(owner.path.as_str(), |p| p.0);
                let span = symbol.span;
                name = format!(
                    "{name}@{place}:{}-{}({})",
                    span.start_line,
                    span.end_line,
                    symbol.parameters.join(",")
                );
            }
            by_name.insert(name.clone(), (file, symbol));
            winners.insert(name, (file, position));
        }
        Self {
            facts,
            by_name,
            standing: winners.into_values().collect(),
        }
    }

    /// The definition to which a called name resolves.
    fn resolve(&self, file: &FileFacts, callee: &str) -> Option<String> {
        let meanings = file.names.meanings(callee);
        meanings
            .into_iter()
            .find(|name| self.by_name.contains_key(name))
    }

    /// Whether the definition that counts for a name does more than call scanned code.
    fn has_effects(&self, name: &str) -> bool {
        let Some(&(file, symbol)) = self.by_name.get(name) else {
            return false;
        };
        let unknown = |call: &Option<String>| {
            call.as_ref()
                .is_none_or(|callee| self.resolve(&self.facts[file], callee).is_none())
        };
        symbol.effects.raises || symbol.effects.calls.iter().any(unknown)
    }
}

fn is_python(file: &FileFacts) -> bool {
    SPECS[file.language].id == "python"
}

fn qualified(file: &FileFacts, symbol: &SymbolFacts) -> String {
    format!("{}.{}", file.names.module, symbol.name)
}

/// Every definition with its file and its position in the file.
fn all(facts: &[FileFacts]) -> impl Iterator<Item = (usize, (usize, &SymbolFacts))> {
    facts
        .iter()
        .enumerate()
        .flat_map(|(index, file)| file.symbols.iter().enumerate().map(move |s| (index, s)))
}

type Groups = Vec<([u8; 16], Vec<(usize, usize)>)>;

/// Candidates with equal fingerprints, in the order of their first members.
fn clone_groups(facts: &[FileFacts]) -> Groups {
    let mut by_hash: HashMap<[u8; 16], Vec<(usize, usize)>> = HashMap::new();
    for (index, file) in facts.iter().enumerate() {
        for (position, (candidate, _)) in file.clones.iter().enumerate() {
            by_hash
                .entry(candidate.hash)
                .or_default()
                .push((index, position));
        }
    }
    let mut groups: Groups = by_hash.into_iter().filter(|(_, m)| m.len() > 1).collect();
    groups.sort_by(|a, b| a.1.cmp(&b.1));
    groups
}

/// For each file the source lines in clones.
fn clone_lines(facts: &[FileFacts], groups: &Groups) -> Vec<LineSet> {
    let mut sets = vec![LineSet::default(); facts.len()];
    for &(file, position) in groups.iter().flat_map(|(_, members)| members) {
        let candidate = &facts[file].clones[position].0;
        insert(
            &mut sets[file],
            &facts[file].sloc,
            candidate.first,
            candidate.last,
        );
    }
    sets
}

fn insert(set: &mut LineSet, sloc: &LineSet, first: u32, last: u32) {
    for row in (first..=last).filter(|&row| sloc.contains(row)) {
        set.insert(row);
    }
}

/// Positions of the symbols of a file that are trivial wrappers and not ignored.
fn wrappers(file: &FileFacts, symbols: &Symbols<'_>) -> Vec<usize> {
    let is_wrapper = |symbol: &SymbolFacts| {
        let own = qualified(file, symbol);
        let shaped = match &symbol.effects.shape {
            None => false,
            Some(Shape::Parameter) => true,
            Some(Shape::Call(callee)) => symbols
                .resolve(file, callee)
                .is_some_and(|target| target != own),
        };
        shaped && !symbols.has_effects(&own)
    };
    let ignored = |symbol: &SymbolFacts| {
        let at = (symbol.span.start_line, wrapper::RULE.to_owned());
        file.directives.ignored.contains(&at)
    };
    (0..file.symbols.len())
        .filter(|&i| is_wrapper(&file.symbols[i]) && !ignored(&file.symbols[i]))
        .collect()
}

/// The results for one file.
fn file(
    facts: &FileFacts,
    standing: impl Fn(usize) -> bool,
    cloned: &LineSet,
    wrappers: &[usize],
    options: &Options,
) -> File {
    let mut ruled = LineSet::default();
    let mut structural = LineSet::default();
    let mut flagged = Vec::new();
    for hit in rules::counted(facts.hits.clone(), &facts.directives, options) {
        insert(&mut ruled, &facts.sloc, hit.first, hit.last);
        flagged.extend(rules::flagged(hit, options));
    }
    for &position in wrappers {
        let span = facts.symbols[position].span;
        insert(
            &mut structural,
            &facts.sloc,
            span.start_line - 1,
            span.end_line - 1,
        );
        flagged.push(Flagged {
            rule: wrapper::RULE.to_owned(),
            category: "structure".to_owned(),
            severity: Severity::Warning,
            message: format!(
                "`{}` only passes its parameters on; call what it calls",
                facts.symbols[position].name
            ),
            span,
        });
    }
    flagged.sort_by(|a, b| (a.span, &a.rule).cmp(&(b.span, &b.rule)));
    let mut verbose = cloned.clone();
    verbose.union_with(&ruled);
    verbose.union_with(&structural);
    let lines = |set: &LineSet| set.rows().map(|row| row + 1).collect();
    File {
        path: facts.path.clone(),
        language: SPECS[facts.language].id,
        physical_lines: facts.physical_lines,
        sloc: facts.sloc.count(),
        functions: functions(facts, standing),
        clone_lines: lines(cloned),
        rule_lines: lines(&ruled),
        structural_lines: lines(&structural),
        verbose_lines: lines(&verbose),
        flagged,
    }
}

/// The callables of a file that count.
fn functions(facts: &FileFacts, standing: impl Fn(usize) -> bool) -> Vec<Function> {
    let symbols = facts.symbols.iter().enumerate();
    symbols
        .filter(|(position, symbol)| symbol.kind != SymbolKind::Class && standing(*position))
        .map(|(_, symbol)| Function {
            name: symbol.name.clone(),
            method: symbol.kind == SymbolKind::Method,
            span: symbol.span,
            complexity: symbol.complexity,
            cognitive: symbol.cognitive,
            size: symbol.size,
        })
        .collect()
}

/// The report over all files.
fn report(facts: &[FileFacts], files: &[File]) -> Report {
    // The order decides the last bits of the sums: by path as a text, line and name.
    let mut functions: Vec<(&str, &Function)> = files
        .iter()
        .flat_map(|file| file.functions.iter().map(move |f| (file.path.as_str(), f)))
        .collect();
    functions.sort_by(|a, b| {
        let key = |f: &(&str, &Function)| f.1.span.start_line;
        (a.0, key(a), short(a.1)).cmp(&(b.0, key(b), short(b.1)))
    });
    let functions: Vec<&Function> = functions.into_iter().map(|(_, f)| f).collect();
    let masses = Masses::of(&functions);
    let count = |of: fn(&File) -> usize| files.iter().map(|f| of(f) as u64).sum::<u64>();
    let total_loc = files.iter().map(|f| u64::from(f.sloc)).sum();
    let verbose = count(|f| f.verbose_lines.len());
    let structural = |f: &File| f.flagged.iter().filter(|x| x.rule == wrapper::RULE).count();
    Report {
        verbosity: share(verbose, total_loc),
        erosion: masses.high.over(masses.total),
        cog_erosion: masses.high_cognitive.over(masses.cognitive),
        files_scanned: files.len() as u64,
        total_loc,
        verbosity_flagged_loc: verbose,
        clone_loc: count(|f| f.clone_lines.len()),
        ast_grep_flagged_loc: count(|f| f.rule_lines.len()),
        structural_rule_loc: count(|f| f.structural_lines.len()),
        structural_rule_findings: count(structural),
        total_functions: functions.len() as u64,
        high_cc_functions: masses.count_high as u64,
        high_cog_functions: masses.count_high_cognitive as u64,
        total_mass: masses.total,
        high_cc_mass: masses.high,
        total_cog_mass: masses.cognitive,
        high_cog_mass: masses.high_cognitive,
        syntax_tree_count: files.len() as u64,
        syntax_node_count: facts.iter().map(|f| f.nodes).sum(),
        syntax_by_language: by_language(facts),
    }
}

fn by_language(facts: &[FileFacts]) -> BTreeMap<&'static str, LanguageCount> {
    let mut counts: BTreeMap<&'static str, LanguageCount> = BTreeMap::new();
    for file in facts {
        let entry = counts.entry(SPECS[file.language].id).or_default();
        entry.tree_count += 1;
        entry.node_count += file.nodes;
    }
    counts
}

/// The last part of a function's name.
fn short(function: &Function) -> &str {
    let name = &function.name;
    name.rsplit_once('.').map_or(name, |(_, own)| own)
}

/// `part` divided by `whole`; 0 if `whole` is 0.
pub(crate) fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 {
        0.0
    } else {
        to_float(part) / to_float(whole)
    }
}

/// Exact for all counts that can occur, which are far below 2 to the 53.
#[expect(clippy::cast_precision_loss, reason = "counts of lines and branches")]
pub(crate) fn to_float(count: u64) -> f64 {
    count as f64
}
