//! Imports of the standard library that an edit replaces by those of packages.

use std::sync::LazyLock;

use regex::Regex;
use slope_measure::is_runtime_module;
use slope_model::grade::Evidence;
use slope_model::time_limit;

use super::judged::{Judged, place};

/// Modules of Python's standard library for which packages of a similar name exist.
const PYTHON: &[&str] = &[
    "argparse",
    "asyncio",
    "base64",
    "collections",
    "configparser",
    "contextlib",
    "copy",
    "csv",
    "dataclasses",
    "datetime",
    "decimal",
    "enum",
    "functools",
    "glob",
    "hashlib",
    "html",
    "http",
    "io",
    "itertools",
    "json",
    "logging",
    "math",
    "multiprocessing",
    "os",
    "pathlib",
    "pickle",
    "queue",
    "random",
    "re",
    "sched",
    "shutil",
    "socket",
    "sqlite3",
    "statistics",
    "string",
    "subprocess",
    "threading",
    "time",
    "timeit",
    "tomllib",
    "typing",
    "unittest",
    "urllib",
    "uuid",
    "xml",
    "zipfile",
    "zoneinfo",
];

static QUOTED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"^(?:[\w.]+\s+)?["']([^"']+)["'];?$|(?:require\s*\(\s*|from\s+|^import\s+)["']([^"']+)["']"#)
        .unwrap_or_else(|error| panic!("{error}"))
});

/// An import by its line.
struct Import<'l> {
    /// The whole path: `std::collections::HashMap`, `fs-extra`.
    path: &'l str,
    is_standard: bool,
}

impl<'l> Import<'l> {
    fn of(line: &'l str) -> Option<Self> {
        let line = line.trim();
        let end = |path: &'l str| path.trim_end_matches(';').split([' ', ',']).next();
        if let Some(path) = line.strip_prefix("use ").and_then(end) {
            let first = path.split("::").next()?;
            let is_own = ["crate", "self", "super"].contains(&first) || !path.contains("::");
            let is_standard = ["std", "core", "alloc"].contains(&first);
            return (!is_own).then_some(Self { path, is_standard });
        }
        if let Some(found) = QUOTED.captures(line) {
            let path = found.get(1).or_else(|| found.get(2))?.as_str();
            let host = path.split('/').next().unwrap_or(path);
            // Modules of Go without a host are standard, those of JavaScript if the runtime has them.
            let is_go = found.get(1).is_some();
            let is_standard = if is_go {
                !host.contains('.')
            } else {
                is_runtime_module(path)
            };
            return (!path.starts_with('.')).then_some(Self { path, is_standard });
        }
        let path = line
            .strip_prefix("import ")
            .or_else(|| line.strip_prefix("from "))?;
        let path = end(path)?;
        let first = path.split('.').next()?;
        let is_java = path.starts_with("java.") || path.starts_with("javax.");
        let is_standard = is_java || PYTHON.contains(&first);
        (!path.starts_with('.') && !path.is_empty()).then_some(Self { path, is_standard })
    }

    /// The last name of the path.
    fn name(&self) -> &str {
        let last = self
            .path
            .rsplit(['.', ':', '/'])
            .next()
            .unwrap_or(self.path);
        last.trim_matches(['{', '}'])
    }

    /// Whether a line has the last name of the path.
    fn is_in(&self, line: &str) -> bool {
        let name = self.name().to_lowercase();
        name.len() > 1 && line.to_lowercase().contains(&name)
    }
}

/// Imports of packages that have the name of an import of the standard library in theirs, which is gone.
pub(super) fn standard(judged: &Judged<'_>, signal: &str, amount: f64) -> Vec<Evidence> {
    let mut found = Vec::new();
    for file in judged.edited() {
        let gone = file.gone.iter().filter_map(|(_, line)| Import::of(line));
        let gone: Vec<Import<'_>> = gone.filter(|one| one.is_standard).collect();
        for (line, row) in file.new.iter().filter(|_| !gone.is_empty()) {
            time_limit::check();
            let import = Import::of(row).filter(|one| !one.is_standard && !is_own(judged, one));
            let alike = || gone.iter().find(|standard| standard.is_in(row));
            let Some((import, standard)) = import.and_then(|import| Some((import, alike()?)))
            else {
                continue;
            };
            found.push(Evidence {
                signal: signal.to_owned(),
                kind: "replaced-standard".to_owned(),
                at: place(file.path, *line, *line),
                of: None,
                message: format!(
                    "`{}` takes the place of `{}`, which needs no package.",
                    import.path, standard.path
                ),
                amount,
            });
        }
    }
    found
}

/// Whether a path is in the code base.
fn is_own(judged: &Judged<'_>, import: &Import<'_>) -> bool {
    let path = import.path.replace("::", "/");
    let path = if path.contains('/') {
        path
    } else {
        path.replace('.', "/")
    };
    let mut parts: Vec<&str> = path.split('/').collect();
    parts.truncate(if parts.len() > 2 { 3 } else { 1 });
    let folder = parts.join("/");
    let has = |text: &str| judged.base.has_below(text);
    has(&folder)
        || ["py", "rs", "js", "ts"]
            .iter()
            .any(|suffix| has(&format!("{folder}.{suffix}")))
}
