//! Facts about one file, independent of others.

use std::io::Read;
use std::path::Path;

use slope_model::finding::Span;
use slope_syntax::{Limits, LineSet, SyntaxTree, parse_as_written};

use super::clones::{Candidate, candidates};
use super::complexity::Complexity;
use super::directives::{self, Directives};
use super::discover::Found;
use super::functions::{Symbol, SymbolKind, symbols};
use super::languages::{Table, table};
use super::sloc::{source_lines, standalone_text};
use super::text::Lines;
use super::wrapper::{self, Effects, Names};
use super::{Options, rules};

/// Facts of one file.
pub(crate) struct FileFacts {
    /// Path from the root, `/`-separated.
    pub(crate) path: String,
    /// Position in the table of languages.
    pub(crate) language: usize,
    pub(crate) nodes: u64,
    pub(crate) physical_lines: u32,
    pub(crate) sloc: LineSet,
    pub(crate) names: Names,
    pub(crate) symbols: Vec<SymbolFacts>,
    pub(crate) clones: Vec<(Candidate, Span)>,
    pub(crate) hits: Vec<rules::RuleHit>,
    pub(crate) directives: Directives,
}

/// Facts of one definition.
pub(crate) struct SymbolFacts {
    pub(crate) kind: SymbolKind,
    /// Name inside the file, with dots.
    pub(crate) name: String,
    pub(crate) parameters: Vec<String>,
    pub(crate) span: Span,
    pub(crate) complexity: u32,
    pub(crate) cognitive: u64,
    pub(crate) size: u32,
    pub(crate) effects: Effects,
}

/// Far above any real source: the original has no size limit.
const LIMITS: Limits = Limits {
    max_bytes: 256 << 20,
    max_depth: 1_000_000,
};

/// Reads and parses a file and extracts its facts. The error says why it is not counted.
pub(crate) fn facts(found: &Found, options: &Options) -> Result<FileFacts, String> {
    let bytes = contents(&found.absolute)?;
    let table = table(found.language).ok_or("its grammar is missing")?;
    let valid = std::str::from_utf8(&bytes).is_ok();
    let tree = if valid {
        whole_tree(table, &bytes)?
    } else {
        whole_tree(table, String::from_utf8_lossy(&bytes).as_bytes())?
    };
    of_tree(found, table, &tree, valid, options)
}

/// The bytes of a file. The error says why it is left out. Files too large to parse are not read.
pub(crate) fn contents(path: &Path) -> Result<Vec<u8>, String> {
    let failed = |error: std::io::Error| format!("cannot be read: {error}");
    let most = LIMITS.max_bytes as u64;
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(failed)?;
    let read = file.take(most + 1).read_to_end(&mut bytes);
    read.map_err(failed)?;
    if bytes.len() as u64 > most {
        return Err(format!("it has more than {most} bytes"));
    }
    Ok(bytes)
}

/// Parses a text. A text with a syntax error is refused with the line of the error.
pub(crate) fn whole_tree(table: &Table, text: &[u8]) -> Result<SyntaxTree, String> {
    let tree = parse_as_written(table.language, text, &LIMITS);
    let tree = tree.map_err(|error| error.to_string())?;
    if let Some(error) = tree.errors() {
        return Err(format!(
            "a syntax error in line {}: this profile leaves such files out",
            error.first_line
        ));
    }
    if !tree.is_whole() {
        return Err("a syntax error: this profile leaves such files out".to_owned());
    }
    Ok(tree)
}

fn of_tree(
    found: &Found,
    table: &Table,
    tree: &SyntaxTree,
    valid: bool,
    options: &Options,
) -> Result<FileFacts, String> {
    let lines = Lines::of(tree.text());
    let sloc = source_lines(table, tree, &lines);
    let definitions = symbols(table, tree);
    let directives = if table.is_python() && !options.include_all {
        directives::read(table, tree, &definitions, &|id| {
            rules::is_known(options, id)
        })
    } else {
        Directives::default()
    };
    // The pattern engine supports neither the suffix `pyw` nor other encodings.
    let scanned = valid && found.absolute.extension().is_none_or(|e| e != "pyw");
    let hits = if scanned {
        rules::hits(table, tree, options)?
    } else {
        Vec::new()
    };
    Ok(FileFacts {
        path: found.path(),
        language: found.language,
        nodes: tree.nodes().len() as u64,
        physical_lines: tree.physical_lines(),
        names: Names {
            module: module(table, &found.absolute),
            imports: if table.is_python() {
                wrapper::imports(table, tree)
            } else {
                Default::default()
            },
        },
        clones: candidates(table, tree, &sloc, standalone_text)
            .into_iter()
            .map(|candidate| (candidate, tree.node_span(candidate.node)))
            .collect(),
        symbols: symbol_facts(table, tree, &sloc, &definitions),
        sloc,
        hits,
        directives,
    })
}

fn symbol_facts(
    table: &Table,
    tree: &SyntaxTree,
    sloc: &LineSet,
    definitions: &[Symbol],
) -> Vec<SymbolFacts> {
    let complexity = Complexity::of(table, tree);
    let rows = tree.nodes().first().map_or(0, |root| root.end_row + 1);
    let before = sloc.prefix_counts(rows);
    let facts = |symbol: &Symbol| {
        let node = tree.node(symbol.node);
        SymbolFacts {
            kind: symbol.kind,
            name: symbol.name.clone(),
            parameters: symbol.parameters.clone(),
            span: tree.node_span(symbol.node),
            complexity: complexity.cyclomatic(tree, symbol.node),
            cognitive: complexity.cognitive(table, tree, symbol.node),
            size: before[node.end_row as usize + 1] - before[node.start_row as usize],
            effects: if table.is_python() {
                wrapper::effects(table, tree, symbol)
            } else {
                Effects::default()
            },
        }
    };
    definitions.iter().map(facts).collect()
}

/// The dotted name of a file's module. In Python parent folders are included as long as each
/// contains an `__init__.py`; in other languages it is the name without its suffixes.
fn module(table: &Table, path: &Path) -> String {
    let name = path
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    if !table.is_python() {
        let dots = name.len() - name.trim_start_matches('.').len();
        let end = name[dots..].find('.').map_or(name.len(), |at| dots + at);
        return name[..end].to_owned();
    }
    let mut packages: Vec<String> = path
        .ancestors()
        .skip(1)
        .take_while(|folder| folder.join("__init__.py").is_file())
        .filter_map(Path::file_name)
        .map(|name| name.to_string_lossy().into_owned())
        .collect();
    packages.reverse();
    let stem = name
        .rsplit_once('.')
        .map_or(name.as_str(), |(stem, _)| stem);
    if stem != "__init__" {
        packages.push(stem.to_owned());
    } else if packages.is_empty() {
        let folder = path.parent().and_then(Path::file_name);
        packages.extend(folder.map(|name| name.to_string_lossy().into_owned()));
    }
    packages.join(".")
}
